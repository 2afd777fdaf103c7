"""Operations on programs, audits and differential tests as functions of Python."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, TypeVar, overload

from sealcheck.api.programs import Program, ProgramLike, program, together, typed
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.language.names import Names
from sealcheck.operations.analysis import NO_SIGNATURE, analysis
from sealcheck.operations.definitions import Setting, refinement
from sealcheck.operations.phases import staying_apart
from sealcheck.operations.result import Code, Document, Later, Result, Rows, with_names
from sealcheck.operations.sealing import decision, sealing
from sealcheck.programs.bounds import spaces, up_to
from sealcheck.programs.phases import Phases
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import require_balanced_straight_line, require_no_self_channels


@dataclass(frozen=True, repr=False, eq=False)
class Sealing(Result):
    """Whether a program can be sealed; if so, with a seal."""

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
    """Whether layers stay apart; if not, with programs that would keep them apart."""

    @property
    def acknowledgments(self) -> tuple[Program, ...] | None:
        """Programs to put between the layers so that they stay apart, one for each place.

        With `repeat` or `open`, one comes after the last layer, too.  None if the layers stay apart, or if
        none were found.
        """
        mend: Any = self.document["mend"]
        if mend is None or mend["acknowledgments"] is None:
            return None
        return tuple(map(program, mend["acknowledgments"]))


@dataclass(frozen=True, repr=False, eq=False)
class Between(Apart):
    """Whether messages between P and Q can keep these two apart; if so, with such messages.

    A yes is about P, these messages and Q as three layers; a no is about P and Q.
    """

    _: KW_ONLY
    program: Program | None
    """The messages, as few as are known to suffice; `eps` if none are needed."""


def extended(kind: type[Any], result: Result, **more: object) -> Any:
    """The result as one of these classes."""
    return kind(
        result.code,
        result.document,
        result.explain,
        check=result.check,
        picture=result.picture,
        **{"call": result.call} | more,
    )


E = TypeVar("E", bound=Enum)

Channels = frozenset[tuple[int, int]]


@typed
def seals(p: ProgramLike, q: ProgramLike, *, self_channels: bool = False) -> Result:
    """Does Q properly seal P?  Linear in the events.  Source: `th:decide.sealing`.

    Raises InputError unless both are balanced straight-line programs that do not deadlock.

    >>> bool(seals("mt 1->2", "mt 2->1")), bool(seals("mt 1->2", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    names = Names(first.names)
    with _by_name(names):
        found = decision(first.straight_line, second.straight_line, self_channels=self_channels, names=names)
    return replace(with_names(found, names), call=f"seals({str(first)!r}, {str(second)!r})")


@overload
def seal(p: ProgramLike, *, before: ProgramLike) -> Between: ...
@overload
def seal(p: ProgramLike, *, minimal: bool = False, self_channels: bool = False) -> Sealing: ...
@typed
def seal(
    p: ProgramLike,
    *,
    before: ProgramLike | None = None,
    minimal: bool = False,
    self_channels: bool = False,
) -> Sealing | Between:
    """Can P be sealed, and by which program?  By one of fewest messages, if `minimal`.

    With `before`, only against that program, which follows: often fewer messages keep the two apart than
    protect P from everything.  They are those that `phases` proposes.

    Raises InputError as `seals` does; as `phases` does, with `before`.  Source: `th:sealability`.

    >>> seal("mt 1->2; mt 3->2", minimal=True).program
    program('mt 2->3; mt 2->1', n=3)
    >>> found = seal("mt 1->2; mt 3->2", before="mt 1->2")
    >>> found.program, bool(found), found.verify()
    (program('mt 2->1', n=3), True, True)
    """
    if before is not None:
        if minimal or self_channels:
            raise InputError("before is without minimal and self_channels")
        return _between(p, before)
    first = program(p)
    names = Names(first.names)
    with _by_name(names):
        found = sealing(first.straight_line, minimal=minimal, self_channels=self_channels, names=names)
    sealed: Sealing = extended(Sealing, with_names(found, names), about=first, call=f"seal({str(first)!r})")
    return sealed


def _between(p: ProgramLike, q: ProgramLike) -> Between:
    first, second = together(p, q)
    found, between = phases(first, second), None
    if found:
        between = Program(first.n, program("eps", first.n).code, first.names)
    elif found.acknowledgments is not None:
        _, between = together(first, *found.acknowledgments)
        found = phases(first, between, second)
    call = f"seal({str(first)!r}, before={str(second)!r})"
    kept: Between = extended(Between, found, program=between, call=call)
    return kept


@typed
def phases(*layers: ProgramLike, repeat: bool = False, open: bool = False) -> Apart:
    """May each layer start without a barrier after the one before it?

    That is, does no receive of one take a message of another in any execution?  With `repeat`, they are
    done any number of times; with `open`, anything may follow.  Raises InputError if they are not
    straight-line, or deadlock together.  Source: communication-closed layers, section 3.

    >>> found = phases("mt client->server", "mt client->server")
    >>> bool(found), found.verify(), found.acknowledgments
    (False, True, (program('mt server->client', names=('server', 'client')),))
    >>> bool(phases("mt client->server", *found.acknowledgments, "mt client->server"))
    True
    """
    if not layers:
        raise InputError("there are no layers: give at least one program")
    read = together(*layers)
    about, names = Phases(tuple(each.straight_line for each in read), repeat, open), Names(read[0].names)
    with _by_name(names):
        for number, each in enumerate(about.layers, 1):
            require_no_self_channels(each, f"layer {number}")
        found = with_names(staying_apart(about, names), names)
    apart: Apart = extended(Apart, found, call=f"phases({', '.join(repr(str(each)) for each in read)})")
    return apart


@typed
def open_channels(p: ProgramLike) -> Channels:
    """The channels on which a later message may be received in P.

    Raises InputError as `seals` does, and LimitReached for too many processes.

    >>> sorted(open_channels("mt 1->2; mt 2->1"))
    [(2, 1)]
    """
    document = _analyzed(p)
    return frozenset((i, j) for i, j in document["open_channels"])


@typed
def signature(p: ProgramLike) -> dict[str, Any]:
    """What of P matters for sealing and for being sealed, as `sealcheck analyze` writes it.

    Raises as `open_channels` does.

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
    """Does P refine Q, in the paper's whole language, with so many iterations of a repetition?

    `model` is ``rel`` or ``rel-fifo``, `cut` is ``matching`` or ``empty``: see docs/semantics.md.  Raises
    InputError if the programs are not such, or too large.  Asks a solver where the algorithms can't tell.
    Source: refinement, in section 2 of the paper.

    >>> bool(refines("mt 1->2", "mt 1->2 + eps")), bool(refines("mt 1->2 + eps", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    semantics = Semantics(
        _one_of(ChannelModel, "model", model), _one_of(CutReading, "cut", cut), unroll, self_channels
    )
    setting = Setting(first.n, semantics, SMT_SOLVERS[0], Names(first.names))
    found = with_names(refinement("refines", first.syntax, second.syntax, setting), setting.names)
    return replace(found, call=f"refines({str(first)!r}, {str(second)!r})")


@typed
def audit(*statements: str, n: int = 3, messages: int = 3) -> Rows:
    """The rows of an audit of statements, by id or by file; of all of them, if none is named.

    A row is true if it says "proved" or "verified", and false if it says "refuted"; one that says
    "error" raises InputError.  Raises InputError if there is no such statement, or the bound is too large
    to be gone through.  Takes as long as the command, and shares its cache.

    >>> for row in audit("graph-cause", n=2, messages=2):
    ...     print(row.to_json()["form"], bool(row))
    as-printed True
    """
    from sealcheck.evidence.rows import document, in_full, picture_of
    from sealcheck.spark_sweeps.audit import decided
    from sealcheck.theorems import own
    from sealcheck.theorems.registry import STATEMENTS, named

    own.admit(statements)
    names = list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))
    findings = list(decided(names, spaces(up_to(str(n)), messages)))
    codes = {"proved": Code.YES, "verified": Code.YES, "refuted": Code.NO, "error": Code.BAD_INPUT}
    rows = Rows()
    for finding in findings:
        row: Document = document(finding)
        verdict = str(row["verdict"])
        if verdict not in codes:
            row.setdefault("unknown", verdict)
        explain = partial(str, "\n".join(in_full([finding])))
        picture = Later(partial(picture_of, finding))
        call = f"audit({finding.statement.id!r}), {finding.claim.form.value}"
        rows.append(Result(codes.get(verdict, Code.UNKNOWN), row, explain, picture=picture, call=call))
    return rows


@contextmanager
def _by_name(names: Names) -> Iterator[None]:
    """Have the sentence of any InputError speak of channels by their names."""
    try:
        yield
    except InputError as error:
        raise names.blamed(error) from None


def _one_of(kind: type[E], name: str, value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = " or ".join(str(each.value) for each in kind)
        raise InputError(f"{name} must be {known}, not {value!r}") from None


def _analyzed(p: ProgramLike) -> dict[str, Any]:
    read = program(p)
    straight, names = read.straight_line, Names(read.names)
    with _by_name(names):
        verdict = analysis(straight)
        assert verdict
        try:
            require_balanced_straight_line(straight, "P", self_channels=True)
        except InputError as error:
            raise InputError(f"{error}. {NO_SIGNATURE}") from None
    return verdict.to_json()
