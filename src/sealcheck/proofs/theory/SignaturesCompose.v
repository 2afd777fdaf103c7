(** * Signatures compose

    Signature-Compose of the appendix: "Sequentially compose the two signatures ... Remove dummy nodes between the two
    signatures".  The signature of P . Q follows from those of P and Q: what it says of paths and of the nodes that
    stay is said here in terms of paths and nodes of P and of Q. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Phases.
Open Scope nat_scope.

Section Composition.
Variables p q : list act.
Hypotheses (Bp : balanced p) (Bq : balanced q).
Let l := p ++ q.

(** The nodes of P in the graph of P . Q are its initial ones and its events; those of Q its events and final ones. *)
Definition of_first (u : node) : Prop := match u with Fd _ => True | Ev i x => x < len p i | Ld _ => False end.
Definition place_second (v : node) : node := match v with Ev i x => Ev i (len p i + x) | _ => v end.
Definition not_initial (v : node) : Prop := match v with Fd _ => False | _ => True end.
Definition not_final (v : node) : Prop := match v with Ld _ => False | _ => True end.

(** A message edge stays in its layer. *)
Lemma message_side i j x y : nth_error (labs i l) x = Some (Snd j) -> nth_error (labs j l) y = Some (Rcv i) ->
  length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))) ->
  (x < len p i <-> y < len p j).
Proof.
  unfold l. rewrite <- !len_labs, !labs_app. intros Hx Hy C.
  rewrite (part (sndb j) _ _ _ _ Hx (proj2 (sndb_spec j _) eq_refl)).
  rewrite (part (rcvb i) _ _ _ _ Hy (proj2 (rcvb_spec i _) eq_refl)).
  rewrite C, (Bp i j). tauto.
Qed.

(** An edge from a node of P stays in P, or goes by the end of P and the beginning of Q. *)
Lemma edge_from_first u w : edge l u w -> of_first u ->
  (of_first w /\ edge p u w) \/
  (exists m v, w = place_second v /\ not_initial v /\ edge p u (Ld m) /\ edge q (Fd m) v).
Proof.
  intros E F. unfold l in E.
  destruct E as [i x y L L'|i x L|i x L|i|i j x y Hx Hy C]; simpl in F; try rewrite len_app in *.
  - destruct (lt_dec y (len p i)) as [Y|Y]; [left; split; [exact Y|now apply E_next]|].
    right. exists i, (Ev i (y - len p i)). simpl. repeat split.
    + f_equal. lia.
    + now apply E_last.
    + apply E_first. lia.
  - destruct (lt_dec x (len p i)) as [Y|Y]; [left; split; [exact Y|now apply E_first]|].
    right. exists i, (Ev i (x - len p i)). simpl. repeat split.
    + f_equal. lia.
    + apply E_idle.
    + apply E_first. lia.
  - right. exists i, (Ld i). simpl. repeat split; [now apply E_last|apply E_idle].
  - right. exists i, (Ld i). simpl. repeat split; apply E_idle.
  - left. pose proof (proj1 (message_side i j x y Hx Hy C) F) as Y. split; [exact Y|].
    rewrite !prefix_firstn in C by lia.
    apply E_msg; [now apply prefix_nth_back in Hx|now apply prefix_nth_back in Hy|exact C].
Qed.

(** An edge from an event of Q stays in Q. *)
Lemma edge_from_second v w : edge l (place_second v) w -> not_initial v ->
  exists v', w = place_second v' /\ not_initial v' /\ edge q v v'.
Proof.
  intros E N. destruct v as [i|i x|i]; [destruct N| |inversion E]. simpl in E. unfold l in E.
  inversion E as [i' a y L L'| |i' a L| |i' j a y Hx Hy C]; subst; try rewrite len_app in *.
  - exists (Ev i (y - len p i)). simpl. repeat split; [f_equal; lia|apply E_next; lia].
  - exists (Ld i). simpl. repeat split. apply E_last. lia.
  - assert (Y : len p j <= y).
    { destruct (le_lt_dec (len p j) y) as [|G]; auto. apply (message_side i j _ y Hx Hy C) in G. lia. }
    exists (Ev j (y - len p j)). simpl. replace y with (len p j + (y - len p j)) in Hy, C by lia.
    rewrite suffix_nth in Hx, Hy. rewrite !suffix_count, (Bp i j) in C.
    repeat split; [f_equal; lia|apply E_msg; auto; lia].
Qed.

Lemma path_from_first u w : path l u w -> of_first u ->
  (of_first w /\ path p u w) \/
  (exists m v, w = place_second v /\ not_initial v /\ path p u (Ld m) /\ path q (Fd m) v).
Proof.
  intros P F. apply clos_trans_tn1 in P. induction P as [w E|y w E _ IH].
  - destruct (edge_from_first u w E F) as [[A B]|(m & v & A & B & C & D)]; [left|right].
    + split; auto. now apply t_step.
    + exists m, v. repeat split; auto; now apply t_step.
  - destruct IH as [[A B]|(m & v & -> & B & C & D)].
    + destruct (edge_from_first y w E A) as [[A' B']|(m & v & A' & B' & C & D)]; [left|right].
      * split; auto. eapply t_trans; [exact B|now apply t_step].
      * exists m, v. repeat split; auto; [eapply t_trans; [exact B|]|]; now apply t_step.
    + right. destruct (edge_from_second v w E B) as (v' & -> & B' & E'). exists m, v'.
      repeat split; auto. eapply t_trans; [exact D|now apply t_step].
Qed.

Lemma path_from_second v w : path l (place_second v) w -> not_initial v ->
  exists v', w = place_second v' /\ not_initial v' /\ path q v v'.
Proof.
  intros P N. apply clos_trans_tn1 in P. induction P as [w E|y w E _ IH].
  - destruct (edge_from_second v w E N) as (v' & A & B & C). exists v'. repeat split; auto. now apply t_step.
  - destruct IH as (v1 & -> & B & C). destruct (edge_from_second v1 w E B) as (v' & A' & B' & C').
    exists v'. repeat split; auto. eapply t_trans; [exact C|now apply t_step].
Qed.

(** ** Paths of P and of Q are paths of P . Q *)

Lemma lift_first u w : edge p u w -> not_final w -> edge l u w.
Proof.
  intros E N. destruct E as [i x y L L'|i x L|i x L|i|i j x y Hx Hy C]; try destruct N.
  - apply E_next; auto. unfold l. rewrite len_app. lia.
  - apply E_first. unfold l. rewrite len_app. lia.
  - apply labs_lt in Hx as Lx. apply labs_lt in Hy as Ly.
    apply E_msg; unfold l; [now apply prefix_nth|now apply prefix_nth|]. rewrite !prefix_firstn by lia. exact C.
Qed.

Lemma lift_first_path u w : path p u w -> not_final w -> path l u w.
Proof.
  intros P. apply clos_trans_tn1 in P. induction P as [w E|y w E _ IH]; intro N.
  - now apply t_step, lift_first.
  - eapply t_trans; [apply IH; destruct E; exact I|now apply t_step, lift_first].
Qed.

Lemma lift_second v w : edge q v w -> not_initial v -> edge l (place_second v) (place_second w).
Proof.
  intros E N. destruct E as [i x y L L'|i x L|i x L|i|i j x y Hx Hy C]; try destruct N; simpl.
  - apply E_next; [lia|]. unfold l. rewrite len_app. lia.
  - apply E_last. unfold l. rewrite len_app. lia.
  - apply E_msg; unfold l; rewrite ?suffix_nth; auto. rewrite !suffix_count, (Bp i j). lia.
Qed.

Lemma lift_second_path v w : path q v w -> not_initial v -> path l (place_second v) (place_second w).
Proof.
  intros P. apply clos_trans_t1n in P. induction P as [v w E|v y w E _ IH]; intro N.
  - now apply t_step, lift_second.
  - apply t_trans with (place_second y); [apply t_step, lift_second; assumption|]. apply IH. destruct E; exact I.
Qed.

(** How a path ends at Ld_m, and how one begins at Fd_m. *)
Lemma last_edge u m : path p u (Ld m) -> u = Fd m \/ exists x, x < len p m /\ (u = Ev m x \/ path p u (Ev m x)).
Proof.
  intro P. apply clos_trans_tn1 in P. inversion P as [? E|y ? E P']; subst.
  - inversion E; subst; [right; eauto|now left].
  - apply clos_tn1_trans in P'. inversion E; subst; [right; eauto|].
    exfalso. apply clos_trans_tn1 in P'. inversion P' as [? E'|? ? E' _]; inversion E'.
Qed.

Lemma first_edge m v : path q (Fd m) v -> v = Ld m \/ exists x, x < len q m /\ (v = Ev m x \/ path q (Ev m x) v).
Proof.
  intro P. apply clos_trans_t1n in P. inversion P as [? E|y ? E P']; subst.
  - inversion E; subst; [right; eauto|now left].
  - apply clos_t1n_trans in P'. inversion E; subst; [right; eauto|].
    exfalso. apply clos_trans_t1n in P'. inversion P' as [? E'|? ? E' _]; inversion E'.
Qed.

(** A path to the end of a process in P, and one from its beginning in Q, make one path. *)
Lemma join u m v : path p u (Ld m) -> path q (Fd m) v -> path l u (place_second v).
Proof.
  intros P Q. apply last_edge in P. apply first_edge in Q.
  assert (Lead : forall w, edge l (Fd m) w -> (forall x, x < len p m -> edge l (Ev m x) w) -> path l u w).
  { intros w E1 E2. destruct P as [-> |(x & L & [-> |P])]; [now apply t_step|apply t_step, E2; auto|].
    eapply t_trans; [apply (lift_first_path _ _ P I)|apply t_step, E2; auto]. }
  destruct Q as [-> |(x & L & Q)].
  - apply Lead; simpl; [apply E_idle|]. intros y Ly. apply E_last. unfold l. rewrite len_app. lia.
  - assert (A : path l u (place_second (Ev m x))).
    { apply Lead; simpl; [apply E_first; unfold l; rewrite len_app; lia|].
      intros y Ly. apply E_next; [lia|unfold l; rewrite len_app; lia]. }
    destruct Q as [-> |Q]; auto. eapply t_trans; [exact A|]. now apply lift_second_path.
Qed.

(** ** The paths of P . Q *)

Theorem paths_in_first : forall u w, of_first u -> of_first w -> (path l u w <-> path p u w).
Proof.
  intros u w Fu Fw. split; intro P.
  - destruct (path_from_first u w P Fu) as [[_ P']|(m & v & -> & N & _)]; auto. exfalso.
    destruct v; simpl in *; auto; lia.
  - apply lift_first_path; auto. destruct w; simpl in *; auto.
Qed.

Theorem paths_in_second : forall v w, not_initial v -> not_initial w ->
  (path l (place_second v) (place_second w) <-> path q v w).
Proof.
  intros v w Nv Nw. split; intro P; [|now apply lift_second_path].
  destruct (path_from_second v _ P Nv) as (w' & E & Nw' & P').
  assert (w = w'); [|now subst]. destruct w, w'; simpl in *; try discriminate; try contradiction; injection E;
    intros; subst; auto.
  f_equal. lia.
Qed.

(** From P to Q: by the end of some process in P, and its beginning in Q. *)
Theorem paths_across : forall u v, of_first u -> not_initial v ->
  (path l u (place_second v) <-> exists m, path p u (Ld m) /\ path q (Fd m) v).
Proof.
  intros u v F N. split.
  - intro P. destruct (path_from_first u _ P F) as [[A _]|(m & v' & E & N' & P1 & P2)].
    + exfalso. destruct v; simpl in *; auto; lia.
    + exists m. split; auto. assert (v = v'); [|now subst].
      destruct v, v'; simpl in *; try discriminate; try contradiction; injection E; intros; subst; auto. f_equal. lia.
  - intros (m & P1 & P2). now apply join with m.
Qed.

(** ** The nodes of P . Q *)

(** The first send on a channel is P's, or Q's if P has none. *)
Theorem first_send_composed : forall i j x, first_send l i j x <->
  first_send p i j x \/
  ((forall y, nth_error (labs i p) y <> Some (Snd j)) /\ exists y, x = len p i + y /\ first_send q i j y).
Proof.
  intros i j x. unfold l. split.
  - intros [H M]. destruct (lt_dec x (len p i)) as [L|G]; [left|right].
    + split; [now apply prefix_nth_back in H|]. intros y Hy. apply M. now apply prefix_nth.
    + split.
      * intros y Hy. apply (prefix_nth _ _ q) in Hy as Hy'. apply M in Hy'. apply labs_lt in Hy. lia.
      * exists (x - len p i). replace x with (len p i + (x - len p i)) in H by lia. rewrite suffix_nth in H.
        split; [lia|]. split; auto. intros y Hy. rewrite <- (suffix_nth i p q) in Hy. apply M in Hy. lia.
  - intros [[H M]|(None & y & -> & [H M])].
    + split; [now apply prefix_nth|]. intros y Hy. destruct (lt_dec y (len p i)) as [L|G].
      * apply M. now apply prefix_nth_back in Hy.
      * apply labs_lt in H. lia.
    + split; [now rewrite suffix_nth|]. intros z Hz. destruct (lt_dec z (len p i)) as [L|G].
      * exfalso. apply (None z). now apply prefix_nth_back in Hz.
      * replace z with (len p i + (z - len p i)) in Hz by lia. rewrite suffix_nth in Hz. apply M in Hz. lia.
Qed.

(** The last receive on a channel is Q's, or P's if Q has none. *)
Theorem last_receive_composed : forall i j y, last_receive l j i y <->
  (exists z, y = len p j + z /\ last_receive q j i z) \/
  ((forall z, nth_error (labs j q) z <> Some (Rcv i)) /\ last_receive p j i y).
Proof.
  intros i j y. unfold l. split.
  - intros [H M]. destruct (lt_dec y (len p j)) as [L|G]; [right|left].
    + split.
      * intros z Hz. rewrite <- (suffix_nth j p q) in Hz. apply M in Hz. lia.
      * split; [now apply prefix_nth_back in H|]. intros z Hz. apply M. now apply prefix_nth.
    + exists (y - len p j). replace y with (len p j + (y - len p j)) in H by lia. rewrite suffix_nth in H.
      split; [lia|]. split; auto. intros z Hz. rewrite <- (suffix_nth j p q) in Hz. apply M in Hz. lia.
  - intros [(z & -> & [H M])|[None [H M]]].
    + split; [now rewrite suffix_nth|]. intros w Hw. destruct (lt_dec w (len p j)) as [L|G]; [lia|].
      replace w with (len p j + (w - len p j)) in Hw by lia. rewrite suffix_nth in Hw. apply M in Hw. lia.
    + split; [now apply prefix_nth|]. intros w Hw. destruct (lt_dec w (len p j)) as [L|G].
      * apply M. now apply prefix_nth_back in Hw.
      * exfalso. replace w with (len p j + (w - len p j)) in Hw by lia. rewrite suffix_nth in Hw. now apply (None _ Hw).
Qed.
End Composition.

(** ** Signatures

    The nodes that a signature can have, by name; and the edges of E+ between them.  (The paper then drops nodes
    that say nothing more: which ones can be read off these edges.) *)

Inductive name := NFd (i : proc) | NLd (i : proc) | NSnd (i j : proc) | NRcv (j i : proc).

Definition named (l : list act) (a : name) (u : node) : Prop :=
  match a with
  | NFd i => u = Fd i
  | NLd i => u = Ld i
  | NSnd i j => exists x, u = Ev i x /\ first_send l i j x
  | NRcv j i => exists y, u = Ev j y /\ last_receive l j i y
  end.
Definition sig_name (l : list act) (a : name) := exists u, named l a u.
Definition sig_edge (l : list act) (a b : name) := exists u v, named l a u /\ named l b v /\ path l u v.

(** Two programs that sealing cannot tell apart. *)
Definition same_signature (p p' : list act) :=
  (forall a, sig_name p a <-> sig_name p' a) /\ (forall a b, sig_edge p a b <-> sig_edge p' a b).

(** Whether a node of the composition is one of P. *)
Definition from_first (p q : list act) (a : name) : Prop :=
  match a with NFd _ => True | NLd _ => False | NSnd _ _ => sig_name p a | NRcv _ _ => ~ sig_name q a end.

Section Nodes.
Variables p q : list act.
Hypotheses (Bp : balanced p) (Bq : balanced q).

Lemma named_first a u : from_first p q a -> (named (p ++ q) a u <-> named p a u).
Proof.
  destruct a as [i|i|i j|j i]; simpl; intro F; try tauto; split; intros (x & -> & H); exists x; split; auto.
  - apply first_send_composed in H as [H|[None _]]; auto. exfalso.
    destruct F as (u & y & _ & [Hy _]). now apply (None y).
  - apply first_send_composed. now left.
  - apply last_receive_composed in H as [(z & _ & H)|[_ H]]; auto. exfalso. apply F. exists (Ev j z), z; auto.
  - apply last_receive_composed. right. split; auto. intros z Hz.
    destruct (last_receive_exists q j i z Hz) as (z0 & H0 & _). apply F. exists (Ev j z0), z0; auto.
Qed.

Lemma named_second a u : ~ from_first p q a -> (forall i j, a = NRcv j i -> sig_name q a) ->
  (named (p ++ q) a u <-> exists v, u = place_second p v /\ not_initial v /\ named q a v).
Proof.
  destruct a as [i|i|i j|j i]; simpl; intros F R; try tauto.
  - split; [intros ->; exists (Ld i); simpl; auto|]. intros (v & -> & _ & ->). reflexivity.
  - split.
    + intros (x & -> & H). apply first_send_composed in H as [H|[_ (y & -> & H)]].
      * exfalso. apply F. exists (Ev i x), x; auto.
      * exists (Ev i y). simpl. repeat split; auto. exists y; auto.
    + intros (v & -> & _ & y & -> & H). exists (len p i + y). split; auto. apply first_send_composed. right.
      split; [|exists y; auto]. intros z Hz. destruct (first_send_exists p i j z Hz) as (z0 & H0 & _).
      apply F. exists (Ev i z0), z0; auto.
  - specialize (R i j eq_refl). split.
    + intros (y & -> & H). apply last_receive_composed in H as [(z & -> & H)|[None _]].
      * exists (Ev j z). simpl. repeat split; auto. exists z; auto.
      * exfalso. destruct R as (w & z & _ & [Hz _]). now apply (None z).
    + intros (v & -> & _ & z & -> & H). exists (len p j + z). split; auto. apply last_receive_composed. left.
      exists z; auto.
Qed.
End Nodes.

(** _The signature of P . Q, from those of P and Q_. *)
Theorem signature_composed : forall p q a b, balanced p -> (sig_edge (p ++ q) a b <->
  (from_first p q a /\ from_first p q b /\ sig_edge p a b) \/
  (~ from_first p q a /\ ~ from_first p q b /\ sig_edge q a b) \/
  (from_first p q a /\ ~ from_first p q b /\ exists m, sig_edge p a (NLd m) /\ sig_edge q (NFd m) b)).
Proof.
  intros p q a b Bp.
  assert (First : forall c u, from_first p q c -> named p c u -> of_first p u).
  { intros [i|i|i j|j i] u F H; simpl in *; try tauto; try (subst; exact I);
      destruct H as (x & -> & [H _]); simpl; now apply labs_lt in H. }
  assert (Node : forall c, ~ from_first p q c -> forall i j, c = NRcv j i -> sig_name q c).
  { intros c N i j ->. simpl in N. now apply NNPP. }
  assert (Initial : forall c v, ~ from_first p q c -> named q c v -> not_initial v).
  { intros [i|i|i j|j i] v N H; simpl in *; try tauto; [subst; exact I| |]; destruct H as (x & -> & _); exact I. }
  split.
  - intros (u & v & Hu & Hv & P).
    destruct (classic (from_first p q a)) as [Fa|Na], (classic (from_first p q b)) as [Fb|Nb].
    + left. apply named_first in Hu; auto. apply named_first in Hv; auto. repeat split; auto. exists u, v.
      repeat split; auto. apply (paths_in_first p q Bp); eauto.
    + right; right. apply named_first in Hu; auto.
      apply (named_second p q b v Nb (Node b Nb)) in Hv as (v' & -> & Iv & Hv).
      apply (paths_across p q Bp) in P as (m & P1 & P2); eauto. repeat split; auto. exists m. split.
      * exists u, (Ld m). repeat split; auto.
      * exists (Fd m), v'. repeat split; auto.
    + exfalso. apply (named_second p q a u Na (Node a Na)) in Hu as (u' & -> & Iu & Hu). apply named_first in Hv; auto.
      destruct (path_from_second p q Bp _ _ P Iu) as (v' & -> & Iv & _). specialize (First b _ Fb Hv).
      destruct v'; simpl in *; auto; lia.
    + right; left. apply (named_second p q a u Na (Node a Na)) in Hu as (u' & -> & Iu & Hu).
      apply (named_second p q b v Nb (Node b Nb)) in Hv as (v' & -> & Iv & Hv). repeat split; auto. exists u', v'.
        repeat split; auto.
      now apply (paths_in_second p q Bp).
  - intros [(Fa & Fb & u & v & Hu & Hv & P)|[(Na & Nb & u & v & Hu & Hv & P)|(Fa & Nb & m & E1 & E2)]].
    + exists u, v. rewrite !named_first by auto. repeat split; auto. apply (paths_in_first p q Bp); eauto.
    + exists (place_second p u), (place_second p v).
      rewrite (named_second p q a _ Na (Node a Na)), (named_second p q b _ Nb (Node b Nb)).
      repeat split; eauto. apply (paths_in_second p q Bp); eauto.
    + destruct E1 as (u & w & Hu & Hw & P1), E2 as (w' & v & Hw' & Hv & P2). simpl in Hw, Hw'. subst w w'.
      exists u, (place_second p v). rewrite named_first, (named_second p q b _ Nb (Node b Nb)) by auto.
        repeat split; eauto.
      apply (paths_across p q Bp); eauto.
Qed.

(** Its nodes are those of P and those of Q. *)
Lemma nodes_composed p q a : sig_name (p ++ q) a <-> sig_name p a \/ sig_name q a.
Proof.
  assert (Side : (from_first p q a /\ (sig_name q a -> sig_name p a)) \/
                 (~ from_first p q a /\ (sig_name p a -> sig_name q a) /\ forall i j, a = NRcv j i -> sig_name q a)).
  { destruct a as [i|i|i j|j i]; simpl.
    - left. split; [exact I|]. intros _. exists (Fd i). reflexivity.
    - right. repeat split; [tauto| |discriminate]. intros _. exists (Ld i). reflexivity.
    - destruct (classic (sig_name p (NSnd i j))); [left; tauto|right]. repeat split; [tauto|tauto|discriminate].
    - destruct (classic (sig_name q (NRcv j i))) as [H|H]; [right|left; tauto].
      repeat split; [tauto|tauto|]. intros i' j' E. injection E as <- <-. exact H. }
  destruct Side as [[F Sub]|(N & Sub & R)].
  - assert (E : sig_name (p ++ q) a <-> sig_name p a) by (split; intros (u & H); exists u;
    now apply (named_first p q a u F)).
    rewrite E. tauto.
  - assert (E : sig_name (p ++ q) a <-> sig_name q a).
    { split.
      - intros (u & H). apply (named_second p q a u N R) in H as (v & _ & _ & H). now exists v.
      - intros (v & H). exists (place_second p v). apply (named_second p q a _ N R). exists v. repeat split; auto.
        destruct a as [i|i|i j|j i]; simpl in *; [tauto|subst; exact I| |]; destruct H as (x & -> & _); exact I. }
    rewrite E. tauto.
Qed.

(** _Signatures compose_: programs of equal signatures make a composition of the same signature. *)
Theorem signatures_compose : forall p q p' q', balanced p -> balanced q -> balanced p' -> balanced q' ->
  same_signature p p' -> same_signature q q' -> same_signature (p ++ q) (p' ++ q').
Proof.
  intros p q p' q' Bp Bq Bp' Bq' [Np Ep] [Nq Eq].
  split; [intro a; rewrite !nodes_composed, Np, Nq; tauto|]. intros a b.
  assert (F : forall c, from_first p q c <-> from_first p' q' c).
  { intros [i|i|i j|j i]; simpl; [tauto|tauto|apply Np|rewrite Nq; tauto]. }
  rewrite !signature_composed by auto. rewrite !F, Ep, Eq.
  assert (M : (exists m, sig_edge p a (NLd m) /\ sig_edge q (NFd m) b) <->
              (exists m, sig_edge p' a (NLd m) /\ sig_edge q' (NFd m) b)).
  { split; intros (m & E1 & E2); exists m; [rewrite <- Ep, <- Eq|rewrite Ep, Eq]; auto. }
  rewrite M. tauto.
Qed.
