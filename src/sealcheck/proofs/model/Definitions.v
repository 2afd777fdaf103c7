(** * The paper's definitions

    Each definition stands below the sentence of the paper that it renders, in quotation marks.  This file proves
    nothing: whoever believes it and the statements of the theorems need not read the proofs.

    What it abstracts from:
    - There is no bound on the processes: they are the natural numbers, and a program names finitely many.
    - Cuts are finite, so nothing diverges here, every seal is proper, and repetition is finite.  [InfiniteCuts] has
      cuts that may be infinite, for what the paper says of programs that diverge.
    - The local state of a process is its history: what it has sent, received and assigned, with the values.  The
      paper's local states are functions of it; what a process reads in it is up to the expression.  A receive is
      not told into which variable it stores; a program that has to know assigns next.
    - A run has no initial state: what precedes the first cut plays that part. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith.
Import ListNotations.
Open Scope nat_scope.

(** ** Runs *)

(** "Let n be a natural number and {1..n} be a set of processes." *)
Notation proc := nat.

(** "A send record (for i) is a triple (i->j, v) ... Similarly, (j<-i, v) is a receive record (for j)."
    The process is the one at which the record stands. *)
Definition value := Z.
Inductive label := Snd (to : proc) | Rcv (from : proc) | Int.

(** "We identify an event (of i) with the transition from one local state in a local run of i to the next."
    [(i, k)] is event number [k] of process [i], counted from 0. *)
Notation event := (nat * nat)%type.

(** "A (global) run is a tuple ((r_i), delta_r) of local runs - one for each process - plus an injective matching
    function delta_r associating a send event with each receive event in r."
    [lab r i k] says what event [k] of [i] is, [val r] what value it sends, receives or assigns, and [delta r] is
    looked at on receives only. *)
Record run := {
  lab : proc -> nat -> label;
  delta : event -> event;
  val : event -> value
}.

(** The event is a send from [i] to [j]; a receive by [j] from [i]. *)
Definition is_snd (r : run) (e : event) (i j : proc) := fst e = i /\ lab r (fst e) (snd e) = Snd j.
Definition is_rcv (r : run) (e : event) (i j : proc) := fst e = j /\ lab r (fst e) (snd e) = Rcv i.

(** A communication event. *)
Definition comm (r : run) (e : event) := exists i j, is_snd r e i j \/ is_rcv r e i j.

(** "The relation is defined as the smallest transitive relation subsuming (1) the total orders on the events of
    process i given by the r_i, and (2) the relation {(e1, e2) : delta_r (e2) = e1} between send and receive events
    induced by the matching function." *)
Definition step (r : run) (x y : event) : Prop :=
  (fst x = fst y /\ snd x < snd y) \/
  (exists i j, is_rcv r y i j /\ delta r y = x).
Definition causes (r : run) := clos_trans event (step r).

(** "The mapping delta_r is restricted such that: 1. If delta_r (e) = e' and e is a receive event of process j
    resulting in the appending of (j<-i, v) to j's message history then e' is a send event of process i appending
    the corresponding send record (i->j, v) to i's message history.  2. Lamport's causality relation ... is an
    irreflexive partial order, hence acyclic." *)
Record matching (r : run) : Prop := {
  delta_snd : forall e i j, is_rcv r e i j -> is_snd r (delta r e) i j;
  delta_inj : forall e i j e' i' j', is_rcv r e i j -> is_rcv r e' i' j' ->
                delta r e = delta r e' -> e = e';
  causal    : forall e, ~ causes r e e
}.
Definition transmits (r : run) := forall e i j, is_rcv r e i j -> val r e = val r (delta r e).
Record wf (r : run) : Prop := { wf_matching :> matching r; wf_transmits : transmits r }.

(** "We say that r is in Rel if no unmatched send event is succeeded by infinitely many matched send events on the
    same channel." *)
Definition unmatched (r : run) (s : event) := forall e i j, is_rcv r e i j -> delta r e <> s.
Definition reliable (r : run) := forall s i j, is_snd r s i j -> unmatched r s ->
  exists N, forall k, N <= k -> is_snd r (i, k) i j -> unmatched r (i, k).
Definition Rel (r : run) := wf r /\ reliable r.

(** No process sends to itself.  The paper allows it, and some of its theorems then fail (see [Refutations]). *)
Definition noself (r : run) := forall e i, ~ is_snd r e i i.
Definition RelNS (r : run) := Rel r /\ noself r.

(** "RelFi is its subclass in which channels are also FIFO."  A message is received only after all that were sent
    before it on its channel, so that the k'th receive takes the k'th message. *)
Definition in_order (r : run) := forall i j s s' e', is_snd r s i j -> is_snd r s' i j -> snd s < snd s' ->
  is_rcv r e' i j -> delta r e' = s' -> exists e, is_rcv r e i j /\ delta r e = s /\ snd e < snd e'.
Definition RelFi (r : run) := Rel r /\ in_order r.

(** ** Cuts and channels *)

(** "A cut is a pair (r, c) consisting of a run r and a family c = (c_i).  A cut is finite if all its components
    are."  [c i] is the number of events of [i] in the cut. *)
Definition cut := proc -> nat.

(** "Say that an event e performed by process i is in a cut (r, c) if e occurs in r_i at an index no larger than
    c_i." *)
Definition inside (c : cut) (e : event) := snd e < c (fst e).

(** "An event is in r[c,d] if it is in (r, d) but not in (r, c)." *)
Definition between (c d : cut) (e : event) := ~ inside c e /\ inside d e.

(** "We write <= for the component-wise extension of the natural ordering to cuts within the same run."  Equality
    of cuts is component-wise, too. *)
Definition cle (c d : cut) := forall p, c p <= d p.
Definition ceq (c d : cut) := forall p, c p = d p.

(** "We define the channel i->j at a cut (r, c) to be the set of i's send events to j and j's receive events from i
    in (r, c) that are not matched by delta_r to any event also in (r, c)." *)
Definition in_channel (r : run) (c : cut) (i j : proc) (e : event) := inside c e /\
  ((is_snd r e i j /\ forall e' a b, is_rcv r e' a b -> inside c e' -> delta r e' <> e) \/
   (is_rcv r e i j /\ ~ inside c (delta r e))).
Definition empty_channel (r : run) (c : cut) (i j : proc) := forall e, ~ in_channel r c i j e.
Definition all_empty (r : run) (c : cut) := forall i j, empty_channel r c i j.

(** The silent cut: "no receive in the cut (r, c) is mapped by delta_r to a send outside of the cut, and no receive
    from outside is mapped to a send in the cut."  A send that nobody ever receives is no obstacle. *)
Definition silent (r : run) (c : cut) :=
  forall e i j, is_rcv r e i j -> (inside c e <-> inside c (delta r e)).

(** ** Programs *)

(** The history of [i] before its event [k]: its local state there. *)
Definition history := list (label * value).
Definition past (r : run) (i : proc) (k : nat) : history := map (fun x => (lab r i x, val r (i, x))) (seq 0 k).

(** "Let Expr_i be the set of arithmetic expressions over Var_i": whatever a process computes of its local state. *)
Definition expr := history -> value.
Definition const (v : value) : expr := fun _ => v.
Definition zero : expr := fun _ => 0%Z.

(** "Let L be propositional logic over atoms formed from expressions with equality = and less-than <."  Each side of
    an atom speaks of one process. *)
Inductive formula :=
| Equal (i : proc) (e : expr) (j : proc) (f : expr)
| Less (i : proc) (e : expr) (j : proc) (f : expr)
| Not (g : formula)
| And (g h : formula).

(** "A formula holds at (r, c) ... when, for each i, program variables in Var_i are evaluated in the local states
    r_i (c_i)." *)
Fixpoint holds (r : run) (c : cut) (g : formula) : Prop :=
  match g with
  | Equal i e j f => e (past r i (c i)) = f (past r j (c j))
  | Less i e j f => (e (past r i (c i)) < f (past r j (c j)))%Z
  | Not g => ~ holds r c g
  | And g h => holds r c g /\ holds r c h
  end.

(** "P ::= eps | x := e | snd i->j e | rcv j<-i x | [phi] | cut | P . P | P + P | P*" *)
Inductive prog :=
| Eps
| Assign (i : proc) (e : expr)
| Send (i j : proc) (e : expr)
| Recv (j i : proc)
| Guard (g : formula)
| Chop
| Lay (p q : prog)
| Choice (p q : prog)
| Star (p : prog).

(** "d = c[i |-> c_i + 1]" *)
Definition bump (c : cut) (i : proc) : cut := fun p => if p =? i then S (c p) else c p.

(** "Program P occurs over interval r[c,d] iff:" - clause by clause in the order of the paper.  [past r i (c i)] is
    the paper's r_i (c_i). *)
Inductive occurs (r : run) : cut -> prog -> cut -> Prop :=
| O_eps c d : ceq c d -> occurs r c Eps d
| O_asg c d i e : ceq d (bump c i) -> lab r i (c i) = Int -> val r (i, c i) = e (past r i (c i)) ->
    occurs r c (Assign i e) d
| O_snd c d i j e : ceq d (bump c i) -> lab r i (c i) = Snd j -> val r (i, c i) = e (past r i (c i)) ->
    occurs r c (Send i j e) d
| O_rcv c d i j : ceq d (bump c j) -> lab r j (c j) = Rcv i -> occurs r c (Recv j i) d
| O_grd c d g : ceq c d -> holds r c g -> occurs r c (Guard g) d
| O_chop c d : ceq c d -> silent r c -> occurs r c Chop d
| O_lay c m d p q : occurs r c p m -> occurs r m q d -> occurs r c (Lay p q) d
| O_ch1 c d p q : occurs r c p d -> occurs r c (Choice p q) d
| O_ch2 c d p q : occurs r c q d -> occurs r c (Choice p q) d
| O_st0 c d p : ceq c d -> occurs r c (Star p) d
| O_st1 c m d p : occurs r c p m -> occurs r m (Star p) d -> occurs r c (Star p) d.

(** The transmission of one message, the paper's mt: "snd i->j e . rcv j<-i x". *)
Definition mt (i j : proc) (e : expr) := Lay (Send i j e) (Recv j i).

(** "... a sequence of l layers": one after the other. *)
Fixpoint sequence (Ps : list prog) : prog :=
  match Ps with [] => Eps | P :: rest => Lay P (sequence rest) end.

(** ** Notions of safe composition *)

(** "We say that P refines Q in G iff r[c,d] |- P implies r[c,d] |- Q, for all r in G and cuts c, d." *)
Definition refines (G : run -> Prop) (p q : prog) := forall r c d, G r -> occurs r c p d -> occurs r c q d.

(** "The program L is a CCL in the program P . L . Q: cut P . L . Q cut  refines  P cut L cut Q." *)
Definition CCL (G : run -> Prop) (p l q : prog) :=
  refines G (Lay Chop (Lay p (Lay l (Lay q Chop)))) (Lay p (Lay Chop (Lay l (Lay Chop q)))).

(** "Program B is a barrier in G if cut P . B . Q  refines  P cut B cut Q, for all P, Q." *)
Definition Barrier (G : run -> Prop) (b : prog) := forall p q,
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).

(** "P is TCC in G if cut P  refines  P cut." *)
Definition TCC (G : run -> Prop) (p : prog) := refines G (Lay Chop p) (Lay p Chop).

(** "S seals P in G if cut P . S  refines  P cut S." *)
Definition Seals (G : run -> Prop) (s p : prog) := refines G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).

(** "Program P is said to close i->j (in Rel) if i->j is empty after P in any execution of P starting at a cut with
    empty channels." *)
Definition closes (G : run -> Prop) (p : prog) (i j : proc) := forall r c d,
  G r -> all_empty r c -> occurs r c p d -> empty_channel r d i j.

(** ** Counting *)

Definition sndb (j : proc) (l : label) := match l with Snd k => k =? j | _ => false end.
Definition rcvb (i : proc) (l : label) := match l with Rcv k => k =? i | _ => false end.

(** How many of the events [a .. b-1] of [i] are sends to [j]; how many of those of [j] are receives from [i]. *)
Definition nsnd (r : run) (i j : proc) (a b : nat) := length (filter (fun k => sndb j (lab r i k)) (seq a (b - a))).
Definition nrcv (r : run) (j i : proc) (a b : nat) := length (filter (fun k => rcvb i (lab r j k)) (seq a (b - a))).

(** "Program P is balanced (in Rel) if, whenever r[c,d] |- P and all channels are empty at (r, c), then every channel
    contains an equal number of sends and receives at (r, d)."  Matched events come in pairs, so it is the same to
    count all sends and receives of the channel up to [d]. *)
Definition Balanced (G : run -> Prop) (p : prog) := forall r c d,
  G r -> all_empty r c -> occurs r c p d -> forall i j, nsnd r i j 0 (d i) = nrcv r j i 0 (d j).

(** ** Straight-line programs *)

(** "Program P is straight-line if it contains neither nondeterministic choices nor loops nor guards ... P is built
    from sends, receives, and assignments using layering only."  [acts p] is the list of what [p] does; data do not
    matter to sealing and are left out of it.  [None]: not straight-line. *)
Inductive act := ASend (i j : proc) | ARecv (j i : proc) | AInt (i : proc).
Fixpoint acts (p : prog) : option (list act) :=
  match p with
  | Eps => Some []
  | Assign i _ => Some [AInt i]
  | Send i j _ => Some [ASend i j]
  | Recv j i => Some [ARecv j i]
  | Lay p q => match acts p, acts q with Some a, Some b => Some (a ++ b) | _, _ => None end
  | _ => None
  end.

(** The share of process [i]: what it does, in order. *)
Definition actor (a : act) := match a with ASend i _ => i | ARecv j _ => j | AInt i => i end.
Definition alab (a : act) := match a with ASend _ j => Snd j | ARecv _ i => Rcv i | AInt _ => Int end.
Definition proj (i : proc) (l : list act) := filter (fun a => actor a =? i) l.
Definition labs (i : proc) (l : list act) := map alab (proj i l).
Definition len (l : list act) : cut := fun i => length (proj i l).

(** As many sends as receives on each channel; no sends to oneself. *)
Definition balanced (l : list act) := forall i j,
  length (filter (sndb j) (labs i l)) = length (filter (rcvb i) (labs j l)).
Definition nofself (l : list act) := forall i, ~ In (Snd i) (labs i l).

(** The position of number [k] (from 0) of those that satisfy [f]. *)
Fixpoint nthpos {A} (f : A -> bool) (l : list A) (k : nat) : nat :=
  match l with
  | [] => 0
  | a :: l' => if f a then match k with 0 => 0 | S k' => S (nthpos f l' k') end else S (nthpos f l' k)
  end.

(** "The program graph of a BSL P is a graph (V, E) that has a node for every send and receive event in P plus an
    initial dummy node Fd_i and a final dummy node Ld_i for each process i.  The edge set E consists of the successor
    relation over events in the same process extended to the dummy nodes plus an edge between the k'th send and the
    k'th receive on channel i->j."

    Here [Ev i x] is event [x] of the share of [i], internal ones included; the order of a process is given as a whole
    and not by successors, which has the same transitive closure. *)
Inductive node := Fd (i : proc) | Ev (i : proc) (x : nat) | Ld (i : proc).
Definition owner (u : node) : proc := match u with Fd i | Ev i _ | Ld i => i end.
Inductive edge (l : list act) : node -> node -> Prop :=
| E_next i x y : x < y -> y < len l i -> edge l (Ev i x) (Ev i y)
| E_first i x : x < len l i -> edge l (Fd i) (Ev i x)
| E_last i x : x < len l i -> edge l (Ev i x) (Ld i)
| E_idle i : edge l (Fd i) (Ld i)
| E_msg i j x y : nth_error (labs i l) x = Some (Snd j) -> nth_error (labs j l) y = Some (Rcv i) ->
    length (filter (sndb j) (firstn x (labs i l))) = length (filter (rcvb i) (firstn y (labs j l))) ->
    edge l (Ev i x) (Ev j y).

(** "We use E+ to refer to the irreflexive transitive closure of E." *)
Definition path (l : list act) := clos_trans node (edge l).

(** The run in which every message is received in the order of sending.  Its causality is that of the program graph
    (see [GraphCause]); with it, paths between events are causality in a run, and [(i, len l i)] is where [Ld i] is. *)
Definition fifo (l : list act) : run := {|
  lab := fun i k => match nth_error (labs i l) k with Some a => a | None => Int end;
  delta := fun e => match nth_error (labs (fst e) l) (snd e) with
    | Some (Rcv i) =>
        (i, nthpos (sndb (fst e)) (labs i l) (length (filter (rcvb i) (firstn (snd e) (labs (fst e) l)))))
    | _ => e end;
  val := fun _ => 0%Z
|}.

(** "From now onward, we shall only consider programs that are deadlock-free": the program graph has no cycle.  Of
    programs that are not balanced this asks more: a receive that nothing is sent for counts as coming after all that
    its sender does.  That is what it takes to occur at all ([dead_free_iff_occurs] in [Unbalanced]). *)
Definition dead_free (l : list act) := forall e, ~ causes (fifo l) e e.

(** All messages that a program sends and receives are between the first [n] processes.  Who assigns does not matter. *)
Definition within (n : nat) (s : list act) :=
  forall a, In a s -> match a with ASend i j | ARecv j i => i < n /\ j < n | AInt _ => True end.

(** "Our focus in this section is on balanced straight-line programs, or BSL for short."  [P] is one of [n] processes,
    [p] is what it does; it does not deadlock, and no process sends to itself.  Theorems that need less ask for less. *)
Record BSL (n : nat) (P : prog) (p : list act) : Prop := {
  bsl_acts : acts P = Some p;
  bsl_balanced : balanced p;
  bsl_nofself : nofself p;
  bsl_within : within n p;
  bsl_dead_free : dead_free p
}.

(** ** Signatures *)

(** "We remove all nodes except for the dummy nodes and the first send and last receive on each channel." *)
Definition first_send (l : list act) (i j : proc) (x : nat) :=
  nth_error (labs i l) x = Some (Snd j) /\ forall x', nth_error (labs i l) x' = Some (Snd j) -> x <= x'.
Definition last_receive (l : list act) (j i : proc) (y : nat) :=
  nth_error (labs j l) y = Some (Rcv i) /\ forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= y.

(** "The graph is further reduced by removing the node snd i->j whenever (Fd_j, snd i->j) is in E+.  Similarly,
    rcv j<-i is removed whenever (rcv j<-i, Ld_i) is in E+."  The nodes that stay: *)
Definition sig_snd (l : list act) (i j : proc) (x : nat) := first_send l i j x /\ ~ path l (Fd j) (Ev i x).
Definition sig_rcv (l : list act) (j i : proc) (y : nat) := last_receive l j i y /\ ~ path l (Ev j y) (Ld i).

(** "If Q sends on that channel, then P's last receive on the channel must causally precede Q's first send on it.
    Otherwise, Q must ensure that any later send on i->j is causally preceded by P's last receive."  Said of every
    receive of [p] by [j] from [i] and every later send, of [q] or at its end: *)
Definition covers (p q : list act) := forall i j y z, nth_error (labs j p) y = Some (Rcv i) ->
  (z = len (p ++ q) i \/ (len p i <= z /\ nth_error (labs i (p ++ q)) z = Some (Snd j))) ->
  causes (fifo (p ++ q)) (j, y) (i, z).
