"""Do layers in sequence stay apart, and if not, which channels are root causes?

The flag `repeat` says that the layers are done any number of times, `open` that anything may follow.  What
plays, tries or solves goes through as many rounds as repetitions are unrolled to; how many suffice is proved
in `algorithms.phases`, where root causes are defined.
"""

from collections.abc import Callable
from dataclasses import replace

from sealcheck.algorithms.certificates import phases_certificate, root_document
from sealcheck.algorithms.phases import ROUNDS, decide, interfering_by_signatures
from sealcheck.encodings.phases import is_crossed, root_causes
from sealcheck.encodings.solving import Solver
from sealcheck.errors import Disagreement
from sealcheck.kernel.phases import check_phases
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.oracles.executions import find_counterexample
from sealcheck.oracles.phases import crossed_by_matching, goes_wrong, roots_by_exploring, roots_by_matching
from sealcheck.programs.events import Channel
from sealcheck.programs.notions import Refinement, ccl
from sealcheck.programs.phases import OPEN, REPEAT, Phases, Rounds
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.syntax import Layering, layered
from sealcheck.questions.answer_types import BOOLEAN, CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import LAYERS, CannotAnswer, DefinedFor, Oracle, Question, Symbolic
from sealcheck.questions.refines import SHARES, syntax
from sealcheck.questions.straight_lines import KERNEL_SHARES, STRAIGHT, require_bsl, require_rel
from sealcheck.questions.verified import verified

MATCHED_MESSAGES = 4
"""How many messages all rounds may have together where all matchings are tried."""

EXECUTED_MESSAGES = 4
"""The same, where the definition is executed."""

SOLVED_EVENTS = 12
"""How many events all rounds may have together where solvers are asked."""


def as_phases(instance: Instance) -> Phases:
    """The layers of an instance, with what its flags say of them."""
    return Phases(instance.straight, REPEAT in instance.flags, OPEN in instance.flags)


def _phases(instance: Instance, semantics: Semantics) -> Phases:
    """Raises CannotAnswer unless the model is Rel."""
    require_rel(semantics)
    return as_phases(instance)


def _rounds(instance: Instance, semantics: Semantics) -> Rounds:
    """As many rounds as are unrolled, if the layers are repeated."""
    phases = _phases(instance, semantics)
    if phases.repeat and semantics.unroll < ROUNDS:
        raise CannotAnswer("a single round does not tell what becomes of more")
    return phases.rounds(semantics.unroll if phases.repeat else 1)


def _roots(find: Callable[[Rounds], frozenset[Channel]], most: Rounds) -> frozenset[Channel]:
    """What is found in as many rounds; and in fewer, where what follows may come after these."""
    counts = range(1, most.count + 1) if most.phases.open else [most.count]
    return frozenset[Channel]().union(*map(find, map(most.phases.rounds, counts)))


def by_clocks(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The channels with a message for a receive of another layer, which it is not kept from."""
    return frozenset(found.channel for found in decide(_phases(instance, semantics)).interfering)


def by_signatures(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The channels whose next sender has not heard of the last receive, carried from layer to layer."""
    require_bsl(instance, semantics)
    return interfering_by_signatures(as_phases(instance))


def by_exploring(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The channels that go wrong in some execution although all others have tags."""
    return _roots(roots_by_exploring, _rounds(instance, semantics))


def safe_by_exploring(instance: Instance, semantics: Semantics) -> bool:
    """Whether in no execution a receive takes a message of another layer."""
    return not goes_wrong(_rounds(instance, semantics))


def by_matching(instance: Instance, semantics: Semantics) -> frozenset[Channel]:
    """The channels that go wrong first under some matching function."""
    return _roots(roots_by_matching, _matchable(instance, semantics))


def safe_by_matching(instance: Instance, semantics: Semantics) -> bool:
    """Whether no matching function takes a message from one layer to another."""
    return not crossed_by_matching(_matchable(instance, semantics))


def _matchable(instance: Instance, semantics: Semantics) -> Rounds:
    rounds = _rounds(instance, semantics)
    if rounds.program.messages > MATCHED_MESSAGES:
        raise CannotAnswer(f"all rounds together have more than {MATCHED_MESSAGES} messages")
    return rounds


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> frozenset[Channel]:
    """The channels of which the solver finds a run in which they go wrong first."""
    return _roots(lambda rounds: root_causes(rounds, solver), _solvable(instance, semantics))


def _solvable(instance: Instance, semantics: Semantics) -> Rounds:
    rounds = _rounds(instance, semantics)
    if rounds.program.length > SOLVED_EVENTS:
        raise CannotAnswer(f"all rounds together have more than {SOLVED_EVENTS} events")
    return rounds


def by_kernel(instance: Instance, semantics: Semantics) -> bool:
    """Whether the layers stay apart, as a certificate shows that the kernel accepts."""
    decision = decide(_phases(instance, semantics))
    certificate, found = phases_certificate(decision), [*map(root_document, decision.interfering)]
    try:
        check_phases(*(value_of(canonical(value)) for value in (certificate, found)))  # type: ignore[arg-type]
    except Rejected as error:
        raise Disagreement(f"the kernel rejects what the algorithm says of {instance}: {error}") from None
    return decision.is_safe


def refinements(instance: Instance, semantics: Semantics) -> list[Refinement]:
    """That each layer, in each round that is unrolled, is a CCL in all of it.

    Where anything may follow, what is after the layers need not be silent.
    """
    rounds = _rounds(instance, semantics)
    layers = syntax(instance) * rounds.count
    sides = [ccl(layered(*layers[:k]), layers[k], layered(*layers[k + 1 :])) for k in range(len(layers))]
    return [_unended(each) for each in sides] if rounds.phases.open else sides


def _unended(sides: Refinement) -> Refinement:
    """The refinement without the cut at the end of its left side."""
    left, right = sides
    assert isinstance(left, Layering)
    return layered(*left.parts[:-1]), right


def by_executing(instance: Instance, semantics: Semantics) -> bool:
    """Whether no execution shows that a layer is no CCL.

    One event outside, which interferes, is enough if the layers are balanced: see `is-ccl`.
    """
    require_bsl(instance, semantics)
    if _rounds(instance, semantics).program.messages > EXECUTED_MESSAGES:
        raise CannotAnswer(f"all rounds together have more than {EXECUTED_MESSAGES} messages")
    found = (find_counterexample(*sides, instance.n, outside=1) for sides in refinements(instance, semantics))
    return all(each is None for each in found)


def none(
    channels: Callable[[Instance, Semantics], frozenset[Channel]],
) -> Callable[[Instance, Semantics], bool]:
    """The oracle that says whether there are no such channels."""
    return lambda instance, semantics: not channels(instance, semantics)


def safe_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> bool:
    """Whether the solver finds no run in which a message gets from one layer into another."""
    return not is_crossed(_solvable(instance, semantics), solver)


def can_complete(instance: Instance) -> bool:
    """Whether an instance is layers that, one after the other, do not deadlock."""
    layers = replace(instance, flags=())
    if not set(instance.flags) <= {REPEAT, OPEN} or not layers.programs or not STRAIGHT.has(layers):
        return False
    return as_phases(layers).once.is_deadlock_free


IN_SEQUENCE = DefinedFor(
    "straight-line programs that, one after the other, do not deadlock;"
    f" flags: {REPEAT} (any number of rounds), {OPEN} (anything may follow)",
    can_complete,
)

PHASES = Question(
    id="phases",
    text="Does no receive of one layer take a message of another, in any execution?",
    takes=LAYERS,
    domain=IN_SEQUENCE,
    answer=BOOLEAN,
    oracles=(
        Oracle("vector clocks", none(by_clocks)),
        Oracle("signatures", none(by_signatures)),
        Oracle("explorer", safe_by_exploring),
        Oracle("matchings", safe_by_matching),
        Oracle("executions", by_executing, shares=SHARES),
        Oracle("kernel", by_kernel, shares=KERNEL_SHARES, is_checked=True),
        *verified("phases", LAYERS, BOOLEAN),
    ),
    symbolic=Symbolic(safe_by_solving),
    certificate="a causal chain for each layer and channel; or a run for each root cause",
    per_second=30,
)

INTERFERING_CHANNELS = Question(
    id="interfering-channels",
    text="Which channels are root causes: can take a message of another layer, though all others take none?",
    takes=LAYERS,
    domain=IN_SEQUENCE,
    answer=CHANNELS,
    oracles=(
        Oracle("vector clocks", by_clocks),
        Oracle("signatures", by_signatures),
        Oracle("explorer", by_exploring, shares="which channels the layers use"),
        Oracle("matchings", by_matching, shares="which channels the layers use"),
    ),
    symbolic=Symbolic(by_solving),
    per_second=30,
)
