"""The paths of a program of the whole language: what remains once choices and repetitions are settled."""

from collections import Counter
from typing import assert_never

from sealcheck.programs.semantics import PAPER
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Guard,
    Layering,
    Not,
    Program,
    Receive,
    Repetition,
    Send,
    Truth,
)

Path = tuple[Program, ...]
"""Statements, guards and silent cuts, one after the other."""


def paths(program: Program, unroll: int = PAPER.unroll) -> frozenset[Path]:
    """All paths of a program, with up to so many iterations of each repetition.  Exponential.

    >>> from sealcheck.language.parser import parse
    >>> sorted(len(path) for path in paths(parse("cut; (mt 1->2)* + eps")))
    [0, 1, 3, 5]
    """
    match program:
        case Eps():
            return frozenset({()})
        case Layering(parts):
            found = frozenset[Path]({()})
            for part in parts:
                found = _joined(found, paths(part, unroll))
            return found
        case Choice(alternatives):
            return frozenset(path for alternative in alternatives for path in paths(alternative, unroll))
        case Repetition(body):
            found = latest = frozenset[Path]({()})
            for _ in range(unroll):
                latest = _joined(latest, paths(body, unroll))
                found |= latest
            return found
        case Assignment() | Send() | Receive() | Guard() | Cut():
            return frozenset({(program,)})
        case _:
            assert_never(program)


def _joined(firsts: frozenset[Path], seconds: frozenset[Path]) -> frozenset[Path]:
    return frozenset(first + second for first in firsts for second in seconds)


def communicates(path: Path) -> bool:
    """Whether there is a send or a receive on the path."""
    return any(isinstance(part, Send | Receive) for part in path)


def has_cut(path: Path) -> bool:
    """Whether there is a silent cut on the path."""
    return Cut() in path


def before_first_cut(path: Path) -> Path:
    """What the path has before its first silent cut; all of it where it has none."""
    return path[: path.index(Cut())] if has_cut(path) else path


def after_last_cut(path: Path) -> Path:
    """What the path has after its last silent cut; all of it where it has none."""
    return path[len(path) - path[::-1].index(Cut()) :] if has_cut(path) else path


def missing(program: Program, unroll: int = PAPER.unroll) -> int:
    """How many messages the program receives beyond those that it sends, at most, on any of its paths.

    >>> from sealcheck.language.parser import parse
    >>> [missing(parse(text)) for text in ("mt 1->2", "rcv 2<-1; snd 2->1", "mt 1->2 + (rcv 2<-1)*")]
    [0, 1, 2]
    """
    return max(map(_missing, paths(program, unroll)))


def _missing(path: Path) -> int:
    sent = Counter((part.sender, part.receiver) for part in path if isinstance(part, Send))
    received = Counter((part.sender, part.receiver) for part in path if isinstance(part, Receive))
    return (received - sent).total()


def never_occurs(program: Program) -> bool:
    """Whether every occurrence, finite or not, would have to pass the guard [not true].

    No bound comes into that: the guard stands outside all repetitions, and holds at no cut.

    >>> from sealcheck.language.parser import parse
    >>> [never_occurs(parse(text)) for text in ("while true do eps od", "[not true] + eps", "[1.x = 2]")]
    [True, False, False]
    """
    match program:
        case Guard(Not(Truth(True))):
            return True
        case Layering(parts):
            return any(map(never_occurs, parts))
        case Choice(alternatives):
            return all(map(never_occurs, alternatives))
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut() | Repetition():
            return False
        case _:
            assert_never(program)
