(** * Balance over all intervals

    "Program P is balanced (in Rel) if, whenever r[c,d] |- P and all channels are empty at (r, c), then every channel
    contains an equal number of sends and receives at (r, d)."  At a cut that is not finite a channel may contain
    infinitely many events.  Equal numbers are read as in set theory: there is a one-to-one correspondence
    ([equally_many]).  At finite cuts that is to count ([counted_channel]), so a program that is balanced over all
    intervals is balanced over finite ones.

    "Note that balanced programs are TCC in RelFi" holds in this reading over all intervals, from empty channels
    ([balanced_silent_rel_fifo_infinite]).  "In Rel, every non-divergent program that is properly sealable is also
    balanced" does not, not even of BSLs: mt 1->2 can begin where 2 has gone on for ever; if 2 can act again, it receives
    without an event, so the message of 1 stays on its channel ([balanced_necessary_as_printed_infinite_fails]).  If 2
    cannot act again, BSLs are balanced as over finite intervals ([bsl_balanced_infinite]).  Repaired, of all programs: it
    holds over intervals that begin at a finite cut.  A program that does not diverge ends at a finite cut there, so it
    is as over finite intervals ([balanced_necessary_from_finite_cuts]).

    Theorems of the ledger: [balanced_silent_rel_fifo_infinite], [balanced_necessary_as_printed_infinite_fails],
    [bsl_balanced_infinite], [balanced_necessary_from_finite_cuts]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine Values SealingByCausality ClosedChannels.
From Sealcheck Require Import TccImpossibility NoBarrier BalancedNecessary FifoModels Transmissions ExamplesRuns.
From Sealcheck Require Import InfiniteCuts InfiniteSealAlgebra InfiniteStraightLine InfiniteChannels.
Open Scope nat_scope.

(** ** Equal numbers *)

(** There is a one-to-one correspondence between the events of the one kind and of the other. *)
Definition equally_many (one other : event -> Prop) := exists pair : event -> event -> Prop,
  (forall x, one x -> exists y, other y /\ pair x y) /\ (forall y, other y -> exists x, one x /\ pair x y) /\
  (forall x y x' y', one x -> other y -> one x' -> other y' -> pair x y -> pair x' y' -> (x = x' <-> y = y')).
Definition balanced_at (r : run) (d : icut) (i j : proc) := equally_many
  (fun e => iin_channel r d i j e /\ is_snd r e i j) (fun e => iin_channel r d i j e /\ is_rcv r e i j).
Definition iBalanced (u : limit) (G : run -> Prop) (p : prog) := forall r c d,
  G r -> iall_empty r c -> ioccurs u r c p d -> forall i j, balanced_at r d i j.

(** None are as many as none, and nothing else. *)
Lemma equally_none one other : equally_many one other -> ((forall x, ~ one x) <-> (forall y, ~ other y)).
Proof.
  intros (pair & A & B & _). split; intros N z Z; [destruct (B z Z) as (x & X & _)|destruct (A z Z) as (x & X & _)];
    exact (N x X).
Qed.
Lemma none_equally one other : (forall x, ~ one x) -> (forall y, ~ other y) -> equally_many one other.
Proof.
  intros A B. exists (fun _ _ => True). split; [|split].
  - intros x X. destruct (A x X).
  - intros y Y. destruct (B y Y).
  - intros x y x' y' X. destruct (A x X).
Qed.

(** Of finitely many, it is to count. *)
Lemma equally_at_most (one other : event -> Prop) L K : NoDup L -> (forall x, In x L -> one x) ->
  (forall y, other y -> In y K) -> equally_many one other -> length L <= length K.
Proof.
  intros ND HL HK (pair & A & _ & U).
  assert (X : exists M, length M = length L /\ NoDup M /\ incl M K /\ forall y, In y M -> exists x, In x L /\ other y /\
    pair x y).
  { induction L as [|x L IH].
    - exists []. split; [auto|split; [constructor|split; [intros y []|intros y []]]].
    - inversion ND; subst. destruct IH as (M & Len & NM & Inc & P); auto; [intros z Z; apply HL; now right|].
      destruct (A x) as (y & Oy & Pxy); [apply HL; now left|]. exists (y :: M). split; [simpl; congruence|].
      split; [constructor; auto|split].
      + intro I. destruct (P y I) as (x' & I' & _ & P'). assert (x = x') as <-; [|contradiction].
        apply (U x y x' y); auto; apply HL; [now left|now right].
      + intros z [<-|I]; auto.
      + intros z [<-|I]; [exists x; split; [now left|auto]|]. destruct (P z I) as (x' & I' & Q). exists x'.
        split; [now right|auto]. }
  destruct X as (M & <- & NM & Inc & _). now apply NoDup_incl_length.
Qed.
Lemma equally_swap one other : equally_many one other -> equally_many other one.
Proof.
  intros (pair & A & B & U). exists (fun y x => pair x y). split; [exact B|split; [exact A|]].
  intros y x y' x' Y X Y' X' P P'. symmetry. now apply (U x y x' y').
Qed.
Lemma equally_lengths (one other : event -> Prop) L K : NoDup L -> NoDup K -> (forall x, In x L <-> one x) ->
  (forall y, In y K <-> other y) -> (equally_many one other <-> length L = length K).
Proof.
  intros NL NK HL HK. split.
  - intro E. apply Nat.le_antisymm.
    + apply (equally_at_most one other); auto; intros; [now apply HL|now apply HK].
    + apply (equally_at_most other one); auto using equally_swap; intros; [now apply HK|now apply HL].
  - intro E. exists (fun x y => exists k, nth_error L k = Some x /\ nth_error K k = Some y). split; [|split].
    + intros x X. apply HL, In_nth_error in X as [k X]. destruct (nth_error K k) as [y|] eqn:Y.
      * exists y. split; [apply HK; eapply nth_error_In; eauto|eauto].
      * apply nth_error_None in Y. assert (k < length L) by (apply nth_error_Some; congruence). lia.
    + intros y Y. apply HK, In_nth_error in Y as [k Y]. destruct (nth_error L k) as [x|] eqn:X.
      * exists x. split; [apply HL; eapply nth_error_In; eauto|eauto].
      * apply nth_error_None in X. assert (k < length K) by (apply nth_error_Some; congruence). lia.
    + intros x y x' y' _ _ _ _ (k & A & B) (k' & A' & B'). split; intros <-.
      * assert (k = k') as <-; [|congruence]. apply (proj1 (NoDup_nth_error L) NL); [apply nth_error_Some|]; congruence.
      * assert (k = k') as <-; [|congruence]. apply (proj1 (NoDup_nth_error K) NK); [apply nth_error_Some|]; congruence.
Qed.

(** Which elements of a list have a property. *)
Lemma parted (Q : event -> Prop) l : NoDup l -> exists yes no, NoDup yes /\ NoDup no /\
  (forall x, In x yes <-> In x l /\ Q x) /\ (forall x, In x no <-> In x l /\ ~ Q x) /\
  length l = length yes + length no.
Proof.
  induction l as [|a l IH]; intro N.
  - exists [], []. simpl. split; [constructor|split; [constructor|]]. split; [tauto|split; [tauto|auto]].
  - inversion N as [|? ? Na Nl]; subst. destruct (IH Nl) as (yes & no & N1 & N2 & Y & X & L).
    destruct (classic (Q a)) as [H|H].
    + exists (a :: yes), no. split; [constructor; auto; intro I; apply Y in I; tauto|split; [auto|split; [|split]]].
      * intro x. simpl. rewrite Y. split; [intros [<-|[]]; auto|intros [[<-|I] Qx]; auto].
      * intro x. simpl. rewrite X. split; [intros []; auto|intros [[<-|I] Qx]; tauto].
      * simpl. lia.
    + exists yes, (a :: no). split; [auto|split; [constructor; auto; intro I; apply X in I; tauto|split; [|split]]].
      * intro x. simpl. rewrite Y. split; [intros []; auto|intros [[<-|I] Qx]; tauto].
      * intro x. simpl. rewrite X. split; [intros [<-|[]]; auto|intros [[<-|I] Qx]; auto].
      * simpl. lia.
Qed.

(** _At a finite cut, a channel contains as many sends as receives exactly if up to there as many are sent on it as are
    received_. *)
Lemma counted_channel r d i j : matching r -> (balanced_at r (fin d) i j <-> nsnd r i j 0 (d i) = nrcv r j i 0 (d j)).
Proof.
  intro M. set (S0 := map (fun k => (i, k)) (filter (fun k => sndb j (lab r i k)) (seq 0 (d i)))).
  set (R0 := map (fun k => (j, k)) (filter (fun k => rcvb i (lab r j k)) (seq 0 (d j)))).
  assert (HS : forall e, In e S0 <-> is_snd r e i j /\ inside d e).
  { intros [p k]. unfold S0. rewrite in_map_iff. split.
    - intros (x & E & I). injection E as <- <-. apply filter_In in I as [I L]. apply in_seq in I. apply sndb_spec in L.
      split; [split; auto|unfold inside; simpl; lia].
    - intros [[F L] I]. simpl in F, L. subst p. exists k. split; auto. apply filter_In.
      split; [apply in_seq; unfold inside in I; simpl in I; lia|now apply sndb_spec]. }
  assert (HR : forall e, In e R0 <-> is_rcv r e i j /\ inside d e).
  { intros [p k]. unfold R0. rewrite in_map_iff. split.
    - intros (x & E & I). injection E as <- <-. apply filter_In in I as [I L]. apply in_seq in I. apply rcvb_spec in L.
      split; [split; auto|unfold inside; simpl; lia].
    - intros [[F L] I]. simpl in F, L. subst p. exists k. split; auto. apply filter_In.
      split; [apply in_seq; unfold inside in I; simpl in I; lia|now apply rcvb_spec]. }
  assert (Inj : forall p l, NoDup l -> NoDup (map (fun k : nat => (p, k) : event) l)).
  { intros p l. apply NoDup_map_on. intros a b _ _ E. congruence. }
  assert (NS : NoDup S0) by apply Inj, NoDup_filter, seq_NoDup.
  assert (NR : NoDup R0) by apply Inj, NoDup_filter, seq_NoDup.
  assert (CS : nsnd r i j 0 (d i) = length S0) by (unfold nsnd, S0; now rewrite map_length, Nat.sub_0_r).
  assert (CR : nrcv r j i 0 (d j) = length R0) by (unfold nrcv, R0; now rewrite map_length, Nat.sub_0_r).
  destruct (parted (fun e => exists e', In e' R0 /\ delta r e' = e) S0 NS) as (Sm & Su & N1 & N2 & HSm & HSu & LS).
  destruct (parted (fun e => inside d (delta r e)) R0 NR) as (Rm & Ru & N3 & N4 & HRm & HRu & LR).
  assert (LM : length Sm = length Rm).
  { apply Nat.le_antisymm.
    - rewrite <- (map_length (delta r) Rm). apply NoDup_incl_length; auto. intros e I.
      apply HSm in I as [I (e' & I' & <-)]. apply in_map, HRm. split; auto. now apply HS in I.
    - rewrite <- (map_length (delta r) Rm). apply NoDup_incl_length.
      + apply NoDup_map_on; auto. intros a b Ia Ib E. apply HRm in Ia as [Ia _], Ib as [Ib _].
        apply HR in Ia as [Ra _], Ib as [Rb _]. exact (delta_inj r M _ _ _ _ _ _ Ra Rb E).
      + intros e I. apply in_map_iff in I as (e' & <- & I). apply HRm in I as [I Id]. apply HSm. split; [|eauto].
        apply HS. split; auto. apply (delta_snd r M). now apply HR in I. }
  unfold balanced_at. rewrite (equally_lengths _ _ Su Ru N2 N4), CS, CR; [lia|..].
  - intro e. rewrite HSu, HS. split.
    + intros [[S I] N]. split; auto. split; [exact I|left]. split; auto. intros e' a b R I' D. apply N. exists e'.
      split; auto. apply HR. split; auto. pose proof (delta_snd r M _ _ _ R) as S'. rewrite D in S'.
      destruct S as [F L], S' as [F' L']. rewrite L in L'. injection L' as <-. congruence.
    + intros [[I [[S U]|[R _]]] S']; [|destruct S' as [F L], R as [F' L']; congruence]. split; [auto|].
      intros (e' & I' & D). apply HR in I' as [R' I']. exact (U e' i j R' I' D).
  - intro e. rewrite HRu, HR. split.
    + intros [[R I] N]. split; auto. split; [exact I|right]. auto.
    + intros [[I [[S _]|[_ N]]] R]; [destruct S as [F L], R as [F' L']; congruence|]. auto.
Qed.

(** It depends on what [i] and [j] have done only. *)
Lemma balanced_at_near r c d i j : matching r -> (forall x, fst x = i \/ fst x = j -> (iinside c x <-> iinside d x)) ->
  balanced_at r d i j -> balanced_at r c i j.
Proof.
  intros M E (pair & B1 & B2 & B3).
  assert (X : forall e, iin_channel r c i j e <-> iin_channel r d i j e).
  { intro e. split; apply iin_channel_near; auto. intros x F. now rewrite E. }
  exists pair. split; [|split].
  - intros x [I K]. destruct (B1 x) as (y & [I' K'] & P'); [split; auto; now apply X|]. exists y. split; auto.
    split; auto. now apply X.
  - intros y [I K]. destruct (B2 y) as (x & [I' K'] & P'); [split; auto; now apply X|]. exists x. split; auto.
    split; auto. now apply X.
  - intros x y x' y' [I1 K1] [I2 K2] [I3 K3] [I4 K4]. apply B3; split; auto; now apply X.
Qed.

(** A program that is balanced over all intervals is balanced over finite ones. *)
Lemma ibalanced_balanced u (G : run -> Prop) P : (forall r, G r -> matching r) -> iBalanced u G P -> Balanced G P.
Proof.
  intros GM B r c d g E O i j. apply counted_channel; [auto|]. apply (B r (fin c) (fin d)); auto. now apply occurs_here.
Qed.

(** ** RelFi *)

(** Where messages arrive in order, a channel has no sends, or no receives. *)
Lemma in_order_one_kind r d i j s e : matching r -> in_order r -> iin_channel r d i j s -> is_snd r s i j ->
  iin_channel r d i j e -> is_rcv r e i j -> False.
Proof.
  intros M F [Is Hs] Ss [Ie He] Re. destruct Hs as [[_ U]|[R _]]; [|destruct R, Ss; congruence].
  destruct He as [[S _]|[_ N]]; [destruct S, Re; congruence|]. pose proof (delta_snd r M _ _ _ Re) as Sd.
  assert (L : snd s < snd (delta r e)).
  { unfold iinside in Is, N. destruct Ss as [Fs _], Sd as [Fd _]. rewrite Fs in Is. rewrite Fd in N.
    destruct (d i); [lia|now destruct N]. }
  destruct (F i j s (delta r e) e Ss Sd L Re eq_refl) as (e' & R' & D & L'). apply (U e' i j R'); auto.
  unfold iinside in *. destruct R' as [F' _], Re as [Fe _]. rewrite F'. rewrite Fe in Ie. destruct (d j); [lia|auto].
Qed.

(** "_Note that balanced programs are TCC in RelFi_", from empty channels, over all intervals. *)
Theorem balanced_silent_rel_fifo_infinite : forall u P, iBalanced u Rel P -> forall r c d, RelFi r -> iall_empty r c ->
  ioccurs u r c P d -> isilent r d.
Proof.
  intros u P B r c d [R F] E O. pose proof R as [[M _] _]. apply iempty_silent; auto. intros i j e I.
  pose proof (equally_none _ _ (B r c d R E O i j)) as None.
  assert (NR : forall x, ~ (iin_channel r d i j x /\ is_rcv r x i j)).
  { intros x [Ix Rx]. apply (proj1 None) with x; [|auto]. intros s [Is Ss].
    exact (in_order_one_kind r d i j s x M F Is Ss Ix Rx). }
  pose proof (proj2 None NR) as NS. destruct I as [I [[S U]|[R' N]]]; [apply (NS e)|apply (NR e)]; split; auto;
    split; auto.
Qed.

(** ** th:psealable.balanced *)

(** 1 sends to 2, which has gone on for ever. *)
Local Definition two_gone : icut := fun i => if i =? 2 then None else Some 0.
Local Definition one_has_sent : icut := fun i => if i =? 2 then None else if i =? 1 then Some 1 else Some 0.
Local Lemma mt_without_2 u : acts_on u -> ioccurs u lost two_gone (mt 1 2 zero) one_has_sent.
Proof.
  intro A. apply ilay_iff. exists one_has_sent. split.
  - apply I_snd. unfold makes_step. simpl. split; [auto|]. intros [|[|[|i]]]; reflexivity.
  - apply I_rcv. unfold makes_step. simpl. split; [exact A|apply iceq_refl].
Qed.

(** "_In Rel, every non-divergent program that is properly sealable is also balanced_": not over all intervals, if a
    process that has gone on for ever can act again; not even of BSLs that can occur one after the other. *)
Theorem balanced_necessary_as_printed_infinite_fails : forall u, acts_on u -> ~ forall P p S q,
  acts P = Some p -> acts S = Some q -> balanced p -> balanced q -> properly_seals u Rel S P ->
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c (Lay P S) d) -> iBalanced u Rel P.
Proof.
  intros u A H. assert (N12 : 1 <> 2) by lia.
  assert (B : iBalanced u Rel (mt 1 2 zero)).
  { apply (H (mt 1 2 zero) (NoBarrier.mt_actions 1 2) (mt 2 1 zero) (NoBarrier.mt_actions 2 1));
      auto using message_balanced.
    - apply (bsl_seals_infinite u (mt 1 2 zero) (mt 2 1 zero) (NoBarrier.mt_actions 1 2) (NoBarrier.mt_actions 2 1));
        auto using message_balanced, mt_seals_ack. now apply exchange_dead_free.
    - destruct (occurs_somewhere (Lay (mt 1 2 zero) (mt 2 1 zero)) (exchange_of 1 2)) as (r & [R _] & O & _);
        auto using exchange_balanced, exchange_dead_free, exchange_nofself.
      exists r, (fun _ => 0), (len (exchange_of 1 2)). auto using start_empty. }
  assert (E : iall_empty lost two_gone).
  { intros i j e [I [[[F L] _]|[R _]]]; [|now apply lost_no_receive in R]. destruct e as [p k]. simpl in F, L. subst p.
    destruct (i =? 1) eqn:Q; [|discriminate]. apply Nat.eqb_eq in Q. subst i. unfold iinside, two_gone in I. simpl in I.
    lia. }
  pose proof (equally_none _ _ (B lost two_gone one_has_sent (proj1 lost_run) E (mt_without_2 u A) 1 2)) as None.
  apply (proj2 None) with (1, 0).
  - intros y [_ R]. now apply lost_no_receive in R.
  - split; [split|split; reflexivity].
    + unfold iinside. simpl. lia.
    + left. split; [split; reflexivity|]. intros e a b R. now apply lost_no_receive in R.
Qed.

(** If it cannot act again, it has nothing to do. *)
Lemma gone_idle u r P p : ~ acts_on u -> acts P = Some p -> forall c d i, ioccurs u r c P d -> c i = None ->
  labs i p = [].
Proof.
  intro N. assert (One : forall a c d does, makes_step u c d (actor a) does -> forall i, c i = None -> labs i [a] = []).
  { intros a c d does St i C. unfold labs, proj. simpl. destruct (actor a =? i) eqn:Q; [exfalso|reflexivity].
    apply Nat.eqb_eq in Q. unfold makes_step in St. rewrite Q, C in St. tauto. }
  revert p. induction P; intros p A c d k O C; simpl in A; try discriminate; inversion O; subst;
    try (injection A as <-).
  - reflexivity.
  - eapply (One (AInt i)); eauto.
  - eapply (One (ASend i j)); eauto.
  - eapply (One (ARecv j i)); eauto.
  - destruct (acts P1) as [a|]; [|discriminate]. destruct (acts P2) as [b|]; [|discriminate]. injection A as <-.
    rewrite labs_app. assert (Cm : m k = None).
    { match goal with O1 : ioccurs u r c P1 m |- _ => pose proof (ioccurs_le _ _ _ _ _ O1 k) as U end. rewrite C in U.
      destruct (m k); [destruct U|reflexivity]. }
    now rewrite (IHP1 a eq_refl c m k), (IHP2 b eq_refl m d k).
Qed.
(** _Then BSLs are balanced over all intervals_, as they are over finite ones. *)
Theorem bsl_balanced_infinite : forall u (G : run -> Prop) P p, ~ acts_on u -> (forall r, G r -> matching r) ->
  acts P = Some p -> balanced p -> iBalanced u G P.
Proof.
  intros u G P p N GM A Bp r c d g E O i j. pose proof (GM r g) as M. pose proof (iempty_silent r c M E) as Sc.
  destruct (ioccurs_stands u r P p A _ _ O) as [Ed St].
  assert (Old : forall s, is_snd r s i j -> iinside c s -> iin_channel r d i j s -> False).
  { intros s S I [_ [[_ U]|[[_ L] _]]]; [|destruct S; congruence].
    destruct (iempty_received r c s i j E S I) as (e & a & b & R & I' & D). apply (U e a b R); auto.
    unfold iinside, end_of in *. rewrite (Ed (fst e)). unfold end_of. destruct (c (fst e)); simpl; auto; lia. }
  assert (Gone : forall k e, c k = None -> fst e = k -> iinside c e /\ iinside d e).
  { intros k e C F. unfold iinside. rewrite (Ed (fst e)). unfold end_of. now rewrite F, C. }
  assert (NoRcv : c i = None \/ c j = None -> forall e, ~ (iin_channel r d i j e /\ is_rcv r e i j)).
  { intros C e [[I [[S _]|[_ X]]] R]; [destruct S, R; congruence|]. apply X.
    pose proof (delta_snd r M _ _ _ R) as [F _]. destruct C as [C|C]; [now apply (Gone i)|].
    assert (Ic : iinside c (delta r e)) by (apply (Sc e i j R), (Gone j e C), R).
    unfold iinside in *. rewrite (Ed (fst (delta r e))). unfold end_of. destruct (c (fst (delta r e))); simpl; auto.
    lia. }
  destruct (c i) as [x|] eqn:Ci.
  2: { apply none_equally; [|now apply NoRcv; left]. intros s [I S]. apply (Old s S); auto.
    apply (Gone i); [auto|apply S]. }
  destruct (c j) as [y|] eqn:Cj.
  2: { apply none_equally; [|now apply NoRcv; right]. intros s [I S]. apply (Old s S); auto. apply NNPP. intro Nc.
    pose proof (Bp i j) as B. rewrite (gone_idle u r P p N A c d j O Cj) in B. simpl in B.
    destruct I as [I _]. destruct s as [i' k]. destruct S as [F L]. cbn [fst snd] in F, L. subst i'.
    unfold iinside in I, Nc. cbn [fst snd] in I, Nc. rewrite (Ed i) in I. unfold end_of in I. rewrite Ci in I, Nc.
    simpl in I. assert (Hs : nth_error (labs i p) (k - x) = Some (Snd j)).
    { rewrite (St i x Ci), nth_map_seq' by lia. replace (x + (k - x)) with k by lia. now f_equal. }
    pose proof (count_lt (sndb j) _ _ _ Hs (proj2 (sndb_spec j (Snd j)) eq_refl)). lia. }
  assert (Di : d i = Some (x + len p i)) by (rewrite (Ed i); unfold end_of; now rewrite Ci).
  assert (Dj : d j = Some (y + len p j)) by (rewrite (Ed j); unfold end_of; now rewrite Cj).
  apply (balanced_at_near r d (fin (unfin d))); auto.
  { intros e [F|F]; unfold iinside, fin, unfin; rewrite F, ?Di, ?Dj; reflexivity. }
  apply counted_channel; auto. assert (C0 : nsnd r i j 0 x = nrcv r j i 0 y).
  { replace x with (unfin c i) by (unfold unfin; now rewrite Ci).
    replace y with (unfin c j) by (unfold unfin; now rewrite Cj).
    apply counted_channel; auto. apply (balanced_at_near r (fin (unfin c)) c); auto.
    { intros e [F|F]; unfold iinside, fin, unfin; rewrite F, ?Ci, ?Cj; reflexivity. }
    apply none_equally; intros e [I _]; exact (E i j e I). }
  unfold unfin. rewrite Di, Dj. unfold nsnd, nrcv in *. rewrite !Nat.sub_0_r in *.
  rewrite !seq_app, !filter_app, !app_length. simpl. rewrite C0. f_equal. rewrite (count_map (sndb j) (lab r i)),
    (count_map (rcvb i) (lab r j)), <- (St i x Ci), <- (St j y Cj). apply Bp.
Qed.

(** The whole language, over intervals that begin at a finite cut: a program that does not diverge ends at one, so it is
    as over finite intervals. *)
Theorem balanced_necessary_from_finite_cuts : forall u P S, nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) ->
  (forall r c d, RelNS r -> ioccurs u r (fin c) P d -> finite d) ->
  forall r c d, RelNS r -> all_empty r c -> ioccurs u r (fin c) P d -> forall i j, balanced_at r d i j.
Proof.
  intros u P S NP NS Complete Silence Ends r c d R E O i j. pose proof R as [[[M _] _] _].
  assert (Fd : finite d) by eauto. assert (Ed : iceq d (fin (unfin d))) by now apply finite_fin.
  assert (B : balanced_at r (fin (unfin d)) i j).
  { apply counted_channel; auto. apply (balanced_necessary_whole_language P S NP NS Complete Silence r c); auto.
    apply (occurs_finite_cuts u). apply (ioccurs_iceq u r (fin c) P d O); auto using iceq_refl. }
  apply (balanced_at_near r d (fin (unfin d))); auto. intros e _. unfold iinside. now rewrite (Ed (fst e)).
Qed.
