"""``sealcheck diff``, ``grade`` and ``vectors``: test implementations against a question."""

import json as json_format
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sealcheck.cli.inputs import read_input
from sealcheck.cli.options import Json, JUnit, Range, master_option, option, questions, whole
from sealcheck.cli.output import Case, remark, step_shown, write, write_json, write_junit
from sealcheck.errors import InputError
from sealcheck.operations.result import Code, Document
from sealcheck.programs.space import process_range
from sealcheck.support.files import (
    make_folder,
    require_current_folder,
    require_place,
    require_writable,
    write_file,
)
from sealcheck.words import counted, entry, harmless

if TYPE_CHECKING:
    from sealcheck.differential.findings import Agreement, Shown
    from sealcheck.differential.grading import Grade, Rubric
    from sealcheck.differential.implementation import Subject
    from sealcheck.differential.searching import Plan, Search
    from sealcheck.questions.question import Question
    from sealcheck.support.processes import Limits
    from sealcheck.theorems.checking.targets import Target

MOST_SECONDS = 86_400.0


def _seconds(given: object) -> float:
    """Read a number of seconds that the user gave.  Raises BadParameter."""
    text = str(given)  # a default is no text
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= MOST_SECONDS:
            return seconds
    raise typer.BadParameter(f"expected a number of seconds from 0 to {MOST_SECONDS:g}, not {text[:20]!r}")


COLUMN = 14
_AGAINST = option(
    "--against", "QUESTION", "The question: is-seal, sealable, seal, ...", autocompletion=questions
)
Against = Annotated[str | None, _AGAINST]
AgainstOne = Annotated[str, _AGAINST]
Listed = Annotated[
    bool, typer.Option("--list", help="List the questions, each with the oracles that answer it.")
]
Most = Annotated[
    int | None,
    whole(
        "--messages", "M", "Largest number of messages, in all programs together. [default: 4; over ports: 2]"
    ),
]
Timeout = Annotated[float, option("--timeout", "S", "Time limit in seconds for an answer.", parser=_seconds)]
StartTimeout = Annotated[
    float, option("--start-timeout", "S", "Time limit in seconds for the first answer.", parser=_seconds)
]
Memory = Annotated[int, option("--memory", "MIB", "Memory limit in MiB (Linux only).", min=0)]
Function = Annotated[
    str | None,
    option("--function", "MODULE:NAME", "Python function; its module is installed or in the current folder."),
]
Command = Annotated[
    str | None,
    option("--command", "CMD", "Program that answers JSON lines (docs/diff.md); runs without a shell."),
]
Random = Annotated[
    float,
    option("--random", "S", "Time in seconds for the search beyond the bound; 0 skips it.", parser=_seconds),
]
Seed = Annotated[int, whole("--seed", "K", "Random seed.")]
Replay = Annotated[str | None, option("--replay", "ID", "Ask only about this earlier finding.")]
Spread = Annotated[str | None, master_option("Spark master, used for large levels.")]
Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Programs, one for each submission.")]
OutFolder = Annotated[Path, option("--out", "DIR", "Output folder for the tables and pages.")]
RubricFile = Annotated[
    str | None,
    option("--rubric", "FILE", 'TOML file with the points of classes of faults, such as "empty Q" = 2.'),
]


def diff(
    against: Against = None,
    function: Function = None,
    command: Command = None,
    n: Range = "1..3",
    messages: Most = None,
    random: Random = 10.0,
    timeout: Timeout = 10.0,
    start_timeout: StartTimeout = 30.0,
    memory: Memory = 2048,
    seed: Seed = 0,
    replay: Replay = None,
    junit: JUnit = None,
    master: Spread = None,
    listed: Listed = False,
    json: Json = False,
) -> None:
    """Test an implementation against a question.

    The implementation is asked about every program, or pair of programs, up to the bound, smallest first.
    Then it is asked about programs that show known faults, about samples of slightly larger sizes, and about
    large random programs.

    Wrong answers are kept in .sealcheck/ for --replay. Exit code 0 if all answers are right, 1 after a wrong
    answer, 3 if the implementation skipped questions within the bound.

    The right answers come from oracles, which answer a question independently of each other. If two oracles
    disagree, diff stops with an error. --list shows all questions, with their oracles; --against takes most
    of these questions.
    """
    if listed:
        if against is not None or function is not None or command is not None:
            raise InputError("give either --list or an implementation, not both")
        _list_questions(as_json=json)
        return
    if against is None:
        raise InputError("--against is missing: --list shows the questions")
    require_current_folder()  # hypothesis does not start without
    from sealcheck.differential.findings import Agreement
    from sealcheck.differential.searching import Comparison, Plan, kept, replayed, search
    from sealcheck.support.processes import Limits
    from sealcheck.theorems.checking.targets import target

    asked = target(against)
    if junit is not None:
        require_place(junit)
    if replay is not None:
        plan = Plan([replayed(asked, replay)], [])
    else:
        levels = asked.domain.levels(process_range(n), messages)
        plan = Plan([], levels, seconds=random, seed=seed, last=list(kept(asked)))
    limits = Limits(timeout, memory, start_timeout)
    tested = _subject(asked, function, command, limits)
    with tested, step_shown("diff") as on_stage, _spreading(plan, tested, master) as whole:
        done = search(Comparison(asked, tested), whole, on_stage)
    outcome = Agreement(asked, done, _shown(asked, done, function, command))
    if junit is not None:
        write_junit(junit, f"sealcheck diff {against}", _cases(outcome))
    if json:
        write_json(outcome.document)
    else:
        write(outcome.text)
    raise typer.Exit({True: Code.YES, False: Code.NO, None: Code.UNKNOWN}[outcome.agrees])


@contextmanager
def _spreading(plan: "Plan", tested: "Subject", master: str | None) -> Iterator["Plan"]:
    if master is None:
        yield plan
        return
    from sealcheck.differential.on_spark import spread
    from sealcheck.spark_sweeps.session import spark_session

    with spark_session(master, "sealcheck diff") as spark:
        yield replace(plan, spread=spread(spark, tested.command, tested.limits))


def _subject(target: "Target", function: str | None, command: str | None, limits: "Limits") -> "Subject":
    from sealcheck.differential.implementation import Subject, function_subject

    if (function is None) == (command is None):
        raise InputError("give either --function MODULE:NAME or --command CMD")
    if function is not None:
        return function_subject(function, target.takes, limits)
    try:
        words = shlex.split(command or "")
    except ValueError as error:
        raise InputError(f"--command cannot be split into words: {error}") from None
    if not words:
        raise InputError("--command is empty")
    return Subject(words, limits)


def _shown(target: "Target", done: "Search", function: str | None, command: str | None) -> "Shown | None":
    """What to print about the finding.  None without a finding.  The finding is kept for ``--replay``."""
    from sealcheck.differential.findings import Shown, found_how
    from sealcheck.differential.searching import FOLDER, keep

    if done.finding is None:
        return None
    id = None
    try:
        id = keep(target, done.finding)
    except OSError as error:
        remark(f"the finding was not kept: cannot write to '{FOLDER}': {error.strerror}")
    tested = ["--function", function] if function is not None else ["--command", command or ""]
    asking = shlex.join(["sealcheck", "diff", "--against", target.id, *tested])
    return Shown(target, done.finding, id, asking, found_how(done))


def _cases(outcome: "Agreement") -> list[Case]:
    cases = [
        Case(each.name, skipped=f"{each.skipped} of {each.tried} skipped" if each.skipped else "")
        for each in outcome.done.stages
    ]
    if outcome.shown:
        sentence, *rest = outcome.shown.lines()
        cases[-1] = Case(cases[-1].name, sentence, "\n".join(rest))
    return cases


def vectors(
    against: AgainstOne,
    out: Annotated[Path, option("--out", "FILE", "Output file (JSON).")],
    json: Json = False,
) -> None:
    """Write a few hundred questions with their right answers, chosen to show many faults.

    A vector is a question about programs, with its right answer. The flags of a vector are classes of faults:
    some implementation with such a fault answers the vector wrongly. The file explains how the vectors were
    chosen, and has their JSON Schema.
    """
    require_current_folder()  # hypothesis does not start without
    from sealcheck.differential.vectors import vectors_document
    from sealcheck.theorems.checking.targets import target

    asked = target(against)
    require_place(out)
    document = vectors_document(asked)
    lines = [json_format.dumps(vector) for vector in document.pop("vectors")]
    head = json_format.dumps(document, indent=1).removesuffix("\n}")
    body = ",\n  ".join(lines)
    write_file(out, f'{head},\n "vectors": [\n  {body}\n ]\n}}\n'.encode())
    wrote = {"out": str(out), "vectors": len(lines)}
    write(json_format.dumps(wrote) if json else f"wrote {out}: {counted(len(lines), 'vector')}")
    raise typer.Exit(Code.YES)


def grade(
    against: AgainstOne,
    runs: Runs,
    out: OutFolder,
    rubric: RubricFile = None,
    junit: JUnit = None,
    timeout: Timeout = 10.0,
    start_timeout: StartTimeout = 30.0,
    memory: Memory = 2048,
    json: Json = False,
) -> None:
    """Test many implementations with the same questions, and count points for each class of fault.

    Each RUN is a submission: a program that answers JSON lines (docs/diff.md).  The questions are those of
    `sealcheck vectors`.  The output folder gets grades.csv, junit.xml, index.md, and pages/ with a page for
    each submission.  There is no sandbox: submissions run with your rights, files and network.  Exit code 3
    if a submission did not run at all.
    """
    require_current_folder()  # hypothesis does not start without
    from sealcheck.differential import grading
    from sealcheck.differential.vectors import vectors
    from sealcheck.support.processes import Limits
    from sealcheck.theorems.checking.targets import target

    asked = target(against)
    names = submissions(runs)
    require_writable(out / "grades.csv")
    if junit is not None:
        (require_writable if junit.parent == out else require_place)(junit)
    chosen = vectors(asked)
    classes = list(dict.fromkeys(flag for vector in chosen for flag in vector.flags))
    worth = None if rubric is None else grading.read_rubric(read_input(rubric), rubric, classes)
    make_folder(out / grading.PAGES)
    limits = Limits(timeout, memory, start_timeout)
    grades = [
        grading.grade(name, [str(path.resolve())], asked, chosen, limits) for name, path in names.items()
    ]
    _write(out, junit, asked, grades, classes, worth)
    if json:
        write_json([grading.document(asked, each, worth) for each in grades])
    else:
        write(grading.summary(grades, out, worth))
    raise typer.Exit(Code.UNKNOWN if any(each.why_not for each in grades) else Code.YES)


def submissions(runs: Sequence[Path]) -> dict[str, Path]:
    """The submissions by name: the name of the file, with names of its folders if files have equal names.

    >>> list(submissions([Path(__file__), Path(__file__).with_name("main.py")]))
    ['diff.py', 'main.py']
    """
    for path in runs:
        if not path.is_file():
            raise InputError(f"no such file: '{path}'")
    places = [path.resolve().parts for path in runs]
    folders = [0] * len(runs)  # how many folders the name has; 0 if it is that of the file
    for _ in range(sum(map(len, places))):
        parts = [place[-1 - k : -1] if k else place[-1:] for place, k in zip(places, folders, strict=True)]
        names = [harmless("-".join(each).strip("/"), also="") for each in parts]
        if len(set(names)) == len(names):
            return dict(zip(names, runs, strict=True))
        folders = [k + (names.count(name) > 1) for k, name in zip(folders, names, strict=True)]
    twice = next(path for path, place in zip(runs, places, strict=True) if places.count(place) > 1)
    raise InputError(f"'{twice}' is given twice")


def _write(
    out: Path,
    junit: Path | None,
    target: "Target",
    grades: "Sequence[Grade]",
    classes: Sequence[str],
    worth: "Rubric | None",
) -> None:
    from sealcheck.differential.grading import PAGES, csv_table, index, outcome, page

    files = {
        "grades.csv": csv_table(grades, classes, worth),
        "index.md": "\n".join(index(target, grades, worth)) + "\n",
    }
    files |= {f"{PAGES}/{each.name}.md": "\n".join(page(target, each)) + "\n" for each in grades}
    for name, text in files.items():  # a name of a submission may have bytes that are not UTF-8
        write_file(out / name, text.encode(errors="backslashreplace"))
    cases = [
        Case(each.name) if each.agrees else Case(each.name, outcome(each), each.why_not) for each in grades
    ]
    for path in (out / "junit.xml", *(() if junit is None else (junit,))):
        write_junit(path, f"sealcheck grade {target.id}", cases)


def _list_questions(*, as_json: bool) -> None:
    from sealcheck.questions.asking import QUESTIONS

    if as_json:
        write_json([_question_document(question) for question in QUESTIONS.values()])
    else:
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
        remarks = ["checked by the kernel"] if oracle["kernel"] else []
        remarks += [f"shares {oracle['shares']}"] if oracle["shares"] else []
        text = f"{oracle['name']}{': ' if remarks else ''}{'; '.join(remarks)}"
        yield from entry("" if number else "  oracles", text, COLUMN)
    yield from entry("  certificate", question.certificate, COLUMN)
