(** * Closed channels over all intervals

    "We define the channel i->j at a cut (r, c) to be the set of i's send events to j and j's receive events from i in
    (r, c) that are not matched by delta_r to any event also in (r, c)", and "P closes i->j (in Rel) if i->j is empty
    after P in any execution of P starting at a cut with empty channels": now for cuts that may be infinite.  A program
    that closes a channel over all intervals closes it over finite ones.  The converse holds of balanced straight-line
    programs that do not deadlock: if a process has gone on for ever, those that have not receive nothing from it, so
    its actions can be left out ([InfiniteStraightLine]).  So the theorems of [ClosedChannels] and the other files about
    the channels that BSLs close hold over all intervals.

    Theorems of the ledger: [bsl_closes_infinite]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality DecideSealing ClosedChannels.
From Sealcheck Require Import InfiniteCuts InfiniteSealAlgebra Restriction InfiniteStraightLine.
Open Scope nat_scope.

Definition iin_channel (r : run) (c : icut) (i j : proc) (e : event) := iinside c e /\
  ((is_snd r e i j /\ forall e' a b, is_rcv r e' a b -> iinside c e' -> delta r e' <> e) \/
   (is_rcv r e i j /\ ~ iinside c (delta r e))).
Definition iempty_channel (r : run) (c : icut) (i j : proc) := forall e, ~ iin_channel r c i j e.
Definition iall_empty (r : run) (c : icut) := forall i j, iempty_channel r c i j.
Definition icloses (u : limit) (G : run -> Prop) (p : prog) (i j : proc) := forall r c d,
  G r -> iall_empty r c -> ioccurs u r c p d -> iempty_channel r d i j.

(** The channel depends on what [i] and [j] have done only. *)
Lemma iin_channel_near r c d i j e : matching r ->
  (forall x, fst x = i \/ fst x = j -> (iinside c x <-> iinside d x)) -> iin_channel r c i j e -> iin_channel r d i j e.
Proof.
  intros M E [I H]. assert (Ie : iinside d e).
  { apply E; auto. destruct H as [[[F _] _]|[[F _] _]]; auto. }
  split; [exact Ie|]. destruct H as [[S U]|[R N]]; [left|right]; split; auto.
  - intros e' a b R I' D. pose proof (delta_snd r M _ _ _ R) as S'. rewrite D in S'.
    assert (b = j) as ->.
    { destruct S as [F L], S' as [F' L']. rewrite L in L'. congruence. }
    apply (U e' a j R); auto. apply E; auto. right. apply R.
  - intro D. apply N. apply E; auto. left. apply (delta_snd r M _ _ _ R).
Qed.

(** At a cut with empty channels, nothing crosses. *)
Lemma iempty_silent r c : matching r -> iall_empty r c -> isilent r c.
Proof.
  intros W E e i j R. split; intro I.
  - apply NNPP. intro N. apply (E i j e). split; auto.
  - apply NNPP. intro N. apply (E i j (delta r e)). split; auto. left. split; [apply (delta_snd r W _ _ _ R)|].
    intros e' a b R' I' D. apply N. now rewrite <- (delta_inj r W _ _ _ _ _ _ R' R D).
Qed.
(** A send before it has been received before it. *)
Lemma iempty_received r c s i j : iall_empty r c -> is_snd r s i j -> iinside c s ->
  exists e a b, is_rcv r e a b /\ iinside c e /\ delta r e = s.
Proof.
  intros E S I. apply NNPP. intro N. apply (E i j s). split; auto. left. split; auto. intros e a b R Ie D.
  apply N. eauto 6.
Qed.

(** A program that closes a channel over all intervals closes it over finite ones. *)
Lemma icloses_closes u G P i j : icloses u G P i j -> closes G P i j.
Proof. intros H r c d g E O. apply (H r (fin c) (fin d) g); [exact E|now apply occurs_here]. Qed.

(** ** Straight-line programs *)

Section Transfer.
Variables (r : run) (c : icut) (l : list act) (i j : proc).
Hypotheses (M : matching r) (Ec : iall_empty r c) (St : istanding r c l) (Bl : balanced l).
(** The last receive leads to the end of the sender: in the oldest-first run it causes what the sender does later. *)
Hypothesis Known : forall y, last_receive l j i y -> causes (fifo l) (j, y) (i, len l i).

Let Sc : isilent r c := iempty_silent r c M Ec.
Let l' := map (without_others (here c)) l.

Lemma before_is_before e : iinside c e -> iinside (end_of c l) e.
Proof. unfold iinside, end_of. destruct (c (fst e)); simpl; lia || auto. Qed.
Lemma old_send_received e : is_snd r e i j -> iinside c e ->
  (forall e' a b, is_rcv r e' a b -> iinside (end_of c l) e' -> delta r e' <> e) -> False.
Proof.
  intros S I U. destruct (iempty_received r c e i j Ec S I) as (e' & a & b & R & I' & D).
  apply (U e' a b R); auto using before_is_before.
Qed.

(** Among the processes that have not gone on for ever it is as at finite cuts. *)
Lemma empty_among_these : here c i j = true -> empty_channel (restrict (here c) r) (fun k => unfin c k + len l k) i j.
Proof.
  intro K. assert (Empty : all_empty (restrict (here c) r) (unfin c)).
  { intros a b e [I H]. assert (X : here c a b = true -> iin_channel r c a b e -> False).
    { intros _ C. exact (Ec a b e C). }
    assert (Near : forall x a b, here c a b = true -> fst x = a \/ fst x = b -> (iinside c x <-> inside (unfin c) x)).
    { intros x a' b' H' [F|F]; apply here_iff in H' as [[k1 K1] [k2 K2]]; [apply (inside_here c x k1)|apply
        (inside_here c x k2)]; congruence. }
    destruct H as [[S U]|[R N]].
    - apply restrict_snd in S as [S Ka]. apply X; auto. split; [apply (Near e a b); auto; left; apply S|]. left.
      split; auto. intros e' a' b' R' I' D.
      assert (S' : is_snd r (delta r e') a' b') by exact (delta_snd r M _ _ _ R').
      assert (a' = a /\ b' = b) as [-> ->].
      { rewrite D in S'. destruct S as [F L], S' as [F' L']. rewrite L in L'. split; congruence. }
      apply (U e' a b); auto; [apply restrict_rcv; auto|]. apply (Near e' a b); auto. right. apply R'.
    - apply restrict_rcv in R as [R Ka]. apply X; auto. split; [apply (Near e a b); auto; right; apply R|]. right.
      split; auto. intro D. apply N. apply (Near (delta r e) a b); auto. left. apply (delta_snd r M _ _ _ R). }
  pose proof (without_others_stands r c l St) as St'. fold l' in St'.
  assert (H : empty_channel (restrict (here c) r) (fun k => unfin c k + len l' k) i j).
  { apply known_receive_empty; [now apply restrict_matching|exact Empty|exact St'|now apply without_balanced|].
    intros y z [Hy Last] Lz.
    apply without_rcv in Hy as [Hy _]. assert (Ly : last_receive l j i y).
    { split; auto. intros y' Hy'. apply Last. unfold l'. rewrite without_labs, nth_error_map, Hy'. simpl.
      now rewrite K. }
    apply Known in Ly. pose proof K as K'. apply here_iff in K' as [[x X] _].
    apply (path_among_these r c l M Sc St) in Ly as [_ Ly]; [|unfold still_here; simpl; now rewrite X].
    fold l' in Ly. apply (shift (restrict (here c) r) (unfin c) l') in Ly; auto using restrict_matching.
    - cbn [fst snd] in Ly. unfold l' in Lz. rewrite without_len in Lz. eapply causes_local_ge; eauto.
    - now apply without_others_silent. }
  intros e [I H']. apply (H e). split; [unfold inside, l' in *; now rewrite without_len|].
  destruct H' as [[S U]|[R N]]; [left|right]; split; auto.
  - intros e' a b R' I'. apply (U e' a b R'). unfold inside, l' in *. now rewrite without_len in I'.
  - intro D. apply N. unfold inside, l' in *. now rewrite without_len in D.
Qed.

Lemma empty_after : iempty_channel r (end_of c l) i j.
Proof.
  intros e [Ie He]. destruct (c i) as [x|] eqn:Ci.
  2: { (* all that i sends is before c *)
    destruct He as [[S U]|[R N]].
    - apply (old_send_received e S); auto. unfold iinside. destruct S as [F _]. now rewrite F, Ci.
    - apply N. destruct (delta_snd r M _ _ _ R) as [F _]. unfold iinside, end_of. now rewrite F, Ci. }
  destruct (c j) as [y|] eqn:Cj.
  2: { (* j receives nothing any more, and i sends nothing to it *)
    destruct He as [[S U]|[R N]].
    - destruct (classic (iinside c e)) as [I|I]; [now apply (old_send_received e S)|].
      destruct e as [i' k]. destruct S as [F L]. cbn [fst snd] in F, L. subst i'. unfold iinside, end_of in Ie, I.
      cbn [fst snd] in Ie, I. rewrite Ci in Ie, I. simpl in Ie.
      assert (Hs : nth_error (labs i l) (k - x) = Some (Snd j)).
      { rewrite (St i x Ci), nth_map_seq' by lia. replace (x + (k - x)) with k by lia. now f_equal. }
      assert (L1 : 0 < length (filter (rcvb i) (labs j l))).
      { rewrite <- Bl. eapply Nat.le_lt_trans; [|apply (count_lt (sndb j) _ _ _ Hs); now apply sndb_spec]. lia. }
      destruct (nthpos_spec _ _ _ L1) as (a & Hz & Ra & _). apply rcvb_spec in Ra. subst a.
      set (z := nthpos (rcvb i) (labs j l) 0) in Hz.
      destruct (last_exists l j i z Hz) as (y' & Last & _). apply Known in Last.
      apply (path_among_these r c l M Sc St) in Last as [Hj _]; [|unfold still_here; simpl; now rewrite Ci].
      unfold still_here in Hj. simpl in Hj. now rewrite Cj in Hj.
    - assert (I : iinside c e) by (unfold iinside; destruct R as [F _]; now rewrite F, Cj).
      apply N, before_is_before. now apply (Sc e i j R). }
  assert (K : here c i j = true) by (apply here_iff; eauto).
  assert (Near : forall z, fst z = i \/ fst z = j ->
    (iinside (end_of c l) z <-> inside (fun k => unfin c k + len l k) z)).
  { intros z [F|F]; unfold iinside, inside, end_of, unfin; rewrite F, ?Ci, ?Cj; simpl; tauto. }
  apply (empty_among_these K e). destruct He as [[S U]|[R N]].
  - split; [apply Near; auto; left; apply S|left]. split; [now apply restrict_snd|]. intros e' a b R' I' D.
    apply restrict_rcv in R' as [R' _]. pose proof (delta_snd r M _ _ _ R') as S'. change (delta r e' = e) in D.
    assert (a = i /\ b = j) as [-> ->].
    { rewrite D in S'. destruct S as [F L], S' as [F' L']. rewrite L in L'. split; congruence. }
    apply (U e' i j R'); auto. apply Near; auto. right. apply R'.
  - split; [apply Near; auto; right; apply R|right]. split; [now apply restrict_rcv|]. intro D. apply N.
    apply Near; auto. left. apply (delta_snd r M _ _ _ R).
Qed.
End Transfer.

Lemma closes_infinite_in u (G : run -> Prop) P p i j : (forall r, G r -> matching r) ->
  (~ closes G P i j <-> exists y, sig_rcv p j i y) -> acts P = Some p -> balanced p ->
  (icloses u G P i j <-> closes G P i j).
Proof.
  intros GM Sig A B. split; [apply icloses_closes|]. intros C r c d g E O. pose proof (GM r g) as M.
  destruct (ioccurs_stands u r P p A _ _ O) as [Ed St]. intros e I.
  apply (iin_channel_near r d (end_of c p)) in I; [|exact M|intros x _; unfold iinside; now rewrite (Ed (fst x))].
  revert I. apply empty_after; auto. intros y Last.
  assert (Pa : path p (Ev j y) (Ld i)) by (apply NNPP; intro X; apply Sig; [exists y; now split|exact C]).
  assert (B0 : balanced []) by (intros a b; reflexivity).
  apply (path_left p []) in Pa as [Ca _]; auto; [|discriminate]. rewrite app_nil_r in Ca. exact Ca.
Qed.

(** _A BSL closes a channel over all intervals exactly if it does over finite ones_. *)
Theorem bsl_closes_infinite : forall u P p i j, acts P = Some p -> balanced p -> dead_free p ->
  (icloses u Rel P i j <-> closes Rel P i j) /\ (nofself p -> (icloses u RelNS P i j <-> closes RelNS P i j)).
Proof.
  intros u P p i j A B D. split; [|intro N]; apply closes_infinite_in with p; auto.
  - now intros r [[M _] _].
  - now apply closed_channels_self.
  - now intros r [[[M _] _] _].
  - now apply closed_channels.
Qed.
