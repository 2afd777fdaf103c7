"""What shows that a prediction is wrong, where the question is about sealing: the right answer's evidence."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from sealcheck.api.asking import seal, seals
from sealcheck.api.programs import Program
from sealcheck.api.verdicts import Verdict
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import INTERFERENCE, as_run
from sealcheck.theorems.checking.statement import Ask
from sealcheck.theorems.section4.sealability import sealed_run

RunOfLayers = tuple[Run, tuple[StraightLine, ...]]


@dataclass(frozen=True)
class Answered:
    """How a question is answered with evidence."""

    asked: Callable[..., Verdict]
    answer: Callable[[Verdict], Any]
    command: tuple[str, ...]
    """What prints the same."""
    run: Callable[[Instance, Ask], RunOfLayers | None]
    """The run that shows the answer, and its layers; None where no run does."""


def _messages(found: Verdict) -> Any:
    return found.json()["messages"]


def _of_both(instance: Instance, ask: Ask) -> RunOfLayers:
    """A run in which a message crosses the end of P; where none can, one of P;Q in the order of sending."""
    p, q = instance.straight
    steps = ask(INTERFERENCE, instance)
    return (fifo_run(p.then(q)) if steps is None else as_run(instance.n, steps)), (p, q)


ANSWERED = {
    "is-seal": Answered(seals, bool, ("decide",), _of_both),
    "sealable": Answered(seal, bool, ("seal",), sealed_run),
    "minimal-seal": Answered(partial(seal, minimal=True), _messages, ("seal", "--minimal"), sealed_run),
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
    if not found.is_known:
        return None
    answer = ANSWERED[question].answer(found)
    return None if type(answer) is type(predicted) and answer == predicted else found


def command(question: str, programs: tuple[Program, ...]) -> str:
    """The command that prints the right answer with its certificate.

    >>> from sealcheck import program
    >>> command("sealable", (program("mt 1->2", 3),))
    "sealcheck seal 'mt 1->2' --n 3 --json"
    """
    first, *options = ANSWERED[question].command
    texts = [str(each) for each in programs]
    return shlex.join(["sealcheck", first, *texts, *options, "--n", str(programs[0].n), "--json"])
