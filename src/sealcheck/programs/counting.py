"""How many programs the bounded space holds, without enumerating them.

Cartier and Foata's inversion counts traces by inclusion and exclusion: in every non-empty
program the sources (events that can happen first) are a non-empty set, and the alternating
sum over non-empty subsets of a non-empty set is 1.  So the programs that lead from one content
of the channels to empty channels number the sum, over non-empty sets of events that can
happen at once, of (-1)^(size + 1) times the number behind that set.

Programs up to renaming processes are counted by Burnside's lemma: the same sum over events
that a renaming permutes among themselves counts the programs which the renaming leaves alone.
Nothing is shared with `space`, whose enumeration these counts check.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import factorial, prod

from sealcheck.programs.straight_line import Renaming

Contents = tuple[tuple[tuple[int, int], int], ...]
"""The non-empty channels with their number of messages, sorted."""


def count_programs(n: int, m: int) -> int:
    """The number of programs of the space (n, m).

    >>> [count_programs(2, m) for m in range(5)]
    [1, 2, 5, 14, 42]
    """
    return _count_fixed(tuple(range(1, n + 1)), m)


def count_canonical(n: int, m: int) -> int:
    """The number of programs of the space (n, m) up to renaming processes.

    >>> [count_canonical(3, m) for m in range(5)]
    [1, 1, 7, 48, 381]
    """
    return count_canonical_sequences(n, [m])


def count_canonical_sequences(n: int, messages: Sequence[int]) -> int:
    """The number of sequences of programs with so many messages, up to renaming processes.

    One renaming applies to all programs of a sequence: pairs (P, Q) are sequences of two.

    >>> count_canonical_sequences(2, [1, 1])
    2
    """
    total = sum(
        prod(_count_fixed(renaming, m) for m in messages) * size for renaming, size in _cycle_types(n)
    )
    return total // factorial(n)


def _cycle_types(n: int) -> list[tuple[Renaming, int]]:
    """One renaming of each cycle type, with the number of renamings of that type."""
    representatives: dict[tuple[int, ...], Renaming] = {}
    sizes: Counter[tuple[int, ...]] = Counter()
    for renaming in permutations(range(1, n + 1)):
        kind = tuple(sorted(map(len, _cycles(renaming))))
        representatives.setdefault(kind, renaming)
        sizes[kind] += 1
    return [(representatives[kind], size) for kind, size in sizes.items()]


def _cycles(renaming: Renaming) -> list[tuple[int, ...]]:
    seen: set[int] = set()
    cycles = []
    for process in range(1, len(renaming) + 1):
        cycle = []
        while process not in seen:
            seen.add(process)
            cycle.append(process)
            process = renaming[process - 1]
        if cycle:
            cycles.append(tuple(cycle))
    return cycles


def _count_fixed(renaming: Renaming, m: int) -> int:
    """The number of programs with m messages that `renaming` maps to themselves.

    Events that the renaming permutes happen together, so the cycles of the renaming take the
    place of processes.  One set of sources is chosen cycle by cycle, first those that receive,
    then those that send, so that sets with the same effect are summed once.
    """
    cycles = _cycles(renaming)
    length_of = {process: len(cycle) for cycle in cycles for process in cycle}

    def orbit(sender: int, receiver: int, length: int) -> Counter[tuple[int, int]]:
        found: Counter[tuple[int, int]] = Counter()
        for _ in range(length):
            found[sender, receiver] += 1
            sender, receiver = renaming[sender - 1], renaming[receiver - 1]
        return found

    def partners(at: int) -> list[int]:
        """The other ends of the first events that the processes of a cycle can have.

        Applied as often as the cycle is long, the renaming brings a process back to itself, and
        so must bring back its first event: the length of the partner's cycle divides this one's.
        """
        length, process = len(cycles[at]), cycles[at][0]
        return [other for other in length_of if other != process and length % length_of[other] == 0]

    @cache
    def behind(contents: Contents, left: int) -> int:
        """The number of ways to continue from these contents with `left` sends to come."""
        return 1 if not contents and not left else -receiving(0, contents, left, frozenset())

    @cache
    def receiving(at: int, contents: Contents, left: int, acted: frozenset[int]) -> int:
        """The signed sum over sets of sources; the cycles from `at` on may receive, all may send."""
        if at == len(cycles):
            return sending(0, contents, left, acted)
        total = receiving(at + 1, contents, left, acted)
        now = Counter(dict(contents))
        length, process = len(cycles[at]), cycles[at][0]
        for other in partners(at):
            if now[other, process]:
                after = _frozen(now - orbit(other, process, length))
                total -= receiving(at + 1, after, left, acted | {at})
        return total

    @cache
    def sending(at: int, contents: Contents, left: int, acted: frozenset[int]) -> int:
        """The signed sum over sets of sources; only the cycles from `at` on may still send."""
        if at == len(cycles):
            return behind(contents, left) if acted else 0
        total = sending(at + 1, contents, left, acted)
        length, process = len(cycles[at]), cycles[at][0]
        if at not in acted and length <= left:
            for other in partners(at):
                after = _frozen(Counter(dict(contents)) + orbit(process, other, length))
                total -= sending(at + 1, after, left - length, acted | {at})
        return total

    return behind((), m)


def _frozen(contents: Counter[tuple[int, int]]) -> Contents:
    return tuple(sorted((channel, count) for channel, count in contents.items() if count))
