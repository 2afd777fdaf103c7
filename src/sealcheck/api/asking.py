"""The questions that one asks of programs, as functions of Python."""

from functools import partial
from typing import Any

from sealcheck.api.programs import Program, ProgramLike, program, together
from sealcheck.api.verdicts import Verdict
from sealcheck.cli.analyze import analysis
from sealcheck.cli.answers import Answer
from sealcheck.cli.decide import decision
from sealcheck.cli.seal import sealing
from sealcheck.evidence import certificates
from sealcheck.kernel.rejected import Rejected

Channels = frozenset[tuple[int, int]]


class Sealing(Verdict):
    """Whether a program can be sealed; if so, with a seal."""

    @property
    def program(self) -> Program | None:
        """The seal, if there is one."""
        text = self.json()["seal"]
        return None if text is None else program(text, self._n)

    def __init__(self, call: str, answer: Answer, p: Program) -> None:
        """`p` is the program that was asked about."""
        super().__init__(call, answer, partial(_accepts, certificates.check_sealing, answer, p))
        self._n = p.n


def seals(p: ProgramLike, q: ProgramLike, *, self_channels: bool = False) -> Verdict:
    """Does Q properly seal P?  Linear in the events.  Source: `th:decide.sealing`.

    Raises InputError unless both are balanced straight-line programs that do not deadlock.

    >>> bool(seals("mt 1->2", "mt 2->1")), bool(seals("mt 1->2", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    answer = decision(first.straight_line, second.straight_line, self_channels=self_channels)
    check = partial(_accepts, certificates.check_decision, answer, first, second)
    return Verdict(f"seals({str(first)!r}, {str(second)!r})", answer, check)


def seal(p: ProgramLike, *, minimal: bool = False, self_channels: bool = False) -> Sealing:
    """Can P be sealed, and by which program?  By one of fewest messages, if `minimal`.

    Raises InputError as `seals` does.  Source: `th:sealability`.

    >>> seal("mt 1->2; mt 3->2", minimal=True).program
    program('mt 2->3; mt 2->1', n=3)
    """
    first = program(p)
    answer = sealing(first.straight_line, minimal=minimal, self_channels=self_channels)
    return Sealing(f"seal({str(first)!r})", answer, first)


def open_channels(p: ProgramLike) -> Channels:
    """The channels on which a later message may be received in P.

    Raises InputError as `seals` does, and LimitReached for too many processes.

    >>> sorted(open_channels("mt 1->2; mt 2->1"))
    [(2, 1)]
    """
    document = _analyzed(p)
    return frozenset((i, j) for i, j in document["open_channels"])


def signature(p: ProgramLike) -> dict[str, Any]:
    """What of P matters for sealing and for being sealed, as `sealcheck analyze` writes it.

    Raises as `open_channels` does.

    >>> sorted(signature("mt 1->2"))
    ['receives', 'sends', 'starts']
    """
    found: dict[str, Any] = _analyzed(p)["signature"]
    return found


def _analyzed(p: ProgramLike) -> dict[str, Any]:
    straight = program(p).straight_line
    verdict = Verdict(f"analyze({str(straight)!r})", analysis(straight))
    assert verdict
    return verdict.json()


def _accepts(check: Any, answer: Answer, *programs: Program) -> bool:
    try:
        check(Verdict("", answer).json(), *(map(str, programs)), programs[0].n)
    except Rejected:
        return False
    return True
