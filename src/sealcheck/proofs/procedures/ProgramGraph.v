(** * Program-Graph(P)

    "The program graph of a BSL P is a graph (V, E) that has a node for every send and receive event in P plus an
    initial dummy node Fd_i and a final dummy node Ld_i for each process i.  The edge set E consists of the successor
    relation over events in the same process extended to the dummy nodes plus an edge between the k'th send and the k'th
    receive on channel i->j."

    The appendix's Program-Graph(P) is to return it.  As printed, it does not; with rcv j<-i for rcv i<-j in line 5, it
    does, of every straight-line program, balanced or not.  Its paths are those of [edge] in Definitions.v, which has
    the whole order of a process for the successor relation.

    Theorems of the ledger: [program_graph_mended]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool Sorted.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine Teaching Procedures.
Open Scope nat_scope.

(** ** The program graph, in the paper's words *)

(** Of [n] processes: the dummy nodes, and a node for every send and receive event. *)
Definition graph_node (n : nat) (l : list act) (u : node) : Prop :=
  match u with
  | Fd i | Ld i => i < n
  | Ev i x => exists a, nth_error (labs i l) x = Some a /\ a <> Int
  end.

(** Where in a list of labels those are that satisfy [f]. *)
Definition positions (f : label -> bool) (s : list label) : list nat :=
  filter (fun x => match nth_error s x with Some a => f a | None => false end) (seq 0 (length s)).
Definition not_internal (a : label) : bool := match a with Int => false | _ => true end.

(** A process's events in their order, "extended to the dummy nodes"; and what comes next to what in a list. *)
Definition line (l : list act) (i : proc) : list node :=
  Fd i :: map (Ev i) (positions not_internal (labs i l)) ++ [Ld i].
Definition successive {A} (L : list A) (u v : A) : Prop := exists before after, L = before ++ u :: v :: after.

Inductive graph_edge (n : nat) (l : list act) : node -> node -> Prop :=
| G_next i u v : i < n -> successive (line l i) u v -> graph_edge n l u v
| G_msg i j x y : nth_error (labs i l) x = Some (Snd j) -> nth_error (labs j l) y = Some (Rcv i) ->
    length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))) ->
    graph_edge n l (Ev i x) (Ev j y).

(** ** Positions *)

Lemma positions_snoc f s a : positions f (s ++ [a]) = positions f s ++ (if f a then [length s] else []).
Proof.
  unfold positions. rewrite app_length, Nat.add_1_r, seq_S, filter_app. f_equal.
  - apply filter_ext_in. intros x I. apply in_seq in I. now rewrite nth_error_app1 by lia.
  - simpl. rewrite nth_error_app2, Nat.sub_diag by lia. simpl. now destruct (f a).
Qed.

Lemma positions_in f s x : In x (positions f s) <-> exists a, nth_error s x = Some a /\ f a = true.
Proof.
  unfold positions. rewrite filter_In, in_seq. split.
  - intros [_ H]. destruct (nth_error s x) as [a|]; [eauto|discriminate].
  - intros (a & H & F). rewrite H. split; auto. assert (x < length s) by (apply nth_error_Some; congruence). lia.
Qed.

Lemma positions_length f s : length (positions f s) = length (filter f s).
Proof.
  induction s as [|a s IH] using rev_ind; auto.
  rewrite positions_snoc, filter_app, !app_length, IH. simpl. destruct (f a); auto.
Qed.

(** The k'th of them is the one before which there are k. *)
Lemma positions_nth f s x k : nth_error (positions f s) k = Some x <->
  exists a, nth_error s x = Some a /\ f a = true /\ length (filter f (firstn x s)) = k.
Proof.
  induction s as [|a s IH] using rev_ind.
  - split; [destruct k; discriminate|intros (a & H & _); destruct x; discriminate].
  - rewrite positions_snoc. destruct (lt_eq_lt_dec x (length s)) as [[L|E]|G].
    + rewrite (nth_error_app1 s), firstn_app by lia. replace (x - length s) with 0 by lia. simpl.
      rewrite app_nil_r, <- IH.
      destruct (lt_dec k (length (positions f s))) as [K|K]; [now rewrite nth_error_app1|].
      rewrite nth_error_app2 by lia. split; intro H.
      * destruct (f a); [|destruct (k - _); discriminate]. destruct (k - _) as [|[|m]]; try discriminate.
        injection H. lia.
      * assert (k < length (positions f s)) by (apply nth_error_Some; congruence). lia.
    + subst x. rewrite (nth_error_app2 s), Nat.sub_diag, firstn_app, Nat.sub_diag, firstn_all by lia. simpl.
      rewrite app_nil_r, <- positions_length. split.
      * intro H. destruct (lt_dec k (length (positions f s))) as [K|K].
        -- rewrite nth_error_app1 in H by auto. apply IH in H as (b & H & _).
           assert (length s < length s) by (apply nth_error_Some; congruence). lia.
        -- rewrite nth_error_app2 in H by lia. exists a. destruct (f a); [|destruct (k - _); discriminate].
           destruct (k - _) as [|[|m]] eqn:E; try discriminate. repeat split; lia.
      * intros (b & [= <-] & F & <-). rewrite F, nth_error_app2, Nat.sub_diag; auto.
    + split.
      * intro H. assert (I : In x (positions f (s ++ [a]))) by (rewrite positions_snoc; eapply nth_error_In; eauto).
        apply positions_in in I as (b & I & _). assert (x < length (s ++ [a])) by (apply nth_error_Some; congruence).
        rewrite app_length in *. simpl in *. lia.
      * intros (b & H & _). assert (x < length (s ++ [a])) by (apply nth_error_Some; congruence).
        rewrite app_length in *. simpl in *. lia.
Qed.

(** ** Events from left to right *)

Lemma events_snoc l a : events_in_order (l ++ [a]) = events_in_order l ++ [(a, Ev (actor a) (len l (actor a)))].
Proof.
  assert (H : forall p, events_after p (l ++ [a]) = events_after p l ++ [(a, Ev (actor a) (len (p ++ l) (actor a)))]).
  { induction l as [|b l IH]; intro p; simpl; [now rewrite app_nil_r|]. rewrite IH. simpl. now rewrite <- app_assoc. }
  apply H.
Qed.

Lemma labs_snoc i l a : labs i (l ++ [a]) = labs i l ++ (if actor a =? i then [alab a] else []).
Proof. rewrite labs_app. f_equal. unfold labs, proj. simpl. destruct (actor a =? i); auto. Qed.

(** The events of process [i] that satisfy [f] are at its positions. *)
Lemma events_positions (g : act -> bool) f i l : (forall a, g a = (actor a =? i) && f (alab a)) ->
  map snd (filter (fun e => g (fst e)) (events_in_order l)) = map (Ev i) (positions f (labs i l)).
Proof.
  intro G. induction l as [|a l IH] using rev_ind; auto.
  rewrite events_snoc, filter_app, map_app, IH, labs_snoc. simpl. rewrite G.
  destruct (actor a =? i) eqn:E; simpl; [apply Nat.eqb_eq in E as <-|now rewrite !app_nil_r].
  rewrite positions_snoc, map_app, len_labs. f_equal. now destruct (f (alab a)).
Qed.

Lemma sends_positions i j l : of_form (ASend i j) l = map (Ev i) (positions (sndb j) (labs i l)).
Proof.
  apply (events_positions (fun a => if act_dec a (ASend i j) then true else false)). intro a.
  destruct (act_dec a (ASend i j)) as [->|N]; [simpl; now rewrite !Nat.eqb_refl|]. symmetry.
  apply not_true_iff_false. rewrite andb_true_iff, Nat.eqb_eq, sndb_spec. intros [<- E]. destruct a; try discriminate.
  simpl in *. congruence.
Qed.
Lemma receives_positions j i l : of_form (ARecv j i) l = map (Ev j) (positions (rcvb i) (labs j l)).
Proof.
  apply (events_positions (fun a => if act_dec a (ARecv j i) then true else false)). intro a.
  destruct (act_dec a (ARecv j i)) as [->|N]; [simpl; now rewrite !Nat.eqb_refl|]. symmetry.
  apply not_true_iff_false. rewrite andb_true_iff, Nat.eqb_eq, rcvb_spec. intros [<- E]. destruct a; try discriminate.
  simpl in *. congruence.
Qed.

(** ** Lines 1 to 4 *)

(** What comes next to what in a list that grows at its end. *)
Lemma successive_snoc {A} (L : list A) w u v :
  successive (L ++ [w]) u v <-> successive L u v \/ ((exists before, L = before ++ [u]) /\ v = w).
Proof.
  split.
  - intros (a & b & E). destruct b as [|z b _] using rev_ind.
    + right. change (a ++ [u; v]) with (a ++ [u] ++ [v]) in E. rewrite app_assoc in E.
      apply app_inj_tail in E as [-> ->]. eauto.
    + left. exists a, b. change (a ++ u :: v :: b ++ [z]) with (a ++ (u :: v :: b) ++ [z]) in E. rewrite app_assoc in E.
      now apply app_inj_tail in E.
  - intros [(a & b & ->)|[(a & ->) ->]].
    + exists a, (b ++ [w]). now rewrite <- app_assoc.
    + exists a, []. now rewrite <- app_assoc.
Qed.

Definition so_far (l : list act) (i : proc) : list node := Fd i :: map (Ev i) (positions not_internal (labs i l)).

Lemma so_far_snoc l a i : so_far (l ++ [a]) i =
  so_far l i ++ (if (actor a =? i) && communicates a then [Ev i (len l i)] else []).
Proof.
  unfold so_far. rewrite labs_snoc. destruct (actor a =? i); [|now rewrite !app_nil_r]. simpl.
  rewrite positions_snoc, map_app, len_labs. f_equal. f_equal. now destruct a.
Qed.

Lemma line_3_snoc n l a : line_3 n (l ++ [a]) = add_event (line_3 n l) (a, Ev (actor a) (len l (actor a))).
Proof. unfold line_3. rewrite events_snoc, fold_left_app. reflexivity. Qed.

Lemma line_3_latest n l i : latest (line_3 n l) i = last (so_far l i) (Fd i).
Proof.
  induction l as [|a l IH] using rev_ind; auto.
  rewrite line_3_snoc, so_far_snoc. unfold add_event; cbn [fst snd]. destruct (communicates a); cbn [latest].
  - rewrite (Nat.eqb_sym i). destruct (actor a =? i) eqn:E; cbn [andb]; [|now rewrite app_nil_r].
    apply Nat.eqb_eq in E as <-. now rewrite last_last.
  - rewrite andb_false_r, app_nil_r. exact IH.
Qed.

Lemma ends_with l i u : (exists before, so_far l i = before ++ [u]) <-> last (so_far l i) (Fd i) = u.
Proof.
  split; [intros (b & ->); apply last_last|]. intros <-. exists (removelast (so_far l i)).
  apply app_removelast_last. discriminate.
Qed.

Lemma line_3_edges n l u v : In (u, v) (edges (line_3 n l)) <-> exists i, successive (so_far l i) u v.
Proof.
  induction l as [|a l IH] using rev_ind.
  - simpl. split; [tauto|]. intros (i & b & c & E). destruct b as [|? [|]]; discriminate.
  - rewrite line_3_snoc. unfold add_event; cbn [fst snd]. destruct (communicates a) eqn:C; cbn [edges].
    + rewrite in_app_iff, IH. split.
      * intros [(i & S)|[E|[]]]; [|injection E as <- <-]; [exists i|exists (actor a)]; rewrite so_far_snoc, C.
        -- destruct (actor a =? i); cbn [andb]; [|now rewrite app_nil_r]. apply successive_snoc. now left.
        -- rewrite Nat.eqb_refl. apply successive_snoc. right. split; auto.
           apply ends_with. symmetry. apply line_3_latest.
      * intros (i & S). rewrite so_far_snoc, C in S. destruct (actor a =? i) eqn:E; cbn [andb] in S.
        -- apply Nat.eqb_eq in E as <-. apply successive_snoc in S as [S|[S ->]]; [left; eauto|right; left].
           apply ends_with in S. now rewrite line_3_latest, S.
        -- rewrite app_nil_r in S. left; eauto.
    + rewrite IH. split; intros (i & S); exists i; rewrite so_far_snoc, C, andb_false_r, app_nil_r in *; exact S.
Qed.

(** Who does something is below [n]. *)
Lemma communicating_below n l i x a : within n l -> nth_error (labs i l) x = Some a -> a <> Int -> i < n.
Proof.
  intros W H N. apply nth_error_In in H. apply in_map_iff in H as (b & <- & H). apply filter_In in H as [H E].
  apply Nat.eqb_eq in E. specialize (W b H). destruct b; simpl in *; subst; tauto.
Qed.
Lemma not_internal_spec a : not_internal a = true <-> a <> Int.
Proof. destruct a; simpl; split; congruence. Qed.

Lemma line_is l i : line l i = so_far l i ++ [Ld i].
Proof. reflexivity. Qed.

(** Only a process below [n] has more than its first dummy node. *)
Lemma so_far_below n l i u v : within n l -> successive (so_far l i) u v -> i < n.
Proof.
  intros W (b & c & E). unfold so_far in E. destruct (positions not_internal (labs i l)) as [|x s] eqn:P.
  - destruct b as [|? [|]]; discriminate.
  - assert (I : In x (positions not_internal (labs i l))) by (rewrite P; now left).
    apply positions_in in I as (a & H & F). apply not_internal_spec in F. eapply communicating_below; eauto.
Qed.

Lemma line_4_edges n l u v : within n l -> (In (u, v) (line_4 n l) <-> exists i, i < n /\ successive (line l i) u v).
Proof.
  intro W. unfold line_4. rewrite in_app_iff, line_3_edges, in_map_iff. split.
  - intros [(i & S)|(i & E & I)]; exists i.
    + split; [eauto using so_far_below|]. rewrite line_is. apply successive_snoc. now left.
    + injection E as <- <-. apply in_seq in I. split; [lia|]. rewrite line_is. apply successive_snoc. right.
      split; auto. apply ends_with. symmetry. apply line_3_latest.
  - intros (i & L & S). rewrite line_is in S. apply successive_snoc in S as [S|[S ->]]; [left; eauto|right].
    exists i. split; [|apply in_seq; lia]. apply ends_with in S. now rewrite line_3_latest, S.
Qed.

(** ** Line 5 *)

Lemma in_combine {A B} (s : list A) (t : list B) a b :
  In (a, b) (combine s t) <-> exists k, nth_error s k = Some a /\ nth_error t k = Some b.
Proof.
  revert t. induction s as [|c s IH]; intros [|d t]; simpl; try (split; [tauto|intros ([|k] & H & H'); discriminate]).
  rewrite IH. split.
  - intros [E|(k & H)]; [injection E as -> ->; now exists 0|now exists (S k)].
  - intros ([|k] & H & H'); simpl in *; [left; congruence|right; eauto].
Qed.

Lemma line_5_edges n l u v : within n l -> (In (u, v) (line_5 n l (fun i j => ARecv j i)) <->
  exists i j x y, u = Ev i x /\ v = Ev j y /\
    nth_error (labs i l) x = Some (Snd j) /\ nth_error (labs j l) y = Some (Rcv i) /\
    length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l)))).
Proof.
  intro W. unfold line_5. rewrite in_flat_map. split.
  - intros ([i j] & I & H). rewrite sends_positions, receives_positions in H. apply in_combine in H as (k & Hu & Hv).
    rewrite nth_error_map in Hu, Hv.
    destruct (nth_error (positions (sndb j) _) k) as [x|] eqn:X; [|discriminate].
    destruct (nth_error (positions (rcvb i) _) k) as [y|] eqn:Y; [|discriminate].
    injection Hu as <-. injection Hv as <-.
    apply positions_nth in X as (a & X & F & K), Y as (b & Y & F' & K').
    apply sndb_spec in F; apply rcvb_spec in F'; subst. exists i, j, x, y. auto.
  - intros (i & j & x & y & -> & -> & X & Y & K). exists (i, j). split.
    + apply in_prod; apply in_seq; split; try lia;
        [apply (communicating_below n l i x (Snd j))|apply (communicating_below n l j y (Rcv i))]; auto; discriminate.
    + rewrite sends_positions, receives_positions. apply in_combine.
      exists (length (filter (sndb j) (firstn x (labs i l)))). rewrite !nth_error_map.
      rewrite (proj2 (positions_nth (sndb j) (labs i l) x _)), (proj2 (positions_nth (rcvb i) (labs j l) y _)); auto;
        eexists; repeat split; eauto; [now apply rcvb_spec|now apply sndb_spec].
Qed.

(** ** The procedure, mended *)

Lemma line_3_nodes n l u : within n l -> (In u (nodes (line_3 n l)) <-> graph_node n l u).
Proof.
  assert (D : forall u, In u (nodes (lines_1_and_2 n)) <-> match u with Fd i | Ld i => i < n | _ => False end).
  { intro w. simpl. rewrite in_flat_map. split.
    - intros (i & I & [<-|[<-|[]]]); apply in_seq in I; lia.
    - destruct w as [i|i x|i]; [intro|intros []|intro]; exists i; (split; [apply in_seq; lia|simpl; auto]). }
  intros _. induction l as [|a l IH] using rev_ind.
  - rewrite (D u). destruct u; simpl; try tauto. split; [tauto|]. intros (a & H & _). destruct x; discriminate.
  - rewrite line_3_snoc. unfold add_event; cbn [fst snd].
    assert (S : graph_node n (l ++ [a]) u <->
                graph_node n l u \/ (communicates a = true /\ u = Ev (actor a) (len l (actor a)))).
    { destruct u as [i|i x|i]; simpl; try (split; [tauto|intros [H|[_ H]]; [exact H|discriminate]]).
      rewrite labs_snoc. split.
      - intros (b & H & N). destruct (lt_dec x (len l i)) as [L|G].
        + rewrite nth_error_app1 in H by (rewrite len_labs; lia). left; eauto.
        + rewrite nth_error_app2, len_labs in H by (rewrite len_labs; lia). right.
          destruct (actor a =? i) eqn:E; [|destruct (x - len l i); discriminate]. apply Nat.eqb_eq in E as <-.
          destruct (x - len l (actor a)) as [|[|m]] eqn:X; try discriminate. injection H as <-.
          split; [destruct a; simpl in *; congruence|f_equal; lia].
      - intros [(b & H & N)|[C E]].
        + exists b. split; auto. rewrite nth_error_app1; auto. apply nth_error_Some; congruence.
        + injection E as -> ->. rewrite Nat.eqb_refl, nth_error_app2, len_labs, Nat.sub_diag by (rewrite len_labs; lia).
          exists (alab a). split; auto. destruct a; simpl in *; congruence. }
    rewrite S. destruct (communicates a); cbn [nodes]; [rewrite in_app_iff, IH; simpl|rewrite IH].
    + split; [intros [H|[<-|[]]]; auto|intros [H|[_ ->]]; auto].
    + split; [auto|intros [H|[H _]]; [auto|discriminate]].
Qed.

Theorem program_graph_mended : forall n l, within n l -> forall u v,
  (In u (fst (Program_Graph_mended n l)) <-> graph_node n l u) /\
  (In (u, v) (snd (Program_Graph_mended n l)) <-> graph_edge n l u v).
Proof.
  intros n l W u v. split; [now apply line_3_nodes|]. simpl.
  rewrite in_app_iff, line_4_edges, line_5_edges by auto. split.
  - intros [(i & L & S)|(i & j & x & y & -> & -> & X & Y & K)]; [eapply G_next; eauto|now apply G_msg].
  - intros [i u' v' L S|i j x y X Y K]; [left; eauto|right; exists i, j, x, y; auto].
Qed.

(** ** Its paths *)

(** What comes later in a process. *)
Definition later_node (l : list act) (u v : node) : Prop :=
  match u, v with
  | Ev i x, Ev j y => i = j /\ x < y /\ y < len l i
  | Fd i, Ev j x | Ev i x, Ld j => i = j /\ x < len l i
  | Fd i, Ld j => i = j
  | _, _ => False
  end.

Lemma edge_cases l u v : edge l u v <-> later_node l u v \/ exists i j x y, u = Ev i x /\ v = Ev j y /\
  nth_error (labs i l) x = Some (Snd j) /\ nth_error (labs j l) y = Some (Rcv i) /\
  length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))).
Proof.
  split.
  - intros [i x y L L'|i x L|i x L|i|i j x y X Y K]; simpl; auto. right. exists i, j, x, y. auto.
  - intros [H|(i & j & x & y & -> & -> & X & Y & K)]; [|now apply E_msg].
    destruct u as [i|i x|i], v as [j|j y|j]; simpl in H; try tauto; [destruct H as [-> H]| |destruct H as (-> & H & L)|
      destruct H as [-> H]]; subst; constructor; auto.
Qed.

Lemma successive_sorted {A} (R : A -> A -> Prop) L u v : StronglySorted R L -> successive L u v -> R u v.
Proof.
  intros S (b & c & ->). induction b as [|w b IH]; simpl in S; apply StronglySorted_inv in S as [S F]; auto.
  now apply Forall_inv in F.
Qed.

Lemma line_sorted l i : StronglySorted (later_node l) (line l i).
Proof.
  assert (In_below : forall x, In x (positions not_internal (labs i l)) -> x < len l i)
    by (intros x I; apply positions_in in I as (a & H & _); eapply labs_lt; eauto).
  assert (T : forall f s m, (forall x, In x (filter f (seq s m)) -> x < len l i) ->
     StronglySorted (later_node l) (map (Ev i) (filter f (seq s m)) ++ [Ld i])).
  { intros f s m. revert s. induction m as [|m IH]; intros s B; [repeat constructor|].
    cbn [seq filter] in *. destruct (f s) eqn:E; [|now apply IH].
    simpl. constructor; [apply IH; intros x I; apply B; now right|].
    apply Forall_app. split; [|repeat constructor; apply B; now left].
    apply Forall_forall. intros v I. apply in_map_iff in I as (x & <- & I). simpl. repeat split.
    - apply filter_In in I as [I _]. apply in_seq in I. lia.
    - apply B. now right. }
  constructor; [apply T, In_below|]. apply Forall_app. split; [|repeat constructor].
  apply Forall_forall. intros v I. apply in_map_iff in I as (x & <- & I). simpl. auto.
Qed.

(** From each to what comes later in a list there is a path by what comes next. *)
Lemma successive_path {A} (L : list A) b : forall a u v c, L = a ++ u :: b ++ v :: c -> clos_trans A (successive L) u v.
Proof.
  induction b as [|w b IH]; intros a u v c ->; [apply t_step; now exists a, c|].
  apply t_trans with w; [apply t_step; exists a, (b ++ v :: c); reflexivity|].
  apply IH with (a ++ [u]) c. now rewrite <- app_assoc.
Qed.

Lemma later_path n l u v : within n l -> graph_node n l u -> graph_node n l v -> later_node l u v ->
  clos_trans node (graph_edge n l) u v.
Proof.
  intros W Nu Nv La.
  assert (P : forall i, i < n -> clos_trans node (successive (line l i)) u v -> clos_trans node (graph_edge n l) u v).
  { intros i L. clear - L. induction 1 as [u v S|]; [apply t_step; eapply G_next; eauto|eapply t_trans; eauto]. }
  assert (At_ : forall i x, graph_node n l (Ev i x) -> In x (positions not_internal (labs i l))).
  { intros i x (a & H & N). apply positions_in. exists a. split; auto. now apply not_internal_spec. }
  assert (Below : match u with Fd i | Ev i _ | Ld i => i < n end)
    by (destruct u; auto; destruct Nu as (a & H & N); eauto using communicating_below).
  destruct u as [i|i x|i], v as [j|j y|j]; simpl in La; try tauto; apply (P i Below); clear P Below;
    [destruct La as [<- La]|subst j|destruct La as (<- & La & _)|destruct La as [<- La]].
  - apply At_, in_split in Nv as (a & b & E).
    apply successive_path with (map (Ev i) a) [] (map (Ev i) b ++ [Ld i]).
    unfold line. rewrite E, map_app. simpl. now rewrite <- app_assoc.
  - apply successive_path with (map (Ev i) (positions not_internal (labs i l))) [] []. reflexivity.
  - apply At_ in Nu, Nv. pose proof Nu as Px. pose proof Nv as Py. unfold positions in Px, Py.
    apply filter_In in Px as [Ix Fx]. apply filter_In in Py as [Iy Fy]. apply in_seq in Ix, Iy.
    assert (E : exists a b c, positions not_internal (labs i l) = a ++ x :: b ++ y :: c).
    { unfold positions. replace (length (labs i l)) with (x + S (length (labs i l) - S x)) by lia.
      rewrite seq_app, filter_app. simpl. rewrite Fx.
      match goal with |- exists a b c, _ ++ x :: ?L = _ => destruct (in_split y L) as (b & c & Eb) end.
      - apply filter_In. split; auto. apply in_seq. lia.
      - rewrite Eb. eauto. }
    destruct E as (a & b & c & E).
    apply successive_path with (map (Ev i) b) (Fd i :: map (Ev i) a) (map (Ev i) c ++ [Ld i]).
    unfold line. rewrite E, map_app. simpl. rewrite map_app. simpl.
    now rewrite <- !app_assoc, <- !app_comm_cons, <- app_assoc.
  - apply At_, in_split in Nu as (a & b & E).
    apply successive_path with (map (Ev i) b) (Fd i :: map (Ev i) a) [].
    unfold line. rewrite E, map_app. simpl. now rewrite <- app_assoc.
Qed.

Lemma graph_edge_is_edge n l u v : graph_edge n l u v -> edge l u v.
Proof.
  intros [i u' v' L S|i j x y X Y K]; [|now apply E_msg]. apply edge_cases. left.
  exact (successive_sorted _ _ _ _ (line_sorted l i) S).
Qed.

Lemma later_trans l u v w : later_node l u v -> later_node l v w -> later_node l u w.
Proof. destruct u, v, w; simpl; intuition (subst; auto; lia). Qed.

(** From a node of the graph: to its nodes by its edges, and past an assignment to what comes later. *)
Lemma path_by_edges n l u v : within n l -> path l u v -> graph_node n l u ->
  (graph_node n l v -> clos_trans node (graph_edge n l) u v) /\
  (forall w, graph_node n l w -> later_node l v w -> clos_trans node (graph_edge n l) u w).
Proof.
  intros W P Nu. apply clos_trans_tn1 in P.
  assert (Node : forall i x a, nth_error (labs i l) x = Some a -> a <> Int -> graph_node n l (Ev i x))
    by (simpl; eauto).
  induction P as [v E|v w E P [IH1 IH2]]; apply edge_cases in E as [La|(i & j & x & y & -> & -> & X & Y & K)].
  - split; [intro Nv; now apply later_path|]. intros z Nz Lz. apply later_path; eauto using later_trans.
  - assert (E : graph_edge n l (Ev i x) (Ev j y)) by now apply G_msg.
    split; [intro; now apply t_step|]. intros z Nz Lz. eapply t_trans; [apply t_step, E|].
    apply later_path; auto. apply (Node j y (Rcv i)); auto; discriminate.
  - split; [intro Nw; now apply IH2|]. intros z Nz Lz. apply IH2; eauto using later_trans.
  - assert (M : clos_trans node (graph_edge n l) u (Ev j y)).
    { eapply t_trans; [|apply t_step, G_msg; eauto]. apply IH1, (Node i x (Snd j)); auto; discriminate. }
    split; [intro; exact M|]. intros z Nz Lz. eapply t_trans; [exact M|]. apply later_path; auto.
    apply (Node j y (Rcv i)); auto; discriminate.
Qed.

(** Between nodes of the graph there are the same paths as by [edge]. *)
Theorem program_graph_paths : forall n l, within n l -> forall u v, graph_node n l u -> graph_node n l v ->
  (clos_trans node (graph_edge n l) u v <-> path l u v).
Proof.
  intros n l W u v Nu Nv. split.
  - clear Nu Nv. induction 1; [apply t_step; eapply graph_edge_is_edge; eauto|eapply t_trans; eauto].
  - intro P. now apply path_by_edges.
Qed.
