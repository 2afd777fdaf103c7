(** * Root causes of repeated layers

    Two rounds decide which channels are root causes, in any number of rounds.  Each round's layers are layers of their
    own: a receive that takes a message of another round takes one of another layer. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Prefix Phases PhasesRepeated RootCauses.
Open Scope nat_scope.

(** More layers after these end no interference. *)
Lemma interferes_more ls ms i j : (forall l, In l ls -> fits l) -> interferes ls i j -> interferes (ls ++ ms) i j.
Proof.
  intros F [(before & x & rest & E & L & R)|N].
  - left. exists before, x, (rest ++ ms). split; [rewrite E, <- app_assoc; reflexivity|split; auto].
    rewrite concat_split, labs_app. apply in_or_app. now left.
  - right. intro R. apply N. intros before x rest E y z Last First.
    assert (E' : ls ++ ms = before ++ x :: (rest ++ ms)) by (rewrite E, <- app_assoc; reflexivity).
    pose proof (R before x _ E' y z Last) as P. rewrite concat_split in P.
    specialize (P (first_send_extend _ (concat ms) _ _ _ First)).
    pose proof (all_trimmed ls F) as Tr. destruct (trimmed_concat _ _ Tr) as [Th B].
    rewrite map_app, concat_split in P. apply fifo_back in P as [P _]; auto.
    unfold inside. simpl. rewrite (thinner_len _ _ Th), E, concat_split. simpl. rewrite !len_app.
    destruct First as [H _]. apply labs_lt in H. lia.
Qed.

Lemma map_rounds {A B} (f : A -> B) k ls : map f (rounds k ls) = rounds k (map f ls).
Proof. unfold rounds. induction k; simpl; auto. now rewrite map_app, IHk. Qed.

(** What interferes in any number of rounds, interferes in two. *)
Lemma interferes_two ls k i j : (forall l, In l ls -> fits l) -> interferes (rounds k ls) i j ->
  interferes (ls ++ ls) i j.
Proof.
  intros F [(before & x & rest & E & L & R)|N].
  - left. destruct (layer_of_round ls k before x rest E) as (q & m & as_ & bs & -> & Els & -> & ->).
    exists as_, x, (bs ++ ls). split; [rewrite Els at 1; now rewrite <- app_assoc|split; auto].
    rewrite concat_split, labs_app in *. apply in_or_app. apply in_app_or in R as [R|R]; [now left|right].
    clear - R. induction m as [|m IH]; [destruct R|]. unfold rounds in R. simpl in R.
    rewrite concat_split, labs_app in R.
    apply in_app_or in R as [R|R]; auto.
  - right. intro R. apply N. rewrite map_rounds. apply two_rounds_on; rewrite <- ?map_app; auto.
    + intros t I. apply in_map_iff in I as (l & <- & I). apply trim_trimmed, F, I.
    + pose proof (all_trimmed ls F) as T. clear - T. induction T as [|l t ls ts T _ IH]; constructor; auto.
      intro w. apply thinner_len, T.
    + intros l I a b y H. pose proof (F l I a b) as Le.
      pose proof (count_lt (rcvb a) _ _ _ H (proj2 (rcvb_spec a _) eq_refl)) as Lt.
      destruct (nthpos_spec (sndb b) (labs a l) 0) as (s & Hs & Bs & _); [lia|].
      apply sndb_spec in Bs. subst s. eauto.
Qed.

Section Repeated.
Variables (Ps : list prog) (ls : list (list act)).
Hypotheses (Ls : layers Ps ls) (F : forall l, In l ls -> fits l) (D : forall l, In l ls -> dead_free l).
Hypothesis N : nofself (concat ls).

Lemma rounds_root k i j : root_cause RelNS (rounds k Ps) (rounds k ls) i j <-> interferes (rounds k ls) i j.
Proof.
  apply root_causes; auto using layers_rounds, nofself_rounds; intros l I; apply in_rounds in I; auto.
Qed.

(** _In two rounds or more, the root causes are those of two_. *)
Theorem root_causes_repeated : forall k, 2 <= k ->
  forall i j, root_cause RelNS (rounds k Ps) (rounds k ls) i j <-> interferes (ls ++ ls) i j.
Proof.
  intros k K i j. rewrite rounds_root. split; [now apply interferes_two|]. intro I.
  replace k with (2 + (k - 2)) by lia. rewrite rounds_app. apply interferes_more.
  - intros l Il. apply in_rounds in Il. auto.
  - unfold rounds. simpl. now rewrite app_nil_r.
Qed.

(** _A channel is a root cause in some number of rounds exactly if it is one in two_ ... *)
Theorem two_rounds_decide : forall i j,
  (exists k, root_cause RelNS (rounds k Ps) (rounds k ls) i j) <-> interferes (ls ++ ls) i j.
Proof.
  intros i j. split.
  - intros (k & R). apply rounds_root in R. now apply interferes_two in R.
  - intro I. exists 2. now apply root_causes_repeated.
Qed.

(** _... and these are what tags are needed on, and enough, in any number of rounds_. *)
Theorem tags_repeated : forall tagged,
  (forall k, stay_apart_tagged RelNS tagged (rounds k Ps) (rounds k ls)) <->
  forall i j, interferes (ls ++ ls) i j -> tagged i j.
Proof.
  intro tagged. assert (T : forall k, stay_apart_tagged RelNS tagged (rounds k Ps) (rounds k ls) <->
      forall i j, root_cause RelNS (rounds k Ps) (rounds k ls) i j -> tagged i j).
  { intro k. apply tags_on_root_causes; auto using layers_rounds, nofself_rounds; intros l I;
      apply in_rounds in I; auto. }
  split.
  - intros S i j I. apply (proj1 (T 2) (S 2)). now apply root_causes_repeated.
  - intros H k. apply T. intros i j R. apply H, two_rounds_decide. now exists k.
Qed.
End Repeated.
