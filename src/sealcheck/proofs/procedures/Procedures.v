(** * The appendix's procedures, as programs

    Program-Graph, Deadlock-Free, Sig and Closed-Channels of app:algo, line by line, on lists of nodes and of edges.
    Each line stands below its words in the paper.  This file proves nothing.

    - Processes are 0 .. n-1, and P is its list of actions ([acts P = Some l]).
    - An event of P is the node [Ev i x], event [x] of the share of [i]; assignments are passed over.
    - Where there is no k'th receive, "where e' is ..." names nothing, and no edge is added.
    - In a signature, a send or receive is named by its channel, for at most one of a channel is left. *)

From Coq Require Import List Arith PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions SignaturesCompose.
Open Scope nat_scope.

(** ** Finite graphs *)

Definition graph (A : Type) : Type := list A * list (A * A).

Section Graphs.
Context {A : Type} (eq_dec : forall x y : A, {x = y} + {x <> y}).

Definition pair_dec (e f : A * A) : {e = f} + {e <> f}.
Proof. decide equality. Defined.
Definition has (x : A) (V : list A) : bool := if in_dec eq_dec x V then true else false.
Definition has_edge (x y : A) (E : list (A * A)) : bool := if in_dec pair_dec (x, y) E then true else false.

(** The edges, and those pairs that [w] joins. *)
Definition through (V : list A) (E : list (A * A)) (w : A) : list (A * A) :=
  filter (fun '(x, y) => has_edge x y E || has_edge x w E && has_edge w y E) (list_prod V V).

(** The transitive closure: paths through one more node at a time (Warshall's algorithm). *)
Definition closure (G : graph A) : list (A * A) := let '(V, E) := G in fold_left (through V) V E.

(** "E+, irreflexive transitive closure". *)
Definition plus (G : graph A) : list (A * A) :=
  filter (fun '(x, y) => if eq_dec x y then false else true) (closure G).
End Graphs.

Definition node_dec (u v : node) : {u = v} + {u <> v}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition name_dec (a b : name) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.
Definition act_dec (a b : act) : {a = b} + {a <> b}.
Proof. decide equality; apply Nat.eq_dec. Defined.

(** ** Program-Graph(P) *)

(** "e in P from left to right": what is done, and its node, which is counted in what its process has done. *)
Fixpoint events_after (past l : list act) : list (act * node) :=
  match l with
  | [] => []
  | a :: l => (a, Ev (actor a) (len past (actor a))) :: events_after (past ++ [a]) l
  end.
Definition events_in_order := events_after [].
Definition communicates (a : act) : bool := match a with AInt _ => false | _ => true end.

(** "the k'th event in P of the form" [a], for each k in its order. *)
Definition of_form (a : act) (l : list act) : list node :=
  map snd (filter (fun e => if act_dec (fst e) a then true else false) (events_in_order l)).

(** Line 1: "V, E <- U {Fd_i, Ld_i}, 0"; line 2: "f <- \i. Fd_i". *)
Record building := { nodes : list node; edges : list (node * node); latest : proc -> node }.
Definition lines_1_and_2 (n : nat) : building :=
  {| nodes := flat_map (fun i => [Fd i; Ld i]) (seq 0 n); edges := []; latest := Fd |}.

(** Line 3: "for e in P from left to right where e is of the form snd i->j or rcv i<-j
    do V, E, f(i) <- V u {e}, E u {(f(i), e)}, e". *)
Definition add_event (B : building) (e : act * node) : building :=
  if communicates (fst e) then
    {| nodes := nodes B ++ [snd e];
       edges := edges B ++ [(latest B (actor (fst e)), snd e)];
       latest := fun i => if i =? actor (fst e) then snd e else latest B i |}
  else B.
Definition line_3 (n : nat) (l : list act) : building := fold_left add_event (events_in_order l) (lines_1_and_2 n).

(** Line 4: "for i in Proc do E <- E u {(f(i), Ld_i)}". *)
Definition line_4 (n : nat) (l : list act) : list (node * node) :=
  edges (line_3 n l) ++ map (fun i => (latest (line_3 n l) i, Ld i)) (seq 0 n).

(** Line 5: "for e in V the k'th event in P of the form snd i->j do E <- E u {(e, e')} where e' is the k'th rcv i<-j
    event in P".  [receive i j] is the form of e'. *)
Definition line_5 (n : nat) (l : list act) (receive : proc -> proc -> act) : list (node * node) :=
  flat_map (fun '(i, j) => combine (of_form (ASend i j) l) (of_form (receive i j) l)) (list_prod (seq 0 n) (seq 0 n)).

(** Line 6: "return (V, E)". *)
Definition Program_Graph_with (receive : proc -> proc -> act) (n : nat) (l : list act) : graph node :=
  (nodes (line_3 n l), line_4 n l ++ line_5 n l receive).

(** As printed, the receive is rcv i<-j, by the process that sends; mended, it is rcv j<-i. *)
Definition Program_Graph_printed := Program_Graph_with (fun i j => ARecv i j).
Definition Program_Graph_mended := Program_Graph_with (fun i j => ARecv j i).

(** ** Deadlock-Free(P): line 1 is the graph *)

(** Line 2: "return exists cycle in E". *)
Definition Deadlock_Free (G : graph node) : bool :=
  existsb (fun v => has_edge node_dec v v (closure node_dec G)) (fst G).

(** Mended: "return not exists cycle in E". *)
Definition Deadlock_Free_mended (G : graph node) : bool := negb (Deadlock_Free G).

(** ** Sig(P): line 1 is the graph *)

(** What a node does, and its name; no assignment is a node of a graph. *)
Definition does (l : list act) (u : node) : option act :=
  match u with Ev i x => nth_error (proj i l) x | _ => None end.
Definition name_of (l : list act) (u : node) : name :=
  match u, does l u with
  | Fd i, _ => NFd i
  | Ld i, _ => NLd i
  | _, Some (ASend i j) => NSnd i j
  | _, Some (ARecv j i) => NRcv j i
  | Ev i _, _ => NFd i
  end.
Definition is_form (l : list act) (a : act) (u : node) : bool :=
  match does l u with Some b => if act_dec a b then true else false | None => false end.
Definition eq_node (u v : node) : bool := if node_dec u v then true else false.

(** Line 3, "remove all but minimal sends and maximal receives on open channels":
    "V <- V \ {e | e is a snd i->j event preceded by another such send or Fd_j}",
    "V <- V \ {e | e is a rcv j<-i event that precedes another such receive or Ld_i}". *)
Definition removed (l : list act) (E : list (node * node)) (e : node) : bool :=
  match does l e with
  | Some (ASend i j) =>
      existsb (fun '(d, e') => eq_node e e' && (is_form l (ASend i j) d || eq_node d (Fd j))) E
  | Some (ARecv j i) =>
      existsb (fun '(e', f) => eq_node e e' && (is_form l (ARecv j i) f || eq_node f (Ld i))) E
  | _ => false
  end.

(** Line 2: "E <- E+"; line 4: "return (V, E n V^2)". *)
Definition Sig (l : list act) (G : graph node) : graph name :=
  let E := plus node_dec G in
  let V := filter (fun e => negb (removed l E e)) (fst G) in
  (map (name_of l) V,
   map (fun '(u, v) => (name_of l u, name_of l v))
       (filter (fun '(u, v) => has node_dec u V && has node_dec v V) E)).

(** ** Closed-Channels(P): line 2, "V', E' <- sig(P)", is the signature *)

(** Line 1: "V, E <- Proc, Proc^2 \ Id"; line 3: "for (i, j) in E"; lines 4 and 5: "if rcv j<-i in V' and
    (rcv j<-i, Ld_i) not in E' then E <- E \ {(i, j)}"; line 6: "return (V, E)". *)
Definition Closed_Channels (n : nat) (S : graph name) : graph proc :=
  (seq 0 n,
   filter (fun '(i, j) => negb (i =? j) &&
             negb (has name_dec (NRcv j i) (fst S) && negb (has_edge name_dec (NRcv j i) (NLd i) (snd S))))
          (list_prod (seq 0 n) (seq 0 n))).
