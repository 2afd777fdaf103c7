(** * phases --repeat: two rounds tell

    If layers stay apart in two rounds, they do so in any number.  If they stay apart whatever follows, one round
    tells, since further rounds are something that may follow. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Prefix Phases.
Open Scope nat_scope.

(** So many rounds. *)
Definition rounds {A} (k : nat) (ls : list A) : list A := concat (repeat ls k).

(** ** Which layer of which round *)

Lemma layer_of_round {A} (ls : list A) k : forall before x rest, rounds k ls = before ++ x :: rest ->
  exists q m as_ bs, k = q + S m /\ ls = as_ ++ x :: bs /\ before = rounds q ls ++ as_ /\ rest = bs ++ rounds m ls.
Proof.
  induction k as [|k IH]; intros before x rest E.
  - destruct before; discriminate.
  - unfold rounds in E. simpl in E. fold (rounds k ls) in E.
    assert (Go : forall l, before = ls ++ l -> rounds k ls = l ++ x :: rest ->
      exists q m as_ bs, S k = q + S m /\ ls = as_ ++ x :: bs /\ before = rounds q ls ++ as_ /\ rest = bs ++ rounds
        m ls).
    { intros l Eb Er. destruct (IH l x rest Er) as (q & m & as_ & bs & E1 & E2 & E3 & E4).
      exists (S q), m, as_, bs. split; [lia|split; [exact E2|split; [|exact E4]]].
      unfold rounds. simpl. rewrite <- app_assoc. fold (rounds q ls). congruence. }
    apply app_eq_app in E as ([|y l] & [[E1 E2]|[E1 E2]]).
    + apply (Go []); [now rewrite app_nil_r in *|]. simpl in E2. now rewrite <- E2.
    + apply (Go []); auto.
    + simpl in E2. injection E2 as <- E2. exists 0, k, before, l. auto.
    + apply (Go (y :: l)); auto.
Qed.

Lemma rounds_app {A} (ls : list A) q m : rounds (q + m) ls = rounds q ls ++ rounds m ls.
Proof. unfold rounds. now rewrite repeat_app, concat_app. Qed.

Lemma in_rounds {A} (ls : list A) k x : In x (rounds k ls) -> In x ls.
Proof. intro I. apply in_concat in I as (m & Hm & I). apply repeat_spec in Hm. now subst. Qed.

(** ** The next send is in the round or in the next one *)

Lemma first_send_extend a b i j z : first_send a i j z -> first_send (a ++ b) i j z.
Proof.
  intros [H M]. split; [now apply prefix_nth|]. intros z' H'.
  destruct (le_lt_dec (len a i) z') as [G|L]; [apply labs_lt in H; lia|]. apply M. now apply prefix_nth_back in H'.
Qed.

Lemma first_send_prefix a b i j z w : first_send (a ++ b) i j z -> nth_error (labs i a) w = Some (Snd j) ->
  first_send a i j z.
Proof.
  intros [H M] Hw. assert (L : z < len a i).
  { apply (prefix_nth _ _ b) in Hw as Hw'. apply M in Hw'. apply labs_lt in Hw. lia. }
  split; [now apply prefix_nth_back in H|]. intros z' H'. apply M. now apply prefix_nth.
Qed.

(** The graph is that of [ts]: of the layers, or of what is left of them without what they leave over. *)
Section Rounds.
Variables ls ts : list (list act).
Hypothesis Bts : forall t, In t ts -> balanced t.
Hypothesis Same : Forall2 (fun l t => forall i, len t i = len l i) ls ts.
Hypothesis Sends : forall l, In l ls -> forall i j y, nth_error (labs j l) y = Some (Rcv i) ->
  exists z, nth_error (labs i l) z = Some (Snd j).
Let C := concat ts.

Lemma balanced_round : balanced C.
Proof. now apply balanced_concat. Qed.

Lemma balanced_rounds q : balanced (concat (rounds q ts)).
Proof. apply balanced_concat. intros t I. now apply Bts, (in_rounds ts q). Qed.

Lemma same_round w : len C w = len (concat ls) w.
Proof.
  unfold C. clear C Bts Sends. induction Same as [|l t ls' ts' E F IH]; simpl; auto. rewrite !len_app, E. auto.
Qed.

Lemma same_rounds q w : len (concat (rounds q ts)) w = len (concat (rounds q ls)) w.
Proof.
  induction q as [|q IH]; auto. unfold rounds in *. simpl. rewrite !concat_split, !len_app, IH, <- same_round. auto.
Qed.

Theorem two_rounds_on i j : reaches_on (concat (ts ++ ts)) (ls ++ ls) i j ->
  forall k, reaches_on (concat (rounds k ts)) (rounds k ls) i j.
Proof.
  intros R k before x rest E y z Last First.
  destruct (layer_of_round ls k before x rest E) as (q & m & as_ & bs & -> & Els & -> & ->).
  set (D := concat (rounds q ts)).
  pose proof (balanced_rounds q : balanced D) as BD. pose proof balanced_round as BC.
  assert (E2 : ls ++ ls = as_ ++ x :: (bs ++ ls)) by (rewrite Els at 1; now rewrite <- app_assoc).
  assert (Shift : forall w l, later D (w, len (concat as_) w + l) = (w, len (concat (rounds q ls ++ as_)) w + l)).
  { intros w l. unfold later. simpl. f_equal. rewrite concat_split, len_app. unfold D. rewrite same_rounds. lia. }
  assert (Shift' : forall w l, later D (w, len (concat as_ ++ x) w + l) = (w,
    len (concat (rounds q ls ++ as_) ++ x) w + l)).
  { intros w l. unfold later. simpl. f_equal. rewrite concat_split, !len_app. unfold D. rewrite same_rounds. lia. }
  destruct m as [|m].
  - (* the last round: the next send is in it *)
    unfold rounds in First. simpl in First. rewrite app_nil_r in First.
    assert (First2 : first_send (concat (bs ++ ls)) i j z) by (rewrite concat_split; now apply first_send_extend).
    pose proof (R as_ x (bs ++ ls) E2 y z Last First2) as Path. rewrite concat_split in Path. fold C in Path.
    apply (fifo_back C C BC) in Path as [Path _].
    2:{ unfold inside; simpl. destruct First as [First _]. apply labs_lt in First. rewrite same_round, Els.
        rewrite concat_split. simpl. rewrite !len_app. lia. }
    apply (causes_suffix D C _ _ BD BC) in Path. rewrite Shift, Shift' in Path.
    replace (concat (rounds (q + 1) ts)) with (D ++ C); [exact Path|].
    rewrite rounds_app, concat_split. unfold rounds at 2. simpl. now rewrite app_nil_r.
  - (* another round follows: the next send is in the two rounds *)
    assert (Send : exists w, nth_error (labs i (concat ls)) w = Some (Snd j)).
    { destruct Last as [Hy _]. destruct (Sends x) with (2 := Hy) as (w & Hw).
      { rewrite Els. apply in_or_app. right. now left. }
      exists (len (concat as_) i + w). rewrite Els, concat_split, suffix_nth. simpl. now apply prefix_nth. }
    destruct Send as (w & Hw).
    assert (First2 : first_send (concat (bs ++ ls)) i j z).
    { unfold rounds in First. simpl in First. fold (rounds m ls) in First.
      rewrite app_assoc, concat_split in First.
      apply (first_send_prefix _ _ i j z (len (concat bs) i + w) First). rewrite concat_split, suffix_nth. exact Hw. }
    pose proof (R as_ x (bs ++ ls) E2 y z Last First2) as Path. rewrite concat_split in Path. fold C in Path.
    pose proof (balanced_app _ _ BC BC) as BCC.
    apply (causes_suffix D (C ++ C) _ _ BD BCC) in Path. rewrite Shift, Shift' in Path.
    apply (fifo_mono _ (concat (rounds m ts)) (balanced_app _ _ BD BCC)) in Path.
    replace (concat (rounds (q + S (S m)) ts)) with ((D ++ C ++ C) ++ concat (rounds m ts)); [exact Path|].
    replace (q + S (S m)) with (q + 2 + m) by lia. rewrite !rounds_app, !concat_split. f_equal. fold D. f_equal.
    unfold rounds. simpl. rewrite app_nil_r. apply eq_sym, concat_split.
Qed.

Lemma dead_free_rounds k : dead_free C -> dead_free (concat (rounds k ts)).
Proof.
  intro DC. induction k as [|k IH].
  - exact nothing_dead_free.
  - unfold rounds. simpl. rewrite concat_split. apply dead_free_app;
      [apply balanced_round|apply balanced_rounds|exact DC|exact IH].
Qed.
End Rounds.

Theorem two_rounds_tell ls : (forall l, In l ls -> balanced l) -> reaches_next (ls ++ ls) ->
  forall k, reaches_next (rounds k ls).
Proof.
  intros B R k i j. apply two_rounds_on; auto.
  - clear. induction ls; constructor; auto.
  - intros l I a b y H. destruct (fifo_match l a b y (B l I) H) as (z & _ & Hz & _). eauto.
Qed.

(** ** Of programs *)

Lemma sequence_app r A B c d : occurs r c (sequence (A ++ B)) d <->
  exists m, occurs r c (sequence A) m /\ occurs r m (sequence B) d.
Proof.
  revert c. induction A as [|P A IH]; intro c; simpl.
  - split; [intro O; exists c; split; auto; constructor; apply ceq_refl|].
    intros (m & O & O'). inversion O; subst. apply (occurs_ceq r m _ d); auto using ceq_refl, ceq_sym.
  - rewrite lay_iff. split.
    + intros (m & O1 & O2). apply IH in O2 as (m' & O2 & O3). exists m'. split; auto. apply lay_iff. exists m; auto.
    + intros (m & O1 & O2). apply lay_iff in O1 as (m' & O1 & O3). exists m'. split; auto. apply IH. exists m; auto.
Qed.

Lemma apart_app r A B c d : occurs r c (apart (A ++ B)) d <->
  exists m, occurs r c (apart A) m /\ occurs r m (apart B) d.
Proof.
  revert c. induction A as [|P A IH]; intro c; simpl.
  - split; [intro O; exists c; split; auto; constructor; apply ceq_refl|].
    intros (m & O & O'). inversion O; subst. apply (occurs_ceq r m _ d); auto using ceq_refl, ceq_sym.
  - rewrite chop_middle. split.
    + intros (m & O1 & S & O2). apply IH in O2 as (m' & O2 & O3). exists m'. split; auto. apply chop_middle.
      exists m; auto.
    + intros (m & O1 & O2). apply chop_middle in O1 as (m' & O1 & S & O3). exists m'. split; auto. split; auto.
      apply IH. exists m; auto.
Qed.

(** The paper's iteration is some number of rounds. *)
Lemma star_rounds r Ps c d : occurs r c (Star (sequence Ps)) d <-> exists k, occurs r c (sequence (rounds k Ps)) d.
Proof.
  split.
  - intro O. remember (Star (sequence Ps)) as S eqn:ES. induction O; try discriminate.
    + exists 0. constructor; auto.
    + injection ES as ->. destruct IHO2 as (k & Ok); auto. exists (S k). unfold rounds. simpl. apply sequence_app.
      exists m; auto.
  - intros (k & O). revert c O. induction k as [|k IH]; intros c O.
    + inversion O; subst. now apply O_st0.
    + unfold rounds in O. simpl in O. apply sequence_app in O as (m & O1 & O2). eapply O_st1; eauto.
Qed.

Lemma rounds_star r Ps k c d : occurs r c (apart (rounds k Ps)) d -> occurs r c (Star (apart Ps)) d.
Proof.
  revert c. induction k as [|k IH]; intros c O.
  - inversion O; subst. now apply O_st0.
  - unfold rounds in O. simpl in O. apply apart_app in O as (m & O1 & O2). eapply O_st1; eauto.
Qed.

Lemma layers_app Ps Qs ls ms : layers Ps ls -> layers Qs ms -> layers (Ps ++ Qs) (ls ++ ms).
Proof. apply Forall2_app. Qed.

Lemma layers_rounds Ps ls k : layers Ps ls -> layers (rounds k Ps) (rounds k ls).
Proof. intro L. induction k as [|k IH]; [constructor|]. unfold rounds. simpl. now apply layers_app. Qed.

Section Repeated.
Variables (Ps : list prog) (ls : list (list act)).
Hypotheses (Ls : layers Ps ls) (Bls : forall l, In l ls -> balanced l).
Hypotheses (NS : nofself (concat ls)) (DF : dead_free (concat ls)).

Lemma nofself_rounds k : nofself (concat (rounds k ls)).
Proof.
  induction k as [|k IH]; intros i H; [destruct H|]. unfold rounds in H. simpl in H.
    rewrite concat_split, labs_app in H.
  apply in_app_or in H as [H|H]; [apply (NS i)|apply (IH i)]; exact H.
Qed.

Lemma rounds_balanced k : forall l, In l (rounds k ls) -> balanced l.
Proof. intros l I. now apply Bls, (in_rounds ls k). Qed.

(** _Layers stay apart in any number of rounds exactly if the criterion holds of two_. *)
Theorem phases_repeated : (forall k, stay_apart RelNS (rounds k Ps)) <-> reaches_next (ls ++ ls).
Proof.
  assert (Two : rounds 2 ls = ls ++ ls) by (unfold rounds; simpl; now rewrite app_nil_r).
  split.
  - intro S. rewrite <- Two. apply (phases (rounds 2 Ps)); auto using layers_rounds, nofself_rounds, dead_free_rounds.
    apply rounds_balanced.
  - intros R k. apply (phases (rounds k Ps) (rounds k ls));
      auto using layers_rounds, nofself_rounds, dead_free_rounds, two_rounds_tell. apply rounds_balanced.
Qed.

(** So does the loop. *)
Theorem phases_loop : reaches_next (ls ++ ls) ->
  refines RelNS (Lay Chop (Lay (Star (sequence Ps)) Chop)) (Star (apart Ps)).
Proof.
  intros R r c d G O. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd].
  apply star_rounds in O as (k & O). apply (rounds_star r Ps k).
  apply (proj2 phases_repeated R k); auto. apply chop_first. split; auto. apply chop_last. auto.
Qed.
End Repeated.

(** _Whatever may follow: one round tells_.  Of any programs, in any model. *)
Theorem phases_open_repeated : forall G Ps, stay_apart_open G Ps -> forall k, stay_apart_open G (rounds k Ps).
Proof.
  intros G Ps S. induction k as [|k IH]; intros r c d g O; apply chop_first in O as [Sc O].
  - exact O.
  - unfold rounds in *. simpl in *. apply sequence_app in O as (m & O1 & O2). apply apart_app. exists m.
    assert (A : occurs r c (apart Ps) m) by (apply S; auto; apply chop_first; auto). split; auto.
    apply IH; auto. apply chop_first. split; auto.
    clear - A Sc. revert c A Sc. induction Ps as [|P Ps IH]; intros c A Sc; simpl in A.
    + inversion A; subst. now apply (silent_ceq r c m).
    + apply chop_middle in A as (m' & _ & Sm & A). now apply (IH m').
Qed.
