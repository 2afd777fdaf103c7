(** * Cuts that may be infinite

    Definitions.v has finite cuts only.  Here is occurrence over all intervals of the paper: a process may go on for
    ever, and a repetition may have infinitely many iterations.  Over finite intervals that is the occurrence of
    Definitions.v, which is proved below ([occurs_finite_cuts]).

    What the paper leaves open where a process has gone on for ever is a parameter here, [limit]: what is proved holds
    for each choice of it, that is, of one value per process and expression, whatever the run and the cut. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Occurrence.
Open Scope nat_scope.

(** ** Cuts *)

(** "A cut is a pair (r, c) consisting of a run r and a family c = (c_i) of elements of N + infinity."  [None] is
    infinity: all events of the process. *)
Definition icut := proc -> option nat.

(** "A cut is finite if all its components are." *)
Definition finite (c : icut) := forall i, c i <> None.
(** A cut of Definitions.v, and the other way round. *)
Definition fin (c : cut) : icut := fun i => Some (c i).
Definition unfin (c : icut) : cut := fun i => match c i with Some k => k | None => 0 end.

Definition iceq (c d : icut) := forall i, c i = d i.

(** "The component-wise extension of the natural ordering on N + infinity." *)
Definition upto (a b : option nat) :=
  match a, b with _, None => True | None, Some _ => False | Some x, Some y => x <= y end.

(** The least upper bound of cuts. *)
Definition lub (s : nat -> icut) (d : icut) := forall i,
  (forall k, upto (s k i) (d i)) /\ (forall b, (forall k, upto (s k i) b) -> upto (d i) b).

(** "An event e performed by process i is in a cut (r, c) if e occurs in r_i at an index no larger than c_i." *)
Definition iinside (c : icut) (e : event) := match c (fst e) with Some k => snd e < k | None => True end.

(** "No receive in the cut is mapped by delta_r to a send outside of the cut, and no receive from outside is mapped to
    a send in the cut." *)
Definition isilent (r : run) (c : icut) := forall e i j, is_rcv r e i j -> (iinside c e <-> iinside c (delta r e)).

(** ** What is left open *)

(** "Program variables are evaluated in the local states r_i (c_i) if c_i is finite, and are considered unspecified
    otherwise."  So [worth] says what expressions of a process are worth where it has gone on for ever: one value per
    process and expression, the same in all runs and at all cuts.  That is one reading of several; in others the value
    depends on the run and the cut, or an evaluation may give different values.  Nor does the
    paper say whether a process can still do something then: c_i + 1 is c_i, but there is no local state r_i (c_i).
    [acts_on] says whether it can. *)
Record limit := { worth : proc -> expr -> value; acts_on : Prop }.

Section Occurrence.
Variable u : limit.
Variable r : run.

Definition value_at (c : icut) (i : proc) (e : expr) : value :=
  match c i with Some k => e (past r i k) | None => worth u i e end.
Fixpoint iholds (c : icut) (g : formula) : Prop :=
  match g with
  | Equal i e j f => value_at c i e = value_at c j f
  | Less i e j f => (value_at c i e < value_at c j f)%Z
  | Not g => ~ iholds c g
  | And g h => iholds c g /\ iholds c h
  end.

(** Process [i] makes one step from [c] to [d], in which it [does] what it should: "d = c[i |-> c_i + 1]". *)
Definition makes_step (c d : icut) (i : proc) (does : nat -> Prop) : Prop :=
  match c i with
  | Some k => does k /\ iceq d (fun p => if p =? i then Some (S k) else c p)
  | None => acts_on u /\ iceq d c
  end.

(** "Program P occurs over interval r[c,d] iff:" - clause by clause, as in Definitions.v, and "a finite or infinite
    sequence" of iterations, of which an infinite one ends at its least upper bound.  (The paper's index set may have
    infinity as a member, too; a sequence has no such member.) *)
Inductive ioccurs : icut -> prog -> icut -> Prop :=
| I_eps c d : iceq c d -> ioccurs c Eps d
| I_asg c d i e : makes_step c d i (fun k => lab r i k = Int /\ val r (i, k) = e (past r i k)) ->
    ioccurs c (Assign i e) d
| I_snd c d i j e : makes_step c d i (fun k => lab r i k = Snd j /\ val r (i, k) = e (past r i k)) ->
    ioccurs c (Send i j e) d
| I_rcv c d i j : makes_step c d j (fun k => lab r j k = Rcv i) -> ioccurs c (Recv j i) d
| I_grd c d g : iceq c d -> iholds c g -> ioccurs c (Guard g) d
| I_chop c d : iceq c d -> isilent r c -> ioccurs c Chop d
| I_lay c m d p q : ioccurs c p m -> ioccurs m q d -> ioccurs c (Lay p q) d
| I_ch1 c d p q : ioccurs c p d -> ioccurs c (Choice p q) d
| I_ch2 c d p q : ioccurs c q d -> ioccurs c (Choice p q) d
| I_st0 c d p : iceq c d -> ioccurs c (Star p) d
| I_st1 c m d p : ioccurs c p m -> ioccurs m (Star p) d -> ioccurs c (Star p) d
| I_inf c d p s : iceq c (s 0) -> (forall k, ioccurs (s k) p (s (S k))) -> lub s d -> ioccurs c (Star p) d.
End Occurrence.

(** ** Notions of safe composition, over all intervals *)

Definition irefines (u : limit) (G : run -> Prop) (p q : prog) :=
  forall r c d, G r -> ioccurs u r c p d -> ioccurs u r c q d.
Definition iCCL u G p l q :=
  irefines u G (Lay Chop (Lay p (Lay l (Lay q Chop)))) (Lay p (Lay Chop (Lay l (Lay Chop q)))).
Definition iTCC u G p := irefines u G (Lay Chop p) (Lay p Chop).
Definition iSeals u G s p := irefines u G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).

(** "S never diverges after P.  That is, for all r in G and c, d, d', whenever r[c,d] |- cut P, and r[d,d'] |- cut S and
    d is finite then so is d'."  "S is a proper seal of P in G if S seals P and S never diverges after P." *)
Definition never_diverges_after u (G : run -> Prop) s p := forall r c d d', G r ->
  ioccurs u r c (Lay Chop p) d -> ioccurs u r d (Lay Chop s) d' -> finite d -> finite d'.
Definition properly_seals u G s p := iSeals u G s p /\ never_diverges_after u G s p.

(** ** Over finite intervals nothing is new *)

Lemma finite_fin c : finite c <-> iceq c (fin (unfin c)).
Proof.
  unfold finite, iceq, fin, unfin. split; intros H i; specialize (H i); destruct (c i); congruence.
Qed.
Lemma upto_trans a b c : upto a b -> upto b c -> upto a c.
Proof. destruct a, b, c; simpl; intros; try tauto; lia. Qed.
Lemma upto_refl a : upto a a.
Proof. destruct a; simpl; auto. Qed.
Lemma upto_finite a k : upto a (Some k) -> a <> None.
Proof. destruct a; simpl; [discriminate|tauto]. Qed.

Lemma isilent_fin r c : isilent r (fin c) <-> silent r c.
Proof. reflexivity. Qed.
Lemma iholds_fin u r c g : iholds u r (fin c) g <-> holds r c g.
Proof. induction g; simpl; tauto. Qed.
Lemma fin_ceq c d : iceq (fin c) (fin d) <-> ceq c d.
Proof. unfold iceq, fin, ceq. split; intros H i; [injection (H i); auto|now rewrite (H i)]. Qed.

(** What occurs by Definitions.v occurs. *)
Lemma makes_step_fin u c d i (does : nat -> Prop) :
  makes_step u (fin c) (fin d) i does <-> does (c i) /\ ceq d (bump c i).
Proof.
  unfold makes_step, fin at 1, iceq, ceq, bump, fin. split; intros [D E]; split; auto; intro p; specialize (E p);
    destruct (p =? i) eqn:Q; try apply Nat.eqb_eq in Q; subst; congruence.
Qed.
Lemma occurs_here u r c p d : occurs r c p d -> ioccurs u r (fin c) p (fin d).
Proof.
  induction 1; try (constructor; apply makes_step_fin; auto; fail); try (constructor; now apply fin_ceq);
    [constructor|constructor| | | |]; eauto using ioccurs; try now apply fin_ceq.
  now apply iholds_fin.
Qed.

(** Programs do not run backwards, ... *)
Lemma ioccurs_le u r c p d : ioccurs u r c p d -> forall i, upto (c i) (d i).
Proof.
  assert (E : forall c d i, iceq c d -> upto (c i) (d i)) by (intros c0 d0 i H; rewrite (H i); apply upto_refl).
  assert (B : forall c d i does, makes_step u c d i does -> forall p, upto (c p) (d p)).
  { intros c0 d0 i does M q. unfold makes_step in M. destruct (c0 i) as [k|] eqn:Ci; destruct M as [_ M];
      rewrite (M q); [|apply upto_refl]. destruct (q =? i) eqn:Q; [|apply upto_refl].
    apply Nat.eqb_eq in Q; subst. rewrite Ci. simpl. lia. }
  induction 1; intro k; eauto using upto_trans. rewrite (H k). apply H2.
Qed.
(** ... and only the processes move that a program names. *)
Fixpoint doers (p : prog) : list proc :=
  match p with
  | Eps | Guard _ | Chop => []
  | Assign i _ | Send i _ _ | Recv i _ => [i]
  | Lay p q | Choice p q => doers p ++ doers q
  | Star p => doers p
  end.
Lemma upto_antisym a b : upto a b -> upto b a -> a = b.
Proof. destruct a, b; simpl; intros; try tauto. f_equal; lia. Qed.
Lemma unnamed_stays u r c p d i : ioccurs u r c p d -> ~ In i (doers p) -> d i = c i.
Proof.
  assert (B : forall c d j does, makes_step u c d j does -> ~ In i [j] -> d i = c i).
  { intros c0 d0 j does M N. unfold makes_step in M. destruct (c0 j); destruct M as [_ M]; rewrite (M i); auto.
    destruct (i =? j) eqn:Q; auto. apply Nat.eqb_eq in Q; subst. destruct N; simpl; auto. }
  induction 1; simpl; intro N; rewrite ?in_app_iff in N; eauto.
  - rewrite IHioccurs2, IHioccurs1; tauto.
  - rewrite IHioccurs2, IHioccurs1; simpl; tauto.
  - assert (C : forall k, s k i = c i).
    { induction k as [|k IH]; [symmetry; apply H|]. rewrite H1; auto. }
    apply upto_antisym.
    + apply (H2 i). intro k. rewrite C. apply upto_refl.
    + rewrite <- (C 0). apply H2.
Qed.

(** So infinitely many iterations that end at a finite cut have come there after finitely many. *)
Lemma lub_reached s d i : lub s d -> d i <> None -> exists k, s k i = d i.
Proof.
  intros L F. destruct (classic (exists k, s k i = d i)) as [|No]; auto. exfalso. destruct (L i) as [Up Least].
  destruct (d i) as [n|]; [|congruence].
  assert (Below : forall k, exists x, s k i = Some x /\ x < n).
  { intro k. specialize (Up k). destruct (s k i) as [x|] eqn:E; [|destruct Up]. exists x. split; auto. simpl in Up.
    destruct (Nat.eq_dec x n) as [->|]; [destruct No; eauto|lia]. }
  specialize (Least (Some (n - 1))). simpl in Least. destruct (Below 0) as (x & _ & Lx).
  assert (n <= n - 1); [|lia]. apply Least. intro k. destruct (Below k) as (y & -> & Ly). simpl. lia.
Qed.
Lemma all_reached (s : nat -> icut) d l : (forall k i, upto (s k i) (s (S k) i)) -> lub s d -> finite d ->
  exists K, forall i, In i l -> s K i = d i.
Proof.
  intros Up L F. assert (Later : forall k m i, upto (s k i) (s (m + k) i)).
  { intros k m i. induction m as [|m IH]; [apply upto_refl|]. eapply upto_trans; [exact IH|apply Up]. }
  assert (Stay : forall k m i, s k i = d i -> s (m + k) i = d i).
  { intros k m i E. apply upto_antisym; [apply L|]. rewrite <- E. apply Later. }
  induction l as [|i l [K IH]]; [exists 0; intros i []|]. destruct (lub_reached s d i L (F i)) as [k E].
  exists (k + K). intros j [->|I]; [rewrite Nat.add_comm; now apply Stay|apply Stay; auto].
Qed.

Lemma makes_step_unfin u c d i (does : nat -> Prop) : finite c -> makes_step u c d i does ->
  does (unfin c i) /\ ceq (unfin d) (bump (unfin c) i).
Proof.
  intros F M. unfold makes_step in M. specialize (F i). unfold unfin, ceq, bump.
  destruct (c i) as [k|] eqn:C; [|congruence]. destruct M as [D E]. split; auto. intro p. rewrite (E p).
  destruct (p =? i) eqn:Q; auto. apply Nat.eqb_eq in Q; subst. now rewrite C.
Qed.
Lemma unfin_ceq c d : iceq c d -> ceq (unfin c) (unfin d).
Proof. intros E i. unfold unfin. now rewrite (E i). Qed.
Lemma iinside_unfin c e : finite c -> (iinside c e <-> inside (unfin c) e).
Proof. intro F. specialize (F (fst e)). unfold iinside, inside, unfin. destruct (c (fst e)); [tauto|congruence]. Qed.
Lemma iholds_unfin u r c g : finite c -> iholds u r c g -> holds r (unfin c) g.
Proof.
  intro F. assert (V : forall i e, value_at u r c i e = e (past r i (unfin c i))).
  { intros i e. specialize (F i). unfold value_at, unfin. destruct (c i); [auto|congruence]. }
  assert (X : iholds u r c g <-> holds r (unfin c) g); [|tauto]. induction g; simpl; rewrite ?V; tauto.
Qed.
Lemma finite_below u r c p d : ioccurs u r c p d -> finite d -> finite c.
Proof.
  intros O F i. pose proof (ioccurs_le _ _ _ _ _ O i) as U. specialize (F i). destruct (d i); [|congruence].
  eauto using upto_finite.
Qed.

Lemma star_of_steps r p (s : nat -> icut) K : (forall k, k < K -> occurs r (unfin (s k)) p (unfin (s (S k)))) ->
  occurs r (unfin (s 0)) (Star p) (unfin (s K)).
Proof.
  revert s. induction K as [|K IH]; intros s H; [apply O_st0, ceq_refl|].
  eapply O_st1; [apply H; lia|]. apply (IH (fun k => s (S k))). intros k L. apply H. lia.
Qed.

(** What occurs here over a finite interval occurs by Definitions.v. *)
Lemma occurs_there u r c p d : ioccurs u r c p d -> finite d -> occurs r (unfin c) p (unfin d).
Proof.
  induction 1 as [c d E|c d i e M|c d i j e M|c d i j M|c d g E H|c d E H|c m d p q O1 IH1 O2 IH2|c d p q O IH
    |c d p q O IH|c d p E|c m d p O1 IH1 O2 IH2|c d p s E O IH L]; intro F.
  - constructor. now apply unfin_ceq.
  - pose proof (finite_below _ _ _ _ _ (I_asg u r c d i e M) F) as Fc. apply makes_step_unfin in M as [[A B] C]; auto.
    now constructor.
  - pose proof (finite_below _ _ _ _ _ (I_snd u r c d i j e M) F) as Fc. apply makes_step_unfin in M as [[A B] C]; auto.
    now constructor.
  - pose proof (finite_below _ _ _ _ _ (I_rcv u r c d i j M) F) as Fc. apply makes_step_unfin in M as [A C]; auto.
    now constructor.
  - pose proof (finite_below _ _ _ _ _ (I_grd u r c d g E H) F) as Fc. constructor; [now apply unfin_ceq|].
    eapply iholds_unfin; eauto.
  - pose proof (finite_below _ _ _ _ _ (I_chop u r c d E H) F) as Fc. constructor; [now apply unfin_ceq|].
    intros e i j R. rewrite <- !iinside_unfin by auto. now apply H with i j.
  - pose proof (finite_below _ _ _ _ _ O2 F). eapply O_lay; eauto.
  - apply O_ch1; auto.
  - apply O_ch2; auto.
  - apply O_st0. now apply unfin_ceq.
  - pose proof (finite_below _ _ _ _ _ O2 F). eapply O_st1; eauto.
  - assert (Fs : forall k, finite (s k)).
    { intros k i. destruct (L i) as [Up _]. specialize (Up k). specialize (F i). destruct (d i); [|congruence].
      eapply upto_finite; eauto. }
    destruct (all_reached s d (doers p)) as [K HK]; auto.
    { intros k i. eapply ioccurs_le; eauto. }
    assert (Ks : iceq (s K) d).
    { intro i. destruct (in_dec Nat.eq_dec i (doers p)) as [I|N]; [now apply HK|].
      assert (C : forall k, s k i = s 0 i).
      { induction k as [|k IHk]; auto. rewrite (unnamed_stays u r _ p _ i (O k)); auto. }
      apply upto_antisym; [apply L|]. apply (L i). intro k. rewrite (C k), (C K). apply upto_refl. }
    apply (occurs_ceq r (unfin (s 0)) (Star p) (unfin (s K))).
    + apply star_of_steps. intros k _. now apply IH.
    + apply unfin_ceq. intro i. symmetry. apply E.
    + now apply unfin_ceq.
Qed.

(** _Over finite intervals, occurrence is that of Definitions.v_, whatever is left open. *)
Theorem occurs_finite_cuts : forall u r c p d, ioccurs u r (fin c) p (fin d) <-> occurs r c p d.
Proof.
  intros u r c p d. split; [|apply occurs_here]. intro O. apply (occurs_there u r (fin c) p (fin d) O).
  intros i E. discriminate.
Qed.
