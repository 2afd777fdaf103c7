(** * The theorems of the ledger, on one page

    Each entry has the rows of the ledger that it is about, the label or place in the paper, the paper's words in
    quotes (shortened where it says ...), and the theorems: statements in full, each proved elsewhere.  [exact] accepts
    a proof of this very statement only.  So if the original is changed into something weaker, this file no longer
    compiles, and if the statement here is changed, the review no longer covers it ([reviewed.toml]).

    Written by hand, in the order of the paper.  Each name is the original's.  "As printed" above a theorem means that it
    says what the paper says; "refuted" that it says the contrary; "repaired" that it says what holds instead.
    Theorems that end with [_infinite] are about all intervals, as are [n_processes], [no_self_channels],
    [over_finite_intervals] and [balanced_necessary_from_finite_cuts]; the others are about those between finite cuts.
    Before the theorems, the definitions that they name are stated again; inductive ones, such as [occurs], are in
    [Definitions], or in the modules that a section imports. *)

From Coq Require Import List Arith Relations PeanoNat Bool ZArith Permutation.
Import ListNotations.
From Sealcheck Require Import Definitions Runs Occurrence StraightLine.
From Sealcheck Require Interleavings Language SealAlgebra LayersAreCcl Teaching NoBarrier Transmissions Bsl.
From Sealcheck Require SealsBySignatures InfiniteCuts Diverging InfiniteSealAlgebra InfiniteRefutations.
From Sealcheck Require TccImpossibility Variables BarriersDecided Refutations Sealability SealabilityPlain GuardedSeal.
From Sealcheck Require Figures FifoModels BalancedNecessary GraphCause ClosedChannels SignatureSize LargeSignatures.
From Sealcheck Require SignatureCosts DecideSealing Knowledge ExamplesSeals SealConstruction SpanningTree ClosedWhenSent.
From Sealcheck Require WorstCase ExamplePhase Unbalanced Procedures ProgramGraph MendedProcedures PrintedProcedures.
From Sealcheck Require IsSeal SignatureLists SignatureCompose SignatureSets ProcedureCosts SealMended.
From Sealcheck Require SealabilityUndecidable.
From Sealcheck Require SignaturesCompose NoBarrierWholeLanguage.
From Sealcheck Require IsSeal SignatureLists SignatureCompose.
From Sealcheck Require SignaturesCompose NoBarrierWholeLanguage Phases.
From Sealcheck Require Restriction NProcesses InfiniteStraightLine InfiniteGuardedSeal.
From Sealcheck Require OneSemantics InfiniteBarriers InfiniteBarriersDecided InfiniteChannels InfiniteBalance.
From Sealcheck Require InfiniteNProcesses.
Open Scope nat_scope.

(** ** What the names mean

    The definitions that the statements name, each once more, so that this file does not compile if one of them is
    changed.  Left out are types, inductive definitions, the procedures of the appendix, and the programs of the figures.
    The paper's words are where the names are defined. *)

Section Meanings.

(** Runs: [Definitions]. *)

Remark is_snd_means : is_snd = fun r e i j => fst e = i /\ lab r (fst e) (snd e) = Snd j.
Proof. exact eq_refl. Qed.

Remark is_rcv_means : is_rcv = fun r e i j => fst e = j /\ lab r (fst e) (snd e) = Rcv i.
Proof. exact eq_refl. Qed.

Remark comm_means : comm = fun r e => exists i j, is_snd r e i j \/ is_rcv r e i j.
Proof. exact eq_refl. Qed.

Remark step_means : step = fun r x y =>
  (fst x = fst y /\ snd x < snd y) \/ (exists i j, is_rcv r y i j /\ delta r y = x).
Proof. exact eq_refl. Qed.

Remark causes_means : causes = fun r => clos_trans event (step r).
Proof. exact eq_refl. Qed.

Remark transmits_means : transmits = fun r => forall e i j, is_rcv r e i j -> val r e = val r (delta r e).
Proof. exact eq_refl. Qed.

Remark reliable_means : reliable = fun r => forall s i j, is_snd r s i j -> unmatched r s ->
  exists N, forall k, N <= k -> is_snd r (i, k) i j -> unmatched r (i, k).
Proof. exact eq_refl. Qed.

Remark unmatched_means : unmatched = fun r s => forall e i j, is_rcv r e i j -> delta r e <> s.
Proof. exact eq_refl. Qed.

Remark Rel_means : Rel = fun r => wf r /\ reliable r.
Proof. exact eq_refl. Qed.

Remark RelNS_means : RelNS = fun r => Rel r /\ forall e i, ~ is_snd r e i i.
Proof. exact eq_refl. Qed.

Remark RelFi_means : RelFi = fun r => Rel r /\
  forall i j s s' e', is_snd r s i j -> is_snd r s' i j -> snd s < snd s' ->
  is_rcv r e' i j -> delta r e' = s' -> exists e, is_rcv r e i j /\ delta r e = s /\ snd e < snd e'.
Proof. exact eq_refl. Qed.

(** Cuts and channels: [Definitions], [Runs]. *)

Remark inside_means : inside = fun c e => snd e < c (fst e).
Proof. exact eq_refl. Qed.

Remark between_means : between = fun c d e => ~ inside c e /\ inside d e.
Proof. exact eq_refl. Qed.

Remark in_channel_means : in_channel = fun r c i j e => inside c e /\
  ((is_snd r e i j /\ forall e' a b, is_rcv r e' a b -> inside c e' -> delta r e' <> e) \/
   (is_rcv r e i j /\ ~ inside c (delta r e))).
Proof. exact eq_refl. Qed.

Remark empty_channel_means : empty_channel = fun r c i j => forall e, ~ in_channel r c i j e.
Proof. exact eq_refl. Qed.

Remark all_empty_means : all_empty = fun r c => forall i j, empty_channel r c i j.
Proof. exact eq_refl. Qed.

Remark silent_means : silent = fun r c => forall e i j, is_rcv r e i j -> (inside c e <-> inside c (delta r e)).
Proof. exact eq_refl. Qed.

Remark agree_means : agree = fun r r' d =>
  forall p k, k < d p -> lab r p k = lab r' p k /\ val r (p, k) = val r' (p, k).
Proof. exact eq_refl. Qed.

(** Notions of safe composition: [Definitions]. *)

Remark mt_means : mt = fun i j e => Lay (Send i j e) (Recv j i).
Proof. exact eq_refl. Qed.

Remark refines_means : refines = fun G p q => forall r c d, G r -> occurs r c p d -> occurs r c q d.
Proof. exact eq_refl. Qed.

Remark CCL_means : CCL = fun G p l q =>
  refines G (Lay Chop (Lay p (Lay l (Lay q Chop)))) (Lay p (Lay Chop (Lay l (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark Barrier_means : Barrier = fun G b => forall p q,
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark TCC_means : TCC = fun G p => refines G (Lay Chop p) (Lay p Chop).
Proof. exact eq_refl. Qed.

Remark Seals_means : Seals = fun G s p => refines G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).
Proof. exact eq_refl. Qed.

Remark closes_means : closes = fun G p i j =>
  forall r c d, G r -> all_empty r c -> occurs r c p d -> empty_channel r d i j.
Proof. exact eq_refl. Qed.

Remark Balanced_means : Balanced = fun G p =>
  forall r c d, G r -> all_empty r c -> occurs r c p d -> forall i j, nsnd r i j 0 (d i) = nrcv r j i 0 (d j).
Proof. exact eq_refl. Qed.

(** Layers, and programs of some kind: [LayersAreCcl], [TccImpossibility], [SealabilityPlain]. *)

Remark each_seals_means : LayersAreCcl.each_seals = fix each_seals G layers {struct layers} :=
  match layers with
  | l :: rest => match rest with l' :: _ => Seals G l' l | [] => True end /\ each_seals G rest
  | [] => True
  end.
Proof. exact eq_refl. Qed.

Remark sequence_means : sequence = fix sequence Ps :=
  match Ps with [] => Eps | P :: rest => Lay P (sequence rest) end.
Proof. exact eq_refl. Qed.

Remark nochop_means : TccImpossibility.nochop = fix nochop p :=
  match p with
  | Chop => False
  | Lay p q | Choice p q => nochop p /\ nochop q
  | Star p => nochop p
  | _ => True
  end.
Proof. exact eq_refl. Qed.

Remark of_processes_means : SealabilityPlain.of_processes = fix of_processes n p {struct p} :=
  match p with
  | Assign i _ => i < n
  | Send i j _ | Recv j i => i < n /\ j < n
  | Lay p q | Choice p q => of_processes n p /\ of_processes n q
  | Star p => of_processes n p
  | _ => True
  end.
Proof. exact eq_refl. Qed.

(** Straight-line programs: [Definitions]; those of processes below n, and the number of messages: [Teaching]. *)

Remark acts_means : acts = fix acts p :=
  match p with
  | Eps => Some []
  | Assign i _ => Some [AInt i]
  | Send i j _ => Some [ASend i j]
  | Recv j i => Some [ARecv j i]
  | Lay p q => match acts p, acts q with Some a, Some b => Some (a ++ b) | _, _ => None end
  | _ => None
  end.
Proof. exact eq_refl. Qed.

Remark actor_means : actor = fun a => match a with ASend i _ => i | ARecv j _ => j | AInt i => i end.
Proof. exact eq_refl. Qed.

Remark labs_means : labs = fun i l => map alab (filter (fun a => actor a =? i) l).
Proof. exact eq_refl. Qed.

Remark len_means : len = fun l i => length (filter (fun a => actor a =? i) l).
Proof. exact eq_refl. Qed.

Remark balanced_means : balanced = fun l => forall i j,
  length (filter (sndb j) (labs i l)) = length (filter (rcvb i) (labs j l)).
Proof. exact eq_refl. Qed.

Remark nofself_means : nofself = fun l => forall i, ~ In (Snd i) (labs i l).
Proof. exact eq_refl. Qed.

Remark dead_free_means : dead_free = fun l => forall e, ~ causes (fifo l) e e.
Proof. exact eq_refl. Qed.

Remark within_means : within = fun n s =>
  forall a, In a s -> match a with ASend i j | ARecv j i => i < n /\ j < n | AInt _ => True end.
Proof. exact eq_refl. Qed.

Remark messages_means : Teaching.messages = fun s =>
  length (filter (fun a => match a with ASend _ _ => true | _ => false end) s).
Proof. exact eq_refl. Qed.

(** Program graphs and signatures: [Definitions], [GraphCause], [DecideSealing]. *)

Remark path_means : path = fun l => clos_trans node (edge l).
Proof. exact eq_refl. Qed.

Remark normal_means : GraphCause.normal = fun l x y => edge l (Ev (fst x) (snd x)) (Ev (fst y) (snd y)).
Proof. exact eq_refl. Qed.

Remark at_cut_means : GraphCause.at_cut = fun c x => (fst x, c (fst x) + snd x).
Proof. exact eq_refl. Qed.

Remark sig_snd_means : sig_snd = fun l i j x =>
  (nth_error (labs i l) x = Some (Snd j) /\ forall x', nth_error (labs i l) x' = Some (Snd j) -> x <= x') /\
  ~ path l (Fd j) (Ev i x).
Proof. exact eq_refl. Qed.

Remark sig_rcv_means : sig_rcv = fun l j i y =>
  (nth_error (labs j l) y = Some (Rcv i) /\ forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= y) /\
  ~ path l (Ev j y) (Ld i).
Proof. exact eq_refl. Qed.

Remark signatures_seal_means : DecideSealing.signatures_seal = fun p q => forall i j y, sig_rcv p j i y ->
  exists k, path p (Ev j y) (Ld k) /\ path q (Fd k) (Ld i) /\ forall x, sig_snd q i j x -> path q (Fd k) (Ev i x).
Proof. exact eq_refl. Qed.

(** The sizes of signatures: [SignatureSize], [SealsBySignatures], [SignatureCosts]. *)

Remark sig_node_means : SignatureSize.sig_node = fun n l v =>
  match v with
  | Fd i | Ld i => i < n
  | Ev i x => (exists j, sig_snd l i j x) \/ (exists j, sig_rcv l i j x)
  end.
Proof. exact eq_refl. Qed.

Remark looked_at_means : SignatureSize.looked_at = fun n l u v => path l u v /\
  ((exists i j y k, sig_rcv l j i y /\ u = Ev j y /\ v = Ld k /\ k < n) \/
   (exists i j x k, sig_snd l i j x /\ u = Fd k /\ v = Ev i x /\ k < n) \/
   (exists i k, i < n /\ k < n /\ u = Fd k /\ v = Ld i)).
Proof. exact eq_refl. Qed.

Remark is_edge_within_means : SealsBySignatures.is_edge_within = fun n l a b =>
  SealsBySignatures.is_node_within n l a /\ SealsBySignatures.is_node_within n l b /\
  exists u v, SealsBySignatures.stands_at l a u /\ SealsBySignatures.stands_at l b v /\ path l u v.
Proof. exact eq_refl. Qed.

Remark for_deciding_means : SignatureCosts.for_deciding = fun a b =>
  match a, b with
  | SignaturesCompose.NRcv _ _, SignaturesCompose.NLd _
  | SignaturesCompose.NFd _, SignaturesCompose.NSnd _ _
  | SignaturesCompose.NFd _, SignaturesCompose.NLd _ => True
  | _, _ => False
  end.
Proof. exact eq_refl. Qed.

(** Signatures as sets of processes: [SignatureSets]. *)

Remark are_sets_means : SignatureSets.are_sets = fun n l s => forall i j, i < n -> j < n ->
  SignatureSets.members_if (SealsBySignatures.is_node_within n l (SignaturesCompose.NRcv j i))
    (SignatureSets.members_reached s i j)
    (fun k => SealsBySignatures.is_edge_within n l (SignaturesCompose.NRcv j i) (SignaturesCompose.NLd k)) /\
  SignatureSets.members_if (SealsBySignatures.is_node_within n l (SignaturesCompose.NSnd i j))
    (SignatureSets.members_reaching s i j)
    (fun k => SealsBySignatures.is_edge_within n l (SignaturesCompose.NFd k) (SignaturesCompose.NSnd i j)) /\
  SignatureSets.members_of (SignatureSets.ends s i)
    (fun k => SealsBySignatures.is_edge_within n l (SignaturesCompose.NFd i) (SignaturesCompose.NLd k)) /\
  SignatureSets.members_of (SignatureSets.starts s i)
    (fun k => SealsBySignatures.is_edge_within n l (SignaturesCompose.NFd k) (SignaturesCompose.NLd i)).
Proof. exact eq_refl. Qed.

(** Seals: [Sealability], [GuardedSeal], [Bsl], [Knowledge], [Teaching], [ExamplesSeals], [SpanningTree],
    [ExamplePhase]. *)

Remark proper_seal_means : Sealability.proper_seal = fun n P p S s =>
  acts S = Some s /\ balanced s /\ within n s /\ nofself (p ++ s) /\ dead_free (p ++ s) /\ Seals RelNS S P.
Proof. exact eq_refl. Qed.

Remark any_seal_means : GuardedSeal.any_seal = fun n P S =>
  SealabilityPlain.of_processes n S /\ TccImpossibility.nochop S /\ Seals Rel S P /\
  exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d.
Proof. exact eq_refl. Qed.

Remark barrier_among_means : Bsl.barrier_among = fun n G b =>
  forall p q, NoBarrierWholeLanguage.below n p -> NoBarrierWholeLanguage.below n q ->
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark one_block_means : Knowledge.one_block = fun n K => exists X, Knowledge.joined K X /\ Permutation X (seq 0 n).
Proof. exact eq_refl. Qed.

Remark learnt_means : Teaching.learnt = fun p k i j =>
  forall y, nth_error (labs j p) y = Some (Rcv i) -> causes (fifo p) (j, y) (k, len p k).
Proof. exact eq_refl. Qed.

Remark closed_edge_means : ExamplesSeals.closed_edge = fun n P i j =>
  i < n /\ j < n /\ (closes RelNS P i j \/ closes RelNS P j i).
Proof. exact eq_refl. Qed.

Remark closed_ud_means : SpanningTree.closed_ud = fun n P i j =>
  i < n /\ j < n /\ (closes RelNS P i j \/ closes RelNS P j i).
Proof. exact eq_refl. Qed.

Remark leaves_open_means : ExamplePhase.leaves_open = fun P m =>
  exists cs, NoDup cs /\ length cs = m /\ forall i j, In (i, j) cs <-> ~ closes RelNS P i j.
Proof. exact eq_refl. Qed.

(** Programs over variables: [Variables]. *)

Remark runs_of_means : Variables.runs_of = fun n r =>
  RelNS (Variables.base r) /\ TccImpossibility.run_among n (Variables.base r).
Proof. exact eq_refl. Qed.

Remark VBarrier_means : Variables.VBarrier = fun G b =>
  forall p q, Variables.vrefines G
    (Variables.VLay Variables.VChop (Variables.VLay p (Variables.VLay b q)))
    (Variables.VLay p (Variables.VLay Variables.VChop (Variables.VLay b (Variables.VLay Variables.VChop q)))).
Proof. exact eq_refl. Qed.

Remark closed_path_means : Variables.closed_path = fun l => In Variables.VChop l /\
  forall before after, l = before ++ Variables.VChop :: after ->
  (~ In Variables.VChop before -> forall p, In p before -> ~ Variables.talks p) /\
  (~ In Variables.VChop after -> forall p, In p after -> ~ Variables.talks p).
Proof. exact eq_refl. Qed.

(** Machines, their programs, and seals of these: [SealabilityUndecidable]. *)

Remark halts_means : SealabilityUndecidable.halts = fun m => SealabilityUndecidable.stops m (0, 0, 0).
Proof. exact eq_refl. Qed.

Remark then_send_means : SealabilityUndecidable.then_send = fun m =>
  Variables.VLay (Variables.VLay SealabilityUndecidable.zeros (SealabilityUndecidable.loop m))
    (Variables.VSend 0 1 (Variables.Const 0%Z)).
Proof. exact eq_refl. Qed.

Remark vproper_seal_means : SealabilityUndecidable.vproper_seal = fun s p => SealabilityUndecidable.vnochop s /\
  Variables.vrefines (fun r => RelNS (Variables.base r)) (Variables.VLay Variables.VChop (Variables.VLay p s))
    (Variables.VLay p (Variables.VLay Variables.VChop s)) /\
  ((exists r c d, RelNS (Variables.base r) /\ all_empty (Variables.base r) c /\ Variables.voccurs r c p d) ->
   exists r c d, RelNS (Variables.base r) /\ all_empty (Variables.base r) c /\
     Variables.voccurs r c (Variables.VLay p s) d).
Proof. exact eq_refl. Qed.

(** Interleavings: [Interleavings]. *)

Remark interleaving_means : Interleavings.interleaving = fun r L order =>
  Permutation L order /\ Teaching.in_causal_order (step r) order.
Proof. exact eq_refl. Qed.

Remark moves_means : Interleavings.moves = fun n s =>
  ceq (s 0) (fun _ => 0) /\ forall k, ceq (s (S k)) (s k) \/ exists p, p < n /\ ceq (s (S k)) (bump (s k) p).
Proof. exact eq_refl. Qed.

Remark all_happen_means : Interleavings.all_happen = fun n s => forall p x, p < n -> exists k, inside (s k) (p, x).
Proof. exact eq_refl. Qed.

Remark sent_first_means : Interleavings.sent_first = fun r s =>
  forall k e i j, is_rcv r e i j -> inside (s k) e -> inside (s k) (delta r e).
Proof. exact eq_refl. Qed.

End Meanings.

Section InfiniteMeanings.
Import InfiniteCuts Diverging InfiniteSealAlgebra InfiniteRefutations.

(** Infinite cuts: [InfiniteCuts], [Diverging], [InfiniteSealAlgebra], [InfiniteRefutations]. *)

Remark fin_means : fin = fun c i => Some (c i).
Proof. exact eq_refl. Qed.

Remark irefines_means : irefines = fun u G p q => forall r c d, G r -> ioccurs u r c p d -> ioccurs u r c q d.
Proof. exact eq_refl. Qed.

Remark iCCL_means : iCCL = fun u G p l q =>
  irefines u G (Lay Chop (Lay p (Lay l (Lay q Chop)))) (Lay p (Lay Chop (Lay l (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark iBarrier_means : iBarrier = fun u G b => forall p q,
  irefines u G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark iTCC_means : iTCC = fun u G p => irefines u G (Lay Chop p) (Lay p Chop).
Proof. exact eq_refl. Qed.

Remark iSeals_means : iSeals = fun u G s p => irefines u G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).
Proof. exact eq_refl. Qed.

Remark properly_seals_means : properly_seals = fun u G s p => iSeals u G s p /\
  forall r c d d', G r ->
  ioccurs u r c (Lay Chop p) d -> ioccurs u r d (Lay Chop s) d' -> finite d -> finite d'.
Proof. exact eq_refl. Qed.

Remark same_processes_means : same_processes = fun u G p =>
  forall r c d d' i, G r -> ioccurs u r c p d -> ioccurs u r c p d' -> d i <> c i -> d' i <> c i.
Proof. exact eq_refl. Qed.

Remark each_iseals_means : each_iseals = fix each_iseals u G layers {struct layers} :=
  match layers with
  | l :: rest => match rest with l' :: _ => iSeals u G l' l | [] => True end /\ each_iseals u G rest
  | [] => True
  end.
Proof. exact eq_refl. Qed.

Remark times_means : times = fix times k p := match k with 0 => Eps | S k => Lay p (times k p) end.
Proof. exact eq_refl. Qed.

Remark constants_means : constants = fun u => forall i v, worth u i (fun _ => v) = v.
Proof. exact eq_refl. Qed.

Remark never_deadlocks_means : never_deadlocks = fun p => forall l, may_do p l -> dead_free l.
Proof. exact eq_refl. Qed.

Remark while_means : while = fun g p => Lay (Star (Lay (Guard g) p)) (Guard (Not g)).
Proof. exact eq_refl. Qed.

Remark assigning_means : assigning =
  while (Equal 0 (fun _ => 0%Z) 0 (fun _ => 0%Z)) (Lay (Assign 1 (fun _ => 5%Z)) (Assign 2 (fun _ => 17%Z))).
Proof. exact eq_refl. Qed.

Remark exchanges_means : exchanges = fun i j e f => Lay (mt i j e) (mt j i f).
Proof. exact eq_refl. Qed.

End InfiniteMeanings.

Section ChannelsAndBarriers.
Import InfiniteCuts Variables OneSemantics InfiniteBarriers InfiniteChannels InfiniteBalance InfiniteNProcesses.

(** Channels, balance and barriers if cuts may be infinite: [InfiniteCuts], [InfiniteChannels], [InfiniteBalance],
    [InfiniteNProcesses], [OneSemantics], [InfiniteBarriers]. *)

Remark finite_means : finite = fun c => forall i, c i <> None.
Proof. exact eq_refl. Qed.

Remark iinside_means : iinside = fun c e => match c (fst e) with Some k => snd e < k | None => True end.
Proof. exact eq_refl. Qed.

Remark isilent_means : isilent = fun r c =>
  forall e i j, is_rcv r e i j -> (iinside c e <-> iinside c (delta r e)).
Proof. exact eq_refl. Qed.

Remark iin_channel_means : iin_channel = fun r c i j e => iinside c e /\
  ((is_snd r e i j /\ forall e' a b, is_rcv r e' a b -> iinside c e' -> delta r e' <> e) \/
   (is_rcv r e i j /\ ~ iinside c (delta r e))).
Proof. exact eq_refl. Qed.

Remark iempty_channel_means : iempty_channel = fun r c i j => forall e, ~ iin_channel r c i j e.
Proof. exact eq_refl. Qed.

Remark iall_empty_means : iall_empty = fun r c => forall i j, iempty_channel r c i j.
Proof. exact eq_refl. Qed.

Remark icloses_means : icloses = fun u G p i j => forall r c d,
  G r -> iall_empty r c -> ioccurs u r c p d -> iempty_channel r d i j.
Proof. exact eq_refl. Qed.

Remark equally_many_means : equally_many = fun one other => exists pair : event -> event -> Prop,
  (forall x, one x -> exists y, other y /\ pair x y) /\
  (forall y, other y -> exists x, one x /\ pair x y) /\
  (forall x y x' y', one x -> other y -> one x' -> other y' -> pair x y -> pair x' y' -> (x = x' <-> y = y')).
Proof. exact eq_refl. Qed.

Remark balanced_at_means : balanced_at = fun r d i j => equally_many
  (fun e => iin_channel r d i j e /\ is_snd r e i j)
  (fun e => iin_channel r d i j e /\ is_rcv r e i j).
Proof. exact eq_refl. Qed.

Remark iBalanced_means : iBalanced = fun u G p => forall r c d,
  G r -> iall_empty r c -> ioccurs u r c p d -> forall i j, balanced_at r d i j.
Proof. exact eq_refl. Qed.

Remark same_channels_means : same_channels = fun of_these G G' => forall u P, of_these P ->
  (forall i j, icloses u G P i j <-> icloses u G' P i j) /\
  (iBalanced u G P <-> iBalanced u G' P).
Proof. exact eq_refl. Qed.

Remark ivoccurs_means : ivoccurs = fun at_infinity may_act r c p d =>
  goccurs state at_infinity may_act (base r) (states r) c (of_vprog p) d.
Proof. exact eq_refl. Qed.

Remark iVBarrier_means : iVBarrier = fun at_infinity may_act G b => forall p q r c d, G r ->
  ivoccurs at_infinity may_act r c (VLay VChop (VLay p (VLay b q))) d ->
  ivoccurs at_infinity may_act r c (VLay p (VLay VChop (VLay b (VLay VChop q)))) d.
Proof. exact eq_refl. Qed.

End ChannelsAndBarriers.

Section SetsOfProcesses.
Import TccImpossibility Phases InfiniteCuts InfiniteSealAlgebra Restriction NProcesses InfiniteStraightLine.

(** n processes, and layers: [TccImpossibility], [Restriction], [NProcesses], [Phases], [InfiniteStraightLine]. *)

Remark run_among_means : run_among = fun n r => forall i k,
  match lab r i k with Snd j | Rcv j => i < n /\ j < n | Int => True end.
Proof. exact eq_refl. Qed.

Remark channels_of_means : channels_of = fun n i j => (i <? n) && (j <? n).
Proof. exact eq_refl. Qed.

Remark between_of_means : between_of = fun n i j => (i <? n) && (j <? n) && negb (i =? j).
Proof. exact eq_refl. Qed.

Remark between_all_means : between_all = fun i j => negb (i =? j).
Proof. exact eq_refl. Qed.

Remark reads_kept_means : reads_kept = fun keeps i e => forall h,
  e (map (fun x => (kept_label keeps i (fst x), snd x)) h) = e h.
Proof. exact eq_refl. Qed.

Remark confined_means : confined = fun keeps => fix confined p :=
  match p with
  | Eps | Chop => True
  | Assign i e => reads_kept keeps i e
  | Send i j e => keeps i j = true /\ reads_kept keeps i e
  | Recv j i => keeps i j = true
  | Guard g => formula_reads_kept keeps g
  | Lay p q | Choice p q => confined p /\ confined q
  | Star p => confined p
  end.
Proof. exact eq_refl. Qed.

Remark same_notions_means : same_notions = fun of_these G G' => forall P Q S, of_these P -> of_these Q -> of_these S ->
  (refines G (Lay Chop P) Q <-> refines G' (Lay Chop P) Q) /\
  (Seals G S P <-> Seals G' S P) /\ (TCC G P <-> TCC G' P) /\ (CCL G P S Q <-> CCL G' P S Q) /\
  (barrier_for of_these G P <-> barrier_for of_these G' P) /\
  (forall i j, closes G P i j <-> closes G' P i j) /\ (Balanced G P <-> Balanced G' P) /\
  (forall u, (irefines u G (Lay Chop P) Q <-> irefines u G' (Lay Chop P) Q) /\
    (iSeals u G S P <-> iSeals u G' S P) /\ (properly_seals u G S P <-> properly_seals u G' S P) /\
    (iTCC u G P <-> iTCC u G' P) /\ (iCCL u G P S Q <-> iCCL u G' P S Q) /\
    (ibarrier_for of_these u G P <-> ibarrier_for of_these u G' P)).
Proof. exact eq_refl. Qed.

Remark barrier_for_means : barrier_for = fun among_these G b => forall p q, among_these p -> among_these q ->
  refines G (Lay Chop (Lay p (Lay b q))) (Lay p (Lay Chop (Lay b (Lay Chop q)))).
Proof. exact eq_refl. Qed.

Remark same_straight_line_means : same_straight_line = fun G G' P Q =>
  (Seals G Q P <-> Seals G' Q P) /\ (TCC G P <-> TCC G' P) /\ (forall i j, closes G P i j <-> closes G' P i j).
Proof. exact eq_refl. Qed.

Remark same_layers_means : same_layers = fun G G' Ps =>
  (stay_apart G Ps <-> stay_apart G' Ps) /\ (stay_apart_open G Ps <-> stay_apart_open G' Ps).
Proof. exact eq_refl. Qed.

Remark layers_means : layers = fun Ps ls => Forall2 (fun P l => acts P = Some l) Ps ls.
Proof. exact eq_refl. Qed.

Remark stay_apart_means : stay_apart = fun G Ps => refines G (Lay Chop (Lay (sequence Ps) Chop)) (apart Ps).
Proof. exact eq_refl. Qed.

Remark stay_apart_open_means : stay_apart_open = fun G Ps => refines G (Lay Chop (sequence Ps)) (apart Ps).
Proof. exact eq_refl. Qed.

Remark istay_apart_means : istay_apart = fun u G Ps =>
  irefines u G (Lay Chop (Lay (sequence Ps) Chop)) (apart Ps).
Proof. exact eq_refl. Qed.

Remark istay_apart_open_means : istay_apart_open = fun u G Ps => irefines u G (Lay Chop (sequence Ps)) (apart Ps).
Proof. exact eq_refl. Qed.

End SetsOfProcesses.

(** ** Section 2: a model of distributed programs with layering *)

Section Processes.
Import TccImpossibility Phases Restriction NProcesses InfiniteNProcesses.

(** n-processes.  Section 2.1: "Let n be a natural number and {1..n} be a set of processes." *)

(* Ours: programs of n processes do not tell runs of n processes from others, ... *)
Theorem n_processes : forall n,
  same_notions (confined (between_of n)) Rel (fun r => RelNS r /\ run_among n r) /\
  same_notions (confined (between_of n)) RelNS (fun r => RelNS r /\ run_among n r) /\
  same_notions (confined (channels_of n)) Rel (fun r => Rel r /\ run_among n r) /\
  same_notions (confined (channels_of n)) RelFi (fun r => RelFi r /\ run_among n r).
Proof. exact NProcesses.n_processes. Qed.

(* ... nor programs without self-channels runs with them from those without, ... *)
Theorem no_self_channels : same_notions (confined between_all) Rel RelNS.
Proof. exact NProcesses.no_self_channels. Qed.

(* ... over all intervals as to closed channels and balance, too, ... *)
Theorem n_processes_channels_infinite : forall n,
  same_channels (confined (between_of n)) Rel (fun r => RelNS r /\ run_among n r) /\
  same_channels (confined (between_of n)) RelNS (fun r => RelNS r /\ run_among n r) /\
  same_channels (confined (channels_of n)) Rel (fun r => Rel r /\ run_among n r) /\
  same_channels (confined (channels_of n)) RelFi (fun r => RelFi r /\ run_among n r) /\
  same_channels (confined between_all) Rel RelNS.
Proof. exact InfiniteNProcesses.n_processes_channels_infinite. Qed.

(* ... nor straight-line programs, whatever their expressions read, nor layers of them. *)
Theorem n_processes_straight_line : forall n P Q p q, acts P = Some p -> acts Q = Some q -> within n (p ++ q) ->
  same_straight_line Rel (fun r => Rel r /\ run_among n r) P Q /\
  (nofself (p ++ q) ->
    same_straight_line Rel (fun r => RelNS r /\ run_among n r) P Q /\
    same_straight_line RelNS (fun r => RelNS r /\ run_among n r) P Q).
Proof. exact NProcesses.n_processes_straight_line. Qed.

Theorem n_processes_layers : forall n Ps ls, layers Ps ls -> within n (concat ls) ->
  same_layers Rel (fun r => Rel r /\ run_among n r) Ps /\
  (nofself (concat ls) ->
    same_layers Rel (fun r => RelNS r /\ run_among n r) Ps /\
    same_layers RelNS (fun r => RelNS r /\ run_among n r) Ps).
Proof. exact NProcesses.n_processes_layers. Qed.

End Processes.

Section Model.
Import Interleavings InfiniteCuts.

(** interleaving-exists.  Section 2.2, footnote on the execution model: "Our choice of execution model is closely related
    to the more standard one of infinite sequences of global states, representing an interleaving of moves by processes.
    Our conditions on delta_r guarantee the existence of such an interleaving." *)

(* As printed, of whole runs. *)
Theorem interleaving_of_run : forall (r : run) (n : nat),
  (forall e i j, is_rcv r e i j -> i < n /\ j < n) ->
  (forall e i j, is_rcv r e i j -> is_snd r (delta r e) i j) ->
  (exists s, moves n s /\ all_happen n s /\ sent_first r s) <-> forall e, ~ causes r e e.
Proof. exact Interleavings.interleaving_of_run. Qed.

(* As printed, of finite cuts: L lists the events of the cut d. *)
Theorem interleaving_exists : forall r d L,
  (forall e, In e L <-> inside d e) ->
  (forall e i j, is_rcv r e i j -> inside d e -> is_snd r (delta r e) i j /\ inside d (delta r e)) ->
  ((exists order, interleaving r L order) <-> forall e, inside d e -> ~ causes r e e).
Proof. exact Interleavings.interleaving_exists. Qed.

End Model.

Section AllIntervals.
Import InfiniteCuts InfiniteSealAlgebra Phases InfiniteStraightLine InfiniteChannels InfiniteBalance.

(** all-intervals.  Section 2.2, "Cuts and Channels": "A cut is a pair (r, c) consisting of a run r and a family c = (c_i)
    of elements of N + infinity.  ...  A cut is finite if all its components are." *)

(* Ours: of BSLs, the notions of safe composition are the same over all intervals and over finite ones. *)
Theorem bsl_seals_infinite : forall u P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) ->
  (iSeals u Rel Q P <-> Seals Rel Q P) /\ (properly_seals u Rel Q P <-> Seals Rel Q P) /\
  (nofself (p ++ q) ->
    (iSeals u RelNS Q P <-> Seals RelNS Q P) /\ (properly_seals u RelNS Q P <-> Seals RelNS Q P)).
Proof. exact InfiniteStraightLine.bsl_seals_infinite. Qed.

Theorem bsl_tcc_infinite : forall u P p, acts P = Some p -> balanced p -> dead_free p ->
  (iTCC u Rel P <-> TCC Rel P) /\ (nofself p -> (iTCC u RelNS P <-> TCC RelNS P)).
Proof. exact InfiniteStraightLine.bsl_tcc_infinite. Qed.

Theorem bsl_ccl_infinite : forall u P L Q p l q, acts P = Some p -> acts L = Some l -> acts Q = Some q ->
  balanced p -> balanced l -> balanced q -> dead_free (p ++ l ++ q) ->
  (iCCL u Rel P L Q <-> CCL Rel P L Q) /\ (nofself (p ++ l ++ q) -> (iCCL u RelNS P L Q <-> CCL RelNS P L Q)).
Proof. exact InfiniteStraightLine.bsl_ccl_infinite. Qed.

Theorem bsl_layers_infinite : forall u Ps ls, layers Ps ls -> (forall l, In l ls -> balanced l) ->
  dead_free (concat ls) ->
  (istay_apart u Rel Ps <-> stay_apart Rel Ps) /\ (istay_apart_open u Rel Ps <-> stay_apart_open Rel Ps) /\
  (nofself (concat ls) ->
    (istay_apart u RelNS Ps <-> stay_apart RelNS Ps) /\ (istay_apart_open u RelNS Ps <-> stay_apart_open RelNS Ps)).
Proof. exact InfiniteStraightLine.bsl_layers_infinite. Qed.

Theorem bsl_closes_infinite : forall u P p i j, acts P = Some p -> balanced p -> dead_free p ->
  (icloses u Rel P i j <-> closes Rel P i j) /\ (nofself p -> (icloses u RelNS P i j <-> closes RelNS P i j)).
Proof. exact InfiniteChannels.bsl_closes_infinite. Qed.

(* Ours: if a process that has gone on for ever cannot act again, BSLs are balanced over all intervals. *)
Theorem bsl_balanced_infinite : forall u (G : run -> Prop) P p, ~ acts_on u ->
  (forall r, G r -> matching r) ->
  acts P = Some p -> balanced p -> iBalanced u G P.
Proof. exact InfiniteBalance.bsl_balanced_infinite. Qed.

(* Ours: what holds over all intervals holds over finite ones. *)
Theorem over_finite_intervals : forall u G P Q,
  (irefines u G P Q -> refines G P Q) /\
  (iSeals u G Q P -> Seals G Q P) /\ (iTCC u G P -> TCC G P) /\ (iBarrier u G P -> Barrier G P) /\
  (forall R, iCCL u G P Q R -> CCL G P Q R).
Proof. exact InfiniteSealAlgebra.over_finite_intervals. Qed.

End AllIntervals.

Section Refinement.
Import InfiniteCuts.

(** refinement-preorder.  Section 2.3: "The refinement relation on programs is transitive (in fact a pre-order) ..." *)

(* As printed. *)
Theorem refinement_preorder : forall G,
  (forall P, refines G P P) /\
  (forall P Q R, refines G P Q -> refines G Q R -> refines G P R).
Proof. exact Language.refinement_preorder. Qed.

Theorem refinement_preorder_infinite : forall u G,
  (forall P, irefines u G P P) /\
  (forall P Q R, irefines u G P Q -> irefines u G Q R -> irefines u G P R).
Proof. exact InfiniteSealAlgebra.refinement_preorder_infinite. Qed.

(** constructs-monotone.  Section 2.3: "... and all programming constructs are monotone w.r.t. the refinement order." *)

(* As printed. *)
Theorem constructs_monotone : forall G P Q, refines G P Q ->
  (forall R, refines G (Lay P R) (Lay Q R)) /\
  (forall R, refines G (Lay R P) (Lay R Q)) /\
  (forall R, refines G (Choice P R) (Choice Q R)) /\
  refines G (Star P) (Star Q).
Proof. exact Language.constructs_monotone. Qed.

Theorem constructs_monotone_infinite : forall u G P Q, irefines u G P Q ->
  (forall R, irefines u G (Lay P R) (Lay Q R)) /\
  (forall R, irefines u G (Lay R P) (Lay R Q)) /\
  (forall R, irefines u G (Choice P R) (Choice Q R)) /\
  irefines u G (Star P) (Star Q).
Proof. exact InfiniteSealAlgebra.constructs_monotone_infinite. Qed.

End Refinement.

(** ** Section 3: capturing safe composition *)

Section DefinitionsAgree.
Import Teaching SealsBySignatures.

(** definitions-agree-seals.  Section 3, Seals: "S seals P in Gamma if" the silent cut before P;S refines P;S with the
    silent cut after P.  Ours: Is-Seal (appendix), its slips mended, decides that from the signatures gp of P and gq of
    Q. *)

Theorem definitions_agree_seals : forall n P Q p q gp gq, BSL n P p -> BSL n Q q ->
  is_signature_within n p gp -> is_signature_within n q gq ->
  (refines RelNS (Lay Chop (Lay P Q)) (Lay P (Lay Chop Q)) <-> fst (is_seal n gp gq) = true).
Proof. exact SealsBySignatures.definitions_agree_seals. Qed.

(** definitions-agree-channels.  Section 4: "Program P is said to close chan i->j (in Rel) if chan i->j is empty after P
    in any execution of P starting at a cut with empty channels."  Ours: those are the channels that its signature does
    not leave open, and P is TCC if they are all. *)

Theorem definitions_agree_channels : forall P p,
  acts P = Some p -> balanced p -> nofself p -> dead_free p ->
  (forall i j, closes RelNS P i j <-> ~ exists y, sig_rcv p j i y) /\
  (TCC RelNS P <-> forall i j, closes RelNS P i j).
Proof. exact Bsl.definitions_agree_channels. Qed.

(** definitions-agree-balanced.  Section 4: "Program P is balanced (in Rel) if, whenever r[c,d] ||- P and all channels
    are empty at (r,c), then every channel contains an equal number of sends and receives at (r,d)."  Ours: that is as
    many sends as receives on every channel, if P can complete. *)

Theorem definitions_agree_balanced : forall P p, acts P = Some p ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c P d) ->
  (Balanced RelNS P <-> balanced p).
Proof. exact Bsl.definitions_agree_balanced. Qed.

End DefinitionsAgree.

Section TailCommunicationClosed.
Import InfiniteCuts InfiniteSealAlgebra.

(** tcc-basic.  Section 3, TCC: "It is straightforward to check that the programs eps, [phi], x := e, and" P followed by
    the silent cut "are TCC in any Gamma." *)

(* As printed. *)
Theorem tcc_basic : forall G : run -> Prop, (forall r, G r -> matching r) ->
  TCC G Eps /\
  (forall g, TCC G (Guard g)) /\
  (forall i e, TCC G (Assign i e)) /\
  (forall P, TCC G (Lay P Chop)).
Proof. exact Language.tcc_basic. Qed.

Theorem tcc_basic_infinite : forall u (G : run -> Prop), (forall r, G r -> matching r) ->
  iTCC u G Eps /\
  (forall g, iTCC u G (Guard g)) /\
  (forall i e, iTCC u G (Assign i e)) /\
  (forall P, iTCC u G (Lay P Chop)).
Proof. exact InfiniteSealAlgebra.tcc_basic_infinite. Qed.

(** tcc-closed.  Section 3, TCC: "Moreover, if P and Q are TCC in Gamma then so are P + Q, P;Q, and P*." *)

(* As printed. *)
Theorem tcc_closed : forall G P Q, TCC G P -> TCC G Q ->
  TCC G (Choice P Q) /\ TCC G (Lay P Q) /\ TCC G (Star P).
Proof. exact Language.tcc_closed. Qed.

Theorem tcc_closed_infinite : forall u G P Q, iTCC u G P -> iTCC u G Q ->
  iTCC u G (Choice P Q) /\ iTCC u G (Lay P Q) /\ iTCC u G (Star P).
Proof. exact InfiniteSealAlgebra.tcc_closed_infinite. Qed.

(** barrier-is-tcc.  Section 3, TCC: "Observe that every barrier B in Gamma is in particular TCC in Gamma." *)

(* As printed. *)
Theorem barrier_is_tcc : forall G B, Barrier G B -> TCC G B.
Proof. exact NoBarrier.barrier_is_tcc. Qed.

Theorem barrier_is_tcc_infinite : forall u G B, iBarrier u G B -> iTCC u G B.
Proof. exact InfiniteSealAlgebra.barrier_is_tcc_infinite. Qed.

End TailCommunicationClosed.

Section AlgebraOfSeals.
Import InfiniteCuts Diverging InfiniteSealAlgebra InfiniteRefutations.

(** seal-algebra-1.  l:seal.algebra, 1: "If both P and P' are sealed by S in Gamma then so is P + P'." *)

(* As printed. *)
Theorem seal_algebra_1 : forall G S P P', Seals G S P -> Seals G S P' -> Seals G S (Choice P P').
Proof. exact SealAlgebra.seal_algebra_1. Qed.

Theorem seal_algebra_1_infinite : forall u G S P P',
  iSeals u G S P -> iSeals u G S P' -> iSeals u G S (Choice P P').
Proof. exact InfiniteSealAlgebra.seal_algebra_1_infinite. Qed.

(** seal-algebra-2.  l:seal.algebra, 2: "If both S and S' seal P in Gamma then S + S' (properly) seals P in Gamma." *)

(* As printed, without the word in brackets. *)
Theorem seal_algebra_2 : forall G S S' P, Seals G S P -> Seals G S' P -> Seals G (Choice S S') P.
Proof. exact SealAlgebra.seal_algebra_2. Qed.

(* The word in brackets refuted. *)
Theorem seal_algebra_2_properly_as_printed_fails : forall u,
  ~ forall S S' P, iSeals u Rel S P -> iSeals u Rel S' P -> properly_seals u Rel (Choice S S') P.
Proof. exact Diverging.seal_algebra_2_properly_as_printed_fails. Qed.

(* Repaired: properly if both seal it properly. *)
Theorem seal_algebra_2_properly : forall u G S S' P, iSeals u G S P -> iSeals u G S' P ->
  iSeals u G (Choice S S') P /\
  (properly_seals u G (Choice S S') P <-> properly_seals u G S P /\ properly_seals u G S' P).
Proof. exact Diverging.seal_algebra_2_properly. Qed.

(** seal-algebra-3, seal-algebra-3-whole-language.  l:seal.algebra, 3: "If S seals P in Gamma then S;Q seals P in
    Gamma." *)

(* As printed. *)
Theorem seal_algebra_3 : forall G S P Q, Seals G S P -> Seals G (Lay S Q) P.
Proof. exact SealAlgebra.seal_algebra_3. Qed.

Theorem seal_algebra_3_infinite : forall u G S P Q, iSeals u G S P -> iSeals u G (Lay S Q) P.
Proof. exact InfiniteSealAlgebra.seal_algebra_3_infinite. Qed.

(** seal-algebra-4, seal-algebra-4-whole-language.  l:seal.algebra, 4: "If both S seals P and S' seals S in Gamma, then S'
    seals P;S in Gamma." *)

(* As printed. *)
Theorem seal_algebra_4 : forall G S S' P, Seals G S P -> Seals G S' S -> Seals G S' (Lay P S).
Proof. exact SealAlgebra.seal_algebra_4. Qed.

Theorem seal_algebra_4_infinite : forall u G S S' P,
  iSeals u G S P -> iSeals u G S' S -> iSeals u G S' (Lay P S).
Proof. exact InfiniteSealAlgebra.seal_algebra_4_infinite. Qed.

(** seal-algebra-5.  l:seal.algebra, 5: "If P seals itself in Gamma then P seals P* in Gamma." *)

(* Refuted over all intervals. *)
Theorem seal_algebra_5_as_printed_fails : forall u (G : run -> Prop), constants u -> (forall r, RelNS r -> G r) ->
  ~ forall P, never_deadlocks (Lay (Star P) P) -> iSeals u G P P -> iSeals u G P (Star P).
Proof. exact InfiniteRefutations.seal_algebra_5_as_printed_fails. Qed.

(* Repaired: it holds over finite intervals, ... *)
Theorem seal_algebra_5 : forall G P, Seals G P P -> Seals G P (Star P).
Proof. exact SealAlgebra.seal_algebra_5. Qed.

(* ... and over all of them for finitely many iterations, or if the same processes always take part, ... *)
Theorem seal_algebra_5_infinite : forall u G P, iSeals u G P P ->
  (forall k, iSeals u G P (times k P)) /\
  (same_processes u G P -> iSeals u G P (Star P)).
Proof. exact InfiniteSealAlgebra.seal_algebra_5_infinite. Qed.

(* ... as they do in straight-line programs, ... *)
Theorem straight_line_same_processes : forall u G P p, acts P = Some p -> same_processes u G P.
Proof. exact InfiniteSealAlgebra.straight_line_same_processes. Qed.

(* ... which need to seal themselves over finite intervals only. *)
Theorem straight_line_repetition : forall u G P p, acts P = Some p -> Seals G P P ->
  forall r c d, G r ->
  ioccurs u r (fin c) (Lay Chop (Lay (Star P) P)) d -> ioccurs u r (fin c) (Lay (Star P) (Lay Chop P)) d.
Proof. exact InfiniteSealAlgebra.straight_line_repetition. Qed.

(** seal-algebra-6, seal-algebra-6-whole-language.  l:seal.algebra, 6: "TCC subsumes sealing: P is TCC in Gamma iff all
    programs seal P in Gamma." *)

(* Repaired: of straight-line programs, if only BSLs count as seals. *)
Theorem seal_algebra_6_bsl : forall P p, acts P = Some p ->
  (TCC RelNS P <->
   forall S s, acts S = Some s -> balanced s -> nofself s -> dead_free (p ++ s) -> Seals RelNS S P).
Proof. exact Bsl.seal_algebra_6_bsl. Qed.

(* As printed. *)
Theorem seal_algebra_6_infinite : forall u G P,
  (iTCC u G P <-> forall S, iSeals u G S P) /\ (iTCC u G P <-> iSeals u G Eps P).
Proof. exact InfiniteSealAlgebra.seal_algebra_6_infinite. Qed.

Theorem seal_algebra_6 : forall G P, TCC G P <-> forall S, Seals G S P.
Proof. exact SealAlgebra.seal_algebra_6. Qed.

End AlgebraOfSeals.

Section Layers.
Import InfiniteCuts LayersAreCcl InfiniteSealAlgebra.

(** layers-are-ccl, layers-are-ccl-whole-language.  Section 3, after l:seal.algebra: "... if program P can be decomposed
    into a sequence of l layers L(1), ..., L(l), and in addition L(k+1) seals L(k) for all 1 <= k < l, then each layer
    L(k) is a CCL in P." *)

(* As printed. *)
Theorem layers_are_ccl : forall G layers, each_seals G layers ->
  forall before l after, layers = before ++ l :: after -> CCL G (sequence before) l (sequence after).
Proof. exact LayersAreCcl.layers_are_ccl. Qed.

Theorem layers_are_ccl_infinite : forall u G layers, each_iseals u G layers ->
  forall before l after, layers = before ++ l :: after -> iCCL u G (sequence before) l (sequence after).
Proof. exact InfiniteSealAlgebra.layers_are_ccl_infinite. Qed.

End Layers.

(** mt-seals-ack.  Section 3, Seals: "... any program of the form mt j->i seals any program of the form mt i->j in
    Rel." *)

(* As printed. *)
Theorem mt_seals_ack : forall i j e f, Seals Rel (mt j i f) (mt i j e).
Proof. exact Transmissions.mt_seals_ack. Qed.

(** mt-ack-self-seals.  Section 3, Seals: "Consequently, a program of the form mt i->j; mt j->i seals itself in Rel." *)

(* As printed. *)
Theorem mt_ack_self_seals : forall i j e f,
  Seals Rel (Lay (mt i j e) (mt j i f)) (Lay (mt i j e) (mt j i f)).
Proof. exact Transmissions.mt_ack_self_seals. Qed.

(** mt-not-self-sealing.  Section 3, Seals: "On the other hand, the shorter program mt i->j does not seal itself in
    Rel." *)

(* As printed. *)
Theorem mt_not_self_sealing : forall i j, i <> j -> forall e f, ~ Seals RelNS (mt i j f) (mt i j e).
Proof. exact Transmissions.mt_not_self_sealing. Qed.

Section ProperSeals.
Import InfiniteCuts Diverging.

(** diverging-seals.  Section 3, Proper Seals: "Then the program Q = while true do (x1 := 5; x2 := 17) od is TCC in
    RelFi, a CCL in Rel, and seals any program in Rel.  For it necessarily diverges, that is, it occurs only over
    intervals r[c,d] with non-finite d." *)

(* Refuted, if that means that it occurs. *)
Theorem diverging_seals_as_printed_fails : forall u, ~ exists r c d, Rel r /\ ioccurs u r c assigning d.
Proof. exact Diverging.diverging_seals_as_printed_fails. Qed.

(* Repaired: it occurs over no interval, and all of that follows. *)
Theorem diverging_seals : forall u,
  (forall r c d, ~ ioccurs u r c assigning d) /\
  iTCC u RelFi assigning /\
  (forall P Q, iCCL u Rel P assigning Q) /\
  (forall P, iSeals u Rel assigning P).
Proof. exact Diverging.diverging_seals. Qed.

End ProperSeals.

(** ** Section 4: case study, safe composition in Rel *)

(** mt-tcc-rel-fifo.  Section 4: "It [mt i->j] is TCC in RelFi but not TCC in Rel." *)

(* As printed. *)
Theorem mt_tcc_rel_fifo : forall i j, i <> j -> forall e, TCC RelFi (mt i j e) /\ ~ TCC Rel (mt i j e).
Proof. exact Transmissions.mt_tcc_rel_fifo. Qed.

Section NoTailCommunicationClosed.
Import InfiniteCuts TccImpossibility Teaching Bsl Variables OneSemantics InfiniteBarriers.

(** tcc-impossibility, tcc-impossibility-whole-language.  th:TCCbadforREL: "If r[c,d] ||- P for some r in Rel and finite
    c, d such that all channels are empty in (r,c) and there is at least one send or receive event in r[c,d], then P is
    not TCC in Rel." *)

(* Repaired: it holds of BSLs. *)
Theorem tcc_impossibility_bsl : forall P p, acts P = Some p -> nofself p -> dead_free p ->
  (exists i j, In (Snd j) (labs i p)) -> ~ TCC RelNS P.
Proof. exact Bsl.tcc_impossibility_bsl. Qed.

(* Refuted: a silent cut at the end of P makes it TCC. *)
Theorem tcc_impossibility_as_printed : ~ forall P,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c P d /\ exists e, between c d e /\ comm r e) ->
  ~ TCC Rel P.
Proof. exact Refutations.tcc_impossibility_as_printed. Qed.

Theorem tcc_impossibility_as_printed_infinite_fails : forall u, ~ forall P,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c P d /\ exists e, between c d e /\ comm r e) -> ~ iTCC u Rel P.
Proof. exact InfiniteRefutations.tcc_impossibility_as_printed_infinite_fails. Qed.

(* Repaired: no occurrence communicates after the last silent cut t that it passes. *)
Theorem tcc_impossibility : forall P,
  TCC RelNS P <->
  forall r c d t, RelNS r -> silent r c -> passes r c c P d t -> forall e, between t d e -> ~ comm r e.
Proof. exact TccImpossibility.tcc_impossibility. Qed.

Theorem tcc_impossibility_infinite : forall u P,
  (exists r c d t e, RelNS r /\ silent r c /\ passes r c c P d t /\ between t d e /\ comm r e) -> ~ iTCC u RelNS P.
Proof. exact InfiniteSealAlgebra.tcc_impossibility_infinite. Qed.

(** no-barrier, no-barrier-whole-language.  Corollary to th:TCCbadforREL: "No program can serve as a barrier in Rel." *)

(* Repaired: it holds of BSLs of two processes or more. *)
Theorem no_barrier_bsl : forall n B b, 2 <= n -> acts B = Some b -> within n b -> nofself b ->
  (forall i, ~ In (Rcv i) (labs i b)) -> ~ barrier_among n RelNS B.
Proof. exact Bsl.no_barrier_bsl. Qed.

(* Refuted: the silent cut is a barrier. *)
Theorem no_barrier_as_printed : ~ forall B,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c B d) -> ~ Barrier Rel B.
Proof. exact Refutations.no_barrier_as_printed. Qed.

Theorem no_barrier_as_printed_infinite_fails : forall u, ~ forall B,
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c B d) -> ~ InfiniteSealAlgebra.iBarrier u Rel B.
Proof. exact InfiniteRefutations.no_barrier_as_printed_infinite_fails. Qed.

(* Repaired: over finite intervals, exactly programs of silent cuts with all communication between them are barriers. *)
Theorem barriers_decided : forall n B, 2 <= n ->
  (VBarrier (runs_of n) B <->
   forall l, path_of B l -> (exists r c d, runs_of n r /\ voccurs r c (vsequence l) d) -> closed_path l).
Proof. exact BarriersDecided.barriers_decided. Qed.

(* Repaired: over all intervals, exactly programs that begin and end in silence wherever they occur are barriers. *)
Theorem barriers_decided_infinite : forall at_infinity may_act n B,
  iVBarrier at_infinity may_act (runs_of n) B <->
  forall r c d, runs_of n r -> ivoccurs at_infinity may_act r c B d -> isilent r c /\ isilent r d.
Proof. exact InfiniteBarriersDecided.barriers_decided_infinite. Qed.

End NoTailCommunicationClosed.

Section Unsealable.
Import Teaching Sealability SealabilityPlain GuardedSeal Figures.

(** non-sealed.  l:non-sealed: "If {1,2} are the processes then the program X = snd 1->2 (x+1); snd 2->1 (y+1); rcv 1<-2
    x; rcv 2<-1 y ... cannot be sealed properly in Rel."  Processes are numbered from 0 here. *)

(* Refuted: a program with a guard seals X, and completes after it. *)
Theorem guards_seal_X : forall e f, Seals Rel S1 (X_of e f).
Proof. exact GuardedSeal.guards_seal_X. Qed.

Theorem guards_seal_X_infinite : forall u e f, InfiniteCuts.properly_seals u Rel S1 (X_of e f).
Proof. exact InfiniteGuardedSeal.guards_seal_X_infinite. Qed.

Theorem guarded_seal_completes : forall e f, exists r c d,
  RelNS r /\ all_empty r c /\ occurs r c (Lay (X_of e f) S1) d /\ all_empty r d.
Proof. exact GuardedSeal.guarded_seal_completes. Qed.

(* Repaired: no BSL seals it. *)
Theorem non_sealed_bsl : forall P, acts P = Some X_acts -> ~ exists S s, proper_seal 2 P X_acts S s.
Proof. exact Figures.non_sealed_bsl. Qed.

(** non-sealed-third-process.  Section 1: "The same program executed in the presence of a third process as in
    fig:unsealP is, however, sealable." *)

(* As printed. *)
Theorem non_sealed_third_process : forall P, acts P = Some X_acts -> exists S s, proper_seal 3 P X_acts S s.
Proof. exact Figures.non_sealed_third_process. Qed.

(** figure-X.  fig:unseal.  Ours: X leaves both of its channels open. *)

Theorem figure_X : forall P, acts P = Some X_acts -> ~ closes RelNS P 0 1 /\ ~ closes RelNS P 1 0.
Proof. exact Figures.figure_X. Qed.

(** figure-P-prime.  fig:unsealP, section 1: "Any seal of this program will necessarily use transitive acknowledgments as
    discussed above." *)

(* Refuted: a program of the first two processes seals it. *)
Theorem figure_P_prime_as_printed_fails : forall e f, ~ forall S, any_seal 3 (X_of e f) S -> ~ of_processes 2 S.
Proof. exact GuardedSeal.figure_P_prime_as_printed_fails. Qed.

(* Repaired: the third process takes part in every BSL that seals it. *)
Theorem figure_P_prime : forall P S s, acts P = Some X_acts -> proper_seal 3 P X_acts S s ->
  exists a, In a s /\ match a with ASend i j | ARecv j i => i = 2 \/ j = 2 | AInt _ => False end.
Proof. exact Figures.figure_P_prime. Qed.

(** figure-3.  fig:3sealP, fig:3sealS, section 1: "... a program consisting of the transmission of three messages over
    three different channels.  It is sealed using transitive acknowledgments by the program displayed in fig:3sealS, which
    sends only two messages." *)

(* As printed, of one such program; and one message is not enough. *)
Theorem figure_3 : exists P p, acts P = Some p /\ messages p = 3 /\
  (forall i j, In (i, j) [(0, 1); (1, 2); (0, 2)] -> In (ASend i j) p /\ ~ closes RelNS P i j) /\
  (exists S s, proper_seal 3 P p S s /\ messages s = 2) /\
  (forall S s, proper_seal 3 P p S s -> 2 <= messages s).
Proof. exact Figures.figure_3. Qed.

End Unsealable.

Section Undecidable.
Import Variables SealabilityUndecidable.

(** sealability-undecidable.  Section 4: "Our programming language Prog is Turing-complete.  Since the halting problem
    for Prog can be reduced to sealability in Rel we obtain Theorem.  Sealability in Rel is undecidable." *)

(* As printed: a reduction from the halting of two-counter machines. *)
Theorem sealability_undecidable : forall m, (halts m -> ~ exists s, vproper_seal s (then_send m)) /\
  (~ halts m -> vproper_seal VEps (then_send m)).
Proof. exact SealabilityUndecidable.sealability_undecidable. Qed.

End Undecidable.

Section Balance.
Import TccImpossibility InfiniteCuts InfiniteChannels InfiniteBalance.

(** balanced-tcc-rel-fifo.  Section 4: "Note that balanced programs are TCC in RelFi." *)

(* As printed, from empty channels. *)
Theorem balanced_silent_rel_fifo : forall P, Balanced Rel P ->
  forall r c d, RelFi r -> all_empty r c -> occurs r c P d -> silent r d.
Proof. exact FifoModels.balanced_silent_rel_fifo. Qed.

Theorem balanced_silent_rel_fifo_infinite : forall u P, iBalanced u Rel P ->
  forall r c d, RelFi r -> iall_empty r c -> ioccurs u r c P d -> isilent r d.
Proof. exact InfiniteBalance.balanced_silent_rel_fifo_infinite. Qed.

(* Refuted by the formula for TCC, in which messages may have been lost before. *)
Theorem balanced_tcc_rel_fifo_as_formalized : ~ forall P, Balanced Rel P -> TCC RelFi P.
Proof. exact Refutations.balanced_tcc_rel_fifo_as_formalized. Qed.

(* Repaired: it holds of BSLs by the formula, too. *)
Theorem balanced_tcc_rel_fifo : forall P p, acts P = Some p -> balanced p -> TCC RelFi P.
Proof. exact FifoModels.balanced_tcc_rel_fifo. Qed.

(** balanced-necessary, balanced-necessary-whole-language.  th:psealable.balanced: "In Rel, every non-divergent program
    that is properly sealable is also balanced." *)

(* Repaired: it holds of straight-line programs, for seals without silent cuts. *)
Theorem balanced_necessary : forall P p S, acts P = Some p -> nochop S -> Seals RelNS S P ->
  (exists r c d, RelNS r /\ all_empty r c /\ occurs r c (Lay P S) d) -> balanced p.
Proof. exact BalancedNecessary.balanced_necessary. Qed.

(* Refuted: the silent cut seals every program. *)
Theorem balanced_necessary_as_printed : ~ forall P S, Seals Rel S P ->
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c (Lay P S) d) -> Balanced Rel P.
Proof. exact Refutations.balanced_necessary_as_printed. Qed.

(* Refuted over all intervals, even of BSLs: a process that has gone on for ever may receive without an event. *)
Theorem balanced_necessary_as_printed_infinite_fails : forall u, acts_on u -> ~ forall P p S q,
  acts P = Some p -> acts S = Some q -> balanced p -> balanced q -> properly_seals u Rel S P ->
  (exists r c d, Rel r /\ all_empty r c /\ occurs r c (Lay P S) d) -> iBalanced u Rel P.
Proof. exact InfiniteBalance.balanced_necessary_as_printed_infinite_fails. Qed.

(* Repaired: of all programs without silent cuts, if S can complete wherever P ends, and finds silence there. *)
Theorem balanced_necessary_whole_language : forall P S, nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) ->
  Balanced RelNS P.
Proof. exact BalancedNecessary.balanced_necessary_whole_language. Qed.

(* Repaired: the same over all intervals that begin at a finite cut, if P does not diverge there. *)
Theorem balanced_necessary_from_finite_cuts : forall u P S, nochop P -> nochop S ->
  (forall r c m, RelNS r -> all_empty r c -> occurs r c P m ->
     exists r' d, RelNS r' /\ all_empty r' c /\ agree r r' m /\ occurs r' m S d) ->
  (forall r c m d, RelNS r -> silent r c -> occurs r c P m -> occurs r m S d -> silent r m) ->
  (forall r c d, RelNS r -> ioccurs u r (fin c) P d -> finite d) ->
  forall r c d, RelNS r -> all_empty r c -> ioccurs u r (fin c) P d -> forall i j, balanced_at r d i j.
Proof. exact InfiniteBalance.balanced_necessary_from_finite_cuts. Qed.

End Balance.

Section Causality.
Import GraphCause.

(** graph-cause.  GraphCause: "Let r in Rel.  Let P be a BSL with program graph (V,E).  If r[c,d] ||-" P after a silent
    cut "then N_E is contained in" causality. *)

(* As printed. *)
Theorem graph_cause : forall r P l c d,
  Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->
  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).
Proof. exact GraphCause.graph_cause. Qed.

(** graph-cause-largest.  Section 4, after GraphCause: "We note that (N_E)+ is the largest set of edges with this
    property, ..." *)

(* As printed: it has the property, ... *)
Theorem graph_cause_paths : forall r P l c d,
  Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->
  forall x y, clos_trans event (normal l) x y -> causes r (at_cut c x) (at_cut c y).
Proof. exact GraphCause.graph_cause_paths. Qed.

(* ... and is the largest such set, also if no process sends to itself. *)
Theorem graph_cause_largest : forall P l, acts P = Some l -> balanced l -> dead_free l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, Rel r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof. exact GraphCause.graph_cause_largest. Qed.

Theorem graph_cause_largest_noself : forall P l, acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  forall x y, snd y < len l (fst y) ->
  (forall r c d, RelNS r -> occurs r c (Lay Chop P) d -> causes r (at_cut c x) (at_cut c y)) ->
  clos_trans event (normal l) x y.
Proof. exact GraphCause.graph_cause_largest_noself. Qed.

(** fifo-causality.  Section 4, the reason for that: "... because (N_E)+ =" causality between events of P "if r in
    RelFi." *)

(* As printed. *)
Theorem fifo_causality : forall r P l c d,
  RelFi r -> acts P = Some l -> balanced l -> occurs r c (Lay Chop P) d ->
  forall x y, snd x < len l (fst x) -> snd y < len l (fst y) ->
  (clos_trans event (normal l) x y <-> causes r (at_cut c x) (at_cut c y)).
Proof. exact FifoModels.fifo_causality. Qed.

End Causality.

Section Signatures.
Import Teaching NoBarrier Transmissions SignatureSize.

(** closed-channels.  Section 4: "Let P be a BSL and let G = (V,E) be Sig(P).  Then P leaves channel chan i->j open iff
    rcv j<-i is in V", where P closes it if it "is empty after P in any execution of P starting at a cut with empty
    channels." *)

(* As printed. *)
Theorem closed_channels_self : forall P l i j, acts P = Some l -> balanced l -> dead_free l ->
  (~ closes Rel P i j <-> exists y, sig_rcv l j i y).
Proof. exact ClosedChannels.closed_channels_self. Qed.

(** closed-channels-formally.  Section 4: "More formally ... For all r in Rel, if r[c,d] ||-" P after a silent cut "then
    chan i->j is empty in (r,d)." *)

(* Refuted: a message that was lost before may be in the channel. *)
Theorem closed_channels_as_formalized : ~ forall P l i j,
  acts P = Some l -> balanced l -> dead_free l -> nofself l ->
  ((forall r c d, RelNS r -> occurs r c (Lay Chop P) d -> empty_channel r d i j) <-> ~ exists y, sig_rcv l j i y).
Proof. exact Refutations.closed_channels_as_formalized. Qed.

(** figure-signatures.  fig:Sigvt, fig:Sigvtack: "... there is a node rcv j<-i in Sig(mt i->j), which is depicted in
    fig:Sigvt.  ... the rcv j<-i node found in Sig(mt i->j) is not present in the Sig(mt i->j; mt j->i) shown in
    fig:Sigvtack." *)

(* As printed. *)
Theorem sigvt : forall i j, i <> j -> sig_rcv (mt_actions i j) j i 0.
Proof. exact Transmissions.sigvt. Qed.

Theorem sigvtack : forall i j y, ~ sig_rcv (exchange_of i j) j i y.
Proof. exact Transmissions.sigvtack. Qed.

(** signature-size.  Section 4: "It has size O(n^2) while preserving the information necessary to decide what channels
    are left open, respectively closed, by P." *)

(* Refuted, of nodes and edges. *)
Theorem signature_size_as_printed_fails : ~ exists K N, forall n P l, N <= n -> BSL n P l ->
  exists vs es, length vs + length es <= K * n ^ 2 /\
  (forall v, sig_node n l v -> In v vs) /\
  (forall u v, sig_node n l u -> sig_node n l v -> path l u v -> In (u, v) es).
Proof. exact LargeSignatures.signature_size_as_printed_fails. Qed.

(* Refuted, of the edges that deciding sealing looks at. *)
Theorem signature_edges_as_printed_fails : ~ exists K N, forall n P l, N <= n -> BSL n P l ->
  exists es, length es <= K * n ^ 2 /\ forall u v, looked_at n l u v -> In (u, v) es.
Proof. exact LargeSignatures.signature_edges_as_printed_fails. Qed.

(* Repaired: O(n^2) nodes, O(n^4) nodes and edges, O(n^3) edges that deciding looks at. *)
Theorem signature_nodes : forall n l, within n l ->
  exists vs, length vs <= 4 * n ^ 2 /\ forall v, sig_node n l v -> In v vs.
Proof. exact SignatureSize.signature_nodes. Qed.

Theorem signature_nodes_and_edges : forall n l, within n l ->
  exists vs es, length vs + length es <= 20 * n ^ 4 /\
  (forall v, sig_node n l v -> In v vs) /\
  (forall u v, sig_node n l u -> sig_node n l v -> path l u v -> In (u, v) es).
Proof. exact SignatureSize.signature_nodes_and_edges. Qed.

Theorem signature_edges_for_deciding : forall n l, within n l ->
  exists es, length es <= 3 * n ^ 3 /\ forall u v, looked_at n l u v -> In (u, v) es.
Proof. exact SignatureSize.signature_edges_for_deciding. Qed.

End Signatures.

Section Costs.
Import Teaching SealsBySignatures SignatureCosts SignatureSets ProcedureCosts.

(** signature-cost.  Section 4: "The complexity of computing Sig(P) is in O(||P||^3) since it requires the causality
    relation obtained as the transitive closure of the edge relation of P's program graph." *)

(* As printed. *)
Theorem signature_cost : forall n l, (forall i, i < n -> exists a, In a l /\ actor a = i) ->
  fst (Sig_counted n l) = Procedures.Sig l (Procedures.Program_Graph_mended n l) /\
  snd (Sig_counted n l) <= 141 * length l ^ 3.
Proof. exact ProcedureCosts.signature_cost. Qed.

(** signature-compose-cost.  Section 4: "We remark that for BSLs P and Q, Sig(P;Q) can be obtained from their respective
    signatures at a cost of O(n^2)." *)

(* Refuted: more edges than that are new. *)
Theorem compose_cost_as_printed_fails : ~ exists K N, forall n P Q p q, N <= n -> BSL n P p -> BSL n Q q ->
  exists es, length es <= K * n ^ 2 /\
  forall a b, is_edge_within n (p ++ q) a b -> ~ is_edge_within n p a b -> ~ is_edge_within n q a b -> In (a, b) es.
Proof. exact SignatureCosts.compose_cost_as_printed_fails. Qed.

(* Refuted, of the edges that deciding looks at. *)
Theorem compose_for_deciding_cost_as_printed_fails : ~ exists K N, forall n P Q p q, N <= n -> BSL n P p -> BSL n Q q ->
  exists es, length es <= K * n ^ 2 /\
  forall a b, for_deciding a b ->
  is_edge_within n (p ++ q) a b -> ~ is_edge_within n p a b -> ~ is_edge_within n q a b -> In (a, b) es.
Proof. exact SignatureCosts.compose_for_deciding_cost_as_printed_fails. Qed.

(* Repaired: O(n^5), ... *)
Theorem compose_cost : forall n p q P Q, balanced p -> within n p -> within n q ->
  SignatureLists.is_signature n p P -> SignatureLists.is_signature n q Q -> NoDup (fst P) -> NoDup (fst Q) ->
  SignatureLists.is_signature n (p ++ q) (fst (compose_counted n P Q)) /\
  snd (compose_counted n P Q) <= 80 * n ^ 5.
Proof. exact ProcedureCosts.compose_cost. Qed.

(* ... and, of the edges that deciding looks at, O(n^3) unions of sets. *)
Theorem compose_by_sets_cost : forall n p q sp sq, balanced p -> within n p -> within n q ->
  are_sets n p sp -> are_sets n q sq ->
  are_sets n (p ++ q) (compose_sets sp sq) /\ unions sp sq n <= 4 * n ^ 3.
Proof. exact SignatureSets.compose_by_sets_cost. Qed.

(** decide-cost.  Section 4: "... the complexity of deciding whether Q seals P, given their signatures, is obviously
    determined by the size of P's signature, which we recall is O(n^2)." *)

(* Refuted, of the edges that Is-Seal looks for. *)
Theorem decide_cost_as_printed_fails : ~ exists K N, forall n P Q p q gp gq, N <= n -> BSL n P p -> BSL n Q q ->
  is_signature_within n p gp -> is_signature_within n q gq -> snd (is_seal n gp gq) <= K * n ^ 2.
Proof. exact SignatureCosts.decide_cost_as_printed_fails. Qed.

(* Repaired: O(n^3), ... *)
Theorem decide_cost : forall (n : nat) (gp gq : name_graph), snd (is_seal n gp gq) <= 2 * n ^ 3.
Proof. exact SignatureCosts.decide_cost. Qed.

(* ... or O(n^2) intersections of sets. *)
Theorem decide_by_sets_cost : forall n P Q p q sp sq, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> within n p -> within n q -> dead_free (p ++ q) ->
  are_sets n p sp -> are_sets n q sq ->
  (fst (decide_by_sets n sp sq) = true <-> Seals Rel Q P) /\ snd (decide_by_sets n sp sq) <= n ^ 2.
Proof. exact SignatureSets.decide_by_sets_cost. Qed.

End Costs.

Section DecidingSealing.
Import DecideSealing.

(** decide-sealing.  th:decide.sealing: "Let P and Q be BSLs and let (V_P,E_P) = Sig(P) and (V_Q,E_Q) = Sig(Q).  Then Q
    properly seals P iff, for all rcv j<-i in V_P, there exists k such that (rcv j<-i, lst_k) in E_P, (fst_k, lst_i) in
    E_Q, and, if snd i->j in V_Q then (fst_k, snd i->j) in E_Q." *)

(* As printed. *)
Theorem decide_sealing_self : forall P Q p q, acts P = Some p -> acts Q = Some q ->
  balanced p -> balanced q -> dead_free (p ++ q) -> (Seals Rel Q P <-> signatures_seal p q).
Proof. exact DecideSealing.decide_sealing_self. Qed.

End DecidingSealing.

Section Sealable.
Import Knowledge Teaching Sealability SealabilityPlain ExamplesSeals SealConstruction SpanningTree GuardedSeal.

(** sealability.  th:sealability: "Let P be a BSL.  Then P can be sealed properly in Rel iff C_P^ud is connected." *)

(* Refuted: a program that can be sealed although no closed channels lead from 1 to 0. *)
Theorem sealability_as_printed_fails : exists n P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\ ~ clos_refl_trans nat (closed_edge n P) 1 0.
Proof. exact ExamplesSeals.sealability_as_printed_fails. Qed.

(* Repaired: parts are joined by knowledge of the last receive, too. *)
Theorem sealability : forall n P p, BSL n P p -> 1 <= n ->
  ((exists S s, proper_seal n P p S s) <-> one_block n (learnt p)).
Proof. exact Sealability.sealability. Qed.

(** seal-construction.  th:sealability, its proof: "The algorithm sketched as Seal(P) takes a BSL P as input and outputs a
    proper seal for P if P is properly sealable.  ...  It consists of less than 3n instances of mt ..." *)

(* As printed, if C_P^ud is connected. *)
Theorem seal_construction_closed : forall n P p closed, BSL n P p ->
  (forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j)) ->
  (forall i j, i < n -> j < n -> clos_refl_trans nat (closed_ud n P) i j) ->
  (forall v, v < n -> exists t, root t = v /\ tree_of_closed closed t /\ Permutation (members t) (seq 0 n)) /\
  (forall t, tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
    proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
    messages (transmissions (tree_seal closed t)) < 3 * n).
Proof. exact SpanningTree.seal_construction_closed. Qed.

(** seal-construction-open-channels.  th:sealability, its proof: "Each one of these mt instances transmits a message along
    a channel that is closed at the time of transmission." *)

(* As printed. *)
Theorem seal_construction_closed_when_sent : forall n P p closed t before i j rest,
  acts P = Some p -> balanced p ->
  (forall i j, i < n -> j < n -> closed i j = true -> closes RelNS P i j) ->
  tree_of_closed closed t -> Permutation (members t) (seq 0 n) -> tree_seal closed t = before ++ (i, j) :: rest ->
  closes RelNS (Lay P (transmitting before)) i j.
Proof. exact ClosedWhenSent.seal_construction_closed_when_sent. Qed.

(** seal-size.  th:sealability: "Moreover, if P is properly sealable in Rel then it can be sealed by a BSL that transmits
    less than 3n messages." *)

(* Refuted, if any program may be the seal that there is. *)
Theorem seal_size_as_printed_fails : ~ forall n P p, 1 <= n -> BSL n P p ->
  (exists S, any_seal n P S) -> exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof. exact GuardedSeal.seal_size_as_printed_fails. Qed.

(* Repaired: if it is a BSL. *)
Theorem seal_size : forall n P p, 1 <= n -> acts P = Some p ->
  (exists S s, proper_seal n P p S s) -> exists S s, proper_seal n P p S s /\ messages s < 3 * n.
Proof. exact Bsl.seal_size. Qed.

(** worst-case-seal.  Abstract of the journal version (2009): 3n - 4 messages are necessary and sufficient for sealing in
    the worst case. *)

(* Refuted: 3n - 4 are never necessary. *)
Theorem worst_case_seal_as_printed_fails : forall n, 2 <= n -> ~ exists P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\
  forall S s, proper_seal n P p S s -> 3 * n - 4 <= messages s.
Proof. exact WorstCase.worst_case_seal_as_printed_fails. Qed.

(* Repaired: 3n - 5 are sufficient, and necessary for some program. *)
Theorem worst_case_seal_sufficient : forall n P p, acts P = Some p -> (exists S s, proper_seal n P p S s) ->
  exists S s, proper_seal n P p S s /\ messages s <= 3 * n - 5.
Proof. exact WorstCase.worst_case_seal_sufficient. Qed.

Theorem worst_case_seal_necessary : forall n, 2 <= n -> exists P p, BSL n P p /\
  (exists S s, proper_seal n P p S s) /\
  forall S s, proper_seal n P p S s -> 3 * n - 5 <= messages s.
Proof. exact WorstCase.worst_case_seal_necessary. Qed.

End Sealable.

Section TheExample.
Import Teaching Sealability ExamplePhase.

(** example-open-channels.  The example after th:sealability: "Executing L beginning with empty channels leaves n^2 - 3n
    + 3 channels open." *)

(* Refuted, of every n but 2. *)
Theorem example_open_channels_as_printed_fails : forall n P, n <> 2 -> acts P = Some (L n) ->
  ~ leaves_open P (n ^ 2 + 3 - 3 * n).
Proof. exact ExamplePhase.example_open_channels_as_printed_fails. Qed.

(* Repaired. *)
Theorem example_open_channels : forall n P, acts P = Some (L n) -> leaves_open P ((n - 1) ^ 2).
Proof. exact ExamplePhase.example_open_channels. Qed.

(** example-L-seal.  The example after th:sealability: "Nevertheless, L can be sealed efficiently by the program S ...
    which transmits n - 1 messages." *)

(* As printed. *)
Theorem example_L_seal : forall n P S, acts P = Some (L n) -> acts S = Some (S_acts n) ->
  proper_seal n P (L n) S (S_acts n) /\ messages (S_acts n) = n - 1.
Proof. exact ExamplePhase.example_L_seal. Qed.

(** figure-O-n.  fig:maxtranssealS: "O(n) transmissions close Omega(n^2) open channels." *)

(* As printed; and nothing shorter seals L. *)
Theorem figure_O_n : forall n P S, acts P = Some (L n) -> acts S = Some (S_acts n) ->
  leaves_open P (messages (S_acts n) ^ 2) /\
  messages (S_acts n) = n - 1 /\
  proper_seal n P (L n) S (S_acts n) /\
  (forall i j, ~ closes RelNS P i j -> closes RelNS (Lay P S) i j) /\
  (forall S' s, proper_seal n P (L n) S' s -> messages (S_acts n) <= messages s).
Proof. exact ExamplePhase.figure_O_n. Qed.

End TheExample.

(** ** Section 5: conclusion *)

Section Conclusion.
Import SealAlgebra InfiniteCuts Diverging.

(** while-exchange.  Section 5: "... a program of the form while true do mt i->j; mt j->i od can serve to transmit a
    sequence of values from i to j in Rel." *)

(* Refuted: the loop occurs over no interval. *)
Theorem while_exchange_as_printed_fails : forall u i j e f,
  ~ exists r c d, Rel r /\ ioccurs u r c (while truth (exchanges i j e f)) d.
Proof. exact Diverging.while_exchange_as_printed_fails. Qed.

(* Repaired: with repetition for the loop, any number of times; all iterations but the last receive their messages. *)
Theorem while_exchange : forall i j e f, i <> j ->
  (forall k, exists r c m d, RelNS r /\ silent r c /\
    iterates r (exchanges i j e f) k c m /\ occurs r m (exchanges i j e f) d) /\
  refines Rel (Lay Chop (Lay (Star (exchanges i j e f)) (exchanges i j e f)))
              (Lay (Star (Lay (exchanges i j e f) Chop)) (exchanges i j e f)).
Proof. exact Diverging.while_exchange. Qed.

End Conclusion.

(** ** Appendix: algorithms *)

Section Graphs.
Import Teaching Procedures ProgramGraph MendedProcedures.

(** program-graph.  app:algo, Program-Graph: it returns the program graph, with a "node for every send and receive event
    in P plus an initial dummy node fst_i and a final dummy node lst_i for each process i.  The edge set E consists of the
    successor relation over events in the same process extended to the dummy nodes plus an edge between the k'th send and
    the k'th receive on channel chan i->j, for all k, i, and j." *)

(* Refuted, of the procedure as printed. *)
Theorem program_graph_as_printed : ~ forall n P l, BSL n P l -> forall u v,
  (In u (fst (Program_Graph_printed n l)) <-> graph_node n l u) /\
  (In (u, v) (snd (Program_Graph_printed n l)) <-> graph_edge n l u v).
Proof. exact PrintedProcedures.program_graph_as_printed. Qed.

(* Repaired: with rcv j<-i in line 5. *)
Theorem program_graph_mended : forall n l, within n l -> forall u v,
  (In u (fst (Program_Graph_mended n l)) <-> graph_node n l u) /\
  (In (u, v) (snd (Program_Graph_mended n l)) <-> graph_edge n l u v).
Proof. exact ProgramGraph.program_graph_mended. Qed.

(** deadlock-free.  app:algo, Deadlock-Free: "Return exists cycle in E." *)

(* Refuted, on either program graph. *)
Theorem deadlock_free_as_printed : ~ forall n l, within n l -> balanced l -> nofself l ->
  (Deadlock_Free (Program_Graph_mended n l) = true <-> dead_free l).
Proof. exact PrintedProcedures.deadlock_free_as_printed. Qed.

Theorem deadlock_free_printed_graph : ~ forall n l, within n l -> balanced l -> nofself l ->
  (Deadlock_Free (Program_Graph_printed n l) = true <-> dead_free l).
Proof. exact PrintedProcedures.deadlock_free_printed_graph. Qed.

(* Repaired: with "no cycle"; and these are the programs that occur. *)
Theorem deadlock_free_mended : forall n l, within n l -> balanced l ->
  (Deadlock_Free_mended (Program_Graph_mended n l) = true <-> dead_free l).
Proof. exact MendedProcedures.deadlock_free_mended. Qed.

Theorem dead_free_iff_occurs : forall P p, acts P = Some p -> nofself p ->
  (dead_free p <-> exists r c d, RelNS r /\ silent r c /\ occurs r c P d).
Proof. exact Unbalanced.dead_free_iff_occurs. Qed.

(** sig.  app:algo, Sig: it returns the signature; "... we remove all nodes except for the dummy nodes and the first send
    and last receive on each channel.  The graph is further reduced by removing the node snd i->j whenever (fst_j, snd i->j)
    in E+.  Similarly, rcv j<-i is removed whenever (rcv j<-i, lst_i) in E+." *)

(* As printed, on the mended program graph. *)
Theorem sig_mended : forall n l, within n l -> dead_free l -> forall a b,
  (In a (fst (Sig l (Program_Graph_mended n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_mended n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof. exact MendedProcedures.sig_mended. Qed.

(* Refuted on the printed one. *)
Theorem sig_printed_graph : ~ forall n P l, BSL n P l -> forall a b,
  (In a (fst (Sig l (Program_Graph_printed n l))) <-> exists u, stands_for n l a u) /\
  (In (a, b) (snd (Sig l (Program_Graph_printed n l))) <->
   exists u v, stands_for n l a u /\ stands_for n l b v /\ path l u v).
Proof. exact PrintedProcedures.sig_printed_graph. Qed.

End Graphs.

Section IsSealProcedure.
Import Teaching Procedures IsSeal.

(** is-seal.  app:algo, Is-Seal: "An algorithm for deciding whether Q seals P based only on their signatures is
    presented." (section 1) *)

(* Refuted as printed, ... *)
Theorem is_seal_as_printed : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_printed n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof. exact IsSeal.is_seal_as_printed. Qed.

(* ... with E_P in line 1, ... *)
Theorem is_seal_with_line_1_mended : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_line_1_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof. exact IsSeal.is_seal_with_line_1_mended. Qed.

(* ... and on the printed program graph. *)
Theorem is_seal_on_the_printed_graph : ~ forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_printed n (Sig p (Program_Graph_printed n p)) (Sig q (Program_Graph_printed n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof. exact IsSeal.is_seal_on_the_printed_graph. Qed.

(* Repaired: with e in line 7, too. *)
Theorem is_seal_repaired : forall n P Q p q, BSL n P p -> BSL n Q q ->
  exists b, Is_Seal_mended n (Sig p (Program_Graph_mended n p)) (Sig q (Program_Graph_mended n q)) = Some b /\
            (b = true <-> Seals RelNS Q P).
Proof. exact IsSeal.is_seal_repaired. Qed.

End IsSealProcedure.

Section ClosedChannelsProcedure.
Import Teaching Procedures.

(** closed-channels-algorithm.  app:algo, Closed-Channels: "(i,j) in E_P iff i <> j and chan i->j is closed by P in
    Rel." (section 4) *)

(* As printed, on the mended program graph. *)
Theorem closed_channels_mended : forall n P l, BSL n P l ->
  let C := Closed_Channels n (Sig l (Program_Graph_mended n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof. exact MendedProcedures.closed_channels_mended. Qed.

(* Refuted on the printed one. *)
Theorem closed_channels_printed_graph : ~ forall n P l, BSL n P l ->
  let C := Closed_Channels n (Sig l (Program_Graph_printed n l)) in
  (forall i, In i (fst C) <-> i < n) /\
  (forall i j, In (i, j) (snd C) <-> i < n /\ j < n /\ i <> j /\ closes RelNS P i j).
Proof. exact PrintedProcedures.closed_channels_printed_graph. Qed.

End ClosedChannelsProcedure.

Section SignatureComposeProcedure.
Import Teaching SignatureLists SignatureCompose.

(** signature-compose.  app:algo, Signature-Compose: "for BSLs P and Q, Sig(P;Q) can be obtained from their respective
    signatures" (section 4) *)

(* Refuted. *)
Theorem signature_compose_as_printed : ~ forall n P Q p q gp gq, BSL n P p -> BSL n Q q ->
  is_signature n p gp -> is_signature n q gq -> is_signature n (p ++ q) (Signature_Compose_printed n gp gq).
Proof. exact SignatureCompose.signature_compose_as_printed. Qed.

(* Repaired: with lst_i in line 5. *)
Theorem signature_compose_repaired : forall n p q P Q,
  balanced p -> within n p ->
  is_signature n p P -> is_signature n q Q -> is_signature n (p ++ q) (Signature_Compose_mended n P Q).
Proof. exact SignatureCompose.signature_compose_repaired. Qed.

End SignatureComposeProcedure.

Section SealProcedure.
Import Teaching Sealability SealConstruction Procedures SealMended.

(** seal.  th:sealability, Seal, line 3: "pick T contained in E s.t. (P, T)^ud forms a spanning tree of V", from a graph
    (V,E) that Closed-Channels(P) returns; Seal "outputs a proper seal for P if P is properly sealable." *)

(* Refuted: there may be no T, with the channels that P closes, ... *)
Theorem seal_as_printed : ~ forall n P p closed, BSL n P p ->
  (forall i j, i < n -> j < n -> (closed i j = true <-> closes RelNS P i j)) ->
  (exists S s, proper_seal n P p S s) ->
  exists t, tree_of_closed closed t /\ Permutation (members t) (seq 0 n).
Proof. exact PrintedProcedures.seal_as_printed. Qed.

(* ... and with those that are found on the printed program graph. *)
Theorem seal_printed_graph : ~ forall n P p, BSL n P p ->
  (exists S s, proper_seal n P p S s) ->
  let C := snd (Closed_Channels n (Sig p (Program_Graph_printed n p))) in
  exists t, tree_of_closed (fun i j => has_edge Nat.eq_dec i j C) t /\ Permutation (members t) (seq 0 n).
Proof. exact PrintedProcedures.seal_printed_graph. Qed.

(* Repaired: without T, by all safe messages that tell their receiver something, less those that are not needed. *)
Theorem seal_mended : forall n P p, BSL n P p ->
  let V_E := Sig p (Program_Graph_mended n p) in
  let closed i j := has_edge Nat.eq_dec i j (snd (Closed_Channels n V_E)) in
  (forall t, tree_of_closed closed t -> Permutation (members t) (seq 0 n) ->
    proper_seal n P p (transmitting (tree_seal closed t)) (transmissions (tree_seal closed t)) /\
    messages (transmissions (tree_seal closed t)) < 3 * n) /\
  (forall ms, without_tree n V_E = Some ms -> proper_seal n P p (transmitting ms) (transmissions ms)) /\
  (without_tree n V_E = None <-> ~ exists S s, proper_seal n P p S s).
Proof. exact SealMended.seal_mended. Qed.

End SealProcedure.
