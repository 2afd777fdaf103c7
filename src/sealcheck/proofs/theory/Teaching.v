(** * From programs to knowledge, and back

    A balanced straight-line program [s] seals [p] (in the sense of [covers]) exactly if its messages, in an order in
    which they can be received, seal what processes know at the end of [p]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Knowledge Messages Prefix.
Open Scope nat_scope.

(** How many messages a program transmits. *)
Definition is_send (a : act) := match a with ASend _ _ => true | _ => false end.
Definition messages (s : list act) := length (filter is_send s).

(** Every receive of [p] by [j] from [i] is in the past of [v], an event of [l] or the end of a process. *)
Definition heard (p l : list act) (v : event) (i j : proc) :=
  forall y, nth_error (labs j p) y = Some (Rcv i) -> causes (fifo l) (j, y) v.

(** What [k] knows at the end of [p]: this is what the paper's (rcv, Ld_k) in E+ says, for the last receive. *)
Definition learnt (p : list act) : knowledge := fun k i j => heard p p (k, len p k) i j.

(** A receiver knows at its own end that it has received. *)
Lemma learnt_own n p : receiver_knows n (learnt p).
Proof. intros i j _ _ y H. apply causes_order. now apply labs_lt in H. Qed.

(** ** Lists in causal order *)

(** [R a b] only if [a] comes before [b]. *)
Definition in_causal_order {A} (R : A -> A -> Prop) (l : list A) :=
  forall pre b post, l = pre ++ b :: post -> forall a, In a l -> R a b -> In a pre.

Lemma causal_order_snoc {A} (R : A -> A -> Prop) l m : (forall a, ~ R a a) -> in_causal_order R l ->
  (forall a, In a l -> ~ R m a) -> in_causal_order R (l ++ [m]).
Proof.
  intros Irr O M pre b post E a Ha Hab.
  destruct post as [|q post'] using rev_ind.
  - apply app_inj_tail in E as [<- <-]. apply in_app_or in Ha as [Ha|[<-|[]]]; auto. destruct (Irr m Hab).
  - clear IHpost'. rewrite app_comm_cons, app_assoc in E. apply app_inj_tail in E as [E <-].
    apply (O pre b post' E); auto. apply in_app_or in Ha as [Ha|[<-|[]]]; auto.
    exfalso. apply (M b); auto. rewrite E. apply in_or_app; simpl; auto.
Qed.

(** Every finite list can be put into an order that respects a strict order. *)
Lemma causal_order_exists {A} (R : A -> A -> Prop) : (forall a b c, R a b -> R b c -> R a c) -> (forall a, ~ R a a) ->
  forall l, exists l', Permutation l l' /\ in_causal_order R l'.
Proof.
  intros Tr Irr. assert (G : forall n l, length l = n -> exists l', Permutation l l' /\ in_causal_order R l').
  { induction n as [|n IH]; intros l Len.
    - destruct l; [|discriminate]. exists []. split; auto. intros pre b post E. destruct pre; discriminate.
    - destruct (max_exists l (fun _ => True) R Tr Irr) as (m & Im & _ & Max).
      { destruct l as [|a l]; [discriminate|]. exists a; simpl; auto. }
      destruct (in_split _ _ Im) as (l1 & l2 & E). subst l.
      destruct (IH (l1 ++ l2)) as (l' & P & O).
      { rewrite app_length in *. simpl in Len. lia. }
      exists (l' ++ [m]). split.
      + rewrite <- Permutation_middle, P. apply Permutation_cons_append.
      + apply causal_order_snoc; auto. intros a Ha. apply Max; auto.
        apply (Permutation_in _ (Permutation_sym P)) in Ha.
          apply in_app_or in Ha as [Ha|Ha]; apply in_or_app; simpl; auto. }
  intro l. apply (G (length l) l eq_refl).
Qed.

(** ** The events of a program that starts at a cut *)

Fixpoint places (c : cut) (s : list act) : list (event * act) :=
  match s with
  | [] => []
  | a :: rest => ((actor a, c (actor a)), a) :: places (bump c (actor a)) rest
  end.

Lemma places_acts c s : map snd (places c s) = s.
Proof. revert c. induction s as [|a s IH]; intro c; simpl; [|rewrite IH]; reflexivity. Qed.

Lemma labs_cons i a s : labs i (a :: s) = (if actor a =? i then [alab a] else []) ++ labs i s.
Proof. unfold labs, proj. simpl. destruct (actor a =? i); reflexivity. Qed.

Lemma len_cons i a s : len (a :: s) i = (if actor a =? i then 1 else 0) + len s i.
Proof. unfold len, proj. simpl. destruct (actor a =? i); reflexivity. Qed.

Lemma places_spec s : forall c i k a, In ((i, k), a) (places c s) ->
  c i <= k < c i + len s i /\ actor a = i /\ nth_error (labs i s) (k - c i) = Some (alab a).
Proof.
  induction s as [|b s IH]; intros c i k a H; [destruct H|]. rewrite labs_cons, len_cons.
  destruct H as [E|H].
  - injection E as <- <- <-. rewrite Nat.eqb_refl, Nat.sub_diag. repeat split; auto; lia.
  - destruct (IH _ _ _ _ H) as (L & E & N). rewrite (Nat.eqb_sym (actor b) i). revert L N. unfold bump.
    destruct (i =? actor b); intros L N; [|auto].
    split; [lia|split; [exact E|]]. replace (k - c i) with (S (k - S (c i))) by lia. exact N.
Qed.

Lemma places_complete s : forall c i k, c i <= k < c i + len s i -> exists a, In ((i, k), a) (places c s).
Proof.
  induction s as [|b s IH]; intros c i k L; [unfold len in L; simpl in L; lia|]. rewrite len_cons in L. simpl.
  destruct (Nat.eq_dec (actor b) i) as [<-|Ni].
  - rewrite Nat.eqb_refl in L. destruct (Nat.eq_dec k (c (actor b))) as [->|Nk]; [exists b; auto|].
    destruct (IH (bump c (actor b)) (actor b) k) as (a & Ha); [unfold bump; rewrite Nat.eqb_refl; lia|].
    exists a; auto.
  - destruct (IH (bump c (actor b)) i k) as (a & Ha).
    { unfold bump. apply Nat.eqb_neq in Ni as E. rewrite E in L. rewrite Nat.eqb_sym, E. lia. }
    exists a; auto.
Qed.

(** ** As many messages are received as sent *)

Definition received_message (a : act) : list message := match a with ARecv j i => [(i, j)] | _ => [] end.
Definition sent_message (a : act) : list message := match a with ASend i j => [(i, j)] | _ => [] end.

Lemma message_dec (a b : message) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Qed.

Lemma count_sent i j s : count_occ message_dec (flat_map sent_message s) (i, j) = length (filter (sndb j) (labs i s)).
Proof.
  induction s as [|[a b|b a|a] s IH]; auto; rewrite labs_cons; simpl.
  - destruct (message_dec (a, b) (i, j)) as [E|N].
    + injection E as -> ->. rewrite Nat.eqb_refl. simpl. rewrite Nat.eqb_refl. simpl. now rewrite IH.
    + destruct (a =? i) eqn:E1; [|exact IH]. simpl. destruct (b =? j) eqn:E2; [|exact IH].
      apply Nat.eqb_eq in E1, E2. congruence.
  - destruct (b =? i); exact IH.
  - destruct (a =? i); exact IH.
Qed.

Lemma count_received i j s : count_occ message_dec (flat_map received_message s) (i, j) =
  length (filter (rcvb i) (labs j s)).
Proof.
  induction s as [|[a b|b a|a] s IH]; auto; rewrite labs_cons; simpl.
  - destruct (a =? j); exact IH.
  - destruct (message_dec (a, b) (i, j)) as [E|N].
    + injection E as -> ->. rewrite Nat.eqb_refl. simpl. rewrite Nat.eqb_refl. simpl. now rewrite IH.
    + destruct (b =? j) eqn:E1; [|exact IH]. simpl. destruct (a =? i) eqn:E2; [|exact IH].
      apply Nat.eqb_eq in E1, E2. congruence.
  - destruct (a =? j); exact IH.
Qed.

Lemma messages_received s : balanced s -> length (flat_map received_message s) = messages s.
Proof.
  intro B. assert (P : Permutation (flat_map received_message s) (flat_map sent_message s)).
  { apply (Permutation_count_occ message_dec). intros [i j]. now rewrite count_sent, count_received. }
  rewrite (Permutation_length P). unfold messages. clear.
  induction s as [|[a b|b a|a] s IH]; simpl; auto.
Qed.

(** ** What a seal achieves, its messages achieve *)

Section FromSeal.
Variables (n : nat) (p s : list act).
Hypotheses (Bp : balanced p) (Bs : balanced s) (Ns : nofself s) (Ws : within n s) (D : dead_free (p ++ s))
  (Cov : covers p s).
Let l := p ++ s.
Let B : balanced l := balanced_app p s Bp Bs.

(** How [w] can have heard of the receives on a channel: at the end of [p]; from an earlier event of its process in
    [s]; or from the sender of the message that it receives. *)
Lemma heard_from w i j (K : knowledge) : ~ inside (len p) w -> within_knowledge (learnt p) K ->
  (forall v, causes (fifo l) v w -> ~ inside (len p) v -> forall a b, heard p l v a b -> K (fst v) a b) ->
  heard p l w i j ->
  K (fst w) i j \/ exists x, nth_error (labs (fst w) l) (snd w) = Some (Rcv x) /\ K x i j.
Proof.
  intros Out G IH H.
  destruct (classic (exists y, nth_error (labs j p) y = Some (Rcv i))) as [Some_receive|None].
  2:{ left. apply G. intros y Hy. exfalso. apply None. exists y; auto. }
  assert (Last : exists y0, last_receive p j i y0).
  { destruct (max_exists (seq 0 (len p j)) (fun y => nth_error (labs j p) y = Some (Rcv i)) lt) as (m & _ & Hm &
    Mm); try lia.
    - destruct Some_receive as (y & Hy). exists y. split; auto. apply in_seq. apply labs_lt in Hy. lia.
    - exists m. split; auto. intros y Hy. destruct (le_lt_dec y m); auto. exfalso. apply (Mm y); auto.
      apply in_seq. apply labs_lt in Hy. lia. }
  destruct Last as (y0 & H0 & M0). pose proof (labs_lt _ _ _ _ H0) as I0.
  assert (Upto : forall r v, causes r (j, y0) v -> forall y, nth_error (labs j p) y = Some (Rcv i) -> causes r (j,
    y) v).
  { intros r v C y Hy. apply causes_local_le with y0; auto. }
  assert (Msg : forall v a b, is_rcv (fifo l) w a b -> delta (fifo l) w = v ->
    fst v = a /\ ~ inside (len p) v /\ nth_error (labs (fst w) l) (snd w) = Some (Rcv a)).
  { intros v a b R Dv. destruct w as [b' y]. assert (Eb : b' = b) by (destruct R; auto). subst b'.
    destruct (fifo_step_receive l v b y a B R Dv) as (z & _ & _ & L).
    destruct (later_message p s a b y Bp B L) as (z' & E & _ & Lz); [unfold inside in Out; simpl in Out; lia|].
    fold l in E. rewrite E in Dv. subst v. unfold inside; simpl. repeat split; auto. lia. }
  destruct (last_step _ _ _ (H y0 H0)) as [S|(v & C & S)].
  - destruct S as [[F _]|(a & b & R & Dv)].
    + left. simpl in F. rewrite <- F. apply G. intros y Hy. apply (Upto (fifo p)); auto. apply causes_order; auto.
    + exfalso. destruct (Msg _ _ _ R Dv) as (_ & Ov & _). apply Ov. unfold inside; simpl; auto.
  - assert (Cv : causes (fifo l) v w) by (apply t_step; exact S).
    destruct (classic (inside (len p) v)) as [Iv|Ov].
    + destruct S as [[F _]|(a & b & R & Dv)]; [|exfalso; destruct (Msg _ _ _ R Dv) as (_ & Ov & _); auto].
      left. apply G. intros y Hy. apply (Upto (fifo p)); auto. destruct (fifo_back p s Bp _ _ C Iv) as [Cp _].
      eapply t_trans; [exact Cp|]. apply t_step. left. simpl. rewrite <- F. split; auto.
    + assert (Kv : K (fst v) i j) by (apply IH; auto; intros y Hy; apply (Upto (fifo l)); auto).
      destruct S as [[F _]|(a & b & R & Dv)]; [left; now rewrite <- F|right].
      destruct (Msg _ _ _ R Dv) as (E & _ & L). exists a. rewrite <- E in *. auto.
Qed.

Definition order_of (es : list (event * act)) : list message := flat_map received_message (map snd es).

Definition event_order (a b : event * act) := causes (fifo l) (fst a) (fst b).

Variable es : list (event * act).
Hypotheses (Perm : Permutation (places (len p) s) es) (Ord : in_causal_order event_order es).

Lemma all_events_in_order : forall v, ~ inside (len p) v -> inside (len l) v -> exists a, In (v, a) es.
Proof.
  intros [i k] O I. unfold inside, l in O, I; simpl in O, I. rewrite len_app in I.
  destruct (places_complete s (len p) i k) as (a & Ha); [lia|].
  exists a. apply (Permutation_in _ Perm Ha).
Qed.

Lemma event_spec i k a : In ((i, k), a) es ->
  len p i <= k < len l i /\ actor a = i /\ nth_error (labs i l) k = Some (alab a) /\ In a s.
Proof.
  intro H. apply (Permutation_in _ (Permutation_sym Perm)) in H.
  destruct (places_spec s (len p) i k a H) as (L & E & N). unfold l. rewrite len_app, labs_app.
  repeat split; auto; try lia.
  - rewrite nth_error_app2; rewrite len_labs; [exact N|lia].
  - rewrite <- (places_acts (len p) s). apply in_map_iff. exists ((i, k), a); auto.
Qed.

Lemma inside_closed v w : causes (fifo l) v w -> inside (len l) w -> inside (len l) v.
Proof.
  induction 1 as [v [j y] S|]; auto. intro I. destruct S as [[F L]|(a & b & R & Dl)].
  - unfold inside in *. rewrite F. simpl in *. lia.
  - assert (E : j = b) by (destruct R; auto). subst j.
    destruct (fifo_step_receive l v b y a B R Dl) as (z & -> & Hz & _). now apply labs_lt in Hz.
Qed.

(** When the events so far have happened, who took part knows what it has heard. *)
Definition informed (pre : list (event * act)) :=
  allowed n (learnt p) (order_of pre) /\
  forall v a, In (v, a) pre -> forall i j, heard p l v i j -> after (learnt p) (order_of pre) (fst v) i j.

Lemma informed_step pre w a post : es = pre ++ (w, a) :: post -> informed pre -> informed (pre ++ [(w, a)]).
Proof.
  intros E [A K]. set (K0 := after (learnt p) (order_of pre)) in *.
  assert (Iw : In (w, a) es) by (rewrite E; apply in_or_app; simpl; auto).
  destruct w as [k y]. destruct (event_spec k y a Iw) as (Ly & Ea & Na & Ina).
  assert (Ow : ~ inside (len p) (k, y)) by (unfold inside; simpl; lia).
  assert (Past : forall v, causes (fifo l) v (k, y) -> ~ inside (len p) v -> forall i j,
    heard p l v i j -> K0 (fst v) i j).
  { intros v C O i j H. destruct (all_events_in_order v O) as (b & Hb).
    - eapply inside_closed; [exact C|]. unfold inside; simpl; lia.
    - apply K with b; auto. apply (Ord _ _ _ E (v, b)); auto. }
  assert (Know : forall i j, heard p l (k, y) i j -> K0 k i j \/ exists x, alab a = Rcv x /\ K0 x i j).
  { intros i j H. destruct (heard_from (k, y) i j K0 Ow) as [R|(x & R & Kx)]; auto;
    [exact (after_grows (order_of pre) _)|].
    right. exists x. simpl in R. rewrite Na in R. injection R as ->. auto. }
  assert (Ok : allowed n K0 (received_message a)).
  { destruct a as [i j|j i|i]; try exact I. simpl in Ea; subst k. specialize (Ws _ Ina). simpl in Ws, Na.
    destruct (later_message p s i j y Bp B Na) as (z & Dz & Hz & Lz); [lia|]. fold l in Dz, Hz.
    assert (Nij : i <> j).
    { intros ->. apply (Ns j). unfold l in Hz. rewrite labs_app, nth_error_app2 in Hz by (rewrite len_labs; auto).
      eapply nth_error_In; eauto. }
    simpl. repeat split; try tauto. apply (Past (i, z)).
    - apply t_step. right. exists i, j. split; auto. split; auto. simpl. now rewrite Na.
    - unfold inside; simpl; lia.
    - intros y' Hy'. apply Cov; auto. }
  unfold informed, order_of. rewrite map_app, flat_map_app. fold (order_of pre). simpl. rewrite app_nil_r. split.
  - apply allowed_app. split; auto.
  - intros v b H i j Hv. rewrite after_app. fold K0. apply in_app_or in H as [H|[H|[]]].
    + apply after_grows. apply (K v b); auto.
    + injection H as <- <-. destruct (Know i j Hv) as [R|(x & Ex & Kx)]; [apply after_grows; exact R|].
      destruct a as [i' j'|j' i'|i']; try discriminate. simpl in Ex, Ea. injection Ex as ->. subst k.
      right. auto.
Qed.

Lemma all_informed pre : forall post, es = pre ++ post -> informed pre.
Proof.
  induction pre as [|[w a] pre IH] using rev_ind; intros post E.
  - split; [exact I|intros v a []].
  - rewrite <- app_assoc in E. simpl in E. apply informed_step with post; auto. eapply IH; eauto.
Qed.

Lemma order_seals : sealed_by n (learnt p) (order_of es).
Proof.
  destruct (all_informed es []) as [A K]; [now rewrite app_nil_r|]. split; auto.
  intros i j Hi Hj N. destruct (heard_from (i, len l i) i j (after (learnt p) (order_of es))) as [R|(x & R & _)]; auto.
  - unfold inside, l; simpl. rewrite len_app. lia.
  - exact (after_grows (order_of es) _).
  - intros v C O a b H. destruct (last_step _ _ _ C) as [S|(u & Cu & S)].
    + destruct (all_events_in_order v O) as (q & Hq); [|apply (K v q); auto].
      destruct S as [[F L]|(x & y & [_ L] & _)]; [unfold inside; rewrite F; simpl in *; auto|].
      exfalso. apply fifo_lab in L as [_ L]; [|discriminate]. simpl in L. lia.
    + destruct (all_events_in_order v O) as (q & Hq); [|apply (K v q); auto].
      apply inside_closed with u; auto.
      destruct S as [[F L]|(x & y & [_ L] & _)]; [unfold inside; rewrite F; simpl in *; auto|].
      exfalso. apply fifo_lab in L as [_ L]; [|discriminate]. simpl in L. lia.
  - intros y Hy. apply Cov; auto.
  - exfalso. simpl in R. apply labs_lt in R. lia.
Qed.
End FromSeal.

(** _A seal of [p] gives messages that seal what is known, as many as it transmits_. *)
Theorem messages_of_seal n p s : balanced p -> balanced s -> nofself s -> within n s -> dead_free (p ++ s) ->
  covers p s -> exists ms, sealed_by n (learnt p) ms /\ length ms = messages s.
Proof.
  intros Bp Bs Ns Ws D Cov.
  destruct (causal_order_exists (event_order p s)) with (l := places (len p) s) as (es & P & O).
  - intros a b c H1 H2. eapply t_trans; eauto.
  - intros a. apply D.
  - exists (order_of es). split; [apply order_seals with s; auto|].
    rewrite <- messages_received; auto. unfold order_of. rewrite <- (places_acts (len p) s) at 1.
    apply Permutation_length. apply Permutation_flat_map, Permutation_map. now symmetry.
Qed.

(** ** What messages achieve, their transmissions achieve *)

(** One message after the other, each received at once. *)
Definition transmission (m : message) : list act := [ASend (fst m) (snd m); ARecv (snd m) (fst m)].
Definition transmissions (ms : list message) : list act := flat_map transmission ms.

Lemma messages_transmissions ms : messages (transmissions ms) = length ms.
Proof. induction ms as [|m ms IH]; [reflexivity|]. unfold messages in *. simpl. now rewrite IH. Qed.

(** What they send and receive. *)
Lemma transmissions_send ms i j : In (Snd j) (labs i (transmissions ms)) -> In (i, j) ms.
Proof.
  intro H. apply in_map_iff in H as (a & E & H). apply filter_In in H as [H A]. apply Nat.eqb_eq in A.
  apply in_flat_map in H as ([b c] & I & [<-|[<-|[]]]); simpl in *; [|discriminate]. injection E as ->. now subst.
Qed.
Lemma transmissions_receive ms i j : In (Rcv i) (labs j (transmissions ms)) -> In (i, j) ms.
Proof.
  intro H. apply in_map_iff in H as (a & E & H). apply filter_In in H as [H A]. apply Nat.eqb_eq in A.
  apply in_flat_map in H as ([b c] & I & [<-|[<-|[]]]); simpl in *; [discriminate|]. injection E as ->. now subst.
Qed.

Lemma labs_transmission k i j : i <> j ->
  labs k (transmission (i, j)) = if k =? i then [Snd j] else if k =? j then [Rcv i] else [].
Proof.
  intro N. unfold transmission. rewrite !labs_cons. simpl. rewrite (Nat.eqb_sym i k), (Nat.eqb_sym j k).
  destruct (k =? i) eqn:E, (k =? j) eqn:F; simpl; auto. apply Nat.eqb_eq in E, F. congruence.
Qed.

Lemma balanced_one m : balanced (transmission m).
Proof. intros i j. rewrite <- count_sent, <- count_received. reflexivity. Qed.

(** The message that is transmitted after [l]. *)
Lemma transmitted l i j : balanced l -> i <> j ->
  nth_error (labs i (l ++ transmission (i, j))) (len l i) = Some (Snd j) /\
  nth_error (labs j (l ++ transmission (i, j))) (len l j) = Some (Rcv i) /\
  delta (fifo (l ++ transmission (i, j))) (j, len l j) = (i, len l i).
Proof.
  intros B N.
  assert (A1 : nth_error (labs i (l ++ transmission (i, j))) (len l i) = Some (Snd j)).
  { rewrite labs_app, nth_error_app2, len_labs, Nat.sub_diag, labs_transmission, Nat.eqb_refl by (rewrite ?len_labs;
    auto).
    reflexivity. }
  assert (A2 : nth_error (labs j (l ++ transmission (i, j))) (len l j) = Some (Rcv i)).
  { rewrite labs_app, nth_error_app2, len_labs, Nat.sub_diag, labs_transmission, Nat.eqb_refl by (rewrite ?len_labs;
    auto).
    destruct (j =? i) eqn:E; auto. apply Nat.eqb_eq in E. congruence. }
  repeat split; auto. unfold fifo; cbn [delta fst snd]. rewrite A2. f_equal.
  rewrite (prefix_firstn j) by auto. rewrite firstn_all2 by (rewrite len_labs; auto). rewrite <- B.
  rewrite <- (firstn_all2 (n := len l i) (labs i l)) at 1 by (rewrite len_labs; auto).
  rewrite <- (prefix_firstn i l (transmission (i, j))) by auto.
  apply nthpos_count with (Snd j); auto. apply sndb_spec; auto.
Qed.

(** What is done after [l] is that send and that receive. *)
Lemma after_is_transmission l i j k y a : i <> j -> len l k <= y ->
  nth_error (labs k (l ++ transmission (i, j))) y = Some a ->
    y = len l k /\ ((k = i /\ a = Snd j) \/ (k = j /\ a = Rcv i)).
Proof.
  intros N L H. rewrite labs_app, nth_error_app2, len_labs, labs_transmission in H by (rewrite ?len_labs; auto).
  destruct (k =? i) eqn:E; [apply Nat.eqb_eq in E|destruct (k =? j) eqn:F; [apply Nat.eqb_eq in F|]].
  - destruct (y - len l k) as [|[|q]] eqn:Q; try discriminate. injection H as <-. split; [lia|auto].
  - destruct (y - len l k) as [|[|q]] eqn:Q; try discriminate. injection H as <-. split; [lia|auto].
  - destruct (y - len l k); discriminate.
Qed.

(** A transmission does not deadlock. *)
Lemma dead_free_transmission l i j : balanced l -> dead_free l -> i <> j -> dead_free (l ++ transmission (i, j)).
Proof.
  intros B D N. destruct (transmitted l i j B N) as (M1 & M2 & M3). set (t := transmission (i, j)) in *.
  unfold dead_free. apply by_order with (L := fun x y =>
    (inside (len l) y /\ inside (len l) x /\ causes (fifo l) x y) \/ (inside (len l) x /\ ~ inside (len l) y) \/
    (~ inside (len l) x /\ ~ inside (len l) y /\
      ((fst x = fst y /\ snd x < snd y) \/ (x = (i, len l i) /\ fst y = j)))).
  - intros x y S. destruct (classic (inside (len l) y)) as [I|O].
    + destruct (fifo_back_step l t B x y S I) as [S' I']. left. repeat split; auto. apply t_step; auto.
    + destruct (classic (inside (len l) x)) as [I|Ox]; [auto|]. right; right. repeat split; auto.
      destruct S as [S|(a & b & [F L] & Dl)]; [left; auto|right].
      destruct y as [b' y]; simpl in F; subst b'. apply fifo_lab in L as [L _]; [|discriminate]. cbn [fst snd] in L.
      unfold inside in O; simpl in O.
      destruct (after_is_transmission l i j b y _ N ltac:(lia) L) as [E [[_ E']|[-> E']]]; [discriminate|].
      injection E' as ->. subst y. split; [congruence|reflexivity].
  - intros x y z [(A1 & A2 & A3)|[(A1 & A2)|(A1 & A2 & A3)]] [(B1 & B2 & B3)|[(B1 & B2)|(B1 & B2 & B3)]];
    try contradiction; auto.
    + left; repeat split; auto. eapply t_trans; eauto.
    + right; right. repeat split; auto. destruct A3 as [[A3 A4]|[-> A4]], B3 as [[B3 B4]|[E B4]]; subst; simpl in *.
      * left; split; [congruence|lia].
      * exfalso. apply A1. unfold inside. rewrite A3. auto.
      * right; split; auto; congruence.
      * exfalso; auto.
  - intros x [(A1 & A2 & A3)|[(A1 & A2)|(A1 & A2 & A3)]]; [apply (D x A3)|contradiction|].
    destruct A3 as [[_ A3]|[A0 A3]]; [lia|]. rewrite A0 in A3. simpl in A3; auto.
Qed.

Section ToSeal.
Variables (n : nat) (p : list act).
Hypotheses (Bp : balanced p) (Np : nofself p) (Dp : dead_free p).

(** Of a program after [p]: it is a seal as far as its own sends go, and teaches what the messages teach. *)
Record teaches (ms : list message) (s : list act) : Prop := {
  t_balanced : balanced s;
  t_noself : nofself (p ++ s);
  t_within : within n s;
  t_dead_free : dead_free (p ++ s);
  t_safe : forall i j z, len p i <= z -> nth_error (labs i (p ++ s)) z = Some (Snd j) -> heard p (p ++ s) (i, z) i j;
  t_taught : forall k i j, after (learnt p) ms k i j -> heard p (p ++ s) (k, len (p ++ s) k) i j
}.

Lemma teaches_nothing : teaches [] [].
Proof.
  constructor; rewrite ?app_nil_r; auto; try (intros ? []; fail).
  - intros i j. reflexivity.
  - intros i j z L H. apply labs_lt in H. lia.
Qed.

Lemma teaches_one_more ms s i j : teaches ms s -> i < n -> j < n -> i <> j -> after (learnt p) ms i i j ->
  teaches (ms ++ [(i, j)]) (s ++ transmission (i, j)).
Proof.
  intros [Bs Ns Ws Ds Ss Ts] Hi Hj N K. set (l := p ++ s) in *.
  assert (B : balanced l) by (apply balanced_app; auto).
  destruct (transmitted l i j B N) as (M1 & M2 & M3).
  assert (Keep : forall x k a b, heard p l (k, x) a b -> x <= len l k ->
    heard p (l ++ transmission (i, j)) (k, len (l ++ transmission (i, j)) k) a b).
  { intros x k a b H L y Hy. apply causes_local_ge with x; [rewrite len_app; lia|]. apply fifo_mono; auto. }
  constructor; rewrite ?app_assoc; fold l.
  - apply balanced_app; auto. apply balanced_one.
  - intros k H. rewrite labs_app in H. apply in_app_or in H as [H|H]; [apply (Ns k); auto|].
    rewrite labs_transmission in H by auto. destruct (k =? i) eqn:E.
    2:{ destruct (k =? j); [destruct H as [H|[]]; discriminate|destruct H]. }
    destruct H as [H|[]]. injection H as H. apply Nat.eqb_eq in E. congruence.
  - intros a Ha. apply in_app_or in Ha as [Ha|[<-|[<-|[]]]]; simpl; auto. apply Ws; auto.
  - apply dead_free_transmission; auto.
  - intros a b z Lz Hz y Hy. destruct (le_lt_dec (len l a) z) as [G|G].
    + destruct (after_is_transmission l i j a z _ N G Hz) as [-> [[-> E]|[_ E]]]; [|discriminate]. injection E as ->.
      apply fifo_mono; auto. apply (Ts i i j K y Hy).
    + apply fifo_mono; auto. apply (Ss a b z); auto. now apply (prefix_nth_back _ _ _ _ _ Hz).
  - intros k a b H. rewrite after_app in H. destruct H as [H|[Ek H]]; cbn [fst snd] in *.
    + apply Keep with (len l k); auto.
    + subst k. intros y Hy. apply causes_local_ge with (S (len l j)).
      { rewrite len_app. apply labs_lt in M2. rewrite len_app in M2. lia. }
      eapply t_trans; [apply (fifo_mono l (transmission (i, j)) B), (Ts i a b H y Hy)|].
      eapply t_trans; [|apply causes_order with (x := len l j); lia].
      apply t_step. right. exists i, j. split; auto. split; auto. simpl. now rewrite M2.
Qed.

Lemma teaches_all ms : allowed n (learnt p) ms -> teaches ms (transmissions ms).
Proof.
  induction ms as [|[i j] ms IH] using rev_ind; intro A; [apply teaches_nothing|].
  apply allowed_app in A as [A (Hi & Hj & N & K & _)]. unfold transmissions. rewrite flat_map_app. simpl.
  apply (teaches_one_more ms (transmissions ms) i j); auto.
Qed.

(** _Messages that seal what is known give a seal that transmits just these_. *)
Theorem seal_of_messages ms : within n p -> sealed_by n (learnt p) ms ->
  balanced (transmissions ms) /\ within n (transmissions ms) /\ nofself (p ++ transmissions ms) /\
  dead_free (p ++ transmissions ms) /\ covers p (transmissions ms).
Proof.
  intros Wp [A S]. destruct (teaches_all ms A) as [Bs Ns Ws Ds Ss Ts]. repeat split; auto.
  intros i j y z Hy [->|[Lz Hz]]; [|apply (Ss i j z Lz Hz y Hy)].
  assert (R : i < n /\ j < n /\ i <> j).
  { pose proof (nth_error_In _ _ Hy) as I. unfold labs in I. apply in_map_iff in I as (b & Eb & Hb).
    apply filter_In in Hb as [Hb E]. specialize (Wp _ Hb). apply Nat.eqb_eq in E.
    destruct b as [|b a|]; simpl in *; try discriminate. injection Eb as <-. subst. repeat split; try tauto.
    intros ->. destruct (fifo_match p j j y Bp Hy) as (x & _ & Hx & _). apply (Np j). eapply nth_error_In; eauto. }
  apply (Ts i i j); auto. apply S; tauto.
Qed.
End ToSeal.
