(** * Theorem th:psealable.balanced

    "In Rel, every non-divergent program that is properly sealable is also balanced."

    It holds of straight-line programs, sealed by programs without a silent cut that can complete after them; and,
    for the whole language, of programs without a silent cut if the cut is silent wherever they may have ended.  As
    printed it fails (see [Refutations]): the seal of [snd 1->2] may be a silent cut.

    Theorems of the ledger: [balanced_necessary], [balanced_necessary_whole_language]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine ClosedChannels TccImpossibility NoBarrier.
Open Scope nat_scope.

(** ** A message that is left over can be received later

    The paper's proof: "There exist r' in Rel ... such that r' is the same as r up to d, and delta_r' maps the receive
    event r_j (d_j) to one of the send events of P that are unmatched in r."

    After [d], only those sends stay that somebody receives up to [d]; then the new receive comes. *)

Section LeftOver.
Variables (r : run) (c m d : cut) (L : list event) (s : event) (i j : proc).
Hypotheses (W : wf r) (NS : noself r) (Sc : silent r c) (Lcm : cle c m) (Lmd : cle m d).
Hypothesis HL : forall e, between c d e -> In e L.
Hypotheses (Ss : is_snd r s i j) (Bs : between c m s) (Us : unmatched r s).

(** The sends that receives of [L] take. *)
Local Definition needed (x : event) := existsb
  (fun e => match lab r (fst e) (snd e) with
            | Rcv _ => if ev_dec (delta r e) x then snd e <? d (fst e) else false
            | _ => false
            end) L.
Local Definition kept (x : event) : bool := (snd x <? d (fst x)) || needed x.
Local Definition trimmed : run := {|
  lab := fun p k => if kept (p, k) then lab r p k else Int; delta := delta r; val := val r |}.

Local Lemma kept_inside x : inside d x -> kept x = true.
Proof. intro I. apply Nat.ltb_lt in I. unfold kept. now rewrite I. Qed.
(** A receive that stays is before [d], ... *)
Local Lemma needed_send x : needed x = true -> exists e a b, is_rcv r e a b /\ inside d e /\ delta r e = x.
Proof.
  unfold needed. rewrite existsb_exists. intros (e & _ & H).
  destruct (lab r (fst e) (snd e)) as [|a|] eqn:Le; try discriminate. destruct (ev_dec (delta r e) x); [|discriminate].
  apply Nat.ltb_lt in H. exists e, a, (fst e). split; [split; auto|split; auto].
Qed.
Local Lemma trimmed_rcv x a b : is_rcv trimmed x a b -> is_rcv r x a b /\ inside d x.
Proof.
  intros [F H]. simpl in H. destruct x as [p k]; cbn [fst snd] in *. destruct (kept (p, k)) eqn:K; [|discriminate].
  split; [split; auto|]. unfold kept in K. apply orb_true_iff in K as [K|K]; [apply Nat.ltb_lt in K; exact K|].
  exfalso. apply needed_send in K as (e & a' & b' & R & _ & D).
  pose proof (delta_snd r W _ _ _ R) as Sn. rewrite D in Sn. destruct Sn as [_ Sn]. cbn [fst snd] in Sn. congruence.
Qed.
(** ... and so does the send that it takes. *)
Local Lemma kept_delta x a b : is_rcv r x a b -> inside d x -> kept (delta r x) = true.
Proof.
  intros R I. destruct (classic (inside c x)) as [Ic|Ic].
  - apply kept_inside. apply (Sc _ _ _ R) in Ic. unfold inside in *. specialize (Lcm (fst (delta r x))).
    specialize (Lmd (fst (delta r x))). lia.
  - unfold kept. apply orb_true_iff. right. apply existsb_exists. exists x. split; [apply HL; split; auto|].
    destruct R as [F Lr]. rewrite Lr. destruct (ev_dec (delta r x) (delta r x)); [|contradiction]. now apply Nat.ltb_lt.
Qed.

Local Lemma trimmed_wf : wf trimmed.
Proof.
  assert (C : forall x y, causes trimmed x y -> causes r x y).
  { induction 1 as [x y [S|(a & b & R & D)]|]; [apply t_step; now left| |eapply t_trans; eauto].
    apply t_step. right. exists a, b. split; [apply (trimmed_rcv _ _ _ R)|exact D]. }
  constructor; [constructor|].
  - intros e a b R. apply trimmed_rcv in R as [R I]. destruct (delta_snd r W _ _ _ R) as [F H].
    split; auto. simpl. pose proof (kept_delta _ _ _ R I) as K. destruct (delta r e); cbn [fst snd] in *. now rewrite K.
  - intros e a b e' a' b' R R'. apply trimmed_rcv in R as [R _]. apply trimmed_rcv in R' as [R' _].
    apply (delta_inj r W _ _ _ _ _ _ R R').
  - intros e H. apply (causal r W e). auto.
  - intros e a b R. apply trimmed_rcv in R as [R _]. apply (wf_transmits r W e a b R).
Qed.

(** From [D] on, nothing stays. *)
Local Definition beyond : nat := S (list_max (map (fun e => snd (delta r e)) L)).
Local Definition D : cut := fun p => Nat.max (d p) beyond.
Local Lemma kept_D x : kept x = true -> inside D x.
Proof.
  unfold kept. rewrite orb_true_iff. intros [K|K]; [apply Nat.ltb_lt in K; unfold inside, D; lia|].
  unfold needed in K. rewrite existsb_exists in K. destruct K as (e & I & K).
  destruct (lab r (fst e) (snd e)); try discriminate. destruct (ev_dec (delta r e) x) as [E|]; [|discriminate].
  assert (Le : snd x <= list_max (map (fun e => snd (delta r e)) L)).
  { pose proof (proj1 (list_max_le (map (fun e => snd (delta r e)) L) _) (le_n _)) as F. rewrite Forall_forall in F.
    apply F. apply in_map_iff. exists e. now rewrite E. }
  unfold inside, D, beyond. lia.
Qed.
Local Lemma silent_D : silent trimmed D.
Proof.
  intros e a b R. pose proof (trimmed_rcv _ _ _ R) as [R0 I]. split; intros _; [|unfold inside, D in *; lia].
  apply kept_D. eapply kept_delta; eauto.
Qed.

Lemma left_over_received : exists r', RelNS r' /\ agree r r' d /\ silent r' c /\ ~ silent r' m.
Proof.
  assert (Nij : i <> j) by (intros ->; eapply NS; eauto).
  destruct Bs as [Bs1 Bs2].
  assert (Id : inside d s) by (unfold inside in *; specialize (Lmd (fst s)); lia).
  assert (Is : inside D s) by (unfold inside, D in *; lia).
  assert (St : is_snd trimmed s i j).
  { destruct Ss as [F H]. split; auto. simpl. pose proof (kept_inside s Id) as K. destruct s; cbn [fst snd] in *.
      now rewrite K. }
  set (x := fun p => if p =? j then Rcv i else Int). set (r' := extend trimmed D x s (val r s)).
  pose proof trimmed_wf as Wt.
  assert (Ag1 : agree trimmed r' D) by apply extend_agree.
  assert (MR : matching r' /\ reliable r').
  { apply extend_matching with i j; auto using silent_D.
    - exact (wf_matching _ Wt).
    - unfold x. now rewrite Nat.eqb_refl.
    - intros p H. unfold x. apply Nat.eqb_neq in H. rewrite H. auto.
    - destruct St as [F H]. split; auto. now rewrite <- (proj1 (extend_agree trimmed D x s (val r s) _ _ Is)).
    - intros _. left. intros e a b R. apply trimmed_rcv in R as [R _]. apply (Us e a b R). }
  assert (Rj : is_rcv r' (j, D j) i j).
  { split; auto. simpl. rewrite Nat.ltb_irrefl, Nat.eqb_refl. unfold x. now rewrite Nat.eqb_refl. }
  assert (Dj : delta r' (j, D j) = s) by (simpl; now rewrite Nat.ltb_irrefl).
  assert (GeD : forall p, c p <= D p /\ m p <= D p).
  { intro p. unfold D. specialize (Lcm p). specialize (Lmd p). lia. }
  exists r'. split; [split; [split; [split|]|]|split; [|split]]; try apply MR.
  - apply extend_transmits; auto using silent_D; [exact (wf_transmits _ Wt)|].
    symmetry. destruct s as [si sk]. apply (proj2 (Ag1 si sk Is)).
  - apply extend_noself.
    + intros e p [F H]. simpl in H. destruct e as [q k]; cbn [fst snd] in *. destruct (kept (q, k)); [|discriminate].
      apply (NS (q, k) p). split; auto.
    + intro p. unfold x. destruct (p =? j); discriminate.
  - intros p k H. assert (Ik : inside D (p, k)) by (unfold inside, D; simpl; lia).
    destruct (Ag1 p k Ik) as [<- <-]. simpl. rewrite (kept_inside (p, k) H). auto.
  - intros e a b R. destruct (extend_cases trimmed D x s (val r s) e) as [(I & E & De)|[(I & E & De)|(I & E)]];
      fold r' in E; try fold r' in De; destruct R as [F H]; rewrite H in E.
    + rewrite De. apply (Sc e a b). symmetry in E. apply (trimmed_rcv e a b). split; auto.
    + rewrite De. pose proof (GeD (fst e)). unfold inside in *. lia.
    + discriminate.
  - intro S. specialize (S _ _ _ Rj). rewrite Dj in S. apply S in Bs2. pose proof (GeD j).
      unfold inside in Bs2; simpl in Bs2. lia.
Qed.
End LeftOver.

(** ** Counting

    At a silent cut there are as many receives as sends on each channel, or a send that nobody ever receives. *)
Lemma silent_counts r m i j : matching r -> silent r m ->
  nrcv r j i 0 (m j) = nsnd r i j 0 (m i) \/
  exists s, is_snd r s i j /\ inside m s /\ unmatched r s.
Proof.
  intros M S. unfold nsnd, nrcv. rewrite !Nat.sub_0_r.
  set (R' := filter (fun k => rcvb i (lab r j k)) (seq 0 (m j))).
  set (S' := filter (fun k => sndb j (lab r i k)) (seq 0 (m i))).
  assert (HR : forall k, In k R' -> is_rcv r (j, k) i j /\ k < m j).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply rcvb_spec in H2. split; [split; auto|lia]. }
  set (T := map (fun k => snd (delta r (j, k))) R').
  assert (ND : NoDup T).
  { apply NoDup_map_on; [|apply NoDup_filter, seq_NoDup]. intros a b Ha Hb Eab.
    destruct (HR a Ha) as [Ra _], (HR b Hb) as [Rb _].
    destruct (delta_snd r M _ _ _ Ra) as [Fa _], (delta_snd r M _ _ _ Rb) as [Fb _].
    assert ((j, a) = (j, b)); [|congruence]. eapply (delta_inj r M); eauto.
    destruct (delta r (j, a)), (delta r (j, b)); simpl in *; congruence. }
  assert (Inc : incl T S').
  { intros w Hw. apply in_map_iff in Hw as (k & <- & Hk). destruct (HR k Hk) as [Rk Bk].
    destruct (delta_snd r M _ _ _ Rk) as [Fk Lk].
    assert (I1 : inside m (delta r (j, k))) by (apply (S _ _ _ Rk); exact Bk).
    unfold inside in I1. rewrite Fk in I1, Lk. apply filter_In; split; [apply in_seq; lia|apply sndb_spec; auto]. }
  assert (LT : length T = length R') by (unfold T; apply map_length).
  destruct (classic (incl S' T)) as [Back|NB].
  - left. pose proof (NoDup_incl_length ND Inc). assert (NS : NoDup S') by (apply NoDup_filter, seq_NoDup).
    pose proof (NoDup_incl_length NS Back). lia.
  - right. apply not_all_ex_not in NB as [k NB]. apply imply_to_and in NB as [Hk NT].
    apply filter_In in Hk as [H1 H2]. apply in_seq in H1. apply sndb_spec in H2.
    exists (i, k). split; [split; auto|split; [unfold inside; simpl; lia|]].
    intros e a b R De. apply NT. apply in_map_iff.
    pose proof (delta_snd r M _ _ _ R) as Sn. rewrite De in Sn. destruct Sn as [Ei Li]; simpl in Ei, Li. subst a.
    rewrite H2 in Li. injection Li as <-.
    destruct e as [j' y]. assert (j' = j) by apply R. subst j'. exists y. rewrite De. split; auto.
    assert (Iy : inside m (j, y)) by (apply (S _ _ _ R); rewrite De; unfold inside; simpl; lia).
    apply filter_In. split; [apply in_seq; unfold inside in Iy; simpl in Iy; lia|apply rcvb_spec; apply R].
Qed.
(** With empty channels there are as many. *)
Lemma empty_counts r c i j : matching r -> all_empty r c -> nrcv r j i 0 (c j) = nsnd r i j 0 (c i).
Proof.
  intros M E. destruct (silent_counts r c i j M (empty_silent r c M E)) as [H|(s & Ss & Is & Us)]; auto.
  exfalso. apply (E i j s). split; auto. left. split; auto. intros e a b R _. apply (Us e a b R).
Qed.

(** The counts depend on the labels alone. *)
Lemma counts_agree r r' d i j k : agree r r' d -> k <= d i ->
  nsnd r i j 0 k = nsnd r' i j 0 k /\ nrcv r i j 0 k = nrcv r' i j 0 k.
Proof.
  intros A L. unfold nsnd, nrcv. rewrite Nat.sub_0_r.
  assert (X : forall f, filter (fun x => f (lab r i x)) (seq 0 k) = filter (fun x => f (lab r' i x)) (seq 0 k)).
  { intro f. apply filter_ext_in. intros x I. apply in_seq in I. destruct (A i x) as [-> _]; [lia|auto]. }
  split; [now rewrite (X (sndb j))|now rewrite (X (rcvb j))].
Qed.

(** Without a silent cut, occurrence depends on labels and values alone. *)
Lemma nochop_agree r r' c p d : occurs r c p d -> nochop p -> agree r r' d -> occurs r' c p d.
Proof.
  assert (Now : forall c d i, ceq d (bump c i) -> c i < d i) by
    (intros c0 d0 i0 H; rewrite H; unfold bump; rewrite Nat.eqb_refl; lia).
  induction 1; simpl; intros N A.
  - now constructor.
  - pose proof (Now _ _ _ H). destruct (A i (c i)) as [Lb V]; auto.
    constructor; auto; [congruence|]. rewrite <- V, <- (past_agree r r' d) by (auto; lia). auto.
  - pose proof (Now _ _ _ H). destruct (A i (c i)) as [Lb V]; auto.
    constructor; auto; [congruence|]. rewrite <- V, <- (past_agree r r' d) by (auto; lia). auto.
  - pose proof (Now _ _ _ H). destruct (A j (c j)) as [Lb V]; auto. constructor; auto. congruence.
  - constructor; auto. apply (holds_agree r r'); auto. eapply agree_le; [|exact A]. intro k. rewrite (H k). auto.
  - destruct N.
  - destruct N. apply O_lay with m; auto. apply IHoccurs1; auto. eapply agree_le; eauto. eapply occurs_le; eauto.
  - apply O_ch1. apply IHoccurs; tauto.
  - apply O_ch2. apply IHoccurs; tauto.
  - now apply O_st0.
  - apply O_st1 with m; auto. apply IHoccurs1; auto. eapply agree_le; eauto. eapply occurs_le; eauto.
Qed.

(** The heart: P and S have no silent cut, S completes after P, and the cut between them is silent whatever happens:
    then P has left nothing over. *)
Lemma nothing_left r P S c m d : nochop P -> nochop S -> RelNS r -> all_empty r c -> occurs r c P m -> occurs r m S d ->
  (forall r', RelNS r' -> silent r' c -> occurs r' c P m -> occurs r' m S d -> silent r' m) ->
  forall i j, nsnd r i j 0 (m i) = nrcv r j i 0 (m j).
Proof.
  intros NP NQ R E O1 O2 H i j. pose proof R as [[W Re] NS].
  pose proof (empty_silent r c W E) as Sc. pose proof (H r R Sc O1 O2) as Sm.
  destruct (silent_counts r m i j W Sm) as [|(s & Ss & Is & Us)]; auto. exfalso.
  pose proof (occurs_le _ _ _ _ O1) as L1. pose proof (occurs_le _ _ _ _ O2) as L2.
  assert (Bs : between c m s).
  { split; auto. intro Ic. apply (E i j s). split; auto. left. split; auto. intros e a b Re' _. apply (Us e a b Re'). }
  assert (O : occurs r c (Lay P S) d) by (apply lay_iff; eauto).
  destruct (occurs_finite _ _ _ _ O) as [L HL].
  destruct (left_over_received r c m d L s i j W NS Sc L1 L2 HL Ss Bs Us) as (r' & R' & Ag & Sc' & N).
  apply N, H; auto; eapply nochop_agree; eauto. eapply agree_le; eauto.
Qed.

(** ** The theorems *)

(** Straight-line programs: what can be sealed, by a program that can complete after it, is balanced. *)
Theorem balanced_necessary : forall P p S, acts P = Some p -> nochop S -> Seals RelNS S P ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d) -> balanced p.
Proof.
  intros P p S A NQ Se (r & c & d & R & E & O) i j. pose proof R as [[W _] _].
  apply lay_iff in O as (m & O1 & O2). pose proof (occurs_follows r P p A _ _ O1) as F.
  assert (X : nsnd r i j 0 (m i) = nrcv r j i 0 (m j)).
  { apply (nothing_left r P S c m d); auto; [eapply straight_nochop; eauto|].
    intros r' R' Sc' O1' O2'. rewrite seals_iff in Se.
    destruct (Se r' c d R' Sc') as (m' & A1 & B1 & _); [apply lay_iff; eauto|].
    pose proof (occurs_follows r' P p A _ _ O1') as F1. pose proof (occurs_follows r' P p A _ _ A1) as F2.
    apply (silent_ceq r' m' m); auto. intro k. now rewrite (proj1 (F1 k)), (proj1 (F2 k)). }
  pose proof (empty_counts r c i j W E) as Y. destruct (F i) as [Fi Mi], (F j) as [Fj Mj].
  unfold nsnd, nrcv in X, Y. rewrite !Nat.sub_0_r in X, Y. rewrite Fi, Fj, !seq_app, !filter_app, !app_length in X.
  simpl in X. rewrite Mi, Mj, <- (count_map (sndb j) (lab r i)), <- (count_map (rcvb i) (lab r j)). lia.
Qed.

(** The whole language: "a program without silent cuts is balanced if a program without silent cuts can complete after
    it and finds silence wherever the first one may have ended." *)
Theorem balanced_necessary_whole_language : forall P S, nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) ->
  Balanced RelNS P.
Proof.
  intros P S NP NQ Complete Silence r c m R E O i j.
  destruct (Complete r c m R E O) as (r' & d & R' & E' & Ag & O').
  destruct (counts_agree r r' m i j (m i) Ag (le_n _)) as [-> _].
  destruct (counts_agree r r' m j i (m j) Ag (le_n _)) as [_ ->].
  apply (nothing_left r' P S c m d); auto. eapply nochop_agree; eauto. intros r2 R2 Sc O1 O2. eapply Silence; eauto.
Qed.
