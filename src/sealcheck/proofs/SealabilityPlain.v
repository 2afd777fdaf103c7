(** * th:sealability among other programs

    "... can be sealed properly": by any program, not only by a straight-line one.

    Without guards that is the same: a program with choices and loops that seals [P], and that can run to its end after
    [P] and leave nothing over, can be replaced by what it does there, which is straight-line.

    With guards it is not.  They can see from the data of a message that it was taken by the wrong receive; a program
    that then does not go on does not occur in that run, and seals what nobody should be able to seal (see
    [guards_seal_X] in [GuardedSeal]). *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality ClosedChannels.
From Sealcheck Require Import Knowledge Messages Prefix Teaching Sealability.
Open Scope nat_scope.

(** Neither guards nor silent cuts: assignments, messages, choices and loops. *)
Fixpoint plain (p : prog) : Prop :=
  match p with
  | Guard _ | Chop => False
  | Lay p q | Choice p q => plain p /\ plain q
  | Star p => plain p
  | _ => True
  end.

(** A program of the first [n] processes. *)
Fixpoint of_processes (n : nat) (p : prog) : Prop :=
  match p with
  | Assign i _ => i < n
  | Send i j _ | Recv j i => i < n /\ j < n
  | Lay p q | Choice p q => of_processes n p /\ of_processes n q
  | Star p => of_processes n p
  | _ => True
  end.

(** What a program does in one of its executions is a straight-line program, and doing that is doing what it allows. *)
Lemma resolution n r c p d : occurs r c p d -> plain p -> of_processes n p ->
  exists T t, acts T = Some t /\ within n t /\ occurs r c T d /\ forall r' c' d',
    occurs r' c' T d' -> occurs r' c' p d'.
Proof.
  assert (One : forall a, match a with ASend i j | ARecv j i => i < n /\ j < n | AInt _ => True end -> within n [a]).
  { intros a H b [<-|[]]. exact H. }
  assert (None : within n []) by (intros a []).
  assert (App : forall s t, within n s -> within n t -> within n (s ++ t)).
  { intros s t Hs Ht a I. apply in_app_or in I as [I|I]; [apply (Hs a I)|apply (Ht a I)]. }
  induction 1 as [c d E|c d i e E L V|c d i j e E L V|c d i j E L|c d g E H|c d E S|c m d p q O1 IH1 O2 IH2
    |c d p q O IH|c d p q O IH|c d p E|c m d p O1 IH1 O2 IH2]; simpl; intros Pl Us; try contradiction.
  - exists Eps, []. split; [reflexivity|split; [exact None|split; [now constructor|auto]]].
  - exists (Assign i e), [AInt i]. split; [reflexivity|split; [exact (One (AInt i) I)|split;
    [now constructor|auto]]].
  - exists (Send i j e), [ASend i j]. split; [reflexivity|split; [apply (One (ASend i j)); exact Us|split;
    [now constructor|auto]]].
  - exists (Recv j i), [ARecv j i]. split; [reflexivity|split; [apply (One (ARecv j i)); exact Us|split;
    [now constructor|auto]]].
  - destruct Pl as [Pl1 Pl2], Us as [Us1 Us2].
    destruct (IH1 Pl1 Us1) as (T1 & t1 & A1 & W1 & Oc1 & R1), (IH2 Pl2 Us2) as (T2 & t2 & A2 & W2 & Oc2 & R2).
    exists (Lay T1 T2), (t1 ++ t2). split; [now apply lay_straight|]. split; auto. split; [eapply O_lay; eauto|].
    intros r' c' d' O. apply lay_iff in O as (m' & B1 & B2). eapply O_lay; eauto.
  - destruct (IH (proj1 Pl) (proj1 Us)) as (T & t & A & W & Oc & R). exists T, t.
    split; [exact A|split; [exact W|split; [exact Oc|]]].
    intros r' c' d' O'. apply O_ch1; auto.
  - destruct (IH (proj2 Pl) (proj2 Us)) as (T & t & A & W & Oc & R). exists T, t.
    split; [exact A|split; [exact W|split; [exact Oc|]]].
    intros r' c' d' O'. apply O_ch2; auto.
  - exists Eps, []. split; [reflexivity|split; [exact None|split; [now constructor|]]]. intros r' c' d' O'.
    inversion O'; subst. now apply O_st0.
  - destruct (IH1 Pl Us) as (T1 & t1 & A1 & W1 & Oc1 & R1), (IH2 Pl Us) as (T2 & t2 & A2 & W2 & Oc2 & R2).
    exists (Lay T1 T2), (t1 ++ t2). split; [now apply lay_straight|]. split; auto. split; [eapply O_lay; eauto|].
    intros r' c' d' O. apply lay_iff in O as (m' & B1 & B2). eapply O_st1; eauto.
Qed.

(** Where all channels are empty, there are as many receives as sends. *)
Lemma empty_counts r c i j : matching r -> all_empty r c ->
  length (filter (sndb j) (map (lab r i) (seq 0 (c i)))) = length (filter (rcvb i) (map (lab r j) (seq 0 (c j)))).
Proof.
  intros W Em. rewrite <- (count_map (sndb j)), <- (count_map (rcvb i)).
  set (Ss := filter (fun k => sndb j (lab r i k)) (seq 0 (c i))).
  set (Rs := filter (fun k => rcvb i (lab r j k)) (seq 0 (c j))).
  set (f := fun k => snd (delta r (j, k))).
  assert (HR : forall k, In k Rs -> is_rcv r (j, k) i j /\ k < c j).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply rcvb_spec in H2. split; [split; auto|lia]. }
  assert (HS : forall k, In k Ss -> is_snd r (i, k) i j /\ k < c i).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply sndb_spec in H2. split; [split; auto|lia]. }
  assert (Inj : NoDup (map f Rs)).
  { apply NoDup_map_on; [|apply NoDup_filter, seq_NoDup]. intros a b Ha Hb E.
    destruct (HR a Ha) as [Ra _], (HR b Hb) as [Rb _].
    destruct (delta_snd r W _ _ _ Ra) as [Fa _], (delta_snd r W _ _ _ Rb) as [Fb _].
    assert ((j, a) = (j, b)); [|congruence]. eapply (delta_inj r W); eauto.
    unfold f in E. destruct (delta r (j, a)), (delta r (j, b)); simpl in *; congruence. }
  assert (Inc : incl (map f Rs) Ss).
  { intros w Hw. apply in_map_iff in Hw as (k & <- & Hk). destruct (HR k Hk) as [Rk Lk].
    destruct (delta_snd r W _ _ _ Rk) as [Fk Sk].
    assert (I : inside c (delta r (j, k))).
    { destruct (classic (inside c (delta r (j, k)))) as [|O]; auto. exfalso.
      apply (Em i j (j, k)). split; [exact Lk|right]. split; auto. }
    unfold inside in I. rewrite Fk in *. apply filter_In. split; [apply in_seq; unfold f; lia|]. apply sndb_spec.
      exact Sk. }
  assert (Inc' : incl Ss (map f Rs)).
  { intros w Hw. destruct (HS w Hw) as [Sw Lw].
    destruct (classic (exists e a b, is_rcv r e a b /\ inside c e /\ delta r e = (i,
      w))) as [(e & a & b & R & I & D)|None].
    - destruct (delta_snd r W _ _ _ R) as [F L]. rewrite D in F, L. simpl in F, L. subst a.
      destruct Sw as [_ L']. simpl in L'. rewrite L in L'. injection L' as ->.
      destruct e as [b' k]. assert (E : b' = j) by (destruct R; auto). subst b'.
      apply in_map_iff. exists k. unfold f. rewrite D. split; auto.
      apply filter_In. split; [apply in_seq; unfold inside in I; simpl in I; lia|]. apply rcvb_spec. apply R.
    - exfalso. apply (Em i j (i, w)). split; [exact Lw|left]. split; auto.
      intros e a b R I D. apply None. exists e, a, b; auto. }
  pose proof (NoDup_incl_length Inj Inc). assert (NoDup Ss) as Nd by apply NoDup_filter, seq_NoDup.
  pose proof (NoDup_incl_length Nd Inc'). rewrite map_length in *. lia.
Qed.

(** So a straight-line program that starts and ends with empty channels is balanced. *)
Lemma balanced_between r c d l : matching r -> all_empty r c -> all_empty r d -> follows r c l d -> balanced l.
Proof.
  intros W Ec Ed F i j. pose proof (empty_counts r c i j W Ec) as Cc. pose proof (empty_counts r d i j W Ed) as Cd.
  destruct (F i) as [Di Mi], (F j) as [Dj Mj]. rewrite Di, Dj, !seq_app, !map_app, !filter_app, !app_length in Cd.
  simpl in Cd. rewrite <- Mi, <- Mj in Cd. lia.
Qed.

(** [S] can run to its end after [P], and then all that was sent has been received. *)
Definition completes_after (P S : prog) := exists r c d,
  RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d /\ all_empty r d.

(** _Programs without guards seal no more than straight-line ones._ *)
Theorem sealability_plain : forall n P p S, 1 <= n -> acts P = Some p -> balanced p -> nofself p -> within n p ->
  dead_free p -> plain S -> of_processes n S -> completes_after P S -> Seals RelNS S P -> one_block n (learnt p).
Proof.
  intros n P p S N1 HP Bp Np Wp Dp Pl Us (r & c & d & [[[W V] Re] Nr] & Ec & O & Ed) Se.
  apply lay_iff in O as (m & O1 & O2).
  destruct (resolution n r m S d O2 Pl Us) as (T & t & HT & Wt & Ot & RT).
  pose proof (occurs_follows r P p HP _ _ O1) as F1. pose proof (occurs_follows r T t HT _ _ Ot) as F2.
  pose proof (follows_app r c m d p t F1 F2) as F.
  pose proof (balanced_between r c d (p ++ t) W Ec Ed F) as B.
  assert (Bt : balanced t).
  { intros i j. specialize (B i j). specialize (Bp i j). rewrite !labs_app, !filter_app, !app_length in B. lia. }
  assert (Ns : nofself (p ++ t)).
  { intros i I. apply In_nth_error in I as (k & I). destruct (F i) as [_ M]. rewrite M in I.
    apply nth_map_seq in I as [L _]. apply (Nr (i, c i + k) i). split; auto. }
  assert (Ds : dead_free (p ++ t)).
  { intros e C. apply (shift r c) in C; auto; [|apply empty_silent; auto|intro k; apply F].
    apply (causal r W _ C). }
  apply (sealability n P p HP Bp Np Wp Dp N1). exists T, t. repeat split; auto.
  apply seals_iff. intros r' c' d' G Sc O. apply lay_iff in O as (m' & B1 & B2). exists m'. split; [auto|split; auto].
  rewrite seals_iff in Se. destruct (Se r' c' d' G Sc) as (m'' & B1' & Sm & _).
  - apply lay_iff. exists m'. auto.
  - apply (silent_ceq r' m''); auto.
    pose proof (occurs_follows r' P p HP _ _ B1) as G1. pose proof (occurs_follows r' P p HP _ _ B1') as G2.
    intro i. destruct (G1 i) as [-> _], (G2 i) as [-> _]. reflexivity.
Qed.
