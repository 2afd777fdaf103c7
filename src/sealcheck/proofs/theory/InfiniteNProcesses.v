(** * n processes, self-channels, and channels over all intervals

    [NProcesses] says that programs of n processes close channels and are balanced in the runs of n processes exactly if
    they do so in Rel, over finite intervals; and the same of self-channels.  Here it is over all intervals.

    Theorems of the ledger: [n_processes_channels_infinite]. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility InfiniteCuts InfiniteSealAlgebra Restriction.
From Sealcheck Require Import NProcesses InfiniteChannels InfiniteBalance.
Open Scope nat_scope.

(** These programs do not tell by channels which of the two sets a run is from. *)
Definition same_channels (of_these : prog -> Prop) (G G' : run -> Prop) := forall u P, of_these P ->
  (forall i j, icloses u G P i j <-> icloses u G' P i j) /\ (iBalanced u G P <-> iBalanced u G' P).

(** A channel that stays is the same in the restricted run. *)
Lemma kept_channel keeps r d i j e : matching r -> keeps i j = true ->
  (iin_channel (restrict keeps r) d i j e <-> iin_channel r d i j e).
Proof.
  intros M K. split; intros [I H]; (split; [exact I|]).
  - destruct H as [[S U]|[R N]].
    + left. apply restrict_snd in S as [S _]. split; auto. intros e' a b R I' D.
      apply (U e' a b); auto. apply restrict_rcv. split; auto. pose proof (delta_snd r M _ _ _ R) as S'.
      rewrite D in S'. destruct S as [F L], S' as [F' L']. rewrite L in L'. congruence.
    + right. apply restrict_rcv in R as [R _]. auto.
  - destruct H as [[S U]|[R N]].
    + left. split; [now apply restrict_snd|]. intros e' a b R. apply restrict_rcv in R as [R _]. eauto.
    + right. split; [now apply restrict_rcv|auto].
Qed.
(** The others stay empty, there and here. *)
Lemma others_empty keeps r c d i j : iall_empty r c -> icle c d -> quiet keeps r c d -> keeps i j = false ->
  iempty_channel r d i j.
Proof.
  intros E Le Q K e [I H]. assert (Old : is_snd r e i j \/ is_rcv r e i j -> iinside c e).
  { intro R. apply NNPP. intro N. specialize (Q e N I).
    destruct R as [[F L]|[F L]]; rewrite L in Q; simpl in Q; rewrite F, K in Q; discriminate. }
  apply (E i j e). destruct H as [[S U]|[R N]].
  - split; [auto|left]. split; auto. intros e' a b R I'. apply (U e' a b R). now apply (icle_inside c).
  - split; [auto|right]. split; auto. intro D. apply N. now apply (icle_inside c).
Qed.
Lemma restricted_empty keeps r c : matching r -> iall_empty r c -> iall_empty (restrict keeps r) c.
Proof.
  intros M E i j e I. destruct (keeps i j) eqn:K; [apply (E i j e); now apply (kept_channel keeps)|].
  destruct I as [_ [[S _]|[R _]]]; [apply restrict_snd in S as [_ S]|apply restrict_rcv in R as [_ R]]; congruence.
Qed.

Lemma same_channels_if_restricted keeps (G G' : run -> Prop) : (forall r, G r -> matching r) ->
  (forall r, G' r -> G r) -> (forall r, G r -> G' (restrict keeps r)) -> same_channels (confined keeps) G G'.
Proof.
  intros GM Part Closed u P C. split; [intros i j|]; (split; [intros H r c d g; now apply (H r c d), Part|]).
  - intros H r c d g E O. pose proof (GM r g) as M. destruct (keeps i j) eqn:K.
    + intros e I. apply (H (restrict keeps r) c d (Closed r g)) with e; auto using restricted_empty, occurs_restricted.
      now apply kept_channel.
    + apply (others_empty keeps r c); auto; [eapply occurs_icle; eauto|eapply occurs_quiet; eauto].
  - intros H r c d g E O i j. pose proof (GM r g) as M. destruct (keeps i j) eqn:K.
    + destruct (H (restrict keeps r) c d (Closed r g)) with (i := i) (j := j) as (pair & A & B & U);
        auto using restricted_empty, occurs_restricted.
      assert (S : forall e, iin_channel r d i j e /\ is_snd r e i j <->
        iin_channel (restrict keeps r) d i j e /\ is_snd (restrict keeps r) e i j).
      { intro e. rewrite kept_channel, restrict_snd by auto. tauto. }
      assert (R : forall e, iin_channel r d i j e /\ is_rcv r e i j <->
        iin_channel (restrict keeps r) d i j e /\ is_rcv (restrict keeps r) e i j).
      { intro e. rewrite kept_channel, restrict_rcv by auto. tauto. }
      exists pair. split; [|split].
      * intros x X. apply S, A in X as (y & Y & X). apply R in Y. eauto.
      * intros y Y. apply R, B in Y as (x & X & Y). apply S in X. eauto.
      * intros x y x' y' X Y X' Y'. apply U; [now apply S|now apply R|now apply S|now apply R].
    + assert (Em : iempty_channel r d i j).
      { apply (others_empty keeps r c); auto; [eapply occurs_icle; eauto|eapply occurs_quiet; eauto]. }
      apply none_equally; intros e [I _]; exact (Em e I).
Qed.

(** _Programs of n processes do not tell runs of n processes from others by the channels that they close, nor by
    balance, over all intervals; nor programs without messages to oneself, whether others send them_. *)
Theorem n_processes_channels_infinite : forall n,
  same_channels (confined (between_of n)) Rel (fun r => RelNS r /\ run_among n r) /\
  same_channels (confined (between_of n)) RelNS (fun r => RelNS r /\ run_among n r) /\
  same_channels (confined (channels_of n)) Rel (fun r => Rel r /\ run_among n r) /\
  same_channels (confined (channels_of n)) RelFi (fun r => RelFi r /\ run_among n r) /\
  same_channels (confined between_all) Rel RelNS.
Proof.
  intro n. assert (B : forall i j, between_of n i j = true -> i < n /\ j < n) by (intros i j; rewrite between_of_iff;
    tauto).
  assert (A : forall i j, channels_of n i j = true -> i < n /\ j < n) by (intros i j; apply all_of_iff).
  split; [|split; [|split; [|split]]]; apply same_channels_if_restricted.
  - intros r [[M _] _]. exact M.
  - intros r [[R _] _]. exact R.
  - intros r R. split; [split|]; auto using restrict_Rel, restrict_noself, between_self, restrict_among.
  - intros r [[[M _] _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r [R _]. split; [split|]; auto using restrict_Rel, restrict_noself, between_self, restrict_among.
  - intros r [[M _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; auto using restrict_Rel, restrict_among.
  - intros r [[[M _] _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; auto using restrict_RelFi, restrict_among.
  - intros r [[M _] _]. exact M.
  - intros r [R _]. exact R.
  - intros r R. split; [now apply restrict_Rel|]. apply restrict_noself. intro i. unfold between_all.
    now rewrite Nat.eqb_refl.
Qed.
