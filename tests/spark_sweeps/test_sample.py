"""Samples are the same on any master, and as plain Python counts them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from pyspark.sql import SparkSession

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.packed import levels as sampling
from sealcheck.algorithms.packed.levels import PackedLevel, draws
from sealcheck.algorithms.packed.profiles import Verdicts
from sealcheck.algorithms.sealability import Problem, closed_channel_graph, is_connected
from sealcheck.algorithms.signature import signature
from sealcheck.errors import Disagreement, InputError
from sealcheck.programs.space import Space, count_programs
from sealcheck.spark_sweeps import cutting, deciding
from sealcheck.spark_sweeps import sample as module
from sealcheck.spark_sweeps.columns import Sampled, SampleRow
from sealcheck.spark_sweeps.cutting import (
    MOST_DRAWN,
    require_drawable,
    require_sample,
    shards_of_draws,
    spacing,
    split,
)
from sealcheck.spark_sweeps.sample import Judging, added_up, sample
from sealcheck.spark_sweeps.shards import Progress, run_inline
from sealcheck.support.processes import Limits

SPACES = [(2, 5), (3, 5)]
COUNT, SEED = 60, 11
ENOUGH = Limits(600, 2048)


def inline(spaces: Sequence[tuple[int, int]], count: int, *, seed: int = SEED) -> list[Sampled]:
    return added_up(
        run_inline(shards_of_draws(spaces, count), Judging(count, seed), SampleRow.schema()).to_pylist()
    )


def plain(n: int, m: int, count: int) -> Sampled:
    space = Space(n, m)
    found, connected = [], []
    for index in chain.from_iterable(block.tolist() for block in draws(SEED, n, m, space.size, 0, count)):
        first = signature(space.program(index))
        found.append(minimum_or_unsealable(Problem.of(first)))
        connected.append(is_connected(n, closed_channel_graph(first)))
    lengths = [len(one.transmissions) for one in found if isinstance(one, Minimum)]
    refuting = sum(isinstance(one, Minimum) and not so for one, so in zip(found, connected, strict=True))
    return Sampled(
        n=n,
        messages=m,
        programs=space.size,
        drawn=count,
        sealable=len(lengths),
        unsealable=count - len(lengths),
        unconnected_yet_sealable=refuting,
        most_seal_messages=max(lengths, default=None),
        cross_checked=-(-count // spacing(count)),
        unknown=0,
    )


@pytest.mark.parametrize(("n", "m"), [(1, 0), (2, 5), (3, 5), (4, 3), (5, 2)])
def test_a_sample_says_what_plain_algorithms_say(n: int, m: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "CHECKED", 10)
    (sampled,) = inline([(n, m)], 400)
    assert sampled.cross_checked == 10
    assert sampled == plain(n, m, 400)


def test_a_sample_is_the_same_on_spark(spark: SparkSession) -> None:
    seen: list[Progress] = []
    assert sample(spark, SPACES, COUNT, SEED, limits=ENOUGH, on_progress=seen.append) == inline(SPACES, COUNT)
    assert seen[-1] == (2 * COUNT, 2 * COUNT, 0, 0)


def test_a_sample_does_not_depend_on_its_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "BLOCK", 100)
    monkeypatch.setattr(cutting, "CHECKED", 20)
    expected = inline([(3, 5)], 500)
    for size in (77, 5_000):
        shards = split("sample", 3, 5, 500, size)[::-1]
        rows = run_inline(shards, Judging(500, SEED), SampleRow.schema()).to_pylist()
        assert added_up(rows) == expected


def test_another_seed_draws_other_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "CHECKED", 1)
    one, same, other = (inline([(3, 5)], COUNT, seed=seed) for seed in (SEED, SEED, 12))
    assert one == same != other


@pytest.mark.parametrize(("count", "checked"), [(1, 1), (150, 150), (151, 76), (1_200, 150)])
def test_a_part_is_cross_checked(count: int, checked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "disagreement", lambda *_: None)
    (sampled,) = inline([(2, 3)], count)
    assert (sampled.drawn, sampled.cross_checked) == (count, checked)


def test_a_wrong_loop_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    original = PackedLevel.verdicts

    def wrong(self: PackedLevel, indices: object) -> Verdicts:
        said = original(self, indices)  # type: ignore[arg-type]
        return replace(said, minimum=said.minimum + said.sealable)

    monkeypatch.setattr(PackedLevel, "verdicts", wrong)
    seen: list[Progress] = []
    shards = shards_of_draws([(2, 3)], 20)
    rows = run_inline(shards, Judging(20, SEED), SampleRow.schema(), on_progress=seen.append).to_pylist()
    assert seen[-1].disagreements is not None
    assert 1 <= seen[-1].disagreements <= 20
    with pytest.raises(Disagreement, match=r"^sealability, n = 2, on .*: one by one it is"):
        added_up(rows)


def test_a_wrong_number_of_programs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "count_programs", lambda n, messages: 15)
    with pytest.raises(
        Disagreement, match=r"^n = 2, messages = 3: 14 programs to draw from, but counted 15$"
    ):
        inline([(2, 3)], 10)


@pytest.mark.parametrize(
    ("n", "m", "sentence"),
    [
        (4, 12, "programs with n = 4 can be drawn with 0 to 8 messages, not 12"),
        (3, 15, "programs with n = 3 can be drawn with 0 to 14 messages, not 15"),
        (3, -1, "programs with n = 3 can be drawn with 0 to 14 messages, not -1"),
        (9, 1, "programs of at most 8 processes can be drawn: n is 9"),
        (1, 3, "the space of n = 1, m = 3 has no programs to draw"),
    ],
)
def test_levels_that_cannot_be_drawn_from_are_refused(n: int, m: int, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        require_sample([(2, 3), (n, m)], 10, SEED)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("n", [n for n in MOST_DRAWN if n not in (3, 4)])
def test_the_largest_levels_can_be_drawn_from(n: int) -> None:
    require_drawable(n, 0 if n == 1 else MOST_DRAWN[n])
    assert count_programs(n, MOST_DRAWN[n]) < 2**63


@pytest.mark.larger
@pytest.mark.parametrize(("n", "m"), [(3, 14), (4, 7)])
def test_the_largest_levels_are_drawn_from(n: int, m: int) -> None:
    (sampled,) = inline([(n, m)], 10)
    assert (sampled.cross_checked, sampled.unknown) == (10, 0)
