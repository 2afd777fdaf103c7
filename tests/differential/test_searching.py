"""The search beyond the bound; wrong expectations; skipped questions."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from benchmarks.corpus.naive import Naive

from sealcheck.differential.grading import Grade, _ask_all
from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import Processes
from sealcheck.differential.searching import Comparison, Plan, sampled, search, shuffled
from sealcheck.differential.vectors import Vector
from sealcheck.errors import Disagreement
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import TARGETS, Quick, target

LEVELS = [(n, m) for n in (1, 2, 3) for m in range(3)]
"""A bound; the next levels have 3 messages, or 4 processes."""


def first(target: str, seed: int, steps: int) -> list[tuple[str, list[Instance]]]:
    drawn = islice(sampled(TARGETS[target].domain, LEVELS, seed), steps)
    return [(stage.name, list(instances)) for stage, instances in drawn]


@pytest.mark.parametrize("target", ["deadlock-free", "sealable", "is-seal", "phases"])
def test_a_sample_depends_on_its_seed(target: str) -> None:
    assert first(target, 1, 40) == first(target, 1, 40)
    assert first(target, 1, 40) != first(target, 2, 40)


def test_each_order_is_as_likely() -> None:
    """Of 6,000 shuffled lists of three, each of the six orders has about a thousand."""
    counts = Counter(tuple(shuffled(3, Random(seed))) for seed in range(6_000))
    assert len(counts) == 6
    assert all(900 < count < 1_100 for count in counts.values())


@pytest.mark.parametrize("target", ["deadlock-free", "sealable", "is-seal"])
def test_a_level_is_exhausted_before_the_next_one(target: str) -> None:
    drawn: dict[str, list[Instance]] = {}
    for name, instances in first(target, 0, 300):
        drawn.setdefault(name, []).extend(instances)
    domain = TARGETS[target].domain
    for n, m in ((2, 3), (2, 4), (4, 0), (4, 1)):
        level = domain.level(n, m)
        found = drawn[f"n = {n}, messages = {m}"]
        assert len(found) == level.size
        assert set(found) == {level.at(number) for number in range(level.size)}
    assert not drawn.keys() & {f"n = {n}, messages = {m}" for n, m in LEVELS}


def test_a_fault_of_the_next_level_is_found_in_the_sample() -> None:
    def function(p):
        sends = [(i, to) for i, share in enumerate(p, 1) for kind, to in share if kind == "snd"]
        return sends.count((2, 3)) < 3 and Naive().deadlock_free(p)

    done = search(Comparison(TARGETS["deadlock-free"], Called(function)), Plan([], LEVELS, seconds=60))
    assert done.finding is not None
    assert str(done.finding.instance) == "mt 2->3; mt 2->3; mt 2->3"
    assert done.stages[-1].name == "n = 3, messages = 3"
    assert done.stages[-1].of == TARGETS["deadlock-free"].domain.level(3, 3).size


WRONG = {
    "is-seal": (lambda instance: False, lambda p, q: True),
    "deadlock-free": (lambda instance: False, lambda p: True),
    "phases": (lambda instance: False, lambda p, q, r: True),
    "seal": (lambda instance: None, lambda p: str(p)),
}
"""For some targets, the expectation of a wrong algorithm of ours, and an implementation that contradicts
it."""


@pytest.mark.parametrize("target", WRONG)
def test_a_wrong_expectation_is_ours(target: str) -> None:
    expected, answers = WRONG[target]
    asked = replace(TARGETS[target], expected=expected)
    if not asked.has_several:
        asked = replace(asked, quick=Quick({target: expected}))
    plan = Plan([], [(n, m) for n in (1, 2) for m in range(3 if n > 1 else 1)])
    with pytest.raises(
        Disagreement, match=f"^{target}, on .*: the expected answer is not that of all oracles"
    ):
        search(Comparison(asked, Called(answers)), plan)


def test_who_skips_a_question_has_not_answered_it() -> None:
    def answer(program: Processes) -> bool:
        if str(program) == "mt 2->1; mt 1->2":
            raise NotImplementedError("I don't know")
        return str(program) != "rcv 1<-2; mt 1->2; snd 2->1"

    asked = target("deadlock-free")
    vectors = [Vector(k, instance, ()) for k, instance in enumerate(asked.domain.listing(2, 2), 1)]
    grade = Grade("a submission")
    assert _ask_all(Comparison(asked, Called(answer)), vectors, grade)
    assert grade.failed == {1: None}
