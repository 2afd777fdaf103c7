"""How many points a class of fault is worth: a TOML file with lines such as ``"empty Q" = 2``."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sealcheck.differential.grading import Grade
from sealcheck.errors import InputError

MOST_POINTS = 1_000_000
"""For a class."""


@dataclass(frozen=True)
class Rubric:
    """The points of each class; classes that are not there are worth none."""

    points: Mapping[str, float]

    @property
    def of(self) -> float:
        """All of them together."""
        return sum(self.points.values())

    def earned(self, grade: Grade) -> float | None:
        """What a submission gets: of each class the share that it answers rightly; None if it did not run.

        >>> from sealcheck.differential.grading import Points
        >>> Rubric({"empty Q": 2, "idle process": 1}).earned(
        ...     Grade("a", points={"empty Q": Points(3, 4), "idle process": Points(5, 5)})
        ... )
        2.5
        """
        if grade.why_not:
            return None
        shares = {name: found.right / found.of for name, found in grade.points.items()}
        return sum(worth * shares[name] for name, worth in self.points.items())


def read_rubric(text: str, path: str, classes: Sequence[str]) -> Rubric:
    """The rubric in the text of a file.  Raises InputError if it is not one, or names an unknown class."""
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
    return Rubric(found)
