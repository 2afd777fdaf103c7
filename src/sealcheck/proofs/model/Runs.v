(** * Runs

    What holds of every run: causality along a process and along messages, the pigeonhole on which [graph_cause]
    rests, the exchange of two messages, and runs that go on differently after a cut. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions.
Open Scope nat_scope.

(** ** Labels and lists *)

Lemma sndb_spec j l : sndb j l = true <-> l = Snd j.
Proof. destruct l; simpl; split; intro H; try discriminate.
  apply Nat.eqb_eq in H; now subst. injection H as ->. apply Nat.eqb_refl. Qed.
Lemma rcvb_spec i l : rcvb i l = true <-> l = Rcv i.
Proof. destruct l; simpl; split; intro H; try discriminate.
  apply Nat.eqb_eq in H; now subst. injection H as ->. apply Nat.eqb_refl. Qed.

(** An injective function keeps a list free of duplicates. *)
Lemma NoDup_map_on {A B} (f:A->B) l :
  (forall a b, In a l -> In b l -> f a = f b -> a = b) -> NoDup l -> NoDup (map f l).
Proof. induction l as [|a l IH]; simpl; intros Hi Hn; constructor; inversion Hn; subst.
  - intro H. apply in_map_iff in H as (b & Hb & Hin). apply H1.
    rewrite (Hi a b); auto.
  - apply IH; auto. Qed.

(** A list splits at any of its elements. *)
Lemma firstn_split_nth {A} (l:list A) p a : nth_error l p = Some a -> l = firstn p l ++ a :: skipn (S p) l.
Proof. revert l; induction p; destruct l; simpl; intro H; try discriminate; [injection H as <-; reflexivity|f_equal;
  apply (IHp l H)]. Qed.

(** ** Causality *)

(** What an event causes, every earlier event of its process causes. *)
Lemma causes_local_le r i x z e : x <= z -> causes r (i,z) e -> causes r (i,x) e.
Proof. intros L C. destruct (Nat.eq_dec x z) as [->|N]; auto.
  eapply t_trans; [|exact C]. apply t_step. left; simpl; split; [auto|lia]. Qed.

(** What causes an event causes every later event of its process. *)
Lemma causes_local_ge r j y z e : y <= z -> causes r e (j,y) -> causes r e (j,z).
Proof. intros L C. destruct (Nat.eq_dec y z) as [->|N]; auto.
  eapply t_trans; [exact C|]. apply t_step. left; simpl; split; [auto|lia]. Qed.

(** A send causes its receive. *)
Lemma causes_msg r e i j : is_rcv r e i j -> causes r (delta r e) e.
Proof. intro R. apply t_step. right. exists i, j. auto. Qed.

(** Earlier events of a process cause later ones. *)
Lemma causes_order r i x y : x < y -> causes r (i, x) (i, y).
Proof. intro L. apply t_step. left; simpl; auto. Qed.

(** So what comes before the send of a message causes what comes after its receive. *)
Lemma from_message r i j k x y : matching r -> is_rcv r (j, k) i j -> x <= snd (delta r (j, k)) -> k <= y ->
  causes r (i, x) (j, y).
Proof.
  intros W R Lx Ly. destruct (delta_snd r W _ _ _ R) as [F _]. apply causes_local_ge with k; auto.
  apply causes_local_le with (snd (delta r (j, k))); auto. rewrite <- F at 1. rewrite <- surjective_pairing.
  eapply causes_msg; eauto.
Qed.

(** A causal chain has a last step. *)
Lemma last_step r x z : causes r x z -> step r x z \/ exists v, causes r x v /\ step r v z.
Proof. intro C. apply clos_trans_tn1 in C. destruct C as [z S|v z S C]; [auto|right]. exists v; split; auto.
  apply clos_tn1_trans; auto. Qed.

(** A strict order around the steps is enough for acyclicity. *)
Lemma by_order r (L:event->event->Prop) : (forall x y, step r x y -> L x y) ->
  (forall x y z, L x y -> L y z -> L x z) -> (forall x, ~ L x x) -> forall e, ~ causes r e e.
Proof. intros S T I e C. apply (I e). assert (H : forall x y, causes r x y -> L x y) by (induction 1; eauto). auto. Qed.

(** In a finite list, what satisfies [Q] has an element that is maximal in a strict order. *)
Lemma max_exists {A} (l:list A) (Q:A->Prop) (R:A->A->Prop) :
  (forall x y z, R x y -> R y z -> R x z) -> (forall x, ~ R x x) ->
  (exists x, In x l /\ Q x) -> exists m, In m l /\ Q m /\ forall y, In y l -> Q y -> ~ R m y.
Proof.
  intros T I. induction l as [|a l IH]; intros (x & Hx & Qx); [destruct Hx|].
  destruct (classic (exists x, In x l /\ Q x)) as [E|E].
  - destruct (IH E) as (m & Hm & Qm & Mx). destruct (classic (Q a /\ R m a)) as [[Qa Ra]|N].
    + exists a. split; [left; auto|split; auto]. intros y [<-|Hy] Qy Ry; [eapply I; eauto|]. eapply Mx; eauto.
    + exists m. split; [right; auto|split; auto]. intros y [<-|Hy] Qy Ry; [apply N; auto|]. eapply Mx; eauto.
  - exists a. destruct Hx as [<-|Hx]; [|exfalso; apply E; eauto]. split; [left; auto|split; auto].
    intros y [<-|Hy] Qy Ry; [eapply I; eauto|]. apply E; eauto.
Qed.

(** ** The pigeonhole

    The idea of [graph_cause]: from a silent cut on, let [y] be a receive by j from i, and [x] a place in i with no more
    sends to j before it than receives before [y].  Then [x] causes [y]: the receives up to [y] are one more than the
    sends before [x], so one of them takes [x] or a later send.

    All that it asks of the cut is that these receives take messages from after it. *)
Lemma pigeon_on r c i j x y :
  matching r -> c i <= x -> c j <= y -> lab r j y = Rcv i ->
  (forall k, c j <= k <= y -> lab r j k = Rcv i -> c i <= snd (delta r (j, k))) ->
  nsnd r i j (c i) x <= nrcv r j i (c j) y ->
  exists k, c j <= k <= y /\ is_rcv r (j, k) i j /\ x <= snd (delta r (j, k)).
Proof.
  intros W Hx Hy Ly Sil Hk.
  set (R := filter (fun k => rcvb i (lab r j k)) (seq (c j) (S y - c j))).
  set (S' := filter (fun k => sndb j (lab r i k)) (seq (c i) (x - c i))).
  assert (HR : forall k, In k R -> c j <= k <= y /\ lab r j k = Rcv i).
  { intros k H. apply filter_In in H as [H1 H2]. apply in_seq in H1. apply rcvb_spec in H2. split; [lia|auto]. }
  assert (Hs : forall k, In k R -> exists z, delta r (j,k) = (i,z) /\ lab r i z = Snd j /\ c i <= z).
  { intros k H. destruct (HR k H) as [Hb Hl].
    assert (Rk : is_rcv r (j,k) i j) by (split; auto).
    destruct (delta_snd r W _ _ _ Rk) as [H1 H2].
    destruct (delta r (j,k)) as [a z] eqn:E; simpl in *; subst a. exists z; repeat split; auto.
    specialize (Sil k Hb Hl). now rewrite E in Sil. }
  destruct (Exists_dec (fun k => x <= snd (delta r (j,k))) R) as [HE|HE].
  { intro k. destruct (le_dec x (snd (delta r (j,k)))); [left|right]; auto. }
  - apply Exists_exists in HE as (k & Hin & Hge). destruct (HR k Hin). exists k. split; auto. split; auto. now split.
  - exfalso.
    assert (NoDup (map (fun k => snd (delta r (j,k))) R)).
    { apply NoDup_map_on.
      - intros a b Ha Hb E. destruct (Hs a Ha) as (za & Ea & _), (Hs b Hb) as (zb & Eb & _).
        rewrite Ea, Eb in E; simpl in E; subst zb.
        assert ((j,a) = (j,b)); [|congruence].
        eapply (delta_inj r W); [split;[reflexivity|]|split;[reflexivity|]|congruence]; simpl; eapply HR; auto.
      - apply NoDup_filter, seq_NoDup. }
    assert (incl (map (fun k => snd (delta r (j,k))) R) S').
    { intros z Hz. apply in_map_iff in Hz as (k & <- & Hin).
      destruct (Hs k Hin) as (z & E & Lz & Gz). rewrite E; simpl.
      apply filter_In; split; [|apply sndb_spec; auto]. apply in_seq.
      assert (z < x); [|lia].
      destruct (le_lt_dec x z); auto. exfalso; apply HE. apply Exists_exists.
      exists k; rewrite E; auto. }
    pose proof (NoDup_incl_length H H0) as L. rewrite map_length in L.
    assert (length R = S (nrcv r j i (c j) y)).
    { unfold R, nrcv. replace (S y - c j) with (y - c j + 1) by lia.
      rewrite seq_app, filter_app, app_length. simpl. replace (c j + (y - c j)) with y by lia.
      replace (rcvb i (lab r j y)) with true by (symmetry; apply rcvb_spec; auto). simpl; lia. }
    unfold nsnd in Hk. fold S' in Hk. lia.
Qed.

Lemma pigeon r c i j x y :
  matching r -> silent r c -> c i <= x -> c j <= y ->
  lab r j y = Rcv i ->
  nsnd r i j (c i) x <= nrcv r j i (c j) y ->
  causes r (i,x) (j,y).
Proof.
  intros W Sil Hx Hy Ly Hk. destruct (pigeon_on r c i j x y) as (k & Hb & R & G); auto.
  - intros k Hb Hl. assert (Rk : is_rcv r (j, k) i j) by (split; auto). destruct (delta_snd r W _ _ _ Rk) as [F _].
    specialize (Sil _ _ _ Rk). unfold inside in Sil. rewrite F in Sil. simpl in Sil. lia.
  - now apply (from_message r i j k).
Qed.

(** ** Exchanging two messages *)

Lemma ev_dec (x y : event) : {x = y} + {x <> y}. Proof. decide equality; apply Nat.eq_dec. Qed.

(** One more message makes no cycle unless its receive causes its send. *)
Lemma one_more_message r r' s e : (forall x, ~ causes r x x) -> e <> s -> ~ causes r e s ->
  (forall x y, step r' x y -> causes r x y \/ (x = s /\ y = e)) -> forall x, ~ causes r' x x.
Proof.
  intros A N Nc S.
  assert (Z : forall x, (x = s \/ causes r x s) -> ~ (x = e \/ causes r e x)).
  { intros x [->|H1] [H2|H2]; [now apply N|now apply Nc|subst x; now apply Nc|].
    apply Nc. eapply t_trans; eauto. }
  apply by_order with (L := fun x y => causes r x y \/
    ((x = s \/ causes r x s) /\ (y = e \/ causes r e y))).
  - intros x y H. apply S in H as [H|[-> ->]]; auto.
  - intros x y z [H|[A1 A2]] [H'|[B1 B2]].
    + left; eapply t_trans; eauto.
    + right; split; auto. right. destruct B1 as [->|]; auto. eapply t_trans; eauto.
    + right; split; auto. right. destruct A2 as [->|]; auto. eapply t_trans; eauto.
    + exfalso. apply (Z y); auto.
  - intros x [H|[H1 H2]]; [now apply (A x)|now apply (Z x)].
Qed.

(** [e] and [e'] receive each other's message. *)
Definition swap (r : run) (e e' : event) : run := {|
  lab := lab r;
  delta := fun x => if ev_dec x e then delta r e' else if ev_dec x e' then delta r e else delta r x;
  val := val r
|}.

(** Two messages of a channel may be exchanged unless the earlier receive causes the later send. *)
Lemma exchange r e e' i j : matching r -> is_rcv r e i j -> is_rcv r e' i j ->
  snd (delta r e) < snd (delta r e') -> snd e < snd e' -> ~ causes r e (delta r e') ->
  matching (swap r e e').
Proof.
  intros W Re Re' Ls Le Nc.
  destruct (delta_snd r W _ _ _ Re) as [Fs Hs], (delta_snd r W _ _ _ Re') as [Fs' Hs'].
  assert (Chan : forall a b, is_rcv r e a b -> a = i /\ b = j).
  { intros a b [A1 A2]; destruct Re as [B1 B2]; split; congruence. }
  assert (Chan' : forall a b, is_rcv r e' a b -> a = i /\ b = j).
  { intros a b [A1 A2]; destruct Re' as [B1 B2]; split; congruence. }
  constructor.
  - intros x a b Rx. simpl. change (is_rcv r x a b) in Rx.
    destruct (ev_dec x e) as [->|]; [destruct (Chan _ _ Rx); subst; apply (delta_snd r W _ _ _ Re')|].
    destruct (ev_dec x e') as [->|]; [destruct (Chan' _ _ Rx); subst; apply (delta_snd r W _ _ _ Re)|].
    apply (delta_snd r W _ _ _ Rx).
  - intros x a b y a' b' Rx Ry. change (is_rcv r x a b) in Rx. change (is_rcv r y a' b') in Ry. simpl.
    destruct (ev_dec x e) as [->|], (ev_dec y e) as [->|]; auto;
    destruct (ev_dec x e') as [->|] || idtac; destruct (ev_dec y e') as [->|] || idtac; auto; intro D;
    try (pose proof (delta_inj r W _ _ _ _ _ _ Re Re' D)); 
    try (pose proof (delta_inj r W _ _ _ _ _ _ Re' Re D));
    try (pose proof (delta_inj r W _ _ _ _ _ _ Re Ry D));
    try (pose proof (delta_inj r W _ _ _ _ _ _ Re' Ry D));
    try (pose proof (delta_inj r W _ _ _ _ _ _ Rx Re D));
    try (pose proof (delta_inj r W _ _ _ _ _ _ Rx Re' D));
    try (pose proof (delta_inj r W _ _ _ _ _ _ Rx Ry D)); subst; try congruence; auto.
  - assert (Le2 : causes r e e') by (apply t_step; left; destruct Re, Re'; split; [congruence|auto]).
    apply (one_more_message r _ (delta r e') e); auto.
    + exact (causal r W).
    + intros ->. destruct Re. congruence.
    + intros x y [H|(a & b & Rx & D)]; [left; apply t_step; left; auto|].
      change (is_rcv r y a b) in Rx. simpl in D.
      destruct (ev_dec y e) as [->|]; [right; auto|].
      destruct (ev_dec y e') as [->|]; [left; subst x; eapply t_trans; [eapply causes_msg|]; eauto|].
      left; apply t_step; right; eauto.
Qed.

(** Messages of equal content may be exchanged without anybody noticing. *)
Lemma swap_transmits r e e' i j : transmits r -> is_rcv r e i j -> is_rcv r e' i j ->
  val r (delta r e) = val r (delta r e') -> transmits (swap r e e').
Proof.
  intros V Re Re' Same x a b Rx. change (is_rcv r x a b) in Rx.
  pose proof (V _ _ _ Re). pose proof (V _ _ _ Re'). pose proof (V _ _ _ Rx). simpl.
  destruct (ev_dec x e) as [->|]; [congruence|]. destruct (ev_dec x e') as [->|]; congruence.
Qed.

(** ** Going on differently

    The run that is [r] up to [d]; there, each process has at most one more event, with value [v]. *)
Definition extend (r : run) (d : cut) (extra : proc -> label) (dx : event) (v : value) : run := {|
  lab := fun p k => if k <? d p then lab r p k else if k =? d p then extra p else Int;
  delta := fun e => if snd e <? d (fst e) then delta r e else dx;
  val := fun e => if snd e <? d (fst e) then val r e else v
|}.

(** Two runs that are the same up to [d]. *)
Definition agree (r r' : run) (d : cut) :=
  forall p k, k < d p -> lab r p k = lab r' p k /\ val r (p, k) = val r' (p, k).
Lemma extend_agree r d x dx v : agree r (extend r d x dx v) d.
Proof. intros p k H. simpl. apply Nat.ltb_lt in H. rewrite H; auto. Qed.

(** An event lies before [d], at [d], or after it. *)
Lemma extend_cases r d x dx v e : 
  (inside d e /\ lab (extend r d x dx v) (fst e) (snd e) = lab r (fst e) (snd e)
    /\ delta (extend r d x dx v) e = delta r e)
  \/ (snd e = d (fst e) /\ lab (extend r d x dx v) (fst e) (snd e) = x (fst e) /\ delta (extend r d x dx v) e = dx)
  \/ (d (fst e) < snd e /\ lab (extend r d x dx v) (fst e) (snd e) = Int).
Proof. destruct e as [p k]; unfold inside; simpl. destruct (k <? d p) eqn:A.
  - apply Nat.ltb_lt in A; auto.
  - apply Nat.ltb_ge in A. destruct (k =? d p) eqn:B.
    + apply Nat.eqb_eq in B. right; left; auto.
    + apply Nat.eqb_neq in B. right; right; split; auto; lia. Qed.

(** [j] receives [dx]: a message of the past that nobody has received up to [d], or one that [i] sends at [d]. *)
Lemma extend_matching r d extra dx v i j : matching r -> silent r d -> i <> j ->
  extra j = Rcv i -> (forall p, p <> j -> extra p = Int \/ (p = i /\ extra p = Snd j)) ->
  is_snd (extend r d extra dx v) dx i j ->
  (inside d dx -> unmatched r dx \/ forall e a b, is_rcv r e a b -> delta r e = dx -> ~ inside d e) ->
  matching (extend r d extra dx v) /\ reliable (extend r d extra dx v).
Proof.
  intros W Sil Nij Xj Xo Ds Du. set (r' := extend r d extra dx v) in *.
  assert (Rc : forall e a b, is_rcv r' e a b ->
     (inside d e /\ is_rcv r e a b /\ delta r' e = delta r e /\ inside d (delta r e)) \/
     (e = (j, d j) /\ a = i /\ b = j /\ delta r' e = dx)).
  { intros e a b [F L]. destruct (extend_cases r d extra dx v e) as [(I & E & D)|[(I & E & D)|(I & E)]];
      try fold r' in E; try fold r' in D.
    - left. assert (R0 : is_rcv r e a b) by (split; congruence). split; [auto|split; [auto|split; [auto|]]].
      apply (Sil _ _ _ R0); auto.
    - right. rewrite L in E. destruct (Nat.eq_dec (fst e) j) as [Q|Q].
      + rewrite Q, Xj in E. injection E as ->. repeat split; auto; try congruence. destruct e; simpl in *; congruence.
      + destruct (Xo _ Q) as [Z|[_ Z]]; rewrite Z in E; discriminate.
    - rewrite L in E; discriminate. }
  assert (In_dx : inside d dx \/ dx = (i, d i)).
  { destruct Ds as [F L]. destruct (extend_cases r d extra dx v dx) as [(I & E & D)|[(I & E & D)|(I & E)]];
      try fold r' in E; try fold r' in D; auto.
    - right. destruct dx; simpl in *; congruence.
    - rewrite L in E; discriminate. }
  split; [constructor|].
  - intros e a b R. destruct (Rc _ _ _ R) as [(I & R0 & E & I2)|(-> & -> & -> & E)]; rewrite E; auto.
    destruct (delta_snd r W _ _ _ R0) as [F L]. split; auto.
    unfold r'. rewrite <- (proj1 (extend_agree r d extra dx v _ _ I2)); auto.
  - intros e a b e' a' b' R R' E.
    destruct (Rc _ _ _ R) as [(I & R0 & D & J)|(-> & -> & -> & D)],
      (Rc _ _ _ R') as [(I' & R0' & D' & J')|(-> & -> & -> & D')]; auto.
    + rewrite D, D' in E. eapply (delta_inj r W); eauto.
    + exfalso. rewrite D, D' in E. rewrite E in J. destruct (Du J) as [U|U]; [eapply U; eauto|eapply U; eauto].
    + exfalso. rewrite D, D' in E. rewrite <- E in J'. destruct (Du J') as [U|U]; [eapply U; eauto|eapply U; eauto].
  - apply by_order with (L := fun x y => (inside d y /\ causes r x y /\ inside d x) \/ (inside d x /\ ~ inside d y) \/
      (~ inside d x /\ ~ inside d y /\ ((fst x = fst y /\ snd x < snd y) \/ (x = (i, d i) /\ fst y = j)))).
    + intros x y [[F L]|(a & b & R & D)].
      * destruct (classic (inside d y)) as [I|I].
        -- left. split; auto. split; [apply t_step; left; auto|]. unfold inside in *. rewrite F. lia.
        -- destruct (classic (inside d x)); [right; left; auto|right; right; auto].
      * destruct (Rc _ _ _ R) as [(I & R0 & E & J)|(-> & -> & -> & E)]; rewrite E in D; subst x.
        -- left. split; auto. split; auto. apply t_step; right; eauto.
        -- right. assert (~ inside d (j, d j)) by (unfold inside; simpl; lia).
           destruct In_dx as [I| ->]; [left; auto|right]. split; [unfold inside; simpl; lia|]. split; auto.
    + intros x y z [(A1 & A2 & A3)|[(A1 & A2)|(A1 & A2 & A3)]] [(B1 & B2 & B3)|[(B1 & B2)|(B1 & B2 & B3)]];
        try contradiction; auto.
      * left; repeat split; auto. eapply t_trans; eauto.
      * right; right. repeat split; auto. destruct A3 as [[A3 A4]|[-> A4]], B3 as [[B3 B4]|[E B4]]; subst; simpl in *.
        -- left; split; [congruence|lia].
        -- exfalso. apply A1. unfold inside. rewrite A3. auto.
        -- right; split; auto; congruence.
        -- exfalso; auto.
    + intros x [(A1 & A2 & A3)|[(A1 & A2)|(A1 & A2 & A3)]]; try contradiction; [|destruct A3 as [[_ A3]|[A0 A3]];
        [lia|rewrite A0 in A3]].
      * eapply (causal r W); eauto.
      * simpl in A3; auto.
  - intros s a b Hs _. exists (S (d a)). intros k Hk [_ L].
    destruct (extend_cases r d extra dx v (a,k)) as [(I & E & D)|[(I & E & D)|(I & E)]]; try fold r' in E;
      try fold r' in D; simpl in *.
    + unfold inside in I; simpl in I; lia.
    + lia.
    + rewrite L in E; discriminate.
Qed.

(** Its messages arrive as they were sent, if what [dx] sends is [v]. *)
Lemma extend_transmits r d extra dx v : transmits r -> silent r d ->
  val (extend r d extra dx v) dx = v -> transmits (extend r d extra dx v).
Proof.
  intros T Sil V e a b [F L].
  destruct (extend_cases r d extra dx v e) as [(I & E & D)|[(I & E & D)|(I & E)]].
  - rewrite D. assert (R : is_rcv r e a b) by (split; congruence).
    pose proof (proj1 (Sil _ _ _ R) I) as I'. unfold inside in I, I'. apply Nat.ltb_lt in I, I'.
    unfold extend; cbn [val]. rewrite I, I'. eapply T; eauto.
  - rewrite D, V. unfold extend; cbn [val]. now rewrite I, Nat.ltb_irrefl.
  - congruence.
Qed.

(** Nobody sends to himself, if nobody did before. *)
Lemma extend_noself r d extra dx v : noself r -> (forall p, extra p <> Snd p) -> noself (extend r d extra dx v).
Proof.
  intros N X e k [F L].
  destruct (extend_cases r d extra dx v e) as [(I & E & D)|[(I & E & D)|(I & E)]]; rewrite L in E.
  - apply (N e k). split; auto.
  - apply (X (fst e)). congruence.
  - discriminate.
Qed.

(** A run in which nothing is sent any more after some cut is reliable. *)
Lemma quiet_reliable r (d : cut) : (forall i k j, d i <= k -> lab r i k <> Snd j) -> reliable r.
Proof. intros H s i j _ _. exists (d i). intros k Lk [_ Hk]. simpl in Hk. now destruct (H i k j Lk). Qed.
