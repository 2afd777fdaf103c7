(** * Certificates that the layers of a protocol stay apart

    A protocol is given by states, and layers that lead from one to another: an automaton.  For each layer L and
    port, a certificate has a cut of L at which all processes are stuck without L's last receive on the port.  From
    then on, it has sets of blocked processes: for each state and set, and each layer M that can follow, a cut of M
    at which the others are stuck, and a set for the next state, of processes that are not through M.  No cut has a
    send to the port by a process whose message could be taken.

    Such a certificate is sufficient.  No cut needs to be the largest, and nothing is assumed about deadlocks; only
    the layers that something can follow have to be balanced.  It is what kernel/ports.py checks, for an open
    protocol with any last layer.

    The theorems are [certificates_of_port] and [certificates_of_protocols].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortFaults PortFaultLayers PortOrder PortWords.
From Sealcheck Require Import PortProtocols PortLanguages.
Open Scope nat_scope.

Section Certificates.
Variables (all : list tagged_act) (G : tagged_port -> guarantee) (state : Type).
Variable next : state -> layer_program -> state -> Prop.

(** The words of layers from a state to another. *)
Inductive leads_to : state -> list layer_program -> state -> Prop :=
| leads_nowhere q : leads_to q [] q
| leads_on q M q1 w q2 : next q M q1 -> leads_to q1 w q2 -> leads_to q (M :: w) q2.

(** ** What a certificate has *)

(** A cut of a layer at which no process can go on, except for the events of [stop]. *)
Definition closed_cut (M : layer_program) (stop : event -> Prop) (u : cut) := stuck (relaxed_layer all G M) stop u.

(** The receives of [L] before [r], its last one on the port, cannot take all messages of process [i]: all messages
    come from [i], or some receive has a closed cut with too few of them. *)
Definition cannot_be_taken (L : layer_program) (r : event) (p : tagged_port) (i : proc) :=
  keeps_order (G p) = true /\ may_lose (G p) = false /\
  (receives_of_layer (program_over all L) only_layer 0 p <= messages_of (program_over all L) only_layer i 0 p \/
   exists e d, action (program_over all L) e = Some (Take p) /\ snd e < snd r /\ closed_cut L (eq e) d /\
     receives_of_layer (program_over all L) only_layer 0 p + sent_of (program_over all L) only_layer i 0 p d <=
     place_of (program_over all L) only_layer p e + messages_of (program_over all L) only_layer i 0 p).

(** Sets of blocked processes for states: from each, all layers that can follow lead to others, and no message to the
    port can be taken by [r]. *)
Definition closed_sets (p : tagged_port) (L : layer_program) (r : event) (sets : state -> (proc -> Prop) -> Prop) :=
  forall q1 B M q2, sets q1 B -> next q1 M q2 -> exists v, closed_cut M (fun e => B (fst e)) v /\
    (exists C, sets q2 C /\ forall i, C i -> blocked_by M B v i) /\
    forall s, action (program_over all M) s = Some (Put p) -> inside v s -> cannot_be_taken L r p (fst s).

(** Such sets, of which one for state [q] has only processes that do not get through [L] without [r]. *)
Definition keeps_away (p : tagged_port) (L : layer_program) (r : event) (q : state) :=
  exists u sets, closed_cut L (eq r) u /\ closed_sets p L r sets /\
  exists B, sets q B /\ forall i, B i -> blocked_by L (fun _ => False) u i.

(** The layer sends to the port, or receives on it. *)
Definition layer_touches (M : layer_program) (p : tagged_port) := exists e,
  action (program_over all M) e = Some (Put p) \/ action (program_over all M) e = Some (Take p).

(** ** Lemmas *)

Lemma leads_app q w1 : forall w2 q2, leads_to q (w1 ++ w2) q2 -> exists q1, leads_to q w1 q1 /\ leads_to q1 w2 q2.
Proof.
  revert q. induction w1 as [|M w1 IH]; intros q w2 q2 H; simpl in H.
  - exists q. split; auto. constructor.
  - inversion H as [|? ? q1 ? ? N H1]; subst. destruct (IH q1 w2 q2 H1) as (q3 & A & B). exists q3. split; auto.
    now apply leads_on with q1.
Qed.

Lemma closed_cut_above M (stop stop' : event -> Prop) u d : (forall e, stop' e -> stop e) ->
  plays all G M stop u -> closed_cut M stop' d -> cle u d.
Proof.
  intros Less [R _] S. apply (without_greatest (relaxed_layer all G M) stop'); auto. clear S.
  induction R as [c Z|c i d' R IH N A D]; [now apply reached_start|]. apply reached_next with c i; auto.
Qed.

(** At a cut of a word, the processes of a certificate's set are behind, layer by layer. *)
Lemma sets_are_behind p L r sets w stop ls : closed_sets p L r sets -> reached (relaxed_word all G ls) stop w ->
  stuck (relaxed_word all G ls) stop w ->
  forall mid pre post q q', ls = pre ++ mid ++ post -> leads_to q mid q' ->
  forall B : proc -> Prop, sets q B -> (forall i, B i -> behind pre w i) ->
  exists C : proc -> Prop, sets q' C /\ forall i, C i -> behind (pre ++ mid) w i.
Proof.
  intros Next R S mid. induction mid as [|M mid IH]; intros pre post q q' E H B HB Beh; inversion H; subst.
  - exists B. rewrite app_nil_r. auto.
  - match goal with N : next q M ?q1, H1 : leads_to ?q1 mid q' |- _ => rename q1 into q1', N into Nq, H1 into Hq end.
    destruct (Next q B M q1' HB Nq) as (v & Cl & (C & HC & Sub) & _).
    pose proof (layer_of_word_plays all G pre (mid ++ post) M stop w R S) as Pl.
    assert (Le : cle (in_layer_at pre M w) v).
    { apply closed_cut_above with (2 := Pl) (3 := Cl). intros e b. left. now apply Beh. }
    replace (pre ++ M :: mid) with ((pre ++ [M]) ++ mid) by now rewrite <- app_assoc.
    apply (IH (pre ++ [M]) post q1' q' ltac:(now rewrite <- app_assoc) Hq C HC). intros i c. unfold behind.
    rewrite start_next. destruct (Sub i c) as [b|Lt]; [specialize (Beh i b); unfold behind in Beh; lia|].
    specialize (Le i). unfold in_layer_at in Le. lia.
Qed.

(** If a message cannot be taken by the certificate, then it cannot in the word. *)
Lemma not_all_taken (pre post : list layer_program) (L : layer_program) r p i :
  action (program_over all L) r = Some (Take p) -> cannot_be_taken L r p i ->
  ~ all_taken_before (word_program all (pre ++ L :: post)) (layer_in (pre ++ L :: post)) G i (in_word pre r) p.
Proof.
  intros Ar (_ & _ & Few). pose proof (take_in_layer all L r p Ar) as Lr. unfold all_taken_before.
  rewrite (in_word_layer pre post L r Lr), receives_in_word, messages_in_word. intros [Lt Fit].
  destruct Few as [Few|(e & d & A & B & Cl & Few)]; [lia|]. pose proof (take_in_layer all L e p A) as Le.
  assert (F : fst e = fst r) by exact (one_reader (program_over all L) _ _ _ A Ar).
  destruct (without_exists (relaxed_word all G (pre ++ L :: post)) (in_word pre e)) as [w W].
  specialize (Fit (in_word pre e) w).
  rewrite (action_in_word all pre post L e Le), (in_word_layer pre post L e Le) in Fit.
  specialize (Fit A eq_refl ltac:(simpl; rewrite F; lia) W). rewrite place_in_word, sent_in_word in Fit by auto.
  destruct W as [R S]. pose proof (layer_of_word_plays all G pre post L _ w R S) as Pl.
  assert (Le' : cle (in_layer_at pre L w) d).
  { apply closed_cut_above with (2 := Pl) (3 := Cl). intros x <-. now right. }
  assert (sent_of (program_over all L) only_layer i 0 p (in_layer_at pre L w) <=
    sent_of (program_over all L) only_layer i 0 p d); [|lia].
  apply filter_more. intros x _. rewrite !andb_true_iff, !insideb_spec. intros [Ix T]. split; auto.
  specialize (Le' (fst x)). unfold inside in *. lia.
Qed.

(** On a port with a named sender all messages of a layer come from it. *)
Lemma named_sender_puts M s p i : action (program_over all M) s = Some (Put p) -> snd (fst p) = Some i -> fst s = i.
Proof.
  cbn [action program_over]. unfold tagged_action.
  destruct (nth_error (tagged_share (fst s) M) (snd s)) as [a|] eqn:A; [|discriminate].
  apply nth_error_In, filter_In in A as [_ F]. apply Nat.eqb_eq in F. destruct a as [k j t|j k t|k]; try discriminate.
  simpl in F |- *. intro E. injection E as <-. simpl. destruct (from_any all j t); congruence.
Qed.

Lemma named_sender_is_in_order M p i r : balanced_layers (program_over all M) only_layer -> keeps_order (G p) = true ->
  may_lose (G p) = false -> snd (fst p) = Some i -> cannot_be_taken M r p i.
Proof.
  intros Bal K Lo N. split; auto. split; auto. left. unfold receives_of_layer. rewrite <- (Bal 0 p).
  apply filter_more. intros s _ T. rewrite T. apply is_put_spec in T. apply exact_put in T as [T _].
  apply is_from_spec. now apply (named_sender_puts M s p i).
Qed.

(** ** The theorem *)

(** One port.  Ports with a named sender, in order and without loss, need no certificate. *)
Theorem certificates_of_port : forall start p,
  (forall q1 M q2 N q3, next q1 M q2 -> next q2 N q3 -> balanced_layers (program_over all M) only_layer) ->
  (forall pre L mid M post q, leads_to start (pre ++ L :: mid ++ M :: post) q -> may_copy (G p) = true ->
    ~ (layer_touches L p /\ layer_touches M p)) ->
  (forall q1 L q2 r, next q1 L q2 -> may_copy (G p) = false -> last_take (program_over all L) only_layer r p ->
    (keeps_order (G p) = true /\ may_lose (G p) = false /\ snd (fst p) <> None) \/ keeps_away p L r q2) ->
  forall w q, leads_to start w q -> ~ faulty_root_port (word_program all w) (layer_in w) G p.
Proof.
  intros start p Bal Copies Away w q Word Root.
  destruct (may_copy (G p)) eqn:C.
  - destruct (faulty_root_first _ _ G p Root) as (lost & e & s & h & _ & _ & W & A & _ & (As & _) & _).
    destruct (layer_of_action all w e _ A) as (pre & L & post & e' & E & Np & A').
    destruct (layer_of_action all w s _ As) as (pre' & M & post' & s' & E' & Np' & As').
    assert (T : layer_touches L p) by (exists e'; auto). assert (T' : layer_touches M p) by (exists s'; auto).
    pose proof E' as E2. rewrite E in E2.
    destruct (app_split pre post pre' (M :: post') L E2) as [(c & Ep & Er)|(a & Ep & Er)].
    + apply (Copies pre L c M post' q); auto. now rewrite <- Er, <- E.
    + destruct a as [|x a]; [rewrite app_nil_r in Ep; congruence|]. simpl in Er. injection Er as -> Er.
      apply (Copies pre' M a L post q); auto. now rewrite Er, <- E'.
  - assert (Before : balanced_before (word_program all w) (layer_in w) p).
    { intros e n A Ln. assert (Le : layer_in w e < length w) by (destruct e; apply (layer_below all); congruence).
      destruct (nth_error w n) as [M|] eqn:E; [|apply nth_error_None in E; lia].
      apply nth_error_split in E as (pre & post & -> & <-).
      rewrite (exact_counts all pre M post p (@is_put)), (exact_counts all pre M post p (@is_take)) by auto.
      destruct post as [|N post]; [rewrite app_length in Le; simpl in Le; lia|].
      apply leads_app in Word as (q1 & _ & H). inversion H as [|? ? q2 ? ? N1 H1]; subst.
      inversion H1 as [|? ? q3 ? ? N2 _]; subst. now apply (Bal q1 M q2 N q3). }
    destruct (message_from_run _ _ G (in_sequence_word all w) p Before C Root) as (r & s & wc & La & As & Lt & W & I & F).
    destruct (layer_of_action all w r _ (proj1 La)) as (pre & L & rest & _ & E & Np & _).
    destruct (layer_of_action all w s _ As) as (pre' & M & post & _ & E' & Np' & _).
    pose proof E' as E2. rewrite E in E2.
    destruct (app_split pre rest pre' (M :: post) L E2) as [(mid & -> & ->)|(a & -> & _)];
      [|rewrite app_length in Np; lia].
    destruct (from_layer pre (mid ++ M :: post) L r ltac:(rewrite <- E; congruence)) as (r0 & Lr0 & ->).
    destruct (from_layer (pre ++ L :: mid) post M s ltac:(rewrite <- E'; congruence)) as (s0 & Ls0 & ->).
    rewrite E' in As. rewrite (action_in_word all _ post M s0 Ls0) in As.
    rewrite E in La, F, W, Word. apply (last_take_in_word all pre (mid ++ M :: post) L r0 p Lr0) in La.
    apply leads_app in Word as (q1 & _ & Word). inversion Word as [|? ? q2 ? ? N1 Rest]; subst.
    apply leads_app in Rest as (q3 & Mid & Rest). inversion Rest as [|? ? q4 ? ? N2 _]; subst.
    destruct (Away q1 L q2 r0 N1 eq_refl La) as [(K & Lo & Named)|(u & sets & Cl & Next & B & HB & Sub)].
    { destruct (snd (fst p)) as [i|] eqn:Ni; [|congruence]. simpl in F.
      rewrite (named_sender_puts M s0 p i As Ni) in F. apply (not_all_taken pre (mid ++ M :: post) L r0 p i (proj1 La));
        [|now apply F]. apply named_sender_is_in_order; auto.
      assert (Follows : exists N q5, next q2 N q5) by (destruct mid; inversion Mid; subst; eauto).
      destruct Follows as (N & q5 & H). now apply (Bal q1 L q2 N q5). }
    destruct W as [R S].
    assert (Past : forall i, B i -> behind (pre ++ [L]) wc i).
    { intros i b. unfold behind. rewrite start_next. destruct (Sub i b) as [[]|Lt'].
      pose proof (layer_of_word_plays all G pre (mid ++ M :: post) L _ wc R S) as Pl.
      assert (Le : cle (in_layer_at pre L wc) u).
      { apply closed_cut_above with (2 := Pl) (3 := Cl). intros x <-. now right. }
      specialize (Le i). unfold in_layer_at in Le. lia. }
    destruct (sets_are_behind p L r0 sets wc _ _ Next R S mid (pre ++ [L]) (M :: post) q2 q3
      ltac:(now rewrite <- app_assoc) Mid B HB Past) as (D & HD & Beh).
    rewrite <- app_assoc in Beh. simpl in Beh. destruct (Next q3 D M q4 HD N2) as (v & Clv & _ & None).
    rewrite E' in R, S. pose proof (layer_of_word_plays all G (pre ++ L :: mid) post M _ wc R S) as Pl.
    assert (Le : cle (in_layer_at (pre ++ L :: mid) M wc) v).
    { apply closed_cut_above with (2 := Pl) (3 := Clv). intros x b. left. now apply Beh. }
    assert (Iv : inside v s0).
    { apply (inside_in_word (pre ++ L :: mid) M wc s0 Ls0) in I. specialize (Le (fst s0)). unfold inside in *. lia. }
    pose proof (None s0 As Iv) as Cannot. destruct Cannot as (K & Lo & Few).
    apply (not_all_taken pre (mid ++ M :: post) L r0 p (fst s0) (proj1 La)); [now repeat split|]. now apply F.
Qed.

(** All ports. *)
Theorem certificates_of_protocols : forall start,
  (forall q1 M q2 N q3, next q1 M q2 -> next q2 N q3 -> balanced_layers (program_over all M) only_layer) ->
  (forall p pre L mid M post q, leads_to start (pre ++ L :: mid ++ M :: post) q -> may_copy (G p) = true ->
    ~ (layer_touches L p /\ layer_touches M p)) ->
  (forall p q1 L q2 r, next q1 L q2 -> may_copy (G p) = false -> last_take (program_over all L) only_layer r p ->
    (keeps_order (G p) = true /\ may_lose (G p) = false /\ snd (fst p) <> None) \/ keeps_away p L r q2) ->
  forall w q, leads_to start w q -> apart_with_faults (word_program all w) (layer_in w) G.
Proof.
  intros start Bal Copies Away w q Word. apply apart_without_faulty_root_ports. intro p.
  exact (certificates_of_port start p Bal (Copies p) (Away p) w q Word).
Qed.
End Certificates.
