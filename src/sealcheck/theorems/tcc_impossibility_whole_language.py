"""`th:TCCbadforREL` as printed, for the whole language: a program that communicates is not TCC in Rel.

Reading      P is any program.  The theorem asks for an occurrence r[c,d] of P in Rel, with finite cuts
             and all channels empty at c, that has a send or receive in it.  A program without one
             is TCC, since nothing can cross its end; so the theorem predicts exactly which are.
Refutation   a program with such an occurrence for which ≀P refines P≀.  The printed proof has P's last
             receive take a later message; a silent cut at the end of P forbids that.  The paper
             itself says that P≀ is TCC in any set of runs.
Repaired     what counts is the communication after the last silent cut that P passes, and all of
             it where P passes none: P is TCC iff no occurrence has any.  By then the channels were
             found silent, and nothing has changed them; otherwise the printed proof applies.
Not claimed  infinite occurrences, of which the theorem does not speak.
"""

from functools import lru_cache

from sealcheck.encodings.solving import Solver
from sealcheck.language.printer import show
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import tcc
from sealcheck.programs.syntax import Cut, Program, layered
from sealcheck.theorems.paths import UNROLL, Path, after_last_cut, communicates, missing, paths
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    mt,
    occurs_when_played,
    occurs_when_solved,
    refines,
    refutation,
    syntax,
    told,
)
from sealcheck.theorems.single_programs import SINGLE, SINGLE_LIMIT, single_programs
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement, Truth


def after_silence(program: Program) -> Program:
    """≀P."""
    return layered(Cut(), program)


def _outside(program: Program) -> int:
    """How many events before and after P the plays need: the messages that are missing, or a later one."""
    return max(1, missing(program))


FORMAL = CutReading.MATCHING


@lru_cache(maxsize=4096)
def passed(program: Program, n: int, reading: CutReading = FORMAL) -> frozenset[Path]:
    """The paths of P along which ≀P occurs."""
    return frozenset(path for path in paths(program) if _occurs(after_silence(layered(*path)), n, reading))


def _occurs(program: Program, n: int, reading: CutReading) -> bool:
    return occurs_when_played(program, n, reading=reading, outside=_outside(program), unroll=UNROLL)


def printed(instance: Instance) -> bool:
    """Whether no occurrence of P that starts with empty channels communicates."""
    (program,) = syntax(instance)
    return not any(map(communicates, passed(program, instance.n)))


def repaired(instance: Instance, reading: CutReading = FORMAL) -> bool:
    """Whether none communicates after its last silent cut."""
    (program,) = syntax(instance)
    return not any(communicates(after_last_cut(path)) for path in passed(program, instance.n, reading))


def when_played(instance: Instance, reading: CutReading = FORMAL) -> Truth:
    """Whether no play of ≀P has P≀ not occur over the same interval."""
    (program,) = syntax(instance)
    if not _occurs(after_silence(program), instance.n, reading):
        return VACUOUS
    outside = _outside(program)
    return holds_when_played(tcc(program), instance.n, reading=reading, outside=outside, unroll=UNROLL)


def when_solved(instance: Instance, solver: Solver) -> Truth:
    """Whether the solver finds no run that keeps ≀P from refining P≀."""
    (program,) = syntax(instance)
    if not occurs_when_solved(after_silence(program), instance.n, solver, unroll=UNROLL):
        return VACUOUS
    return holds_when_solved(tcc(program), instance.n, solver, unroll=UNROLL)


def to_oneself(n: int, messages: int) -> Instance | None:
    """A program that sends to itself, communicates, and is TCC."""
    program = mt(1, 1)
    closed = messages == 1 and refines(tcc(program), n, self_channels=True)
    return Instance(n, (program,)) if closed else None


def in_rel_fifo(n: int, messages: int) -> Instance | None:
    """A program that communicates after its last silent cut, and is TCC in RelFi."""
    for instance in single_programs(n, messages) if messages < 3 else ():
        (program,) = syntax(instance)
        if not repaired(instance) and refines(tcc(program), n, model=Model.REL_FIFO, unroll=UNROLL):
            return instance
    return None


def read_as_empty(n: int, messages: int) -> Instance | None:
    """A program about which the repaired claim is wrong where a silent cut finds all channels empty."""
    for instance in single_programs(n, messages) if messages < 3 else ():
        truth = when_played(instance, CutReading.EMPTY)
        if truth not in (VACUOUS, repaired(instance, CutReading.EMPTY)):
            return instance
    return None


def _story(instance: Instance) -> str:
    (program,) = syntax(instance)
    path = max(passed(program, instance.n), key=communicates)
    lines = [f"≀P occurs along the path: {show(layered(*path))}"]
    if when_played(instance) is True:
        lines.append("what it communicates comes before a silent cut, which nothing crosses")
        lines.append("nothing is sent or received between that cut and the end, so nothing crosses the end")
    elif (found := refutation(tcc(program), instance.n)) is not None:
        lines.append(f"a run of it with communication across its end:\n{told(found)}")
    return "\n".join(lines)


UP_TO_2 = "looked for among programs of up to 2 atoms and repetitions"

STATEMENT = Statement(
    id="tcc-impossibility-whole-language",
    label="th:TCCbadforREL",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "a program is not TCC in Rel if it has an occurrence that starts with empty channels, ends at a"
            " finite cut, and communicates",
            predicts=printed,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "a program is TCC in Rel iff no occurrence of it that starts at a silent cut and ends at a"
            " finite one communicates after the last silent cut that it passes",
            predicts=repaired,
            story=_story,
        ),
    ),
    hypotheses=(
        Hypothesis("some communication", remark="the program eps is TCC"),
        Hypothesis("runs of Rel", in_rel_fifo, remark=UP_TO_2),
        Hypothesis("no self-channels", to_oneself),
        Hypothesis("the formal reading of the silent cut (repaired claim)", read_as_empty, remark=UP_TO_2),
        Hypothesis(
            "finite cuts", remark="no bound reaches infinite cuts; the repaired claim says nothing of them"
        ),
    ),
    domain=SINGLE,
    ways={"plays": when_played},
    smt=when_solved,
    limits=(
        SINGLE_LIMIT,
        f"repetitions up to {UNROLL} times; in plays as many events happen before and after the interval"
        " as messages are missing, at least one",
    ),
    per_shard=120,
)
