(** * Straight-line programs over infinite intervals

    "A cut is a pair (r, c) consisting of a run r and a family c = (c_i) of elements of N + infinity."  A straight-line
    program can begin at a cut at which some processes have gone on for ever.  What these are to do in it leaves no
    event, whether they can act again or not ([acts_on]), so that for the others it is another program: without the
    messages to and from them.  Of balanced programs that do not deadlock, that makes no difference: they seal, are TCC,
    and stay apart over all intervals exactly if they do so over finite ones.  So what the other files say of them over
    finite intervals holds over infinite ones.

    Why: after a silent cut nobody can receive what a process sends that has gone on for ever, as all its sends are
    before the cut.  So the others cause each other's events among themselves, and the rest of the program graph can be
    left out ([path_among_these]).

    Programs that deadlock are another matter ([bsl_seals_infinite_needs_deadlock_freedom] in [HypothesesInfinite]).

    Theorems of the ledger: [bsl_seals_infinite], [bsl_tcc_infinite], [bsl_layers_infinite], [bsl_ccl_infinite]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine SealingByCausality Phases Bsl.
From Sealcheck Require Import InfiniteCuts InfiniteSealAlgebra Restriction.
Open Scope nat_scope.

(** ** Where a straight-line program occurs *)

(** Its labels stand in the run, where a process can still do something; it ends so many events later. *)
Definition istanding (r : run) (c : icut) (l : list act) := forall i k, c i = Some k ->
  labs i l = map (lab r i) (seq k (len l i)).
Definition end_of (c : icut) (l : list act) : icut := fun i => option_map (fun k => k + len l i) (c i).

Lemma end_of_app c a b : iceq (end_of (end_of c a) b) (end_of c (a ++ b)).
Proof. intro i. unfold end_of. destruct (c i); simpl; auto. rewrite len_app. f_equal. lia. Qed.
Lemma istanding_app r c a b : istanding r c a -> istanding r (end_of c a) b -> istanding r c (a ++ b).
Proof.
  intros A B i k E. rewrite labs_app, len_app, seq_app, map_app, <- (A i k E).
  rewrite <- (B i (k + len a i)); [reflexivity|]. unfold end_of. now rewrite E.
Qed.
Lemma istanding_iceq r c d l : iceq c d -> istanding r c l -> istanding r d l.
Proof. intros E S i k D. apply S. now rewrite (E i). Qed.
Lemma end_of_iceq c d l : iceq c d -> iceq (end_of c l) (end_of d l).
Proof. intros E i. unfold end_of. now rewrite (E i). Qed.
Lemma one_stands u r c d a does : makes_step u c d (actor a) does -> (forall k, does k -> lab r (actor a) k = alab a) ->
  iceq d (end_of c [a]) /\ istanding r c [a].
Proof.
  intros M L. unfold makes_step in M.
  assert (Idle : forall i, i <> actor a -> labs i [a] = [] /\ len [a] i = 0).
  { intros i N. unfold labs, len, proj. simpl. rewrite Nat.eqb_sym. apply Nat.eqb_neq in N. now rewrite N. }
  assert (Acts : labs (actor a) [a] = [alab a] /\ len [a] (actor a) = 1).
  { unfold labs, len, proj. simpl. now rewrite Nat.eqb_refl. }
  split.
  - intro i. unfold end_of. destruct (Nat.eq_dec i (actor a)) as [->|N].
    + destruct Acts as [_ ->]. destruct (c (actor a)) as [k|] eqn:C; destruct M as [_ M]; rewrite (M (actor a)); simpl.
      * rewrite Nat.eqb_refl. f_equal. lia.
      * now rewrite C.
    + destruct (Idle i N) as [_ ->]. apply Nat.eqb_neq in N.
      destruct (c (actor a)); destruct M as [_ M]; rewrite (M i), ?N; destruct (c i); simpl; auto.
  - intros i k C. destruct (Nat.eq_dec i (actor a)) as [->|N].
    + destruct Acts as [-> ->]. rewrite C in M. destruct M as [D _]. simpl. now rewrite (L k D).
    + destruct (Idle i N) as [-> ->]. reflexivity.
Qed.
Lemma ioccurs_stands u r P l : acts P = Some l -> forall c d, ioccurs u r c P d ->
  iceq d (end_of c l) /\ istanding r c l.
Proof.
  revert l. induction P; intros l A c d O; simpl in A; try discriminate; inversion O; subst; try (injection A as <-).
  - split; [|intros i k _; reflexivity]. intro i. rewrite <- (H i). unfold end_of. destruct (c i); simpl; auto.
  - eapply (one_stands u r c d (AInt i)); [eassumption|]. simpl. tauto.
  - eapply (one_stands u r c d (ASend i j)); [eassumption|]. simpl. tauto.
  - eapply (one_stands u r c d (ARecv j i)); [eassumption|]. simpl. auto.
  - destruct (acts P1) as [a|]; [|discriminate]. destruct (acts P2) as [b|]; [|discriminate]. injection A as <-.
    destruct (IHP1 a eq_refl c m) as [E1 S1]; auto. destruct (IHP2 b eq_refl m d) as [E2 S2]; auto. split.
    + eapply iceq_trans; [exact E2|]. eapply iceq_trans; [apply end_of_iceq, E1|apply end_of_app].
    + apply istanding_app; auto. eapply istanding_iceq; eauto.
Qed.

(** ** Among the processes that have not gone on for ever *)

Section Among.
Variable keeps : proc -> proc -> bool.

(** The program without the other messages. *)
Definition without_others (a : act) : act :=
  match a with
  | ASend i j => if keeps i j then a else AInt i
  | ARecv j i => if keeps i j then a else AInt j
  | AInt i => a
  end.
Lemma without_labs i l : labs i (map without_others l) = map (kept_label keeps i) (labs i l).
Proof.
  assert (A : forall a, actor (without_others a) = actor a /\ alab (without_others a) =
    kept_label keeps (actor a) (alab a)).
  { intros [a b|b a|a]; simpl; auto; destruct (keeps a b); auto. }
  unfold labs, proj. induction l as [|a l IH]; simpl; auto. destruct (A a) as [-> Al].
  destruct (actor a =? i) eqn:Q; simpl; auto. apply Nat.eqb_eq in Q. subst i. now rewrite Al, IH.
Qed.
Lemma without_len i l : len (map without_others l) i = len l i.
Proof. rewrite <- !len_labs, without_labs. apply map_length. Qed.

(** Its labels. *)
Lemma kept_snd i a j : kept_label keeps i a = Snd j <-> a = Snd j /\ keeps i j = true.
Proof.
  split.
  - intro E. destruct a as [k|k|]; simpl in E; try discriminate;
      match type of E with (if ?b then _ else _) = _ => destruct b eqn:K end; try discriminate. injection E as ->. auto.
  - intros [-> K]. simpl. now rewrite K.
Qed.
Lemma kept_rcv j a i : kept_label keeps j a = Rcv i <-> a = Rcv i /\ keeps i j = true.
Proof.
  split.
  - intro E. destruct a as [k|k|]; simpl in E; try discriminate;
      match type of E with (if ?b then _ else _) = _ => destruct b eqn:K end; try discriminate. injection E as ->. auto.
  - intros [-> K]. simpl. now rewrite K.
Qed.
Lemma without_nth i l k a : nth_error (labs i (map without_others l)) k = Some a ->
  exists b, nth_error (labs i l) k = Some b /\ a = kept_label keeps i b.
Proof.
  rewrite without_labs, nth_error_map. destruct (nth_error (labs i l) k); simpl; [|discriminate].
  intro E. injection E as <-. eauto.
Qed.
Lemma without_snd i l k j : nth_error (labs i (map without_others l)) k = Some (Snd j) ->
  nth_error (labs i l) k = Some (Snd j) /\ keeps i j = true.
Proof. intro H. apply without_nth in H as (b & H & E). symmetry in E. apply kept_snd in E as [-> K]. auto. Qed.
Lemma without_rcv j l k i : nth_error (labs j (map without_others l)) k = Some (Rcv i) ->
  nth_error (labs j l) k = Some (Rcv i) /\ keeps i j = true.
Proof. intro H. apply without_nth in H as (b & H & E). symmetry in E. apply kept_rcv in E as [-> K]. auto. Qed.

(** The channels that stay are counted as before. *)
Lemma sndb_kept i j a : keeps i j = true -> sndb j (kept_label keeps i a) = sndb j a.
Proof.
  intro K. destruct (sndb j a) eqn:E.
  - apply sndb_spec in E. subst a. apply sndb_spec. now apply kept_snd.
  - destruct (sndb j (kept_label keeps i a)) eqn:F; auto. apply sndb_spec, kept_snd in F as [F _]. apply sndb_spec in F.
    congruence.
Qed.
Lemma rcvb_kept i j a : keeps i j = true -> rcvb i (kept_label keeps j a) = rcvb i a.
Proof.
  intro K. destruct (rcvb i a) eqn:E.
  - apply rcvb_spec in E. subst a. apply rcvb_spec. now apply kept_rcv.
  - destruct (rcvb i (kept_label keeps j a)) eqn:F; auto. apply rcvb_spec, kept_rcv in F as [F _]. apply rcvb_spec in F.
    congruence.
Qed.
Lemma nthpos_map {A B} (f : B -> bool) (g : A -> B) l k : nthpos f (map g l) k = nthpos (fun x => f (g x)) l k.
Proof. revert k. induction l as [|a l IH]; intro k; simpl; auto. destruct (f (g a)); [destruct k|]; auto. Qed.
Lemma nthpos_ext {A} (f g : A -> bool) l k : (forall x, f x = g x) -> nthpos f l k = nthpos g l k.
Proof. intro E. revert k. induction l as [|a l IH]; intro k; simpl; auto. rewrite E. destruct (g a); [destruct k|];
  auto. Qed.

Lemma without_balanced l : balanced l -> balanced (map without_others l).
Proof.
  intros B i j. rewrite !without_labs, <- !count_map. destruct (keeps i j) eqn:K.
  - rewrite (filter_ext _ (sndb j)) by (intro; now apply sndb_kept).
    rewrite (filter_ext (fun x => rcvb i (kept_label keeps j x)) (rcvb i)) by (intro; now apply rcvb_kept). apply B.
  - assert (None : forall (f : label -> bool) s, (forall a, f a = false) -> length (filter f s) = 0).
    { intros f s F. induction s as [|a s IH]; simpl; auto. now rewrite F. }
    rewrite !None; auto; intro a.
    + destruct (rcvb i (kept_label keeps j a)) eqn:E; auto. apply rcvb_spec, kept_rcv in E as [_ E]. congruence.
    + destruct (sndb j (kept_label keeps i a)) eqn:E; auto. apply sndb_spec, kept_snd in E as [_ E]. congruence.
Qed.

(** Its oldest-first run is the restriction of the program's. *)
Lemma without_step l x w : step (restrict keeps (fifo l)) x w -> step (fifo (map without_others l)) x w.
Proof.
  intros [S|(i & j & R & D)]; [now left|]. apply restrict_rcv in R as [R K]. right. exists i, j.
  destruct w as [j' y]. destruct R as [F L]. simpl in F. subst j'. apply fifo_lab in L as [L _]; [|discriminate].
  cbn [fst snd] in L. split.
  - split; [reflexivity|]. simpl. rewrite without_labs, nth_error_map, L. simpl. now rewrite K.
  - simpl in D. rewrite L in D. simpl. rewrite !without_labs, nth_error_map, L. simpl. rewrite K, <- D. f_equal.
    rewrite without_labs, nthpos_map, firstn_map, <- count_map.
    rewrite (filter_ext (fun x => rcvb i (kept_label keeps j x)) (rcvb i)) by (intro; now apply rcvb_kept).
    apply nthpos_ext. intro; now apply sndb_kept.
Qed.
Lemma without_causes l x w : causes (restrict keeps (fifo l)) x w -> causes (fifo (map without_others l)) x w.
Proof. induction 1; [apply t_step, without_step; auto|eapply t_trans; eauto]. Qed.
End Among.

(** ** What holds at finite cuts holds at others *)

Section Transfer.
Variables (r : run) (c : icut) (l : list act).
Hypotheses (M : matching r) (Sc : isilent r c) (St : istanding r c l).

(** The processes that have not gone on for ever, and the channels between them. *)
Definition still_here (i : proc) : bool := match c i with Some _ => true | None => false end.
Definition here (i j : proc) : bool := still_here i && still_here j.
Let l' := map (without_others here) l.

Lemma here_iff i j : here i j = true <-> (exists k, c i = Some k) /\ exists k, c j = Some k.
Proof.
  unfold here, still_here. rewrite andb_true_iff. split.
  - intros [A B]. destruct (c i), (c j); try discriminate. eauto.
  - intros [[k ->] [k' ->]]. auto.
Qed.

(** In the restricted run, the program without the others stands after a finite cut. *)
Lemma without_others_stands : standing (restrict here r) (unfin c) l'.
Proof.
  intro i. unfold l'. rewrite without_labs, without_len. unfold unfin. destruct (c i) as [k|] eqn:C.
  - rewrite (St i k C), map_map. reflexivity.
  - assert (N : forall a, kept_label here i a = Int).
    { intro a. destruct a as [j|j|]; simpl; auto; destruct (here _ _) eqn:K; auto; apply here_iff in K;
        destruct K as [[x X] [y Y]]; congruence. }
    simpl. rewrite <- (len_labs i l). generalize 0. induction (labs i l) as [|a s IH]; intro x; simpl; auto.
    now rewrite !N, (IH (S x)).
Qed.
Lemma inside_here d e k : d (fst e) = Some k -> (iinside d e <-> inside (unfin d) e).
Proof. intro D. unfold iinside, inside, unfin. now rewrite D. Qed.
Lemma without_others_silent : silent (restrict here r) (unfin c).
Proof.
  intros e i j R. apply restrict_rcv in R as [R K]. apply here_iff in K as [[x X] [y Y]].
  pose proof (delta_snd r M _ _ _ R) as [F _]. pose proof R as [F' _].
  rewrite <- (inside_here c e y), <- (inside_here c (delta r e) x); try congruence. exact (Sc e i j R).
Qed.

(** And if there is a silent cut there after some of it, then it is silent in the run. *)
Lemma silent_among_others a : silent (restrict here r) (fun i => unfin c i + len a i) -> isilent r (end_of c a).
Proof.
  intros S e i j R. pose proof (delta_snd r M _ _ _ R) as [F _]. pose proof R as [F' _].
  assert (Up : forall x, iinside c x -> iinside (end_of c a) x).
  { intros x I. unfold iinside, end_of in *. destruct (c (fst x)); simpl; auto. lia. }
  assert (Far : forall x, c (fst x) = None -> iinside c x /\ iinside (end_of c a) x).
  { intros x N. unfold iinside, end_of. rewrite N. simpl. auto. }
  assert (Near : forall x k, c (fst x) = Some k -> (iinside (end_of c a) x <-> inside (fun i => unfin c i + len a i) x)).
  { intros x k E. unfold iinside, inside, end_of, unfin. rewrite E. simpl. tauto. }
  destruct (c i) as [k|] eqn:Ci; [destruct (c j) as [k'|] eqn:Cj|].
  - rewrite (Near e k'), (Near (delta r e) k) by congruence. apply (S e i j). apply restrict_rcv. split; auto.
    apply here_iff. eauto.
  - destruct (Far e) as [I1 I2]; [congruence|]. apply (Sc e i j R) in I1. split; auto.
  - destruct (Far (delta r e)) as [I1 I2]; [congruence|]. apply (Sc e i j R) in I1. split; auto.
Qed.
Lemma silent_without_others a : isilent r (end_of c a) -> silent (restrict here r) (fun i => unfin c i + len a i).
Proof.
  intros S e i j R. apply restrict_rcv in R as [R K]. apply here_iff in K as [[x X] [y Y]].
  pose proof (delta_snd r M _ _ _ R) as [F _]. pose proof R as [F' _]. pose proof (S e i j R) as I.
  change (delta (restrict here r) e) with (delta r e). unfold iinside, inside, end_of, unfin in *.
  rewrite F, F', X, Y in *. exact I.
Qed.

(** Nobody here receives from others: all that they send is before the cut. *)
Lemma receives_from_here i j y : nth_error (labs j l) y = Some (Rcv i) -> still_here j = true -> here i j = true.
Proof.
  intros H Hj. apply here_iff. unfold still_here in Hj. destruct (c j) as [k|] eqn:Cj; [|discriminate]. split; [|eauto].
  destruct (c i) as [x|] eqn:Ci; [eauto|]. exfalso. rewrite (St j k Cj) in H. apply nth_map_seq in H as [H _].
  assert (R : is_rcv r (j, k + y) i j) by (split; auto). destruct (delta_snd r M _ _ _ R) as [F _].
  assert (I : iinside c (delta r (j, k + y))) by (unfold iinside; now rewrite F, Ci).
  apply (Sc _ _ _ R) in I. unfold iinside in I. cbn [fst snd] in I. rewrite Cj in I. lia.
Qed.
(** So paths between events of those here go along them. *)
Lemma path_among_these x w : causes (fifo l) x w -> still_here (fst w) = true ->
  still_here (fst x) = true /\ causes (fifo l') x w.
Proof.
  intro C. apply clos_trans_tn1 in C.
  assert (One : forall v w, step (fifo l) v w -> still_here (fst w) = true ->
    still_here (fst v) = true /\ step (fifo l') v w).
  { intros v u S Hu. destruct S as [[F L]|(i & j & R & D)].
    - split; [congruence|]. now left.
    - pose proof R as [F L]. destruct u as [j' y]. simpl in F. subst j'. apply fifo_lab in L as [L _]; [|discriminate].
      cbn [fst snd] in *. pose proof (receives_from_here i j y L Hu) as K. split.
      + apply here_iff in K as [[k Ck] _]. assert (fst v = i) as ->; [|unfold still_here; now rewrite Ck].
        rewrite <- D. simpl. now rewrite L.
      + apply without_step. right. exists i, j. split; [now apply restrict_rcv|exact D]. }
  induction C as [w S|v w S C IH]; intro Hw.
  - destruct (One x w S Hw). split; [auto|now apply t_step].
  - destruct (One v w S Hw) as [Hv Sv]. destruct (IH Hv) as [Hx Cx]. split; auto. eapply t_trans;
      [exact Cx|now apply t_step].
Qed.

(** What the criteria ask of a program, they ask of the program without the others. *)
Lemma without_covers a b : l = a ++ b -> covers a b -> covers (map (without_others here) a) (map (without_others here) b).
Proof.
  intros E Cov i j y z Hy Hz. apply without_rcv in Hy as [Hy K]. pose proof K as K'. apply here_iff in K' as [[x X] _].
  rewrite <- map_app, <- E. apply path_among_these; [|unfold still_here; simpl; now rewrite X].
  rewrite E. apply (Cov i j y z Hy). rewrite without_len in Hz. rewrite <- map_app, without_len in Hz.
  destruct Hz as [->|[L Hz]]; [now left|right]. split; auto. now apply without_snd in Hz.
Qed.
Lemma without_kept_apart a b : l = a ++ b -> kept_apart a b ->
  kept_apart (map (without_others here) a) (map (without_others here) b).
Proof.
  intros E Cov i j y z Hy Hz. apply without_rcv in Hy as [Hy K]. pose proof K as K'. apply here_iff in K' as [[x X] _].
  rewrite <- map_app, <- E, without_len. apply path_among_these; [|unfold still_here; simpl; now rewrite X].
  rewrite E. apply Cov; auto. now apply without_snd in Hz.
Qed.

(** So a boundary that is silent at every finite cut is silent here. *)
Lemma boundary_silent a b : l = a ++ b -> balanced a -> balanced b -> covers a b -> isilent r (end_of c a).
Proof.
  intros E Ba Bb Cov. apply silent_among_others. pose proof without_others_stands as S. unfold l' in S.
  rewrite E, map_app in S. pose proof (without_covers a b E Cov) as Cov'.
  assert (B : balanced (map (without_others here) a ++ map (without_others here) b)).
  { rewrite <- map_app. now apply without_balanced, balanced_app. }
  apply (silent_ceq _ (fun i => unfin c i + len (map (without_others here) a) i)).
  - intro i. now rewrite without_len.
  - apply inside_suffices; auto using restrict_matching, without_others_silent, without_balanced.
    + now apply standing_app in S.
    + apply (covers_inside _ _ _ (map (without_others here) b)); auto using restrict_matching, without_others_silent.
Qed.
Lemma boundary_silent_between a b : l = a ++ b -> balanced a -> balanced b -> kept_apart a b ->
  isilent r (end_of c l) -> isilent r (end_of c a).
Proof.
  intros E Ba Bb K Sd. apply silent_among_others. pose proof without_others_stands as S. unfold l' in S.
  rewrite E, map_app in S. pose proof (without_kept_apart a b E K) as K'.
  assert (B : balanced (map (without_others here) a ++ map (without_others here) b)).
  { rewrite <- map_app. now apply without_balanced, balanced_app. }
  apply (silent_ceq _ (fun i => unfin c i + len (map (without_others here) a) i)).
  - intro i. now rewrite without_len.
  - apply kept_apart_silent with (map (without_others here) b);
      auto using restrict_matching, without_others_silent, without_balanced.
    apply (silent_ceq _ (fun i => unfin c i + len l i)); [|now apply silent_without_others].
    intro i. rewrite <- map_app, <- E. now rewrite without_len.
Qed.
End Transfer.

(** ** Seals *)

(** What programs do from a finite cut on, they do over a finite interval: straight-line programs never diverge. *)
Lemma straight_line_never_diverges u (G : run -> Prop) Q P q : acts Q = Some q -> never_diverges_after u G Q P.
Proof.
  intros HQ r c d d' _ _ O F. apply ichop_first in O as [_ O]. eapply straight_line_finite; eauto.
Qed.

Lemma seals_infinite_in u (G : run -> Prop) P Q p q : (forall r, G r -> matching r) ->
  acts P = Some p -> acts Q = Some q -> balanced p -> balanced q -> (Seals G Q P -> covers p q) ->
  (iSeals u G Q P <-> Seals G Q P) /\ (properly_seals u G Q P <-> Seals G Q P).
Proof.
  intros GM HP HQ Bp Bq Cov.
  assert (X : iSeals u G Q P <-> Seals G Q P).
  { split; [apply irefines_refines|]. intro S. apply iseals_iff. intros r c d g Sc O. pose proof (GM r g) as M.
    apply ilay_iff in O as (m & O1 & O2). exists m. split; [auto|split; [|auto]].
    destruct (ioccurs_stands u r P p HP _ _ O1) as [E1 S1]. destruct (ioccurs_stands u r Q q HQ _ _ O2) as [_ S2].
    apply (isilent_iceq r (end_of c p)); [now apply iceq_sym|]. apply (boundary_silent r c (p ++ q)) with q; auto.
    apply istanding_app; auto. eapply istanding_iceq; eauto. }
  split; [exact X|]. unfold properly_seals. pose proof (straight_line_never_diverges u G Q P q HQ). tauto.
Qed.

(** _A BSL seals another one over all intervals exactly if it does over finite ones, and then it is a proper seal_. *)
Theorem bsl_seals_infinite : forall u P Q p q, acts P = Some p -> acts Q = Some q -> balanced p -> balanced q ->
  dead_free (p ++ q) ->
  (iSeals u Rel Q P <-> Seals Rel Q P) /\ (properly_seals u Rel Q P <-> Seals Rel Q P) /\
  (nofself (p ++ q) ->
    (iSeals u RelNS Q P <-> Seals RelNS Q P) /\ (properly_seals u RelNS Q P <-> Seals RelNS Q P)).
Proof.
  intros u P Q p q HP HQ Bp Bq D. rewrite <- and_assoc. split.
  - apply (seals_infinite_in u Rel P Q p q); auto; [now intros r [[M _] _]|].
    now apply (sealing_is_causality_self P Q p q).
  - intro N. apply (seals_infinite_in u RelNS P Q p q); auto; [now intros r [[[M _] _] _]|].
    now apply (sealing_is_causality P Q p q).
Qed.

(** _A BSL is TCC over all intervals exactly if it is TCC over finite ones_. *)
Theorem bsl_tcc_infinite : forall u P p, acts P = Some p -> balanced p -> dead_free p ->
  (iTCC u Rel P <-> TCC Rel P) /\ (nofself p -> (iTCC u RelNS P <-> TCC RelNS P)).
Proof.
  intros u P p HP B D. assert (B0 : balanced []) by (intros i j; reflexivity).
  destruct (bsl_seals_infinite u P Eps p [] HP eq_refl B B0) as (S & _ & SN); rewrite app_nil_r in *; auto.
  assert (X : forall G, iTCC u G P <-> iSeals u G Eps P) by (intro G; apply seal_algebra_6_infinite).
  split; [|intro N; destruct (SN N) as [SN' _]]; rewrite X, <- sealed_by_eps; auto.
Qed.

(** ** Layers *)

(** They stay apart over all intervals, if nobody else sends them messages or takes theirs; or whatever follows. *)
Definition istay_apart u (G : run -> Prop) (Ps : list prog) :=
  irefines u G (Lay Chop (Lay (sequence Ps) Chop)) (apart Ps).
Definition istay_apart_open u (G : run -> Prop) (Ps : list prog) := irefines u G (Lay Chop (sequence Ps)) (apart Ps).

Lemma iapart_iff u r Ps ls : layers Ps ls -> forall c d, ioccurs u r c (apart Ps) d <->
  ioccurs u r c (sequence Ps) d /\
  forall as_ bs, ls = as_ ++ bs -> as_ <> [] -> isilent r (end_of c (concat as_)).
Proof.
  induction 1 as [|P l Ps ls A Ls IH]; intros c d; simpl.
  - split; [|tauto]. intro O. split; auto. intros as_ bs E N. destruct as_; [congruence|discriminate].
  - rewrite ichop_middle, ilay_iff.
    assert (Same : forall m as_, iceq m (end_of c l) -> iceq (end_of m (concat as_)) (end_of c (concat (l :: as_)))).
    { intros m as_ E. eapply iceq_trans; [apply end_of_iceq, E|]. apply end_of_app. }
    assert (Nil : iceq (end_of c (concat [l])) (end_of c l)).
    { intro i. simpl. now rewrite app_nil_r. }
    split.
    + intros (m & O1 & Sm & O2). apply IH in O2 as [O2 S2]. destruct (ioccurs_stands u r P l A _ _ O1) as [E1 _].
      split; [exists m; auto|]. intros [|x as_] bs E N; [congruence|]. injection E as <- E. destruct as_ as [|y as_].
      * apply (isilent_iceq r m); auto. eapply iceq_trans; [exact E1|now apply iceq_sym].
      * apply (isilent_iceq r (end_of m (concat (y :: as_)))); [now apply Same|]. apply (S2 _ bs); auto. discriminate.
    + intros [(m & O1 & O2) S]. destruct (ioccurs_stands u r P l A _ _ O1) as [E1 _]. exists m. split; auto. split.
      * apply (isilent_iceq r (end_of c (concat [l]))).
        -- eapply iceq_trans; [exact Nil|now apply iceq_sym].
        -- apply (S [l] ls); auto. discriminate.
      * apply IH. split; auto. intros as_ bs E N.
        apply (isilent_iceq r (end_of c (concat (l :: as_)))); [now apply iceq_sym, Same|].
        apply (S (l :: as_) bs); [simpl; congruence|discriminate].
Qed.

Lemma layers_infinite_in u (G : run -> Prop) Ps ls : (forall r, G r -> matching r) -> layers Ps ls ->
  (forall l, In l ls -> balanced l) ->
  ((stay_apart G Ps -> reaches_next ls) -> (istay_apart u G Ps <-> stay_apart G Ps)) /\
  ((stay_apart_open G Ps -> reaches_next_or_end ls) -> (istay_apart_open u G Ps <-> stay_apart_open G Ps)).
Proof.
  intros GM Ls B. pose proof (sequence_acts Ps ls Ls) as HP.
  assert (Parts : forall as_ bs, ls = as_ ++ bs -> balanced (concat as_) /\ balanced (concat bs)).
  { intros as_ bs ->. split; apply balanced_concat; intros l I; apply B, in_or_app; auto. }
  split; intro K; (split; [apply irefines_refines|]); intros S r c d g O; pose proof (GM r g) as M;
    apply ichop_first in O as [Sc O].
  - apply ichop_last in O as [O Sd]. apply (iapart_iff u r Ps ls Ls). split; auto. intros as_ bs E _.
    destruct (Parts as_ bs E) as [Ba Bb]. destruct (ioccurs_stands u r _ _ HP _ _ O) as [Ed St].
    apply (boundary_silent_between r c (concat ls)) with (concat bs); auto.
    + now rewrite E, concat_split.
    + apply (boundaries ls); auto.
    + now apply (isilent_iceq r d).
  - apply (iapart_iff u r Ps ls Ls). split; auto. intros as_ bs E _.
    destruct (Parts as_ bs E) as [Ba Bb]. destruct (ioccurs_stands u r _ _ HP _ _ O) as [_ St].
    apply (boundary_silent r c (concat ls)) with (concat bs); auto.
    + now rewrite E, concat_split.
    + apply (boundary_covers ls); auto.
Qed.

(** _Balanced layers in sequence stay apart over all intervals exactly if they do over finite ones_. *)
Theorem bsl_layers_infinite : forall u Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  dead_free (concat ls) ->
  (istay_apart u Rel Ps <-> stay_apart Rel Ps) /\ (istay_apart_open u Rel Ps <-> stay_apart_open Rel Ps) /\
  (nofself (concat ls) ->
    (istay_apart u RelNS Ps <-> stay_apart RelNS Ps) /\ (istay_apart_open u RelNS Ps <-> stay_apart_open RelNS Ps)).
Proof.
  intros u Ps ls Ls B D. destruct (phases_self Ps ls Ls B D) as [A O].
  destruct (layers_infinite_in u Rel Ps ls) as [X Y]; auto; [now intros r [[M _] _]|].
  split; [tauto|split; [tauto|]]. intro N. pose proof (phases Ps ls Ls B N D) as A'.
  pose proof (phases_open Ps ls Ls B N D) as O'.
  destruct (layers_infinite_in u RelNS Ps ls) as [X' Y']; auto; [now intros r [[[M _] _] _]|]. tauto.
Qed.

(** "The program L is a CCL in the program P . L . Q": of three layers. *)
Lemma ccl_apart G P L Q : CCL G P L Q -> stay_apart G [P; L; Q].
Proof.
  intros H r c d g O. apply chop_first in O as [Sc O]. apply chop_last in O as [O Sd].
  apply lay_iff in O as (m & O1 & O). apply lay_iff in O as (n & O2 & O). apply lay_iff in O as (x & O3 & E).
  inversion E as [? ? Ex| | | | | | | | | |]; subst.
  assert (W : occurs r c (Lay P (Lay Chop (Lay L (Lay Chop Q)))) d).
  { apply H; [exact g|]. apply chop_first. split; [exact Sc|]. apply lay_iff. exists m. split; [exact O1|].
    apply lay_iff. exists n. split; [exact O2|]. apply chop_last. split; [|exact Sd].
    apply (occurs_ceq r n Q x); auto using ceq_refl. }
  apply chop_middle in W as (m' & A1 & S1 & W). apply chop_middle in W as (n' & A2 & S2 & A3).
  simpl. apply chop_middle. exists m'. split; [auto|split; [auto|]]. apply chop_middle. exists n'.
  split; [auto|split; [auto|]]. apply chop_middle. exists d. split; [auto|split; [auto|apply O_eps, ceq_refl]].
Qed.
Lemma iapart_ccl u G P L Q : istay_apart u G [P; L; Q] -> iCCL u G P L Q.
Proof.
  intros H r c d g O. apply ichop_first in O as [Sc O]. apply ilay_iff in O as (m & O1 & O).
  apply ilay_iff in O as (n & O2 & O). apply ichop_last in O as [O3 Sd].
  assert (W : ioccurs u r c (apart [P; L; Q]) d).
  { apply H; [exact g|]. apply ichop_first. split; [exact Sc|]. apply ichop_last. split; [|exact Sd].
    simpl. apply ilay_iff. exists m. split; [exact O1|]. apply ilay_iff. exists n. split; [exact O2|].
    apply ilay_iff. exists d. split; [exact O3|apply I_eps, iceq_refl]. }
  simpl in W. apply ichop_middle in W as (m' & A1 & S1 & W). apply ichop_middle in W as (n' & A2 & S2 & W).
  apply ichop_middle in W as (x & A3 & _ & E). inversion E as [? ? Ex| | | | | | | | | | |]; subst.
  apply ichop_middle. exists m'. split; [auto|split; [auto|]]. apply ichop_middle. exists n'.
  split; [auto|split; [auto|]]. apply (ioccurs_iceq u r n' Q x); auto using iceq_refl.
Qed.

(** _A BSL is a CCL between BSLs over all intervals exactly if it is one over finite ones_. *)
Theorem bsl_ccl_infinite : forall u P L Q p l q, acts P = Some p -> acts L = Some l -> acts Q = Some q ->
  balanced p -> balanced l -> balanced q -> dead_free (p ++ l ++ q) ->
  (iCCL u Rel P L Q <-> CCL Rel P L Q) /\ (nofself (p ++ l ++ q) -> (iCCL u RelNS P L Q <-> CCL RelNS P L Q)).
Proof.
  intros u P L Q p l q HP HL HQ Bp Bl Bq D.
  assert (Ls : layers [P; L; Q] [p; l; q]) by (repeat constructor; auto).
  assert (B : forall x, In x [p; l; q] -> balanced x) by (intros x [<-|[<-|[<-|[]]]]; auto).
  assert (E : concat [p; l; q] = p ++ l ++ q) by (simpl; now rewrite app_nil_r).
  destruct (bsl_layers_infinite u _ _ Ls B) as (A & _ & N); [now rewrite E|]. rewrite E in N.
  split; [|intro Ns; destruct (N Ns) as [A' _]]; (split; [apply irefines_refines|]); intro C; apply iapart_ccl.
  - now apply A, ccl_apart.
  - now apply A', ccl_apart.
Qed.
