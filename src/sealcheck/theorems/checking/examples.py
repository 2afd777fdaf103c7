"""Program X (two messages that cross), a program with a guard that seals X, and worst cases of costs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.straight_line import Channel, Event, StraightLine, channels, mt, rcv, snd
from sealcheck.programs.syntax import Cut, layered, seals
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import OCCURS, REFINES
from sealcheck.theorems.checking.statement import Ask


def crossing(n: int) -> StraightLine:
    """The program X, among n processes.

    >>> print(crossing(2))
    snd 1->2; mt 2->1; rcv 2<-1
    """
    sends, receives = zip(mt(1, 2), mt(2, 1), strict=True)
    return StraightLine.of(n, [*sends, *receives])


WITH_VALUES = parse("snd 1->2 (x+1); snd 2->1 (y+1); rcv 1<-2 (x); rcv 2<-1 (y)")
"""X as printed."""

GUARDED = parse("snd 1->2 (7); rcv 2<-1; mt 2->1; [not 2.y = 7]")
"""A message with the value 7, its answer, and a guard that is false if process 2 has stored a 7 in y."""


def sealed_by_a_guard(n: int, ask: Ask) -> bool:
    """Whether GUARDED seals X among n processes, and can complete after it."""
    whole = layered(Cut(), WITH_VALUES, GUARDED, Cut())
    sealed = ask(REFINES, Instance(n, seals(WITH_VALUES, GUARDED)))
    return sealed and ask(OCCURS, Instance(n, (whole,)))


def explain_the_guard(instance: Instance, ask: Ask) -> str:
    """How a guard seals X."""
    return (
        f"with the paper's values, X is: {show(WITH_VALUES)}\n"
        "here (y + 1 -> x) means: the message has the value y + 1, and its receive stores it in x\n"
        f"this program seals X: {show(GUARDED)}\n"
        "process 1 receives in X before process 2 can send its second message\n"
        "if process 2 takes the 7 in X, the guard is false, and the seal does not occur\n"
        "so both receives of X are over before a later program sends"
    )


def exchange(n: int) -> StraightLine:
    """Every process sends to all others, then receives from all others.

    >>> print(exchange(2))
    snd 1->2; mt 2->1; rcv 2<-1
    """
    return StraightLine.of(n, _at_once(channels(n)))


def transfer(n: int) -> StraightLine:
    """Every process of the first half sends a message to every process of the second half.

    >>> print(transfer(3))
    mt 1->2; mt 1->3
    """
    return StraightLine.of(n, _at_once(Channel(i, j) for i, j in channels(n) if i <= n // 2 < j))


def exchange_in_halves(n: int) -> StraightLine:
    """An exchange among the first half of the processes, and one among the second half.

    >>> print(exchange_in_halves(3))
    snd 2->3; mt 3->2; rcv 3<-2
    """
    inside = (Channel(i, j) for i, j in channels(n) if (i <= n // 2) == (j <= n // 2))
    return StraightLine.of(n, _at_once(inside))


def surrounded_transfer(n: int) -> StraightLine:
    """A transfer with an exchange in both halves before it and after it.

    In every run, each process of the first half starts before all sends of the transfer, and each process of
    the second half ends after all receives of the transfer.

    >>> print(surrounded_transfer(2))
    mt 1->2
    """
    return exchange_in_halves(n).then(transfer(n)).then(exchange_in_halves(n))


def _at_once(used: Iterable[Channel]) -> Iterator[Event]:
    """A send on each channel, then a receive on each."""
    used = list(used)
    yield from (snd(*channel) for channel in used)
    yield from (rcv(channel.receiver, channel.sender) for channel in used)


def transmitting_at_most(n: int, most: int, used: Sequence[Channel]) -> list[StraightLine]:
    """All sequences of at most `most` transmissions on these channels.

    >>> [str(q) for q in transmitting_at_most(3, 1, [Channel(1, 2), Channel(2, 1)])]
    ['eps', 'mt 1->2', 'mt 2->1']
    """
    chosen = (channels for length in range(most + 1) for channels in product(used, repeat=length))
    programs = (StraightLine.of(n, [event for channel in each for event in mt(*channel)]) for each in chosen)
    return list(dict.fromkeys(programs))


def there_and_back(rounds: int) -> StraightLine:
    """A message and its answer, `rounds` times.

    >>> print(there_and_back(1))
    mt 1->2; mt 2->1
    """
    return StraightLine.of(2, rounds * (mt(1, 2) + mt(2, 1)))


def phase(n: int) -> StraightLine:
    """The paper's example L: all processes but 1 exchange messages, and then report to process 1.

    Source: the example after `th:sealability`.

    >>> print(phase(3))
    snd 2->3; mt 3->2; mt 2->1; rcv 3<-2; mt 3->1
    """
    others = range(2, n + 1)
    exchanged = [Channel(i, k) for i in others for k in others if i != k]
    reports = [Channel(i, 1) for i in others]
    return StraightLine.of(n, [*_at_once(exchanged), *_at_once(reports)])


def phase_seal(n: int) -> StraightLine:
    """The paper's S, which seals L: process 1 transmits a message to each of the others.

    Source: the example after `th:sealability`.

    >>> print(phase_seal(3))
    mt 1->2; mt 1->3
    """
    return StraightLine.of(n, [event for i in range(2, n + 1) for event in mt(1, i)])
