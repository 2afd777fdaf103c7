"""Make an instance smaller while an implementation remains wrong about the instance.

An instance is the program, or programs, in a question.
"""

from collections.abc import Callable, Iterator, Sequence

from sealcheck.errors import InputError
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import parse_port
from sealcheck.programs.port_space import Renaming
from sealcheck.programs.ports import Port, PortEvent, PortProgram
from sealcheck.programs.straight_line import Channel, Event, StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.ports import as_port_phases


def shrunk(instance: Instance, fails: Callable[[Instance], bool]) -> Instance:
    """Shrink an instance that fails until none of its `smaller` instances fails.

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
    """Smaller instances: with one process or message less, or with processes renamed."""
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
    """Instances in which a process takes over another's events. Messages between the two are left out."""
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
    """Without the k'th send and the k'th receive on a channel in one program, for each channel and k."""
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


def simpler(instance: Instance) -> Iterator[Instance]:
    """Versions of an instance over ports, each without one idle process, layer, message, tag or flag.

    In further versions, some receives from any source name a sender instead.  O(messages^2).

    >>> from sealcheck.language.ports import parse_layers
    >>> n, _, layers = parse_layers({"P": "snd 1->2:x; rcv 2<-*:x"}, 3)
    >>> [str(each) for each in simpler(Instance(n, tuple(layers), ("2<-*:x=fifo", "open")))][:3]
    ['snd 1->2:x; rcv 2<-*:x   (2<-*:x=fifo)   (open)', 'eps   (open)', 'snd 1->2; rcv 2<-*   (open)']
    """
    for proposed in _proposed(instance):
        try:
            as_port_phases(proposed)
        except InputError:
            continue
        yield proposed


def _proposed(instance: Instance) -> Iterator[Instance]:
    layers, flags = instance.over_ports, instance.flags
    yield from _without_idle(instance)
    for at, layer in enumerate(layers):
        if len(layers) > 1:
            yield _with_layers(instance, [*layers[:at], *layers[at + 1 :]])
        for less in _with_one_port_message_less(layer):
            yield _with_layers(instance, [*layers[:at], less, *layers[at + 1 :]])
    for tag in sorted({event.tag for layer in layers for event in layer.events if event.tag}):
        yield _with_layers(instance, [_mapped(layer, tag) for layer in layers])
    for event in sorted({event for layer in layers for event in layer.events if event.is_send}):
        yield _with_layers(instance, [_naming(layer, event) for layer in layers])
    for at, flag in enumerate(flags):
        yield Instance(instance.n, layers, (*flags[:at], *flags[at + 1 :]))
        port, _, words = flag.partition("=")
        for word in words.split(", ") if ", " in words else ():
            yield Instance(instance.n, layers, (*flags[:at], f"{port}={word}", *flags[at + 1 :]))


def _with_layers(instance: Instance, layers: Sequence[PortProgram]) -> Instance:
    """The instance with other layers. Guarantees are left out if the layers do not use their ports."""
    receives = [event for layer in layers for event in layer.events if not event.is_send]
    used = {Port(event.receiver, event.sender, event.tag) for event in receives}
    flags = [flag for flag in instance.flags if "=" not in flag or _port(flag) in used]
    return Instance(instance.n, tuple(layers), tuple(flags))


def _port(flag: str) -> Port:
    return parse_port(flag.partition("=")[0], NUMBERS)


def _without_idle(instance: Instance) -> Iterator[Instance]:
    for gone in range(1, instance.n + 1):
        if instance.n > 2 and not any(layer.shares[gone - 1] for layer in instance.over_ports):
            names = Renaming(tuple(k - (k > gone) for k in range(instance.n + 1)), swaps=False)
            renamed = instance.renamed_over_ports(names)
            idle = [PortProgram(layer.shares[:-1]) for layer in renamed.over_ports]
            yield Instance(instance.n - 1, tuple(idle), renamed.flags)


def _with_one_port_message_less(layer: PortProgram) -> Iterator[PortProgram]:
    """The layer without a send, and without a receive that could take its message."""
    places = [(event, at) for share in layer.shares for at, event in enumerate(share)]
    for send, sent in places:
        for receive, received in places:
            if send.is_send and not receive.is_send and receive.takes(send):
                gone = {(send.process, sent), (receive.process, received)}
                yield PortProgram(
                    tuple(
                        tuple(event for at, event in enumerate(share) if (process, at) not in gone)
                        for process, share in enumerate(layer.shares, 1)
                    )
                )


def _mapped(layer: PortProgram, tag: str) -> PortProgram:
    """The layer without this tag."""
    return PortProgram(
        tuple(
            tuple(event._replace(tag="") if event.tag == tag else event for event in share)
            for share in layer.shares
        )
    )


def _naming(layer: PortProgram, send: PortEvent) -> PortProgram:
    """The layer in which receives from any source name the sender of `send`, if they can take its message."""
    return PortProgram(
        tuple(
            tuple(
                event._replace(sender=send.sender) if not event.is_send and event.takes(send) else event
                for event in share
            )
            for share in layer.shares
        )
    )
