"""The drawing of a program that people change on the page, as data: the page's script draws it."""

from collections.abc import Iterator
from typing import Any

from sealcheck.algorithms.signature import signature
from sealcheck.errors import InputError
from sealcheck.language.names import Names
from sealcheck.language.parser import parse_straight_line
from sealcheck.operations.result import Result
from sealcheck.operations.wording import listed
from sealcheck.programs.straight_line import StraightLine, require_balanced_straight_line
from sealcheck.words import counted

Document = dict[str, Any]

MOST_PROCESSES, MOST_MESSAGES = 12, 40
"""Of a drawing: more are too many to move by hand."""


def require_drawable(p: StraightLine, names: Names) -> None:
    """Raise InputError unless each send of P has its receive, and both fit a drawing."""
    with names.blamed():
        require_balanced_straight_line(p, "P")
    if p.n > MOST_PROCESSES or p.messages > MOST_MESSAGES:
        most = f"{counted(MOST_PROCESSES, 'process', 'processes')} and {counted(MOST_MESSAGES, 'message')}"
        raise InputError(f"P is too large for a drawing, which has up to {most}")


def processes(program: StraightLine) -> list[list[tuple[str, int]]]:
    """For each process its events: the kind, and the other process.

    >>> from sealcheck.programs.straight_line import mt
    >>> processes(StraightLine.of(2, mt(1, 2)))
    [[('snd', 2)], [('rcv', 1)]]
    """
    return [
        [("snd", event.receiver) if event.is_send else ("rcv", event.sender) for event in share]
        for share in program.shares
    ]


def sketch(
    p: StraightLine, seal: Result, judged: tuple[StraightLine, Result] | None, names: Names
) -> Document:
    """P, and below it Q or a shortest seal; with the channels that P leaves open, and the answers in words.

    P must be drawable.  `seal` says whether P can be sealed; `judged` has Q, if there is one, and whether it
    seals P.
    """
    found = seal.document["seal"]
    shortest = None if found is None else parse_straight_line(str(found), p.n)
    q, seals = (processes(judged[0]), bool(judged[1].document["seals"])) if judged else (None, None)
    return {
        "names": [names.quoted(k) for k in range(1, p.n + 1)],
        "p": processes(p),
        "q": q,
        "seals": seals,
        "seal": None if shortest is None else processes(shortest),
        "seal_text": None if shortest is None else names.program(shortest),
        "open": signature(p).open_channels,
        "said": " ".join(_sentences(p, seal, seals, names)),
    }


def _sentences(p: StraightLine, seal: Result, seals: bool | None, names: Names) -> Iterator[str]:
    """The answers in a few words, which are read out after each change."""
    if opened := names.channels(signature(p).open_channels):
        yield f"P leaves {listed(opened)} open, and every other channel closed."
    else:
        yield "P leaves every channel closed."
    if not seal.document["sealable"]:
        yield "P cannot be sealed."
    elif seal.is_known:
        yield f"A shortest seal has {counted(int(str(seal.document['messages'])), 'message')}."
    else:
        yield "P can be sealed, but the search for a shortest seal hit its limit."
    if seals is not None:
        yield "Q seals P." if seals else "Q does not seal P."
