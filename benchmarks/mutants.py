"""How many tries it takes to find wrong implementations: exhaustively, at random, and at random with aim.

``python -m benchmarks.mutants [TARGET…]`` prints a row for each fault of `benchmarks.corpus`. The row has the
number of tries until an answer is wrong (``-`` if none was), and the size of the smallest instance with a
wrong answer. The column *random* draws executions event by event, and *aimed* draws the hard shapes of
`sealcheck.testing`. Both columns have the median of a few seeds.
"""

import sys
from collections.abc import Callable, Iterator
from statistics import median

from benchmarks.corpus.faults import Mutant, mutants
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import Result
from sealcheck.differential.strategies import drawn, executions
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import TARGETS, Target

LEVELS = [(n, m) for n in (1, 2, 3) for m in range(5 if n > 1 else 1)]
MOST_TRIES = 2000
SEEDS = range(3)
MOST_PROCESSES, MOST_MESSAGES = 5, 10


class _WrongError(Exception):
    pass


@st.composite
def plain(draw: st.DrawFn, takes: int) -> Instance:
    n = draw(st.integers(1, MOST_PROCESSES))
    events = executions(n, MOST_MESSAGES // takes)
    return Instance.of(*(StraightLine.of(n, draw(events)) for _ in range(takes)))


def is_wrong(target: Target, function: Called, instance: Instance) -> bool:
    said = function.ask(target.id, target.takes, instance)
    return isinstance(said, Result) and not target.judged(instance, said.value)


def exhaustively(target: Target, fails: Callable[[Instance], bool]) -> tuple[int | None, Instance | None]:
    for number, instance in enumerate(_every(target), 1):
        if fails(instance):
            return number, instance
    return None, None


def _every(target: Target) -> Iterator[Instance]:
    for n, m in LEVELS:
        yield from target.domain.listing(n, m)


def at_random(
    strategy: st.SearchStrategy[Instance], fails: Callable[[Instance], bool], number: int
) -> int | None:
    tries = 0

    @seed(number)
    @settings(
        max_examples=MOST_TRIES,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(strategy)
    def each(instance: Instance) -> None:
        nonlocal tries
        tries += 1
        if fails(instance):
            raise _WrongError

    try:
        each()
    except _WrongError:
        return tries - 1  # Hypothesis repeats what failed once
    return None


def typically(strategy: st.SearchStrategy[Instance], fails: Callable[[Instance], bool]) -> str:
    found = [at_random(strategy, fails, number) for number in SEEDS]
    middle = median(float("inf") if each is None else each for each in found)
    return "-" if middle == float("inf") else f"{middle:.0f}"


def row(mutant: Mutant) -> list[str]:
    target, function = TARGETS[mutant.target], Called(mutant.function)

    def fails(instance: Instance) -> bool:
        return is_wrong(target, function, instance)

    number, smallest = exhaustively(target, fails)
    unaimed = typically(plain(len(target.takes)), fails)
    aimed = typically(drawn(target.domain), fails)
    size = f"{smallest.n}, {smallest.messages}" if smallest else "-"
    return [str(number or "-"), unaimed, aimed, size]


def main(targets: list[str]) -> None:
    print(f"{'':68}{'exhaustive':>12}{'random':>8}{'aimed':>8}   smallest n, messages")
    for mutant in mutants():
        if not targets or mutant.target in targets:
            number, at_random, aimed, size = row(mutant)
            print(f"{mutant!s:68}{number:>12}{at_random:>8}{aimed:>8}   {size}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
