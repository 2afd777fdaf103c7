"""Refinement and the paper's notions of safe composition, by their definitions, in the whole language.

An interval lies between two moments of a run. P refines Q if, whenever P occurs over an interval, Q occurs
over the interval, too. A counterexample is a run with an interval over which P occurs and Q does not.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.explorers.occurrence import is_silent, occurs, outside_of, trimmed
from sealcheck.language.names import NUMBERS, Names
from sealcheck.operations.by_sealing import RUN, Decided, balanced, closes, decided
from sealcheck.operations.result import Code, Document, Result, unknown
from sealcheck.operations.wording import abridged
from sealcheck.programs import syntax
from sealcheck.programs.runs import Frontier, GlobalRun, Interval, LocalState, Place
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.straight_line import Channel
from sealcheck.programs.syntax import Program, is_finite
from sealcheck.words import counted, or_choose

if TYPE_CHECKING:
    from sealcheck.encodings.solving import Solver


T = TypeVar("T")

MOST_PROCESSES = 10
MOST_ITERATIONS = 50
FOR_FEWER, MOST_SOUGHT = 2.0, 4
"""Limits of the search for a counterexample with fewer events outside its interval: seconds, and events."""

REFINEMENT_KEYS = ("model", "cut", "unroll", "exhaustive", "occurs", "rests_on", "counterexample")
STATE_KEYS = ("notion", "holds", "model", "cut", "unroll", "exhaustive", "rests_on", "counterexample")

REFINEMENTS: dict[str, tuple[tuple[str, ...], Callable[..., syntax.Refinement]]] = {
    "tcc": (("P",), syntax.tcc),
    "seals": (("P", "Q"), syntax.seals),
    "proper-seal": (("P", "Q"), syntax.seals),
    "ccl": (("P", "L", "Q"), syntax.ccl),
    "barrier": (("B", "P", "Q"), lambda b, p, q: syntax.barrier(p, b, q)),
    "fits-after": (("P", "Q"), syntax.fits_after),
    "separates": (("S", "P", "Q"), syntax.separates),
}
"""The notions that are refinements, with the programs that each notion takes."""
REFUTED = "no: the left side occurs over the interval marked as inside, but the right side does not"
UNBALANCED = "no: P occurs over the interval marked as inside, and does not receive exactly what it sends"
NOT_SILENT = "no: P occurs over the interval marked as inside, and the channel is not silent after P"

OTHERS = {"balanced": ("P",), "closes": ("P", "I->J")}
SIGNATURES = {name: taken for name, (taken, _) in REFINEMENTS.items()} | OTHERS


def run_document(run: GlobalRun, c: Frontier, d: Frontier) -> Document:
    """The run as a JSON object. Positions count from 1. Events without a channel are internal."""
    return {
        "c": c,
        "d": d,
        "events": [
            [
                {"event": local.event and str(local.event), "content": local.event and local.content}
                for local in events
            ]
            for events in run.events
        ],
        "states": run.states,
        "matching": sorted(run.matching.items()),
        "order": run.interleaving(),
    }


def run_lines(run: GlobalRun, c: Frontier, d: Frontier, names: Names = NUMBERS) -> Iterator[str]:
    """A line for each event, in a possible order. It says whether the event is before, inside or after the
    interval.

    >>> from sealcheck.programs.straight_line import rcv, snd
    >>> from sealcheck.programs.runs import LocalEvent
    >>> events = ((LocalEvent(snd(1, 2), 5),), (LocalEvent(rcv(2, 1), 5),))
    >>> run = GlobalRun(events, (({}, {}), ({"x": 0}, {"x": 5})), {Place(2, 1): Place(1, 1)})
    >>> for line in run_lines(run, (0, 0), (1, 0)):
    ...     print(line)
             2.x = 0 at first
    inside   snd 1->2  sends message 1 (5)
    after    rcv 2<-1  takes message 1 (5)   2.x = 5
    """
    for process, states in enumerate(run.states, 1):
        if states[0]:
            yield f"         {_values(names.process(process), states[0], {})} at first"
    order = run.interleaving()
    sends = [place for place in order if (event := run.at(place).event) is not None and event.is_send]
    number = {place: k for k, place in enumerate(sends, 1)}

    def line(at: int) -> str:
        place = order[at]
        old, new = run.states[place.process - 1][place.position - 1 : place.position + 1]
        changed = _values(names.process(place.process), new, old)
        what = _what(run, place, number, names)
        return f"{_where(place, c, d):9}{what}{'   ' if changed else ''}{changed}".rstrip()

    yield from abridged(len(order), line, _that_matter(run, order, c, d))


def _where(place: Place, c: Frontier, d: Frontier) -> str:
    process, position = place
    return "before" if position <= c[process - 1] else "inside" if position <= d[process - 1] else "after"


def _that_matter(run: GlobalRun, order: Sequence[Place], c: Frontier, d: Frontier) -> Iterator[int]:
    """Events outside the interval, events with a partner outside, and receives that do not take the oldest
    message."""
    partner = dict(run.matching) | {send: receive for receive, send in run.matching.items()}
    waiting: defaultdict[object, list[Place]] = defaultdict(list)
    for at, place in enumerate(order):
        event = run.at(place).event
        overtakes = False
        if event is not None and event.is_send:
            waiting[event.channel].append(place)
        elif event is not None:
            overtakes = waiting[event.channel][0] != run.matching[place]
            waiting[event.channel].remove(run.matching[place])
        outside = {_where(place, c, d), _where(partner.get(place, place), c, d)} != {"inside"}
        if overtakes or outside:
            yield at


def _what(run: GlobalRun, place: Place, number: dict[Place, int], names: Names) -> str:
    local = run.at(place)
    if local.event is None:
        return f"internal event of process {names.process(place.process)}"
    event = names.event(local.event)
    if local.event.is_send:
        return f"{event}  sends message {number[place]} ({local.content})"
    return f"{event}  takes message {number[run.matching[place]]} ({local.content})"


def _values(process: str, state: LocalState, old: LocalState) -> str:
    """The variables whose values have changed."""
    return ", ".join(f"{process}.{name} = {x}" for name, x in state.items() if old.get(name) != x)


@dataclass(frozen=True)
class Setting:
    """The setting of a question: processes and their names, semantics of channels and cuts, solver."""

    n: int
    semantics: Semantics
    solver: str
    names: Names = NUMBERS
    """Names of the processes in the text."""

    def __post_init__(self) -> None:
        if self.n > MOST_PROCESSES:
            raise InputError(f"at most {MOST_PROCESSES} processes can be handled here, not {self.n}")
        if not 0 <= self.semantics.unroll <= MOST_ITERATIONS:
            raise InputError(f"--unroll must be in 0..{MOST_ITERATIONS}, not {self.semantics.unroll}")
        if self.solver not in SMT_SOLVERS:
            raise InputError(f"unknown solver '{self.solver}': {or_choose(self.solver, SMT_SOLVERS)}")

    @property
    def document(self) -> Document:
        """Everything that the answer depends on besides the programs."""
        read = self.semantics
        return {"model": read.model.value, "cut": read.reading.value, "unroll": read.unroll}

    def ask(self, question: "Callable[[Solver], T]") -> T:
        """The answer to a question, from a solver opened for it."""
        from sealcheck.encodings.solving import fresh_formulas, open_solver

        with fresh_formulas(), open_solver(self.solver) as solver:
            return question(solver)

    def solver_decides(self, p: Program, q: Program) -> Decided:
        """Have the solver decide if P refines Q. If not, seek a run with few events outside its interval."""
        from sealcheck.encodings.refinement import refute
        from sealcheck.encodings.solving import open_solver

        def refutes(interval: Interval) -> bool:
            return occurs(*interval, p, self.semantics) and not occurs(*interval, q, self.semantics)

        def question(solver: "Solver") -> Interval | None:
            found = refute(p, q, self.n, solver, self.semantics)
            if found is None:
                return None
            found = trimmed(found, refutes, self.semantics.model)
            with open_solver(self.solver, seconds=FOR_FEWER) as quick, suppress(LimitReached):
                for outside in range(min(outside_of(found), MOST_SOUGHT)):
                    if fewer := refute(p, q, self.n, quick, self.semantics, outside=outside):
                        return fewer
            return found

        found = self.ask(question)
        return self.unproved if found is None else Decided(found, RUN)

    @property
    def unproved(self) -> Decided:
        """The verdict if a solver finds no run."""
        return Decided(None, f"{self.solver}, without a proof")

    def occurs(self, p: Program) -> bool:
        """Whether P occurs over some interval."""
        from sealcheck.encodings.refinement import occurs_somewhere

        return self.ask(lambda solver: occurs_somewhere(p, self.n, solver, self.semantics)) is not None


def refinement(key: str, p: Program, q: Program, setting: Setting) -> Result:
    """Whether P refines Q, in the document under `key`. Solvers answer if the algorithms can't."""
    known: Document = {**setting.document, "exhaustive": is_finite(p)}
    try:
        fast = decided(p, q, setting.n, setting.semantics)
        found = fast or setting.solver_decides(p, q)
        occurs = fast is not None or found.refuting is not None or setting.occurs(p)
    except LimitReached as limit:
        return unknown((key, *REFINEMENT_KEYS), str(limit), **known)
    extent = _extent(is_finite(p), occurs, setting)
    return _result(key, known | {"occurs": occurs}, found, f"yes: {extent}", REFUTED, setting.names)


def _result(key: str, known: Document, found: Decided, yes: str, no: str, names: Names) -> Result:
    known = {**known, "rests_on": found.rests_on}
    if found.refuting is None:
        text = f"{yes}\nThis rests on {found.rests_on}."
        return Result(Code.YES, {key: True, **known, "counterexample": None}, lambda: text)
    run, c, d = found.refuting
    document = {key: False, **known, "counterexample": run_document(run, c, d)}
    if c == d:
        no = no.replace("the interval marked as inside", "an empty interval")

    def explain() -> str:
        lines = list(run_lines(run, c, d, names))
        return "\n".join([no, "", *lines] if lines else [no])

    return Result(Code.NO, document, explain)


def _extent(exhaustive: bool, occurs: bool, setting: Setting) -> str:
    bound = f"with at most {counted(setting.semantics.unroll, 'iteration')} of a repetition"
    if not occurs:
        limited = "" if exhaustive else f" {bound}"
        return f"the left side occurs over no finite interval{limited}, so it refines anything"
    return "in all finite runs" if exhaustive else f"in all finite runs {bound}"


def notion_holds(notion: str, programs: list[Program], channel: Channel | None, setting: Setting) -> Result:
    """Whether a notion of the paper holds for these programs. The notion `closes` is also about a channel."""
    if notion in REFINEMENTS:
        _, sides = REFINEMENTS[notion]
        answer = refinement("holds", *sides(*programs), setting)
        answer = replace(answer, document={"notion": notion, **answer.document})
        return _properly(answer, programs[1]) if notion == "proper-seal" else answer
    (program,) = programs
    return _by_state(notion, program, channel, setting)


def _properly(answer: Result, seal: Program) -> Result:
    """The answer whether Q properly seals P, made from the answer whether Q seals P.

    The answer is unknown if Q seals P, but has a repetition, which may run forever.
    """
    if answer.code is not Code.YES or is_finite(seal):
        return answer
    reason = (
        "Q seals P as far as was checked, but finite runs cannot show whether a repetition in Q runs forever"
    )
    return unknown(answer.document, reason, **answer.document | {"holds": None})


def _by_state(notion: str, program: Program, channel: Channel | None, setting: Setting) -> Result:
    """The result for the notions about channels after P, which are `balanced` and `closes`."""
    known: Document = {"notion": notion, **setting.document, "exhaustive": is_finite(program)}
    try:
        if channel is None:
            fast = balanced(program, setting.n)
        else:
            fast = closes(program, channel, setting.n, setting.semantics)
        found = fast or _by_solver(program, channel, setting)
    except LimitReached as limit:
        return unknown(STATE_KEYS, str(limit), **known)
    no = UNBALANCED if channel is None else NOT_SILENT
    return _result("holds", known, found, "yes", no, setting.names)


def _by_solver(program: Program, channel: Channel | None, setting: Setting) -> Decided:
    """Have the solver decide if P is balanced or, with a channel, closes the channel."""
    from sealcheck.encodings.refinement import leaves_open, unbalanced

    semantics, from_empty = setting.semantics, replace(setting.semantics, reading=CutReading.EMPTY)

    def question(solver: "Solver") -> Interval | None:
        if channel is None:
            return unbalanced(program, setting.n, solver, semantics)
        return leaves_open(program, channel, setting.n, solver, semantics)

    def refutes(found: Interval) -> bool:
        if not occurs(*found, program, semantics):
            return False
        if channel is None:
            return is_silent(found.run, found.c, from_empty)
        at_start = is_silent(found.run, found.c, semantics)
        return at_start and not is_silent(found.run, found.d, semantics, channel)

    found = setting.ask(question)
    if found is None:
        return setting.unproved
    if not refutes(found):
        raise Disagreement("a solver's run does not satisfy its query")
    return Decided(trimmed(found, refutes, semantics.model), RUN)
