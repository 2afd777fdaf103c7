"""Faults in the definitions of runs and programs, and in the statements about them."""

from tests.proofs.fault import Fault

FAULTS = (
    Fault(
        "Definitions.v",
        "forall e, ~ causes r e e",
        "forall e, causes r e e -> True",
        "runs may have causal cycles",
    ),
    Fault(
        "Definitions.v",
        "delta r e = delta r e' -> e = e';",
        "delta r e = delta r e' -> e = e;",
        "one message may be received twice",
    ),
    Fault(
        "Definitions.v",
        "delta_snd : forall e i j, is_rcv r e i j -> is_snd r (delta r e) i j;",
        "delta_snd : forall e i j, is_rcv r e i j -> is_snd r (delta r e) (fst (delta r e)) j;",
        "a message may come from another process than its channel says",
    ),
    Fault(
        "Definitions.v",
        "is_rcv r e i j -> val r e = val r (delta r e).",
        "is_rcv r e i j -> val r e = val r e.",
        "messages may be corrupted in transit",
    ),
    Fault(
        "Definitions.v",
        "is_rcv r e i j -> (inside c e <-> inside c (delta r e)).",
        "is_rcv r e i j -> (inside c e -> inside c (delta r e)).",
        "messages may cross a silent cut forwards",
    ),
    Fault(
        "Definitions.v",
        "Definition inside (c : cut) (e : event) := snd e < c (fst e).",
        "Definition inside (c : cut) (e : event) := snd e <= c (fst e).",
        "a cut holds one event too many",
    ),
    Fault(
        "Definitions.v",
        "lab r i (c i) = Snd j -> val r (i, c i) = e (past r i (c i)) ->",
        "lab r i (c i) = Snd j -> val r (i, c i) = val r (i, c i) ->",
        "a send may carry another value than the program says",
    ),
    Fault(
        "Definitions.v",
        "| O_grd c d g : ceq c d -> holds r c g ->",
        "| O_grd c d g : ceq c d -> holds r c g \\/ True ->",
        "guards are not looked at",
    ),
    Fault(
        "Definitions.v",
        "refines G (Lay Chop (Lay p s)) (Lay p (Lay Chop s)).",
        "refines G (Lay Chop (Lay p s)) (Lay p (Lay s Chop)).",
        "a seal ends with a silent cut instead of starting with one",
    ),
    Fault(
        "Definitions.v",
        "refines G (Lay Chop p) (Lay p Chop).",
        "refines G (Lay Chop p) (Lay Chop p).",
        "every program is TCC",
    ),
    Fault(
        "Definitions.v",
        "length (filter (sndb j) (labs i l)) = length (filter (rcvb i) (labs j l)).",
        "length (filter (sndb j) (labs i l)) <= length (filter (rcvb i) (labs j l)).",
        "a balanced program may receive more than it sends",
    ),
    Fault(
        "Definitions.v",
        "forall y', nth_error (labs j l) y' = Some (Rcv i) -> y' <= y.",
        "forall y', nth_error (labs j l) y' = Some (Rcv i) -> y <= y'.",
        "a signature has the first receive of a channel",
    ),
    Fault(
        "Definitions.v",
        "last_receive l j i y /\\ ~ path l (Ev j y) (Ld i).",
        "last_receive l j i y /\\ ~ path l (Ev j y) (Ld j).",
        "as in the appendix: a receive is removed if its own process ends after it, which is always",
    ),
    Fault(
        "Definitions.v",
        "first_send l i j x /\\ ~ path l (Fd j) (Ev i x).",
        "first_send l i j x /\\ ~ path l (Fd i) (Ev i x).",
        "a send is removed if its own process starts before it, which is always",
    ),
    Fault(
        "Definitions.v",
        "(i, nthpos (sndb (fst e)) (labs i l) (length (filter (rcvb i) (firstn (snd e) (labs (fst e) l)))))",
        "(i, nthpos (sndb (fst e)) (labs i l) (length (firstn (snd e) (labs (fst e) l))))",
        "the program graph counts all events and not those of the channel",
    ),
    Fault(
        "GraphCause.v",
        "Rel r -> acts P = Some l -> occurs r c (Lay Chop P) d ->\n"
        "  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).",
        "Rel r -> acts P = Some l -> occurs r c P d ->\n"
        "  forall x y, normal l x y -> causes r (at_cut c x) (at_cut c y).",
        "GraphCause without the leading silent cut",
        """
        apply Refutations.graph_cause_needs_leading_cut.
        intros r P l c d [R _] A _. exact (H r P l c d R A).
        """,
    ),
    Fault(
        "GraphCause.v",
        "acts P = Some l -> balanced l -> dead_free l ->\n  forall x y, snd y < len l (fst y) ->",
        "acts P = Some l -> balanced l -> dead_free l ->\n  forall x y,",
        "largest-ness beyond the program's events",
    ),
    Fault(
        "DecideSealing.v",
        "exists k, path p (Ev j y) (Ld k) /\\ path q (Fd k) (Ld i) /\\\n"
        "            forall x, sig_snd q i j x -> path q (Fd k) (Ev i x).",
        "exists k, path p (Ev j y) (Ld k) /\\ path q (Fd k) (Ld i).",
        "deciding sealing without looking at what Q sends",
    ),
    Fault(
        "DecideSealing.v",
        "balanced p -> balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->\n"
        "  (Seals RelNS Q P <-> signatures_seal p q).",
        "balanced q -> nofself (p ++ q) -> dead_free (p ++ q) ->\n"
        "  (Seals RelNS Q P <-> signatures_seal p q).",
        "deciding sealing of an unbalanced P",
    ),
    Fault(
        "ClosedChannels.v",
        "(~ closes RelNS P i j <-> exists y, sig_rcv l j i y).",
        "(closes RelNS P i j <-> exists y, sig_rcv l j i y).",
        "what stays in the signature is closed",
        """
        destruct (H Eps [] 0 1 eq_refl (fun _ _ => eq_refl) Prefix.nothing_dead_free) as [X _].
        { intros k []. }
        destruct X as (y & [[E _] _]); [|destruct y; discriminate].
        intros r c d R E O. inversion O as [a b Q| | | | | | | | | |]; subst.
        intros e [I J]. apply (E 0 1 e). split; [now apply (inside_ceq _ _ _ Q)|].
        destruct J as [[Sn Un]|[Rc Un]]; [left|right]; (split; [assumption|]).
        - intros e' a b Re Ie. apply (Un e' a b Re). now apply (inside_ceq _ _ _ Q).
        - intro Ie. apply Un. now apply (inside_ceq _ _ _ Q).
        """,
    ),
    Fault(
        "FifoModels.v",
        "acts P = Some p -> balanced p -> TCC RelFi P.",
        "acts P = Some p -> balanced p -> TCC Rel P.",
        "balanced programs are TCC in Rel",
        """
        apply (proj2 (Transmissions.mt_tcc_rel_fifo 1 2 ltac:(discriminate) zero)).
        apply (H (mt 1 2 zero) (NoBarrier.message 1 2) eq_refl), NoBarrier.message_balanced.
        """,
    ),
    Fault(
        "FifoModels.v",
        "RelFi r -> acts P = Some l -> balanced l ->",
        "Rel r /\\ True -> acts P = Some l -> balanced l ->",
        "in Rel, causality is that of the program graph",
        """
        apply Refutations.fifo_causality_needs_fifo.
        intros r P l c d [R _]. exact (H r P l c d (conj R I)).
        """,
    ),
    Fault(
        "TccImpossibility.v",
        "passes r c c P d t -> forall e, between t d e -> ~ comm r e.",
        "passes r c c P d t -> forall e, between c d e -> ~ comm r e.",
        "TCC programs do not communicate, even before a silent cut",
        """
        destruct Refutations.mt_occurs as (r & d & R & E & O & Sd & Be & Co).
        assert (O' : occurs r (fun _ => 0) (Lay (mt 1 2 zero) Chop) d) by (now apply chop_last).
        destruct (occurs_passes _ _ _ _ O' (fun _ => 0)) as [t Pa].
        refine (proj1 (H _) _ _ _ _ _ R _ Pa _ Be Co).
        - apply tcc_iff. intros r' c' d' _ _ Oc. now apply chop_last in Oc.
        - intros e i j _. unfold inside. split; lia.
        """,
    ),
    Fault(
        "NoBarrier.v",
        "Theorem no_barrier : forall B b (i j : proc), acts B = Some b -> i <> j ->\n"
        "  (exists r c d, RelNS r /\\ silent r c /\\ occurs r c B d) ->",
        "Theorem no_barrier : forall B b (i j : proc), acts B = Some b -> i <> j ->",
        "no barriers among programs that never occur, such as one that sends to itself",
        """
        apply (H (Send 1 1 zero) [ASend 1 1] 1 2 eq_refl); [discriminate|]. intros p q r c d [_ N] O. exfalso.
        apply chop_first in O as [_ O]. apply lay_iff in O as (m & _ & O). apply lay_iff in O as (k & O & _).
        inversion O; subst. apply (N (1, m 1) 1). split; auto.
        """,
    ),
    Fault(
        "NoBarrierWholeLanguage.v",
        "forall B, nochop B ->\n",
        "forall B, True ->\n",
        "not even a silent cut is a barrier",
        """
        apply (H Chop Logic.I).
        - exists ExamplesRuns.lost, (fun _ => 0), (fun _ => 0). pose proof ExamplesRuns.lost_silent as S.
          split; [apply ExamplesRuns.lost_run|split; [apply S|]].
          apply chop_iff. split; [apply ceq_refl|apply S].
        - intros p q r c d _ O. apply chop_first in O as [Sc O]. apply chop_middle in O as (m & O1 & Sm & O2).
          apply chop_middle. exists m. split; [auto|split; auto]. apply chop_middle.
          exists m. split; [apply chop_iff; auto using ceq_refl|auto].
        """,
    ),
    Fault(
        "BalancedNecessary.v",
        "acts P = Some p -> nochop S -> Seals RelNS S P ->",
        "acts P = Some p -> Seals RelNS S P ->",
        "balance is necessary even for what a silent cut seals",
        """
        exact (Refutations.balanced_necessary_needs_nochop H).
        """,
    ),
    Fault(
        "SealAlgebra.v",
        "Seals G S P -> Seals G S' S -> Seals G S' (Lay P S).",
        "Seals G S P -> Seals G S' P -> Seals G S' (Lay P S).",
        "what seals P seals P followed by its seal",
        """
        apply (proj2 (Transmissions.mt_tcc_rel_fifo 1 2 ltac:(discriminate) zero)).
        assert (T : forall S, Seals Rel S Eps).
        { intros S r c d g O. apply chop_first in O as [Sc O]. apply lay_iff in O as (m & O1 & O2).
          apply chop_middle. exists m. split; [auto|split; auto].
          inversion O1; subst. eapply silent_ceq; eauto. }
        specialize (H Rel (mt 1 2 zero) Eps Eps (T _) (T _)). rewrite seals_iff in H. apply tcc_iff.
        intros r c d g Sc O. destruct (H r c d g Sc) as (m & _ & Sm & E).
        - apply lay_iff. exists d. split; [apply lay_iff|apply O_eps, ceq_refl].
          exists c. split; [apply O_eps, ceq_refl|exact O].
        - inversion E; subst. eapply silent_ceq; eauto.
        """,
    ),
    Fault(
        "LayersAreCcl.v",
        "Seals G l' l | [] => True end /\\ each_seals G rest",
        "Seals G l l' | [] => True end /\\ each_seals G rest",
        "each layer is sealed by the one before it",
    ),
    Fault(
        "Procedures.v",
        "Definition Program_Graph_mended := Program_Graph_with (fun i j => ARecv j i).",
        "Definition Program_Graph_mended := Program_Graph_with (fun i j => ARecv i j).",
        "line 5 is as printed, mended",
    ),
    Fault(
        "Procedures.v",
        "(is_form l (ASend i j) d || is_node d (Fd j))",
        "is_form l (ASend i j) d",
        "Sig keeps sends on channels that are closed before",
    ),
    Fault(
        "Procedures.v",
        "joined x y E || joined x w E && joined w y E",
        "joined x w E && joined w y E",
        "E+ has no edge of E",
    ),
    Fault(
        "ProgramGraph.v",
        "match a with Int => false | _ => true end.",
        "match a with Rcv _ => false | _ => true end.",
        "assignments are nodes, receives are none",
    ),
    Fault(
        "ProgramGraph.v",
        "  Fd i :: map (Ev i) (positions not_internal (labs i l)) ++ [Ld i].",
        "  map (Ev i) (positions not_internal (labs i l)) ++ [Fd i; Ld i].",
        "the first dummy node comes last",
    ),
    Fault(
        "MendedProcedures.v",
        "deadlock_free_mended : forall n l, within n l -> balanced l ->",
        "deadlock_free_mended : forall n l, within n l ->",
        "Deadlock-Free is right of programs that are not balanced",
        "exact (HypothesesProcedures.deadlock_free_mended_needs_balance H).",
    ),
    Fault(
        "MendedProcedures.v",
        "sig_mended : forall n l, within n l -> dead_free l ->",
        "sig_mended : forall n l, within n l ->",
        "Sig returns a signature of what deadlocks",
        "exact (HypothesesProcedures.sig_mended_needs_deadlock_freedom H).",
    ),
    Fault(
        "MendedProcedures.v",
        "| NRcv j i => exists y, u = Ev j y /\\ sig_rcv l j i y",
        "| NRcv j i => exists y, u = Ev j y /\\ last_receive l j i y",
        "signatures have the receives of closed channels",
    ),
    Fault(
        "PrintedProcedures.v",
        "there_and_back := transmissions [(0, 1); (1, 0)].",
        "there_and_back := transmissions [(0, 1)].",
        "one message is enough for the slip to close a channel",
    ),
    Fault(
        "HypothesesProcedures.v",
        "in_vain := [ARecv 0 1; ASend 0 1; ARecv 1 0].",
        "in_vain := [ASend 0 1; ARecv 0 1; ARecv 1 0].",
        "a program waits in vain that sends first",
    ),
)
