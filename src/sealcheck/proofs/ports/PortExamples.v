(** * Ports: an example

    Process 0 sends a job, process 1 receives it from any source; and once more.  In any order the second job can be
    taken first, so the two rounds do not stay apart; in the order of sending they do.  The example also shows that the
    hypotheses of [tagged_layers_apart] can be met.

    The theorems are [jobs_do_not_stay_apart] and [jobs_in_order_stay_apart].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool Classical.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortPrograms.
Open Scope nat_scope.

Definition job := [TSend 0 1 0; TRecv 1 None 0].
Definition jobs := program_of (concat [job; job]).
Definition round := layer_in [job; job].
Definition jobs_port : tagged_port := (1, None, 0).

Lemma jobs_events e : In e (events jobs) <-> e = (0, 0) \/ e = (0, 1) \/ e = (1, 0) \/ e = (1, 1).
Proof.
  assert (E : events jobs = [(0, 0); (0, 1); (1, 0); (1, 1)]) by reflexivity.
  rewrite E. simpl. intuition.
Qed.

(** Both jobs are sent, and process 1 takes the second one. *)
Theorem jobs_do_not_stay_apart : ~ stay_apart_over_ports jobs round (fun _ => False).
Proof.
  intro A. assert (R0 : runs jobs (fun _ => False) []) by constructor.
  assert (R1 : runs jobs (fun _ => False) [Does (0, 0)]).
  { refine (run_does jobs _ _ 0 (Put jobs_port) R0 _ _); [reflexivity|discriminate]. }
  assert (R2 : runs jobs (fun _ => False) [Does (0, 1); Does (0, 0)]).
  { refine (run_does jobs _ _ 0 (Put jobs_port) R1 _ _); [reflexivity|discriminate]. }
  assert (R3 : runs jobs (fun _ => False) [Receives (1, 0) (0, 1); Does (0, 1); Does (0, 0)]).
  { refine (run_receives jobs _ _ 1 jobs_port (0, 1) R2 _ _ _); [reflexivity| |contradiction].
    split; [reflexivity|split; [apply insideb_spec; reflexivity|]]. intros e [H|[H|[]]]; discriminate. }
  specialize (A _ R3 (1, 0) (0, 1) (or_introl eq_refl)). discriminate.
Qed.

(** Each round has one send and one receive. *)
Lemma jobs_balanced : balanced_layers jobs round.
Proof.
  intros n p. assert (Ev : events jobs = [(0, 0); (0, 1); (1, 0); (1, 1)]) by reflexivity. rewrite Ev.
  assert (Put_ : forall e q, action (exact jobs round) e = Some (Put q) ->
    In e [(0, 0); (0, 1); (1, 0); (1, 1)] -> q = (0, jobs_port) \/ q = (1, jobs_port)).
  { intros e q A [<-|[<-|[<-|[<-|[]]]]]; vm_compute in A; try discriminate;
      injection A as <-; auto. }
  assert (Take_ : forall e q, action (exact jobs round) e = Some (Take q) ->
    In e [(0, 0); (0, 1); (1, 0); (1, 1)] -> q = (0, jobs_port) \/ q = (1, jobs_port)).
  { intros e q A [<-|[<-|[<-|[<-|[]]]]]; vm_compute in A; try discriminate;
      injection A as <-; auto. }
  destruct (classic ((n, p) = (0, jobs_port) \/ (n, p) = (1, jobs_port))) as [[-> | ->]|N]; [reflexivity..|].
  assert (None : forall (f : event -> bool) m, (forall e, In e m -> f e <> true) -> length (filter f m) = 0).
  { intros f m. induction m as [|e m IH]; simpl; auto. intro H. destruct (f e) eqn:F; [|now apply IH; auto].
    now contradiction (H e (or_introl eq_refl)). }
  rewrite !None; auto.
  - intros e I T. apply is_take_spec in T. now apply N, (Take_ e).
  - intros e I T. apply is_put_spec in T. now apply N, (Put_ e).
Qed.

(** No round deadlocks. *)
Lemma jobs_complete : complete jobs round.
Proof.
  exists (fun i => if i <? 2 then 2 else 0). split.
  - set (X := exact jobs round).
    assert (Go : forall c i d, reached X (fun _ => False) c -> ready X c (i, c i) -> ceq d (bump c i) ->
      reached X (fun _ => False) d) by (intros c i d R A E; now apply reached_next with c i).
    assert (R0 : reached X (fun _ => False) (fun _ => 0)) by now apply reached_start.
    assert (R1 : reached X (fun _ => False) (bump (fun _ => 0) 0)).
    { apply (Go _ 0 _ R0); [exact I|intro; reflexivity]. }
    assert (R2 : reached X (fun _ => False) (bump (bump (fun _ => 0) 0) 0)).
    { apply (Go _ 0 _ R1); [exact I|intro; reflexivity]. }
    assert (R3 : reached X (fun _ => False) (bump (bump (bump (fun _ => 0) 0) 0) 1)).
    { apply (Go _ 1 _ R2); [apply Nat.ltb_lt; reflexivity|intro; reflexivity]. }
    apply (Go _ 1 _ R3); [apply Nat.ltb_lt; reflexivity|].
    intros [|[|i]]; reflexivity.
  - intros e I. apply jobs_events in I as [->|[->|[->| ->]]]; apply insideb_spec; reflexivity.
Qed.

(** If the port keeps the order of its only sender, the rounds stay apart. *)
Theorem jobs_in_order_stay_apart : stay_apart_over_ports jobs round (fun _ => True).
Proof.
  apply (tagged_layers_apart [job; job] (fun _ => True)); [exact jobs_balanced|exact jobs_complete| |tauto].
  assert (Zero : forall p s, action jobs s = Some (Put p) -> fst s = 0).
  { intros p s A. pose proof (is_event jobs s _ A) as I. apply jobs_events in I as [->|[->|[->| ->]]]; auto;
      vm_compute in A; discriminate. }
  intros p _ s s' A A'. now rewrite (Zero p s A), (Zero p s' A').
Qed.
