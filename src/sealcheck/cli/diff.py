"""``sealcheck diff --against QUESTION``: test an implementation; ``--list``: the questions."""

import json as json_format
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sealcheck.cli.agreement import Agreement, found_how
from sealcheck.cli.answers import Document, remark, write
from sealcheck.cli.bounds import process_range, spaces
from sealcheck.cli.command import Json
from sealcheck.cli.diff_options import (
    Against,
    Bound,
    Command,
    Function,
    Junit,
    Memory,
    Most,
    Random,
    Replay,
    Seed,
    Spread,
    StartTimeout,
    Timeout,
)
from sealcheck.cli.junit import write_junit
from sealcheck.cli.progress import step_shown
from sealcheck.cli.wording import entry
from sealcheck.errors import InputError

if TYPE_CHECKING:
    from sealcheck.cli.finding import Shown
    from sealcheck.differential.searching import Plan, Search
    from sealcheck.differential.subject import Limits, Subject
    from sealcheck.questions.question import Question
    from sealcheck.theorems.checking.targets import Target

COLUMN = 14
"""Where texts start, behind their labels."""
Listed = Annotated[
    bool, typer.Option("--list", help="List the questions, each with the oracles that answer it.")
]


def diff(
    against: Against = None,
    function: Function = None,
    command: Command = None,
    n: Bound = "1..3",
    messages: Most = 4,
    random: Random = 10.0,
    timeout: Timeout = 10.0,
    start_timeout: StartTimeout = 30.0,
    memory: Memory = 2048,
    seed: Seed = 0,
    replay: Replay = None,
    junit: Junit = None,
    master: Spread = None,
    listed: Listed = False,
    json: Json = False,
) -> None:
    """Test an implementation against a question.

    Asks it about every program, or pair of programs, up to the bound, smallest first and renamed ones
    too. Then it is asked about instances that show known faults, uniform samples of the next levels, and
    large random programs. Findings are kept in .sealcheck/ for --replay, and asked again last. Exit code 0
    if it agrees, 1 for a finding, 3 if it skipped some of the bound.

    --list shows all questions, those that only statements ask included. The oracles of a question answer it
    independently of each other; if two disagree, that is an error and no answer.
    """
    if listed:
        if against is not None or function is not None or command is not None:
            raise InputError("give either --list or an implementation, not both")
        list_questions(as_json=json)
        return
    if against is None:
        raise InputError("--against is missing: --list shows the questions")
    from sealcheck.differential.comparing import Comparison
    from sealcheck.differential.kept import kept, replayed
    from sealcheck.differential.searching import Plan, search
    from sealcheck.differential.subject import Limits
    from sealcheck.theorems.checking.targets import target

    asked = target(against)
    if replay is not None:
        plan = Plan([replayed(asked, replay)], [])
    else:
        plan = Plan([], spaces(process_range(n), messages), seconds=random, seed=seed, last=list(kept(asked)))
    limits = Limits(timeout, start_timeout, memory)
    tested = subject(asked, function, command, limits)
    with tested, step_shown("diff") as on_stage, _spreading(plan, tested, master) as whole:
        done = search(Comparison(asked, tested), whole, on_stage)
    outcome = Agreement(asked, done, _shown(asked, done, function, command))
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
    """The finding, kept for the next time, if there is one."""
    from sealcheck.cli.finding import Shown, asking
    from sealcheck.differential.kept import FOLDER, keep

    if done.finding is None:
        return None
    id = None
    try:
        id = keep(target, done.finding)
    except OSError as error:
        remark(f"the finding was not kept: cannot write to '{FOLDER}': {error.strerror}")
    return Shown(target, done.finding, id, asking(target.id, function, command), found_how(done))


def list_questions(*, as_json: bool) -> None:
    """Print every question, with the oracles that answer it independently of each other."""
    from sealcheck.questions.registry import QUESTIONS

    if as_json:
        write(json_format.dumps([_question_document(question) for question in QUESTIONS.values()]))
        return
    write("\n\n".join("\n".join(_question_lines(question)) for question in QUESTIONS.values()))


def _question_document(question: "Question[Any]") -> Document:
    return {
        "question": question.id,
        "text": question.text,
        "takes": question.takes,
        "domain": question.domain.text,
        "answer": question.answer.schema,
        "certificate": question.certificate or None,
        "oracles": list(_oracles(question)),
    }


def _oracles(question: "Question[Any]") -> Iterator[Document]:
    from sealcheck.encodings.solvers import SMT_SOLVERS

    for oracle in question.oracles:
        yield {"name": oracle.name, "shares": oracle.shares or None, "kernel": oracle.is_checked}
    if question.symbolic is not None:
        for solver in SMT_SOLVERS:
            yield {"name": solver, "shares": question.symbolic.shares or None, "kernel": False}


def _question_lines(question: "Question[Any]") -> Iterator[str]:
    yield f"{question.id}    {question.text}"
    yield from entry("  of", question.about, COLUMN)
    for number, oracle in enumerate(_oracles(question)):
        remarks = []
        if oracle["kernel"]:
            remarks.append("checked by the kernel")
        if oracle["shares"]:
            remarks.append(f"shares {oracle['shares']}")
        text = f"{oracle['name']}{': ' if remarks else ''}{'; '.join(remarks)}"
        yield from entry("" if number else "  oracles", text, COLUMN)
    yield from entry("  certificate", question.certificate, COLUMN)
