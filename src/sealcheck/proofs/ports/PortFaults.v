(** * Ports that lose or copy messages

    A port may keep the order of each sender, lose messages, and deliver copies of them at any later time.  This file
    extends the runs of [Ports] by loss and copies.  If no port loses or copies, they are the same ([no_faults]).

    Loss changes nothing about what can happen: a lost message is as good as a late one.  On a port that copies, the
    first receive waits for a message, and all later ones can take a copy of it.  So which events happen without an
    event r is W(r) again, computed for the program in which those later receives do not wait ([relaxed]).

    The theorems are [no_faults] and [happens_without_faults].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports.
Open Scope nat_scope.

(** ** Guarantees and runs *)

(** What a port does. *)
Record guarantee := { keeps_order : bool; may_lose : bool; may_copy : bool }.

(** The messages that a receive on a port can take, if those of the sends [lost] are gone: a port that copies still
    has those that were received. *)
Definition available {port} (P : program port) (G : port -> guarantee) (lost : list event) (h : list move) (p : port)
    (s : event) :=
  action P s = Some (Put p) /\ inside (done h) s /\ ~ In s lost /\
  (may_copy (G p) = true \/ forall e, ~ In (Receives e s) h).

(** Runs with loss and copies: the sends whose messages were lost, and the moves.  A port that keeps order delivers
    the oldest message of some sender among those that are not lost.  A port that copies keeps no order: a copy may
    be late. *)
Inductive faulty_runs {port} (P : program port) (G : port -> guarantee) : list event -> list move -> Prop :=
| faulty_starts : faulty_runs P G [] []
| faulty_does lost h i a : faulty_runs P G lost h -> action P (i, done h i) = Some a -> (forall p, a <> Take p) ->
    faulty_runs P G lost (Does (i, done h i) :: h)
| faulty_receives lost h i p s : faulty_runs P G lost h -> action P (i, done h i) = Some (Take p) ->
    available P G lost h p s ->
    (keeps_order (G p) = true -> may_copy (G p) = false ->
      forall s', available P G lost h p s' -> fst s' = fst s -> snd s <= snd s') ->
    faulty_runs P G lost (Receives (i, done h i) s :: h)
| faulty_loses lost h p s : faulty_runs P G lost h -> may_lose (G p) = true -> available P G lost h p s ->
    faulty_runs P G (s :: lost) h.

(** ** Which receives wait *)

(** Some earlier event of the process takes a message from the same port. *)
Definition takes_again {port} (P : program port) (p : port) (e : event) :=
  existsb (fun k => is_take P p (fst e, k)) (seq 0 (snd e)).
Definition relaxed_action {port} (P : program port) (G : port -> guarantee) (e : event) := match action P e with
  | Some (Take p) => if may_copy (G p) && takes_again P p e then Some Inner else Some (Take p)
  | a => a
  end.

Section Relaxed.
Context {port : Type} (P : program port) (G : port -> guarantee).

Lemma relaxed_some e : relaxed_action P G e <> None <-> action P e <> None.
Proof.
  unfold relaxed_action. destruct (action P e) as [[p|p|]|]; try tauto.
  destruct (may_copy (G p) && takes_again P p e); split; congruence.
Qed.
Lemma relaxed_take e p : relaxed_action P G e = Some (Take p) ->
  action P e = Some (Take p) /\ may_copy (G p) && takes_again P p e = false.
Proof.
  unfold relaxed_action. destruct (action P e) as [[q|q|]|]; try discriminate.
  destruct (may_copy (G q) && takes_again P q e) eqn:C; [discriminate|]. intro E. now injection E as <-.
Qed.
Lemma relaxed_put e p : relaxed_action P G e = Some (Put p) <-> action P e = Some (Put p).
Proof.
  unfold relaxed_action. destruct (action P e) as [[q|q|]|]; try tauto; try (split; discriminate).
  destruct (may_copy (G q) && takes_again P q e); split; discriminate.
Qed.

(** The program in which, on ports that copy, only the first receive waits. *)
Program Definition relaxed : program port := {|
  action := relaxed_action P G;
  events := events P;
  no_duplicates := no_duplicates P;
  port_dec := port_dec P
|}.
Next Obligation. rewrite relaxed_some. apply all_events. Qed.
Next Obligation.
  apply relaxed_take in H as [H _], H0 as [H0 _]. exact (one_reader P _ _ _ H H0).
Qed.
End Relaxed.

(** ** Steps towards a cut *)

(** If a cut that is reached is not within another one, some process can go on from there. *)
Lemma next_step {port} (P : program port) stop w c : reached P stop w -> ~ cle w c ->
  exists i, c i < w i /\ ready P c (i, c i) /\ ~ stop (i, c i).
Proof.
  induction 1 as [w Z|w0 i w R IH N A E]; intro Nle; [contradiction Nle; intro i; rewrite Z; lia|].
  destruct (classic (cle w0 c)) as [L|L].
  - assert (Ei : w0 i = c i).
    { apply NNPP. intro Ne. apply Nle. intro k. rewrite (E k). specialize (L k).
      destruct (Nat.eq_dec k i) as [->|Nk]; [rewrite bump_self; lia|now rewrite bump_other]. }
    exists i. rewrite (E i), bump_self, <- Ei. split; [lia|split; auto]. unfold ready in *.
    destruct (action P (i, w0 i)) as [[p|p|]|] eqn:Ac; auto.
    pose proof (puts_mono P p w0 c L). pose proof (takes_reader P p c w0 i (w0 i) Ac (eq_sym Ei)). lia.
  - destruct (IH L) as (k & Lk & B). exists k. split; auto. rewrite (E k). unfold bump. destruct (k =? i); lia.
Qed.

Section Faults.
Context {port : Type} (P : program port) (G : port -> guarantee).
Notation X := (relaxed P G).

Lemma relaxed_puts p c : puts X p c = puts P p c.
Proof.
  unfold puts. f_equal. apply filter_ext. intro e. f_equal. apply eq_true_iff_eq. rewrite !is_put_spec.
  apply (relaxed_put P G).
Qed.

Lemma takes_again_spec p e : takes_again P p e = true <-> exists k, k < snd e /\ action P (fst e, k) = Some (Take p).
Proof.
  unfold takes_again. rewrite existsb_exists. split; intros (k & A & B); exists k.
  - apply in_seq in A. apply is_take_spec in B. split; [lia|auto].
  - split; [apply in_seq; lia|now apply is_take_spec].
Qed.

Lemma relaxed_takes p c : may_copy (G p) = false -> takes X p c = takes P p c.
Proof.
  intro C. unfold takes. f_equal. apply filter_ext. intro e. f_equal. apply eq_true_iff_eq. rewrite !is_take_spec.
  split; intro A; [now apply (relaxed_take P G)|]. simpl. unfold relaxed_action. now rewrite A, C.
Qed.

(** If nothing was taken from a port yet, its reader was not at such a receive. *)
Lemma first_take p c i : action P (i, c i) = Some (Take p) -> takes_again P p (i, c i) = false -> takes X p c = 0.
Proof.
  intros A F. unfold takes. destruct (filter _ (events X)) as [|e l] eqn:E; auto. exfalso.
  assert (I : In e (e :: l)) by now left. rewrite <- E in I. apply filter_In in I as [_ I].
  apply andb_true_iff in I as [I T]. apply insideb_spec in I. apply is_take_spec, relaxed_take in T as [T _].
  assert (R : fst e = i) by exact (one_reader P _ _ _ T A). apply not_true_iff_false in F. apply F.
  apply takes_again_spec. exists (snd e). simpl. subst i. split; [exact I|now destruct e].
Qed.

(** When a receive can happen. *)
Lemma relaxed_ready p c i : action P (i, c i) = Some (Take p) -> ready X c (i, c i) <->
  if may_copy (G p) then takes_again P p (i, c i) = true \/ 0 < puts P p c else takes P p c < puts P p c.
Proof.
  intro A. unfold ready. simpl. unfold relaxed_action. rewrite A. destruct (may_copy (G p)) eqn:C; simpl.
  - destruct (takes_again P p (i, c i)) eqn:F; [tauto|]. rewrite relaxed_puts, (first_take p c i A F).
    split; [auto|intros [H|H]; [discriminate|auto]].
  - now rewrite relaxed_puts, relaxed_takes.
Qed.

(** ** Lemmas on runs *)

(** Each move is the next event of its process. *)
Lemma faulty_cons lost m h : faulty_runs P G lost (m :: h) -> exists lost', faulty_runs P G lost' h /\
  incl lost' lost /\ event_of m = (fst (event_of m), done h (fst (event_of m))) /\ In (event_of m) (events P).
Proof.
  remember (m :: h) as h' eqn:E. induction 1 as [|lost h0 i a R IH A N|lost h0 i p s R IH A I O|lost h0 p s R IH L I];
    try discriminate.
  - injection E as <- <-. exists lost. simpl. split; [auto|split; [apply incl_refl|split; auto]].
    eapply is_event; eauto.
  - injection E as <- <-. exists lost. simpl. split; [auto|split; [apply incl_refl|split; auto]].
    eapply is_event; eauto.
  - destruct (IH E) as (lost' & A & B & C). exists lost'. split; auto. split; auto. now apply incl_tl.
Qed.

Lemma faulty_app lost h' h : faulty_runs P G lost (h' ++ h) -> exists lost', faulty_runs P G lost' h.
Proof.
  revert lost. induction h' as [|m h' IH]; simpl; intros lost R; [eauto|].
  apply faulty_cons in R as (lost' & R & _). eauto.
Qed.

Lemma faulty_inside lost h : faulty_runs P G lost h -> forall e, happens e h <-> inside (done h) e.
Proof.
  revert lost. induction h as [|m h IH]; intros lost R e; [split; [intros []|unfold inside, done; simpl; lia]|].
  destruct (faulty_cons lost m h R) as (lost' & R' & _ & M & _).
  rewrite (inside_ceq _ _ _ (done_bump m h)), inside_bump, <- M.
  unfold happens in *. simpl. rewrite (IH lost' R' e). intuition.
Qed.

(** A receive takes a message of its port, which was sent before, and another one than each other receive, unless the
    port copies. *)
Lemma faulty_received lost h e s : faulty_runs P G lost h -> In (Receives e s) h -> exists p,
  action P e = Some (Take p) /\ action P s = Some (Put p) /\ inside (done h) s.
Proof.
  induction 1 as [|lost h i a R IH A N|lost h i p s' R IH A I O|lost h p s' R IH L I]; [intros []| | |exact IH];
    intros [E|Hin]; try discriminate.
  - destruct (IH Hin) as (q & A1 & A2 & A3). exists q. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
  - injection E as <- <-. destruct I as (I1 & I2 & _). exists p. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
  - destruct (IH Hin) as (q & A1 & A2 & A3). exists q. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
Qed.

Lemma faulty_taken_length lost p h : faulty_runs P G lost h -> length (taken P p h) = takes P p (done h).
Proof.
  induction 1 as [|lost h i a R IH A N|lost h i p' s R IH A I O|lost h p' s R IH L I]; auto.
  - unfold takes. induction (events P) as [|e l IH]; auto.
  - rewrite (takes_bump P p (done h) i) by apply done_bump. destruct (is_take P p (i, done h i)) eqn:T; auto.
    apply is_take_spec in T. rewrite A in T. injection T as ->. now contradiction (N p).
  - rewrite (takes_bump P p (done h) i) by apply done_bump. simpl. destruct (is_take P p (i, done h i)); simpl; auto.
Qed.

Lemma faulty_taken_once lost p h : may_copy (G p) = false -> faulty_runs P G lost h -> NoDup (taken P p h).
Proof.
  intro C. induction 1 as [|lost h i a R IH A N|lost h i p' s R IH A I O|lost h p' s R IH L I]; simpl; auto;
    [constructor|].
  destruct (is_take P p (i, done h i)) eqn:T; auto. constructor; auto. apply is_take_spec in T.
  assert (p' = p) by congruence. subst p'.
  intro J. apply taken_in in J as (e & J & _). destruct I as (_ & _ & _ & [I|I]); [congruence|now apply I in J].
Qed.

(** If a message is available, more were put into the port than taken. *)
Lemma available_counts lost h p s : may_copy (G p) = false -> faulty_runs P G lost h -> available P G lost h p s ->
  takes P p (done h) < puts P p (done h).
Proof.
  intros C R (A & B & _ & [D|D]); [congruence|]. rewrite <- (faulty_taken_length lost p h R).
  apply (NoDup_incl_length (l := s :: taken P p h)).
  - constructor; [|now apply (faulty_taken_once lost)]. intro I. apply taken_in in I as (e & I & _). now apply D in I.
  - intros x [<-|I].
    + apply filter_In. split; [eapply is_event; eauto|]. apply andb_true_iff. split; [now apply insideb_spec|].
      now apply is_put_spec.
    + apply taken_in in I as (e & I & Ae). destruct (faulty_received lost h e x R I) as (q & A1 & A2 & A3).
      apply filter_In. split; [eapply is_event; eauto|]. apply andb_true_iff. split; [now apply insideb_spec|].
      apply is_put_spec. congruence.
Qed.

(** If more were put into it than taken, and none were lost, a message is available. *)
Lemma counts_available lost h p : faulty_runs P G lost h -> (forall s, In s lost -> action P s <> Some (Put p)) ->
  takes P p (done h) < puts P p (done h) -> exists s, available P G lost h p s.
Proof.
  intros R None L. apply NNPP. intro No. rewrite <- (faulty_taken_length lost p h R) in L. revert L.
  apply Nat.le_ngt. apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros s I.
  apply filter_In in I as [_ I]. apply andb_true_iff in I as [I A]. apply insideb_spec in I. apply is_put_spec in A.
  apply NNPP. intro J. apply No. exists s. split; [exact A|split; [exact I|split; [intro K; now apply (None s K)|]]].
  right. intros e K. apply J.
  destruct (faulty_received lost h e s R K) as (q & B & C & _). apply in_taken with e; auto. congruence.
Qed.

(** Then there is an oldest one of its sender. *)
Lemma available_oldest lost h p s : available P G lost h p s -> exists s0, available P G lost h p s0 /\
  fst s0 = fst s /\
  forall s', available P G lost h p s' -> fst s' = fst s0 -> snd s0 <= snd s'.
Proof.
  destruct s as [i k]. induction k as [k IH] using lt_wf_ind. intro I.
  destruct (classic (exists k', k' < k /\ available P G lost h p (i, k'))) as [(k' & L & I')|None].
  - destruct (IH k' L I') as (s0 & A). now exists s0.
  - exists (i, k). split; auto. split; auto. intros [i' k'] I' E. simpl in *. subst i'.
    destruct (le_lt_dec k k'); auto. exfalso. eauto.
Qed.

(** A receive that can happen as far as the numbers of messages tell finds a message, if none are lost. *)
Lemma ready_available lost h p i : faulty_runs P G lost h -> (forall s, In s lost -> action P s <> Some (Put p)) ->
  action P (i, done h i) = Some (Take p) -> ready X (done h) (i, done h i) -> exists s, available P G lost h p s.
Proof.
  intros R None A Re. apply (relaxed_ready p (done h) i A) in Re.
  destruct (may_copy (G p)) eqn:C; [|now apply counts_available].
  assert (S : forall s, action P s = Some (Put p) -> inside (done h) s -> available P G lost h p s).
  { intros s As I. split; [exact As|split; [exact I|split; [intro J; now apply (None s J)|auto]]]. }
  destruct Re as [T|L].
  - apply takes_again_spec in T as (k & Lk & Ak). simpl in *.
    assert (D : happens (i, k) h) by (apply (faulty_inside lost h R); exact Lk).
    apply in_map_iff in D as ([e|e s] & Ee & I); simpl in Ee; subst e.
    + exfalso. clear - R I Ak. induction R as [|lost h j a R IH B N|lost h j q s R IH B J O|lost h q s R IH L J]; auto.
      * destruct I as [E|I]; auto. injection E as -> <-. apply (N p). congruence.
      * destruct I as [E|I]; [discriminate|auto].
    + destruct (faulty_received lost h _ s R I) as (q & A1 & A2 & A3). exists s. apply S; auto. congruence.
  - unfold puts in L. destruct (filter _ (events P)) as [|s l] eqn:E; [simpl in L; lia|]. exists s.
    assert (I : In s (s :: l)) by now left. rewrite <- E in I. apply filter_In in I as [_ I].
    apply andb_true_iff in I as [I As]. apply insideb_spec in I. apply is_put_spec in As. auto.
Qed.

(** An event can happen in a run only if the numbers of messages say so. *)
Lemma run_ready lost m h : faulty_runs P G lost (m :: h) -> ready X (done h) (event_of m).
Proof.
  remember (m :: h) as h' eqn:E. induction 1 as [|lost h0 i a R IH A N|lost h0 i p s R IH A I O|lost h0 p s R IH L I];
    try discriminate; auto; injection E as <- <-; simpl.
  - unfold ready. simpl. unfold relaxed_action. rewrite A. destruct a as [p|p|]; auto. now contradiction (N p).
  - apply (relaxed_ready p); auto. destruct (may_copy (G p)) eqn:C; [|now apply (available_counts lost h0 p s)].
    right. destruct I as (As & Is & _). apply Nat.neq_0_lt_0. intro Z. apply length_zero_iff_nil in Z.
    assert (In s []); [|assumption]. rewrite <- Z. apply filter_In. split; [eapply is_event; eauto|].
    apply andb_true_iff. split; [now apply insideb_spec|now apply is_put_spec].
Qed.

Lemma faulty_reaches (stop : event -> Prop) lost h : faulty_runs P G lost h -> (forall e, happens e h -> ~ stop e) ->
  reached X stop (done h).
Proof.
  revert lost. induction h as [|m h IH]; intros lost R St; [now apply reached_start|].
  pose proof (run_ready lost m h R) as Re. destruct (faulty_cons lost m h R) as (lost' & R' & _ & M & _).
  apply reached_next with (done h) (fst (event_of m)).
  - apply (IH lost' R'). intros e E. apply St. now right.
  - rewrite <- M. apply St. now left.
  - now rewrite <- M.
  - apply done_bump.
Qed.

(** Runs can be extended up to a cut that is reached, and keep what holds of them if it can be kept in each step. *)
Lemma extends_to (Q : list move -> Prop) stop w : reached X stop w ->
  (forall h i, faulty_runs P G [] h -> Q h -> cle (done h) w -> done h i < w i -> ready X (done h) (i, done h i) ->
    exists m, event_of m = (i, done h i) /\ faulty_runs P G [] (m :: h) /\ Q (m :: h)) ->
  forall h, faulty_runs P G [] h -> Q h -> cle (done h) w ->
  exists h', faulty_runs P G [] h' /\ Q h' /\ ceq (done h') w.
Proof.
  intros Rw Step h. remember (length (filter (fun e => negb (insideb (done h) e)) (events P))) as n eqn:En.
  revert h En. induction n as [n IH] using lt_wf_ind. intros h -> R Qh L.
  destruct (classic (cle w (done h))) as [L'|L'].
  - exists h. repeat split; auto. intro i. specialize (L i). specialize (L' i). lia.
  - destruct (next_step X stop w (done h) Rw L') as (i & Li & Re & _).
    destruct (Step h i R Qh L Li Re) as (m & M & R' & Q').
    apply (IH (length (filter (fun e => negb (insideb (done (m :: h)) e)) (events P)))) with (m :: h); auto.
    + assert (D : forall e, inside (done (m :: h)) e <-> inside (done h) e \/ e = (i, done h i)).
      { intro e. rewrite (inside_ceq _ _ _ (done_bump m h)), M. apply inside_bump. }
      rewrite (filter_one_more (fun e => negb (insideb (done (m :: h)) e))
        (fun e => negb (insideb (done h) e)) (events P) (i, done h i)); [lia|apply no_duplicates|..].
      * rewrite <- M. now destruct (faulty_cons [] m h R') as (_ & _ & _ & _ & I).
      * apply negb_false_iff, insideb_spec, D. auto.
      * intro e. rewrite !negb_true_iff, <- !not_true_iff_false, !insideb_spec, D.
        destruct (classic (e = (i, done h i))) as [->|N]; [|tauto]. unfold inside. simpl. split; [auto|intros _; lia].
    + intro k. rewrite done_bump, M. simpl. destruct (Nat.eq_dec k i) as [->|Nk]; [rewrite bump_self; lia|].
      rewrite bump_other; auto.
Qed.

(** A step of a run in which nothing is lost. *)
Lemma takes_step h i : faulty_runs P G [] h -> ready X (done h) (i, done h i) ->
  exists m, event_of m = (i, done h i) /\ faulty_runs P G [] (m :: h).
Proof.
  intros R Re. destruct (action P (i, done h i)) as [a|] eqn:A.
  - destruct a as [p|p|].
    + exists (Does (i, done h i)). split; auto. apply faulty_does with (Put p); auto. discriminate.
    + destruct (ready_available [] h p i R (fun s I => False_ind _ I) A Re) as (s & I).
      destruct (available_oldest [] h p s I) as (s0 & I0 & _ & O). exists (Receives (i, done h i) s0). split; auto.
      apply faulty_receives with p; auto.
    + exists (Does (i, done h i)). split; auto. apply faulty_does with Inner; auto. discriminate.
  - exfalso. unfold ready in Re. simpl in Re. unfold relaxed_action in Re. now rewrite A in Re.
Qed.

(** ** The theorems *)

(** W(r), computed for [relaxed], has exactly the events that happen in some run with faults in which [r] does not. *)
Theorem happens_without_faults : forall r w, without X r w -> forall e,
  inside w e <-> exists lost h, faulty_runs P G lost h /\ happens e h /\ ~ happens r h.
Proof.
  intros r w [R S] e. split.
  - intro I. destruct (extends_to (fun _ => True) (eq r) w R) with (@nil move) as (h & Rh & _ & E); auto.
    + intros h i Rh _ _ _ Re. destruct (takes_step h i Rh Re) as (m & M & R'). eauto.
    + constructor.
    + intro i. unfold done. simpl. lia.
    + exists [], h. split; auto. rewrite !(faulty_inside [] h Rh), !(inside_ceq _ _ _ E). split; auto.
      now apply (not_itself X (eq r)).
  - intros (lost & h & Rh & He & Nr). apply (faulty_inside lost h Rh) in He.
    assert (Rd : reached X (eq r) (done h)) by (apply (faulty_reaches (eq r) lost); auto; now intros e' H <-).
    unfold inside in *. specialize (without_greatest X _ _ _ Rd S (fst e)). lia.
Qed.

(** If no port loses or copies, nothing is lost and the runs are those of [Ports]. *)
Theorem no_faults : (forall p, may_lose (G p) = false /\ may_copy (G p) = false) -> forall lost h,
  faulty_runs P G lost h <-> lost = [] /\ runs P (fun p => keeps_order (G p) = true) h.
Proof.
  intros F lost h.
  assert (S : forall p h s, available P G [] h p s <-> in_port P h p s).
  { intros p k s. unfold available, in_port. destruct (F p) as [_ ->]. split.
    - intros (A & B & _ & [C|C]); [discriminate|auto].
    - intros (A & B & C). split; [exact A|split; [exact B|split; auto]]. }
  split.
  - induction 1 as [|lost h i a R [-> IH] A N|lost h i p s R [-> IH] A I O|lost h p s R IH L I].
    + split; auto. constructor.
    + split; auto. now apply run_does with a.
    + split; auto. apply S in I. apply run_receives with p; auto. intros K s' I'. apply S in I'.
      apply O; auto. apply F.
    + destruct (F p). congruence.
  - intros [-> R]. induction R as [|h i a R IH A N|h i p s R IH A I O].
    + constructor.
    + now apply faulty_does with a.
    + apply S in I. apply faulty_receives with p; auto. intros K _ s' I'. apply S in I'. now apply O.
Qed.
End Faults.
