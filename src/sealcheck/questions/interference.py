"""How does a message cross the end of P, although Q comes next?  An execution, step by step."""

from collections import Counter, defaultdict, deque

from sealcheck.encodings.refinement import refute
from sealcheck.encodings.solving import Solver
from sealcheck.oracles.interference import Owner, Step, find_interference
from sealcheck.programs.events import Channel, Event
from sealcheck.programs.global_runs import Interval
from sealcheck.programs.notions import seals
from sealcheck.programs.runs import Place, Run
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.answer_types import STEPS_OR_NONE
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic, Witness
from sealcheck.questions.refines import as_program
from sealcheck.questions.straight_lines import BSL, for_bsl, require_bsl

SOLVED_MESSAGES = 6
"""How many messages P and Q may have together where solvers are asked."""

Steps = tuple[Step, ...]


def crosses(instance: Instance, semantics: Semantics, found: Steps | None) -> bool:
    """Whether the steps are an execution of P;Q and later events, and a message crosses the end of P."""
    return found is None or (_is_execution(instance, found) and any(map(_is_crossing, found)))


def _is_crossing(step: Step) -> bool:
    return step.took is not None and (step.owner is Owner.P) != (step.took is Owner.P)


def _is_execution(instance: Instance, steps: Steps) -> bool:
    under_way: Counter[tuple[Channel, Owner]] = Counter()
    done: list[list[Step]] = [[] for _ in range(instance.n)]
    for step in steps:
        done[step.event.process - 1].append(step)
        of = step.event.channel, step.owner if step.took is None else step.took
        under_way[of] += 1 if step.event.is_send else -1
        if under_way[of] < 0 or step.event.is_send != (step.took is None):
            return False
    return all(
        [each.event for each in share if each.owner is owner] == list(program.shares[process])
        for owner, program in zip((Owner.P, Owner.Q), instance.straight, strict=True)
        for process, share in enumerate(done)
    ) and all(_in_order(share) for share in done)


def _in_order(share: list[Step]) -> bool:
    layers = [list(Owner).index(step.owner) for step in share]
    return layers == sorted(layers)


def as_run(n: int, steps: Steps) -> Run:
    """The execution as a run; of the messages of a layer on a channel, the first sent is received first.

    >>> from sealcheck.programs.events import mt
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


def by_exploring(instance: Instance) -> Steps | None:
    """The first execution that the explorer comes across."""
    return find_interference(*instance.straight)


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Steps | None:
    """A run that refutes, by the definition of sealing, that Q seals P; P;Q is its interval."""
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
    text="In which execution of P, Q and what follows does a message cross the end of P, if in any?",
    takes=("p", "q"),
    domain=BSL,
    answer=STEPS_OR_NONE,
    oracles=(Oracle("explorer", for_bsl(by_exploring)),),
    symbolic=Symbolic(by_solving),
    witness=Witness(lambda found: found is None, crosses),
    per_second=100,
)
