(** * Is-Seal, rendered twice, is one procedure

    [Is_Seal_mended] of IsSeal.v renders Is-Seal line by line, and stops where nothing was assigned to a name; [is_seal]
    of SealsBySignatures.v counts the edges that it looks for.  They answer alike, whatever graphs they are given; and
    what both files call a signature is the same, of what does not deadlock. *)

From Coq Require Import List Bool.
From Sealcheck Require Import Definitions Teaching SignaturesCompose Procedures MendedProcedures IsSeal.
From Sealcheck Require SealsBySignatures SignatureLists SignatureSize.

(** Both look for the same edge. *)
Lemma same_target (gq : graph name) i j : SealsBySignatures.target gq i j = Is_Seal_line_4 (fst gq) i j.
Proof.
  unfold SealsBySignatures.target, Is_Seal_line_4, SealsBySignatures.has_name, has.
  destruct (in_dec SealsBySignatures.name_eq_dec _ _) as [I|I], (in_dec name_dec _ _) as [J|J]; auto; contradiction.
Qed.

Lemma is_seal_counted : forall n gp gq,
  Is_Seal_mended n gp gq = Some (fst (SealsBySignatures.is_seal n gp gq)).
Proof.
  intros n [V_P E_P] [V_Q E_Q]. simpl.
  destruct (answer n V_P V_Q E_P E_Q (fun _ e => e)) as (b & -> & A). f_equal. apply eq_true_iff_eq.
  rewrite A, SealsBySignatures.is_seal_answers. simpl.
  split; intros H i j Hi Hj N I; destruct (H i j Hi Hj N I) as (k & T); exists k;
    [rewrite same_target|rewrite same_target in T]; exact T.
Qed.

(** ** Signatures

    One file asks for the nodes of n processes, the other for edges between different nodes only. *)

Lemma same_node n l a u : within n l ->
  (SealsBySignatures.name_among n a /\ SealsBySignatures.stands_at l a u <-> stands_for n l a u).
Proof.
  intro W. destruct a as [i|i|i j|j i]; simpl; [tauto|tauto| |]; (split; [tauto|]); intros (x & -> & S);
    (split; [|now exists x]); destruct S as [[H _] _]; apply (SignatureSize.named_below n) in H; tauto.
Qed.
Lemma same_nodes n l a : within n l -> (SealsBySignatures.is_node_within n l a <-> SignatureLists.kept_name n l a).
Proof.
  intro W. split.
  - intros (A & u & S). now apply (stands_for_kept n l a u), same_node.
  - intro K. destruct (SignatureLists.kept_named n l a K) as (u & N).
    destruct (proj2 (same_node n l a u W)) as [A S]; [now apply stands_for_kept|]. split; [exact A|now exists u].
Qed.
Lemma same_edges n l a b : within n l -> dead_free l -> (SealsBySignatures.is_edge_within n l a b <->
  SignatureLists.kept_name n l a /\ SignatureLists.kept_name n l b /\ a <> b /\ sig_edge l a b).
Proof.
  intros W D. unfold SealsBySignatures.is_edge_within. split.
  - intros ([A _] & [B _] & u & v & Su & Sv & P).
    assert (Nu : stands_for n l a u) by now apply same_node. assert (Nv : stands_for n l b v) by now apply same_node.
    apply stands_for_kept in Nu as [Ka Nu], Nv as [Kb Nv]. repeat split; auto; [|now exists u, v].
    intros <-. rewrite (SignatureLists.named_once l a u v Nu Nv) in P. now apply (dead_free_acyclic l D v).
  - intros (Ka & Kb & _ & u & v & Nu & Nv & P). rewrite !same_nodes by exact W. repeat split; auto. exists u, v.
    repeat split; auto; apply (same_node n l _ _ W), stands_for_kept; auto.
Qed.
Lemma same_signatures : forall n l g, within n l -> dead_free l ->
  (SealsBySignatures.is_signature_within n l g <-> SignatureLists.is_signature n l g).
Proof.
  intros n l g W D. split; intros [V E]; split; intros.
  - rewrite V. now apply same_nodes.
  - rewrite E. now apply same_edges.
  - rewrite V. symmetry. now apply same_nodes.
  - rewrite E. symmetry. now apply same_edges.
Qed.
