(** * th:sealability, repaired

    "Let P be a BSL.  Then P can be sealed properly in Rel iff C_P^ud is connected."

    C_P^ud joins processes by the channels that P closes.  That is too narrow: a process may have heard from others
    that its channel is safe (see [sealability_as_printed_fails] in [ExamplesSeals]).  Repaired: parts are joined
    by bridges ([joined] in [Knowledge]): a channel i->j from one part to another of which some process of the first
    part knows, at the end of P, that P's last receive has happened.  P can be sealed exactly if that joins all
    processes.

    Theorems of the ledger: [sealability]. *)

From Coq Require Import List Arith Lia Relations PeanoNat Bool ZArith Permutation Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Runs StraightLine SealingByCausality Knowledge Messages Prefix Teaching.
Open Scope nat_scope.

(** [S] is a balanced straight-line program, with messages among [n] processes, that does not deadlock after [p], and
    seals [P]. *)
Definition proper_seal (n : nat) (P : prog) (p : list act) (S : prog) (s : list act) :=
  acts S = Some s /\ balanced s /\ within n s /\ nofself (p ++ s) /\ dead_free (p ++ s) /\ Seals RelNS S P.

(** The program that transmits these messages; their values do not matter. *)
Definition transmitting (ms : list message) : prog :=
  fold_right (fun m rest => Lay (mt (fst m) (snd m) (fun _ => 0%Z)) rest) Eps ms.

Lemma transmitting_acts ms : acts (transmitting ms) = Some (transmissions ms).
Proof. induction ms as [|m ms IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Section Sealability.
Variables (n : nat) (P : prog) (p : list act).
Hypotheses (HP : acts P = Some p) (Bp : balanced p) (Np : nofself p) (Wp : within n p) (Dp : dead_free p).

(** _A seal of so many messages exists exactly if so many messages seal what is known_. *)
Theorem seals_and_messages m :
  (exists S s, proper_seal n P p S s /\ messages s = m) <->
  (exists ms, sealed_by n (learnt p) ms /\ length ms = m).
Proof.
  split.
  - intros (S & s & (HS & Bs & Ws & Ns & Ds & Se) & <-).
    apply (sealing_is_causality P S p s) in Se; auto.
    apply (messages_of_seal n p s); auto. now apply nofself_app in Ns.
  - intros (ms & Seal & <-). destruct (seal_of_messages n p Bp Np Dp ms Wp Seal) as (Bs & Ws & Ns & Ds & Cov).
    exists (transmitting ms), (transmissions ms). split; [|apply messages_transmissions].
    pose proof (transmitting_acts ms) as HS. repeat split; auto.
    now apply (sealing_is_causality P (transmitting ms) p (transmissions ms)).
Qed.

(** One process is always sealed. *)
Lemma one_process : n = 1 -> one_block n (learnt p) /\ sealed_by n (learnt p) [].
Proof.
  intros ->. split.
  - exists [0]. split; [constructor|reflexivity].
  - split; [exact I|]. intros i j Hi Hj N. exfalso. lia.
Qed.

End Sealability.

(** _Sealability, repaired_. *)
Theorem sealability : forall n P p, BSL n P p -> 1 <= n ->
  ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof.
  intros n P p [HP B N W D] N1. pose proof (seals_and_messages n P p HP B N W D) as M. split.
  - intros (S & s & H). destruct (proj1 (M (messages s))) as (ms & Seal & _).
    + exists S, s. auto.
    + apply sealed_one_block with ms; auto.
  - intro Bl. assert (E : exists ms, sealed_by n (learnt p) ms).
    { destruct (Nat.eq_dec n 1) as [E|Ne]; [exists []; now apply one_process|].
      apply sealed_iff_one_block; [lia|apply learnt_own|exact Bl]. }
    destruct E as (ms & Seal). destruct (proj2 (M (length ms))) as (S & s & H & _).
    + exists ms; auto.
    + exists S, s; auto.
Qed.
