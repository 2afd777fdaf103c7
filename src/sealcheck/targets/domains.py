"""The programs that implementations are asked about: every one of a level, renamed ones too."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import prod

from sealcheck.harness.ablation import DEADLOCKING_MESSAGES, balanced, balanced_shares, deadlocking
from sealcheck.harness.domains import Listed, Programs, Sequences, indexed_space, shared_out
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.targets.target import Domain, Numbered, T


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


def numbered_sequences(length: int) -> Callable[[int, int], Numbered[Instance]]:
    """Levels of sequences of so many BSLs.

    >>> level = numbered_sequences(2)(2, 1)
    >>> level.size, str(level.at(3))
    (4, 'P = mt 1->2   Q = eps')
    """

    def level(n: int, messages: int) -> Numbered[Instance]:
        spaces = [indexed_space(n, m) for m in range(messages + 1)]
        programs = [Numbered(space.size, space.program) for space in spaces]
        found = _products([[programs[m] for m in split] for split in shared_out(messages, length)])
        return Numbered(found.size, lambda number: Instance.of(*found.at(number)))

    return level


def numbered_balanced(n: int, messages: int) -> Numbered[Instance]:
    """All balanced programs of a level, whether or not they deadlock.

    >>> level = numbered_balanced(2, 1)
    >>> level.size, str(level.at(0))
    (2, 'mt 1->2')
    """
    choices = [
        [Numbered(len(orders), orders.__getitem__) for orders in of_processes]
        for of_processes in balanced_shares(n, messages)
    ]
    found = _products(choices)
    return Numbered(found.size, lambda number: Instance.of(StraightLine(found.at(number))))


def _products(blocks: Sequence[Sequence[Numbered[T]]]) -> Numbered[tuple[T, ...]]:
    """The members of several products, those of the first product first."""
    ends = list(accumulate(prod(factor.size for factor in block) for block in blocks))

    def at(number: int) -> tuple[T, ...]:
        block = bisect_right(ends, number)
        rest, found = number - (ends[block - 1] if block else 0), []
        for factor in reversed(blocks[block]):
            rest, digit = divmod(rest, factor.size)
            found.append(factor.at(digit))
        return tuple(reversed(found))

    return Numbered(ends[-1], at)


PROGRAMS = Domain(Programs(), all_programs, numbered_sequences(1))
PAIRS = Domain(Sequences(2, "pairs"), all_pairs, numbered_sequences(2))
TRIPLES = Domain(Sequences(3, "triples"), all_triples, numbered_sequences(3))
BALANCED = Domain(Listed("programs", balanced), all_balanced, numbered_balanced)
