"""Remedies that keep layers apart: few acknowledgments between them, few channels with tags, or both.

*Layers* are programs that each process runs one after the other. A receive is *wrong* if it takes a message
of another layer or round. Layers *stay apart* if no run has a wrong receive. A channel is a *root cause* if,
in some run, the first wrong receive is on this channel.

**Acknowledgments** are messages inserted at the boundaries between layers. If the layers are repeated or
anything may follow, there is also a boundary after the last layer. The acknowledgments at a boundary form a
layer of their own. This layer must stay apart from the other layers, but programs that follow all layers may
interfere with it.

A *plan* lists the inserted messages at each boundary, in order. Each message is received right after it is
sent. A process has *heard* of a receive if a causal path leads from the receive to the process. For each
channel, the search tracks which processes have heard of the channel's last receive.

Acknowledgments cannot help if a layer deadlocks when it runs alone, or if a later layer can receive a message
that a layer leaves over.

**Tags.** A message on a channel with tags names its layer and round, and a receive takes only messages of its
own layer and round. To keep the layers apart, exactly the root causes need tags
(`sealcheck.algorithms.phases`).

**Both.** If root causes remain in spite of a plan, tags on these root causes keep the layers apart. A
*change* is one inserted message or one channel with a tag. The search looks for a plan with the fewest
changes.

`fewest_changes` gives a lower bound on the number of changes, and a plan of `StepByStep` an upper bound.
Between the bounds, the search tries `AllPlans`, within its limits.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from sealcheck.algorithms.mending.boundaries import NO_TAGS, Boundaries, Plan, Tagged, size
from sealcheck.algorithms.mending.plans import MOST_SEARCHED, AllPlans, StepByStep, fewest_changes
from sealcheck.algorithms.phases import Decision, RootCause, decide
from sealcheck.algorithms.sealability import transmitting
from sealcheck.errors import Disagreement
from sealcheck.programs.phases import Phases
from sealcheck.programs.straight_line import Channel, StraightLine

NONE_CAN = "no acknowledgments help"

MOST_MIXED = 6
"""The most sets of tags that are tried together with plans found step by step."""


@dataclass(frozen=True)
class Both:
    """Acknowledgments together with tags."""

    acknowledgments: tuple[StraightLine, ...]
    """A program for each boundary."""
    tags: tuple[Channel, ...]
    """The channels that are root causes in spite of the acknowledgments."""

    @property
    def messages(self) -> int:
        """The number of messages of the acknowledgments."""
        return sum(each.messages for each in self.acknowledgments)

    @property
    def changes(self) -> int:
        """The number of messages and tags together."""
        return self.messages + len(self.tags)


@dataclass(frozen=True)
class Mending:
    """The changes that would keep the layers apart."""

    acknowledgments: tuple[StraightLine, ...] | None
    """A program for each boundary; None if the search found no sufficient acknowledgments."""
    at_least: int
    """A lower bound on the messages of the acknowledgments."""
    tags: tuple[Channel, ...] | None
    """The channels that need a tag. None if a layer deadlocks when it runs alone: then tags cannot help."""
    _: KW_ONLY
    reason: str = ""
    """Why there are no acknowledgments, if that is known."""
    both: Both | None = None
    """Acknowledgments together with tags, if they take fewer changes than acknowledgments alone or tags
    alone; otherwise None.
    """
    changes_at_least: int = 0
    """A lower bound on the number of changes, by acknowledgments, tags, or both."""

    @property
    def messages(self) -> int | None:
        """The number of messages of the acknowledgments."""
        return None if self.acknowledgments is None else sum(each.messages for each in self.acknowledgments)

    @property
    def is_fewest(self) -> bool:
        """Whether it is known that fewer acknowledgments are not enough."""
        return self.messages == self.at_least

    @property
    def changes(self) -> int | None:
        """The number of changes of the smallest remedy that was found; None if nothing helps."""
        tags = None if self.tags is None else len(self.tags)
        found = (self.messages, tags, None if self.both is None else self.both.changes)
        return min((count for count in found if count is not None), default=None)

    @property
    def is_fewest_changes(self) -> bool:
        """Whether it is known that fewer changes are not enough."""
        return self.changes == self.changes_at_least


def mend(decision: Decision) -> Mending:
    """Propose changes that keep the layers apart.

    Raises Disagreement if the layers with the changes do not stay apart. Each acknowledgment takes O(layers *
    n^2) steps. `plans.MOST_STEPS` bounds the search for fewer changes.

    >>> from sealcheck.programs.straight_line import mt
    >>> once = StraightLine.of(2, mt(1, 2))
    >>> found = mend(decide(Phases((once, once))))
    >>> [str(each) for each in found.acknowledgments], found.is_fewest
    (['mt 2->1'], True)
    """
    phases = decision.rounds.phases
    if not decision.causality.is_whole:
        stuck = next(at for at, layer in enumerate(phases.layers, 1) if not layer.is_deadlock_free)
        reason = f"{phases.title(stuck)} by itself deadlocks, so it has to take a message of another layer"
        return Mending(None, 0, None, reason=f"{NONE_CAN}: {reason}")
    tags = tuple(found.channel for found in decision.interfering)
    left = [found for found in decision.interfering if found.is_in_order]
    boundaries = Boundaries(phases, frozenset(found.channel for found in left))
    plan, at_least, reason = (None, 0, _said(left[0])) if left else _acknowledgments(boundaries)
    added = None if plan is None else _added(phases, plan, NO_TAGS)
    most = (len(tags) if plan is None else min(len(tags), size(plan))) - len(left)
    mixed, changes = _combination(boundaries, [each for each in tags if each not in boundaries.tagged], most)
    both = None
    if mixed is not None:
        tagged = boundaries.tagged | boundaries.interfering(mixed)
        both = Both(_added(phases, mixed, tagged), tuple(sorted(tagged)))
    return Mending(added, at_least, tags, reason=reason, both=both, changes_at_least=changes + len(left))


def _said(found: RootCause) -> str:
    """Why no acknowledgments help against a receive of a message that an earlier layer left."""
    rounds = found.rounds
    sender, receiver = (rounds.owner(place) for place in (found.send, found.receive))
    taker = "a later program"
    if receiver < len(rounds.layers):
        taken = rounds.named(receiver)
        taker = rounds.phases.title(taken.number) + (" in the next round" if taken.round > 1 else "")
    return f"{NONE_CAN}: {rounds.phases.title(sender + 1)} leaves a message over, which {taker} can receive"


def _acknowledgments(boundaries: Boundaries) -> tuple[Plan | None, int, str]:
    """A plan that leaves no root cause, or None; a lower bound on the messages of such plans; and, if it is
    known that there is no such plan, the reason.
    """
    small = StepByStep(boundaries).run()
    at_least = fewest_changes(boundaries, may_tag=False)
    most = None if small is None else size(small)
    search = AllPlans(boundaries, may_tag=False)
    while boundaries.n <= MOST_SEARCHED and (most is None or at_least < most):
        found = search.with_changes(at_least)
        if found is not None:
            return found, at_least, ""
        if search.has_given_up:
            break
        if search.is_exhausted:
            return None, at_least, f"{NONE_CAN}: a layer could receive their own messages"
        at_least += 1
    none_in_sequence = ""
    if small is None and boundaries.phases.repeat and boundaries.n <= MOST_SEARCHED:
        # One round and the first layer of the next: a plan that keeps all rounds apart keeps these apart.
        once_and_the_first = Phases((*boundaries.phases.layers, boundaries.phases.layers[0]))
        _, _, none_in_sequence = _acknowledgments(Boundaries(once_and_the_first))
    return small, at_least, none_in_sequence


def _combination(boundaries: Boundaries, tags: Sequence[Channel], most: int) -> tuple[Plan | None, int]:
    """A plan with fewer changes than `most`, or None; and a lower bound on the changes needed."""
    at_least = fewest_changes(boundaries, may_tag=True)
    small: Plan | None = None
    for plan in _mixed(boundaries, tags) if at_least < most else ():
        changes = size(plan) + len(boundaries.interfering(plan))
        if changes < most:
            small, most = plan, changes
    search = AllPlans(boundaries, may_tag=True)
    while boundaries.n <= MOST_SEARCHED and at_least < most:
        found = search.with_changes(at_least)
        if found is not None:
            return found, at_least
        if search.has_given_up:
            break
        at_least += 1
    return small, at_least


def _mixed(boundaries: Boundaries, tags: Sequence[Channel]) -> Iterator[Plan]:
    """Plans found step by step after tagging the 1, 2, 4, ... channels with the most unmet requirements."""
    unmet = Counter(each.channel for each in boundaries.unmet(boundaries.nothing))
    ranked = sorted(tags, key=lambda channel: (-unmet[channel], channel))
    for count in (2**k for k in range(MOST_MIXED)):
        if count < len(ranked) and (plan := StepByStep(boundaries, frozenset(ranked[:count])).run()):
            yield plan


def _added(phases: Phases, plan: Plan, tagged: Tagged) -> tuple[StraightLine, ...]:
    """The programs of a plan. Raises Disagreement if these programs and tags do not keep the layers apart."""
    added = tuple(transmitting(phases.n, each) for each in plan)
    if not stay_apart(phases, added, tagged):
        raise Disagreement(f"{' | '.join(map(str, added))} were found to keep layers apart, but do not")
    return added


def stay_apart(phases: Phases, added: Sequence[StraightLine], tagged: Tagged = frozenset()) -> bool:
    """Whether layers stay apart if the programs in `added` are inserted, one after each layer.

    If `added` is shorter than the layers, nothing is inserted after the remaining layers. It does not count
    if a program that follows all layers interferes with the program inserted after the last layer. Channels
    in `tagged` have tags, so they do not count as root causes.

    >>> from sealcheck.programs.straight_line import mt
    >>> once, answer = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))
    >>> [stay_apart(Phases((once, once)), added) for added in ([], [answer])]
    [False, True]
    """
    missing = len(phases.layers) - len(added)
    padded = [*added, *[StraightLine.of(phases.n)] * missing]
    both = tuple(part for pair in zip(phases.layers, padded, strict=True) for part in pair)
    if phases.repeat:
        again = decide(Phases(both, repeat=True))
        if any(each.channel not in tagged for each in again.interfering):
            return False
    decision = decide(Phases(both, open=phases.open))
    owner, left = decision.rounds.owner, (each for each in decision.interfering if each.channel not in tagged)
    return all((owner(each.receive), owner(each.send)) == (len(both) - 1, len(both)) for each in left)
