"""`th:TCCbadforREL`: no terminating program that communicates is TCC in Rel.

Reading      for straight-line programs: a BSL with at least one message is not TCC, that is, in some run
             that starts at a silent cut, communication of P crosses the cut after P: P leaves some channel
             open.
Refutation   a program with a message for which the run in the theorem's proof is not such a run: the last
             receive of P waits for a later message on its channel and takes that.
Not claimed  programs with choice, loops and data, and unbalanced ones, of which the theorem also speaks.
             With self-channels it fails: see the findings.
"""

from collections.abc import Iterator
from functools import partial

from sealcheck.encodings.program_space import SymbolicProgram
from sealcheck.encodings.sealing import last_receive_cannot_wait
from sealcheck.programs.semantics import PAPER, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.hypotheses import SELF_CHANNELS, about_programs, failing
from sealcheck.theorems.checking.laws import open_channels
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Hypothesis, Outcome, Query, Repaired, Statement


def tcc_only_without_messages(instance: Instance, ask: Ask, semantics: Semantics = PAPER) -> Outcome:
    """Check that P closes all channels iff it sends nothing."""
    return Outcome.of((not open_channels(instance, ask, semantics)) == (not instance.messages))


def not_tcc(instance: Instance, ask: Ask) -> Outcome:
    """Check that P leaves some channel open."""
    return Outcome.of(bool(open_channels(instance, ask)))


def communicates_but_closed(n: int, m: int) -> Iterator[Query]:
    """A program with m >= 1 messages for which the proof's run does not interfere."""
    if not m:
        return
    p = SymbolicProgram("P", n, m)
    yield Query.about(f"n={n} m={m}", lambda: last_receive_cannot_wait(p), p, by_proof=True)


STATEMENT = Statement.of(
    "tcc-impossibility",
    "th:TCCbadforREL",
    Repaired(
        "a BSL without self-channels that sends a message is not TCC in Rel",
        check=tcc_only_without_messages,
        hypotheses=(
            Hypothesis(
                "some communication",
                failing(lambda n, messages: () if messages else (Instance.of(StraightLine.of(n)),), not_tcc),
            ),
            *about_programs(not_tcc, partial(tcc_only_without_messages, semantics=SELF_CHANNELS)),
            Hypothesis(
                "the axioms of a run", remark="a run is claimed to exist: with fewer axioms there are more"
            ),
        ),
        whole_space=communicates_but_closed,
        explain=lambda instance, ask: "every channel is closed, so no later program can interfere",
        theorems=in_coq(
            "Bsl.v", "tcc_impossibility_bsl", "every BSL without self-channels; finite intervals"
        ),
    ),
    domain=Programs(),
    questions=(CLOSED_CHANNELS,),
)
