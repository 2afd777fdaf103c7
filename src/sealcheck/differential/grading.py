"""Many implementations, asked the same questions: how many of their answers are right, by class of fault."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sealcheck.differential.comparing import Comparison, Difference
from sealcheck.differential.implementation import Kind
from sealcheck.differential.subject import Limits, Subject
from sealcheck.differential.vectors import Vector
from sealcheck.errors import InputError
from sealcheck.theorems.checking.targets import Target

MOST_SILENT = 5
"""After so many questions in a row without an answer, no more are asked."""
ANSWERED = (Kind.WRONG, Kind.TYPE)


@dataclass
class Points:
    """How many of the answers that show a class of fault are right."""

    right: int = 0
    of: int = 0


@dataclass
class Grade:
    """What became of a submission."""

    name: str
    why_not: str = ""
    """Why it did not run; empty if it did."""
    failed: dict[int, Difference | None] = field(default_factory=dict)
    """By vector what was wrong; None where it skipped it, or was not asked any more."""
    points: dict[str, Points] = field(default_factory=dict)
    """For each class of fault; none where it did not run."""

    @property
    def agrees(self) -> bool:
        """Whether all answers are right."""
        return not self.why_not and not self.failed

    @property
    def first(self) -> Difference | None:
        """What is wrong on the smallest vector."""
        return next((found for _, found in sorted(self.failed.items()) if found), None)


def grade(
    name: str, command: Sequence[str], target: Target, asked: Sequence[Vector], limits: Limits
) -> Grade:
    """Ask a submission all vectors, and count."""
    grade = Grade(name)
    with Subject(command, limits) as subject:
        try:
            ran = _ask_all(Comparison(target, subject), asked, grade)
        except InputError as reason:
            return Grade(name, why_not=str(reason))
    if not ran:
        first = grade.first
        return Grade(
            name, why_not=str(first.got) if first else "it skipped all questions", failed=grade.failed
        )
    for vector in asked:
        for flag in vector.flags:
            points = grade.points.setdefault(flag, Points())
            points.of += 1
            points.right += vector.number not in grade.failed
    return grade


def _ask_all(comparison: Comparison, asked: Sequence[Vector], grade: Grade) -> bool:
    """Whether it answered anything."""
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
    """The submissions that fail on exactly the same vectors, where several do."""
    groups: dict[frozenset[int], list[str]] = {}
    for each in grades:
        if each.failed and not each.why_not:
            groups.setdefault(frozenset(each.failed), []).append(each.name)
    return [names for names in groups.values() if len(names) > 1]
