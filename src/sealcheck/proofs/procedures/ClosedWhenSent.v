(** * Seal(P) transmits on closed channels

    "Each one of these mt instances transmits a message along a channel that is closed at the time of transmission"
    (proof of th:sealability): closed by P and the transmissions before it, which may open a channel that P closes.

    Theorems of the ledger: [seal_construction_closed_when_sent]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Knowledge Messages Prefix Teaching Sealability.
From Sealcheck Require Import Occurrence ClosedChannels Unbalanced SealConstruction.
From Sealcheck Require Import KnowledgeDecider CheckerCorrect Counting.
Open Scope nat_scope.

(** ** What is known of the messages, too

    [K p i j] now says that [p] knows of all that has been received on i->j so far.  A message makes its receiver
    the only one who knows of the last receive on its channel. *)

Definition sent_on (K : knowledge) (m : message) : knowledge :=
  fun p i j => if message_dec (i, j) m then p = j else told K m p i j.
Definition knowledge_so_far (K : knowledge) (ms : list message) : knowledge := fold_left sent_on ms K.

(** The receiver on a channel knows of its own receives; [m] may be sent, since its sender knows of all that has been
    received on its channel. *)
Definition knows_own (K : knowledge) := forall i j, K j i j.
Definition safe_message (K : knowledge) (m : message) := K (fst m) (fst m) (snd m).

(** Each message is safe when it is sent. *)
Fixpoint each_safe (K : knowledge) (ms : list message) : Prop :=
  match ms with [] => True | m :: rest => safe_message K m /\ each_safe (sent_on K m) rest end.

Lemma each_safe_app a : forall K b, each_safe K a -> each_safe (knowledge_so_far K a) b -> each_safe K (a ++ b).
Proof. induction a as [|m a IH]; simpl; intros K b A B; auto. destruct A. split; auto. Qed.
Lemma each_safe_at a m b : forall K, each_safe K (a ++ m :: b) -> safe_message (knowledge_so_far K a) m.
Proof. induction a as [|x a IH]; simpl; intros K [A B]; [exact A|]. now apply (IH (sent_on K x)). Qed.

Lemma own_sent K m : knows_own K -> knows_own (sent_on K m).
Proof. intros O i j. unfold sent_on. destruct (message_dec _ _); auto. left. apply O. Qed.
Lemma own_so_far ms : forall K, knows_own K -> knows_own (knowledge_so_far K ms).
Proof. induction ms as [|m ms IH]; intros K O; auto. now apply IH, own_sent. Qed.

(** A message stays safe until it is sent ... *)
Lemma stays_safe ms m : forall K, safe_message K m -> ~ In m ms -> safe_message (knowledge_so_far K ms) m.
Proof.
  induction ms as [|x ms IH]; simpl; intros K A N; auto. apply IH; [|tauto].
  unfold safe_message, sent_on. destruct (message_dec _ _) as [E|_]; [|now left].
  exfalso. apply N. left. rewrite <- E. now destruct m.
Qed.
(** ... and becomes safe by a message to its sender from its receiver. *)
Lemma back_makes_safe ms m : forall K, knows_own K -> In (snd m, fst m) ms -> ~ In m ms ->
  safe_message (knowledge_so_far K ms) m.
Proof.
  induction ms as [|x ms IH]; simpl; intros K O I N; [contradiction|].
  destruct I as [->|I]; [|apply IH; auto using own_sent]. apply stays_safe; [|tauto].
  unfold safe_message, sent_on. destruct (message_dec _ _) as [E|_]; [|right; split; [reflexivity|apply O]].
  exfalso. apply N. left. rewrite <- E. now destruct m.
Qed.

(** Different messages that are safe at first are all safe when they are sent. *)
Lemma different_safe ms : forall K, NoDup ms -> (forall m, In m ms -> safe_message K m) -> each_safe K ms.
Proof.
  induction ms as [|x ms IH]; simpl; intros K N S; auto. inversion N; subst. split; auto. apply IH; auto.
  intros m I. apply (stays_safe [x] m K); auto. intros [->|[]]. contradiction.
Qed.

(** ** Of programs *)

Lemma sent_learnt p i j : balanced p -> i <> j -> forall k a b,
  sent_on (learnt p) (i, j) k a b -> learnt (p ++ transmission (i, j)) k a b.
Proof.
  intros B N k a b. destruct (transmitted p i j B N) as (_ & R & D). unfold sent_on.
  destruct (message_dec (a, b) (i, j)) as [E|Other]; [intros ->; apply (learnt_own (S (a + b))); lia|].
  intros T y Hy. assert (Hp : nth_error (labs b p) y = Some (Rcv a)).
  { apply (prefix_nth_back _ _ (transmission (i, j)) _ _ Hy). destruct (le_lt_dec (len p b) y) as [G|]; auto.
    destruct (after_is_transmission p i j b y _ N G Hy) as [_ [[_ X]|[-> X]]]; [discriminate|]. congruence. }
  destruct T as [T|[-> T]]; specialize (T y Hp); apply (fifo_mono p (transmission (i, j)) B) in T.
  - apply causes_local_ge with (len p k); auto. rewrite len_app. lia.
  - cbn [fst snd] in *. apply t_trans with (i, len p i); auto. apply t_trans with (j, len p j).
    + rewrite <- D. apply t_step. right. exists i, j. split; auto. split; auto. simpl. now rewrite R.
    + apply causes_order. now apply labs_lt in R.
Qed.

Definition between_different (ms : list message) := forall m, In m ms -> fst m <> snd m.

Lemma sent_mono K K' m : within_knowledge K K' -> within_knowledge (sent_on K m) (sent_on K' m).
Proof. intros W k a b. unfold sent_on. destruct (message_dec _ _); auto. now apply told_mono. Qed.

Lemma transmissions_snoc ms m : transmissions (ms ++ [m]) = transmissions ms ++ transmission m.
Proof. unfold transmissions. now rewrite flat_map_app. Qed.
Lemma transmissions_different p ms : balanced p -> nofself p -> dead_free p -> between_different ms ->
  let l := p ++ transmissions ms in balanced l /\ nofself l /\ dead_free l /\
  within_knowledge (knowledge_so_far (learnt p) ms) (learnt l).
Proof.
  intros B N D. induction ms as [|[i j] ms IH] using rev_ind; intro Diff; cbv zeta.
  { rewrite app_nil_r. repeat (split; [assumption|]). intros k a b H. exact H. }
  destruct IH as (B' & N' & D' & W); [intros m I; apply Diff, in_or_app; auto|]. cbv zeta in *.
  assert (Nij : i <> j) by (apply (Diff (i, j)), in_or_app; simpl; auto).
  unfold knowledge_so_far. rewrite transmissions_snoc, app_assoc, fold_left_app. fold (knowledge_so_far (learnt p) ms).
  split; [apply balanced_app; auto using balanced_one|split; [|split]].
  - intros k H. rewrite labs_app in H. apply in_app_or in H as [H|H]; [now apply (N' k)|].
    apply (transmissions_send [(i, j)]) in H as [H|[]]. congruence.
  - now apply dead_free_transmission.
  - intros k a b H. apply sent_learnt; auto. now apply (sent_mono _ _ (i, j) W).
Qed.

Lemma safe_is_closed P p ms i j : acts P = Some p -> balanced p -> nofself p -> dead_free p -> between_different ms ->
  safe_message (knowledge_so_far (learnt p) ms) (i, j) -> closes RelNS (Lay P (transmitting ms)) i j.
Proof.
  intros HP B N D Diff S. destruct (transmissions_different p ms B N D Diff) as (B' & N' & D' & W). apply NNPP.
  rewrite <- (open_is_not_closed _ (p ++ transmissions ms)); auto using lay_straight, transmitting_acts.
  intros [_ O]. now apply O, W.
Qed.

(** What deadlocks, or sends to itself, has no runs; so it closes everything. *)
Lemma closes_what_occurs P p Q i j : acts P = Some p -> balanced p ->
  (nofself p -> dead_free p -> closes RelNS (Lay P Q) i j) -> closes RelNS (Lay P Q) i j.
Proof.
  intros HP B H r c d R E O. pose proof R as [[[M _] _] No]. apply lay_iff in O as O'. destruct O' as (m & O1 & _).
  assert (St : standing r c p) by (intro k; apply (occurs_follows r P p HP _ _ O1)).
  apply H with c; auto.
  - intros k I. apply In_nth_error in I as (x & I). destruct (stand_lab r c p k x (Snd k) St I) as [L _].
    now apply (No (k, c k + x) k).
  - intros e C. pose proof (empty_silent r c M E). apply (shift r c) in C; auto. now apply causal in C.
Qed.

(** ** The three parts of Seal(P) *)

Section Parts.
Variables (away up down : list message) (K : knowledge).
Hypotheses (Own : knows_own K) (Na : NoDup away) (Nu : NoDup up) (Nd : NoDup down).
Hypotheses (Down : incl away down) (Back : forall i j, In (i, j) up <-> In (j, i) down).
Hypotheses (Apart : forall m, In m down -> ~ In m up).
Hypotheses (Sent : forall m, In m away -> safe_message K m).
Hypotheses (Spared : forall i j, In (i, j) up -> ~ In (j, i) away -> safe_message K (i, j)).

(** Messages away from the root go where it is safe; then those to the root are safe, and then those back from it. *)
Lemma parts_safe : each_safe K (away ++ up ++ down).
Proof.
  apply each_safe_app; [now apply different_safe|]. apply each_safe_app; apply different_safe; auto.
  - intros [i j] I. assert (Not : ~ In (i, j) away) by (intro A; now apply (Apart (i, j)); [apply Down|]).
    destruct (in_dec message_dec (j, i) away) as [A|A]; [apply back_makes_safe; auto|apply stays_safe; auto].
  - intros [i j] I. apply back_makes_safe; auto using own_so_far; now apply Back.
Qed.
End Parts.

(** ** Trees *)

(** All messages are between the members; and [converge] has the opposite of what [broadcast] has. *)
Lemma down_members t i j : In (i, j) (broadcast t) -> In i (members t) /\ In j (members t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; [tauto|]. rewrite !in_app_iff. intros [E|[H|H]].
  - injection E as <- <-. auto using root_member.
  - apply IHt in H. tauto.
  - apply IHu in H. tauto.
Qed.
Lemma up_down t i j : In (i, j) (converge t) <-> In (j, i) (broadcast t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; [tauto|]. rewrite !in_app_iff, IHt, IHu. simpl. intuition congruence.
Qed.

(** Lists of messages among one part, among another, and between these have no message in common. *)
Lemma parts_different t u a b c : (forall v, In v (members t) -> ~ In v (members u)) ->
  (forall i j, In (i, j) a -> In i (members t) /\ In j (members t)) ->
  (forall i j, In (i, j) b -> In i (members u) /\ In j (members u)) ->
  (forall i j, In (i, j) c -> (In i (members t) <-> In j (members u))) ->
  NoDup a -> NoDup b -> NoDup c -> NoDup (a ++ b ++ c).
Proof.
  intros Apart A B C Na Nb Nc. apply NoDup_both; auto; [apply NoDup_both; auto|].
  - intros [i j] I J. apply B in I. apply C in J. firstorder.
  - intros [i j] I J. apply A in I. apply in_app_or in J as [J|J]; [apply B in J|apply C in J]; firstorder.
Qed.

Lemma one_way t : NoDup (members t) -> forall i j, In (i, j) (broadcast t) -> ~ In (j, i) (broadcast t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; intro N; [tauto|]. pose proof (NoDup_apart _ _ N) as Apart.
  assert (Nu : NoDup (members u)).
  { apply NoDup_app_left with (members t). eapply Permutation_NoDup; [apply Permutation_app_comm|exact N]. }
  specialize (IHt (NoDup_app_left _ _ N)). specialize (IHu Nu).
  pose proof (root_member t) as Rt. pose proof (root_member u) as Ru.
  unfold not in *. intros i j. rewrite !in_app_iff. intros [E|[H|H]] [E'|[H'|H']]; try (injection E as <- <-);
    try (apply down_members in H as D; destruct D); try (apply down_members in H' as D'; destruct D');
    try (injection E' as E1 E2; subst); eauto.
  apply (Apart (root t)); congruence.
Qed.

Section Tree.
Variable closed : nat -> nat -> bool.

Lemma away_down t : incl (away closed t) (broadcast t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; intros m H; [exact H|].
  rewrite !in_app_iff in H. cbn [In]. rewrite in_app_iff.
  destruct H as [H|[H|H]]; [right; left; now apply IHt|right; right; now apply IHu|left].
  destruct (closed (root u) (root t)); [destruct H|destruct H as [H|[]]; auto].
Qed.

Lemma tree_parts t : NoDup (members t) -> NoDup (away closed t) /\ NoDup (converge t) /\ NoDup (broadcast t).
Proof.
  induction t as [v|t IHt u IHu]; simpl; intro N; [repeat split; auto using NoDup_nil|].
  pose proof (NoDup_app_left _ _ N) as Nt. pose proof (NoDup_apart _ _ N) as Apart.
  assert (Nu : NoDup (members u)).
  { apply NoDup_app_left with (members t). eapply Permutation_NoDup; [apply Permutation_app_comm|exact N]. }
  destruct (IHt Nt) as (At & Ct & Bt), (IHu Nu) as (Au & Cu & Bu).
  assert (Only : forall m : message, NoDup [m]) by (intro m; repeat constructor; intros []).
  pose proof (root_member t) as Rt. pose proof (root_member u) as Ru. split; [|split].
  - apply (parts_different t u); auto.
    + intros i j I. now apply down_members, away_down.
    + intros i j I. now apply down_members, away_down.
    + intros i j I. destruct (closed (root u) (root t)); [destruct I|destruct I as [E|[]]].
      injection E as <- <-. firstorder.
    + destruct (closed (root u) (root t)); auto using NoDup_nil.
  - apply (parts_different t u); auto.
    + intros i j I. apply up_down, down_members in I. tauto.
    + intros i j I. apply up_down, down_members in I. tauto.
    + intros i j [E|[]]. injection E as <- <-. firstorder.
  - apply (Permutation_NoDup (l := broadcast t ++ broadcast u ++ [(root t, root u)])).
    { rewrite app_assoc. symmetry. apply Permutation_cons_append. }
    apply (parts_different t u); auto using down_members.
    intros i j [E|[]]. injection E as <- <-. firstorder.
Qed.

(** A message goes away from the root on a closed channel, and where none does the opposite channel is closed. *)
Lemma away_closed t : tree_of_closed closed t -> forall i j, In (i, j) (away closed t) -> closed i j = true.
Proof.
  induction t as [v|t IHt u IHu]; simpl; [tauto|]. intros (Tt & Tu & C) i j. rewrite !in_app_iff.
  intros [H|[H|H]]; auto.
  destruct (closed (root u) (root t)) eqn:E; [destruct H|destruct H as [H|[]]]. injection H as <- <-.
  destruct C as [C|C]; congruence.
Qed.
Lemma up_closed t i j : In (i, j) (converge t) -> ~ In (j, i) (away closed t) -> closed i j = true.
Proof.
  induction t as [v|t IHt u IHu]; simpl; [tauto|]. rewrite !in_app_iff.
  intros [H|[H|[H|[]]]] Not; [apply IHt; tauto|apply IHu; tauto|].
  injection H as <- <-. destruct (closed (root u) (root t)); auto. exfalso. simpl in Not. tauto.
Qed.

Lemma tree_seal_down t i j : In (i, j) (tree_seal closed t) -> In (i, j) (broadcast t) \/ In (j, i) (broadcast t).
Proof.
  unfold tree_seal. rewrite !in_app_iff, up_down. intros [H|[H|H]]; auto. left. now apply away_down.
Qed.
End Tree.

(** _Each transmission of Seal(P) uses a channel that is closed at the time of transmission_, whatever spanning tree
    of closed channels and whatever root are picked. *)
Theorem seal_construction_closed_when_sent : forall n P p closed t before i j rest,
  acts P = Some p -> balanced p ->
  (forall i j, i < n -> j < n -> closed i j = true -> closes RelNS P i j) ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) -> tree_seal closed t = before ++ (i, j) :: rest ->
  closes RelNS (Lay P (transmitting before)) i j.
Proof.
  intros n P p closed t before i j rest HP B Cl T Perm E. apply (closes_what_occurs P p); auto. intros N D.
  assert (Nm : NoDup (members t)) by (eapply Permutation_NoDup; [apply Permutation_sym, Perm|apply seq_NoDup]).
  assert (Below : forall v, In v (members t) -> v < n).
  { intros v H. apply (Permutation_in _ Perm), in_seq in H. lia. }
  assert (Known : forall a b, a < n -> b < n -> closed a b = true -> safe_message (learnt p) (a, b)).
  { intros a b Ha Hb C. apply Cl in C; auto. intros y Y. apply NNPP. intro X.
    refine (proj1 (open_is_not_closed P p a b HP B N D) _ C). split; [now exists y|]. intro R. now apply X, R. }
  destruct (tree_parts closed t Nm) as (Na & Nu & Nd).
  assert (S : each_safe (learnt p) (tree_seal closed t)).
  { apply parts_safe; auto using away_down, up_down, one_way.
    - intros a b. apply (learnt_own (a + b + 1)); lia.
    - intros [a b] I I'. apply up_down in I'. now apply (one_way t Nm a b).
    - intros [a b] I. pose proof (down_members t a b (away_down closed t _ I)) as []. apply Known; auto.
      now apply (away_closed closed t).
    - intros a b I Not. pose proof I as M. apply up_down, down_members in M as []. apply Known; auto.
      now apply (up_closed closed t). }
  rewrite E in S. apply each_safe_at in S. apply (safe_is_closed P p before i j); auto.
  intros [a b] I Same. cbn [fst snd] in Same. subst b.
  assert (X : In (a, a) (tree_seal closed t)) by (rewrite E; apply in_or_app; auto).
  apply tree_seal_down in X. assert (Y : In (a, a) (broadcast t)) by tauto. now apply (one_way t Nm a a).
Qed.

(** ** Balance is needed

    P sends 0->1, which nobody receives, and closes 1->0.  So Seal(P) is mt 1->0; mt 0->1, and its second message is
    sent on a channel that is not empty. *)

Definition one_send : prog := Send 0 1 (fun _ => 0%Z).
Definition back_first : list act := [ASend 0 1; ASend 1 0; ARecv 0 1].

Lemma one_send_closes : closes RelNS one_send 1 0.
Proof.
  intros r c d _ E O e [I In]. inversion O as [| |? ? ? ? ? D L _| | | | | | | |]; subst.
  assert (Le : forall k, c k <= d k) by (intro k; rewrite (D k); unfold bump; destruct (k =? 0); lia).
  assert (Later : forall v, inside c v -> inside d v)
    by (intros v J; unfold inside in *; specialize (Le (fst v)); lia).
  destruct In as [[Sn Un]|[Rc Out]].
  - apply (E 1 0 e). split; [|left; split; [exact Sn|intros e' a b R' I'; apply (Un e' a b R'); auto]].
    destruct Sn as [F _]. unfold inside in *. rewrite (D (fst e)) in I. rewrite F in *. exact I.
  - apply (E 1 0 e). split; [|right; split; [exact Rc|auto]].
    destruct e as [k x], Rc as [F Lx]. unfold inside in *. cbn [fst snd] in *. subst k. rewrite (D 0) in I. unfold bump in I. simpl in I.
    destruct (Nat.eq_dec x (c 0)) as [->|]; [congruence|lia].
Qed.

Lemma back_first_dead_free : dead_free back_first.
Proof.
  unfold dead_free. apply by_order with (fun x y => (fst x = fst y /\ snd x < snd y) \/ (fst x = 1 /\ fst y = 0)).
  - intros x [j y] [S|(a & b & [F L] & D)]; [now left|right]. cbn [fst snd] in *. subst b.
    apply fifo_lab in L as [L _]; [|discriminate].
    destruct j as [|[|j]], y as [|[|y]]; try discriminate; try now destruct y.
    vm_compute in D. now subst x.
  - intros x y z [[A1 A2]|[A1 A2]] [[B1 B2]|[B1 B2]]; lia.
  - intros x [[_ A]|[A B]]; lia.
Qed.

Theorem closed_when_sent_needs_balance : ~ forall n P p closed t before i j rest, acts P = Some p ->
  (forall i j, i < n -> j < n -> closed i j = true -> closes RelNS P i j) ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) -> tree_seal closed t = before ++ (i, j) :: rest ->
  closes RelNS (Lay P (transmitting before)) i j.
Proof.
  intro H. set (closed := fun i j => (i =? 1) && (j =? 0)).
  assert (C : closes RelNS (Lay one_send (transmitting [(1, 0)])) 0 1).
  { apply (H 2 one_send [ASend 0 1] closed (Child (Alone 0) (Alone 1)) [(1, 0)] 0 1 []); auto; [|simpl; auto].
    intros i j _ _ E. apply andb_true_iff in E as [E F]. apply Nat.eqb_eq in E, F. subst. apply one_send_closes. }
  destruct (straight_line_occurs (Lay one_send (transmitting [(1, 0)])) back_first eq_refl) as (r & R & E & O & St).
  - intros [|[|k]] I; simpl in I; intuition congruence.
  - apply back_first_dead_free.
  - apply (C r _ _ R E O (0, 0)). split; [now apply (labs_lt 0 back_first 0 (Snd 1))|left].
    destruct (stand_lab r _ back_first 0 0 (Snd 1) St eq_refl) as [L _]. split; [split; auto|].
    intros [k x] a b Rc I D. destruct (delta_snd r (proj1 (proj1 R)) _ _ _ Rc) as [Fa La]. rewrite D in Fa, La.
    simpl in Fa, La.
    assert (b = 1) as -> by (simpl in L; congruence). destruct Rc as [F Lx]. cbn [fst snd] in *. subst k.
    unfold inside in I. cbn [fst snd] in I. change (len back_first 1) with 1 in I. assert (x = 0) as -> by lia.
    destruct (stand_lab r _ back_first 1 0 (Snd 0) St eq_refl) as [L1 _]. simpl in L1. congruence.
Qed.
