(** * Runs that are written down as an order and a matching

    [check_run] plays the order: each event is the next one of its process, and a receive takes a message that has been
    sent on its channel and that no other receive takes.  It accepts exactly the runs in which the events of the program
    happen: [check_run_correct]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Teaching StraightLine Interleavings.
From Sealcheck Require Import CausalPast Decider KnowledgeDecider Certificates Tries Chains.
Open Scope nat_scope.

(** ** The check *)

Definition find_event {A} (e : event) (t : trie (trie A)) : option A := find2 (fst e) (snd e) t.
Definition add_event {A} (e : event) (v : A) (t : trie (trie A)) : trie (trie A) := add2 (fst e) (snd e) v t.

Lemma find_add_event {A} : forall e e' (v : A) t,
  find_event e' (add_event e v t) = if event_eqb e' e then Some v else find_event e' t.
Proof. intros. apply find2_add2. Qed.

(** The matching as a map, if no receive is in it twice, and no message. *)
Fixpoint pairs_of (m : list (event * event)) (taken : trie (trie event)) (given : trie (trie unit)) :
    option (trie (trie event)) :=
  match m with
  | [] => Some taken
  | (e, s) :: m' =>
      match find_event e taken, find_event s given with
      | None, None => pairs_of m' (add_event e s taken) (add_event s tt given)
      | _, _ => None
      end
  end.

(** Whether the event can happen next.  [reached] says how many events of each process have happened. *)
Definition may_happen (t : table) (taken : trie (trie event)) (reached : trie nat) (e : event) : bool :=
  (snd e =? find_or 0 (fst e) reached) &&
  match find_event e (places t) with
  | Some (Rcv i, _) =>
      match find_event e taken with
      | Some s => (fst s =? i) && (snd s <? find_or 0 i reached) &&
                  match find_event s (places t) with Some (Snd j, _) => j =? fst e | _ => false end
      | None => false
      end
  | Some _ => true
  | None => false
  end.

Fixpoint play_order (t : table) (taken : trie (trie event)) (reached : trie nat) (order : list event) : option (trie nat) :=
  match order with
  | [] => Some reached
  | e :: order' =>
      if may_happen t taken reached e then play_order t taken (add (fst e) (S (snd e)) reached) order' else None
  end.

Definition is_receive_of (t : table) (e : event) : bool :=
  match find_event e (places t) with Some (Rcv _, _) => true | _ => false end.

(** The order has each event of [l] once, and the matching has each receive once, no two with the same send. *)
Definition check_run (n : nat) (l : list act) (order : list event) (m : list (event * event)) : bool :=
  let t := table_of [] l in
  is_below n l && forallb (is_receive_of t) (map fst m) &&
  match pairs_of m Leaf Leaf with
  | None => false
  | Some taken =>
      match play_order t taken Leaf order with
      | None => false
      | Some reached => forallb (fun i => find_or 0 i reached =? find_or 0 i (lengths t)) (seq 0 n)
      end
  end.

(** ** The matching *)

Definition holds_pairs (m : list (event * event)) (taken : trie (trie event)) :=
  forall e s, find_event e taken = Some s <-> In (e, s) m.
Definition holds_sends (m : list (event * event)) (given : trie (trie unit)) :=
  forall s, find_event s given <> None <-> In s (map snd m).

Lemma pairs_of_spec : forall m m0 taken given, NoDup (map fst m0) -> NoDup (map snd m0) ->
  holds_pairs m0 taken -> holds_sends m0 given ->
  match pairs_of m taken given with
  | Some taken' => NoDup (map fst (rev m ++ m0)) /\ NoDup (map snd (rev m ++ m0)) /\ holds_pairs (rev m ++ m0) taken'
  | None => ~ (NoDup (map fst (rev m ++ m0)) /\ NoDup (map snd (rev m ++ m0)))
  end.
Proof.
  induction m as [|[e s] m IH]; intros m0 taken given N1 N2 P G; [simpl; auto|].
  cbn [pairs_of rev]. rewrite <- app_assoc. simpl.
  assert (Twice : forall (u v : list event) x, In x v -> ~ NoDup (u ++ x :: v)).
  { intros u v x I N. apply NoDup_remove_2 in N. apply N, in_or_app. auto. }
  destruct (find_event e taken) as [s'|] eqn:Fe.
  { intros [N _]. rewrite map_app in N. simpl in N. apply P in Fe. revert N. apply Twice.
    apply in_map_iff. exists (e, s'). auto. }
  destruct (find_event s given) as [u|] eqn:Fs.
  { intros [_ N]. rewrite map_app in N. simpl in N. revert N. apply Twice, G. congruence. }
  assert (Ne : ~ In e (map fst m0)).
  { intro I. apply in_map_iff in I as ([e' s'] & E & I). simpl in E. subst e'. apply P in I. congruence. }
  assert (Ns : ~ In s (map snd m0)) by (intro I; apply G in I; auto).
  apply (IH ((e, s) :: m0)); [simpl; now constructor|simpl; now constructor| |].
  - intros e' s''. rewrite find_add_event. destruct (event_eqb e' e) eqn:E.
    + apply pair_eqb_spec in E. subst e'. split; [intro F; injection F as <-; now left|].
      intros [F|I]; [now injection F as <-|]. exfalso. apply Ne, in_map_iff. exists (e, s''). auto.
    + rewrite (P e' s''). split; [now right|]. intros [F|I]; auto. injection F as <- <-.
      assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
  - intros s''. rewrite find_add_event. destruct (event_eqb s'' s) eqn:E.
    + apply pair_eqb_spec in E. subst s''. split; [now left|discriminate].
    + rewrite (G s''). simpl. split; [now right|]. intros [F|I]; auto. subst s''.
      assert (event_eqb s s = true) by now apply pair_eqb_spec. congruence.
Qed.

(** ** The order *)

(** The event comes next, after these: the earlier ones of its process have happened and, of a receive, the send. *)
Definition fits (l : list act) (m : list (event * event)) (pre : list event) (e : event) :=
  inside (len l) e /\ ~ In e pre /\ (forall k, k < snd e -> In (fst e, k) pre) /\
  forall i, nth_error (labs (fst e) l) (snd e) = Some (Rcv i) -> exists s, In (e, s) m /\ In s pre /\
    fst s = i /\ nth_error (labs i l) (snd s) = Some (Snd (fst e)).

Definition holds_events (pre : list event) (reached : trie nat) :=
  forall i k, In (i, k) pre <-> k < find_or 0 i reached.

Section Order.
Variables (l : list act) (m : list (event * event)) (taken : trie (trie event)).
Hypothesis P : holds_pairs m taken.
Notation t := (table_of [] l).

Lemma place_of : forall e x, (exists k, find_event e (places t) = Some (x, k)) <->
  nth_error (labs (fst e) l) (snd e) = Some x.
Proof.
  intros [i y] x. pose proof (lists_places _ _ _ (table_of_lists [] l) i y x) as H. simpl in H. split.
  - intros [k F]. apply H in F. apply F.
  - intro N. eexists. apply H. split; [exact N|reflexivity].
Qed.

Lemma may_happen_spec : forall pre reached e, holds_events pre reached ->
  (may_happen t taken reached e = true <-> fits l m pre e).
Proof.
  intros pre reached [i k] R. unfold may_happen, fits. cbn [fst snd]. rewrite andb_true_iff, Nat.eqb_eq.
  assert (Turn : k = find_or 0 i reached <-> ~ In (i, k) pre /\ forall k', k' < k -> In (i, k') pre).
  { rewrite (R i k). split.
    - intros ->. split; [lia|]. intros k' L. now apply R.
    - intros [N B]. destruct (Nat.lt_trichotomy k (find_or 0 i reached)) as [L|[E|L]]; auto; [contradiction|].
      specialize (B (find_or 0 i reached) L). apply R in B. lia. }
  rewrite Turn. clear Turn.
  destruct (find_event (i, k) (places t)) as [[x c]|] eqn:F.
  - assert (E : nth_error (labs i l) k = Some x) by (apply (place_of (i, k) x); eauto).
    assert (I : inside (len l) (i, k)) by (apply labs_lt in E; exact E). rewrite E.
    destruct x as [j|j|]; try (split; [intros [[N B] _]; repeat split; auto; discriminate|intros (_ & N & B & _); auto]).
    split.
    + intros [[N B] H]. repeat split; auto. intros i' Q. injection Q as <-.
      destruct (find_event (i, k) taken) as [s|] eqn:T; [|discriminate]. rewrite !andb_true_iff, Nat.eqb_eq, Nat.ltb_lt in H.
      destruct H as [[<- L] H]. destruct (find_event s (places t)) as [[y d]|] eqn:S; [|discriminate].
      destruct y as [to| |]; try discriminate. apply Nat.eqb_eq in H. subst to. exists s. apply P in T.
      split; auto. split; [destruct s; now apply R|]. split; auto. apply (place_of s). eauto.
    + intros (_ & N & B & H). split; auto. destruct (H j eq_refl) as (s & T & Is & <- & S). apply P in T. rewrite T.
      rewrite Nat.eqb_refl. simpl. destruct (proj2 (place_of s _) S) as [d D]. rewrite D. simpl. rewrite Nat.eqb_refl, andb_true_r.
      apply Nat.ltb_lt. destruct s. now apply R.
  - split; [intros [_ H]; discriminate|]. intros (I & _). exfalso. unfold inside in I. cbn [fst snd] in I.
    destruct (nth_error (labs i l) k) as [x|] eqn:E; [|apply nth_error_None in E; rewrite len_labs in E; lia].
    destruct (proj2 (place_of (i, k) x) E) as [c C]. congruence.
Qed.

Lemma happened : forall pre reached e, holds_events pre reached -> fits l m pre e ->
  holds_events (pre ++ [e]) (add (fst e) (S (snd e)) reached).
Proof.
  intros pre reached [i k] R (_ & N & B & _) i' k'. cbn [fst snd] in *. rewrite in_app_iff, find_or_add.
  destruct (Nat.eqb_spec i' i) as [->|D].
  - split.
    + intros [I|[E|[]]]; [|injection E as <-; lia]. destruct (le_lt_dec k' k) as [|L]; [lia|]. exfalso. apply N.
      apply R. apply R in I. lia.
    + intro L. destruct (Nat.eq_dec k' k) as [->|]; [right; now left|left; apply B; lia].
  - rewrite (R i' k'). split; [|tauto]. intros [I|[E|[]]]; auto. congruence.
Qed.

Lemma play_order_spec : forall order pre reached, holds_events pre reached ->
  match play_order t taken reached order with
  | Some reached' => holds_events (pre ++ order) reached' /\
      forall before e after, order = before ++ e :: after -> fits l m (pre ++ before) e
  | None => exists before e after, order = before ++ e :: after /\ ~ fits l m (pre ++ before) e
  end.
Proof.
  induction order as [|e order IH]; intros pre reached R; simpl.
  - rewrite app_nil_r. split; auto. intros [|b before] e after E; discriminate.
  - destruct (may_happen t taken reached e) eqn:M.
    + apply (may_happen_spec pre) in M; auto. specialize (IH (pre ++ [e]) _ (happened pre reached e R M)).
      destruct (play_order t taken _ order) as [reached'|].
      * destruct IH as [R' F]. rewrite <- app_assoc in R'. split; auto. intros [|b before] e' after E; simpl in E.
        -- injection E as <- <-. now rewrite app_nil_r.
        -- injection E as <- E. specialize (F before e' after E). now rewrite <- app_assoc in F.
      * destruct IH as (before & e' & after & -> & N). exists (e :: before), e', after. split; auto.
        now rewrite <- app_assoc in N.
    + exists [], e, order. split; auto. rewrite app_nil_r. intro F. apply (may_happen_spec pre reached e R) in F. congruence.
Qed.
End Order.

(** ** Where an event stands in an order *)

Fixpoint rank (e : event) (order : list event) : nat :=
  match order with
  | [] => 0
  | x :: order' => if event_eqb x e then 0 else S (rank e order')
  end.

Lemma rank_le : forall pre x post, rank x (pre ++ x :: post) <= length pre.
Proof.
  induction pre as [|a pre IH]; intros x post; simpl.
  - assert (event_eqb x x = true) as -> by now apply pair_eqb_spec. lia.
  - destruct (event_eqb a x); [lia|]. specialize (IH x post). lia.
Qed.

Lemma rank_of_in : forall pre x post, In x pre -> rank x (pre ++ post) < length pre.
Proof.
  induction pre as [|a pre IH]; intros x post I; simpl; [destruct I|]. destruct (event_eqb a x) eqn:E; [lia|].
  destruct I as [->|I]; [|specialize (IH x post I); lia].
  assert (event_eqb x x = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma in_of_rank : forall pre x post, rank x (pre ++ post) < length pre -> In x pre.
Proof.
  induction pre as [|a pre IH]; intros x post H; simpl in *; [lia|]. destruct (event_eqb a x) eqn:E.
  - apply pair_eqb_spec in E. auto.
  - right. apply (IH x post). lia.
Qed.

Lemma rank_in : forall x order, rank x order < length order <-> In x order.
Proof.
  intros x order. pose proof (app_nil_r order) as E. split; intro H.
  - apply (in_of_rank order x []). now rewrite E.
  - rewrite <- E at 1. now apply rank_of_in.
Qed.

Lemma rank_not_before : forall pre x post, ~ In x pre -> length pre <= rank x (pre ++ post).
Proof.
  intros pre x post N. destruct (le_lt_dec (length pre) (rank x (pre ++ post))) as [|L]; auto.
  now apply in_of_rank in L.
Qed.

(** In a causal order causes stand before what they cause. *)
Lemma rank_causal : forall R order x y, NoDup order -> in_causal_order R order -> In x order -> In y order -> R x y ->
  rank x order < rank y order.
Proof.
  intros R order x y N O X Y H. apply in_split in Y as (pre & post & ->).
  assert (I : In x pre) by exact (O pre y post eq_refl x X H).
  assert (~ In y pre) by (intro Q; apply NoDup_remove_2 in N; apply N, in_or_app; auto).
  pose proof (rank_of_in pre x (y :: post) I). pose proof (rank_not_before pre y (y :: post) H0). lia.
Qed.

(** A number for each event of the run, which rises along causality. *)
Definition height (l : list act) (order : list event) (e : event) : nat :=
  if snd e <? len l (fst e) then rank e order else length order + snd e.

(** A run whose events happen in this order has no cycle. *)
Lemma ordered_acyclic : forall l m order, (forall e, inside (len l) e <-> In e order) -> NoDup order ->
  in_causal_order (step (run_of l m)) order ->
  (forall e i j, is_rcv (run_of l m) e i j -> is_snd (run_of l m) (delta (run_of l m) e) i j) ->
  forall e, ~ causes (run_of l m) e e.
Proof.
  intros l m order I N O S.
  assert (Lab : forall e a, lab (run_of l m) (fst e) (snd e) = a -> a <> Int -> inside (len l) e).
  { intros [i k] a E D. change (lab (fifo l) i k = a) in E. apply fifo_lab in E as [_ E]; auto. }
  apply by_order with (fun x y => height l order x < height l order y);
    [|intros x y z; apply Nat.lt_trans|intro x; apply Nat.lt_irrefl].
  - intros x y St. assert (Ix : inside (len l) y -> inside (len l) x).
    { intro Iy. destruct St as [[F L]|(i & j & R & <-)]; [unfold inside in *; rewrite F; lia|].
      apply S in R as [_ R]. apply (Lab _ _ R). discriminate. }
    unfold height. destruct (snd y <? len l (fst y)) eqn:Y.
    + apply Nat.ltb_lt in Y. specialize (Ix Y). pose proof Ix as X. apply Nat.ltb_lt in X. rewrite X.
      apply (rank_causal (step (run_of l m))); auto; now apply I.
    + apply Nat.ltb_ge in Y. destruct St as [[F L]|(i & j & [_ R] & _)].
      * destruct (snd x <? len l (fst x)) eqn:X; [|lia]. assert (Hx : In x order) by (apply I, Nat.ltb_lt, X).
        apply rank_in in Hx. lia.
      * apply Lab in R; [|discriminate]. unfold inside in R. lia.
Qed.

(** ** Lists without repetitions *)

Lemma all_events_nodup : forall n l, NoDup (all_events n l).
Proof.
  intros n l.
  assert (F : forall a, NoDup (flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq a n))); [|apply F].
  induction n as [|n IH]; intro a; simpl; [constructor|].
  assert (G : forall ks, NoDup ks -> NoDup (map (fun k => (a, k)) ks ++
    flat_map (fun i => map (fun k => (i, k)) (seq 0 (len l i))) (seq (S a) n))).
  { induction 1 as [|k ks N _ IHks]; simpl; [apply IH|]. constructor; auto.
    intro I. apply in_app_or in I as [I|I].
    - apply in_map_iff in I as (x & E & I). congruence.
    - apply in_flat_map in I as (i & Hi & I). apply in_seq in Hi. apply in_map_iff in I as (x & E & _).
      injection E as E _. lia. }
  apply G, seq_NoDup.
Qed.

(** The matching, where it names each receive once. *)
Lemma taken_of : forall m e s, NoDup (map fst m) -> In (e, s) m -> taken m e = s.
Proof.
  induction m as [|[r t] m IH]; intros e s N I; [destruct I|]. simpl in N. inversion N; subst. simpl.
  destruct (event_eqb r e) eqn:E.
  - apply pair_eqb_spec in E. subst r. destruct I as [I|I]; [congruence|]. exfalso. apply H1.
    apply in_map_iff. exists (e, s). auto.
  - destruct I as [I|I]; auto. injection I as -> ->.
    assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma sends_nodup : forall m, NoDup (map fst m) ->
  (forall e e', In e (map fst m) -> In e' (map fst m) -> taken m e = taken m e' -> e = e') -> NoDup (map snd m).
Proof.
  intros m N J.
  assert (G : forall k, incl k m -> NoDup (map fst k) -> NoDup (map snd k)); [|apply G; auto using incl_refl].
  induction k as [|[e s] k IH]; intros C D; simpl; constructor; simpl in D; inversion D; subst.
  - intro I. apply in_map_iff in I as ((e' & s') & E & I). cbn [snd] in E. subst s'. apply H1.
    assert (A : In (e, s) m) by (apply C; now left). assert (B : In (e', s) m) by (apply C; now right).
    assert (e = e') as ->.
    { apply J; [apply in_map_iff; exists (e, s); auto|apply in_map_iff; exists (e', s); auto|].
      now rewrite (taken_of m e s N A), (taken_of m e' s N B). }
    apply in_map_iff. exists (e', s). auto.
  - apply IH; auto. intros x I. apply C. now right.
Qed.

(** ** The theorem *)

(** Receives of the program, by the order of processes. *)
Definition all_receives (n : nat) (l : list act) : list event := filter (is_receive l) (all_events n l).

Lemma is_receive_spec : forall l m e, is_receive l e = true <-> exists i j, is_rcv (run_of l m) e i j.
Proof.
  intros l m [j y]. unfold is_receive. cbn [fst snd]. split.
  - destruct (nth_error (labs j l) y) as [[k|i|]|] eqn:E; try discriminate. intros _. exists i, j.
    split; auto. simpl. now rewrite E.
  - intros (i & j' & _ & L). change (lab (fifo l) j y = Rcv i) in L. apply fifo_lab in L as [-> _]; [auto|discriminate].
Qed.

(** _What is accepted is exactly_ a run with an order in which its events can happen, and a matching that says of each
    receive once which send it takes. *)
Theorem check_run_correct : forall n l order m, check_run n l order m = true <->
  below n l /\ matching (run_of l m) /\ interleaving (run_of l m) (all_events n l) order /\
  Permutation (all_receives n l) (map fst m).
Proof.
  intros n l order m. unfold check_run. rewrite !andb_true_iff, is_below_spec.
  pose proof (pairs_of_spec m [] Leaf Leaf (NoDup_nil _) (NoDup_nil _)) as Pm.
  specialize (Pm ltac:(intros e s; split; [discriminate|intros []]) ltac:(intro s; split; [intro H; now elim H|intros []])).
  assert (Back : forall (f : event * event -> event), Permutation (map f m) (map f (rev m))).
  { intro f. apply Permutation_map, Permutation_rev. }
  assert (Len : forall i, find_or 0 i (lengths (table_of [] l)) = len l i) by exact (lists_lengths _ _ _ (table_of_lists [] l)).
  assert (Rc : forall e, is_receive_of (table_of [] l) e = true <-> is_receive l e = true).
  { intro e. unfold is_receive_of, is_receive. destruct (nth_error (labs (fst e) l) (snd e)) as [x|] eqn:E.
    - destruct (proj2 (place_of l e x) E) as [k ->]. tauto.
    - destruct (find_event e (places (table_of [] l))) as [[x k]|] eqn:F; [|tauto].
      assert (X : nth_error (labs (fst e) l) (snd e) = Some x) by (apply (place_of l e x); eauto). congruence. }
  rewrite app_nil_r in Pm. split.
  - intros [[W Keys] H]. destruct (pairs_of m Leaf Leaf) as [taken_|]; [|discriminate].
    destruct Pm as (N1 & N2 & P). pose proof (play_order_spec l (rev m) taken_ P order [] Leaf) as Po.
    specialize (Po ltac:(intros i k; split; [intros []|intro L; unfold find_or in L; simpl in L; lia])).
    destruct (play_order _ taken_ Leaf order) as [reached|]; [|discriminate]. destruct Po as [R F]. simpl in R, F.
    rewrite forallb_forall in H, Keys.
    assert (Nm : NoDup (map fst m)) by apply (Permutation_NoDup (Permutation_sym (Back fst)) N1).
    assert (Ns : NoDup (map snd m)) by apply (Permutation_NoDup (Permutation_sym (Back snd)) N2).
    assert (In_m : forall x, In x (rev m) -> In x m) by (intros x; apply in_rev).
    assert (Ev : forall e, inside (len l) e <-> In e order).
    { intros [i k]. split.
      - intro I. apply R. apply (all_events_spec n) in I as I'; auto. unfold all_events in I'.
        apply in_flat_map in I' as (j & J & Q). apply in_map_iff in Q as (x & Q & _). injection Q as -> _.
        specialize (H i J). apply Nat.eqb_eq in H. rewrite H, Len. exact I.
      - intro I. apply in_split in I as (before & after & E). apply (F before (i, k) after E). }
    assert (No : NoDup order).
    { assert (G : forall before after, order = before ++ after -> NoDup before).
      { induction before as [|e before IH] using rev_ind; intros after E; [constructor|]. rewrite <- app_assoc in E.
        apply (Permutation_NoDup (Permutation_cons_append before e)).
        constructor; [apply (F before e after E)|eapply IH; eauto]. }
      apply (G order []). now rewrite app_nil_r. }
    assert (Src : forall e i j, is_rcv (run_of l m) e i j -> exists before after, order = before ++ e :: after /\
      In (taken m e) before /\ fst (taken m e) = i /\ nth_error (labs i l) (snd (taken m e)) = Some (Snd j)).
    { intros [j' k] i j [Fj L]. cbn [fst snd] in Fj. subst j'. change (lab (fifo l) j k = Rcv i) in L.
      apply fifo_lab in L as [L I]; [|discriminate]. assert (O : In (j, k) order) by now apply Ev.
      apply in_split in O as (before & after & E). destruct (F before (j, k) after E) as (_ & _ & _ & S).
      destruct (S i L) as (s & T & Is & Fs & Ls). apply In_m, (taken_of m (j, k) s Nm) in T. rewrite T. eauto 7. }
    assert (Snd_ : forall e i j, is_rcv (run_of l m) e i j -> is_snd (run_of l m) (delta (run_of l m) e) i j).
    { intros e i j Re. destruct (Src e i j Re) as (_ & _ & _ & _ & Fs & Ls). split; auto. cbn [run_of lab delta].
      rewrite Fs. simpl. now rewrite Ls. }
    assert (Keyed : forall e, is_receive l e = true -> In e (map fst m)).
    { intros e Re. pose proof Re as Re'. apply (is_receive_spec l m) in Re' as (i & j & Q).
      destruct (Src e i j Q) as (before & after & E & _). destruct (F before e after E) as (_ & _ & _ & S).
      unfold is_receive in Re. destruct (nth_error (labs (fst e) l) (snd e)) as [[k|i'|]|]; try discriminate.
      destruct (S i' eq_refl) as (s & T & _). apply in_map_iff. exists (e, s). auto. }
    assert (Co : in_causal_order (step (run_of l m)) order).
    { intros pre y post E x X St. destruct (F pre y post E) as (_ & _ & B & _).
      destruct St as [[Fx L]|(i & j & Re & D)]; [destruct x as [i k]; cbn [fst snd] in *; subst i; auto|].
      destruct (Src y i j Re) as (before & after & E' & T & _). cbn [run_of delta] in D. rewrite D in T.
      rewrite E in E', No. enough (pre = before) by now subst. clear - E' No.
      revert before E'. induction pre as [|a pre IH]; intros [|b before] E'; auto; simpl in *; injection E' as -> E'.
      - inversion No; subst. exfalso. apply H1. apply in_or_app. right. now left.
      - inversion No; subst. exfalso. apply H1. apply in_or_app. right. now left.
      - f_equal. inversion No; subst. apply IH; auto. }
    split; auto. split; [|split; [split|]].
    + constructor; auto.
      * intros e i j e' i' j' Re Re' E. apply (taken_injective m); auto; apply Keyed, (is_receive_spec l m); eauto.
      * apply (ordered_acyclic l m order); auto.
    + apply NoDup_Permutation; auto using all_events_nodup. intro e. rewrite all_events_spec by auto. apply Ev.
    + exact Co.
    + apply NoDup_Permutation; auto.
      * apply NoDup_filter, all_events_nodup.
      * intro e. unfold all_receives. rewrite filter_In, all_events_spec by auto. split; [intros [_ Re]; now apply Keyed|].
        intro I. apply Keys, Rc in I. split; auto. unfold is_receive in I.
        destruct (nth_error (labs (fst e) l) (snd e)) as [a|] eqn:E; [|discriminate]. now apply labs_lt in E.
  - intros (W & M & (Pe & O) & Pr).
    assert (No : NoDup order) by apply (Permutation_NoDup Pe), all_events_nodup.
    assert (Io : forall e, inside (len l) e <-> In e order).
    { intro e. rewrite <- (all_events_spec n) by auto. split; [apply (Permutation_in _ Pe)|apply (Permutation_in _ (Permutation_sym Pe))]. }
    assert (Nm : NoDup (map fst m)) by apply (Permutation_NoDup Pr), NoDup_filter, all_events_nodup.
    assert (Ns : NoDup (map snd m)).
    { apply sends_nodup; auto. intros e e' I I' E.
      assert (Q : forall x, In x (map fst m) -> exists i j, is_rcv (run_of l m) x i j).
      { intros x X. apply is_receive_spec. apply (Permutation_in _ (Permutation_sym Pr)), filter_In in X. apply X. }
      destruct (Q e I) as (i & j & R), (Q e' I') as (i' & j' & R').
      exact (delta_inj _ M e i j e' i' j' R R' E). }
    split; [split; auto|].
    { apply forallb_forall. intros e I. apply Rc. apply (Permutation_in _ (Permutation_sym Pr)), filter_In in I. apply I. }
    destruct (pairs_of m Leaf Leaf) as [taken_|].
    2:{ exfalso. apply Pm. split; [apply (Permutation_NoDup (Back fst) Nm)|apply (Permutation_NoDup (Back snd) Ns)]. }
    destruct Pm as (_ & _ & P). pose proof (play_order_spec l (rev m) taken_ P order [] Leaf) as Po.
    specialize (Po ltac:(intros i k; split; [intros []|intro L; unfold find_or in L; simpl in L; lia])).
    destruct (play_order _ taken_ Leaf order) as [reached|].
    + destruct Po as [R _]. simpl in R. apply forallb_forall. intros i I. apply Nat.eqb_eq. rewrite Len.
      assert (E : forall k, k < find_or 0 i reached <-> k < len l i) by (intro k; rewrite <- (R i k), <- Io; reflexivity).
      pose proof (E (len l i)). pose proof (E (find_or 0 i reached)). lia.
    + exfalso. destruct Po as (before & e & after & E & N). apply N. simpl. clear N.
      assert (I : In e order) by (rewrite E; apply in_elt).
      assert (Ie : inside (len l) e) by now apply Io. split; auto. split; [|split].
      * rewrite E in No. apply NoDup_remove_2 in No. intro Q. apply No, in_or_app. auto.
      * intros k K. apply (O before e after E); [apply Io; unfold inside in *; simpl; lia|left; auto].
      * intros i L. assert (R : is_rcv (run_of l m) e i (fst e)) by (split; auto; simpl; now rewrite L).
        pose proof (delta_snd _ M _ _ _ R) as [Fs Ls]. change (lab (fifo l) (fst (taken m e)) (snd (taken m e)) = Snd (fst e)) in Ls.
        cbn [run_of delta] in Fs. apply fifo_lab in Ls as [Ls Is]; [|discriminate]. exists (taken m e). repeat split; auto.
        -- rewrite <- in_rev. apply taken_in. apply (Permutation_in _ Pr), filter_In. split; [now apply all_events_spec|].
           unfold is_receive. now rewrite L.
        -- apply (O before e after E); [apply Io; exact Is|]. right. exists i, (fst e). auto.
        -- now rewrite <- Fs.
Qed.

Lemma run_is_matching : forall n l order m, check_run n l order m = true -> matching (run_of l m).
Proof. intros n l order m H. now apply check_run_correct in H. Qed.

(** There is such an order if it is a run. *)
Theorem check_run_accepts : forall n l m, below n l -> Permutation (all_receives n l) (map fst m) ->
  ((exists order, check_run n l order m = true) <-> matching (run_of l m)).
Proof.
  intros n l m W P. split.
  - intros [order H]. now apply (run_is_matching n l order).
  - intro M. assert (I : exists order, interleaving (run_of l m) (all_events n l) order).
    { apply (interleaving_exists _ (len l)); auto using all_events_nodup.
      - intro e. now apply all_events_spec.
      - intros e i j R _. pose proof (delta_snd _ M _ _ _ R) as S. split; auto. destruct S as [_ S].
        change (lab (fifo l) (fst (taken m e)) (snd (taken m e)) = Snd j) in S.
        apply fifo_lab in S as [_ S]; [exact S|discriminate].
      - intros e _. apply (causal _ M). }
    destruct I as [order I]. exists order. apply check_run_correct. auto.
Qed.
