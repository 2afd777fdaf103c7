(** * What the program asks and checks

    The functions that the program `sealcheck-verified` calls, and nothing else: questions, and the rows of certified
    tables.  [None] and [false] promise nothing; what the other answers promise is proved in [CheckerCorrect]. *)

From Coq Require Import List Arith Bool.
Import ListNotations.
From Sealcheck Require Import Definitions CausalPast Decider KnowledgeDecider Certificates LowerBound.
From Sealcheck Require Import Tries Clocks Chains RunsChecked.
Open Scope nat_scope.

(** ** Questions *)

(** Whether Q seals P. *)
Definition seals_by_clocks (n : nat) (p q : list act) : option bool :=
  match play_two n p q with
  | Some (first, both) => Some (kept both && ends_reached n (settled_up_to first) both p)
  | None => None
  end.

(** Whether P's receives on [i -> j] reach the end of [k]. *)
Definition reach_of (n : nat) (st : clock_state) (i j k : proc) : bool :=
  find2_or 0 i j (settled_up_to st) <=? at_ (clock_of n st k) j.

(** The channels of P, open or not, on which a later message can be received in P. *)
Definition find_open (n : nat) (p : list act) : option (list (proc * proc)) :=
  match play n [p] with Some st => Some (open_channels n (reach_of n st)) | None => None end.

(** Whether some program seals P. *)
Definition sealable (n : nat) (p : list act) : option bool :=
  match play n [p] with Some st => Some (is_closure n (reach_of n st)) | None => None end.

(** ** Rows of tables *)

Definition is_sending (a : act) : bool := match a with ASend _ _ => true | _ => false end.
Definition messages_in (l : list act) : nat := length (filter is_sending l).

(** Q seals P, with its chains. *)
Definition check_seals (n : nat) (p q : list act) (chains : list chain) : bool :=
  match play_two n p q with
  | Some (first, _) => check_chains (settled_up_to first) p q chains
  | None => false
  end.

(** Q does not seal P, with a run of P;Q;later, in which the receive [e] of P takes a message that P has not sent. *)
Definition check_breaks (n : nat) (p q later : list act) (order : list event) (m : list (event * event))
    (e : event) : bool :=
  let l := p ++ q ++ later in
  match play_two n p q with
  | None => false
  | Some _ => check_run n l order m && has_no_self l &&
              is_receive p e && negb (snd (matched_send m e) <? len p (fst (matched_send m e)))
  end.

Fixpoint same_list {A} (same : A -> A -> bool) (u v : list A) : bool :=
  match u, v with
  | [], [] => true
  | a :: u', b :: v' => same a b && same_list same u' v'
  | _, _ => false
  end.

(** What a row says of the channels of P: those that are open, and those that are not, in their order. *)
Record channels_said := { said_open : list (proc * proc); said_closed : list (proc * proc) }.

Definition check_channels (n : nat) (reach : proc -> proc -> proc -> bool) (said : channels_said) : bool :=
  same_list pair_eqb (said_open said) (open_channels n reach) &&
  same_list pair_eqb (said_closed said) (filter (fun c => negb (fst c =? snd c) && reach (fst c) (snd c) (fst c))
                                      (list_prod (seq 0 n) (seq 0 n))).

(** P can be sealed by [m] messages and by no fewer: a seal with its chains, and states. *)
Definition check_sealable (n : nat) (p : list act) (said : channels_said) (s : list act)
    (chains : list chain) (m : nat) (states : list (nat * knowledge_lists)) : bool :=
  match play n [p] with
  | None => false
  | Some st => check_channels n (reach_of n st) said && check_seals n p s chains && (messages_in s =? m) &&
               check_minimum n (reach_of n st) m states
  end.

(** Nothing seals P, with knowledge to which nothing adds. *)
Definition check_unsealable (n : nat) (p : list act) (said : channels_said) (K : knowledge_lists) : bool :=
  match play n [p] with
  | None => false
  | Some st => check_channels n (reach_of n st) said && check_closed n (reach_of n st) K
  end.

(** Parts of the processes below [n], two or more, none empty, each process in one; no closed channel joins two. *)
Definition check_parts (n : nat) (closed : list (proc * proc)) (parts : list (list proc)) : bool :=
  (2 <=? length parts) && forallb (fun part => 0 <? length part) parts && (length (concat parts) =? n) &&
  forallb (fun k => existsb (Nat.eqb k) (concat parts)) (seq 0 n) &&
  forallb (fun c => forallb (fun part =>
    Bool.eqb (existsb (Nat.eqb (fst c)) part) (existsb (Nat.eqb (snd c)) part)) parts) closed.
