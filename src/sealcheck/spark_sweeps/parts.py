"""The parts of an audit whose instances are being checked: statements, their levels, and ranges of these."""

from dataclasses import dataclass, field
from typing import Any

from sealcheck.harness.statement import Statement
from sealcheck.harness.tally import Tally
from sealcheck.questions.asking import Asked
from sealcheck.spark_sweeps.findings import Found
from sealcheck.spark_sweeps.jobs import CheckInstances, Refused


@dataclass(eq=False)
class OpenStatement:
    """A statement, what was found, and how many of its jobs and levels are open."""

    position: int
    about: Statement
    found: Found = field(default_factory=Found)
    open: int = 0
    refused: Refused | None = None
    """Why it is not checked any further."""

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to be done."""
        return not self.open or self.refused is not None


@dataclass(eq=False, kw_only=True)
class OpenLevel:
    """All instances of a level."""

    work: OpenStatement
    n: int
    messages: int
    tallies: tuple[Tally, ...]
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    open: int = 0
    """How many of its ranges are."""


@dataclass(eq=False)
class OpenRange:
    """Some instances of a level, on their way through the rounds."""

    level: OpenLevel
    job: CheckInstances
    """What is to be done in the next round."""
    needed: dict[Asked[Any], None] = field(default_factory=dict)
    """All that was asked about them."""
    missing: int = 0
    """How many answers have to come before that."""
