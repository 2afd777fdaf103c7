"""``sealcheck diff --against QUESTION``: is somebody's implementation right?  If not, on which program?"""

import json as json_format
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli import completing
from sealcheck.cli.answers import Code, Document, write
from sealcheck.cli.bounds import process_range, spaces
from sealcheck.cli.command import Json
from sealcheck.cli.junit import Case, write_junit
from sealcheck.cli.progress import step_shown
from sealcheck.errors import InputError
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.cli.finding import Shown
    from sealcheck.differential.searching import Plan, Search, Stage
    from sealcheck.differential.subject import Limits, Subject
    from sealcheck.targets.target import Target

MOST_SECONDS = 86_400.0


def _seconds(given: object) -> float:
    text = str(given)  # a default is no text
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= MOST_SECONDS:
            return seconds
    raise typer.BadParameter(f"it takes a number of seconds from 0 to {MOST_SECONDS:g}, not {text[:20]!r}")


def _whole(given: object) -> int:
    text = str(given)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise typer.BadParameter(f"it takes a whole number, not {text[:20]!r}")


Against = Annotated[
    str,
    typer.Option(
        "--against",
        metavar="QUESTION",
        help="What it is asked: is-seal, sealable, seal, ...",
        autocompletion=completing.questions,
    ),
]
Bound = Annotated[str, typer.Option("--n", metavar="N", help="How many processes, or a range: 2..4.")]
Most = Annotated[
    int,
    typer.Option("--messages", metavar="M", parser=_whole, help="0..M messages, in all programs together."),
]
Timeout = Annotated[
    float, typer.Option("--timeout", metavar="S", parser=_seconds, help="Seconds for an answer.")
]
StartTimeout = Annotated[
    float, typer.Option("--start-timeout", metavar="S", parser=_seconds, help="Seconds for the first answer.")
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MIB", parser=_whole, help="Memory that it may use (Linux only).")
]


def diff(
    against: Against,
    function: Annotated[
        str | None,
        typer.Option(
            "--function", metavar="MODULE:NAME", help="A Python function, of the current folder or installed."
        ),
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(
            "--command", metavar="CMD", help="A program that answers JSON lines (docs/diff.md); no shell."
        ),
    ] = None,
    n: Bound = "1..3",
    messages: Most = 4,
    random: Annotated[
        float,
        typer.Option("--random", metavar="S", parser=_seconds, help="Seconds of random ones; 0 for none."),
    ] = 10.0,
    timeout: Timeout = 10.0,
    start_timeout: StartTimeout = 30.0,
    memory: Memory = 2048,
    seed: Annotated[
        int,
        typer.Option("--seed", metavar="K", parser=_whole, help="Another one draws other random programs."),
    ] = 0,
    replay: Annotated[
        str | None, typer.Option("--replay", metavar="ID", help="Only this finding of an earlier run.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the outcome as JUnit XML, too.")
    ] = None,
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="Have Spark go through large levels.")
    ] = None,
    json: Json = False,
) -> None:
    """Is somebody's implementation right?

    Asks it about every program, or pair of programs, up to the bound, smallest first and renamed ones
    too; then about random ones beyond it.  What it got wrong is kept in .sealcheck/, and tried first
    the next time.  Exit code 0 if it agrees, 1 for a finding, 3 if it skipped some of the bound.
    """
    from sealcheck.differential.comparing import Comparison
    from sealcheck.differential.kept import kept, replayed
    from sealcheck.differential.searching import Plan, search
    from sealcheck.differential.subject import Limits
    from sealcheck.targets.registry import target

    asked = target(against)
    if replay is not None:
        plan = Plan([replayed(asked, replay)], [])
    else:
        plan = Plan(list(kept(asked)), spaces(process_range(n), messages), random, seed)
    limits = Limits(timeout, start_timeout, memory)
    tested = subject(asked, function, command, limits)
    with tested, step_shown("diff") as on_stage, _spreading(plan, tested, master) as whole:
        done = search(Comparison(asked, tested), whole, on_stage)
    outcome = Outcome(asked, done, _shown(asked, done, function, command))
    if junit is not None:
        write_junit(junit, f"sealcheck diff {against}", outcome.cases())
    write(json_format.dumps(outcome.document) if json else outcome.text)
    raise typer.Exit(outcome.code)


@contextmanager
def _spreading(plan: "Plan", tested: "Subject", master: str | None) -> Iterator["Plan"]:
    """The plan, whose large levels Spark goes through, where a master is named."""
    if master is None:
        yield plan
        return
    from sealcheck.differential.on_spark import spread
    from sealcheck.spark_sweeps.session import spark_session

    with spark_session(master, "sealcheck diff") as spark:
        yield replace(plan, spread=spread(spark, tested.command, tested.limits))


def subject(target: "Target", function: str | None, command: str | None, limits: "Limits") -> "Subject":
    """The implementation that these options name.  Raises InputError."""
    from sealcheck.differential.functions import function_subject
    from sealcheck.differential.subject import Subject

    if (function is None) == (command is None):
        raise InputError("give either --function MODULE:NAME or --command CMD")
    if function is not None:
        return function_subject(function, target.takes, limits)
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise InputError(f"--command can't be split into words: {error}") from None
    if not words:
        raise InputError("--command is empty")
    return Subject(words, limits)


def _shown(target: "Target", done: "Search", function: str | None, command: str | None) -> "Shown | None":
    from sealcheck.cli.finding import Shown, asking
    from sealcheck.differential.kept import keep

    if done.finding is None:
        return None
    id = keep(target, done.finding)
    return Shown(target, done.finding, id, asking(target.id, function, command), found_how(done))


def found_how(done: "Search") -> str:
    """How a finding was found: after how many tries, and whether there may be a smaller one."""
    from sealcheck.differential.searching import END, KEPT, RANDOM

    tries = counted(done.tried, "try", "tries")
    match done.stages[-1].name:
        case name if name == KEPT:
            return "kept from an earlier run; remove .sealcheck to look for a smaller one"
        case name if name == RANDOM:
            return f"after {tries}, at random, and made smaller"
        case name if name == END:
            return f"at the end of its input, after {tries}"
        case _:
            return f"after {tries}, smallest first: fewer processes, or fewer messages, do not show it"


@dataclass(frozen=True)
class Outcome:
    """What there is to say of an implementation."""

    target: "Target"
    done: "Search"
    shown: "Shown | None"

    @property
    def code(self) -> Code:
        """The exit code."""
        if self.shown:
            return Code.NO
        return Code.YES if self.done.is_whole else Code.UNKNOWN

    @property
    def document(self) -> Document:
        """As JSON."""
        document: Document = {
            "agrees": self.code is Code.YES,
            "tried": self.done.tried,
            "skipped": self.done.skipped,
        }
        return document | ({"finding": self.shown.document} if self.shown else {})

    @property
    def text(self) -> str:
        """For people."""
        if self.shown:
            return "\n".join(self.shown.lines())
        tried = "\n".join(f"  {_stage(stage)}" for stage in self.done.stages if stage.tried)
        if self.code is Code.UNKNOWN:
            first = f"unknown: it skipped {self.done.skipped} of {counted(self.done.tried, 'question')}"
        else:
            first = f"yes: it agrees on {self.target.id}, {counted(self.done.tried, 'question')} asked"
        return f"{first}\n\n{tried}" if tried else first

    def cases(self) -> list[Case]:
        """One test for each stage."""
        cases = []
        for stage in self.done.stages:
            reason = f"{stage.skipped} of {stage.tried} skipped" if stage.skipped else ""
            cases.append(Case(stage.name, skipped=reason))
        if self.shown:
            sentence, *rest = self.shown.lines()
            cases[-1] = Case(cases[-1].name, sentence, "\n".join(rest))
        return cases


def _stage(stage: "Stage") -> str:
    skipped = f", {stage.skipped} skipped" if stage.skipped else ""
    return f"{stage.name}: {counted(stage.tried, 'question')}{skipped}"
