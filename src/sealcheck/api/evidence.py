"""What shows that a prediction is wrong, where the question is about sealing: the right answer's evidence."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sealcheck.algorithms.sealing import Interferes
from sealcheck.algorithms.sealing import decide as decide_sealing
from sealcheck.api.asking import seal, seals
from sealcheck.api.programs import Program
from sealcheck.api.proposals import Sealing
from sealcheck.api.verdicts import Verdict
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import StraightLine


@dataclass(frozen=True)
class Answered:
    """How a question is answered with evidence."""

    asked: Callable[..., Verdict]
    answer: Callable[[Verdict], Any]
    command: tuple[str, ...]
    """What prints the same."""


def _messages(found: Verdict) -> Any:
    return found.json()["messages"]


ANSWERED = {
    "is-seal": Answered(seals, bool, ("decide",)),
    "sealable": Answered(seal, bool, ("seal",)),
    "minimal-seal": Answered(partial(seal, minimal=True), _messages, ("seal", "--minimal")),
}
"""By question; the answers to others have no evidence by themselves."""


def against(question: str, programs: tuple[Program, ...], predicted: Any) -> Verdict | None:
    """The right answer with its evidence, where another one is predicted.

    >>> from sealcheck import program
    >>> found = against("is-seal", (program("mt 1->2"), program("mt 1->2")), True)
    >>> bool(found), found.verify()
    (False, True)
    """
    if question not in ANSWERED:
        return None
    found = ANSWERED[question].asked(*programs)
    return found if found.is_known and ANSWERED[question].answer(found) != predicted else None


def command(question: str, programs: tuple[Program, ...]) -> str:
    """The command that prints the right answer with its certificate.

    >>> from sealcheck import program
    >>> command("sealable", (program("mt 1->2", 3),))
    "sealcheck seal 'mt 1->2' --n 3 --json"
    """
    first, *options = ANSWERED[question].command
    texts = [str(each) for each in programs]
    return shlex.join(["sealcheck", first, *texts, *options, "--n", str(programs[0].n), "--json"])


def execution(found: Verdict, programs: tuple[Program, ...]) -> tuple[Run, tuple[StraightLine, ...]] | None:
    """The run in which Q does not seal P, or the one in order; None where there is no Q."""
    if isinstance(found, Sealing):
        if found.program is None:
            return None
        programs = (*programs, found.program)
    p, q = (each.straight_line for each in programs)
    decision = decide_sealing(p, q)
    return decision.run if isinstance(decision, Interferes) else fifo_run(p.then(q)), (p, q)
