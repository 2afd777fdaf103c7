"""The models of the symbolic program are the programs of the space."""

from collections import Counter
from collections.abc import Iterator

import pytest
from pysat.solvers import Cadical153
from pysmt.fnode import FNode
from pysmt.shortcuts import Iff, Not, Or, Symbol

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.causality import SymbolicTrace
from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.program_space import SymbolicProgram, SymbolicSignature, processes_by_first_use
from sealcheck.encodings.solving import Answer, Status
from sealcheck.programs.runs import fifo_run
from sealcheck.programs.space import Space, count_programs
from sealcheck.programs.straight_line import StraightLine, snd
from sealcheck.theorems.checking.hypotheses import deadlocking

pytestmark = pytest.mark.usefixtures("own_formulas")


def models(formulas: list[FNode]) -> Iterator[Answer]:
    cnf = to_cnf(formulas)
    with Cadical153(bootstrap_with=cnf.clauses) as solver:
        for model in solver.enum_models():
            true = {literal for literal in model if literal > 0}
            yield Answer(Status.SAT, lambda symbol, true=true: cnf.variables.get(symbol) in true)


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_models_are_the_programs_of_the_space(n: int, m: int) -> None:
    for by_channel in (False, True):
        p = SymbolicProgram("P", n, m, by_channel=by_channel)
        found = [p.decoded(answer) for answer in models([p.well_formed()])]
        assert set(found) == set(Space(n, m).programs())


def test_numbering_by_channel_leaves_just_the_interleaving_open() -> None:
    """The explorer counts the FIFO interleavings."""
    p = SymbolicProgram("P", 3, 2, by_channel=True)
    found = Counter(p.decoded(answer) for answer in models([p.well_formed()]))
    assert found == {program: fifo_interleavings(program) for program in Space(3, 2).programs()}


def test_one_alternative_of_each_split_holds_in_every_program() -> None:
    """So cubes leave no program out."""
    p = SymbolicProgram("P", 3, 2)
    splits = p.channel_splits()
    assert len(splits) == 2
    assert not any(any(models([p.well_formed(), Not(Or(split))])) for split in splits)


def fifo_interleavings(program: StraightLine) -> int:
    """The orders in which a program's events can happen if each receive takes the oldest message."""

    def count(done: tuple[int, ...]) -> int:
        events = [event for share, k in zip(program.shares, done, strict=True) for event in share[:k]]
        total = 0
        for process, share in enumerate(program.shares):
            if done[process] < len(share):
                event = share[done[process]]
                sent = snd(event.channel.sender, event.channel.receiver)
                if event == sent or events.count(event) < events.count(sent):
                    total += count((*done[:process], done[process] + 1, *done[process + 1 :]))
        return total or 1

    return count((0,) * program.n)


@pytest.mark.parametrize(
    ("n", "m"), [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2)]
)
def test_a_trace_describes_each_program_once(n: int, m: int) -> None:
    p = SymbolicTrace("P", n, m)
    found = Counter(p.decoded(answer) for answer in models([p.well_formed()]))
    assert found.total() == count_programs(n, m)
    assert found == Counter(Space(n, m).programs())


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_a_trace_without_acyclicity_may_deadlock(n: int, m: int) -> None:
    p = SymbolicTrace("P", n, m)
    found = Counter(p.decoded(answer) for answer in models([p.balanced()]))
    stuck = [program for program in found if not program.is_deadlock_free]
    assert set(found.values()) <= {1}
    assert set(found) - set(stuck) == set(Space(n, m).programs())
    assert {program.canonical() for program in stuck} == {instance.p for instance in deadlocking(n, m)}


@pytest.mark.parametrize("description", [SymbolicProgram, SymbolicTrace])
@pytest.mark.parametrize(("n", "m"), [(2, 1), (2, 2), (1, 2)])
def test_self_channels_are_let_in_on_request(
    description: type[SymbolicProgram] | type[SymbolicTrace], n: int, m: int
) -> None:
    p = description("P", n, m, self_channels=True)
    found = {p.decoded(answer) for answer in models([p.well_formed()])}
    assert found == set(Space(n, m, self_channels=True).programs())


@pytest.mark.parametrize(("n", "m"), [(2, 2), (3, 2), (3, 3)])
def test_symmetry_breaking_keeps_one_of_each_kind(n: int, m: int) -> None:
    every = set(Space(n, m).programs())
    described = [SymbolicProgram("P", n, m, by_channel=by_channel) for by_channel in (False, True)]
    for p in (*described, SymbolicTrace("P", n, m)):
        kept = {p.decoded(answer) for answer in models([p.well_formed(), processes_by_first_use([p])])}
        assert {q.canonical() for q in kept} == {q.canonical() for q in every}
        assert len(kept) < len(every)


@pytest.mark.parametrize(("n", "m"), [(2, 2), (3, 2)])
def test_symbolic_paths_and_signatures_are_those_of_the_program(n: int, m: int) -> None:
    p = SymbolicProgram("P", n, m)
    sig = SymbolicSignature(p)
    nodes = [Iff(_receive_node(a), sig.has_receive_node(a)) for a in p.messages]
    nodes += [Iff(_send_node(a), sig.has_send_node(a)) for a in p.messages]
    checked = 0
    for answer in models([p.well_formed(), sig.definition(), *nodes]):
        program = p.decoded(answer)
        place = dict(zip(p.order.listed(answer.value), _in_word_order(p, answer), strict=True))
        expected = causal_pairs(program)
        for e in p.events:
            for f in p.events:
                if e != f:
                    assert bool(answer.value(sig.reach.path(e, f))) == ((place[e], place[f]) in expected)
        _compare_signature(sig, answer)
        checked += 1
    assert checked >= len(Space(n, m))


def _receive_node(a: int) -> FNode:
    return Symbol(f"receive {a} is a node")


def _send_node(a: int) -> FNode:
    return Symbol(f"send {a} is a node")


def _in_word_order(p: SymbolicProgram, answer: Answer) -> list[object]:
    reached = [0] * p.n
    found = []
    for event in p.order.listed(answer.value):
        process = next(k for k in p.processes if answer.value(p.at(event, k)))
        reached[process - 1] += 1
        found.append((process, reached[process - 1]))
    assert set(found) == set(fifo_run(p.decoded(answer)).order)
    return found  # type: ignore[return-value]


def _compare_signature(sig: SymbolicSignature, answer: Answer) -> None:
    p = sig.program
    real = signature(p.decoded(answer))
    for k in p.processes:
        for i in p.processes:
            assert bool(answer.value(sig.start_reaches_end(k, i))) == bool(real.ends[k - 1] >> (i - 1) & 1)
    lasts, firsts = {}, {}
    for a in p.messages:
        sender, receiver = (
            next(k for k in p.processes if answer.value(p.at(event, k)))
            for event in (p.sends[a], p.receives[a])
        )
        lasts[sender, receiver] = a
        firsts.setdefault((sender, receiver), a)
    nodes = {a for channel, a in lasts.items() if channel in real.open_channels}
    assert {a for a in p.messages if answer.value(_receive_node(a))} == nodes
    nodes = {a for channel, a in firsts.items() if channel in real.interfering_sends}
    assert {a for a in p.messages if answer.value(_send_node(a))} == nodes
    for channel, a in lasts.items():
        mask = sum(1 << (k - 1) for k in p.processes if answer.value(sig.reaches_end(a, k)))
        assert mask == real.receives[channel]
    for channel, a in firsts.items():
        mask = sum(1 << (k - 1) for k in p.processes if answer.value(sig.reached_from_start(k, a)))
        assert mask == real.sends[channel]
