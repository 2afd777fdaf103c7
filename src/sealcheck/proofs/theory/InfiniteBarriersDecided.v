(** * Which programs are barriers over all intervals: a criterion

    "No program can serve as a barrier in Rel."  In the whole language some do.  Over finite intervals,
    [BarriersDecided] says by their paths which do.  Over all intervals: _a program is a barrier in Rel iff each
    interval over which it occurs begins and ends in silence_.  For every number of processes, every program over
    variables, and whatever is left open where a process has gone on for ever.

    "If" is plain.  Conversely, let a barrier occur over r[c,d].  A program before it can bring about the cut c, in a
    run in which the same happens from there on.  If a process has done finitely many events up to c, the program
    repeats them one by one, and one more assignment restores the variables.  If it has gone on for ever, a repetition
    counts events, and sends in each what the process has sent in the event of this number.  A guard that holds only
    where the process has gone on for ever makes the repetition infinite: two variables have the same values at infinity
    and different ones before, or the other way round.  So c is silent, and d.

    No process sends to itself.

    Theorems of the ledger: [barriers_decided_infinite]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility Variables BarriersDecided InfiniteCuts.
From Sealcheck Require Import InfiniteSealAlgebra OneSemantics Restriction InfiniteBarriers.
Open Scope nat_scope.

(** ** What occurs there occurs one event later *)

Definition iup (c : icut) : icut := fun p => option_map S (c p).
Lemma iup_iceq c d : iceq c d -> iceq (iup c) (iup d).
Proof. intros E p. unfold iup. now rewrite (E p). Qed.
Lemma lub_up s d : lub s d -> lub (fun k => iup (s k)) (iup d).
Proof.
  intros L i. destruct (L i) as [Up Least]. unfold iup. split.
  - intro k. specialize (Up k). destruct (s k i), (d i); simpl in *; auto; lia.
  - intros [b|] H; [|destruct (d i); exact I]. specialize (Least (Some (pred b))).
    assert (X : forall k, upto (s k i) (Some (pred b))).
    { intro k. specialize (H k). destruct (s k i); simpl in *; [lia|auto]. }
    specialize (H 0). specialize (Least X). destruct (s 0 i), (d i); simpl in *; try tauto; lia.
Qed.

Section Moved.
Variables (w : proc -> (state -> value) -> value) (may_act : Prop) (r r' : vrun) (c0 : icut).
Hypothesis Same : forall p k k0, c0 p = Some k0 -> k0 <= k ->
  lab r' p (S k) = lab r p k /\ val r' (p, S k) = val r (p, k) /\ states r' p (S k) = states r p k.
Hypothesis Silent : forall m, icle c0 m -> isilent r m -> isilent r' (iup m).

Local Lemma here c p k : icle c0 c -> c p = Some k -> exists k0, c0 p = Some k0 /\ k0 <= k.
Proof.
  intros L E. specialize (L p). rewrite E in L. destruct (c0 p) as [k0|]; simpl in L; [eauto|destruct L].
Qed.
Local Lemma state_moved c p k : icle c0 c -> c p = Some k -> states r' p (S k) = states r p k.
Proof. intros L E. destruct (here c p k L E) as (k0 & E0 & L0). now apply (Same p k k0). Qed.
Local Lemma meets_moved c g : icle c0 c -> (meets state w (states r) c g <-> meets state w (states r') (iup c) g).
Proof.
  intro L. assert (V : forall i e, evaluates state w (states r) c i e = evaluates state w (states r') (iup c) i e).
  { intros i e. unfold evaluates, iup. destruct (c i) as [k|] eqn:E; simpl; [|reflexivity].
    now rewrite (state_moved c i k). }
  induction g; simpl; rewrite ?V; tauto.
Qed.
Lemma moved_occurs c b d : goccurs state w may_act r (states r) c b d -> icle c0 c ->
  goccurs state w may_act r' (states r') (iup c) b (iup d).
Proof.
  intro O. pose proof (happens_up state w may_act r (states r)) as Up.
  induction O as [c d E|c d i a co ne M|c d g E H|c d E S|c m d p q O1 IH1 O2 IH2|c d p q O IH|c d p q O IH|c d p E
    |c m d p O1 IH1 O2 IH2|c d p s E O IH L]; intro Lc.
  - now apply G_eps, iup_iceq.
  - apply G_act. unfold makes_step in *. unfold iup at 1. destruct (c i) as [k|] eqn:Ci; simpl.
    + destruct M as [(L & C & N) E]. destruct (here c i k Lc Ci) as (k0 & E0 & L0).
      destruct (Same i k k0 E0 L0) as (SL & SV & SS). destruct (Same i (S k) k0 E0) as (_ & _ & SN); [lia|].
      split; [rewrite SL, SV, SS, SN; auto|]. intro q. unfold iup. rewrite (E q). destruct (q =? i); reflexivity.
    + destruct M as [Act E]. split; [exact Act|now apply iup_iceq].
  - apply G_grd; [now apply iup_iceq|now apply meets_moved].
  - apply G_chop; [now apply iup_iceq|now apply Silent].
  - apply G_lay with (iup m); auto. apply IH2. intro i. eapply upto_trans; eauto.
  - apply G_ch1; auto.
  - apply G_ch2; auto.
  - now apply G_st0, iup_iceq.
  - apply G_st1 with (iup m); auto. apply IH2. intro i. eapply upto_trans; eauto.
  - apply G_inf with (fun k => iup (s k)); [now apply iup_iceq| |now apply lub_up]. intro k. apply IH. intro i.
    eapply upto_trans; [apply Lc|]. rewrite (E i). induction k as [|k IHk]; [apply upto_refl|].
    eapply upto_trans; [exact IHk|]. eapply Up; eauto.
Qed.
End Moved.

(** ** What a program can do to bring about a cut *)

Definition moved_to (c : icut) (p : proc) (v : option nat) : icut := fun q => if q =? p then v else c q.

Section Reach.
Variables (w : proc -> (state -> value) -> value) (may_act : Prop).
Local Notation occurs_in r c p d := (goccurs state w may_act (base r) (states r) c (of_vprog p) d).

(** A single event, as in [tame_at]: some program does that and nothing else. *)
Lemma ireproduce_event (r : vrun) p x : tame_at r p x ->
  exists P, forall m d, m p = Some x -> (occurs_in r m P d <-> iceq d (moved_to m p (Some (S x)))).
Proof.
  assert (Act : forall a (computes : state -> value -> Prop) (next : state -> value -> state -> Prop),
    lab r p x = a -> computes (states r p x) (val r (p, x)) ->
    next (states r p x) (val r (p, x)) (states r p (S x)) -> forall m d, m p = Some x ->
    (goccurs state w may_act r (states r) m (GAct p a computes next) d <-> iceq d (moved_to m p (Some (S x))))).
  { intros a co ne L C N m d Mp. split.
    - intro O. inversion O as [|? ? ? ? ? ? St| | | | | | | |]; subst. unfold makes_step in St. rewrite Mp in St.
      apply St.
    - intro E. apply G_act. unfold makes_step. rewrite Mp. auto. }
  unfold tame_at. intro T. destruct (lab r p x) as [q|q|] eqn:L; [| |destruct T as [v T]].
  - exists (VSend p q (Const (val r (p, x)))). now apply Act.
  - exists (VRecv p q 0). now apply Act.
  - exists (VAssign p 0 (Const v)). now apply Act.
Qed.
Lemma ireproduce (r : vrun) p k : (forall x, x < k -> tame_at r p x) ->
  exists P, forall m d, m p = Some 0 -> (occurs_in r m P d <-> iceq d (moved_to m p (Some k))).
Proof.
  assert (Stay : forall m v, m p = v -> iceq (moved_to m p v) m).
  { intros m v E q. unfold moved_to. destruct (q =? p) eqn:Q; auto. apply Nat.eqb_eq in Q. now subst. }
  induction k as [|k IH]; intro T.
  - exists VEps. intros m d Z. split.
    + intro O. inversion O; subst. eapply iceq_trans; [apply iceq_sym; eauto|]. now apply iceq_sym, Stay.
    + intro E. apply G_eps. apply iceq_sym. eapply iceq_trans; eauto.
  - destruct IH as [P HP]; [intros x L; apply T; lia|]. destruct (ireproduce_event r p k) as [A HA]; [apply T; lia|].
    exists (VLay P A). intros m d Z. set (u := moved_to m p (Some k)).
    assert (Up : u p = Some k) by (unfold u, moved_to; now rewrite Nat.eqb_refl).
    assert (E : iceq (moved_to u p (Some (S k))) (moved_to m p (Some (S k)))).
    { intro q. unfold moved_to, u, moved_to. destruct (q =? p); reflexivity. }
    simpl. rewrite glay_iff. split.
    + intros (y & O1 & O2). apply HP in O1; auto. fold u in O1. apply HA in O2; [|now rewrite (O1 p)].
      eapply iceq_trans; [exact O2|]. eapply iceq_trans; [|exact E]. intro q. unfold moved_to.
      destruct (q =? p); [reflexivity|apply O1].
    + intro D. exists u. split; [apply HP; auto using iceq_refl|]. apply HA; auto. eauto using iceq_trans, iceq_sym.
Qed.

(** A process that goes on for ever.  Variable 0 counts its events, and what it sends depends on that; what it receives
    goes into variable 1.  *)
Definition count_one : aexp := Op (fun z _ => z + 1)%Z (Var 0) (Const 0%Z).
Definition value_numbered (value_of : nat -> value) : aexp :=
  Op (fun z _ => value_of (Z.to_nat (z - 1))) (Var 0) (Const 0%Z).
Definition any_of (l : list vprog) : vprog := fold_right VChoice VEps l.
Definition any_event (n : nat) (p : proc) (value_of : nat -> value) : vprog :=
  any_of (VAssign p 1 (Var 1) :: flat_map (fun q => [VSend p q (value_numbered value_of); VRecv p q 1]) (seq 0 n)).
(** Whether the two variables are the same tells whether it has gone on for ever. *)
Definition same_at_infinity (p : proc) : bool :=
  if Z.eq_dec (w p (eval (Var 2))) (w p (eval (Var 3))) then true else false.
Definition only_at_infinity (p : proc) : vformula :=
  if same_at_infinity p then VEqual p (Var 2) p (Var 3) else VNot (VEqual p (Var 2) p (Var 3)).
Definition for_ever (n : nat) (p : proc) (value_of : nat -> value) : vprog :=
  VLay (VStar (VLay (VAssign p 0 count_one) (any_event n p value_of))) (VGuard (only_at_infinity p)).

Lemma count_one_adds s : eval count_one s = Z.succ (s 0).
Proof. apply Z.add_1_r. Qed.
Lemma value_numbered_is f s x : s 0 = Z.succ (Z.of_nat x) -> eval (value_numbered f) s = f x.
Proof. intro E. simpl. rewrite E. f_equal. lia. Qed.
Lemma any_of_occurs (r : vrun) l P c d : In P l -> occurs_in r c P d -> occurs_in r c (any_of l) d.
Proof.
  intros I O. induction l as [|q l IH]; [destruct I|]. destruct I as [->|I]; [now apply G_ch1|now apply G_ch2, IH].
Qed.
Lemma holds_at_infinity (r : vrun) c p : meets state w (states r) c (of_vformula (only_at_infinity p)) ->
  (forall k, Z.eqb (states r p k 2) (states r p k 3) = negb (same_at_infinity p)) -> c p = None.
Proof.
  unfold only_at_infinity. intros H E. destruct (c p) as [k|] eqn:C; [exfalso|auto]. specialize (E k).
  destruct (same_at_infinity p); simpl in H, E; unfold evaluates in H; rewrite C in H; simpl in H.
  - apply Z.eqb_neq in E. now apply E.
  - apply Z.eqb_eq in E. now apply H.
Qed.
Lemma at_infinity_holds (r : vrun) c p : c p = None -> meets state w (states r) c (of_vformula (only_at_infinity p)).
Proof.
  intro C. unfold only_at_infinity, same_at_infinity.
  destruct (Z.eq_dec (w p (eval (Var 2))) (w p (eval (Var 3)))) as [E|E]; simpl; unfold evaluates; now rewrite C.
Qed.

(** In [r'], each event [x] of [p] in [r] is event [2 * x + 1], and each other one counts. *)
Section ForEver.
Variables (r : run) (r' : vrun) (n : nat) (p : proc).
Hypothesis Among : run_among n r.
Hypothesis Counts : forall x, lab r' p (2 * x) = Int /\
  same (states r' p (2 * x + 1)) (set (states r' p (2 * x)) 0 (Z.succ (Z.of_nat x))) /\
  states r' p (2 * x) 0 = Z.of_nat x /\ states r' p (2 * x + 1) 0 = Z.succ (Z.of_nat x).
Hypothesis Event : forall x, lab r' p (2 * x + 1) = lab r p x /\ val r' (p, 2 * x + 1) = val r (p, x) /\
  match lab r p x with
  | Rcv _ => same (states r' p (2 * S x)) (set (states r' p (2 * x + 1)) 1 (val r (p, x)))
  | _ => same (states r' p (2 * S x)) (states r' p (2 * x + 1))
  end.
Hypothesis Tell : forall k, Z.eqb (states r' p k 2) (states r' p k 3) = negb (same_at_infinity p).

Local Definition round : vprog := VLay (VAssign p 0 count_one) (any_event n p (fun x => val r (p, x))).
Local Lemma one_round m x : m p = Some (2 * x) -> occurs_in r' m round (moved_to m p (Some (2 * S x))).
Proof.
  intro Mp. destruct (Counts x) as (L0 & S0 & V0 & V1), (Event x) as (L1 & W1 & S1).
  apply glay_iff. exists (moved_to m p (Some (2 * x + 1))). split.
  - apply G_act. unfold makes_step. rewrite Mp. split; [|now replace (S (2 * x)) with (2 * x + 1) by lia].
    replace (S (2 * x)) with (2 * x + 1) by lia. split; [auto|split; [exact I|]].
    rewrite count_one_adds, V0. exact S0.
  - assert (Step : forall a (co : state -> value -> Prop) (ne : state -> value -> state -> Prop),
      lab r p x = a -> co (states r' p (2 * x + 1)) (val r' (p, 2 * x + 1)) ->
      ne (states r' p (2 * x + 1)) (val r' (p, 2 * x + 1)) (states r' p (2 * S x)) ->
      goccurs state w may_act r' (states r') (moved_to m p (Some (2 * x + 1))) (GAct p a co ne)
        (moved_to m p (Some (2 * S x)))).
    { intros a co ne L C N. apply G_act. unfold makes_step, moved_to at 1. rewrite Nat.eqb_refl.
      replace (S (2 * x + 1)) with (2 * S x) by lia. rewrite L1. split; [auto|]. intro q. unfold moved_to.
      destruct (q =? p); reflexivity. }
    specialize (Among p x). destruct (lab r p x) as [q|q|] eqn:L.
    + apply any_of_occurs with (VSend p q (value_numbered (fun x => val r (p, x)))).
      { right. apply in_flat_map. exists q. split; [apply in_seq; lia|now left]. }
      apply Step; auto. rewrite W1. symmetry.
      exact (value_numbered_is (fun y => val r (p, y)) _ x V1).
    + apply any_of_occurs with (VRecv p q 1).
      { right. apply in_flat_map. exists q. split; [apply in_seq; lia|right; now left]. }
      apply Step; [reflexivity|exact I|]. rewrite W1. exact S1.
    + apply any_of_occurs with (VAssign p 1 (Var 1)); [now left|]. apply Step; [reflexivity|exact I|].
      eapply same_trans; [exact S1|]. intro y. unfold set. destruct (y =? 1) eqn:Q; auto.
      apply Nat.eqb_eq in Q. now subst.
Qed.
Lemma for_ever_occurs m d : m p = Some 0 ->
  (occurs_in r' m (for_ever n p (fun x => val r (p, x))) d <-> iceq d (moved_to m p None)).
Proof.
  intro Z. unfold for_ever. simpl of_vprog. rewrite glay_iff. split.
  - intros (y & O1 & O2). inversion O2 as [| |? ? ? E G| | | | | | |]; subst.
    apply holds_at_infinity in G; auto. intro q. rewrite <- (E q). unfold moved_to. destruct (q =? p) eqn:Q.
    + apply Nat.eqb_eq in Q. now subst.
    + apply (acting_only state w may_act (fun _ _ => True) r' (states r') m _ y q O1). simpl. intros [H|H].
      * subst q. now rewrite Nat.eqb_refl in Q.
      * assert (Acts : forall l, (forall a, In a l -> acting state (of_vprog a) = [p]) -> In q (acting state
          (of_vprog (any_of l))) -> q = p).
        { induction l as [|a l IH]; intros Al I; simpl in I; [destruct I|]. apply in_app_or in I as [I|I].
          - rewrite (Al a) in I by now left. destruct I as [I|[]]. auto.
          - apply IH; auto. intros b J. apply Al. now right. }
        apply (Acts (VAssign p 1 (Var 1) :: _)) in H; [subst q; now rewrite Nat.eqb_refl in Q|].
        intros a [<-|I]; [reflexivity|]. apply in_flat_map in I as (b & _ & [<-|[<-|[]]]); reflexivity.
  - intro E. exists d. assert (Dp : d p = None) by (rewrite (E p); unfold moved_to; now rewrite Nat.eqb_refl).
    split; [|apply G_grd; [apply iceq_refl|now apply at_infinity_holds]].
    apply G_inf with (fun k => moved_to m p (Some (2 * k))).
    + intro q. unfold moved_to. destruct (q =? p) eqn:Q; auto. apply Nat.eqb_eq in Q. now subst.
    + intro k. eapply happens_iceq; [apply (one_round (moved_to m p (Some (2 * k))) k)|apply iceq_refl|].
      * unfold moved_to. now rewrite Nat.eqb_refl.
      * intro q. unfold moved_to. destruct (q =? p); reflexivity.
    + intro q. rewrite (E q). unfold moved_to. destruct (q =? p) eqn:Q.
      * split; [intro k; exact I|]. intros [b|] H; simpl; auto. specialize (H (S b)). simpl in H. lia.
      * split; [intro k; apply upto_refl|]. intros b H. exact (H 0).
Qed.
End ForEver.

(** All processes below [n]. *)
Lemma reach_all (r : vrun) c n : (forall p, p < n -> exists P, forall m d, m p = Some 0 ->
    (occurs_in r m P d <-> iceq d (moved_to m p (c p)))) ->
  exists P, forall m d, (forall p, p < n -> m p = Some 0) ->
    (occurs_in r m P d <-> iceq d (fun q => if q <? n then c q else m q)).
Proof.
  induction n as [|n IH]; intro H.
  - exists VEps. intros m d _. split; [intro O; inversion O; subst; now apply iceq_sym|]. intro E.
    now apply G_eps, iceq_sym.
  - destruct IH as [P HP]; [intros p L; apply H; lia|]. destruct (H n) as [A HA]; [lia|]. exists (VLay P A).
    intros m d Z. set (u := fun q => if q <? n then c q else m q).
    assert (Un : u n = Some 0) by (unfold u; rewrite Nat.ltb_irrefl; auto).
    assert (E : iceq (moved_to u n (c n)) (fun q => if q <? S n then c q else m q)).
    { intro q. unfold moved_to, u. destruct (q =? n) eqn:Q, (q <? n) eqn:Q2, (q <? S n) eqn:Q3;
        rewrite ?Nat.eqb_eq, ?Nat.eqb_neq, ?Nat.ltb_lt, ?Nat.ltb_ge in *; subst; auto; lia. }
    simpl. rewrite glay_iff. split.
    + intros (y & O1 & O2). apply HP in O1; auto. fold u in O1. apply HA in O2; [|now rewrite (O1 n)].
      eapply iceq_trans; [exact O2|]. eapply iceq_trans; [|exact E]. intro q. unfold moved_to.
      destruct (q =? n); [reflexivity|apply O1].
    + intro D. exists u. split; [apply HP; auto using iceq_refl|]. apply HA; auto. eauto using iceq_trans, iceq_sym.
Qed.
End Reach.

(** ** A barrier begins and ends in silence *)

Section Ends.
Variables (w : proc -> (state -> value) -> value) (may_act : Prop) (n : nat) (b : vprog) (r : vrun) (c d : icut).
Hypotheses (Bar : iVBarrier w may_act (runs_of n) b) (G : runs_of n r) (O : ivoccurs w may_act r c b d).

(** The new places of events: a process that has gone on for ever counts before each of them; another one has one more
    event at [c]. *)
Local Definition place (p x : nat) : nat := match c p with Some k => if x <? k then x else S x | None => 2 * x + 1 end.
Local Definition back (p y : nat) : nat :=
  match c p with Some k => if y <? k then y else pred y | None => Nat.div2 y end.
(** What [p] has received last before its event [k], or else [v]. *)
Local Fixpoint last_read (p : proc) (v : value) (k : nat) : value := match k with
  | 0 => v
  | S k => match lab r p k with Rcv _ => val r (p, k) | _ => last_read p v k end
  end.
Local Definition at_start (p y : nat) : state := match c p with
  | Some k => if y <=? k then set (states r p k) 0 (last_read p 0%Z y) else states r p (pred y)
  | None => fun v => match v with
      | 0 => Z.of_nat (Nat.div2 (S y))
      | 1 => last_read p 0%Z (Nat.div2 y)
      | 2 => if same_at_infinity w p then 1%Z else 0%Z
      | _ => 0%Z
      end
  end.
Local Definition again : vrun := spread_apart r place back at_start.

Local Lemma place_order p x y : x < y -> place p x < place p y.
Proof.
  intro L. unfold place. destruct (c p) as [k|]; [|lia].
  destruct (x <? k) eqn:A, (y <? k) eqn:B; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; lia.
Qed.
Local Lemma back_place p x : back p (place p x) = x.
Proof.
  unfold back, place. destruct (c p) as [k|].
  - destruct (x <? k) eqn:A; [now rewrite A|]. apply Nat.ltb_ge in A.
    now replace (S x <? k) with false by (symmetry; apply Nat.ltb_ge; lia).
  - replace (2 * x + 1) with (S (2 * x)) by lia. apply Nat.div2_succ_double.
Qed.
Local Lemma again_runs : runs_of n again.
Proof. apply spread_runs; auto using place_order, back_place. Qed.

Local Lemma again_lab p y : lab again p y = if place p (back p y) =? y then lab r p (back p y) else Int.
Proof. reflexivity. Qed.
Local Lemma again_val p y : val again (p, y) = val r (p, back p y).
Proof. reflexivity. Qed.
Local Lemma again_states p y : states again p y = at_start p y.
Proof. reflexivity. Qed.

(** From [c] on it is [r], one event later. *)
Local Lemma again_same p k k0 : c p = Some k0 -> k0 <= k ->
  lab again p (S k) = lab r p k /\ val again (p, S k) = val r (p, k) /\ states again p (S k) = states r p k.
Proof.
  intros E L. assert (B : back p (S k) = k).
  { unfold back. rewrite E. now replace (S k <? k0) with false by (symmetry; apply Nat.ltb_ge; lia). }
  assert (P : place p k = S k).
  { unfold place. rewrite E. now replace (k <? k0) with false by (symmetry; apply Nat.ltb_ge; lia). }
  split; [|split].
  - simpl. now rewrite B, P, Nat.eqb_refl.
  - simpl. unfold spread_from. cbn [fst snd]. now rewrite B.
  - simpl. unfold at_start. rewrite E. now replace (S k <=? k0) with false by (symmetry; apply Nat.leb_gt; lia).
Qed.
Local Lemma again_inside m e : icle c m -> (iinside (iup m) (spread_to place e) <-> iinside m e).
Proof.
  intro L. destruct e as [p x]. specialize (L p). unfold iinside, iup, spread_to, place. cbn [fst snd].
  destruct (m p) as [y|]; [|reflexivity]. simpl. destruct (c p) as [k|]; simpl in L; [|destruct L].
  destruct (x <? k) eqn:A; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; lia.
Qed.
Local Lemma again_silent m : icle c m -> (isilent again (iup m) <-> isilent r m).
Proof.
  intro L. split; intros S e i j R.
  - assert (R' : is_rcv again (spread_to place e) i j) by (apply spread_to_rcv; auto using back_place).
    apply S in R'.
    change (delta again (spread_to place e))
      with (spread_to place (delta r (spread_from back (spread_to place e)))) in R'.
    rewrite spread_from_to in R' by (auto using back_place). now rewrite !again_inside in R'.
  - apply spread_rcv in R as (e0 & -> & R & D & _); [|exact back_place]. fold again in D.
    rewrite D, !again_inside by auto.     exact (S e0 i j R).
Qed.

(** And a program can bring it about. *)
Local Lemma again_reach p : exists P, forall m d, m p = Some 0 ->
  (goccurs state w may_act again (states again) m (of_vprog P) d <-> iceq d (moved_to m p (iup c p))).
Proof.
  unfold iup. destruct (c p) as [k|] eqn:E; simpl option_map.
  - apply ireproduce. intros x L. unfold tame_at.
    assert (Lt : forall y, y <= k -> states again p y = set (states r p k) 0 (last_read p 0%Z y)).
    { intros y Ly. simpl. unfold at_start. rewrite E. apply Nat.leb_le in Ly. now rewrite Ly. }
    destruct (Nat.eq_dec x k) as [->|N].
    + assert (Lk : lab again p k = Int).
      { simpl. unfold back, place. rewrite E, Nat.ltb_irrefl. destruct k as [|k].
        - reflexivity.
        - replace (pred (S k) <? S k) with true by (symmetry; apply Nat.ltb_lt; simpl; lia).
          now replace (pred (S k) =? S k) with false by (symmetry; apply Nat.eqb_neq; simpl; lia). }
      rewrite Lk. exists (states r p k 0). destruct (again_same p k k E (le_n _)) as (_ & _ & ->). rewrite Lt by auto.
      apply same_sym, set_back.
    + assert (Lx : x < k) by lia. clear L. assert (B : back p x = x /\ place p x = x).
      { unfold back, place. rewrite E. apply Nat.ltb_lt in Lx. now rewrite Lx. }
      destruct B as [B P]. assert (La : lab again p x = lab r p x) by (simpl; now rewrite B, P, Nat.eqb_refl).
      assert (V : val again (p, x) = val r (p, x)) by (simpl; unfold spread_from; cbn [fst snd]; now rewrite B).
      rewrite La, V, !Lt by lia. cbn [last_read].
      destruct (lab r p x); [apply same_refl| |exists (last_read p 0%Z x)]; intro y; unfold set; now destruct (y =? 0).
  - exists (for_ever w n p (fun x => val r (p, x))). intros m d0 Z. apply (for_ever_occurs w may_act r); auto.
    + apply G.
    + intro x. assert (D0 : Nat.div2 (2 * x) = x) by apply Nat.div2_double.
      assert (D1 : Nat.div2 (S (2 * x)) = x) by apply Nat.div2_succ_double.
      assert (D2 : Nat.div2 (S (S (2 * x))) = S x) by exact (f_equal S D0).
      split; [|split; [|split]].
      * rewrite again_lab. unfold place, back. rewrite E, D0.
        now replace (2 * x + 1 =? 2 * x) with false by (symmetry; apply Nat.eqb_neq; lia).
      * intro y. unfold set. rewrite !again_states. unfold at_start. rewrite E.
        replace (2 * x + 1) with (S (2 * x)) by lia.
        destruct y as [|[|[|y]]]; cbn [Nat.eqb]; [rewrite D2; lia|..];
          rewrite ?D1, again_states; unfold at_start; now rewrite E, ?D0.
      * rewrite again_states. unfold at_start. rewrite E. now rewrite D1.
      * rewrite again_states. unfold at_start. rewrite E. replace (S (2 * x + 1)) with (S (S (2 * x))) by lia.
        rewrite D2. lia.
    + intro x. assert (D1 : Nat.div2 (2 * x + 1) = x).
      { replace (2 * x + 1) with (S (2 * x)) by lia. apply Nat.div2_succ_double. }
      split; [|split].
      * rewrite again_lab. unfold place, back. now rewrite E, D1, Nat.eqb_refl.
      * rewrite again_val. unfold back. now rewrite E, D1.
      * assert (X : forall y, states again p (2 * S x) y = match y with
          | 1 => last_read p 0%Z (S x) | _ => states again p (2 * x + 1) y end).
        { pose proof (f_equal S (Nat.div2_double x) : Nat.div2 (S (S (2 * x))) = S x) as D2.
          pose proof (f_equal S (Nat.div2_succ_double x) : Nat.div2 (S (S (S (2 * x)))) = S x) as D3.
          intro y. rewrite again_states. unfold at_start. rewrite E. replace (2 * S x) with (S (S (2 * x))) by lia.
          destruct y as [|[|[|y]]]; rewrite ?D2, ?D3; auto; rewrite again_states; unfold at_start; rewrite E; auto.
          now replace (S (2 * x + 1)) with (S (S (2 * x))) by lia; rewrite D2. }
        assert (Y : states again p (2 * x + 1) 1 = last_read p 0%Z x).
        { rewrite again_states. unfold at_start. now rewrite E, D1. }
        cbn [last_read] in X.
        destruct (lab r p x); intro y; rewrite (X y); unfold set; destruct y as [|[|y]]; auto.
    + intro k. rewrite again_states. unfold at_start. rewrite E. destruct (same_at_infinity w p); reflexivity.
Qed.

Lemma ibarrier_ends : isilent r c /\ isilent r d.
Proof.
  pose proof (happens_up _ _ _ _ _ _ _ _ O) as Lcd. assert (Lcc : icle c c) by (intro; apply upto_refl).
  destruct (reach_all w may_act again (iup c) n) as [P HP]; [intros p _; apply again_reach|].
  set (u := fun q => if q <? n then Some 0 else iup c q).
  assert (U : forall p, p < n -> u p = Some 0) by (intros p L; unfold u; apply Nat.ltb_lt in L; now rewrite L).
  assert (E : iceq (iup c) (fun q => if q <? n then iup c q else u q)).
  { intro q. unfold u. destruct (q <? n); reflexivity. }
  assert (Su : isilent again u).
  { intros [q y] i j Re. pose proof again_runs as [[[[M _] _] _] A]. destruct (delta_snd again M _ _ _ Re) as [Fs _].
    destruct Re as [Fb L]. specialize (A q y). cbn [fst snd] in *. rewrite L in A. destruct A as [Lb Li].
    unfold iinside. cbn [fst snd]. rewrite Fs, !U by auto. lia. }
  assert (X : ivoccurs w may_act again u (VLay VChop (VLay P (VLay b VEps))) (iup d)).
  { apply gchop_first. split; auto. apply glay_iff. exists (iup c). split; [now apply HP|]. apply glay_iff.
    exists (iup d). split; [|apply G_eps, iceq_refl]. apply (moved_occurs w may_act r again c); auto.
    - exact again_same.
    - intros m L. now apply again_silent. }
  apply (Bar P VEps again u (iup d) again_runs) in X. apply gchop_middle in X as (m & O1 & Sm & X).
  apply gchop_middle in X as (y & _ & Sy & Q). apply HP in O1; auto. split.
  - apply again_silent; auto. apply (isilent_iceq again m); auto. eapply iceq_trans; [exact O1|now apply iceq_sym].
  - apply again_silent; auto. apply (isilent_iceq again y); auto. now inversion Q.
Qed.
End Ends.

(** _A program is a barrier in Rel, over all intervals, iff each interval over which it occurs begins and ends in
    silence_. *)
Theorem barriers_decided_infinite : forall at_infinity may_act n B, iVBarrier at_infinity may_act (runs_of n) B <->
  forall r c d, runs_of n r -> ivoccurs at_infinity may_act r c B d -> isilent r c /\ isilent r d.
Proof.
  intros w A n B. split; [intros Bar r c d G O; now apply (ibarrier_ends w A n B r c d)|].
  intros H P Q r c d G O. apply gchop_first in O as [_ O]. apply glay_iff in O as (m & OP & O).
  apply glay_iff in O as (y & OB & OQ). destruct (H r m y G OB) as [Sm Sy].
  apply gchop_middle. exists m. split; [auto|split; [auto|]]. apply gchop_middle. eauto.
Qed.
