"""Make pictures of programs, of answers about programs, and of runs.

Layers are programs that run one after the other without barriers, each process at its own pace. Q seals P if,
in P;Q, no receive of P can take a message of Q or of what follows Q. A *later message* is a message that is
sent after P, by Q or by what follows Q.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import accumulate
from typing import Any, TypeGuard

from sealcheck.algorithms import phases, sealing
from sealcheck.algorithms.clocks import Causality
from sealcheck.algorithms.port_runs import Play, PortInterferes, PortRun
from sealcheck.algorithms.port_seals import PortSealing, Unsealed, decide_seal
from sealcheck.algorithms.ports import PortDecision, decide_ports
from sealcheck.algorithms.signature import signature
from sealcheck.drawing.picture import Chain, Picture
from sealcheck.errors import InputError, blaming
from sealcheck.language.names import NUMBERS, Names
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.ports import parse_port, recorded_phases
from sealcheck.programs.phases import Phases, Rounds, layered
from sealcheck.programs.ports import PortEvent, PortProgram
from sealcheck.programs.protocol import PortPhases
from sealcheck.programs.runs import Place, Run, fifo_run, last_receives
from sealcheck.programs.straight_line import Channel, Event, StraightLine, rcv, snd
from sealcheck.programs.syntax import Cut, Path, Program, Receive, Send, communicates, paths
from sealcheck.words import counted

LATER = "later"
"""The name of the last layer, which has the events after all other layers."""

MOST_OPENED = 12
"""The most open channels that a caption lists."""

Layers = Mapping[str, StraightLine]
"""Programs by their names, in order."""


def of_program(layers: Layers, names: Names = NUMBERS) -> Picture:
    """The program graph of programs in sequence (section `sec:rel`).

    An edge joins the k'th send and the k'th receive of a channel. A channel is open if a receive of the
    programs can take a message that is sent after the programs. The open channels are marked if the programs,
    as one program, are balanced and have at most `MOST_CROSSED` processes.

    Raises InputError if the programs are over different processes, or deadlock. O(events * n / wordsize).

    >>> from sealcheck.programs.straight_line import mt
    >>> picture = of_program({"P": StraightLine.of(2, mt(1, 2))})
    >>> picture.title, picture.open
    ('Program graph of P', frozenset({Place(process=2, position=1)}))
    """
    run = _in_order(layers)
    marked = _open(run.program)
    sizes = counted(run.program.messages, "message")
    among = counted(run.program.n, "process", "processes")
    opened = names.channels(sorted({run.event(place).channel for place in marked}))
    shown = opened[:MOST_OPENED] + ([f"... ({len(opened)} in all)"] if len(opened) > MOST_OPENED else [])
    left = f" It leaves {', '.join(shown)} open." if opened else ""
    said = f"{sizes} among {among}.{left}"
    title = f"Program graph of {'; '.join(layers)}"
    return Picture(
        run, tuple(layers), _owners(run, layers), title, said, names=names, open=marked, is_program=True
    )


def of_run(
    run: Run, layers: Layers, title: str, *, wrong: Place | None = None, names: Names = NUMBERS
) -> Picture:
    """A run of programs in sequence. The events after all programs form the layer `LATER`."""
    said = f"A run of {'; '.join(layers)}."
    picture = Picture(run, (*layers, LATER), _owners(run, layers), title, said, names=names, wrong=wrong)
    return picture if wrong is None else told(picture, f"In this run of {'; '.join(layers)}")


def of_sealing(
    p: StraightLine, q: StraightLine, found: sealing.Seals | sealing.Interferes, names: Names = NUMBERS
) -> Picture:
    """The answer whether Q seals P: P;Q with causal chains, or the run in which P takes a later message.

    >>> from sealcheck.algorithms.sealing import decide
    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> print(of_sealing(once, once, decide(once, once)).description)
    In this run of P; Q, rcv 2<-1 in P takes a message of Q.
    """
    layers: dict[str, StraightLine] = {"P": p, "Q": q}
    if isinstance(found, sealing.Seals):
        run = _in_order(layers)
        chains, owners = _drawn(found.chains), _owners(run, layers)
        said = "The causal chains keep every later message out of P." if chains else "P receives nothing."
        return Picture(
            run, ("P", "Q"), owners, "Q seals P", said, names=names, chains=chains, is_program=True
        )
    if found.later.length:
        layers["R"] = found.later
    return of_run(found.run, layers, "Q does not seal P", wrong=found.receive, names=names)


def with_chains(picture: Picture, p: StraightLine, q: StraightLine) -> Picture:
    """The picture of a run of P;Q.

    The picture has causal chains if channels deliver in order in the run, and Q seals P.

    >>> from sealcheck.programs.straight_line import mt
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> layers = {"P": there, "Q": back}
    >>> len(with_chains(of_run(fifo_run(there.then(back)), layers, "a run"), there, back).chains)
    1
    """
    if not all(each.is_balanced and each.is_deadlock_free for each in (p, q)):
        return picture
    match sealing.decide(p, q):
        case sealing.Seals(chains) if picture.run.matching == fifo_run(picture.run.program).matching:
            said = f"{picture.description} The causal chains keep every later message out of P."
            return replace(picture, description=said, chains=_drawn(chains))
        case sealing.Seals() | sealing.Interferes():
            return picture


def _drawn(chains: Iterable[sealing.Chain]) -> tuple[Chain, ...]:
    return tuple(Chain(chain.places, not chain.to_send) for chain in chains)


def of_phases(decision: phases.Decision, names: Names = NUMBERS) -> Picture:
    """The answer whether layers stay apart: the layers with causal chains, or a run that refutes it.

    >>> from sealcheck.programs.straight_line import mt
    >>> from sealcheck.programs.phases import Phases
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> of_phases(phases.decide(Phases((once, once)))).title
    'The layers interfere on 1->2'
    """
    if decision.interfering:
        return of_interference(decision.interfering[0], names)
    rounds, layers = decision.rounds, layer_names(decision.rounds)[:-1]
    run = _in_order(dict(zip(layers, rounds.layers, strict=True)))
    owners = {place: rounds.owner(place) for place in run.order}
    title, said = "The layers stay apart", "The causal chains keep each layer's messages inside it."
    chains = _drawn(decision.chains)
    return Picture(run, layers, owners, title, said, names=names, chains=chains, is_program=True)


def of_interference(found: phases.RootCause, names: Names = NUMBERS) -> Picture:
    """The run up to the receive of one layer that takes a message of another layer."""
    owners = {place: found.rounds.owner(place) for place in found.run.order}
    title = f"The layers interfere on {names.channel(found.channel)}"
    layers = layer_names(found.rounds)
    picture = Picture(found.run, layers, owners, title, "", names=names, wrong=found.receive)
    return told(picture, "In this run")


def of_ports(decision: PortDecision, titles: Sequence[str], names: Names = NUMBERS) -> Picture:
    """The answer whether layers over ports stay apart: an execution, or a shortest run that refutes it."""
    if decision.interfering:
        return of_port_interference(decision.shortest, titles, names)
    picture = _in_a_row(decision.about, decision.about.protocol.shortest_whole(), titles, names)
    return replace(picture, title="The layers stay apart", description="An execution of the layers.")


def of_port_interference(found: PortInterferes, titles: Sequence[str], names: Names = NUMBERS) -> Picture:
    """The run up to the receive of one layer that takes a message of another layer."""
    picture = _of_word(
        found.about, found.word, titles, names, found.run.order, found.run.matching, found.later
    )
    title = f"The layers interfere on {names.port(found.port)}"
    return told(replace(picture, title=title, wrong=found.run.receive), "In this run")


def of_port_sealing(decision: PortSealing, names: Names = NUMBERS) -> Picture:
    """The answer whether Q seals P over ports: an execution of P; Q, or a shortest run that refutes it."""
    if decision.unsealed:
        return of_unsealed(decision.shortest, names)
    picture = _in_a_row(decision.about, (0, 1), NAMED[:2], names)
    return replace(picture, title="Q seals P", description="An execution of P; Q.")


def of_unsealed(found: Unsealed, names: Names = NUMBERS) -> Picture:
    """The run up to the receive at which P takes a later message, or loses a message to a later receive."""
    picture = of_port_interference(found.interferes, NAMED, names)
    return replace(picture, title="Q does not seal P")


NAMED = ("P", "Q", "R")
"""Programs in sequence."""


def _in_a_row(about: PortPhases, word: Sequence[int], titles: Sequence[str], names: Names) -> Picture:
    """An execution of a sequence of layers, in which each receive takes the oldest message of its layer."""
    play = Play(about, word)
    play.on(0, 0)
    return _of_word(about, word, titles, names, play.order, play.matching)


def _of_word(
    about: PortPhases,
    word: Sequence[int],
    titles: Sequence[str],
    names: Names,
    order: Iterable[Place],
    matching: dict[Place, Place],
    later: PortEvent | None = None,
) -> Picture:
    """The picture of events in a sequence of layers. A receive from any source names its message's sender."""
    order = tuple(order)
    layers = [*about.of_word(word), PortProgram.of(about.n, [later] if later else [])]
    flat = [
        [(event, at) for at, layer in enumerate(layers) for event in layer.shares[k]] for k in range(about.n)
    ]
    shares: list[list[Event]] = [[] for _ in flat]
    owners, texts = dict[Place, int](), dict[Place, str]()
    for place in order:
        event, owners[place] = flat[place.process - 1][place.position - 1]
        texts[place] = event.told(names.quoted)
        sender = event.sender if event.is_send else matching[place].process
        shares[place.process - 1].append(Event(event.kind, sender, event.receiver))
    run = Run(StraightLine(tuple(map(tuple, shares))), order, matching)
    called = (*(about.title(word, at, titles) for at in range(len(word))), LATER)
    return Picture(run, called, owners, title="", description="", names=names, texts=texts)


def layer_names(rounds: Rounds) -> tuple[str, ...]:
    """The names of the layers of all rounds, and the name of the layer after all rounds."""
    return (*map(rounds.title, range(len(rounds.layers))), LATER)


def told(picture: Picture, where: str) -> Picture:
    """The picture, with a sentence that explains the fault."""
    receive = picture.wrong
    assert receive is not None
    event = picture.said(receive)
    taken, source = picture.layer(receive), picture.layer(picture.run.matching[receive])
    return replace(picture, description=f"{where}, {event} in {taken} takes a message of {source}.")


def _in_order(layers: Layers) -> Run:
    """The run in which channels deliver in order. If possible, layers happen one after the other."""
    programs = list(layers.values())
    if len({program.n for program in programs}) > 1:
        raise InputError("the programs are over different processes")
    whole = layered(programs[0].n, programs)
    run = fifo_run(whole)
    if all(each.is_balanced and each.is_deadlock_free for each in programs):
        return Run(whole, tuple(_layer_by_layer(programs)), run.matching)
    return run


def _layer_by_layer(programs: Iterable[StraightLine]) -> Iterable[Place]:
    before: list[int] = []
    for program in programs:
        before = before or [0] * program.n
        for place in fifo_run(program).order:
            yield Place(place.process, place.position + before[place.process - 1])
        before = [done + len(share) for done, share in zip(before, program.shares, strict=True)]


def _owners(run: Run, layers: Layers) -> dict[Place, int]:
    """The index of the layer of each event. Events after all layers are in one more layer."""
    ends = [list(accumulate(len(each.shares[k]) for each in layers.values())) for k in range(run.program.n)]
    return {place: sum(end < place.position for end in ends[place.process - 1]) for place in run.order}


def _open(program: StraightLine) -> frozenset[Place]:
    """The last receive on each open channel."""
    if not program.is_balanced or program.n > MOST_CROSSED:
        return frozenset()
    last = last_receives(program)
    return frozenset(last[channel] for channel in signature(program).open_channels)


MOST_CROSSED = 1_000
"""The most processes of a program whose open channels are marked."""


def of_recorded(document: Mapping[str, Any], port: str = "") -> Picture:
    """The run in an answer that the kernel has accepted.

    If there are several runs, the run with the root cause `port` is drawn, and by default the first run. A
    port is written as `phases` prints it. If the answer is yes, there is no run, and the picture shows
    something else:

    - If Q seals P, the picture has P, a seal, and the causal chains.
    - If layers stay apart, the picture has an execution of the layers. For layers over channels, the picture
      also has causal chains.

    Raises InputError if the answer has nothing to draw, or if the answer has no run for `port`.
    """
    if "safe" in document:
        return _of_layers(document, port)
    if "interfering" in document:
        return _of_seal(document, port)
    if port:
        raise InputError("a port is a root cause of phases, or of decide over ports; this is another answer")
    run, names = document.get("certificate", document), Names(tuple(document.get("processes", ())))
    if run["kind"] != "run":
        return _of_seal_that_holds(document, names)
    p, q, later = (parse_straight_line(run[key], run["n"]) for key in ("p", "q", "later"))
    layers = {"P": p, "Q": q} | ({"R": later} if later.length else {})
    order, matching = _recorded(run)
    whole = Run(p.then(q).then(later), order, matching)
    with blaming("this is not a run"):
        whole.check()
    return of_run(whole, layers, "Q does not seal P", wrong=Place(*run["receive"]), names=names)


def _of_seal_that_holds(document: Mapping[str, Any], names: Names) -> Picture:
    """The picture of an answer of `decide` or `seal` without a run."""
    found = document["certificate"]
    if document.get("sealable") is False:
        raise InputError("no program seals P, and there is no run that shows this: there is nothing to draw")
    seal = found["q"] if "seals" in document else document["seal"]
    p, q = (parse_straight_line(text, found["n"]) for text in (found["p"], seal))
    return of_sealing(p, q, sealing.decide(p, q), names)


def root_cause(document: Mapping[str, Any], port: str) -> int:
    """The index, in an answer, of the root cause on `port`. The port is written as printed, or as a channel.

    Raises InputError if there is no such root cause.

    >>> root_cause({"interfering": [{"port": "2<-1"}, {"port": "3<-*:job"}]}, "3<-*:job")
    1
    """
    names = Names(tuple(document.get("processes", ())))
    ports = [parse_port(each["port"], NUMBERS) for each in document["interfering"]]
    for index, found in enumerate(ports):
        channel = Channel(found.sender, found.reader)
        channels = {str(channel), names.channel(channel)} if found.sender and not found.tag else set()
        if port.strip() in {str(found), names.port(found), names.quoted_port(found), *channels}:
            return index
    known = ", ".join(map(names.port, ports)) or "none, since the answer is yes"
    raise InputError(f"'{port}' is not a root cause; root causes are: {known}")


def _of_layers(document: Mapping[str, Any], port: str) -> Picture:
    chosen = root_cause(document, port) if port else 0
    certificate, names = document["certificate"], Names(tuple(document.get("processes", ())))
    n = certificate["n"]
    numbered = [f"layer {number}" for number in range(1, len(certificate["layers"]) + 1)]
    titles = document.get("layers", numbered)
    if certificate["kind"] == "ports":
        decision = decide_ports(recorded_phases(certificate))
        if not port:
            return of_ports(decision, titles, names)
        written = document["interfering"][chosen]["port"]
        found = next(each for each in decision.interfering if str(each.port) == written)
        return of_port_interference(found.shortened(), titles, names)
    if certificate["kind"] == "port-search":
        searched = _recorded_run(certificate, document["interfering"][chosen])
        return of_port_interference(searched, titles, names)
    layers = tuple(parse_straight_line(text, n) for text in certificate["layers"])
    about = Phases(layers, certificate["repeat"], certificate["open"], tuple(titles))
    if not document["interfering"]:
        return of_phases(phases.decide(about), names)
    run = document["interfering"][chosen]["run"]
    rounds = about.rounds(phases.ROUNDS if about.repeat and not about.open else 1)
    channel, receive, send = Channel(*run["channel"]), Place(*run["receive"]), Place(*run["send"])
    causality = Causality(rounds.layers)
    return of_interference(phases.RootCause(causality, rounds, channel, receive, send), names)


def _of_seal(document: Mapping[str, Any], port: str) -> Picture:
    names = Names(tuple(document.get("processes", ())))
    decision = decide_seal(recorded_phases(document["certificate"]))
    if not port:
        return of_port_sealing(decision, names)
    written = document["interfering"][root_cause(document, port)]["port"]
    return of_unsealed(next(each for each in decision.unsealed if str(each.port) == written), names)


def _recorded(run: Mapping[str, Any]) -> tuple[tuple[Place, ...], dict[Place, Place]]:
    order = tuple(Place(*place) for place in run["order"])
    return order, {Place(*receive): Place(*send) for receive, send in run["matching"]}


def _recorded_run(certificate: Mapping[str, Any], found: Mapping[str, Any]) -> PortInterferes:
    """The run of a search, read from an accepted certificate."""
    about, run = recorded_phases(certificate), found["run"]
    order, matching = _recorded(run)
    words = about.protocol.words(len(run["word"]), whole=False)
    word = next(each for each in words if [about.protocol.layers[at] + 1 for at in each] == run["word"])
    return PortInterferes.of_run(about, word, PortRun(order, matching, order[-1], matching[order[-1]]))


Plain = tuple[Send | Receive | Cut, ...]
"""A path without guards and assignments."""


def of_paths(programs: Mapping[str, Program], n: int, title: str) -> Picture | None:
    """A run of the programs in sequence, with channels that deliver in order.

    Each program takes a path, which is one way through its choices and repetitions. Only paths of sends,
    receives and silent cuts are taken: a shortest path with a send or receive or, if there is none, any
    shortest path. A message that is not received before a silent cut is never received. None if a program has
    no such path, if a receive finds no message, or if the run is empty. Linear in the number of paths.

    >>> from sealcheck.language.parser import parse
    >>> found = of_paths({"P": parse("mt 1->2; cut")}, 2, "P")
    >>> found and (found.layers, found.description)
    (('P', 'P: cut'), 'A run of P. No message crosses a silent cut.')
    >>> of_paths({"P": parse("[1.x = 0]; mt 1->2")}, 2, "P") is None
    True
    """
    running = _Running(n)
    for name, program in programs.items():
        path = _shortest(program)
        if path is None or not running.goes_along(name, path):
            return None
    if not running.order:
        return None
    said = [f"A run of {'; '.join(programs)}."]
    said += ["No message crosses a silent cut."] if running.cuts else []
    lost = sum(event.is_send for event in running.events) - len(running.matching)
    said += [f"{counted(lost, 'message is', 'messages are')} never received."] if lost else []
    run = Run(StraightLine.of(n, running.events), tuple(running.order), running.matching)
    run.check()
    return Picture(run, tuple(running.layers), running.owners, title, " ".join(said), is_program=True)


def _shortest(program: Program) -> Plain | None:
    """A shortest path without guards and assignments. If possible, the path communicates."""
    plain = (path for path in paths(program) if _is_plain(path))
    return min(plain, key=lambda path: (not communicates(path), len(path), repr(path)), default=None)


def _is_plain(path: Path) -> TypeGuard[Plain]:
    return all(isinstance(part, Send | Receive | Cut) for part in path)


@dataclass
class _Running:
    n: int
    _: KW_ONLY
    layers: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    order: list[Place] = field(default_factory=list)
    owners: dict[Place, int] = field(default_factory=dict)
    matching: dict[Place, Place] = field(default_factory=dict)
    waiting: dict[Channel, deque[Place]] = field(default_factory=lambda: defaultdict(deque))
    cuts: int = 0

    def goes_along(self, name: str, path: Plain) -> bool:
        """Add the path to the run. Each silent cut begins a layer. False if a receive finds no message."""
        last: object = Cut()
        for part in path:
            if isinstance(part, Cut):
                self.layers.append(f"{name}: cut")
                self.waiting.clear()
                self.cuts += 1
            else:
                self.layers += [name] if isinstance(last, Cut) else []
                if not self._happens(part):
                    return False
            last = part
        return True

    def _happens(self, part: Send | Receive) -> bool:
        sender, receiver = part.sender, part.receiver
        event = snd(sender, receiver) if isinstance(part, Send) else rcv(receiver, sender)
        place = Place(event.process, 1 + sum(other.process == event.process for other in self.events))
        if event.is_send:
            self.waiting[event.channel].append(place)
        elif self.waiting[event.channel]:
            self.matching[place] = self.waiting[event.channel].popleft()
        else:
            return False
        self.events.append(event)
        self.order.append(place)
        self.owners[place] = len(self.layers) - 1
        return True
