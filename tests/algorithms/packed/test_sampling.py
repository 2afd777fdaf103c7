"""Samples are uniform and depend on the seed only; their intervals are right."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache, reduce
from itertools import chain
from math import comb
from operator import add
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from sealcheck.algorithms.packed import levels as sampling
from sealcheck.algorithms.packed import profiles, walk
from sealcheck.algorithms.packed.levels import PackedLevel, Sample, absent, draws, interval, unranked
from sealcheck.errors import InputError
from sealcheck.programs.space import Space

DRAWN = 40_000


@cache
def level() -> PackedLevel:
    return PackedLevel(3, 6)


def sample(level: PackedLevel, count: int, seed: int) -> Sample:
    blocks = draws(seed, level.n, level.m, level.size, 0, count)
    return reduce(add, (Sample.of(level.n, level.m, level.size, level.verdicts(block)) for block in blocks))


def test_frequencies_are_those_of_the_level() -> None:
    """Sealable programs and counterexamples have the frequency of the whole level, within 4.5 sigma."""
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
    assert drawn.most_seal_messages == said.minimum.max()


def test_every_program_can_be_drawn() -> None:
    counts = np.zeros(14)

    class Watched(PackedLevel):
        def verdicts(self, indices):  # type: ignore[no-untyped-def]
            np.add.at(counts, indices, 1)
            return super().verdicts(indices)

    sample(Watched(2, 3), 14_000, seed=3)
    assert counts.sum() == 14_000
    assert (abs(counts - 1_000) < 4.5 * 1_000**0.5).all()


def test_a_sample_depends_on_its_seed_only() -> None:
    expected = sample(level(), 2_000, seed=8)
    assert sample(level(), 2_000, seed=8) == expected
    assert sample(level(), 2_000, seed=9) != expected


@pytest.mark.parametrize("size", [1, 999, 1 << 14, 40_000])
def test_a_draw_depends_on_its_number_only(size: int) -> None:
    once = np.concatenate(list(draws(7, 3, 6, 183_343, 0, 40_000)))
    assert len(once) == 40_000
    for start in range(0, min(3 * size, 40_000), size):
        part = list(draws(7, 3, 6, 183_343, start, min(start + size, 40_000)))
        assert all(0 < len(block) <= sampling.BLOCK for block in part)
        assert [*chain.from_iterable(part)] == once[start : start + size].tolist()
    for seed, n, m in ((8, 3, 6), (7, 2, 6), (7, 3, 7)):
        assert (next(draws(seed, n, m, 183_343, 0, 100)) != once[:100]).sum() > 90


def test_no_index_overflows() -> None:
    """Indices go up to 2^63 - 1."""
    most = 2**63 - 1
    assert next(draws(1, 3, 9, most, 0, 1000)).max() > most // 2
    with pytest.raises(InputError, match=f"has {most + 1} programs, too many to number in 64 bits$"):
        next(draws(1, 3, 9, most + 1, 0, 1000))


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(InputError, match=r"^the seed must be at least 0, not -1$"):
        next(draws(-1, 3, 6, 10, 0, 5))
    assert len(next(draws(2**100, 3, 6, 10, 0, 5))) == 5


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 4), (3, 3), (4, 2)])
def test_unranking_gives_the_programs_of_the_space(n: int, m: int) -> None:
    packed = PackedLevel(n, m)
    assert [unranked(packed, index) for index in range(packed.size)] == list(Space(n, m).programs())


@pytest.mark.parametrize("drawn", [1, 7, 40])
def test_intervals_are_those_of_clopper_and_pearson(drawn: int) -> None:
    """At a lower limit, as many occurrences or more have the exact probability 2.5 %; at an upper limit,
    as few or fewer."""
    for occurred in range(drawn + 1):
        low, high = interval(occurred, drawn)
        assert 0 <= low <= occurred / drawn <= high <= 1
        assert (low == 0) == (occurred == 0)
        assert (high == 1) == (occurred == drawn)
        if occurred:
            assert sum(binomial(k, drawn, low) for k in range(occurred, drawn + 1)) == pytest.approx(0.025)
        if occurred < drawn:
            assert sum(binomial(k, drawn, high) for k in range(occurred + 1)) == pytest.approx(0.025)


def binomial(k: int, drawn: int, share: float) -> float:
    return comb(drawn, k) * share**k * (1 - share) ** (drawn - k)


def test_intervals_of_large_samples() -> None:
    """For large samples, the limits are close to those of the normal distribution."""
    for occurred, drawn in ((85_000, 100_000), (3 * 10**8, 10**9)):
        share = occurred / drawn
        width = 1.959964 * (share * (1 - share) / drawn) ** 0.5
        assert interval(occurred, drawn) == pytest.approx((share - width, share + width), rel=1e-4)


def test_a_share_is_within_its_interval() -> None:
    """At least 95 % of a thousand samples have an interval with the true share."""
    share = level().verdicts(np.arange(level().size)).sealable.mean()
    drawn = [sample(level(), 200, seed).sealable for seed in range(1000)]
    right = sum(low <= share <= high for low, high in (interval(count, 200) for count in drawn))
    assert right >= 940
    assert len(set(drawn)) > 10


def test_samples_add_up() -> None:
    whole = sample(level(), 2_000, seed=8)
    parts = [
        Sample.of(3, 6, level().size, level().verdicts(next(draws(8, 3, 6, level().size, start, stop))))
        for start, stop in ((0, 700), (700, 2_000))
    ]
    assert parts[0] + parts[1] == whole
    assert {part.drawn for part in parts} == {700, 1_300}


def test_what_did_not_occur_is_never_excluded() -> None:
    """If no drawn program has a property, up to about 3 in the number drawn may have it."""
    assert [absent(drawn) for drawn in (1_000, 3, 2)] == [0.003, 1, 1]


def test_empty_levels_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        next(draws(1, 1, 2, PackedLevel(1, 2).size, 0, 5))
    assert str(caught.value) == "the space of n = 1, m = 2 has no programs to draw"


MODULES = [profiles, walk]
TALLY = (
    "from sealcheck.algorithms.packed.levels import PackedLevel; print(PackedLevel(2, 3).tally().canonical)"
)
SIZE = "from sealcheck.algorithms.packed.levels import PackedLevel; print(PackedLevel(2, 3).size)"
"""Importing makes all loops. To call all of them would compile for ten seconds."""
NO_FOLDER = """
import numba.core.caching as caching
def refuse(locator):
    raise OSError("read-only")
for locator in caching.CacheImpl._locator_classes:
    locator.ensure_cache_path = refuse
"""


def loops(module: ModuleType) -> Iterator[Dispatcher]:
    return (value for value in vars(module).values() if isinstance(value, Dispatcher))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_loops_call_no_loop_of_another_module(module: ModuleType) -> None:
    """numba keeps machine code until its own module changes, so it must hold no code of another module."""
    own = [loop for loop in loops(module) if loop.py_func.__module__ == module.__name__]
    assert own
    for loop in own:
        called = [getattr(module, name, None) for name in loop.py_func.__code__.co_names]
        assert all(other in own for other in called if isinstance(other, Dispatcher)), loop.__name__


@pytest.mark.slow
def test_loops_are_compiled_once(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    kept = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", TALLY], env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "7\n"
        kept.append({path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")})
    assert kept[0] == kept[1] != {}


@pytest.mark.slow
def test_no_folder_is_needed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_FOLDER + SIZE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "14\n"
