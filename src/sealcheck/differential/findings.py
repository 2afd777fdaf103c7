"""Findings about implementations, and whether implementations agree, as text and as JSON.

A *target* is a question for implementations, such as `is-seal`. An *instance* is the program, or the
programs, in a question. A *finding* is a fault of an implementation, with an instance that shows it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.sealing import Interferes
from sealcheck.algorithms.signature import signature
from sealcheck.differential.implementation import Kind
from sealcheck.differential.protocol import arguments, texts_document
from sealcheck.differential.searching import END, KEPT, KNOWN, REPLAYED, Difference, Search, Stage
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.ports import staying_apart_over_ports
from sealcheck.operations.result import Document, Result
from sealcheck.operations.sealing import decision, sealing, with_evidence
from sealcheck.programs.phases import OPEN, REPEAT, Phases
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.questions.ports import as_port_phases
from sealcheck.theorems.checking.targets import Target
from sealcheck.words import counted, entry, harmless

COLUMN = 12
MOST_SHOWN = 1000
"""The most characters shown of a text by the implementation."""

SENTENCES = {
    Kind.WRONG: "an answer is wrong",
    Kind.TYPE: "an answer is not of the right type",
    Kind.HANG: "it does not answer",
    Kind.CRASH: "it fails",
    Kind.GARBAGE: "its output is not an answer",
    Kind.FLAKY: "it does not always give the same answer",
}


@dataclass(frozen=True)
class Shown:
    """A finding, how it was found, and the command that asks again."""

    target: Target
    finding: Difference
    replay: str | None
    """The id under which the finding was kept, if it was kept."""
    asking: str
    """The command line that asks again, without ``--replay``."""
    how: str
    """How the finding was found, in words."""

    @property
    def document(self) -> Document:
        """The finding as JSON."""
        found, why = self.finding, self._explanation
        programs = dict.fromkeys(("p", "q")) | texts_document(self.target.takes, found.instance)
        return {
            "kind": found.kind,
            **programs,
            "n": found.instance.n,
            "expected": found.expected,
            "got": found.got,
            "certificate": None if why is None else why.certificate,
            "replay": self.replay,
            "stderr": found.stderr,
            "example": example(found.instance, self.target.takes),
        }

    @property
    def _explanation(self) -> Result | None:
        """Evidence for the expected answer, if there is any."""
        explain = _EXPLANATIONS.get(self.target.id)
        return explain(self.finding) if explain else None

    def lines(self) -> Iterator[str]:
        """The finding as lines of text."""
        found = self.finding
        yield f"no: {SENTENCES[found.kind]}"
        yield ""
        yield from entry("question", self.target.text, COLUMN)
        yield from entry("n", str(found.instance.n), COLUMN)
        for label, text in told(found.instance):
            yield from entry(label, text, COLUMN)
        yield from entry("expected", cut_short(json.dumps(found.expected)), COLUMN)
        answered = found.kind in (Kind.WRONG, Kind.TYPE)
        yield from entry("got", cut_short(json.dumps(found.got) if answered else str(found.got)), COLUMN)
        yield from entry("found", self.how, COLUMN)
        if found.stderr.strip():
            yield ""
            yield "It last wrote to standard error:"
            yield ""
            yield from (f"  {line}" for line in cut_short(found.stderr[-MOST_SHOWN:], "\n").splitlines())
        if (why := self._explanation) is not None:
            yield ""
            yield f"What is right{', where Q = eps' if self.target.id == 'closed-channels' else ''}:"
            yield ""
            yield from (f"  {line}".rstrip() for line in why.explain().splitlines())
        yield ""
        if self.replay:
            yield f"replay      {self.asking} --replay {self.replay}"
        yield f"example     @example({example(found.instance, self.target.takes)})"


def told(instance: Instance) -> Iterator[tuple[str, str]]:
    """The programs of an instance with labels, and the flags of layers over ports."""
    if not instance.is_over_ports:
        yield from zip(NAMES, instance.texts, strict=False)
        return
    yield from ((f"layer {number}", text) for number, text in enumerate(instance.texts, 1))
    if instance.said:
        yield "ports", "; ".join(f"{port}={words}" for port, words in instance.said.items())
    if REPEAT in instance.flags:
        yield "repeat", "any number of rounds"
    if OPEN in instance.flags:
        yield "open", "anything may follow"


def example(instance: Instance, takes: Sequence[str]) -> str:
    """The instance as an argument of Hypothesis's ``@example``.

    >>> example(Instance.of(StraightLine.of(2), StraightLine.of(2)), ("p", "q"))
    "(processes('eps', n=2), processes('eps', n=2))"
    """
    programs = [*map(repr, arguments(takes, instance).values())]
    return programs[0] if len(programs) == 1 else f"({', '.join(programs)})"


def cut_short(text: str, also: str = "") -> str:
    """A text in one line, cut short. Control characters become escapes.

    >>> cut_short("no \\x1b[2J way")
    'no \\\\x1b[2J way'
    """
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
    return harmless(cut, also)


def _over_ports(instance: Instance) -> Result:
    titles = [f"layer {number}" for number in range(1, len(instance.programs) + 1)]
    return staying_apart_over_ports(as_port_phases(instance), titles, propose=False)


def _open_channel(found: Difference) -> Result | None:
    """For an open channel that the implementation called closed: a run that shows that it is open."""
    p = found.instance.p
    closed = closed_channel_graph(signature(p))
    said = found.got if found.kind is Kind.WRONG else []
    wrongly = [c for c in signature(p).open_channels if c not in closed and list(c) in said]
    if not wrongly:
        return None
    nothing = StraightLine.of(p.n)
    return with_evidence(p, nothing, Interferes(p, nothing, wrongly[0]))


_EXPLANATIONS: dict[str, Callable[[Difference], Result | None]] = {
    "is-seal": lambda found: decision(found.instance.p, found.instance.q),
    "sealable": lambda found: sealing(found.instance.p),
    "seal": lambda found: sealing(found.instance.p),
    "minimal-seal": lambda found: sealing(found.instance.p, minimal=True),
    "closed-channels": _open_channel,
    "phases": lambda found: staying_apart(Phases(found.instance.straight), self_channels=True),
    "port-phases": lambda found: _over_ports(found.instance),
    "interfering-ports": lambda found: _over_ports(found.instance),
}
"""For some targets: evidence for the expected answer."""


def found_how(done: Search) -> str:
    """How the finding of a search was found, in words."""
    tries, last = counted(done.tried, "try", "tries"), done.stages[-1]
    if last.name == REPLAYED:
        return "an earlier finding, asked again"
    if last.name == END:
        return f"at the end of its input, after {tries}"
    if not last.is_beyond:
        return f"after {tries}, smallest first: fewer processes, or fewer messages, do not show it"
    among = f"among {last.name}" if last.name in (KEPT, KNOWN) else "at random"
    return f"after {tries}, {among}, and made smaller"


@dataclass(frozen=True)
class Agreement:
    """The outcome of a search: the implementation agrees, or there is a finding."""

    target: Target
    done: Search
    shown: Shown | None

    @property
    def agrees(self) -> bool | None:
        """Whether the implementation agrees. None if it skipped questions within the bound."""
        if self.shown:
            return False
        return True if self.done.is_whole else None

    @property
    def document(self) -> Document:
        """The outcome as JSON."""
        document: Document = {
            "agrees": self.agrees is True,
            "tried": self.done.tried,
            "skipped": self.done.skipped,
            "per_second": self.done.per_second,
            "seed": self.done.seed,
            "covered": [
                {"stage": stage.name, "asked": stage.tried, "of": stage.of, "skipped": stage.skipped}
                for stage in self.done.stages
                if stage.tried
            ],
        }
        return document | ({"finding": self.shown.document} if self.shown else {})

    @property
    def text(self) -> str:
        """The outcome as text."""
        if self.shown:
            return "\n".join(self.shown.lines())
        lines = [_stage(stage) for stage in self.done.stages if stage.tried]
        if any(stage.is_beyond for stage in self.done.stages):
            lines.append(f"seed {self.done.seed}; {self.done.per_second:,} questions per second")
        tried = "\n".join(f"  {line}" for line in lines)
        if self.agrees is None:
            first = f"unknown: it skipped {self.done.skipped} of {counted(self.done.tried, 'question')}"
        else:
            first = f"yes: it agrees on {self.target.id}, {counted(self.done.tried, 'question')} asked"
        return f"{first}\n\n{tried}" if tried else first


def _stage(stage: Stage) -> str:
    """The number of questions of a stage of the search, in words."""
    skipped = f", {stage.skipped} skipped" if stage.skipped else ""
    if stage.of is not None:
        return f"{stage.name}: {stage.tried:,} of {stage.of:,}{skipped}"
    return f"{stage.name}: {counted(stage.tried, 'question')}{skipped}"
