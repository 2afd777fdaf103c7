"""The execution that a refutation shows, or one of the programs that refute."""

from sealcheck.algorithms.sealing import Interferes, decide
from sealcheck.harness.finding import Finding
from sealcheck.programs.layered_run import LayeredRun
from sealcheck.programs.runs import fifo_run, interferes_with
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import NAMES, Instance


def execution(finding: Finding) -> tuple[LayeredRun, str] | None:
    """An execution to play, and what it is, in a sentence.

    None where there is no counterexample, or it is not about deadlock-free straight-line programs that
    communicate.
    """
    found = finding.counterexample
    if found is None:
        return None
    shown = finding.claim.run(found) if finding.claim.run else None
    if shown is not None:
        run, layers = shown
        named = dict(zip(NAMES, layers, strict=False))
        wrong = interferes_with(run, layers[0])
        return LayeredRun(run, named, wrong), f"An execution of {'; '.join(named)}, where Q seals P."
    return _of_programs(found)


def _of_programs(found: Instance) -> tuple[LayeredRun, str] | None:
    """That the second of two programs does not seal the first one, or all of them one after the other."""
    programs = [each for each in found.programs if isinstance(each, StraightLine)]
    playable = all(each.is_balanced and each.is_deadlock_free for each in programs)
    if len(programs) < len(found.programs) or not playable or not any(each.length for each in programs):
        return None
    named = dict(zip(NAMES, programs, strict=False))
    if len(programs) == 2:
        verdict = decide(*programs)
        if isinstance(verdict, Interferes):
            told = "In this execution a receive of P takes a message that is sent after P."
            if verdict.later.length:
                named["R"] = verdict.later
            return LayeredRun(verdict.run, named, verdict.receive), told
    whole = programs[0]
    for program in programs[1:]:
        whole = whole.then(program)
    return LayeredRun(fifo_run(whole), named), f"An execution of {'; '.join(named)}, messages in order."
