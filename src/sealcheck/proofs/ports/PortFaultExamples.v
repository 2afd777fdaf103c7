(** * Ports with faults: examples

    The jobs of [PortExamples], on a port that keeps order but may lose messages: the second job overtakes the first,
    which is lost.  On a port that copies, the second round takes a copy of the first job.

    Processes 0 and 1 send to process 2, which receives from any source; then 0 sends once more.  Though the messages of
    each sender come in order, the first layer can take both of 0's, and leave that of 1 to the second layer.

    The theorems are [jobs_do_not_stay_apart_if_lost], [jobs_do_not_stay_apart_if_copied] and
    [order_of_two_senders_is_not_enough].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms PortExamples PortFaults PortFaultLayers.
Open Scope nat_scope.

Definition lossy_in_order (p : tagged_port) := {| keeps_order := true; may_lose := true; may_copy := false |}.
Definition copies_made (p : tagged_port) := {| keeps_order := false; may_lose := false; may_copy := true |}.
Definition in_order_of_senders (p : tagged_port) := {| keeps_order := true; may_lose := false; may_copy := false |}.

(** A process sends to a port. *)
Lemma faulty_sends {P G lost h} i p : faulty_runs P G lost h -> action P (i, done h i) = Some (@Put tagged_port p) ->
  faulty_runs P G lost (Does (i, done h i) :: h).
Proof. intros R A. apply faulty_does with (Put p); auto. discriminate. Qed.

(** The first job is lost. *)
Theorem jobs_do_not_stay_apart_if_lost : ~ apart_with_faults jobs round lossy_in_order.
Proof.
  intro H. pose proof (faulty_starts jobs lossy_in_order) as R.
  apply (faulty_sends 0 jobs_port) in R; [|reflexivity].
  apply (faulty_sends 0 jobs_port) in R; [|reflexivity]. cbn in R.
  assert (R1 : faulty_runs jobs lossy_in_order [(0, 0)] [Does (0, 1); Does (0, 0)]).
  { apply faulty_loses with jobs_port; auto. split; [reflexivity|split; [apply insideb_spec; reflexivity|]].
    split; [intros []|]. right. intros e [I|[I|[]]]; discriminate. }
  assert (R2 : faulty_runs jobs lossy_in_order [(0, 0)] [Receives (1, 0) (0, 1); Does (0, 1); Does (0, 0)]).
  { refine (faulty_receives jobs lossy_in_order _ _ 1 jobs_port (0, 1) R1 _ _ _); [reflexivity| |].
    - split; [reflexivity|split; [apply insideb_spec; reflexivity|]]. split; [intros [E|[]]; discriminate|].
      right. intros e [I|[I|[]]]; discriminate.
    - intros _ _ [i k] (A & I & N & _) F. simpl in *. subst i. destruct k; [|lia]. now contradiction N; left. }
  specialize (H _ _ R2 (1, 0) (0, 1) (or_introl eq_refl)). discriminate.
Qed.

(** The first job is received twice. *)
Theorem jobs_do_not_stay_apart_if_copied : ~ apart_with_faults jobs round copies_made.
Proof.
  intro H. pose proof (faulty_starts jobs copies_made) as R.
  apply (faulty_sends 0 jobs_port) in R; [|reflexivity]. cbn in R.
  assert (Has : forall h, inside (done h) (0, 0) -> available jobs copies_made [] h jobs_port (0, 0)).
  { intros h I. split; [reflexivity|split; [exact I|split; [intros []|now left]]]. }
  assert (R1 : faulty_runs jobs copies_made [] [Receives (1, 0) (0, 0); Does (0, 0)]).
  { refine (faulty_receives jobs copies_made _ _ 1 jobs_port (0, 0) R _ _ _); [reflexivity| |discriminate].
    apply Has, insideb_spec. reflexivity. }
  assert (R2 : faulty_runs jobs copies_made [] [Receives (1, 1) (0, 0); Receives (1, 0) (0, 0); Does (0, 0)]).
  { refine (faulty_receives jobs copies_made _ _ 1 jobs_port (0, 0) R1 _ _ _); [reflexivity| |discriminate].
    apply Has, insideb_spec. reflexivity. }
  specialize (H _ _ R2 (1, 1) (0, 0) (or_introl eq_refl)). discriminate.
Qed.

(** Two senders to one port, then one of them again. *)
Definition from_two := [TSend 0 2 0; TSend 1 2 0; TRecv 2 None 0; TRecv 2 None 0].
Definition from_one := [TSend 0 2 0; TRecv 2 None 0].
Definition two_then_one := program_of (concat [from_two; from_one]).
Definition any_to_two : tagged_port := (2, None, 0).

Theorem order_of_two_senders_is_not_enough :
  ~ apart_with_faults two_then_one (layer_in [from_two; from_one]) in_order_of_senders.
Proof.
  intro H. pose proof (faulty_starts two_then_one in_order_of_senders) as R.
  apply (faulty_sends 0 any_to_two) in R; [|reflexivity].
  apply (faulty_sends 0 any_to_two) in R; [|reflexivity]. cbn in R.
  assert (R1 : faulty_runs two_then_one in_order_of_senders [] [Receives (2, 0) (0, 0); Does (0, 1); Does (0, 0)]).
  { refine (faulty_receives two_then_one in_order_of_senders _ _ 2 any_to_two (0, 0) R _ _ _); [reflexivity| |].
    - split; [reflexivity|split; [apply insideb_spec; reflexivity|split; [intros []|]]].
      right. intros e [I|[I|[]]]; discriminate.
    - intros _ _ s _ _. simpl. lia. }
  assert (R2 : faulty_runs two_then_one in_order_of_senders []
    [Receives (2, 1) (0, 1); Receives (2, 0) (0, 0); Does (0, 1); Does (0, 0)]).
  { refine (faulty_receives two_then_one in_order_of_senders _ _ 2 any_to_two (0, 1) R1 _ _ _); [reflexivity| |].
    - split; [reflexivity|split; [apply insideb_spec; reflexivity|split; [intros []|]]].
      right. intros e [I|[I|[I|[]]]]; discriminate.
    - intros _ _ [i k] (_ & _ & _ & [C|N]) F; [discriminate|]. simpl in *. subst i. destruct k; [|lia].
      exfalso. apply (N (2, 0)). now left. }
  specialize (H _ _ R2 (2, 1) (0, 1) (or_introl eq_refl)). discriminate.
Qed.
