(** * The checker is right

    What each answer of the program means, about all runs: about the functions of [Checker], by the theorems of the
    paper as they are proved here. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality.
From Sealcheck Require Import GraphCause DecideSealing ClosedChannels.
From Sealcheck Require Import Knowledge Messages Prefix Phases Teaching Sealability.
From Sealcheck Require Import CausalPast Decider KnowledgeDecider Certificates LowerBound.
From Sealcheck Require Import Tries Clocks Chains RunsChecked Checker.
Open Scope nat_scope.

(** ** Whether Q seals P *)

(** Two layers that are played are P and Q as the theorems want them. *)
Lemma played_two : forall n p q both, play n [p; q] = Some both ->
  acts_below n p /\ acts_below n q /\ balanced p /\ balanced q /\ nofself (p ++ q) /\ dead_free (p ++ q).
Proof.
  intros n p q both H. apply play_correct in H as [W N B D _ _]. simpl in W, N, D. rewrite app_nil_r in *.
  apply below_app in W as [Wp Wq]. repeat split; auto; apply B; simpl; auto.
Qed.

Lemma played_one : forall n p st, play n [p] = Some st -> acts_below n p /\ balanced p /\ nofself p /\ dead_free p.
Proof.
  intros n p st H. apply play_correct in H as [W N B D _ _]. simpl in W, N, D. rewrite app_nil_r in *.
  repeat split; auto. apply B. simpl. auto.
Qed.

Theorem decide_correct : forall n P Q p q b, acts P = Some p -> acts Q = Some q ->
  seals_by_clocks n p q = Some b -> (b = true <-> Seals RelNS Q P).
Proof.
  intros n P Q p q b HP HQ H. unfold seals_by_clocks in H.
  destruct (play_two n p q) as [[first both]|] eqn:E2; [|discriminate].
  apply play_two_spec in E2 as [F T]. injection H as <-.
  destruct (played_two n p q both T) as (Wp & Wq & Bp & Bq & N & D).
  rewrite (sealing_is_causality P Q p q HP HQ Bp Bq N D). apply play_correct in F, T.
  assert (E : concat [p; q] = p ++ q) by (simpl; now rewrite app_nil_r).
  assert (E1 : concat [p] = p) by (simpl; now rewrite app_nil_r).
  pose proof (played_going _ _ _ F) as G1. pose proof (played_going _ _ _ T) as G2. rewrite E in G2.
  assert (R : ends_reached n (settled_up_to first) both p = true <-> reach_ends p (p ++ q)).
  { apply (ends_reached_settled n (p ++ q) p [p; q]); auto.
    - apply below_app. auto.
    - intros i j y Y. apply (going_settled _ _ _ _ _ G1). now rewrite E1.
    - intros i j y Y. rewrite <- E1. now apply (going_settled_is _ _ _ _ _ G1). }
  rewrite andb_true_iff, (played_kept _ _ _ T), R. split.
  - intros [K En] i j y z Y [->|[L Z]]; [now apply En|].
    specialize (K [p] [q] eq_refl i j y (z - len p i)). rewrite !E1 in K. simpl in K. rewrite app_nil_r in K.
    replace (len p i + (z - len p i)) with z in K by lia. apply K; auto.
    replace z with (len p i + (z - len p i)) in Z by lia. now rewrite suffix_nth in Z.
  - intro C. split.
    + intros [|x [|x' [|? ?]]] bs S; try discriminate; simpl in S.
      * intros i j y z Y. destruct y; discriminate.
      * injection S as <- <-. rewrite E1. simpl. rewrite app_nil_r. intros i j y z Y Z. apply C; auto. right.
        split; [lia|]. now rewrite suffix_nth.
      * injection S as <- <- <-. intros i j y z _ Z. destruct z; discriminate.
    + intros i j y Y. apply C; auto.
Qed.

(** A row with chains. *)
Theorem check_seals_correct : forall n P Q p q chains, acts P = Some p -> acts Q = Some q ->
  check_seals n p q chains = true -> Seals RelNS Q P.
Proof.
  intros n P Q p q chains HP HQ H. unfold check_seals in H.
  destruct (play_two n p q) as [[first both]|] eqn:E2; [|discriminate]. apply play_two_spec in E2 as [F T].
  destruct (played_two n p q both T) as (Wp & Wq & Bp & Bq & N & D).
  apply (sealing_is_causality P Q p q); auto. apply play_correct in F. pose proof (played_going _ _ _ F) as G.
  apply (chains_sound p q (settled_up_to first) chains); auto. intros i j y Y. apply (going_settled _ _ _ _ _ G).
  simpl. now rewrite app_nil_r.
Qed.

(** The run of a certificate has the labels of P;Q, and then those of what comes later. *)
Lemma run_stands : forall l later m, standing (run_of (l ++ later) m) (fun _ => 0) l.
Proof.
  intros l later m i. pose proof (map_lab_fifo (l ++ later) i) as E. rewrite labs_app, len_app, seq_app, map_app in E.
  apply app_same_length in E as [E _]; [exact E|]. now rewrite len_labs, map_length, seq_length.
Qed.

(** A row with a run.  Later events may be anything. *)
Theorem check_breaks_correct : forall n P Q p q later order m e, acts P = Some p -> acts Q = Some q ->
  check_breaks n p q later order m e = true -> ~ Seals RelNS Q P.
Proof.
  intros n P Q p q later order m [j y] HP HQ H. unfold check_breaks in H. destruct (play_two n p q); [|discriminate].
  rewrite !andb_true_iff in H. destruct H as (((R & N) & Rc) & Z). rewrite app_assoc in R, N.
  set (l := (p ++ q) ++ later) in *.
  unfold is_receive in Rc. cbn [fst snd] in *. destruct (nth_error (labs j p) y) as [[k|i|]|] eqn:E; try discriminate.
  pose proof (labs_lt _ _ _ _ E) as Y. destruct (matched_send m (j, y)) as [i' z] eqn:T. cbn [fst snd] in Z.
  apply negb_true_iff, Nat.ltb_ge in Z. apply has_no_self_spec in N.
  assert (El : nth_error (labs j l) y = Some (Rcv i)).
  { unfold l. rewrite !labs_app, <- app_assoc, nth_error_app1; auto. rewrite len_labs. exact Y. }
  assert (Re : is_rcv (run_of l m) (j, y) i j) by (split; auto; simpl; now rewrite El).
  pose proof (run_is_matching n l order m R) as M.
  destruct (delta_snd _ M _ _ _ Re) as [F _]. cbn [run_of delta] in F. rewrite T in F. cbn [fst] in F. subst i'.
  apply (interference_unsealed RelNS P Q p q i j y HP Y).
  apply (interference_by RelNS P Q p q (run_of l m) i j y z); auto.
  - intros s a b _ _. exists (len l a). intros k K S. exfalso. destruct S as [_ S].
    change (lab (fifo l) a k = Snd b) in S. apply fifo_lab in S as [_ S]; [lia|discriminate].
  - intros v Rv. split; auto. intros s a S. exact (fifo_noself l N s a S).
  - apply run_stands.
Qed.

(** ** Knowledge *)

(** What [KnowledgeDecider] computes is what messages achieve. *)

Lemma known_by_messages : forall n p ms, allowed n (learnt p) ms -> forall i a b, after (learnt p) ms i a b ->
  exists k, knows n p i k /\ learnt p k a b.
Proof.
  intros n p. induction ms as [|[s r] ms IH] using rev_ind; intros A i a b H.
  - exists i. split; [constructor|exact H].
  - apply allowed_app in A as [A B]. rewrite after_app in H. simpl in B, H. destruct B as (Hs & Hr & N & K & _).
    destruct H as [H|[E H]]; [now apply IH|]. cbn [fst snd] in *. subst i.
    destruct (IH A s s r K) as (k' & K1 & R). destruct (IH A s a b H) as (k & K2 & L).
    exists k. split; auto. now apply knows_told with s k'.
Qed.

(** Whatever a process can know by [knows], some messages teach it, after any others. *)
Lemma messages_teach : forall n p i k, knows n p i k -> forall ms, allowed n (learnt p) ms ->
  exists ms', allowed n (learnt p) (ms ++ ms') /\ forall a b, learnt p k a b -> after (learnt p) (ms ++ ms') i a b.
Proof.
  intros n p i k K. induction K as [i|i j k k' Hi Hj N _ IH1 R _ IH2]; intros ms A.
  - exists []. rewrite app_nil_r. split; auto. intros a b L. now apply after_grows.
  - destruct (IH1 ms A) as (m1 & A1 & T1). destruct (IH2 (ms ++ m1) A1) as (m2 & A2 & T2).
    exists (m1 ++ m2 ++ [(i, j)]). rewrite !app_assoc. split.
    + apply allowed_app. split; auto. simpl. repeat split; auto.
      rewrite after_app. apply after_grows. apply T1. exact R.
    + intros a b L. rewrite after_app. right. cbn [fst snd]. split; auto.
Qed.

(** So the sender of every channel can be taught, one after the other. *)
Lemma messages_teach_all : forall n p, closure_seals n p -> forall F, exists ms, allowed n (learnt p) ms /\
  forall i j, In (i, j) F -> after (learnt p) ms i i j.
Proof.
  intros n p C. induction F as [|[i j] F (ms & A & T)]; [exists []; split; [exact I|intros i j []]|].
  assert (exists k, knows n p i k /\ learnt p k i j) as (k & K & L).
  { destruct (receives i j p) as [|y ys] eqn:E.
    - exists i. split; [constructor|]. intros y Y. apply receives_spec in Y. rewrite E in Y. destruct Y.
    - apply (C i j). exists y. apply receives_spec. rewrite E. now left. }
  destruct (messages_teach n p i k K ms A) as (ms' & A' & T'). exists (ms ++ ms'). split; auto.
  intros a b [E|I]; [injection E as <- <-; auto|]. rewrite after_app. now apply after_grows, T.
Qed.

Theorem closure_is_sealed : forall n p, balanced p -> nofself p -> acts_below n p ->
  (closure_seals n p <-> exists ms, sealed_by n (learnt p) ms).
Proof.
  intros n p B N W. split.
  - intro C. destruct (messages_teach_all n p C (list_prod (seq 0 n) (seq 0 n))) as (ms & A & T).
    exists ms. split; auto. intros i j I J _. apply T, in_prod; apply in_seq; lia.
  - intros (ms & A & S) i j [y Y]. apply (known_by_messages n p ms A), S.
    + apply (below_peer n p j y _ W Y).
    + eauto using below_labs.
    + intros ->. destruct (fifo_match p j j y B Y) as (x & _ & X & _). apply (N j). eapply nth_error_In; eauto.
Qed.

(** Some balanced straight-line program of the processes below [n] seals P. *)
Definition has_seal (n : nat) (P : prog) (p : list act) := exists S s, proper_seal n P p S s.

Lemma below_within : forall n l, acts_below n l -> within n l.
Proof. intros n l W a I. specialize (W a I). destruct a; auto. Qed.

(** Whether something seals P is a question about messages and knowledge. *)
Lemma has_seal_messages : forall n P p, acts P = Some p -> balanced p -> nofself p -> acts_below n p -> dead_free p ->
  (has_seal n P p <-> exists ms, sealed_by n (learnt p) ms).
Proof.
  intros n P p HP B N W D. pose proof (seals_and_messages n P p HP B N (below_within n p W) D) as M. split.
  - intros (S & s & H). destruct (proj1 (M (messages s))) as (ms & H' & _); eauto.
  - intros (ms & H). destruct (proj2 (M (length ms))) as (S & s & H' & _); eauto. exists S, s. exact H'.
Qed.

(** The clocks say which receives reach which ends. *)
Lemma clocks_compute : forall n p st, play n [p] = Some st -> computes_reach n p (reach_of n st).
Proof.
  intros n p st H i j k K. apply play_correct in H. pose proof (played_going _ _ _ H) as G.
  assert (E : concat [p] = p) by (simpl; now rewrite app_nil_r). rewrite E in G.
  destruct (going_clock _ _ _ _ _ G k K) as [_ C]. rewrite app_nil_r, E in C.
  assert (R : forall y, y < at_ (clock_of n st k) j <-> causes (fifo p) (j, y) (k, len p k)).
  { intro y. exact (iff_trans (C (j, y)) (upto_causes p k (len p k) (j, y) (no_receive_at_end p k))). }
  unfold reach_of. rewrite Nat.leb_le. split.
  - intros L y Y. apply R. pose proof (going_settled _ _ _ _ _ G i j y) as S. rewrite E in S. specialize (S Y). lia.
  - intro H'. destruct (find2_or 0 i j (settled_up_to st)) as [|y] eqn:F; [lia|].
    apply (going_settled_is _ _ _ _ _ G) in F. rewrite E in F. apply H', R in F. exact F.
Qed.

Theorem sealable_correct : forall n P p b, acts P = Some p -> sealable n p = Some b ->
  (b = true <-> has_seal n P p).
Proof.
  intros n P p b HP H. unfold sealable in H. destruct (play n [p]) as [st|] eqn:Pl; [|discriminate].
  injection H as <-. destruct (played_one n p st Pl) as (W & B & N & D).
  rewrite (is_closure_spec n p) by auto using clocks_compute. rewrite closure_is_sealed by auto. symmetry.
  now apply has_seal_messages.
Qed.

(** Every list of events is that of a program. *)
Fixpoint prog_of (s : list act) : prog :=
  match s with
  | [] => Eps
  | ASend i j :: s' => Lay (Send i j (fun _ => 0%Z)) (prog_of s')
  | ARecv j i :: s' => Lay (Recv j i) (prog_of s')
  | AInt i :: s' => Lay (Assign i (fun _ => 0%Z)) (prog_of s')
  end.

Lemma nofself_second : forall p s, nofself (p ++ s) -> nofself s.
Proof. intros p s N i H. apply (N i). rewrite labs_app. apply in_or_app. auto. Qed.

Lemma acts_prog_of : forall s, acts (prog_of s) = Some s.
Proof. induction s as [|[i j|j i|i] s IH]; simpl; auto; now rewrite IH. Qed.

(** A row with a seal: there is one of so many messages, and none of fewer. *)
Theorem check_sealable_correct : forall n P p said s chains m states, acts P = Some p ->
  check_sealable n p said s chains m states = true ->
  (exists S s', proper_seal n P p S s' /\ messages s' = m) /\
  (forall S s', proper_seal n P p S s' -> m <= messages s').
Proof.
  intros n P p said s chains m states HP H. unfold check_sealable in H.
  destruct (play n [p]) as [st|] eqn:Pl; [|discriminate]. rewrite !andb_true_iff in H.
  destruct H as (((_ & H) & M) & Least). apply Nat.eqb_eq in M.
  pose proof (check_seals_correct n P (prog_of s) p s chains HP (acts_prog_of s) H) as Se.
  unfold check_seals in H. destruct (play_two n p s) as [[first both]|] eqn:E2; [|discriminate].
  apply play_two_spec in E2 as [_ T].
  destruct (played_two n p s both T) as (Wp & Ws & B & Bs & N & D).
  assert (Proper : proper_seal n P p (prog_of s) s) by (unfold proper_seal; auto 7 using acts_prog_of, below_within).
  split; [exists (prog_of s), s; split; [exact Proper|exact M]|].
  intros S s' (HS & Bs' & Ws' & Ns' & Ds' & Se'). apply (sealing_is_causality P S p s') in Se'; auto.
  destruct (messages_of_seal n p s') as (ms & Sealed & <-); eauto using nofself_second.
  now apply (check_minimum_sound n p (reach_of n st) Wp (clocks_compute n p st Pl) m states Least).
Qed.

(** A row with knowledge that nothing adds to. *)
Theorem check_unsealable_correct : forall n P p said K, acts P = Some p ->
  check_unsealable n p said K = true -> ~ has_seal n P p.
Proof.
  intros n P p said K HP H. unfold check_unsealable in H. destruct (play n [p]) as [st|] eqn:Pl; [|discriminate].
  apply andb_true_iff in H as [_ H]. destruct (played_one n p st Pl) as (W & B & N & D).
  rewrite has_seal_messages, <- closure_is_sealed by auto.
  now apply (closed_knowledge_sound n p (reach_of n st) K W (clocks_compute n p st Pl)).
Qed.

(** ** Open channels *)

(** Paths of the program graph to the end of a process are causality there. *)
Lemma reaches_path : forall p j y i, balanced p -> dead_free p -> y < len p j ->
  (causes (fifo p) (j, y) (i, len p i) <-> path p (Ev j y) (Ld i)).
Proof.
  intros p j y i B D Y. assert (Bn : balanced []) by (intros a b; reflexivity). split.
  - intro C. pose proof (causes_arrives p [] B Bn j y (i, len p i) Y) as A. rewrite app_nil_r in A.
    specialize (A C). unfold arrives in A. cbn [fst snd] in A. rewrite Nat.ltb_irrefl, Nat.sub_diag in A.
    destruct A as (k & P & T). change (to_end [] k i 0) with (path [] (Fd k) (Ld i)) in T.
    apply path_nil in T. injection T as <-. exact P.
  - intro P. pose proof (causes_through p [] B Bn j y i (Ld i) P (t_step _ _ _ _ (E_idle [] i))) as C.
    unfold place_right in C. now rewrite app_nil_r in C.
Qed.

(** A channel is open exactly if P does not close it, whatever precedes and follows. *)
Theorem open_is_not_closed : forall P p i j, acts P = Some p -> balanced p -> nofself p -> dead_free p ->
  (open_channel p i j <-> ~ closes RelNS P i j).
Proof.
  intros P p i j HP B N D. rewrite (closed_channels P p i j HP B D N). unfold open_channel, sig_rcv. split.
  - intros [[y Y] R]. destruct (last_exists p j i y Y) as (z & L & _). exists z. split; auto. intro Q. apply R.
    intros x X. destruct L as [Z M]. apply causes_local_le with z; [now apply M|].
    apply reaches_path; auto. now apply labs_lt in Z.
  - intros (z & [Z M] & Q). split; [exists z; exact Z|]. intro R. apply Q.
    apply reaches_path; auto. now apply labs_lt in Z.
Qed.

Theorem find_open_correct : forall n P p channels i j, acts P = Some p -> find_open n p = Some channels ->
  (In (i, j) channels <-> ~ closes RelNS P i j).
Proof.
  intros n P p channels i j HP H. unfold find_open in H. destruct (play n [p]) as [st|] eqn:Pl; [|discriminate].
  injection H as <-. destruct (played_one n p st Pl) as (W & B & N & D).
  rewrite <- open_is_not_closed with (p := p) by auto. apply open_channels_correct; auto. now apply clocks_compute.
Qed.

Lemma same_list_spec {A} (same : A -> A -> bool) : (forall a b, same a b = true -> a = b) ->
  forall u v, same_list same u v = true -> u = v.
Proof.
  intro S. induction u as [|a u IH]; intros [|b v] H; simpl in H; auto; try discriminate.
  apply andb_true_iff in H as [E F]. apply S in E. apply IH in F. congruence.
Qed.

(** What an accepted row says of channels: which ones P closes, of those between different processes. *)
Theorem check_channels_correct : forall n P p st said i j, acts P = Some p -> play n [p] = Some st ->
  check_channels n (reach_of n st) said = true ->
  (In (i, j) (said_open said) <-> ~ closes RelNS P i j) /\
  (In (i, j) (said_closed said) <-> i < n /\ j < n /\ i <> j /\ ~ In (i, j) (said_open said)).
Proof.
  intros n P p st said i j HP Pl H. unfold check_channels in H. apply andb_true_iff in H as [O C].
  apply same_list_spec in O, C; try (intros a b; apply pair_eqb_spec). rewrite O, C. split.
  - apply (find_open_correct n P p); auto. unfold find_open. now rewrite Pl.
  - unfold open_channels. rewrite !filter_In, !in_prod_iff, !in_seq. cbn [fst snd].
    rewrite andb_true_iff, !negb_true_iff, Nat.eqb_neq. destruct (reach_of n st i j i) eqn:R.
    + split; [intros [[I J] [D _]]; repeat split; try lia; intros [_ Q]; discriminate|]. intros (I & J & D & _). lia.
    + split; [intros [_ [_ Q]]; discriminate|]. intros (I & J & _ & Q). exfalso. apply Q. split; auto. lia.
Qed.

(** What accepted parts say: no closed channel leads from a process of one part to one outside it; there are two parts
    or more, none empty, and they have each process once. *)
Theorem check_parts_correct : forall n closed parts, check_parts n closed parts = true ->
  2 <= length parts /\ ~ In [] parts /\ Permutation (seq 0 n) (concat parts) /\
  forall i j part, In (i, j) closed -> In part parts -> (In i part <-> In j part).
Proof.
  intros n closed parts H. unfold check_parts in H. rewrite !andb_true_iff, !forallb_forall in H.
  destruct H as ((((Two & Some_) & Len) & All) & Apart). apply Nat.leb_le in Two. apply Nat.eqb_eq in Len.
  assert (Mem : forall k l, existsb (Nat.eqb k) l = true <-> In k l).
  { intros k l. rewrite existsb_exists. split; [intros (x & I & E); apply Nat.eqb_eq in E; now subst|].
    intro I. exists k. split; auto. apply Nat.eqb_refl. }
  split; auto. split; [intro I; apply Some_ in I; discriminate|]. split.
  - apply NoDup_Permutation_bis; [apply seq_NoDup|rewrite seq_length; lia|]. intros k I. now apply Mem, All.
  - intros i j part C P. specialize (Apart (i, j) C). rewrite forallb_forall in Apart. specialize (Apart part P).
    apply Bool.eqb_prop in Apart. cbn [fst snd] in Apart. rewrite <- !Mem, Apart. tauto.
Qed.
