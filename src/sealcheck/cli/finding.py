"""What is wrong with somebody's implementation, for people and as JSON."""

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sealcheck import words
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.sealing import Interferes
from sealcheck.algorithms.signature import signature
from sealcheck.cli.answers import Answer, Document
from sealcheck.cli.decide import decision, interference
from sealcheck.cli.phases import answer as staying_apart
from sealcheck.cli.seal import sealing
from sealcheck.cli.wording import entry
from sealcheck.differential.comparing import Difference
from sealcheck.differential.implementation import Kind
from sealcheck.differential.processes import Processes
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import Target

COLUMN = 12
MOST_SHOWN = 1000
"""Characters of what somebody else wrote."""

SENTENCES = {
    Kind.WRONG: "an answer is wrong",
    Kind.TYPE: "an answer is not of the right type",
    Kind.HANG: "it does not answer",
    Kind.CRASH: "it fails",
    Kind.GARBAGE: "what it writes is no answer",
    Kind.FLAKY: "it does not always answer the same",
}


@dataclass(frozen=True)
class Shown:
    """A finding, with what is said beside it."""

    target: Target
    finding: Difference
    replay: str | None
    """The id under which it was kept."""
    asking: str
    """The command line up to there."""
    how: str
    """How it was found."""

    @property
    def document(self) -> Document:
        """As JSON."""
        found, why = self.finding, _explanation(self.target, self.finding)
        programs = dict.fromkeys(("p", "q")) | dict(zip(self.target.takes, found.instance.texts, strict=True))
        return {
            "kind": found.kind,
            **programs,
            "n": found.instance.n,
            "expected": found.expected,
            "got": found.got,
            "certificate": why and why.document["certificate"],
            "replay": self.replay,
            "stderr": found.stderr,
            "example": example(found.instance),
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        found = self.finding
        yield f"no: {SENTENCES[found.kind]}"
        yield ""
        yield from entry("question", self.target.text, COLUMN)
        yield from entry("n", str(found.instance.n), COLUMN)
        for name, text in zip(self.target.takes, found.instance.texts, strict=True):
            yield from entry(name.upper(), text, COLUMN)
        yield from entry("expected", cut_short(json.dumps(found.expected)), COLUMN)
        answered = found.kind in (Kind.WRONG, Kind.TYPE)
        yield from entry("got", cut_short(json.dumps(found.got) if answered else str(found.got)), COLUMN)
        yield from entry("found", self.how, COLUMN)
        if found.stderr.strip():
            yield ""
            yield "It last wrote to standard error:"
            yield ""
            yield from (f"  {line}" for line in cut_short(found.stderr[-MOST_SHOWN:], "\n").splitlines())
        if why := _explanation(self.target, found):
            yield ""
            yield f"What is right{_about(self.target)}:"
            yield ""
            yield from (f"  {line}".rstrip() for line in why.explain().splitlines())
        yield ""
        if self.replay:
            yield f"replay      {self.asking} --replay {self.replay}"
        yield f"example     @example({example(found.instance)})"


def example(instance: Instance) -> str:
    """The instance as an argument of Hypothesis's ``@example``, for the strategies of `sealcheck.testing`.

    >>> example(Instance.of(StraightLine.of(2), StraightLine.of(2)))
    "(processes('eps', n=2), processes('eps', n=2))"
    """
    programs = [repr(Processes.of(program)) for program in instance.straight]
    return programs[0] if len(programs) == 1 else f"({', '.join(programs)})"


def cut_short(text: str, also: str = "") -> str:
    """A text of others in one line, without what a terminal would obey, cut short; some of it is left.

    >>> cut_short("no \\x1b[2J way")
    'no \\\\x1b[2J way'
    """
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
    return words.harmless(cut, also)


def asking(against: str, function: str | None, command: str | None) -> str:
    """The command line that tests this implementation."""
    tested = ["--function", function] if function is not None else ["--command", command or ""]
    return shlex.join(["sealcheck", "diff", "--against", against, *tested])


def _about(target: Target) -> str:
    return ", where Q = eps" if target.id == "closed-channels" else ""


def _explanation(target: Target, found: Difference) -> Answer | None:
    """Why what we expect is right, where there is something to show."""
    explain = _EXPLANATIONS.get(target.id)
    return explain(found) if explain else None


def _open_channel(found: Difference) -> Answer | None:
    """A run in which a channel that was called closed is not."""
    p = found.instance.p
    closed = closed_channel_graph(signature(p))
    said = found.got if found.kind is Kind.WRONG else []
    wrongly = [c for c in signature(p).open_channels if c not in closed and list(c) in said]
    return interference(Interferes(p, StraightLine.of(p.n), wrongly[0])) if wrongly else None


_EXPLANATIONS: dict[str, Callable[[Difference], Answer | None]] = {
    "is-seal": lambda found: decision(found.instance.p, found.instance.q),
    "sealable": lambda found: sealing(found.instance.p),
    "seal": lambda found: sealing(found.instance.p),
    "minimal-seal": lambda found: sealing(found.instance.p, minimal=True),
    "closed-channels": _open_channel,
    "phases": lambda found: staying_apart(Phases(found.instance.straight)),
}
"""For some targets; what is not here has no picture."""
