"""Questions about layers over ports: do they stay apart, and which ports are root causes?

A *port* holds messages until its reader receives them. Layers *stay apart* if each receive takes a message of
its own layer and round. A port is a *root cause* if a receive on the port can be the first to take a message
of another layer or round.

The layers are called P, Q and so on. The instance can have these flags:

- `repeat`: the layers run any number of rounds;
- `open`: anything may follow;
- the guarantee of a port, such as ``2<-*:x=fifo, lossy``;
- if the layers are not in sequence, the protocol, such as ``protocol=P (Q | R)*``.

A *word* is a sequence of layers that the protocol allows. The explorer and the solvers try all words up to a
number of rounds. Two rounds are enough: if a receive takes a message of another layer, the rounds between the
layer of the receive and the layer of the message can be left out.
"""

from functools import lru_cache

from sealcheck.algorithms.phases import ROUNDS, interfering_by_signatures
from sealcheck.algorithms.ports import decide_ports
from sealcheck.encodings import ports as formulas
from sealcheck.errors import Disagreement, InputError
from sealcheck.explorers import ports as explorer
from sealcheck.language.names import NUMBERS
from sealcheck.language.ports import parse_expression, parse_port
from sealcheck.operations.port_answers import evidence
from sealcheck.operations.ports import staying_apart_over_ports
from sealcheck.programs.phases import OPEN, REPEAT, Phases
from sealcheck.programs.ports import ANY, Guarantee, Port, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Event, StraightLine
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.questions.question import (
    BOOLEAN,
    LAYERS,
    PORTS,
    CannotAnswer,
    DefinedFor,
    Oracle,
    Question,
    Symbolic,
    none,
)
from sealcheck.questions.straight_lines import VERIFIED, by_operation, checked, require_rel
from sealcheck.questions.verified_checker import checker, is_installed, refused

PROTOCOL = "protocol"

EXPLORED_EVENTS, EXPLORED_WORDS = 16, 20
"""The most events in a word, and the most words, for exploring all executions."""

SOLVED_EVENTS, SOLVED_WORDS = 12, 6
"""The most events in a word, and the most words, for solvers."""


@lru_cache(maxsize=64)
def as_port_phases(instance: Instance) -> PortPhases:
    """The layers and flags of an instance. Raises InputError if the layers or flags are not allowed."""
    layers = instance.over_ports
    words = [flag for flag in instance.flags if "=" not in flag]
    if unknown := set(words) - {REPEAT, OPEN}:
        raise InputError(f"'{min(unknown)}' is not a flag of layers over ports")
    given = instance.said
    expression = given.pop(PROTOCOL, None)
    if expression is None:
        protocol = Protocol.sequence(len(layers), repeat=REPEAT in words)
    elif REPEAT in words:
        raise InputError(f"'{REPEAT}' and a protocol contradict: write it into the protocol")
    else:
        protocol = Protocol.of(parse_expression(expression, NAMES[: len(layers)]))
    guarantees = {
        parse_port(port, NUMBERS): Guarantee.of(word.strip() for word in said.split(","))
        for port, said in given.items()
    }
    return PortPhases(layers, protocol, guarantees, OPEN in words)


def in_sequence(about: PortPhases, *, repeat: bool = False) -> Instance:
    """The instance of layers in sequence, or in rounds. Inverse of `as_port_phases`.  O(events)."""
    flags = [f"{port}={guarantee}" for port, guarantee in about.guarantees.items() if any(guarantee)]
    flags += [OPEN] * about.open + [REPEAT] * repeat
    return Instance(about.n, about.layers, tuple(sorted(flags)))


def _about(instance: Instance, semantics: Semantics) -> PortPhases:
    """The layers. Raises CannotAnswer unless the model is Rel."""
    require_rel(semantics)
    return as_port_phases(instance)


def by_counting(instance: Instance, semantics: Semantics) -> frozenset[Port]:
    """The root causes, by counting which messages can arrive before a layer's last receive on a port."""
    return frozenset(found.port for found in decide_ports(_about(instance, semantics)).interfering)


def ports_by_signatures(instance: Instance, semantics: Semantics) -> frozenset[Port]:
    """The root causes among the paper's channels, by signatures. Raises CannotAnswer for other ports."""
    about = _about(instance, semantics)
    if any(port.sender == ANY or port.tag or any(about.guarantee(port)) for port in about.used):
        raise CannotAnswer("it only knows bags of one sender, without tags")
    if any(flag.startswith(PROTOCOL) for flag in instance.flags):
        raise CannotAnswer("it only knows layers in sequence")
    plain = tuple(map(_plain, about.layers))
    found = interfering_by_signatures(Phases(plain, REPEAT in instance.flags, about.open))
    return frozenset(Port(channel.receiver, channel.sender) for channel in found)


def _plain(layer: PortProgram) -> StraightLine:
    return StraightLine(
        tuple(tuple(Event(e.kind, e.sender, e.receiver) for e in share) for share in layer.shares)
    )


def by_kernel(instance: Instance, semantics: Semantics) -> bool:
    """Whether `staying_apart_over_ports` says yes. The kernel checks its closed sets and runs."""
    about = _about(instance, semantics)
    return by_operation(staying_apart_over_ports(about, NAMES[: len(about.layers)], propose=False))


_SHARES = "nothing: it is extracted from a proof; counting only proposes the certificate that it checks"


def by_certificate(instance: Instance, semantics: Semantics) -> bool:
    """The answer of `by_kernel`, if the verified checker accepts its certificate, too.

    Raises Disagreement if the verified checker rejects the certificate.
    """
    about = _about(instance, semantics)
    found = staying_apart_over_ports(about, NAMES[: len(about.layers)], propose=False)
    answer = by_operation(found)
    if why := refused(checker().ask({"answer": evidence(found.document)}), "a certificate"):
        raise Disagreement(f"port-phases, on {instance}: {why}")
    return answer


def _explored(instance: Instance, semantics: Semantics) -> tuple[PortPhases, int]:
    return _short(instance, semantics, EXPLORED_EVENTS, EXPLORED_WORDS)


def _solvable(instance: Instance, semantics: Semantics) -> tuple[PortPhases, int]:
    return _short(instance, semantics, SOLVED_EVENTS, SOLVED_WORDS)


def _short(instance: Instance, semantics: Semantics, events: int, words: int) -> tuple[PortPhases, int]:
    """The layers, and the largest number of layers in a word.

    Raises CannotAnswer if words are too long, or too many.
    """
    about = _about(instance, semantics)
    occurrences = range(len(about.protocol.layers))
    if semantics.unroll < ROUNDS and any(map(about.protocol.comes_again, occurrences)):
        raise CannotAnswer("one round does not show what happens in several rounds")
    most = max(semantics.unroll, ROUNDS) * len(occurrences)
    for number, word in enumerate(about.protocol.words(most, whole=about.open)):
        if number == words:
            raise CannotAnswer(f"there are more than {words} words")
        if sum(len(share) for layer in about.of_word(word) for share in layer.shares) > events:
            raise CannotAnswer(f"a word has more than {events} events")
    return about, most


def _is_over_ports(instance: Instance) -> bool:
    if not all(isinstance(program, StraightLine | PortProgram) for program in instance.programs):
        return False
    try:
        about = as_port_phases(instance)
    except InputError:
        return False
    events = (event for layer in about.layers for event in layer.events)
    has_self_channels = any(event.sender == event.receiver for event in events)
    return all(layer.n == instance.n for layer in about.layers) and not has_self_channels


OVER_PORTS = DefinedFor(
    "balanced layers over ports that do not deadlock, without receives that overlap; flags:"
    f" {REPEAT} (any number of rounds), or {PROTOCOL}=EXPRESSION of {', '.join(NAMES[:2])} and so on;"
    f" {OPEN} (anything may follow), PORT=GUARANTEES",
    _is_over_ports,
)

PORT_PHASES = Question(
    id="port-phases",
    text="In every execution, does each receive take a message of its own layer and round?",
    takes=LAYERS,
    domain=OVER_PORTS,
    answer=BOOLEAN,
    oracles=(
        Oracle("counting", none(by_counting)),
        Oracle("signatures", none(ports_by_signatures)),
        Oracle("explorer", lambda *asked: not explorer.goes_wrong(*_explored(*asked))),
        checked(by_kernel),
        *([Oracle(VERIFIED, by_certificate, _SHARES, is_checked=True)] if is_installed() else ()),
    ),
    symbolic=Symbolic(
        lambda about, within, solver: not formulas.goes_wrong(*_solvable(about, within), solver)
    ),
    certificate="closed sets for each layer and port; or a run for each root cause",
    per_second=200,
)

INTERFERING_PORTS = Question(
    id="interfering-ports",
    text="On which ports can a receive be the first to take another layer's message (root causes)?",
    takes=LAYERS,
    domain=OVER_PORTS,
    answer=PORTS,
    oracles=(
        Oracle("counting", by_counting),
        Oracle("signatures", ports_by_signatures),
        Oracle("explorer", lambda *asked: explorer.wrong_ports(*_explored(*asked))),
    ),
    symbolic=Symbolic(lambda about, within, solver: formulas.wrong_ports(*_solvable(about, within), solver)),
    per_second=100,
)
