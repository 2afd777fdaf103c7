"""What follows for a claim from all that was found about it, and from theorems that are on record."""

from collections.abc import Collection, Sequence

from sealcheck.errors import Disagreement
from sealcheck.every_n.record import Established, established
from sealcheck.every_n.theorem import Theorem
from sealcheck.harness.growth import Counts, grows_faster
from sealcheck.harness.statement import Claim, Statement, Verdict
from sealcheck.harness.tally import Tally


def on_record(claim: Claim) -> tuple[Established, ...]:
    """The theorems that together are the claim, if all of them are on record."""
    return _all_established(claim.theorems)


def refutations_on_record(claim: Claim) -> tuple[Established, ...]:
    """The theorems that together say that the claim does not hold, if all of them are on record."""
    return _all_established(claim.refutations)


def _all_established(theorems: Sequence[Theorem]) -> tuple[Established, ...]:
    """All of these theorems, or nothing where one is not on record."""
    found = [established(theorem) for theorem in theorems]
    return tuple(each for each in found if each) if all(found) else ()


def verdict_on(
    about: Statement,
    claim: Claim,
    found: Tally,
    counts: Counts | None,
    levels: Collection[tuple[int, int]] = (),
) -> Verdict:
    """What follows for a claim from theorems that are on record, and from all that was found about it.

    `levels` are those that were checked.  Raises Disagreement if theorems contradict each other or what
    checking has found.
    """
    bounded = bounded_verdict(about, claim, found, counts)
    name = f"{about.id}, {claim.form.value}"
    if refutations_on_record(claim):
        by = f"{name} is refuted ({_names(claim.refutations)})"
        if on_record(claim):
            raise Disagreement(f"{by}, and proved ({_names(claim.theorems)})")
        if bounded is Verdict.VERIFIED and levels and (not claim.fails_at or claim.fails_at in levels):
            raise Disagreement(f"{by}, but checking it has found no counterexample")
        return Verdict.REFUTED
    if not on_record(claim):
        return bounded
    if bounded is Verdict.REFUTED:
        raise Disagreement(f"{name} is proved ({_names(claim.theorems)}), but fails on {found.refuting}")
    return Verdict.PROVED


def _names(theorems: Sequence[Theorem]) -> str:
    return ", ".join(theorem.name for theorem in theorems)


def bounded_verdict(about: Statement, claim: Claim, found: Tally, counts: Counts | None) -> Verdict:
    """What follows for a claim from all that was found about it."""
    growth = claim.growth
    if found.refuting is not None or (growth and counts and grows_faster(growth, counts)):
        return Verdict.REFUTED
    if about.not_boundable or claim.not_boundable:
        return Verdict.NOT_BOUNDABLE
    nothing_checked = found.checked == found.vacuous and counts is None
    return Verdict.UNKNOWN if found.unknown or nothing_checked else Verdict.VERIFIED
