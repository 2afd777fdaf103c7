"""Samples: uniform, the same for the same seed, and honest about what they show."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from sealcheck.algorithms.packed import sampling
from sealcheck.algorithms.packed.levels import PackedLevel
from sealcheck.algorithms.packed.sampling import Sample, sample
from sealcheck.errors import InputError

DRAWN = 40_000


@cache
def level() -> PackedLevel:
    return PackedLevel(3, 6)


def test_frequencies_are_those_of_the_level() -> None:
    """Sealable programs, and counterexamples, are as frequent as in the whole level, within 4.5 sigma."""
    said = level().verdicts(np.arange(level().size))
    drawn = sample(level(), DRAWN, seed=5)
    whole = {
        "sealable": said.sealable.mean(),
        "unsealable": (~said.sealable).mean(),
        "unconnected_yet_sealable": (said.sealable & ~said.connected).mean(),
    }
    for name, share in whole.items():
        sigma = (share * (1 - share) / DRAWN) ** 0.5
        assert abs(getattr(drawn, name) / DRAWN - share) < 4.5 * sigma, name
    assert drawn.most_messages == said.minimum.max()


def test_every_program_can_be_drawn() -> None:
    """Enough draws find every index of a small level about equally often, the first and the last too."""
    counts = np.zeros(14)

    class Watched(PackedLevel):
        def verdicts(self, indices):  # type: ignore[no-untyped-def]
            np.add.at(counts, indices, 1)
            return super().verdicts(indices)

    sample(Watched(2, 3), 14_000, seed=3)
    assert counts.sum() == 14_000
    assert (abs(counts - 1_000) < 4.5 * 1_000**0.5).all()


@pytest.mark.parametrize("chunk", [1, 999, 1 << 14])
def test_a_sample_depends_on_its_seed_only(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed gives the same sample, however many are judged at a time; another one does not."""
    expected = sample(level(), 2_000, seed=8)
    monkeypatch.setattr(sampling, "CHUNK", chunk)
    assert sample(level(), 2_000, seed=8) == expected
    assert sample(level(), 2_000, seed=9) != expected


def test_a_sample_never_verifies() -> None:
    """What is said is that nothing is verified, and 3 in the number drawn, but never more than all."""
    drawn = Sample(3, 6, 183_343, 1_000, 990, 10, 0, 4)
    assert drawn.rule_of_three == (
        "not verified: what 1000 random programs lack, at most 0.003 of the 183343 programs of n = 3, m = 6"
        " have (95 % confidence)"
    )
    assert " at most 1 of the " in replace(drawn, drawn=2).rule_of_three


@pytest.mark.parametrize("count", [0, -3])
def test_empty_samples_are_refused(count: int) -> None:
    """A sample without programs would say nothing."""
    with pytest.raises(InputError) as caught:
        sample(level(), count, seed=1)
    assert str(caught.value) == f"a sample has at least 1 program, not {count}"


def test_empty_levels_are_refused() -> None:
    """Nothing can be drawn where there is no program."""
    with pytest.raises(InputError) as caught:
        sample(PackedLevel(1, 2), 5, seed=1)
    assert str(caught.value) == "the space of n = 1, m = 2 has no programs to draw"
