(** * The paper's language, with variables

    "A local state (for process i) is a mapping from Var_i to values": in Definitions.v it is the history, and
    expressions are any functions of that.  Here expressions are over variables, as in the paper, and read nothing else;
    each definition stands again below the sentence of the paper that it renders.

    What it abstracts from: variables are numbers, the same for every process; an operation of an arithmetic expression
    is any function of two values; cuts are finite, and so is repetition. *)

From Coq Require Import List Arith Lia PeanoNat Bool ZArith.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence TccImpossibility.
Open Scope nat_scope.

(** ** Definitions *)

Notation var := nat (only parsing).
Definition state := var -> value.

(** "f[a |-> b]: the function that agrees with f on everything but a, and maps a to b", and equality of states. *)
Definition set (s : state) (x : var) (v : value) : state := fun y => if y =? x then v else s y.
Definition same (s s' : state) := forall x, s x = s' x.

(** "Let Expr_i be the set of arithmetic expressions over Var_i.  Let L be propositional logic over atoms formed from
    expressions with equality = and less-than <." *)
Inductive aexp := Var (x : var) | Const (v : value) | Op (f : value -> value -> value) (a b : aexp).
Inductive vformula :=
| VEqual (i : proc) (e : aexp) (j : proc) (f : aexp)
| VLess (i : proc) (e : aexp) (j : proc) (f : aexp)
| VNot (g : vformula)
| VAnd (g h : vformula).
Fixpoint eval (e : aexp) (s : state) : value := match e with
  | Var x => s x
  | Const v => v
  | Op f a b => f (eval a s) (eval b s)
  end.

(** "P ::= eps | x := e | snd i->j e | rcv j<-i x | [phi] | cut | P . P | P + P | P*" *)
Inductive vprog :=
| VEps
| VAssign (i : proc) (x : var) (e : aexp)
| VSend (i j : proc) (e : aexp)
| VRecv (j i : proc) (x : var)
| VGuard (g : vformula)
| VChop
| VLay (p q : vprog)
| VChoice (p q : vprog)
| VStar (p : vprog).

(** "A local run (for process i) is an infinite sequence of local states": [states r i k] is that of [i] before its
    event [k].  The history is what the run says of sends and receives.  Nothing is asked of the states, which are only
    looked at where a program occurs. *)
Record vrun := { base :> run; states : proc -> nat -> state }.

(** "Let {1..n} be a set of processes": those below [n], and only they send and receive, to and from each other; no
    process sends to itself. *)
Definition runs_of (n : nat) (r : vrun) := RelNS r /\ run_among n r.

Fixpoint vholds (r : vrun) (c : cut) (g : vformula) : Prop := match g with
  | VEqual i e j f => eval e (states r i (c i)) = eval f (states r j (c j))
  | VLess i e j f => (eval e (states r i (c i)) < eval f (states r j (c j)))%Z
  | VNot g => ~ vholds r c g
  | VAnd g h => vholds r c g /\ vholds r c h
  end.

(** "Program P occurs over interval r[c,d] iff:" - clause by clause in the order of the paper. *)
Inductive voccurs (r : vrun) : cut -> vprog -> cut -> Prop :=
| V_eps c d : ceq c d -> voccurs r c VEps d
| V_asg c d i x e : ceq d (bump c i) -> lab r i (c i) = Int ->
    same (states r i (d i)) (set (states r i (c i)) x (eval e (states r i (c i)))) -> voccurs r c (VAssign i x e) d
| V_snd c d i j e : ceq d (bump c i) -> lab r i (c i) = Snd j -> val r (i, c i) = eval e (states r i (c i)) ->
    same (states r i (d i)) (states r i (c i)) -> voccurs r c (VSend i j e) d
| V_rcv c d i j x : ceq d (bump c j) -> lab r j (c j) = Rcv i ->
    same (states r j (d j)) (set (states r j (c j)) x (val r (j, c j))) -> voccurs r c (VRecv j i x) d
| V_grd c d g : ceq c d -> vholds r c g -> voccurs r c (VGuard g) d
| V_chop c d : ceq c d -> silent r c -> voccurs r c VChop d
| V_lay c m d p q : voccurs r c p m -> voccurs r m q d -> voccurs r c (VLay p q) d
| V_ch1 c d p q : voccurs r c p d -> voccurs r c (VChoice p q) d
| V_ch2 c d p q : voccurs r c q d -> voccurs r c (VChoice p q) d
| V_st0 c d p : ceq c d -> voccurs r c (VStar p) d
| V_st1 c m d p : voccurs r c p m -> voccurs r m (VStar p) d -> voccurs r c (VStar p) d.

(** "P refines Q in G iff r[c,d] |- P implies r[c,d] |- Q, for all r in G and cuts c, d." *)
Definition vrefines (G : vrun -> Prop) (p q : vprog) :=
  forall r c d, G r -> voccurs r c p d -> voccurs r c q d.

(** "Program B is a barrier in G if cut P . B . Q  refines  P cut B cut Q, for all P, Q." *)
Definition VBarrier (G : vrun -> Prop) (b : vprog) := forall p q,
  vrefines G (VLay VChop (VLay p (VLay b q))) (VLay p (VLay VChop (VLay b (VLay VChop q)))).

(** A path of a program is what remains once choices and repetitions are settled. *)
Inductive path_of : vprog -> list vprog -> Prop :=
| Q_eps : path_of VEps []
| Q_asg i x e : path_of (VAssign i x e) [VAssign i x e]
| Q_snd i j e : path_of (VSend i j e) [VSend i j e]
| Q_rcv j i x : path_of (VRecv j i x) [VRecv j i x]
| Q_grd g : path_of (VGuard g) [VGuard g]
| Q_chop : path_of VChop [VChop]
| Q_lay p q k l : path_of p k -> path_of q l -> path_of (VLay p q) (k ++ l)
| Q_ch1 p q l : path_of p l -> path_of (VChoice p q) l
| Q_ch2 p q l : path_of q l -> path_of (VChoice p q) l
| Q_st0 p : path_of (VStar p) []
| Q_st1 p k l : path_of p k -> path_of (VStar p) l -> path_of (VStar p) (k ++ l).

(** A path as a program. *)
Definition vsequence (l : list vprog) : vprog := fold_right VLay VEps l.

(** There is a silent cut on the path, and no send or receive before the first one or after the last one. *)
Definition talks (p : vprog) : Prop := match p with VSend _ _ _ | VRecv _ _ _ => True | _ => False end.
Definition closed_path (l : list vprog) := In VChop l /\ forall before after, l = before ++ VChop :: after ->
  (~ In VChop before -> forall p, In p before -> ~ talks p) /\ (~ In VChop after -> forall p, In p after -> ~ talks p).

(** ** Lemmas *)

Lemma same_refl s : same s s. Proof. intro x; reflexivity. Qed.
Lemma same_sym s s' : same s s' -> same s' s. Proof. intros H x; symmetry; apply H. Qed.
Lemma same_trans s t u : same s t -> same t u -> same s u. Proof. intros H K x; rewrite H; apply K. Qed.
Lemma set_same s s' x v : same s s' -> same (set s x v) (set s' x v).
Proof. intros H y. unfold set. now rewrite H. Qed.
Lemma set_back s x v : same (set (set s x v) x (s x)) s.
Proof. intro y. unfold set. destruct (y =? x) eqn:E; auto. apply Nat.eqb_eq in E. now subst. Qed.
Lemma eval_same e s s' : same s s' -> eval e s = eval e s'.
Proof. intro H. induction e; simpl; congruence. Qed.
Lemma vholds_same r r' c c' g : (forall i, same (states r i (c i)) (states r' i (c' i))) ->
  (vholds r c g <-> vholds r' c' g).
Proof. intro H. induction g; simpl; rewrite ?(eval_same _ _ _ (H i)), ?(eval_same _ _ _ (H j)); tauto. Qed.

(** Programs do not tell equal cuts apart. *)
Lemma bump_ceq c c' d d' i : ceq d (bump c i) -> ceq c c' -> ceq d d' -> ceq d' (bump c' i).
Proof. intros E Ec Ed k. rewrite <- (Ed k), (E k). unfold bump. now rewrite (Ec k). Qed.
Lemma voccurs_ceq r c p d : voccurs r c p d -> forall c' d', ceq c c' -> ceq d d' -> voccurs r c' p d'.
Proof.
  induction 1; intros c' d' Ec Ed; pose proof (ceq_sym _ _ Ec) as Ec'.
  - constructor. eauto using ceq_trans.
  - constructor; [eapply bump_ceq; eauto|..]; rewrite <- (Ec i), <- ?(Ed i); auto.
  - constructor; [eapply bump_ceq; eauto|..]; rewrite <- (Ec i), <- ?(Ed i); auto.
  - constructor; [eapply bump_ceq; eauto|..]; rewrite <- (Ec j), <- ?(Ed j); auto.
  - constructor; [eauto using ceq_trans|]. apply (vholds_same r r c c'); auto. intro k. rewrite (Ec k). apply same_refl.
  - constructor; [eauto using ceq_trans|]. now apply (silent_ceq r c c').
  - apply V_lay with m; [apply IHvoccurs1|apply IHvoccurs2]; auto using ceq_refl.
  - apply V_ch1; auto.
  - apply V_ch2; auto.
  - apply V_st0. eauto using ceq_trans.
  - apply V_st1 with m; [apply IHvoccurs1|apply IHvoccurs2]; auto using ceq_refl.
Qed.

Lemma bump_le c d i : ceq d (bump c i) -> cle c d.
Proof. intros E k. rewrite (E k). unfold bump. destruct (k =? i); auto. Qed.
Lemma bump_at c d i : ceq d (bump c i) -> d i = S (c i).
Proof. intro E. rewrite (E i). unfold bump. now rewrite Nat.eqb_refl. Qed.
Lemma ceq_le c d : ceq c d -> cle c d. Proof. intros E k. now rewrite (E k). Qed.
Lemma cle_trans a b c : cle a b -> cle b c -> cle a c.
Proof. intros H K k. specialize (H k); specialize (K k); lia. Qed.
Lemma voccurs_le r c p d : voccurs r c p d -> cle c d.
Proof. induction 1; eauto using bump_le, ceq_le, cle_trans. Qed.

Lemma vlay_iff r c p q d : voccurs r c (VLay p q) d <-> exists m, voccurs r c p m /\ voccurs r m q d.
Proof. split; [intro O; inversion O; subst; eauto|]. intros (m & O1 & O2). eapply V_lay; eauto. Qed.
Lemma vchop_iff r c d : voccurs r c VChop d <-> ceq c d /\ silent r c.
Proof. split; [intro O; inversion O; subst; auto|]. intros [E S]. now constructor. Qed.
Lemma vchop_first r c p d : voccurs r c (VLay VChop p) d <-> silent r c /\ voccurs r c p d.
Proof.
  rewrite vlay_iff. split.
  - intros (m & O1 & O2). apply vchop_iff in O1 as [E S]. split; auto.
    eapply voccurs_ceq; eauto using ceq_refl, ceq_sym.
  - intros [S O]. exists c. split; auto. apply vchop_iff. auto using ceq_refl.
Qed.

(** ** Paths *)

Lemma layered_app r c k l d : voccurs r c (vsequence (k ++ l)) d <->
  exists m, voccurs r c (vsequence k) m /\ voccurs r m (vsequence l) d.
Proof.
  revert c. induction k as [|p k IH]; intro c; simpl.
  - split; [intro O; exists c; split; [apply V_eps, ceq_refl|auto]|]. intros (m & E & O). inversion E; subst.
    eapply voccurs_ceq; eauto using ceq_refl, ceq_sym.
  - rewrite vlay_iff. split.
    + intros (m & O1 & O2). apply IH in O2 as (u & O2 & O3). exists u. split; auto. apply vlay_iff. eauto.
    + intros (u & O & O3). apply vlay_iff in O as (m & O1 & O2). exists m. split; auto. apply IH. eauto.
Qed.
Lemma layered_one r c p d : voccurs r c p d -> voccurs r c (vsequence [p]) d.
Proof. intro O. apply vlay_iff. exists d. split; [auto|apply V_eps, ceq_refl]. Qed.
Lemma one_layered r c p d : voccurs r c (vsequence [p]) d -> voccurs r c p d.
Proof.
  intro O. apply vlay_iff in O as (m & O & E). inversion E; subst. eapply voccurs_ceq; eauto using ceq_refl.
Qed.

(** A program occurs along its paths, and along nothing else. *)
Lemma path_occurs p l : path_of p l -> forall r c d, voccurs r c (vsequence l) d -> voccurs r c p d.
Proof.
  induction 1; intros r c d O; try (now apply one_layered); try (apply layered_app in O as (m & O1 & O2)).
  - exact O.
  - apply V_lay with m; auto.
  - apply V_ch1; auto.
  - apply V_ch2; auto.
  - inversion O; subst. now apply V_st0.
  - apply V_st1 with m; auto.
Qed.
Lemma occurs_path r c p d : voccurs r c p d -> exists l, path_of p l /\ voccurs r c (vsequence l) d.
Proof.
  induction 1.
  - exists []. split; constructor; auto.
  - exists [VAssign i x e]. split; [constructor|now apply layered_one, V_asg].
  - exists [VSend i j e]. split; [constructor|now apply layered_one, V_snd].
  - exists [VRecv j i x]. split; [constructor|now apply layered_one, V_rcv].
  - exists [VGuard g]. split; [constructor|now apply layered_one, V_grd].
  - exists [VChop]. split; [constructor|now apply layered_one, V_chop].
  - destruct IHvoccurs1 as (k & K & A), IHvoccurs2 as (l & L & B). exists (k ++ l). split; [now constructor|].
    apply layered_app. eauto.
  - destruct IHvoccurs as (l & L & A). exists l. split; [now apply Q_ch1|auto].
  - destruct IHvoccurs as (l & L & A). exists l. split; [now apply Q_ch2|auto].
  - exists []. split; [constructor|now apply V_eps].
  - destruct IHvoccurs1 as (k & K & A), IHvoccurs2 as (l & L & B). exists (k ++ l). split; [now constructor|].
    apply layered_app. eauto.
Qed.

(** Paths consist of atoms: no layerings, choices or repetitions. *)
Definition atom (p : vprog) : Prop :=
  match p with VEps | VLay _ _ | VChoice _ _ | VStar _ => False | _ => True end.
Lemma path_atoms p l : path_of p l -> forall a, In a l -> atom a.
Proof.
  induction 1; intros a I; auto; try (destruct I as [<-|[]]; exact Logic.I); try destruct I.
  - apply in_app_or in I as [I|I]; auto.
  - apply in_app_or in I as [I|I]; auto.
Qed.

(** The first silent cut of a path, and the last one. *)
Lemma chop_dec (l : list vprog) : In VChop l \/ ~ In VChop l.
Proof.
  induction l as [|a l [I|I]]; simpl; auto. destruct a; auto; right; intros [E|E]; auto; discriminate.
Qed.
Lemma first_chop l : In VChop l -> exists before after, l = before ++ VChop :: after /\ ~ In VChop before.
Proof.
  induction l as [|a l IH]; [intros []|]. intro I. destruct (chop_dec [a]) as [[->|[]]|N].
  - exists [], l. auto.
  - destruct I as [->|I]; [destruct N; now left|]. destruct (IH I) as (b & u & -> & Nb). exists (a :: b), u.
    split; auto. intros [->|J]; [destruct N; now left|auto].
Qed.
Lemma last_chop l : In VChop l -> exists before after, l = before ++ VChop :: after /\ ~ In VChop after.
Proof.
  induction l as [|a l IH]; [intros []|]. intro I. destruct (chop_dec l) as [J|N].
  - destruct (IH J) as (b & u & -> & Nu). now exists (a :: b), u.
  - destruct I as [->|I]; [|destruct (N I)]. exists [], l. auto.
Qed.
