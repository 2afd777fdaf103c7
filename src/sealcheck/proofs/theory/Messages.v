(** * 3n - 5 messages: enough for whatever can be sealed, and needed by some

    Both directions on knowledge alone; WorstCase.v says it of programs.  Needs no axiom. *)

From Coq Require Import List Arith Lia Permutation.
Import ListNotations.
From Sealcheck Require Import Knowledge.

(** ** Enough

    The _holder_ of a part has learnt all that anyone in it knew at first.  So the holder may send to
    everyone in the part, for each of them knew that channel to be safe. *)

Definition gathered (K : knowledge) (X : list nat) (ms : list message) (h : nat) :=
  forall v, In v X -> forall i j, K v i j -> after K ms h i j.

Section Enough.
Variables (n : nat) (K : knowledge).
Hypothesis Own : receiver_knows n K.

(** The holder hands over to another of the part. *)
Lemma hand_over X ms h v : allowed n K ms -> gathered K X ms h -> h < n -> v < n -> In v X -> h <> v ->
  allowed n K (ms ++ [(h, v)]) /\ gathered K X (ms ++ [(h, v)]) v.
Proof.
  intros A H Hh Hv I N. split.
  - apply allowed_app. split; auto. simpl. repeat split; auto. apply (H v I), Own; auto.
  - intros u Hu i j Ku. rewrite after_app. right. split; auto. apply (H u Hu), Ku.
Qed.

(** Of two plans, the second works after the first, too; and all that the first achieves stays. *)
Lemma plans_add X Y a b g h : allowed n K a -> allowed n K b -> gathered K X a g -> gathered K Y b h ->
  allowed n K (a ++ b) /\ gathered K X (a ++ b) g /\ gathered K Y (a ++ b) h.
Proof.
  intros A B G H. split; [|split].
  - apply allowed_app. split; auto. apply allowed_mono with K; auto. exact (after_grows a K).
  - intros v Hv i j Kv. rewrite after_app. apply after_grows. apply (G v Hv), Kv.
  - intros v Hv i j Kv. rewrite after_app. apply after_mono with K; [exact (after_grows a K)|].
    apply (H v Hv), Kv.
Qed.

(** Two parts meet at the receiver of a bridge, if each is held where the bridge is. *)
Lemma gathered_meet X Y i j k a b : allowed n K a -> allowed n K b -> gathered K X a i -> gathered K Y b j ->
  i < n -> j < n -> i <> j -> In k X -> K k i j ->
  allowed n K ((a ++ b) ++ [(i, j)]) /\ gathered K (X ++ Y) ((a ++ b) ++ [(i, j)]) j.
Proof.
  intros A B G H Hi Hj N Hk B0. destruct (plans_add X Y a b i j A B G H) as (AB & G' & H'). split.
  - apply allowed_app. split; auto. simpl. repeat split; auto. apply (G' k Hk), B0.
  - intros v Hv x y Kv. rewrite after_app. apply in_app_or in Hv as [Hv|Hv].
    + right. split; auto. apply (G' v Hv), Kv.
    + left. apply (H' v Hv), Kv.
Qed.

(** Two messages for each other process let any one hold a part; one fewer where it is met. *)
Lemma gather X : joined K X -> (forall v, In v X -> v < n) -> forall v, In v X ->
  exists ms, allowed n K ms /\ gathered K X ms v /\ length ms + 2 <= 2 * length X.
Proof.
  induction 1 as [u|X Y i j k JX IHX JY IHY Apart Hi Hk Hj B]; intros L v Hv.
  - destruct Hv as [<-|[]]. exists []. split; [exact I|split; [|simpl; lia]].
    intros w [<-|[]] x y H. exact H.
  - assert (LX : forall w, In w X -> w < n) by (intros; apply L, in_or_app; auto).
    assert (LY : forall w, In w Y -> w < n) by (intros; apply L, in_or_app; auto).
    destruct (IHX LX i Hi) as (a & Aa & Ha & La), (IHY LY j Hj) as (b & Ab & Hb & Lb).
    assert (N : i <> j) by (intros ->; apply (Apart j); auto).
    destruct (gathered_meet X Y i j k a b) as [A H]; auto.
    destruct (Nat.eq_dec j v) as [<-|Nv].
    + exists ((a ++ b) ++ [(i, j)]). rewrite !app_length. simpl. repeat split; auto; lia.
    + destruct (hand_over (X ++ Y) _ j v A H) as [A' H']; auto.
      exists (((a ++ b) ++ [(i, j)]) ++ [(j, v)]). rewrite !app_length. simpl. repeat split; auto; lia.
Qed.

Lemma gather_where_met X : joined K X -> (forall v, In v X -> v < n) -> 2 <= length X ->
  exists h ms, In h X /\ allowed n K ms /\ gathered K X ms h /\ length ms + 3 <= 2 * length X.
Proof.
  intros J L Two. inversion J as [v E|A B i j k JA JB Apart Hi Hk Hj Br E]; subst; [simpl in Two; lia|].
  assert (LA : forall w, In w A -> w < n) by (intros; apply L, in_or_app; auto).
  assert (LB : forall w, In w B -> w < n) by (intros; apply L, in_or_app; auto).
  destruct (gather A JA LA i Hi) as (a & Aa & Ha & La), (gather B JB LB j Hj) as (b & Ab & Hb & Lb).
  assert (N : i <> j) by (intros ->; apply (Apart j); auto).
  destruct (gathered_meet A B i j k a b) as [Am Hm]; auto.
  exists j, ((a ++ b) ++ [(i, j)]). rewrite !app_length. simpl.
  split; [apply in_or_app; auto|]. repeat split; auto; lia.
Qed.
End Enough.

Section Tell.
Variables (n : nat) (K : knowledge) (h : nat).

(** A process that knows all its channels to be safe tells the others all that it knows. *)
Lemma allowed_tell T : (forall v, In v T -> h < n /\ v < n /\ h <> v /\ K h h v) -> allowed n K (map (pair h) T).
Proof.
  revert K. induction T as [|v T IH]; intros K' H; [exact I|]. simpl.
  destruct (H v (or_introl eq_refl)) as (A & B & C & D). repeat split; auto.
  apply IH. intros w Hw. destruct (H w (or_intror Hw)) as (A' & B' & C' & D'). repeat split; auto. left; auto.
Qed.

Lemma told_all T v i j : In v T -> K h i j -> after K (map (pair h) T) v i j.
Proof.
  revert K. induction T as [|w T IH]; intros K' Hv H; [destruct Hv|]. simpl.
  destruct Hv as [<-|Hv].
  - change (after (told K' (h, w)) (map (pair h) T) w i j). apply after_grows. right; auto.
  - apply (IH (told K' (h, w))); auto. left; auto.
Qed.
End Tell.

(** The holder of all processes knows all its channels to be safe, and so may finish. *)
Lemma holder_finishes n K ms h T : receiver_knows n K -> allowed n K ms -> h < n ->
  (forall v, v < n -> forall i j, K v i j -> after K ms h i j) ->
  (forall v, In v T -> v < n /\ v <> h) ->
  (forall v, v < n -> In v T \/ (forall j, j < n -> v <> j -> after K ms v v j)) ->
  sealed_by n K (ms ++ map (pair h) T).
Proof.
  intros Own A Hh All HT Rest. split.
  - apply allowed_app. split; auto. apply allowed_tell. intros v Hv. destruct (HT v Hv) as [L N].
    repeat split; auto. apply (All v L), Own; auto.
  - intros i j Hi Hj N. rewrite after_app. destruct (Rest i Hi) as [I|S].
    + apply told_all; auto. apply (All j Hj), Own; auto.
    + apply after_grows. apply S; auto.
Qed.

(** _Enough_.  One message is saved: if the last bridge i->j leads to j alone, i need not be told; else i
    sends to j first, and after that those on the side of j gather. *)
Theorem enough n K X : 2 <= n -> receiver_knows n K -> joined K X -> Permutation X (seq 0 n) ->
  exists ms, sealed_by n K ms /\ length ms <= 3 * n - 5.
Proof.
  intros Two Own J P.
  assert (LenX : length X = n) by (rewrite (Permutation_length P); apply seq_length).
  assert (Mem : forall v, In v X <-> v < n).
  { intro v. split; intro H; [apply (Permutation_in _ P), in_seq in H; lia|].
    apply (Permutation_in _ (Permutation_sym P)), in_seq; lia. }
  inversion J as [v E|A B i j k JA JB Apart Hi Hk Hj Br E]; subst X; [simpl in LenX; lia|].
  assert (LA : forall w, In w A -> w < n) by (intros; apply Mem, in_or_app; auto).
  assert (LB : forall w, In w B -> w < n) by (intros; apply Mem, in_or_app; auto).
  assert (N : i <> j) by (intros ->; apply (Apart j); auto).
  rewrite app_length in LenX.
  destruct (gather n K Own A JA LA i Hi) as (a & Aa & Ha & La).
  assert (OwnB : gathered K [j] [] j) by (intros w [<-|[]] x y H; exact H).
  destruct (gathered_meet n K A [j] i j k a []) as [Am Hm]; auto; [exact I|].
  rewrite app_nil_r in Am, Hm.
  destruct (le_lt_dec (length B) 1) as [One|More].
  - (* B is j alone: i holds A, and the bridge, and is not told *)
    assert (EB : B = [j]).
    { destruct B as [|b [|c B]]; simpl in One; try lia; [destruct Hj|].
      destruct Hj as [<-|[]]; reflexivity. }
    subst B. exists ((a ++ [(i, j)]) ++ map (pair j) (remove Nat.eq_dec i A)). split.
    + apply holder_finishes; auto.
      * intros v Hv x y Kv. apply (Hm v); auto. apply Mem; auto.
      * intros v Hv. apply in_remove in Hv as [Hv _]. split; auto.
        intros ->. apply (Apart j); simpl; auto.
      * intros v Hv. destruct (Nat.eq_dec v i) as [->|Nv].
        -- right. intros w Hw Nw. rewrite after_app. left.
           destruct (Nat.eq_dec w j) as [->|Nj]; [apply (Ha k Hk), Br|].
           assert (Iw : In w A).
           { apply Mem in Hw. apply in_app_or in Hw as [Hw|[Hw|[]]]; auto. congruence. }
           apply (Ha w Iw), Own; auto.
        -- destruct (Nat.eq_dec v j) as [->|Nj].
           ++ right. intros w Hw Nw. apply (Hm w); [apply Mem; auto|]. apply Own; auto.
           ++ left. apply in_in_remove; auto. apply Mem in Hv. apply in_app_or in Hv as [Hv|[Hv|[]]]; auto. congruence.
    + pose proof (remove_length_lt Nat.eq_dec A i Hi).
      rewrite !app_length, map_length. simpl in *. lia.
  - (* B has others: i sends to j first, then B gathers, knowing more *)
    set (s0 := a ++ [(i, j)]) in *. set (K1 := after K s0).
    assert (G1 : within_knowledge K K1) by exact (after_grows s0 K).
    assert (Own1 : receiver_knows n K1) by (intros x y Hx Hy; apply G1, Own; auto).
    destruct (gather_where_met n K1 Own1 B) as (h & b & Ih & Ab & Hb & Lb); auto.
    { now apply joined_mono with K. }
    exists ((s0 ++ b) ++ map (pair h) (remove Nat.eq_dec h (A ++ B))). split.
    + assert (All : forall v, v < n -> forall x y, K v x y -> after K (s0 ++ b) h x y).
      { intros v Hv x y Kv. rewrite after_app. fold K1. apply Mem in Hv. apply in_app_or in Hv as [Hv|Hv].
        - apply (Hb j Hj). apply (Hm v); auto. apply in_or_app; auto.
        - apply (Hb v Hv). apply G1, Kv. }
      apply holder_finishes; auto.
      * apply allowed_app. split; auto.
      * intros v Hv. apply in_remove in Hv as [Hv Nv]. split; auto. apply Mem; auto.
      * intros v Hv. destruct (Nat.eq_dec v h) as [->|Nv].
        -- right. intros w Hw Nw. apply (All w Hw), Own; auto.
        -- left. apply in_in_remove; auto. apply Mem; auto.
    + assert (Ih' : In h (A ++ B)) by (apply in_or_app; auto).
      pose proof (remove_length_lt Nat.eq_dec _ h Ih'). rewrite app_length in H.
      unfold s0. rewrite !app_length, map_length. simpl in *. lia.
Qed.

(** So a structure of knowledge can be sealed exactly if all processes can be joined. *)
Theorem sealed_iff_one_block n K : 2 <= n -> receiver_knows n K ->
  ((exists ms, sealed_by n K ms) <-> one_block n K).
Proof.
  intros Two Own. split.
  - intros (ms & S). apply sealed_one_block with ms; auto. lia.
  - intros (X & J & P). destruct (enough n K X) as (ms & S & _); auto. exists ms; auto.
Qed.

(** ** Needed

    Process 0 may send to everybody from the start.  Of any other channel i->j nobody but j knows that it
    is safe. *)

Definition hardest (K : knowledge) := forall p i j, i <> 0 -> i <> j -> K p i j -> p = j.

Section Needed.
Variables (n : nat) (K : knowledge).
Hypothesis Hard : hardest K.

Definition sends (ms : list message) (i : nat) := In i (map fst ms).
Definition is_receiver (ms : list message) (i : nat) := In i (map snd ms).

(** What only j knows stays with j until j sends. *)
Lemma stays_with ms j : ~ sends ms j -> forall i p, i <> 0 -> i <> j -> after K ms p i j -> p = j.
Proof.
  induction ms as [|[a b] ms IH] using rev_ind; intros N i p Hi Nij H; [apply (Hard p i j); auto|].
  unfold sends in N. rewrite map_app in N. rewrite after_app in H. destruct H as [H|[_ H]]; cbn [fst snd] in *.
  - apply (IH (fun I => N (in_or_app _ _ _ (or_introl I))) i p); auto.
  - exfalso. apply N, in_or_app. right. simpl. left.
    apply (IH (fun I => N (in_or_app _ _ _ (or_introl I))) i a); auto.
Qed.

(** Who has received nothing knows what it knew. *)
Lemma learns_by_receiving ms p : ~ is_receiver ms p -> forall i j, after K ms p i j -> K p i j.
Proof.
  induction ms as [|[a b] ms IH] using rev_ind; intros N i j H; [exact H|].
  unfold is_receiver in N. rewrite map_app in N. rewrite after_app in H. destruct H as [H|[E _]]; cbn [fst snd] in *.
  - apply (IH (fun I => N (in_or_app _ _ _ (or_introl I)))), H.
  - exfalso. apply N, in_or_app. right. simpl. auto.
Qed.

(** Only process 0 sends to one that has not sent. *)
Lemma to_the_silent ms a b : allowed n K (ms ++ [(a, b)]) -> ~ sends ms b -> a = 0.
Proof.
  intros A N. apply allowed_app in A as [_ (_ & _ & D & H & _)]. cbn [fst snd] in *.
  destruct (Nat.eq_dec a 0) as [|Na]; auto. exfalso. apply D, (stays_with ms b N a a); auto.
Qed.

(** Who sends and is not 0 has received before; and first from 0. *)
Lemma hears_from_0 ms i : allowed n K ms -> i <> 0 -> ~ sends ms i -> is_receiver ms i -> In (0, i) ms.
Proof.
  induction ms as [|[a b] ms IH] using rev_ind; intros A Ni N R; [destruct R|].
  assert (N' : ~ sends ms i) by (intro I; apply N; unfold sends; rewrite map_app; apply in_or_app; auto).
  unfold is_receiver in R. rewrite map_app in R. apply in_app_or in R as [R|[R|[]]]; apply in_or_app.
  - left. apply IH; auto. apply allowed_app in A as [A _]; exact A.
  - right. simpl in R. subst b. rewrite (to_the_silent ms a i A N'). simpl; auto.
Qed.

Lemma before_sending ms i j : allowed n K (ms ++ [(i, j)]) -> i <> 0 -> ~ sends ms i -> In (0, i) ms.
Proof.
  intros A Ni N. pose proof A as A'. apply allowed_app in A' as [A' (_ & _ & D & H & _)]. cbn [fst snd] in *.
  apply hears_from_0; auto. destruct (in_dec Nat.eq_dec i (map snd ms)) as [|R]; auto. exfalso.
  apply D. apply (Hard i i j); auto. apply (learns_by_receiving ms); auto.
Qed.

(** Every sender other than 0 has been sent to by 0. *)
Lemma senders_heard_from_0 ms i : allowed n K ms -> i <> 0 -> sends ms i -> In (0, i) ms.
Proof.
  induction ms as [|[a b] ms IH] using rev_ind; intros A Ni S; [destruct S|]. apply in_or_app.
  pose proof A as A'. apply allowed_app in A' as [A' _].
  destruct (in_dec Nat.eq_dec i (map fst ms)) as [I|O]; [left; auto|].
  unfold sends in S. rewrite map_app in S. apply in_app_or in S as [S|[S|[]]]; [contradiction|].
  simpl in S. subst a. left. apply (before_sending ms i b); auto.
Qed.

(** When the last of several processes begins to send. *)
Lemma last_to_begin ms l : l <> [] -> (forall i, In i l -> sends ms i) ->
  exists before z w rest, ms = before ++ (z, w) :: rest /\ In z l /\ ~ sends before z /\
    (forall i, In i l -> i <> z -> sends before i).
Proof.
  induction ms as [|[a b] ms IH] using rev_ind; intros Ne S.
  - destruct l as [|i l]; [congruence|]. destruct (S i); simpl; auto.
  - destruct (Forall_dec (sends ms) (fun i => in_dec Nat.eq_dec i (map fst ms)) l) as [F|NF].
    + destruct IH as (before & z & w & rest & -> & H); auto; [apply Forall_forall; exact F|].
      exists before, z, w, (rest ++ [(a, b)]). rewrite <- app_assoc. split; auto.
    + assert (H : forall i, In i l -> sends ms i \/ i = a).
      { intros i Hi. specialize (S i Hi). unfold sends in *. rewrite map_app in S.
        apply in_app_or in S as [S|[S|[]]]; auto. }
      assert (Ia : In a l /\ ~ sends ms a).
      { destruct (in_dec Nat.eq_dec a (map fst ms)) as [I|O].
        - exfalso. apply NF, Forall_forall. intros i Hi. destruct (H i Hi) as [|E]; auto. now rewrite E.
        - split; auto. destruct (in_dec Nat.eq_dec a l) as [|Nl]; auto. exfalso. apply NF, Forall_forall.
          intros i Hi. destruct (H i Hi) as [|E]; auto. congruence. }
      exists ms, a, b, []. split; auto. split; [apply Ia|split; [apply Ia|]].
      intros i Hi Ni. destruct (H i Hi); [auto|contradiction].
Qed.

(** ** Counting *)

Lemma longer_list {A} (f : A -> nat) (l : list nat) ms : NoDup l -> (forall i, In i l -> In i (map f ms)) ->
  length l <= length ms.
Proof. intros N I. rewrite <- (map_length f ms). apply NoDup_incl_length; auto. Qed.

Lemma split_count (ms : list message) :
  length ms = length (filter (fun m => fst m =? 0) ms) + length (filter (fun m => negb (fst m =? 0)) ms).
Proof. induction ms as [|m ms IH]; simpl; auto. destruct (fst m =? 0); simpl; lia. Qed.

(** _Needed_.  Let z be the last of the others to begin to send.  Before that, 0 has sent to each of them,
    and each but z has sent; from then on, each but z hears what z alone knew. *)
Theorem needed ms : 2 <= n -> sealed_by n K ms -> 3 * n - 5 <= length ms.
Proof.
  intros Two [A S].
  destruct (Nat.eq_dec n 2) as [->|Three].
  - destruct ms; simpl; [|lia]. exfalso. specialize (S 1 0). simpl in S.
    assert (1 = 0); [|discriminate]. apply (Hard 1 1 0); auto.
  - set (others := seq 1 (n - 1)).
    assert (Mem : forall i, In i others <-> 1 <= i < n) by (intro i; unfold others; rewrite in_seq; lia).
    assert (Nd : NoDup others) by apply seq_NoDup.
    assert (Send : forall j, In j others -> sends ms j).
    { intros j Hj. apply Mem in Hj. destruct (in_dec Nat.eq_dec j (map fst ms)) as [|N]; auto. exfalso.
      set (i := if j =? 1 then 2 else 1).
      assert (Hi : i <> 0 /\ i < n /\ i <> j).
      { unfold i. destruct (j =? 1) eqn:E; [apply Nat.eqb_eq in E|apply Nat.eqb_neq in E]; lia. }
      destruct Hi as (I1 & I2 & I3). apply I3. apply (stays_with ms j N i i); auto. apply S; lia. }
    destruct (last_to_begin ms others) as (before & z & w & rest & E & Hz & Nz & Hbefore); auto.
    { unfold others. destruct (n - 1) eqn:Q; [lia|discriminate]. }
    pose proof (proj1 (Mem z) Hz) as Rz.
    assert (Az : allowed n K (before ++ [(z, w)])).
    { rewrite E in A. change ((z, w) :: rest) with ([(z, w)] ++ rest) in A. rewrite app_assoc in A.
      now apply allowed_app in A as [A _]. }
    assert (Ab : allowed n K before) by now apply allowed_app in Az as [Az _].
    set (but_z := remove Nat.eq_dec z others).
    assert (Lz : length but_z = n - 2).
    { assert (P : Permutation others (z :: but_z)).
      { apply NoDup_Permutation; auto.
        - constructor; [apply remove_In|]. unfold but_z. clear - Nd.
          induction others as [|x l IH]; simpl; [constructor|]. inversion Nd; subst.
          destruct (Nat.eq_dec z x); auto. constructor; auto. intro H. apply in_remove in H as [H _]. auto.
        - intro x. simpl. split; intro H.
          + destruct (Nat.eq_dec x z); [auto|right; apply in_in_remove; auto].
          + destruct H as [<-|H]; auto. now apply in_remove in H as [H _]. }
      apply Permutation_length in P. unfold others in P. rewrite seq_length in P. simpl in P. lia. }
    assert (Ndz : NoDup but_z).
    { unfold but_z. clear - Nd. induction others as [|x l IH]; simpl; [constructor|]. inversion Nd; subst.
      destruct (Nat.eq_dec z x); auto. constructor; auto. intro H. apply in_remove in H as [H _]. auto. }
    (* 0 has sent to everybody *)
    assert (C1 : n - 1 <= length (filter (fun m => fst m =? 0) before)).
    { replace (n - 1) with (length others) by apply seq_length.
      apply (longer_list snd); auto. intros i Hi. apply in_map_iff. exists (0, i). split; auto.
      apply filter_In. split; auto.
      destruct (Nat.eq_dec i z) as [->|Ni]; [apply (before_sending before z w); auto; lia|].
      apply Mem in Hi as Ri. apply senders_heard_from_0; auto; lia. }
    (* all others but z have sent *)
    assert (C2 : n - 2 <= length (filter (fun m => negb (fst m =? 0)) before)).
    { rewrite <- Lz. apply (longer_list fst); auto. intros i Hi. apply in_remove in Hi as [Hi Ni].
      pose proof (Hbefore i Hi Ni) as Si. apply in_map_iff in Si as ([i' v] & Ei & Hm). simpl in Ei; subst i'.
      apply in_map_iff. exists (i, v). split; auto. apply filter_In. split; auto. simpl.
      apply Mem in Hi. destruct i; [lia|reflexivity]. }
    (* and have yet to hear from z *)
    assert (C3 : n - 2 <= length ((z, w) :: rest)).
    { rewrite <- Lz. apply (longer_list snd); auto. intros i Hi. apply in_remove in Hi as [Hi Ni].
      apply Mem in Hi as Ri.
      destruct (in_dec Nat.eq_dec i (map snd ((z, w) :: rest))) as [|NR]; auto. exfalso. apply Ni.
      apply (stays_with before z Nz i i); auto; [lia|].
      assert (Si : after K ms i i z) by (apply S; lia).
      rewrite E, after_app in Si. revert Si NR. generalize ((z, w) :: rest). clear. intros l.
      induction l as [|[a b] l IH] using rev_ind; intros H N; [exact H|].
      rewrite map_app in N. rewrite after_app in H. destruct H as [H|[Eb _]].
      - apply IH; auto. intro I. apply N, in_or_app; auto.
      - exfalso. apply N, in_or_app. right. simpl in *. auto. }
    pose proof (split_count before) as C. rewrite E, app_length. unfold message in *. lia.
Qed.
End Needed.

(** A structure that is hardest, and can be sealed: 0 reaches everybody, and each knows its own receives. *)
Definition star : knowledge := fun p i j => i = 0 \/ p = j.

Lemma star_hardest : hardest star.
Proof. intros p i j N _ [E|E]; [contradiction|exact E]. Qed.

Lemma joined_by_0 n (K : knowledge) : 1 <= n -> (forall j, j < n -> K 0 0 j) -> one_block n K.
Proof.
  intros One H. assert (G : forall m, 1 <= m <= n -> joined K (seq 0 m)).
  { induction m as [|m IH]; intro L; [lia|]. destruct m as [|m]; [constructor|].
    rewrite seq_S. simpl plus. apply joined_two with 0 (S m) 0.
    - apply IH; lia.
    - constructor.
    - intros v Hv [<-|[]]. apply in_seq in Hv; lia.
    - apply in_seq; lia.
    - apply in_seq; lia.
    - simpl; auto.
    - apply H; lia. }
  exists (seq 0 n). split; [apply G; lia|reflexivity].
Qed.
