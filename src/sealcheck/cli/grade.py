"""``sealcheck grade --against QUESTION RUN… --out DIR``: many implementations, asked the same questions."""

import csv
import io
import json as json_format
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sealcheck.cli.answers import Code, Document, write
from sealcheck.cli.command import Json
from sealcheck.cli.diff_options import Memory, Question, StartTimeout, Timeout
from sealcheck.cli.inputs import read_input
from sealcheck.cli.junit import Case, write_junit
from sealcheck.errors import InputError
from sealcheck.files import require_writable, whole_file
from sealcheck.words import counted, harmless

if TYPE_CHECKING:
    from sealcheck.cli.finding import Shown
    from sealcheck.differential.comparing import Difference
    from sealcheck.differential.grading import Grade
    from sealcheck.differential.rubric import Rubric
    from sealcheck.theorems.checking.targets import Target

NO_SANDBOX = "This is no sandbox: submissions run as you do, with your files and your network."
PAGES = "pages"
MOST_SHOWN = 3
"""Findings on a submission's page."""


Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Programs, one for each submission.")]
Out = Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the tables and pages go.")]
RubricFile = Annotated[
    str | None,
    typer.Option("--rubric", metavar="FILE", help='TOML: points for classes, such as "empty Q" = 2.'),
]
JUnit = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write the outcome as JUnit XML there, too.")
]


def grade(
    against: Question,
    runs: Runs,
    out: Out,
    rubric: RubricFile = None,
    junit: JUnit = None,
    timeout: Timeout = 10.0,
    start_timeout: StartTimeout = 30.0,
    memory: Memory = 2048,
    json: Json = False,
) -> None:
    """Ask many implementations the same questions, and count points for each class of fault.

    Each RUN is a program that answers JSON lines (docs/diff.md), asked the vectors of `sealcheck vectors`.
    Writes grades.csv, junit.xml, index.md, and a page for each submission in pages/.  This is no sandbox:
    submissions run as you do, with your files and your network.  Exit code 3 if one did not run at all.
    """
    from sealcheck.differential import grading
    from sealcheck.differential.rubric import read_rubric
    from sealcheck.differential.subject import Limits
    from sealcheck.differential.vectors import vectors
    from sealcheck.theorems.checking.targets import target

    asked = target(against)
    names = submissions(runs)
    chosen = vectors(asked)
    classes = list(dict.fromkeys(flag for vector in chosen for flag in vector.flags))
    worth = None if rubric is None else read_rubric(read_input(rubric), rubric, classes)
    _make(out)
    for file in (out / "grades.csv", *(() if junit is None else (junit,))):
        require_writable(file)
    limits = Limits(timeout, start_timeout, memory)
    grades = [
        grading.grade(name, [str(path.resolve())], asked, chosen, limits) for name, path in names.items()
    ]
    _write(out, asked, grades, classes, worth)
    if junit is not None:
        _write_junit(junit, asked, grades)
    if json:
        write(json_format.dumps([_document(asked, each, worth) for each in grades]))
    else:
        write(_summary(grades, out, worth))
    raise typer.Exit(Code.UNKNOWN if any(each.why_not for each in grades) else Code.YES)


def submissions(runs: Sequence[Path]) -> dict[str, Path]:
    """A name for each: that of the file, or, where others have the same, of its folder.  Raises InputError.

    >>> submissions([Path(__file__)])[Path(__file__).name] == Path(__file__)
    True
    """
    for path in runs:
        if not path.is_file():
            raise InputError(f"there is no file '{path}'")
    places = [path.resolve().parts for path in runs]
    for first, end in [(-1, None), *((-k, -1) for k in range(2, max(map(len, places)) + 1))]:
        names = {
            harmless("-".join(parts[first:end]).strip("/"), also=""): path
            for parts, path in zip(places, runs, strict=True)
        }
        if len(names) == len(runs):
            return names
    raise InputError("a submission is named twice")


def _make(out: Path) -> None:
    try:
        (out / PAGES).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder '{out}': {error.strerror}") from None


def _write(
    out: Path,
    target: "Target",
    grades: "Sequence[Grade]",
    classes: Sequence[str],
    worth: "Rubric | None",
) -> None:
    try:
        _write_text(out / "grades.csv", _csv(grades, classes, worth))
        _write_text(out / "index.md", "\n".join(_index(target, grades, worth)) + "\n")
        for each in grades:
            _write_text(out / PAGES / f"{each.name}.md", "\n".join(_page(target, each)) + "\n")
    except OSError as error:
        raise InputError(f"cannot write into '{out}': {error.strerror}") from None
    _write_junit(out / "junit.xml", target, grades)


def _write_text(path: Path, text: str) -> None:
    """Write it as UTF-8; bytes of a file's name that are not UTF-8 are shown as Python writes them."""
    with whole_file(path) as file:
        file.write(text.encode(errors="backslashreplace"))


def _write_junit(path: Path, target: "Target", grades: "Sequence[Grade]") -> None:
    write_junit(path, f"sealcheck grade {target.id}", [_case(each) for each in grades])


def _csv(grades: "Sequence[Grade]", classes: Sequence[str], worth: "Rubric | None") -> str:
    of = {flag: points.of for each in grades for flag, points in each.points.items()}
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    heading = [] if worth is None else [f"points (of {worth.of:g})"]
    counts = (f"{flag} (of {of.get(flag, 0)})" for flag in classes)
    rows.writerow(["submission", "outcome", *heading, *counts])
    for each in grades:
        right = [each.points[flag].right if flag in each.points else "" for flag in classes]
        rows.writerow([each.name, _outcome(each), *_earned(each, worth), *right])
    return text.getvalue()


def _earned(grade: "Grade", worth: "Rubric | None") -> list[str]:
    """The points, to two decimals: nothing without a rubric, an empty text where it did not run."""
    if worth is None:
        return []
    earned = worth.earned(grade)
    return [""] if earned is None else [f"{round(earned, 2):g}"]


def _outcome(grade: "Grade") -> str:
    if grade.why_not:
        return "did not run"
    return "agrees" if grade.agrees else f"wrong on {counted(len(grade.failed), 'vector')}"


def _index(target: "Target", grades: "Sequence[Grade]", worth: "Rubric | None") -> Iterator[str]:
    from sealcheck.differential.grading import alike

    yield f"# {target.text}"
    yield ""
    yield NO_SANDBOX
    yield ""
    heading = [] if worth is None else [f"points of {worth.of:g}"]
    yield f"| {' | '.join(['submission', 'outcome', *heading])} |"
    yield f"| {' | '.join(['---', '---', *('---' for _ in heading)])} |"
    for each in grades:
        cells = [f"[{each.name}]({PAGES}/{each.name}.md)", _outcome(each), *_earned(each, worth)]
        yield f"| {' | '.join(cells)} |"
    if groups := alike(grades):
        yield ""
        yield "These are wrong about exactly the same vectors:"
        yield ""
        yield from (f"- {', '.join(names)}" for names in groups)


def _page(target: "Target", grade: "Grade") -> Iterator[str]:
    yield f"# {grade.name}"
    yield ""
    yield f"{target.text} Outcome: {_outcome(grade)}."
    yield ""
    if grade.why_not:
        from sealcheck.cli.finding import cut_short

        yield f"    {cut_short(grade.why_not)}"
        return
    yield "| class of fault | right | of |"
    yield "| --- | --- | --- |"
    for flag, points in grade.points.items():
        yield f"| {flag} | {points.right} | {points.of} |"
    found = [(number, each) for number, each in sorted(grade.failed.items()) if each]
    for number, each in found[:MOST_SHOWN]:
        yield ""
        yield f"## Vector {number}"
        yield ""
        yield from (f"    {line}".rstrip() for line in _shown(target, each, number).lines())


def _shown(target: "Target", found: "Difference", number: int) -> "Shown":
    from sealcheck.cli.finding import Shown

    return Shown(target, found, None, "", f"vector {number}")


def _case(grade: "Grade") -> Case:
    if grade.agrees:
        return Case(grade.name)
    return Case(grade.name, failure=_outcome(grade), detail=grade.why_not)


def _document(target: "Target", grade: "Grade", worth: "Rubric | None") -> Document:
    points = {flag: {"right": each.right, "of": each.of} for flag, each in grade.points.items()}
    first = next(((k, found) for k, found in sorted(grade.failed.items()) if found), None)
    return {
        "submission": grade.name,
        "agrees": grade.agrees,
        "points": None if grade.why_not else points,
        "finding": _shown(target, first[1], first[0]).document if first else None,
    } | _optional(grade, worth)


def _optional(grade: "Grade", worth: "Rubric | None") -> Document:
    """What is there only with a rubric, and only if it did not run."""
    score: Document = {} if worth is None else {"score": {"earned": worth.earned(grade), "of": worth.of}}
    return score | ({"did_not_run": grade.why_not} if grade.why_not else {})


def _summary(grades: "Sequence[Grade]", out: Path, worth: "Rubric | None") -> str:
    from sealcheck.differential.grading import alike

    width = max(len(each.name) for each in grades) + 4
    lines = [f"{each.name:<{width}}{_said(each, worth)}" for each in grades]
    lines += ["", *(f"alike: {', '.join(names)}" for names in alike(grades))]
    return "\n".join([*lines, f"wrote {out}", NO_SANDBOX])


def _said(grade: "Grade", worth: "Rubric | None") -> str:
    """The outcome, with the points, or with why it did not run."""
    if grade.why_not:
        from sealcheck.cli.finding import cut_short

        return f"{_outcome(grade)}: {cut_short(grade.why_not)}"
    points = [f"{points} of {worth.of:g} points" for points in _earned(grade, worth) if worth]
    return ", ".join([_outcome(grade), *points])
