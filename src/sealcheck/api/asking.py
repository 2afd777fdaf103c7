"""Python functions that ask about programs: sealing, layers, signatures, refinement.

*Layers* are programs that follow each other without barriers: each process goes straight from its part of a
layer to its part of the next layer.  Layers *stay apart* if, in every execution, each receive takes a message
of its own layer.  Q *seals* P if, in every execution of P;Q, each receive of P takes a message of P, whatever
follows Q.
"""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from typing import Any, TypeVar, overload

from sealcheck.api.programs import Program, ProgramLike, as_call, program, together, typed
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.language.names import Names
from sealcheck.language.ports import Declared, is_over_ports, parse_layers
from sealcheck.operations.analysis import NO_SIGNATURE, analysis
from sealcheck.operations.definitions import Setting, refinement
from sealcheck.operations.phases import between, staying_apart
from sealcheck.operations.ports import staying_apart_over_ports
from sealcheck.operations.result import Result, with_names
from sealcheck.operations.sealing import decision, sealing, sealing_over_ports
from sealcheck.programs.phases import Phases
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import require_balanced_straight_line


@dataclass(frozen=True, repr=False, eq=False)
class Sealing(Result):
    """The answer whether a program can be sealed.  A yes has a seal."""

    _: KW_ONLY
    about: Program

    @property
    def program(self) -> Program | None:
        """The seal, if there is one."""
        text = self.document["seal"]
        if not isinstance(text, str):
            return None
        return Program(self.about.n, program(text, self.about.n).code, self.about.names)


@dataclass(frozen=True, repr=False, eq=False)
class Apart(Result):
    """The answer whether layers stay apart.  A no has acknowledgments, if any were found."""

    @property
    def acknowledgments(self) -> tuple[Program | str, ...] | None:
        """Programs that keep the layers apart if the k'th program is inserted after the k'th layer.

        If one of the programs has tags, all of them are given as texts.  Only if the layers are repeated or
        open, a program comes after the last layer.  None if the layers stay apart already, or if no
        acknowledgments were found.
        """
        remedies: Any = self.document["remedies"]
        if remedies is None or remedies["acknowledgments"] is None:
            return None
        texts: list[str] = remedies["acknowledgments"]
        return tuple(texts if any(map(is_over_ports, texts)) else map(program, texts))


@dataclass(frozen=True, repr=False, eq=False)
class Between(Apart):
    """The answer whether messages between P and Q can keep these two programs apart.

    The evidence for a yes shows that three layers stay apart: P, the messages, and Q.  The evidence for a no
    is about the two layers P and Q.
    """

    _: KW_ONLY
    program: Program | None
    """The messages: the fewest found that suffice.  `eps` if none are needed, None if none were found."""


E = TypeVar("E", bound=Enum)
R = TypeVar("R", bound=Result)

Channels = frozenset[tuple[int, int]]


@typed
def seals(
    p: ProgramLike,
    q: ProgramLike,
    *,
    self_channels: bool = False,
    order: str = "",
    transport: str = "",
    ports: Mapping[str, Sequence[str]] | None = None,
    n: int | None = None,
) -> Result:
    """Does Q properly seal P?  Source: `th:decide.sealing`.

    Texts may have tags and receives from any source.  `order`, `transport`, `ports` and `n` are as for
    `phases`.  Raises InputError if P or Q is not straight-line, is not balanced, or deadlocks.  Linear time
    over the paper's channels.  Over ports, see `sealcheck.algorithms.port_seals.decide_seal`.

    >>> bool(seals("mt 1->2", "mt 2->1")), bool(seals("mt 1->2", "mt 1->2"))
    (True, False)
    >>> bool(seals("mt 1->2", "mt 1->2", transport="tcp"))
    True
    >>> [bool(seals("snd 1->2:x; rcv 2<-*:x", "mt 2->1", n=n)) for n in (2, 3)]
    [True, False]
    """
    given = {"self_channels": self_channels, "order": order, "transport": transport, "ports": ports}
    call = as_call(seals, repr(p), repr(q), **given, n=n)
    if declared := _declared(
        {"P": p, "Q": q}, order=order, transport=transport, ports=ports or {}, n=n, called=("P", "Q")
    ):
        if self_channels:
            raise InputError("self_channels is not supported over ports")
        about, names = declared.read()
        found = sealing_over_ports(about, names)
        return _extended(Result, found, names, call)
    first, second = (each if n is None else each.over(n) for each in together(p, q))
    names = Names(first.names)
    with names.blamed():
        found = decision(first.straight_line, second.straight_line, self_channels=self_channels, names=names)
    return _extended(Result, found, names, call)


def _declared(programs: Mapping[str, ProgramLike], *, n: int | None, **said: Any) -> Declared | None:
    """The programs as layers over ports.  None if neither the programs nor the options need ports."""
    tagged = any(isinstance(each, str) and is_over_ports(each) for each in programs.values())
    if not tagged and not any(said.get(key) for key in ("order", "transport", "ports", "search")):
        return None
    texts = {name: str(each) for name, each in programs.items()}
    read = [each for each in programs.values() if isinstance(each, Program)]
    processes = [*dict.fromkeys(name for each in read for name in each.names)]
    if n is not None:
        read = [each.over(n) for each in read]
    elif read and not processes:  # a text does not name the idle processes of a Program
        n = max(parse_layers(texts, None)[0], *(each.n for each in read))
    return Declared(texts, list(texts), n=n, processes=processes, **said)


@overload
def seal(p: ProgramLike, *, before: ProgramLike) -> Between: ...
@overload
def seal(p: ProgramLike, *, minimal: bool = False, self_channels: bool = False) -> Sealing: ...
@typed
def seal(
    p: ProgramLike, *, before: ProgramLike | None = None, minimal: bool = False, self_channels: bool = False
) -> Sealing | Between:
    """Can P be sealed, and by which program?  With `minimal`, find a seal with the fewest messages.

    With `before`, find messages that keep P apart from the program `before`, but perhaps not from other
    programs.  Often fewer messages suffice for this than for a seal.

    Raises InputError as `seals` does or, with `before`, as `phases` does.  Source: `th:sealability`.

    >>> seal("mt 1->2; mt 3->2", minimal=True).program
    program('mt 2->3; mt 2->1', n=3)
    >>> found = seal("mt 1->2; mt 3->2", before="mt 1->2")
    >>> found.program, bool(found), found.verify()
    (program('mt 2->1', n=3), True, True)
    """
    if before is not None:
        if minimal or self_channels:
            raise InputError("before cannot be combined with minimal or self_channels")
        return _between(p, before)
    first = program(p)
    names = Names(first.names)
    with names.blamed():
        found = sealing(first.straight_line, minimal=minimal, self_channels=self_channels, names=names)
    call = as_call(seal, repr(p), minimal=minimal, self_channels=self_channels)
    return _extended(Sealing, found, names, call, about=first)


def _between(p: ProgramLike, q: ProgramLike) -> Between:
    first, second = together(p, q)
    names = Names(first.names)
    with names.blamed():
        found, messages = between(first.straight_line, second.straight_line, names)
    kept = None if messages is None else Program(first.n, messages, first.names)
    return _extended(Between, found, names, as_call(seal, repr(p), before=q), program=kept)


@typed
def phases(
    *layers: ProgramLike,
    repeat: bool = False,
    open: bool = False,
    order: str = "",
    transport: str = "",
    ports: Mapping[str, Sequence[str]] | None = None,
    search: bool = False,
    n: int | None = None,
) -> Apart:
    """May each layer start without a barrier after the one before it?

    The answer is yes if, in every execution, each receive takes a message of its own layer and round.

    - With `repeat`, the layers are repeated any number of times.  Each repetition is a round.
    - With `open`, any program may follow the layers.
    - Texts may have tags and receives from any source.  Such layers use ports (docs/ports.md).
    - `order` (``bag`` or ``fifo``) or `transport` gives all ports a guarantee.  `ports` gives a guarantee to
      single ports.
    - With `search`, all executions are searched, and receives may overlap (docs/ports.md).
    - `n` is the number of processes.  By default, it is the largest process in the layers, or the number of
      their names.  More processes matter only with `open`, for a receive that takes messages from any source.

    Raises InputError if a layer is not straight-line, if the layers deadlock when they follow each other, or
    if a layer over ports is not balanced.  Source: communication-closed layers, section 3.

    >>> found = phases("mt client->server", "mt client->server")
    >>> bool(found), found.verify(), found.acknowledgments
    (False, True, (program('mt server->client', names=('server', 'client')),))
    >>> bool(phases("mt client->server", *found.acknowledgments, "mt client->server"))
    True
    >>> both = "snd 1->2:job; rcv 2<-*:job", "snd 3->2:job; rcv 2<-*:job"
    >>> found = phases(*both)
    >>> bool(found), [each["port"] for each in found.to_json()["interfering"]], found.acknowledgments[0]
    (False, ['2<-*:job'], 'mt 2->3:ack')
    >>> bool(phases("mt 1->2", repeat=True, ports={"2<-1": ["fifo"]}))
    True
    >>> [bool(phases("snd 1->2; rcv 2<-*", open=True, order="fifo", n=n)) for n in (2, 3)]
    [True, False]
    """
    if not layers:
        raise InputError("there are no layers: give at least one program")
    given = {"repeat": repeat, "open": open, "order": order, "transport": transport, "ports": ports}
    call = as_call(phases, *map(repr, layers), **given, search=search, n=n)
    if declared := _declared(
        {f"layer {number}": each for number, each in enumerate(layers, 1)},
        repeat=repeat,
        open=open,
        order=order,
        transport=transport,
        ports=ports or {},
        search=search,
        n=n,
    ):
        phased, names = declared.read()
        apart = staying_apart_over_ports(phased, declared.titles, names)
        return _extended(Apart, apart, names, call)
    read = together(*layers)
    if n is not None:
        read = tuple(each.over(n) for each in read)
    about, names = Phases(tuple(each.straight_line for each in read), repeat, open), Names(read[0].names)
    with names.blamed():
        found = staying_apart(about, names)
    return _extended(Apart, found, names, call)


@typed
def open_channels(p: ProgramLike) -> Channels:
    """The open channels of P: those on which a receive of P may take a message that is sent after P.

    Raises InputError as `seals` does, and LimitReached if there are too many processes.

    >>> sorted(open_channels("mt 1->2; mt 2->1"))
    [(2, 1)]
    """
    return frozenset((i, j) for i, j in _analyzed(p)["open_channels"])


@typed
def signature(p: ProgramLike) -> dict[str, Any]:
    """The signature of P, as in ``sealcheck analyze --json``.  It decides which programs seal P.

    Raises InputError and LimitReached as `open_channels` does.

    >>> sorted(signature("mt 1->2"))
    ['receives', 'sends', 'starts']
    """
    found: dict[str, Any] = _analyzed(p)["signature"]
    return found


@typed
def refines(
    p: ProgramLike,
    q: ProgramLike,
    *,
    model: str = "rel",
    cut: str = "matching",
    unroll: int = 3,
    self_channels: bool = False,
) -> Result:
    """Does P refine Q, in the paper's whole language?  Repetitions in P are unrolled at most `unroll` times.

    `model` is ``rel`` or ``rel-fifo``, and `cut` is ``matching`` or ``empty``: see docs/semantics.md.  Raises
    InputError if the programs are not in the language, or are too large.  Source: refinement, section 2.

    >>> bool(refines("mt 1->2", "mt 1->2 + eps")), bool(refines("mt 1->2 + eps", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    semantics = Semantics(
        _one_of(ChannelModel, "model", model), _one_of(CutReading, "cut", cut), unroll, self_channels
    )
    setting = Setting(first.n, semantics, SMT_SOLVERS[0], Names(first.names))
    found = refinement("refines", first.syntax, second.syntax, setting)
    options = {"model": model, "cut": cut, "unroll": unroll, "self_channels": self_channels}
    return _extended(Result, found, setting.names, as_call(refines, repr(p), repr(q), **options))


def _extended(kind: type[R], found: Result, names: Names, call: str, **more: Any) -> R:
    return kind(**vars(with_names(found, names)) | {"call": call} | more)


def _one_of(kind: type[E], name: str, value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = " or ".join(str(each.value) for each in kind)
        raise InputError(f"{name} must be {known}, not {value!r}") from None


def _analyzed(p: ProgramLike) -> dict[str, Any]:
    read = program(p)
    straight, names = read.straight_line, Names(read.names)
    with names.blamed():
        verdict = analysis(straight)
        assert verdict
        try:
            require_balanced_straight_line(straight, "P", self_channels=True)
        except InputError as error:
            raise InputError(f"{error}. {NO_SIGNATURE}") from None
    return verdict.to_json()
