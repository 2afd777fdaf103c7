(** * Sends and receives with tags, as programs over ports

    A send names its receiver and a tag, a receive its tag and perhaps the sender.  If any receive of a process with a
    tag is from any source, all messages to it with this tag wait in one port; otherwise each sender has a port of its
    own.  Receives that name a sender may not share a tag with one from any source ([no_overlap]).  Then a receive
    accepts exactly the messages of its port.

    The theorems are [accepts_iff_same_port] and [tagged_layers_apart].  None of them belongs to the ledger. *)

From Coq Require Import List Arith Lia PeanoNat Bool.
Import ListNotations.
From Sealcheck Require Import Definitions Ports PortLayers.
Open Scope nat_scope.

(** ** Sends and receives *)

Inductive tagged_act :=
| TSend (i j : proc) (tag : nat)
| TRecv (j : proc) (from : option proc) (tag : nat)
| TInt (i : proc).

Definition tagged_actor (a : tagged_act) := match a with TSend i _ _ => i | TRecv j _ _ => j | TInt i => i end.
Definition tagged_share (i : proc) (l : list tagged_act) := filter (fun a => tagged_actor a =? i) l.

Lemma share_app i l l' : tagged_share i (l ++ l') = tagged_share i l ++ tagged_share i l'.
Proof. apply filter_app. Qed.

(** Which messages a receive accepts: those to its process with its tag, of its sender or of any. *)
Definition accepts (receive send : tagged_act) := match receive, send with
  | TRecv j from t, TSend i j' t' => j' = j /\ t' = t /\ (from = None \/ from = Some i)
  | _, _ => False
  end.

(** No process receives a tag both from any source and from a sender that it names. *)
Definition no_overlap (l : list tagged_act) := forall j i t, In (TRecv j None t) l -> ~ In (TRecv j (Some i) t) l.

(** ** Ports *)

(** A port has a reader, a sender or none if it is for all, and a tag. *)
Definition tagged_port := (proc * option proc * nat)%type.
Definition tagged_port_dec (p q : tagged_port) : {p = q} + {p <> q}.
Proof. repeat decide equality. Defined.

Definition from_any (l : list tagged_act) (j : proc) (t : nat) := existsb (fun a => match a with
  | TRecv j' None t' => (j' =? j) && (t' =? t) | _ => false end) l.

(** What an action of the program [l] does to a port. *)
Definition on_port (l : list tagged_act) (a : tagged_act) : port_action tagged_port := match a with
  | TSend i j t => Put (j, if from_any l j t then None else Some i, t)
  | TRecv j from t => Take (j, from, t)
  | TInt _ => Inner
  end.

Lemma from_any_spec l j t : from_any l j t = true <-> In (TRecv j None t) l.
Proof.
  unfold from_any. rewrite existsb_exists. split.
  - intros ([|j' [i|] t'|] & I & E); try discriminate. apply andb_true_iff in E as [A B].
    apply Nat.eqb_eq in A, B. now subst.
  - intro I. exists (TRecv j None t). now rewrite !Nat.eqb_refl.
Qed.

(** A receive accepts exactly the messages that are put into its port. *)
Theorem accepts_iff_same_port : forall l, no_overlap l -> forall j from t i j' t', In (TRecv j from t) l ->
  accepts (TRecv j from t) (TSend i j' t') <-> on_port l (TSend i j' t') = Put (j, from, t).
Proof.
  intros l N j from t i j' t' I. simpl. split.
  - intros (-> & -> & [-> | ->]).
    + apply from_any_spec in I. now rewrite I.
    + destruct (from_any l j t) eqn:F; auto. apply from_any_spec in F. now apply N in I.
  - intro E. injection E as -> F ->. destruct (from_any l j t); auto.
Qed.

(** ** The program over ports *)

Definition event_dec (x y : event) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.
Definition tagged_events (l : list tagged_act) : list event := nodup event_dec
  (flat_map (fun i => map (pair i) (seq 0 (length (tagged_share i l)))) (map tagged_actor l)).

(** The events of the program [l], over the ports of the program [all]: [l] may be a part of it. *)
Definition tagged_action (all l : list tagged_act) (e : event) :=
  option_map (on_port all) (nth_error (tagged_share (fst e) l) (snd e)).

Lemma tagged_all_events all l e : In e (tagged_events l) <-> tagged_action all l e <> None.
Proof.
  destruct e as [i k]. unfold tagged_events, tagged_action. simpl. rewrite nodup_In, in_flat_map.
  assert (E : option_map (on_port all) (nth_error (tagged_share i l) k) <> None <-> k < length (tagged_share i l)).
  { rewrite <- nth_error_Some. destruct (nth_error (tagged_share i l) k); simpl; split; congruence. }
  rewrite E. split.
  - intros (i' & _ & I). apply in_map_iff in I as (k' & Q & I). injection Q as -> ->. apply in_seq in I. lia.
  - intro L. exists i. split; [|apply in_map, in_seq; lia].
    destruct (nth_error (tagged_share i l) k) as [a|] eqn:A; [|apply nth_error_None in A; lia].
    apply nth_error_In, filter_In in A as [A F]. apply Nat.eqb_eq in F. rewrite <- F. now apply in_map.
Qed.

Lemma tagged_reader all l e p : tagged_action all l e = Some (Take p) -> fst e = fst (fst p).
Proof.
  unfold tagged_action. destruct (nth_error (tagged_share (fst e) l) (snd e)) as [a|] eqn:A; [|discriminate].
  apply nth_error_In, filter_In in A as [_ F]. apply Nat.eqb_eq in F. simpl.
  destruct a; simpl in *; intro E; try discriminate. injection E as <-. auto.
Qed.

Definition program_over (all l : list tagged_act) : program tagged_port := {|
  action := tagged_action all l;
  events := tagged_events l;
  all_events := tagged_all_events all l;
  no_duplicates := NoDup_nodup _ _;
  port_dec := tagged_port_dec;
  one_reader := fun e e' p A A' => eq_trans (tagged_reader all l e p A) (eq_sym (tagged_reader all l e' p A'))
|}.
Definition program_of (l : list tagged_act) := program_over l l.

(** ** Layers one after the other *)

(** The number of the layer, from 0, that event [k] of process [i] is in. *)
Fixpoint layer_at (ls : list (list tagged_act)) (i k : nat) : nat := match ls with
  | [] => 0
  | l :: ls => if k <? length (tagged_share i l) then 0 else S (layer_at ls i (k - length (tagged_share i l)))
  end.
Definition layer_in (ls : list (list tagged_act)) (e : event) := layer_at ls (fst e) (snd e).

Lemma layer_at_mono ls i : forall k k', k <= k' -> layer_at ls i k <= layer_at ls i k'.
Proof.
  induction ls as [|l ls IH]; intros k k' L; simpl; auto. destruct (Nat.ltb_spec k (length (tagged_share i l))); [lia|].
  destruct (Nat.ltb_spec k' (length (tagged_share i l))); [lia|]. apply le_n_S, IH. lia.
Qed.

Lemma layers_in_sequence ls : in_sequence (program_of (concat ls)) (layer_in ls).
Proof. intros i k k' L _ _. now apply layer_at_mono. Qed.

(** [layers_over_ports_apart] for layers with tags. *)
Theorem tagged_layers_apart : forall ls (ordered : tagged_port -> Prop),
  let P := program_of (concat ls) in let layer := layer_in ls in
  balanced_layers P layer -> complete P layer -> (forall p, ordered p -> one_sender P p) ->
  stay_apart_over_ports P layer ordered <-> forall p r s w, ~ ordered p -> last_take P layer r p ->
    action P s = Some (Put p) -> layer r < layer s -> without (exact P layer) r w -> ~ inside w s.
Proof. intros ls ordered P layer B C O. apply layers_over_ports_apart; auto. apply layers_in_sequence. Qed.
