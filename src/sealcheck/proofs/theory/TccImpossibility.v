(** * Theorem th:TCCbadforREL

    "If r[c,d] |- P for some r in Rel and finite c, d such that all channels are empty in (r, c) and there is at least
    one send or receive event in r[c,d], then P is not TCC in Rel."

    It holds of every program without a silent cut in it, and fails for [mt 1->2 . cut] (see [Refutations]).  What holds
    of every program: P is TCC iff no occurrence of it, from a silent cut, communicates after the last silent cut that
    it passes.  Besides the paper's hypotheses: no messages to oneself.

    Theorems of the ledger: [tcc_impossibility]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence.
Open Scope nat_scope.

(** ** The last silent cut that an occurrence passes *)

(** [passes r s c p d t]: [p] occurs over r[c,d]; the last silent cut passed was [s] at [c], and is [t] at [d]. *)
Inductive passes (r : run) : cut -> cut -> prog -> cut -> cut -> Prop :=
| P_eps s c d : occurs r c Eps d -> passes r s c Eps d s
| P_asg s c d i e : occurs r c (Assign i e) d -> passes r s c (Assign i e) d s
| P_snd s c d i j e : occurs r c (Send i j e) d -> passes r s c (Send i j e) d s
| P_rcv s c d i j : occurs r c (Recv j i) d -> passes r s c (Recv j i) d s
| P_grd s c d g : occurs r c (Guard g) d -> passes r s c (Guard g) d s
| P_chop s c d : occurs r c Chop d -> passes r s c Chop d d
| P_lay s c m d p q t u : passes r s c p m t -> passes r t m q d u -> passes r s c (Lay p q) d u
| P_ch1 s c d p q t : passes r s c p d t -> passes r s c (Choice p q) d t
| P_ch2 s c d p q t : passes r s c q d t -> passes r s c (Choice p q) d t
| P_st0 s c d p : ceq c d -> passes r s c (Star p) d s
| P_st1 s c m d p t u : passes r s c p m t -> passes r t m (Star p) d u -> passes r s c (Star p) d u.

Lemma passes_occurs r s c p d t : passes r s c p d t -> occurs r c p d.
Proof.
  induction 1; auto.
  - eapply O_lay; eauto.
  - now apply O_ch1.
  - now apply O_ch2.
  - now apply O_st0.
  - eapply O_st1; eauto.
Qed.
Lemma occurs_passes r c p d : occurs r c p d -> forall s, exists t, passes r s c p d t.
Proof.
  induction 1; intro s.
  - exists s. now constructor; constructor.
  - exists s. now constructor; constructor.
  - exists s. now constructor; constructor.
  - exists s. now constructor; constructor.
  - exists s. now constructor; constructor.
  - exists d. now constructor; constructor.
  - destruct (IHoccurs1 s) as [t H1], (IHoccurs2 t) as [u H2]. exists u. eapply P_lay; eauto.
  - destruct (IHoccurs s) as [t H1]. exists t. now apply P_ch1.
  - destruct (IHoccurs s) as [t H1]. exists t. now apply P_ch2.
  - exists s. now apply P_st0.
  - destruct (IHoccurs1 s) as [t H1], (IHoccurs2 t) as [u H2]. exists u. eapply P_st1; eauto.
Qed.

(** The last silent cut is silent, no later than the end, and no earlier than the one before. *)
Lemma passes_between r s c p d t : passes r s c p d t -> silent r s -> cle s c -> silent r t /\ cle s t /\ cle t d.
Proof.
  assert (Refl : forall c, cle c c) by (intros c0 k; lia).
  assert (Trans : forall a b c, cle a b -> cle b c -> cle a c)
    by (intros a b c0 H K k; specialize (H k); specialize (K k); lia).
  induction 1; intros Ss Ls; try (match goal with O : occurs _ _ _ _ |- _ => apply occurs_le in O end; split;
    [auto|split; eauto]; fail).
  - apply chop_iff in H as [E S]. split; [now apply (silent_ceq r c d)|split; auto].
    intro k. rewrite <- (E k). apply Ls.
  - destruct (IHpasses1 Ss Ls) as (S1 & L1 & L1'), (IHpasses2 S1 L1') as (S2 & L2 & L2'). split; [auto|split; eauto].
  - auto.
  - auto.
  - split; [auto|split; auto]. intro k. rewrite <- (H k). apply Ls.
  - destruct (IHpasses1 Ss Ls) as (S1 & L1 & L1'), (IHpasses2 S1 L1') as (S2 & L2 & L2'). split; [auto|split; eauto].
Qed.

(** ** What occurrence depends on

    A program that occurs in [r] occurs in every run that agrees with [r] up to [d] and in which the silent cuts that it
    passes are silent: those up to the last one. *)
Lemma past_agree r r' d i k : agree r r' d -> k <= d i -> past r i k = past r' i k.
Proof. intros A L. apply map_ext_in. intros x H. apply in_seq in H. destruct (A i x) as [-> ->]; [lia|reflexivity]. Qed.
Lemma holds_agree r r' d g : agree r r' d -> (holds r d g <-> holds r' d g).
Proof. intro A. induction g; simpl; rewrite <- ?(past_agree r r' d) by auto; tauto. Qed.
Lemma agree_le r r' c d : cle c d -> agree r r' d -> agree r r' c.
Proof. intros L A p k H. apply A. specialize (L p). lia. Qed.

Lemma passes_agree r r' s c p d t : passes r s c p d t -> agree r r' d -> silent r s -> cle s c ->
  (forall m, cle m t -> cle s m -> silent r m -> silent r' m) -> occurs r' c p d.
Proof.
  assert (Now : forall c d i, ceq d (bump c i) -> c i < d i) by
    (intros c0 d0 i0 H; rewrite H; unfold bump; rewrite Nat.eqb_refl; lia).
  assert (Refl : forall c, cle c c) by (intros c0 k; lia).
  assert (Trans : forall a b c, cle a b -> cle b c -> cle a c)
    by (intros a b c0 H K k; specialize (H k); specialize (K k); lia).
  induction 1; intros A Ss Ls Keep.
  - inversion H; subst. now constructor.
  - inversion H; subst. match goal with E : ceq d (bump c _) |- _ => pose proof (Now _ _ _ E) end.
    destruct (A i (c i)) as [L V]; auto.
    constructor; auto; [congruence|]. rewrite <- V, <- (past_agree r r' d) by (auto; lia). auto.
  - inversion H; subst. match goal with E : ceq d (bump c _) |- _ => pose proof (Now _ _ _ E) end.
    destruct (A i (c i)) as [L V]; auto.
    constructor; auto; [congruence|]. rewrite <- V, <- (past_agree r r' d) by (auto; lia). auto.
  - inversion H; subst. match goal with E : ceq d (bump c _) |- _ => pose proof (Now _ _ _ E) end.
    destruct (A j (c j)) as [L V]; auto.
    constructor; auto. congruence.
  - inversion H; subst. constructor; auto. apply (holds_agree r r'); auto.
    eapply agree_le; [|exact A]. intro k. match goal with E : ceq c d |- _ => rewrite (E k) end. auto.
  - apply chop_iff in H as [E S]. apply chop_iff. split; auto. apply (silent_ceq r' d c); [now apply ceq_sym|].
    apply Keep; auto; [|now apply (silent_ceq r c d)]. intro k. rewrite <- (E k). apply Ls.
  - pose proof (occurs_le _ _ _ _ (passes_occurs _ _ _ _ _ _ H0)) as L2.
    destruct (passes_between _ _ _ _ _ _ H Ss Ls) as (S1 & L1 & L1').
    destruct (passes_between _ _ _ _ _ _ H0 S1 L1') as (S2 & L3 & L3').
    apply O_lay with m; [apply IHpasses1|apply IHpasses2]; auto.
    + eapply agree_le; eauto.
    + intros x Lx. apply Keep. eauto.
    + intros x Lx Lx'. apply Keep; eauto.
  - apply O_ch1; auto.
  - apply O_ch2; auto.
  - now apply O_st0.
  - pose proof (occurs_le _ _ _ _ (passes_occurs _ _ _ _ _ _ H0)) as L2.
    destruct (passes_between _ _ _ _ _ _ H Ss Ls) as (S1 & L1 & L1').
    destruct (passes_between _ _ _ _ _ _ H0 S1 L1') as (S2 & L3 & L3').
    apply O_st1 with m; [apply IHpasses1|apply IHpasses2]; auto.
    + eapply agree_le; eauto.
    + intros x Lx. apply Keep. eauto.
    + intros x Lx Lx'. apply Keep; eauto.
Qed.

(** ** A run that crosses the end

    The paper's proof.  [t] is the last silent cut that P passes: up to it nothing changes. *)

(** Only processes below [n] send and receive, to and from each other. *)
Definition run_among (n : nat) (r : run) := forall i k, match lab r i k with
  | Snd j | Rcv j => i < n /\ j < n
  | Int => True
  end.
Lemma extend_among n r d x dx v : run_among n r ->
  (forall i, match x i with Snd j | Rcv j => i < n /\ j < n | Int => True end) -> run_among n (extend r d x dx v).
Proof. intros A X i k. simpl. destruct (k <? d i); [apply A|]. destruct (k =? d i); [apply X|exact I]. Qed.

Section Crossing.
Variables (r : run) (t d : cut).
Hypotheses (W : wf r) (NS : noself r) (St : silent r t) (Sd : silent r d) (Ltd : cle t d).

(** What crosses no cut up to [t] and what agrees with [r] up to [d]. *)
Definition like (r' : run) :=
  RelNS r' /\ agree r r' d /\ (forall m, cle m t -> silent r m -> silent r' m) /\ ~ silent r' d /\
  (forall n, run_among n r -> run_among n r').

(** "If there is a non-empty channel in (r, d) the claim is immediate": somebody receives, after P, a message that P sends
    and nobody in P receives. *)
Lemma received_later s i j : between t d s -> is_snd r s i j ->
  (forall e a b, is_rcv r e a b -> delta r e = s -> ~ inside d e) -> exists r', like r'.
Proof.
  intros [Bs1 Bs2] Ss Us. assert (Nij : i <> j) by (intros ->; eapply NS; eauto).
  set (x := fun p => if p =? j then Rcv i else Int). set (r' := extend r d x s (val r s)).
  assert (Ag : agree r r' d) by apply extend_agree.
  assert (MR : matching r' /\ reliable r').
  { apply extend_matching with i j; auto; try exact (wf_matching r W).
    - unfold x; now rewrite Nat.eqb_refl.
    - intros p H. unfold x. apply Nat.eqb_neq in H; rewrite H; auto.
    - destruct Ss as [F L]. split; auto. now rewrite <- (proj1 (extend_agree r d x s (val r s) _ _ Bs2)). }
  assert (Rj : is_rcv r' (j, d j) i j).
  { split; auto. simpl. rewrite Nat.ltb_irrefl, Nat.eqb_refl. unfold x; now rewrite Nat.eqb_refl. }
  assert (Dj : delta r' (j, d j) = s) by (simpl; now rewrite Nat.ltb_irrefl).
  exists r'. split; [split; [split; [split|]|]|split; [|split; [|split]]]; try apply MR; auto.
  - apply extend_transmits; auto; [exact (wf_transmits r W)|].
    symmetry. destruct s as [si sk]. apply (proj2 (Ag si sk Bs2)).
  - apply extend_noself; auto. intro p. unfold x. destruct (p =? j); discriminate.
  - intros m Lm Sm e a b R. destruct (extend_cases r d x s (val r s) e) as [(I & E & D)|[(I & E & D)|(I & E)]];
      fold r' in E; try fold r' in D; destruct R as [F L]; rewrite L in E; try discriminate.
    + rewrite D. apply (Sm e a b). split; auto.
    + rewrite D. specialize (Lm (fst e)) as L1. specialize (Lm (fst s)) as L2. specialize (Ltd (fst e)).
      unfold inside in *. lia.
  - intro S. specialize (S _ _ _ Rj). rewrite Dj in S. apply S in Bs2. unfold inside in Bs2; simpl in Bs2. lia.
  - intros n A. apply extend_among; auto. intro p. unfold x. destruct (p =? j) eqn:Q; [|exact I].
    apply Nat.eqb_eq in Q. subst p. specialize (A (fst s) (snd s)). destruct Ss as [<- L]. rewrite L in A. tauto.
Qed.

(** "Otherwise, every message sent in r[c,d] is received in r[c,d]": take a last communication event, which is a receive;
    "the same message is transmitted twice between j and i.  Let r'' be the same except for delta, which swaps the matching
    send events." *)
Lemma swapped e i j : between t d e -> is_rcv r e i j -> (forall y, between t d y -> comm r y -> ~ causes r e y) ->
  exists r', like r'.
Proof.
  intros Be Rr Mx. pose proof (wf_matching r W) as M. destruct (delta_snd r M _ _ _ Rr) as [Fs Ls].
  assert (Nij : i <> j) by (intros ->; apply NS with (e := delta r e) (i := j); split; auto).
  assert (Fe : fst e = j) by apply Rr. assert (Le : lab r (fst e) (snd e) = Rcv i) by apply Rr.
  set (x := fun p => if p =? j then Rcv i else if p =? i then Snd j else Int).
  set (v := val r (delta r e)). set (r1 := extend r d x (i, d i) v).
  assert (Ag : agree r r1 d) by apply extend_agree.
  assert (Xi : lab r1 i (d i) = Snd j).
  { simpl. rewrite Nat.ltb_irrefl, Nat.eqb_refl. unfold x. rewrite Nat.eqb_refl.
    apply Nat.eqb_neq in Nij. now rewrite Nij. }
  assert (MR1 : matching r1 /\ reliable r1).
  { apply extend_matching with i j; auto.
    - unfold x; now rewrite Nat.eqb_refl.
    - intros p H. unfold x. apply Nat.eqb_neq in H; rewrite H. destruct (p =? i) eqn:Q; auto.
      apply Nat.eqb_eq in Q; auto.
    - split; auto.
    - intro H. unfold inside in H; simpl in H; lia. }
  destruct MR1 as [M1 Rel1].
  assert (Vi : val r1 (i, d i) = v) by (simpl; now rewrite Nat.ltb_irrefl).
  assert (T1 : transmits r1) by (apply extend_transmits; auto; exact (wf_transmits r W)).
  assert (Re1 : is_rcv r1 e i j) by (split; auto; rewrite <- (proj1 (Ag _ _ (proj2 Be))); auto).
  assert (De1 : delta r1 e = delta r e).
  { simpl. destruct Be as [_ H]. unfold inside in H. apply Nat.ltb_lt in H. now rewrite H. }
  assert (Rj : is_rcv r1 (j, d j) i j).
  { split; auto. simpl. rewrite Nat.ltb_irrefl, Nat.eqb_refl. unfold x; now rewrite Nat.eqb_refl. }
  assert (Dj : delta r1 (j, d j) = (i, d i)) by (simpl; now rewrite Nat.ltb_irrefl).
  assert (Ids : inside d (delta r e)) by (apply (Sd _ _ _ Rr), Be).
  (* after e, its process sends nothing up to the end: so e causes nothing but events of its process *)
  assert (Quiet : forall z, fst z = j -> snd e <= snd z -> forall a b, ~ is_snd r1 z a b).
  { intros z Fz Lz a b [Sa Sb].
    destruct (extend_cases r d x (i, d i) v z) as [(I & E & D)|[(I & E & D)|(I & E)]]; fold r1 in E; rewrite Sb in E;
      try discriminate.
    - assert (Ne : snd e <> snd z) by (intro H; rewrite Fz, <- H, <- Fe, Le in E; discriminate).
      apply (Mx z).
      + split; auto. intro H. destruct Be as [H1 _]. apply H1. unfold inside in *. rewrite Fe, <- Fz. lia.
      + exists a, b; left; split; auto.
      + apply t_step; left; split; [congruence|lia].
    - unfold x in E. rewrite Fz, Nat.eqb_refl in E. discriminate. }
  assert (Local : forall z w, fst z = j -> snd e <= snd z -> step r1 z w -> fst w = j /\ snd z < snd w).
  { intros z w Fz Lz [[A B]|(a & b & R & D)]; [split; [congruence|auto]|]. exfalso.
    eapply (Quiet z); auto. rewrite <- D. apply (delta_snd r1 M1 _ _ _ R). }
  assert (NCs : ~ causes r1 e (i, d i)).
  { assert (H : forall y, causes r1 e y -> fst y = j /\ snd e < snd y).
    { intros y C. apply clos_trans_tn1 in C. induction C as [y S|y w S C [IH1 IH2]].
      - apply Local in S; auto.
      - destruct (Local y w) as [Z1 Z2]; auto; [lia|split; [auto|lia]]. }
    intro C. apply H in C as [C _]. simpl in C. auto. }
  assert (Lt1 : snd (delta r1 e) < snd (delta r1 (j, d j))).
  { rewrite De1, Dj; simpl. unfold inside in Ids. rewrite Fs in Ids. auto. }
  assert (Lt2 : snd e < snd (j, d j)) by (simpl; destruct Be as [_ H]; unfold inside in H; rewrite Fe in H; auto).
  set (r2 := swap r1 e (j, d j)).
  assert (M2 : matching r2) by (apply exchange with i j; auto; now rewrite Dj).
  assert (T2 : transmits r2).
  { apply swap_transmits with i j; auto. rewrite De1, Dj, Vi. unfold v. symmetry.
    destruct (delta r e) as [si sk] eqn:Ds. apply (proj2 (Ag si sk Ids)). }
  assert (D2 : delta r2 e = (i, d i)) by (unfold r2; simpl delta; destruct (ev_dec e e); [exact Dj|contradiction]).
  exists r2. split; [split; [split; [split|]|]|split; [|split; [|split]]]; auto.
  - apply quiet_reliable with (fun p => S (d p)). intros a k b Lk. change (lab r1 a k <> Snd b). simpl.
    replace (k <? d a) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (k =? d a) with false by (symmetry; apply Nat.eqb_neq; lia). discriminate.
  - intros z k H. change (is_snd r1 z k k) in H. revert z k H. apply extend_noself; auto.
    intro p. unfold x. destruct (p =? j) eqn:Q1; [discriminate|]. destruct (p =? i); [|discriminate].
    apply Nat.eqb_neq in Q1. congruence.
  - intros m Lm Sm y a b R. change (is_rcv r1 y a b) in R. unfold r2; simpl delta.
    assert (Out : forall p k, t p <= k -> ~ inside m (p, k)) by
      (intros p k H I; specialize (Lm p); unfold inside in I; simpl in I; lia).
    destruct (ev_dec y e) as [->|N1].
    { change (inside m e <-> inside m (delta r1 (j, d j))). rewrite Dj. pose proof (Out i (d i) (Ltd i)).
      assert (~ inside m e); [|tauto]. intro I. destruct Be as [Be _]. apply Be. unfold inside in *.
      specialize (Lm (fst e)). lia. }
    destruct (ev_dec y (j, d j)) as [->|N2].
    { change (inside m (j, d j) <-> inside m (delta r1 e)). rewrite De1. pose proof (Out j (d j) (Ltd j)).
      assert (~ inside m (delta r e)); [|tauto]. intro I. destruct Be as [Be _]. apply Be. apply (St _ _ _ Rr).
      unfold inside in *. specialize (Lm (fst (delta r e))). lia. }
    change (inside m y <-> inside m (delta r1 y)).
    destruct (extend_cases r d x (i, d i) v y) as [(I & E & D)|[(I & E & D)|(I & E)]]; fold r1 in E; try fold r1 in D;
      destruct R as [F L]; rewrite L in E; try discriminate.
    + rewrite D. apply (Sm y a b). split; auto.
    + exfalso. apply N2. destruct y as [p k]; simpl in *. unfold x in E. subst k.
      destruct (p =? j) eqn:Q; [apply Nat.eqb_eq in Q; congruence|]. destruct (p =? i); discriminate.
  - intro S. assert (R2 : is_rcv r2 e i j) by exact Re1. specialize (S _ _ _ R2). rewrite D2 in S.
    destruct Be as [_ H]. apply S in H. unfold inside in H; simpl in H. lia.
  - intros n A. assert (X : run_among n r1); [|exact X]. apply extend_among; auto. intro p.
    specialize (A (fst e) (snd e)).
    rewrite Le, Fe in A. unfold x. destruct (p =? j) eqn:Q; [|destruct (p =? i) eqn:Q2; [|exact I]];
      apply Nat.eqb_eq in Q || apply Nat.eqb_eq in Q2; subst p; tauto.
Qed.

(** One of the two is possible, if anything communicates between [t] and [d]. *)
Lemma like_exists : (exists L, forall e, between t d e -> In e L) -> (exists e, between t d e /\ comm r e) ->
  exists r', like r'.
Proof.
  intros [L HL] (e0 & B0 & C0).
  destruct (classic (exists s i j, between t d s /\ is_snd r s i j /\
      forall e a b, is_rcv r e a b -> delta r e = s -> ~ inside d e)) as [(s & i & j & Bs & Ss & Us)|All].
  { eapply received_later; eauto. }
  destruct (max_exists L (fun e => between t d e /\ comm r e) (causes r)) as (e & _ & [Be Ce] & Mx).
  { intros; eapply t_trans; eauto. }
  { exact (causal r W). }
  { exists e0. auto. }
  assert (Mx' : forall y, between t d y -> comm r y -> ~ causes r e y) by auto.
  assert (Rr : exists i j, is_rcv r e i j).
  { destruct Ce as (i & j & [S|R]); [|eauto]. exfalso. apply All. exists e, i, j. split; [auto|split; [auto|]].
    intros y a b R D I. apply (Mx' y).
    - split; auto. intro Z. apply (St _ _ _ R) in Z. rewrite D in Z. now apply Be.
    - exists a, b; auto.
    - apply t_step; right; exists a, b; auto. }
  destruct Rr as (i & j & Rr). eapply swapped; eauto.
Qed.
End Crossing.

Theorem tcc_impossible : forall P r c d t, RelNS r -> silent r c -> passes r c c P d t ->
  (exists e, between t d e /\ comm r e) ->
  exists r', RelNS r' /\ occurs r' c (Lay Chop P) d /\ ~ silent r' d.
Proof.
  intros P r c d t [[W Re] NS] Sc Pa (e0 & B0 & C0). pose proof (passes_occurs _ _ _ _ _ _ Pa) as O.
  destruct (passes_between _ _ _ _ _ _ Pa Sc (fun k => le_n (c k))) as (St & Lct & Ltd).
  destruct (classic (silent r d)) as [Sd|Sd].
  2:{ exists r. split; [split; [split|]; auto|split; [|auto]]. now apply chop_first. }
  assert (X : exists r', like r t d r').
  { apply like_exists; eauto. destruct (occurs_finite _ _ _ _ O) as [L HL]. exists L. intros e [B1 B2]. apply HL.
    split; auto. intro I. apply B1. specialize (Lct (fst e)). unfold inside in *. lia. }
  destruct X as (r' & G & Ag & Keep & Nd & _). exists r'. split; [auto|split; auto].
  assert (Sc' : silent r' c) by (apply Keep; auto).
  apply chop_first. split; auto. eapply passes_agree; eauto. intros k; auto.
Qed.

(** ** The theorem *)

(** After the last silent cut nothing communicates: then the end is silent, too. *)
Lemma quiet_end r t d : silent r t -> cle t d -> (forall e, between t d e -> ~ comm r e) -> matching r -> silent r d.
Proof.
  intros St L Q M e i j R.
  assert (H : forall e, comm r e -> (inside t e <-> inside d e)).
  { intros y C. split; [unfold inside; specialize (L (fst y)); lia|]. intro I. apply NNPP. intro N.
    apply (Q y); [split|]; auto. }
  rewrite <- !H; [apply (St _ _ _ R)| |].
  - exists i, j. left. apply (delta_snd r M _ _ _ R).
  - exists i, j. now right.
Qed.

Theorem tcc_impossibility : forall P, TCC RelNS P <->
  forall r c d t, RelNS r -> silent r c -> passes r c c P d t -> forall e, between t d e -> ~ comm r e.
Proof.
  intro P. rewrite tcc_iff. split.
  - intros H r c d t R Sc Pa e B C. destruct (tcc_impossible P r c d t) as (r' & R' & O & N); eauto.
    apply chop_first in O as [Sc' O]. apply N. eapply H; eauto.
  - intros H r c d R Sc O. destruct (occurs_passes _ _ _ _ O c) as [t Pa].
    destruct (passes_between _ _ _ _ _ _ Pa Sc (fun k => le_n (c k))) as (St & _ & Ltd).
    apply quiet_end with t; auto; [apply (H r c d t R Sc Pa)|]. apply R.
Qed.

(** The paper's sentence, for programs without a silent cut inside. *)
Fixpoint nochop (p : prog) : Prop :=
  match p with
  | Chop => False
  | Lay p q | Choice p q => nochop p /\ nochop q
  | Star p => nochop p
  | _ => True
  end.
Lemma passes_nochop r s c p d t : passes r s c p d t -> nochop p -> t = s.
Proof.
  induction 1; simpl; intro N; try tauto.
  - destruct N. rewrite IHpasses2, IHpasses1; auto.
  - rewrite IHpasses2, IHpasses1; auto.
Qed.
Corollary tcc_impossibility_nochop : forall P r c d, nochop P -> RelNS r -> silent r c -> occurs r c P d ->
  (exists e, between c d e /\ comm r e) -> ~ TCC RelNS P.
Proof.
  intros P r c d N R S O (e & B & C) T. destruct (occurs_passes _ _ _ _ O c) as [t Pa].
  pose proof (passes_nochop _ _ _ _ _ _ Pa N). subst t.
  exact (proj1 (tcc_impossibility P) T r c d c R S Pa e B C).
Qed.
