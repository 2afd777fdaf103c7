"""Audits in this process, without Spark and without limits: what tests replace here, tasks see."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sealcheck.spark_sweeps.audit import OpenRounds, audit
from sealcheck.spark_sweeps.findings import Setup
from sealcheck.spark_sweeps.kept import Kept
from sealcheck.spark_sweeps.rounds import InALoop, Setting
from sealcheck.support.processes import Limits
from sealcheck.theorems.checking.verdicts import Finding

Spaces = Sequence[tuple[int, int]]


def in_this_process(setting: Setting, seconds: float) -> InALoop:
    """One task after the other."""
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
    """The rows of an audit; what it keeps is in the folder, or gone."""
    setup = Setup.of(spaces, solver, limits)
    with TemporaryDirectory() as temporary, closing(Kept(setup.smt, folder or Path(temporary))) as kept:
        return list(audit(open_rounds, names, setup, kept, **more))
