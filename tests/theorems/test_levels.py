"""Whole levels at once: verdicts on record, and queries that notice a weakened statement."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Implies, Not, Or

from sealcheck.encodings.program_space import SymbolicProgram, processes_by_first_use, same_channel
from sealcheck.encodings.solving import Status, fresh_formulas, open_solver
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.programs.events import mt, rcv, snd
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import sealability
from sealcheck.theorems.checking import check_level
from sealcheck.theorems.decide_sealing import PairOfPrograms, met_but_not_sealed, not_met_but_sealed
from sealcheck.theorems.graph_cause import some_edge_not_causal
from sealcheck.theorems.registry import STATEMENTS, statement
from sealcheck.theorems.statement import Form, Instance, Query, Statement
from sealcheck.theorems.tcc_impossibility import communicates_but_closed

CLAIMS = [
    (about, number)
    for about in STATEMENTS.values()
    for number, claim in enumerate(about.claims)
    if claim.whole_space is not None
]
IDS = [f"{about.id}-{about.claims[number].form.value}" for about, number in CLAIMS]


@pytest.mark.parametrize("solver", ["cadical", "z3", "cvc5"])
@pytest.mark.parametrize(("about", "claim"), CLAIMS, ids=IDS)
def test_levels_up_to_three_messages_are_verified(about: Statement, claim: int, solver: str) -> None:
    """No claim has a counterexample with n = 3 and up to 3 messages, says each solver."""
    for messages in range(4):
        tally = check_level(about, claim, 3, messages, solver=solver)
        assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)


@pytest.mark.parametrize("solver", ["cadical", "z3", "cvc5"])
def test_the_level_of_four_messages_refutes_printed_sealability(solver: str) -> None:
    """The whole-space query finds a counterexample by itself, and the repaired form has none."""
    about = statement("sealability")
    printed, repaired = (check_level(about, claim, 3, 4, solver=solver) for claim in (0, 1))
    found = printed.refuting[0]
    assert str(found.p.canonical()) == "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
    assert repaired.refuting == {}


def test_a_counterexample_with_a_long_seal_is_found() -> None:
    """Five processes, eight messages, and no seal of fewer than five: printed sealability fails there."""
    about = statement("sealability")
    printed, repaired = (check_level(about, claim, 5, 8, solver="cadical") for claim in (0, 1))
    assert (set(printed.refuting), printed.unknown) == ({0}, 0)
    assert (repaired.refuting, repaired.unknown) == ({}, 0)
    events = [event for k in (2, 3, 4, 5) for event in (snd(1, k), *mt(k, 1), rcv(k, 1))]
    assert _is_against_printed_sealability(Instance.of(StraightLine.of(5, events)))
    assert _is_against_printed_sealability(printed.refuting[0])


def _is_against_printed_sealability(instance: Instance) -> bool:
    return not sealability.printed(instance) and sealability.by_saturation(instance)


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 2), (2, 4), (3, 3), (3, 4)])
def test_seals_as_programs_agree_with_saturation(form: Form, n: int, m: int) -> None:
    """A seal that is a symbolic program, long enough for n <= 3, exists where saturation seals."""
    with fresh_formulas():
        by_programs = [sealed_but_not_met(form, n, m, length) for length in range(max(0, 3 * n - 5) + 1)]
        found = first_model(iter(by_programs)) is not None
        assert found == (first_model(iter([sealability.sealable_but_not_met(form, n, m)])) is not None)


def sealed_but_not_met(form: Form, n: int, m: int, seal_messages: int) -> Query:
    """The criterion fails, and yet a straight-line program of so many messages seals P.

    That it does is said with the program graph of P;S: P's last receive on a channel reaches the first
    send of S on it, or the end of the sender.
    """
    p = SymbolicProgram("P", n, m, by_channel=True)
    s = SymbolicProgram("S", n, seal_messages, by_channel=True)
    sig_p, sig_s = SymbolicSignature(p), SymbolicSignature(s)
    criteria = sealability.SymbolicCriteria(p, sig_p)
    to_end = [
        Or(
            And(
                sig_p.reaches_end(a, k),
                sig_p.sender_of(a, {i: sig_s.start_reaches_end(k, i) for i in p.processes}),
            )
            for k in p.processes
        )
        for a in p.messages
    ]
    to_send = [
        Implies(
            same_channel(p, a, s, b),
            Or(And(sig_p.reaches_end(a, k), sig_s.reached_from_start(k, b)) for k in p.processes),
        )
        for a in p.messages
        for b in s.messages
    ]
    not_met = Not(criteria.connected() if form is Form.AS_PRINTED else criteria.one_block())
    signatures = [sig_p.definition(), sig_s.definition(), processes_by_first_use([p, s])]
    formulas = [p.well_formed(), s.well_formed(), *signatures, not_met, *to_end, *to_send]
    return Query("not met, sealed", formulas, lambda answer: Instance.of(p.decoded(answer)))


@pytest.mark.parametrize("claim", [0, 1])
def test_too_few_rounds_leave_a_level_unknown(claim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """If knowledge could still grow after all rounds, the level is not verified."""
    monkeypatch.setattr(sealability, "rounds", lambda n: n - 2)
    tally = check_level(statement("sealability"), claim, 3, 3, solver="cadical")
    assert (tally.refuting, tally.unknown) == ({}, 1)


def first_model(queries: Iterator[Query]) -> Instance | None:
    """The instance of the first query that has a model."""
    for query in queries:
        with open_solver("cadical") as solver:
            answer = solver.ask(query.formulas)
            assert answer.status is not Status.UNKNOWN
            if answer.status is Status.SAT:
                return query.instance(answer)
    return None


class IgnoresSends(PairOfPrograms):
    """A criterion that forgets about Q's own sends on the channel."""

    def met(self, a: int) -> FNode:
        """Without the condition on first sends."""
        return Or(
            And(
                self.sig_p.reaches_end(a, k),
                self.sig_p.sender_of(a, {i: self.sig_q.start_reaches_end(k, i) for i in self.p.processes}),
            )
            for k in self.p.processes
        )


class NeedsTheReceiver(PairOfPrograms):
    """A criterion that accepts the receiver itself as the only process k."""

    def met(self, a: int) -> FNode:
        """With k = j, and no other k."""
        return And(
            super().met(a),
            Or(
                And(
                    self.p.at(self.p.receives[a], k),
                    self.sig_p.sender_of(
                        a, {i: self.sig_q.start_reaches_end(k, i) for i in self.p.processes}
                    ),
                )
                for k in self.p.processes
            ),
        )


def over(
    pairs: type[PairOfPrograms], query: Callable[[PairOfPrograms], Query], n: int, total: int
) -> Iterator[Query]:
    """The query for every way to share up to `total` messages."""
    for messages in range(total + 1):
        for of_p in range(1, messages + 1):
            with fresh_formulas():
                yield query(pairs(n, of_p, messages - of_p))


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_refute_nothing_more(later_sends: int) -> None:
    """The bound on what follows the interval is no restriction for symbolic programs either."""
    with fresh_formulas():
        assert first_model(some_edge_not_causal(3, 3, later_sends=later_sends)) is None
    query = partial(met_but_not_sealed, later_sends=later_sends)
    assert first_model(over(PairOfPrograms, query, 3, 3)) is None


def test_without_later_sends_a_weak_criterion_passes() -> None:
    """Later sends matter: without any, nothing refutes that the empty program seals everything."""
    unsealed = (PairOfPrograms(2, 1, 0), 0), (PairOfPrograms(2, 1, 0), 1)
    found = []
    for pair, later_sends in unsealed:
        pair.met = lambda a: TRUE()  # type: ignore[method-assign]
        with open_solver("cadical") as solver:
            found.append(solver.ask(met_but_not_sealed(pair, later_sends=later_sends).formulas).status)
    assert found == [Status.UNSAT, Status.SAT]


def test_a_criterion_that_is_too_weak_is_refuted() -> None:
    """If Q's sends were forgotten, a pair would meet the criterion and not be sealed."""
    found = first_model(over(IgnoresSends, met_but_not_sealed, 2, 3))
    assert found is not None
    assert str(found) == "P = mt 1->2   Q = snd 1->2; mt 2->1; rcv 2<-1"


def test_a_criterion_that_is_too_strong_is_refuted() -> None:
    """If only the receiver could pass the word on, the proof's run would not exist for some pair."""
    assert first_model(over(NeedsTheReceiver, not_met_but_sealed, 3, 2)) is None
    found = first_model(over(NeedsTheReceiver, not_met_but_sealed, 3, 3))
    assert found is not None
    assert found.messages == 3


def test_a_proof_that_does_not_apply_is_unknown() -> None:
    """A model that shows only that the proof's run is none leaves the level unknown, not verified."""
    about = statement("decide-sealing")
    weak = replace(about.claims[0], whole_space=lambda n, m: over(NeedsTheReceiver, not_met_but_sealed, n, m))
    tally = check_level(replace(about, claims=(weak,)), 0, 3, 3, solver="cadical")
    assert tally.unknown > 0
    assert tally.refuting == {}


def test_the_impossibility_fails_with_self_channels() -> None:
    """A message to oneself is TCC: the smallest counterexample once self-channels are on."""
    with fresh_formulas():
        found = first_model(communicates_but_closed(1, 1, self_channels=True))
    assert str(found) == "mt 1->1"


def test_partitions_are_all_there() -> None:
    """As many partitions into two or more blocks as Bell's numbers say."""
    counts = [len(set(sealability.partitions(n))) for n in (1, 2, 3, 4, 5)]
    assert counts == [0, 1, 4, 14, 51]


class AlwaysMet(sealability.SymbolicCriteria):
    """A criterion that calls every program sealable."""

    def connected(self) -> FNode:
        """Nothing is asked of the closed-channel graph."""
        return TRUE()


def test_a_criterion_that_lets_in_unsealable_programs_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The query for "met, yet unsealable" is not vacuous: a void criterion has program X against it."""
    monkeypatch.setattr(sealability, "SymbolicCriteria", AlwaysMet)
    with fresh_formulas():
        query = sealability.met_but_unsealable(Form.AS_PRINTED, 2, 2)
        assert str(first_model(iter([query]))) == "snd 1->2; mt 2->1; rcv 2<-1"


@pytest.mark.parametrize(
    ("name", "per_level"),
    [
        ("tcc-impossibility", [0, 1, 1, 1]),
        ("graph-cause", [1, 1, 1, 1]),
        ("decide-sealing", [0, 2, 4, 6]),
        ("sealability", [3, 3, 3, 3]),
    ],
)
def test_no_query_is_missing(name: str, per_level: list[int]) -> None:
    """Every level asks each direction and each way to share the messages."""
    for claim in statement(name).claims:
        assert claim.whole_space is not None
        for messages, expected in enumerate(per_level):
            with fresh_formulas():
                names = [query.name for query in claim.whole_space(3, messages)]
            assert len(set(names)) == len(names) == expected
