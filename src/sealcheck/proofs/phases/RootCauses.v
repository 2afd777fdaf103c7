(** * Root causes: on which channels layers interfere

    Layers interfere on a channel if a receive on it can take a message of another layer.  A channel is a root cause if
    that can happen though every receive on every other channel takes a message of its own layer, as if the messages
    there were tagged with their layer.  Tags are enough exactly if all root causes are tagged.

    A layer may leave messages over: on each channel it sends at least as many as it receives. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality Prefix.
From Sealcheck Require Import Phases.
Open Scope nat_scope.

(** ** What a root cause is *)

(** The cut after the layers [as_], which start at [c]. *)
Definition cut_after (c : cut) (as_ : list (list act)) : cut := fun k => c k + len (concat as_) k.

(** A receive takes a message of its own layer: no boundary between layers lies between the receive and the send. *)
Definition own (r : run) (c : cut) (ls : list (list act)) (e : event) := forall as_ bs, ls = as_ ++ bs ->
  (inside (cut_after c as_) e <-> inside (cut_after c as_) (delta r e)).

(** On tagged channels, every receive takes a message of its own layer. *)
Definition heed_tags (r : run) (c : cut) (ls : list (list act)) (tagged : proc -> proc -> Prop) :=
  forall e i j, is_rcv r e i j -> tagged i j -> own r c ls e.

(** A channel i->j is a root cause if there is a run of the layers in which every receive on another channel takes a
    message of its own layer, and some receive on i->j takes a message of another layer. *)
Definition root_cause (G : run -> Prop) (Ps : list prog) (ls : list (list act)) (i j : proc) := exists r c d,
  G r /\ occurs r c (Lay Chop (Lay (sequence Ps) Chop)) d /\
  heed_tags r c ls (fun a b => (a, b) <> (i, j)) /\ exists e, is_rcv r e i j /\ ~ own r c ls e.

(** The same for a beginning of a run, up to the cut [m].  Each process has done the first of its events, and every
    message that was received before [m] was sent before [m]. *)
Definition begun (r : run) (c m : cut) (l : list act) := forall k, c k <= m k /\
  firstn (m k - c k) (labs k l) = map (lab r k) (seq (c k) (m k - c k)).
Definition root_cause_begun (G : run -> Prop) (ls : list (list act)) (i j : proc) := exists r c m,
  G r /\ silent r c /\ begun r c m (concat ls) /\
  (forall e a b, is_rcv r e a b -> inside m e -> inside m (delta r e)) /\
  (forall e a b, is_rcv r e a b -> inside m e -> (a, b) <> (i, j) -> own r c ls e) /\
  exists e, is_rcv r e i j /\ inside m e /\ ~ own r c ls e.

(** The layers stay apart if these channels are tagged. *)
Definition stay_apart_tagged (G : run -> Prop) (tagged : proc -> proc -> Prop) (Ps : list prog)
  (ls : list (list act)) := forall r c d, G r -> occurs r c (Lay Chop (Lay (sequence Ps) Chop)) d ->
  heed_tags r c ls tagged -> occurs r c (apart Ps) d.

(** ** The criterion *)

(** A layer leaves a message over on the channel, and a later layer receives there. *)
Definition left_over (l : list act) (i j : proc) :=
  length (filter (rcvb i) (labs j l)) < length (filter (sndb j) (labs i l)).
Definition taken_up (ls : list (list act)) (i j : proc) := exists before x rest, ls = before ++ x :: rest /\
  left_over x i j /\ In (Rcv i) (labs j (concat rest)).

(** ** Layers without the sends that are left over

    Each becomes an internal event, so that events keep their places.  Then the layer is balanced. *)

Definition weaker (a b : label) := b = a \/ ((exists j, a = Snd j) /\ b = Int).
Definition thinner (l t : list act) := forall i, Forall2 weaker (labs i l) (labs i t).

Lemma weaker_nth u v k : Forall2 weaker u v ->
  (nth_error u k = None /\ nth_error v k = None) \/
  exists a b, nth_error u k = Some a /\ nth_error v k = Some b /\ weaker a b.
Proof.
  intro F. revert k. induction F as [|a b u v W F IH]; intros [|k]; simpl; auto. right. exists a, b. auto.
Qed.

(** Lists that agree at every place have equally many elements that count. *)
Lemma count_agree (f g : label -> bool) u v n : length u = length v ->
  (forall x a b, x < n -> nth_error u x = Some a -> nth_error v x = Some b -> f a = g b) ->
  length (filter f (firstn n u)) = length (filter g (firstn n v)).
Proof.
  revert v n. induction u as [|a u IH]; intros [|b v] [|n] L H; simpl in *; try discriminate; auto.
  rewrite (H 0 a b) by (simpl; auto; lia).
  assert (E : length (filter f (firstn n u)) = length (filter g (firstn n v))).
  { apply IH; [lia|]. intros x a' b' Lx. apply (H (S x)). lia. }
  destruct (g b); simpl; auto.
Qed.

Lemma nth_firstn {A} n (u : list A) k : k < n -> nth_error (firstn n u) k = nth_error u k.
Proof. revert n u. induction k as [|k IH]; intros [|n] [|a u] L; simpl; auto; try lia. apply IH. lia. Qed.

Lemma filter_prefix {A} (f : A -> bool) u p n : p <= n ->
  length (filter f (firstn p u)) <= length (filter f (firstn n u)).
Proof.
  intro L. replace (firstn p u) with (firstn p (firstn n u)) by (rewrite firstn_firstn; f_equal; lia).
  rewrite <- (firstn_skipn p (firstn n u)) at 2. rewrite filter_app, app_length. lia.
Qed.

Section Thinner.
Variables l t : list act.
Hypothesis Th : thinner l t.

Lemma thinner_len i : len t i = len l i.
Proof. rewrite <- !len_labs. induction (Th i); simpl; auto. Qed.

Lemma thinner_rcv j y i : nth_error (labs j t) y = Some (Rcv i) <-> nth_error (labs j l) y = Some (Rcv i).
Proof.
  destruct (weaker_nth _ _ y (Th j)) as [[-> ->]|(a & b & -> & -> & [->|[[k ->] ->]])]; split; try tauto; discriminate.
Qed.

Lemma thinner_snd i x j : nth_error (labs i t) x = Some (Snd j) -> nth_error (labs i l) x = Some (Snd j).
Proof.
  destruct (weaker_nth _ _ x (Th i)) as [[-> ->]|(a & b & -> & -> & [->|[_ ->]])]; auto. discriminate.
Qed.

Lemma thinner_count_rcv j i y : length (filter (rcvb i) (firstn y (labs j t))) =
  length (filter (rcvb i) (firstn y (labs j l))).
Proof.
  apply count_agree; [rewrite !len_labs; apply thinner_len|]. intros x a b _ A B. pose proof (thinner_rcv j x i) as R.
  rewrite A, B in R. destruct (rcvb i a) eqn:Ea, (rcvb i b) eqn:Eb; auto.
  - apply rcvb_spec in Ea. subst a. destruct R as [R _]. rewrite (proj2 (rcvb_spec i b)) in Eb; [discriminate|].
    specialize (R eq_refl). congruence.
  - apply rcvb_spec in Eb. subst b. destruct R as [_ R]. rewrite (proj2 (rcvb_spec i a)) in Ea; [discriminate|].
    specialize (R eq_refl). congruence.
Qed.

(** If the same sends stand up to some place, there are equally many. *)
Lemma thinner_count_snd i j n : (forall x, x < n -> nth_error (labs i l) x = Some (Snd j) ->
    nth_error (labs i t) x = Some (Snd j)) ->
  length (filter (sndb j) (firstn n (labs i t))) = length (filter (sndb j) (firstn n (labs i l))).
Proof.
  intro H. apply count_agree; [rewrite !len_labs; apply thinner_len|]. intros x a b L A B.
  pose proof (thinner_snd i x j) as S. specialize (H x L). rewrite A, B in *.
  destruct (sndb j a) eqn:Ea, (sndb j b) eqn:Eb; auto.
  - apply sndb_spec in Ea. subst a. rewrite (proj2 (sndb_spec j b)) in Eb; [discriminate|].
    specialize (S eq_refl). congruence.
  - apply sndb_spec in Eb. subst b. rewrite (proj2 (sndb_spec j a)) in Ea; [discriminate|].
    specialize (H eq_refl). congruence.
Qed.
End Thinner.

Lemma thinner_app a b a' b' : thinner a a' -> thinner b b' -> thinner (a ++ b) (a' ++ b').
Proof. intros A B i. rewrite !labs_app. now apply Forall2_app. Qed.

(** A trimmed layer is balanced, and keeps the earliest sends. *)
Record trimmed (l t : list act) : Prop := {
  trimmed_thinner : thinner l t;
  trimmed_balanced : balanced t;
  trimmed_first : forall i j x x', x < x' -> nth_error (labs i l) x = Some (Snd j) ->
    nth_error (labs i t) x' = Some (Snd j) -> nth_error (labs i t) x = Some (Snd j)
}.

Lemma trimmed_concat ls ts : Forall2 trimmed ls ts -> thinner (concat ls) (concat ts) /\ balanced (concat ts).
Proof.
  induction 1 as [|l t ls ts T F [IH IHb]]; simpl; [split; [constructor|intros i j; reflexivity]|].
  split; [apply thinner_app; auto|apply balanced_app; auto]; apply T.
Qed.

(** Before a send that is kept, a layer has as many sends as the trimmed layer. *)
Lemma trimmed_count l t i j x : trimmed l t -> nth_error (labs i t) x = Some (Snd j) ->
  length (filter (sndb j) (firstn x (labs i t))) = length (filter (sndb j) (firstn x (labs i l))).
Proof.
  intros T H. apply thinner_count_snd; [apply T|]. intros x' L H'. apply (trimmed_first l t T i j x' x); auto.
Qed.

(** No layer receives more than it sends. *)
Definition fits (l : list act) := forall i j,
  length (filter (rcvb i) (labs j l)) <= length (filter (sndb j) (labs i l)).

Lemma balanced_fits l : balanced l -> fits l.
Proof. intros B i j. rewrite B. auto. Qed.

Lemma count_all {A} (f : A -> bool) u : length (filter f u) = length (filter f (firstn (length u) u)).
Proof. now rewrite firstn_all. Qed.

Lemma trimmed_sends l t i j : trimmed l t ->
  length (filter (sndb j) (labs i t)) = length (filter (rcvb i) (labs j l)).
Proof.
  intro T. rewrite (trimmed_balanced l t T), (count_all _ (labs j t)), (count_all _ (labs j l)), !len_labs.
  rewrite (thinner_len l t) by apply T. apply thinner_count_rcv, T.
Qed.

Lemma thinner_fewer u v j : Forall2 weaker u v -> length (filter (sndb j) v) <= length (filter (sndb j) u).
Proof.
  induction 1 as [|a b u v [->|[_ ->]] _ IH]; simpl; auto; destruct (sndb j a); simpl; lia.
Qed.

Lemma trimmed_fits l t : trimmed l t -> fits l.
Proof. intros T i j. rewrite <- (trimmed_sends l t i j T). apply thinner_fewer, T. Qed.

(** Receives and sends of an oldest-first run. *)
Lemma fifo_rcv l k y i j : is_rcv (fifo l) (k, y) i j <-> k = j /\ nth_error (labs k l) y = Some (Rcv i).
Proof.
  split; intros [F L]; split; auto; [now apply fifo_lab in L as [L _]|]. simpl. now rewrite L.
Qed.
Lemma fifo_snd l k x i j : is_snd (fifo l) (k, x) i j <-> k = i /\ nth_error (labs k l) x = Some (Snd j).
Proof.
  split; intros [F L]; split; auto; [now apply fifo_lab in L as [L _]|]. simpl. now rewrite L.
Qed.

(** If a message is left over, some send is not kept. *)
Lemma left_over_send l t i j : trimmed l t -> left_over l i j -> exists z,
  nth_error (labs i l) z = Some (Snd j) /\ nth_error (labs i t) z <> Some (Snd j).
Proof.
  intros T L. apply NNPP. intro N. unfold left_over in L. rewrite <- (trimmed_sends l t i j T) in L.
  rewrite (count_all _ (labs i t)), (count_all _ (labs i l)), !len_labs, (thinner_len l t) in L by apply T.
  rewrite (thinner_count_snd l t) in L; [lia|apply T|]. intros z _ H. apply NNPP. intro Q. apply N. eauto.
Qed.

(** ** One more message *)

(** [e] receives [s], instead of what it receives in [r]. *)
Definition redirect (r : run) (e s : event) : run := {|
  lab := lab r;
  delta := fun x => if ev_dec x e then s else delta r x;
  val := val r
|}.

Lemma redirect_matching r e s i j : matching r -> is_rcv r e i j -> is_snd r s i j -> unmatched r s ->
  ~ causes r e s -> matching (redirect r e s).
Proof.
  intros W R S U N. constructor.
  - intros x a b Rx. change (is_rcv r x a b) in Rx. simpl.
    destruct (ev_dec x e) as [->|]; [|now apply (delta_snd r W)].
    destruct R, Rx. assert (a = i /\ b = j) as [-> ->] by (split; congruence). exact S.
  - intros x a b y a' b' Rx Ry. change (is_rcv r x a b) in Rx. change (is_rcv r y a' b') in Ry. simpl.
    destruct (ev_dec x e) as [->|], (ev_dec y e) as [->|]; auto; intro D.
    + now destruct (U y a' b' Ry).
    + now destruct (U x a b Rx).
    + exact (delta_inj r W _ _ _ _ _ _ Rx Ry D).
  - apply (one_more_message r _ s e); [exact (causal r W)| |exact N|].
    + intros ->. destruct R, S. congruence.
    + intros x y [H|(a & b & Rx & D)]; [left; apply t_step; now left|]. change (is_rcv r y a b) in Rx. simpl in D.
      destruct (ev_dec y e) as [->|]; auto. left. subst x. eapply causes_msg; eauto.
Qed.

Section Layers.
Variables (ls ts : list (list act)).
Hypothesis Tr : Forall2 trimmed ls ts.
Let C := concat ls.
Let T := concat ts.

Lemma trim_split tb t tr : ts = tb ++ t :: tr -> exists before x rest, ls = before ++ x :: rest /\
  Forall2 trimmed before tb /\ trimmed x t /\ Forall2 trimmed rest tr.
Proof.
  intro E. pose proof Tr as F. rewrite E in F. apply Forall2_app_inv_r in F as (before & u & F1 & F2 & ->).
  inversion F2; subst. eauto 8.
Qed.
Lemma split_trim before bs : ls = before ++ bs -> exists tb tr, ts = tb ++ tr /\
  Forall2 trimmed before tb /\ Forall2 trimmed bs tr.
Proof.
  intro E. pose proof Tr as F. rewrite E in F. apply Forall2_app_inv_l in F as (tb & u & F1 & F2 & ->). eauto.
Qed.

Lemma trim_at before x rest : ls = before ++ x :: rest -> exists tb t tr, ts = tb ++ t :: tr /\
  Forall2 trimmed before tb /\ trimmed x t /\ Forall2 trimmed rest tr.
Proof.
  intro E. destruct (split_trim _ _ E) as (tb & u & -> & F & F2). inversion F2; subst. eauto 8.
Qed.
Lemma layer_fits before x rest : ls = before ++ x :: rest -> exists t, trimmed x t.
Proof.
  intro E. destruct (trim_at _ _ _ E) as (_ & t & _ & _ & _ & X & _). eauto.
Qed.

Lemma trim_len as_ tb k : Forall2 trimmed as_ tb -> len (concat tb) k = len (concat as_) k.
Proof. intro F. apply thinner_len, (trimmed_concat _ _ F). Qed.

(** ** Until something goes wrong, causality contains that graph

    [r] is a run of the layers from [c] on, up to [m]: a beginning, or all of them. *)

Section Run.
Variables (r : run) (c m : cut).
Hypotheses (W : matching r) (Sc : silent r c) (Be : begun r c m C).
Definition closed := forall e i j, is_rcv r e i j -> inside m e -> inside m (delta r e).
Definition all_taken_up := forall k, m k = c k + len C k.
Hypothesis Cl : closed \/ all_taken_up.

Lemma begun_le k : c k <= m k <= c k + len C k.
Proof.
  destruct (Be k) as [L E]. split; auto. apply (f_equal (@length label)) in E.
  rewrite firstn_length, map_length, seq_length, len_labs in E. lia.
Qed.

(** The labels of a layer, as far as they are in [m]. *)
Lemma lab_at before x rest k p a : ls = before ++ x :: rest -> nth_error (labs k x) p = Some a ->
  cut_after c before k + p < m k -> lab r k (cut_after c before k + p) = a.
Proof.
  intros E H L. unfold cut_after in *. destruct (Be k) as [Lc Q].
  assert (HC : nth_error (labs k C) (len (concat before) k + p) = Some a).
  { unfold C. rewrite E, concat_split, suffix_nth. simpl. now apply prefix_nth. }
  rewrite <- (nth_firstn (m k - c k)) in HC by lia. rewrite Q in HC. apply nth_map_seq in HC as [HC _].
  now rewrite Nat.add_assoc in HC.
Qed.
Lemma label_at k q : c k <= q -> q < m k -> nth_error (labs k C) (q - c k) = Some (lab r k q).
Proof.
  intros L1 L2. destruct (Be k) as [_ Q]. rewrite <- (nth_firstn (m k - c k)) by lia. rewrite Q, nth_map_seq' by lia.
  now replace (c k + (q - c k)) with q by lia.
Qed.

Lemma count_at (f : label -> bool) before x rest k p : ls = before ++ x :: rest -> p <= len x k ->
  (p = 0 \/ cut_after c before k + p <= m k) ->
  length (filter (fun q => f (lab r k q)) (seq (cut_after c before k) p)) = length (filter f (firstn p (labs k x))).
Proof.
  intros E Lp Lm. rewrite (count_map f (lab r k)), <- (firstn_map_seq (lab r k) (len x k)) by auto. apply count_agree.
  - now rewrite map_length, seq_length, len_labs.
  - intros w a b Lw A B. apply nth_map_seq in A as [<- _]. f_equal. apply (lab_at before x rest); auto; lia.
Qed.

(** Receives of a layer that take messages of the layer: the q'th comes after the q'th send. *)
Lemma message_of_layer before x rest t i j s y : ls = before ++ x :: rest -> trimmed x t ->
  nth_error (labs i t) s = Some (Snd j) -> nth_error (labs j t) y = Some (Rcv i) ->
  length (filter (sndb j) (firstn s (labs i t))) = length (filter (rcvb i) (firstn y (labs j t))) ->
  cut_after c before j + y < m j ->
  (forall k, k <= cut_after c before j + y -> is_rcv r (j, k) i j -> own r c ls (j, k)) ->
  causes r (i, cut_after c before i + s) (j, cut_after c before j + y).
Proof.
  intros E X Hs Hy K Lm O. pose proof (lab_at before x rest j y (Rcv i) E) as Ly.
  apply (thinner_rcv x t (trimmed_thinner x t X)) in Hy as Hy'. specialize (Ly Hy' Lm).
  apply (thinner_snd x t (trimmed_thinner x t X)) in Hs as Hs'.
  pose proof (labs_lt _ _ _ _ Hy') as By. pose proof (labs_lt _ _ _ _ Hs') as Bs.
  rewrite (trimmed_count x t i j s X Hs), (thinner_count_rcv x t (trimmed_thinner x t X)) in K.
  set (b := cut_after c before) in *. assert (Lb : b i + len x i <= c i + len C i).
  { unfold b, cut_after, C. rewrite E, concat_split. simpl. rewrite !len_app. lia. }
  (* up to the send, or to where the sender has got *)
  set (p := Nat.min s (m i - b i)).
  destruct (pigeon_on r b i j (b i + p) (b j + y)) as (k & Hk & R & G); auto; try lia.
  - intros k Hk Lk. assert (R : is_rcv r (j, k) i j) by (split; auto). destruct (delta_snd r W _ _ _ R) as [F _].
    specialize (O k ltac:(lia) R before (x :: rest) E). fold b in O. unfold inside in O. rewrite F in O.
    simpl in O. lia.
  - unfold nsnd, nrcv. rewrite !Nat.add_sub_swap, !Nat.sub_diag by lia. simpl. unfold b.
    rewrite (count_at (sndb j) before x rest), (count_at (rcvb i) before x rest) by (auto; fold b; lia).
    rewrite <- K. apply filter_prefix. lia.
  - destruct (Nat.eq_dec p s) as [Q|N]; [apply (from_message r i j k); auto; lia|]. exfalso.
    destruct Cl as [Cm|Cm]; [|specialize (Cm i); lia].
    destruct (delta_snd r W _ _ _ R) as [F _]. specialize (Cm _ _ _ R). unfold inside in Cm. rewrite F in Cm.
    simpl in Cm. specialize (O k ltac:(lia) R before (x :: rest) E). fold b in O. unfold inside in O. rewrite F in O.
    simpl in O. lia.
Qed.

Lemma closed_causes x y : closed -> causes r x y -> inside m y -> inside m x.
Proof.
  intro Cm. induction 1 as [x y [[F L]|(i & j & R & <-)]|]; auto; [|now apply (Cm y i j)].
  unfold inside. rewrite F. lia.
Qed.

(** Paths to what comes before [e0] are causality, if nothing before [e0] went wrong. *)
Lemma path_before e0 : inside m e0 -> (forall e i j, is_rcv r e i j -> causes r e e0 -> own r c ls e) ->
  forall u w, causes (fifo T) u w -> causes r (at_cut c w) e0 -> causes r (at_cut c u) e0.
Proof.
  intros I0 O. induction 1 as [u [j w] S|u v w _ IH1 _ IH2]; [|auto]. intro Cw.
  destruct S as [[F L]|(i & j' & [F L] & D)].
  - destruct u as [j' u]. simpl in F, L. subst j'. unfold at_cut in *. simpl in *.
    apply causes_local_le with (c j + w); [lia|exact Cw].
  - simpl in F. subst j'. apply fifo_lab in L as [L Lw]; [|discriminate]. cbn [fst snd] in L, Lw.
    assert (Im : c j + w < m j).
    { destruct Cl as [Cm|Cm]; [now apply (closed_causes _ _ Cm Cw)|]. rewrite (Cm j).
      pose proof (trim_len ls ts j Tr) as Lt. fold T C in Lt. lia. }
    destruct (in_some_layer ts j w _ L) as (tb & t & tr & y & E & -> & Hy).
    destruct (trim_split tb t tr E) as (before & x & rest & E' & Fb & X & Fr).
    assert (Bb : balanced (concat tb)) by apply (trimmed_concat _ _ Fb).
    assert (Br : balanced (concat tr)) by apply (trimmed_concat _ _ Fr).
    assert (Bt : balanced t) by apply X.
    assert (ET : T = concat tb ++ (t ++ concat tr)) by (unfold T; now rewrite E, concat_split).
    rewrite ET in D. change (j, len (concat tb) j + y) with (later (concat tb) (j, y)) in D.
    rewrite (delta_suffix _ _ i) in D; auto using balanced_app; [|now apply prefix_nth].
    rewrite (delta_prefix t _ i) in D; auto.
    destruct (fifo_match t i j y Bt Hy) as (s & Ds & Hs & K). rewrite Ds in D. subst u.
    eapply t_trans; [|exact Cw]. unfold at_cut, later; cbn [fst snd].
    rewrite (trim_len before tb _ Fb) in Im. rewrite !(trim_len before tb _ Fb), !Nat.add_assoc.
    apply (message_of_layer before x rest t); auto; [unfold cut_after; lia|].
    intros k Lk R. apply (O _ _ _ R). apply causes_local_le with (2 := Cw). simpl.
    rewrite (trim_len before tb _ Fb). unfold cut_after in Lk. lia.
Qed.

(** ** The first wrong receive is on a channel where the criterion fails *)

Lemma cut_after_le as_ bs k : ls = as_ ++ bs -> c k <= cut_after c as_ k <= c k + len C k.
Proof. intros E. unfold cut_after, C. rewrite E, concat_split, len_app. lia. Qed.

(** Neither a receive that takes a message of another layer nor its send is before the layers. *)
Lemma not_own e i j : is_rcv r e i j -> ~ own r c ls e -> exists as_ bs, ls = as_ ++ bs /\
  ~ (inside (cut_after c as_) e <-> inside (cut_after c as_) (delta r e)) /\ ~ inside c e /\ ~ inside c (delta r e).
Proof.
  intros R N. apply not_all_ex_not in N as (as_ & N). apply not_all_ex_not in N as (bs & N).
  apply imply_to_and in N as [E N]. exists as_, bs. split; auto. split; auto.
  pose proof (Sc e i j R). unfold inside in *.
  pose proof (cut_after_le as_ bs (fst e) E). pose proof (cut_after_le as_ bs (fst (delta r e)) E). lia.
Qed.

Section First.
Variables (e : event) (i j : proc) (as_ bs : list (list act)).
Hypotheses (R : is_rcv r e i j) (E : ls = as_ ++ bs) (Nc : ~ inside c e) (Ns : ~ inside c (delta r e)).
Hypothesis First : forall e' a b, is_rcv r e' a b -> causes r e' e -> own r c ls e'.

(** If it takes a message of a later layer, its layer's last receive does not reach that, ... *)
Lemma later_layer_message : inside m e -> inside (cut_after c as_) e -> ~ inside (cut_after c as_) (delta r e) ->
  exists before x rest y, as_ = before ++ x :: rest /\ last_receive x j i y /\
  forall k, c i + k <= snd (delta r e) -> ~ causes (fifo T) (j, len (concat before) j + y) (i, k).
Proof.
  intros Im Ie No. destruct e as [j' Y]. assert (j' = j) by apply R. subst j'.
  destruct (delta_snd r W _ _ _ R) as [Fs _]. unfold inside, cut_after in *; simpl in *.
  assert (Hy : nth_error (labs j (concat as_)) (Y - c j) = Some (Rcv i)).
  { apply prefix_nth_back with (concat bs); [|lia]. rewrite <- concat_split, <- E. destruct R as [_ <-].
    apply label_at; simpl; lia. }
  destruct (in_some_layer as_ j _ _ Hy) as (before & x & rest & y & Ea & Ey & Hx).
  destruct (last_receive_exists x j i y Hx) as (y0 & Last & Ly).
  exists before, x, rest, y0. split; auto. split; auto. intros k Lk P.
  apply (path_before (j, Y) Im First) in P.
  - apply (causal r W (j, Y)). unfold at_cut in P; simpl in P. apply causes_local_le with (2 := P). lia.
  - unfold at_cut; simpl. now apply (from_message r i j Y).
Qed.

(** ... and if it takes one of an earlier layer, that is left over: else it was taken in that layer. *)
Lemma earlier_message : (inside m e \/ all_taken_up) -> ~ inside (cut_after c as_) e ->
  inside (cut_after c as_) (delta r e) ->
  exists before x rest, as_ = before ++ x :: rest /\ left_over x i j.
Proof.
  intros Im Ne Is. destruct e as [j' Y]. assert (j' = j) by apply R. subst j'.
  destruct (delta_snd r W _ _ _ R) as [Fs Ls]. destruct (delta r (j, Y)) as [i' Z] eqn:D. simpl in Fs, Ls. subst i'.
  assert (Is' : Z < m i).
  { destruct Cl as [Cm|Cm], Im as [Im|Cm']; try specialize (Cm' i); try specialize (Cm i);
      pose proof (cut_after_le as_ bs i E); unfold inside in Is; simpl in Is; try lia.
    specialize (Cm _ _ _ R Im). rewrite D in Cm. exact Cm. }
  assert (Hz : nth_error (labs i (concat as_)) (Z - c i) = Some (Snd j)).
  { unfold inside, cut_after in *; simpl in *. apply prefix_nth_back with (concat bs); [|lia].
    rewrite <- concat_split, <- E, <- Ls. apply label_at; lia. }
  destruct (in_some_layer as_ i _ _ Hz) as (before & x & rest & z & Ea & Ez & Hx).
  assert (E' : ls = before ++ x :: (rest ++ bs)) by (rewrite E, Ea, <- app_assoc; reflexivity).
  assert (E2 : ls = (before ++ [x]) ++ (rest ++ bs)) by now rewrite <- app_assoc.
  exists before, x, rest. split; auto. unfold left_over.
  destruct (le_lt_dec (length (filter (sndb j) (labs i x))) (length (filter (rcvb i) (labs j x)))) as [Le|]; auto.
  exfalso. set (b := cut_after c before) in *.
  assert (Lb : forall k, cut_after c (before ++ [x]) k = b k + len x k).
  { intro k. unfold b, cut_after. rewrite concat_split, len_app. simpl. rewrite app_nil_r. lia. }
  assert (La : forall k, b k + len x k <= cut_after c as_ k).
  { intro k. unfold b, cut_after. rewrite Ea, concat_split. simpl. rewrite !len_app. lia. }
  set (d := fun k => Nat.min (m k) (b k + len x k)).
  assert (Dj : d j = b j + len x j).
  { unfold d. specialize (La j). pose proof (cut_after_le as_ bs j E). unfold inside in *. simpl in *.
    destruct Im as [Im|Cm]; [lia|specialize (Cm j); lia]. }
  assert (Bi : b i <= Z) by (apply labs_lt in Hx; unfold b, cut_after, inside in *; simpl in *; lia).
  destruct (all_taken_on r b d i j W) with (s := (i, Z)) as (e' & R' & [_ I'] & D').
  - rewrite Dj. unfold nsnd, nrcv. rewrite Nat.add_sub_swap, Nat.sub_diag by lia. simpl.
    set (p := d i - b i). assert (Lp : p <= len x i) by (unfold p, d; lia).
    unfold b. rewrite (count_at (sndb j) before x _ i p E'), (count_at (rcvb i) before x _ j _ E') by
      (auto; fold b; unfold p, d in *; lia).
    rewrite <- !len_labs, firstn_all. eapply Nat.le_trans; [|exact Le].
    rewrite <- (firstn_all (labs i x)) at 2. rewrite len_labs. now apply filter_prefix.
  - intros [j' k] Rk [A1 A2]. assert (j' = j) by apply Rk. subst j'. unfold inside in A1, A2; simpl in A1, A2.
    assert (O : own r c ls (j, k)).
    { apply (First _ _ _ Rk), causes_order. specialize (La j). unfold inside in Ne; simpl in Ne. lia. }
    pose proof (O before _ E') as O1. pose proof (O _ _ E2) as O2. fold b in O1. unfold between, inside in *.
    rewrite Lb in O2. rewrite Lb in O2. simpl in *. split; [lia|]. unfold d.
    apply Nat.min_glb_lt; [|lia]. destruct (delta_snd r W _ _ _ Rk) as [Fk _].
    destruct Cl as [Cm|Cm]; [apply (Cm _ _ _ Rk); unfold inside; simpl; unfold d in *; lia|].
    specialize (La (fst (delta r (j, k)))). pose proof (cut_after_le as_ bs (fst (delta r (j, k))) E).
    rewrite (Cm (fst (delta r (j, k)))). lia.
  - split; auto.
  - unfold between, inside. simpl. apply labs_lt in Hx. unfold d, b, cut_after in *. lia.
  - assert (e' = (j, Y)) by (apply (delta_inj r W _ _ _ _ _ _ R' R); congruence). subst e'.
    unfold inside in I', Ne; simpl in I', Ne. specialize (La j). lia.
Qed.
End First.
End Run.

(** If something goes wrong among finitely many receives, something goes wrong first. *)
Lemma first_wrong r c (Q : event -> Prop) L : matching r ->
  (forall e i j, is_rcv r e i j -> Q e -> ~ own r c ls e -> In e L) ->
  (exists e i j, is_rcv r e i j /\ Q e /\ ~ own r c ls e) -> exists e i j, is_rcv r e i j /\ Q e /\ ~ own r c ls e /\
    forall e' a b, is_rcv r e' a b -> causes r e' e -> Q e' -> own r c ls e'.
Proof.
  intros W HL (e & i & j & R & Qe & N).
  destruct (max_exists L (fun e => exists i j, is_rcv r e i j /\ Q e /\ ~ own r c ls e) (fun x y => causes r y x))
    as (x & _ & (a & b & Rx & Qx & Nx) & Mx).
  - intros x y z A B. eapply t_trans; eauto.
  - exact (causal r W).
  - exists e. split; eauto 6.
  - exists x, a, b. split; [auto|split; [auto|split; [auto|]]]. intros e' p q R' C' Q'. apply NNPP. intro N'.
    apply (Mx e'); eauto 6.
Qed.

Lemma begun_interferes r c m : matching r -> silent r c -> begun r c m C -> closed r m ->
  (exists e i j, is_rcv r e i j /\ inside m e /\ ~ own r c ls e) ->
  exists e i j, is_rcv r e i j /\ inside m e /\ ~ own r c ls e /\ (taken_up ls i j \/ ~ reaches_on T ls i j).
Proof.
  intros W Sc Be Cm Wr. assert (Cl : closed r m \/ all_taken_up c m) by auto.
  destruct (first_wrong r c (inside m) (map (at_cut c) (events_of C)) W) as (e & i & j & R & Im & N & First); auto.
  { intros [k q] i j R I N. destruct (not_own r c Sc (k, q) i j R N) as (_ & _ & _ & _ & Nc & _).
    apply in_map_iff. exists (k, q - c k). pose proof (begun_le r c m Be k). unfold at_cut, inside in *. simpl in *.
    split; [f_equal; lia|]. apply events_all. lia. }
  exists e, i, j. repeat (split; auto).
  assert (First' : forall e' a b, is_rcv r e' a b -> causes r e' e -> own r c ls e').
  { intros e' a b R' C'. apply (First e' a b R' C'). now apply (closed_causes r m e' e). }
  destruct (not_own r c Sc e i j R N) as (as_ & bs & E & X & Nc & Ns). pose proof (Cm e i j R Im) as Is.
  destruct (classic (inside (cut_after c as_) e)) as [I|O].
  - right. intro Rc. assert (No : ~ inside (cut_after c as_) (delta r e)) by tauto.
    destruct (later_layer_message r c m W Be Cl e i j as_ bs) as (before & x & rest & y & -> & Last & P); auto.
    destruct (delta_snd r W _ _ _ R) as [Fs Ls]. destruct (delta r e) as [i' Z]. simpl in Fs, Ls, P. subst i'.
    assert (E' : ls = before ++ x :: (rest ++ bs)) by (now rewrite E, <- app_assoc).
    assert (E2 : C = concat (before ++ x :: rest) ++ concat bs) by (unfold C; now rewrite E, concat_split).
    unfold inside, cut_after in *; simpl in *.
    set (z := Z - (c i + len (concat (before ++ x :: rest)) i)).
    assert (Hz : nth_error (labs i (concat (rest ++ bs))) (len (concat rest) i + z) = Some (Snd j)).
    { rewrite concat_split, suffix_nth, <- (suffix_nth i (concat (before ++ x :: rest))), <- E2, <- Ls.
      replace (len _ i + z) with (Z - c i) by (unfold z; lia). apply (label_at r c m); auto; lia. }
    destruct (first_send_exists _ _ _ _ Hz) as (z0 & Fi & Lz). apply (P _) with (2 := Rc before x _ E' y z0 Last Fi).
    unfold z in Lz. rewrite concat_split in *. simpl in *. rewrite !len_app in *. lia.
  - left. destruct (earlier_message r c m W Be Cl e i j as_ bs) as (before & x & rest & -> & Lo); auto; try tauto.
    exists before, x, (rest ++ bs). split; [now rewrite E, <- app_assoc|split; auto].
    assert (E2 : C = concat (before ++ x :: rest) ++ concat bs) by (unfold C; now rewrite E, concat_split).
    rewrite concat_split, labs_app. apply in_or_app. right. destruct R as [F L]. destruct e as [j' Y]. simpl in F, L.
    subst j'. unfold inside, cut_after in *. simpl in *.
    apply nth_error_In with (Y - (c j + len (concat (before ++ x :: rest)) j)).
    rewrite <- (suffix_nth j (concat (before ++ x :: rest))), <- E2, <- L.
    replace (len _ j + _) with (Y - c j) by lia. apply (label_at r c m); auto; lia.
Qed.

(** ** If the criterion fails, a receive can go wrong, and none on another channel does *)

Section Wrong.
Variables (G : run -> Prop) (Ps : list prog).
Hypotheses (Ls : layers Ps ls) (HG : forall r, Rel r -> (nofself C -> noself r) -> G r) (DF : dead_free T).

Lemma thin : thinner C T. Proof. apply (trimmed_concat _ _ Tr). Qed.
Lemma balanced_T : balanced T. Proof. apply (trimmed_concat _ _ Tr). Qed.

(** The run of the layers with the messages of [r], a run of the trimmed layers. *)
Definition relabelled (r : run) : run := {| lab := lab (fifo C); delta := delta r; val := val r |}.

Lemma relabelled_rcv r e i j : lab r = lab (fifo T) -> (is_rcv (relabelled r) e i j <-> is_rcv r e i j).
Proof.
  intro E. change (is_rcv (fifo C) e i j <-> is_rcv r e i j). unfold is_rcv at 2. rewrite E.
  change (is_rcv (fifo C) e i j <-> is_rcv (fifo T) e i j).
  destruct e as [k y]. rewrite !fifo_rcv, (thinner_rcv C T thin). tauto.
Qed.

Lemma relabelled_step r x y : lab r = lab (fifo T) -> (step (relabelled r) x y <-> step r x y).
Proof.
  intro E. unfold step. simpl delta.
  split; (intros [S|(i & j & R & D)]; [left; exact S|right; exists i, j; split; auto]);
    now apply (relabelled_rcv r y i j E).
Qed.

Lemma relabelled_causes r x y : lab r = lab (fifo T) -> (causes (relabelled r) x y <-> causes r x y).
Proof.
  intro E.
  split; (induction 1 as [x y S|]; [apply t_step; now apply (relabelled_step r x y E)|eapply t_trans; eauto]).
Qed.

Lemma relabelled_matching r : lab r = lab (fifo T) -> matching r -> matching (relabelled r).
Proof.
  intros E W. constructor.
  - intros e i j R. apply (relabelled_rcv r e i j E) in R. apply (delta_snd r W) in R. simpl delta.
    destruct (delta r e) as [k x]. unfold is_snd in R. rewrite E in R. change (is_snd (fifo T) (k, x) i j) in R.
    change (is_snd (fifo C) (k, x) i j). rewrite fifo_snd in *. split; [tauto|]. now apply (thinner_snd C T thin).
  - intros e i j e' i' j' R R'. apply (relabelled_rcv r e i j E) in R. apply (relabelled_rcv r e' i' j' E) in R'.
    exact (delta_inj r W _ _ _ _ _ _ R R').
  - intros e Ce. apply (relabelled_causes r e e E) in Ce. exact (causal r W e Ce).
Qed.

(** A run in which [e] takes a message from across a boundary, and other channels are as before. *)
Lemma wrong_receive r e i j as_ bs : matching r -> lab r = lab (fifo C) -> ls = as_ ++ bs ->
  (forall e a b, is_rcv r e a b -> (a, b) <> (i, j) -> delta r e = delta (fifo T) e) ->
  is_rcv r e i j -> ~ (inside (len (concat as_)) e <-> inside (len (concat as_)) (delta r e)) ->
  root_cause G Ps ls i j.
Proof.
  intros W El E Others R X.
  assert (In_C : forall e a, lab r (fst e) (snd e) = a -> a <> Int -> inside (len C) e).
  { intros x a A N. rewrite El in A. now apply fifo_lab in A as [_ A]. }
  destruct (computed r (fun _ => 0) (sequence Ps) C) as (v & Rv & O); auto.
  - apply quiet_reliable with (len C). intros p k q Lk H. rewrite El in H.
    apply fifo_lab in H as [_ H]; [lia|discriminate].
  - now apply sequence_acts.
  - intro k. rewrite El. apply map_lab_fifo.
  - exists (revalue r v), (fun _ => 0), (len C). split; [|split; [|split]].
    + apply HG; auto. intros NS x k [F S]. apply (fifo_noself C NS x k). split; auto. now rewrite <- El.
    + apply chop_first. split; [intros x p q _; unfold inside; split; lia|]. apply chop_last. split; auto.
      intros x p q Rx. change (is_rcv r x p q) in Rx. change (delta (revalue r v) x) with (delta r x).
      destruct (delta_snd r W _ _ _ Rx) as [_ S]. destruct Rx as [_ L].
      split; intros _; [now apply (In_C _ _ S)|now apply (In_C _ _ L)].
    + intros x p q Rx N as' bs' E'. change (is_rcv r x p q) in Rx.
      change (delta (revalue r v) x) with (delta r x). rewrite (Others x p q Rx N).
      destruct (split_trim as' bs' E') as (ta & tb & Et & Fa & Fb).
      destruct Rx as [F L]. rewrite El in L. destruct x as [q' y]. simpl in F. subst q'.
      apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
      apply (thinner_rcv C T thin) in L. destruct (fifo_match T p q y balanced_T L) as (z & D & _). rewrite D.
      assert (ET : T = concat ta ++ concat tb) by (unfold T; now rewrite Et, concat_split).
      rewrite ET in L, D. unfold inside, cut_after; simpl. rewrite <- !(trim_len as' ta _ Fa).
      apply (fifo_same_layer _ (concat tb) p q y z); auto; [apply (trimmed_concat _ _ Fa)|].
      rewrite <- ET. apply balanced_T.
    + exists e. split; [exact R|]. intro O'. apply X. apply (O' as_ bs E).
Qed.

(** By exchange: a receive that does not reach a send of a later layer takes the message of that from its receive. *)
Lemma exchanged as_ bs i j y z : ls = as_ ++ bs -> nth_error (labs j (concat as_)) y = Some (Rcv i) ->
  nth_error (labs i T) (len (concat as_) i + z) = Some (Snd j) ->
  ~ causes (fifo T) (j, y) (i, len (concat as_) i + z) -> root_cause G Ps ls i j.
Proof.
  intros E Hy Hz N. destruct (split_trim as_ bs E) as (ta & tb & Et & Fa & Fb).
  assert (ET : T = concat ta ++ concat tb) by (unfold T; now rewrite Et, concat_split).
  destruct (trimmed_concat _ _ Fa) as [Ta Ba]. pose proof (trim_len as_ ta i Fa) as Li.
  apply (thinner_rcv _ _ Ta) in Hy. rewrite <- Li in *. rewrite ET in Hz, N. rewrite suffix_nth in Hz.
  destruct (crossing_run_exists (concat ta) (concat tb)) with (i := i) (j := j) (y := y) (z := z)
    as (r & W & _ & _ & _ & _ & R & D & El & Others); auto; try (rewrite <- ET; auto using balanced_T; fail).
  rewrite <- ET in El, Others. assert (Rr : is_rcv (relabelled r) (j, y) i j) by now apply relabelled_rcv.
  apply (wrong_receive (relabelled r) (j, y) i j as_ bs); auto using relabelled_matching.
  - intros e a b Re. apply (Others e a b). now apply relabelled_rcv.
  - simpl delta. rewrite D. unfold inside; simpl. rewrite Li. apply labs_lt in Hy.
    rewrite (trim_len as_ ta j Fa) in Hy. lia.
Qed.

(** Without exchange: it takes a message that is left over. *)
Lemma redirected as_ bs i j y z : ls = as_ ++ bs -> nth_error (labs j C) y = Some (Rcv i) ->
  nth_error (labs i C) z = Some (Snd j) -> nth_error (labs i T) z <> Some (Snd j) ->
  ~ (y < len (concat as_) j <-> z < len (concat as_) i) -> ~ causes (fifo T) (j, y) (i, z) -> root_cause G Ps ls i j.
Proof.
  intros E Hy Hz Nz X N. set (r := relabelled (fifo T)).
  assert (W : matching r) by (apply relabelled_matching; auto; apply fifo_matching; auto using balanced_T).
  assert (R : is_rcv r (j, y) i j) by now apply fifo_rcv.
  assert (W' : matching (redirect r (j, y) (i, z))).
  { apply redirect_matching with i j; auto.
    - now apply fifo_snd.
    - intros [b x] a b' Rx. apply (relabelled_rcv (fifo T)) in Rx; auto. apply fifo_rcv in Rx as [<- Rx]. simpl delta.
      destruct (fifo_match T a b x balanced_T Rx) as (u & Du & Hu & _). cbn [fst snd delta fifo] in Du. rewrite Du.
      intro Q. injection Q as -> ->. apply (thinner_snd C T thin) in Hu as Hu'. congruence.
    - intro P. now apply (relabelled_causes (fifo T)) in P. }
  apply (wrong_receive (redirect r (j, y) (i, z)) (j, y) i j as_ bs); auto.
  - intros e a b Re Q. simpl. destruct (ev_dec e (j, y)) as [->|]; auto. exfalso. apply Q.
    destruct Re as [F L], R as [F' L']. change (lab (redirect r (j, y) (i, z))) with (lab r) in L. congruence.
  - simpl. destruct (ev_dec (j, y) (j, y)); [exact X|contradiction].
Qed.

Lemma interferes_root i j : taken_up ls i j \/ ~ reaches_on T ls i j -> root_cause G Ps ls i j.
Proof.
  intros [(before & x & rest & E & Lo & Rc)|N].
  - destruct (trim_at before x rest E) as (tb & t & tr & Et & Fb & X & Fr).
    destruct (left_over_send x t i j X Lo) as (z & Hz & Nz). apply In_nth_error in Rc as [y Hy].
    assert (E2 : ls = (before ++ [x]) ++ rest) by now rewrite <- app_assoc.
    assert (EC : C = concat before ++ (x ++ concat rest)) by (unfold C; now rewrite E, concat_split).
    assert (EC2 : C = concat (before ++ [x]) ++ concat rest) by (unfold C; now rewrite E2, concat_split).
    assert (ET : T = concat tb ++ (t ++ concat tr)) by (unfold T; now rewrite Et, concat_split).
    assert (ET2 : T = (concat tb ++ t) ++ concat tr) by now rewrite <- app_assoc.
    assert (Lx : forall k, len (concat (before ++ [x])) k = len (concat tb ++ t) k).
    { intro k. rewrite concat_split, !len_app. simpl. rewrite app_nil_r, (trim_len before tb k Fb).
      now rewrite (thinner_len x t (trimmed_thinner x t X)). }
    pose proof (labs_lt _ _ _ _ Hz) as Lz. rewrite <- (thinner_len x t (trimmed_thinner x t X)) in Lz.
    apply (redirected (before ++ [x]) rest i j (len (concat (before ++ [x])) j + y) (len (concat before) i + z));
      auto.
    + rewrite EC2. now rewrite suffix_nth.
    + rewrite EC, suffix_nth. now apply prefix_nth.
    + rewrite ET, <- (trim_len before tb i Fb), suffix_nth. intro Q. apply Nz.
      apply (prefix_nth_back i t (concat tr)); auto.
    + rewrite !Lx, !len_app, <- (trim_len before tb i Fb). lia.
    + rewrite ET2. intro P. apply fifo_back in P as [_ P].
      * unfold inside in P. simpl in P. rewrite Lx in P. lia.
      * apply balanced_app; [apply (trimmed_concat _ _ Fb)|apply X].
      * unfold inside. simpl. rewrite len_app, <- (trim_len before tb i Fb). lia.
  - apply not_all_ex_not in N as (before & N). apply not_all_ex_not in N as (x & N).
    apply not_all_ex_not in N as (rest & N). apply imply_to_and in N as [E N].
    apply not_all_ex_not in N as (y & N). apply not_all_ex_not in N as (z & N).
    apply imply_to_and in N as [[Hy _] N]. apply imply_to_and in N as [[Hz _] N].
    assert (E2 : ls = (before ++ [x]) ++ rest) by now rewrite <- app_assoc.
    assert (Ex : concat (before ++ [x]) = concat before ++ x) by (rewrite concat_split; simpl; now rewrite app_nil_r).
    assert (EC2 : C = (concat before ++ x) ++ concat rest) by (unfold C; now rewrite E2, concat_split, Ex).
    assert (Hy' : nth_error (labs j (concat before ++ x)) (len (concat before) j + y) = Some (Rcv i))
      by now rewrite suffix_nth.
    rewrite <- Ex in *.
    destruct (classic (nth_error (labs i T) (len (concat (before ++ [x])) i + z) = Some (Snd j))) as [M|M].
    + now apply (exchanged (before ++ [x]) rest i j _ z E2 Hy').
    + apply (redirected (before ++ [x]) rest i j (len (concat before) j + y) (len (concat (before ++ [x])) i + z));
        auto.
      * rewrite EC2. now apply prefix_nth.
      * rewrite EC2. now rewrite suffix_nth.
      * apply labs_lt in Hy'. lia.
Qed.

(** ** Root causes are the channels on which the criterion fails *)

Hypothesis GM : forall r, G r -> matching r.

(** A run of the layers is a beginning of one. *)
Lemma begun_all r c : standing r c C -> begun r c (cut_after c ls) C.
Proof.
  intros St k. unfold cut_after. fold C. split; [lia|]. rewrite Nat.add_sub_swap, Nat.sub_diag by lia. simpl.
  now rewrite <- len_labs, firstn_all, len_labs.
Qed.

Lemma occurs_begun r c d : occurs r c (Lay Chop (Lay (sequence Ps) Chop)) d -> silent r c /\
  begun r c (cut_after c ls) C /\ closed r (cut_after c ls) /\
  forall e i j, is_rcv r e i j -> ~ own r c ls e -> inside (cut_after c ls) e.
Proof.
  intro O. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd].
  pose proof (occurs_follows r _ _ (sequence_acts Ps ls Ls) _ _ O) as F.
  apply (silent_ceq r d (cut_after c ls)) in Sd; [|intro k; apply F].
  split; [|split; [|split]]; auto; [apply begun_all; intro k; apply F|intros e i j R; apply (Sd e i j R)|].
  intros e i j R N. destruct (not_own r c Sc e i j R N) as (as_ & bs & E & X & _).
  pose proof (Sd e i j R) as S. pose proof (cut_after_le c as_ bs (fst e) E).
  pose proof (cut_after_le c as_ bs (fst (delta r e)) E).
  assert (Q : forall k, cut_after c ls k = c k + len C k) by reflexivity. unfold inside in *. rewrite !Q in *. lia.
Qed.

(** If something goes wrong in a run of the layers, then also on a channel where the criterion fails. *)
Lemma wrong_interferes r c d : G r -> occurs r c (Lay Chop (Lay (sequence Ps) Chop)) d ->
  (exists e i j, is_rcv r e i j /\ ~ own r c ls e) ->
  exists e i j, is_rcv r e i j /\ ~ own r c ls e /\ (taken_up ls i j \/ ~ reaches_on T ls i j).
Proof.
  intros g O (e & i & j & R & N). destruct (occurs_begun r c d O) as (Sc & Be & Cm & In_).
  destruct (begun_interferes r c _ (GM r g) Sc Be Cm) as (e' & a & b & R' & _ & N' & I); [|eauto 6].
  exists e, i, j. split; auto. split; eauto.
Qed.

Lemma apart_own r c d : silent r c -> (occurs r c (apart Ps) d <->
  occurs r c (sequence Ps) d /\ forall e i j, is_rcv r e i j -> own r c ls e).
Proof.
  intro Sc. rewrite (apart_iff r Ps ls Ls). split; intros [O A]; split; auto.
  - intros e i j R [|x as_] bs E; [|apply (A (x :: as_) bs E) with i j; auto; discriminate].
    assert (E0 : ceq c (cut_after c [])) by (intro k; unfold cut_after, len; simpl; lia).
    apply (silent_ceq r _ _ E0 Sc e i j R).
  - intros as_ bs E _ e i j R. apply (A e i j R as_ bs E).
Qed.

Lemma root_cause_in i j : root_cause G Ps ls i j <-> taken_up ls i j \/ ~ reaches_on T ls i j.
Proof.
  split; [|apply interferes_root]. intros (r & c & d & g & O & H & e & R & N).
  destruct (wrong_interferes r c d g O) as (e' & a & b & R' & N' & I); eauto.
  destruct (classic ((a, b) = (i, j))) as [E|D]; [injection E as -> ->; auto|].
  destruct (N' (H e' a b R' D)).
Qed.

Lemma root_cause_begun_in i j : root_cause_begun G ls i j <-> root_cause G Ps ls i j.
Proof.
  split.
  - intros (r & c & m & g & Sc & Be & Cm & H & e & R & I & N). apply interferes_root.
    destruct (begun_interferes r c m (GM r g) Sc Be Cm) as (e' & a & b & R' & I' & N' & X); eauto 6.
    destruct (classic ((a, b) = (i, j))) as [E|D]; [injection E as -> ->; auto|].
    destruct (N' (H e' a b R' I' D)).
  - intros (r & c & d & g & O & H & e & R & N). destruct (occurs_begun r c d O) as (Sc & Be & Cm & In_).
    exists r, c, (cut_after c ls). split; [exact g|split; [exact Sc|split; [exact Be|split; [exact Cm|split]]]].
    + intros e' a b R' _. apply (H e' a b R').
    + exists e. eauto.
Qed.

Lemma tagged_in tagged :
  stay_apart_tagged G tagged Ps ls <-> forall i j, root_cause G Ps ls i j -> tagged i j.
Proof.
  split.
  - intros S i j (r & c & d & g & O & H & e & R & N). apply NNPP. intro Nt. apply N.
    assert (A : occurs r c (apart Ps) d).
    { apply S; auto. intros x a b Rx Tx. apply (H x a b Rx). intro E. injection E as -> ->. auto. }
    apply apart_own in A as [_ A]; [now apply (A e i j)|]. now apply chop_first in O.
  - intros S r c d g O H. pose proof O as O'. apply chop_first in O' as [Sc O']. apply chop_last in O' as [O' _].
    apply apart_own; auto. split; auto. intros e i j R. apply NNPP. intro N.
    destruct (wrong_interferes r c d g O) as (e' & a & b & R' & N' & I); eauto.
    apply N', (H e' a b R'), S, interferes_root, I.
Qed.

Lemma apart_in : stay_apart G Ps <-> forall i j, ~ root_cause G Ps ls i j.
Proof.
  rewrite <- (tagged_in (fun _ _ => False)). split; intros S r c d g O; [intros _|apply S; auto]; [now apply S|].
  intros e i j _ [].
Qed.
End Wrong.
End Layers.

(** ** Balanced layers *)

Lemma trimmed_itself l : balanced l -> trimmed l l.
Proof.
  intro B. constructor; auto. intro i. induction (labs i l); constructor; auto. now left.
Qed.

Lemma trimmed_themselves ls : (forall l, In l ls -> balanced l) -> Forall2 trimmed ls ls.
Proof.
  induction ls as [|l ls IH]; intro B; constructor; [apply trimmed_itself, B; now left|].
  apply IH. intros m I. apply B. now right.
Qed.

Lemma nothing_taken_up ls i j : (forall l, In l ls -> balanced l) -> ~ taken_up ls i j.
Proof.
  intros B (before & x & rest & -> & L & _). unfold left_over in L. rewrite (B x) in L; [lia|].
  apply in_or_app. right. now left.
Qed.

(** ** Layers with messages left over *)

(** Each send uses up one of the receives that remain on its channel.  If none remains, its message is left over. *)
Fixpoint trim_to (left : proc -> proc -> nat) (l : list act) : list act :=
  match l with
  | [] => []
  | ASend i j :: l' =>
      match left i j with
      | 0 => AInt i :: trim_to left l'
      | S n => ASend i j :: trim_to (fun a b => if (a =? i) && (b =? j) then n else left a b) l'
      end
  | a :: l' => a :: trim_to left l'
  end.
Definition trim (l : list act) : list act := trim_to (fun i j => length (filter (rcvb i) (labs j l))) l.

Lemma labs_cons_if i a l : labs i (a :: l) = if actor a =? i then alab a :: labs i l else labs i l.
Proof. unfold labs, proj. simpl. now destruct (actor a =? i). Qed.

Lemma trim_thinner l : forall left, thinner l (trim_to left l).
Proof.
  induction l as [|a l IH]; intros left i; simpl; [constructor|].
  destruct a as [k j|j k|k]; [destruct (left k j) as [|n]| |]; rewrite !labs_cons_if; simpl;
    match goal with |- context [if ?b then _ else _] => destruct b end; try apply IH; constructor; try apply IH;
    try (left; reflexivity). right. split; eauto.
Qed.

Lemma trim_sends l : forall left i j, length (filter (sndb j) (labs i (trim_to left l))) =
  Nat.min (left i j) (length (filter (sndb j) (labs i l))).
Proof.
  induction l as [|a l IH]; intros left i j; simpl; [unfold labs; simpl; lia|].
  destruct a as [k b|b k|k]; [destruct (left k b) as [|n] eqn:E| |]; rewrite !labs_cons_if; simpl;
    match goal with |- context [if ?x =? i then _ else _] => destruct (x =? i) eqn:K end; simpl; rewrite ?IH; auto.
  - apply Nat.eqb_eq in K. subst k. destruct (b =? j) eqn:B; simpl; auto. apply Nat.eqb_eq in B. subst b. lia.
  - apply Nat.eqb_eq in K. subst k.
    destruct (b =? j) eqn:B; simpl; rewrite IH, Nat.eqb_refl, (Nat.eqb_sym j b), B; auto.
    apply Nat.eqb_eq in B. subst b. now rewrite E.
  - now rewrite (Nat.eqb_sym i k), K.
Qed.

Lemma trim_none l : forall left i j x, left i j = 0 -> nth_error (labs i (trim_to left l)) x <> Some (Snd j).
Proof.
  intros left i j x Z H. pose proof (trim_sends l left i j) as S. rewrite Z in S. simpl in S.
  pose proof (count_lt (sndb j) _ _ _ H (proj2 (sndb_spec j _) eq_refl)). lia.
Qed.

Lemma trim_first l : forall left i j x x', x < x' -> nth_error (labs i l) x = Some (Snd j) ->
  nth_error (labs i (trim_to left l)) x' = Some (Snd j) -> nth_error (labs i (trim_to left l)) x = Some (Snd j).
Proof.
  induction l as [|a l IH]; intros left i j x x' Lx; simpl; [destruct x; discriminate|].
  destruct a as [k b|b k|k]; [destruct (left k b) as [|n] eqn:E| |]; rewrite !labs_cons_if; simpl;
    match goal with |- context [if ?x =? i then _ else _] => destruct (x =? i) eqn:K end; try (apply IH; exact Lx);
    destruct x as [|x], x' as [|x']; try lia; simpl; intros H H'; try discriminate; auto;
    try (apply (IH _ i j x x'); auto; lia).
  apply Nat.eqb_eq in K. subst k. injection H as ->. now destruct (trim_none l left i j x' E).
Qed.

Lemma trim_trimmed l : fits l -> trimmed l (trim l).
Proof.
  intro F. assert (Th : thinner l (trim l)) by apply trim_thinner. constructor; auto.
  - intros i j. unfold trim at 1. rewrite trim_sends. rewrite (count_all _ (labs j (trim l))), len_labs,
      (thinner_len l (trim l) Th), (thinner_count_rcv l (trim l) Th), <- len_labs, <- count_all.
    specialize (F i j). lia.
  - intros i j x x'. apply trim_first.
Qed.

Lemma all_trimmed ls : (forall l, In l ls -> fits l) -> Forall2 trimmed ls (map trim ls).
Proof.
  induction ls as [|l ls IH]; intro F; constructor; [apply trim_trimmed, F; now left|].
  apply IH. intros m I. apply F. now right.
Qed.

(** Messages that are left over make no deadlock, and end none. *)
Lemma trimmed_dead_free l t : trimmed l t -> dead_free l -> dead_free t.
Proof.
  intros X D. assert (S : forall x y, step (fifo t) x y -> step (fifo l) x y).
  { intros x [j y] [S|(i & j' & R & M)]; [now left|right]. exists i, j'. apply fifo_rcv in R as [<- R].
    pose proof (thinner_rcv l t (trimmed_thinner l t X) j y i) as Rl.
    split; [apply fifo_rcv; split; auto; now apply Rl|].
    destruct (fifo_match t i j y (trimmed_balanced l t X) R) as (z & Dz & Hz & K). rewrite Dz in M. subst x.
    unfold fifo; cbn [delta fst snd]. rewrite (proj1 Rl R). f_equal.
    rewrite <- (thinner_count_rcv l t (trimmed_thinner l t X)), <- K, (trimmed_count l t i j z X Hz).
    apply nthpos_count with (Snd j); [now apply (thinner_snd l t (trimmed_thinner l t X))|now apply sndb_spec]. }
  assert (Q : forall x y, causes (fifo t) x y -> causes (fifo l) x y)
    by (induction 1; [apply t_step; auto|eapply t_trans; eauto]).
  intros e C. apply (D e), Q, C.
Qed.

Lemma trimmed_dead_free_all ls ts : Forall2 trimmed ls ts -> (forall l, In l ls -> dead_free l) ->
  dead_free (concat ts).
Proof.
  induction 1 as [|l t ls ts X F IH]; intro D; simpl; [exact nothing_dead_free|].
  apply dead_free_app; [apply X|apply (trimmed_concat _ _ F)| |].
  - apply (trimmed_dead_free l t X), D. now left.
  - apply IH. intros m I. apply D. now right.
Qed.

(** ** The theorems *)

(** A layer leaves a message over on the channel and a later one receives there, or a layer's last receive on it does
    not reach the next send on it of a later layer.  The graph is that of the trimmed layers. *)
Definition interferes (ls : list (list act)) (i j : proc) :=
  taken_up ls i j \/ ~ reaches_on (concat (map trim ls)) ls i j.

Section Model.
Variables (Ps : list prog) (ls : list (list act)) (G : run -> Prop).
Hypotheses (Ls : layers Ps ls) (F : forall l, In l ls -> fits l) (D : forall l, In l ls -> dead_free l).
Hypotheses (GM : forall r, G r -> matching r) (HG : forall r, Rel r -> (nofself (concat ls) -> noself r) -> G r).

Lemma root_causes_in i j : root_cause G Ps ls i j <-> interferes ls i j.
Proof. apply root_cause_in; eauto using all_trimmed, trimmed_dead_free_all. Qed.
Lemma tags_in tagged : stay_apart_tagged G tagged Ps ls <-> forall i j, root_cause G Ps ls i j -> tagged i j.
Proof. apply (tagged_in ls (map trim ls)); eauto using all_trimmed, trimmed_dead_free_all. Qed.
Lemma beginnings_in i j : root_cause_begun G ls i j <-> root_cause G Ps ls i j.
Proof. apply (root_cause_begun_in ls (map trim ls)); eauto using all_trimmed, trimmed_dead_free_all. Qed.
Lemma without_root_causes_in : stay_apart G Ps <-> forall i j, ~ root_cause G Ps ls i j.
Proof. apply (apart_in ls (map trim ls)); eauto using all_trimmed, trimmed_dead_free_all. Qed.
End Model.

Lemma RelNS_matching r : RelNS r -> matching r. Proof. now intros [[[W _] _] _]. Qed.
Lemma Rel_matching r : Rel r -> matching r. Proof. now intros [[W _] _]. Qed.
Lemma RelNS_all l r : nofself l -> Rel r -> (nofself l -> noself r) -> RelNS r. Proof. now split; auto. Qed.

(** _The root causes are the channels on which the criterion fails_. *)
Theorem root_causes : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  forall i j, root_cause RelNS Ps ls i j <-> interferes ls i j.
Proof. intros. apply root_causes_in; eauto using RelNS_matching, RelNS_all. Qed.

(** _Runs and their beginnings have the same root causes_. *)
Theorem root_causes_begun : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  forall i j, root_cause_begun RelNS ls i j <-> root_cause RelNS Ps ls i j.
Proof. intros. apply beginnings_in; eauto using RelNS_matching, RelNS_all. Qed.

(** _The layers stay apart exactly if there is no root cause_ ... *)
Theorem apart_without_root_causes : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  (stay_apart RelNS Ps <-> forall i j, ~ root_cause RelNS Ps ls i j).
Proof. intros. apply without_root_causes_in; eauto using RelNS_matching, RelNS_all. Qed.

(** _... and with tags on some channels exactly if these are all root causes, or more_. *)
Theorem tags_on_root_causes : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) -> nofself (concat ls) ->
  forall tagged, stay_apart_tagged RelNS tagged Ps ls <-> forall i j, root_cause RelNS Ps ls i j -> tagged i j.
Proof. intros. apply tags_in; eauto using RelNS_matching, RelNS_all. Qed.

(** _Balanced layers leave nothing over, and the graph is the program graph_. *)
Theorem root_causes_balanced : forall Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  nofself (concat ls) -> dead_free (concat ls) ->
  forall i j, root_cause RelNS Ps ls i j <-> ~ reaches_on (concat ls) ls i j.
Proof.
  intros Ps ls Ls B N D i j.
  rewrite (root_cause_in ls ls (trimmed_themselves ls B)); eauto using RelNS_matching, RelNS_all.
  pose proof (nothing_taken_up ls i j B). tauto.
Qed.

(** With self-channels, in all runs of Rel, all of that is the same. *)
Theorem root_causes_self : forall Ps ls, layers Ps ls -> (forall l, In l ls -> fits l) ->
  (forall l, In l ls -> dead_free l) ->
  (forall i j, root_cause Rel Ps ls i j <-> interferes ls i j) /\
  (forall i j, root_cause_begun Rel ls i j <-> root_cause Rel Ps ls i j) /\
  (stay_apart Rel Ps <-> forall i j, ~ root_cause Rel Ps ls i j) /\
  forall tagged, stay_apart_tagged Rel tagged Ps ls <-> forall i j, root_cause Rel Ps ls i j -> tagged i j.
Proof.
  intros. split; [|split; [|split]]; intros;
    [apply root_causes_in|apply beginnings_in|apply without_root_causes_in|apply tags_in]; auto using Rel_matching.
Qed.
