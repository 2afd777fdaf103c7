"""What has been found about a claim so far: how much was checked, and the smallest counterexample."""

from collections.abc import Sequence
from dataclasses import dataclass

from sealcheck.errors import Disagreement, LimitReached
from sealcheck.harness.statement import Ask, Claim, Outcome
from sealcheck.questions.instance import Instance


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a part of a check has found about one claim.

    `refuting` and `disputed` hold the smallest instance on which, in that order, the claim is wrong,
    and the oracles contradict each other.
    """

    checked: int = 0
    vacuous: int = 0
    """Of these: instances that do not meet the hypotheses of the claim."""
    unknown: int = 0
    refuting: Instance | None = None
    disputed: Instance | None = None
    dispute: str = ""
    """What each oracle said about what was asked of the disputed instance."""

    def add(self, other: "Tally") -> None:
        """Take over what another part has found."""
        self.checked += other.checked
        self.vacuous += other.vacuous
        self.unknown += other.unknown
        if other.refuting is not None:
            self.refute(other.refuting)
        if other.disputed is not None:
            self.disagree(other.disputed, other.dispute)

    def refute(self, instance: Instance) -> None:
        """Keep the smaller of two counterexamples."""
        if self.refuting is None or instance.size < self.refuting.size:
            self.refuting = instance

    def disagree(self, instance: Instance, dispute: str) -> None:
        """Keep the smaller of two disagreements."""
        if self.disputed is None or instance.size < self.disputed.size:
            self.disputed, self.dispute = instance, dispute

    def check(self, claim: Claim, instance: Instance, ask: Ask) -> None:
        """Check one more instance.  Raises NotYetKnown, and counts nothing, where an answer is missing."""
        assert claim.check is not None
        try:
            outcome = claim.check(instance, ask)
        except LimitReached:
            self.unknown += 1
        except Disagreement as dispute:
            self.disagree(instance, str(dispute))
        else:
            self.vacuous += outcome is Outcome.VACUOUS
            if outcome is Outcome.FAILS:
                self.refute(instance)
        self.checked += 1


def total(tallies: Sequence[Tally]) -> Tally:
    """All of them together."""
    found = Tally()
    for tally in tallies:
        found.add(tally)
    return found
