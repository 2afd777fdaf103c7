(** * Runs that are written down as an order and a matching

    [check_run] plays the order: each event is the next one of its process, and a receive takes a message that has been
    sent on its channel and that no receive has taken.  It accepts exactly the runs in which the events of the program
    happen: [check_run_correct]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Teaching StraightLine Interleavings.
From Sealcheck Require Import CausalPast Decider KnowledgeDecider Certificates Tries Chains.
Open Scope nat_scope.

(** ** The check *)

Definition find_event {A} (e : event) (t : trie (trie A)) : option A := find2 (fst e) (snd e) t.
Definition store_event {A} (e : event) (v : A) (t : trie (trie A)) : trie (trie A) := add2 (fst e) (snd e) v t.

Lemma find_store_event {A} : forall e e' (v : A) t,
  find_event e' (store_event e v t) = if event_eqb e' e then Some v else find_event e' t.
Proof. intros. apply find2_add2. Qed.

(** The matching as a map, if no receive is in it twice. *)
Fixpoint pairs_of (m : list (event * event)) (taken : trie (trie event)) : option (trie (trie event)) :=
  match m with
  | [] => Some taken
  | (e, s) :: m' =>
      match find_event e taken with
      | None => pairs_of m' (store_event e s taken)
      | Some _ => None
      end
  end.

(** The share of each process. *)
Fixpoint shares (l : list act) : trie (list label) :=
  match l with
  | [] => Leaf
  | a :: l' => let t := shares l' in add (actor a) (alab a :: find_or [] (actor a) t) t
  end.

(** What has not happened yet, and how many events of each process have; which sends nothing has received, and to whom;
    how many receives there were. *)
Record run_state := {
  left_of : trie (list label);
  reached_by : trie nat;
  flying : trie (trie proc);
  received_so_far : nat
}.

(** The event happens, if it is the next one of its process and, of a receive, takes a message that has been sent. *)
Definition play_event (taken : trie (trie event)) (st : run_state) (e : event) : option run_state :=
  let (i, k) := e in
  if k =? find_or 0 i (reached_by st) then
    match find_or [] i (left_of st) with
    | [] => None
    | x :: rest =>
        let gone := add i rest (left_of st) in
        let further := add i (S k) (reached_by st) in
        match x with
        | Int => Some {| left_of := gone; reached_by := further; flying := flying st;
                         received_so_far := received_so_far st |}
        | Snd j => Some {| left_of := gone; reached_by := further; flying := store_event e j (flying st);
                           received_so_far := received_so_far st |}
        | Rcv from =>
            match find_event e taken with
            | None => None
            | Some s =>
                match find_event s (flying st) with
                | None => None
                | Some to =>
                    if (fst s =? from) && (to =? i) then
                      Some {| left_of := gone; reached_by := further;
                              flying := remove2 (fst s) (snd s) (flying st);
                              received_so_far := S (received_so_far st) |}
                    else None
                end
            end
        end
    end
  else None.

Fixpoint play_order (taken : trie (trie event)) (st : run_state) (order : list event) : option run_state :=
  match order with
  | [] => Some st
  | e :: order' => match play_event taken st e with | Some st' => play_order taken st' order' | None => None end
  end.

Definition at_first (l : list act) : run_state :=
  {| left_of := shares l; reached_by := Leaf; flying := Leaf; received_so_far := 0 |}.

(** The order has each event of [l] once, and the matching has each receive once, no two with the same send. *)
Definition check_run (n : nat) (l : list act) (order : list event) (m : list (event * event)) : bool :=
  is_below n l &&
  match pairs_of m Leaf with
  | None => false
  | Some taken =>
      match play_order taken (at_first l) order with
      | None => false
      | Some st => forallb (fun i => match find_or [] i (left_of st) with [] => true | _ => false end) (seq 0 n) &&
                   (received_so_far st =? length m)
      end
  end.

(** ** The matching *)

Definition holds_pairs (m : list (event * event)) (taken : trie (trie event)) :=
  forall e s, find_event e taken = Some s <-> In (e, s) m.

Lemma pairs_of_spec : forall m m0 taken, NoDup (map fst m0) -> holds_pairs m0 taken ->
  match pairs_of m taken with
  | Some taken' => NoDup (map fst (rev m ++ m0)) /\ holds_pairs (rev m ++ m0) taken'
  | None => ~ NoDup (map fst (rev m ++ m0))
  end.
Proof.
  induction m as [|[e s] m IH]; intros m0 taken N1 P; [simpl; auto|].
  cbn [pairs_of rev]. rewrite <- app_assoc. simpl.
  destruct (find_event e taken) as [s'|] eqn:Fe.
  { rewrite map_app. simpl. intro N. apply P in Fe. apply NoDup_remove_2 in N. apply N, in_or_app. right.
    apply in_map_iff. exists (e, s'). auto. }
  assert (Ne : ~ In e (map fst m0)).
  { intro I. apply in_map_iff in I as ([e' s'] & E & I). simpl in E. subst e'. apply P in I. congruence. }
  apply (IH ((e, s) :: m0)); [simpl; now constructor|].
  intros e' s''. rewrite find_store_event. destruct (event_eqb e' e) eqn:E.
  - apply pair_eqb_spec in E. subst e'. split; [intro F; injection F as <-; now left|].
    intros [F|I]; [now injection F as <-|]. exfalso. apply Ne, in_map_iff. exists (e, s''). auto.
  - rewrite (P e' s''). split; [now right|]. intros [F|I]; auto. injection F as <- <-.
    assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

(** ** The order *)

(** The event comes next, after these: the earlier ones of its process have happened and, of a receive, a send on its
    channel whose message none of them has taken. *)
Definition can_play (l : list act) (m : list (event * event)) (pre : list event) (e : event) :=
  inside (len l) e /\ ~ In e pre /\ (forall k, k < snd e -> In (fst e, k) pre) /\
  forall i, nth_error (labs (fst e) l) (snd e) = Some (Rcv i) -> exists s, In (e, s) m /\ In s pre /\
    fst s = i /\ nth_error (labs i l) (snd s) = Some (Snd (fst e)) /\
    forall e', In e' pre -> is_receive l e' = true -> ~ In (e', s) m.

Lemma shares_spec : forall l i, find_or [] i (shares l) = labs i l.
Proof.
  induction l as [|a l IH]; intro i; simpl; auto. rewrite find_or_add, (Nat.eqb_sym i), !IH. unfold labs, proj. simpl.
  destruct (Nat.eqb_spec (actor a) i) as [<-|]; reflexivity.
Qed.

Section Order.
Variables (l : list act) (m : list (event * event)) (taken : trie (trie event)).
Hypothesis P : holds_pairs m taken.

Record holds_events (pre : list event) (st : run_state) : Prop := {
  events_reached : forall i k, In (i, k) pre <-> k < find_or 0 i (reached_by st);
  events_left : forall i, find_or [] i (left_of st) = skipn (find_or 0 i (reached_by st)) (labs i l);
  events_flying : forall s j, find_event s (flying st) = Some j <-> In s pre /\
    nth_error (labs (fst s) l) (snd s) = Some (Snd j) /\ forall e, In e pre -> is_receive l e = true -> ~ In (e, s) m;
  events_sources : forall e s, In e pre -> is_receive l e = true -> In (e, s) m -> In s pre;
  events_received : received_so_far st = length (filter (is_receive l) pre)
}.

Lemma at_first_holds : holds_events [] (at_first l).
Proof.
  constructor; simpl; auto.
  - intros i k. split; [intros []|]. intro L. unfold find_or in L. simpl in L. lia.
  - intro i. now rewrite shares_spec.
  - intros s j. split; [discriminate|intros [[] _]].
Qed.

Lemma skipn_nth {A} : forall k (u : list A) x rest,
  skipn k u = x :: rest <-> nth_error u k = Some x /\ rest = skipn (S k) u.
Proof.
  induction k as [|k IH]; intros [|a u] x rest; simpl; try (split; [discriminate|intros [H _]; discriminate]).
  - split; [intro E; injection E as -> ->; auto|]. intros [E ->]. now injection E as ->.
  - exact (IH u x rest).
Qed.

Lemma is_receive_iff : forall e, is_receive l e = true <-> exists i, nth_error (labs (fst e) l) (snd e) = Some (Rcv i).
Proof.
  intro e. unfold is_receive. destruct (nth_error (labs (fst e) l) (snd e)) as [[j|j|]|]; split;
    try discriminate; eauto;
    intros [i E]; discriminate.
Qed.

Lemma happens_spec : forall pre st e, holds_events pre st ->
  match play_event taken st e with
  | Some st' => can_play l m pre e /\ holds_events (pre ++ [e]) st'
  | None => ~ can_play l m pre e
  end.
Proof.
  intros pre st [i k] [R L F So C]. unfold play_event.
  assert (Same : forall e s s', In (e, s) m -> In (e, s') m -> s = s')
    by (intros e s s' A B; apply P in A, B; congruence).
  destruct (Nat.eqb_spec k (find_or 0 i (reached_by st))) as [K|K].
  2:{ intros (_ & N & B & _). cbn [fst snd] in *. apply K. rewrite (R i k) in N.
      destruct (Nat.lt_trichotomy k (find_or 0 i (reached_by st))) as [Lt|[E|Lt]]; auto; [contradiction|].
      specialize (B (find_or 0 i (reached_by st)) Lt). apply R in B. lia. }
  assert (N : ~ In (i, k) pre) by (rewrite (R i k); lia).
  assert (B : forall k', k' < k -> In (i, k') pre) by (intros k' Lt; apply R; lia).
  pose proof (L i) as Li. rewrite <- K in Li. rewrite Li.
  destruct (skipn k (labs i l)) as [|x rest] eqn:S_.
  { intros (I & _). unfold inside in I. cbn [fst snd] in I.
    destruct (nth_error (labs i l) k) as [x|] eqn:E; [|apply nth_error_None in E; rewrite len_labs in E; lia].
    pose proof (proj2 (skipn_nth k (labs i l) x _) (conj E eq_refl)) as Q. rewrite S_ in Q. discriminate. }
  apply skipn_nth in S_ as [E Rest]. pose proof (labs_lt _ _ _ _ E) as In_.
  (* what all three kinds of events do to the processes *)
  assert (R' : forall i' k', In (i', k') (pre ++ [(i, k)]) <-> k' < find_or 0 i' (add i (S k) (reached_by st))).
  { intros i' k'. rewrite in_app_iff, find_or_add. destruct (Nat.eqb_spec i' i) as [->|D].
    - split.
      + intros [I|[Q|[]]]; [apply R in I; lia|injection Q as <-; lia].
      + intro Lt. destruct (Nat.eq_dec k' k) as [->|]; [right; now left|left; apply B; lia].
    - rewrite (R i' k'). split; [|tauto]. intros [I|[Q|[]]]; auto. congruence. }
  assert (L' : forall i', find_or [] i' (add i rest (left_of st)) =
    skipn (find_or 0 i' (add i (S k) (reached_by st))) (labs i' l)).
  { intro i'. rewrite !find_or_add. destruct (Nat.eqb_spec i' i) as [->|D]; auto. }
  assert (Kept : forall s j, (is_receive l (i, k) = true -> ~ In ((i, k), s) m) ->
    (nth_error (labs (fst s) l) (snd s) = Some (Snd j) -> s <> (i, k)) ->
    (find_event s (flying st) = Some j <-> In s (pre ++ [(i, k)]) /\
      nth_error (labs (fst s) l) (snd s) = Some (Snd j) /\
      forall e, In e (pre ++ [(i, k)]) -> is_receive l e = true -> ~ In (e, s) m)).
  { intros s j Free Other. rewrite (F s j). split.
    - intros (I & Ls & T). split; [apply in_or_app; auto|]. split; auto. intros e I' Re.
      apply in_app_or in I' as [I'|[<-|[]]]; auto.
    - intros (I & Ls & T). apply in_app_or in I as [I|[I|[]]]; [|now elim (Other Ls)]. split; auto. split; auto.
      intros e I'. apply T, in_or_app. auto. }
  assert (C' : forall b, is_receive l (i, k) = b -> length (filter (is_receive l) (pre ++ [(i, k)])) =
    (if b then 1 else 0) + length (filter (is_receive l) pre)).
  { intros b <-. rewrite filter_app, app_length. simpl. destruct (is_receive l (i, k)); simpl; lia. }
  assert (Re : is_receive l (i, k) = match x with Rcv _ => true | _ => false end).
  { unfold is_receive. cbn [fst snd]. now rewrite E. }
  assert (Sources : forall z, is_receive l (i, k) = false \/ (In ((i, k), z) m /\ In z pre) -> forall e s,
    In e (pre ++ [(i, k)]) -> is_receive l e = true -> In (e, s) m -> In s (pre ++ [(i, k)])).
  { intros z Q e s I Re' M. apply in_or_app. left. apply in_app_or in I as [I|[<-|[]]]; [now apply (So e)|].
    destruct Q as [Q|[Q X]]; [congruence|]. now rewrite <- (Same _ _ _ Q M). }
  destruct x as [j|from|].
  - split; [repeat split; auto; cbn [fst snd]; intros i' Q; congruence|].
    constructor; cbn [left_of reached_by flying received_so_far]; auto;
      [|apply (Sources (i, k)); auto|now rewrite (C' _ Re)].
    intros s j'. rewrite find_store_event. destruct (event_eqb s (i, k)) eqn:Q.
    + apply pair_eqb_spec in Q. subst s. cbn [fst snd]. rewrite E. split.
      * intro Q. injection Q as <-. split; [apply in_or_app; right; now left|]. split; auto. intros e I Re' M.
        apply in_app_or in I as [I|[<-|[]]]; [|congruence]. now apply N, (So e).
      * intros (_ & Q & _). now injection Q as ->.
    + apply Kept; [congruence|]. intros _ ->.
      assert (event_eqb (i, k) (i, k) = true) by now apply pair_eqb_spec. congruence.
  - destruct (find_event (i, k) taken) as [s|] eqn:T.
    2:{ intros (_ & _ & _ & Q). destruct (Q from E) as (s & M & _). apply P in M. congruence. }
    apply P in T. destruct (find_event s (flying st)) as [to|] eqn:Fl.
    2:{ intros (_ & _ & _ & Q). destruct (Q from E) as (s' & M & I & Fs & Ls & Free). rewrite <- (Same _ _ _ T M) in *.
        enough (find_event s (flying st) = Some i) by congruence. apply F. rewrite Fs. auto. }
    apply F in Fl as (Is & Ls & Free). destruct ((fst s =? from) && (to =? i)) eqn:Ch.
    2:{ intros (_ & _ & _ & Q). destruct (Q from E) as (s' & M & _ & Fs & Ls' & _). rewrite <- (Same _ _ _ T M) in *.
        cbn [fst] in Ls'. rewrite Fs, Ls' in Ls. injection Ls as <-. rewrite Fs, !Nat.eqb_refl in Ch. discriminate. }
    apply andb_true_iff in Ch as [X Y]. apply Nat.eqb_eq in X, Y. subst from to. split.
    + repeat split; auto. cbn [fst snd]. intros i' Q. rewrite E in Q. injection Q as <-. exists s. repeat split; auto.
    + constructor; cbn [left_of reached_by flying received_so_far]; auto;
        [|apply (Sources s); auto|now rewrite (C' _ Re), C].
      intros s' j'. unfold find_event. rewrite find2_remove2.
      change ((fst s' =? fst s) && (snd s' =? snd s)) with (event_eqb s' s).
      destruct (event_eqb s' s) eqn:Q.
      * apply pair_eqb_spec in Q. subst s'. split; [discriminate|]. intros (_ & _ & Q). exfalso.
        apply (Q (i, k)); auto. apply in_or_app. right. now left.
      * apply Kept.
        -- intros _ M. rewrite (Same _ _ _ M T) in Q.
           assert (event_eqb s s = true) by now apply pair_eqb_spec. congruence.
        -- intros Ls' ->. cbn [fst snd] in Ls'. congruence.
  - split; [repeat split; auto; cbn [fst snd]; intros i' Q; congruence|].
    constructor; cbn [left_of reached_by flying received_so_far]; auto;
      [|apply (Sources (i, k)); auto|now rewrite (C' _ Re)].
    intros s j'. apply Kept; [congruence|]. intros Ls ->. cbn [fst snd] in Ls. congruence.
Qed.

Lemma play_order_spec : forall order pre st, holds_events pre st ->
  match play_order taken st order with
  | Some st' => holds_events (pre ++ order) st' /\
      forall before e after, order = before ++ e :: after -> can_play l m (pre ++ before) e
  | None => exists before e after, order = before ++ e :: after /\ ~ can_play l m (pre ++ before) e
  end.
Proof.
  induction order as [|e order IH]; intros pre st R; simpl.
  - rewrite app_nil_r. split; auto. intros [|b before] e after E; discriminate.
  - pose proof (happens_spec pre st e R) as H. destruct (play_event taken st e) as [st1|].
    + destruct H as [M R1]. specialize (IH (pre ++ [e]) st1 R1). destruct (play_order taken st1 order) as [st'|].
      * destruct IH as [R' F]. rewrite <- app_assoc in R'. split; auto. intros [|b before] e' after E; simpl in E.
        -- injection E as <- <-. now rewrite app_nil_r.
        -- injection E as <- E. specialize (F before e' after E). now rewrite <- app_assoc in F.
      * destruct IH as (before & e' & after & -> & N). exists (e :: before), e', after. split; auto.
        now rewrite <- app_assoc in N.
    + exists [], e, order. split; auto. now rewrite app_nil_r.
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

Lemma all_events_nodup : forall n l, NoDup (events_of_processes n l).
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
Lemma taken_of : forall m e s, NoDup (map fst m) -> In (e, s) m -> matched_send m e = s.
Proof.
  induction m as [|[r t] m IH]; intros e s N I; [destruct I|]. simpl in N. inversion N; subst. simpl.
  destruct (event_eqb r e) eqn:E.
  - apply pair_eqb_spec in E. subst r. destruct I as [I|I]; [congruence|]. exfalso. apply H1.
    apply in_map_iff. exists (e, s). auto.
  - destruct I as [I|I]; auto. injection I as -> ->.
    assert (event_eqb e e = true) by now apply pair_eqb_spec. congruence.
Qed.

Lemma sends_nodup : forall m, NoDup (map fst m) ->
  (forall e e', In e (map fst m) -> In e' (map fst m) -> matched_send m e = matched_send m e' -> e = e') ->
    NoDup (map snd m).
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
Definition all_receives (n : nat) (l : list act) : list event := filter (is_receive l) (events_of_processes n l).

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
  acts_below n l /\ matching (run_of l m) /\ interleaving (run_of l m) (events_of_processes n l) order /\
  Permutation (all_receives n l) (map fst m).
Proof.
  intros n l order m. unfold check_run. rewrite !andb_true_iff, is_below_spec.
  pose proof (pairs_of_spec m [] Leaf (NoDup_nil _) ltac:(intros e s; split; [discriminate|intros []])) as Pm.
  assert (Back : Permutation (map fst m) (map fst (rev m))) by apply Permutation_map, Permutation_rev.
  rewrite app_nil_r in Pm. split.
  - intros [W H]. destruct (pairs_of m Leaf) as [taken_|]; [|discriminate]. destruct Pm as (N1 & P).
    pose proof (play_order_spec l (rev m) taken_ P order [] _ (at_first_holds l (rev m))) as Po.
    destruct (play_order taken_ _ order) as [st|]; [|discriminate]. destruct Po as [R F]. simpl in R, F.
    apply andb_true_iff in H as [H Cn]. rewrite forallb_forall in H. apply Nat.eqb_eq in Cn.
    assert (Nm : NoDup (map fst m)) by apply (Permutation_NoDup (Permutation_sym Back) N1).
    assert (In_m : forall x, In x (rev m) <-> In x m) by (intro x; symmetry; apply in_rev).
    assert (Ev : forall e, inside (len l) e <-> In e order).
    { intros [i k]. split.
      - intro I. apply (events_reached _ _ _ _ R). apply (all_events_spec n) in I as I'; auto.
        unfold events_of_processes in I'.
        apply in_flat_map in I' as (j & J & Q). apply in_map_iff in Q as (x & Q & _). injection Q as -> _.
        specialize (H i J). pose proof (events_left _ _ _ _ R i) as L.
        destruct (find_or [] i (left_of st)); [|discriminate].
        apply (f_equal (@length _)) in L. rewrite skipn_length, len_labs in L. simpl in L. unfold inside in I.
        cbn [fst snd] in I. lia.
      - intro I. apply in_split in I as (before & after & E). apply (F before (i, k) after E). }
    assert (No : NoDup order).
    { assert (G : forall before after, order = before ++ after -> NoDup before).
      { induction before as [|e before IH] using rev_ind; intros after E; [constructor|]. rewrite <- app_assoc in E.
        apply (Permutation_NoDup (Permutation_cons_append before e)).
        constructor; [apply (F before e after E)|eapply IH; eauto]. }
      apply (G order []). now rewrite app_nil_r. }
    assert (Src : forall e i j, is_rcv (run_of l m) e i j -> exists before after, order = before ++ e :: after /\
      In (matched_send m e) before /\ fst (matched_send m e) = i /\
        nth_error (labs i l) (snd (matched_send m e)) = Some (Snd j) /\
      forall e', In e' before -> is_receive l e' = true -> ~ In (e', matched_send m e) m).
    { intros [j' k] i j [Fj L]. cbn [fst snd] in Fj. subst j'. change (lab (fifo l) j k = Rcv i) in L.
      apply fifo_lab in L as [L I]; [|discriminate]. assert (O : In (j, k) order) by now apply Ev.
      apply in_split in O as (before & after & E). destruct (F before (j, k) after E) as (_ & _ & _ & S).
      destruct (S i L) as (s & T & Is & Fs & Ls & Free). apply In_m, (taken_of m (j, k) s Nm) in T. rewrite T.
      exists before, after. repeat split; auto. intros e' I' Re M. apply (Free e' I' Re). now apply In_m. }
    assert (Snd_ : forall e i j, is_rcv (run_of l m) e i j -> is_snd (run_of l m) (delta (run_of l m) e) i j).
    { intros e i j Re. destruct (Src e i j Re) as (_ & _ & _ & _ & Fs & Ls & _). split; auto. cbn [run_of lab delta].
      rewrite Fs. simpl. now rewrite Ls. }
    assert (Keyed : forall e, is_receive l e = true -> In e (map fst m)).
    { intros e Re. apply is_receive_iff in Re as [i Le]. assert (O : In e order) by (apply Ev; now apply labs_lt in Le).
      apply in_split in O as (before & after & E). destruct (F before e after E) as (_ & _ & _ & S).
      destruct (S i Le) as (s & T & _). apply in_map_iff. exists (e, s). split; auto. now apply In_m. }
    assert (Co : in_causal_order (step (run_of l m)) order).
    { intros pre y post E x X St. destruct (F pre y post E) as (_ & _ & B & _).
      destruct St as [[Fx L]|(i & j & Re & D)]; [destruct x as [i k]; cbn [fst snd] in *; subst i; auto|].
      destruct (Src y i j Re) as (before & after & E' & T & _). cbn [run_of delta] in D. rewrite D in T.
      rewrite E in E', No. enough (pre = before) by now subst. clear - E' No.
      revert before E'. induction pre as [|a pre IH]; intros [|b before] E'; auto; simpl in *; injection E' as -> E'.
      - inversion No; subst. exfalso. apply H1. apply in_or_app. right. now left.
      - inversion No; subst. exfalso. apply H1. apply in_or_app. right. now left.
      - f_equal. inversion No; subst. apply IH; auto. }
    assert (Pe : Permutation (events_of_processes n l) order).
    { apply NoDup_Permutation; auto using all_events_nodup. intro e. rewrite all_events_spec by auto. apply Ev. }
    split; auto. split; [|split; [split|]]; auto.
    + constructor; auto.
      * intros e i j e' i' j' Re Re' E. cbn [run_of delta] in E.
        assert (Ie : is_receive l e = true) by (apply (is_receive_spec l m); eauto).
        assert (Ie' : is_receive l e' = true) by (apply (is_receive_spec l m); eauto).
        destruct (Src e i j Re) as (b1 & a1 & E1 & _ & _ & _ & F1), (Src e' i' j' Re')
          as (b2 & a2 & E2 & _ & _ & _ & F2).
        destruct (ev_dec e e') as [|D]; auto. exfalso.
        assert (O : In e' (b1 ++ e :: a1)) by (rewrite <- E1, E2; apply in_elt).
        apply in_app_or in O as [O|[O|O]]; [|congruence|].
        -- apply (F1 e' O Ie'). rewrite E. now apply matched_send_in, Keyed.
        -- apply (F2 e); auto; [|rewrite <- E; now apply matched_send_in, Keyed].
           rewrite E1 in E2, No. apply in_split in O as (u & v & ->).
           assert (Q : (b1 ++ e :: u) ++ e' :: v = b2 ++ e' :: a2) by (rewrite <- E2, <- app_assoc; reflexivity).
           assert (Nq : NoDup ((b1 ++ e :: u) ++ e' :: v)) by (rewrite <- app_assoc; exact No).
           enough (b1 ++ e :: u = b2) as <- by apply in_elt. clear - Q Nq.
           revert b2 Q. induction (b1 ++ e :: u) as [|x w IH]; intros [|y b2] Q; auto; simpl in *; injection Q as -> Q.
           ++ inversion Nq; subst. exfalso. apply H1. apply in_elt.
           ++ inversion Nq; subst. exfalso. apply H1. apply in_elt.
           ++ f_equal. inversion Nq; subst. apply IH; auto.
      * apply (ordered_acyclic l m order); auto.
    + apply NoDup_Permutation_bis.
      * apply NoDup_filter, all_events_nodup.
      * rewrite map_length, <- Cn, (events_received _ _ _ _ R). simpl.
        assert (Pf : forall u v : list event, Permutation u v ->
          length (filter (is_receive l) u) = length (filter (is_receive l) v)).
        { induction 1 as [|x u v _ IH|x y u|u v w _ IH1 _ IH2]; simpl; auto; [| |congruence];
            destruct (is_receive l x); try destruct (is_receive l y); simpl; auto. }
        unfold all_receives. now rewrite (Pf _ _ Pe).
      * intros e I. apply filter_In in I as [_ I]. now apply Keyed.
  - intros (W & M & (Pe & O) & Pr).
    assert (No : NoDup order) by apply (Permutation_NoDup Pe), all_events_nodup.
    assert (Io : forall e, inside (len l) e <-> In e order).
    { intro e. rewrite <- (all_events_spec n) by auto.
      split; [apply (Permutation_in _ Pe)|apply (Permutation_in _ (Permutation_sym Pe))]. }
    assert (Nm : NoDup (map fst m)) by apply (Permutation_NoDup Pr), NoDup_filter, all_events_nodup.
    split; auto. destruct (pairs_of m Leaf) as [taken_|]; [|exfalso; apply Pm, (Permutation_NoDup Back Nm)].
    destruct Pm as (_ & P). pose proof (play_order_spec l (rev m) taken_ P order [] _ (at_first_holds l (rev m))) as Po.
    destruct (play_order taken_ _ order) as [st|].
    + destruct Po as [R _]. simpl in R. apply andb_true_iff. split.
      * apply forallb_forall. intros i _. rewrite (events_left _ _ _ _ R i).
        assert (E : forall k, k < find_or 0 i (reached_by st) <-> k < len l i).
        { intro k. rewrite <- (events_reached _ _ _ _ R i k), <- Io. reflexivity. }
        pose proof (E (len l i)). pose proof (E (find_or 0 i (reached_by st))).
        rewrite skipn_all2 by (rewrite len_labs; lia). reflexivity.
      * apply Nat.eqb_eq. rewrite (events_received _ _ _ _ R). simpl. rewrite <- (map_length fst m).
        apply Permutation_length. rewrite <- Pr. apply NoDup_Permutation.
        -- now apply NoDup_filter.
        -- apply NoDup_filter, all_events_nodup.
        -- intro e. unfold all_receives. rewrite !filter_In, all_events_spec, Io by auto. tauto.
    + exfalso. destruct Po as (before & e & after & E & N). apply N. simpl. clear N.
      assert (I : In e order) by (rewrite E; apply in_elt).
      assert (Ie : inside (len l) e) by now apply Io. split; auto. rewrite E in No. apply NoDup_remove_2 in No as Ne.
      split; [intro Q; apply Ne, in_or_app; auto|split].
      * intros k K. apply (O before e after E); [apply Io; unfold inside in *; simpl; lia|left; auto].
      * intros i L. assert (R : is_rcv (run_of l m) e i (fst e)) by (split; auto; simpl; now rewrite L).
        pose proof (delta_snd _ M _ _ _ R) as [Fs Ls].
        change (lab (fifo l) (fst (matched_send m e)) (snd (matched_send m e)) = Snd (fst e)) in Ls.
        cbn [run_of delta] in Fs. apply fifo_lab in Ls as [Ls Is]; [|discriminate].
        assert (Key : In e (map fst m)).
        { apply (Permutation_in _ Pr), filter_In. split; [now apply all_events_spec|]. unfold is_receive.
          now rewrite L. }
        exists (matched_send m e). repeat split; auto.
        -- rewrite <- in_rev. now apply matched_send_in.
        -- apply (O before e after E); [apply Io; exact Is|]. right. exists i, (fst e). auto.
        -- now rewrite <- Fs.
        -- intros e' I' Re' T. apply in_rev, (taken_of m e' _ Nm) in T.
           apply (is_receive_spec l m) in Re' as (a & b & Re').
           apply Ne, in_or_app. left. rewrite (delta_inj _ M e i (fst e) e' a b R Re'); auto.
Qed.

Lemma run_is_matching : forall n l order m, check_run n l order m = true -> matching (run_of l m).
Proof. intros n l order m H. now apply check_run_correct in H. Qed.

(** There is such an order if it is a run. *)
Theorem check_run_accepts : forall n l m, acts_below n l -> Permutation (all_receives n l) (map fst m) ->
  ((exists order, check_run n l order m = true) <-> matching (run_of l m)).
Proof.
  intros n l m W P. split.
  - intros [order H]. now apply (run_is_matching n l order).
  - intro M. assert (I : exists order, interleaving (run_of l m) (events_of_processes n l) order).
    { apply (interleaving_exists _ (len l)); auto using all_events_nodup.
      - intro e. now apply all_events_spec.
      - intros e i j R _. pose proof (delta_snd _ M _ _ _ R) as S. split; auto. destruct S as [_ S].
        change (lab (fifo l) (fst (matched_send m e)) (snd (matched_send m e)) = Snd j) in S.
        apply fifo_lab in S as [_ S]; [exact S|discriminate].
      - intros e _. apply (causal _ M). }
    destruct I as [order I]. exists order. apply check_run_correct. auto.
Qed.
