"""What `diff` goes through is what the ledger's rows go through, under every name."""

import pytest

from sealcheck.theorems.checking.targets import TARGETS


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
def test_the_listing_has_all_renamings(target) -> None:
    """Of one instance for each class, each once."""
    for n, messages in ((1, 0), (2, 2), (3, 0), (3, 1), (3, 2)):
        least = target.domain.up_to_renaming
        classes = least.instances(n, messages, 0, least.size(n, messages))
        listed = list(target.domain.listing(n, messages))
        assert len(set(listed)) == len(listed)
        assert set(listed) == {other for instance in classes for other in instance.renamings()}


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 3), (3, 0), (3, 2)])
def test_the_numbers_of_a_level(target, n, messages) -> None:
    """Each instance has one number: drawing numbers uniformly draws instances uniformly."""
    level = target.domain.level(n, messages)
    numbered = [level.at(number) for number in range(level.size)]
    assert len(set(numbered)) == level.size
    assert set(numbered) == set(target.domain.listing(n, messages))
