"""What is expected of a statement is expected of each of its claims."""

from sealcheck.evidence.outcome import AcceptedClaim, Level, Trust
from sealcheck.evidence.verification import Expectation
from sealcheck.theorems.registry import statement


def accepted(number: int, *levels: Level) -> AcceptedClaim:
    """A row of the ledger about a claim of `sealability`."""
    return AcceptedClaim(
        name="sealability",
        by=(Trust.REPLAY,),
        levels=frozenset(levels),
        claim=number,
        form=statement("sealability").claims[number].form.value,
        verdict="verified",
        instances=0,
        vacuous=0,
        proofs=0,
        models=0,
    )


def test_every_claim_must_be_there_at_every_level() -> None:
    """One claim of several is not enough, and neither is a level of one and a level of another."""
    low, high = (2, 0), (2, 1)
    printed, repaired = accepted(0, low, high), accepted(1, low, high)
    (expected,) = Expectation.parsed("ledger sealability n=2 messages=0..1")
    assert expected.missing([]) == [low, high]
    assert expected.missing([printed]) == expected.missing([repaired]) == [low, high]
    assert expected.missing([printed, accepted(1, high)]) == [low]
    assert expected.missing([accepted(0, low), accepted(1, high)]) == [low, high]
    assert expected.missing([printed, repaired]) == []
    (one,) = Expectation.parsed("ledger sealability repaired n=2 messages=0..1")
    assert one.missing([printed]) == [low, high]
    assert one.missing([repaired]) == []
