"""Programs as integers: how events, channels and sets of processes are packed.

The *share* of a process is its part of a program. A share is packed into one integer, three bits for each
event, as in `programs.straight_line` for up to 4 processes.

For each channel, the algorithms keep a number of messages, or a set of processes. The values for all channels
are packed into one integer, in fields of `FIELD` bits, in the order of `channels`.
"""

from itertools import permutations, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sealcheck.errors import InputError
from sealcheck.programs.straight_line import Event, bits, channels, code_of, rcv, snd

Ints = npt.NDArray[np.int64]

CODE = bits(4)
"""The number of bits for an event."""
FIELD = 5
"""The number of bits in a channel's field. The highest bit is zero, so that carries stay in the field."""
MESSAGES = {1: 14, 2: 14, 3: 14, 4: 9}
"""For each n, the most messages of a packed program. A share, and the fields of all channels, must fit into
one integer. For n = 4, more than 9 messages would fit, but `automaton` would need too much memory.
"""


class Codes(NamedTuple):
    """Tables about the event codes of n processes, which are numbered from 0."""

    other: Ints
    """``other[p, code]``: the process to which p sends, or from which it receives."""
    channel: Ints
    """``channel[p, code]``: the channel, as an index into `channels`."""
    option: Ints
    """``option[p]``: the codes for process p, in the order of `programs.space.Space`."""
    outgoing: Ints
    """``outgoing[p]``: a word with the highest bit set in the field of each channel from p."""
    former: Ints
    """``former[r, p]``: the process that renaming r, one of n!, turns into p."""
    renamed: Ints
    """``renamed[r, p, code]``: the code into which renaming r turns an event of process p."""


def is_packable(n: int, m: int) -> bool:
    """Whether programs over 1..n with m messages can be packed.

    >>> is_packable(2, 14), is_packable(2, 15), is_packable(5, 1)
    (True, False, False)
    """
    return 0 <= m <= MESSAGES.get(n, -1)


def require_packable(n: int, m: int) -> None:
    """Raise InputError if programs over 1..n with m messages cannot be packed."""
    if n not in MESSAGES:
        raise InputError(f"packed programs have from 1 to {max(MESSAGES)} processes, not {n}")
    if not 0 <= m <= MESSAGES[n]:
        raise InputError(f"packed programs of n = {n} have from 0 to {MESSAGES[n]} messages, not {m}")


def codes(n: int) -> Codes:
    """The tables for n processes.

    >>> print(codes(3).other[0], codes(3).option[1])
    [-1  1  2  1  2] [3 1 2 4]
    """
    kinds = 2 * (n - 1)
    other = np.full((n, kinds + 1), -1, np.int64)
    channel = np.full((n, kinds + 1), -1, np.int64)
    outgoing = np.zeros(n, np.int64)
    options: list[list[int]] = [[] for _ in range(n)]
    for number, (sender, receiver) in enumerate(channels(n)):
        for event in (snd(sender, receiver), rcv(receiver, sender)):
            p, code = event.process - 1, code_of(n, event)
            other[p, code] = (receiver if event.is_send else sender) - 1
            channel[p, code] = number
            options[p].append(code)
        outgoing[sender - 1] |= 1 << (FIELD * number + FIELD - 1)
    option = np.array(options, np.int64).reshape(n, kinds)
    former, renamed = _renamings(n, other)
    return Codes(
        other=other, channel=channel, option=option, outgoing=outgoing, former=former, renamed=renamed
    )


def _renamings(n: int, other: Ints) -> tuple[Ints, Ints]:
    former = np.array(list(permutations(range(n))), np.int64)
    renamed = np.zeros((len(former), *other.shape), np.int64)
    for number, formers in enumerate(former.tolist()):
        for p, code in product(range(n), range(1, 2 * n - 1)):
            event = snd(p + 1, other[p, code] + 1) if code < n else rcv(p + 1, other[p, code] + 1)
            name = {old + 1: new for new, old in enumerate(formers, 1)}
            event = Event(event.kind, name[event.sender], name[event.receiver])
            renamed[number, p, code] = code_of(n, event)
    return former, renamed


def ends(n: int) -> Ints:
    """The sender and the receiver of each channel, numbered from 0.

    >>> ends(2).tolist()
    [[0, 1], [1, 0]]
    """
    return np.array(channels(n), np.int64).reshape(-1, 2) - 1
