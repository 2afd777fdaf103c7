"""The execution that a refutation shows, or one of the programs that refute."""

from dataclasses import replace

from sealcheck.algorithms.sealing import decide
from sealcheck.cli import ledger
from sealcheck.drawing.making import of_program, of_sealing
from sealcheck.drawing.picture import Picture
from sealcheck.harness.finding import Finding
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import NAMES


def execution(finding: Finding) -> Picture | None:
    """An execution to play, under a title that names the claim.

    That of the claim, or whether one program seals the other, or one of the program.  None where there is
    no counterexample, or it is not about deadlock-free straight-line programs that communicate.
    """
    shown = ledger.picture_of(finding) or _of_programs(finding)
    title = f"{finding.statement.id}, {ledger.form(finding)}"
    return shown and replace(shown, title=title)


def _of_programs(finding: Finding) -> Picture | None:
    found = finding.counterexample
    programs = [each for each in found.programs if isinstance(each, StraightLine)] if found else []
    playable = all(each.is_balanced and each.is_deadlock_free for each in programs)
    if not found or len(programs) < len(found.programs) or not playable:
        return None
    if not any(each.length for each in programs):
        return None
    if len(programs) == 2:
        p, q = programs
        return of_sealing(p, q, decide(p, q))
    return of_program(dict(zip(NAMES, programs, strict=False)))
