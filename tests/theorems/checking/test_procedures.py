"""Procedures under all names: what is right does not depend on them, and a procedure that does is refuted."""

from dataclasses import replace
from itertools import permutations

import pytest
from tests.theorems.rows import checked

from sealcheck.theorems.appendix import closed_channels, is_seal
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.procedures import UnderNames, answers_rightly, renamed
from sealcheck.theorems.checking.statement import Claim, Outcome
from sealcheck.theorems.checking.targets import TARGETS, target

NAMES = list(permutations((1, 2, 3)))


@pytest.mark.parametrize("id", [id for id in TARGETS if id != "seal"])
def test_answers_are_renamed_with_the_processes(id) -> None:
    """What is expected of a renamed instance is what is expected of it, renamed."""
    asked = target(id)
    for messages in (1, 2):
        for instance in asked.domain.listing(3, messages):
            for names in NAMES:
                other = type(instance).of(*(p.renamed(names) for p in instance.straight))
                assert asked.expected(other) == renamed(asked.expected(instance), names)


def test_asking_under_other_names_asks_under_the_first() -> None:
    """One question reaches the oracles, whatever the processes are called."""
    asked = target("closed-channels")
    (instance, *_) = closed_channels.STATEMENT.domain.instances(3, 2, 0, 39)
    reached = []

    class Noting:
        def all(self, question, about):
            about = list(about)
            reached.extend(each for each, _ in about)
            return [asked.expected(each) for each, _ in about]

    for names in NAMES:
        other = type(instance).of(instance.p.renamed(names))
        assert asked.is_right(other, asked.expected(other), UnderNames(Noting(), names))
    assert reached == [instance] * len(NAMES)


@pytest.mark.parametrize(
    ("statement", "right", "wrong"),
    [
        (closed_channels, closed_channels.on_mended, lambda i: closed_channels.on_mended(i) - {(3, 1)}),
        (is_seal, is_seal.repaired, lambda i: any(i.p.shares[0]) or is_seal.repaired(i)),
    ],
    ids=["closed-channels", "is-seal"],
)
def test_a_procedure_that_minds_names_is_refuted(statement, right, wrong) -> None:
    """It would pass on canonical programs, in which its name hardly occurs: the row asks about all names."""
    asked, levels = statement.ASKED, [(3, 0), (3, 1)]

    def row(procedure):
        claim = Claim("", check=answers_rightly(asked, procedure))
        return checked(replace(statement.STATEMENT, claims=(claim,)), levels, ())[0].refuting

    assert row(right) is None
    assert row(wrong) is not None


def test_renamings_beyond_the_canonical_one_count() -> None:
    """A fault that only a renaming shows makes the canonical instance fail."""
    (instance, *_) = closed_channels.STATEMENT.domain.instances(3, 1, 0, 6)
    right = closed_channels.on_mended

    def wrong(other):
        return right(other) if other == instance else frozenset()

    with inline(()) as ask:
        assert answers_rightly(closed_channels.ASKED, right)(instance, ask) is Outcome.HOLDS
        assert answers_rightly(closed_channels.ASKED, wrong)(instance, ask) is Outcome.FAILS
