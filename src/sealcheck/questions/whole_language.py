"""Questions about programs of the whole language: refinement (section 2), layers (3), balance (4).

P *refines* Q if, whenever P occurs over an interval of a run, Q occurs over this interval, too. ≀P is P after
a silent cut, a moment without messages in transit. Oracles execute programs, or solve formulas. If an oracle
finds a run, we check by the definition whether the run is a counterexample.

No finite interval shows that a repetition can run forever. So `GOES_ON` asks: after ≀P and a silent cut, can
Q perform three iterations of a repetition at Q's end? Each iteration must have an event. A check that uses
`GOES_ON` must make sure that three such iterations can be repeated forever.

`FINDS_SILENCE` asks for more than sealing: every cut at which P may have ended and Q begun must be silent.
"""

from collections import Counter
from dataclasses import replace
from typing import assert_never

from sealcheck.encodings.refinement import begins_in_noise, iterated, occurs_somewhere, refute, unbalanced
from sealcheck.encodings.solving import Solver
from sealcheck.explorers.executions import endings, executions, find_counterexample, lopsided
from sealcheck.explorers.matching_functions import crossed, matchings
from sealcheck.explorers.occurrence import cuts_after_iterations, ends, is_run, is_silent, occurs
from sealcheck.programs.ports import PortProgram
from sealcheck.programs.runs import Interval
from sealcheck.programs.semantics import CutReading, Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import (
    Assignment,
    Choice,
    Cut,
    Eps,
    Equal,
    Guard,
    Layering,
    Less,
    Program,
    Receive,
    Repetition,
    Send,
    Truth,
    as_program,
    ccl,
    layered,
    missing,
    nodes,
    starts_silent,
)
from sealcheck.questions.instance import AnyProgram, Instance
from sealcheck.questions.question import (
    BOOLEAN,
    INTERVAL_OR_NONE,
    CannotAnswer,
    DefinedFor,
    Oracle,
    Question,
    Symbolic,
    Witness,
    none,
)
from sealcheck.questions.straight_lines import BSL, require_bsl, require_formal_cut

NEVER = Guard(Truth(False))
"""The program [false], which occurs over no interval."""

WHOLE_LANGUAGE = DefinedFor(
    "programs of the whole language",
    lambda instance: not instance.flags and not any(isinstance(p, PortProgram) for p in instance.programs),
)
SHARES = "the check of a counterexample against the definition (`explorers.occurrence`)"


def syntax(instance: Instance) -> tuple[Program, ...]:
    """The programs of an instance, as syntax trees."""
    return tuple(map(_syntax, instance.programs))


def _syntax(program: AnyProgram) -> Program:
    assert not isinstance(program, PortProgram)
    return as_program(program) if isinstance(program, StraightLine) else program


def events_outside(program: Program, reading: CutReading) -> int:
    """The number of events before and after the program that a search for counterexamples must allow.

    These are the partners outside that sends and receives of the program may need, and the events that may
    interfere. If the program starts at a silent cut, one event may interfere. Otherwise two events may: a
    send before the program, and the receive of this send's message after the program.

    >>> from sealcheck.language.parser import parse
    >>> texts = "cut; mt 1->2", "mt 1->2", "cut; rcv 2<-1; mt 1->2"
    >>> [events_outside(parse(text), CutReading.MATCHING) for text in texts]
    [1, 2, 2]
    """
    return (1 if starts_silent(program) else 2) + partners_outside(program, reading)


def partners_outside(program: Program, reading: CutReading) -> int:
    """The largest number of events of the program that may need matches outside. Along a path, these are

    - receives for which no message was sent since the last silent cut;
    - sends before a silent cut that have no receive, if the cut requires empty channels;
    - all receives that store a value, if a guard depends on values.

    Choices and repetitions are counted as if nothing were sent before them. A repetition counts as one
    iteration.

    >>> from sealcheck.language.parser import parse
    >>> texts = "snd 1->2; mt 2->1; rcv 2<-1", "snd 1->2; cut; rcv 2<-1", "mt 1->2 (1 -> x); [2.x = 0]"
    >>> [[partners_outside(parse(text), reading) for text in texts] for reading in CutReading]
    [[0, 1, 1], [0, 2, 1]]
    """
    values_matter = any(isinstance(node, Equal | Less) for node in nodes(program))
    return _partners_outside(program, reading, values_matter)


def _partners_outside(program: Program, reading: CutReading, values_matter: bool) -> int:
    waiting: Counter[tuple[int, int]] = Counter()
    found = 0
    for part in program.parts if isinstance(program, Layering) else (program,):
        match part:
            case Send(sender, receiver):
                waiting[sender, receiver] += 1
            case Receive(receiver, sender, variable):
                if waiting[sender, receiver] and not (values_matter and variable):
                    waiting[sender, receiver] -= 1
                else:
                    found += 1
            case Cut():
                found += _missed(waiting, reading)
                waiting.clear()
            case Choice(alternatives):
                found += max(_partners_outside(each, reading, values_matter) for each in alternatives)
            case Repetition(body):
                found += _partners_outside(body, reading, values_matter)
            case Layering():
                found += _partners_outside(part, reading, values_matter)
            case Eps() | Assignment() | Guard():
                pass
            case _:
                assert_never(part)
    return found


def _missed(waiting: Counter[tuple[int, int]], reading: CutReading) -> int:
    """The number of messages that must be received before a silent cut."""
    match reading:
        case CutReading.MATCHING:
            return 0
        case CutReading.EMPTY:
            return waiting.total()
        case _:
            assert_never(reading)


def counterexample_by_executing(instance: Instance, semantics: Semantics) -> Interval | None:
    """The first execution that refutes the refinement. `events_outside` limits its events outside."""
    left, right = syntax(instance)
    outside = events_outside(left, semantics.reading)
    return find_counterexample(left, right, instance.n, semantics, outside=outside)


def counterexample_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Interval | None:
    """The run that the solver finds, with the fewest events inside the interval."""
    left, right = syntax(instance)
    return refute(left, right, instance.n, solver, semantics)


refines_by_executing, refines_by_solving = none(counterexample_by_executing), none(counterexample_by_solving)


REFINES = Question(
    id="refines",
    text="Does P refine Q?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", refines_by_executing, shares=SHARES),),
    symbolic=Symbolic(refines_by_solving, shares=SHARES),
    per_second=60,
)


def occurs_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether P occurs over an interval of some execution."""
    (p,) = syntax(instance)
    outside = partners_outside(p, semantics.reading)
    return find_counterexample(p, NEVER, instance.n, semantics, outside=outside) is not None


OCCURS = Question(
    id="occurs",
    text="Does P occur over any interval?",
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", occurs_by_executing, shares=SHARES),),
    symbolic=Symbolic(
        lambda about, *context: not refines_by_solving(Instance(about.n, (*syntax(about), NEVER)), *context),
        shares=SHARES,
    ),
)


def events_outside_interval(program: Program, semantics: Semantics) -> int:
    """The number of events after P that an execution may need so that P reaches its end.

    Without guards and silent cuts, one later send for each send that P lacks is enough. Proof: when P starts,
    no message is in transit. A process sends later messages only after all its sends of P. So if a
    receive of P can take a later message or a message of P, it may as well take the message of P. So later
    sends are needed only in place of the sends that P lacks.

    >>> from sealcheck.language.parser import parse
    >>> from sealcheck.programs.semantics import PAPER
    >>> texts = "rcv 2<-1", "snd 1->2; cut; rcv 2<-1"
    >>> [events_outside_interval(parse(text), PAPER) for text in texts]
    [1, 2]
    """
    if any(isinstance(node, Guard | Cut) for node in nodes(program)):
        return 1 + partners_outside(program, semantics.reading)
    return missing(program, semantics.unroll)


def unbalanced_by_executing(instance: Instance, semantics: Semantics) -> Interval | None:
    """The first execution from empty channels with more or fewer sends than receives on some channel."""
    require_no_self_channels(semantics)
    (p,) = syntax(instance)
    outside = events_outside_interval(p, semantics)
    found = endings(p, instance.n, semantics, outside=outside)
    return next((each for each in found if lopsided(each.run, each.d)), None)


def require_no_self_channels(semantics: Semantics) -> None:
    """Raise CannotAnswer if any process may use a channel to itself."""
    if semantics.self_channels:
        raise CannotAnswer("executions only have those self-channels that a program uses")


def unbalanced_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Interval | None:
    """The run that the solver finds, with the fewest events inside the interval."""
    (p,) = syntax(instance)
    return unbalanced(p, instance.n, solver, semantics)


BALANCED = Question(
    id="balanced",
    text="Is P balanced?",
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", none(unbalanced_by_executing)),),
    symbolic=Symbolic(none(unbalanced_by_solving)),
)


def refutes(instance: Instance, semantics: Semantics, found: Interval | None) -> bool:
    """Whether P occurs over the interval and Q does not. True if `found` is None."""
    if found is None:
        return True
    in_model = is_run(found, semantics.model)
    return in_model and [occurs(*found, p, semantics) for p in syntax(instance)] == [True, False]


COUNTEREXAMPLE = Question(
    id="counterexample",
    text="Over which interval of a run does P occur but Q not occur, if there is one?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=INTERVAL_OR_NONE,
    oracles=(Oracle("executions", counterexample_by_executing, shares=SHARES),),
    symbolic=Symbolic(counterexample_by_solving, shares=SHARES),
    witness=Witness(lambda found: found is None, refutes),
    per_second=60,
)


def is_unbalanced(instance: Instance, semantics: Semantics, found: Interval | None) -> bool:
    """Whether P occurs in `found` from empty channels, and is unbalanced there. True if `found` is None."""
    if found is None:
        return True
    (p,) = syntax(instance)
    starts_empty = is_silent(found.run, found.c, Semantics(reading=CutReading.EMPTY))
    is_occurrence = is_run(found, semantics.model) and starts_empty and occurs(*found, p, semantics)
    return is_occurrence and bool(lopsided(found.run, found.d))


UNBALANCED_RUN = Question(
    id="unbalanced-run",
    text="In which run from empty channels does P send more or fewer messages on a channel than it receives?",
    domain=WHOLE_LANGUAGE,
    answer=INTERVAL_OR_NONE,
    oracles=(Oracle("executions", unbalanced_by_executing, shares=SHARES),),
    symbolic=Symbolic(unbalanced_by_solving, shares=SHARES),
    witness=Witness(lambda found: found is None, is_unbalanced),
)


def by_matching(instance: Instance, semantics: Semantics) -> bool:
    """Whether no message crosses the end of P or of P;Q, under any matching function of P;Q;R."""
    _require_known(instance, semantics)
    p, q, r = instance.straight
    before, up_to_end = p, p.then(q)
    found = matchings(up_to_end.then(r))
    return not any(crossed(prefix, matching) for matching in found for prefix in (before, up_to_end))


def is_ccl_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution refutes that Q is a communication-closed layer.

    One event outside the interval is enough, because the program is balanced and starts at a silent cut.
    """
    _require_known(instance, semantics)
    return find_counterexample(*ccl(*syntax(instance)), instance.n, semantics, outside=1) is None


def is_ccl_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run that refutes that Q is a communication-closed layer."""
    _require_known(instance, semantics)
    return refute(*ccl(*syntax(instance)), instance.n, solver, semantics) is None


def _require_known(instance: Instance, semantics: Semantics) -> None:
    require_bsl(instance, semantics)
    require_formal_cut(semantics)


IS_CCL = Question(
    id="is-ccl",
    text="Is Q a communication-closed layer of P;Q;R?",
    takes=("p", "q", "r"),
    domain=BSL,
    answer=BOOLEAN,
    oracles=(Oracle("matchings", by_matching), Oracle("executions", is_ccl_by_executing, shares=SHARES)),
    symbolic=Symbolic(is_ccl_by_solving, shares=SHARES),
    per_second=60,
)


ITERATIONS = 3


def goes_on_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether some execution has three iterations of a repetition at the end of Q."""
    require_no_self_channels(semantics)
    p, q = syntax(instance)
    if not ends_with_repetition(q):
        return False
    before = layered(Cut(), p, Cut())
    unrolled = _unrolled(semantics)
    outside = partners_outside(layered(before, *([q] * ITERATIONS)), semantics.reading)
    return any(
        d in cuts_after_iterations(run, b, q, ITERATIONS, semantics)
        for run, c, d in executions(layered(before, q), instance.n, unrolled, outside=outside)
        for b in ends(run, c, before, semantics)
    )


def ends_with_repetition(program: Program) -> bool:
    """Whether some path of the program ends in a repetition.

    >>> from sealcheck.language.parser import parse
    >>> [ends_with_repetition(parse(text)) for text in ("cut + eps; (cut)*", "(cut)*; cut")]
    [True, False]
    """
    match program:
        case Layering(parts):
            return ends_with_repetition(parts[-1])
        case Choice(alternatives):
            return any(map(ends_with_repetition, alternatives))
        case Repetition():
            return True
        case Eps() | Assignment() | Send() | Receive() | Guard() | Cut():
            return False
        case _:
            assert_never(program)


def goes_on_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds an interval over which P and three iterations of the repetition occur."""
    p, q = syntax(instance)
    written_out = (layered(Cut(), p, Cut(), found) for found in iterated(q, ITERATIONS))
    return any(occurs_somewhere(w, instance.n, solver, _unrolled(semantics)) for w in written_out)


def _unrolled(semantics: Semantics) -> Semantics:
    return replace(semantics, unroll=max(semantics.unroll, ITERATIONS))


GOES_ON = Question(
    id="goes-on",
    text="After P, can Q perform three iterations of a repetition at the end of Q?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", goes_on_by_executing, shares=SHARES),),
    symbolic=Symbolic(goes_on_by_solving, shares=SHARES),
    per_second=60,
)


def finds_silence_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether every cut at which P may have ended and Q begun is silent, in every execution of ≀P;Q."""
    require_no_self_channels(semantics)
    p, q = syntax(instance)
    after_cut = layered(Cut(), p)
    both = layered(after_cut, q)
    outside = events_outside(both, semantics.reading)
    return all(
        is_silent(run, between, semantics)
        for run, c, d in executions(both, instance.n, semantics, outside=outside)
        for between in ends(run, c, after_cut, semantics)
        if d in ends(run, between, q, semantics)
    )


def finds_silence_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run of ≀P;Q in which Q may begin at a cut that is not silent."""
    p, q = syntax(instance)
    return begins_in_noise(p, q, instance.n, solver, semantics) is None


FINDS_SILENCE = Question(
    id="finds-silence",
    text="In every run of ≀P;Q, is each cut silent at which P may have ended and Q begun?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(Oracle("executions", finds_silence_by_executing, shares=SHARES),),
    symbolic=Symbolic(finds_silence_by_solving),
    per_second=60,
)
