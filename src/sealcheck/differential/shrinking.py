"""Shrinking an instance about which an implementation is wrong, as long as it stays wrong."""

from collections.abc import Callable, Iterator

from sealcheck.differential.simpler_ports import simpler
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt
from sealcheck.questions.instance import Instance


def shrunk(instance: Instance, fails: Callable[[Instance], bool]) -> Instance:
    """An instance that fails, as the given one does, while none of its `smaller` ones does.

    >>> from sealcheck.programs.straight_line import mt
    >>> p = StraightLine.of(3, mt(1, 3) + mt(3, 1) + mt(1, 3))
    >>> print(shrunk(Instance.of(p), lambda instance: instance.messages > 1))
    mt 1->2; mt 1->2
    """
    found: Instance | None = instance
    while found is not None:
        instance = found
        found = next((each for each in smaller(instance) if fails(each)), None)
    return instance


def smaller(instance: Instance) -> Iterator[Instance]:
    """Instances with one process less (two become one) or one message less, and the canonical one."""
    if instance.is_over_ports:
        proposed = [*simpler(instance), instance.canonical()]
    else:
        proposed = [
            *_with_one_process_less(instance),
            *_with_one_message_less(instance),
            instance.canonical(),
        ]
    yield from sorted((each for each in proposed if each.size < instance.size), key=lambda each: each.size)


def _with_one_process_less(instance: Instance) -> Iterator[Instance]:
    """One process takes over the events of another, without the messages between the two."""
    if not all(program.is_deadlock_free for program in instance.straight):
        return
    for gone in range(2, instance.n + 1):
        for heir in range(1, gone):
            names = [heir if k == gone else k - (k > gone) for k in range(1, instance.n + 1)]
            yield Instance.of(*(_merged(program, names) for program in instance.straight))


def _merged(program: StraightLine, names: list[int]) -> StraightLine:
    events = (Event(e.kind, names[e.sender - 1], names[e.receiver - 1]) for e in program.linearization)
    return StraightLine.of(program.n - 1, (e for e in events if e.sender != e.receiver))


def _with_one_message_less(instance: Instance) -> Iterator[Instance]:
    """The k'th send and the k'th receive on a channel are gone."""
    programs = instance.straight
    for number, program in enumerate(programs):
        for channel in sorted({event.channel for share in program.shares for event in share}):
            for k in range(min(program.shares[e.process - 1].count(e) for e in mt(*channel))):
                less = _without(program, channel, k)
                yield Instance.of(*programs[:number], less, *programs[number + 1 :])


def _without(program: StraightLine, channel: Channel, k: int) -> StraightLine:
    shares = [list(share) for share in program.shares]
    for event in mt(*channel):
        share = shares[event.process - 1]
        del share[[at for at, other in enumerate(share) if other == event][k]]
    return StraightLine(tuple(map(tuple, shares)))
