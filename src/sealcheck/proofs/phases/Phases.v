(** * phases: do layers in sequence stay apart?

    Section 3 of the paper calls L a CCL in P . L . Q if "cut P . L . Q cut  refines  P cut L cut Q".  Here that is
    asked of all layers of a sequence at once, and answered by a criterion that is linear in the length of the
    program: on each channel, each layer's last receive reaches the next send of a later layer.  Layers that are
    repeated stay apart in any number of rounds if they do so in two. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality Prefix.
Open Scope nat_scope.

(** Layers with a silent cut after each. *)
Fixpoint apart (Ps : list prog) : prog :=
  match Ps with [] => Eps | P :: rest => Lay P (Lay Chop (apart rest)) end.

(** They stay apart if nobody else sends them messages or takes theirs; or whatever follows. *)
Definition stay_apart (G : run -> Prop) (Ps : list prog) := refines G (Lay Chop (Lay (sequence Ps) Chop)) (apart Ps).
Definition stay_apart_open (G : run -> Prop) (Ps : list prog) := refines G (Lay Chop (sequence Ps)) (apart Ps).

(** The criterion: at one channel, in a graph; and at every channel, in the program graph.  [x] is a layer; before it are
    the layers [before], after it the layers [rest]. *)
Definition reaches_on (graph : list act) (ls : list (list act)) (i j : proc) :=
  forall before x rest, ls = before ++ x :: rest ->
  forall y z, last_receive x j i y -> first_send (concat rest) i j z ->
  causes (fifo graph) (j, len (concat before) j + y) (i, len (concat before ++ x) i + z).
Definition reaches_next (ls : list (list act)) := forall i j, reaches_on (concat ls) ls i j.

(** Whatever may follow: where no later layer sends on the channel, the end of the sender is reached. *)
Definition reaches_next_or_end (ls : list (list act)) := reaches_next ls /\
  forall before x rest, ls = before ++ x :: rest -> forall i j y, last_receive x j i y ->
  (forall z, nth_error (labs i (concat rest)) z <> Some (Snd j)) ->
  causes (fifo (concat ls)) (j, len (concat before) j + y) (i, len (concat ls) i).

(** The same, between all that is before a boundary and all that is after it. *)
Definition kept_apart (a b : list act) := forall i j y z,
  nth_error (labs j a) y = Some (Rcv i) -> nth_error (labs i b) z = Some (Snd j) ->
  causes (fifo (a ++ b)) (j, y) (i, len a i + z).

(** ** First and last events *)

Lemma first_send_exists l i j z : nth_error (labs i l) z = Some (Snd j) -> exists z0, first_send l i j z0 /\ z0 <= z.
Proof.
  revert z. assert (G : forall n z, z < n -> nth_error (labs i l) z = Some (Snd j) -> exists z0,
    first_send l i j z0 /\ z0 <= z).
  { induction n as [|n IH]; intros z L H; [lia|].
    destruct (classic (exists z', z' < z /\ nth_error (labs i l) z' = Some (Snd j))) as [(z' & L' & H')|None].
    - destruct (IH z') as (z0 & F & Le); auto; [lia|]. exists z0. split; auto. lia.
    - exists z. split; auto. split; auto. intros z' H'. destruct (le_lt_dec z z'); auto. exfalso. apply None.
      exists z'; auto. }
  intros z. apply (G (S z)). lia.
Qed.

Lemma last_receive_exists l j i y : nth_error (labs j l) y = Some (Rcv i) -> exists y0,
  last_receive l j i y0 /\ y <= y0.
Proof.
  intro H. destruct (max_exists (seq 0 (len l j)) (fun q => nth_error (labs j l) q = Some (Rcv i)) lt) as (m & _ &
    Hm & Mm); try lia.
  - exists y. split; auto. apply in_seq. apply labs_lt in H. lia.
  - assert (Up : forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= m).
    { intros y' H'. destruct (le_lt_dec y' m); auto. exfalso. apply (Mm y'); auto. apply in_seq.
      apply labs_lt in H'. lia. }
    exists m. split; [split|]; auto.
Qed.

(** ** From layers to boundaries *)

Lemma concat_split {A} (a b : list (list A)) : concat (a ++ b) = concat a ++ concat b.
Proof. apply concat_app. Qed.

(** An event before a boundary is in some layer before it. *)
Lemma in_some_layer as_ j y a : nth_error (labs j (concat as_)) y = Some a ->
  exists before x rest y', as_ = before ++ x :: rest /\ y = len (concat before) j + y' /\ nth_error (labs j x) y' =
    Some a.
Proof.
  revert y. induction as_ as [|x as_ IH]; intros y H; [destruct y; discriminate|]. simpl in H.
  destruct (lt_dec y (len x j)) as [L|G].
  - exists [], x, as_, y. split; [reflexivity|split; [reflexivity|]]. now apply prefix_nth_back in H.
  - replace y with (len x j + (y - len x j)) in H by lia. rewrite suffix_nth in H.
    destruct (IH _ H) as (before & x' & rest & y' & E & Ey & Hy). exists (x :: before), x', rest, y'.
    split; [simpl; congruence|split; auto]. simpl. rewrite len_app. lia.
Qed.

(** Where each layer's last receive reaches the next send, every receive reaches all sends of later layers. *)
Lemma boundaries ls : reaches_next ls -> forall as_ bs, ls = as_ ++ bs -> kept_apart (concat as_) (concat bs).
Proof.
  intros R as_ bs E i j y z Hy Hz.
  destruct (in_some_layer as_ j y _ Hy) as (before & x & rest & y' & Ea & Ey & Hy').
  destruct (last_receive_exists x j i y' Hy') as (y0 & Last & Ly).
  assert (Hz' : nth_error (labs i (concat (rest ++ bs))) (len (concat rest) i + z) = Some (Snd j)).
  { rewrite concat_split, suffix_nth. exact Hz. }
  destruct (first_send_exists _ _ _ _ Hz') as (z0 & First & Lz).
  rewrite <- concat_split, <- E. subst y.
  apply causes_local_le with (len (concat before) j + y0); [lia|].
  apply causes_local_ge with (len (concat before ++ x) i + z0).
  - subst as_. rewrite concat_split. simpl. rewrite !len_app. lia.
  - apply (R i j before x (rest ++ bs)); auto. subst. now rewrite <- app_assoc.
Qed.

Lemma from_boundaries ls : (forall as_ bs, ls = as_ ++ bs -> kept_apart (concat as_) (concat bs)) -> reaches_next ls.
Proof.
  intros K i j before x rest E y z [Hy _] [Hz _].
  assert (E' : ls = (before ++ [x]) ++ rest) by now rewrite <- app_assoc.
  specialize (K _ _ E' i j (len (concat before) j + y) z). rewrite <- concat_split, <- E' in K.
  rewrite concat_split in K. simpl in K. rewrite app_nil_r in K. apply K; auto. now rewrite suffix_nth.
Qed.

(** Where it also reaches the end, every boundary meets the condition of sealing. *)
Lemma boundary_covers ls : reaches_next_or_end ls -> forall as_ bs, ls = as_ ++ bs -> covers (concat as_) (concat bs).
Proof.
  intros [K Kend] as_ bs E i j y z Hy Hz.
  assert (End : causes (fifo (concat ls)) (j, y) (i, len (concat ls) i)).
  { destruct (in_some_layer as_ j y _ Hy) as (before & x & rest & y' & Ea & Ey & Hy').
    destruct (last_receive_exists x j i y' Hy') as (y0 & Last & Ly). subst y.
    apply causes_local_le with (len (concat before) j + y0); [lia|].
    assert (E' : ls = before ++ x :: (rest ++ bs)) by (rewrite E, Ea, <- app_assoc; reflexivity).
    destruct (classic (exists z', nth_error (labs i (concat (rest ++ bs))) z' = Some (Snd j))) as [(z' & Hz')|None].
    - destruct (first_send_exists _ _ _ _ Hz') as (z0 & First & _).
      apply causes_local_ge with (len (concat before ++ x) i + z0); [|apply (K i j before x (rest ++ bs)); auto].
      destruct First as [First _]. apply labs_lt in First. rewrite E', concat_split. simpl. rewrite !len_app. lia.
    - apply (Kend before x (rest ++ bs)); auto. intros z' Hz'. apply None. exists z'; auto. }
  destruct Hz as [->|[Lz Hz]].
  - rewrite <- concat_split, <- E. exact End.
  - replace z with (len (concat as_) i + (z - len (concat as_) i)) in Hz |- * by lia. rewrite suffix_nth in Hz.
    now apply (boundaries ls K as_ bs E).
Qed.

(** ** What silent cuts between the layers mean *)

Definition layers (Ps : list prog) (ls : list (list act)) := Forall2 (fun P l => acts P = Some l) Ps ls.

Lemma sequence_acts Ps ls : layers Ps ls -> acts (sequence Ps) = Some (concat ls).
Proof. induction 1 as [|P l Ps ls A _ IH]; simpl; [reflexivity|]. now rewrite A, IH. Qed.

Lemma balanced_concat ls : (forall l, In l ls -> balanced l) -> balanced (concat ls).
Proof.
  induction ls as [|l ls IH]; intro H; [intros i j; reflexivity|]. simpl. apply balanced_app; [apply H; left; auto|].
  apply IH. intros m I. apply H. right; auto.
Qed.

(** The layers occur with silent cuts if they occur, and the cut after each of them is silent. *)
Lemma apart_iff r Ps ls : layers Ps ls -> forall c d, occurs r c (apart Ps) d <->
  occurs r c (sequence Ps) d /\
  forall as_ bs, ls = as_ ++ bs -> as_ <> [] -> silent r (fun i => c i + len (concat as_) i).
Proof.
  induction 1 as [|P l Ps ls A Ls IH]; intros c d; simpl.
  - split; [|tauto]. intro O. split; auto. intros as_ bs E N. destruct as_; [congruence|discriminate].
  - rewrite chop_middle, lay_iff. split.
    + intros (m & O1 & Sm & O2). apply IH in O2 as [O2 S2]. pose proof (occurs_follows r P l A _ _ O1) as F.
      split; [exists m; auto|]. intros [|x as_] bs E N; [congruence|]. injection E as <- E. simpl.
      destruct as_ as [|x' as_].
      * apply (silent_ceq r m); auto. intro i. simpl. rewrite app_nil_r. apply F.
      * apply (silent_ceq r (fun i => m i + len (concat (x' :: as_)) i)).
        -- intro i. rewrite len_app. destruct (F i) as [-> _]. lia.
        -- apply (S2 _ bs); auto. discriminate.
    + intros [(m & O1 & O2) S]. pose proof (occurs_follows r P l A _ _ O1) as F. exists m. split; auto. split.
      * apply (silent_ceq r (fun i => c i + len (concat [l]) i)).
        -- intro i. simpl. rewrite app_nil_r. symmetry. apply F.
        -- apply (S [l] ls); auto. discriminate.
      * apply IH. split; auto. intros as_ bs E N.
        apply (silent_ceq r (fun i => c i + len (concat (l :: as_)) i)).
        -- intro i. simpl. rewrite len_app. destruct (F i) as [-> _]. lia.
        -- apply (S (l :: as_) bs); [simpl; congruence|discriminate].
Qed.

(** ** A boundary that is kept is silent *)

Lemma kept_apart_silent r c a b : matching r -> silent r c -> standing r c (a ++ b) -> balanced a ->
  balanced (a ++ b) ->
  silent r (fun i => c i + len (a ++ b) i) -> kept_apart a b -> silent r (fun i => c i + len a i).
Proof.
  intros W Sc St Ba B Se K. destruct (standing_app r c a b St) as [Sa Sb].
  apply inside_suffices; auto. intros [j' Y] i j R I. assert (E : j' = j) by apply R. subst j'.
  destruct (delta_snd r W _ _ _ R) as [Fz Lz]. destruct (delta r (j, Y)) as [i' Z] eqn:D. simpl in Fz, Lz; subst i'.
  pose proof (Sc _ _ _ R) as Rc. pose proof (Se _ _ _ R) as Re. rewrite D in Rc, Re. unfold inside in *. simpl in *.
  rewrite len_app in Re. rewrite len_app in Re.
  destruct (lt_dec Z (c i + len a i)) as [|G]; auto. exfalso.
  assert (HY : nth_error (labs j a) (Y - c j) = Some (Rcv i)).
  { rewrite (stand_lab' r c) by (auto; lia). replace (c j + (Y - c j)) with Y by lia. f_equal. apply R. }
  assert (HZ : nth_error (labs i b) (Z - (c i + len a i)) = Some (Snd j)).
  { rewrite (stand_lab' r (fun i => c i + len a i)) by (auto; lia). simpl.
    replace (c i + len a i + (Z - (c i + len a i))) with Z by lia. now f_equal. }
  pose proof (K i j _ _ HY HZ) as C. apply (shift r c) in C; auto. simpl in C.
  replace (c j + (Y - c j)) with Y in C by lia.
  replace (c i + (len a i + (Z - (c i + len a i)))) with Z in C by lia.
  apply (causal r W (j, Y)). eapply t_trans; [exact C|]. rewrite <- D. eapply causes_msg; eauto.
Qed.

(** ** A boundary that is not kept is crossed in some run

    The receive and the one that has the later message in the oldest-first run exchange their messages. *)

Section Crossed.
Variables (a b : list act).
Hypotheses (Ba : balanced a) (B : balanced (a ++ b)) (DF : dead_free (a ++ b)).
Variables (i j y z : nat).
Hypotheses (Hy : nth_error (labs j a) y = Some (Rcv i)) (Hz : nth_error (labs i b) z = Some (Snd j)).
Hypothesis (NC : ~ causes (fifo (a ++ b)) (j, y) (i, len a i + z)).
Let l := a ++ b.

Lemma crossing_run_exists : exists r, matching r /\ reliable r /\ (nofself l -> noself r) /\
  standing r (fun _ => 0) l /\ silent r (len l) /\
  is_rcv r (j, y) i j /\ delta r (j, y) = (i, len a i + z) /\
  lab r = lab (fifo l) /\ (forall e u w, is_rcv r e u w -> (u, w) <> (i, j) -> delta r e = delta (fifo l) e).
Proof.
  assert (Hyl : nth_error (labs j l) y = Some (Rcv i)) by now apply prefix_nth.
  assert (Hzl : nth_error (labs i l) (len a i + z) = Some (Snd j)) by (unfold l; now rewrite suffix_nth).
  destruct (fifo_match l i j y B Hyl) as (x & Dx & Hx & _).
  assert (Lx : x < len a i).
  { apply (fifo_same_layer a b i j y x Ba B Hyl Dx). now apply labs_lt in Hy. }
  assert (K : length (filter (sndb j) (firstn (len a i + z) (labs i l))) < length (filter (rcvb i) (labs j l))).
  { pose proof (B i j) as Bij. fold l in Bij. rewrite <- Bij. eapply count_lt; eauto. now apply sndb_spec. }
  destruct (nthpos_spec _ _ _ K) as (q & A1 & A2 & A3). apply rcvb_spec in A2; subst q.
  set (y' := nthpos (rcvb i) (labs j l) (length (filter (sndb j) (firstn (len a i + z) (labs i l))))) in *.
  destruct (fifo_match l i j y' B A1) as (z' & Dz & Hz' & K').
  assert (z' = len a i + z).
  { rewrite <- (nthpos_count (sndb j) _ _ _ Hz') by (now apply sndb_spec).
    rewrite K', A3. apply nthpos_count with (Snd j); auto. now apply sndb_spec. }
  subst z'. assert (Ly' : ~ y' < len a j).
  { intro G. apply (fifo_same_layer a b i j y' _ Ba B A1 Dz) in G. lia. }
  pose proof (labs_lt _ _ _ _ Hy) as Ly.
  assert (R : is_rcv (fifo l) (j, y) i j) by (split; auto; simpl; now rewrite Hyl).
  assert (R' : is_rcv (fifo l) (j, y') i j) by (split; auto; simpl; now rewrite A1).
  exists (swap (fifo l) (j, y) (j, y')).
  refine (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ (conj _ (conj eq_refl _)))))))).
  - apply exchange with i j; auto; rewrite ?Dx, ?Dz; simpl; auto; try lia. now apply fifo_matching.
  - apply quiet_reliable with (len l). intros p k q Lk H. apply fifo_lab in H as [_ H]; [lia|discriminate].
  - intro NS. apply (fifo_noself l NS).
  - intro k. apply map_lab_fifo.
  - intros [q w] p q' Re. change (is_rcv (fifo l) (q, w) p q') in Re. destruct Re as [F L]. simpl in F; subst q'.
    apply fifo_lab in L as [L L2]; [|discriminate]. cbn [fst snd] in L, L2.
    assert (In_l : forall u v s, nth_error (labs v l) s = Some (Rcv u) -> inside (len l) (delta (fifo l) (v, s))).
    { intros u v s H. destruct (fifo_match l u v s B H) as (t & -> & Ht & _). now apply labs_lt in Ht. }
    unfold swap; cbn [delta]. split; intros _; [|exact L2].
    destruct (ev_dec (q, w) (j, y)); [now apply (In_l i)|].
    destruct (ev_dec (q, w) (j, y')); [now apply (In_l i)|now apply (In_l p)].
  - exact R.
  - unfold swap; cbn [delta]. destruct (ev_dec (j, y) (j, y)); [exact Dz|contradiction].
  - intros e u w Re N. change (is_rcv (fifo l) e u w) in Re. unfold swap; cbn [delta].
    assert (Q : forall k, is_rcv (fifo l) (j, k) i j -> e <> (j, k)).
    { intros k Rk ->. apply N. destruct Re, Rk. congruence. }
    destruct (ev_dec e (j, y)) as [->|]; [now destruct (Q y)|].
    destruct (ev_dec e (j, y')) as [->|]; [now destruct (Q y')|reflexivity].
Qed.
End Crossed.

(** ** The criterion is right *)

Section Criterion.
Variables (Ps : list prog) (ls : list (list act)).
Hypotheses (Ls : layers Ps ls) (Bls : forall l, In l ls -> balanced l).
Hypothesis DF : dead_free (concat ls).
(** Of runs without messages to oneself, or of all: self-channels do not matter. *)
Variable G : run -> Prop.
Hypotheses (GM : forall r, G r -> matching r) (HG : forall r, Rel r -> (nofself (concat ls) -> noself r) -> G r).

Lemma balanced_part as_ bs : ls = as_ ++ bs -> balanced (concat as_) /\ balanced (concat bs).
Proof. intros ->. split; apply balanced_concat; intros l I; apply Bls, in_or_app; auto. Qed.

Lemma phases_in : stay_apart G Ps <-> reaches_next ls.
Proof.
  pose proof (sequence_acts Ps ls Ls) as HP. split.
  - intro S. apply from_boundaries. intros as_ bs E i j y z Hy Hz.
    destruct (balanced_part as_ bs E) as [Ba Bb].
    destruct (classic (causes (fifo (concat as_ ++ concat bs)) (j, y) (i, len (concat as_) i + z))) as [|NC]; auto.
    exfalso. rewrite E, concat_split in HG, DF, HP.
    destruct (crossing_run_exists (concat as_) (concat bs) Ba (balanced_app _ _ Ba Bb) DF i j y z Hy Hz NC)
      as (r & W & Re & Nr & St & Sil & R & D & _ & _).
    destruct (computed r (fun _ => 0) (sequence Ps) _ W Re HP St) as (v & Rv & O).
    assert (Oa : occurs (revalue r v) (fun _ => 0) (apart Ps) (len (concat as_ ++ concat bs))).
    { apply S; [apply HG; [exact Rv|exact Nr]|]. apply chop_first. split; [|apply chop_last; split; auto].
      intros e p q _. unfold inside. split; lia. }
    apply (apart_iff _ Ps ls Ls) in Oa as [_ Sa].
    assert (Ne : as_ <> []) by (intros ->; destruct y; discriminate).
    specialize (Sa as_ bs E Ne (j, y) i j R). change (delta (revalue r v) (j, y)) with (delta r (j, y)) in Sa.
    rewrite D in Sa. unfold inside in Sa. simpl in Sa. apply labs_lt in Hy. lia.
  - intros K r c d g O. pose proof (GM r g) as W. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd].
    apply (apart_iff r Ps ls Ls). split; auto. intros as_ bs E _.
    destruct (balanced_part as_ bs E) as [Ba Bb]. pose proof (occurs_follows r _ _ HP _ _ O) as F.
    apply kept_apart_silent with (concat bs); auto using balanced_app.
    + intro k. rewrite <- concat_split, <- E. apply F.
    + apply (silent_ceq r d); auto. intro k. rewrite <- concat_split, <- E. apply F.
    + now apply (boundaries ls).
Qed.

(** Whatever may follow: the same at every boundary as sealing. *)
Lemma phases_open_in : stay_apart_open G Ps <-> reaches_next_or_end ls.
Proof.
  pose proof (sequence_acts Ps ls Ls) as HP. split.
  - intro S.
    assert (Cov : forall as_ bs, ls = as_ ++ bs -> covers (concat as_) (concat bs)).
    { intros as_ bs E. destruct (balanced_part as_ bs E) as [Ba Bb].
      assert (L2 : exists Pa Pb, Ps = Pa ++ Pb /\ layers Pa as_ /\ layers Pb bs).
      { unfold layers in *. rewrite E in Ls. apply Forall2_app_inv_r in Ls as (Pa & Pb & La & Lb & ->).
        exists Pa, Pb; auto. }
      destruct L2 as (Pa & Pb & EP & La & Lb).
      rewrite E, concat_split in HG.
      apply (sealing_is_causality_in G (sequence Pa) (sequence Pb)); auto using sequence_acts.
      - now rewrite <- concat_split, <- E.
      - apply seals_iff. intros r c d g Sc O. apply lay_iff in O as (m & O1 & O2).
        assert (Os : occurs r c (sequence Ps) d).
        { rewrite EP. clear - O1 O2. revert c O1. induction Pa as [|P Pa IH]; intros c O1; simpl in *.
          - inversion O1; subst. apply (occurs_ceq r m _ d); auto using ceq_refl, ceq_sym.
          - apply lay_iff in O1 as (m' & A1 & A2). apply lay_iff. exists m'. split; auto. }
        assert (Oa : occurs r c (apart Ps) d) by (apply S; auto; apply chop_first; auto).
        apply (apart_iff r Ps ls Ls) in Oa as [_ Sa]. exists m. split; auto. split; auto.
        destruct as_ as [|x as_].
        + inversion La; subst. simpl in O1. inversion O1; subst. now apply (silent_ceq r c m).
        + pose proof (occurs_follows r _ _ (sequence_acts _ _ La) _ _ O1) as F.
          apply (silent_ceq r (fun i => c i + len (concat (x :: as_)) i)); [intro k; symmetry; apply F|].
          apply (Sa _ bs); auto. discriminate. }
    split.
    + apply from_boundaries. intros as_ bs E i j y z Hy Hz. apply (Cov as_ bs E); auto. right. split; [lia|].
      now rewrite suffix_nth.
    + intros before x rest E i j y [Hy _] _.
      assert (E' : ls = (before ++ [x]) ++ rest) by now rewrite <- app_assoc.
      pose proof (Cov _ _ E' i j (len (concat before) j + y) (len (concat ls) i)) as C.
      rewrite <- concat_split, <- E' in C. apply C; auto.
      rewrite concat_split. simpl. rewrite app_nil_r. now rewrite suffix_nth.
  - intros K r c d g O. pose proof (GM r g) as W. apply chop_first in O as [Sc O].
    apply (apart_iff r Ps ls Ls). split; auto. intros as_ bs E _.
    destruct (balanced_part as_ bs E) as [Ba Bb]. pose proof (occurs_follows r _ _ HP _ _ O) as F.
    assert (St : standing r c (concat as_ ++ concat bs)) by (intro k; rewrite <- concat_split, <- E; apply F).
    assert (B : balanced (concat as_ ++ concat bs)) by auto using balanced_app.
    apply inside_suffices; auto; [now apply (standing_app r c _ _ St)|].
    apply (covers_inside r c _ (concat bs)); auto. now apply (boundary_covers ls).
Qed.
End Criterion.

Theorem phases : forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  nofself (concat ls) -> dead_free (concat ls) -> (stay_apart RelNS Ps <-> reaches_next ls).
Proof. intros Ps ls Ls B N D. apply phases_in; auto; [now intros r [[[W _] _] _]|now split; auto]. Qed.
Theorem phases_open : forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  nofself (concat ls) -> dead_free (concat ls) -> (stay_apart_open RelNS Ps <-> reaches_next_or_end ls).
Proof. intros Ps ls Ls B N D. apply phases_open_in; auto; [now intros r [[[W _] _] _]|now split; auto]. Qed.

(** With self-channels, in all runs of Rel, the criterion is the same. *)
Theorem phases_self : forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) -> dead_free (concat ls) ->
  (stay_apart Rel Ps <-> reaches_next ls) /\ (stay_apart_open Rel Ps <-> reaches_next_or_end ls).
Proof.
  intros Ps ls Ls B D. assert (M : forall r, Rel r -> matching r) by now intros r [[W _] _].
  split; [apply phases_in|apply phases_open_in]; auto.
Qed.
