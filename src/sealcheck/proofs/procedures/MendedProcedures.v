(** * Deadlock-Free, Sig and Closed-Channels on the mended Program-Graph

    The appendix's Sig(P) and Closed-Channels(P) return what they are to return once Program-Graph is mended: their own
    lines need no mending.  Deadlock-Free(P) does with "no cycle" for "cycle".

    Theorems of the ledger: [deadlock_free_mended], [sig_mended], [closed_channels_mended]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine GraphCause Teaching ClosedChannels SignatureSize.
From Sealcheck Require Import SignaturesCompose Procedures Closure ProgramGraph.
Open Scope nat_scope.

(** ** E+ *)

Section Mended.
Variables (n : nat) (l : list act).
Hypothesis W : within n l.
Let G := Program_Graph_mended n l.

Lemma mended_node u : In u (fst G) <-> graph_node n l u.
Proof. exact (proj1 (program_graph_mended n l W u u)). Qed.
Lemma mended_edge u v : In (u, v) (snd G) <-> graph_edge n l u v.
Proof. exact (proj2 (program_graph_mended n l W u v)). Qed.

Lemma line_nodes i u : i < n -> In u (line l i) -> graph_node n l u.
Proof.
  intros L [<-|I]; [exact L|]. apply in_app_or in I as [I|[<-|[]]]; [|exact L].
  apply in_map_iff in I as (x & <- & I). apply positions_in in I as (a & H & F). exists a. split; auto.
  now apply not_internal_spec.
Qed.
Lemma edge_nodes u v : graph_edge n l u v -> graph_node n l u /\ graph_node n l v.
Proof.
  intros [i u' v' L (b & c & E)|i j x y X Y _].
  - split; apply (line_nodes i); auto; rewrite E; apply in_or_app; simpl; auto.
  - split; simpl; eexists; (split; [eassumption|discriminate]).
Qed.
Lemma mended_inside u v : In (u, v) (snd G) -> In u (fst G) /\ In v (fst G).
Proof. rewrite mended_edge, !mended_node. apply edge_nodes. Qed.

Lemma graph_path_nodes u v : clos_trans node (graph_edge n l) u v -> graph_node n l u /\ graph_node n l v.
Proof. induction 1 as [u v E|]; [now apply edge_nodes|tauto]. Qed.

Lemma closure_path u v : In (u, v) (closure node_dec G) <-> graph_node n l u /\ graph_node n l v /\ path l u v.
Proof.
  unfold G in *. rewrite (surjective_pairing (Program_Graph_mended n l)), closure_spec by exact mended_inside.
  assert (E : clos_trans node (fun x y => In (x, y) (snd G)) u v <-> clos_trans node (graph_edge n l) u v).
  { split; (induction 1; [apply t_step; now apply mended_edge|eapply t_trans; eauto]). }
  unfold G in E. rewrite E. split.
  - intro P. destruct (graph_path_nodes u v P) as [Nu Nv]. split; [|split]; auto.
    now apply (program_graph_paths n l W u v Nu Nv).
  - intros (Nu & Nv & P). now apply (program_graph_paths n l W u v Nu Nv).
Qed.
Lemma plus_path u v : In (u, v) (plus node_dec G) <-> graph_node n l u /\ graph_node n l v /\ path l u v /\ u <> v.
Proof.
  unfold plus. rewrite filter_In, closure_path. destruct (node_dec u v); intuition (discriminate || congruence).
Qed.
End Mended.

(** ** Deadlock-Free(P) *)

(** A path of the graph between events is causality in the oldest-first run. *)
Lemma event_edge l i x v : edge l (Ev i x) v ->
  (exists j, v = Ld j) \/ exists j y, v = Ev j y /\ step (fifo l) (i, x) (j, y).
Proof.
  intro E. inversion E as [i' a y L L'| |i' a L| |i' j a y X Y K]; subst; [right|left; eauto|right].
  - exists i, y. split; auto. now left.
  - exists j, y. split; auto. right. exists i, j. split; [split; auto; simpl; now rewrite Y|].
    simpl. rewrite Y. f_equal. rewrite <- K. apply nthpos_count with (Snd j); auto. now apply sndb_spec.
Qed.
Lemma event_path l i x v : path l (Ev i x) v ->
  (exists j, v = Ld j) \/ exists j y, v = Ev j y /\ causes (fifo l) (i, x) (j, y).
Proof.
  intro P. apply clos_trans_tn1 in P. induction P as [v E|v w E P IH].
  - apply event_edge in E as [H|(j & y & -> & S)]; [auto|right]. exists j, y. split; auto. now apply t_step.
  - destruct IH as [(j & ->)|(j & y & -> & C)]; [inversion E|].
    apply event_edge in E as [H|(k & z & -> & S)]; [auto|right]. exists k, z. split; auto.
    eapply t_trans; [exact C|now apply t_step].
Qed.

Lemma dead_free_acyclic l : dead_free l -> forall v, ~ path l v v.
Proof.
  intros D [i|i x|i] P.
  - apply clos_trans_tn1 in P. inversion P; match goal with E : edge _ _ (Fd _) |- _ => inversion E end.
  - apply event_path in P as [(j & E)|(j & y & E & C)]; [discriminate|]. injection E as <- <-. now apply (D (i, x)).
  - apply clos_trans_t1n in P. inversion P; match goal with E : edge _ (Ld _) _ |- _ => inversion E end.
Qed.

(** A cycle of the run has a receive on it, and is one of the graph. *)
Lemma causes_by_receive l x y : causes (fifo l) x y -> (fst x = fst y /\ snd x < snd y) \/
  exists t i j, is_rcv (fifo l) t i j /\ causes (fifo l) x t /\ (t = y \/ causes (fifo l) t y).
Proof.
  induction 1 as [x y S|x y z C1 IH1 C2 IH2].
  - pose proof S as S'. destruct S' as [L|(i & j & R & _)]; [auto|right]. exists y, i, j. split; auto. split; auto.
    now apply t_step.
  - destruct IH1 as [[F1 L1]|(t & i & j & R & A & B)].
    + destruct IH2 as [[F2 L2]|(t & i & j & R & A & B)]; [left; split; [congruence|lia]|right].
      exists t, i, j. split; auto. split; auto. eapply t_trans; eauto.
    + right. exists t, i, j. split; auto. split; auto. right. destruct B as [->|B]; auto. eapply t_trans; eauto.
Qed.
Lemma cycle_path l e : balanced l -> causes (fifo l) e e ->
  exists i x j, nth_error (labs i l) x = Some (Rcv j) /\ path l (Ev i x) (Ev i x).
Proof.
  intros B C. apply causes_by_receive in C as [[_ L]|([i x] & j & i' & [F R] & A & T)]; [lia|].
  simpl in F; subst i'. apply fifo_lab in R as [R L]; [|discriminate]. cbn [fst snd] in *.
  assert (C : causes (fifo l) (i, x) (i, x)) by (destruct T as [<-|T]; [exact A|eapply t_trans; eauto]).
  exists i, x, j. split; auto. apply fifo_causes_normal in C as [P _]; auto.
  assert (Lift : forall u v, clos_trans event (normal l) u v -> path l (Ev (fst u) (snd u)) (Ev (fst v) (snd v))).
  { induction 1; [now apply t_step|eapply t_trans; eauto]. }
  exact (Lift _ _ P).
Qed.

Theorem deadlock_free_mended : forall n l, within n l -> balanced l ->
  (Deadlock_Free_mended (Program_Graph_mended n l) = true <-> dead_free l).
Proof.
  intros n l W B. unfold Deadlock_Free_mended. rewrite negb_true_iff, <- not_true_iff_false.
  unfold Deadlock_Free. rewrite existsb_exists. split.
  - intros N e C. apply N. apply cycle_path in C as (i & x & j & H & P); auto.
    assert (Nd : graph_node n l (Ev i x)) by (simpl; eexists; split; [exact H|discriminate]).
    exists (Ev i x). split; [now apply mended_node|]. apply joined_spec, closure_path; auto.
  - intros D (v & _ & C). apply joined_spec, closure_path in C as (_ & _ & P); auto.
    now apply (dead_free_acyclic l D v).
Qed.

(** ** Sig(P) *)

(** Which node of the program graph is the node [a] of the signature: "all nodes except for the dummy nodes and the
    first send and last receive on each channel" are removed, and the sends and receives that [sig_snd] and [sig_rcv] of
    Definitions.v leave out. *)
Definition stands_for (n : nat) (l : list act) (a : name) (u : node) : Prop :=
  match a with
  | NFd i => i < n /\ u = Fd i
  | NLd i => i < n /\ u = Ld i
  | NSnd i j => exists x, u = Ev i x /\ sig_snd l i j x
  | NRcv j i => exists y, u = Ev j y /\ sig_rcv l j i y
  end.

Lemma does_spec l i x a : does l (Ev i x) = Some a -> actor a = i /\ nth_error (labs i l) x = Some (alab a).
Proof.
  simpl. intro H. split.
  - apply nth_error_In in H. apply filter_In in H as [_ E]. now apply Nat.eqb_eq.
  - unfold labs. rewrite nth_error_map, H. reflexivity.
Qed.
Lemma does_back l i x b : nth_error (labs i l) x = Some b ->
  exists a, does l (Ev i x) = Some a /\ alab a = b /\ actor a = i.
Proof.
  intro H. pose proof H as H'. unfold labs in H'. rewrite nth_error_map in H'. simpl.
  destruct (nth_error (proj i l) x) as [a|] eqn:E; [|discriminate]. exists a. injection H' as <-.
  split; auto. split; auto.
  now apply (does_spec l i x a).
Qed.
Lemma does_send l u i j : does l u = Some (ASend i j) <-> exists x, u = Ev i x /\ nth_error (labs i l) x = Some (Snd j).
Proof.
  split.
  - destruct u as [k|k x|k]; try discriminate. intro H. apply does_spec in H as [<- H]. eauto.
  - intros (x & -> & H). apply does_back in H as ([a b|a b|a] & H & E & F); try discriminate. simpl in E, F. congruence.
Qed.
Lemma does_receive l u i j : does l u = Some (ARecv j i) <->
  exists x, u = Ev j x /\ nth_error (labs j l) x = Some (Rcv i).
Proof.
  split.
  - destruct u as [k|k x|k]; try discriminate. intro H. apply does_spec in H as [<- H]. eauto.
  - intros (x & -> & H). apply does_back in H as ([a b|a b|a] & H & E & F); try discriminate. simpl in E, F. congruence.
Qed.
Lemma is_form_spec l a u : is_form l a u = true <-> does l u = Some a.
Proof.
  unfold is_form. destruct (does l u) as [b|]; [|split; discriminate].
  destruct (act_dec a b) as [->|N]; split; congruence.
Qed.
Lemma is_node_spec u v : eq_node u v = true <-> u = v.
Proof. unfold eq_node. destruct (node_dec u v); split; congruence. Qed.

Section Signature.
Variables (n : nat) (l : list act).
Hypotheses (W : within n l) (D : dead_free l).
Let E := plus node_dec (Program_Graph_mended n l).

Lemma E_path u v : graph_node n l u -> graph_node n l v -> (In (u, v) E <-> path l u v).
Proof.
  intros Nu Nv. unfold E. rewrite plus_path by exact W. split; [tauto|]. intro P. repeat split; auto.
  intros <-. now apply (dead_free_acyclic l D u).
Qed.

Lemma event_node i x a : nth_error (labs i l) x = Some a -> a <> Int -> graph_node n l (Ev i x).
Proof. simpl. eauto. Qed.
Lemma ordered i x y : path l (Ev i x) (Ev i y) -> x < y.
Proof.
  intro P. destruct (lt_eq_lt_dec x y) as [[L| ->]|L]; auto; exfalso; [now apply (dead_free_acyclic l D _ P)|].
  apply event_path in P as [(j & F)|(j & z & F & C)]; [discriminate|]. injection F as <- <-.
  apply (D (i, x)). eapply t_trans; [exact C|]. now apply causes_order.
Qed.

(** Of sends, line 3 leaves the signature's. *)
Lemma removed_send i x j : nth_error (labs i l) x = Some (Snd j) ->
  (removed l E (Ev i x) = false <-> sig_snd l i j x).
Proof.
  intro H. assert (Nx : graph_node n l (Ev i x)) by (apply (event_node i x _ H); discriminate).
  assert (Hd : does l (Ev i x) = Some (ASend i j)) by (apply does_send; eauto).
  unfold removed. rewrite Hd, <- not_true_iff_false, existsb_exists. split.
  - intro N. split; [split; auto|].
    + intros x' H'. destruct (le_lt_dec x x') as [|L]; auto. exfalso. apply N. exists (Ev i x', Ev i x). split.
      * apply E_path; auto; [apply (event_node i x' _ H'); discriminate|].
        apply t_step, E_next; auto. eapply labs_lt; eauto.
      * apply andb_true_iff. split; [now apply is_node_spec|]. apply orb_true_iff. left.
        apply is_form_spec, does_send. eauto.
    + intro P. apply N. exists (Fd j, Ev i x). split.
      * apply E_path; auto. apply (named_below n l i _ x W) in H. simpl in *. tauto.
      * apply andb_true_iff. split; [now apply is_node_spec|]. apply orb_true_iff. right. now apply is_node_spec.
  - intros [[_ F] NP] ([d e'] & I & T). apply andb_true_iff in T as [Q T]. apply is_node_spec in Q as <-.
    unfold E in I. apply plus_path in I as (_ & _ & P & _); auto.
    apply orb_true_iff in T as [T|T]; [|apply is_node_spec in T as ->; contradiction].
    apply is_form_spec, does_send in T as (x' & -> & H'). apply F in H'. apply ordered in P. lia.
Qed.

(** And of receives. *)
Lemma removed_receive j y i : nth_error (labs j l) y = Some (Rcv i) ->
  (removed l E (Ev j y) = false <-> sig_rcv l j i y).
Proof.
  intro H. assert (Ny : graph_node n l (Ev j y)) by (apply (event_node j y _ H); discriminate).
  assert (Hd : does l (Ev j y) = Some (ARecv j i)) by (apply does_receive; eauto).
  unfold removed. rewrite Hd, <- not_true_iff_false, existsb_exists. split.
  - intro N. split; [split; auto|].
    + intros y' H'. destruct (le_lt_dec y' y) as [|L]; auto. exfalso. apply N. exists (Ev j y, Ev j y'). split.
      * apply E_path; auto; [apply (event_node j y' _ H'); discriminate|].
        apply t_step, E_next; auto. eapply labs_lt; eauto.
      * apply andb_true_iff. split; [now apply is_node_spec|]. apply orb_true_iff. left.
        apply is_form_spec, does_receive. eauto.
    + intro P. apply N. exists (Ev j y, Ld i). split.
      * apply E_path; auto. apply (named_below n l j _ y W) in H. simpl in *. tauto.
      * apply andb_true_iff. split; [now apply is_node_spec|]. apply orb_true_iff. right. now apply is_node_spec.
  - intros [[_ F] NP] ([e' d] & I & T). apply andb_true_iff in T as [Q T]. apply is_node_spec in Q as <-.
    unfold E in I. apply plus_path in I as (_ & _ & P & _); auto.
    apply orb_true_iff in T as [T|T]; [|apply is_node_spec in T as ->; contradiction].
    apply is_form_spec, does_receive in T as (y' & -> & H'). apply F in H'. apply ordered in P. lia.
Qed.

Let V := filter (fun e => negb (removed l E e)) (fst (Program_Graph_mended n l)).

(** What is left are the signature's nodes, by their names. *)
Lemma nodes_of_sig u a : In u V /\ name_of l u = a <-> stands_for n l a u.
Proof.
  unfold V. rewrite filter_In, negb_true_iff, mended_node by exact W. split.
  - intros [[Nu R] <-]. destruct u as [i|i x|i]; [simpl; auto| |simpl; auto].
    destruct Nu as (b & H & Nb). pose proof (does_back l i x b H) as (c & Hc & Eb & Ac).
    unfold name_of. rewrite Hc. destruct c as [i' j|i' j|i']; simpl in Eb, Ac; subst; [| |congruence].
    + exists x. split; auto. now apply removed_send.
    + exists x. split; auto. now apply removed_receive.
  - destruct a as [i|i|i j|j i]; simpl.
    + intros [L ->]. auto.
    + intros [L ->]. auto.
    + intros (x & -> & S). pose proof S as [[H _] _]. split; [split|].
      * apply (event_node i x _ H). discriminate.
      * now apply (removed_send i x j).
      * unfold name_of. now rewrite (proj2 (does_send l (Ev i x) i j)) by eauto.
    + intros (y & -> & S). pose proof S as [[H _] _]. split; [split|].
      * apply (event_node j y _ H). discriminate.
      * now apply (removed_receive j y i).
      * unfold name_of. now rewrite (proj2 (does_receive l (Ev j y) i j)) by eauto.
Qed.
End Signature.

Lemma stands_for_node n l a u : within n l -> stands_for n l a u -> graph_node n l u.
Proof.
  intros W S. destruct a; simpl in S; [now destruct S as [? ->]..|destruct S as (x & -> & [[H _] _])|
    destruct S as (x & -> & [[H _] _])]; simpl; eexists; (split; [exact H|discriminate]).
Qed.

Theorem sig_mended : forall n l, within n l -> dead_free l -> forall a b,
  (In a (fst (Sig l (Program_Graph_mended n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_mended n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof.
  intros n l W D a b. unfold Sig; cbn [fst snd]. rewrite !in_map_iff. split.
  - split; intros (u & H); exists u; [apply (nodes_of_sig n l W D); tauto|apply (nodes_of_sig n l W D) in H; tauto].
  - split.
    + intros ([u v] & E & I). injection E as <- <-. apply filter_In in I as [I K]. apply andb_true_iff in K as [Ku Kv].
      apply has_spec in Ku, Kv. exists u, v. split; [now apply (nodes_of_sig n l W D)|]. split;
        [now apply (nodes_of_sig n l W D)|].
      now apply plus_path in I.
    + intros (u & v & Su & Sv & P). exists (u, v). pose proof (stands_for_node n l a u W Su) as Nu.
      pose proof (stands_for_node n l b v W Sv) as Nv.
      apply (nodes_of_sig n l W D) in Su as [Ku <-], Sv as [Kv <-]. split; auto. apply filter_In. split;
        [now apply E_path|].
      apply andb_true_iff. split; now apply has_spec.
Qed.

(** ** Closed-Channels(P) *)

Theorem closed_channels_mended : forall n P l, BSL n P l ->
  let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof.
  intros n P l [A B N W D]. cbn zeta. split; [intro i; simpl; rewrite in_seq; lia|]. intros i j. simpl.
  rewrite filter_In, in_prod_iff, !in_seq, andb_true_iff, negb_true_iff, Nat.eqb_neq, negb_true_iff.
  rewrite <- not_true_iff_false, andb_true_iff, negb_true_iff, has_spec, <- not_true_iff_false, joined_spec.
  rewrite (proj1 (sig_mended n l W D (NRcv j i) (NLd i))), (proj2 (sig_mended n l W D (NRcv j i) (NLd i))).
  assert (O : (exists u, stands_for n l (NRcv j i) u) <-> ~ closes RelNS P i j).
  { rewrite (closed_channels P l i j A B D N). simpl.
    split; [intros (u & y & _ & S); eauto|intros (y & S); exists (Ev j y), y; auto]. }
  assert (X : ~ exists u v, stands_for n l (NRcv j i) u /\ stands_for n l (NLd i) v /\ path l u v).
  { intros (u & v & (y & -> & [_ S]) & [_ ->] & Q). now apply S. }
  rewrite O. destruct (classic (closes RelNS P i j)); intuition lia.
Qed.
