"""Programs as numbers, one for each process, as in compiled loops and the rows of a sweep.

The number of a share has a few bits for each event, the first event in the highest.  The code of an event
says its kind and the rank of the other process among all others, so that codes order the events of one
process as `Event` does: 1..n-1 for sends, n..2n-2 for receives, and 0 for none.
"""

from collections.abc import Sequence

from sealcheck.errors import InputError
from sealcheck.programs.straight_line import Event, StraightLine, rcv, snd


def bits(n: int) -> int:
    """The bits of an event of n processes: at least 3, as the compiled loops have.

    >>> bits(2), bits(4), bits(5)
    (3, 3, 4)
    """
    return max(3, (2 * n - 2).bit_length())


def code_of(n: int, event: Event) -> int:
    """The code of an event in the share of its process.

    >>> code_of(3, snd(2, 1)), code_of(3, snd(2, 3)), code_of(3, rcv(2, 1)), code_of(3, rcv(2, 3))
    (1, 2, 3, 4)
    """
    other = event.receiver if event.is_send else event.sender
    rank = other - (other > event.process)
    return rank if event.is_send else rank + n - 1


def packed(program: StraightLine) -> tuple[int, ...]:
    """The numbers of a program, which uses no channel from a process to itself.  O(events).

    >>> from sealcheck.programs.straight_line import mt
    >>> [oct(number) for number in packed(StraightLine.of(3, mt(1, 2) + mt(2, 3)))]
    ['0o1', '0o32', '0o4']
    """
    numbers = []
    for share in program.shares:
        number = 0
        for event in share:
            number = number << bits(program.n) | code_of(program.n, event)
        numbers.append(number)
    return tuple(numbers)


def unpacked(numbers: Sequence[int]) -> StraightLine:
    """The program of these numbers, one for each process.  O(events).

    Raises InputError if a number has a code that no event has.

    >>> print(unpacked([0o1, 0o32, 0o4]))
    mt 1->2; mt 2->3
    """
    return StraightLine(tuple(_share(len(numbers), p, number) for p, number in enumerate(numbers, 1)))


def _share(n: int, process: int, number: int) -> tuple[Event, ...]:
    found: list[Event] = []
    left = number
    while left > 0:
        left, code = divmod(left, 1 << bits(n))
        if not 1 <= code <= 2 * n - 2:
            raise InputError(f"{number} packs no events of one of {n} processes: {code} is not a code")
        rank = (code - 1) % (n - 1) + 1
        other = rank + (rank >= process)
        found.append(snd(process, other) if code < n else rcv(process, other))
    if left < 0:
        raise InputError(f"{number} packs no events: it is negative")
    return tuple(reversed(found))
