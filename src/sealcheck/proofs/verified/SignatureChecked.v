(** * Signatures of programs, read off their clocks

    What a row says of the signature of P: for each node that stays, with which ends it is joined, or with which starts;
    and which starts are joined with which ends.  What is accepted is the paper's signature:
    [check_signature_correct]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine DecideSealing CausalPast Decider KnowledgeDecider.
From Sealcheck Require Import Tries Clocks Checker CheckerCorrect.

Definition channel_said := ((proc * proc) * list proc)%type.

Record signature := {
  of_receives : list channel_said;       (** a channel, and the processes whose ends its last receive reaches *)
  of_sends : list channel_said;          (** a channel, and the processes whose starts reach its first send *)
  of_starts : list (proc * proc)         (** the start of the first reaches the end of the second *)
}.

(** Whether the start of [k] reaches an event of [i] before which the clock is this. *)
Definition started (c : clock) (i k : proc) : bool := (k =? i) || (0 <? at_ c k).

Definition all_pairs (n : nat) : list (proc * proc) := list_prod (seq 0 n) (seq 0 n).

Definition signature_of (n : nat) (st : clock_state) : signature := {|
  of_receives := map (fun c => (c, filter (reach_of n st (fst c) (snd c)) (seq 0 n))) (open_channels n (reach_of n st));
  of_sends := flat_map (fun c => match find2 (fst c) (snd c) (openers st) with
                                 | Some v => if started v (fst c) (snd c) then []
                                             else [(c, filter (started v (fst c)) (seq 0 n))]
                                 | None => []
                                 end) (all_pairs n);
  of_starts := filter (fun c => negb (fst c =? snd c) && (0 <? at_ (clock_of n st (snd c)) (fst c))) (all_pairs n)
|}.

Definition same_channel_said (a b : channel_said) : bool :=
  pair_eqb (fst a) (fst b) && same_list Nat.eqb (snd a) (snd b).

Definition check_signature (n : nat) (p : list act) (said : signature) : bool :=
  match play n [p] with
  | None => false
  | Some st => same_list same_channel_said (of_receives said) (of_receives (signature_of n st)) &&
               same_list same_channel_said (of_sends said) (of_sends (signature_of n st)) &&
               same_list pair_eqb (of_starts said) (of_starts (signature_of n st))
  end.

(** ** Paths of the program graph, and causality *)

Section Paths.
Variable p : list act.
Hypothesis B : balanced p.

Definition follows_from (u v : node) : Prop :=
  match u, v with
  | Ev a x, Ev b y => causes (fifo p) (a, x) (b, y)
  | Ev a x, Ld b => causes (fifo p) (a, x) (b, len p b)
  | Fd k, Ev b y => k = b \/ exists x, causes (fifo p) (k, x) (b, y)
  | Fd k, Ld b => k = b \/ exists x, causes (fifo p) (k, x) (b, len p b)
  | _, Fd _ | Ld _, _ => False
  end.

Lemma path_follows : forall u v, path p u v -> follows_from u v.
Proof.
  induction 1 as [u v E|u w v _ IH1 _ IH2].
  - destruct E as [i x y L _|i x L|i x L|i|i j x y S R C]; simpl; auto using causes_order.
    apply t_step. right. exists i, j. split; [split; auto; simpl; now rewrite R|]. simpl. rewrite R, <- C. f_equal.
    apply nthpos_count with (Snd j); auto. now apply sndb_spec.
  - destruct u as [k|a x|k], w as [m|b y|m], v as [m'|c z|m']; simpl in *; try tauto; try (eapply t_trans; eassumption).
    + destruct IH1 as [->|[x C]]; right; [exists y; exact IH2|exists x; eapply t_trans; eassumption].
    + destruct IH1 as [->|[x C]]; right; [exists y; exact IH2|exists x; eapply t_trans; eassumption].
Qed.

Lemma causes_is_path : forall e f, causes (fifo p) e f -> inside (len p) f ->
  inside (len p) e /\ path p (Ev (fst e) (snd e)) (Ev (fst f) (snd f)).
Proof.
  induction 1 as [e f S|e m f _ IH1 _ IH2]; intro I.
  - destruct S as [[F L]|(i & j & [F R] & D)]; destruct e as [a x], f as [b y]; cbn [fst snd] in *.
    + subst b. unfold inside in *. cbn [fst snd] in *. split; [lia|]. now apply t_step, E_next.
    + subst b. change (lab (fifo p) j y = Rcv i) in R. apply fifo_lab in R as [R _]; [|discriminate].
      destruct (fifo_match p i j y B R) as (x' & D' & S & C). rewrite D' in D. injection D as <- <-.
      split; [apply labs_lt in S; exact S|]. now apply t_step, E_msg.
  - destruct (IH2 I) as [Im P2]. destruct (IH1 Im) as [Ie P1]. split; auto. eapply t_trans; eassumption.
Qed.

(** Starts, by the first event of a process. *)
Lemma start_to_event : forall k i x, inside (len p) (i, x) ->
  (path p (Fd k) (Ev i x) <-> k = i \/ causes (fifo p) (k, 0) (i, x)).
Proof.
  intros k i x I. split.
  - intro P. apply path_follows in P as [E|[y C]]; [now left|right]. apply causes_local_le with y; auto. lia.
  - intros [->|C]; [now apply t_step, E_first|]. destruct (causes_is_path _ _ C I) as [J P].
    eapply t_trans; [apply t_step, E_first; exact J|exact P].
Qed.

Lemma start_to_its_end : forall k i, k <> i -> (path p (Fd k) (Ld i) <-> causes (fifo p) (k, 0) (i, len p i)).
Proof.
  intros k i N. split.
  - intro P. apply path_follows in P as [E|[y C]]; [contradiction|]. apply causes_local_le with y; auto. lia.
  - intro C. apply causes_last in C as ([a x] & S & C).
    destruct S as [[F L]|(u & v & R & _)]; [|exfalso; exact (no_receive_at_end p i u v R)].
    cbn [fst snd] in F, L. subst a.
    destruct C as [E|C]; [injection E as ->; contradiction|]. destruct (causes_is_path _ _ C L) as [J P].
    eapply t_trans; [apply t_step, E_first; exact J|]. eapply t_trans; [exact P|now apply t_step, E_last].
Qed.
End Paths.

Lemma same_channel_said_spec : forall a b, same_channel_said a b = true -> a = b.
Proof.
  intros [c ks] [d ms] H. apply andb_true_iff in H as [E F]. apply pair_eqb_spec in E. cbn [fst snd] in *. subst d.
  f_equal. apply (same_list_spec Nat.eqb); auto. intros x y. apply Nat.eqb_eq.
Qed.

(** ** The theorem *)

(** _What is accepted is the paper's signature_: its nodes, and between nodes and dummies its edges. *)
Theorem check_signature_correct : forall n p said, check_signature n p said = true ->
  (forall i j ks, In (i, j, ks) (of_receives said) ->
     exists y, sig_rcv p j i y /\ forall k, In k ks <-> k < n /\ path p (Ev j y) (Ld k)) /\
  (forall i j y, sig_rcv p j i y -> exists ks, In (i, j, ks) (of_receives said)) /\
  (forall i j ks, In (i, j, ks) (of_sends said) ->
     exists x, sig_snd p i j x /\ forall k, In k ks <-> k < n /\ path p (Fd k) (Ev i x)) /\
  (forall i j x, sig_snd p i j x -> exists ks, In (i, j, ks) (of_sends said)) /\
  (forall k i, In (k, i) (of_starts said) <-> k < n /\ i < n /\ k <> i /\ path p (Fd k) (Ld i)).
Proof.
  intros n p said H. unfold check_signature in H. destruct (play n [p]) as [st|] eqn:Pl; [|discriminate].
  rewrite !andb_true_iff in H. destruct H as [[HR HS] HT].
  apply same_list_spec in HR, HS; try exact same_channel_said_spec.
  apply same_list_spec in HT; [|intros x y; apply pair_eqb_spec]. rewrite HR, HS, HT. clear HR HS HT said.
  destruct (played_one n p st Pl) as (W & B & N & D). pose proof (clocks_compute n p st Pl) as R.
  apply play_correct in Pl. pose proof (played_going _ _ _ Pl) as G.
  assert (E : concat [p] = p) by (simpl; now rewrite app_nil_r). rewrite E in G.
  assert (Pairs : forall i j, In (i, j) (all_pairs n) <-> i < n /\ j < n).
  { intros i j. unfold all_pairs. rewrite in_prod_iff, !in_seq. lia. }
  assert (Last : forall i j k y, k < n -> last_receive p j i y ->
    (reach_of n st i j k = true <-> path p (Ev j y) (Ld k))).
  { intros i j k y K [Y M]. rewrite (R i j k K). rewrite <- (reaches_path p j y k B D) by now apply labs_lt in Y. split.
    - intro A. now apply A.
    - intros C y' Y'. apply causes_local_le with y; auto. }
  assert (Opener : forall i j, match find2 i j (openers st) with
    | Some c => exists x, first_send p i j x /\ forall k, started c i k = true <-> path p (Fd k) (Ev i x)
    | None => forall x, nth_error (labs i p) x <> Some (Snd j) end).
  { intros i j. pose proof (going_openers _ _ _ _ _ G i j) as O. rewrite app_nil_r, E in O.
    destruct (find2 i j (openers st)) as [c|]; [|exact O]. destruct O as (x & F & C). exists x. split; auto. intro k.
    pose proof (labs_lt _ _ _ _ (proj1 F)) as I. rewrite (start_to_event p B k i x I).
    unfold started. rewrite orb_true_iff, Nat.eqb_eq, Nat.ltb_lt. destruct C as [_ C].
    assert (Nr : forall a b, ~ is_rcv (fifo p) (i, x) a b) by (intros a b; apply send_is_no_receive with (j := j), F).
    rewrite <- (upto_causes p i x (k, 0) Nr), <- (C (k, 0)). reflexivity. }
  repeat split.
  - intros i j ks I. apply in_map_iff in I as ([i' j'] & Q & O). injection Q as -> -> <-. cbn [fst snd] in *.
    pose proof (proj1 (open_channels_correct n p _ i j W R) O) as [[y0 Y0] Op].
    destruct (last_exists p j i y0 Y0) as (y & L & _). exists y. split.
    + split; auto. intro P. apply Op. assert (In_ : i < n) by (apply (below_peer n p j y0 _ W Y0)).
      apply R; auto. now apply (Last i j i y).
    + intro k. rewrite filter_In, in_seq. split.
      * intros [K Q]. split; [lia|]. apply (Last i j k y); auto. lia.
      * intros [K P]. split; [lia|]. now apply (Last i j k y).
  - intros i j y [L Nn]. eexists. apply in_map_iff. exists (i, j). split; [reflexivity|].
    apply (open_channels_correct n p); auto. split; [exists y; apply L|]. intro A. apply Nn.
    assert (In_ : i < n) by (apply (below_peer n p j y _ W (proj1 L))).
    apply (Last i j i y); auto. now apply R.
  - intros i j ks I. apply in_flat_map in I as ([i' j'] & P & I). cbn [fst snd] in I. pose proof (Opener i' j') as O.
    destruct (find2 i' j' (openers st)) as [c|]; [|destruct I]. destruct O as (x & F & S).
    destruct (started c i' j') eqn:Sj; [destruct I|]. destruct I as [Q|[]]. injection Q as -> -> <-. exists x. split.
    + split; auto. intro Q. apply S in Q. congruence.
    + intro k. rewrite filter_In, in_seq, S. split; intros [K Q]; split; auto; lia.
  - intros i j x [F Nn]. pose proof (Opener i j) as O. destruct (find2 i j (openers st)) as [c|] eqn:Fi;
      [|exfalso; exact (O x (proj1 F))]. destruct O as (x' & F' & S).
    assert (x = x') as <- by (apply Nat.le_antisymm; [apply F, F'|apply F', F]).
    eexists. apply in_flat_map. exists (i, j). split.
    + apply Pairs. split; [eapply below_labs; [exact W|apply F]|apply (below_peer n p i x _ W (proj1 F))].
    + cbn [fst snd]. rewrite Fi. destruct (started c i j) eqn:Sj; [exfalso; apply Nn, S, Sj|now left].
  - apply filter_In in H as [H _]. now apply Pairs in H.
  - apply filter_In in H as [H _]. now apply Pairs in H.
  - apply filter_In in H as [_ H]. cbn [fst snd] in H. apply andb_true_iff in H as [H _].
    now apply negb_true_iff, Nat.eqb_neq in H.
  - apply filter_In in H as [H C]. apply Pairs in H as [K I]. cbn [fst snd] in C. apply andb_true_iff in C as [Ne C].
    apply negb_true_iff, Nat.eqb_neq in Ne. apply Nat.ltb_lt in C. apply (start_to_its_end p B); auto.
    destruct (going_clock _ _ _ _ _ G i I) as [_ Cl]. rewrite app_nil_r, E in Cl.
    apply (upto_causes p i (len p i) (k, 0) (no_receive_at_end p i)), Cl. exact C.
  - intros (K & I & Ne & P). apply filter_In. split; [now apply Pairs|]. cbn [fst snd]. apply andb_true_iff. split.
    + now apply negb_true_iff, Nat.eqb_neq.
    + apply (start_to_its_end p B) in P; auto. destruct (going_clock _ _ _ _ _ G i I) as [_ Cl].
      rewrite app_nil_r, E in Cl.
      apply (upto_causes p i (len p i) (k, 0) (no_receive_at_end p i)), Cl in P. apply Nat.ltb_lt. exact P.
Qed.
