(** * One semantics

    [Definitions] has finite cuts, and histories for local states.  [InfiniteCuts] has cuts that may be infinite, and
    histories.  [Variables] has finite cuts, and the paper's local states, which are values of variables.  Here is
    occurrence over all cuts and with local states of any kind, and each of the three is a case of it:
    [histories_are_local_states] and [variables_are_local_states]; over finite cuts [occurs_finite_cuts] says that
    [InfiniteCuts] is [Definitions].  The laws of refinement, TCC and sealing need not know what local states are.

    "A local state (for process i) is a mapping from Var_i to values ... A local run is an infinite sequence of local
    states." *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence Variables InfiniteCuts InfiniteSealAlgebra InfiniteRefutations.
Open Scope nat_scope.

(** ** Programs over local states *)

Section LocalStates.
Variable State : Type.

Inductive condition :=
| CEqual (i : proc) (e : State -> value) (j : proc) (f : State -> value)
| CLess (i : proc) (e : State -> value) (j : proc) (f : State -> value)
| CNot (g : condition)
| CAnd (g h : condition).

(** An action is an event of process [i] with this label; its value, and the local state after it, depend on the local
    state before it. *)
Inductive gprog :=
| GEps
| GAct (i : proc) (a : label) (computes : State -> value -> Prop) (next : State -> value -> State -> Prop)
| GGuard (g : condition)
| GChop
| GLay (p q : gprog)
| GChoice (p q : gprog)
| GStar (p : gprog).

(** What is left open where a process has gone on for ever. *)
Variables (at_infinity : proc -> (State -> value) -> value) (may_act : Prop).
Let u : limit := {| worth := fun _ _ => 0%Z; acts_on := may_act |}.

Section InRun.
Variables (r : run) (states_of : proc -> nat -> State).

Definition evaluates (c : icut) (i : proc) (e : State -> value) : value :=
  match c i with Some k => e (states_of i k) | None => at_infinity i e end.
Fixpoint meets (c : icut) (g : condition) : Prop :=
  match g with
  | CEqual i e j f => evaluates c i e = evaluates c j f
  | CLess i e j f => (evaluates c i e < evaluates c j f)%Z
  | CNot g => ~ meets c g
  | CAnd g h => meets c g /\ meets c h
  end.

(** "Program P occurs over interval r[c,d] iff:" *)
Inductive goccurs : icut -> gprog -> icut -> Prop :=
| G_eps c d : iceq c d -> goccurs c GEps d
| G_act c d i a computes next : makes_step u c d i (fun k => lab r i k = a /\
    computes (states_of i k) (val r (i, k)) /\ next (states_of i k) (val r (i, k)) (states_of i (S k))) ->
    goccurs c (GAct i a computes next) d
| G_grd c d g : iceq c d -> meets c g -> goccurs c (GGuard g) d
| G_chop c d : iceq c d -> isilent r c -> goccurs c GChop d
| G_lay c m d p q : goccurs c p m -> goccurs m q d -> goccurs c (GLay p q) d
| G_ch1 c d p q : goccurs c p d -> goccurs c (GChoice p q) d
| G_ch2 c d p q : goccurs c q d -> goccurs c (GChoice p q) d
| G_st0 c d p : iceq c d -> goccurs c (GStar p) d
| G_st1 c m d p : goccurs c p m -> goccurs m (GStar p) d -> goccurs c (GStar p) d
| G_inf c d p s : iceq c (s 0) -> (forall k, goccurs (s k) p (s (S k))) -> lub s d -> goccurs c (GStar p) d.
End InRun.

Section Basics.
Variables (r : run) (st : proc -> nat -> State).

Lemma meets_iceq c d g : iceq c d -> (meets st c g <-> meets st d g).
Proof. intro E. induction g; simpl; unfold evaluates; rewrite ?E; tauto. Qed.
Lemma happens_iceq c p d : goccurs r st c p d -> forall c' d', iceq c c' -> iceq d d' -> goccurs r st c' p d'.
Proof.
  induction 1; intros c' d' Ec Ed;
    try (match goal with E : iceq c d |- _ =>
      assert (E' : iceq c' d') by (intro i; rewrite <- (Ec i), <- (Ed i); apply E) end).
  - now apply G_eps.
  - apply G_act. eapply makes_step_iceq; eauto.
  - apply G_grd; auto. now apply (meets_iceq c c').
  - apply G_chop; auto. now apply (isilent_iceq r c c').
  - eapply G_lay; eauto using iceq_refl.
  - apply G_ch1; auto.
  - apply G_ch2; auto.
  - now apply G_st0.
  - eapply G_st1; eauto using iceq_refl.
  - apply G_inf with s; [eapply iceq_trans; [apply iceq_sym, Ec|auto]|auto|]. intro i. rewrite <- (Ed i). apply H2.
Qed.
Lemma glay_iff c p q d : goccurs r st c (GLay p q) d <-> exists m, goccurs r st c p m /\ goccurs r st m q d.
Proof. split; [intro O; inversion O; subst; eauto|]. intros (m & A & B). eapply G_lay; eauto. Qed.
Lemma gchop_iff c d : goccurs r st c GChop d <-> iceq c d /\ isilent r c.
Proof. split; [intro O; inversion O; subst; auto|]. intros [E S]. now apply G_chop. Qed.
Lemma gchop_first c p d : goccurs r st c (GLay GChop p) d <-> isilent r c /\ goccurs r st c p d.
Proof.
  rewrite glay_iff. split.
  - intros (m & A & B). apply gchop_iff in A as [E S]. split; auto.
    eapply happens_iceq; eauto using iceq_refl, iceq_sym.
  - intros [S O]. exists c. split; auto. apply gchop_iff. auto using iceq_refl.
Qed.
Lemma gchop_last c p d : goccurs r st c (GLay p GChop) d <-> goccurs r st c p d /\ isilent r d.
Proof.
  rewrite glay_iff. split.
  - intros (m & A & B). apply gchop_iff in B as [E S]. split; [|now apply (isilent_iceq r m d)].
    eapply happens_iceq; eauto using iceq_refl.
  - intros [O S]. exists d. split; auto. apply gchop_iff. auto using iceq_refl.
Qed.
Lemma gchop_middle c p q d : goccurs r st c (GLay p (GLay GChop q)) d <->
  exists m, goccurs r st c p m /\ isilent r m /\ goccurs r st m q d.
Proof. rewrite glay_iff. split; intros (m & O1 & O2); exists m; (split; [exact O1|]); now apply gchop_first. Qed.
End Basics.

(** ** Notions of safe composition *)

(** A set of runs with their local states. *)
Variable G : run -> (proc -> nat -> State) -> Prop.
Definition grefines (p q : gprog) := forall r st c d, G r st -> goccurs r st c p d -> goccurs r st c q d.
Definition gTCC (p : gprog) := grefines (GLay GChop p) (GLay p GChop).
Definition gSeals (s p : gprog) := grefines (GLay GChop (GLay p s)) (GLay p (GLay GChop s)).

Lemma gtcc_iff p : gTCC p <-> forall r st c d, G r st -> isilent r c -> goccurs r st c p d -> isilent r d.
Proof.
  split.
  - intros H r st c d g S O. apply (gchop_last r st c p d). apply H; auto. now apply gchop_first.
  - intros H r st c d g O. apply gchop_first in O as [S O]. apply gchop_last. split; eauto.
Qed.
Lemma gseals_iff s p : gSeals s p <-> forall r st c d, G r st -> isilent r c -> goccurs r st c (GLay p s) d ->
  exists m, goccurs r st c p m /\ isilent r m /\ goccurs r st m s d.
Proof.
  split.
  - intros H r st c d g S O. apply gchop_middle. apply H; auto. now apply gchop_first.
  - intros H r st c d g O. apply gchop_first in O as [S O]. apply gchop_middle. now apply H.
Qed.

(** ** Laws, whatever local states are *)

(** _Refinement is a preorder, and all constructs are monotone_. *)
Theorem refinement_of_local_states : (forall P, grefines P P) /\
  (forall P Q R, grefines P Q -> grefines Q R -> grefines P R) /\
  (forall P Q, grefines P Q ->
    (forall R, grefines (GLay P R) (GLay Q R)) /\ (forall R, grefines (GLay R P) (GLay R Q)) /\
    (forall R, grefines (GChoice P R) (GChoice Q R)) /\ grefines (GStar P) (GStar Q)).
Proof.
  split; [intros P r st c d _ O; exact O|split; [intros P Q R H K r st c d g O; apply K; auto|]].
  intros P Q H. split; [|split; [|split]].
  - intros R r st c d g O. apply glay_iff in O as (m & O1 & O2). apply glay_iff. eauto.
  - intros R r st c d g O. apply glay_iff in O as (m & O1 & O2). apply glay_iff. eauto.
  - intros R r st c d g O. inversion O; subst; [apply G_ch1|apply G_ch2]; auto.
  - intros r st c d g O. remember (GStar P) as q eqn:E. revert E.
    induction O; intro E; try discriminate; injection E as ->; [now apply G_st0|eapply G_st1; eauto|eapply G_inf;
      eauto].
Qed.

(** _TCC is closed under choice, layering and repetition_. *)
Theorem tcc_of_local_states : forall P Q, gTCC P -> gTCC Q -> gTCC (GChoice P Q) /\ gTCC (GLay P Q) /\ gTCC (GStar P).
Proof.
  intros P Q HP HQ. rewrite !gtcc_iff in *. split; [|split]; intros r st c d g S O.
  - inversion O; subst; eauto.
  - apply glay_iff in O as (m & O1 & O2). eauto.
  - remember (GStar P) as q eqn:E. revert E S.
    induction O as [| | | | | | |c d p Ec|c m d p O1 _ O2 IH2|c d p s Ec O IH L]; intros E S; try discriminate;
      injection E as ->.
    + eapply isilent_iceq; eauto.
    + eauto.
    + apply (lub_silent r s d L). induction k as [|k IHk]; [eapply isilent_iceq; eauto|eauto].
Qed.

(** _The lemma l:seal.algebra, but for items 2 and 5_. *)
Theorem seals_of_local_states : forall P Q S S',
  (gSeals S P -> gSeals S Q -> gSeals S (GChoice P Q)) /\ (gSeals S P -> gSeals (GLay S Q) P) /\
  (gSeals S P -> gSeals S' S -> gSeals S' (GLay P S)) /\ (gTCC P <-> forall R, gSeals R P).
Proof.
  intros P Q S S'. split; [|split; [|split]].
  - intros H H'. rewrite gseals_iff in *. intros r st c d g Sc O. apply glay_iff in O as (m & O1 & O2). inversion O1;
      subst.
    + destruct (H r st c d g Sc) as (m' & A & B); [apply glay_iff; eauto|]. exists m'. split; [now apply G_ch1|auto].
    + destruct (H' r st c d g Sc) as (m' & A & B); [apply glay_iff; eauto|]. exists m'. split; [now apply G_ch2|auto].
  - intro H. rewrite gseals_iff in *. intros r st c d g Sc O. apply glay_iff in O as (m & O1 & O2).
    apply glay_iff in O2 as (n & O2 & O3). destruct (H r st c n g Sc) as (m' & A & B & C); [apply glay_iff; eauto|].
    exists m'. split; [auto|split; [auto|]]. apply glay_iff; eauto.
  - intros H H'. rewrite gseals_iff in *. intros r st c d g Sc O. apply glay_iff in O as (n & O12 & O3).
    destruct (H r st c n g Sc O12) as (m & A & B & C).
    destruct (H' r st m d g B) as (n' & A' & B' & C'); [apply glay_iff; eauto|]. exists n'. split; [|auto].
    apply glay_iff; eauto.
  - split.
    + intros T R. rewrite gtcc_iff in T. apply gseals_iff. intros r st c d g Sc O.
      apply glay_iff in O as (m & O1 & O2). exists m. split; eauto.
    + intro H. specialize (H GEps). rewrite gseals_iff in H. apply gtcc_iff. intros r st c d g Sc O.
      destruct (H r st c d g Sc) as (m & A & B & C); [apply glay_iff; exists d; split; [auto|apply G_eps, iceq_refl]|].
      inversion C; subst. eapply isilent_iceq; eauto.
Qed.

(** ** Finite cuts

    As for histories: infinitely many iterations that end at a finite cut have come there after finitely many. *)
Fixpoint acting (p : gprog) : list proc :=
  match p with
  | GEps | GGuard _ | GChop => []
  | GAct i _ _ _ => [i]
  | GLay p q | GChoice p q => acting p ++ acting q
  | GStar p => acting p
  end.
Section Finite.
Variables (r : run) (st : proc -> nat -> State).

Lemma happens_up c p d : goccurs r st c p d -> forall i, upto (c i) (d i).
Proof.
  assert (E : forall c d i, iceq c d -> upto (c i) (d i)) by (intros c0 d0 i H; rewrite (H i); apply upto_refl).
  induction 1; intro k; eauto using upto_trans.
  - unfold makes_step in H. destruct (c i) as [x|] eqn:Ci; destruct H as [_ M]; rewrite (M k); [|apply upto_refl].
    destruct (k =? i) eqn:Q; [|apply upto_refl]. apply Nat.eqb_eq in Q; subst. rewrite Ci. simpl. lia.
  - rewrite (H k). apply H2.
Qed.
Lemma acting_only c p d i : goccurs r st c p d -> ~ In i (acting p) -> d i = c i.
Proof.
  induction 1; simpl; intro N; rewrite ?in_app_iff in N; eauto; try (symmetry; auto; fail).
  - unfold makes_step in H. destruct (c i0); destruct H as [_ M]; rewrite (M i); auto.
    destruct (i =? i0) eqn:Q; auto. apply Nat.eqb_eq in Q; subst. destruct N; simpl; auto.
  - rewrite IHgoccurs2, IHgoccurs1; tauto.
  - rewrite IHgoccurs2, IHgoccurs1; simpl; tauto.
  - assert (C : forall k, s k i = c i) by (induction k as [|k IH]; [symmetry; apply H|rewrite H1; auto]).
    apply upto_antisym.
    + apply (H2 i). intro k. rewrite C. apply upto_refl.
    + rewrite <- (C 0). apply H2.
Qed.
Lemma iterations_reach p (s : nat -> icut) d : (forall k, goccurs r st (s k) p (s (S k))) -> lub s d -> finite d ->
  exists K, iceq (s K) d.
Proof.
  intros O L F. destruct (all_reached s d (acting p)) as [K HK]; auto.
  { intros k i. eapply happens_up; eauto. }
  exists K. intro i. destruct (in_dec Nat.eq_dec i (acting p)) as [I|N]; [now apply HK|].
  assert (C : forall k, s k i = s 0 i) by (induction k as [|k IHk]; auto; rewrite (acting_only _ p _ i (O k)); auto).
  apply upto_antisym; [apply L|]. apply (L i). intro k. rewrite (C k), (C K). apply upto_refl.
Qed.
End Finite.
End LocalStates.
Arguments GEps {State}.
Arguments GChop {State}.
Arguments GAct {State}.
Arguments GGuard {State}.
Arguments GLay {State}.
Arguments GChoice {State}.
Arguments GStar {State}.
Arguments CEqual {State}.
Arguments CLess {State}.
Arguments CNot {State}.
Arguments CAnd {State}.

(** ** Histories *)

Fixpoint of_formula (g : formula) : condition history :=
  match g with
  | Equal i e j f => CEqual i e j f
  | Less i e j f => CLess i e j f
  | Not g => CNot (of_formula g)
  | And g h => CAnd (of_formula g) (of_formula h)
  end.
Definition grows (a : label) : history -> value -> history -> Prop := fun h v h' => h' = h ++ [(a, v)].
Fixpoint of_prog (p : prog) : gprog history :=
  match p with
  | Eps => GEps
  | Assign i e => GAct i Int (fun h v => v = e h) (grows Int)
  | Send i j e => GAct i (Snd j) (fun h v => v = e h) (grows (Snd j))
  | Recv j i => GAct j (Rcv i) (fun _ _ => True) (grows (Rcv i))
  | Guard g => GGuard (of_formula g)
  | Chop => GChop
  | Lay p q => GLay (of_prog p) (of_prog q)
  | Choice p q => GChoice (of_prog p) (of_prog q)
  | Star p => GStar (of_prog p)
  end.

(** _Occurrence of [InfiniteCuts] is this one, with histories for local states_. *)
Theorem histories_are_local_states : forall u r c p d,
  ioccurs u r c p d <-> goccurs history (worth u) (acts_on u) r (past r) c (of_prog p) d.
Proof.
  intros u r c p d.
  assert (Gr : forall g c, iholds u r c g <-> meets history (worth u) (past r) c (of_formula g)).
  { induction g as [i e j f|i e j f|g IH|g IHg h IHh]; intro c0; simpl; try reflexivity;
      [now rewrite IH|now rewrite IHg, IHh]. }
  assert (St : forall i a (does : nat -> Prop) (computes : history -> value -> Prop),
    (forall k, does k <-> lab r i k = a /\ computes (past r i k) (val r (i, k))) -> forall c d,
    (makes_step u c d i does <-> makes_step {| worth := fun _ _ => 0%Z; acts_on := acts_on u |} c d i
      (fun k => lab r i k = a /\ computes (past r i k) (val r (i, k)) /\
        grows a (past r i k) (val r (i, k)) (past r i (S k))))).
  { intros i a does computes D c0 d0. unfold makes_step. destruct (c0 i) as [k|]; [|reflexivity]. rewrite (D k).
    unfold grows. rewrite past_S. split; intros [H E]; (split; [|exact E]).
    - destruct H as [A B]. split; [exact A|split; [exact B|]]. now rewrite A.
    - tauto. }
  assert (any_value : forall j a k, lab r j k = a <-> lab r j k = a /\ True) by tauto.
  split.
  - induction 1; simpl.
    + now apply G_eps.
    + apply G_act. eapply (proj1 (St i Int _ (fun h v => v = e h) (fun k => iff_refl _) c d)). exact H.
    + apply G_act. eapply (proj1 (St i (Snd j) _ (fun h v => v = e h) (fun k => iff_refl _) c d)). exact H.
    + apply G_act. eapply (proj1 (St j (Rcv i) _ (fun _ _ => True) (any_value _ _) c d)). exact H.
    + apply G_grd; auto. now apply Gr.
    + now apply G_chop.
    + eapply G_lay; eauto.
    + apply G_ch1; auto.
    + apply G_ch2; auto.
    + now apply G_st0.
    + eapply G_st1; eauto.
    + eapply G_inf; eauto.
  - intro O. remember (of_prog p) as q eqn:E. revert p E.
    induction O; intros p0 E; destruct p0; simpl in E; try discriminate; inversion E; subst.
    + now apply I_eps.
    + apply I_asg. exact (proj2 (St _ Int _ (fun h v => v = e h) (fun k => iff_refl _) c d) H).
    + apply I_snd. exact (proj2 (St _ (Snd j) _ (fun h v => v = e h) (fun k => iff_refl _) c d) H).
    + apply I_rcv. exact (proj2 (St _ (Rcv i0) _ (fun _ _ => True) (any_value _ _) c d) H).
    + apply I_grd; auto. now apply Gr.
    + now apply I_chop.
    + eapply I_lay; eauto.
    + apply I_ch1; auto.
    + apply I_ch2; auto.
    + now apply I_st0.
    + eapply I_st1; eauto.
    + eapply I_inf; eauto.
Qed.

(** ** Variables *)

Fixpoint of_vformula (g : vformula) : condition state :=
  match g with
  | VEqual i e j f => CEqual i (eval e) j (eval f)
  | VLess i e j f => CLess i (eval e) j (eval f)
  | VNot g => CNot (of_vformula g)
  | VAnd g h => CAnd (of_vformula g) (of_vformula h)
  end.
Fixpoint of_vprog (p : vprog) : gprog state :=
  match p with
  | VEps => GEps
  | VAssign i x e => GAct i Int (fun _ _ => True) (fun s _ s' => same s' (set s x (eval e s)))
  | VSend i j e => GAct i (Snd j) (fun s v => v = eval e s) (fun s _ s' => same s' s)
  | VRecv j i x => GAct j (Rcv i) (fun _ _ => True) (fun s v s' => same s' (set s x v))
  | VGuard g => GGuard (of_vformula g)
  | VChop => GChop
  | VLay p q => GLay (of_vprog p) (of_vprog q)
  | VChoice p q => GChoice (of_vprog p) (of_vprog q)
  | VStar p => GStar (of_vprog p)
  end.

(** _Occurrence of [Variables] is this one over finite cuts, with values of variables for local states_, whatever is left
    open at infinity. *)
Theorem variables_are_local_states : forall at_infinity may_act r c p d,
  voccurs r c p d <-> goccurs state at_infinity may_act r (states r) (fin c) (of_vprog p) (fin d).
Proof.
  intros w A r c p d. set (u := {| worth := fun _ _ => 0%Z; acts_on := A |}).
  assert (Gr : forall g c, vholds r c g <-> meets state w (states r) (fin c) (of_vformula g)).
  { induction g as [i e j f|i e j f|g IH|g IHg h IHh]; intro c0; simpl; try reflexivity;
      [now rewrite IH|now rewrite IHg, IHh]. }
  split.
  - assert (St : forall c d i (does : nat -> Prop), ceq d (bump c i) -> does (c i) ->
      makes_step u (fin c) (fin d) i does).
    { intros c0 d0 i does E D. now apply makes_step_fin. }
    induction 1; simpl.
    + apply G_eps. now apply fin_ceq.
    + apply G_act, St; auto. split; [auto|split; [exact Logic.I|]]. now rewrite (bump_at _ _ _ H) in H1.
    + apply G_act, St; auto. split; [auto|split; [auto|]]. now rewrite (bump_at _ _ _ H) in H2.
    + apply G_act, St; auto. split; [auto|split; [exact Logic.I|]]. now rewrite (bump_at _ _ _ H) in H1.
    + apply G_grd; [now apply fin_ceq|now apply Gr].
    + apply G_chop; [now apply fin_ceq|exact H0].
    + eapply G_lay; eauto.
    + apply G_ch1; auto.
    + apply G_ch2; auto.
    + apply G_st0. now apply fin_ceq.
    + eapply G_st1; eauto.
  - assert (There : forall ic q id, goccurs state w A r (states r) ic q id -> forall p, q = of_vprog p -> finite id ->
      voccurs r (unfin ic) p (unfin id)).
    { assert (Below : forall ic q id, goccurs state w A r (states r) ic q id -> finite id -> finite ic).
      { intros ic q id O F i N. pose proof (happens_up _ _ _ _ _ _ _ _ O i) as U. specialize (F i). rewrite N in U.
        destruct (id i); auto. }
      assert (Act : forall ic id i a co ne, goccurs state w A r (states r) ic (GAct i a co ne) id -> finite id ->
        ceq (unfin id) (bump (unfin ic) i) /\ lab r i (unfin ic i) = a /\
        co (states r i (unfin ic i)) (val r (i, unfin ic i)) /\
        ne (states r i (unfin ic i)) (val r (i, unfin ic i)) (states r i (unfin id i))).
      { intros ic id i a co ne O F. pose proof (Below _ _ _ O F) as Fc. inversion O; subst.
        match goal with M : makes_step _ _ _ _ _ |- _ => apply makes_step_unfin in M as [(L & C & N) E]; auto end.
        rewrite (bump_at _ _ _ E). auto. }
      assert (Eq : forall ic id, iceq ic id -> ceq (unfin ic) (unfin id)) by (intros; now apply unfin_ceq).
      assert (Fin : forall ic, finite ic -> iceq ic (fin (unfin ic))) by (intros; now apply finite_fin).
      induction 1 as [ic id E|ic id i a co ne St|ic id g E H|ic id E H|ic m id q1 q2 O1 IH1 O2 IH2|ic id q1 q2 O IH
        |ic id q1 q2 O IH|ic id q E|ic m id q O1 IH1 O2 IH2|ic id q s E O IH L];
        intros p0 Q F;
        [|destruct (Act _ _ _ _ _ _ (G_act _ w A r (states r) ic id i a co ne St) F) as (B & Lb & C & N)|..];
        destruct p0; simpl in Q; try discriminate; inversion Q; subst; clear Q.
      - apply V_eps; auto.
      - now apply V_asg.
      - now apply V_snd.
      - now apply V_rcv.
      - apply V_grd; auto. apply Gr. eapply meets_iceq; [|exact H]. apply iceq_sym, Fin.
        apply (Below _ _ _ (G_grd _ w A r (states r) ic id _ E H) F).
      - apply V_chop; auto. change (isilent r (fin (unfin ic))). apply (isilent_iceq r ic); auto. apply Fin.
        apply (Below _ _ _ (G_chop _ w A r (states r) ic id E H) F).
      - pose proof (Below _ _ _ O2 F). eapply V_lay; eauto.
      - apply V_ch1; auto.
      - apply V_ch2; auto.
      - apply V_st0; auto.
      - pose proof (Below _ _ _ O2 F). eapply V_st1; eauto.
      - assert (Reached : exists K, iceq (s K) id) by (eapply iterations_reach; eauto). destruct Reached as [K EK].
        assert (Fs : forall k, finite (s k)).
        { intros k i N. destruct (L i) as [Up _]. specialize (Up k). rewrite N in Up. specialize (F i).
          destruct (id i); auto. }
        apply (voccurs_ceq r (unfin (s 0)) (VStar p0) (unfin (s K))); [|apply ceq_sym; auto|auto].
        assert (Steps : forall n k, voccurs r (unfin (s k)) (VStar p0) (unfin (s (n + k)))).
        { induction n as [|n IHn]; intro k; [apply V_st0, ceq_refl|]. eapply V_st1; [apply IH; auto|].
          replace (S n + k) with (n + S k) by lia. apply IHn. }
        replace K with (K + 0) by lia. apply Steps. }
    intro O. apply (There (fin c) (of_vprog p) (fin d) O p eq_refl). intros i N. discriminate.
Qed.

(** So the paper's language, with variables and over all intervals, is: *)
Definition ivoccurs (at_infinity : proc -> (state -> value) -> value) (may_act : Prop) (r : vrun) (c : icut) (p : vprog)
  (d : icut) := goccurs state at_infinity may_act r (states r) c (of_vprog p) d.
