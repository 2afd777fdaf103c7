(** * Straight-line programs

    Where a straight-line program occurs, the labels of its shares stand in the run; and where they stand, with values
    that its expressions say, it occurs.  The oldest-first run [fifo l] is a run in which it does. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs.
Open Scope nat_scope.

(** ** Lists *)

(** The position of number [k] is the position of an element before which there are [k]. *)
Lemma nthpos_spec {A} (f:A->bool) l k : k < length (filter f l) ->
  exists a, nth_error l (nthpos f l k) = Some a /\ f a = true /\ length (filter f (firstn (nthpos f l k) l)) = k.
Proof. revert k; induction l as [|a l IH]; simpl; intros k H; [lia|].
  destruct (f a) eqn:E.
  - destruct k; simpl; [exists a; auto|]. simpl in H. destruct (IH k ltac:(lia)) as (b & B1 & B2 & B3).
    exists b; repeat split; auto. rewrite E; simpl; lia.
  - destruct (IH k H) as (b & B1 & B2 & B3). exists b; simpl; rewrite E; auto. Qed.

(** And it is the only one. *)
Lemma nthpos_count {A} (f:A->bool) l p a : nth_error l p = Some a -> f a = true ->
  nthpos f l (length (filter f (firstn p l))) = p.
Proof. revert p; induction l as [|b l IH]; intros [|p] H F; simpl in *; try discriminate.
  - injection H as ->. now rewrite F.
  - destruct (f b) eqn:E; simpl; f_equal; auto. Qed.

(** Before an element that counts there are fewer than in all. *)
Lemma count_lt {A} (f:A->bool) l p a : nth_error l p = Some a -> f a = true ->
  length (filter f (firstn p l)) < length (filter f l).
Proof. intros H F. rewrite (firstn_split_nth _ _ _ H) at 2.
  rewrite filter_app, app_length; simpl; rewrite F; simpl; lia. Qed.

(** An element of [u ++ v] is in [u] exactly if fewer than all of [u] that count stand before it. *)
Lemma part {A} (f:A->bool) u v p a : nth_error (u++v) p = Some a -> f a = true ->
  (p < length u <-> length (filter f (firstn p (u++v))) < length (filter f u)).
Proof. intros H F. split; intro L.
  - rewrite nth_error_app1 in H by auto. rewrite firstn_app. replace (p - length u) with 0 by lia. simpl.
    rewrite app_nil_r. eapply count_lt; eauto.
  - destruct (lt_dec p (length u)) as [|G]; auto. exfalso.
    rewrite firstn_app, firstn_all2, filter_app, app_length in L by lia. lia. Qed.

(** Elements and beginnings of [map f (seq s n)]. *)
Lemma nth_map_seq {A} (f:nat->A) n : forall s x a, nth_error (map f (seq s n)) x = Some a -> f (s+x) = a /\ x < n.
Proof. induction n; intros s [|x] a H; simpl in H; try discriminate.
  - injection H as <-. split; [f_equal; lia|lia].
  - apply IHn in H as [H1 H2]. split; [rewrite <- H1; f_equal; lia|lia]. Qed.
Lemma nth_map_seq' {A} (f:nat->A) n : forall s x, x < n -> nth_error (map f (seq s n)) x = Some (f (s+x)).
Proof. induction n; intros s [|x] H; simpl; try lia; [f_equal; f_equal; lia|]. rewrite IHn by lia.
  f_equal; f_equal; lia. Qed.
Lemma firstn_map_seq {A} (f:nat->A) n : forall s x, x <= n -> firstn x (map f (seq s n)) = map f (seq s x).
Proof. induction n; intros s [|x] H; simpl; auto; try lia. f_equal. apply IHn; lia. Qed.

(** It is the same to count labels and to count events with these labels. *)
Lemma count_map {A B} (g:B->bool) (f:A->B) s : length (filter (fun k => g (f k)) s) = length (filter g (map f s)).
Proof. induction s; simpl; auto. destruct (g (f a)); simpl; auto. Qed.

(** Two concatenations are equal part by part if their first parts are equally long. *)
Lemma app_same_length {A} (u u' v v' : list A) : length u = length v -> u ++ u' = v ++ v' -> u = v /\ u' = v'.
Proof.
  revert v. induction u as [|a u IH]; intros [|b v] L H; simpl in *; try discriminate; auto.
  injection H as -> H. destruct (IH v) as [-> ->]; auto.
Qed.

(** ** Shares *)

Lemma labs_app i a b : labs i (a++b) = labs i a ++ labs i b.
Proof. unfold labs, proj. now rewrite filter_app, map_app. Qed.
Lemma len_labs i l : length (labs i l) = len l i.
Proof. unfold labs, len. now rewrite map_length. Qed.
Lemma len_app a b i : len (a++b) i = len a i + len b i.
Proof. unfold len, proj. now rewrite filter_app, app_length. Qed.
Lemma lay_straight a b l1 l2 : acts a = Some l1 -> acts b = Some l2 -> acts (Lay a b) = Some (l1 ++ l2).
Proof. intros H1 H2. simpl. now rewrite H1, H2. Qed.

(** Every list of actions is that of a program, whose values do not matter. *)
Definition send_or_receive (a : act) : prog :=
  match a with
  | ASend i j => Send i j (fun _ => 0%Z)
  | ARecv j i => Recv j i
  | AInt i => Assign i (fun _ => 0%Z)
  end.
Definition straight_line_of (l : list act) : prog := fold_right (fun a rest => Lay (send_or_receive a) rest) Eps l.

Lemma acts_straight_line_of l : acts (straight_line_of l) = Some l.
Proof. induction l as [|[i j|j i|i] l IH]; simpl; rewrite ?IH; reflexivity. Qed.

(** Two layers have no self-channels exactly if each has none, and name n processes exactly if each does. *)
Lemma nofself_app p q : nofself (p ++ q) <-> nofself p /\ nofself q.
Proof.
  split; [intro N; split; intros i H; apply (N i); rewrite labs_app; apply in_or_app; auto|].
  intros [Np Nq] i H. rewrite labs_app in H. apply in_app_or in H as [H|H]; [now apply (Np i)|now apply (Nq i)].
Qed.
Lemma within_app n p q : within n (p ++ q) <-> within n p /\ within n q.
Proof.
  split; [intro W; split; intros a H; apply W, in_or_app; auto|].
  intros [Wp Wq] a H. apply in_app_or in H as [H|H]; [now apply Wp|now apply Wq].
Qed.

(** Balance is kept by layering. *)
Lemma balanced_app p q : balanced p -> balanced q -> balanced (p++q).
Proof. intros A B i j. rewrite !labs_app, !filter_app, !app_length, A, B. auto. Qed.

(** An event of the share is before its end. *)
Lemma labs_lt i l x a : nth_error (labs i l) x = Some a -> x < len l i.
Proof. intro H. rewrite <- len_labs. apply nth_error_Some. congruence. Qed.

(** ** Labels that stand in a run *)

(** From [c] on, the labels of [l] stand in the run; and [d] is where they end. *)
Definition standing (r : run) (c : cut) (l : list act) := forall i, labs i l = map (lab r i) (seq (c i) (len l i)).
Definition follows (r : run) (c : cut) (l : list act) (d : cut) :=
  forall i, d i = c i + len l i /\ labs i l = map (lab r i) (seq (c i) (len l i)).

Lemma stand_lab r c l i x a : standing r c l -> nth_error (labs i l) x = Some a -> lab r i (c i + x) = a /\ x < len l i.
Proof. intros S H. rewrite S in H. now apply nth_map_seq in H. Qed.
Lemma stand_lab' r c l i x : standing r c l -> x < len l i -> nth_error (labs i l) x = Some (lab r i (c i + x)).
Proof. intros S H. rewrite S. now apply nth_map_seq'. Qed.

(** Layers stand one after the other. *)
Lemma standing_app r c p q : standing r c (p ++ q) ->
  standing r c p /\ standing r (fun i => c i + len p i) q.
Proof.
  intro St.
  assert (H : forall i, labs i p = map (lab r i) (seq (c i) (len p i)) /\
                        labs i q = map (lab r i) (seq (c i + len p i) (len q i))).
  { intro i. specialize (St i). rewrite labs_app, len_app, seq_app, map_app in St.
    apply app_same_length in St; auto. now rewrite len_labs, map_length, seq_length. }
  split; intro i; apply H.
Qed.
Lemma follows_app r c m d p q : follows r c p m -> follows r m q d -> follows r c (p ++ q) d.
Proof.
  intros F1 F2 i. destruct (F1 i) as [D1 M1], (F2 i) as [D2 M2].
  rewrite labs_app, len_app, seq_app, map_app, M1, M2, D2, D1. split; [lia|reflexivity].
Qed.

(** Where one event stands. *)
Lemma follows_one r c d i a : actor a = i -> ceq d (bump c i) -> lab r i (c i) = alab a -> follows r c [a] d.
Proof.
  intros A E L k. unfold labs, len, proj; simpl. rewrite A, (E k). unfold bump. rewrite (Nat.eqb_sym k i).
  destruct (i =? k) eqn:Q; simpl; [|split; [lia|reflexivity]].
  apply Nat.eqb_eq in Q; subst k. split; [lia|congruence].
Qed.

(** Where a straight-line program occurs, its labels stand. *)
Lemma occurs_follows r p l : acts p = Some l -> forall c d, occurs r c p d -> follows r c l d.
Proof.
  revert l. induction p; simpl; intros l A c d O; try discriminate; inversion O; subst; clear O;
    try (injection A as <-).
  - intro k. match goal with H : ceq _ _ |- _ => rewrite <- (H k) end. unfold len; simpl. split; [lia|reflexivity].
  - eapply follows_one; simpl; eauto.
  - eapply follows_one; simpl; eauto.
  - eapply follows_one; simpl; eauto.
  - destruct (acts p1) as [l1|]; try discriminate. destruct (acts p2) as [l2|]; try discriminate.
    injection A as <-. eapply follows_app; eauto.
Qed.

(** The expressions of a process, event by event.  (A receive has none.) *)
Fixpoint exprs (i : proc) (p : prog) : list expr :=
  match p with
  | Assign k e | Send k _ e => if k =? i then [e] else []
  | Recv j _ => if j =? i then [fun _ => 0%Z] else []
  | Lay p q => exprs i p ++ exprs i q
  | _ => []
  end.
Lemma exprs_len i p l : acts p = Some l -> length (exprs i p) = len l i.
Proof.
  revert l. induction p; simpl; intros l A; try discriminate; try (injection A as <-); unfold len, proj; simpl; auto.
  - destruct (_ =? i); reflexivity.
  - destruct (_ =? i); reflexivity.
  - destruct (_ =? i); reflexivity.
  - destruct (acts p1) as [l1|]; try discriminate. destruct (acts p2) as [l2|]; try discriminate.
    injection A as <-. rewrite app_length, (IHp1 l1), (IHp2 l2); auto. symmetry; apply len_app.
Qed.

(** The values of sends and assignments are those of the expressions. *)
Definition valued (r : run) (c : cut) (p : prog) := forall i k e,
  nth_error (exprs i p) k = Some e -> (forall j, lab r i (c i + k) <> Rcv j) ->
  val r (i, c i + k) = e (past r i (c i + k)).
Lemma valued_app r c p q l : acts p = Some l -> valued r c (Lay p q) ->
  valued r c p /\ valued r (fun i => c i + len l i) q.
Proof.
  intros A V. split; intros i k e H N.
  - apply (V i k e); auto. simpl. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  - replace (c i + len l i + k) with (c i + (len l i + k)) in * by lia. apply (V i (len l i + k) e); auto.
    simpl. rewrite nth_error_app2; rewrite (exprs_len i p l A); [|lia].
    now replace (len l i + k - len l i) with k by lia.
Qed.

(** Where its labels stand, with its values, a straight-line program occurs. *)
Lemma follows_occurs r p l : acts p = Some l -> forall c, standing r c l -> valued r c p ->
  forall d, (forall i, d i = c i + len l i) -> occurs r c p d.
Proof.
  assert (One : forall c d a, (forall i, d i = c i + len [a] i) -> ceq d (bump c (actor a))).
  { intros c d a E k. rewrite E. unfold bump, len; simpl. rewrite (Nat.eqb_sym k).
    destruct (actor a =? k) eqn:Q; simpl; [apply Nat.eqb_eq in Q; subst|]; lia. }
  assert (Lab : forall c a, standing r c [a] -> lab r (actor a) (c (actor a)) = alab a).
  { intros c a H. specialize (H (actor a)). unfold labs, len in H; simpl in H. rewrite Nat.eqb_refl in H.
    simpl in H. congruence. }
  revert l. induction p; simpl; intros l A c H V d E; try discriminate; try (injection A as <-).
  - constructor. intro k. rewrite E. unfold len; simpl; lia.
  - pose proof (Lab _ _ H) as L. simpl in L. constructor; [apply (One _ _ _ E)|exact L|].
    specialize (V i 0 e). simpl in V. rewrite Nat.eqb_refl, Nat.add_0_r in V. apply V; [reflexivity|congruence].
  - pose proof (Lab _ _ H) as L. simpl in L. constructor; [apply (One _ _ _ E)|exact L|].
    specialize (V i 0 e). simpl in V. rewrite Nat.eqb_refl, Nat.add_0_r in V. apply V; [reflexivity|congruence].
  - constructor; [apply (One _ _ _ E)|apply (Lab _ _ H)].
  - destruct (acts p1) as [l1|] eqn:A1; try discriminate. destruct (acts p2) as [l2|]; try discriminate.
    injection A as <-. apply standing_app in H as [H1 H2]. apply (valued_app r c p1 p2 l1 A1) in V as [V1 V2].
    apply O_lay with (fun i => c i + len l1 i).
    + apply IHp1 with l1; auto.
    + apply IHp2 with l2; auto. intro k. rewrite E, len_app. lia.
Qed.

(** ** The oldest-first run *)

Lemma fifo_lab l i k a : lab (fifo l) i k = a -> a <> Int -> nth_error (labs i l) k = Some a /\ k < len l i.
Proof. simpl. destruct (nth_error (labs i l) k) eqn:E; intros H N; [|congruence]. subst; split; auto.
  rewrite <- len_labs. apply nth_error_Some; congruence. Qed.

Lemma fifo_match l i j y : balanced l -> nth_error (labs j l) y = Some (Rcv i) ->
  exists x, delta (fifo l) (j,y) = (i,x) /\ nth_error (labs i l) x = Some (Snd j) /\
    length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))).
Proof.
  intros B H. simpl. rewrite H.
  assert (L : length (filter (rcvb i) (firstn y (labs j l))) < length (filter (sndb j) (labs i l))).
  { rewrite B. eapply count_lt; eauto. apply rcvb_spec; auto. }
  destruct (nthpos_spec _ _ _ L) as (a & A1 & A2 & A3). apply sndb_spec in A2; subst a.
  eexists; split; [reflexivity|split; auto]. Qed.

(** It is a run, if the program is balanced and deadlock-free ... *)
Lemma fifo_matching l : balanced l -> dead_free l -> matching (fifo l).
Proof.
  intros B D. constructor; auto.
  - intros [j' y] i j [F L]. simpl in F; subst j'. apply fifo_lab in L as [L _]; [|discriminate].
    destruct (fifo_match l i j y B L) as (x & E & H & _). rewrite E. split; simpl; auto. now rewrite H.
  - intros [j1 y1] i j [j2 y2] i' j' [F L] [F' L'] E. simpl in F, F'; subst j1 j2.
    apply fifo_lab in L as [L _]; [|discriminate]. apply fifo_lab in L' as [L' _]; [|discriminate].
    simpl snd in *; simpl fst in *.
    destruct (fifo_match _ _ _ _ B L) as (x & E1 & H1 & C1), (fifo_match _ _ _ _ B L') as (x' & E2 & H2 & C2).
    rewrite E1, E2 in E. injection E as -> ->. rewrite H1 in H2. injection H2 as ->.
    f_equal. rewrite C1 in C2.
    rewrite <- (nthpos_count (rcvb i') _ _ _ L) by (apply rcvb_spec; auto).
    rewrite <- (nthpos_count (rcvb i') _ _ _ L') by (apply rcvb_spec; auto). now rewrite C2.
Qed.
Lemma fifo_wf l : balanced l -> dead_free l -> wf (fifo l).
Proof. intros B D. constructor; [now apply fifo_matching|]. intros e i j _. reflexivity. Qed.

(** ... a reliable one ... *)
Lemma fifo_Rel l : balanced l -> dead_free l -> Rel (fifo l).
Proof. split; [apply fifo_wf; auto|]. intros s i j _ _. exists (len l i). intros k K [_ Hk].
  simpl snd in Hk; simpl fst in Hk.
  apply fifo_lab in Hk as [_ Hk]; [lia|discriminate]. Qed.

(** ... without messages to oneself, if the program has none ... *)
Lemma fifo_noself l : nofself l -> noself (fifo l).
Proof. intros N [i k] j [F H]. simpl in F; subst. apply fifo_lab in H as [H _]; [|discriminate]. apply (N j).
  eapply nth_error_In; eauto. Qed.

(** ... silent at the beginning ... *)
Lemma fifo_silent0 l : silent (fifo l) (fun _ => 0).
Proof. intros e i j _. unfold inside; split; lia. Qed.

(** ... and the program's labels stand in it. *)
Lemma map_lab_fifo l i : labs i l = map (lab (fifo l) i) (seq 0 (len l i)).
Proof. rewrite <- len_labs. simpl. induction (labs i l) as [|a u IH]; simpl; auto. f_equal.
  rewrite IH at 1. rewrite <- seq_shift, map_map. apply map_ext. reflexivity. Qed.

(** ** Causality of the program graph is causality in every run

    This is [graph_cause], in the form in which the other files use it.  Where the program waits in vain, the wait counts
    as coming after all that the sender does; so it does in every run. *)
Lemma nthpos_le {A} (f : A -> bool) l : forall k,
  nthpos f l k <= length l /\ length (filter f (firstn (nthpos f l k) l)) <= k.
Proof.
  induction l as [|a l IH]; intro k; simpl; [lia|]. destruct (f a) eqn:E; [destruct k|]; simpl; try rewrite E; simpl;
    try lia; destruct (IH k); lia.
Qed.
Lemma shift r c l : matching r -> silent r c -> standing r c l ->
  forall u w, causes (fifo l) u w -> causes r (fst u, c (fst u) + snd u) (fst w, c (fst w) + snd w).
Proof.
  intros W Sc St. induction 1 as [u w S|]; [|eapply t_trans; eauto].
  destruct S as [[F L]|(i & j & [F L] & D)].
  - apply t_step; left; simpl; split; auto. rewrite F; lia.
  - destruct w as [j' y]; simpl in F; subst j'. apply fifo_lab in L as [L _]; [|discriminate].
    cbn [fst snd] in *. simpl in D. rewrite L in D. subst u. cbn [fst snd].
    set (k := length (filter (rcvb i) (firstn y (labs j l)))) in *.
    destruct (nthpos_le (sndb j) (labs i l) k) as [X1 X2]. set (x := nthpos (sndb j) (labs i l) k) in *.
    destruct (stand_lab _ _ _ _ _ _ St L) as [L1 L2]. rewrite len_labs in X1.
    apply pigeon with c; auto; try lia. unfold nsnd, nrcv.
    replace (c i + x - c i) with x by lia. replace (c j + y - c j) with y by lia.
    rewrite (count_map (sndb j) (lab r i)), (count_map (rcvb i) (lab r j)).
    rewrite <- (firstn_map_seq (lab r i) (len l i) (c i) x), <- (firstn_map_seq (lab r j) (len l j) (c j) y) by lia.
    rewrite <- (St i), <- (St j). exact X2.
Qed.

(** ** Balance

    If every receive between two cuts takes a message from between them, and there are no more sends on the channel than
    receives, then every message that is sent there is received there. *)
Lemma all_taken_on r c d i j : matching r -> nsnd r i j (c i) (d i) <= nrcv r j i (c j) (d j) ->
  (forall e, is_rcv r e i j -> between c d e -> between c d (delta r e)) ->
  forall s, is_snd r s i j -> between c d s -> exists e, is_rcv r e i j /\ between c d e /\ delta r e = s.
Proof.
  intros W Le A [i' Z] [Fs Ls] [Bs1 Bs2]. simpl in Fs; subst i'. unfold inside in Bs1, Bs2; simpl in *.
  unfold nsnd, nrcv in Le. set (R' := filter (fun k => rcvb i (lab r j k)) (seq (c j) (d j - c j))) in *.
  set (S' := filter (fun k => sndb j (lab r i k)) (seq (c i) (d i - c i))) in *.
  assert (HR : forall k, In k R' -> is_rcv r (j, k) i j /\ c j <= k < d j).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply rcvb_spec in H2. split; [split; auto|lia]. }
  assert (ND : NoDup (map (fun k => snd (delta r (j, k))) R')).
  { apply NoDup_map_on; [|apply NoDup_filter, seq_NoDup]. intros a b Ha Hb Eab.
    destruct (HR a Ha) as [Ra _], (HR b Hb) as [Rb _].
    destruct (delta_snd r W _ _ _ Ra) as [Fa _], (delta_snd r W _ _ _ Rb) as [Fb _].
    assert ((j, a) = (j, b)); [|congruence]. eapply (delta_inj r W); eauto.
    destruct (delta r (j, a)), (delta r (j, b)); simpl in *; congruence. }
  assert (Inc : incl (map (fun k => snd (delta r (j, k))) R') S').
  { intros w Hw. apply in_map_iff in Hw as (k & <- & Hk). destruct (HR k Hk) as [Rk Bk].
    destruct (delta_snd r W _ _ _ Rk) as [Fk Lk].
    destruct (A _ Rk) as [I2 I1]; [split; unfold inside; simpl; lia|].
    unfold inside in I1, I2. rewrite Fk in I1, I2, Lk.
    apply filter_In; split; [apply in_seq; lia|apply sndb_spec; auto]. }
  assert (Back : incl S' (map (fun k => snd (delta r (j, k))) R')).
  { apply NoDup_length_incl; auto. rewrite map_length; lia. }
  assert (HZ : In Z S') by (apply filter_In; split; [apply in_seq; lia|apply sndb_spec; auto]).
  apply Back, in_map_iff in HZ as (k & Ek & Hk). destruct (HR k Hk) as [Rk Bk].
  exists (j, k). split; [auto|split; [split; unfold inside; simpl; lia|]].
  destruct (delta_snd r W _ _ _ Rk) as [Fk _]. destruct (delta r (j, k)); simpl in *; congruence.
Qed.

(** After a silent cut no receive takes a message from before it. *)
Lemma all_taken r c p i j : matching r -> silent r c -> standing r c p -> balanced p ->
  (forall e, is_rcv r e i j -> inside (fun i => c i + len p i) e -> inside (fun i => c i + len p i) (delta r e)) ->
  forall s, is_snd r s i j -> between c (fun i => c i + len p i) s ->
  exists e, is_rcv r e i j /\ inside (fun i => c i + len p i) e /\ delta r e = s.
Proof.
  intros W Sc Stp Bp A s S B.
  destruct (all_taken_on r c (fun k => c k + len p k) i j W) with (s := s) as (e & R & [_ I] & D); auto.
  - unfold nsnd, nrcv. rewrite !Nat.add_sub_swap, !Nat.sub_diag by lia. simpl.
    rewrite (count_map (sndb j) (lab r i)), (count_map (rcvb i) (lab r j)), <- !Stp. now rewrite Bp.
  - intros e R [N I]. split; auto. intro X. now apply N, (Sc _ _ _ R).
  - exists e. auto.
Qed.

(** So if every receive of the program takes a message of the program, then the cut after it is silent. *)
Lemma inside_suffices r c p : matching r -> silent r c -> standing r c p -> balanced p ->
  (forall e i j, is_rcv r e i j -> inside (fun i => c i + len p i) e -> inside (fun i => c i + len p i) (delta r e)) ->
  silent r (fun i => c i + len p i).
Proof.
  intros W Sc Stp Bp A e i j R. split; [eapply A; eauto|]. intro I.
  destruct (lt_dec (snd (delta r e)) (c (fst (delta r e)))) as [J|J].
  { apply (Sc _ _ _ R) in J. unfold inside in *. lia. }
  destruct (all_taken r c p i j W Sc Stp Bp (fun e => A e i j) (delta r e)) as (e' & R' & I' & D).
  - apply (delta_snd r W _ _ _ R).
  - split; auto.
  - now rewrite <- (delta_inj r W _ _ _ _ _ _ R' R D).
Qed.
