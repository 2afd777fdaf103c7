(** * What processes know, and who can tell whom

    A channel i->j is _safe_ once the last receive that P makes on it has happened: a message sent on it
    by someone who knows that can no longer be taken by P.  This file is about knowledge only; runs and
    programs come in Sealability.v.

    [K p i j] says that process p knows i->j to be safe, or that P does not receive on i->j.
    Nothing here needs an axiom. *)

From Coq Require Import List Arith Lia Permutation.
Import ListNotations.

Definition knowledge := nat -> nat -> nat -> Prop.

(** A message, from its sender to its receiver. *)
Definition message := (nat * nat)%type.

(** After a message its receiver knows all that its sender knew. *)
Definition told (K : knowledge) (m : message) : knowledge :=
  fun p i j => K p i j \/ (p = snd m /\ K (fst m) i j).

(** What is known after messages, one after another. *)
Definition after (K : knowledge) (ms : list message) : knowledge := fold_left told ms K.

(** Messages between different ones of n processes, each on a channel that its sender knows to be safe. *)
Fixpoint allowed (n : nat) (K : knowledge) (ms : list message) : Prop :=
  match ms with
  | [] => True
  | m :: rest => fst m < n /\ snd m < n /\ fst m <> snd m /\ K (fst m) (fst m) (snd m) /\
                 allowed n (told K m) rest
  end.

(** Every process knows the channels that leave it to be safe. *)
Definition all_safe (n : nat) (K : knowledge) := forall i j, i < n -> j < n -> i <> j -> K i i j.

(** These messages seal: they are allowed, and then everything is safe. *)
Definition sealed_by (n : nat) (K : knowledge) (ms : list message) :=
  allowed n K ms /\ all_safe n (after K ms).

(** The receiver of a channel knows, at its own end, that its receives have happened. *)
Definition receiver_knows (n : nat) (K : knowledge) := forall i j, i < n -> j < n -> K j i j.

(** Parts that can be joined: a single process; and two parts with a _bridge_, a channel i->j from the one
    to the other that some k of the first part knows to be safe.  (A closed channel is one whose sender
    knows it to be safe: k = i.) *)
Inductive joined (K : knowledge) : list nat -> Prop :=
| joined_one v : joined K [v]
| joined_two X Y i j k : joined K X -> joined K Y -> (forall v, In v X -> ~ In v Y) ->
    In i X -> In k X -> In j Y -> K k i j -> joined K (X ++ Y).

(** One part has all n processes. *)
Definition one_block (n : nat) (K : knowledge) := exists X, joined K X /\ Permutation X (seq 0 n).

(** ** Knowledge grows *)

Definition within_knowledge (K L : knowledge) := forall p i j, K p i j -> L p i j.

Lemma told_mono K L m : within_knowledge K L -> within_knowledge (told K m) (told L m).
Proof. intros H p i j [A|[E A]]; [left|right]; auto. Qed.

Lemma after_mono ms : forall K L, within_knowledge K L -> within_knowledge (after K ms) (after L ms).
Proof.
  induction ms as [|m ms IH]; intros K L H; [exact H|].
  apply IH, told_mono, H.
Qed.

Lemma after_grows ms : forall K, within_knowledge K (after K ms).
Proof.
  induction ms as [|m ms IH]; intros K p i j H; [exact H|].
  apply IH. left; exact H.
Qed.

Lemma after_app K a b : after K (a ++ b) = after (after K a) b.
Proof. apply fold_left_app. Qed.

(** Who knows more may send more. *)
Lemma allowed_mono n ms : forall K L, within_knowledge K L -> allowed n K ms -> allowed n L ms.
Proof.
  induction ms as [|m ms IH]; intros K L H A; [exact I|].
  destruct A as (A1 & A2 & A3 & A4 & A5).
  repeat split; auto. apply IH with (told K m); auto. now apply told_mono.
Qed.

Lemma allowed_app n a : forall K b, allowed n K (a ++ b) <-> allowed n K a /\ allowed n (after K a) b.
Proof.
  induction a as [|m a IH]; intros K b; simpl.
  - tauto.
  - rewrite IH. unfold after. simpl. tauto.
Qed.

Lemma joined_mono K L X : within_knowledge K L -> joined K X -> joined L X.
Proof.
  intros H J. induction J as [v|X Y i j k _ IHX _ IHY D Hi Hk Hj B]; [constructor|].
  apply joined_two with i j k; auto.
Qed.

Lemma joined_not_empty K X : joined K X -> exists v, In v X.
Proof. destruct 1 as [v|X Y i j k _ _ _ Hi _ _ _]; [exists v; left; auto|exists i; apply in_or_app; auto]. Qed.

(** ** What can be sealed has one part

    Let processes be put into classes.  As long as no message crosses classes, a process knows only what
    somebody of its class knew at first.  The first message that does cross shows a bridge. *)

Section Classes.
Variables (n : nat) (class : nat -> nat).

Definition bridge (K : knowledge) i j k :=
  i < n /\ j < n /\ k < n /\ class k = class i /\ class i <> class j /\ K k i j.

Lemma bridge_or_inside ms : forall K, allowed n K ms ->
  (exists i j k, bridge K i j k) \/
  (forall p i j, p < n -> after K ms p i j -> exists k, k < n /\ class k = class p /\ K k i j).
Proof.
  induction ms as [|[a b] ms IH]; intros K A.
  - right. intros p i j Hp H. exists p; auto.
  - destruct A as (Ha & Hb & _ & Kab & A). cbn [fst snd] in *.
    destruct (Nat.eq_dec (class a) (class b)) as [E|N].
    2:{ left. exists a, b, a. repeat split; auto. }
    destruct (IH _ A) as [(i & j & k & Hi & Hj & Hk & C1 & C2 & [H|[Ek H]])|H]; cbn [fst snd] in *.
    + left. exists i, j, k. repeat split; auto.
    + left. exists i, j, a. subst k. repeat split; auto; congruence.
    + right. intros p i j Hp Q. destruct (H p i j Hp Q) as (k & Hk & Ck & [R|[Ek R]]); cbn [fst snd] in *.
      * exists k; auto.
      * exists a. subst k. repeat split; auto; congruence.
Qed.

Lemma sealed_has_bridge K ms u v : sealed_by n K ms -> u < n -> v < n -> class u <> class v ->
  exists i j k, bridge K i j k.
Proof.
  intros [A S] Hu Hv N. destruct (bridge_or_inside ms K A) as [B|In]; [exact B|].
  assert (u <> v) as D by congruence.
  destruct (In u u v Hu (S u v Hu Hv D)) as (k & Hk & C & H).
  exists u, v, k. repeat split; auto.
Qed.
End Classes.

(** *** From classes to lists of parts *)

(** The number of the first part that has v. *)
Fixpoint part_of (L : list (list nat)) (v : nat) : nat :=
  match L with
  | [] => 0
  | X :: rest => if in_dec Nat.eq_dec v X then 0 else S (part_of rest v)
  end.

Lemma part_of_spec L v : In v (concat L) -> exists X, nth_error L (part_of L v) = Some X /\ In v X.
Proof.
  induction L as [|X L IH]; simpl; intro H; [destruct H|].
  destruct (in_dec Nat.eq_dec v X) as [I|O]; [exists X; auto|].
  apply in_app_or in H as [H|H]; [contradiction|auto].
Qed.

Lemma two_places {A} (L : list A) : forall p q X Y, p <> q -> nth_error L p = Some X -> nth_error L q = Some Y ->
  exists rest, Permutation L (X :: Y :: rest).
Proof.
  induction L as [|B L IH]; intros p q X Y N HX HY; [destruct p; discriminate|].
  destruct p as [|p], q as [|q]; simpl in *; [congruence| | |].
  - injection HX as ->. destruct (in_split _ _ (nth_error_In _ _ HY)) as (l1 & l2 & ->).
    exists (l1 ++ l2). apply perm_skip. symmetry; apply Permutation_middle.
  - injection HY as ->. destruct (in_split _ _ (nth_error_In _ _ HX)) as (l1 & l2 & ->).
    exists (l1 ++ l2). rewrite perm_swap. apply perm_skip. symmetry; apply Permutation_middle.
  - destruct (IH p q X Y) as (rest & H); auto. exists (B :: rest).
    rewrite H. rewrite perm_swap. apply perm_skip, perm_swap.
Qed.

Lemma concat_permutation {A} (L M : list (list A)) : Permutation L M -> Permutation (concat L) (concat M).
Proof. intro P. rewrite <- (map_id L), <- (map_id M), <- !flat_map_concat_map. now apply Permutation_flat_map. Qed.

Lemma NoDup_apart {A} (X Y : list A) : NoDup (X ++ Y) -> forall v, In v X -> ~ In v Y.
Proof.
  induction X as [|x X IH]; simpl; intros N v H I; [destruct H|]. inversion N; subst.
  destruct H as [<-|H]; [apply H2, in_or_app; auto|]. eapply IH; eauto.
Qed.

Lemma NoDup_app_left {A} (X Y : list A) : NoDup (X ++ Y) -> NoDup X.
Proof.
  induction X as [|x X IH]; simpl; intro N; constructor; inversion N; subst; auto.
  intro H. apply H1, in_or_app; auto.
Qed.

(** Two parts of a sealable structure can be joined. *)
Lemma join_two n K ms L : sealed_by n K ms -> (forall X, In X L -> joined K X) ->
  Permutation (concat L) (seq 0 n) -> 2 <= length L ->
  exists M, S (length M) = length L /\ (forall X, In X M -> joined K X) /\ Permutation (concat M) (seq 0 n).
Proof.
  intros S J P Two.
  assert (Mem : forall v, In v (concat L) <-> v < n).
  { intro v. split; intro H; [apply (Permutation_in _ P), in_seq in H; lia|].
    apply (Permutation_in _ (Permutation_sym P)), in_seq; lia. }
  assert (Hbridge : exists i j k, bridge n (part_of L) K i j k).
  { destruct L as [|X [|Y L]]; simpl in Two; try lia.
    destruct (joined_not_empty K X) as (u & Hu); [apply J; simpl; auto|].
    destruct (joined_not_empty K Y) as (v & Hv); [apply J; simpl; auto|].
    assert (Nv : ~ In v X).
    { assert (N : NoDup (concat (X :: Y :: L))) by (eapply Permutation_NoDup;
      [apply Permutation_sym, P|apply seq_NoDup]).
      intro I. simpl in N. apply (NoDup_apart _ _ N v I). apply in_or_app; auto. }
    apply sealed_has_bridge with ms u v; auto.
    - apply Mem. simpl. apply in_or_app; auto.
    - apply Mem. simpl. apply in_or_app; right. apply in_or_app; auto.
    - simpl. destruct (in_dec Nat.eq_dec u X); [|contradiction].
      destruct (in_dec Nat.eq_dec v X); [contradiction|discriminate]. }
  destruct Hbridge as (i & j & k & Hi & Hj & Hk & C1 & C2 & B).
  destruct (part_of_spec L i) as (X & HX & Xi); [apply Mem; auto|].
  destruct (part_of_spec L k) as (X' & HX' & Xk); [apply Mem; auto|].
  rewrite C1, HX in HX'. injection HX' as <-.
  destruct (part_of_spec L j) as (Y & HY & Yj); [apply Mem; auto|].
  destruct (two_places L _ _ X Y C2 HX HY) as (rest & Perm).
  assert (J' : forall Z, In Z (X :: Y :: rest) -> joined K Z).
  { intros Z HZ. apply J. apply (Permutation_in _ (Permutation_sym Perm) HZ). }
  assert (N : NoDup ((X ++ Y) ++ concat rest)).
  { rewrite <- app_assoc. change (NoDup (concat (X :: Y :: rest))).
    eapply Permutation_NoDup; [|apply (seq_NoDup n 0)].
    rewrite <- P. apply concat_permutation, Perm. }
  exists ((X ++ Y) :: rest). split; [|split].
  - rewrite (Permutation_length Perm). reflexivity.
  - intros Z [<-|HZ]; [|apply J'; simpl; auto].
    apply joined_two with i j k; auto; try (apply J'; simpl; auto; fail).
    apply NoDup_apart. eapply NoDup_app_left; exact N.
  - rewrite <- P. simpl. rewrite <- app_assoc. symmetry. apply (concat_permutation _ _ Perm).
Qed.

Lemma join_all n K ms : sealed_by n K ms -> forall m L, length L = S m ->
  (forall X, In X L -> joined K X) -> Permutation (concat L) (seq 0 n) -> one_block n K.
Proof.
  intros S. induction m as [|m IH]; intros L Len J P.
  - destruct L as [|X [|Y L]]; try discriminate. exists X. split; [apply J; simpl; auto|].
    simpl in P. now rewrite app_nil_r in P.
  - destruct (join_two n K ms L S J P) as (M & LM & JM & PM); [lia|]. apply IH with M; auto. lia.
Qed.

Theorem sealed_one_block n K ms : 1 <= n -> sealed_by n K ms -> one_block n K.
Proof.
  intros N S. apply (join_all n K ms S (n - 1) (map (fun v => [v]) (seq 0 n))).
  - rewrite map_length, seq_length. lia.
  - intros X H. apply in_map_iff in H as (v & <- & _). constructor.
  - assert (E : forall l : list nat, concat (map (fun v => [v]) l) = l) by (induction l; simpl; congruence).
    rewrite E. reflexivity.
Qed.
