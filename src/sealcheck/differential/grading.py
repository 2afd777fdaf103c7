"""Grades: many implementations get the same questions, and points for each class of faults.

A *submission* is an implementation. A *vector* is a question with its right answer. A vector *shows* a
class of faults if some implementation with such a fault answers the vector wrongly. A *rubric* gives the
points for each class.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from sealcheck.differential.findings import Shown, cut_short
from sealcheck.differential.implementation import Kind, Subject
from sealcheck.differential.searching import Comparison, Difference
from sealcheck.differential.vectors import Vector
from sealcheck.errors import InputError
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.targets import Target
from sealcheck.words import counted

MOST_SILENT = 5
"""After this number of questions in a row without an answer, a submission is not asked any more."""
ANSWERED = (Kind.WRONG, Kind.TYPE)
MOST_POINTS = 1_000_000
"""The most points for a class of faults."""
Document = dict[str, object]

NO_SANDBOX = "There is no sandbox: submissions run with your rights, files and network."
PAGES = "pages"
"""The folder that has a page about each submission."""
MOST_SHOWN = 3
"""The most findings on a submission's page."""


@dataclass
class Points:
    """How many vectors show a class of faults, and how many of these vectors got right answers."""

    right: int = 0
    of: int = 0


@dataclass
class Grade:
    """The outcome of a submission."""

    name: str
    why_not: str = ""
    """Why the submission did not run. Empty if it ran."""
    failed: dict[int, Difference | None] = field(default_factory=dict)
    """For each failed vector, its fault. None if the vector was skipped, or not asked any more."""
    points: dict[str, Points] = field(default_factory=dict)
    """The points for each class of faults. Empty if the submission did not run."""

    @property
    def agrees(self) -> bool:
        """Whether all answers are right."""
        return not self.why_not and not self.failed

    @property
    def found(self) -> list[tuple[int, Difference]]:
        """The faults by vector, smallest first."""
        return [(number, fault) for number, fault in sorted(self.failed.items()) if fault]


def grade(
    name: str, command: Sequence[str], target: Target, asked: Sequence[Vector], limits: Limits
) -> Grade:
    """Ask a submission the questions of all vectors, and count its right answers."""
    grade = Grade(name)
    with Subject(command, limits) as subject:
        try:
            ran = _ask_all(Comparison(target, subject), asked, grade)
        except InputError as reason:
            return Grade(name, why_not=str(reason))
    if not ran:
        grade.why_not = str(grade.found[0][1].got) if grade.found else "it skipped all questions"
        return grade
    for vector in asked:
        for flag in vector.flags:
            points = grade.points.setdefault(flag, Points())
            points.of += 1
            points.right += vector.number not in grade.failed
    return grade


def _ask_all(comparison: Comparison, asked: Sequence[Vector], grade: Grade) -> bool:
    """Whether the submission answered anything."""
    silent, ran = 0, False
    for vector in asked:
        if silent == MOST_SILENT:
            grade.failed[vector.number] = None
            continue
        skipped = comparison.skipped
        found = comparison.wrong(vector.instance)
        answered = comparison.skipped == skipped and (found is None or found.kind in ANSWERED)
        if found is not None or not answered:
            grade.failed[vector.number] = found
        silent = silent + 1 if found is not None and not answered else 0
        ran |= answered
    return ran


def alike(grades: Sequence[Grade]) -> list[list[str]]:
    """The groups of submissions that fail on exactly the same vectors."""
    groups: dict[frozenset[int], list[str]] = {}
    for each in grades:
        if each.failed and not each.why_not:
            groups.setdefault(frozenset(each.failed), []).append(each.name)
    return [names for names in groups.values() if len(names) > 1]


Rubric = Mapping[str, float]
"""The points of each class of faults. Other classes give 0 points."""


def earned(rubric: Rubric, grade: Grade) -> float | None:
    """The points of a submission.  None if it did not run.

    Each class of faults gives its points times the share of its vectors with right answers.

    >>> points = {"empty Q": Points(3, 4), "idle process": Points(5, 5)}
    >>> earned({"empty Q": 2, "idle process": 1}, Grade("a", points=points))
    2.5
    """
    if grade.why_not:
        return None
    shares = {name: found.right / found.of for name, found in grade.points.items()}
    return sum(worth * shares[name] for name, worth in rubric.items())


def read_rubric(text: str, path: str, classes: Sequence[str]) -> Rubric:
    """The rubric in the text of a file.  Raises InputError if the text is not a rubric."""
    try:
        found = tomllib.loads(text)
    except ValueError as error:
        raise InputError(f"'{path}' is not TOML: {error}") from None
    except RecursionError:
        raise InputError(f"'{path}' is not TOML that can be read: it is nested too deeply") from None
    if not found:
        raise InputError(f"'{path}' has no points: write lines such as \"{classes[0]}\" = 2")
    for name, worth in found.items():
        if name not in classes:
            raise InputError(f"'{path}' has points for {name[:40]!r}: the classes are {', '.join(classes)}")
        if type(worth) not in (int, float) or not 0 < worth <= MOST_POINTS:
            raise InputError(
                f"'{path}': the points for '{name}' must be a number above 0, and at most {MOST_POINTS}"
            )
    return found


def csv_table(grades: Sequence[Grade], classes: Sequence[str], worth: Rubric | None) -> str:
    """The table of points by class of faults, as CSV."""
    of = {flag: points.of for each in grades for flag, points in each.points.items()}
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    heading = [] if worth is None else [f"points (of {sum(worth.values()):g})"]
    counts = (f"{flag} (of {of.get(flag, 0)})" for flag in classes)
    rows.writerow(["submission", "outcome", *heading, *counts])
    for each in grades:
        right = [each.points[flag].right if flag in each.points else "" for flag in classes]
        rows.writerow([each.name, outcome(each), *_earned(each, worth), *right])
    return text.getvalue()


def index(target: Target, grades: Sequence[Grade], worth: Rubric | None) -> Iterator[str]:
    """The page of all submissions in Markdown, line by line."""
    yield f"# {target.text}"
    yield ""
    yield NO_SANDBOX
    yield ""
    heading = [] if worth is None else [f"points of {sum(worth.values()):g}"]
    yield f"| {' | '.join(['submission', 'outcome', *heading])} |"
    yield f"| {' | '.join(['---', '---', *('---' for _ in heading)])} |"
    for each in grades:
        link = quote(f"{PAGES}/{each.name}.md")
        cells = [f"[{_escaped(each.name)}]({link})", outcome(each), *_earned(each, worth)]
        yield f"| {' | '.join(cells)} |"
    if groups := alike(grades):
        yield ""
        yield "These are wrong about exactly the same vectors:"
        yield ""
        yield from (f"- {', '.join(map(_escaped, names))}" for names in groups)


def page(target: Target, grade: Grade) -> Iterator[str]:
    """The page of one submission in Markdown, line by line."""
    yield f"# {_escaped(grade.name)}"
    yield ""
    yield f"{target.text} Outcome: {outcome(grade)}."
    yield ""
    if grade.why_not:
        yield f"    {cut_short(grade.why_not)}"
        return
    yield "| class of fault | right | of |"
    yield "| --- | --- | --- |"
    for flag, points in grade.points.items():
        yield f"| {flag} | {points.right} | {points.of} |"
    for number, each in grade.found[:MOST_SHOWN]:
        yield ""
        yield f"## Vector {number}"
        yield ""
        yield from (f"    {line}".rstrip() for line in _shown(target, number, each).lines())


def _escaped(name: str) -> str:
    """A name in Markdown.

    >>> print(_escaped("is_seal|<b>_"))
    is_seal\\|\\<b\\>\\_
    """
    return re.sub(r"[\\`*\[\]<>|]|\b_|_\b", r"\\\g<0>", name)


def document(target: Target, grade: Grade, worth: Rubric | None) -> Document:
    """The grade as JSON."""
    points = {flag: {"right": each.right, "of": each.of} for flag, each in grade.points.items()}
    found: Document = {
        "submission": grade.name,
        "agrees": grade.agrees,
        "points": None if grade.why_not else points,
        "finding": _shown(target, *grade.found[0]).document if grade.found else None,
    }
    if worth is not None:
        found["score"] = {"earned": earned(worth, grade), "of": sum(worth.values())}
    return found | ({"did_not_run": grade.why_not} if grade.why_not else {})


def summary(grades: Sequence[Grade], out: Path, worth: Rubric | None) -> str:
    """The grades as a text, with the name of the folder that has the details."""
    width = max(len(each.name) for each in grades) + 4
    lines = [f"{each.name:<{width}}{_said(each, worth)}" for each in grades]
    lines += ["", *(f"alike: {', '.join(names)}" for names in alike(grades))]
    return "\n".join([*lines, f"wrote {out}", NO_SANDBOX])


def _said(grade: Grade, worth: Rubric | None) -> str:
    """The outcome, and the points or the reason why the submission did not run."""
    if grade.why_not:
        return f"{outcome(grade)}: {cut_short(grade.why_not)}"
    points = [f"{points} of {sum(worth.values()):g} points" for points in _earned(grade, worth) if worth]
    return ", ".join([outcome(grade), *points])


def outcome(grade: Grade) -> str:
    """Whether the submission ran, and whether it agrees, in a few words."""
    if grade.why_not:
        return "did not run"
    return "agrees" if grade.agrees else f"wrong on {counted(len(grade.failed), 'vector')}"


def _earned(grade: Grade, worth: Rubric | None) -> list[str]:
    """The points, to two decimals. Empty if the submission did not run."""
    if worth is None:
        return []
    points = earned(worth, grade)
    return [""] if points is None else [f"{round(points, 2):g}"]


def _shown(target: Target, number: int, found: Difference) -> Shown:
    return Shown(target, found, None, "", f"vector {number}")
