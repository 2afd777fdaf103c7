"""`sealability`: the printed form is refuted, the repaired form is not."""

from collections.abc import Iterator

import pytest
from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE, And, Implies, Not, Or
from tests.theorems.rows import asked, is_clean

from sealcheck.algorithms.sealability import Sealable, closed_channel_graph
from sealcheck.algorithms.sealability import sealability as by_algorithm
from sealcheck.algorithms.signature import signature
from sealcheck.encodings import sealability as formulas
from sealcheck.encodings.program_space import (
    SymbolicProgram,
    SymbolicSignature,
    processes_by_first_use,
    same_channel,
)
from sealcheck.encodings.sealability import Criterion, SymbolicCriteria, partitions
from sealcheck.encodings.solving import Answer, Solver, Status, fresh_formulas, open_solver
from sealcheck.programs.straight_line import Channel, StraightLine, mt, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import check_level, inline
from sealcheck.theorems.checking.statement import Form
from sealcheck.theorems.section4 import sealability
from sealcheck.theorems.section4.sealability import STATEMENT

SMALLEST = "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
CRITERIA = {Form.AS_PRINTED: SymbolicCriteria.connected, Form.REPAIRED: SymbolicCriteria.one_block}


@pytest.mark.parametrize("solver", ["cadical", "z3", "cvc5"])
def test_the_level_of_four_messages_refutes_printed_sealability(solver: str) -> None:
    """The repaired criterion has no counterexample there."""
    printed, repaired = (check_level(STATEMENT, claim, 3, 4, solver=solver) for claim in (0, 1))
    assert printed.refuting is not None
    assert str(printed.refuting.p.canonical()) == SMALLEST
    assert repaired.refuting is None


def test_a_counterexample_may_have_a_long_seal() -> None:
    """Five processes, eight messages, and no seal of fewer than five messages."""
    events = [event for k in (2, 3, 4, 5) for event in (snd(1, k), *mt(k, 1), rcv(k, 1))]
    assert _is_against_printed_sealability(Instance.of(StraightLine.of(5, events)))


@pytest.mark.larger
def test_a_counterexample_with_a_long_seal_is_found() -> None:
    sat, unsat = (asked(STATEMENT, [(5, 8)], ("cadical",), claim=claim) for claim in (0, 1))
    assert is_clean(unsat)
    assert sat.unknown == 0
    assert sat.refuting is not None
    assert _is_against_printed_sealability(sat.refuting)


def _is_against_printed_sealability(instance: Instance) -> bool:
    return not sealability.printed(instance) and isinstance(by_algorithm(instance.p), Sealable)


def test_the_explanation_goes_step_by_step() -> None:
    crossing = [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1), snd(2, 3), snd(3, 2), rcv(2, 3), rcv(3, 2)]
    with inline(()) as ask:
        lines = sealability.explain(Instance.of(StraightLine.of(3, crossing).canonical()), ask).splitlines()
        unsealable = sealability.explain(Instance.of(StraightLine.of(2, crossing[:4])), ask)
    assert lines == [
        "P leaves 1->2, 2->1, 2->3, 3->2 open.",
        "No closed channel connects the parts {1, 3} and {2}.",
        "Yet Q = mt 3->1; mt 1->2; mt 2->3 seals P:",
        "mt 3->1 is safe because P closes 3->1 or does not use it.",
        "mt 1->2 is safe because 1 knows that P's last receive on 1->2 has happened.",
        "mt 2->3 is safe because 2 knows that P's last receive on 2->3 has happened.",
        "After that, the sender of every open channel knows it to be safe.",
    ]
    assert unsealable.splitlines()[-1].startswith("No message can be sent from which a process learns")


def test_the_run_has_the_seal_after_the_program() -> None:
    once = Instance.of(StraightLine.of(2, mt(1, 2)))
    crossing = StraightLine.of(2, [snd(1, 2), snd(2, 1), rcv(1, 2), rcv(2, 1)])
    with inline(()) as ask:
        found = sealability.sealed_run(once, ask)
        nothing = sealability.sealed_run(Instance.of(crossing), ask)
    assert found is not None
    assert found[1] == (once.p, StraightLine.of(2, mt(2, 1)))
    assert found[0].program == once.p.then(found[1][1])
    assert nothing is None


# --- The queries --------------------------------------------------------------------------------


def first_program(queries: Iterator[tuple[SymbolicProgram, list[FNode]]]) -> StraightLine | None:
    for p, query in queries:
        with open_solver("cadical") as solver:
            answer = _decided(solver, query)
            if answer.status is Status.SAT:
                return p.decoded(answer)
    return None


def _decided(solver: Solver, query: list[FNode]) -> Answer:
    answer = solver.ask(query)
    assert answer.status is not Status.UNKNOWN
    return answer


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 2), (2, 4), (3, 3), (3, 4)])
def test_seals_as_programs_agree_with_saturation(form: Form, n: int, m: int) -> None:
    """The seal is long enough for n <= 3."""
    with fresh_formulas():
        p = SymbolicProgram("P", n, m, by_channel=True)
        by_saturation = formulas.sealable_but_not_met(p, CRITERIA[form])
        by_programs = (sealed_but_not_met(CRITERIA[form], n, m, k) for k in range(max(0, 3 * n - 5) + 1))
        found = first_program(by_programs) is not None
        assert found == (first_program(iter([(p, by_saturation)])) is not None)


def sealed_but_not_met(
    criterion: Criterion, n: int, m: int, seal_messages: int
) -> tuple[SymbolicProgram, list[FNode]]:
    """The condition that the criterion fails, but a straight-line program with so many messages seals P.

    By the graph of P;S: P's last receive on a channel reaches S's first send on it, or the end of the sender.
    """
    p = SymbolicProgram("P", n, m, by_channel=True)
    s = SymbolicProgram("S", n, seal_messages, by_channel=True)
    sig_p, sig_s = SymbolicSignature(p), SymbolicSignature(s)
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
    signatures = [sig_p.definition(), sig_s.definition(), processes_by_first_use([p, s])]
    not_met = Not(criterion(SymbolicCriteria(sig_p)))
    return p, [p.well_formed(), s.well_formed(), *signatures, not_met, *to_end, *to_send]


@pytest.mark.parametrize("claim", [0, 1])
def test_too_few_rounds_leave_a_level_unknown(claim: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "rounds", lambda n: n - 2)
    tally = check_level(STATEMENT, claim, 3, 3, solver="cadical")
    assert (tally.refuting, tally.unknown) == (None, 1)


@pytest.mark.parametrize(("n", "count"), [(1, 1), (2, 2), (3, 5), (4, 15), (5, 52)])
def test_partitions_are_all_there(n: int, count: int) -> None:
    """As many partitions as Bell's numbers say."""
    found = partitions(n)
    assert len({frozenset(map(frozenset, blocks)) for blocks in found}) == len(found) == count
    assert all(sorted(k for block in blocks for k in block) == list(range(1, n + 1)) for blocks in found)


def test_a_criterion_that_lets_in_unsealable_programs_is_refuted() -> None:
    """Program X refutes the void criterion."""
    with fresh_formulas():
        p = SymbolicProgram("P", 2, 2, by_channel=True)
        found = first_program(iter([(p, formulas.met_but_unsealable(p, lambda criteria: TRUE()))]))
    assert str(found) == "snd 1->2; mt 2->1; rcv 2<-1"


def test_some_channels_of_unsealable_programs_may_be_safe() -> None:
    """2 knows 2->3 to be safe."""
    with fresh_formulas():
        p = SymbolicProgram("P", 3, 4, by_channel=True)
        query = formulas.met_but_unsealable(p, lambda criteria: criteria.closed(2, 3))
        found = first_program(iter([(p, query)]))
    assert found is not None
    assert not isinstance(by_algorithm(found), Sealable)
    assert Channel(2, 3) in closed_channel_graph(signature(found))
