"""The execution that a refutation shows, or one of the programs that refute."""

from dataclasses import replace

from sealcheck.algorithms.sealing import decide
from sealcheck.cli import ledger
from sealcheck.drawing.making import of_program, of_sealing
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.whole_language import of_paths
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Program
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.theorems.checking.verdicts import Finding


def execution(finding: Finding) -> Picture | None:
    """An execution to play, under a title that names the claim.

    That of the claim, or whether one program seals the other, or one of the programs.  None where there is
    no counterexample, or its programs do not communicate, or deadlock, or need data to get through.
    """
    found = finding.counterexample
    if found is None:
        return None
    shown = ledger.picture_of(finding) or _of_straight_lines(found) or _of_syntax(found)
    title = f"{finding.statement.id}, {ledger.form(finding)}"
    return shown and replace(shown, title=title)


def _of_straight_lines(found: Instance) -> Picture | None:
    programs = [each for each in found.programs if isinstance(each, StraightLine)]
    playable = all(each.is_balanced and each.is_deadlock_free for each in programs)
    if len(programs) < len(found.programs) or not playable:
        return None
    if not any(each.length for each in programs):
        return None
    if len(programs) == 2:
        p, q = programs
        return of_sealing(p, q, decide(p, q))
    return of_program(dict(zip(NAMES, programs, strict=False)))


def _of_syntax(found: Instance) -> Picture | None:
    programs: list[Program] = [p for p in found.programs if not isinstance(p, StraightLine)]
    if len(programs) < len(found.programs):
        return None
    return of_paths(dict(zip(NAMES, programs, strict=False)), found.n, "")
