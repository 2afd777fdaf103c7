"""Drop a hypothesis of a claim, and search for the smallest instance on which the claim then fails.

The programs that this module lists are straight-line, but need not be balanced or deadlock-free. Those of n
processes with s sends and r receives belong to the level (n, max(s, r)).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations_with_replacement, product

from pysmt.fnode import FNode

from sealcheck.encodings.given import GivenRun, no_overtaking
from sealcheck.encodings.runs import Axiom, axioms
from sealcheck.encodings.sealing import crosses
from sealcheck.encodings.solvers import PROVING, SMT_SOLVERS
from sealcheck.encodings.solving import Interleaving, Status, fresh_formulas, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import Channel, Share, StraightLine, channels, rcv, snd
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.domains import Listing, indexed_space
from sealcheck.theorems.checking.statement import Ask, Check, Hypothesis, Outcome, Query, Statement, Without

SECONDS = 20.0
"""Time limit of one question to a solver."""

FIFO = Semantics(model=ChannelModel.REL_FIFO)
EMPTY_CUT = Semantics(reading=CutReading.EMPTY)
SELF_CHANNELS = Semantics(self_channels=True)
"""Semantics without one of the hypotheses about runs."""

DEADLOCKING_MESSAGES = 3
"""With more messages, `balanced` omits the programs that deadlock, since listing them takes long."""


def first_model(queries: Iterable[Query]) -> Instance | None:
    """The instance of the first query that has a model.

    Raises Disagreement if another solver contradicts this one, and LimitReached if a solver gives up.
    """
    for query in queries:
        said = {name: _status(query, name) for name in SMT_SOLVERS}
        with open_solver(PROVING[0], seconds=SECONDS) as solver:
            answer = solver.ask(query.formulas)
            _require_agreement(query, said | {solver.name: answer.status})
            if answer.status is Status.SAT:
                return query.instance(answer).canonical()
    return None


def _status(query: Query, name: str) -> Status:
    with open_solver(name, seconds=SECONDS) as solver:
        return solver.ask(query.formulas, model=False).status


def _require_agreement(query: Query, said: dict[str, Status]) -> None:
    known = {name: status for name, status in said.items() if status is not Status.UNKNOWN}
    if len(set(known.values())) > 1:
        listed = ", ".join(f"{name} says {status.value}" for name, status in known.items())
        raise Disagreement(f"the query '{query.name}': {listed}")
    if silent := said.keys() - known.keys():
        raise LimitReached(f"the query '{query.name}': {', '.join(sorted(silent))} gave up")


def failing(listing: Listing, check: Check) -> Without:
    """Finds the first instance of a level on which the check fails."""

    def first(n: int, messages: int, ask: Ask) -> Instance | None:
        return next((each for each in listing(n, messages) if check(each, ask) is Outcome.FAILS), None)

    return first


@lru_cache(maxsize=16)
def programs(n: int, messages: int) -> tuple[Instance, ...]:
    """The canonical programs of a level, for hypotheses that are not about programs."""
    return tuple(Instance.of(p) for p in indexed_space(n, messages).programs() if p.is_canonical)


def with_self_channels(n: int, messages: int) -> Iterator[Instance]:
    """The canonical programs of a level in which processes may send to themselves."""
    found = indexed_space(n, messages, self_channels=True).programs()
    return (Instance.of(p) for p in found if p.is_canonical)


def all_programs(n: int, messages: int, *, self_channels: bool = False) -> Iterator[Instance]:
    """All programs of a level, canonical or not: the choices for the second of two programs."""
    return map(Instance.of, indexed_space(n, messages, self_channels=self_channels).programs())


def pairs(firsts: Listing, seconds: Listing) -> Listing:
    """Lists pairs of an instance from each listing, with this number of messages in total.

    The result has every pair up to renaming if `firsts` has all canonical programs and `seconds` has all
    programs.

    >>> [str(pair) for pair in pairs(unbalanced, programs)(2, 1)][:2]
    ['P = rcv 2<-1   Q = eps', 'P = snd 2->1   Q = eps']
    """

    def listing(n: int, messages: int) -> Iterator[Instance]:
        for of_p in range(messages + 1):
            for p in firsts(n, of_p):
                for q in seconds(n, messages - of_p):
                    yield Instance(n, p.programs + q.programs)

    return listing


@lru_cache(maxsize=16)
def deadlocking(n: int, messages: int) -> tuple[Instance, ...]:
    """The canonical balanced programs that deadlock.

    >>> [str(program) for program in deadlocking(2, 2)]
    ['rcv 1<-2; mt 1->2; snd 2->1']
    """
    found = (p for p in _programs(n, messages, messages) if p.is_balanced and not p.is_deadlock_free)
    return tuple(Instance.of(p) for p in found)


def balanced(n: int, messages: int) -> Iterator[Instance]:
    """The canonical balanced programs. Programs that deadlock come last, up to DEADLOCKING_MESSAGES."""
    return chain(programs(n, messages), deadlocking(n, messages) if messages <= DEADLOCKING_MESSAGES else ())


@lru_cache(maxsize=16)
def unbalanced(n: int, messages: int) -> tuple[Instance, ...]:
    """The canonical unbalanced programs that can complete if more messages follow.

    >>> [str(program) for program in unbalanced(2, 1)]
    ['rcv 2<-1', 'snd 2->1', 'rcv 2<-1; snd 2->1', 'snd 2->1; rcv 2<-1']
    """
    counts = [(messages, fewer) for fewer in range(messages + 1)]
    counts += [(fewer, messages) for fewer in range(messages)]
    found = (p for sends, receives in counts for p in _programs(n, sends, receives) if not p.is_balanced)
    return tuple(sorted((Instance.of(p) for p in found if completes(p)), key=lambda p: p.size))


def completes(program: StraightLine) -> bool:
    """Whether all events can happen, if a process that has finished may go on sending.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> completes(StraightLine.of(2, [rcv(2, 1)])), completes(StraightLine.of(2, [rcv(2, 1), rcv(1, 2)]))
    (True, False)
    """
    lacking = [snd(*channel) for channel, excess in program.imbalance.items() for _ in range(-excess)]
    return program.then(StraightLine.of(program.n, lacking)).is_deadlock_free


def _programs(n: int, sends: int, receives: int) -> Iterator[StraightLine]:
    """The canonical straight-line programs with these numbers of sends and receives, on any channels."""
    for sent in combinations_with_replacement(channels(n), sends):
        for received in combinations_with_replacement(channels(n), receives):
            for shares in product(*(_orders(k, sent, received) for k in range(1, n + 1))):
                program = StraightLine(shares)
                if program.is_canonical:
                    yield program


def balanced_shares(n: int, messages: int) -> Iterator[list[tuple[Share, ...]]]:
    """For each way to place the messages on channels, the possible action sequences of each process.

    All combinations of these sequences give the balanced programs, each once.
    """
    for sent in combinations_with_replacement(channels(n), messages):
        yield [_orders(k, sent, sent) for k in range(1, n + 1)]


def _orders(process: int, sent: Sequence[Channel], received: Sequence[Channel]) -> tuple[Share, ...]:
    events = [snd(*channel) for channel in sent if channel.sender == process]
    events += [rcv(channel.receiver, channel.sender) for channel in received if channel.receiver == process]
    return _arrangements(tuple(sorted(events)))


@lru_cache(maxsize=4096)
def _arrangements(events: Share) -> tuple[Share, ...]:
    if not events:
        return ((),)
    return tuple(
        (event, *rest)
        for at, event in enumerate(events)
        if not at or event != events[at - 1]
        for rest in _arrangements(events[:at] + events[at + 1 :])
    )


def about_programs(
    check: Check, with_oneself: Check, not_balanced: Listing = unbalanced
) -> tuple[Hypothesis, ...]:
    """The hypotheses balanced, deadlock-free and without self-channels, dropped one at a time.

    `with_oneself` is the check for programs with self-channels.
    """
    return (
        Hypothesis("balanced", failing(not_balanced, check)),
        Hypothesis("deadlock-free", failing(deadlocking, check)),
        Hypothesis("no self-channels", failing(with_self_channels, with_oneself)),
    )


def without_axioms(queries: Callable[[int, int, Axiom], Iterable[Query]]) -> tuple[Hypothesis, ...]:
    """The axioms of a run as hypotheses. `queries` are the negated claims without an axiom."""

    def without(axiom: Axiom) -> Hypothesis:
        return Hypothesis(axiom.value, queries=lambda n, messages: queries(n, messages, axiom))

    return tuple(map(without, Axiom))


def crossing_in_order(name: str, instance: Instance) -> Query:
    """The query: can a message cross the end of P if channels lose some messages, and keep the order of the
    rest?"""

    def formulas() -> list[FNode]:
        given = GivenRun([instance.p], Interleaving)
        return [*axioms(given.run), no_overtaking(given), crosses(given)]

    return Query(name, formulas, lambda _: instance)


@dataclass(frozen=True)
class Ablation:
    """The result of dropping a hypothesis."""

    breaking: Instance | None
    """The smallest instance on which the claim then fails."""
    n: int
    messages: int
    """The bounds of the search."""
    unknown: bool = False
    """Whether the search hit a limit."""


def ablate(statement: Statement, hypothesis: int, spaces: Sequence[tuple[int, int]]) -> Ablation:
    """Drop a hypothesis and go through the levels, smallest first, until a claim fails.

    >>> from sealcheck.theorems.registry import statement
    >>> about = statement("graph-cause-largest")
    >>> number = [h.name for h in about.hypotheses].index("balanced")
    >>> str(ablate(about, number, [(2, 1), (2, 2)]).breaking)
    'snd 1->2; rcv 1<-2; rcv 2<-1'
    """
    dropped = statement.hypotheses[hypothesis]
    n, messages = max(n for n, _ in spaces), max(messages for _, messages in spaces)
    unknown = False
    for level in spaces:
        try:
            if dropped.queries is not None:
                with fresh_formulas():
                    breaking = first_model(dropped.queries(*level))
            else:
                assert dropped.without is not None
                with inline() as ask:
                    breaking = dropped.without(*level, ask)
        except LimitReached:
            unknown = True
            continue
        if breaking is not None:
            return Ablation(breaking, n, messages, unknown)
    return Ablation(None, n, messages, unknown)
