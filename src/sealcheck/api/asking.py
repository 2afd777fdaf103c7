"""The questions that one asks of programs, as functions of Python."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from typing import Any, TypeVar, overload

from sealcheck.api.programs import Program, ProgramLike, program, together
from sealcheck.api.proposals import Apart, Between, Sealing, drawn, is_accepted
from sealcheck.api.typed import typed
from sealcheck.api.verdicts import Later, Rows, Verdict
from sealcheck.cli.analyze import NO_SIGNATURE, analysis
from sealcheck.cli.answers import Answer, Code, Document, with_names
from sealcheck.cli.bounds import spaces, up_to
from sealcheck.cli.decide import decision
from sealcheck.cli.phases import answer as staying_apart
from sealcheck.cli.refines import Setting, refinement
from sealcheck.cli.seal import sealing
from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError
from sealcheck.evidence import runs
from sealcheck.language.names import Names
from sealcheck.programs.phases import Phases
from sealcheck.programs.semantics import ChannelModel, CutReading, Semantics
from sealcheck.programs.straight_line import require_balanced_straight_line, require_no_self_channels

E = TypeVar("E", bound=Enum)

Channels = frozenset[tuple[int, int]]


@typed
def seals(p: ProgramLike, q: ProgramLike, *, self_channels: bool = False) -> Verdict:
    """Does Q properly seal P?  Linear in the events.  Source: `th:decide.sealing`.

    Raises InputError unless both are balanced straight-line programs that do not deadlock.

    >>> bool(seals("mt 1->2", "mt 2->1")), bool(seals("mt 1->2", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    names = Names(first.names)
    with _by_name(names):
        answer = decision(first.straight_line, second.straight_line, self_channels=self_channels, names=names)
    answer = with_names(answer, names)
    check = partial(is_accepted, runs.check_decision, answer, first, second)
    call = f"seals({str(first)!r}, {str(second)!r})"
    return Verdict(call, answer, check, partial(drawn, first, second))


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
        answer = sealing(first.straight_line, minimal=minimal, self_channels=self_channels, names=names)
    return Sealing(f"seal({str(first)!r})", with_names(answer, names), first)


def _between(p: ProgramLike, q: ProgramLike) -> Between:
    first, second = together(p, q)
    found, between = phases(first, second), None
    if found:
        between = Program(first.n, program("eps", first.n).code, first.names)
    elif found.acknowledgments is not None:
        _, between = together(first, *found.acknowledgments)
        found = phases(first, between, second)
    return Between(f"seal({str(first)!r}, before={str(second)!r})", found, between)


@typed
def phases(*layers: ProgramLike, repeat: bool = False, open: bool = False) -> Apart:
    """May each layer start without a barrier after the one before it?

    That is, does no receive of one take a message of another in any execution?  With `repeat`, they are
    done any number of times; with `open`, anything may follow.  Raises InputError where they are not
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
        answer = with_names(staying_apart(about, names), names)
    call = f"phases({', '.join(repr(str(each)) for each in read)})"
    return Apart(call, answer, about, names)


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
) -> Verdict:
    """Does P refine Q, in the paper's whole language, with so many iterations of a repetition?

    `model` is ``rel`` or ``rel-fifo``, `cut` is ``matching`` or ``empty``: see docs/semantics.md.  Raises
    InputError where the programs are not such, or too large.  Asks a solver where the algorithms can't tell.
    Source: refinement, in section 2 of the paper.

    >>> bool(refines("mt 1->2", "mt 1->2 + eps")), bool(refines("mt 1->2 + eps", "mt 1->2"))
    (True, False)
    """
    first, second = together(p, q)
    semantics = Semantics(
        _one_of(ChannelModel, "model", model), _one_of(CutReading, "cut", cut), unroll, self_channels
    )
    setting = Setting(first.n, semantics, SMT_SOLVERS[0], Names(first.names))
    answer = with_names(refinement("refines", first.syntax, second.syntax, setting), setting.names)
    return Verdict(f"refines({str(first)!r}, {str(second)!r})", answer)


@typed
def audit(*statements: str, n: int = 3, messages: int = 3) -> Rows:
    """The rows of an audit of statements, by id or by file; of all of them, if none is named.

    A row is true where it says "proved" or "verified", and false where it says "refuted"; one that says
    "error" raises InputError.  Raises InputError where there is no such statement, or the bound is too large
    to be gone through.  Takes as long as the command, and shares its cache.

    >>> for row in audit("graph-cause", n=2, messages=2):
    ...     print(row.json()["form"], bool(row))
    as-printed True
    """
    from sealcheck.cli.audit import run
    from sealcheck.cli.ledger import in_full, picture_of
    from sealcheck.cli.ledger_documents import document
    from sealcheck.theorems import own
    from sealcheck.theorems.registry import STATEMENTS, named

    own.admit(statements)
    names = list(dict.fromkeys(id for name in statements or STATEMENTS for id in named(name)))
    findings = run(names, spaces(up_to(str(n)), messages))
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
        rows.append(Verdict(call, Answer(codes.get(verdict, Code.UNKNOWN), row, explain), None, picture))
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
        verdict = Verdict(f"analyze({str(straight)!r})", analysis(straight))
        assert verdict
        try:
            require_balanced_straight_line(straight, "P", self_channels=True)
        except InputError as error:
            raise InputError(f"{error}. {NO_SIGNATURE}") from None
    return verdict.json()
