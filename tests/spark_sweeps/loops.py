"""Audits and sweeps in this process, without Spark."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sealcheck.encodings.solving import Answer, SmtSolver, Status
from sealcheck.spark_sweeps.audit import OpenRounds, audit
from sealcheck.spark_sweeps.columns import ProgramRow
from sealcheck.spark_sweeps.cutting import shards_of
from sealcheck.spark_sweeps.deciding import describe_shard
from sealcheck.spark_sweeps.findings import Setup
from sealcheck.spark_sweeps.kept import Kept
from sealcheck.spark_sweeps.rounds import InALoop, Setting
from sealcheck.spark_sweeps.shards import run_inline
from sealcheck.spark_sweeps.sweep import WRITTEN, open_directory
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.verdicts import Finding

Spaces = Sequence[tuple[int, int]]
Contents = dict[str, bytes]


class GivesUp(SmtSolver):
    """A solver that never knows an answer."""

    def __init__(self, name: str, *, seconds: float) -> None:
        super().__init__("z3", seconds)
        self.name = name

    def ask(self, formulas: object, *, model: bool = True) -> Answer:
        """The answer unknown."""
        return Answer(Status.UNKNOWN, lambda symbol: False)


def contents(folder: Path) -> Contents:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def sweep_inline(folder: Path, spaces: Spaces) -> Contents:
    directory = open_directory(folder, shards_of(spaces), ProgramRow.schema())
    run_inline(directory.missing(), directory.writing(describe_shard), WRITTEN)
    return {file.name: file.read_bytes() for file in directory.files()}


def in_this_process(setting: Setting, seconds: float) -> InALoop:
    return InALoop(setting)


def audited(
    names: Sequence[str],
    spaces: Spaces,
    open_rounds: OpenRounds = in_this_process,
    *,
    solver: str | None = None,
    limits: Limits | None = None,
    folder: Path | None = None,
    **more: Any,
) -> list[Finding]:
    setup = Setup.of(spaces, solver, limits)
    with TemporaryDirectory() as temporary, closing(Kept(setup.smt, folder or Path(temporary))) as kept:
        return list(audit(open_rounds, names, setup, kept, **more))
