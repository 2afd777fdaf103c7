(** * Signatures, written down

    "V_P, E_P <- sig (P)": which graphs the appendix's procedures may take for the signature of P, and what the functions
    of [Procedures] compute of them. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Phases Teaching SignaturesCompose Procedures.
Open Scope nat_scope.

(** The nodes of the signature of [l], among [n] processes. *)
Definition kept (n : nat) (l : list act) (a : name) : Prop :=
  match a with
  | NFd i | NLd i => i < n
  | NSnd i j => exists x, sig_snd l i j x
  | NRcv j i => exists y, sig_rcv l j i y
  end.

(** These, and the edges of E+ between them: "the irreflexive transitive closure". *)
Record is_signature (n : nat) (l : list act) (G : graph name) : Prop := {
  its_nodes : forall a, In a (fst G) <-> kept n l a;
  its_edges : forall a b, In (a, b) (snd G) <-> kept n l a /\ kept n l b /\ a <> b /\ sig_edge l a b
}.

(** ** Membership and closure *)

Section Graphs.
Context {A : Type} (same : forall a b : A, {a = b} + {a <> b}).

Lemma has_spec a V : has same a V = true <-> In a V.
Proof. unfold has. destruct (in_dec same a V); split; auto; discriminate. Qed.
Lemma joined_spec a b E : joined same a b E = true <-> In (a, b) E.
Proof. unfold joined. destruct (in_dec (pair_dec same) (a, b) E); split; auto; discriminate. Qed.
Lemma not_true b P : (b = true <-> P) -> (negb b = true <-> ~ P).
Proof. intros <-. now rewrite negb_true_iff, not_true_iff_false. Qed.

Lemma through_spec V E k u v : In (u, v) (through same V E k) <->
  In u V /\ In v V /\ (In (u, v) E \/ (In (u, k) E /\ In (k, v) E)).
Proof.
  unfold through. rewrite filter_In, in_prod_iff, orb_true_iff, andb_true_iff, !joined_spec. tauto.
Qed.

Definition closed_at (E : list (A * A)) (k : A) := forall u v, In (u, k) E -> In (k, v) E -> In (u, v) E.
Lemma through_closed V E k : closed_at (through same V E k) k.
Proof. intros u v. rewrite !through_spec. tauto. Qed.
Lemma through_keeps V E k k' : closed_at E k' -> closed_at (through same V E k) k'.
Proof.
  intros C u v. rewrite !through_spec. intros (Iu & _ & [H1|[H1 H2]]) (_ & Iv & [H3|[H3 H4]]); repeat split; eauto.
Qed.

Lemma closure_closed V ks E : (forall x y, In (x, y) E -> In x V /\ In y V) ->
  incl E (fold_left (through same V) ks E) /\
  forall k, In k ks \/ closed_at E k -> closed_at (fold_left (through same V) ks E) k.
Proof.
  revert E. induction ks as [|k ks IH]; simpl; intros E Ends; [split; [apply incl_refl|intros k [[]|C]; exact C]|].
  destruct (IH (through same V E k)) as [I C]; [intros x y H; apply through_spec in H; tauto|]. split.
  - intros [u v] H. apply I, through_spec. destruct (Ends u v H). auto.
  - intros k' [[<-|H]|H]; apply C; auto using through_closed, through_keeps.
Qed.
Lemma closure_below V ks E D u v : (forall x y, In (x, y) D -> clos_trans A (fun a b => In (a, b) E) x y) ->
  In (u, v) (fold_left (through same V) ks D) -> clos_trans A (fun a b => In (a, b) E) u v.
Proof.
  revert D. induction ks as [|k ks IH]; simpl; intros D S; [apply S|]. apply IH. intros x y I.
  apply through_spec in I as (_ & _ & [I|[I J]]); [now apply S|]. eapply t_trans; apply S; eauto.
Qed.

(** E+ is the transitive closure, less the edges from a node to itself. *)
Theorem plus_spec : forall V E u v, (forall x y, In (x, y) E -> In x V /\ In y V) ->
  (In (u, v) (plus same (V, E)) <-> u <> v /\ clos_trans A (fun a b => In (a, b) E) u v).
Proof.
  intros V E u v Ends. unfold plus, closure. rewrite filter_In.
  assert (S : In (u, v) (fold_left (through same V) V E) <-> clos_trans A (fun a b => In (a, b) E) u v).
  { split; [apply closure_below; intros; now apply t_step|]. intro P. apply clos_trans_tn1 in P.
    destruct (closure_closed V V E Ends) as [I C]. induction P as [v H|w v H _ IH]; [now apply I|].
    apply (C w); auto. left. now apply (Ends w v). }
  rewrite S. destruct (same u v); intuition congruence.
Qed.
End Graphs.

(** ** Nodes and edges by name *)

Definition owner (u : node) : proc := match u with Fd i | Ev i _ | Ld i => i end.

(** What communicates is among the [n] processes. *)
Lemma labs_within n l i x a : within n l -> nth_error (labs i l) x = Some a ->
  match a with Snd j | Rcv j => i < n /\ j < n | Int => True end.
Proof.
  intros W H. apply nth_error_In in H. apply in_map_iff in H as (b & <- & H). apply filter_In in H as [H E].
  apply Nat.eqb_eq in E. specialize (W b H). destruct b; simpl in *; subst; tauto.
Qed.
Lemma path_owner n l u v : within n l -> path l u v -> owner u = owner v \/ (owner u < n /\ owner v < n).
Proof.
  intros W P. induction P as [u v [i x y _ _|i x _|i x _|i|i j x y Hx _ _]|u w v _ IH1 _ IH2]; simpl; try lia.
  apply (labs_within n) in Hx; auto.
Qed.

Lemma named_once l a u v : named l a u -> named l a v -> u = v.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [congruence|congruence| |]; intros (x & -> & H & M) (y & -> & H' & M'); f_equal.
  - specialize (M y H'). specialize (M' x H). lia.
  - specialize (M y H'). specialize (M' x H). lia.
Qed.
Lemma sig_edge_trans l a b c : sig_edge l a b -> sig_edge l b c -> sig_edge l a c.
Proof.
  intros (u & v & Hu & Hv & P) (v' & w & Hv' & Hw & P'). rewrite (named_once l b v v') in P by assumption.
  exists u, w. repeat split; auto. eapply t_trans; eauto.
Qed.

(** Nodes that stay are of the [n] processes, and so is where they lead. *)
Lemma kept_named n l a : kept n l a -> exists u, named l a u.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [now exists (Fd i)|now exists (Ld i)| |]; intros (x & H & _);
    eexists; exists x; split; eauto.
Qed.
Lemma kept_owner n l a u : within n l -> kept n l a -> named l a u -> owner u < n.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [intros _ H ->; exact H|intros _ H ->; exact H| |];
    intros W _ (x & -> & H & _); apply (labs_within n) in H; auto; apply H.
Qed.
Lemma kept_edge_last n l a m : within n l -> kept n l a -> sig_edge l a (NLd m) -> m < n.
Proof.
  intros W K (u & v & Hu & Hv & P). simpl in Hv. subst v. pose proof (kept_owner n l a u W K Hu) as L.
  apply (path_owner n) in P; auto. simpl in P. lia.
Qed.
