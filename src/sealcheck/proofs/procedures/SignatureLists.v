(** * Signatures, written down

    "(V_P, E_P) = sig (P)": which graphs are the signature of P. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Phases Teaching SignaturesCompose Procedures Closure.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

(** The nodes of the signature of [l], among [n] processes. *)
Definition kept_name (n : nat) (l : list act) (a : name) : Prop :=
  match a with
  | NFd i | NLd i => i < n
  | NSnd i j => exists x, sig_snd l i j x
  | NRcv j i => exists y, sig_rcv l j i y
  end.

(** These, and the edges of E+ between them: "the irreflexive transitive closure". *)
Record is_signature (n : nat) (l : list act) (G : graph name) : Prop := {
  its_nodes : forall a, In a (fst G) <-> kept_name n l a;
  its_edges : forall a b, In (a, b) (snd G) <-> kept_name n l a /\ kept_name n l b /\ a <> b /\ sig_edge l a b
}.

(** ** Nodes and edges by name *)

(** Paths go from one process to another by messages, among the [n] processes. *)
Lemma path_owner n l u v : within n l -> path l u v -> owner u = owner v \/ (owner u < n /\ owner v < n).
Proof.
  intros W P. induction P as [u v [i x y _ _|i x _|i x _|i|i j x y Hx _ _]|u w v _ IH1 _ IH2]; simpl; try lia.
  apply (SignatureSize.named_below n) in Hx; auto.
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
Lemma kept_named n l a : kept_name n l a -> exists u, named l a u.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [now exists (Fd i)|now exists (Ld i)| |]; intros (x & H & _);
    eexists; exists x; split; eauto.
Qed.
Lemma kept_owner n l a u : within n l -> kept_name n l a -> named l a u -> owner u < n.
Proof.
  destruct a as [i|i|i j|j i]; simpl; [intros _ H ->; exact H|intros _ H ->; exact H| |];
    intros W _ (x & -> & H & _); apply (SignatureSize.named_below n) in H; auto; apply H.
Qed.
Lemma kept_edge_last n l a m : within n l -> kept_name n l a -> sig_edge l a (NLd m) -> m < n.
Proof.
  intros W K (u & v & Hu & Hv & P). simpl in Hv. subst v. pose proof (kept_owner n l a u W K Hu) as L.
  apply (path_owner n) in P; auto. simpl in P. lia.
Qed.
