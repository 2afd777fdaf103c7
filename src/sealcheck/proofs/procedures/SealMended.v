(** * Seal(P), mended

    "Algorithm Seal ... outputs a proper seal for P if P is properly sealable" (th:sealability).  It does if there is a
    T to pick.  There may be none, though some program seals P ([seal_as_printed] in [PrintedProcedures]).  Mended: if
    there is none, all messages are sent that are safe and tell their receiver something, one after another until none
    is left; and then those are left out, last first, without which the others suffice.  If they do not suffice, no BSL
    seals P.

    How many messages are left is not said: without T, they can be 3n and more.

    Theorems of the ledger: [seal_mended]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Messages Prefix Teaching.
From Sealcheck Require Import Sealability SealConstruction CheckerCorrect Closure SignaturesCompose Procedures.
From Sealcheck Require Import MendedProcedures.
From Sealcheck Require DecideSealing.
Open Scope nat_scope.

(** ** The procedure *)

(** [F k i j] says that k knows i->j to be safe, or that i->j is not open. *)
Definition facts := nat -> nat -> nat -> bool.
Definition facts_of (V_E : graph name) : facts := fun k i j =>
  negb (has name_dec (NRcv j i) (fst V_E)) || has_edge name_dec (NRcv j i) (NLd k) (snd V_E).

(** What is known after a message, and after some, one after another. *)
Definition tell_facts (F : facts) (m : message) : facts := fun k i j => F k i j || ((k =? snd m) && F (fst m) i j).
Definition after_telling (F : facts) (ms : list message) : facts := fold_left tell_facts ms F.

Section Procedure.
Variable n : nat.

Definition all_channels : list message := filter (fun c => negb (fst c =? snd c)) (list_prod (seq 0 n) (seq 0 n)).

(** The sender of a message knows it to be safe; it tells its receiver something. *)
Definition is_safe (F : facts) (m : message) : bool := F (fst m) (fst m) (snd m).
Definition is_news (F : facts) (m : message) : bool :=
  existsb (fun c => F (fst m) (fst c) (snd c) && negb (F (snd m) (fst c) (snd c))) all_channels.

(** The messages on these channels that are safe and tell something, in this order; and what is known then. *)
Fixpoint pass (F : facts) (cs : list message) : facts * list message :=
  match cs with
  | [] => (F, [])
  | m :: cs => if is_safe F m && is_news F m then let (G, ms) := pass (tell_facts F m) cs in (G, m :: ms) else pass F cs
  end.
(** Over and over, until none is left.  Each time but the last tells one of n^3 facts at least. *)
Fixpoint repeated_passes (times : nat) (F : facts) : list message :=
  match times with
  | 0 => []
  | S times => match pass F all_channels with (_, []) => [] | (G, ms) => ms ++ repeated_passes times G end
  end.
Definition all_that_is_safe (F : facts) : list message := repeated_passes (S (n ^ 3)) F.

(** These messages are safe, one after the other, and then the sender of each channel knows that it is. *)
Fixpoint suffice (F : facts) (ms : list message) : bool :=
  match ms with
  | [] => forallb (fun c => F (fst c) (fst c) (snd c)) all_channels
  | m :: ms => is_safe F m && suffice (tell_facts F m) ms
  end.

(** Of the messages [rev earlier ++ later], those of [earlier] are left out, last first, without which the rest
    suffice. *)
Fixpoint leave_out (F : facts) (earlier later : list message) : list message :=
  match earlier with
  | [] => later
  | m :: earlier => leave_out F earlier (if suffice F (rev earlier ++ later) then later else m :: later)
  end.

(** The mended part; [None] where these messages do not suffice. *)
Definition without_tree (V_E : graph name) : option (list message) :=
  let F := facts_of V_E in
  let ms := all_that_is_safe F in
  if suffice F ms then Some (leave_out F (rev ms) []) else None.

(** ** What is told *)

Definition knowledge_of (F : facts) : knowledge := fun k i j => F k i j = true.
Lemma tell_told F m k i j : knowledge_of (tell_facts F m) k i j <-> told (knowledge_of F) m k i j.
Proof. unfold knowledge_of, tell_facts, told. rewrite orb_true_iff, andb_true_iff, Nat.eqb_eq. tauto. Qed.
Lemma told_by_after ms : forall F k i j, knowledge_of (after_telling F ms) k i j <-> after (knowledge_of F) ms k i j.
Proof.
  induction ms as [|m ms IH]; intros F k i j; [tauto|].
  change (after_telling F (m :: ms)) with (after_telling (tell_facts F m) ms).
  change (after (knowledge_of F) (m :: ms)) with (after (told (knowledge_of F) m) ms). rewrite IH.
  split; apply after_mono; intros a b c; apply tell_told.
Qed.

Lemma channels_spec i j : In (i, j) all_channels <-> i < n /\ j < n /\ i <> j.
Proof. unfold all_channels. rewrite filter_In, in_prod_iff, !in_seq, negb_true_iff, Nat.eqb_neq. simpl. lia. Qed.

Lemma suffice_seal ms : forall F, incl ms all_channels -> (suffice F ms = true <-> sealed_by n (knowledge_of F) ms).
Proof.
  induction ms as [|[a b] ms IH]; intros F I; simpl.
  - rewrite forallb_forall. unfold sealed_by, all_safe. simpl. split.
    + intro H. split; [exact Logic.I|]. intros i j Hi Hj N. apply (H (i, j)). apply channels_spec. auto.
    + intros [_ H] [i j] C. apply channels_spec in C as (Hi & Hj & N). now apply H.
  - rewrite andb_true_iff, IH by (intros m M; apply I; now right).
    pose proof (I (a, b) (or_introl eq_refl)) as C. apply channels_spec in C as (Ha & Hb & N).
    unfold sealed_by. simpl.
    change (after (knowledge_of F) ((a, b) :: ms)) with (after (told (knowledge_of F) (a, b)) ms).
    assert (E : forall K L, (forall k i j, K k i j <-> L k i j) -> allowed n K ms /\ all_safe n (after K ms) ->
      allowed n L ms /\ all_safe n (after L ms)).
    { intros K L KL [A S]. assert (W : within_knowledge K L) by (intros k i j; apply KL). split.
      - now apply allowed_mono with K.
      - intros i j Hi Hj D. apply (after_mono ms K L W). now apply S. }
    split.
    + intros [Sf H]. apply (E _ (told (knowledge_of F) (a, b)) (tell_told F (a, b))) in H as [A S]. tauto.
    + intros [(_ & _ & _ & Sf & A) S]. split; [exact Sf|].
      apply (E (told (knowledge_of F) (a, b)) _ (fun k i j => iff_sym (tell_told F (a, b) k i j))). auto.
Qed.

(** ** All that is safe *)

(** How many facts are not known. *)
Definition all_facts : list (nat * message) := list_prod (seq 0 n) all_channels.
Definition missing (F : facts) : nat :=
  length (filter (fun f => negb (F (fst f) (fst (snd f)) (snd (snd f)))) all_facts).

Lemma filter_fewer {A} (f g : A -> bool) s : (forall a, In a s -> f a = true -> g a = true) ->
  length (filter f s) <= length (filter g s).
Proof.
  induction s as [|a s IH]; intro H; simpl; [lia|]. assert (length (filter f s) <= length (filter g s)).
  { apply IH. intros b I. apply H. now right. }
  destruct (f a) eqn:E; [rewrite (H a (or_introl eq_refl) E); simpl; lia|destruct (g a); simpl; lia].
Qed.
Lemma filter_fewer_by_one {A} (f g : A -> bool) s a : (forall a, In a s -> f a = true -> g a = true) ->
  In a s -> g a = true -> f a = false -> length (filter f s) < length (filter g s).
Proof.
  induction s as [|b s IH]; intros H I G N; [destruct I|]. simpl.
  assert (H' : forall a, In a s -> f a = true -> g a = true) by (intros; apply H; auto; now right).
  destruct I as [->|I].
  - rewrite G, N. pose proof (filter_fewer f g s H'). simpl. lia.
  - pose proof (IH H' I G N). destruct (f b) eqn:E; [rewrite (H b (or_introl eq_refl) E); simpl; lia|].
    destruct (g b); simpl; lia.
Qed.
Lemma tell_fewer F m : In m all_channels -> is_news F m = true -> missing (tell_facts F m) < missing F.
Proof.
  intros I T. unfold is_news in T. apply existsb_exists in T as ([i j] & C & T). cbn [fst snd] in T.
  apply andb_true_iff in T as [Y N]. apply negb_true_iff in N. destruct m as [a b]. cbn [fst snd] in Y, N.
  apply (filter_fewer_by_one _ _ all_facts (b, (i, j))); cbn [fst snd].
  - intros f _. rewrite !negb_true_iff. unfold tell_facts. now intros [E _]%orb_false_iff.
  - apply in_prod; [|exact C]. apply channels_spec in I. apply in_seq. lia.
  - now rewrite N.
  - unfold tell_facts. cbn [fst snd]. now rewrite Nat.eqb_refl, Y, orb_true_r.
Qed.

(** What a pass sends is safe, and if it sends nothing, nothing was left. *)
Lemma pass_spec cs : forall F G ms, incl cs all_channels -> pass F cs = (G, ms) ->
  G = after_telling F ms /\ incl ms cs /\ allowed n (knowledge_of F) ms /\ missing G + length ms <= missing F /\
  (ms = [] -> forall m, In m cs -> is_safe F m = true -> is_news F m = false).
Proof.
  induction cs as [|[a b] cs IH]; intros F G ms I E; simpl in E.
  - injection E as <- <-. split; [reflexivity|split; [intros m []|split; [exact Logic.I|split; [simpl; lia|]]]].
    intros _ m [].
  - assert (I' : incl cs all_channels) by (intros m M; apply I; now right).
    pose proof (I (a, b) (or_introl eq_refl)) as C. destruct (is_safe F (a, b) && is_news F (a, b)) eqn:Y.
    + apply andb_true_iff in Y as [Sf T].
      destruct (pass (tell_facts F (a, b)) cs) as [G' ms'] eqn:Ep. injection E as <- <-.
      destruct (IH _ _ _ I' Ep) as (Eg & Inc & A & L & _). split; [exact Eg|split; [|split; [|split]]].
      * intros m [<-|M]; [now left|right; now apply Inc].
      * pose proof C as C'. apply channels_spec in C' as (Ha & Hb & N). simpl. repeat split; auto.
        apply allowed_mono with (knowledge_of (tell_facts F (a, b))); auto. intros k i j. apply tell_told.
      * pose proof (tell_fewer F (a, b) C T). simpl. lia.
      * discriminate.
    + destruct (IH _ _ _ I' E) as (Eg & Inc & A & L & Z).
      split; [exact Eg|split; [|split; [exact A|split; [exact L|]]]].
      * intros m M. right. now apply Inc.
      * intros Nil m [<-|M] Sf; [|now apply Z]. rewrite Sf in Y. exact Y.
Qed.

(** In the end no safe message tells anything. *)
Definition saturated (F : facts) := forall m, In m all_channels -> is_safe F m = true -> is_news F m = false.
Lemma passes_spec times : forall F, missing F < times ->
  incl (repeated_passes times F) all_channels /\ allowed n (knowledge_of F) (repeated_passes times F) /\
  saturated (after_telling F (repeated_passes times F)).
Proof.
  induction times as [|times IH]; intros F L; [lia|]. simpl. destruct (pass F all_channels) as [G ms] eqn:E.
  destruct (pass_spec all_channels F G ms (incl_refl _) E) as (Eg & Inc & A & Fewer & Z). destruct ms as [|m ms].
  - split; [intros m []|split; [exact I|]]. intros m M. now apply Z.
  - simpl in Fewer. destruct (IH G) as (Inc' & A' & S); [lia|]. split; [|split].
    + apply incl_app; auto.
    + apply allowed_app. split; [exact A|]. apply allowed_mono with (knowledge_of G); auto. intros k i j. subst G.
      apply told_by_after.
    + unfold after_telling. rewrite fold_left_app. fold (after_telling F (m :: ms)). rewrite <- Eg. exact S.
Qed.
Lemma all_facts_number F : missing F <= n ^ 3.
Proof.
  unfold missing. eapply Nat.le_trans; [apply (filter_fewer _ (fun _ => true)); auto|].
  assert (E : forall A (s : list A), filter (fun _ => true) s = s) by (induction s; simpl; congruence).
  rewrite E. unfold all_facts. rewrite prod_length, seq_length. unfold all_channels.
  pose proof (filter_fewer (fun c : message => negb (fst c =? snd c)) (fun _ => true)
    (list_prod (seq 0 n) (seq 0 n)) (fun _ _ _ => eq_refl)) as H.
  unfold message in *. rewrite E, prod_length, seq_length in H. simpl. rewrite Nat.mul_1_r. now apply Nat.mul_le_mono_l.
Qed.

(** So nobody learns more from any safe messages, and if some seal, all that is safe does. *)
Lemma saturated_knows G ms : saturated G -> forall K, allowed n K ms ->
  (forall k i j, k < n -> In (i, j) all_channels -> K k i j -> knowledge_of G k i j) ->
  forall k i j, k < n -> In (i, j) all_channels -> after K ms k i j -> knowledge_of G k i j.
Proof.
  intro S. induction ms as [|[a b] ms IH]; intros K A H; [exact H|]. simpl in A. destruct A as (Ha & Hb & N & Kab & A).
  apply (IH (told K (a, b)) A). intros k i j Hk C [Q|[E Q]]; [now apply H|]. cbn [fst snd] in *. subst k.
  assert (Cab : In (a, b) all_channels) by now apply channels_spec.
  pose proof (S (a, b) Cab (H a a b Ha Cab Kab)) as T. unfold is_news in T.
  destruct (G b i j) eqn:Y; [exact Y|]. exfalso. rewrite <- not_true_iff_false in T. apply T, existsb_exists.
  exists (i, j). split; [exact C|]. cbn [fst snd]. rewrite Y, (H a i j Ha C Q : G a i j = true). reflexivity.
Qed.
Lemma all_that_is_safe_suffices F ms : sealed_by n (knowledge_of F) ms -> suffice F (all_that_is_safe F) = true.
Proof.
  intros [A Seal]. pose proof (all_facts_number F). destruct (passes_spec (1 + n ^ 3) F) as (Inc & A' & Sat); [lia|].
  apply suffice_seal; [exact Inc|]. split; [exact A'|]. intros i j Hi Hj N. apply told_by_after.
  apply (saturated_knows _ ms Sat (knowledge_of F) A); auto; [|now apply channels_spec].
  intros k x y _ _ H0. apply told_by_after. now apply after_grows.
Qed.
Lemma leave_out_suffices F earlier : forall later, incl (earlier ++ later) all_channels ->
  suffice F (rev earlier ++ later) = true ->
  incl (leave_out F earlier later) all_channels /\ suffice F (leave_out F earlier later) = true.
Proof.
  induction earlier as [|m earlier IH]; intros later I H; [auto|]. simpl in *. rewrite <- app_assoc in H. simpl in H.
  destruct (suffice F (rev earlier ++ later)) eqn:E; apply IH; auto; intros a M; apply I;
    apply in_app_or in M as [M|M]; try (right; apply in_or_app; now auto).
  destruct M as [<-|M]; [now left|right; apply in_or_app; auto].
Qed.

(** The mended part seals what can be sealed. *)
Lemma without_tree_seals V_E ms : without_tree V_E = Some ms -> sealed_by n (knowledge_of (facts_of V_E)) ms.
Proof.
  unfold without_tree. set (F := facts_of V_E). destruct (suffice F (all_that_is_safe F)) eqn:E; [|discriminate].
  intros [= <-]. destruct (passes_spec (S (n ^ 3)) F) as (Inc & _); [pose proof (all_facts_number F); lia|].
  destruct (leave_out_suffices F (rev (all_that_is_safe F)) []) as [I H].
  - rewrite app_nil_r. intros m M. apply in_rev in M. now apply Inc.
  - now rewrite rev_involutive, app_nil_r.
  - now apply suffice_seal.
Qed.
Lemma without_tree_none V_E ms : without_tree V_E = None -> ~ sealed_by n (knowledge_of (facts_of V_E)) ms.
Proof.
  unfold without_tree. intros H S. apply all_that_is_safe_suffices in S. rewrite S in H. discriminate.
Qed.

(** ** Of programs *)

(** Channels that are not open are safe for their senders, whoever else knows. *)
Definition alike (K L : knowledge) := forall i j, i < n -> j < n -> i <> j ->
  (forall k, k < n -> (K k i j <-> L k i j)) \/ (K i i j /\ L i i j).
Lemma alike_seal ms : forall K L, alike K L -> sealed_by n K ms -> sealed_by n L ms.
Proof.
  assert (Own : forall K L i j, alike K L -> i < n -> j < n -> i <> j -> K i i j -> L i i j).
  { intros K L i j A Hi Hj N H. destruct (A i j Hi Hj N) as [E|[_ E]]; [now apply E|exact E]. }
  induction ms as [|[a b] ms IH]; intros K L A [Al S].
  - split; [exact I|]. intros i j Hi Hj N. apply (Own K L); auto. now apply S.
  - simpl in Al. destruct Al as (Ha & Hb & N & Kab & Al). destruct (IH (told K (a, b)) (told L (a, b))) as [Al' S'].
    + intros i j Hi Hj D. destruct (A i j Hi Hj D) as [E|[H H']]; [left|right; split; now left].
      intros k Hk. unfold told. cbn [fst snd]. rewrite (E k Hk), (E a Ha). tauto.
    + split; auto.
    + split; [|exact S']. simpl. repeat split; auto. now apply (Own K L).
Qed.

Section Program.
Variables (P : prog) (p : list act).
Hypotheses (HP : acts P = Some p) (Bp : balanced p) (Np : nofself p) (Wp : within n p) (Dp : dead_free p).
Let V_E := Sig p (Program_Graph_mended n p).

Lemma receive_kept i j : has name_dec (NRcv j i) (fst V_E) = true <-> exists y, sig_rcv p j i y.
Proof.
  rewrite has_spec. unfold V_E. rewrite (proj1 (sig_mended n p Wp Dp (NRcv j i) (NLd i))). simpl.
  split; [intros (u & y & _ & S); eauto|intros (y & S); exists (Ev j y), y; auto].
Qed.
(** A channel with no such node reaches its sender's end. *)
Lemma not_kept i j : ~ (exists y, sig_rcv p j i y) -> learnt p i i j.
Proof.
  intros N y Hy. destruct (DecideSealing.last_exists p j i y Hy) as (z & F & L).
  apply causes_local_le with z; [exact L|]. apply reaches_path; auto; [destruct F as [F _]; now apply labs_lt in F|].
  apply NNPP. intro X. apply N. exists z. now split.
Qed.
Lemma known_alike : alike (knowledge_of (facts_of V_E)) (learnt p).
Proof.
  intros i j Hi Hj D. destruct (classic (exists y, sig_rcv p j i y)) as [(y & S)|N].
  - left. intros k Hk. unfold knowledge_of, facts_of. rewrite (proj2 (receive_kept i j)) by eauto. simpl.
    rewrite joined_spec. unfold V_E. rewrite (proj2 (sig_mended n p Wp Dp (NRcv j i) (NLd k))). simpl.
    pose proof S as [[Hy My] _]. pose proof (labs_lt _ _ _ _ Hy) as Ly. split.
    + intros (u & v & (z & -> & Z) & [_ ->] & R) x Hx. apply causes_local_le with z.
      * destruct Z as [[_ Mz] _]. now apply Mz.
      * destruct Z as [[Hz _] _]. apply reaches_path; auto. now apply labs_lt in Hz.
    + intro L. exists (Ev j y), (Ld k). split; [now exists y|split; [now split|]]. apply reaches_path; auto.
  - right. split; [|now apply not_kept]. unfold knowledge_of, facts_of.
    destruct (has name_dec (NRcv j i) (fst V_E)) eqn:E; [|reflexivity]. now apply receive_kept in E.
Qed.
Lemma alike_sym K L : alike K L -> alike L K.
Proof.
  intros A i j Hi Hj N. destruct (A i j Hi Hj N) as [E|[X Y]]; [left; intros k Hk; symmetry; auto|right; auto].
Qed.

Lemma proper_of_messages ms : sealed_by n (learnt p) ms -> proper_seal n P p (transmitting ms) (transmissions ms).
Proof.
  intro Seal. destruct (seal_of_messages n p Bp Np Dp ms Wp Seal) as (Bs & Ws & Ns & Ds & Cov).
  pose proof (transmitting_acts ms) as HS. repeat split; auto.
  now apply (sealing_is_causality P (transmitting ms) p (transmissions ms)).
Qed.
Lemma found_closed i j : has_edge Nat.eq_dec i j (snd (Closed_Channels n V_E)) = true -> learnt p i i j.
Proof.
  intro C. apply joined_spec in C. unfold Closed_Channels in C. cbn [snd] in C.
  apply filter_In in C as [_ C]. apply andb_true_iff in C as [_ C].
  apply negb_true_iff in C. apply not_kept. intro S. pose proof (proj2 (receive_kept i j) S) as H. rewrite H in C.
  cbn [andb] in C. apply negb_false_iff, joined_spec in C. unfold V_E in C.
  rewrite (proj2 (sig_mended n p Wp Dp (NRcv j i) (NLd i))) in C.
  destruct C as (u & v & (y & -> & [_ No]) & [_ ->] & R). contradiction.
Qed.
End Program.
End Procedure.

(** _If a BSL properly seals a BSL P without self-channels, then Seal(P), on Program-Graph with its slip mended, is a
    proper seal of P with fewer than 3n messages, whatever T and v it picks; and if there is no T, all safe messages
    that tell their receiver something, less those that are not needed, are a proper seal.  If none does, there is no T,
    and these do not seal P_. *)
Theorem seal_mended : forall n P p, BSL n P p ->
  let V_E := Sig p (Program_Graph_mended n p) in
  let closed i j := has_edge Nat.eq_dec i j (snd (Closed_Channels n V_E)) in
  (forall t, tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
    proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
    messages (transmissions (tree_seal closed t)) < 3 * n) /\
  (forall ms, without_tree n V_E = Some ms -> proper_seal n P p (transmitting ms) (transmissions ms)) /\
  (without_tree n V_E = None <-> ~ exists S s, proper_seal n P p S s).
Proof.
  intros n P p Bsl V_E closed. pose proof Bsl as [HP B N W D]. split; [|split].
  - intros t T M. apply seal_construction; auto. intros i j _ _ C. now apply (found_closed n p B W D).
  - intros ms E. apply proper_of_messages; auto. apply alike_seal with (knowledge_of (facts_of V_E)).
    + now apply known_alike.
    + now apply without_tree_seals.
  - split.
    + intros E (S & s & H). destruct (proj1 (seals_and_messages n P p HP B N W D (messages s))) as (ms & Seal & _).
      { exists S, s. auto. }
      apply (without_tree_none n V_E ms E), alike_seal with (learnt p); auto. now apply alike_sym, known_alike.
    + intro No. destruct (without_tree n V_E) as [ms|] eqn:E; [|reflexivity]. exfalso. apply No.
      exists (transmitting ms), (transmissions ms). apply proper_of_messages; auto.
      apply alike_seal with (knowledge_of (facts_of V_E)); [now apply known_alike|now apply without_tree_seals].
Qed.
