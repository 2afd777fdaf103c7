(** * Hypotheses of theorems about signatures that are needed

    Each theorem here says that another one fails without one of its hypotheses.  docs/proofs.md has a table of all. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine NoBarrier ExamplesRuns Refutations Prefix Teaching.
From Sealcheck Require Import SignaturesCompose.
From Sealcheck Require SignatureSize.
Open Scope nat_scope.

(** ** The size of signatures *)

(** n = 0, but there is a message; n = 1, but 0 sends to 1, and 1 to four others. *)
Theorem signature_nodes_needs_within : ~ forall n l, exists vs, length vs <= 4 * n ^ 2 /\
  forall v, SignatureSize.sig_node n l v -> In v vs.
Proof.
  intro H. destruct (H 0 (NoBarrier.mt_actions 1 2)) as (vs & L & V). destruct vs; [|simpl in L; lia].
  apply (V (Ev 2 0)). right. exists 1. apply ExamplesRuns.sigvt_1_2.
Qed.
Theorem signature_nodes_and_edges_needs_within : ~ forall n l, exists vs es, length vs + length es <= 20 * n ^ 4 /\
  (forall v, SignatureSize.sig_node n l v -> In v vs) /\
  (forall u v, SignatureSize.sig_node n l u -> SignatureSize.sig_node n l v -> path l u v -> In (u, v) es).
Proof.
  intro H. destruct (H 0 (NoBarrier.mt_actions 1 2)) as (vs & es & L & V & _). destruct vs; [|simpl in L; lia].
  apply (V (Ev 2 0)). right. exists 1. apply ExamplesRuns.sigvt_1_2.
Qed.
Definition spread_out := NoBarrier.mt_actions 0 1 ++ [ASend 1 2; ASend 1 3; ASend 1 4; ASend 1 5].
Lemma spread_looked_at k : k < 4 -> SignatureSize.looked_at 1 spread_out (Fd 0) (Ev 1 (S k)).
Proof.
  intro L. split.
  - apply t_trans with (Ev 0 0); [apply t_step, E_first; unfold len; simpl; lia|].
    apply t_trans with (Ev 1 0); [apply t_step, E_msg; reflexivity|].
    apply t_step, E_next; unfold len; simpl; lia.
  - right. left. exists 1, (2 + k), (S k), 0. split; [split|auto].
    + split; [do 4 (destruct k as [|k]; [reflexivity|]); lia|]. intros y E.
      do 4 (destruct k as [|k]; [destruct y as [|[|[|[|[|y]]]]]; try discriminate; lia|]). lia.
    + intro P. apply path_idle in P; [discriminate|]. do 4 (destruct k as [|k]; [reflexivity|]). lia.
Qed.
Theorem signature_edges_for_deciding_needs_within : ~ forall n l, exists es, length es <= 3 * n ^ 3 /\
  forall u v, SignatureSize.looked_at n l u v -> In (u, v) es.
Proof.
  intro H. destruct (H 1 spread_out) as (es & L & E). set (four := map (fun k => (Fd 0, Ev 1 (S k))) (seq 0 4)).
  assert (N : NoDup four) by (repeat constructor; simpl; intuition congruence).
  assert (I : incl four es).
  { intros e I. apply in_map_iff in I as (k & <- & I). apply in_seq in I. apply E, spread_looked_at. lia. }
  apply (NoDup_incl_length N) in I. simpl in I, L. lia.
Qed.

(** ** Signatures of compositions *)

(** 2 receives in P what 1 sends in Q: an edge back. *)
Lemma back_edge : sig_edge ([ARecv 2 1] ++ [ASend 1 2])
  (NSnd 1 2) (NRcv 2 1).
Proof.
  exists (Ev 1 0), (Ev 2 0). split; [exists 0|split; [exists 0|]].
  - split; [auto|]. split; [reflexivity|]. intros; lia.
  - split; [auto|]. split; [reflexivity|]. intros [|[|y]] E; try discriminate; auto.
  - apply t_step, E_msg; reflexivity.
Qed.
Theorem signature_composed_needs_balance : ~ forall p q a b, sig_edge (p ++ q) a b <->
  (from_first p q a /\ from_first p q b /\ sig_edge p a b) \/
  (~ from_first p q a /\ ~ from_first p q b /\ sig_edge q a b) \/
  (from_first p q a /\ ~ from_first p q b /\
   exists m, sig_edge p a (NLd m) /\ sig_edge q (NFd m) b).
Proof.
  intro H. destruct (proj1 (H _ _ _ _) back_edge) as [(F & _)|[(_ & N & _)|(F & _)]].
  - destruct F as (u & y & _ & [E _]). destruct y as [|[|y]]; discriminate.
  - apply N. intros (u & y & _ & [E _]). destruct y as [|[|y]]; discriminate.
  - destruct F as (u & y & _ & [E _]). destruct y as [|[|y]]; discriminate.
Qed.

(** 1 sends to 2 once or twice, and receives in between; the signature is the same.  In Q, 2 receives twice. *)
Definition once := [ASend 1 2; ARecv 1 0].
Definition again := once ++ [ASend 1 2].
Lemma again_receives j x i : nth_error (labs j again) x = Some (Rcv i) -> j = 1 /\ x = 1 /\ i = 0.
Proof.
  destruct j as [|[|j]]; [destruct x; discriminate| |destruct x; discriminate].
  destruct x as [|[|[|x]]]; try discriminate; [|destruct x; discriminate]. intro H. injection H as <-. auto.
Qed.
Lemma again_edges l u v : l = once \/ l = again -> path l u v ->
  match u, v with
  | Fd i, Ev j _ | Fd i, Ld j | Ev i _, Ld j => i = j
  | Ev i x, Ev j y => i = j /\ x < y
  | _, _ => False
  end.
Proof.
  intro E. induction 1 as [u v [i x y L _|i x _|i x _|i|i j x y Hx Hy _]|u w v _ IH1 _ IH2]; auto.
  - exfalso. assert (Hy' : nth_error (labs j again) y = Some (Rcv i)).
    { destruct E as [-> | ->]; auto. unfold again. now apply prefix_nth. }
    apply again_receives in Hy' as (-> & -> & ->). destruct E as [-> | ->]; destruct x; discriminate.
  - destruct u, w, v; try contradiction; lia.
Qed.
Lemma again_named a u : named once a u <-> named again a u.
Proof.
  destruct a as [i|i|i j|j i]; simpl; try tauto.
  - split; intros (x & -> & H & M); exists x; (split; [auto|]).
    + split; [unfold again; now apply prefix_nth|]. intros y Hy.
      destruct i as [|[|i]]; [destruct x; discriminate| |destruct x; discriminate].
      destruct x as [|[|x]]; [lia|discriminate|destruct x; discriminate].
    + destruct i as [|[|i]]; [destruct x; discriminate| |destruct x; discriminate].
      destruct x as [|[|[|x]]]; try discriminate; [|specialize (M 0 H); lia|destruct x; discriminate].
      split; [exact H|]. intros; lia.
  - split; intros (y & -> & H & M); exists y; (split; [auto|]).
    + assert (H' : nth_error (labs j again) y = Some (Rcv i)) by (unfold again; now apply prefix_nth).
      split; [exact H'|]. apply again_receives in H' as (-> & -> & ->). intros z Hz. apply again_receives in Hz. lia.
    + pose proof H as H'. apply again_receives in H' as (-> & -> & ->). split; [reflexivity|].
      intros [|[|z]] Hz; try discriminate; auto. destruct z; discriminate.
Qed.
Lemma once_path u v : path once u v -> path again u v.
Proof.
  assert (L : forall i, len once i <= len again i) by (intro i; unfold again; rewrite len_app; lia).
  induction 1 as [u v [i x y G G'|i x G|i x G|i|i j x y Hx Hy _]|u w v _ IH1 _ IH2]; [| | | | |eapply t_trans; eauto];
    try specialize (L i).
  - apply t_step, E_next; lia.
  - apply t_step, E_first. lia.
  - apply t_step, E_last. lia.
  - apply t_step, E_idle.
  - exfalso. apply (prefix_nth _ _ [ASend 1 2]) in Hy. apply again_receives in Hy as (-> & -> & ->).
    destruct x; discriminate.
Qed.
Lemma once_named a u : named once a u ->
  match u with Ev i x => i = 1 /\ x < 2 | _ => True end.
Proof.
  destruct a as [i|i|i j|j i]; simpl; try (intros ->; exact I); intros (x & -> & H & _).
  - destruct i as [|[|i]]; [destruct x; discriminate| |destruct x; discriminate].
    split; auto. apply labs_lt in H. exact H.
  - destruct j as [|[|j]]; [destruct x; discriminate| |destruct x; discriminate].
    split; auto. apply labs_lt in H. exact H.
Qed.
Lemma again_path a b u v : named once a u -> named once b v -> path again u v -> path once u v.
Proof.
  intros A B Q. apply once_named in A, B. apply again_edges in Q; auto.
  destruct u as [i|i x|i], v as [j|j y|j]; try contradiction; apply t_step.
  - subst j. destruct B as [-> B]. now apply E_first.
  - subst j. apply E_idle.
  - destruct Q as [<- Q], B as [-> B]. now apply E_next.
  - subst j. destruct A as [-> A]. now apply E_last.
Qed.
Lemma again_same : same_signature once again.
Proof.
  split; [intro a; split; intros (u & H); exists u; now apply again_named|].
  intros a b. split; intros (u & v & A & B & Q); exists u, v.
  - split; [now apply again_named|split; [now apply again_named|now apply once_path]].
  - apply again_named in A, B. split; [auto|split; [auto|now apply again_path with a b]].
Qed.
Lemma once_first v : path (once ++ [ARecv 2 1; ARecv 2 1]) (Ev 1 1) v -> v = Ld 1.
Proof.
  intro Q. apply clos_trans_t1n in Q.
  assert (E : forall w, edge (once ++ [ARecv 2 1; ARecv 2 1]) (Ev 1 1) w -> w = Ld 1).
  { intros w E. inversion E as [i x y L G| |i x G| |i j x y Hx]; subst; auto; [|discriminate].
    unfold len in G. simpl in G. lia. }
  assert (N : forall w, ~ edge (once ++ [ARecv 2 1; ARecv 2 1]) (Ld 1) w) by (intros w F; inversion F).
  destruct Q as [w S|w z S R]; apply E in S; subst; auto. destruct R as [z R|z z' R _]; now apply N in R.
Qed.
Theorem signatures_compose_needs_balance : ~ forall p q p' q', same_signature p p' -> same_signature q q' ->
  same_signature (p ++ q) (p' ++ q').
Proof.
  intro H. destruct (H once [ARecv 2 1; ARecv 2 1] again [ARecv 2 1; ARecv 2 1] again_same) as [_ E]; [split; tauto|].
  destruct (proj2 (E (NRcv 1 0) (NRcv 2 1))) as (u & v & (x & -> & Hx & _) & (y & -> & _) & Q).
  - exists (Ev 1 1), (Ev 2 1). split; [exists 1; split; [auto|split; [reflexivity|]]|].
    { intros [|[|[|z]]] Hz; try discriminate; auto. destruct z; discriminate. }
    split; [exists 1; split; [auto|split; [reflexivity|]]|].
    { intros [|[|z]] Hz; auto. destruct z; discriminate. }
    apply t_trans with (Ev 1 2); [apply t_step, E_next; unfold len; simpl; lia|apply t_step, E_msg; reflexivity].
  - assert (x = 1) as -> by (destruct x as [|[|[|x]]]; try discriminate; auto; destruct x; discriminate).
    apply once_first in Q. discriminate.
Qed.
