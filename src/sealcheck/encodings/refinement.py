"""Bounded refinement: P refines Q if every interval over which P occurs is one over which Q occurs.

Same run, same cuts, same matching.  P is taken shape by shape: what the processes do along one of
its paths, a repetition being unrolled.  Q needs no bound, since the shape says how long it can be.
"""

from collections.abc import Iterable, Iterator

from pysmt.fnode import FNode
from pysmt.shortcuts import Not

from sealcheck.encodings.decoding import Occurrence, decoded
from sealcheck.encodings.occurrence import Interval, Shape, Variables
from sealcheck.encodings.solving import Solver, Status
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.occurrence import occurs
from sealcheck.programs import syntax
from sealcheck.programs.events import Channel, Event, rcv, snd
from sealcheck.programs.global_runs import CutReading, Model

MOST_SHAPES = 2_000
"""More are not gone through."""
UNROLL = 3
"""How many iterations of a repetition are gone through by default."""


def shapes(program: syntax.Program, n: int, unroll: int = UNROLL) -> set[Shape]:
    """What the processes 1..n do along the paths of a program, `unroll` iterations at most.

    An iteration in which nothing happens is no iteration: see `Interval`.  Raises LimitReached where
    there are more than `MOST_SHAPES`.

    >>> from sealcheck.language.parser import parse
    >>> [len(shapes(parse(text), 2)) for text in ("mt 1->2", "mt 1->2 + eps", "(mt 1->2)*")]
    [1, 2, 4]
    """
    match program:
        case syntax.Assignment(target):
            return {_alone(n, target.process, None)}
        case syntax.Send(sender, receiver):
            return {_alone(n, sender, snd(sender, receiver))}
        case syntax.Receive(receiver, sender):
            return {_alone(n, receiver, rcv(receiver, sender))}
        case syntax.Layering(parts):
            found = {_nothing(n)}
            for part in parts:
                found = _joined(found, shapes(part, n, unroll))
            return found
        case syntax.Choice(alternatives):
            return _limited(s for alternative in alternatives for s in shapes(alternative, n, unroll))
        case syntax.Repetition(body):
            once = shapes(body, n, unroll) - {_nothing(n)}
            found, latest = {_nothing(n)}, {_nothing(n)}
            for _ in range(unroll):
                latest = _joined(latest, once)
                found = _limited([*found, *latest])
            return found
        case _:
            return {_nothing(n)}


def _nothing(n: int) -> Shape:
    return ((),) * n


def _alone(n: int, process: int, event: Event | None) -> Shape:
    return tuple((event,) if k == process else () for k in range(1, n + 1))


def _joined(firsts: set[Shape], seconds: set[Shape]) -> set[Shape]:
    return _limited(
        tuple(a + b for a, b in zip(first, second, strict=True)) for first in firsts for second in seconds
    )


def _limited(found: Iterable[Shape]) -> set[Shape]:
    limited: set[Shape] = set()
    for shape in found:
        limited.add(shape)
        if len(limited) > MOST_SHAPES:
            raise LimitReached(f"the program has more than {MOST_SHAPES} kinds of paths")
    return limited


def is_finite(program: syntax.Program) -> bool:
    """Whether the program has no repetition, so that no unrolling cuts anything off."""
    match program:
        case syntax.Layering(parts) | syntax.Choice(parts):
            return all(map(is_finite, parts))
        case syntax.Repetition():
            return False
        case _:
            return True


def variables(*programs: syntax.Program) -> Variables:
    """The variables that the programs mention, by process."""
    found: dict[int, set[str]] = {}
    for program in programs:
        for variable in _mentioned(program):
            found.setdefault(variable.process, set()).add(variable.name)
    return {process: tuple(sorted(names)) for process, names in found.items()}


def _mentioned(node: object) -> Iterator[syntax.Variable]:
    if isinstance(node, syntax.Variable):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _mentioned(part)
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:
            yield from _mentioned(getattr(node, name))


def refute(
    p: syntax.Program,
    q: syntax.Program,
    n: int,
    solver: Solver,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> Occurrence | None:
    """An interval over which P occurs and Q does not, or None if there is none.

    None speaks of all finite runs if P `is_finite`, else of `unroll` iterations at most.  Raises
    LimitReached if the solver gives up on a shape and no other one refutes.  One question for
    each shape of P.

    >>> from sealcheck.encodings.solving import open_solver
    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.notions import seals, tcc
    >>> there, back = parse("mt 1->2"), parse("mt 2->1")
    >>> with open_solver("z3") as z3:
    ...     refute(*seals(there, back), 2, z3)
    ...     refute(*tcc(there), 2, z3).run.matching
    {Place(process=2, position=1): Place(process=1, position=2)}
    """
    gave_up = False
    for shape in sorted(shapes(p, n, unroll), key=lambda shape: (sum(map(len, shape)), repr(shape))):
        interval = Interval(shape, variables(p, q), reading, self_channels=self_channels)
        wrong = [interval.occurs(p), Not(interval.occurs(q))]
        try:
            found = _found(interval, wrong, solver, model)
        except LimitReached:
            gave_up = True
            continue
        if found is not None:
            _confirm(found, p, q, model, reading)
            return found
    if gave_up:
        raise LimitReached(f"{solver.name} gave up")
    return None


def occurs_somewhere(
    p: syntax.Program,
    n: int,
    solver: Solver,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> Occurrence | None:
    """An interval over which P occurs: it refutes that P refines what never occurs."""
    never = syntax.Guard(syntax.Truth(False))
    return refute(
        p, never, n, solver, model=model, reading=reading, unroll=unroll, self_channels=self_channels
    )


def unbalanced(
    p: syntax.Program,
    n: int,
    solver: Solver,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> Occurrence | None:
    """A run in which P starts with all channels empty and sends and receives unequally often on one.

    That is the negation of "balanced" (section 4): a channel empty at c holds as many sends as
    receives at d exactly if there are as many of them in between.  `reading` is that of P's own cuts.
    """
    for shape in sorted(shapes(p, n, unroll), key=repr):
        if _is_balanced(shape):
            continue
        interval = Interval(shape, variables(p), reading, self_channels=self_channels)
        empty = interval.is_silent(interval.start, reading=CutReading.EMPTY)
        found = _found(interval, [empty, interval.occurs(p)], solver, model)
        if found is not None:
            return found
    return None


def _is_balanced(shape: Shape) -> bool:
    events = [event for share in shape for event in share if event is not None]
    return all(
        sum(event == snd(*channel) for event in events)
        == sum(event == rcv(channel[1], channel[0]) for event in events)
        for channel in {event.channel for event in events}
    )


def leaves_open(
    p: syntax.Program,
    channel: Channel,
    n: int,
    solver: Solver,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    unroll: int = UNROLL,
    self_channels: bool = False,
) -> Occurrence | None:
    """A run of ≀P at whose end the channel is not empty: the negation of "closes" (section 4).

    Empty is what the reading says: MATCHING overlooks messages that are never received.
    """
    after_cut = syntax.layered(syntax.Cut(), p)
    for shape in sorted(shapes(p, n, unroll), key=repr):
        interval = Interval(shape, variables(p), reading, self_channels=self_channels)
        left = Not(interval.is_silent(interval.end, channel))
        found = _found(interval, [interval.occurs(after_cut), left], solver, model)
        if found is not None:
            return found
    return None


def _found(interval: Interval, formulas: list[FNode], solver: Solver, model: Model) -> Occurrence | None:
    if any(formula.is_false() for formula in formulas):
        return None
    answer = solver.ask([*interval.axioms(model), *formulas])
    if answer.status is Status.UNKNOWN:
        raise LimitReached(f"{solver.name} gave up")
    return decoded(interval, answer) if answer.status is Status.SAT else None


def _confirm(
    found: Occurrence, p: syntax.Program, q: syntax.Program, model: Model, reading: CutReading
) -> None:
    """A counterexample counts only if it is one by the definition, evaluated on the run itself."""
    found.run.check(model)
    for program, expected in ((p, True), (q, False)):
        if occurs(found.run, found.c, found.d, program, reading=reading) != expected:
            raise Disagreement("a solver's run does not refute the refinement that it was asked about")
