(** * Closed channels

    "Let P be a BSL and let G = (V, E) be sig (P).  Then P leaves channel i->j open iff rcv j<-i is in V."

    To close is read as the paper's words have it: from a cut with empty channels.  Read by the formula that follows
    these words, every program leaves every channel open (see [Refutations]).

    Theorems of the ledger: [closed_channels_self]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values GraphCause SealingByCausality
  DecideSealing.
Open Scope nat_scope.

(** At a cut with empty channels, nothing crosses. *)
Lemma empty_silent r c : matching r -> all_empty r c -> silent r c.
Proof.
  intros W E e i j R. split; intro I.
  - destruct (classic (inside c (delta r e))) as [|N]; auto. exfalso. apply (E i j e). split; auto.
  - destruct (classic (inside c e)) as [|N]; auto. exfalso. apply (E i j (delta r e)). split; auto.
    left. split; [apply (delta_snd r W _ _ _ R)|]. intros e' a b R' I' D. apply N.
    now rewrite <- (delta_inj r W _ _ _ _ _ _ R' R D).
Qed.

(** The cut before everything is empty. *)
Lemma start_empty r : all_empty r (fun _ => 0).
Proof. intros i j e [I _]. unfold inside in I. lia. Qed.

(** A path between events of the program, or to its end, is causality in every run: what leads to Ld_i causes what [i]
    does later. *)
Lemma path_end r c l i j y z : matching r -> silent r c -> standing r c l -> balanced l ->
  path l (Ev j y) (Ld i) -> c i + len l i <= z -> causes r (j, c j + y) (i, z).
Proof.
  intros W S St B P L. apply (path_left l []) in P as [C _]; auto; [|intros a b; reflexivity|discriminate].
  rewrite app_nil_r in C. apply (shift r c) in C; auto. simpl in C. eapply causes_local_ge; eauto.
Qed.

(** If the last receive on a channel causes all that its sender does later, it cannot take a later message: then the
    channel is empty after the program. *)
Lemma known_receive_empty r c l i j : matching r -> all_empty r c -> standing r c l -> balanced l ->
  (forall y z, last_receive l j i y -> c i + len l i <= z -> causes r (j, c j + y) (i, z)) ->
  empty_channel r (fun k => c k + len l k) i j.
Proof.
  intros W Ec St B Known e [Ie He]. pose proof (empty_silent r c W Ec) as S. set (d := fun k => c k + len l k) in *.
  assert (Takes : forall e, is_rcv r e i j -> inside d e -> inside d (delta r e)).
  { intros [j' Y] R I. assert (j' = j) by apply R. subst j'.
    destruct (classic (inside c (j, Y))) as [J|J].
    { apply (S _ _ _ R) in J. unfold inside, d in *. lia. }
    destruct (classic (inside d (delta r (j, Y)))) as [|Late]; auto. exfalso.
    destruct (delta_snd r W _ _ _ R) as [Fz Lz]. destruct (delta r (j, Y)) as [i' Z] eqn:E. simpl in Fz, Lz; subst i'.
    unfold inside, d in I, J, Late; simpl in I, J, Late.
    assert (Ly : nth_error (labs j l) (Y - c j) = Some (Rcv i)).
    { rewrite (stand_lab' r c) by (auto; lia). replace (c j + (Y - c j)) with Y by lia. f_equal. apply R. }
    destruct (last_exists l j i _ Ly) as (y & Last & Le).
    assert (C : causes r (j, c j + y) (i, Z)) by (apply Known; [exact Last|lia]).
    apply (causal r W (j, Y)). eapply t_trans; [apply causes_local_le with (c j + y); [lia|exact C]|].
    rewrite <- E. eapply causes_msg; eauto. }
  destruct He as [[Se Un]|[Re Out]]; [|apply Out; now apply Takes].
  destruct (classic (inside c e)) as [Ic|Ic].
  - apply (Ec i j e). split; auto. left. split; auto. intros e' a b R' I'. apply (Un e' a b R').
    unfold inside, d in *. lia.
  - destruct (all_taken r c l i j W S St B Takes e Se (conj Ic Ie)) as (e' & R' & I' & D).
    apply (Un e' i j R'); auto.
Qed.

(** "If": so it is without the node. *)
Lemma no_node_closes (G : run -> Prop) P l i j : (forall r, G r -> matching r) -> acts P = Some l -> balanced l ->
  (forall y, ~ sig_rcv l j i y) -> closes G P i j.
Proof.
  intros GM A B N r c d g Ec O e [Ie He]. pose proof (GM r g) as W. pose proof (occurs_follows r P l A _ _ O) as F.
  assert (St : standing r c l) by (intro k; apply F).
  assert (Ed : ceq (fun k => c k + len l k) d) by (intro k; symmetry; apply F).
  apply (known_receive_empty r c l i j W Ec St B) with e.
  - intros y z Last L. apply (path_end r c l); auto using empty_silent. apply NNPP. intro X. apply (N y). now split.
  - split; [now apply (ceq_inside _ _ _ Ed)|]. destruct He as [[Se Un]|[Re Out]].
    + left. split; auto. intros e' a b R' I'. apply (Un e' a b R'). now apply (ceq_inside _ _ _ Ed).
    + right. split; auto. intro I. apply Out. now apply (ceq_inside _ _ _ Ed).
Qed.

(** Nothing leads from one process to another in the empty program. *)
Lemma path_nil k v : path [] (Fd k) v -> v = Ld k.
Proof.
  intro P. apply clos_trans_t1n in P.
  assert (E : forall u w, edge [] u w -> exists k, u = Fd k /\ w = Ld k).
  { intros u w [i x y _ L|i x L|i x L|i|i j x y H _ _]; try (unfold len in L; simpl in L; lia); [eauto|].
    unfold labs in H; simpl in H. destruct x; discriminate. }
  destruct P as [w S|w z S R].
  - apply E in S as (k' & F & ->). now injection F as ->.
  - apply E in S as (k' & _ & ->). destruct R as [z S|z z' S _]; apply E in S as (k'' & X & _); discriminate.
Qed.

(** "Only if": otherwise it can. *)
Lemma node_open (G : run -> Prop) P l i j y : (forall r, Rel r -> (nofself l -> noself r) -> G r) -> acts P = Some l ->
  balanced l -> dead_free l -> sig_rcv l j i y -> ~ closes G P i j.
Proof.
  intros HG A B D [[Hy _] NP] Cl.
  assert (Bn : balanced []) by (intros a b; reflexivity).
  assert (Nij : i <> j) by (intros ->; apply NP, t_step, E_last; eapply labs_lt; eauto).
  destruct (interference_after_Q P Eps l [] A eq_refl B) with (i := i) (j := j) (y := y) (Gr := G)
    as (r & z & R & O & Rc & Dl & Lz); rewrite ?app_nil_r; auto.
  - intro C. pose proof (causes_arrives l [] B Bn j y (i, len l i) (labs_lt _ _ _ _ Hy)) as Ar.
    rewrite app_nil_r in Ar. specialize (Ar C). unfold arrives in Ar; cbn [fst snd] in Ar.
    rewrite Nat.ltb_irrefl in Ar. destruct Ar as (k & Hk & T). unfold to_end in T.
    rewrite Nat.sub_diag in T. change (len [] i) with 0 in T. simpl in T.
    apply path_nil in T. injection T as <-. contradiction.
  - rewrite app_nil_r in O. apply lay_iff in O as (m & O1 & O2). inversion O2; subst.
    assert (O' : occurs r (fun _ => 0) P (len l)) by (eapply occurs_ceq; eauto using ceq_refl).
    apply (Cl r (fun _ => 0) (len l) R (start_empty r) O' (j, y)).
    split; [apply (labs_lt _ _ _ _ Hy)|right]. split; auto. rewrite Dl. unfold inside; simpl. lia.
Qed.

(** So, in any such set of runs. *)
Lemma closed_channels_in (G : run -> Prop) P l i j : (forall r, G r -> matching r) ->
  (forall r, Rel r -> (nofself l -> noself r) -> G r) -> acts P = Some l -> balanced l -> dead_free l ->
  (~ closes G P i j <-> exists y, sig_rcv l j i y).
Proof.
  intros GM HG A B D. split.
  - intro Op. apply NNPP. intro X. apply Op. apply (no_node_closes G P l); auto. intros y H. eauto.
  - intros (y & H). eapply node_open; eauto.
Qed.

Theorem closed_channels : forall P l i j, acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  (~ closes RelNS P i j <-> exists y, sig_rcv l j i y).
Proof.
  intros P l i j A B D N. apply closed_channels_in; auto.
  - intros r [[[W _] _] _]. exact W.
  - intros r R Ns. split; auto.
Qed.

(** Self-channels do not matter: it is the same in all runs of Rel. *)
Theorem closed_channels_self : forall P l i j, acts P = Some l -> balanced l -> dead_free l ->
  (~ closes Rel P i j <-> exists y, sig_rcv l j i y).
Proof. intros P l i j A B D. apply closed_channels_in; auto. intros r [[W _] _]. exact W. Qed.

(** So of programs in which no process sends to itself it is the same whether the runs have such messages. *)
Theorem closes_in_rel : forall P l i j, acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  (closes Rel P i j <-> closes RelNS P i j).
Proof.
  intros P l i j A B D N. pose proof (closed_channels P l i j A B D N). pose proof (closed_channels_self P l i j A B D).
  split; intro C; apply NNPP; tauto.
Qed.
