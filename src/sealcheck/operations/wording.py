"""Write lists, abridged lines and causal chains in words.

Each event of a causal chain happens before the next event in every run.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from sealcheck.algorithms.sealing import Chain
from sealcheck.language.names import NUMBERS, Names
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import StraightLine
from sealcheck.words import counted

MOST_LINES = 200
"""The most lines of one kind that are always shown."""
NEARBY = 5
"""The number of lines that are shown before and after an important line."""


def listed(items: Iterable[object], most: int = 60) -> str:
    """The items, separated by commas. Items beyond `most` are left out.

    >>> listed([1, 2, 3]), listed([]), listed(range(5), most=2)
    ('1, 2, 3', 'none', '0, 1, ... (5 in all)')
    """
    items = list(items)
    if len(items) <= most:
        return ", ".join(map(str, items)) or "none"
    return f"{', '.join(map(str, islice(items, most)))}, ... ({len(items)} in all)"


def abridged(count: int, line: Callable[[int], str], matter: Iterable[int] = ()) -> Iterator[str]:
    """The lines 0..count-1. If there are more than `MOST_LINES`, lines in the middle are left out.

    Lines whose numbers are in `matter`, and `NEARBY` lines before and after them, stay.

    >>> lines = list(abridged(1000, "line {}".format, matter=[500]))
    >>> lines[99:102], lines[112:114]
    (['line 99', '... (395 lines left out)', 'line 495'], ['... (394 lines left out)', 'line 900'])
    """
    half = MOST_LINES // 2
    shown = [range(count)]
    if count > MOST_LINES:
        near = (range(max(k - NEARBY, 0), min(k + NEARBY + 1, count)) for k in matter)
        shown = [range(half), range(count - half, count), *near]
    following = 0
    for number in sorted(set(chain.from_iterable(shown))):
        if number > following:
            yield f"... ({counted(number - following, 'line')} left out)"
        yield line(number)
        following = number + 1


MOST_PLACES = 20
"""The most events of a chain that are shown. In a longer chain, events in the middle are left out."""

LEGEND = "(... later in the same process;  -> from the k'th send to the k'th receive of a channel)"


def chain_lines(
    p: StraightLine, q: StraightLine, chains: Sequence[Chain], names: Names = NUMBERS
) -> Iterator[str]:
    """An aligned line for each chain, and a legend.

    >>> from sealcheck.algorithms.sealing import decide
    >>> from sealcheck.programs.straight_line import mt
    >>> p, q = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))
    >>> for line in chain_lines(p, q, decide(p, q).chains):
    ...     print(line)
      1->2:  rcv 2<-1 (P) ... snd 2->1 (Q) -> rcv 1<-2 (Q) ... the end of process 1
    <BLANKLINE>
      (... later in the same process;  -> from the k'th send to the k'th receive of a channel)
    """
    width = max(len(names.channel(chain.channel)) for chain in chains)
    program, inside = p.then(q), [len(share) for share in p.shares]

    def said(place: Place) -> str:
        name = "P" if place.position <= inside[place.process - 1] else "Q"
        return f"{names.event(program.shares[place.process - 1][place.position - 1])} ({name})"

    def line(number: int) -> str:
        chain = chains[number]
        process = "" if names.listed else "process "
        end = "" if chain.to_send else f" ... the end of {process}{names.process(chain.channel.sender)}"
        return f"  {names.channel(chain.channel)}:".ljust(width + 5) + links(chain.places, said) + end

    yield from abridged(len(chains), line)
    yield ""
    yield f"  {LEGEND}"


def links(places: Sequence[Place], said: Callable[[Place], str]) -> str:
    """The events of a chain, written by `said`, with a sign between each event and the next."""
    text, previous = "", None
    left_out = range(MOST_PLACES // 2, len(places) - MOST_PLACES // 2)
    for number, place in enumerate(places):
        if number in left_out:
            if number == left_out.start:
                text += f" [{counted(len(left_out), 'event')} left out]"
        else:
            if previous:
                text += " ... " if place.process == previous.process else " -> "
            text += said(place)
        previous = place
    return text
