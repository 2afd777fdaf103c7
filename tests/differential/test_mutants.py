"""The search finds every wrong implementation of the corpus, and none of the right ones."""

from collections.abc import Iterator
from functools import cache

import pytest
from benchmarks.corpus.faults import Mutant, mutants
from benchmarks.corpus.naive import Naive

from sealcheck.differential.implementation import Called, Kind
from sealcheck.differential.protocol import read_instance
from sealcheck.differential.searching import KNOWN, Comparison, Difference, Plan, Search, search, smallest
from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import TAKEN_OVER_PORTS, Instance
from sealcheck.theorems.checking.targets import TARGETS, Domain, Target, canonical_port_instances

LEVELS = [(1, 0), *((2, m) for m in range(4)), *((3, m) for m in range(3))]
OVER_PORTS = [(2, 1), (3, 1)]
"""Levels over ports; the next levels have thousands of instances."""


def levels_of(target: str) -> list[tuple[int, int]]:
    return LEVELS if TARGETS[target].domain.most is None else OVER_PORTS


@cache
def listed(domain: Domain, n: int, messages: int) -> list[Instance]:
    return list(domain.listing(n, messages))


@cache
def shared(target: str) -> Target:
    return TARGETS[target].remembering()


@pytest.fixture(autouse=True, scope="module")
def _forgotten() -> Iterator[None]:
    yield
    listed.cache_clear()
    shared.cache_clear()


def go_through(comparison: Comparison, n: int, messages: int) -> Difference | None:
    return comparison.first(listed(comparison.target.domain, n, messages))


def searched(target: str, function: object, levels: list[tuple[int, int]], seconds: float) -> Search:
    plan = Plan([], levels, seconds=seconds, spread=go_through)
    return search(Comparison(shared(target), Called(function)), plan)


@pytest.mark.parametrize("mutant", list(mutants()), ids=str)
def test_mutants_die(mutant: Mutant) -> None:
    """Mutants give wrong answers, no oracle agrees with them, and their answers are the same the second time.
    The smallest instance that shows the fault is on record."""
    done = searched(mutant.target, mutant.function, levels_of(mutant.target), 10)
    assert done.finding is not None
    assert done.finding.kind is Kind.WRONG
    found, known = done.finding.instance, smallest(mutant.target)
    if TARGETS[mutant.target].takes == TAKEN_OVER_PORTS:
        assert (found.n, found.messages) in {(each.n, each.messages) for each in known}
    else:
        assert found in known


LATEST = [each for each in mutants() if each.fault == "receives learn what the latest message says"]


@pytest.mark.parametrize("mutant", LATEST, ids=str)
def test_the_latest_message_is_noticed_beyond_a_small_bound(mutant: Mutant) -> None:
    """The fault needs up to five messages. Its known instance shows it in less than a second."""
    done = searched(mutant.target, mutant.function, [(1, 0), (2, 0), (2, 1)], 60)
    assert done.finding is not None
    assert done.stages[-1].name == KNOWN
    assert done.finding.kind is Kind.WRONG


@pytest.mark.parametrize(
    "against", ["signature", "signature-compose", "closed-channels", "is-seal", "phases"]
)
def test_a_fault_that_takes_five_processes_is_noticed_beyond_the_bound(against: str) -> None:
    """No program of up to four processes has a causal chain that needs four messages."""
    wrong = Mutant(against, "", "causal chains are followed over at most three messages")
    done = searched(against, wrong.function, [(1, 0), (2, 0), (2, 1)], 60)
    assert done.finding is not None
    assert done.finding.instance.n == 5
    assert done.finding.instance in set(smallest(against))


def test_mutants_are_many() -> None:
    assert len({mutant.fault for mutant in mutants()}) >= 60
    assert {mutant.target for mutant in mutants()} == TARGETS.keys()


def instance_of(takes: tuple[str, ...], given: tuple) -> Instance:
    if takes != TAKEN_OVER_PORTS:
        return Instance.of(*(parse_straight_line(str(p), p.n) for p in given))
    layers, *others = given
    return read_instance(takes, layers[0].n, dict(zip(takes, ([*map(str, layers)], *others), strict=True)))


def ours(target: str):
    asked = shared(target)

    def function(*programs):
        given = instance_of(asked.takes, programs)
        return asked.answer.to_json(asked.expected(given))

    return function


def naive(target: str):
    return lambda *programs: Naive().answer(target, *programs)


@pytest.mark.parametrize("target", TARGETS)
def test_our_answers_are_right(target: str) -> None:
    """On programs up to 3 processes and 2 messages, and on random programs."""
    smallest(target)  # is read before there is a limit
    require_right(target, ours(target), levels_of(target), 0.25)


@pytest.mark.parametrize("target", TARGETS)
def test_the_naive_implementation_lives(target: str) -> None:
    """On all programs up to 3 processes and 3 messages (over ports, one message), and on random programs."""
    larger = [] if TARGETS[target].takes == TAKEN_OVER_PORTS else [(3, 3)]
    require_right(target, naive(target), [*levels_of(target), *larger], 0.25)


def test_the_naive_implementation_lives_with_two_messages_over_ports() -> None:
    """On one instance of each class of renamings of processes and of the tag; on all smaller instances."""
    target, instances = "interfering-ports", list(canonical_port_instances(2, 2))
    done = Comparison(shared(target), Called(naive(target)))
    assert done.first(instances) is None
    assert done.tried == len(instances) > 4000


@pytest.mark.slow
def test_the_naive_implementation_lives_on_more_layers_over_ports() -> None:
    require_right("port-phases", naive("port-phases"), [(2, 2)], 0.5)


def require_right(target: str, function: object, levels: list[tuple[int, int]], seconds: float) -> None:
    done = searched(target, function, levels, seconds)
    assert done.finding is None
    assert done.tried > sum(len(listed(TARGETS[target].domain, *level)) for level in levels)


LARGER = {each: [(3, 2)] for each in ("port-phases", "interfering-ports")}


@pytest.mark.larger
@pytest.mark.parametrize("target", TARGETS)
def test_the_naive_implementation_lives_on_larger_programs(target: str) -> None:
    """With 3 processes and 4 messages, or 2 and 6; its benchmark does more."""
    assert searched(target, naive(target), LARGER.get(target, [(2, 5), (2, 6), (3, 4)]), 0).finding is None
