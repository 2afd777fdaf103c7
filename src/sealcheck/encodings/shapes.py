"""The shapes of a program: what the processes do along each of its paths, a repetition being unrolled."""

from collections.abc import Iterable
from typing import assert_never

from sealcheck.encodings.surroundings import Shape
from sealcheck.errors import LimitReached
from sealcheck.programs.events import Event, rcv, snd
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Program,
    Receive,
    Repetition,
    Send,
)

MOST_SHAPES = 2_000
"""More are not gone through."""


def shapes(program: Program, n: int, unroll: int) -> set[Shape]:
    """What the processes 1..n do along the paths of a program, as many iterations as are unrolled.

    An iteration in which nothing happens is no iteration: see `SymbolicInterval`.  Raises LimitReached where
    there are more than `MOST_SHAPES`.

    >>> from sealcheck.language.parser import parse
    >>> [len(shapes(parse(text), 2, unroll=3)) for text in ("mt 1->2", "mt 1->2 + eps", "(mt 1->2)*")]
    [1, 2, 4]
    """
    match program:
        case Assignment(target):
            return {_alone(n, target.process, None)}
        case Send(sender, receiver):
            return {_alone(n, sender, snd(sender, receiver))}
        case Receive(receiver, sender):
            return {_alone(n, receiver, rcv(receiver, sender))}
        case Layering(parts):
            found = {_nothing(n)}
            for part in parts:
                found = _joined(found, shapes(part, n, unroll))
            return found
        case Choice(alternatives):
            return _limited(s for alternative in alternatives for s in shapes(alternative, n, unroll))
        case Repetition(body):
            once = shapes(body, n, unroll) - {_nothing(n)}
            found, latest = {_nothing(n)}, {_nothing(n)}
            for _ in range(unroll):
                latest = _joined(latest, once)
                found = _limited([*found, *latest])
            return found
        case Eps() | Guard() | Cut():
            return {_nothing(n)}
        case _:
            assert_never(program)


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


def is_finite(program: Program) -> bool:
    """Whether the program has no repetition, so that no unrolling cuts anything off.

    >>> from sealcheck.language.parser import parse
    >>> is_finite(parse("mt 1->2 + eps")), is_finite(parse("(mt 1->2)*"))
    (True, False)
    """
    match program:
        case Layering(parts) | Choice(parts):
            return all(map(is_finite, parts))
        case Repetition():
            return False
        case Eps() | Assignment() | Send() | Receive():
            return True
        case Guard() | Cut():
            return True
        case _:
            assert_never(program)
