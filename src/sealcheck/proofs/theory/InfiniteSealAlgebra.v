(** * Safe composition over all intervals, infinite ones included

    "A cut is a pair (r, c) consisting of a run r and a family c = (c_i) of elements of N + infinity."  So the paper's
    notions speak of intervals that may be infinite.  [SealAlgebra], [Language], [LayersAreCcl] and [NoBarrier] prove
    laws over finite intervals.  This file proves them over all intervals, for each [limit].  Item 5 of
    l:seal.algebra fails there (see [InfiniteRefutations]); what is left of it is here.

    "1. If both P and P' are sealed by S in G then so is P + P'. ... 3. If S seals P in G then S . Q seals P in G.
    4. If both S seals P and S' seals S in G, then S' seals P . S in G.  5. If P seals itself in G then P seals P*
    in G.  6. TCC subsumes sealing: P is TCC in G iff all programs seal P in G."  Item 2 is in [Diverging].

    Theorems of the ledger: [refinement_preorder_infinite], [constructs_monotone_infinite], [tcc_basic_infinite],
    [tcc_closed_infinite], [barrier_is_tcc_infinite], [seal_algebra_1_infinite], [seal_algebra_3_infinite],
    [seal_algebra_4_infinite], [seal_algebra_5_infinite], [seal_algebra_6_infinite], [layers_are_ccl_infinite],
    [straight_line_same_processes], [straight_line_repetition], [over_finite_intervals], [tcc_impossibility_infinite]. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility SealAlgebra LayersAreCcl.
From Sealcheck Require Import InfiniteCuts Diverging.
Open Scope nat_scope.

(** ** Occurrence, as in Occurrence.v *)

Lemma iceq_refl c : iceq c c. Proof. intro; reflexivity. Qed.
Lemma iceq_sym c d : iceq c d -> iceq d c. Proof. intros H i; symmetry; apply H. Qed.
Lemma iceq_trans c d e : iceq c d -> iceq d e -> iceq c e. Proof. intros H K i; rewrite H; apply K. Qed.

(** Equal cuts are silent both or not at all, and satisfy the same formulas. *)
Lemma isilent_iceq r c d : iceq c d -> isilent r c -> isilent r d.
Proof. intros E S e i j R. unfold iinside. rewrite <- !(E _). apply (S e i j R). Qed.
Lemma iholds_iceq u r c d g : iceq c d -> (iholds u r c g <-> iholds u r d g).
Proof. intro E. induction g; simpl; unfold value_at; rewrite ?E; tauto. Qed.
Lemma makes_step_iceq u c d c' d' i does : makes_step u c d i does -> iceq c c' -> iceq d d' ->
  makes_step u c' d' i does.
Proof.
  unfold makes_step. intros M Ec Ed. rewrite <- (Ec i). destruct (c i); destruct M as [A B]; split; auto; intro p;
    rewrite <- (Ed p), (B p), ?(Ec p); auto.
Qed.

(** Programs do not tell equal cuts apart. *)
Lemma ioccurs_iceq u r c p d : ioccurs u r c p d -> forall c' d', iceq c c' -> iceq d d' -> ioccurs u r c' p d'.
Proof.
  induction 1; intros c' d' Ec Ed;
    try (constructor; eapply makes_step_iceq; eauto; fail);
    try (match goal with E : iceq c d |- _ =>
      assert (E' : iceq c' d') by (intro i; rewrite <- (Ec i), <- (Ed i); apply E) end).
  - now apply I_eps.
  - apply I_grd; auto. now apply (iholds_iceq u r c c').
  - apply I_chop; auto. now apply (isilent_iceq r c c').
  - eapply I_lay; eauto using iceq_refl.
  - apply I_ch1; auto.
  - apply I_ch2; auto.
  - now apply I_st0.
  - eapply I_st1; eauto using iceq_refl.
  - apply I_inf with s; [eapply iceq_trans; [apply iceq_sym, Ec|auto]|auto|]. intro i. rewrite <- (Ed i). apply H2.
Qed.

(** Layering, and the silent cut. *)
Section Notions.
Variables (u : limit) (G : run -> Prop).

Lemma ilay_iff r c p q d : ioccurs u r c (Lay p q) d <-> exists m, ioccurs u r c p m /\ ioccurs u r m q d.
Proof. split; [intro O; inversion O; subst; eauto|]. intros (m & A & B). eapply I_lay; eauto. Qed.
Lemma ichop_iff r c d : ioccurs u r c Chop d <-> iceq c d /\ isilent r c.
Proof. split; [intro O; inversion O; subst; auto|]. intros [E S]. now apply I_chop. Qed.
Lemma ichop_first r c p d : ioccurs u r c (Lay Chop p) d <-> isilent r c /\ ioccurs u r c p d.
Proof.
  rewrite ilay_iff. split.
  - intros (m & A & B). apply ichop_iff in A as [E S]. split; auto.
    eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym.
  - intros [S O]. exists c. split; auto. apply ichop_iff. auto using iceq_refl.
Qed.
Lemma ichop_last r c p d : ioccurs u r c (Lay p Chop) d <-> ioccurs u r c p d /\ isilent r d.
Proof.
  rewrite ilay_iff. split.
  - intros (m & A & B). apply ichop_iff in B as [E S]. split; [|now apply (isilent_iceq r m d)].
    eapply ioccurs_iceq; eauto using iceq_refl.
  - intros [O S]. exists d. split; auto. apply ichop_iff. auto using iceq_refl.
Qed.
Lemma ichop_middle r c p q d : ioccurs u r c (Lay p (Lay Chop q)) d <->
  exists m, ioccurs u r c p m /\ isilent r m /\ ioccurs u r m q d.
Proof. rewrite ilay_iff. split; intros (m & O1 & O2); exists m; (split; [exact O1|]); now apply ichop_first. Qed.

(** What the notions of safe composition say of the runs. *)
Lemma iseals_iff s p : iSeals u G s p <-> forall r c d, G r -> isilent r c -> ioccurs u r c (Lay p s) d ->
  exists m, ioccurs u r c p m /\ isilent r m /\ ioccurs u r m s d.
Proof.
  split.
  - intros H r c d g S O. apply ichop_middle. apply H; auto. now apply ichop_first.
  - intros H r c d g O. apply ichop_first in O as [S O]. apply ichop_middle. now apply H.
Qed.
Lemma itcc_iff p : iTCC u G p <-> forall r c d, G r -> isilent r c -> ioccurs u r c p d -> isilent r d.
Proof.
  split.
  - intros H r c d g S O. apply (ichop_last r c p d). apply H; auto. now apply ichop_first.
  - intros H r c d g O. apply ichop_first in O as [S O]. apply ichop_last. split; eauto.
Qed.

(** The least upper bound of silent cuts is silent. *)
Lemma lub_inside s d e : lub s d -> (iinside d e <-> exists k, iinside (s k) e).
Proof.
  intro L. destruct (L (fst e)) as [Up Least]. split.
  - intro I. apply NNPP. intro N. assert (X : upto (d (fst e)) (Some (snd e))).
    { apply Least. intro k. assert (Nk : ~ iinside (s k) e) by eauto. unfold iinside in Nk.
      destruct (s k (fst e)); simpl; [lia|tauto]. }
    unfold iinside in I. destruct (d (fst e)); simpl in X; [lia|tauto].
  - intros [k I]. specialize (Up k). unfold iinside in *.
    destruct (s k (fst e)), (d (fst e)); simpl in *; tauto || lia.
Qed.
Lemma lub_silent r s d : lub s d -> (forall k, isilent r (s k)) -> isilent r d.
Proof.
  intros L S e i j R. rewrite !(lub_inside s d) by auto. split; intros [k I]; exists k; now apply (S k e i j R).
Qed.
End Notions.

(** ** Refinement *)

(** _"P refines Q" is reflexive and transitive_, in every set of runs. *)
Theorem refinement_preorder_infinite : forall u G, (forall P, irefines u G P P) /\
  (forall P Q R, irefines u G P Q -> irefines u G Q R -> irefines u G P R).
Proof. intros u G. split; [intros P r c d _ O; exact O|intros P Q R H K r c d g O; apply K; auto]. Qed.

(** _Layering, choice and repetition are monotone_. *)
Theorem constructs_monotone_infinite : forall u G P Q, irefines u G P Q ->
  (forall R, irefines u G (Lay P R) (Lay Q R)) /\ (forall R, irefines u G (Lay R P) (Lay R Q)) /\
  (forall R, irefines u G (Choice P R) (Choice Q R)) /\ irefines u G (Star P) (Star Q).
Proof.
  intros u G P Q H. split; [|split; [|split]].
  - intros R r c d g O. apply ilay_iff in O as (m & O1 & O2). apply ilay_iff. eauto.
  - intros R r c d g O. apply ilay_iff in O as (m & O1 & O2). apply ilay_iff. eauto.
  - intros R r c d g O. inversion O; subst; [apply I_ch1|apply I_ch2]; auto.
  - intros r c d g O. remember (Star P) as q eqn:E. revert E.
    induction O; intro E; try discriminate; injection E as ->.
    + now apply I_st0.
    + eapply I_st1; eauto.
    + eapply I_inf; eauto.
Qed.

(** ** TCC *)

(** _"eps, guards and assignments are TCC", and P followed by a silent cut is, for every P_: "in any Gamma" whose receives
    take sends. *)
Theorem tcc_basic_infinite : forall u (G : run -> Prop), (forall r, G r -> matching r) ->
  iTCC u G Eps /\ (forall g, iTCC u G (Guard g)) /\ (forall i e, iTCC u G (Assign i e)) /\
  (forall P, iTCC u G (Lay P Chop)).
Proof.
  intros u G HG. split; [|split; [|split]]; intros; apply itcc_iff; intros r c d g' S O; apply HG in g' as M.
  - inversion O; subst. eapply isilent_iceq; eauto.
  - inversion O; subst. eapply isilent_iceq; eauto.
  - inversion O as [|? ? ? ? St| | | | | | | | | |]; subst. unfold makes_step in St.
    destruct (c i) as [k|] eqn:C; destruct St as [A D]; [|eapply isilent_iceq; eauto using iceq_sym].
    assert (X : forall a, lab r (fst a) (snd a) <> Int -> (iinside d a <-> iinside c a)).
    { intros [p x] N. cbn [fst snd] in N. unfold iinside; cbn [fst snd]. rewrite (D p).
      destruct (p =? i) eqn:Q; [|tauto]. apply Nat.eqb_eq in Q. subst p. rewrite C.
      assert (x <> k) by (intros ->; tauto). lia. }
    intros a p q R. destruct (delta_snd r M _ _ _ R) as [_ Ls]. pose proof R as [_ Lr].
    rewrite !X; [exact (S _ _ _ R)|congruence|congruence].
  - now apply ichop_last in O.
Qed.

(** _TCC is closed under choice, layering and repetition_. *)
Theorem tcc_closed_infinite : forall u G P Q, iTCC u G P -> iTCC u G Q ->
  iTCC u G (Choice P Q) /\ iTCC u G (Lay P Q) /\ iTCC u G (Star P).
Proof.
  intros u G P Q HP HQ. rewrite !itcc_iff in *. split; [|split]; intros r c d g S O.
  - inversion O; subst; eauto.
  - apply ilay_iff in O as (m & O1 & O2). eauto.
  - remember (Star P) as q eqn:E. revert E S.
    induction O as [| | | | | | | | |c d p Ec|c m d p O1 _ O2 IH2|c d p s Ec O IH L]; intros E S; try discriminate;
      injection E as ->.
    + eapply isilent_iceq; eauto.
    + eauto.
    + apply (lub_silent r s d L). induction k as [|k IHk]; [eapply isilent_iceq; eauto|eauto].
Qed.

(** "Program B is a barrier in G if cut P . B . Q  refines  P cut B cut Q, for all P, Q." *)
Definition iBarrier (u : limit) (G : run -> Prop) (b : prog) := forall p q,
  irefines u G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).

(** "Observe that every barrier B in G is in particular TCC in G." *)
Theorem barrier_is_tcc_infinite : forall u G B, iBarrier u G B -> iTCC u G B.
Proof.
  intros u G B H. apply itcc_iff. intros r c d g S O.
  assert (X : ioccurs u r c (Lay Chop (Lay Eps (Lay B Eps))) d).
  { apply ichop_first. split; auto. apply ilay_iff. exists c. split; [apply I_eps, iceq_refl|].
    apply ilay_iff. exists d. split; [auto|apply I_eps, iceq_refl]. }
  apply (H Eps Eps r c d g) in X. apply ichop_middle in X as (m & _ & _ & X).
  apply ichop_middle in X as (m' & _ & S' & E). inversion E; subst. eapply isilent_iceq; eauto.
Qed.

(** ** Seals *)

(** "1. If both P and P' are sealed by S in G then so is P + P'." *)
Theorem seal_algebra_1_infinite : forall u G S P P', iSeals u G S P -> iSeals u G S P' -> iSeals u G S (Choice P P').
Proof.
  intros u G S P P' H H'. rewrite iseals_iff in *. intros r c d g Sc O.
  apply ilay_iff in O as (m & O1 & O2). inversion O1; subst.
  - destruct (H r c d g Sc) as (m' & A & B); [apply ilay_iff; eauto|]. exists m'. split; [now apply I_ch1|auto].
  - destruct (H' r c d g Sc) as (m' & A & B); [apply ilay_iff; eauto|]. exists m'. split; [now apply I_ch2|auto].
Qed.

(** "3. If S seals P in G then S . Q seals P in G." *)
Theorem seal_algebra_3_infinite : forall u G S P Q, iSeals u G S P -> iSeals u G (Lay S Q) P.
Proof.
  intros u G S P Q H. rewrite iseals_iff in *. intros r c d g Sc O.
  apply ilay_iff in O as (m & O1 & O2). apply ilay_iff in O2 as (n & O2 & O3).
  destruct (H r c n g Sc) as (m' & A & B & C); [apply ilay_iff; eauto|].
  exists m'. split; [auto|split; [auto|]]. apply ilay_iff; eauto.
Qed.

(** "4. If both S seals P and S' seals S in G, then S' seals P . S in G." *)
Theorem seal_algebra_4_infinite : forall u G S S' P, iSeals u G S P -> iSeals u G S' S -> iSeals u G S' (Lay P S).
Proof.
  intros u G S S' P H H'. rewrite iseals_iff in *. intros r c d g Sc O.
  apply ilay_iff in O as (n & O12 & O3).
  destruct (H r c n g Sc O12) as (m & A & B & C).
  destruct (H' r m d g B) as (n' & A' & B' & C'); [apply ilay_iff; eauto|].
  exists n'. split; [|auto]. apply ilay_iff; eauto.
Qed.

(** "6. TCC subsumes sealing: P is TCC in G iff all programs seal P in G."  It is enough that eps does. *)
Theorem seal_algebra_6_infinite : forall u G P,
  (iTCC u G P <-> forall S, iSeals u G S P) /\ (iTCC u G P <-> iSeals u G Eps P).
Proof.
  intros u G P.
  assert (All : iTCC u G P -> forall S, iSeals u G S P).
  { intros T S. rewrite itcc_iff in T. apply iseals_iff. intros r c d g Sc O.
    apply ilay_iff in O as (m & O1 & O2). exists m. split; eauto. }
  assert (One : iSeals u G Eps P -> iTCC u G P).
  { intro H. rewrite iseals_iff in H. apply itcc_iff. intros r c d g Sc O.
    destruct (H r c d g Sc) as (m & A & B & C).
    { apply ilay_iff. exists d. split; auto. apply I_eps, iceq_refl. }
    inversion C; subst. eapply isilent_iceq; eauto. }
  split; split; auto.
Qed.

(** ** Repetition

    "5. If P seals itself in G then P seals P* in G" fails for infinitely many iterations: each of them can be taken to
    end silently, but then they need not get as far together.  It holds of any finite number of iterations; and
    of programs in which the same processes take part, whatever they do: of straight-line programs, for example. *)

(** Wherever it begins, the same processes take part in all occurrences of the program. *)
Definition same_processes u (G : run -> Prop) p :=
  forall r c d d' i, G r -> ioccurs u r c p d -> ioccurs u r c p d' -> d i <> c i -> d' i <> c i.

(** Repetition is a finite number of iterations, or infinitely many. *)
Lemma star_cases u r c p d : ioccurs u r c (Star p) d ->
  (exists k, ioccurs u r c (times k p) d) \/
  (exists s, iceq c (s 0) /\ (forall k, ioccurs u r (s k) p (s (S k))) /\ lub s d).
Proof.
  intro O. remember (Star p) as q eqn:E. revert E.
  induction O as [| | | | | | | | |c d q Ec|c m d q O1 _ O2 IH|c d q s Ec O IH L]; intro E; try discriminate;
    injection E as ->.
  - left. exists 0. now apply I_eps.
  - destruct (IH eq_refl) as [[k H]|(s & Ec & O & L)].
    + left. exists (S k). apply ilay_iff. eauto.
    + right. exists (fun k => match k with 0 => c | S k => s k end). split; [apply iceq_refl|split].
      * intros [|k]; [eapply ioccurs_iceq; eauto using iceq_refl|apply O].
      * intro i. destruct (L i) as [Up Least]. split.
        -- intros [|k]; [|apply Up]. eapply upto_trans; [apply (ioccurs_le _ _ _ _ _ O1)|rewrite (Ec i); apply Up].
        -- intros b H. apply Least. intro k. apply (H (S k)).
  - right. exists s. auto.
Qed.
Lemma times_star u r c p d k : ioccurs u r c (times k p) d -> ioccurs u r c (Star p) d.
Proof.
  revert c. induction k as [|k IH]; intros c O; simpl in O.
  - inversion O; subst. now apply I_st0.
  - apply ilay_iff in O as (m & O1 & O2). eapply I_st1; eauto.
Qed.

Lemma seals_times u G P k : iSeals u G P P -> iSeals u G P (times k P).
Proof.
  intro H. rewrite iseals_iff in *. intros r c d g. revert c.
  induction k as [|k IH]; intros c Sc O; simpl in O; apply ilay_iff in O as (b & O1 & O2).
  - exists c. inversion O1; subst. split; [apply I_eps, iceq_refl|split; [auto|]].
    eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym.
  - apply ilay_iff in O1 as (a & A1 & O1).
    assert (Two : exists m, ioccurs u r c P m /\ isilent r m /\ ioccurs u r m (Lay (times k P) P) d).
    { destruct k as [|k]; simpl in O1.
      - inversion O1; subst. destruct (H r c d g Sc) as (m & A & B & C).
        { apply ilay_iff. exists a. split; [auto|]. eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym. }
        exists m. split; [auto|split; [auto|]]. apply ilay_iff. exists m. split; [apply I_eps, iceq_refl|auto].
      - apply ilay_iff in O1 as (a' & A2 & O1). destruct (H r c a' g Sc) as (m & A & B & C); [apply ilay_iff; eauto|].
        exists m. split; [auto|split; [auto|]]. apply ilay_iff. exists b. split; [|auto]. apply ilay_iff; eauto. }
    destruct Two as (m & A & B & C). destruct (IH m B C) as (m' & A' & B' & C').
    exists m'. split; [apply ilay_iff; eauto|auto].
Qed.

(** Where infinitely many iterations go, iterations that end silently get as well, event by event. *)
Section Iterations.
Variables (u : limit) (G : run -> Prop) (P : prog) (r : run) (s : nat -> icut) (d : icut).
Hypotheses (g : G r) (H : iSeals u G P P) (Same : same_processes u G P).
Hypotheses (S0 : isilent r (s 0)) (Os : forall k, ioccurs u r (s k) P (s (S k))) (L : lub s d).

(** [m] is silent, and one iteration from the end of the first [S k]. *)
Let before k m := isilent r m /\ ioccurs u r m P (s (S k)).
Lemma next_iteration k m : before k m -> exists m', ioccurs u r m P m' /\ before (S k) m'.
Proof.
  intros [Sm O]. rewrite iseals_iff in H. destruct (H r m (s (S (S k))) g Sm) as (m' & A & B).
  - apply ilay_iff. eauto.
  - exists m'. split; auto.
Qed.
Lemma some_iteration k : exists m, before k m.
Proof.
  induction k as [|k [m B]]; [exists (s 0); split; auto|]. destruct (next_iteration k m B) as (m' & _ & B'). eauto.
Qed.
Lemma later_inside e k j : iinside (s k) e -> iinside (s (j + k)) e.
Proof.
  intro I. induction j as [|j IH]; [exact I|]. simpl. pose proof (ioccurs_le _ _ _ _ _ (Os (j + k)) (fst e)) as U.
  unfold iinside in *. destruct (s (j + k) (fst e)), (s (S (j + k)) (fst e)); simpl in U; lia || tauto.
Qed.
Lemma gets_there e : iinside d e -> exists k m, before k m /\ iinside m e.
Proof.
  intro I. apply (lub_inside s d e L) in I as [K I].
  assert (X : forall n k m, K <= k -> before k m -> (forall a, m (fst e) = Some a -> snd e < a + n) ->
    exists k m, before k m /\ iinside m e).
  { induction n as [|n IH]; intros k m Lk B Ln.
    { exists k, m. split; [exact B|]. unfold iinside. destruct (m (fst e)) as [a|]; auto.
      specialize (Ln a eq_refl). lia. }
    destruct (m (fst e)) as [a|] eqn:Ma.
    2:{ exists k, m. split; [exact B|]. unfold iinside. now rewrite Ma. }
    destruct (le_lt_dec a (snd e)) as [La|La].
    2:{ exists k, m. split; [exact B|]. unfold iinside. rewrite Ma. exact La. }
    destruct (next_iteration k m B) as (m' & O & B'). apply (IH (S k) m'); auto. intros b Mb.
    assert (Far : iinside (s (S k)) e) by (replace (S k) with (S k - K + K) by lia; now apply later_inside).
    assert (N : m' (fst e) <> m (fst e)).
    { apply (Same r m (s (S k)) m' (fst e) g (proj2 B) O). intro E. unfold iinside in Far. rewrite E, Ma in Far. lia. }
    pose proof (ioccurs_le _ _ _ _ _ O (fst e)) as U. rewrite Ma, Mb in U, N. simpl in U.
    specialize (Ln a eq_refl). assert (a <> b) by congruence. lia. }
  destruct (some_iteration K) as [m B]. destruct (m (fst e)) as [a|] eqn:Ma.
  - apply (X (S (snd e)) K m); auto. intros b _. lia.
  - exists K, m. split; [exact B|]. unfold iinside. now rewrite Ma.
Qed.
Lemma iterations_end_silently : isilent r d.
Proof.
  assert (Up : forall k m e, before k m -> iinside m e -> iinside d e).
  { intros k m e [_ O] I. apply (lub_inside s d e L). exists (S k). pose proof (ioccurs_le _ _ _ _ _ O (fst e)) as U.
    unfold iinside in *. destruct (m (fst e)), (s (S k) (fst e)); simpl in U; lia || tauto. }
  intros e i j R. split; intro I; apply gets_there in I as (k & m & B & I); apply (Up k m); auto;
    now apply (proj1 B e i j R).
Qed.
End Iterations.

(** _If P seals itself, then P seals any finite number of iterations of P; and P*, if the same processes take part in
    all occurrences of P from a cut_. *)
Theorem seal_algebra_5_infinite : forall u G P, iSeals u G P P ->
  (forall k, iSeals u G P (times k P)) /\ (same_processes u G P -> iSeals u G P (Star P)).
Proof.
  intros u G P H. split; [intro k; now apply seals_times|]. intro Same. apply iseals_iff. intros r c d g Sc O.
  apply ilay_iff in O as (b & O1 & O2). destruct (star_cases _ _ _ _ _ O1) as [[k It]|(s & Ec & Os & L)].
  - pose proof (seals_times u G P k H) as Hk. rewrite iseals_iff in Hk.
    destruct (Hk r c d g Sc) as (m & A & B & D); [apply ilay_iff; eauto|]. exists m. eauto using times_star.
  - exists b. split; [auto|split; [|auto]]. apply (iterations_end_silently u G P r s b); auto.
    now apply (isilent_iceq r c).
Qed.

(** Wherever a straight-line program begins, it can end at one cut only, ... *)
Lemma straight_line_ends_once u r P p : acts P = Some p -> forall c d d', ioccurs u r c P d -> ioccurs u r c P d' ->
  iceq d d'.
Proof.
  assert (St : forall c d d' i does, makes_step u c d i does -> makes_step u c d' i does -> iceq d d').
  { intros c d d' i does M M'. unfold makes_step in *. destruct (c i); destruct M as [_ M], M' as [_ M']; intro k;
      now rewrite (M k), (M' k). }
  revert p. induction P; intros p A c d d' O O'; simpl in A; try discriminate.
  1-4: inversion O; inversion O'; subst; eauto; eapply iceq_trans; eauto using iceq_sym.
  destruct (acts P1) as [p1|] eqn:A1; [|discriminate]. destruct (acts P2) as [p2|] eqn:A2; [|discriminate].
  apply ilay_iff in O as (m & O1 & O2). apply ilay_iff in O' as (m' & O1' & O2').
  apply (IHP2 p2 eq_refl m d d' O2). apply (ioccurs_iceq u r m' P2 d' O2'); [|apply iceq_refl].
  now apply (IHP1 p1 eq_refl c).
Qed.
(** ... so that _the same processes always take part_. *)
Theorem straight_line_same_processes : forall u G P p, acts P = Some p -> same_processes u G P.
Proof.
  intros u G P p A r c d d' i _ O O'. now rewrite (straight_line_ends_once u r P p A c d d' O O').
Qed.

(** From a finite cut they lead to one. *)
Lemma straight_line_finite u r P p : acts P = Some p -> forall c d, ioccurs u r c P d -> finite c -> finite d.
Proof.
  assert (St : forall c d i does, makes_step u c d i does -> finite c -> finite d).
  { intros c d i does M F k. specialize (F k). unfold makes_step in M.
    destruct (c i); destruct M as [_ M]; rewrite (M k); [destruct (k =? i)|]; congruence. }
  revert p. induction P; intros p A c d O F; simpl in A; try discriminate.
  - inversion O as [? ? E| | | | | | | | | | |]; subst. intro k. rewrite <- (E k). apply F.
  - inversion O; subst. eauto.
  - inversion O; subst. eauto.
  - inversion O; subst. eauto.
  - destruct (acts P1) as [p1|] eqn:A1; [|discriminate]. destruct (acts P2) as [p2|] eqn:A2; [|discriminate].
    apply ilay_iff in O as (m & O1 & O2). eauto.
Qed.
Lemma times_straight P p k : acts P = Some p -> exists l, acts (times k P) = Some l.
Proof. intro A. induction k as [|k [l IH]]; simpl; [eauto|]. rewrite A, IH. eauto. Qed.
Lemma finite_occurs u r c P d : ioccurs u r c P d -> finite c -> finite d -> occurs r (unfin c) P (unfin d).
Proof. intros O Fc Fd. apply (occurs_finite_cuts u), (ioccurs_iceq u r c P d O); now apply finite_fin. Qed.

(** _If a straight-line program seals itself over finite intervals, then it seals its repetition over all intervals that
    begin at a finite cut_. *)
Theorem straight_line_repetition : forall u G P p, acts P = Some p -> Seals G P P -> forall r c d, G r ->
  ioccurs u r (fin c) (Lay Chop (Lay (Star P) P)) d -> ioccurs u r (fin c) (Lay (Star P) (Lay Chop P)) d.
Proof.
  intros u G P p A H r c d g O. apply ichop_first in O as [Sc O].
  assert (Fc : finite (fin c)) by (intros i E; discriminate).
  pose proof O as Whole. apply ilay_iff in O as (b & O1 & O2). apply ichop_middle.
  destruct (star_cases _ _ _ _ _ O1) as [[k It]|(s & Ec & Os & L)].
  - destruct (times_straight P p k A) as [l Al].
    assert (Fd : finite d) by (eauto using straight_line_finite).
    apply finite_occurs in Whole; auto. pose proof (seal_algebra_5 G P H) as H5. rewrite seals_iff in H5.
    destruct (H5 r _ _ g Sc Whole) as (m & B1 & B2 & B3). exists (fin m).
    split; [now apply (occurs_here u)|split; [exact B2|]].
    apply (ioccurs_iceq u r (fin m) P (fin (unfin d)) (occurs_here u r m P _ B3)); [apply iceq_refl|].
    now apply iceq_sym, finite_fin.
  - exists b. split; [auto|split; [|auto]]. apply (lub_silent r s b L). rewrite seals_iff in H.
    assert (Fs : forall k, finite (s k)).
    { induction k as [|k IH]; [intros i E; now rewrite <- (Ec i) in E|eauto using straight_line_finite]. }
    induction k as [|k IH]; [now apply (isilent_iceq r (fin c))|].
    destruct (H r (unfin (s k)) (unfin (s (S (S k)))) g) as (m & A1 & A2 & _).
    + change (isilent r (fin (unfin (s k)))). apply (isilent_iceq r (s k)); [now apply finite_fin|exact IH].
    + apply lay_iff. exists (unfin (s (S k))). split; apply (finite_occurs u); auto.
    + apply (isilent_iceq r (fin m)); [|exact A2].
      apply (straight_line_ends_once u r P p A (fin (unfin (s k)))); [now apply occurs_here|].
      apply (ioccurs_iceq u r (s k) P (s (S k)) (Os k)); [now apply finite_fin|apply iceq_refl].
Qed.

(** ** Layers

    "If program P can be decomposed into a sequence of l layers L(1) .. L(l), and in addition L(k+1) seals L(k) for
    all 1 <= k < l, then each layer L(k) is a CCL in P." *)

Fixpoint each_iseals u (G : run -> Prop) (layers : list prog) : Prop :=
  match layers with
  | l :: rest => match rest with l' :: _ => iSeals u G l' l | [] => True end /\ each_iseals u G rest
  | [] => True
  end.

(** The layers occur one after the other with a silent cut after each. *)
Fixpoint iapart u (r : run) (c : icut) (layers : list prog) (d : icut) : Prop :=
  match layers with
  | [] => iceq c d
  | l :: rest => exists m, ioccurs u r c l m /\ isilent r m /\ iapart u r m rest d
  end.
Lemma layers_iapart u (G : run -> Prop) r layers : G r -> each_iseals u G layers ->
  forall c d, isilent r c -> isilent r d -> ioccurs u r c (sequence layers) d -> iapart u r c layers d.
Proof.
  intro g. induction layers as [|l rest IH]; intros Ch c d Sc Sd O; simpl in *; [now inversion O|].
  destruct Ch as [S1 Ch]. apply ilay_iff in O as (m & O1 & O2). destruct rest as [|l' rest].
  - inversion O2; subst. exists d. split; [eapply ioccurs_iceq; eauto using iceq_refl|split; [auto|apply iceq_refl]].
  - rewrite iseals_iff in S1. apply ilay_iff in O2 as (n & O2 & O3).
    destruct (S1 r c n g Sc) as (m' & A & B & C); [apply ilay_iff; eauto|].
    exists m'. split; [auto|split; [auto|]]. apply IH; auto. simpl. apply ilay_iff; eauto.
Qed.
Lemma isequence_app u r a b : forall c d,
  (exists m, ioccurs u r c (sequence a) m /\ ioccurs u r m (sequence b) d) ->
  ioccurs u r c (sequence (a ++ b)) d.
Proof.
  induction a as [|l a IH]; simpl; intros c d (m & O1 & O2).
  - inversion O1; subst. eapply ioccurs_iceq; eauto using iceq_refl, iceq_sym.
  - apply ilay_iff in O1 as (n & O1 & O1'). apply ilay_iff. exists n. split; eauto.
Qed.
Lemma iapart_occurs u r layers : forall c d, iapart u r c layers d -> ioccurs u r c (sequence layers) d.
Proof.
  induction layers as [|l rest IH]; simpl; intros c d H; [now apply I_eps|].
  destruct H as (m & O & _ & A). apply ilay_iff. eauto.
Qed.
Lemma iapart_app u r a b : forall c d, isilent r c -> iapart u r c (a ++ b) d ->
  exists m, iapart u r c a m /\ isilent r m /\ iapart u r m b d.
Proof.
  induction a as [|l a IH]; simpl; intros c d Sc H.
  - exists c. split; [apply iceq_refl|auto].
  - destruct H as (m & O & Sm & A). destruct (IH m d Sm A) as (n & A1 & S1 & A2). exists n. split; eauto.
Qed.

Theorem layers_are_ccl_infinite : forall u G layers, each_iseals u G layers ->
  forall before l after, layers = before ++ l :: after -> iCCL u G (sequence before) l (sequence after).
Proof.
  intros u G layers Ch before l after -> r c d g O.
  apply ichop_first in O as [Sc O]. apply ilay_iff in O as (m1 & O1 & O). apply ilay_iff in O as (m2 & O2 & O3).
  apply ichop_last in O3 as [O3 Sd].
  assert (Oa : ioccurs u r c (sequence (before ++ l :: after)) d).
  { apply isequence_app. exists m1. split; auto. simpl. apply ilay_iff; eauto. }
  apply (layers_iapart u G r _ g Ch c d Sc Sd) in Oa.
  apply iapart_app in Oa as (n1 & A1 & S1 & A2); auto. simpl in A2. destruct A2 as (n2 & A2 & S2 & A3).
  apply ichop_middle. exists n1. split; [now apply iapart_occurs|split; auto].
  apply ichop_middle. exists n2. split; [auto|split; auto]. now apply iapart_occurs.
Qed.

(** ** th:TCCbadforREL *)

(** What refines over all intervals refines over finite ones. *)
Lemma irefines_refines u G p q : irefines u G p q -> refines G p q.
Proof. intros H r c d g O. apply occurs_finite_cuts with u. apply H; [auto|]. now apply occurs_finite_cuts. Qed.

(** _What refines over all intervals refines over finite ones_, and so it is with all notions of safe composition: what
    is refuted over finite intervals is refuted over all of them. *)
Theorem over_finite_intervals : forall u G P Q, (irefines u G P Q -> refines G P Q) /\
  (iSeals u G Q P -> Seals G Q P) /\ (iTCC u G P -> TCC G P) /\ (iBarrier u G P -> Barrier G P) /\
  (forall R, iCCL u G P Q R -> CCL G P Q R).
Proof.
  intros u G P Q. split; [apply irefines_refines|]. split; [apply irefines_refines|]. split; [apply irefines_refines|].
  split; [intros B p q; apply (irefines_refines u), B|intro R; apply irefines_refines].
Qed.

(** "If r[c,d] |- P for some r in Rel and finite c, d ... then P is not TCC in Rel", repaired: _what has an occurrence
    over a finite interval, from a silent cut, that communicates after the last silent cut that it passes is not TCC_,
    as the paper has TCC, over all intervals.  The converse fails there (see [InfiniteRefutations]). *)
Theorem tcc_impossibility_infinite : forall u P,
  (exists r c d t e, RelNS r /\ silent r c /\ passes r c c P d t /\ between t d e /\ comm r e) -> ~ iTCC u RelNS P.
Proof.
  intros u P (r & c & d & t & e & R & S & Pa & B & C) T. apply irefines_refines in T.
  exact (proj1 (tcc_impossibility P) T r c d t R S Pa e B C).
Qed.
