(** * What it costs to compute signatures, and to compose them

    "The complexity of computing sig(P) is in O(||P||^3)."  "For BSLs P and Q, sig (P . Q) can be obtained from their
    respective signatures at a cost of O(n^2)" (section 4).  The latter fails ([SignatureCosts]); O(n^5) is enough.

    The procedures stand here once more, each with the number of its steps.  A step looks for a node or an edge,
    compares two nodes, looks at an event, or writes an edge.

    Theorems of the ledger: [signature_cost], [compose_cost]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Teaching SignaturesCompose Procedures Closure ProgramGraph.
From Sealcheck Require Import MendedProcedures SignatureLists SignatureCompose.
Open Scope nat_scope.

(** ** Counting *)

(** A result, and the number of steps.  Of "and" and "or", the second side is left out where the first one tells. *)
Definition cost (A : Type) : Type := (A * nat)%type.
Definition one (b : bool) : cost bool := (b, 1).
Definition opposite (x : cost bool) : cost bool := (negb (fst x), snd x).
Definition both (x y : cost bool) : cost bool := if fst x then (fst y, snd x + snd y) else x.
Definition either (x y : cost bool) : cost bool := if fst x then x else (fst y, snd x + snd y).
Fixpoint any {A} (f : A -> cost bool) (s : list A) : cost bool :=
  match s with [] => (false, 0) | a :: s => either (f a) (any f s) end.
Fixpoint those {A} (f : A -> cost bool) (s : list A) : cost (list A) :=
  match s with
  | [] => ([], 0)
  | a :: s => let (b, c) := f a in let (r, d) := those f s in (if b then a :: r else r, c + d)
  end.
Fixpoint all_of {A B} (f : A -> cost (list B)) (s : list A) : cost (list B) :=
  match s with [] => ([], 0) | a :: s => let (t, c) := f a in let (r, d) := all_of f s in (t ++ r, c + d) end.

Lemma fst_both x y : fst (both x y) = fst x && fst y. Proof. unfold both. now destruct (fst x) eqn:E. Qed.
Lemma fst_either x y : fst (either x y) = fst x || fst y. Proof. unfold either. now destruct (fst x) eqn:E. Qed.
Lemma snd_both x y : snd (both x y) <= snd x + snd y. Proof. unfold both. destruct (fst x); simpl; lia. Qed.
Lemma snd_either x y : snd (either x y) <= snd x + snd y. Proof. unfold either. destruct (fst x); simpl; lia. Qed.

Section Lists.
Context {A B : Type}.
Lemma any_fst (f : A -> cost bool) s : fst (any f s) = existsb (fun a => fst (f a)) s.
Proof. induction s as [|a s IH]; auto. simpl. now rewrite fst_either, IH. Qed.
Lemma any_snd (f : A -> cost bool) s m : (forall a, In a s -> snd (f a) <= m) -> snd (any f s) <= length s * m.
Proof.
  induction s as [|a s IH]; intro H; simpl; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (snd (any f s) <= length s * m) by (apply IH; intros; apply H; now right).
  pose proof (snd_either (f a) (any f s)). lia.
Qed.
Lemma those_fst (f : A -> cost bool) s : fst (those f s) = filter (fun a => fst (f a)) s.
Proof. induction s as [|a s IH]; auto. simpl. rewrite <- IH. now destruct (f a), (those f s). Qed.
Lemma those_snd (f : A -> cost bool) s m : (forall a, In a s -> snd (f a) <= m) -> snd (those f s) <= length s * m.
Proof.
  induction s as [|a s IH]; intro H; simpl; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (snd (those f s) <= length s * m) by (apply IH; intros; apply H; now right).
  destruct (f a), (those f s). simpl in *. lia.
Qed.
Lemma those_length (f : A -> cost bool) s : length (fst (those f s)) <= length s.
Proof. induction s as [|a s IH]; simpl; [lia|]. destruct (f a) as [[|] c], (those f s); simpl in *; lia. Qed.
Lemma all_of_fst (f : A -> cost (list B)) s : fst (all_of f s) = flat_map (fun a => fst (f a)) s.
Proof. induction s as [|a s IH]; auto. simpl. rewrite <- IH. now destruct (f a), (all_of f s). Qed.
Lemma all_of_snd (f : A -> cost (list B)) s m : (forall a, In a s -> snd (f a) <= m) ->
  snd (all_of f s) <= length s * m.
Proof.
  induction s as [|a s IH]; intro H; simpl; [lia|]. pose proof (H a (or_introl eq_refl)).
  assert (snd (all_of f s) <= length s * m) by (apply IH; intros; apply H; now right).
  destruct (f a), (all_of f s). simpl in *. lia.
Qed.
End Lists.

(** ** Computing sig(P) *)

(** Program-Graph(P), its slip mended: a step for each event in line 3, one for each process in line 4, and one for each
    event and channel to find the sends and receives of line 5. *)
Definition of_form_counted (a : act) (l : list act) : cost (list node) :=
  let (es, c) := those (fun e => one (if act_dec (fst e) a then true else false)) (events_in_order l)
    in (map snd es, c).
Definition line_5_counted (n : nat) (l : list act) : cost (list (node * node)) :=
  all_of (fun '(i, j) => let (s, c) := of_form_counted (ASend i j) l in let (r, d) := of_form_counted (ARecv j i) l in
                         (combine s r, c + d)) (list_prod (seq 0 n) (seq 0 n)).
Definition Program_Graph_counted (n : nat) (l : list act) : cost (graph node) :=
  let (messages, c) := line_5_counted n l in ((nodes (line_3 n l), line_4 n l ++ messages), length l + n + c).

(** Line 2 of Sig: "E <- E+". *)
Definition through_counted (V : list node) (E : list (node * node)) (w : node) : cost (list (node * node)) :=
  those (fun '(x, y) => either (one (has_edge node_dec x y E)) (both (one (has_edge node_dec x w E))
                                                                    (one (has_edge node_dec w y E)))) (list_prod V V).
Fixpoint closing (V ws : list node) (E : list (node * node)) : cost (list (node * node)) :=
  match ws with
  | [] => (E, 0)
  | w :: ws => let (F, c) := through_counted V E w in let (H, d) := closing V ws F in (H, c + d)
  end.
Definition plus_counted (G : graph node) : cost (list (node * node)) :=
  let (E, c) := closing (fst G) (fst G) (snd G) in
  let (F, d) := those (fun '(x, y) => one (if node_dec x y then false else true)) E in (F, c + d).

(** Line 3: which nodes are removed. *)
Definition removed_counted (l : list act) (E : list (node * node)) (e : node) : cost bool :=
  match does l e with
  | Some (ASend i j) => any (fun '(d, e') => one (eq_node e e' && (is_form l (ASend i j) d || eq_node d (Fd j)))) E
  | Some (ARecv j i) => any (fun '(e', f) => one (eq_node e e' && (is_form l (ARecv j i) f || eq_node f (Ld i)))) E
  | _ => (false, 0)
  end.

(** Sig(P): "return (V, E n V^2)". *)
Definition Sig_counted (n : nat) (l : list act) : cost (graph name) :=
  let (G, graph_steps) := Program_Graph_counted n l in
  let (E, closing_steps) := plus_counted G in
  let (V, removing_steps) := those (fun e => opposite (removed_counted l E e)) (fst G) in
  let (F, leaving_steps) := those (fun '(u, v) => both (one (has node_dec u V)) (one (has node_dec v V))) E in
  ((map (name_of l) V, map (fun '(u, v) => (name_of l u, name_of l v)) F),
   graph_steps + closing_steps + removing_steps + leaving_steps).

Lemma of_form_counted_fst a l : fst (of_form_counted a l) = of_form a l.
Proof.
  unfold of_form_counted, of_form. pose proof (those_fst (fun e => one (if act_dec (fst e) a then true else false))
    (events_in_order l)) as H. destruct (those _ _). simpl in *. now rewrite H.
Qed.
Lemma events_number l : length (events_in_order l) = length l.
Proof.
  unfold events_in_order. generalize (@nil act). induction l as [|a l IH]; intro past; simpl; auto.
Qed.
Lemma of_form_counted_snd a l : snd (of_form_counted a l) <= length l.
Proof.
  unfold of_form_counted. pose proof
    (those_snd (fun e => one (if act_dec (fst e) a then true else false)) (events_in_order l) 1
    (fun _ _ => le_n 1)) as H. destruct (those _ _). simpl in *. rewrite events_number in H. lia.
Qed.
Lemma Program_Graph_counted_fst n l : fst (Program_Graph_counted n l) = Program_Graph_mended n l.
Proof.
  unfold Program_Graph_counted, Program_Graph_mended, Program_Graph_with, line_5, line_5_counted.
  match goal with |- context [all_of ?f ?s] => pose proof (all_of_fst f s) as H end. destruct (all_of _ _).
  simpl in *. rewrite H. f_equal. f_equal. apply flat_map_ext. intros [i j].
  pose proof (of_form_counted_fst (ASend i j) l) as A. pose proof (of_form_counted_fst (ARecv j i) l) as C.
  destruct (of_form_counted (ASend i j) l), (of_form_counted (ARecv j i) l). simpl in *. now rewrite A, C.
Qed.
Lemma Program_Graph_counted_snd n l : snd (Program_Graph_counted n l) <= length l + n + n * n * (2 * length l).
Proof.
  unfold Program_Graph_counted, line_5_counted.
  match goal with |- context [all_of ?f ?s] => pose proof (all_of_snd f s (2 * length l)) as H end.
  rewrite prod_length, seq_length in H. destruct (all_of _ _) as [es c]. simpl in *. apply Nat.add_le_mono_l, H.
  intros [i j] _. pose proof (of_form_counted_snd (ASend i j) l) as A.
  pose proof (of_form_counted_snd (ARecv j i) l) as C.
  destruct (of_form_counted (ASend i j) l), (of_form_counted (ARecv j i) l). simpl in *. lia.
Qed.

Lemma through_counted_fst V E w : fst (through_counted V E w) = through node_dec V E w.
Proof.
  unfold through_counted, through. rewrite those_fst. apply filter_ext. intros [x y].
  now rewrite fst_either, fst_both.
Qed.
Lemma through_counted_snd V E w : snd (through_counted V E w) <= length V * length V * 3.
Proof.
  unfold through_counted. rewrite <- prod_length. apply those_snd. intros [x y] _.
  eapply Nat.le_trans; [apply snd_either|].
    pose proof (snd_both (one (has_edge node_dec x w E)) (one (has_edge node_dec w y
    E))). simpl in *. lia.
Qed.
Lemma closing_fst V ws : forall E, fst (closing V ws E) = fold_left (through node_dec V) ws E.
Proof.
  induction ws as [|w ws IH]; intro E; auto. simpl. rewrite <- through_counted_fst. destruct (through_counted V E w).
  simpl. rewrite <- IH. now destruct (closing _ _ _).
Qed.
Lemma closing_snd V ws : forall E, snd (closing V ws E) <= length ws * (length V * length V * 3).
Proof.
  induction ws as [|w ws IH]; intro E; simpl; [lia|]. pose proof (through_counted_snd V E w).
  destruct (through_counted V E w) as [F c]. specialize (IH F). destruct (closing V ws F). simpl in *. lia.
Qed.
(** What is kept of the pairs of nodes are no more than these; without nodes there are no edges. *)
Lemma closing_length V ws : forall E, (V = [] -> E = []) -> ws = V \/ length E <= length V * length V ->
  length (fst (closing V ws E)) <= length V * length V.
Proof.
  induction ws as [|w ws IH]; intros E Z H; simpl.
  - destruct H as [<-|H]; [rewrite Z by reflexivity; simpl; lia|exact H].
  - assert (L : length (fst (through_counted V E w)) <= length V * length V).
    { unfold through_counted. rewrite <- prod_length. apply those_length. }
    destruct (through_counted V E w) as [F c]. cbn [fst] in L. specialize (IH F). destruct (closing V ws F).
    apply IH; auto. intros ->. destruct F; [reflexivity|simpl in L; lia].
Qed.
Lemma plus_counted_fst G : fst (plus_counted G) = plus node_dec G.
Proof.
  destruct G as [V E]. unfold plus_counted, plus, closure. cbn [fst snd]. rewrite <- closing_fst.
  destruct (closing V V E) as [F c]. cbn [fst].
  match goal with |- context [those ?f ?s] => pose proof (those_fst f s) as H end. destruct (those _ _).
  cbn [fst] in *. rewrite H. apply filter_ext. now intros [x y].
Qed.
Lemma plus_counted_snd G v : length (fst G) = v -> (fst G = [] -> snd G = []) ->
  snd (plus_counted G) <= 3 * v ^ 3 + v * v /\ length (fst (plus_counted G)) <= v * v.
Proof.
  intros Ev Z. unfold plus_counted. pose proof (closing_snd (fst G) (fst G) (snd G)) as C.
  pose proof (closing_length (fst G) (fst G) (snd G)) as L. rewrite Ev in *.
  specialize (L Z (or_introl eq_refl)).
  destruct (closing (fst G) (fst G) (snd G)) as [E c]. cbn [fst snd] in *.
  match goal with |- context [those ?f ?s] =>
    pose proof (those_snd f s 1) as S; pose proof (those_length f s) as N end. destruct (those _ _) as [F d].
  cbn [fst snd] in *. assert (d <= length E * 1) by (apply S; intros [x y] _; apply le_n). simpl. nia.
Qed.
Lemma removed_counted_fst l E e : fst (removed_counted l E e) = removed l E e.
Proof.
  unfold removed_counted, removed. destruct (does l e) as [[i j|j i|i]|]; auto; rewrite any_fst;
    induction E as [|[x y] E IH]; simpl; congruence.
Qed.
Lemma removed_counted_snd l E e : snd (removed_counted l E e) <= length E.
Proof.
  unfold removed_counted. destruct (does l e) as [[i j|j i|i]|]; simpl; try lia;
    eapply Nat.le_trans; try (apply any_snd with (m := 1); intros [x y] _; apply le_n); lia.
Qed.

(** The counted procedure is the appendix's. *)
Lemma Sig_counted_fst n l : fst (Sig_counted n l) = Sig l (Program_Graph_mended n l).
Proof.
  unfold Sig_counted, Sig. rewrite <- Program_Graph_counted_fst. destruct (Program_Graph_counted n l) as [G g].
  cbn [fst]. rewrite <- plus_counted_fst. destruct (plus_counted G) as [E c]. cbn [fst].
  assert (H : fst (those (fun e => opposite (removed_counted l E e)) (fst G)) =
              filter (fun e => negb (removed l E e)) (fst G)).
  { rewrite those_fst. apply filter_ext. intro e. simpl. now rewrite removed_counted_fst. }
  destruct (those (fun e => opposite (removed_counted l E e)) (fst G)) as [V d]. cbn [fst] in H. rewrite <- H.
  match goal with |- context [those ?f ?s] => pose proof (those_fst f s) as K end. destruct (those _ _) as [F f].
  cbn [fst] in *. rewrite K. f_equal. f_equal. apply filter_ext. intros [u v]. now rewrite fst_both.
Qed.

(** Without nodes there are no edges. *)
Lemma no_nodes n l : fst (Program_Graph_mended n l) = [] -> snd (Program_Graph_mended n l) = [].
Proof.
  unfold Program_Graph_mended, Program_Graph_with, line_4, line_5. cbn [fst snd]. intro H.
  assert (F : forall es B, nodes (fold_left add_event es B) = [] -> nodes B = [] /\ edges (fold_left add_event es B) =
    edges B).
  { induction es as [|e es IH]; intros B N; simpl in *; [auto|]. destruct (IH _ N) as [N' ->]. unfold add_event in *.
    destruct (communicates (fst e)); [|auto]. simpl in N'. destruct (nodes B); discriminate. }
  unfold line_3 in *. destruct (F _ _ H) as [N ->]. destruct n as [|n]; [reflexivity|discriminate].
Qed.

(** A graph has no more nodes than two for each process and one for each event. *)
Lemma nodes_number n l : length (fst (Program_Graph_mended n l)) <= 2 * n + length l.
Proof.
  unfold Program_Graph_mended, Program_Graph_with, line_3. cbn [fst]. rewrite <- (events_number l).
  assert (F : forall es B, length (nodes (fold_left add_event es B)) <= length (nodes B) + length es).
  { induction es as [|e es IH]; intro B; simpl; [lia|]. eapply Nat.le_trans; [apply IH|]. unfold add_event.
    destruct (communicates (fst e)); simpl; [rewrite app_length; simpl|]; lia. }
  assert (D : forall s, length (flat_map (fun i => [Fd i; Ld i]) s) = 2 * length s).
  { induction s as [|i s IH]; simpl; [reflexivity|]. rewrite IH. simpl. lia. }
  eapply Nat.le_trans; [apply F|]. unfold lines_1_and_2. cbn [nodes]. rewrite D, seq_length. lia.
Qed.

(** If each process does something, there are no more of them than events. *)
Lemma processes_number n l : (forall i, i < n -> exists a, In a l /\ actor a = i) -> n <= length l.
Proof.
  intro H. rewrite <- (map_length actor l), <- (seq_length n 0) at 1. apply NoDup_incl_length; [apply seq_NoDup|].
  intros i I. apply in_seq in I. destruct (H i) as (a & A & <-); [lia|]. now apply in_map.
Qed.

(** _Computing sig(P), for which the program graph of P is closed, takes O(||P||^3) steps_: no more than 141 ||P||^3 if
    no process is idle. *)
Theorem signature_cost : forall n l, (forall i, i < n -> exists a, In a l /\ actor a = i) ->
  fst (Sig_counted n l) = Sig l (Program_Graph_mended n l) /\ snd (Sig_counted n l) <= 141 * length l ^ 3.
Proof.
  intros n l Busy. split; [apply Sig_counted_fst|]. pose proof (processes_number n l Busy) as Hn.
  pose proof (nodes_number n l) as Hv. unfold Sig_counted. pose proof (Program_Graph_counted_snd n l) as Hg.
  pose proof (Program_Graph_counted_fst n l) as Eg. destruct (Program_Graph_counted n l) as [G g]. cbn [fst snd] in *.
  subst G. destruct (plus_counted_snd (Program_Graph_mended n l) _ eq_refl (no_nodes n l)) as [Hc Hl].
  set (v := length (fst (Program_Graph_mended n l))) in *. destruct (plus_counted (Program_Graph_mended n l)) as [E c].
  cbn [fst snd] in *.
  pose proof (those_snd (fun e => opposite (removed_counted l E e)) (fst (Program_Graph_mended n l)) (v * v)) as Hr.
  fold v in Hr. destruct (those (fun e => opposite (removed_counted l E e)) _) as [V d]. cbn [snd] in Hr.
  match goal with |- context [those ?f ?s] => pose proof (those_snd f s 2) as Hf end. destruct (those _ _) as [F f].
  cbn [snd] in *.
  assert (d <= v * (v * v)).
  { apply Hr. intros e _. simpl. eapply Nat.le_trans; [apply removed_counted_snd|exact Hl]. }
  assert (f <= length E * 2).
  { apply Hf. intros [x y] _. eapply Nat.le_trans; [apply snd_both|]. simpl. lia. }
  assert (Bound : v <= 3 * length l) by lia. set (L := length l) in *. clearbody v L.
  assert (v * v <= 9 * (L * L)) by nia. assert (v * (v * v) <= 27 * (L * (L * L))) by nia.
  assert (n * n <= L * L) by nia. assert (n * n * (2 * L) <= 2 * (L * (L * L))) by nia.
  assert (L <= L * (L * L)) by (destruct L; nia). assert (L * L <= L * (L * L)) by (destruct L; nia).
  simpl in *. nia.
Qed.

(** An idle process costs a step, and nothing in ||P||. *)
Theorem signature_cost_needs_no_idle_processes : ~ forall n l, snd (Sig_counted n l) <= 141 * length l ^ 3.
Proof. intro H. specialize (H 1 []). vm_compute in H. lia. Qed.

(** ** Composing signatures *)

Section Composing.
Variables (n : nat) (P Q : graph name).

Definition find_node (G : graph name) (a : name) : cost bool := one (has name_dec a (fst G)).
Definition find_edge (G : graph name) (a b : name) : cost bool := one (has_edge name_dec a b (snd G)).

(** In P . Q, a node of P leads to one of Q if it precedes an Ld_k in P whose Fd_k precedes that in Q. *)
Definition find_way (a b : name) : cost bool :=
  any (fun k => both (find_edge P a (NLd k)) (find_edge Q (NFd k) b)) (seq 0 n).

(** The nodes that stay: of P, all but the Ld_k, and the receives that Q has, too, or that lead to the sender's end; of
    Q, all but the Fd_k, and the sends that P has, too, or to which the receiver's beginning leads. *)
Definition stays_of_P (a : name) : cost bool :=
  match a with
  | NFd _ | NSnd _ _ => (true, 0)
  | NLd _ => (false, 0)
  | NRcv j i => both (opposite (find_node Q a)) (opposite (find_way a (NLd i)))
  end.
Definition stays_of_Q (a : name) : cost bool :=
  match a with
  | NLd _ | NRcv _ _ => (true, 0)
  | NFd _ => (false, 0)
  | NSnd i j => both (opposite (find_node P a)) (opposite (find_way (NFd j) a))
  end.

(** The edges from P to Q: one for each node of P, each Ld_k that it precedes, and each node of Q that Fd_k precedes. *)
Definition across_counted (V_P V_Q : list name) : cost (list (name * name)) :=
  let (to_ends, c) := those (fun '(a, k) => find_edge P a (NLd k)) (list_prod V_P (seq 0 n)) in
  let preceded k := those (find_edge Q (NFd k)) V_Q in
  let es := flat_map (fun '(a, k) => map (pair a) (fst (preceded k))) to_ends in
  (es, c + list_sum (map (fun k => snd (preceded k)) (seq 0 n)) + length es).

Definition compose_counted : cost (graph name) :=
  let (V_P, c_P) := those stays_of_P (fst P) in
  let (V_Q, c_Q) := those stays_of_Q (fst Q) in
  let (E_P, d_P) := those (fun '(a, b) => find_edge P a b) (list_prod V_P V_P) in
  let (E_Q, d_Q) := those (fun '(a, b) => find_edge Q a b) (list_prod V_Q V_Q) in
  let (E, d) := across_counted V_P V_Q in
  ((V_P ++ V_Q, E_P ++ E_Q ++ E), c_P + c_Q + d_P + d_Q + d).

(** *** It returns the signature of P . Q *)

Variables (p q : list act).
Hypotheses (Bp : balanced p) (Wp : within n p) (SP : is_signature n p P) (SQ : is_signature n q Q).

Lemma find_way_spec a b : kept_name n p a -> kept_name n q b -> (forall k, a <> NLd k) -> (forall k, b <> NFd k) ->
  (fst (find_way a b) = true <-> leads n p q (a, OfP) (b, OfQ)).
Proof.
  intros Ka Kb Na Nb. unfold find_way. rewrite any_fst, existsb_exists. simpl. split.
  - intros (k & Hk & E). apply in_seq in Hk. rewrite fst_both in E. simpl in E.
    apply andb_true_iff in E as [E1 E2]. apply joined_spec in E1, E2. apply (its_edges n p P SP) in E1.
    apply (its_edges n q Q SQ) in E2. repeat split; auto. exists k. split; [lia|tauto].
  - intros (_ & _ & k & Hk & [E1|E1] & [E2|E2]); try (now destruct (Na k)); try (now destruct (Nb k)).
    exists k. split; [apply in_seq; lia|]. rewrite fst_both. simpl. apply andb_true_iff.
    split; apply joined_spec; [apply (its_edges n p P SP)|apply (its_edges n q Q SQ)]; simpl; auto.
Qed.
Lemma stays_of_P_spec a : In a (fst (those stays_of_P (fst P))) <-> stays_composed n p q (a, OfP).
Proof.
  rewrite those_fst, filter_In, (its_nodes n p P SP). unfold stays_composed. cbn [is_placed_node].
  destruct a as [i|i|i j|j i]; simpl; try intuition congruence. rewrite fst_both. simpl.
  split; intros (K & H); (split; [exact K|]).
  - apply andb_true_iff in H as [H1 H2]. apply negb_true_iff in H1, H2. rewrite <- not_true_iff_false in H1, H2. split.
    + intro X. apply H1, has_spec. now apply (its_nodes n q Q SQ).
    + intro X. apply H2, find_way_spec; auto; try discriminate. apply X.
  - destruct H as [H1 H2]. apply andb_true_iff. split; apply negb_true_iff; rewrite <- not_true_iff_false.
    + intro X. apply has_spec, (its_nodes n q Q SQ) in X. auto.
    + intro X. apply find_way_spec in X; auto; try discriminate. destruct K as (y & [Hy _] & _).
      apply (SignatureSize.named_below n) in Hy; auto. simpl. tauto.
Qed.
Lemma stays_of_Q_spec a : In a (fst (those stays_of_Q (fst Q))) <-> stays_composed n p q (a, OfQ).
Proof.
  rewrite those_fst, filter_In, (its_nodes n q Q SQ). unfold stays_composed. cbn [is_placed_node].
  destruct a as [i|i|i j|j i]; simpl; try intuition congruence. rewrite fst_both. simpl.
  split; intros (K & H); (split; [exact K|]).
  - apply andb_true_iff in H as [H1 H2]. apply negb_true_iff in H1, H2. rewrite <- not_true_iff_false in H1, H2. split.
    + intro X. apply H1, has_spec. now apply (its_nodes n p P SP).
    + intro X. apply H2, find_way_spec; auto; try discriminate. apply X.
  - destruct H as [H1 H2]. apply andb_true_iff. split; apply negb_true_iff; rewrite <- not_true_iff_false.
    + intro X. apply has_spec, (its_nodes n p P SP) in X. auto.
    + intro X. unfold find_way in X. rewrite any_fst, existsb_exists in X. destruct X as (k & Hk & E).
      apply in_seq in Hk. rewrite fst_both in E. simpl in E. apply andb_true_iff in E as [E1 E2].
      apply joined_spec in E1, E2. apply (its_edges n p P SP) in E1. apply (its_edges n q Q SQ) in E2. apply H2.
      simpl. simpl in E1. repeat split; try tauto. exists k. split; [lia|tauto].
Qed.
Lemma across_spec V_P V_Q a b : In (a, b) (fst (across_counted V_P V_Q)) <->
  In a V_P /\ In b V_Q /\ exists k, k < n /\ In (a, NLd k) (snd P) /\ In (NFd k, b) (snd Q).
Proof.
  unfold across_counted. pose proof (those_fst (fun '(a, k) => find_edge P a (NLd k)) (list_prod V_P (seq 0 n))) as H.
  destruct (those _ _) as [ends c]. cbn [fst] in *. subst ends. rewrite in_flat_map. split.
  - intros ([a' k] & I & M). apply in_map_iff in M as (b' & E & M). injection E as -> ->.
    apply filter_In in I as [I J]. apply in_prod_iff in I as [Ia Ik]. apply in_seq in Ik. simpl in J.
    apply joined_spec in J. rewrite those_fst in M. apply filter_In in M as [Ib M]. simpl in M. apply joined_spec in M.
    split; [exact Ia|split; [exact Ib|]]. exists k. repeat split; auto. lia.
  - intros (Ia & Ib & k & Hk & J & M). exists (a, k). split.
    + apply filter_In. split; [apply in_prod; auto; apply in_seq; lia|]. simpl. now apply joined_spec.
    + apply in_map. rewrite those_fst. apply filter_In. split; auto. simpl. now apply joined_spec.
Qed.

Lemma compose_counted_spec : is_signature n (p ++ q) (fst compose_counted).
Proof.
  unfold compose_counted. pose proof stays_of_P_spec as HP. pose proof stays_of_Q_spec as HQ.
  destruct (those stays_of_P (fst P)) as [V_P c_P], (those stays_of_Q (fst Q)) as [V_Q c_Q].
  pose proof (those_fst (fun '(a, b) => find_edge P a b) (list_prod V_P V_P)) as EP. destruct (those _ _) as [E_P d_P].
  pose proof (those_fst (fun '(a, b) => find_edge Q a b) (list_prod V_Q V_Q)) as EQ. destruct (those _ _) as [E_Q d_Q].
  pose proof (across_spec V_P V_Q) as EA. destruct (across_counted V_P V_Q) as [E d]. cbn [fst] in *. subst E_P E_Q.
  assert (V : forall a, In a (V_P ++ V_Q) <-> exists X, stays_composed n p q (a, X)).
  { intro a. rewrite in_app_iff, HP, HQ. split; [intros [H|H]; eauto|]. intros ([|] & H); auto. }
  split; cbn [fst snd].
  - intro a. rewrite V. split; [intros (X & H); now apply (stays_kept n p q Bp Wp a X)|now apply kept_stays].
  - intros a b. rewrite !in_app_iff, !filter_In, !in_prod_iff, EA. simpl. rewrite !joined_spec.
    rewrite (its_edges n p P SP a b), (its_edges n q Q SQ a b). setoid_rewrite (its_edges n p P SP).
    setoid_rewrite (its_edges n q Q SQ). rewrite !HP, !HQ.
    pose proof (fun X Y Sa Sb => stays_leads n p q Bp Wp a X b Y Sa Sb) as L.
    pose proof (stays_kept n p q Bp Wp a) as Ka. pose proof (stays_kept n p q Bp Wp b) as Kb.
    pose proof (stays_side n p q Wp a) as Da. pose proof (stays_side n p q Wp b) as Db.
    split.
    + intros [((Sa & Sb) & K1 & K2 & N & E1)|[((Sa & Sb) & K1 & K2 & N & E1)|(Sa & Sb & k & Hk & E1 & E2)]].
      * repeat split; eauto. apply (L OfP OfP Sa Sb). simpl. auto.
      * repeat split; eauto. apply (L OfQ OfQ Sa Sb). simpl. auto.
      * repeat split; eauto.
        -- intros ->. apply Da in Sa. apply Db in Sb. simpl in Sa, Sb. contradiction.
        -- apply (L OfP OfQ Sa Sb). simpl. repeat split; try tauto. exists k. tauto.
    + intros (K1 & K2 & N & Ed). apply (kept_stays n p q Bp Wp) in K1 as (X & Sa), K2 as (Y & Sb).
      pose proof (proj2 (L X Y Sa Sb) Ed) as R.
      destruct X, Y; simpl in R; [left|right; right|contradiction|right; left].
      * tauto.
      * destruct R as (Ra & Rb & k & Hk & R1 & R2). split; [exact Sa|split; [exact Sb|]]. exists k. split; [exact Hk|].
        assert (a <> NLd k) by (intros ->; destruct Sa as [_ []]).
        assert (NFd k <> b) by (intros <-; destruct Sb as [_ []]).
        destruct R1 as [R1|R1]; [congruence|]. destruct R2 as [R2|R2]; [congruence|]. simpl. tauto.
      * tauto.
Qed.

(** *** The number of steps *)

Lemma find_way_snd a b : snd (find_way a b) <= 2 * n.
Proof.
  unfold find_way.
  pose proof (any_snd (fun k => both (find_edge P a (NLd k)) (find_edge Q (NFd k) b)) (seq 0 n) 2) as H.
  rewrite seq_length in H. rewrite Nat.mul_comm. apply H. intros k _.
  eapply Nat.le_trans; [apply snd_both|]. simpl. lia.
Qed.
Lemma stays_snd a : snd (stays_of_P a) <= 1 + 2 * n /\ snd (stays_of_Q a) <= 1 + 2 * n.
Proof.
  destruct a as [i|i|i j|j i]; simpl; split; try lia; (eapply Nat.le_trans; [apply snd_both|]); cbn [snd opposite].
  - pose proof (find_way_snd (NFd j) (NSnd i j)). simpl in *. lia.
  - pose proof (find_way_snd (NRcv j i) (NLd i)). simpl in *. lia.
Qed.
Lemma across_snd V_P V_Q v : length V_P <= v -> length V_Q <= v ->
  snd (across_counted V_P V_Q) <= v * n + n * v + v * n * v.
Proof.
  intros LP LQ. unfold across_counted.
  pose proof (those_snd (fun '(a, k) => find_edge P a (NLd k)) (list_prod V_P (seq 0 n)) 1) as S.
  pose proof (those_length (fun '(a, k) => find_edge P a (NLd k)) (list_prod V_P (seq 0 n))) as N.
  rewrite prod_length, seq_length in *. destruct (those _ _) as [to_ends c]. cbn [fst snd] in *.
  assert (C : c <= length V_P * n * 1) by (apply S; intros [a k] _; apply le_n).
  assert (length V_P * n <= v * n) by now apply Nat.mul_le_mono_r.
  assert (list_sum (map (fun k => snd (those (find_edge Q (NFd k)) V_Q)) (seq 0 n)) <= n * v).
  { assert (E : forall ks, list_sum (map (fun k => snd (those (find_edge Q (NFd k)) V_Q)) ks) <= length ks * v).
    { induction ks as [|k ks IH]; simpl; [lia|].
      assert (snd (those (find_edge Q (NFd k)) V_Q) <= length V_Q * 1) by (apply those_snd; intros; apply le_n). lia. }
    specialize (E (seq 0 n)). now rewrite seq_length in E. }
  assert (length (flat_map (fun '(a, k) => map (pair a) (fst (those (find_edge Q (NFd k)) V_Q))) to_ends) <=
    length to_ends * v).
  { clear - LQ. induction to_ends as [|[a k] s IH]; simpl; [lia|]. rewrite app_length, map_length.
    pose proof (those_length (find_edge Q (NFd k)) V_Q). lia. }
  assert (length to_ends * v <= v * n * v) by (apply Nat.mul_le_mono_r; lia). lia.
Qed.
Lemma compose_counted_snd v : length (fst P) <= v -> length (fst Q) <= v ->
  snd compose_counted <= 2 * (v * (1 + 2 * n)) + 2 * (v * v) + (v * n + n * v + v * n * v).
Proof.
  intros LP LQ. unfold compose_counted.
  pose proof (those_snd stays_of_P (fst P) (1 + 2 * n) (fun a _ => proj1 (stays_snd a))) as SP'.
  pose proof (those_length stays_of_P (fst P)) as NP. destruct (those stays_of_P (fst P)) as [V_P c_P].
  pose proof (those_snd stays_of_Q (fst Q) (1 + 2 * n) (fun a _ => proj2 (stays_snd a))) as SQ'.
  pose proof (those_length stays_of_Q (fst Q)) as NQ. destruct (those stays_of_Q (fst Q)) as [V_Q c_Q].
  pose proof (those_snd (fun '(a, b) => find_edge P a b) (list_prod V_P V_P) 1 (fun '(a, b) _ => le_n 1)) as DP.
  destruct (those _ _) as [E_P d_P].
  pose proof (those_snd (fun '(a, b) => find_edge Q a b) (list_prod V_Q V_Q) 1 (fun '(a, b) _ => le_n 1)) as DQ.
  destruct (those _ _) as [E_Q d_Q]. cbn [fst snd] in *.
  pose proof (across_snd V_P V_Q v ltac:(lia) ltac:(lia)) as A. destruct (across_counted V_P V_Q) as [E d].
  cbn [fst snd] in *. rewrite prod_length in *.
  assert (c_P <= v * (1 + 2 * n)) by nia. assert (c_Q <= v * (1 + 2 * n)) by nia.
  assert (d_P <= v * v) by nia. assert (d_Q <= v * v) by nia. lia.
Qed.
End Composing.

(** A signature, its nodes listed once, has 2n + 2n^2 of them at most. *)
Lemma signature_nodes_number n l G : within n l -> is_signature n l G -> NoDup (fst G) ->
  length (fst G) <= 2 * n + 2 * (n * n).
Proof.
  intros W S D. eapply Nat.le_trans; [apply (NoDup_incl_length (l' := all_names n) D)|].
  - intros a I. apply (kept_listed n n l); auto. now apply (its_nodes n l G S).
  - unfold all_names. rewrite !app_length, !map_length, prod_length, seq_length. lia.
Qed.

(** _sig(P . Q) can be obtained from sig(P) and sig(Q) in O(n^5) steps_: no more than 80n^5. *)
Theorem compose_cost : forall n p q P Q, balanced p -> within n p -> within n q ->
  is_signature n p P -> is_signature n q Q -> NoDup (fst P) -> NoDup (fst Q) ->
  is_signature n (p ++ q) (fst (compose_counted n P Q)) /\ snd (compose_counted n P Q) <= 80 * n ^ 5.
Proof.
  intros n p q P Q Bp Wp Wq SP SQ DP DQ. split; [now apply compose_counted_spec|].
  pose proof (signature_nodes_number n p P Wp SP DP) as LP. pose proof (signature_nodes_number n q Q Wq SQ DQ) as LQ.
  assert (V : 2 * n + 2 * (n * n) <= 4 * (n * n)) by (destruct n; nia).
  eapply Nat.le_trans; [apply (compose_counted_snd n P Q (4 * (n * n))); lia|].
  assert (n * n * n <= n * n * n * n * n) by (destruct n; nia). assert (n * n <= n * n * n) by (destruct n; nia).
  assert (n * n * n * n <= n * n * n * n * n) by (destruct n; nia). simpl. nia.
Qed.
