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
from collections.abc import Iterator, Sequence
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
    """The number of programs with m messages that `renaming` maps to themselves."""
    cycles = _cycles(renaming)
    length_of = {process: len(cycle) for cycle in cycles for process in cycle}

    def orbit(sender: int, receiver: int, length: int) -> list[tuple[int, int]]:
        found = []
        for _ in range(length):
            found.append((sender, receiver))
            sender, receiver = renaming[sender - 1], renaming[receiver - 1]
        return found

    def sources(contents: Contents, left: int) -> Iterator[tuple[int, Contents, int]]:
        """Signed non-empty sets of orbits of simultaneous events: sign, contents, sends left."""
        full = dict(contents)

        def choose(
            at: int, sign: int, now: Counter[tuple[int, int]], left: int
        ) -> Iterator[tuple[int, Contents, int]]:
            if at == len(cycles):
                yield sign, tuple(sorted((channel, count) for channel, count in now.items() if count)), left
                return
            yield from choose(at + 1, sign, now, left)
            length, process = len(cycles[at]), cycles[at][0]
            for other in length_of:
                # The renaming, applied `length` times, brings the process back to itself, and
                # so must bring back its first event: the other end's cycle divides the length.
                if other == process or length % length_of[other]:
                    continue
                if length <= left:
                    sent = now + Counter(orbit(process, other, length))
                    yield from choose(at + 1, -sign, sent, left - length)
                if full.get((other, process)):
                    yield from choose(at + 1, -sign, now - Counter(orbit(other, process, length)), left)

        for sign, after, after_left in choose(0, -1, Counter(full), left):
            if (after, after_left) != (contents, left):
                yield sign, after, after_left

    @cache
    def behind(contents: Contents, left: int) -> int:
        if not contents and not left:
            return 1
        return sum(sign * behind(after, after_left) for sign, after, after_left in sources(contents, left))

    return behind((), m)
