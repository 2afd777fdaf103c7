"""Questions about layers: do they stay apart, and which channels are root causes?

*Layers* are programs in sequence. Layers *stay apart* if each receive takes a message of its own layer and
round. A channel is a *root cause* if a receive on the channel can be the first to take a message of another
layer or round. The flag `repeat` says that the layers run any number of rounds. The flag `open` says that
anything may follow. Explorers and solvers try a bounded number of rounds. Two rounds are enough, as the
docstring of `algorithms.phases` proves.

There are two further questions:

- `interference`: in which execution does a message cross the end of P (only its send or only its receive is
  in P), although Q comes next?
- `keeps-apart`: does Q keep P apart from every following program R? (A barrier keeps all programs apart,
  section 3.) Let ≀ be the silent cut, a moment without messages in transit. If ≀P;Q refines P≀Q≀, the answer
  is yes, because then ≀P;Q;R refines P≀Q≀R for every R.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sealcheck.algorithms.phases import ROUNDS, decide, interfering_by_signatures
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.given import is_crossed, root_causes
from sealcheck.encodings.refinement import refute
from sealcheck.encodings.solving import Solver
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import Owner, Step, find_interference
from sealcheck.explorers.executions import find_counterexample
from sealcheck.explorers.matching_functions import (
    crossed_by_matching,
    goes_wrong,
    roots_by_exploring,
    roots_by_matching,
)
from sealcheck.operations.phases import staying_apart
from sealcheck.programs.phases import OPEN, REPEAT, Phases, Rounds
from sealcheck.programs.runs import Interval, Place, Run
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import Channel, Event, StraightLine
from sealcheck.programs.syntax import (
    Eps,
    Layering,
    Program,
    Refinement,
    as_program,
    barrier,
    ccl,
    layered,
    seals,
)
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import (
    BOOLEAN,
    CHANNELS,
    LAYERS,
    STEPS_OR_NONE,
    CannotAnswer,
    DefinedFor,
    Oracle,
    Question,
    Symbolic,
    Witness,
    none,
)
from sealcheck.questions.straight_lines import (
    BSL,
    STRAIGHT,
    by_operation,
    checked,
    for_bsl,
    require_bsl,
    require_formal_cut,
    require_rel,
    verified,
)
from sealcheck.questions.whole_language import (
    SHARES,
    WHOLE_LANGUAGE,
    refines_by_executing,
    refines_by_solving,
    syntax,
)

TRIED_MESSAGES = 4
"""The most messages in all rounds, for searches of all matchings or executions."""

SOLVED_EVENTS = 12
"""The most events in all rounds, for solvers."""


def as_phases(instance: Instance) -> Phases:
    """The layers of an instance, with its flags."""
    return Phases(instance.straight, REPEAT in instance.flags, OPEN in instance.flags)


def _phases(instance: Instance, semantics: Semantics) -> Phases:
    """The layers of an instance. Raises CannotAnswer unless the model is Rel."""
    require_rel(semantics)
    return as_phases(instance)


def _rounds(instance: Instance, semantics: Semantics) -> Rounds:
    """One round of the layers or, if the layers are repeated, as many rounds as the semantics unrolls.

    Raises CannotAnswer if repeated layers are unrolled once.
    """
    phases = _phases(instance, semantics)
    if phases.repeat and semantics.unroll < ROUNDS:
        raise CannotAnswer("one round does not show what happens in several rounds")
    return phases.rounds(semantics.unroll if phases.repeat else 1)


def _roots(find: Callable[[Rounds], frozenset[Channel]], most: Rounds) -> frozenset[Channel]:
    """The channels that `find` finds in `most` rounds and, if anything may follow, also in fewer rounds."""
    counts = range(1, most.count + 1) if most.phases.open else [most.count]
    return frozenset[Channel]().union(*map(find, map(most.phases.rounds, counts)))


def by_clocks(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The root causes, found with vector clocks."""
    return frozenset(found.channel for found in decide(_phases(instance, semantics)).interfering)


def phases_by_signatures(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The root causes, from the signatures of the layers."""
    require_bsl(instance, semantics)
    return interfering_by_signatures(as_phases(instance))


def _few_messages(instance: Instance, semantics: Semantics) -> Rounds:
    rounds = _rounds(instance, semantics)
    if rounds.program.messages > TRIED_MESSAGES:
        raise CannotAnswer(f"all rounds together have more than {TRIED_MESSAGES} messages")
    return rounds


def _solvable(instance: Instance, semantics: Semantics) -> Rounds:
    rounds = _rounds(instance, semantics)
    if rounds.program.length > SOLVED_EVENTS:
        raise CannotAnswer(f"all rounds together have more than {SOLVED_EVENTS} events")
    return rounds


def by_kernel(instance: Instance, semantics: Semantics) -> bool:
    """Whether the operation `staying_apart` says yes. The kernel checks its causal chains and runs."""
    return by_operation(staying_apart(_phases(instance, semantics), self_channels=True, remedies=False))


def refinements(instance: Instance, semantics: Semantics) -> list[Refinement]:
    """For each layer, the refinement which says that the layer is a CCL (communication-closed layer).

    If anything may follow, the end of the layers need not be silent.
    """
    rounds = _rounds(instance, semantics)
    layers = syntax(instance) * rounds.count
    sides = [ccl(layered(*layers[:k]), layers[k], layered(*layers[k + 1 :])) for k in range(len(layers))]
    return [_unended(*each) for each in sides] if rounds.phases.open else sides


def _unended(left: Program, right: Program) -> Refinement:
    """The refinement without the cut at the end of its left side."""
    assert isinstance(left, Layering)
    return layered(*left.parts[:-1]), right


def phases_by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution shows that a layer is not a CCL, as in `is_ccl_by_executing`."""
    require_bsl(instance, semantics)
    _few_messages(instance, semantics)
    found = (find_counterexample(*sides, instance.n, outside=1) for sides in refinements(instance, semantics))
    return all(each is None for each in found)


def can_complete(instance: Instance) -> bool:
    """Whether an instance consists of straight-line layers that do not deadlock in sequence."""
    layers = replace(instance, flags=())
    if not set(instance.flags) <= {REPEAT, OPEN} or not layers.programs or not STRAIGHT.has(layers):
        return False
    return as_phases(layers).once.is_deadlock_free


IN_SEQUENCE = DefinedFor(
    "straight-line programs that do not deadlock in sequence;"
    f" flags: {REPEAT} (any number of rounds), {OPEN} (anything may follow)",
    can_complete,
)

PHASES = Question(
    id="phases",
    text="In every execution, does each receive take a message of its own layer and round?",
    takes=LAYERS,
    domain=IN_SEQUENCE,
    answer=BOOLEAN,
    oracles=(
        Oracle("vector clocks", none(by_clocks)),
        Oracle("signatures", none(phases_by_signatures)),
        Oracle("explorer", lambda *asked: not goes_wrong(_rounds(*asked))),
        Oracle("matchings", lambda *asked: not crossed_by_matching(_few_messages(*asked))),
        Oracle("executions", phases_by_executing, shares=SHARES),
        checked(by_kernel),
        *verified("phases", LAYERS, BOOLEAN),
    ),
    symbolic=Symbolic(lambda about, within, solver: not is_crossed(_solvable(about, within), solver)),
    certificate="a causal chain for each layer and channel; or a run for each root cause",
    per_second=30,
)

USED = "the set of channels that the layers use"

INTERFERING_CHANNELS = Question(
    id="interfering-channels",
    text="On which channels can a receive be the first to take another layer's message (root causes)?",
    takes=LAYERS,
    domain=IN_SEQUENCE,
    answer=CHANNELS,
    oracles=(
        Oracle("vector clocks", by_clocks),
        Oracle("signatures", phases_by_signatures),
        Oracle("explorer", lambda *asked: _roots(roots_by_exploring, _rounds(*asked)), shares=USED),
        Oracle("matchings", lambda *asked: _roots(roots_by_matching, _few_messages(*asked)), shares=USED),
    ),
    symbolic=Symbolic(
        lambda about, within, solver: _roots(partial(root_causes, solver=solver), _solvable(about, within))
    ),
    per_second=30,
)


SOLVED_MESSAGES = 6
"""The most messages of P and Q together for solvers."""

Steps = tuple[Step, ...]


def crosses(instance: Instance, semantics: Semantics, found: Steps | None) -> bool:
    """Whether `found` is an execution in which a message crosses P's end. True if `found` is None."""
    return found is None or (
        _is_execution(instance, found)
        and any(step.took is not None and (step.owner is Owner.P) != (step.took is Owner.P) for step in found)
    )


def _is_execution(instance: Instance, steps: Steps) -> bool:
    under_way: Counter[tuple[Channel, Owner]] = Counter()
    done: list[list[Step]] = [[] for _ in range(instance.n)]
    for step in steps:
        done[step.event.process - 1].append(step)
        of = step.event.channel, step.owner if step.took is None else step.took
        under_way[of] += 1 if step.event.is_send else -1
        if under_way[of] < 0 or step.event.is_send != (step.took is None):
            return False
    in_order = all(share == sorted(share, key=lambda step: list(Owner).index(step.owner)) for share in done)
    return in_order and all(
        [each.event for each in share if each.owner is owner] == list(program.shares[process])
        for owner, program in zip((Owner.P, Owner.Q), instance.straight, strict=True)
        for process, share in enumerate(done)
    )


def as_run(n: int, steps: Steps) -> Run:
    """The run of these steps. Messages of a layer on a channel are taken in the order of sending.

    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> run = as_run(2, find_interference(once, once))
    >>> print(*map(run.event, run.order), sep="; ")
    snd 1->2; snd 1->2; rcv 2<-1; rcv 2<-1
    >>> run.matching[Place(2, 1)]
    Place(process=1, position=2)
    """
    shares: list[list[Event]] = [[] for _ in range(n)]
    under_way: defaultdict[tuple[Channel, Owner], deque[Place]] = defaultdict(deque)
    order: list[Place] = []
    matching: dict[Place, Place] = {}
    for step in steps:
        share = shares[step.event.process - 1]
        share.append(step.event)
        order.append(place := Place(step.event.process, len(share)))
        if step.took is None:
            under_way[step.event.channel, step.owner].append(place)
        else:
            matching[place] = under_way[step.event.channel, step.took].popleft()
    return Run(StraightLine(tuple(map(tuple, shares))), tuple(order), matching)


def interference_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Steps | None:
    """A run which shows that Q does not seal P. None if the solver finds no such run."""
    require_bsl(instance, semantics)
    if instance.messages > SOLVED_MESSAGES:
        raise CannotAnswer(f"P and Q have more than {SOLVED_MESSAGES} messages")
    p, q = instance.straight
    found = refute(*seals(as_program(p), as_program(q)), instance.n, solver, semantics)
    return None if found is None else tuple(_steps(found, p))


def _steps(found: Interval, p: StraightLine) -> list[Step]:
    run = found.run

    def owner(place: Place) -> Owner:
        at = place.position - found.c[place.process - 1]
        if at <= len(p.shares[place.process - 1]):
            return Owner.P
        return Owner.Q if place.position <= found.d[place.process - 1] else Owner.LATER

    steps: list[Step] = []
    for place in run.interleaving():
        event = run.at(place).event
        if event is not None:
            steps.append(Step(event, owner(place), None if event.is_send else owner(run.matching[place])))
    return steps


INTERFERENCE = Question(
    id="interference",
    text="In which execution of P;Q and later events does a message cross the end of P, if in any?",
    takes=("p", "q"),
    domain=BSL,
    answer=STEPS_OR_NONE,
    oracles=(Oracle("explorer", for_bsl(lambda instance: find_interference(*instance.straight))),),
    symbolic=Symbolic(interference_by_solving),
    witness=Witness(lambda found: found is None, crosses),
)


def keeps_apart_by_signatures(instance: Instance, semantics: Semantics) -> bool:
    """Whether Q seals P and the empty program seals P;Q, by signatures."""
    _require_sealing(instance, semantics)
    require_bsl(instance, semantics)
    p, q = instance.p, instance.q
    of_p, of_q, both, nothing = map(signature, (p, q, p.then(q), StraightLine.of(p.n)))
    return is_seal(of_p, of_q) and is_seal(both, nothing)


def keeps_apart_by_exploring(instance: Instance, semantics: Semantics) -> bool:
    """Whether nothing interferes with P, or with P;Q, in any execution."""
    _require_sealing(instance, semantics)
    require_rel(semantics)
    p, q = instance.p, instance.q
    return channel_contents.seals(p, q) and channel_contents.seals(p.then(q), StraightLine.of(p.n))


def _require_sealing(instance: Instance, semantics: Semantics) -> None:
    """Raise CannotAnswer unless the programs are straight-line, and the cut has its formal meaning."""
    if not all(isinstance(program, StraightLine) for program in instance.programs):
        raise CannotAnswer("it only knows straight-line programs")
    require_formal_cut(semantics)


def _as_refinement(instance: Instance) -> Instance:
    """The statement that ≀P;Q refines P≀Q≀, as an instance."""
    p, q = syntax(instance)
    return Instance(instance.n, barrier(p, q, Eps()))


KEEPS_APART = Question(
    id="keeps-apart",
    text="Does Q keep P apart from every program that follows?",
    takes=("p", "q"),
    domain=WHOLE_LANGUAGE,
    answer=BOOLEAN,
    oracles=(
        Oracle("signatures", keeps_apart_by_signatures),
        Oracle("explorer", keeps_apart_by_exploring),
        Oracle(
            "executions",
            lambda instance, semantics: refines_by_executing(_as_refinement(instance), semantics),
            shares=SHARES,
        ),
    ),
    symbolic=Symbolic(
        lambda instance, *context: refines_by_solving(_as_refinement(instance), *context), shares=SHARES
    ),
    per_second=60,
)
