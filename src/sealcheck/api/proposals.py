"""Verdicts on seals and on layers: the kernel can check them, and some propose programs that would help."""

from collections.abc import Callable
from functools import partial
from typing import Any

from sealcheck.algorithms.phases import decide as decide_phases
from sealcheck.algorithms.sealing import decide as decide_sealing
from sealcheck.api.programs import Program, program
from sealcheck.api.verdicts import Verdict
from sealcheck.cli.answers import MAX_CROSSED, Answer
from sealcheck.drawing.making import of_phases, of_program, of_sealing
from sealcheck.drawing.picture import Picture
from sealcheck.evidence import runs
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.rejected import Rejected
from sealcheck.language.names import Names
from sealcheck.programs.phases import Phases

Check = Callable[..., Any]


class Sealing(Verdict):
    """Whether a program can be sealed; if so, with a seal."""

    @property
    def program(self) -> Program | None:
        """The seal, if there is one."""
        text = self.json()["seal"]
        return None if text is None else Program(self._p.n, program(text, self._p.n).code, self._p.names)

    def __init__(self, call: str, answer: Answer, p: Program) -> None:
        """`p` is the program that was asked about."""
        check = partial(is_accepted, runs.check_sealing, answer, p)
        super().__init__(call, answer, check, self._sealed)
        self._p = p

    def _sealed(self) -> Picture:
        """P and its seal, or P by itself where there is none."""
        names = Names(self._p.names)
        if (found := self.program) is None:
            return of_program({"P": self._p.straight_line}, names)
        return drawn(self._p, found)


class Apart(Verdict):
    """Whether layers stay apart; if not, with what would keep them apart."""

    def __init__(self, call: str, answer: Answer, about: Phases, names: Names) -> None:
        """The kernel looks at the chains, and at a run for each root cause."""
        picture = partial(_layered, about, names)
        super().__init__(call, answer, partial(_accepts_phases, answer), picture)
        self._about, self._names = about, names

    @property
    def acknowledgments(self) -> tuple[Program, ...] | None:
        """Programs to put between the layers so that they stay apart, one for each place.

        One behind the last layer, too, with `repeat` or `open`.  None where nothing is needed, or none was
        found.
        """
        mend = self.json()["mend"]
        if mend is None or mend["acknowledgments"] is None:
            return None
        return tuple(map(program, mend["acknowledgments"]))


class Between(Apart):
    """Whether messages between P and Q can keep these two apart; if so, with such messages.

    A yes is about P, these messages and Q as three layers; a no is about P and Q.
    """

    def __init__(self, call: str, found: Apart, between: Program | None) -> None:
        """`found` is about the layers with `between`, if there is such a program."""
        super().__init__(call, found._answer, found._about, found._names)
        self.program = between
        """The messages, as few as are known to do; `eps` where none is needed."""


def drawn(p: Program, q: Program) -> Picture:
    """P and Q, with why Q seals P, or does not."""
    found = decide_sealing(p.straight_line, q.straight_line)
    return of_sealing(p.straight_line, q.straight_line, found, Names(p.names))


def is_accepted(check: Check, answer: Answer, *programs: Program) -> bool:
    """Whether the kernel, by one of the checks in `certificates`, accepts an answer about these programs."""
    texts = (str(each.straight_line) for each in programs)
    try:
        check(Verdict("", answer).json(), *texts, programs[0].n)
    except Rejected:
        return False
    return True


def _layered(about: Phases, names: Names) -> Picture | None:
    return of_phases(decide_phases(about), names) if about.n <= MAX_CROSSED else None


def _accepts_phases(answer: Answer) -> bool:
    document = Verdict("", answer).json()
    try:
        check_phases(document["certificate"], document["interfering"])
    except Rejected:
        return False
    return True
