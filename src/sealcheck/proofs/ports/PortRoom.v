(** * How many messages wait in a port

    If receives heed tags that say which layer a message is of, how many messages, early ones included, can wait in a
    port at once?  The most wait while the port's reader is at one of its events and everybody else goes on as far as
    possible: all that can be sent without that event, less what the reader took before it.  So room for k messages is
    enough exactly if it is in all these cases.  [algorithms/mending/over_ports.py] looks for the largest of these
    numbers.

    The theorem is [room_suffices].  It does not belong to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers PortFaults PortFaultLayers.
Open Scope nat_scope.

Section Room.
Context {port : Type} (P : program port) (layer : event -> nat) (G : port -> guarantee).
Notation E := (exact P layer).
Notation X := (relaxed (exact P layer) (exact_guarantee G)).

(** At most [k] messages were put into the port and not taken, up to a cut.  Those that were lost count as well. *)
Definition has_room (p : port) (k : nat) (c : cut) := puts P p c <= k + takes P p c.

Lemma puts_ceq p c d : ceq c d -> puts P p c = puts P p d.
Proof. intro Q. apply Nat.le_antisymm; apply puts_mono; intro i; rewrite (Q i); lia. Qed.

(** Room for [k] messages is enough in all runs exactly if it is enough where the port's reader [i] is held at one of
  its
    events, or has come to its end, and the others have gone on as far as they get. *)
Theorem room_suffices : forall p i, (forall e, action P e = Some (Take p) -> fst e = i) -> forall k,
  (forall lost h, faulty_runs E (exact_guarantee G) lost h -> has_room p k (done h)) <->
  (forall e w, fst e = i -> without X e w -> has_room p k w).
Proof.
  intros p i Reader k.
  assert (Takes : forall c d, c i = d i -> takes P p c <= takes P p d).
  { intros c d Q. apply filter_more. intros e _. rewrite !andb_true_iff, !insideb_spec. intros [I T]. split; auto.
    apply is_take_spec, Reader in T. unfold inside in *. rewrite T in *. lia. }
  split.
  - intros Room e w _ [R _].
    destruct (extends_to E (exact_guarantee G) (fun _ => True) (eq e) w R) with (h := @nil move)
      as (h & Rh & _ & D); [|constructor|exact I|intro; unfold done; simpl; lia|].
    + intros h j Rh _ _ _ Ready. destruct (takes_step E (exact_guarantee G) h j Rh Ready) as (m & Em & Rm). eauto.
    + specialize (Room [] h Rh). unfold has_room in *. rewrite <- (puts_ceq p _ _ D).
      pose proof (Takes (done h) w (D i)). lia.
  - intros Room lost h R. destruct (without_exists X (i, done h i)) as [w W]. pose proof W as [Rw Sw].
    specialize (Room (i, done h i) w eq_refl W). unfold has_room in *.
    assert (Le : cle (done h) w).
    { apply (without_greatest X (eq (i, done h i))); auto. apply (faulty_reaches E (exact_guarantee G) _ lost); auto.
      intros e H <-. apply (faulty_inside E (exact_guarantee G) lost h R) in H. unfold inside in H. simpl in H. lia. }
    assert (Q : w i = done h i).
    { pose proof (not_itself X _ _ (i, done h i) Rw eq_refl) as N. unfold inside in N. simpl in N.
      specialize (Le i). lia. }
    pose proof (Takes w (done h) Q). pose proof (puts_mono P p _ _ Le). lia.
Qed.
End Room.
