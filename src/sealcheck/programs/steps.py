"""A run played step by step: what each event sends or takes, and what the channels hold after it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sealcheck.programs.events import Channel, Event
from sealcheck.programs.runs import Place, Run

Contents = Mapping[Channel, tuple[int, ...]]
"""The messages that each channel holds, by their numbers; channels that hold none are left out."""


@dataclass(frozen=True)
class Step:
    """One event of a run."""

    place: Place
    event: Event
    message: int
    """The number of the message that is sent or taken; messages are numbered in the order of sending."""
    contents: Contents
    """What is on its way after the event."""


def steps(run: Run) -> Iterator[Step]:
    """The events of a run in its order.  O(events * messages on their way).

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.runs import fifo_run
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> for step in steps(fifo_run(StraightLine.of(2, mt(1, 2)))):
    ...     print(step.event, step.message, {str(channel): held for channel, held in step.contents.items()})
    snd 1->2 1 {'1->2': (1,)}
    rcv 2<-1 1 {}
    """
    number: dict[Place, int] = {}
    contents: dict[Channel, tuple[int, ...]] = {}
    for place in run.order:
        event = run.event(place)
        held = contents.pop(event.channel, ())
        if event.is_send:
            number[place] = len(number) + 1
            message, held = number[place], (*held, number[place])
        else:
            message = number[run.matching[place]]
            held = tuple(other for other in held if other != message)
        if held:
            contents[event.channel] = held
        yield Step(place, event, message, dict(sorted(contents.items())))
