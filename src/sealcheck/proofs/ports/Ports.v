(** * Ports: what can happen is a matter of counting

    The paper's channels have one sender and one receiver.  A *port* belongs to one process, its reader, and holds
    messages of any number of senders: a mailbox, a receive from any source, a tag.  Straight-line programs over ports
    put messages into ports and take them.  Which message a receive takes may vary; whether it can happen does not
    depend on that: it can exactly if more messages were put into its port than taken.

    So for each event r there is one largest set of events that can happen without r, and an event comes after r in
    every run exactly if it is not in this set.  This is true if ports deliver in any order, and if they keep the
    order of each sender.

    The theorems are [without_exists], [without_greatest], [without_grows], [happens_without] and
    [precedes_iff_not_without].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions.
Open Scope nat_scope.

(** ** Programs over ports *)

(** An event puts a message into a port, takes one from it, or does neither. *)
Inductive port_action (port : Type) := Put (p : port) | Take (p : port) | Inner.
Arguments Put {port}. Arguments Take {port}. Arguments Inner {port}.

(** The events of a program, each with its action.  As elsewhere, [(i, k)] is event number [k] of process [i].  Only
    one process takes messages from a port.  [PortLayers] makes such programs of sends and receives with tags. *)
Record program (port : Type) := {
  action : event -> option (port_action port);
  events : list event;
  all_events : forall e, In e events <-> action e <> None;
  no_duplicates : NoDup events;
  port_dec : forall p q : port, {p = q} + {p <> q};
  one_reader : forall e e' p, action e = Some (Take p) -> action e' = Some (Take p) -> fst e = fst e'
}.
Arguments action {port}. Arguments events {port}. Arguments all_events {port}. Arguments no_duplicates {port}.
Arguments port_dec {port}. Arguments one_reader {port}.

(** How many messages were put into a port up to a cut, and taken from it. *)
Definition insideb (c : cut) (e : event) := snd e <? c (fst e).
Definition is_put {port} (P : program port) (p : port) (e : event) :=
  match action P e with Some (Put q) => if port_dec P p q then true else false | _ => false end.
Definition is_take {port} (P : program port) (p : port) (e : event) :=
  match action P e with Some (Take q) => if port_dec P p q then true else false | _ => false end.
Definition puts {port} (P : program port) (p : port) (c : cut) :=
  length (filter (fun e => insideb c e && is_put P p e) (events P)).
Definition takes {port} (P : program port) (p : port) (c : cut) :=
  length (filter (fun e => insideb c e && is_take P p e) (events P)).

(** ** Runs *)

(** A run is a list of moves, the newest first.  A receive says which send it takes the message of. *)
Inductive move := Does (e : event) | Receives (e s : event).
Definition event_of (m : move) : event := match m with Does e => e | Receives e _ => e end.
Definition happens (e : event) (h : list move) := In e (map event_of h).

(** How many events each process has done. *)
Definition done (h : list move) : cut := fun i => length (filter (fun m => fst (event_of m) =? i) h).

(** The messages that are in a port: put into it, and not yet taken. *)
Definition in_port {port} (P : program port) (h : list move) (p : port) (s : event) :=
  action P s = Some (Put p) /\ inside (done h) s /\ forall e, ~ In (Receives e s) h.

(** A receive takes any message in its port; if the port is [ordered], the oldest one of some sender. *)
Inductive runs {port} (P : program port) (ordered : port -> Prop) : list move -> Prop :=
| run_starts : runs P ordered []
| run_does h i a : runs P ordered h -> action P (i, done h i) = Some a -> (forall p, a <> Take p) ->
    runs P ordered (Does (i, done h i) :: h)
| run_receives h i p s : runs P ordered h -> action P (i, done h i) = Some (Take p) -> in_port P h p s ->
    (ordered p -> forall s', in_port P h p s' -> fst s' = fst s -> snd s <= snd s') ->
    runs P ordered (Receives (i, done h i) s :: h).

(** Event [r] comes before [e] in every run. *)
Definition precedes {port} (P : program port) (ordered : port -> Prop) (r e : event) :=
  forall h m, runs P ordered (m :: h) -> event_of m = e -> happens r h.

(** ** Counting instead of messages *)

(** The event can happen at a cut, as far as the numbers of messages tell. *)
Definition ready {port} (P : program port) (c : cut) (e : event) :=
  match action P e with Some (Take p) => takes P p c < puts P p c | Some _ => True | None => False end.

(** Cuts that are reached if all processes go on, except that the events that [stop] holds of do not happen. *)
Inductive reached {port} (P : program port) (stop : event -> Prop) : cut -> Prop :=
| reached_start c : (forall i, c i = 0) -> reached P stop c
| reached_next c i d : reached P stop c -> ~ stop (i, c i) -> ready P c (i, c i) -> ceq d (bump c i) ->
    reached P stop d.

(** A cut at which no process can go on. *)
Definition stuck {port} (P : program port) (stop : event -> Prop) (c : cut) :=
  forall i, stop (i, c i) \/ ~ ready P c (i, c i).

(** The cut that is reached if all processes go on as far as they get without event [r].  The events inside it are
    W(r) in algorithms/ports.py. *)
Definition without {port} (P : program port) (r : event) (w : cut) := reached P (eq r) w /\ stuck P (eq r) w.

(** ** Lemmas on cuts *)

Lemma insideb_spec c e : insideb c e = true <-> inside c e.
Proof. apply Nat.ltb_lt. Qed.

Lemma bump_self c i : bump c i i = S (c i).
Proof. unfold bump. now rewrite Nat.eqb_refl. Qed.
Lemma bump_other c i k : k <> i -> bump c i k = c k.
Proof. intro N. unfold bump. apply Nat.eqb_neq in N. now rewrite N. Qed.

(** One more event is inside. *)
Lemma inside_bump c i e : inside (bump c i) e <-> inside c e \/ e = (i, c i).
Proof.
  destruct e as [k n]. unfold inside; simpl. destruct (Nat.eq_dec k i) as [->|N].
  - rewrite bump_self. split; [|intros [L|E]; [lia|injection E; lia]].
    intro L. destruct (Nat.eq_dec n (c i)) as [->|]; [now right|left; lia].
  - rewrite bump_other by auto. split; [auto|]. intros [L|E]; [auto|congruence].
Qed.

Lemma inside_ceq c d e : ceq c d -> inside c e <-> inside d e.
Proof. intro E. unfold inside. now rewrite (E (fst e)). Qed.

(** ** Lemmas on numbers of events *)

Lemma filter_more {A} (f g : A -> bool) l : (forall x, In x l -> f x = true -> g x = true) ->
  length (filter f l) <= length (filter g l).
Proof.
  induction l as [|x l IH]; simpl; intro H; [lia|].
  assert (length (filter f l) <= length (filter g l)) by (apply IH; auto).
  destruct (f x) eqn:F; [rewrite (H x) by auto; simpl; lia|]. destruct (g x); simpl; lia.
Qed.

Lemma filter_one_more {A} (f g : A -> bool) l x : NoDup l -> In x l -> f x = false ->
  (forall y, g y = true <-> f y = true \/ y = x) -> length (filter g l) = S (length (filter f l)).
Proof.
  intros N I F G. induction N as [|y l Ny N IH]; [destruct I|]. simpl. destruct I as [->|I].
  - rewrite F. assert (Gx : g x = true) by (apply G; auto). rewrite Gx. simpl. f_equal.
    apply Nat.le_antisymm; apply filter_more; intros z Iz Z; [|apply G; auto].
    apply G in Z as [Z| ->]; [auto|contradiction].
  - destruct (f y) eqn:Fy.
    + assert (Gy : g y = true) by (apply G; auto). rewrite Gy. simpl. now rewrite IH.
    + destruct (g y) eqn:Gy; auto. apply G in Gy as [Gy| ->]; [congruence|contradiction].
Qed.

Section Program.
Context {port : Type} (P : program port).

Lemma is_put_spec p e : is_put P p e = true <-> action P e = Some (Put p).
Proof.
  unfold is_put. destruct (action P e) as [[q|q|]|]; try (split; discriminate).
  destruct (port_dec P p q) as [->|N]; split; auto; try discriminate. intro E. injection E. congruence.
Qed.
Lemma is_take_spec p e : is_take P p e = true <-> action P e = Some (Take p).
Proof.
  unfold is_take. destruct (action P e) as [[q|q|]|]; try (split; discriminate).
  destruct (port_dec P p q) as [->|N]; split; auto; try discriminate. intro E. injection E. congruence.
Qed.

Lemma is_event e a : action P e = Some a -> In e (events P).
Proof. intro E. apply all_events. congruence. Qed.

(** How the number of takes grows by an event. *)
Lemma takes_bump p c i d : ceq d (bump c i) ->
  takes P p d = (if is_take P p (i, c i) then S (takes P p c) else takes P p c).
Proof.
  intro E. unfold takes. destruct (is_take P p (i, c i)) eqn:T.
  - apply filter_one_more with (i, c i).
    + apply no_duplicates.
    + apply is_take_spec in T. eapply is_event; eauto.
    + rewrite T, andb_true_r. unfold insideb. simpl. apply Nat.ltb_irrefl.
    + intro y. rewrite !andb_true_iff, !insideb_spec, (inside_ceq _ _ _ E), inside_bump.
      split; [tauto|]. intros [H| ->]; tauto.
  - apply Nat.le_antisymm; apply filter_more; intros y _; rewrite !andb_true_iff, !insideb_spec,
      (inside_ceq _ _ _ E), inside_bump; [|tauto].
    intros [[I| ->] Ty]; [auto|congruence].
Qed.

(** More was put into a port at a later cut. *)
Lemma puts_mono p c d : cle c d -> puts P p c <= puts P p d.
Proof.
  intro L. apply filter_more. intros e _. rewrite !andb_true_iff, !insideb_spec. intros [I T]. split; auto.
  unfold inside in *. specialize (L (fst e)). lia.
Qed.

(** As many were taken from a port at two cuts, if its reader is equally far. *)
Lemma takes_reader p c d i k : action P (i, k) = Some (Take p) -> c i = d i -> takes P p c <= takes P p d.
Proof.
  intros T E. apply filter_more. intros e _. rewrite !andb_true_iff, !insideb_spec. intros [I Te]. split; auto.
  pose proof (one_reader P _ _ _ (proj1 (is_take_spec _ _) Te) T) as F. simpl in F.
  unfold inside in *. rewrite F in *. lia.
Qed.

(** ** The largest set

    What can happen stays possible until it happens, since nobody else takes from the port.  So no cut that is reached
    goes beyond one at which all processes are stuck.  The latter need not be reached: any such cut is a certificate. *)
Theorem without_greatest : forall (stop : event -> Prop) c d, reached P stop c -> stuck P stop d -> cle c d.
Proof.
  intros stop c d R S. induction R as [c Z|c i d' R IH N A E]; intro k; [rewrite Z; lia|].
  rewrite (E k). destruct (Nat.eq_dec k i) as [->|Nk]; [|now rewrite bump_other].
  rewrite bump_self. destruct (Nat.eq_dec (d i) (c i)) as [Ed|Nd]; [|specialize (IH i); lia].
  exfalso. destruct (S i) as [St|Nr]; rewrite Ed in *; [contradiction|]. apply Nr. unfold ready in *.
  destruct (action P (i, c i)) as [[p|p|]|] eqn:Ac; auto.
  pose proof (puts_mono p c d IH). pose proof (takes_reader p d c i (c i) Ac Ed). lia.
Qed.

(** There is only one. *)
Corollary without_unique : forall r w w', without P r w -> without P r w' -> ceq w w'.
Proof.
  intros r w w' [R S] [R' S'] i.
  pose proof (without_greatest _ _ _ R S' i). pose proof (without_greatest _ _ _ R' S i). lia.
Qed.

(** Every cut that is reached can be extended until no process can go on. *)
Lemma stuck_exists stop c : reached P stop c -> exists w, reached P stop w /\ stuck P stop w.
Proof.
  remember (length (filter (fun e => negb (insideb c e)) (events P))) as n eqn:En. revert c En.
  induction n as [n IH] using lt_wf_ind. intros c -> R.
  destruct (classic (stuck P stop c)) as [S|S]; [eauto|].
  apply not_all_ex_not in S as [i S]. apply not_or_and in S as [N A]. apply NNPP in A.
  apply (IH (length (filter (fun e => negb (insideb (bump c i) e)) (events P)))) with (bump c i); auto;
    [|apply reached_next with c i; auto; intro; reflexivity].
  assert (M : length (filter (fun e => negb (insideb c e)) (events P)) =
    S (length (filter (fun e => negb (insideb (bump c i) e)) (events P)))); [|lia].
  apply filter_one_more with (i, c i).
  - apply no_duplicates.
  - apply all_events. unfold ready in A. destruct (action P (i, c i)); [discriminate|contradiction].
  - apply negb_false_iff, insideb_spec, inside_bump. auto.
  - intro y. rewrite !negb_true_iff, <- !not_true_iff_false, !insideb_spec, inside_bump.
    destruct y as [k m]. split; [|intros [H|E]; [tauto|injection E as -> ->; unfold inside; simpl; lia]].
    intro H. destruct (classic ((k, m) = (i, c i))); tauto.
Qed.

Theorem without_exists : forall r, exists w, without P r w.
Proof. intro r. apply stuck_exists with (fun _ => 0). now apply reached_start. Qed.

(** The set grows along a process. *)
Theorem without_grows : forall i k k' w w', k <= k' -> without P (i, k) w -> without P (i, k') w' -> cle w w'.
Proof.
  intros i k k' w w' L [R _] [_ S]. apply (without_greatest (eq (i, k')) w w'); auto. clear S.
  assert (G : reached P (eq (i, k')) w /\ w i <= k); [|tauto].
  induction R as [c Z|c i' d R [R' Le] N A E]; [split; [now apply reached_start|rewrite Z; lia]|]. split.
  - apply reached_next with c i'; auto. intro Q. injection Q as <- Q. apply N. f_equal. lia.
  - rewrite (E i). destruct (Nat.eq_dec i i') as [<-|Ni]; [|now rewrite bump_other].
    rewrite bump_self. destruct (Nat.eq_dec (c i) k) as [<-|]; [now contradiction N|lia].
Qed.

(** The event itself is not in it. *)
Lemma not_itself stop c e : reached P stop c -> stop e -> ~ inside c e.
Proof.
  intros R S. induction R as [c Z|c i d R IH N A E]; [unfold inside; rewrite Z; lia|].
  rewrite (inside_ceq _ _ _ E), inside_bump. intros [I| ->]; auto.
Qed.

(** ** Runs and counting *)

Variable ordered : port -> Prop.

Lemma done_bump m h : ceq (done (m :: h)) (bump (done h) (fst (event_of m))).
Proof.
  intro k. unfold done at 1, bump. simpl. rewrite (Nat.eqb_sym k).
  destruct (fst (event_of m) =? k); reflexivity.
Qed.

(** Each move is the next event of its process. *)
Lemma run_cons m h : runs P ordered (m :: h) -> runs P ordered h /\
  event_of m = (fst (event_of m), done h (fst (event_of m))) /\ In (event_of m) (events P).
Proof. intro R. inversion R; subst; simpl; repeat split; auto; eapply is_event; eauto. Qed.

Lemma run_app h' h : runs P ordered (h' ++ h) -> runs P ordered h.
Proof. induction h' as [|m h' IH]; simpl; auto. intro R. apply IH. now apply run_cons in R. Qed.

Lemma happens_inside h : runs P ordered h -> forall e, happens e h <-> inside (done h) e.
Proof.
  induction h as [|m h IH]; intros R e; [split; [intros []|unfold inside, done; simpl; lia]|].
  destruct (run_cons m h R) as (R' & M & _). rewrite (inside_ceq _ _ _ (done_bump m h)), inside_bump, <- M.
  unfold happens in *. simpl. rewrite (IH R' e). intuition.
Qed.

(** A receive takes a message of its port, which was sent before. *)
Lemma received h e s : runs P ordered h -> In (Receives e s) h -> exists p,
  action P e = Some (Take p) /\ action P s = Some (Put p) /\ inside (done h) s.
Proof.
  induction 1 as [|h i a R IH A N|h i p s' R IH A I O]; [intros []| |]; intros [E|Hin]; try discriminate.
  - destruct (IH Hin) as (q & A1 & A2 & A3). exists q. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
  - injection E as <- <-. destruct I as (I1 & I2 & _). exists p. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
  - destruct (IH Hin) as (q & A1 & A2 & A3). exists q. repeat split; auto.
    apply (inside_ceq _ _ _ (done_bump _ h)), inside_bump. auto.
Qed.

(** The messages that were taken from a port. *)
Fixpoint taken (p : port) (h : list move) : list event :=
  match h with
  | [] => []
  | Does _ :: h => taken p h
  | Receives e s :: h => if is_take P p e then s :: taken p h else taken p h
  end.

Lemma taken_in p h s : In s (taken p h) -> exists e, In (Receives e s) h /\ action P e = Some (Take p).
Proof.
  induction h as [|[e|e s'] h IH]; simpl; [intros []| |].
  - intro I. destruct (IH I) as (e' & A & B). eauto.
  - destruct (is_take P p e) eqn:T; [intros [->|I]|intro I].
    + exists e. split; auto. now apply is_take_spec.
    + destruct (IH I) as (e' & A & B). eauto.
    + destruct (IH I) as (e' & A & B). eauto.
Qed.

Lemma in_taken p h e s : In (Receives e s) h -> action P e = Some (Take p) -> In s (taken p h).
Proof.
  intros I A. apply is_take_spec in A. induction h as [|m h IH]; [destruct I|]. destruct I as [->|I]; simpl.
  - rewrite A. left. reflexivity.
  - destruct m as [e'|e' s']; auto. destruct (is_take P p e'); simpl; auto.
Qed.

(** They are as many as the takes, and no message is taken twice. *)
Lemma taken_length p h : runs P ordered h -> length (taken p h) = takes P p (done h).
Proof.
  induction 1 as [|h i a R IH A N|h i p' s R IH A I O].
  - unfold takes. induction (events P) as [|e l IH]; auto.
  - rewrite (takes_bump p (done h) i) by apply done_bump. destruct (is_take P p (i, done h i)) eqn:T; auto.
    apply is_take_spec in T. rewrite A in T. injection T as ->. now contradiction (N p).
  - rewrite (takes_bump p (done h) i) by apply done_bump. simpl. destruct (is_take P p (i, done h i)); simpl; auto.
Qed.

Lemma taken_once p h : runs P ordered h -> NoDup (taken p h).
Proof.
  induction 1 as [|h i a R IH A N|h i p' s R IH A I O]; simpl; auto; [constructor|].
  destruct (is_take P p (i, done h i)); auto. constructor; auto.
  intro J. apply taken_in in J as (e & J & _). now apply I in J.
Qed.

(** A message is in a port exactly if more were put into it than taken: whatever was taken by whom. *)
Lemma counting h p : runs P ordered h -> (exists s, in_port P h p s) <-> takes P p (done h) < puts P p (done h).
Proof.
  intro R. set (there := filter (fun e => insideb (done h) e && is_put P p e) (events P)).
  assert (There : forall s, In s there <-> inside (done h) s /\ action P s = Some (Put p)).
  { intro s. unfold there. rewrite filter_In, andb_true_iff, insideb_spec, is_put_spec. split; [tauto|].
    intros [A B]. split; auto. eapply is_event; eauto. }
  assert (Incl : incl (taken p h) there).
  { intros s I. apply taken_in in I as (e & I & A). destruct (received h e s R I) as (q & B & C & D).
    apply There. split; auto. congruence. }
  rewrite <- (taken_length p h R). change (puts P p (done h)) with (length there). split.
  - intros (s & A & B & C). change (length (s :: taken p h) <= length there). apply NoDup_incl_length.
    + constructor; [|now apply taken_once]. intro I. apply taken_in in I as (e & I & _). now apply C in I.
    + intros x [<-|I]; auto. now apply There.
  - intro L. apply NNPP. intro None. apply (Nat.lt_irrefl (length there)).
    apply Nat.le_lt_trans with (length (taken p h)); auto.
    apply NoDup_incl_length; [apply NoDup_filter, no_duplicates|]. intros s I. apply There in I as [I A].
    apply NNPP. intro J. apply None. exists s. repeat split; auto. intros e K. apply J.
    destruct (received h e s R K) as (q & B & C & _). apply in_taken with e; auto. congruence.
Qed.

(** If there is a message in the port, then there is an oldest one of its sender. *)
Lemma oldest h p s : in_port P h p s -> exists s0, in_port P h p s0 /\
  forall s', in_port P h p s' -> fst s' = fst s0 -> snd s0 <= snd s'.
Proof.
  destruct s as [i k]. induction k as [k IH] using lt_wf_ind. intro I.
  destruct (classic (exists k', k' < k /\ in_port P h p (i, k'))) as [(k' & L & I')|None]; [eauto|].
  exists (i, k). split; auto. intros [i' k'] I' E. simpl in *. subst i'.
  destruct (le_lt_dec k k'); auto. exfalso. eauto.
Qed.

(** Runs reach cuts by counting ... *)
Lemma run_reaches (stop : event -> Prop) h : runs P ordered h -> (forall e, happens e h -> ~ stop e) ->
  reached P stop (done h).
Proof.
  induction 1 as [|h i a R IH A N|h i p s R IH A I O]; intro St; [now apply reached_start| |].
  - apply reached_next with (done h) i; [| | |apply done_bump].
    + apply IH. intros e E. apply St. now right.
    + apply St. now left.
    + unfold ready. rewrite A. destruct a as [p|p|]; auto. now contradiction (N p).
  - apply reached_next with (done h) i; [| | |apply done_bump].
    + apply IH. intros e E. apply St. now right.
    + apply St. now left.
    + unfold ready. rewrite A. apply counting; eauto.
Qed.

(** ... and each cut that is reached by counting is that of some run. *)
Lemma ready_ceq c d e : ceq c d -> ready P c e -> ready P d e.
Proof.
  intros E. unfold ready. destruct (action P e) as [[p|p|]|]; auto.
  assert (F : forall f, filter (fun e => insideb c e && f e) (events P) =
                        filter (fun e => insideb d e && f e) (events P)).
  { intro f. apply filter_ext. intro x. unfold insideb. now rewrite (E (fst x)). }
  unfold takes, puts. now rewrite !F.
Qed.

Lemma reached_by_run stop c : reached P stop c -> exists h, runs P ordered h /\ ceq (done h) c.
Proof.
  induction 1 as [c Z|c i d R (h & Rh & E) N A D].
  - exists []. split; [constructor|]. intro i. now rewrite Z.
  - apply (ready_ceq c (done h)) in A; [|intro; symmetry; auto]. rewrite <- (E i) in *.
    assert (Next : forall m, event_of m = (i, done h i) -> ceq (done (m :: h)) d).
    { intros m M k. rewrite done_bump, M, (D k). simpl. unfold bump. now rewrite (E k). }
    destruct (action P (i, done h i)) as [a|] eqn:Ac; unfold ready in A; rewrite Ac in A; [|contradiction].
    destruct a as [p|p|].
    + exists (Does (i, done h i) :: h). split; [apply run_does with (Put p); auto; discriminate|now apply Next].
    + apply counting in A as [s I]; auto. destruct (oldest h p s I) as (s0 & I0 & O).
      exists (Receives (i, done h i) s0 :: h). split; [apply run_receives with p; auto|now apply Next].
    + exists (Does (i, done h i) :: h). split; [apply run_does with Inner; auto; discriminate|now apply Next].
Qed.

(** ** The theorems *)

(** W(r) has exactly the events that happen in some run in which [r] does not. *)
Theorem happens_without : forall r w, without P r w -> forall e,
  inside w e <-> exists h, runs P ordered h /\ happens e h /\ ~ happens r h.
Proof.
  intros r w [R S] e. split.
  - intro I. destruct (reached_by_run _ _ R) as (h & Rh & E). exists h. split; auto.
    rewrite !(happens_inside h Rh), !(inside_ceq _ _ _ E). split; auto. now apply not_itself with (eq r).
  - intros (h & Rh & He & Nr). apply (happens_inside h Rh) in He.
    assert (Rd : reached P (eq r) (done h)) by (apply run_reaches; auto; now intros e' H <-).
    unfold inside in *. specialize (without_greatest _ _ _ Rd S (fst e)). lia.
Qed.

(** An event comes after [r] in every run exactly if it is not in W(r). *)
Theorem precedes_iff_not_without : forall r w, without P r w -> forall e, e <> r ->
  precedes P ordered r e <-> ~ inside w e.
Proof.
  intros r w W e Ne. rewrite (happens_without r w W). split.
  - intros Pre (h & Rh & He & Nr). apply in_map_iff in He as (m & M & I). apply in_split in I as (h2 & h1 & ->).
    apply Nr. unfold happens. rewrite map_app. apply in_or_app. right. right.
    apply (Pre h1 m); auto. now apply run_app in Rh.
  - intros None h m R M. apply NNPP. intro Nr. apply None. exists (m :: h). split; auto. split; [now left|].
    intros [E|H]; [congruence|contradiction].
Qed.
End Program.
