(** * Lemma l:seal.algebra

    Its six items, for every program of the language and every set of runs.  Item 2 has "(properly)" in brackets; it is
    about programs that diverge, which do not exist here, as cuts are finite; see [Diverging].

    Theorems of the ledger: [seal_algebra_1], [seal_algebra_2], [seal_algebra_3], [seal_algebra_4],
    [seal_algebra_5], [seal_algebra_6]. *)

From Coq Require Import List Arith Lia PeanoNat.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence.
Open Scope nat_scope.

(** "1. If both P and P' are sealed by S in G then so is P + P'." *)
Theorem seal_algebra_1 : forall G S P P', Seals G S P -> Seals G S P' -> Seals G S (Choice P P').
Proof.
  intros G S P P' H H'. rewrite seals_iff in *. intros r c d g Sc O.
  apply lay_iff in O as (m & O1 & O2). inversion O1; subst.
  - destruct (H r c d g Sc) as (m' & A & B & C); [apply lay_iff; eauto|]. exists m'. split; [now apply O_ch1|auto].
  - destruct (H' r c d g Sc) as (m' & A & B & C); [apply lay_iff; eauto|]. exists m'. split; [now apply O_ch2|auto].
Qed.

(** "2. If both S and S' seal P in G then S + S' (properly) seals P in G." *)
Theorem seal_algebra_2 : forall G S S' P, Seals G S P -> Seals G S' P -> Seals G (Choice S S') P.
Proof.
  intros G S S' P H H'. rewrite seals_iff in *. intros r c d g Sc O.
  apply lay_iff in O as (m & O1 & O2). inversion O2; subst.
  - destruct (H r c d g Sc) as (m' & A & B & C); [apply lay_iff; eauto|]. exists m'.
    split; [|split; [|apply O_ch1]]; auto.
  - destruct (H' r c d g Sc) as (m' & A & B & C); [apply lay_iff; eauto|]. exists m'.
    split; [|split; [|apply O_ch2]]; auto.
Qed.

(** "3. If S seals P in G then S . Q seals P in G." *)
Theorem seal_algebra_3 : forall G S P Q, Seals G S P -> Seals G (Lay S Q) P.
Proof.
  intros G S P Q H. rewrite seals_iff in *. intros r c d g Sc O.
  apply lay_iff in O as (m & O1 & O2). apply lay_iff in O2 as (n & O2 & O3).
  destruct (H r c n g Sc) as (m' & A & B & C); [apply lay_iff; eauto|].
  exists m'. split; [auto|split; [auto|]]. apply lay_iff; eauto.
Qed.

(** "4. If both S seals P and S' seals S in G, then S' seals P . S in G." *)
Theorem seal_algebra_4 : forall G S S' P, Seals G S P -> Seals G S' S -> Seals G S' (Lay P S).
Proof.
  intros G S S' P H H'. rewrite seals_iff in *. intros r c d g Sc O.
  apply lay_iff in O as (n & O12 & O3).
  destruct (H r c n g Sc O12) as (m & A & B & C).
  destruct (H' r m d g B) as (n' & A' & B' & C'); [apply lay_iff; eauto|].
  exists n'. split; [|auto]. apply lay_iff; eauto.
Qed.

(** Repetition, with the number of iterations. *)
Inductive iterates (r : run) (p : prog) : nat -> cut -> cut -> Prop :=
| I_0 c d : ceq c d -> iterates r p 0 c d
| I_S k c m d : occurs r c p m -> iterates r p k m d -> iterates r p (S k) c d.
Lemma star_iterates r p c d : occurs r c (Star p) d -> exists k, iterates r p k c d.
Proof.
  intro O. remember (Star p) as q eqn:E. revert E. induction O; intro E; try discriminate; injection E as ->.
  - exists 0. now constructor.
  - destruct IHO2 as [k H]; auto. exists (S k). econstructor; eauto.
Qed.
Lemma iterates_star r p k c d : iterates r p k c d -> occurs r c (Star p) d.
Proof. induction 1; [now apply O_st0|eapply O_st1; eauto]. Qed.

(** "5. If P seals itself in G then P seals P* in G."  One iteration after the other can be taken to end silently. *)
Theorem seal_algebra_5 : forall G P, Seals G P P -> Seals G P (Star P).
Proof.
  intros G P H. rewrite seals_iff in *.
  assert (X : forall r, G r -> forall k c m d, silent r c -> iterates r P k c m -> occurs r m P d ->
    exists m', occurs r c (Star P) m' /\ silent r m' /\ occurs r m' P d).
  { intros r g. induction k as [|k IH]; intros c m d Sc It O; inversion It; subst.
    - exists m. split; [now apply O_st0|split; [now apply (silent_ceq r c m)|auto]].
    - (* the first iteration, and what comes right after it *)
      rename m0 into a, H1 into A1, H2 into It1. destruct k as [|k]; inversion It1; subst.
      + destruct (H r c d g Sc) as (m' & A & B & C).
        { apply lay_iff. exists a. split; [auto|]. apply (occurs_ceq r m P d O); auto using ceq_refl, ceq_sym. }
        exists m'. split; [eapply O_st1; [exact A|apply O_st0, ceq_refl]|auto].
      + match goal with X : occurs r a P ?x |- _ => rename x into b, X into A2 end.
        match goal with X : iterates r P k b m |- _ => rename X into It2 end.
        destruct (H r c b g Sc) as (m1 & A & B & C); [apply lay_iff; eauto|].
        destruct (IH m1 m d B) as (m' & A' & B' & C'); [econstructor; eauto|auto|].
        exists m'. split; [eapply O_st1; eauto|auto]. }
  intros r c d g Sc O. apply lay_iff in O as (m & O1 & O2). apply star_iterates in O1 as [k It]. eapply X; eauto.
Qed.

(** "6. TCC subsumes sealing: P is TCC in G iff all programs seal P in G." *)
Theorem seal_algebra_6 : forall G P, TCC G P <-> forall S, Seals G S P.
Proof.
  intros G P. rewrite tcc_iff. split.
  - intros T S. apply seals_iff. intros r c d g Sc O. apply lay_iff in O as (m & O1 & O2). exists m. split; eauto.
  - intros H r c d g Sc O. specialize (H Eps). rewrite seals_iff in H.
    destruct (H r c d g Sc) as (m & A & B & C).
    { apply lay_iff. exists d. split; auto. apply O_eps, ceq_refl. }
    inversion C; subst. eapply silent_ceq; eauto.
Qed.
