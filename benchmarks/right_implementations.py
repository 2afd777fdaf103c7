"""Check that an independent, naive implementation is right about all instances up to n = 3 and 6 messages.

``python -m benchmarks.right_implementations [TARGET…]`` asks `benchmarks.corpus.naive` about every instance
with up to three processes and six messages in all; over ports, with up to two messages. It prints a row for
each target, with the number of instances and the seconds. In levels with more than a hundred thousand
instances, it asks about one of each class of renamed instances. It takes an hour, and ends at the first wrong
answer.
"""

import sys
import time
from collections.abc import Iterable
from itertools import islice

from benchmarks.corpus.naive import Naive

from sealcheck.differential.host import said
from sealcheck.differential.protocol import arguments
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.targets import TARGETS, Target

LEVELS = [(1, 0), *((n, messages) for n in (2, 3) for messages in range(7))]
OVER_PORTS = [(n, messages) for n in (2, 3) for messages in (1, 2)]
MOST = 100_000


def level(target: Target, n: int, messages: int) -> tuple[Iterable[Instance], bool]:
    """The instances of a level, and whether they include renamed instances."""
    domain = target.domain
    if len(list(islice(domain.listing(n, messages), MOST + 1))) <= MOST:
        return domain.listing(n, messages), True
    least = domain.up_to_renaming
    return least.instances(n, messages, 0, least.size(n, messages)), False


def is_right(target: Target, naive: Naive, instance: Instance) -> bool:
    """Whether the naive answer is right.  Tests check the types of answers on smaller levels."""
    given = [*arguments(target.takes, instance).values()]
    answer = said(lambda *programs: naive.answer(target.id, *programs), given)
    return target.is_right(instance, target.answer.from_json(answer["result"]), target.quick)


def main(ids: list[str]) -> int:
    """Print a row for each target; return 1 if an answer is wrong, otherwise 0."""
    print(f"{'':20}{'instances':>10}{'up to renaming':>24}{'seconds':>9}")
    for target in TARGETS.values():
        if ids and target.id not in ids:
            continue
        naive, start, tried, classes = Naive(), time.perf_counter(), 0, []
        for n, messages in LEVELS if target.domain.most is None else OVER_PORTS:
            instances, has_all = level(target, n, messages)
            classes += [] if has_all else [f"({n}, {messages})"]
            for instance in instances:
                tried += 1
                if not is_right(target, naive, instance):
                    print(f"{target.id}: wrong about {instance}")
                    return 1
        seconds = time.perf_counter() - start
        print(f"{target.id:20}{tried:>10}{', '.join(classes):>24}{seconds:>9.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
