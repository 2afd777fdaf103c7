(** * Sealability in Rel is undecidable

    "Our programming language Prog is Turing-complete.  Since the halting problem for Prog can be reduced to sealability
    in Rel we obtain" (section 4).

    Here is such a reduction, from the halting of two-counter machines, which is undecidable (Minsky 1967).  A machine
    becomes a program M of one process, which does not communicate, and after M comes snd 0->1.  If the machine does not
    halt, the whole occurs over no interval, and eps seals it.  If it does, the message is left over.  Then nothing
    without silent cuts seals the whole and can be completed after it, for a later program may receive the message.

    The paper's X (l:non-sealed) would not do for all seals: one with a guard seals it ([GuardedSeal]).

    The map from machines to programs is a function of Coq, and so can be computed: its programs have three variables,
    the constants, + 1 and - 1, and compare with a constant.  Programs are those of [Variables].

    Theorems of the ledger: [sealability_undecidable]. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith Relations Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine ClosedChannels TccImpossibility.
From Sealcheck Require Import BalancedNecessary Variables BarriersDecided.
Open Scope nat_scope.

(** ** Sealing, in the language with variables *)

(** "S seals P in G if cut P . S  refines  P cut S", with G = Rel, no process sending to itself. *)
Definition vseals (s p : vprog) :=
  vrefines (fun r => RelNS r) (VLay VChop (VLay p s)) (VLay p (VLay VChop s)).

(** A program without silent cuts.  (The silent cut, which cannot be run, seals every program.) *)
Fixpoint vnochop (p : vprog) : Prop :=
  match p with
  | VChop => False
  | VLay p q | VChoice p q => vnochop p /\ vnochop q
  | VStar p => vnochop p
  | _ => True
  end.

(** A program occurs in some run, from a cut with empty channels. *)
Definition can_occur (p : vprog) := exists (r : vrun) c d, RelNS r /\ all_empty r c /\ voccurs r c p d.

(** S seals P properly: it has no silent cut, and if P can occur, then so can P . S.  (Where cuts are finite nothing
    diverges.) *)
Definition vproper_seal (s p : vprog) := vnochop s /\ vseals s p /\ (can_occur p -> can_occur (VLay p s)).

(** ** Two-counter machines *)

(** Add one to a counter and go to instruction [next]; or, if the counter is 0, go to [zero], else subtract one and go
    to [next]. *)
Inductive counter := First | Second.
Inductive instruction := Add (x : counter) (next : nat) | Subtract (x : counter) (next zero : nat).
Definition machine := list instruction.

(** The number of the instruction, and the two counters. *)
Definition configuration := (nat * nat * nat)%type.
Definition next_of (m : machine) (c : configuration) : option configuration :=
  let '(at_, a, b) := c in
  match nth_error m at_ with
  | None => None
  | Some (Add First q) => Some (q, S a, b)
  | Some (Add Second q) => Some (q, a, S b)
  | Some (Subtract First q z) => match a with 0 => Some (z, 0, b) | S a => Some (q, a, b) end
  | Some (Subtract Second q z) => match b with 0 => Some (z, a, 0) | S b => Some (q, a, b) end
  end.

(** It halts when there is no such instruction. *)
Inductive stops (m : machine) : configuration -> Prop :=
| Stops_now c : next_of m c = None -> stops m c
| Stops_later c c' : next_of m c = Some c' -> stops m c' -> stops m c.
Definition halts (m : machine) := stops m (0, 0, 0).

(** ** The program of a machine

    Process 0 has the counters in its variables 0 and 1, and the number of the instruction in 2. *)

Definition counter_var (x : counter) : var := match x with First => 0 | Second => 1 end.
Definition at_var : var := 2.
Definition equals (x : var) (v : nat) : vformula := VEqual 0 (Var x) 0 (Const (Z.of_nat v)).
Definition less (x : var) (v : nat) : vformula := VLess 0 (Var x) 0 (Const (Z.of_nat v)).
Definition assign (x : var) (v : nat) : vprog := VAssign 0 x (Const (Z.of_nat v)).
Definition increase (x : var) (by_ : Z) : vprog := VAssign 0 x (Op Z.add (Var x) (Const by_)).

Definition perform (number : nat) (i : instruction) : vprog :=
  match i with
  | Add x next => VLay (VGuard (equals at_var number)) (VLay (increase (counter_var x) 1) (assign at_var next))
  | Subtract x next zero =>
      VChoice
        (VLay (VGuard (VAnd (equals at_var number) (VNot (equals (counter_var x) 0))))
              (VLay (increase (counter_var x) (-1)) (assign at_var next)))
        (VLay (VGuard (VAnd (equals at_var number) (equals (counter_var x) 0))) (assign at_var zero))
  end.
(** One of the instructions; without any, nothing can occur. *)
Definition nothing : vprog := VGuard (VLess 0 (Const 0%Z) 0 (Const 0%Z)).
Fixpoint one_of (number : nat) (m : machine) : vprog :=
  match m with [] => nothing | i :: m => VChoice (perform number i) (one_of (S number) m) end.
(** Begin with zeros; while there is such an instruction, perform it.  "while phi do P od" is ([phi] . P)* . [not phi],
    as in the paper's footnote. *)
Definition zeros : vprog := VLay (assign 0 0) (VLay (assign 1 0) (assign at_var 0)).
Definition in_range (m : machine) : vformula := less at_var (length m).
Definition loop (m : machine) : vprog :=
  VLay (VStar (VLay (VGuard (in_range m)) (one_of 0 m))) (VGuard (VNot (in_range m))).
Definition machine_program (m : machine) : vprog := VLay zeros (loop m).

(** The reduction: M, and then a message that nobody receives. *)
Definition then_send (m : machine) : vprog := VLay (machine_program m) (VSend 0 1 (Const 0%Z)).

(** ** Where it occurs, the machine halts *)

Definition represents (s : state) (c : configuration) :=
  let '(at_, a, b) := c in s 0 = Z.of_nat a /\ s 1 = Z.of_nat b /\ s 2 = Z.of_nat at_.

Lemma guard_iff r c g d : voccurs r c (VGuard g) d <-> ceq c d /\ vholds r c g.
Proof. split; [intro O; inversion O; subst; auto|]. intros [E H]. now constructor. Qed.
Lemma assign_iff r c x e d : voccurs r c (VAssign 0 x e) d <-> ceq d (bump c 0) /\ lab r 0 (c 0) = Int /\
  same (states r 0 (d 0)) (set (states r 0 (c 0)) x (eval e (states r 0 (c 0)))).
Proof. split; [intro O; inversion O; subst; auto|]. intros (E & L & S). now constructor. Qed.
Lemma choice_iff r c p q d : voccurs r c (VChoice p q) d <-> voccurs r c p d \/ voccurs r c q d.
Proof. split; [intro O; inversion O; subst; auto|]. intros [O|O]; [now apply V_ch1|now apply V_ch2]. Qed.
Lemma one_of_iff r c d m : forall number, voccurs r c (one_of number m) d <->
  exists k i, nth_error m k = Some i /\ voccurs r c (perform (number + k) i) d.
Proof.
  induction m as [|i m IH]; intro number; simpl.
  - unfold nothing. rewrite guard_iff. simpl. split; [intros [_ H]; lia|intros ([|k] & i & [=] & _)].
  - rewrite choice_iff, IH. split.
    + intros [O|(k & j & E & O)]; [exists 0, i; split; [reflexivity|now rewrite Nat.add_0_r]|].
      exists (S k), j. split; [exact E|]. now rewrite Nat.add_succ_r.
    + intros ([|k] & j & E & O); [left|right].
      * injection E as <-. now rewrite Nat.add_0_r in O.
      * exists k, j. split; [exact E|]. now rewrite Nat.add_succ_r in O.
Qed.
Lemma same_at s s' x : same s s' -> s x = s' x. Proof. intro S. apply S. Qed.

Lemma perform_steps m r c d k i cf : nth_error m k = Some i -> represents (states r 0 (c 0)) cf ->
  voccurs r c (perform k i) d -> exists cf', next_of m cf = Some cf' /\ represents (states r 0 (d 0)) cf'.
Proof.
  destruct cf as [[at_ a] b]. intros E (Ra & Rb & Rt) O.
  assert (At : forall c', ceq c c' -> eval (Var at_var) (states r 0 (c 0)) = Z.of_nat k -> at_ = k).
  { intros c' _ H. simpl in H. unfold at_var in H. lia. }
  destruct i as [x next|x next zero]; simpl in O.
  - apply vlay_iff in O as (c1 & O1 & O). apply vlay_iff in O as (c2 & O2 & O3).
    apply guard_iff in O1 as [E1 G]. apply assign_iff in O2 as (_ & _ & S2), O3 as (_ & _ & S3). simpl in G.
    assert (at_ = k) by (unfold at_var in G; lia). subst at_. simpl in S2, S3. rewrite <- (E1 0) in S2.
    pose proof (same_at _ _ 0 S2) as A2. pose proof (same_at _ _ 1 S2) as B2. pose proof (same_at _ _ 0 S3) as A3.
    pose proof (same_at _ _ 1 S3) as B3. pose proof (same_at _ _ 2 S3) as T3.
    unfold set, at_var in *. simpl in *. rewrite E.
    destruct x; simpl in *; eexists; (split; [reflexivity|]); simpl; rewrite A3, B3, T3, A2, B2, ?Ra, ?Rb; lia.
  - apply choice_iff in O as [O|O].
    + apply vlay_iff in O as (c1 & O1 & O). apply vlay_iff in O as (c2 & O2 & O3).
      apply guard_iff in O1 as [E1 [G1 G2]]. apply assign_iff in O2 as (_ & _ & S2), O3 as (_ & _ & S3).
      simpl in G1, G2. assert (at_ = k) by (unfold at_var in G1; lia). subst at_. simpl in S2, S3.
      rewrite <- (E1 0) in S2.
      pose proof (same_at _ _ 0 S2) as A2. pose proof (same_at _ _ 1 S2) as B2. pose proof (same_at _ _ 0 S3) as A3.
      pose proof (same_at _ _ 1 S3) as B3. pose proof (same_at _ _ 2 S3) as T3.
      unfold set, at_var in *. simpl in *. rewrite E.
      destruct x; simpl in *; [destruct a as [|a]; [lia|]|destruct b as [|b]; [lia|]];
        eexists; (split; [reflexivity|]); simpl; rewrite A3, B3, T3, A2, B2, ?Ra, ?Rb; lia.
    + apply vlay_iff in O as (c1 & O1 & O3).
      apply guard_iff in O1 as [E1 [G1 G2]]. apply assign_iff in O3 as (_ & _ & S3). simpl in G1, G2.
      assert (at_ = k) by (unfold at_var in G1; lia). subst at_. simpl in S3. rewrite <- (E1 0) in S3.
      pose proof (same_at _ _ 0 S3) as A3. pose proof (same_at _ _ 1 S3) as B3. pose proof (same_at _ _ 2 S3) as T3.
      unfold set, at_var in *. simpl in *. rewrite E.
      destruct x; simpl in *; [destruct a as [|a]; [|lia]|destruct b as [|b]; [|lia]];
        eexists; (split; [reflexivity|]); simpl; rewrite A3, B3, T3, ?Ra, ?Rb; lia.
Qed.

Lemma stopped m at_ a b : ~ at_ < length m -> next_of m (at_, a, b) = None.
Proof. intro L. simpl. now rewrite (proj2 (nth_error_None m at_)) by lia. Qed.
Lemma loop_stops m r cf body c e : voccurs r c (VStar body) e ->
  body = VLay (VGuard (in_range m)) (one_of 0 m) -> represents (states r 0 (c 0)) cf ->
  (forall cf', represents (states r 0 (e 0)) cf' -> stops m cf') -> stops m cf.
Proof.
  intro O. remember (VStar body) as p eqn:Ep. revert cf Ep.
  induction O as [| | | | | | | | |c d p E|c k d p O1 _ O2 IH]; intros cf Ep -> R Last; try discriminate.
  - apply Last. now rewrite <- (E 0).
  - injection Ep as ->. apply vlay_iff in O1 as (k1 & O1 & O1'). apply guard_iff in O1 as [E1 _].
    apply one_of_iff in O1' as (j & i & Ej & O1'). rewrite (E1 0) in R.
    destruct (perform_steps m r k1 k j i cf Ej R O1') as (cf' & N & R'). apply Stops_later with cf'; auto.
Qed.
Lemma program_halts m r c d : voccurs r c (machine_program m) d -> halts m.
Proof.
  intro O. apply vlay_iff in O as (c1 & Oz & O). apply vlay_iff in O as (e & Ol & Og).
  apply vlay_iff in Oz as (z1 & O1 & Oz). apply vlay_iff in Oz as (z2 & O2 & O3).
  apply assign_iff in O1 as (_ & _ & S1), O2 as (_ & _ & S2), O3 as (_ & _ & S3). simpl in S1, S2, S3.
  eapply loop_stops; [exact Ol|reflexivity| |].
  - simpl. pose proof (same_at _ _ 0 S1) as A1. pose proof (same_at _ _ 0 S2) as A2.
    pose proof (same_at _ _ 1 S2) as B2.
    pose proof (same_at _ _ 0 S3) as A3. pose proof (same_at _ _ 1 S3) as B3. pose proof (same_at _ _ 2 S3) as T3.
    unfold set, at_var in *. simpl in *. rewrite A3, A2, A1, B3, B2, T3. auto.
  - intros [[at_ a] b] (_ & _ & Rt). apply guard_iff in Og as [_ G]. simpl in G. apply Stops_now, stopped.
    unfold at_var in G. lia.
Qed.

(** ** If the machine halts, it occurs *)

(** The state of a configuration; and the cut after [k] events of process 0. *)
Definition state_of (c : configuration) : state :=
  let '(at_, a, b) := c in
  fun x => match x with 0 => Z.of_nat a | 1 => Z.of_nat b | 2 => Z.of_nat at_ | _ => 0%Z end.
Definition later_cut (c : cut) (k : nat) : cut := fun p => if p =? 0 then c p + k else c p.

(** From event [k] on, process 0 goes through these states. *)
Definition goes_on_through (r : vrun) (k : nat) (ss : list state) := forall x s, nth_error ss x = Some s ->
  lab r 0 (k + x) = Int /\ same (states r 0 (S (k + x))) s.

Lemma plays_app r k ss ts : goes_on_through r k (ss ++ ts) -> goes_on_through r k ss /\
  goes_on_through r (k + length ss) ts.
Proof.
  intro P. split; intros x s E.
  - apply P. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  - rewrite <- Nat.add_assoc. apply P. rewrite nth_error_app2 by lia.
    now replace (length ss + x - length ss) with x by lia.
Qed.
Lemma later_0 c : ceq c (later_cut c 0). Proof. intro p. unfold later_cut. destruct (p =? 0); lia. Qed.
Lemma later_later c j k : ceq (later_cut (later_cut c j) k) (later_cut c (j + k)).
Proof. intro p. unfold later_cut. destruct (p =? 0) eqn:E; lia. Qed.
Lemma later_1 c : ceq (later_cut c 1) (bump c 0).
Proof. intro p. unfold later_cut, bump. destruct (p =? 0) eqn:E; lia. Qed.

(** From state [s] of process 0, [p] can occur by going through the states [ss], of which [t] is the last. *)
Definition goes_through (p : vprog) (s : state) (ss : list state) (t : state) := forall r c,
  same (states r 0 (c 0)) s -> goes_on_through r (c 0) ss ->
  voccurs r c p (later_cut c (length ss)) /\ same (states r 0 (c 0 + length ss)) t.

Lemma leads_lay p q s ss t ts u : goes_through p s ss t -> goes_through q t ts u ->
  goes_through (VLay p q) s (ss ++ ts) u.
Proof.
  intros Lp Lq r c S P. apply plays_app in P as [P1 P2]. destruct (Lp r c S P1) as [O1 S1].
  assert (E : later_cut c (length ss) 0 = c 0 + length ss) by reflexivity.
  destruct (Lq r (later_cut c (length ss))) as [O2 S2]; [now rewrite E|now rewrite E|]. rewrite E in S2.
  rewrite app_length, Nat.add_assoc. split; [|exact S2]. apply vlay_iff.
  exists (later_cut c (length ss)). split; [exact O1|]. eapply voccurs_ceq; [exact O2|apply ceq_refl|apply later_later].
Qed.
Lemma leads_guard g s : (forall r c, same (states r 0 (c 0)) s -> vholds r c g) -> goes_through (VGuard g) s [] s.
Proof.
  intros G r c S _. simpl. rewrite Nat.add_0_r. split; [|exact S]. apply guard_iff. split; [apply later_0|auto].
Qed.
Lemma leads_assign x e s t : same (set s x (eval e s)) t -> goes_through (VAssign 0 x e) s [t] t.
Proof.
  intros St r c S P. destruct (P 0 t eq_refl) as [L T]. rewrite Nat.add_0_r in L, T. simpl length.
  rewrite Nat.add_1_r. split; [|exact T]. apply assign_iff. split; [apply later_1|split; [exact L|]].
  replace (later_cut c 1 0) with (1 + c 0) by (unfold later_cut; simpl; lia). eapply same_trans; [exact T|].
  eapply same_trans; [apply same_sym, St|]. rewrite (eval_same e _ _ S). apply set_same, same_sym, S.
Qed.
Lemma leads_choice p q s ss t : goes_through p s ss t \/ goes_through q s ss t -> goes_through (VChoice p q) s ss t.
Proof.
  intros [L|L] r c S P; destruct (L r c S P) as [O T]; (split; [|exact T]); apply choice_iff; auto.
Qed.

(** Each step of the machine. *)
Lemma perform_leads m at_ a b i cf : nth_error m at_ = Some i -> next_of m (at_, a, b) = Some cf ->
  exists ss, goes_through (perform at_ i) (state_of (at_, a, b)) ss (state_of cf).
Proof.
  assert (G : forall r (c : cut) k x, same (states r 0 (c 0)) (state_of k) -> states r 0 (c 0) x = state_of k x)
    by (intros r c k x S; apply S).
  intros E N. simpl in N. rewrite E in N. destruct i as [x next|x next zero]; simpl perform.
  - set (s := state_of (at_, a, b)).
    exists ([] ++ [set s (counter_var x) (s (counter_var x) + 1)%Z] ++ [state_of cf]).
    eapply leads_lay; [apply leads_guard|eapply leads_lay; apply leads_assign].
    + intros r c S. simpl. rewrite (G r c _ at_var S). reflexivity.
    + intro y. reflexivity.
    + intro y. destruct x; injection N as <-; destruct y as [|[|[|y]]]; unfold set; cbn -[Z.add Z.of_nat]; auto; lia.
  - destruct x; simpl counter_var.
    + destruct a as [|a]; injection N as <-; eexists; apply leads_choice; [right|left].
      * eapply leads_lay; [apply leads_guard|apply (leads_assign _ _ _ (state_of (zero, 0, b)))].
        -- intros r c S. simpl. rewrite (G r c _ at_var S), (G r c _ 0 S). auto.
        -- intro y. destruct y as [|[|[|y]]]; reflexivity.
      * eapply leads_lay; [apply leads_guard|eapply leads_lay; [apply (leads_assign _ _ _ (state_of (at_, a, b)))|
          apply (leads_assign _ _ _ (state_of (next, a, b)))]].
        -- intros r c S. simpl. rewrite (G r c _ at_var S), (G r c _ 0 S). simpl. split; [reflexivity|lia].
        -- intro y. destruct y as [|[|[|y]]]; unfold set; cbn -[Z.add Z.of_nat]; auto; lia.
        -- intro y. destruct y as [|[|[|y]]]; reflexivity.
    + destruct b as [|b]; injection N as <-; eexists; apply leads_choice; [right|left].
      * eapply leads_lay; [apply leads_guard|apply (leads_assign _ _ _ (state_of (zero, a, 0)))].
        -- intros r c S. simpl. rewrite (G r c _ at_var S), (G r c _ 1 S). auto.
        -- intro y. destruct y as [|[|[|y]]]; reflexivity.
      * eapply leads_lay; [apply leads_guard|eapply leads_lay; [apply (leads_assign _ _ _ (state_of (at_, a, b)))|
          apply (leads_assign _ _ _ (state_of (next, a, b)))]].
        -- intros r c S. simpl. rewrite (G r c _ at_var S), (G r c _ 1 S). simpl. split; [reflexivity|lia].
        -- intro y. destruct y as [|[|[|y]]]; unfold set; cbn -[Z.add Z.of_nat]; auto; lia.
        -- intro y. destruct y as [|[|[|y]]]; reflexivity.
Qed.
Lemma one_of_leads m number k i s ss t : nth_error m k = Some i -> goes_through (perform (number + k) i) s ss t ->
  goes_through (one_of number m) s ss t.
Proof.
  intros E L r c S P. destruct (L r c S P) as [O T]. split; [|exact T]. apply one_of_iff. eauto.
Qed.
Lemma loop_leads m cf : stops m cf -> exists ss t, goes_through (loop m) (state_of cf) ss t.
Proof.
  intro H. induction H as [[[at_ a] b] N|[[at_ a] b] cf N _ (ss & t & IH)].
  - exists ([] ++ []), (state_of (at_, a, b)). eapply leads_lay; [|apply leads_guard].
    + intros r c S _. simpl. rewrite Nat.add_0_r. split; [apply V_st0, later_0|exact S].
    + intros r c S. simpl. rewrite (S at_var). simpl. intro L. assert (at_ < length m) as Lt by lia.
      apply nth_error_Some in Lt. simpl in N. destruct (nth_error m at_) as [[[|] q|[|] q z]|]; try discriminate;
        [destruct a|destruct b|]; congruence.
  - destruct (nth_error m at_) as [i|] eqn:E; [|simpl in N; rewrite E in N; discriminate].
    destruct (perform_leads m at_ a b i cf E N) as (ts & L). exists (([] ++ ts) ++ ss), t.
    intros r c S P. assert (Lb : goes_through (VLay (VGuard (in_range m)) (one_of 0 m)) (state_of (at_, a, b))
      ([] ++ ts) (state_of cf)).
    { eapply leads_lay; [apply leads_guard|now apply (one_of_leads m 0 at_ i)]. intros r' c' S'. simpl.
      rewrite (S' at_var). simpl. assert (at_ < length m) by (apply nth_error_Some; congruence). lia. }
    apply plays_app in P as [P1 P2]. destruct (Lb r c S P1) as [O1 S1].
    destruct (IH r (later_cut c (length ([] ++ ts))) S1 P2) as [O2 S2].
    replace (later_cut c (length ([] ++ ts)) 0) with (c 0 + length ([] ++ ts)) in S2 by reflexivity.
    rewrite app_length, Nat.add_assoc. split; [|exact S2]. apply vlay_iff in O2 as (e & O2 & O3). apply vlay_iff.
    exists e. split; [now apply V_st1 with (later_cut c (length ([] ++ ts)))|].
    eapply voccurs_ceq; [exact O3|apply ceq_refl|apply later_later].
Qed.
Lemma program_leads m : halts m -> exists ss t, goes_through (machine_program m) (state_of (0, 0, 0)) ss t.
Proof.
  intro H. destruct (loop_leads m _ H) as (ss & t & L). exists (([state_of (0, 0, 0)] ++ [state_of (0, 0, 0)] ++
    [state_of (0, 0, 0)]) ++ ss), t. eapply leads_lay; [|exact L].
  eapply leads_lay; [apply leads_assign|eapply leads_lay; apply leads_assign];
    intro y; destruct y as [|[|[|y]]]; reflexivity.
Qed.

(** A run that goes through states, and then sends. *)
Definition playing (s : state) (ss : list state) : vrun := {|
  base := {| lab := fun p k => if (p =? 0) && (k =? length ss) then Snd 1 else Int; val := fun _ => 0%Z;
             delta := fun e => e |};
  states := fun p k => if k =? 0 then s else nth (k - 1) ss (last ss s)
|}.
Lemma playing_run s ss : RelNS (playing s ss).
Proof.
  assert (L : forall e, lab (playing s ss) (fst e) (snd e) = Int \/ (e = (0, length ss) /\
    lab (playing s ss) (fst e) (snd e) = Snd 1)).
  { intros [p k]. simpl. destruct (Nat.eqb_spec p 0) as [->|]; auto.
    destruct (Nat.eqb_spec k (length ss)) as [->|]; auto. }
  assert (R : forall e i j, ~ is_rcv (playing s ss) e i j).
  { intros e i j [_ H]. destruct (L e) as [E|[_ E]]; congruence. }
  split; [split; [split; [split|]|]|].
  - intros e i j H. destruct (R _ _ _ H).
  - intros e i j e' i' j' H. destruct (R _ _ _ H).
  - apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y);
      [|intros x y z [] []; split; congruence || lia|intros x [_ H]; lia].
    intros x y [H|(i & j & H & _)]; [exact H|destruct (R _ _ _ H)].
  - intros e i j H. destruct (R _ _ _ H).
  - intros e i j _ _. exists 0. intros k _ _ x a b H. destruct (R _ _ _ H).
  - intros e i [F H]. destruct (L e) as [E|[-> E]]; [congruence|]. rewrite E in H. simpl in F. congruence.
Qed.
Lemma playing_plays s ss : goes_on_through (playing s ss) 0 ss.
Proof.
  intros x t E. simpl. assert (x < length ss) by (apply nth_error_Some; congruence). split.
  - destruct (Nat.eqb_spec x (length ss)); [lia|reflexivity].
  - rewrite Nat.sub_0_r. rewrite (nth_error_nth _ _ _ E). apply same_refl.
Qed.
(** Nothing changes when it sends. *)
Lemma playing_still s ss : same (states (playing s ss) 0 (1 + length ss)) (states (playing s ss) 0 (length ss)).
Proof.
  assert (X : forall (ss : list state) t d d', nth (length ss) (t :: ss) d = last (t :: ss) d').
  { clear. induction ss as [|t' ss IH]; intros t d d'; [reflexivity|]. exact (IH t' d d'). }
  simpl. rewrite Nat.sub_0_r, nth_overflow by lia. destruct ss as [|t ss]; simpl length; [apply same_refl|].
  simpl Nat.eqb. cbv iota. replace (S (length ss) - 1) with (length ss) by lia. rewrite (X ss t _ s). apply same_refl.
Qed.
Lemma halts_occurs m : halts m -> can_occur (then_send m).
Proof.
  intro H. destruct (program_leads m H) as (ss & t & L). set (r := playing (state_of (0, 0, 0)) ss).
  exists r, (fun _ => 0), (later_cut (fun _ => 0) (length ss + 1)). split; [apply playing_run|split].
  - intros i j e [I _]. unfold inside in I. lia.
  - destruct (L r (fun _ => 0)) as [O T]; [simpl; apply same_refl|apply playing_plays|].
    apply vlay_iff. exists (later_cut (fun _ => 0) (length ss)). split; [exact O|]. apply V_snd.
    + intro p. unfold later_cut, bump. destruct (p =? 0); lia.
    + simpl. now rewrite Nat.eqb_refl.
    + reflexivity.
    + replace (later_cut (fun _ => 0) (length ss + 1) 0) with (1 + length ss) by (unfold later_cut; simpl; lia).
      apply playing_still.
Qed.

(** ** Then nothing seals it *)

(** Guards and assignments of process 0. *)
Fixpoint vinternal (p : vprog) : Prop :=
  match p with
  | VAssign i _ _ => i = 0
  | VGuard _ | VEps => True
  | VLay p q | VChoice p q => vinternal p /\ vinternal q
  | VStar p => vinternal p
  | _ => False
  end.
Lemma internal_ends (r : vrun) c p d : voccurs r c p d -> vinternal p -> c 0 <= d 0 /\
  (forall i, i <> 0 -> d i = c i) /\
  forall k, c 0 <= k < d 0 -> lab r 0 k = Int.
Proof.
  induction 1 as [c d E|c d i x e E L S| | |c d g E|?|c m d p q O1 IH1 O2 IH2|c d p q O IH|c d p q O IH|c d p E|
    c m d p O1 IH1 O2 IH2]; simpl; intro I; try contradiction;
    try (split; [now rewrite (E 0)|split; [intros i _; now rewrite (E i)|intros k; rewrite (E 0); lia]]).
  - subst i. assert (D : d 0 = 1 + c 0) by exact (E 0). split; [lia|split].
    + intros i N. rewrite (E i). unfold bump. apply Nat.eqb_neq in N. now rewrite N.
    + intros k Hk. now replace k with (c 0) by lia.
  - destruct IH1 as (A1 & B1 & C1), IH2 as (A2 & B2 & C2); try tauto. split; [lia|split].
    + intros i N. now rewrite B2, B1.
    + intros k Hk. destruct (lt_dec k (m 0)); [apply C1|apply C2]; lia.
  - apply IH. tauto.
  - apply IH. tauto.
  - destruct IH1 as (A1 & B1 & C1), IH2 as (A2 & B2 & C2); try tauto. split; [lia|split].
    + intros i N. now rewrite B2, B1.
    + intros k Hk. destruct (lt_dec k (m 0)); [apply C1|apply C2]; lia.
Qed.
Lemma program_internal m : vinternal (machine_program m).
Proof.
  assert (O : forall m number, vinternal (one_of number m)).
  { clear. induction m as [|[x q|x q z] m IH]; intro number; simpl; auto 10. }
  simpl. repeat split; auto.
Qed.
(** It ends with the first send of process 0. *)
Lemma then_send_ends m (r : vrun) c d : voccurs r c (then_send m) d -> (forall i, i <> 0 -> d i = c i) /\
  exists k, c 0 <= k /\ d 0 = S k /\ lab r 0 k = Snd 1 /\ forall x, c 0 <= x < k -> lab r 0 x = Int.
Proof.
  intro O. apply vlay_iff in O as (e & O1 & O2). apply internal_ends in O1 as (A & B & C); [|apply program_internal].
  inversion O2; subst. match goal with E : ceq d (bump e 0) |- _ => rename E into E0 end. split.
  - intros i N. rewrite (E0 i). unfold bump. apply Nat.eqb_neq in N as N'. rewrite N'. now apply B.
  - exists (e 0). rewrite (E0 0). unfold bump. rewrite Nat.eqb_refl. auto.
Qed.
Lemma then_send_once m (r : vrun) c d d' : voccurs r c (then_send m) d -> voccurs r c (then_send m) d' -> ceq d d'.
Proof.
  intros O O'. apply then_send_ends in O as (A & k & Ck & Dk & Lk & Ik).
  apply then_send_ends in O' as (A' & k' & Ck' & Dk' & Lk' & Ik'). intro i. destruct (Nat.eq_dec i 0) as [->|N].
  - destruct (lt_eq_lt_dec k k') as [[L|E]|L]; [|lia|].
    + rewrite (Ik' k) in Lk by lia. discriminate.
    + rewrite (Ik k') in Lk' by lia. discriminate.
  - now rewrite A, A'.
Qed.

(** Without a silent cut, occurrence depends on labels, values and states alone. *)
Lemma vnochop_agree (r r' : vrun) c p d : voccurs r c p d -> vnochop p -> agree r r' d -> states r = states r' ->
  voccurs r' c p d.
Proof.
  assert (Now : forall c d i, ceq d (bump c i) -> c i < d i).
  { intros c0 d0 i0 H. rewrite (H i0). unfold bump. rewrite Nat.eqb_refl. lia. }
  induction 1 as [c d E|c d i x e E L S|c d i j e E L V S|c d i j x E L S|c d g E G|?|c m d p q O1 IH1 O2 IH2
    |c d p q O IH|c d p q O IH|c d p E|c m d p O1 IH1 O2 IH2]; simpl; intros N A St; try contradiction.
  - now constructor.
  - destruct (A i (c i)) as [La _]; [now apply Now|]. constructor; try rewrite <- St; congruence || auto.
  - destruct (A i (c i)) as [La Va]; [now apply Now|]. constructor; try rewrite <- St; congruence || auto.
  - destruct (A j (c j)) as [La Va]; [now apply Now|]. constructor; try rewrite <- St; auto; [congruence|].
    now rewrite <- Va.
  - constructor; auto. apply (vholds_same r r' c c g); auto. intro i. rewrite St. apply same_refl.
  - apply V_lay with m; [apply IH1|apply IH2]; try tauto. eapply agree_le; [eapply voccurs_le; eauto|exact A].
  - apply V_ch1, IH; tauto.
  - apply V_ch2, IH; tauto.
  - now apply V_st0.
  - apply V_st1 with m; [apply IH1|apply IH2]; try tauto. eapply agree_le; [eapply voccurs_le; eauto|exact A].
Qed.
Lemma internal_nochop p : vinternal p -> vnochop p.
Proof. induction p; simpl; tauto. Qed.

Lemma vseals_iff s p : vseals s p <-> forall (r : vrun) c d, RelNS r -> silent r c -> voccurs r c (VLay p s) d ->
  exists m, voccurs r c p m /\ silent r m /\ voccurs r m s d.
Proof.
  unfold vseals, vrefines. split.
  - intros H r c d G S O. destruct (proj1 (vlay_iff r c p (VLay VChop s) d)) as (m & O1 & O2).
    + apply (H r c d G). now apply vchop_first.
    + apply vchop_first in O2. exists m. tauto.
  - intros H r c d G O. apply vchop_first in O as [S O]. destruct (H r c d G S O) as (m & O1 & S1 & O2).
    apply vlay_iff. exists m. split; [exact O1|]. now apply vchop_first.
Qed.
Lemma nothing_seals m s (r : vrun) c d : vnochop s -> vseals s (then_send m) -> RelNS r -> all_empty r c ->
  ~ voccurs r c (VLay (then_send m) s) d.
Proof.
  intros N Se R E O. rewrite vseals_iff in Se. pose proof R as [[W _] NS].
  pose proof (empty_silent r c (wf_matching r W) E) as Sc. destruct (Se r c d R Sc O) as (e & O1 & Sm & O2).
  pose proof (then_send_ends m r c e O1) as (A & k & Ck & Dk & Lk & _).
  assert (Snd0 : is_snd r (0, k) 0 1) by (split; auto).
  assert (Bs : between c e (0, k)) by (split; unfold inside; simpl; lia).
  assert (Un : unmatched r (0, k)).
  { intros x i j Rx Dx. pose proof (delta_snd r (wf_matching r W) x i j Rx) as [Fs Ls]. rewrite Dx in Fs, Ls.
    simpl in Fs, Ls. subst i. assert (j = 1) by congruence. subst j. destruct x as [p y]. pose proof Rx as [Fx _].
    simpl in Fx. subst p. assert (In_e : inside e (1, y)).
    { apply (Sm _ _ _ Rx). rewrite Dx. apply Bs. }
    assert (In_c : inside c (1, y)) by (unfold inside in *; simpl in *; rewrite A in In_e by lia; exact In_e).
    apply (Sc _ _ _ Rx) in In_c. rewrite Dx in In_c. unfold inside in In_c. simpl in In_c. lia. }
  destruct (occurs_path r c _ d O) as (l & Pl & Ol).
  destruct (voccurs_finite r l (path_atoms _ l Pl) c d Ol) as [L HL].
  pose proof (voccurs_le _ _ _ _ O1) as L1. pose proof (voccurs_le _ _ _ _ O2) as L2.
  destruct (left_over_received r c e d L (0, k) 0 1 W NS Sc L1 L2 HL Snd0 Bs Un) as (r' & R' & Ag & Sc' & Not).
  set (v := {| base := r'; states := states r |}).
  assert (Np : vnochop (then_send m)) by (split; [apply internal_nochop, program_internal|exact I]).
  assert (O' : voccurs v c (VLay (then_send m) s) d).
  { apply (vnochop_agree r v); [exact O|split; auto|exact Ag|reflexivity]. }
  assert (O1' : voccurs v c (then_send m) e).
  { apply (vnochop_agree r v); auto. eapply agree_le; [eapply voccurs_le; eauto|exact Ag]. }
  destruct (Se v c d R' Sc' O') as (e' & O1'' & Se' & _). apply Not.
  apply (silent_ceq r' e' e); [exact (then_send_once m v c e' e O1'' O1')|exact Se'].
Qed.

(** _Sealability in Rel is undecidable_: nothing seals [then_send m] properly if the machine halts, and eps does if it
    does not.  An algorithm that decides if there is a proper seal, among all programs or in any class with eps, would
    decide whether two-counter machines halt. *)
Theorem sealability_undecidable : forall m, (halts m -> ~ exists s, vproper_seal s (then_send m)) /\
  (~ halts m -> vproper_seal VEps (then_send m)).
Proof.
  intro m. split.
  - intros H (s & N & Se & Co). destruct (Co (halts_occurs m H)) as (r & c & d & R & E & O).
    exact (nothing_seals m s r c d N Se R E O).
  - intro H. assert (Never : forall r c d, ~ voccurs r c (then_send m) d).
    { intros r c d O. apply H. apply vlay_iff in O as (e & O & _). now apply (program_halts m r c e). }
    split; [exact I|split].
    + apply vseals_iff. intros r c d _ _ O. apply vlay_iff in O as (e & O & _). destruct (Never r c e O).
    + intros (r & c & d & _ & _ & O). destruct (Never r c d O).
Qed.
