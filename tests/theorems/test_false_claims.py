"""False claims are refuted by their smallest counterexample, with an explanation."""

from functools import partial

import pytest
from tests.theorems.rows import Levels, checked, claiming, explained, up_to

from sealcheck.algorithms.program_graph import causal_pairs, normal_edges
from sealcheck.algorithms.signature import signature
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Path, communicates, has_cut
from sealcheck.questions.causality import CAUSAL_PAIRS
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL, MINIMAL_SEAL
from sealcheck.questions.whole_language import IS_CCL
from sealcheck.theorems.checking.examples import phase
from sealcheck.theorems.checking.laws import SETTINGS
from sealcheck.theorems.checking.statement import Ask, Check, Outcome, predicts
from sealcheck.theorems.registry import STATEMENTS
from sealcheck.theorems.section3 import definitions_agree
from sealcheck.theorems.section3.layers_are_ccl import around
from sealcheck.theorems.section3.seal_algebra import choice_seals_properly, where_tcc
from sealcheck.theorems.section3.seal_algebra_straight import LAW_4
from sealcheck.theorems.section4.closed_channels import opens_nodes
from sealcheck.theorems.section4.mt_tcc_rel_fifo import is_tcc_only_in
from sealcheck.theorems.section4.no_barrier import is_no_barrier
from sealcheck.theorems.section4.tcc_impossibility import is_tcc_unless

FIFO = Semantics(model=ChannelModel.REL_FIFO)
ANSWERED = "mt 1->2; mt 2->1"


def last_is_no_ccl(instance: Instance, ask: Ask) -> Outcome:
    """The claim that the last layer is no CCL."""
    layers = instance.straight
    return Outcome.of(not ask(IS_CCL, around(layers, len(layers) - 1)))


def never_properly(instance: Instance, ask: Ask) -> Outcome:
    """The claim that no choice is a proper seal."""
    return Outcome.of(choice_seals_properly(instance, ask) is not Outcome.HOLDS)


def never_sealed(instance: Instance, ask: Ask) -> Outcome:
    """The claim that nothing is sealed if the premises hold."""
    outcome = LAW_4.check(instance, ask)
    return Outcome.FAILS if outcome is Outcome.HOLDS else outcome


def all_used_are_open(instance: Instance, ask: Ask) -> Outcome:
    """The claim that every channel in use stays open."""
    return Outcome.of(not instance.p.used & ask(CLOSED_CHANNELS, instance))


def without_any_cut(path: Path) -> bool:
    """Communication on a path without a silent cut, before or after."""
    return communicates(path) and not has_cut(path)


def open_as_in_rel(instance: Instance, ask: Ask) -> Outcome:
    """The claim that queues leave the same channels open as Rel."""
    return Outcome.of(ask(CLOSED_CHANNELS, instance, FIFO) == ask(CLOSED_CHANNELS, instance))


def both_ways(instance: Instance) -> frozenset[tuple[object, object]]:
    """The causal pairs in both directions."""
    return causal_pairs(instance.p) | {(f, e) for e, f in causal_pairs(instance.p)}


def without_sends(instance: Instance) -> bool:
    """The criterion for sealing, without the sends of Q."""
    p, q = signature(instance.p), signature(instance.q)
    return all(
        any(p.receives[c] >> k & 1 and q.ends[k] >> (c.sender - 1) & 1 for k in range(p.n))
        for c in p.open_channels
    )


def fewer_than_needed(instance: Instance, ask: Ask) -> Outcome:
    """The claim that fewer than n - 1 messages seal what can be sealed."""
    least = ask(MINIMAL_SEAL, instance)
    return Outcome.of(least is None or least < max(1, instance.n - 1))


CLAIMS: list[tuple[str, int, Check, Levels, str]] = [
    ("layers-are-ccl", 0, last_is_no_ccl, [(1, 0)], "P = eps   Q = eps"),
    ("seal-algebra-2", 1, never_properly, [(1, 1)], "P = eps   Q = cut   R = eps"),
    ("seal-algebra-4", 0, never_sealed, [(2, 0), (2, 1)], "P = eps   Q = eps   R = eps"),
    ("seal-algebra-6-whole-language", 0, lambda i, ask: Outcome.of(where_tcc(i, ask) == SETTINGS),
     [(2, 0), (2, 1)], "rcv 1<-2"),
    ("mt-tcc-rel-fifo", 0, partial(is_tcc_only_in, models=set(ChannelModel)), [(2, 1)], "mt 1->2"),
    ("mt-tcc-rel-fifo", 0, partial(is_tcc_only_in, models=set()), [(2, 1)], "mt 1->2"),
    ("tcc-impossibility", 0, all_used_are_open, up_to(2, 2), ANSWERED),
    # a cut before the communication does not help
    ("tcc-impossibility-whole-language", 1, partial(is_tcc_unless, at_fault=without_any_cut),
     [(2, 2)], "cut; rcv 1<-2"),
    # that a barrier is TCC, which is all that P = eps shows, does not rule out eps; any other P does
    ("no-barrier", 0, partial(is_no_barrier, layers=lambda n: iter([StraightLine.of(n)])), [(2, 0)], "eps"),
    ("no-barrier", 0, partial(is_no_barrier, layers=lambda n: iter([StraightLine.of(n)])), [(2, 1), (2, 2)],
     "None"),
    ("balanced-tcc-rel-fifo", 3, open_as_in_rel, up_to(2, 2), "mt 1->2"),
    # a set that is too small, and one that is too large
    ("graph-cause-largest", 0, predicts(CAUSAL_PAIRS, lambda i: frozenset(normal_edges(i.p))), up_to(2, 2),
     "mt 1->2; mt 1->2"),
    ("graph-cause-largest", 0, predicts(CAUSAL_PAIRS, both_ways), up_to(2, 2), "mt 1->2"),
    ("closed-channels", 0, partial(opens_nodes, nodes=lambda i: frozenset(signature(i.p).interfering_sends)),
     up_to(2, 2), ANSWERED),
    # an answer that comes after another message would count as a seal
    ("decide-sealing", 0, predicts(IS_SEAL, without_sends), up_to(2, 3),
     "P = mt 1->2   Q = mt 1->2; mt 2->1"),
    ("seal-size", 1, fewer_than_needed, up_to(2, 2), "mt 1->2"),
    ("figure-signatures", 0, predicts(CLOSED_CHANNELS, lambda i: frozenset({(2, 1)})), [(2, 1), (2, 2)],
     ANSWERED),
]  # fmt: skip
"""For each row: a statement, the number of a claim, a false check, and the counterexample."""


@pytest.mark.parametrize(("id", "claim", "check", "levels", "refuting"), CLAIMS)
def test_a_false_claim_is_refuted(id: str, claim: int, check: Check, levels: Levels, refuting: str) -> None:
    tally = claiming(STATEMENTS[id], check, levels, claim=claim)
    assert (str(tally.refuting), tally.disputed) == (refuting, None)


decided, closed = definitions_agree.is_sealed, definitions_agree.closed

FAULTS = [
    ("section3.definitions_agree.is_sealed", lambda i: decided(i) or not i.q.messages,
     "definitions-agree-seals", up_to(2, 2), "P = mt 1->2   Q = eps"),
    ("section3.definitions_agree.closed", lambda i: closed(i) - i.p.used,
     "definitions-agree-channels", [(2, 1), (2, 2)], ANSWERED),
    ("section3.definitions_agree.tcc", lambda p: (p, p), "definitions-agree-channels", [(2, 0), (2, 1)],
     "mt 1->2"),
    ("section4.no_barrier_whole_language.is_closed", has_cut, "no-barrier-whole-language", [(2, 2)],
     "cut; rcv 1<-2"),
    ("section4.graph_cause.causal_pairs", lambda p: frozenset(), "fifo-causality", up_to(2, 2), "mt 1->2"),
]  # fmt: skip
"""For each row: a function that a claim predicts with, a wrong function, and the counterexample."""


@pytest.mark.parametrize(
    ("name", "value", "id", "levels", "refuting"), FAULTS, ids=[row[0] for row in FAULTS]
)
def test_a_wrong_prediction_is_refuted(
    name: str, value: object, id: str, levels: Levels, refuting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sealcheck.theorems.{name}", value)
    tallies = zip(STATEMENTS[id].claims, checked(STATEMENTS[id], levels), strict=True)
    *_, last = (tally for claim, tally in tallies if claim.check)
    assert str(last.refuting) == refuting


def straight(*texts: str, n: int = 2) -> Instance:
    return Instance.of(*(parse_straight_line(text, n) for text in texts))


def whole(*texts: str, n: int = 2) -> Instance:
    return Instance(n, tuple(map(parse, texts)))


X = "snd 1->2; mt 2->1; rcv 2<-1"
EXPLAINED = [
    ("definitions-agree-channels", 0, straight(ANSWERED),
     "by its signature P closes 1->2\nby definition P closes 1->2"),
    ("definitions-agree-seals", 0, straight(ANSWERED, ANSWERED),
     "Is-Seal, its slips mended, says that Q seals P; by definition ≀P;Q refines P≀Q"),
    ("seal-algebra-2", 1, whole("eps", "(1.x := 1)*", "eps", n=1),
     "Q seals P, R seals P, and so does Q + R\n"
     "(1.x := 1)* can run forever after P, and so can Q + R, so Q + R is not proper"),
    ("seal-algebra-6", 0, straight("mt 1->2"), "P is TCC: False; all candidates seal P: False"),
    ("seal-algebra-6-whole-language", 0, whole("mt 1->2"),
     "TCC in: rel-fifo/matching\nsealed by all in: rel-fifo/matching"),
    ("diverging-seals", 0, whole("eps", "while true do 1.x := 5; 2.x := 17 od"),
     "so Q does not occur; vacuously, Q is TCC in RelFi, is a CCL in Rel, seals P in Rel"),
    ("mt-tcc-rel-fifo", 0, whole("mt 1->2"), "\nin rel-fifo it is TCC"),
    ("mt-tcc-rel-fifo", 0, whole("mt 1->2"), "event 1 of process 2, rcv 2<-1 takes event 2 of process 1"),
    ("tcc-impossibility-whole-language", 0, whole("mt 1->2; cut"),
     "≀P occurs along this path: mt 1->2; cut\n"),
    ("tcc-impossibility-whole-language", 0, whole("mt 1->2; cut"),
     "before a silent cut, which no message crosses"),
    ("tcc-impossibility-whole-language", 0, whole("mt 1->2"), "takes event 2 of process 1"),
    ("no-barrier-whole-language", 0, whole("cut"),
     "on the path `cut`, apart from internal steps, the program begins and ends with a silent cut"),
    ("non-sealed", 0, straight(X), "snd 1->2 (7); rcv 2<-1"),
    ("non-sealed", 1, straight(X), "nothing seals it"),
    ("non-sealed", 1, straight(X, n=3), "it can be sealed"),
    ("sealability-undecidable", 0, whole("snd 1->2"), "P ends with snd 1->2, and occurs\nit is sealed by: "),
    ("balanced-tcc-rel-fifo", 3, straight("snd 1->2"),
     "in some FIFO run a message on 1->2 is received on the other side of the end of P"),
    ("decide-sealing", 0, straight("mt 1->2", "mt 1->2"),
     "the criterion holds, but a later message on 1->2 can be received in P"),
    ("decide-sealing", 0, straight("mt 1->2", "mt 2->1"),
     "the criterion fails, but no later message can be received in P"),
    ("example-open-channels", 0, Instance.of(phase(3)), "\nThat makes 4, but n^2 - 3n + 3 = 3."),
    ("while-exchange", 0, whole(ANSWERED), "the loop is ([true]; mt 1->2; mt 2->1)*; [not true]\n"),
]  # fmt: skip
"""For each row: a statement, the number of a claim, an instance, and a part of the explanation."""


@pytest.mark.parametrize(("id", "claim", "instance", "told"), EXPLAINED)
def test_explanations(id: str, claim: int, instance: Instance, told: str) -> None:
    assert told in explained(STATEMENTS[id], instance, claim=claim)
