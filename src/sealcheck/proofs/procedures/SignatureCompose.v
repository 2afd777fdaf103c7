(** * Signature-Compose(V_P, E_P, V_Q, E_Q)

    "Sequentially compose the two signatures ... Remove dummy nodes between the two signatures ... Remove all but the
    first sends and last receives ... Remove sends and receives on closed channels ... rename by dropping superscripts"
    (app:algo), line by line.  Line 5 removes P's receive j<-i if it precedes lst_j, which every event of j does; it
    should say lst_i.  Mended so, it returns the signature of P . Q.

    In line 5, Fd_j and Ld_j have no superscripts; they are P's Fd_j and Q's Ld_j, for line 3 has removed the others.

    Theorems of the ledger: [signature_compose_as_printed], [signature_compose_repaired]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Phases Teaching SignaturesCompose Procedures.
From Sealcheck Require Import NoBarrier Transmissions Refutations Closure SignatureLists.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

Lemma not_true {b P} : (b = true <-> P) -> (negb b = true <-> ~ P).
Proof. intros <-. now rewrite negb_true_iff, not_true_iff_false. Qed.

(** "e^(X)": a node with its superscript. *)
Inductive superscript := OfP | OfQ.
Definition placed := (name * superscript)%type.
Definition placed_dec (u v : placed) : {u = v} + {u <> v}.
Proof. decide equality; [decide equality|apply name_dec]. Defined.

(** ** The lines *)

Section Lines.
Variables (n : nat) (P Q : graph name).

(** Line 1: "V <- {e^(X) | e in V_X, X in {P, Q}};
    E <- {(e^(X), f^(Y)) in V^2 | X = Y and (e, f) in E_X} u {(Ld_i^(P), Fd_i^(Q)) | i in Proc}". *)
Definition layered : list placed := map (fun e => (e, OfP)) (fst P) ++ map (fun e => (e, OfQ)) (fst Q).
Definition same_layer (uv : placed * placed) : bool :=
  match uv with
  | ((e, OfP), (f, OfP)) => has_edge name_dec e f (snd P)
  | ((e, OfQ), (f, OfQ)) => has_edge name_dec e f (snd Q)
  | _ => false
  end.
Definition layered_edges : list (placed * placed) :=
  filter same_layer (list_prod layered layered) ++ map (fun i => ((NLd i, OfP), (NFd i, OfQ))) (seq 0 n).

(** Line 2: "E <- E+". *)
Definition before : list (placed * placed) := plus placed_dec (layered, layered_edges).

(** Line 3: "V <- V \ {Ld_i^(P) | i in Proc} \ {Fd_i^(Q) | i in Proc}". *)
Definition without_dummies : list placed :=
  filter (fun v => match v with (NLd _, OfP) | (NFd _, OfQ) => false | _ => true end) layered.

(** Line 4: "V <- V \ {e^(Q) in V | e^(P) in V and e = snd} \ {e^(P) in V | e^(Q) in V and e = rcv}". *)
Definition first_and_last : list placed :=
  filter (fun v => match v with
    | (NSnd i j, OfQ) => negb (has placed_dec (NSnd i j, OfP) without_dummies)
    | (NRcv j i, OfP) => negb (has placed_dec (NRcv j i, OfQ) without_dummies)
    | _ => true end) without_dummies.

(** Line 5: "V <- V \ {e^(Q) in V | (Fd_j, e^(Q)) in E and e = snd i->j}
    \ {e^(P) in V | (e^(P), Ld_j) in E and e = rcv j<-i}".  [end_of j i] is the process whose Ld it asks about. *)
Definition on_open_channels (end_of : proc -> proc -> proc) : list placed :=
  filter (fun v => match v with
    | (NSnd i j, OfQ) => negb (has_edge placed_dec (NFd j, OfP) v before)
    | (NRcv j i, OfP) => negb (has_edge placed_dec v (NLd (end_of j i), OfQ) before)
    | _ => true end) first_and_last.

(** Lines 6 and 7: "rename by dropping superscripts (X); return (V, E n V^2)". *)
Definition Signature_Compose_with (end_of : proc -> proc -> proc) : graph name :=
  let V := on_open_channels end_of in
  (map fst V, map (fun '(u, v) => (fst u, fst v))
                  (filter (fun '(u, v) => has placed_dec u V && has placed_dec v V) before)).
End Lines.

(** As printed, line 5 asks about Ld_j; mended, about Ld_i. *)
Definition Signature_Compose_printed (n : nat) (P Q : graph name) := Signature_Compose_with n P Q (fun j i => j).
Definition Signature_Compose_mended (n : nat) (P Q : graph name) := Signature_Compose_with n P Q (fun j i => i).

(** ** What the lines compute *)

Section Composed.
Variables (n : nat) (p q : list act) (P Q : graph name).
Hypotheses (Bp : balanced p) (Wp : within n p) (SP : is_signature n p P) (SQ : is_signature n q Q).
Let l := p ++ q.

Definition is_placed_node (u : placed) : Prop := match u with (e, OfP) => kept_name n p e | (e, OfQ) =>
  kept_name n q e end.
Lemma layered_spec u : In u (layered P Q) <-> is_placed_node u.
Proof.
  unfold layered. rewrite in_app_iff, !in_map_iff. destruct u as [e [|]]; simpl.
  - rewrite <- (its_nodes n p P SP). split; [intros [(f & E & I)|(f & E & _)]; congruence|]. intro I. left. eauto.
  - rewrite <- (its_nodes n q Q SQ). split; [intros [(f & E & _)|(f & E & I)]; congruence|]. intro I. right. eauto.
Qed.

(** Line 2's relation: paths of P, paths of Q, and those that go from P to Q by some process. *)
Definition leads (u v : placed) : Prop :=
  match u, v with
  | (e, OfP), (f, OfP) => kept_name n p e /\ kept_name n p f /\ sig_edge p e f
  | (e, OfQ), (f, OfQ) => kept_name n q e /\ kept_name n q f /\ sig_edge q e f
  | (e, OfP), (f, OfQ) => kept_name n p e /\ kept_name n q f /\
      exists m, m < n /\ (e = NLd m \/ sig_edge p e (NLd m)) /\ (f = NFd m \/ sig_edge q (NFd m) f)
  | (_, OfQ), (_, OfP) => False
  end.

Lemma leads_trans u v w : leads u v -> leads v w -> leads u w.
Proof.
  destruct u as [e [|]], v as [f [|]], w as [g [|]]; simpl; try tauto.
  - intros (? & ? & ?) (? & ? & ?). repeat split; eauto using sig_edge_trans.
  - intros (? & ? & E) (? & ? & m & L & [->|E'] & ?); repeat split; auto; exists m; eauto 6 using sig_edge_trans.
  - intros (? & ? & m & L & ? & [->|E']) (? & ? & E); repeat split; auto; exists m; eauto 6 using sig_edge_trans.
  - intros (? & ? & ?) (? & ? & ?). repeat split; eauto using sig_edge_trans.
Qed.

Lemma layered_edges_spec u v : In (u, v) (layered_edges n P Q) <->
  (is_placed_node u /\ is_placed_node v /\ same_layer P Q (u, v) = true) \/
  (exists i, i < n /\ u = (NLd i, OfP) /\ v = (NFd i, OfQ)).
Proof.
  unfold layered_edges. rewrite in_app_iff, filter_In, in_prod_iff, !layered_spec, in_map_iff. split.
  - intros [H|(i & E & I)]; [tauto|right]. apply in_seq in I. injection E as <- <-. exists i. repeat split; lia.
  - intros [H|(i & L & -> & ->)]; [tauto|right]. exists i. split; auto. apply in_seq. lia.
Qed.
Lemma layered_edges_ends u v : In (u, v) (layered_edges n P Q) -> In u (layered P Q) /\ In v (layered P Q).
Proof.
  rewrite layered_edges_spec, !layered_spec. intros [H|(i & L & -> & ->)]; [tauto|]. simpl. auto.
Qed.

Lemma edge_leads u v : In (u, v) (layered_edges n P Q) -> leads u v.
Proof.
  rewrite layered_edges_spec. intros [(Hu & Hv & E)|(i & L & -> & ->)].
  - destruct u as [e [|]], v as [f [|]]; simpl in *; try discriminate; apply joined_spec in E;
      [apply (its_edges n p P SP) in E|apply (its_edges n q Q SQ) in E]; tauto.
  - simpl. repeat split; auto. exists i. auto.
Qed.

Let path_here := clos_trans placed (fun u v => In (u, v) (layered_edges n P Q)).
Lemma path_in_p e f : e <> f -> kept_name n p e -> kept_name n p f -> sig_edge p e f -> path_here (e, OfP) (f, OfP).
Proof.
  intros N He Hf E. apply t_step, layered_edges_spec. left. repeat split; auto. simpl. apply joined_spec.
  apply (its_edges n p P SP). auto.
Qed.
Lemma path_in_q e f : e <> f -> kept_name n q e -> kept_name n q f -> sig_edge q e f -> path_here (e, OfQ) (f, OfQ).
Proof.
  intros N He Hf E. apply t_step, layered_edges_spec. left. repeat split; auto. simpl. apply joined_spec.
  apply (its_edges n q Q SQ). auto.
Qed.
Lemma leads_path u v : u <> v -> leads u v -> path_here u v.
Proof.
  destruct u as [e [|]], v as [f [|]]; simpl; intros N H; try contradiction.
  - apply path_in_p; try tauto. congruence.
  - destruct H as (He & Hf & m & L & H1 & H2).
    assert (Over : path_here (NLd m, OfP) (NFd m, OfQ)) by (apply t_step, layered_edges_spec; right; eauto).
    assert (Left : e = NLd m \/ path_here (e, OfP) (NLd m, OfP)).
    { destruct (name_dec e (NLd m)); [now left|right]. destruct H1; [contradiction|]. now apply path_in_p. }
    assert (Right : f = NFd m \/ path_here (NFd m, OfQ) (f, OfQ)).
    { destruct (name_dec f (NFd m)); [now left|right]. destruct H2; [contradiction|]. apply path_in_q; auto. }
    destruct Left as [->|Left], Right as [->|Right]; auto; repeat (eapply t_trans; eauto).
  - apply path_in_q; try tauto. congruence.
Qed.

Lemma before_spec u v : In (u, v) (before n P Q) <-> u <> v /\ leads u v.
Proof.
  unfold before. rewrite plus_spec by exact layered_edges_ends. split; intros [H N]; split; auto.
  - clear N. induction H; [now apply edge_leads|eapply leads_trans; eauto].
  - now apply leads_path.
Qed.

(** ** The nodes that stay *)

Definition stays_composed (u : placed) : Prop := is_placed_node u /\
  match u with
  | (NLd _, OfP) | (NFd _, OfQ) => False
  | (NSnd i j, OfQ) => ~ kept_name n p (NSnd i j) /\ ~ leads (NFd j, OfP) u
  | (NRcv j i, OfP) => ~ kept_name n q (NRcv j i) /\ ~ leads u (NLd i, OfQ)
  | _ => True
  end.
Lemma nodes_spec u : In u (on_open_channels n P Q (fun j i => i)) <-> stays_composed u.
Proof.
  assert (W : forall v, In v (without_dummies P Q) <-> is_placed_node v /\
    match v with (NLd _, OfP) | (NFd _, OfQ) => False | _ => True end).
  { intro v. unfold without_dummies. rewrite filter_In, layered_spec.
    destruct v as [[i|i|i j|j i] [|]]; intuition congruence. }
  unfold on_open_channels, first_and_last, stays_composed. rewrite !filter_In, W.
  destruct u as [[i|i|i j|j i] [|]]; try (simpl; intuition congruence).
  - rewrite (not_true (has_spec placed_dec _ _)), (not_true (joined_spec placed_dec _ _ _)), W, before_spec.
    simpl is_placed_node. intuition congruence.
  - rewrite (not_true (has_spec placed_dec _ _)), (not_true (joined_spec placed_dec _ _ _)), W, before_spec.
    simpl is_placed_node. intuition congruence.
Qed.

(** Where a channel has no send in the signature of P, though P sends on it, its receiver leads to the sender's end. *)
Lemma send_of_first i j x : nth_error (labs i p) x = Some (Snd j) -> kept_name n q (NSnd i j) ->
  stays_composed (NSnd i j, OfQ) -> False.
Proof.
  intros Hx K (_ & N & L). destruct (first_send_exists p i j x Hx) as (y & F & _).
  pose proof F as [Hy _]. pose proof (SignatureSize.named_below n p i _ y Wp Hy) as [Li Lj].
  apply N. exists y. split; auto. intro R. apply L. simpl. repeat split; auto. exists i. repeat split; auto.
  - right. exists (Fd j), (Ld i). repeat split. eapply t_trans; [exact R|]. apply t_step, E_last.
    now apply labs_lt in Hy.
  - right. destruct K as (z & G & _). exists (Fd i), (Ev i z). repeat split; [now exists z|].
    apply t_step, E_first. destruct G as [G _]. now apply labs_lt in G.
Qed.
Lemma receive_of_second j i y : nth_error (labs j q) y = Some (Rcv i) -> kept_name n p (NRcv j i) ->
  stays_composed (NRcv j i, OfP) -> False.
Proof.
  intros Hy K (_ & N & L). destruct (last_receive_exists q j i y Hy) as (z & F & _). pose proof F as [Hz _].
  pose proof K as (x & [Hx _] & _). pose proof (SignatureSize.named_below n p j _ x Wp Hx) as [Lj Li].
  apply N. exists z. split; auto. intro R. apply L. simpl. repeat split; auto. exists j. repeat split; auto.
  - right. destruct K as (w & G & _). exists (Ev j w), (Ld j). repeat split; [now exists w|].
    apply t_step, E_last. destruct G as [G _]. now apply labs_lt in G.
  - right. exists (Fd j), (Ld i). repeat split. eapply t_trans; [|exact R]. apply t_step, E_first.
    now apply labs_lt in Hz.
Qed.

(** A path from P into Q, and that [leads] says so. *)
Lemma across e u f v : kept_name n p e -> named p e u -> of_first p u -> kept_name n q f -> named q f v ->
  not_initial v ->
  (leads (e, OfP) (f, OfQ) <-> path l u (place_second p v)).
Proof.
  intros Ke Hu Fu Kf Hv Iv. unfold l. rewrite (paths_across p q Bp u v Fu Iv). simpl. split.
  - intros (_ & _ & m & L & [E|(a & b & Ha & Hb & R)] & [E'|(c & d & Hc & Hd & R')]); subst;
      try (simpl in Hu; subst u; contradiction); try (simpl in Hv; subst v; contradiction).
    simpl in Hb, Hc. subst b c. rewrite (named_once p e u a), (named_once q f v d) by assumption. eauto.
  - intros (m & R & R'). assert (E : sig_edge p e (NLd m)) by (exists u, (Ld m); repeat split; auto).
    repeat split; auto. exists m. repeat split; [eapply kept_edge_last; eauto|auto|].
    right. exists (Fd m), v. repeat split; auto.
Qed.

(** Nodes of P . Q and where the procedure has them. *)
Lemma stays_kept a X : stays_composed (a, X) -> kept_name n l a.
Proof.
  intro S. pose proof S as [K H]. destruct a as [i|i|i j|j i], X; simpl in K; try contradiction; auto; unfold l.
  - destruct K as (x & F & N). pose proof F as [Hx _]. exists x. split; [apply first_send_composed; now left|].
    intro R. apply N. apply (paths_in_first p q Bp) in R; simpl; auto. now apply labs_lt in Hx.
  - destruct H as [_ H]. pose proof K as (x & F & _). exists (len p i + x). split.
    + apply first_send_composed. right. split; [|eauto]. intros y Hy. now apply (send_of_first i j y).
    + intro R. apply H. apply (across (NFd j) (Fd j) (NSnd i j) (Ev i x)); simpl; auto; [|now exists x].
      destruct (lt_dec j n); auto. exfalso. unfold l in *.
      change (Ev i (len p i + x)) with (place_second p (Ev i x)) in R.
      apply (paths_across p q Bp (Fd j) (Ev i x) I I) in R as (m & R1 & R2).
      apply (path_owner n) in R1 as [E|[E _]]; auto. simpl in E. subst m. destruct K as (z & G & NG). apply NG.
      assert (z = x) by (destruct F as [F1 F2], G as [G1 G2]; specialize (F2 z G1); specialize (G2 x F1); lia).
      now subst z.
  - destruct H as [_ H]. pose proof K as (y & F & _). pose proof F as [Hy _]. exists y. split.
    + apply last_receive_composed. right. split; auto. intros z Hz. now apply (receive_of_second j i z).
    + intro R. apply H. pose proof (SignatureSize.named_below n p j _ y Wp Hy) as [_ Li].
      apply (across (NRcv j i) (Ev j y) (NLd i) (Ld i)); simpl; auto; [now exists y|]. now apply labs_lt in Hy.
  - destruct K as (y & F & N). exists (len p j + y). split; [apply last_receive_composed; left; eauto|].
    intro R. apply N. now apply (paths_in_second p q Bp (Ev j y) (Ld i)).
Qed.

Definition side (a : name) (X : superscript) := match X with OfP => from_first p q a | OfQ => ~ from_first p q a end.
Lemma stays_side a X : stays_composed (a, X) -> side a X.
Proof.
  intro S. pose proof S as [K H]. destruct a as [i|i|i j|j i], X; simpl in *; try tauto.
  - now apply (kept_named n p (NSnd i j)).
  - intros (u & x & _ & [Hx _]). now apply (send_of_first i j x).
  - intros (u & y & _ & [Hy _]). now apply (receive_of_second j i y).
  - intro N. apply N. now apply (kept_named n q (NRcv j i)).
Qed.
Lemma kept_stays a : kept_name n l a -> exists X, stays_composed (a, X).
Proof.
  intro K. destruct a as [i|i|i j|j i]; [exists OfP; now split|exists OfQ; now split| |]; unfold l in K.
  - destruct K as (x & F & N). apply first_send_composed in F as [F|[None (y & -> & F)]].
    + exists OfP. split; [|exact I]. exists x. split; auto. intro R. apply N, (paths_in_first p q Bp); simpl; auto.
      destruct F as [F _]. now apply labs_lt in F.
    + exists OfQ. assert (Kq : kept_name n q (NSnd i j)).
      { exists y. split; auto. intro R. apply N. change (Ev i (len p i + y)) with (place_second p (Ev i y)).
        apply (paths_across p q Bp); simpl; auto. exists j. split; auto. apply t_step, E_idle. }
      split; [exact Kq|]. split; [intros (x & [H _] & _); now apply (None x)|]. intro To. apply N.
      apply (across (NFd j) (Fd j) (NSnd i j) (Ev i y)) in To; simpl; auto; [apply To|now exists y].
  - destruct K as (x & F & N). apply last_receive_composed in F as [(z & -> & F)|[None F]].
    + exists OfQ. split; [|exact I]. exists z. split; auto. intro R. apply N.
      now apply (paths_in_second p q Bp (Ev j z) (Ld i)).
    + exists OfP. assert (Kp : kept_name n p (NRcv j i)).
      { exists x. split; auto. intro R. apply N. change (Ld i) with (place_second p (Ld i)).
        apply (paths_across p q Bp); simpl; auto; [destruct F as [F _]; now apply labs_lt in F|].
        exists i. split; auto. apply t_step, E_idle. }
      split; [exact Kp|]. split; [intros (z & [H _] & _); now apply (None z)|]. intro To. apply N.
      destruct F as [Hx My]. pose proof (SignatureSize.named_below n p j _ x Wp Hx) as [_ Li].
      pose proof (labs_lt _ _ _ _ Hx) as Lx.
      apply (across (NRcv j i) (Ev j x) (NLd i) (Ld i)) in To; auto; [now exists x|reflexivity|exact I].
Qed.

Lemma stays_leads a X b Y : stays_composed (a, X) -> stays_composed (b, Y) -> (leads (a, X) (b, Y) <-> sig_edge l a b).
Proof.
  intros Sa Sb. pose proof (stays_side a X Sa) as Da. pose proof (stays_side b Y Sb) as Db.
  unfold l. rewrite signature_composed by assumption.
  destruct Sa as [Ka Ra], Sb as [Kb Rb], X, Y; simpl in *.
  - tauto.
  - split.
    + intros (_ & _ & m & L & [->|E] & [->|E']); try contradiction. right; right. eauto.
    + intros [H|[H|(_ & _ & m & E & E')]]; try tauto. repeat split; auto. exists m.
      repeat split; auto. eapply kept_edge_last; eauto.
  - tauto.
  - tauto.
Qed.

Lemma composed_signature : is_signature n l (Signature_Compose_mended n P Q).
Proof.
  split.
  - intro a. simpl. rewrite in_map_iff. split.
    + intros ([b X] & <- & H). apply nodes_spec in H. now apply (stays_kept b X).
    + intro K. apply kept_stays in K as (X & S). exists (a, X). split; auto. now apply nodes_spec.
  - intros a b. simpl. rewrite in_map_iff. split.
    + intros ([[a' X] [b' Y]] & E & H). injection E as -> ->. apply filter_In in H as [H S].
      apply andb_true_iff in S as [Sa Sb]. apply has_spec, nodes_spec in Sa, Sb. apply before_spec in H as [N H].
      pose proof (stays_leads _ _ _ _ Sa Sb) as E. apply E in H.
      repeat split; eauto using stays_kept. intros ->. apply N. f_equal.
      apply stays_side in Sa, Sb. destruct X, Y; simpl in Sa, Sb; congruence || contradiction.
    + intros (Ka & Kb & N & E). apply kept_stays in Ka as (X & Sa), Kb as (Y & Sb).
      exists ((a, X), (b, Y)). split; auto. apply filter_In. split.
      * apply before_spec. split; [congruence|]. now apply stays_leads.
      * apply andb_true_iff. split; now apply has_spec, nodes_spec.
Qed.
End Composed.

(** _Mended, it returns the signature of P . Q_, given those of P and Q. *)
Theorem signature_compose_repaired : forall n p q P Q, balanced p -> within n p ->
  is_signature n p P -> is_signature n q Q -> is_signature n (p ++ q) (Signature_Compose_mended n P Q).
Proof. exact composed_signature. Qed.

(** ** As printed *)

(** Every program has a signature. *)
Lemma some_of {A} (S : A -> Prop) (L : list A) : exists L', forall a, In a L' <-> In a L /\ S a.
Proof.
  induction L as [|b L [L' H]]; [exists []; simpl; tauto|].
  destruct (classic (S b)) as [Y|N]; [exists (b :: L')|exists L']; intro a; simpl; rewrite H; intuition congruence.
Qed.
Definition all_names (n : nat) : list name :=
  let channels := list_prod (seq 0 n) (seq 0 n) in
  map NFd (seq 0 n) ++ map NLd (seq 0 n) ++ map (fun c => NSnd (fst c) (snd c)) channels ++
  map (fun c => NRcv (fst c) (snd c)) channels.
Lemma kept_listed n m l a : n <= m -> within m l -> kept_name n l a -> In a (all_names m).
Proof.
  intros L W K. unfold all_names. rewrite !in_app_iff, !in_map_iff. destruct a as [i|i|i j|j i]; simpl in K.
  - left. exists i. rewrite in_seq. split; [auto|lia].
  - right. left. exists i. rewrite in_seq. split; [auto|lia].
  - destruct K as (x & [H _] & _). apply (SignatureSize.named_below m) in H; auto. right. right. left. exists (i, j).
    rewrite in_prod_iff, !in_seq. split; [auto|lia].
  - destruct K as (x & [H _] & _). apply (SignatureSize.named_below m) in H; auto. right. right. right. exists (j, i).
    rewrite in_prod_iff, !in_seq. split; [auto|lia].
Qed.
Lemma signature_exists n m l : n <= m -> within m l -> exists G, is_signature n l G.
Proof.
  intros L W. destruct (some_of (kept_name n l) (all_names m)) as (V & HV).
  destruct (some_of (fun e => fst e <> snd e /\ sig_edge l (fst e) (snd e)) (list_prod V V)) as (E & HE).
  assert (K : forall a, In a V <-> kept_name n l a).
  { intro a. rewrite HV. split; [tauto|]. intro K. split; auto. now apply (kept_listed n m l). }
  exists (V, E). split; auto. intros a b. simpl. rewrite HE, in_prod_iff, !K. simpl. tauto.
Qed.

(** Paths go where messages go. *)
Lemma path_along (R : proc -> proc -> Prop) l u v : (forall i, R i i) -> (forall i j k, R i j -> R j k -> R i k) ->
  (forall i j, In (Snd j) (labs i l) -> In (Rcv i) (labs j l) -> R i j) -> path l u v -> R (owner u) (owner v).
Proof.
  intros Refl Trans Sent P. induction P as [u v [i x y _ _|i x _|i x _|i|i j x y Hx Hy _]|]; simpl; eauto.
  apply nth_error_In in Hx, Hy. auto.
Qed.
Lemma message_up u v : path (mt_actions 0 1) u v -> owner u <= owner v.
Proof.
  apply path_along; [lia|lia|]. intros [|[|i]] j; simpl; [lia| |tauto]. intros [|[]]; congruence.
Qed.
Lemma message_kept n : kept_name n (mt_actions 0 1) (NSnd 0 1) /\ kept_name n (mt_actions 0 1) (NRcv 1 0).
Proof.
  split; exists 0; (split; [split; [reflexivity|]|]).
  - intros; lia.
  - intro R. apply message_up in R. simpl in R. lia.
  - intros [|[|y]]; [lia|discriminate|discriminate].
  - intro R. apply message_up in R. simpl in R. lia.
Qed.
Lemma mt_within m : 2 <= m -> within m (mt_actions 0 1).
Proof. intros L a [<-|[<-|[]]]; simpl; lia. Qed.

(** Of [mt 0->1] and eps it loses the receive, which stays open: it leads to Ld_1, as every event of 1 does. *)
Theorem signature_compose_as_printed : ~ forall n P Q p q gp gq, BSL n P p -> BSL n Q q ->
  is_signature n p gp -> is_signature n q gq -> is_signature n (p ++ q) (Signature_Compose_printed n gp gq).
Proof.
  intro H. assert (W0 : within 2 []) by (intros a []). assert (W : within 2 (mt_actions 0 1)) by now apply mt_within.
  destruct (signature_exists 2 2 (mt_actions 0 1)) as (P & SP); auto.
  destruct (signature_exists 2 2 []) as (Q & SQ); auto.
  assert (S : is_signature 2 (mt_actions 0 1 ++ []) (Signature_Compose_printed 2 P Q)).
  { apply (H 2 (mt 0 1 zero) Eps); auto using eps_bsl. apply message_bsl; lia. }
  destruct (message_kept 2) as [_ K]. apply (its_nodes _ _ _ S) in K as I. simpl in I.
  apply in_map_iff in I as ([a [|]] & E & I); simpl in E; subst a; unfold on_open_channels in I;
    apply filter_In in I as [I N].
  - apply (not_true (joined_spec placed_dec _ _ _)) in N. apply N. apply (before_spec 2 (mt_actions 0 1) []); auto.
    split; [discriminate|]. simpl. repeat split; auto. exists 1. repeat split; auto; right.
    + exists (Ev 1 0), (Ld 1). repeat split; [exists 0; split; auto; split; [reflexivity|]|].
      * intros [|[|y]]; [lia|discriminate|discriminate].
      * apply t_step, E_last. unfold len. simpl. lia.
    + exists (Fd 1), (Ld 1). repeat split. apply t_step, E_idle.
  - unfold first_and_last, without_dummies in I. apply filter_In in I as [I _]. apply filter_In in I as [I _].
    apply (layered_spec 2 (mt_actions 0 1) [] P Q SP SQ) in I as (y & [Y _] & _). destruct y; discriminate.
Qed.

(** ** Its hypotheses are needed *)

(** P sends what Q receives: no path leads from the one to the other in either. *)
Theorem signature_compose_needs_balance : ~ forall n p q P Q, within n p ->
  is_signature n p P -> is_signature n q Q -> is_signature n (p ++ q) (Signature_Compose_mended n P Q).
Proof.
  intro H. assert (W : within 2 [ASend 0 1]) by (intros a [<-|[]]; simpl; lia).
  assert (W' : within 2 [ARecv 1 0]) by (intros a [<-|[]]; simpl; lia).
  destruct (signature_exists 2 2 [ASend 0 1]) as (P & SP); auto.
  destruct (signature_exists 2 2 [ARecv 1 0]) as (Q & SQ); auto.
  pose proof (H 2 [ASend 0 1] [ARecv 1 0] P Q W SP SQ) as S. destruct (message_kept 2) as [K K'].
  assert (E : In (NSnd 0 1, NRcv 1 0) (snd (Signature_Compose_mended 2 P Q))).
  { apply (its_edges _ _ _ S). repeat split; auto; [discriminate|]. exists (Ev 0 0), (Ev 1 0).
    destruct K as (x & F & _), K' as (y & R & _).
    repeat split; [exists x; split; auto; f_equal|exists y; split; auto; f_equal|apply t_step, E_msg; reflexivity].
    - destruct F as [_ M]. specialize (M 0 eq_refl). lia.
    - destruct R as [R _]. destruct y as [|[|y]]; [auto|discriminate|discriminate]. }
  simpl in E. apply in_map_iff in E as ([[a X] [b Y]] & [= -> ->] & E). apply filter_In in E as [E _].
  apply (before_spec 2 [ASend 0 1] [ARecv 1 0]) in E as [_ L]; auto. destruct X, Y; simpl in L; try contradiction.
  - destruct L as (_ & (y & [Y _] & _) & _). destruct y as [|y]; [discriminate|destruct y; discriminate].
  - destruct L as (_ & _ & m & _ & [E|(u & v & (x & -> & _) & -> & R)] & [E'|(u' & v' & -> & (y & -> & Hy) & R')]);
      try discriminate.
    apply (path_along eq) in R, R'; try congruence; simpl in *; [congruence| |];
      intros [|[|i]] [|[|j]]; simpl; intuition congruence.
  - destruct L as ((y & [Y _] & _) & _). destruct y as [|y]; [discriminate|destruct y; discriminate].
Qed.

(** P and Q have a process that the procedure is not told of, by which a message goes on. *)
Definition there : list act := mt_actions 0 1.
Definition further : list act := mt_actions 1 2.
Lemma further_up u v : path (there ++ further) u v -> owner u <= owner v.
Proof.
  apply path_along; [lia|lia|]. intros [|[|[|i]]] j; simpl; try tauto; intros S _; [lia| |intuition congruence].
  assert (2 = j) by intuition congruence. lia.
Qed.
Theorem signature_compose_needs_within : ~ forall n p q P Q, balanced p ->
  is_signature n p P -> is_signature n q Q -> is_signature n (p ++ q) (Signature_Compose_mended n P Q).
Proof.
  intro H. destruct (signature_exists 1 3 there) as (P & SP); [lia|now apply mt_within; lia|].
  assert (W : within 3 further) by (intros a [<-|[<-|[]]]; simpl; lia).
  destruct (signature_exists 1 3 further) as (Q & SQ); [lia|auto|].
  pose proof (H 1 there further P Q (message_balanced 0 1) SP SQ) as S.
  assert (F : first_send (there ++ further) 0 1 0) by (split; [reflexivity|intros; lia]).
  assert (R : last_receive (there ++ further) 2 1 0) by (split; [reflexivity|intros [|[|y]]; [lia|discriminate..]]).
  assert (E : In (NSnd 0 1, NRcv 2 1) (snd (Signature_Compose_mended 1 P Q))).
  { apply (its_edges _ _ _ S). split; [exists 0; split; auto|split; [exists 0; split; auto|split; [discriminate|]]].
    - intro T. apply further_up in T. simpl in T. lia.
    - intro T. apply further_up in T. simpl in T. lia.
    - exists (Ev 0 0), (Ev 2 0). repeat split; [now exists 0|now exists 0|].
      apply t_trans with (Ev 1 0); [apply t_step, E_msg; reflexivity|].
      apply t_trans with (Ev 1 1); [apply t_step, E_next; unfold len; simpl; lia|apply t_step, E_msg; reflexivity]. }
  simpl in E. apply in_map_iff in E as ([[a X] [b Y]] & [= -> ->] & E). apply filter_In in E as [E _].
  apply (before_spec 1 there further) in E as [_ L]; auto. destruct X, Y; simpl in L; try contradiction.
  - destruct L as (_ & (y & [Y _] & _) & _). destruct y; discriminate.
  - destruct L as (_ & _ & m & L & _ & [E|(u & v & -> & (y & -> & _) & T)]); [discriminate|].
    replace m with 0 in T by lia. change (path further (Fd 0) (Ev 2 y)) in T.
    apply path_idle in T; [discriminate T|reflexivity].
  - destruct L as ((y & [Y _] & _) & _). destruct y; discriminate.
Qed.
