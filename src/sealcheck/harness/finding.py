"""What an audit has found about one claim: a row of the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass

from sealcheck.every_n.checking import CheckedStep
from sealcheck.every_n.record import Established
from sealcheck.harness.dropping import Ablation
from sealcheck.harness.growth import Counts
from sealcheck.harness.statement import Claim, Hypothesis, Statement, Verdict
from sealcheck.questions.instance import Instance


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A row of the ledger."""

    statement: Statement
    claim: Claim
    n: int
    messages: int
    verdict: Verdict
    counterexample: Instance | None
    instances: int
    """How many were checked one by one."""
    vacuous: int
    """How many of these do not meet the hypotheses of this claim."""
    queries: int
    """Whole-space queries asked, over all solvers."""
    unknown: int
    oracles: tuple[str, ...]
    """Who was asked about the instances, over all questions of the statement."""
    level_solvers: tuple[str, ...]
    """Who was asked about whole levels."""
    every_length: tuple[int, ...]
    """The n for which the claim was checked for programs of every length."""
    ablations: tuple[tuple[Hypothesis, Ablation | None], ...]
    counts: Counts | None
    bounded: Verdict
    """What follows from checking alone, without theorems."""
    theorems: tuple[Established, ...] = ()
    """That are on record, if all are that together are the claim."""
    refutations: tuple[Established, ...] = ()
    """That are on record, if all are that together say that the claim does not hold."""
    first_order: tuple[CheckedStep, ...] = ()
    """What was found about each step of the claim's proof for every n and every length."""
    abstained: Mapping[str, int]
    """How often each oracle could not answer, over the questions of the statement."""
    trouble: str = ""
    """Why there is no other verdict than `error`, or `unknown`: what was found before that does not count."""

    @property
    def number(self) -> int:
        """The number of the claim among those of its statement."""
        return self.statement.claims.index(self.claim)
