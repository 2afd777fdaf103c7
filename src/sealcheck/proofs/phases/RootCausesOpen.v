(** * Root causes, whatever follows

    Any program may follow the layers, as one more layer.  A single message on the channel is the worst case: its send
    follows as soon as the sender is done, and its receive may take a message that the layers left over. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality Prefix.
From Sealcheck Require Import NoBarrier Phases PhasesRepeated RootCauses RootCausesRepeated.
Open Scope nat_scope.

(** As [root_cause], without a silent cut at the end: something may follow.  A receive that comes after the layers must
    not take a message of theirs. *)
Definition root_cause_open (G : run -> Prop) (Ps : list prog) (ls : list (list act)) (i j : proc) := exists r c d,
  G r /\ occurs r c (Lay Chop (sequence Ps)) d /\ heed_tags r c ls (fun a b => (a, b) <> (i, j)) /\
  exists e, is_rcv r e i j /\ ~ own r c ls e.
Definition stay_apart_open_tagged (G : run -> Prop) (tagged : proc -> proc -> Prop) (Ps : list prog)
  (ls : list (list act)) := forall r c d, G r -> occurs r c (Lay Chop (sequence Ps)) d ->
  heed_tags r c ls tagged -> occurs r c (apart Ps) d.

(** One message more. *)
Definition interferes_open (ls : list (list act)) (i j : proc) := interferes (ls ++ [mt_actions i j]) i j.

(** ** What follows does no more harm than a message *)

(** Nothing leads on from the end of a process, so paths to there are paths of what is before. *)
Lemma path_to_end l t u i : balanced l -> (forall j, nth_error (labs i t) 0 <> Some (Rcv j)) ->
  forall k, k <= len l i -> causes (fifo (l ++ t)) u (i, k) -> causes (fifo l) u (i, k).
Proof.
  intros B N k L P. destruct (Nat.eq_dec k (len l i)) as [->|D].
  2:{ apply (fifo_back l t B) in P; [tauto|]. unfold inside. simpl. lia. }
  assert (S : forall v, step (fifo (l ++ t)) v (i, len l i) -> inside (len l) v /\ step (fifo l) v (i, len l i)).
  { intros v [[F Lt]|(a & b & R & _)]; [split; [unfold inside; simpl in *; now rewrite F|now left]|]. exfalso.
    apply fifo_rcv in R as [_ R]. rewrite <- (Nat.add_0_r (len l i)), suffix_nth in R. exact (N a R). }
  apply last_step in P as [P|(v & P & Q)]; [apply t_step; now apply S|]. apply S in Q as [I Q].
  apply (fifo_back l t B) in P as [P _]; auto. eapply t_trans; [exact P|now apply t_step].
Qed.

(** The receives that take messages in a list are finitely many. *)
Lemma takers r (L : list event) : matching r ->
  exists L', forall e i j, is_rcv r e i j -> In (delta r e) L -> In e L'.
Proof.
  intro W. induction L as [|s L (L' & H)]; [now exists []|].
  destruct (classic (exists e i j, is_rcv r e i j /\ delta r e = s)) as [(e & i & j & R & D)|N].
  - exists (e :: L'). intros e' a b R' [D'|I]; [left|right; eapply H; eauto].
    apply (delta_inj r W _ _ _ _ _ _ R R'). congruence.
  - exists L'. intros e' a b R' [D'|I]; [|eapply H; eauto]. exfalso. apply N. eauto 6.
Qed.

Lemma concat_one {A} (l : list A) : concat [l] = l.
Proof. apply app_nil_r. Qed.

(** The sender of a message does not begin with a receive. *)
Lemma message_no_receive i j k : nth_error (labs i (concat [trim (mt_actions i j)])) 0 <> Some (Rcv k).
Proof.
  rewrite concat_one. intro H. apply (thinner_rcv (mt_actions i j) _ (trim_thinner _ _)) in H.
  rewrite message_labs, Nat.eqb_refl in H. discriminate.
Qed.

Section Open.
Variables (Ps : list prog) (ls : list (list act)).
Hypotheses (Ls : layers Ps ls) (F : forall l, In l ls -> fits l) (D : forall l, In l ls -> dead_free l).
Let C := concat ls.
Let T := concat (map trim ls).

Lemma wrong_interferes_open r c d : matching r -> occurs r c (Lay Chop (sequence Ps)) d ->
  (exists e i j, is_rcv r e i j /\ ~ own r c ls e) ->
  exists e i j, is_rcv r e i j /\ ~ own r c ls e /\ interferes_open ls i j.
Proof.
  intros W O Wr. apply chop_first in O as [Sc O]. pose proof (all_trimmed ls F) as Tr.
  pose proof (occurs_follows r _ _ (sequence_acts Ps ls Ls) _ _ O) as Fo.
  assert (St : standing r c C) by (intro k; apply Fo).
  pose proof (begun_all ls r c St) as Be. set (m := cut_after c ls) in *.
  assert (Co : all_taken_up ls c m) by (intro k; reflexivity).
  set (L := map (at_cut c) (events_of C)). destruct (takers r L W) as [L' HL].
  assert (InL : forall e, inside m e -> ~ inside c e -> In e L).
  { intros [k q] I N. apply in_map_iff. exists (k, q - c k). unfold inside in *. rewrite (Co (fst (k, q))) in I.
    unfold at_cut. simpl in *. split; [f_equal; lia|]. apply events_all. fold C in I. lia. }
  destruct (first_wrong ls r c (fun _ => True) (L ++ L') W) as (e & i & j & R & _ & N & First).
  { intros e i j R _ N. destruct (not_own ls r c Sc e i j R N) as (as_ & bs & E & X & Nc & Ns).
    pose proof (cut_after_le ls c as_ bs (fst e) E). pose proof (cut_after_le ls c as_ bs (fst (delta r e)) E).
    apply in_or_app. destruct (classic (inside (cut_after c as_) e)) as [I|I]; [left|right].
    - apply InL; auto. unfold inside in *. rewrite (Co (fst e)). lia.
    - apply (HL e i j R), InL; auto. unfold inside in *. rewrite (Co (fst (delta r e))). lia. }
  { destruct Wr as (e & i & j & R & N). eauto 6. }
  exists e, i, j. split; auto. split; auto. destruct (not_own ls r c Sc e i j R N) as (as_ & bs & E & X & Nc & Ns).
  pose proof (cut_after_le ls c as_ bs) as Le.
  destruct (classic (inside (cut_after c as_) e)) as [I|I].
  - (* it takes a message of a later layer, or one that follows *)
    right. intro Rc. destruct (later_layer_message ls _ Tr r c m W Be (or_intror Co) e i j as_ bs)
      as (before & x & rest & y & Ea & Last & P); auto; try tauto.
    { intros e' a b R' C'. exact (First e' a b R' C' Logic.I). }
    { unfold inside in *. specialize (Le (fst e) E). rewrite (Co (fst e)). lia. }
    assert (No : ~ inside (cut_after c as_) (delta r e)) by tauto. clear X.
    destruct (delta_snd r W _ _ _ R) as [Fs Lz]. destruct (delta r e) as [i' Z]. simpl in Fs, Lz, P. subst i'.
    assert (E' : ls ++ [mt_actions i j] = before ++ x :: (rest ++ bs ++ [mt_actions i j]))
      by (rewrite E, Ea, <- !app_assoc; reflexivity).
    assert (Lx : forall k, len (concat as_) k = len (concat before ++ x) k + len (concat rest) k)
      by (intro k; rewrite Ea, concat_split, !len_app; simpl; rewrite len_app; lia).
    assert (LC : forall k, len C k = len (concat as_) k + len (concat bs) k)
      by (intro k; unfold C; rewrite E, concat_split, len_app; lia).
    unfold inside, cut_after in No; simpl in No.
    assert (Send : exists w, nth_error (labs i (concat (rest ++ bs ++ [mt_actions i j]))) w = Some (Snd j) /\
      c i + (len (concat before ++ x) i + w) <= Z /\ len (concat before ++ x) i + w <= len C i).
    { destruct (lt_dec Z (m i)) as [Lm|Gm].
      - exists (len (concat rest) i + (Z - (c i + len (concat as_) i))). rewrite (Co i) in Lm. fold C in Lm.
        split; [|rewrite LC in *; specialize (Lx i); lia].
        rewrite !concat_split, suffix_nth. apply prefix_nth.
        rewrite <- (suffix_nth i (concat as_)), <- concat_split, <- E, <- Lz.
        replace (len _ i + _) with (Z - c i) by lia. apply (label_at ls r c m); auto; lia.
      - exists (len (concat (rest ++ bs)) i). rewrite (Co i) in Gm. fold C in Gm. split.
        + rewrite app_assoc, concat_split, <- (Nat.add_0_r (len _ i)), suffix_nth.
          now rewrite concat_one, message_labs, Nat.eqb_refl.
        + assert (len (concat (rest ++ bs)) i = len (concat rest) i + len (concat bs) i)
            by (now rewrite concat_split, len_app).
          specialize (Lx i). specialize (LC i). lia. }
    destruct Send as (w & Hw & L1 & L2). destruct (first_send_exists _ _ _ _ Hw) as (z0 & Fi & Lw).
    apply (P (len (concat before ++ x) i + z0)); [lia|].
    apply (path_to_end T (concat [trim (mt_actions i j)])); [apply (trimmed_concat _ _ Tr)| | |].
    + apply message_no_receive.
    + pose proof (trim_len ls _ i Tr) as Q. fold T C in Q. lia.
    + unfold T. rewrite <- concat_split. pose proof (Rc before x _ E' y z0 Last Fi) as Q. now rewrite map_app in Q.
  - (* it takes a message of an earlier layer *)
    left. destruct (earlier_message ls r c m W Be (or_intror Co) e i j as_ bs) as (before & x & rest & Ea & Lo); auto;
      try tauto.
    { intros e' a b R' C'. exact (First e' a b R' C' Logic.I). }
    exists before, x, (rest ++ bs ++ [mt_actions i j]). split; [rewrite E, Ea, <- !app_assoc; reflexivity|split; auto].
    rewrite !concat_split, !labs_app. apply in_or_app. right. apply in_or_app. right.
    rewrite concat_one, message_labs, Nat.eqb_refl. apply in_or_app. right. now left.
Qed.

(** ** A message that follows does as much *)

Lemma own_before r c ms e : own r c (ls ++ ms) e -> own r c ls e.
Proof. intros O as_ bs E. apply (O as_ (bs ++ ms)). now rewrite E, <- app_assoc. Qed.

Lemma followed_root_cause G Q i j : root_cause G (Ps ++ [Q]) (ls ++ [mt_actions i j]) i j ->
  layers [Q] [mt_actions i j] -> root_cause_open G Ps ls i j.
Proof.
  intros (r & c & d & g & O & H & e & R & N) LQ. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd].
  pose proof (occurs_follows r _ _ (sequence_acts _ _ (layers_app _ _ _ _ Ls LQ)) _ _ O) as Fo.
  apply sequence_app in O as (k & O & _). exists r, c, k. split; auto. split; [apply chop_first; auto|].
  split; [intros e' a b R' B; apply (own_before r c [mt_actions i j]), (H e' a b R' B)|].
  exists e. split; auto. intro O'. apply N. intros as_ bs E. destruct bs as [|l bs] using rev_ind.
  - rewrite app_nil_r in E. subst as_. pose proof (Sd e i j R) as S. unfold inside, cut_after in *.
    destruct (Fo (fst e)) as [<- _]. destruct (Fo (fst (delta r e))) as [<- _]. exact S.
  - rewrite app_assoc in E. apply app_inj_tail in E as [E _]. exact (O' as_ bs E).
Qed.

Lemma interferes_open_root i j : nofself C -> i <> j -> interferes_open ls i j -> root_cause_open RelNS Ps ls i j.
Proof.
  intros N Nij I. assert (LQ : layers [mt i j (fun _ => 0%Z)] [mt_actions i j]) by (repeat constructor).
  apply (followed_root_cause RelNS (mt i j (fun _ => 0%Z))); auto.
  assert (Each : forall P : list act -> Prop, (forall l, In l ls -> P l) -> P (mt_actions i j) ->
    forall l, In l (ls ++ [mt_actions i j]) -> P l).
  { intros P H M l Il. apply in_app_or in Il as [Il|[<-|[]]]; auto. }
  apply root_causes; auto using layers_app.
  - apply Each; auto. apply balanced_fits, message_balanced.
  - apply Each; auto. apply (oneway_dead_free i j); auto using message_balanced, message_oneway.
  - intros k H. rewrite concat_split, labs_app in H. apply in_app_or in H as [H|H]; [now apply (N k)|].
    rewrite concat_one, message_labs in H. destruct (i =? k) eqn:E1, (j =? k) eqn:E2; simpl in H; try tauto;
      try apply Nat.eqb_eq in E1; try apply Nat.eqb_eq in E2; intuition congruence.
Qed.
End Open.

(** ** The theorems *)

(** _Whatever follows, the root causes are the channels that interfere if a message follows on them_.  In RelNS there is
    no channel from a process to itself. *)
Theorem root_causes_open : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  forall i j, i <> j -> (root_cause_open RelNS Ps ls i j <-> interferes_open ls i j).
Proof.
  intros Ps ls Ls F D N i j Nij. split; [|now apply interferes_open_root].
  intros (r & c & d & g & O & H & e & R & X).
  destruct (wrong_interferes_open Ps ls Ls F r c d (RelNS_matching r g) O) as (e' & a & b & R' & X' & I); eauto.
  destruct (classic ((a, b) = (i, j))) as [E|B]; [injection E as -> ->; auto|]. destruct (X' (H e' a b R' B)).
Qed.

(** _Tags on some channels are enough, whatever follows, exactly if these are all root causes, or more_.  Without tags,
    the layers stay apart exactly if there is no root cause. *)
Theorem tags_open : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  forall tagged, stay_apart_open_tagged RelNS tagged Ps ls <->
    forall i j, root_cause_open RelNS Ps ls i j -> tagged i j.
Proof.
  intros Ps ls Ls F D N tagged. split.
  - intros S i j (r & c & d & g & O & H & e & R & X). apply NNPP. intro Nt. apply X.
    assert (A : occurs r c (apart Ps) d).
    { apply S; auto. intros x a b Rx Tx. apply (H x a b Rx). intro E. injection E as -> ->. auto. }
    apply (apart_own ls Ps Ls) in A as [_ A]; [now apply (A e i j)|]. now apply chop_first in O.
  - intros S r c d g O H. pose proof O as O'. apply chop_first in O' as [Sc O'].
    apply (apart_own ls Ps Ls); auto. split; auto. intros e i j R. apply NNPP. intro X.
    destruct (wrong_interferes_open Ps ls Ls F r c d (RelNS_matching r g) O) as (e' & a & b & R' & X' & I); eauto.
    apply X', (H e' a b R'), S, interferes_open_root; auto.
    intros ->. destruct g as [[[W _] _] NS]. apply (NS (delta r e') b). exact (delta_snd r W _ _ _ R').
Qed.
Corollary apart_open_without_root_causes : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  (stay_apart_open RelNS Ps <-> forall i j, ~ root_cause_open RelNS Ps ls i j).
Proof.
  intros Ps ls Ls F D N. rewrite <- (tags_open Ps ls Ls F D N (fun _ _ => False)).
  split; intros S r c d g O; [intros _|apply S; auto]; [now apply S|]. intros e i j _ [].
Qed.

(** ** Repeated layers: one round has all root causes, since further rounds are something that may follow *)

Lemma interferes_open_one ls k i j : (forall l, In l ls -> fits l) -> interferes_open (rounds k ls) i j ->
  interferes_open ls i j.
Proof.
  intros F [(before & x & rest & E & Lo & _)|N].
  - left. assert (Ix : In x (rounds k ls ++ [mt_actions i j])) by (rewrite E; apply in_or_app; right; now left).
    apply in_app_or in Ix as [Ix|[<-|[]]].
    2:{ unfold left_over in Lo. rewrite (message_balanced i j) in Lo. lia. }
    apply in_rounds, in_split in Ix as (as_ & bs & ->). exists as_, x, (bs ++ [mt_actions i j]).
    split; [now rewrite <- app_assoc|split; auto]. rewrite concat_split, labs_app. apply in_or_app. right.
    rewrite concat_one, message_labs, Nat.eqb_refl. apply in_or_app. right. now left.
  - right. intro R. apply N. intros before x rest E y z Last First.
    destruct rest as [|l rest _] using rev_ind; [destruct First as [H _]; destruct z; discriminate|].
    assert (E' : rounds k ls ++ [mt_actions i j] = (before ++ x :: rest) ++ [l])
      by (rewrite E, <- app_assoc; reflexivity).
    apply app_inj_tail in E' as [Er <-].
    destruct (layer_of_round ls k before x rest Er) as (q & m & as_ & bs & -> & Els & -> & ->).
    set (D := concat (rounds q (map trim ls))). set (T := concat (map trim ls)).
    assert (Tr : Forall2 trimmed ls (map trim ls)) by now apply all_trimmed.
    assert (Bt : forall t, In t (map trim ls) -> balanced t).
    { intros t I. apply in_map_iff in I as (l & <- & I). apply trim_trimmed, F, I. }
    assert (Same : Forall2 (fun l t => forall i, len t i = len l i) ls (map trim ls)).
    { clear - Tr. induction Tr as [|l t ls ts X _ IH]; constructor; auto. intro w. apply thinner_len, X. }
    assert (Send : nth_error (labs i (concat (bs ++ [mt_actions i j]))) (len (concat bs) i) = Some (Snd j)).
    { rewrite concat_split, <- (Nat.add_0_r (len _ i)), suffix_nth, concat_one, message_labs, Nat.eqb_refl.
      reflexivity. }
    destruct (first_send_exists _ _ _ _ Send) as (z1 & Fi & Lz).
    assert (Lz1 : z1 <= z).
    { destruct (lt_dec z (len (concat bs) i)) as [L|G]; [|lia]. apply (proj2 Fi). destruct First as [H _].
      rewrite <- app_assoc, concat_split in H. rewrite concat_split. apply prefix_nth.
      now apply prefix_nth_back in H. }
    assert (E2 : ls ++ [mt_actions i j] = as_ ++ x :: (bs ++ [mt_actions i j]))
      by (rewrite Els at 1; now rewrite <- app_assoc).
    pose proof (R as_ x _ E2 y z1 Last Fi) as P. rewrite map_app, concat_split in P. fold T in P.
    apply path_to_end in P.
    + pose proof (balanced_rounds (map trim ls) Bt q : balanced D) as BD.
      assert (BT : balanced T) by now apply balanced_concat.
      apply (causes_suffix D T _ _ BD BT) in P.
      apply (fifo_mono _ (concat (rounds m (map trim ls)) ++ trim (mt_actions i j))) in P; auto using balanced_app.
      replace (concat (map trim (rounds (q + S m) ls ++ [mt_actions i j]))) with
        ((D ++ T) ++ concat (rounds m (map trim ls)) ++ trim (mt_actions i j)).
      * unfold later in P. simpl in P. unfold D in P. rewrite !(same_rounds ls _ Same) in P. fold D in P.
        rewrite !concat_split in *. rewrite !len_app in *.
        apply causes_local_ge with (len (concat (rounds q ls)) i + (len (concat as_) i + len x i + z1)); [lia|].
        rewrite <- !Nat.add_assoc in *. exact P.
      * rewrite map_app, map_rounds, concat_split, rounds_app, concat_split.
        change (rounds (S m) (map trim ls)) with (map trim ls ++ rounds m (map trim ls)).
        change (map trim [mt_actions i j]) with [trim (mt_actions i j)].
        rewrite concat_one, concat_split. unfold D, T. now rewrite <- !app_assoc.
    + apply (trimmed_concat _ _ Tr).
    + apply message_no_receive.
    + pose proof (trim_len ls _ i Tr) as Q. fold T in Q. rewrite Q, Els, !concat_split. simpl. rewrite !len_app. lia.
Qed.

(** _A channel is a root cause in some number of rounds, whatever follows, exactly if it is one in one round_. *)
Theorem root_causes_open_repeated : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) -> forall i j, i <> j ->
  ((exists k, root_cause_open RelNS (rounds k Ps) (rounds k ls) i j) <-> interferes_open ls i j).
Proof.
  intros Ps ls Ls F D N i j Nij. split.
  - intros (k & R). apply (interferes_open_one ls k); auto. apply (root_causes_open (rounds k Ps)) in R;
      auto using layers_rounds, nofself_rounds; intros l I; apply in_rounds in I; auto.
  - intro I. exists 1. unfold rounds. simpl. rewrite !app_nil_r. now apply root_causes_open.
Qed.
