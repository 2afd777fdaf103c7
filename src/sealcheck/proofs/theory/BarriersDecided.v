(** * Which programs are barriers

    "No program can serve as a barrier in Rel."  In the whole language some do.  Repaired: a program is a barrier in Rel
    iff each of its paths that occur has a silent cut, and what it sends and receives is between its first and its last
    one.  For every number of processes from two on, and every program over variables.

    That such a program is a barrier is shown as in [Barriers].  Conversely, let a path occur over r[c,d] that is not of
    this kind.  If something is sent or received before its first silent cut, a program before it can send or receive
    one message more, and undo what it received by an assignment: then all expressions read the same, and a message
    crosses c.  Likewise where the path has no silent cut at all.  What is sent or received after the last one crosses d
    in some run, as in th:TCCbadforREL.

    Nothing infinite is claimed, and no process sends to itself.

    Theorems of the ledger: [barriers_decided]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility Barriers Variables.
Open Scope nat_scope.

(** ** The same events elsewhere *)

(** The cut, so many events later; and what is between [c] and [d] in [r] is so many events later in [r']. *)
Definition up (k : nat) (c : cut) : cut := fun p => c p + k.
Definition copies (k : nat) (r r' : vrun) (c d : cut) := forall p x, c p <= x ->
  (x < d p -> lab r' p (x + k) = lab r p x /\ (lab r p x <> Int -> val r' (p, x + k) = val r (p, x))) /\
  (x <= d p -> same (states r' p (x + k)) (states r p x)).

Lemma copies_part k r r' c d c' d' : copies k r r' c d -> cle c c' -> cle d' d -> copies k r r' c' d'.
Proof.
  intros C Lc Ld p x L. specialize (Lc p). specialize (Ld p). destruct (C p x) as [A B]; [lia|].
  split; intro H; [apply A|apply B]; lia.
Qed.
Lemma bump_up k c d i : ceq d (bump c i) -> ceq (up k d) (bump (up k c) i).
Proof. intros E p. unfold up. rewrite (E p). unfold bump. destruct (p =? i); reflexivity. Qed.

(** There an atom occurs, too. *)
Lemma copied_atom k r r' p c d : atom p -> voccurs r c p d -> copies k r r' c d ->
  (p = VChop -> silent r' (up k c)) -> voccurs r' (up k c) p (up k d).
Proof.
  assert (Here : forall i, ceq d (bump c i) -> copies k r r' c d ->
    lab r' i (up k c i) = lab r i (c i) /\ (lab r i (c i) <> Int -> val r' (i, up k c i) = val r (i, c i)) /\
    same (states r' i (up k c i)) (states r i (c i)) /\ same (states r' i (up k d i)) (states r i (d i))).
  { intros i E C. pose proof (bump_at _ _ _ E) as D. destruct (C i (c i)) as [A S]; [lia|]. destruct A as [L V]; [lia|].
    destruct (C i (d i)) as [_ S']; [lia|]. split; [auto|split; [auto|split; [apply S|apply S']]]; lia. }
  intros A O C Si. destruct p; try contradiction; inversion O; subst.
  - destruct (Here i) as (L & _ & S & S'); auto. apply V_asg; [now apply bump_up|congruence|].
    eapply same_trans; [exact S'|]. eapply same_trans; [eassumption|]. rewrite (eval_same _ _ _ S).
    apply set_same, same_sym, S.
  - destruct (Here i) as (L & V & S & S'); auto. apply V_snd; [now apply bump_up|congruence| |].
    + rewrite V by congruence. now rewrite (eval_same _ _ _ S).
    + eapply same_trans; [exact S'|]. eapply same_trans; [eassumption|]. now apply same_sym.
  - destruct (Here j) as (L & V & S & S'); auto. apply V_rcv; [now apply bump_up|congruence|].
    rewrite V by congruence. eapply same_trans; [exact S'|]. eapply same_trans; [eassumption|].
    apply set_same, same_sym, S.
  - match goal with E : ceq c d |- _ => rename E into Ecd end.
    apply V_grd; [intro q; unfold up; now rewrite (Ecd q)|]. apply (vholds_same r r' c (up k c)); auto.
    intro q. apply same_sym. apply (C q (c q)); [lia|]. now rewrite (Ecd q).
  - match goal with E : ceq c d |- _ => rename E into Ecd end.
    apply V_chop; auto. intro q. unfold up. now rewrite (Ecd q).
Qed.
Lemma copied k r r' l : (forall p, In p l -> atom p) -> forall c d, voccurs r c (vsequence l) d -> copies k r r' c d ->
  (In VChop l -> forall m, cle c m -> cle m d -> silent r m -> silent r' (up k m)) ->
  voccurs r' (up k c) (vsequence l) (up k d).
Proof.
  induction l as [|p l IH]; intros A c d O C Si; simpl in *.
  - inversion O; subst. apply V_eps. intro q. unfold up. auto.
  - apply vlay_iff in O as (m & O1 & O2). pose proof (voccurs_le _ _ _ _ O1). pose proof (voccurs_le _ _ _ _ O2).
    apply vlay_iff. exists (up k m). split.
    + apply copied_atom with r; auto; [eapply copies_part; eauto; intro q; auto|]. intros ->.
      apply vchop_iff in O1 as [_ S]. apply Si; auto; [intro q; auto|eauto using cle_trans].
    + apply IH; auto; [eapply copies_part; eauto; intro q; auto|]. intros I x Lx Lx'. apply Si; eauto using cle_trans.
Qed.
Lemma up_0 c : ceq (up 0 c) c. Proof. intro p. unfold up. lia. Qed.
Lemma copied_0 r r' l : (forall p, In p l -> atom p) -> forall c d, voccurs r c (vsequence l) d ->
  copies 0 r r' c d -> (In VChop l -> forall m, cle c m -> cle m d -> silent r m -> silent r' m) ->
  voccurs r' c (vsequence l) d.
Proof.
  intros A c d O C Si. apply (voccurs_ceq r' (up 0 c) (vsequence l) (up 0 d)); auto using up_0.
  apply copied with r; auto. intros I m L L' S. apply silent_ceq with m; auto using ceq_sym, up_0.
Qed.

(** An atom that talks has an event that does. *)
Lemma talking r l c d p : (forall p, In p l -> atom p) -> voccurs r c (vsequence l) d -> In p l -> talks p ->
  exists e, between c d e /\ comm r e.
Proof.
  intros A O I T. apply in_split in I as (k & k' & ->). apply layered_app in O as (m & O1 & O). simpl in O.
  apply vlay_iff in O as (m' & O2 & O3).
  pose proof (voccurs_le _ _ _ _ O1) as L1. pose proof (voccurs_le _ _ _ _ O3) as L3.
  destruct p; try contradiction; inversion O2; subst;
    match goal with E : ceq m' (bump m ?i) |- _ => exists (i, m i); pose proof (bump_at _ _ _ E);
      specialize (L1 i); specialize (L3 i) end; (split; [split; unfold inside; simpl; lia|]).
  - exists i, j. left. split; auto.
  - exists i, j. right. split; auto.
Qed.

(** A path has finitely many events. *)
Lemma voccurs_finite r l : (forall p, In p l -> atom p) -> forall c d, voccurs r c (vsequence l) d ->
  exists L, forall e, between c d e -> In e L.
Proof.
  induction l as [|p l IH]; intros A c d O; simpl in O.
  - inversion O; subst. exists []. intros [a k] [B1 B2]. apply B1. unfold inside in *. cbn [fst snd] in *.
    match goal with E : ceq c d |- _ => now rewrite (E a) end.
  - apply vlay_iff in O as (m & O1 & O2). destruct (IH (fun q I => A q (or_intror I)) _ _ O2) as [L HL].
    assert (X : exists i, ceq m c \/ ceq m (bump c i)).
    { specialize (A p (or_introl eq_refl)). destruct p; try contradiction; inversion O1; subst;
        solve [exists 0; left; now apply ceq_sym|eexists; right; eassumption]. }
    destruct X as [i X]. exists ((i, c i) :: L). intros [a k] [B1 B2]. unfold inside in *. cbn [fst snd] in *.
    destruct (lt_dec k (m a)) as [Lk|Lk]; [left|right; apply HL; split; auto].
    destruct X as [X|X]; rewrite (X a) in Lk; [lia|]. unfold bump in Lk.
    destruct (a =? i) eqn:Q; [|lia]. apply Nat.eqb_eq in Q. subst a. f_equal. lia.
Qed.

(** ** What a program can do before a barrier *)

(** Up to [c] each event does what a send, a receive or an assignment of variable 0 does. *)
Definition tame_at (r : vrun) (p x : nat) := match lab r p x with
  | Snd _ => same (states r p (S x)) (states r p x)
  | Rcv _ => same (states r p (S x)) (set (states r p x) 0 (val r (p, x)))
  | Int => exists w, same (states r p (S x)) (set (states r p x) 0 w)
  end.
Definition tame (r : vrun) (c : cut) := forall p x, x < c p -> tame_at r p x.

(** Then some program occurs there, and nowhere else. *)
Lemma reproduce_event r p x : tame_at r p x ->
  exists P, forall m d, m p = x -> (voccurs r m P d <-> ceq d (bump m p)).
Proof.
  unfold tame_at. destruct (lab r p x) as [q|q|] eqn:L; intro T; [|..|destruct T as [w T]].
  - exists (VSend p q (Const (val r (p, x)))). intros m d <-. split; [intro O; now inversion O|].
    intro E. apply V_snd; auto. now rewrite (bump_at _ _ _ E).
  - exists (VRecv p q 0). intros m d <-. split; [intro O; now inversion O|].
    intro E. apply V_rcv; auto. now rewrite (bump_at _ _ _ E).
  - exists (VAssign p 0 (Const w)). intros m d <-. split; [intro O; now inversion O|].
    intro E. apply V_asg; auto. now rewrite (bump_at _ _ _ E).
Qed.
Lemma reproduce_process r c p : tame r c -> forall k, k <= c p ->
  exists P, forall m d, m p = 0 -> (voccurs r m P d <-> ceq d (fun q => if q =? p then k else m q)).
Proof.
  intro T. induction k as [|k IH]; intro L.
  - exists VEps. intros m d Z. assert (E : ceq m (fun q => if q =? p then 0 else m q)).
    { intro q. destruct (q =? p) eqn:Q; auto. apply Nat.eqb_eq in Q. now subst. }
    split; [intro O; inversion O; subst; eauto using ceq_trans, ceq_sym|].
    intro D. apply V_eps. eauto using ceq_trans, ceq_sym.
  - destruct IH as [P HP]; [lia|]. destruct (reproduce_event r p k) as [A HA]; [apply T; lia|].
    exists (VLay P A). intros m d Z. set (u := fun q => if q =? p then k else m q).
    assert (Up : u p = k) by (unfold u; now rewrite Nat.eqb_refl).
    assert (E : ceq (bump u p) (fun q => if q =? p then S k else m q)).
    { intro q. unfold bump, u. destruct (q =? p) eqn:Q; auto. }
    rewrite vlay_iff. split.
    + intros (y & O1 & O2). apply HP in O1; auto. fold u in O1.
      apply HA in O2; [|now rewrite (O1 p)]. eapply ceq_trans; [|exact E]. intro q. rewrite (O2 q). unfold bump.
      destruct (q =? p); now rewrite (O1 _).
    + intro D. exists u. split; [apply HP; auto; apply ceq_refl|]. apply HA; auto. eauto using ceq_trans, ceq_sym.
Qed.
Lemma reproduce r c n : tame r c ->
  exists P, forall m d, (forall p, p < n -> m p = 0) ->
    (voccurs r m P d <-> ceq d (fun q => if q <? n then c q else m q)).
Proof.
  intro T. induction n as [|n [P HP]].
  - exists VEps. intros m d _. split; [intro O; inversion O; subst; now apply ceq_sym|]. intro E.
    now apply V_eps, ceq_sym.
  - destruct (reproduce_process r c n T (c n) (le_n _)) as [A HA]. exists (VLay P A). intros m d Z.
    set (u := fun q => if q <? n then c q else m q).
    assert (Un : u n = 0) by (unfold u; rewrite Nat.ltb_irrefl; auto).
    assert (E : ceq (fun q => if q =? n then c n else u q) (fun q => if q <? S n then c q else m q)).
    { intro q. unfold u. destruct (q =? n) eqn:Q, (q <? n) eqn:Q2, (q <? S n) eqn:Q3;
        rewrite ?Nat.eqb_eq, ?Nat.eqb_neq, ?Nat.ltb_lt, ?Nat.ltb_ge in *; subst; auto; lia. }
    rewrite vlay_iff. split.
    + intros (y & O1 & O2). apply HP in O1; auto. fold u in O1. apply HA in O2; [|now rewrite (O1 n)].
      eapply ceq_trans; [|exact E]. intro q. rewrite (O2 q). destruct (q =? n); auto.
    + intro D. exists u. split; [apply HP; auto; apply ceq_refl|]. apply HA; auto. eauto using ceq_trans, ceq_sym.
Qed.

(** So a barrier begins and ends in silence. *)
Lemma tame_ends n B r c d : VBarrier (runs_of n) B -> runs_of n r -> tame r c -> voccurs r c B d ->
  silent r c /\ silent r d.
Proof.
  intros Bar G T O. destruct (reproduce r c n T) as [P HP]. set (u := fun q => if q <? n then 0 else c q).
  assert (U : forall p, p < n -> u p = 0) by (intros p L; unfold u; apply Nat.ltb_lt in L; now rewrite L).
  assert (E : ceq c (fun q => if q <? n then c q else u q)).
  { intro q. unfold u. destruct (q <? n); reflexivity. }
  assert (Su : silent r u).
  { intros [b y] i j Re. destruct G as [[[[M _] _] _] A]. destruct (delta_snd r M _ _ _ Re) as [Fs _].
    destruct Re as [Fb L]. specialize (A b y). cbn [fst snd] in *. rewrite L in A. destruct A as [Lb Li].
    unfold inside. cbn [fst snd]. rewrite Fs, !U by auto. lia. }
  assert (X : voccurs r u (VLay VChop (VLay P (VLay B VEps))) d).
  { apply vchop_first. split; auto. apply vlay_iff. exists c. split; [now apply HP|]. apply vlay_iff. exists d.
    split; [auto|apply V_eps, ceq_refl]. }
  apply (Bar P VEps r u d G) in X. apply vlay_iff in X as (m & O1 & X). apply vchop_first in X as [Sm X].
  apply vlay_iff in X as (y & O2 & X). apply vchop_first in X as [Sy X]. inversion X; subst.
  apply HP in O1; auto. split; [|eapply silent_ceq; eauto]. eapply silent_ceq; [|exact Sm].
  eauto using ceq_trans, ceq_sym.
Qed.

(** ** Room between the events

    The same events and messages, further apart: so a program before can do more than what was there. *)

Section Spread.
Variables (r : vrun) (place back : proc -> nat -> nat) (st : proc -> nat -> state).
Hypothesis Order : forall p x y, x < y -> place p x < place p y.
Hypothesis Back : forall p x, back p (place p x) = x.

(** Event [x] of [p] becomes its event [place p x]; the others are internal. *)
Definition spread_to (e : event) : event := (fst e, place (fst e) (snd e)).
Definition spread_from (e : event) : event := (fst e, back (fst e) (snd e)).
Definition spread_run : run := {|
  lab := fun p y => if place p (back p y) =? y then lab r p (back p y) else Int;
  delta := fun e => spread_to (delta r (spread_from e));
  val := fun e => val r (spread_from e) |}.
Definition spread_apart : vrun := {| base := spread_run; states := st |}.

Lemma spread_from_to e : spread_from (spread_to e) = e.
Proof. destruct e as [p x]. unfold spread_from, spread_to. cbn [fst snd]. now rewrite Back. Qed.
Lemma spread_to_lab e : lab spread_run (fst (spread_to e)) (snd (spread_to e)) = lab r (fst e) (snd e).
Proof. destruct e as [p x]. unfold spread_to. simpl. now rewrite Back, Nat.eqb_refl. Qed.
Lemma is_spread_to e : lab spread_run (fst e) (snd e) <> Int -> spread_to (spread_from e) = e.
Proof.
  destruct e as [p y]. unfold spread_to, spread_from. simpl. intro L.
  destruct (place p (back p y) =? y) eqn:Q; [|congruence].
  apply Nat.eqb_eq in Q. now rewrite Q.
Qed.
Lemma spread_rcv e i j : is_rcv spread_apart e i j ->
  exists e0, e = spread_to e0 /\ is_rcv r e0 i j /\
    delta spread_apart e = spread_to (delta r e0) /\ val spread_apart e = val r e0.
Proof.
  intros [F L]. exists (spread_from e).
  assert (E : spread_to (spread_from e) = e) by (apply is_spread_to; simpl in L |- *; congruence).
  split; [auto|split; [|auto]]. split; [auto|]. rewrite <- E in L. change (lab spread_apart) with (lab spread_run) in L.
  now rewrite spread_to_lab in L.
Qed.
Lemma spread_to_rcv e i j : is_rcv r e i j -> is_rcv spread_apart (spread_to e) i j.
Proof. intros [F L]. split; auto. change (lab spread_apart) with (lab spread_run). now rewrite spread_to_lab. Qed.
Lemma spread_to_snd e i j : is_snd r e i j -> is_snd spread_apart (spread_to e) i j.
Proof. intros [F L]. split; auto. change (lab spread_apart) with (lab spread_run). now rewrite spread_to_lab. Qed.
Lemma spread_snd e i j : is_snd spread_apart e i j -> spread_to (spread_from e) = e /\ is_snd r (spread_from e) i j.
Proof.
  intros [F L]. assert (E : spread_to (spread_from e) = e) by (apply is_spread_to; simpl in L |- *; congruence).
  split; [auto|].
  rewrite <- E in F, L. split; auto. change (lab spread_apart) with (lab spread_run) in L.
  now rewrite spread_to_lab in L.
Qed.
Lemma spread_to_order p x y : place p x <= place p y -> x <= y.
Proof. intro L. destruct (le_lt_dec x y) as [|G]; auto. apply (Order p) in G. lia. Qed.

(** Causality is that of [r], up to the order of the processes. *)
Lemma spread_causal : matching r -> forall e, ~ causes spread_apart e e.
Proof.
  intro M. set (le := fun x y : event => fst x = fst y /\ snd x <= snd y).
  assert (Sh : forall a b, le (spread_to a) (spread_to b) -> a = b \/ causes r a b).
  { intros [p x] [q y] [F L]. unfold spread_to in F, L. cbn [fst snd] in F, L. subst q. apply spread_to_order in L.
    destruct (Nat.eq_dec x y) as [->|N]; [auto|right]. apply causes_order. lia. }
  apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/
    exists a b, le x (spread_to a) /\ causes r a b /\ le (spread_to b) y).
  - intros x y [H|(i & j & Re & D)]; [auto|right]. apply spread_rcv in Re as (e0 & -> & Re & E & _).
    exists (delta r e0), e0. rewrite <- D, E. split; [split; auto|split; [|split; auto]]. eapply causes_msg; eauto.
  - intros x y z [[A A']|(a & b & A1 & A2 & A3)] [[B B']|(a' & b' & B1 & B2 & B3)]; unfold le in *.
    + left. split; [congruence|lia].
    + right. exists a', b'. split; [split; [destruct B1; congruence|lia]|auto].
    + right. exists a, b. split; [auto|split; [auto|]]. destruct A3. split; [congruence|lia].
    + right. exists a, b'. split; [auto|split; [|auto]].
      destruct (Sh b a') as [<-|C]; [split; [destruct A3, B1; congruence|lia]|eapply t_trans; eauto|].
      eapply t_trans; [exact A2|]. eapply t_trans; eauto.
  - intros x [[_ A]|(a & b & A1 & A2 & A3)]; [lia|]. apply (causal r M a). unfold le in *.
    destruct (Sh b a) as [->|C]; [split; [destruct A3, A1; congruence|lia]|auto|eapply t_trans; eauto].
Qed.
Lemma spread_runs n : runs_of n r -> runs_of n spread_apart.
Proof.
  intros [[[[M T] Re] N] A]. split; [split; [split; [split; [split|]|]|]|].
  - intros e i j R. apply spread_rcv in R as (e0 & _ & R & -> & _). now apply spread_to_snd, (delta_snd r M).
  - intros e i j e' i' j' R R' E. apply spread_rcv in R as (e0 & -> & R & D & _), R' as (e0' & -> & R' & D' & _).
    f_equal. apply (delta_inj r M _ _ _ _ _ _ R R'). rewrite D, D' in E. apply (f_equal spread_from) in E.
    now rewrite !spread_from_to in E.
  - now apply spread_causal.
  - intros e i j R. apply spread_rcv in R as (e0 & _ & R & -> & ->).
    change (val spread_apart (spread_to ?x)) with (val r (spread_from (spread_to x))).
    rewrite spread_from_to. apply (T _ _ _ R).
  - intros s i j S U. apply spread_snd in S as [E S]. destruct (Re (spread_from s) i j S) as [k0 K].
    + intros e a b R D. apply (U _ _ _ (spread_to_rcv _ _ _ R)).
      change (delta spread_apart (spread_to e)) with (spread_to (delta r (spread_from (spread_to e)))).
      now rewrite spread_from_to, D.
    + exists (place i k0). intros k Lk Sk e a b R D. apply spread_snd in Sk as [Ek Sk].
      apply spread_rcv in R as (e0 & -> & R & D' & _).
      assert (X : delta r e0 = spread_from (i, k)).
      { rewrite <- Ek, D' in D. apply (f_equal spread_from) in D. now rewrite !spread_from_to in D. }
      unfold spread_from in Ek, X, Sk. unfold spread_to in Ek. cbn [fst snd] in Ek, X, Sk.
      apply (K (back i k)) with (e := e0) (i := a) (j := b); auto.
      apply (spread_to_order i). injection Ek as ->. exact Lk.
  - intros e i S. apply spread_snd in S as [_ S]. exact (N _ _ S).
  - intros p y. simpl. destruct (place p (back p y) =? y); [apply A|exact I].
Qed.
End Spread.

(** ** Room for two more events of each process *)

Section Pad.
Variables (r : vrun) (c : cut) (w : proc -> value).

(** Where an event is now, and where it was. *)
Definition gap (p x : nat) : nat := if x <? c p then x else x + 2.
Definition ungap (p y : nat) : nat := if y <? c p then y else y - 2.
Definition sh : event -> event := spread_to gap.
Definition bk : event -> event := spread_from ungap.

(** The states before [c] are of no concern: variable 0 has what was received last, then [w], then its value at [c]. *)
Fixpoint latest_received (p k : nat) : value := match k with
  | 0 => states r p (c p) 0
  | S k => match lab r p k with Rcv _ => val r (p, k) | _ => latest_received p k end
  end.
Definition pad : vrun := spread_apart r gap ungap (fun p k =>
  if k <=? c p then set (states r p (c p)) 0 (latest_received p k)
  else if k =? S (c p) then set (states r p (c p)) 0 (w p) else states r p (k - 2)).

Lemma gap_order p x y : x < y -> gap p x < gap p y.
Proof.
  unfold gap. intro L. destruct (x <? c p) eqn:A, (y <? c p) eqn:B; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; lia.
Qed.
Lemma ungap_gap p x : ungap p (gap p x) = x.
Proof.
  unfold ungap, gap. destruct (x <? c p) eqn:A; [now rewrite A|]. apply Nat.ltb_ge in A.
  replace (x + 2 <? c p) with false by (symmetry; apply Nat.ltb_ge; lia). lia.
Qed.
Lemma bk_sh e : bk (sh e) = e.
Proof. apply spread_from_to, ungap_gap. Qed.
Lemma pad_lab p k : lab pad p k = if k <? c p then lab r p k else if k <? c p + 2 then Int else lab r p (k - 2).
Proof.
  simpl. unfold gap, ungap. destruct (k <? c p) eqn:A; [now rewrite A, Nat.eqb_refl|]. apply Nat.ltb_ge in A.
  destruct (k <? c p + 2) eqn:B; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in B.
  - destruct (k - 2 <? c p) eqn:D; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in D.
    + now replace (k - 2 =? k) with false by (symmetry; apply Nat.eqb_neq; lia).
    + now replace (k - 2 + 2 =? k) with false by (symmetry; apply Nat.eqb_neq; lia).
  - replace (k - 2 <? c p) with false by (symmetry; apply Nat.ltb_ge; lia).
    now replace (k - 2 + 2 =? k) with true by (symmetry; apply Nat.eqb_eq; lia).
Qed.
Lemma pad_val p k : val pad (p, k) = val r (p, ungap p k).
Proof. reflexivity. Qed.
Lemma pad_rcv e i j : is_rcv pad e i j ->
  exists e0, e = sh e0 /\ is_rcv r e0 i j /\ delta pad e = sh (delta r e0) /\ val pad e = val r e0.
Proof. apply spread_rcv, ungap_gap. Qed.
Lemma sh_rcv e i j : is_rcv r e i j -> is_rcv pad (sh e) i j.
Proof. apply spread_to_rcv, ungap_gap. Qed.
Lemma sh_snd e i j : is_snd r e i j -> is_snd pad (sh e) i j.
Proof. apply spread_to_snd, ungap_gap. Qed.
Lemma sh_inside m e : cle c m -> (inside (up 2 m) (sh e) <-> inside m e).
Proof.
  intro L. destruct e as [p k]. specialize (L p). unfold inside, up, sh, spread_to, gap. cbn [fst snd].
  destruct (k <? c p) eqn:A; rewrite ?Nat.ltb_lt, ?Nat.ltb_ge in *; lia.
Qed.
Lemma pad_silent m : cle c m -> (silent pad (up 2 m) <-> silent r m).
Proof.
  intro L. split; intros S e i j Re.
  - specialize (S (sh e) i j (sh_rcv _ _ _ Re)). change (delta pad (sh e)) with (sh (delta r (bk (sh e)))) in S.
    now rewrite bk_sh, !sh_inside in S.
  - apply pad_rcv in Re as (e0 & -> & Re & -> & _). rewrite !sh_inside by auto. apply (S _ _ _ Re).
Qed.
Lemma pad_runs n : runs_of n r -> runs_of n pad.
Proof. apply spread_runs; [exact gap_order|exact ungap_gap]. Qed.
Lemma pad_copies d : copies 2 r pad c d.
Proof.
  intros p x L. rewrite pad_lab, pad_val. unfold ungap. simpl states.
  replace (x + 2 <? c p) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (x + 2 <? c p + 2) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (x + 2 <=? c p) with false by (symmetry; apply Nat.leb_gt; lia).
  replace (x + 2 =? S (c p)) with false by (symmetry; apply Nat.eqb_neq; lia).
  replace (x + 2 - 2) with x by lia. split; intros _; [auto|apply same_refl].
Qed.
Lemma pad_free p : lab pad p (c p) = Int /\ lab pad p (S (c p)) = Int.
Proof.
  rewrite !pad_lab. replace (c p <? c p) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (S (c p) <? c p) with false by (symmetry; apply Nat.ltb_ge; lia).
  replace (c p <? c p + 2) with true by (symmetry; apply Nat.ltb_lt; lia).
  replace (S (c p) <? c p + 2) with true by (symmetry; apply Nat.ltb_lt; lia). auto.
Qed.
Lemma pad_states p : states pad p (S (c p)) = set (states r p (c p)) 0 (w p) /\
  states pad p (S (S (c p))) = states r p (c p) /\ same (states pad p (S (c p))) (set (states pad p (c p)) 0 (w p)).
Proof.
  unfold pad, spread_apart. cbn [states]. rewrite Nat.leb_refl, Nat.eqb_refl.
  replace (S (c p) <=? c p) with false by (symmetry; apply Nat.leb_gt; lia).
  replace (S (S (c p)) <=? c p) with false by (symmetry; apply Nat.leb_gt; lia).
  replace (S (S (c p)) =? S (c p)) with false by (symmetry; apply Nat.eqb_neq; lia).
  replace (S (S (c p)) - 2) with (c p) by lia.
  split; [auto|split; [auto|]]. intro y. unfold set. now destruct (y =? 0).
Qed.
Lemma pad_tame : tame pad (up 2 c).
Proof.
  intros p x L. unfold up in L. destruct (pad_free p) as [L0 L1], (pad_states p) as (S1 & S2 & S3).
  assert (C : x < c p \/ x = c p \/ x = S (c p)) by lia. unfold tame_at. destruct C as [C|[->| ->]].
  - assert (E : forall y, y <= c p -> states pad p y = set (states r p (c p)) 0 (latest_received p y)).
    { intros y Ly. apply Nat.leb_le in Ly. simpl. now rewrite Ly. }
    assert (Lx : lab pad p x = lab r p x) by (rewrite pad_lab; apply Nat.ltb_lt in C; now rewrite C).
    assert (Vx : val pad (p, x) = val r (p, x))
      by (rewrite pad_val; unfold ungap; apply Nat.ltb_lt in C; now rewrite C).
    rewrite Lx, Vx, !E by lia. cbn [latest_received].
    destruct (lab r p x); [apply same_refl| |exists (latest_received p x)]; intro y; unfold set; now destruct (y =? 0).
  - rewrite L0. exists (w p). exact S3.
  - rewrite L1. exists (states r p (c p) 0). rewrite S1, S2. apply same_sym, set_back.
Qed.
End Pad.

(** Whatever occurs along a path of a barrier, in whatever run, begins and ends in silence. *)
Lemma silent_ends n B l r c d : VBarrier (runs_of n) B -> path_of B l -> runs_of n r ->
  voccurs r c (vsequence l) d -> silent r c /\ silent r d.
Proof.
  intros Bar Pa G O. pose proof (voccurs_le _ _ _ _ O) as L. assert (Lc : cle c c) by (intro; auto).
  destruct (tame_ends n B (pad r c (fun _ => 0%Z)) (up 2 c) (up 2 d)) as [Sc Sd]; auto using pad_runs, pad_tame.
  - apply (path_occurs B l Pa). apply copied with r; auto using pad_copies; [now apply path_atoms with B|].
    intros _ m Lm _ Sm. now apply pad_silent.
  - split; [apply pad_silent in Sc|apply pad_silent in Sd]; auto.
Qed.

(** ** Nothing after the end *)

Section Stop.
Variables (r : vrun) (d : cut).
Hypothesis Sd : silent r d.

Definition stop_run : run :=
  {| lab := fun p k => if k <? d p then lab r p k else Int; delta := delta r; val := val r |}.
Definition stop : vrun := {| base := stop_run; states := states r |}.
Lemma stop_lab p k : lab stop p k <> Int -> lab stop p k = lab r p k /\ k < d p.
Proof. simpl. destruct (k <? d p) eqn:Q; [apply Nat.ltb_lt in Q; auto|congruence]. Qed.
Lemma stop_rcv e i j : is_rcv stop e i j -> is_rcv r e i j /\ inside d e.
Proof.
  intros [F L]. destruct (stop_lab (fst e) (snd e)) as [E I]; [congruence|]. split; [split; congruence|exact I].
Qed.
Lemma stop_quiet p k : d p <= k -> lab stop p k = Int.
Proof. intro L. simpl. apply Nat.ltb_ge in L. now rewrite L. Qed.
Lemma stop_silent m : silent r m -> silent stop m.
Proof. intros S e i j R. apply stop_rcv in R as [R _]. apply (S _ _ _ R). Qed.
Lemma stop_copies c : copies 0 r stop c d.
Proof.
  intros p x _. rewrite Nat.add_0_r. split; [|intros _; apply same_refl]. intro L. split; [|auto]. simpl.
  apply Nat.ltb_lt in L. now rewrite L.
Qed.
Lemma stop_runs n : runs_of n r -> runs_of n stop.
Proof.
  intros [[[[M T] _] N] A]. split; [split; [split; [split; [split|]|]|]|].
  - intros e i j R. apply stop_rcv in R as [R I]. destruct (delta_snd r M _ _ _ R) as [F L]. split; auto.
    apply (Sd _ _ _ R) in I. unfold inside in I. apply Nat.ltb_lt in I. simpl. now rewrite I.
  - intros e i j e' i' j' R R'. apply stop_rcv in R as [R _], R' as [R' _]. apply (delta_inj r M _ _ _ _ _ _ R R').
  - intros e C. apply (causal r M e). revert C. generalize e at 1 3. intros x C.
    induction C as [x y [S|(i & j & R & D)]|]; [apply t_step; now left| |eapply t_trans; eauto].
    apply stop_rcv in R as [R _]. apply t_step. right. exists i, j. auto.
  - intros e i j R. apply stop_rcv in R as [R _]. apply (T _ _ _ R).
  - apply quiet_reliable with d. intros i k j L. now rewrite stop_quiet.
  - intros e i [F L]. destruct (stop_lab (fst e) (snd e)) as [E _]; [congruence|]. apply (N e i). split; congruence.
  - intros p k. simpl. destruct (k <? d p); [apply A|exact I].
Qed.
End Stop.

(** ** One more message *)

(** [a] is sent to the process of [b], and received as [b].  If one is before the beginning of a path, and the other one
    after it, then what the path is of is no barrier. *)
Section Patch.
Variables (n : nat) (B : vprog) (r : vrun) (c t d top : cut) (k k' : list vprog) (a b : event) (v : value).
Hypotheses (Bar : VBarrier (runs_of n) B) (Pa : path_of B (k ++ k')) (G : runs_of n r).
Hypotheses (O1 : voccurs r c (vsequence k) t) (O2 : voccurs r t (vsequence k') d) (Nk : ~ In VChop k).
Hypothesis Quiet : forall p x, top p <= x -> lab r p x = Int.
Hypotheses (Na : fst a < n) (Nb : fst b < n) (Nab : fst a <> fst b).
Hypothesis La : lab r (fst a) (snd a) = Int \/ lab r (fst a) (snd a) = Snd (fst b) /\ val r a = v.
Hypothesis Lb : lab r (fst b) (snd b) = Int \/ lab r (fst b) (snd b) = Rcv (fst a) /\ val r b = v.
Hypothesis Only : forall e i j, is_rcv r e i j -> delta r e = a -> e = b.
Hypothesis Nc : ~ causes r b a.
Hypothesis Ka : between c d a -> lab r (fst a) (snd a) <> Int.
Hypothesis Kb : between c d b -> lab r (fst b) (snd b) <> Int.
Hypothesis Cuts : In VChop k' -> inside t a /\ inside t b.
Hypothesis Cross : ~ (inside c b <-> inside c a).
Hypothesis Tame : tame r c.
Hypothesis Ta : inside c a -> same (states r (fst a) (S (snd a))) (states r (fst a) (snd a)).
Hypothesis Tb : inside c b -> same (states r (fst b) (S (snd b))) (set (states r (fst b) (snd b)) 0 v).

Definition patch_run : run := {|
  lab := fun p x => if ev_dec (p, x) a then Snd (fst b) else if ev_dec (p, x) b then Rcv (fst a) else lab r p x;
  delta := fun e => if ev_dec e b then a else delta r e;
  val := fun e => if ev_dec e a then v else if ev_dec e b then v else val r e
|}.
Definition patch : vrun := {| base := patch_run; states := states r |}.

Local Lemma a_b : a <> b. Proof. intros E. apply Nab. now rewrite E. Qed.
Local Lemma patch_a : lab patch (fst a) (snd a) = Snd (fst b) /\ val patch a = v.
Proof. simpl. rewrite <- surjective_pairing. destruct (ev_dec a a); [auto|congruence]. Qed.
Local Lemma patch_b : lab patch (fst b) (snd b) = Rcv (fst a) /\ val patch b = v /\ delta patch b = a.
Proof.
  pose proof a_b. simpl. rewrite <- surjective_pairing.
  destruct (ev_dec b a); [congruence|]. destruct (ev_dec b b); [auto|congruence].
Qed.
Local Lemma patch_other e : e <> a -> e <> b ->
  lab patch (fst e) (snd e) = lab r (fst e) (snd e) /\ val patch e = val r e /\ delta patch e = delta r e.
Proof.
  intros A C. simpl. rewrite <- surjective_pairing. destruct (ev_dec e a); [congruence|].
  destruct (ev_dec e b); [congruence|auto].
Qed.
Local Lemma patch_rcv e i j : is_rcv patch e i j ->
  e = b /\ i = fst a /\ j = fst b \/ e <> a /\ e <> b /\ is_rcv r e i j /\ delta r e <> a /\ delta r e <> b.
Proof.
  intros [F L]. destruct (ev_dec e a) as [->|Ea]; [rewrite (proj1 patch_a) in L; discriminate|].
  destruct (ev_dec e b) as [->|Eb]; [left; rewrite (proj1 patch_b) in L; injection L as <-; auto|right].
  destruct (patch_other e Ea Eb) as [E _]. assert (R : is_rcv r e i j) by (split; congruence).
  split; [auto|split; [auto|split; [auto|]]]. split; [intro D; apply Eb; eapply Only; eauto|]. intro D.
  destruct G as [[[[M _] _] _] _]. apply (delta_snd r M) in R as [_ R]. rewrite D in R.
  destruct Lb as [X|[X _]]; congruence.
Qed.
Local Lemma patch_snd e i j : e <> b -> is_snd r e i j -> is_snd patch e i j.
Proof.
  intros Eb [F L]. split; auto. destruct (ev_dec e a) as [->|Ea]; [|destruct (patch_other e Ea Eb); congruence].
  rewrite (proj1 patch_a). destruct La as [X|[X _]]; congruence.
Qed.
Local Lemma patch_causal : forall e, ~ causes patch e e.
Proof.
  assert (Z : forall y, (y = b \/ causes r b y) -> (y = a \/ causes r y a) -> False).
  { intros y [->|Y] [E|W]; [symmetry in E; now apply a_b|now apply Nc| |apply Nc; eapply t_trans; eauto].
    subst y. now apply Nc. }
  apply by_order with (L := fun x y => causes r x y \/ ((x = a \/ causes r x a) /\ (y = b \/ causes r b y))).
  - intros x y [S|(i & j & R & D)]; [left; apply t_step; now left|].
    apply patch_rcv in R as [(-> & _)|(Ea & Eb & R & _)].
    + right. rewrite (proj2 (proj2 patch_b)) in D. auto.
    + left. apply t_step. right. exists i, j. destruct (patch_other y Ea Eb) as (_ & _ & E). rewrite E in D. auto.
  - intros x y z [A|[A A']] [C|[C C']]; [left; eapply t_trans; eauto| | |exfalso; eauto].
    + right. split; auto. right. destruct C as [->|C]; auto. eapply t_trans; eauto.
    + right. split; auto. right. destruct A' as [->|A']; auto. eapply t_trans; eauto.
  - intros x [A|[A A']]; [|eauto]. destruct G as [[[[M _] _] _] _]. apply (causal r M x A).
Qed.
Local Lemma patch_runs : runs_of n patch.
Proof.
  pose proof G as [[[[M T] _] N] A]. split; [split; [split; [split; [split|]|]|]|].
  - intros e i j R. apply patch_rcv in R as [(-> & -> & ->)|(Ea & Eb & R & Da & Db)].
    + rewrite (proj2 (proj2 patch_b)). split; [auto|apply patch_a].
    + destruct (patch_other e Ea Eb) as (_ & _ & ->). apply patch_snd; auto. apply (delta_snd r M _ _ _ R).
  - intros e i j e' i' j' R R'. apply patch_rcv in R as [(-> & -> & ->)|(Ea & Eb & R & Da & Db)],
      R' as [(-> & -> & ->)|(Ea' & Eb' & R' & Da' & Db')]; auto; intro D.
    + exfalso. apply Da'. rewrite <- (proj2 (proj2 (patch_other e' Ea' Eb'))), <- D. apply patch_b.
    + exfalso. apply Da. rewrite <- (proj2 (proj2 (patch_other e Ea Eb))), D. apply patch_b.
    + rewrite (proj2 (proj2 (patch_other e Ea Eb))), (proj2 (proj2 (patch_other e' Ea' Eb'))) in D.
      apply (delta_inj r M _ _ _ _ _ _ R R' D).
  - exact patch_causal.
  - intros e i j R. apply patch_rcv in R as [(-> & -> & ->)|(Ea & Eb & R & Da & Db)].
    + destruct patch_b as (_ & -> & ->). symmetry. apply patch_a.
    + destruct (patch_other e Ea Eb) as (_ & -> & ->), (patch_other _ Da Db) as (_ & -> & _). apply (T _ _ _ R).
  - apply quiet_reliable with (fun p => top p + S (snd a) + S (snd b)). intros i x j L E.
    assert (X : lab patch i x = lab r i x).
    { apply (patch_other (i, x)); intros X; rewrite <- X in L; cbn [snd] in L; lia. }
    rewrite X, Quiet in E; [discriminate|lia].
  - intros e i [F L]. destruct (ev_dec e a) as [->|Ea]; [rewrite (proj1 patch_a) in L; congruence|].
    destruct (ev_dec e b) as [->|Eb]; [rewrite (proj1 patch_b) in L; discriminate|].
    apply (N e i). split; auto. now rewrite <- (proj1 (patch_other e Ea Eb)).
  - intros p x. simpl. destruct (ev_dec (p, x) a) as [E|_]; [rewrite <- E in Na; auto|].
    destruct (ev_dec (p, x) b) as [E|_]; [rewrite <- E in Nb; auto|apply A].
Qed.
Local Lemma patch_copies : copies 0 r patch c d.
Proof.
  intros p x L. rewrite Nat.add_0_r. split; [intro L2|intros _; apply same_refl].
  assert (Bet : between c d (p, x)) by (split; unfold inside; simpl; lia).
  destruct (ev_dec (p, x) a) as [E|Ea]; [|destruct (ev_dec (p, x) b) as [E|Eb]].
  - destruct patch_a as [X V]. rewrite E in Bet. apply Ka in Bet. destruct La as [Y|[Y W]]; [contradiction|].
    rewrite E. rewrite <- E in X, Y. cbn [fst snd] in X, Y. split; [congruence|intros _; congruence].
  - destruct patch_b as (X & V & _). rewrite E in Bet. apply Kb in Bet. destruct Lb as [Y|[Y W]]; [contradiction|].
    rewrite E. rewrite <- E in X, Y. cbn [fst snd] in X, Y. split; [congruence|intros _; congruence].
  - destruct (patch_other _ Ea Eb) as (E & -> & _). auto.
Qed.
Local Lemma patch_tame : tame patch c.
Proof.
  intros p x L. unfold tame_at. destruct (ev_dec (p, x) a) as [E|Ea].
  - rewrite <- E in Ta. pose proof (proj1 patch_a) as X. rewrite <- E in X. cbn [fst snd] in X. rewrite X. now apply Ta.
  - destruct (ev_dec (p, x) b) as [E|Eb].
    + rewrite <- E in Tb. destruct patch_b as (X & V & _). rewrite <- E in X, V. cbn [fst snd] in X. rewrite X, V.
      now apply Tb.
    + destruct (patch_other _ Ea Eb) as (X & V & _). cbn [fst snd] in X. rewrite X, V. now apply Tame.
Qed.
Local Lemma no_patch : False.
Proof.
  pose proof (voccurs_le _ _ _ _ O1) as L1. pose proof (voccurs_le _ _ _ _ O2) as L2.
  pose proof (path_atoms _ _ Pa) as At. pose proof patch_copies as C.
  assert (O : voccurs patch c (vsequence (k ++ k')) d).
  { apply layered_app. exists t. split.
    - apply copied_0 with r; auto; [intros p I; apply At, in_or_app; auto| |intro I; now destruct Nk].
      eapply copies_part; eauto. intro; auto.
    - apply copied_0 with r; auto; [intros p I; apply At, in_or_app; auto|eapply copies_part; eauto; intro; auto|].
      intros I m Lm _ Sm e i j R. destruct (Cuts I) as [Ia Ib].
      apply patch_rcv in R as [(-> & _ & _)|(Ea & Eb & R & _)].
      + rewrite (proj2 (proj2 patch_b)). unfold inside in *. pose proof (Lm (fst a)). pose proof (Lm (fst b)). lia.
      + destruct (patch_other e Ea Eb) as (_ & _ & ->). apply (Sm _ _ _ R). }
  apply (path_occurs B _ Pa) in O. destruct (tame_ends n B patch c d Bar patch_runs patch_tame O) as [S _].
  apply Cross. specialize (S b (fst a) (fst b)). destruct patch_b as (X & _ & D). rewrite D in S. apply S. split; auto.
Qed.
End Patch.

(** ** Nothing is sent or received before the first silent cut, or after the last one, and there is one *)

Section Closed.
Variables (n : nat) (B : vprog) (r : vrun) (c t d : cut) (k k' : list vprog).
Hypotheses (Bar : VBarrier (runs_of n) B) (Pa : path_of B (k ++ k')) (G : runs_of n r).
Hypotheses (O1 : voccurs r c (vsequence k) t) (O2 : voccurs r t (vsequence k') d).
Hypotheses (Sc : silent r c) (Quiet : forall p x, d p <= x -> lab r p x = Int).

Let Lct : cle c t := voccurs_le _ _ _ _ O1.
Let Ltd : cle t d := voccurs_le _ _ _ _ O2.
Let At := path_atoms _ _ Pa.

Local Lemma padded w : runs_of n (pad r c w) /\ voccurs (pad r c w) (up 2 c) (vsequence k) (up 2 t) /\
  voccurs (pad r c w) (up 2 t) (vsequence k') (up 2 d) /\ forall p x, up 2 d p <= x -> lab (pad r c w) p x = Int.
Proof.
  pose proof (pad_copies r c w d) as C. split; [now apply pad_runs|split; [|split]].
  - apply copied with r; auto; [intros p I; apply At, in_or_app; auto|eapply copies_part; eauto; intro; auto|].
    intros _ m L _ S. now apply pad_silent.
  - apply copied with r; auto; [intros p I; apply At, in_or_app; auto|eapply copies_part; eauto; intro; auto|].
    intros _ m L _ S. apply pad_silent; eauto using cle_trans.
  - intros p x L. unfold up in L. pose proof (cle_trans _ _ _ Lct Ltd p). rewrite pad_lab.
    replace (x <? c p) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (x <? c p + 2) with false by (symmetry; apply Nat.ltb_ge; lia). apply Quiet. lia.
Qed.
(** Nothing is received from where nothing happens. *)
Local Lemma from_nowhere r0 e i j : runs_of n r0 -> is_rcv r0 e i j ->
  lab r0 (fst (delta r0 e)) (snd (delta r0 e)) <> Int.
Proof. intros [[[[M _] _] _] _] R. destruct (delta_snd r0 M _ _ _ R) as [_ L]. congruence. Qed.
Local Lemma rest s : same s (set s 0 (s 0)).
Proof. intro x. unfold set. destruct (x =? 0) eqn:E; auto. apply Nat.eqb_eq in E. now subst. Qed.

(** Without a silent cut: process 0 sends before the path, and 1 receives after it. *)
Lemma must_cut : 2 <= n -> k' = [] -> In VChop k.
Proof.
  intros N E'. destruct (chop_dec k) as [|Nk]; auto. exfalso. set (w := fun p => states r p (c p) 0).
  destruct (padded w) as (G1 & P1 & P2 & Q1). pose proof (cle_trans _ _ _ Lct Ltd) as L.
  set (r1 := pad r c w) in *. destruct (pad_free r c w 0) as [_ F0]. fold r1 in F0.
  assert (X0 : inside (up 2 c) (0, S (c 0))) by (unfold inside, up; simpl; lia).
  apply (no_patch n B r1 (up 2 c) (up 2 t) (up 2 d) (up 2 d) k k' (0, S (c 0)) (1, d 1 + 2) 0%Z); auto; cbn [fst snd];
    try lia; try tauto.
  - intros e i j R D. apply from_nowhere in R; auto. rewrite D in R. contradiction.
  - intro C. assert (X : forall y, causes r1 (1, d 1 + 2) y -> fst y = 1 /\ d 1 + 2 <= snd y).
    { intros y Y. apply clos_trans_tn1 in Y.
      assert (St : forall y z, fst y = 1 /\ d 1 + 2 <= snd y -> step r1 y z -> fst z = 1 /\ d 1 + 2 <= snd z).
      { intros x z [E Lx] [[F Lz]|(i & j & R & D)]; [split; [congruence|lia]|]. apply from_nowhere in R; auto.
        exfalso. apply R. rewrite D, E. apply Q1. exact Lx. }
      induction Y as [y S|y z S _ IH]; [|eauto]. apply (St (1, d 1 + 2)); auto. }
    apply X in C as [C _]. discriminate.
  - intros [H _]. contradiction.
  - intros [_ H]. unfold inside, up in H. simpl in H. lia.
  - rewrite E'. intros [].
  - intro H. apply H in X0. specialize (L 1). unfold inside, up in X0. simpl in X0. lia.
  - apply pad_tame.
  - intros _. destruct (pad_states r c w 0) as (S1 & S2 & _). fold r1 in S1, S2. rewrite S1, S2.
    exact (rest (states r 0 (c 0))).
  - intro H. specialize (L 1). unfold inside, up in H. simpl in H. lia.
Qed.

Hypotheses (Nk : ~ In VChop k) (St : silent r t).

(** Before the first silent cut nothing is received: else it could have been sent before the path. *)
Lemma no_receive_before e i j : between c t e -> ~ is_rcv r e i j.
Proof.
  intros [Bc Bt] R. set (w := fun p => states r p (c p) 0). destruct (padded w) as (G1 & P1 & P2 & Q1).
  set (r1 := pad r c w) in *. destruct (pad_free r c w i) as [_ F0]. fold r1 in F0.
  pose proof G as [[[[M _] _] NS] Am]. pose proof (delta_snd r M _ _ _ R) as Sn.
  assert (Nij : i <> j) by (intros ->; apply (NS _ _ Sn)).
  assert (X0 : inside (up 2 c) (i, S (c i))) by (unfold inside, up; simpl; lia).
  assert (Below : i < n /\ fst e < n).
  { destruct R as [_ L]. specialize (Am (fst e) (snd e)). rewrite L in Am. tauto. }
  assert (Fe : fst e = j) by apply R. pose proof (sh_rcv r c w _ _ _ R) as R1. fold r1 in R1.
  assert (Lcc : cle c c) by (intro; auto).
  apply (no_patch n B r1 (up 2 c) (up 2 t) (up 2 d) (up 2 d) k k' (i, S (c i)) (sh c e) (val r e)); auto;
    cbn [fst snd]; try tauto.
  - unfold sh, spread_to; cbn [fst]. congruence.
  - right. split; [apply R1|]. change (val r1 (sh c e)) with (val r (bk c (sh c e))). now rewrite bk_sh.
  - intros x a b Rx D. apply from_nowhere in Rx; auto. rewrite D in Rx. contradiction.
  - intro C. destruct G1 as [[[[M1 _] _] _] _]. apply (causal r1 M1 (sh c e)). eapply t_trans; [exact C|].
    eapply t_trans; [|eapply causes_msg; eauto]. apply t_step. left.
    change (delta r1 (sh c e)) with (sh c (delta r (bk c (sh c e)))). rewrite bk_sh.
    assert (Bs : ~ inside c (delta r e)) by (intro H; apply Bc, (Sc _ _ _ R), H).
    destruct (delta r e) as [p x]. destruct Sn as [Fs _]. cbn [fst] in Fs. subst p.
    unfold inside, sh, spread_to, gap in *.
    cbn [fst snd] in *. split; auto. destruct (x <? c i) eqn:Q; [apply Nat.ltb_lt in Q; lia|].
    apply Nat.ltb_ge in Q. lia.
  - intros [H _]. contradiction.
  - intros _ H. destruct R1 as [_ L]. congruence.
  - intros _. split; [pose proof (Lct i); unfold inside, up; simpl; lia|now apply sh_inside].
  - rewrite sh_inside by auto. tauto.
  - apply pad_tame.
  - intros _. destruct (pad_states r c w i) as (S1 & S2 & _). fold r1 in S1, S2. rewrite S1, S2.
    exact (rest (states r i (c i))).
  - rewrite sh_inside by auto. contradiction.
Qed.

(** Nor is anything sent: else, as nobody receives it, it could have been received before the path. *)
Lemma no_send_before s i j : between c t s -> ~ is_snd r s i j.
Proof.
  intros [Bc Bt] Sn. set (w := fun _ : proc => val r s). destruct (padded w) as (G1 & P1 & P2 & Q1).
  set (r1 := pad r c w) in *. destruct (pad_free r c w j) as [F0 _]. fold r1 in F0.
  pose proof G as [[_ NS] Am].
  assert (Nij : i <> j) by (intros ->; apply (NS _ _ Sn)).
  assert (X0 : inside (up 2 c) (j, c j)) by (unfold inside, up; simpl; lia).
  assert (Below : fst s < n /\ j < n).
  { destruct Sn as [_ L]. specialize (Am (fst s) (snd s)). rewrite L in Am. tauto. }
  assert (Fs : fst s = i) by apply Sn. pose proof (sh_snd r c w _ _ _ Sn) as S1. fold r1 in S1.
  assert (Lcc : cle c c) by (intro; auto).
  apply (no_patch n B r1 (up 2 c) (up 2 t) (up 2 d) (up 2 d) k k' (sh c s) (j, c j) (val r s)); auto;
    cbn [fst snd]; try tauto.
  - unfold sh, spread_to; cbn [fst]. congruence.
  - right. split; [apply S1|]. change (val r1 (sh c s)) with (val r (bk c (sh c s))). now rewrite bk_sh.
  - intros x a b Rx D. exfalso. apply pad_rcv in Rx as (e & -> & Re & D' & _).
    assert (E : delta r e = s).
    { fold r1 in D'. rewrite D' in D. apply (f_equal (bk c)) in D. now rewrite !bk_sh in D. }
    apply (no_receive_before e a b); auto. split; [intro H|].
    + apply (Sc _ _ _ Re) in H. now rewrite E in H.
    + apply (St _ _ _ Re). now rewrite E.
  - intro C. assert (X : forall y, causes r1 (j, c j) y -> (fst y = j /\ c j <= snd y) \/ ~ inside (up 2 t) y).
    { assert (Go : forall y z, (fst y = j /\ c j <= snd y) \/ ~ inside (up 2 t) y -> step r1 y z ->
        (fst z = j /\ c j <= snd z) \/ ~ inside (up 2 t) z).
      { intros y z Y [[F L]|(a & b & Re & D)].
        - destruct Y as [[Y1 Y2]|Y]; [left; split; [congruence|lia]|right]. unfold inside in *. rewrite <- F. lia.
        - right. apply pad_rcv in Re as (e & -> & Re & D' & _). fold r1 in D'. rewrite D' in D.
          rewrite sh_inside by auto. intro It. apply (no_receive_before e a b); auto. split; auto. intro Ic.
          apply (Sc _ _ _ Re) in Ic. apply (St _ _ _ Re) in It. subst y. rewrite sh_inside in Y by auto.
          destruct Y as [[Y1 Y2]|Y]; [|contradiction]. destruct (delta r e) as [p x].
          unfold inside, sh, spread_to, gap in *. cbn [fst snd] in *. subst p.
          destruct (x <? c j) eqn:Q; [lia|]. apply Nat.ltb_ge in Q. lia. }
      intros y Y. apply clos_trans_tn1 in Y. induction Y as [y S|y z S _ IH]; [|eauto].
      apply (Go (j, c j)); auto. }
    apply X in C as [[C _]|C]; [unfold sh, spread_to in C; cbn [fst] in C; congruence|]. now rewrite sh_inside in C.
  - intros _ H. destruct S1 as [_ L]. congruence.
  - intros [H _]. contradiction.
  - intros _. split; [now apply sh_inside|pose proof (Lct j); unfold inside, up; simpl; lia].
  - rewrite sh_inside by auto. tauto.
  - apply pad_tame.
  - rewrite sh_inside by auto. contradiction.
  - intros _. apply (pad_states r c w j).
Qed.
End Closed.

(** After the last silent cut: as in th:TCCbadforREL. *)
Lemma nothing_after n B r c t d k k' : VBarrier (runs_of n) B -> path_of B (k ++ k') -> runs_of n r ->
  voccurs r c (vsequence k) t -> voccurs r t (vsequence k') d -> silent r t -> ~ In VChop k' ->
  forall e, between t d e -> ~ comm r e.
Proof.
  intros Bar Pa G O1 O2 St Nk e Be Ce. pose proof (path_atoms _ _ Pa) as At. pose proof G as [[[W _] NS] Am].
  pose proof (voccurs_le _ _ _ _ O1) as L1. pose proof (voccurs_le _ _ _ _ O2) as L2.
  assert (Sd : silent r d).
  { apply (silent_ends n B (k ++ k') r c d); auto. apply layered_app. eauto. }
  destruct (like_exists r t d W NS St Sd L2) as (r0 & R0 & Ag & Keep & Nd & Am0); [|eauto|].
  { apply (voccurs_finite r k'); auto. intros p I. apply At, in_or_app. auto. }
  set (r' := {| base := r0; states := states r |}).
  assert (C : copies 0 r r' c d).
  { intros p x _. rewrite Nat.add_0_r. split; [|intros _; apply same_refl]. intro L.
    destruct (Ag p x L) as [X V]. simpl. auto. }
  apply Nd. apply (silent_ends n B (k ++ k') r' c d); auto; [split; auto; now apply Am0|].
  apply layered_app. exists t. split.
  - apply copied_0 with r; auto; [intros p I; apply At, in_or_app; auto|]. eapply copies_part; eauto. intro; auto.
  - apply copied_0 with r; auto; [intros p I; apply At, in_or_app; auto|eapply copies_part; eauto; intro; auto|].
    intro I. now destruct Nk.
Qed.

(** ** The theorem *)

(** What does not talk communicates nothing. *)
Lemma not_talking r l : (forall p, In p l -> atom p) -> (forall p, In p l -> ~ talks p) ->
  forall c d, voccurs r c (vsequence l) d -> forall e, between c d e -> ~ comm r e.
Proof.
  induction l as [|p l IH]; intros A T c d O [a x] [Bc Bd]; simpl in O; unfold inside in Bc, Bd;
    cbn [fst snd] in Bc, Bd.
  - inversion O; subst. match goal with E : ceq c d |- _ => specialize (E a) end. lia.
  - apply vlay_iff in O as (m & O1 & O2). destruct (le_lt_dec (m a) x) as [L|L].
    { apply (IH (fun q I => A q (or_intror I)) (fun q I => T q (or_intror I)) m d O2).
      split; unfold inside; simpl; lia. }
    pose proof (A p (or_introl eq_refl)) as Ap. pose proof (T p (or_introl eq_refl)) as Tp.
    assert (X : lab r a x = Int).
    { destruct p; simpl in Ap, Tp; try contradiction; try (now destruct Tp); inversion O1; subst;
        match goal with E : ceq _ _ |- _ => rewrite (E a) in L || (rewrite <- (E a) in L; lia) end.
      unfold bump in L. destruct (a =? i) eqn:Q; [|lia]. apply Nat.eqb_eq in Q. subst a.
      now replace x with (c i) by lia. }
    intros (i & j & [[_ C]|[_ C]]); cbn [fst snd] in C; congruence.
Qed.

(** A path that is closed begins and ends in silence. *)
Lemma closed_ends (r : vrun) l c d : (forall p, In p l -> atom p) -> matching r -> voccurs r c (vsequence l) d ->
  closed_path l -> silent r c /\ silent r d.
Proof.
  intros A M O [I C]. split.
  - destruct (first_chop l I) as (k & k' & -> & N). apply layered_app in O as (t & O1 & O2).
    apply vchop_first in O2 as [St _]. apply quiet_start with t; eauto using voccurs_le.
    apply (not_talking r k); auto; [intros p J; apply A, in_or_app; auto|apply (C k k' eq_refl), N].
  - destruct (last_chop l I) as (k & k' & -> & N). apply layered_app in O as (t & O1 & O2).
    apply vchop_first in O2 as [St O2]. apply quiet_end with t; eauto using voccurs_le.
    apply (not_talking r k'); auto; [intros p J; apply A, in_or_app; now right; right|apply (C k k' eq_refl), N].
Qed.

(** A path of a barrier that occurs is closed. *)
Lemma only_closed n B l r c d : 2 <= n -> VBarrier (runs_of n) B -> path_of B l -> runs_of n r ->
  voccurs r c (vsequence l) d -> closed_path l.
Proof.
  intros N Bar Pa G O. destruct (silent_ends n B l r c d Bar Pa G O) as [Sc Sd].
  pose proof (path_atoms _ _ Pa) as At. set (r0 := stop r d). pose proof (stop_runs r d Sd n G : runs_of n r0) as G0.
  assert (O0 : voccurs r0 c (vsequence l) d).
  { apply copied_0 with r; auto; [apply stop_copies|]. intros _ m _ _. apply stop_silent. }
  pose proof (stop_silent r d c Sc : silent r0 c) as Sc0. pose proof (stop_quiet r d) as Q.
  clear O Sc Sd G. split.
  - apply (must_cut n B r0 c d d l []); auto; [now rewrite app_nil_r|apply V_eps, ceq_refl].
  - intros k k' ->. apply layered_app in O0 as (t & O1 & O2). pose proof O2 as O3. apply vchop_first in O3 as [St O3].
    split; intros Nk p I T.
    + destruct (talking r0 k c t p) as (e & Be & i & j & [S|R]); auto.
      * intros q J. apply At, in_or_app. auto.
      * now apply (no_send_before n B r0 c t d k (VChop :: k')) with e i j.
      * now apply (no_receive_before n B r0 c t d k (VChop :: k')) with e i j.
    + destruct (talking r0 k' t d p) as (e & Be & Ce); auto.
      * intros q J. apply At, in_or_app. now right; right.
      * apply (nothing_after n B r0 c t d (k ++ [VChop]) k') with e; auto; [now rewrite <- app_assoc|].
        apply layered_app. exists t. split; auto. apply layered_one, vchop_iff. auto using ceq_refl.
Qed.

(** _A program is a barrier in Rel iff each of its paths that occur has a silent cut, and what it sends and receives is
    between its first and its last one_. *)
Theorem barriers_decided : forall n B, 2 <= n -> (VBarrier (runs_of n) B <->
  forall l, path_of B l -> (exists r c d, runs_of n r /\ voccurs r c (vsequence l) d) -> closed_path l).
Proof.
  intros n B N. split.
  - intros Bar l Pa (r & c & d & G & O). now apply (only_closed n B l r c d).
  - intros H P Q r c d G O. apply vchop_first in O as [_ O]. apply vlay_iff in O as (m & OP & O).
    apply vlay_iff in O as (u & OB & OQ). destruct (occurs_path _ _ _ _ OB) as (l & Pa & Ol).
    destruct (closed_ends r l m u) as [Sm Su]; auto; [now apply path_atoms with B|apply G|apply H; eauto|].
    apply vlay_iff. exists m. split; auto. apply vchop_first. split; auto. apply vlay_iff. exists u. split; auto.
    apply vchop_first. auto.
Qed.

(** ** Examples *)

(** A transmission between silent cuts is a barrier. *)
Example transmission_between_cuts n e x : 2 <= n ->
  VBarrier (runs_of n) (VLay VChop (VLay (VLay (VSend 0 1 e) (VRecv 1 0 x)) VChop)).
Proof.
  intro N. apply barriers_decided; auto. intros l P _.
  assert (E : l = [VChop; VSend 0 1 e; VRecv 1 0 x; VChop]).
  { repeat match goal with H : path_of _ _ |- _ => inversion H; subst; clear H end. reflexivity. }
  subst l. clear P. split; [now left|]. intros k k' E. split; intros Nk p I T.
  - destruct k as [|a k]; [destruct I|]. injection E as <- _. destruct Nk. now left.
  - destruct k as [|? [|? [|? [|? k]]]]; injection E; intros; subst; try discriminate; try (now destruct I).
    + destruct Nk. right. right. now left.
    + destruct k; discriminate.
Qed.

(** A transmission between a guard and a silent cut is none: a guard over variables does not see, as the one of
    [barrier_may_send_before_its_cut] does, whether anything has been sent. *)
Definition two_talk : vrun := {|
  base := {| lab := fun p k => match p, k with 0, 0 => Snd 1 | 1, 0 => Rcv 0 | _, _ => Int end;
             delta := fun _ => (0, 0);
             val := fun _ => 0%Z |};
  states := fun _ _ _ => 0%Z
|}.
Lemma two_talk_rcv e i j : is_rcv two_talk e i j -> e = (1, 0) /\ i = 0 /\ j = 1.
Proof.
  destruct e as [p k]. intros [F L]. simpl in F, L. subst j.
  destruct p as [|[|p]], k as [|k]; try discriminate. now injection L as <-.
Qed.
Lemma two_talk_run : runs_of 2 two_talk.
Proof.
  split; [split; [split; [split; [split|]|]|]|].
  - intros e i j R. apply two_talk_rcv in R as (-> & -> & ->). now split.
  - intros e i j e' i' j' R R' _. apply two_talk_rcv in R as (-> & _), R' as (-> & _). reflexivity.
  - apply by_order with (L := fun x y => (fst x = fst y /\ snd x < snd y) \/ fst x < fst y).
    + intros x y [S|(i & j & R & D)]; [auto|]. apply two_talk_rcv in R as (-> & _). subst x. simpl. auto.
    + intros x y z. lia.
    + intros x. lia.
  - intros e i j _. reflexivity.
  - apply quiet_reliable with (fun _ => 1). intros i [|k] j L; [lia|]. simpl. destruct i as [|[|i]]; discriminate.
  - intros [p k] i [F L]. simpl in F, L. subst p. destruct i as [|[|i]], k as [|k]; discriminate.
  - intros [|[|p]] [|k]; simpl; auto.
Qed.
Example transmission_after_a_guard : ~ VBarrier (runs_of 2)
  (VLay (VGuard (VEqual 0 (Var 0) 0 (Const 0%Z))) (VLay (VLay (VSend 0 1 (Const 0%Z)) (VRecv 1 0 0)) VChop)).
Proof.
  intro Bar. destruct (proj1 (barriers_decided 2 _ (le_n _)) Bar
    [VGuard (VEqual 0 (Var 0) 0 (Const 0%Z)); VSend 0 1 (Const 0%Z); VRecv 1 0 0; VChop]) as [_ C].
  - apply (Q_lay _ _ [_] [_; _; _]); [constructor|]. apply (Q_lay _ _ [_; _] [_]); [|constructor].
    apply (Q_lay _ _ [_] [_]); constructor.
  - exists two_talk, (fun _ => 0), (bump (bump (fun _ => 0) 0) 1). split; [exact two_talk_run|].
    apply vlay_iff. exists (fun _ => 0). split; [constructor; [apply ceq_refl|reflexivity]|].
    apply vlay_iff. exists (bump (fun _ => 0) 0). split; [constructor; auto using ceq_refl, same_refl|].
    apply vlay_iff. exists (bump (bump (fun _ => 0) 0) 1). split; [|apply layered_one, vchop_iff].
    + constructor; auto using ceq_refl. intro y. unfold set. now destruct (y =? 0).
    + split; [apply ceq_refl|]. intros e i j R. apply two_talk_rcv in R as (-> & _).
      unfold inside, bump. simpl. split; lia.
  - destruct (C [_; _; _] [] eq_refl) as [X _]. apply X with (VSend 0 1 (Const 0%Z)); [|right; now left|exact I].
    intros [E|[E|[E|[]]]]; discriminate.
Qed.

(** ** What the theorem needs *)

(** A single process has nobody to send to: there every program is a barrier, such as eps. *)
Theorem barriers_decided_needs_two_processes : ~ (VBarrier (runs_of 1) VEps <->
  forall l, path_of VEps l -> (exists r c d, runs_of 1 r /\ voccurs r c (vsequence l) d) -> closed_path l).
Proof.
  intros [H _]. destruct H with (l := @nil vprog) as [[] _]; [|constructor|].
  - intros P Q r c d [[[[M _] _] NS] A] O. apply vchop_first in O as [_ O].
    assert (S : forall m, silent r m).
    { intros m e i j R. pose proof R as [_ L]. specialize (A (fst e) (snd e)). rewrite L in A.
      destruct (NS (delta r e) i). replace i with j at 2; [apply (delta_snd r M _ _ _ R)|]. destruct R as [F _]. lia. }
    apply vlay_iff in O as (m & OP & O). apply vlay_iff in O as (u & OB & OQ). apply vlay_iff. exists m. split; auto.
    apply vchop_first. split; auto. apply vlay_iff. exists u. split; auto. apply vchop_first. auto.
  - set (r := {| base := {| lab := fun _ _ => Int; delta := fun e => e; val := fun _ => 0%Z |};
      states := fun _ _ _ => 0%Z |}).
    exists r, (fun _ => 0), (fun _ => 0). split; [|apply V_eps, ceq_refl].
    split; [split; [split; [split; [split|]|]|]|]; try (now intros e i j [_ R]); try (now intros e i j e' i' j' [_ R]).
    + apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
      * intros x y [S|(i & j & [_ R] & _)]; [auto|discriminate].
      * intros x y z [A A'] [C C']. split; [congruence|lia].
      * intros x [_ A]. lia.
    + now intros s i [_ R].
    + now intros i x.
Qed.

(** With self-channels a barrier may communicate after its last silent cut: nobody else can come between what process 0
    sends to itself and its receive of that. *)
Definition to_itself : vprog := VLay VChop (VLay (VSend 0 0 (Const 0%Z)) (VRecv 0 0 0)).
Lemma to_itself_ends (r : vrun) c d : matching r -> voccurs r c to_itself d -> silent r c /\ silent r d.
Proof.
  intros M O. apply vchop_first in O as [Sc O]. split; auto. apply vlay_iff in O as (m & O1 & O2).
  assert (E : ceq m (bump c 0) /\ lab r 0 (c 0) = Snd 0) by (inversion O1; subst; auto).
  assert (E2 : ceq d (bump m 0) /\ lab r 0 (m 0) = Rcv 0) by (inversion O2; subst; auto).
  destruct E as [E L], E2 as [E2 L2]. pose proof (bump_at _ _ _ E) as Em. rewrite Em in L2.
  assert (D : forall e, inside d e <-> inside c e \/ e = (0, c 0) \/ e = (0, S (c 0))).
  { intros [p x]. unfold inside. cbn [fst snd]. rewrite (E2 p). unfold bump. rewrite (E p). unfold bump.
    destruct (p =? 0) eqn:Q; [apply Nat.eqb_eq in Q; subst p|apply Nat.eqb_neq in Q].
    - split; [|intros [H|[H|H]]; [lia|injection H as ->; lia..]]. intro H.
      assert (C : x < c 0 \/ x = c 0 \/ x = S (c 0)) by lia. destruct C as [C|[->| ->]]; auto.
    - split; [auto|intros [H|[H|H]]; [auto|congruence..]]. }
  assert (R0 : is_rcv r (0, S (c 0)) 0 0) by (split; auto).
  assert (D0 : delta r (0, S (c 0)) = (0, c 0)).
  { pose proof (delta_snd r M _ _ _ R0) as [F S0]. pose proof (causes_msg _ _ _ _ R0) as C.
    pose proof (Sc _ _ _ R0) as I.
    destruct (delta r (0, S (c 0))) as [p x]. cbn [fst snd] in *. subst p. unfold inside in I. cbn [fst snd] in I.
    destruct (lt_eq_lt_dec x (S (c 0))) as [[H|H]|H].
    - f_equal. lia.
    - subst x. congruence.
    - exfalso. apply (causal r M (0, x)). eapply t_trans; [exact C|]. now apply causes_order. }
  intros e i j R. rewrite !D. destruct (ev_dec e (0, S (c 0))) as [->|N].
  { rewrite D0. split; intros _; right; auto. }
  assert (Ne : e <> (0, c 0)) by (intros ->; destruct R as [_ R]; cbn [fst snd] in R; congruence).
  assert (N1 : delta r e <> (0, c 0)).
  { intro X. apply N. apply (delta_inj r M _ _ _ _ _ _ R R0). congruence. }
  assert (N2 : delta r e <> (0, S (c 0))).
  { intro X. destruct (delta_snd r M _ _ _ R) as [_ Y]. rewrite X in Y. cbn [fst snd] in Y. congruence. }
  pose proof (Sc _ _ _ R). tauto.
Qed.
Definition itself : vrun := {|
  base := {| lab := fun p k => if p =? 0 then match k with 0 => Snd 0 | 1 => Rcv 0 | _ => Int end else Int;
             delta := fun _ => (0, 0);
             val := fun _ => 0%Z |};
  states := fun _ _ _ => 0%Z
|}.
Lemma itself_rcv e i j : is_rcv itself e i j -> e = (0, 1) /\ i = 0 /\ j = 0.
Proof.
  destruct e as [p k]. intros [F L]. simpl in F, L. subst j. destruct (p =? 0) eqn:Q; [|discriminate].
  apply Nat.eqb_eq in Q. subst p. destruct k as [|[|k]]; try discriminate. now injection L as <-.
Qed.
Theorem barriers_decided_needs_no_self_channels : ~ forall n B, 2 <= n ->
  (VBarrier (fun r => Rel r /\ run_among n r) B <-> forall l, path_of B l ->
    (exists (r : vrun) c d, (Rel r /\ run_among n r) /\ voccurs r c (vsequence l) d) -> closed_path l).
Proof.
  intro H. destruct (H 2 to_itself (le_n _)) as [K _].
  destruct (K) with (l := [VChop; VSend 0 0 (Const 0%Z); VRecv 0 0 0]) as [_ C].
  - intros P Q r c d [[[M _] _] _] O. apply vchop_first in O as [_ O]. apply vlay_iff in O as (m & OP & O).
    apply vlay_iff in O as (u & OB & OQ). destruct (to_itself_ends r m u M OB) as [Sm Su].
    apply vlay_iff. exists m. split; auto. apply vchop_first. split; auto. apply vlay_iff. exists u. split; auto.
    apply vchop_first. auto.
  - apply (Q_lay VChop _ [VChop] [_; _]); [constructor|]. apply (Q_lay _ _ [_] [_]); constructor.
  - exists itself, (fun _ => 0), (bump (bump (fun _ => 0) 0) 0). split; [split; [split; [split; [split|]|]|]|].
    + intros e i j R. apply itself_rcv in R as (-> & -> & ->). now split.
    + intros e i j e' i' j' R R' _. apply itself_rcv in R as (-> & _), R' as (-> & _). reflexivity.
    + apply by_order with (L := fun x y => fst x = fst y /\ snd x < snd y).
      * intros x y [S|(i & j & R & D)]; [auto|]. apply itself_rcv in R as (-> & _). subst x. simpl. auto.
      * intros x y z [A A'] [C C']. split; [congruence|lia].
      * intros x [_ A]. lia.
    + intros e i j _. reflexivity.
    + apply quiet_reliable with (fun _ => 2). intros i k j L. simpl. destruct (i =? 0); [|discriminate].
      destruct k as [|[|k]]; [lia|lia|discriminate].
    + intros p k. simpl. destruct (p =? 0) eqn:Q; [|exact I]. apply Nat.eqb_eq in Q. subst p.
      destruct k as [|[|k]]; [lia|lia|exact I].
    + apply vchop_first. split; [intros e i j _; unfold inside; split; lia|]. apply vlay_iff.
      exists (bump (fun _ => 0) 0). split; [|apply layered_one]; constructor; auto using ceq_refl; intro x; auto.
      unfold set. now destruct (x =? 0).
  - destruct (C [] _ eq_refl) as [_ X]. apply X with (VRecv 0 0 0); [|right; now left|exact I].
    intros [E|[E|[]]]; discriminate.
Qed.
