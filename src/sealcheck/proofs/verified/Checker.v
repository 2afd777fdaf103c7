(** * What the program asks and checks

    The functions that the program `sealcheck-verified` calls, and nothing else: questions, and the rows of certified
    tables.  [None] and [false] promise nothing; what the other answers promise is proved in [CheckerCorrect]. *)

From Coq Require Import List Arith Bool.
Import ListNotations.
From Sealcheck Require Import Definitions CausalPast Decider KnowledgeDecider Certificates LowerBound.
Open Scope nat_scope.

(** The channels of P, open or not, on which a later message can be received in P. *)
Definition find_open (n : nat) (p : list act) : option (list (proc * proc)) :=
  if is_program n p then Some (open_channels n p) else None.

(** A row that says that Q seals P, with its chains. *)
Definition check_seals (n : nat) (p q : list act) (chains : list (list event)) : bool :=
  is_composable n p q && check_chains n p q chains.

(** A row that says that Q does not seal P, with a run of P;Q;later. *)
Definition check_breaks (n : nat) (p q later : list act) (order : list event) (m : list (event * event))
    (e : event) : bool :=
  is_composable n p q && run_shows n p (q ++ later) order m e.

(** The open channels that a row gives. *)
Definition check_open (n : nat) (p : list act) (channels : list (proc * proc)) : bool :=
  is_program n p && forallb (fun c => mem c channels) (open_channels n p) &&
  forallb (fun c => mem c (open_channels n p)) channels.

Definition is_sending (a : act) : bool := match a with ASend _ _ => true | _ => false end.

(** A row that says that P can be sealed by [m] messages and by no fewer: a seal with its chains, and states. *)
Definition check_sealable (n : nat) (p : list act) (channels : list (proc * proc)) (s : list act)
    (chains : list (list event)) (m : nat) (states : list (nat * knowledge_lists)) : bool :=
  check_open n p channels && check_seals n p s chains && (length (filter is_sending s) =? m) &&
  check_minimum n p m states.

(** A row that says that nothing seals P, with knowledge to which nothing adds. *)
Definition check_unsealable (n : nat) (p : list act) (channels : list (proc * proc)) (K : knowledge_lists) : bool :=
  check_open n p channels && check_closed n p K.
