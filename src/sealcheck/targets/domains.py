"""The programs that implementations are asked about: every one of a level, renamed ones too."""

from collections.abc import Iterator

from sealcheck.harness.ablation import DEADLOCKING_MESSAGES, balanced, deadlocking
from sealcheck.harness.domains import Listed, Programs, Sequences, indexed_space
from sealcheck.questions.instance import Instance
from sealcheck.targets.target import Domain


def all_programs(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level.

    >>> [str(instance) for instance in all_programs(2, 1)]
    ['mt 2->1', 'mt 1->2']
    """
    return map(Instance.of, indexed_space(n, messages).programs())


def all_pairs(n: int, messages: int) -> Iterator[Instance]:
    """Every pair of BSLs with so many messages together; first those with fewest in P.

    >>> len(list(all_pairs(2, 1)))
    4
    """
    for of_p in range(messages + 1):
        for p in indexed_space(n, of_p).programs():
            for q in indexed_space(n, messages - of_p).programs():
                yield Instance.of(p, q)


def all_triples(n: int, messages: int) -> Iterator[Instance]:
    """Three BSLs with so many messages together; first those with fewest in the first.

    >>> len(list(all_triples(2, 1)))
    6
    """
    for of_p in range(messages + 1):
        for p in indexed_space(n, of_p).programs():
            for rest in all_pairs(n, messages - of_p):
                yield Instance.of(p, *rest.straight)


def all_balanced(n: int, messages: int) -> Iterator[Instance]:
    """Every BSL of the level, and the balanced programs that deadlock, as far as they are listed."""
    yield from all_programs(n, messages)
    if messages <= DEADLOCKING_MESSAGES:
        for instance in deadlocking(n, messages):
            yield from instance.renamings()


PROGRAMS = Domain(Programs(), all_programs)
PAIRS = Domain(Sequences(2, "pairs"), all_pairs)
TRIPLES = Domain(Sequences(3, "triples"), all_triples)
BALANCED = Domain(Listed("programs", balanced), all_balanced)
