"""The time of `decide` by the number of events, compared with the algorithm of the paper's appendix.

Both decide the same random pairs (P, Q). The appendix's algorithm computes a transitive closure with
networkx, so it gets only the smaller pairs. Only the growth and the ratios of the figures are meaningful.

    python benchmarks/decide_scaling.py
"""

import random
import time
from collections.abc import Callable
from functools import partial

from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd

SEED = 7
CLOSURE_EVENTS = 1_000
"""The most events of P and Q that the appendix's algorithm is given."""


def random_program(n: int, events: int, source: random.Random) -> StraightLine:
    """A random balanced deadlock-free program over 1..n with this number of events."""
    word: list[Event] = []
    in_transit: list[tuple[int, int]] = []
    sends_left = events // 2
    while sends_left or in_transit:
        if sends_left and (not in_transit or source.random() < 0.5):
            i, j = source.sample(range(1, n + 1), 2)
            word.append(snd(i, j))
            in_transit.append((i, j))
            sends_left -= 1
        else:
            at = source.randrange(len(in_transit))
            in_transit[at], in_transit[-1] = in_transit[-1], in_transit[at]
            i, j = in_transit.pop()
            word.append(rcv(j, i))
    return StraightLine.of(n, word)


def seconds(question: Callable[[], object]) -> tuple[float, object]:
    """The time that a call takes, and what it returns."""
    start = time.perf_counter()
    answer = question()
    return time.perf_counter() - start, answer


def main() -> None:
    """Print one line for each size."""
    source = random.Random(SEED)
    print(f"{'n':>4} {'events':>9} {'decide s':>9} {'us/event':>9} {'appendix s':>11} {'ratio':>8}")
    sizes = [(8, 100), (8, 200), (8, 400), (8, 1_000), (8, 10_000), (8, 100_000), (8, 1_000_000)]
    sizes += [(64, 100_000), (64, 1_000_000), (256, 100_000), (256, 1_000_000)]
    for n, events in sizes:
        p, q = (random_program(n, events // 2, source) for _ in range(2))
        mine, found = seconds(partial(decide, p, q))
        line = f"{n:>4} {events:>9} {mine:>9.4f} {mine / events * 1e6:>9.2f}"
        if events <= CLOSURE_EVENTS:
            theirs, seals = seconds(partial(is_seal_repaired, p, q))
            assert seals == isinstance(found, Seals)
            line += f" {theirs:>11.3f} {theirs / mine:>8.0f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
