"""The definitions of sections 3 and 4, taken literally, against what the algorithms make of them.

Reading      nothing is encoded but the semantics: what it is for a program to occur over an
             interval.  "Q seals P" is then that ≀P;Q refines P≀Q, "P is TCC" that ≀P refines P≀; P
             closes a channel if none of its messages crosses the end of an occurrence of ≀P;
             P is balanced if every occurrence that starts with empty channels leaves as many
             sends as receives on each.  The algorithms, which decide all this from the program
             graph, or by counting, make the predictions.
Refutation   a program, or a pair, for which an algorithm and a definition differ.
Not claimed  anything about programs that are not straight-line: the algorithms do not take them.
"""

from collections.abc import Iterator

from sealcheck import explorer
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.encodings import refinement
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import Channel, channels
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import seals, tcc
from sealcheck.programs.syntax import Cut, Program, layered
from sealcheck.theorems.ablation import first_difference, unbalanced
from sealcheck.theorems.capped import Capped
from sealcheck.theorems.domains import Listed, Programs, Sequences, indexed_space
from sealcheck.theorems.ending import crossing, endings, lopsided
from sealcheck.theorems.refining import as_program, holds_when_played, holds_when_solved, refines
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

Kind = tuple[bool, frozenset[Channel]]
"""Whether a program is TCC, and which channels it closes."""


def by_signatures(instance: Instance) -> bool:
    """Whether Q seals P, as the algorithm decides."""
    return is_seal(signature(instance.p), signature(instance.q))


def sealed_when_played(instance: Instance) -> bool:
    """Whether no play of ≀P;Q has P≀Q not occur over the same interval."""
    return holds_when_played(seals(*_trees(instance)), instance.n, outside=1)


def sealed_when_solved(instance: Instance, solver: Solver) -> bool:
    """Whether the solver finds no run that keeps ≀P;Q from refining P≀Q."""
    return holds_when_solved(seals(*_trees(instance)), instance.n, solver)


def sealed_when_explored(instance: Instance) -> bool:
    """Whether nothing interferes with P, in the explorer's own terms."""
    return explorer.seals(instance.p, instance.q)


def _trees(instance: Instance) -> tuple[Program, ...]:
    return tuple(map(as_program, instance.straight))


def by_signature(instance: Instance) -> Kind:
    """What the signature of a program says of it."""
    opened = signature(instance.p).open_channels
    return not opened, frozenset(channels(instance.n)) - frozenset(opened)


def kind_when_played(instance: Instance) -> Kind:
    """What the plays of ≀P show of the program."""
    (p,) = _trees(instance)
    is_tcc = holds_when_played(tcc(p), instance.n, outside=1)
    ends = endings(layered(Cut(), p), instance.n)
    crossed = frozenset(channel for run, _, d in ends for channel in crossing(run, d))
    return is_tcc, frozenset(channels(instance.n)) - crossed


def kind_when_solved(instance: Instance, solver: Solver) -> Kind:
    """What the solver says of the program: that it finds no run against it."""
    (p,), n = _trees(instance), instance.n
    closed = (c for c in channels(n) if refinement.leaves_open(p, c, n, solver) is None)
    return holds_when_solved(tcc(p), n, solver), frozenset(closed)


def balanced_when_played(instance: Instance) -> bool:
    """Whether every play of the program that starts with empty channels leaves none lopsided."""
    (p,) = _trees(instance)
    outside = sum(max(0, -excess) for excess in instance.p.imbalance.values())
    return not any(lopsided(run, d) for run, _, d in endings(p, instance.n, outside=outside))


def balanced_when_solved(instance: Instance, solver: Solver) -> bool:
    """Whether the solver finds no occurrence that starts with empty channels and leaves one lopsided."""
    (p,) = _trees(instance)
    return refinement.unbalanced(p, instance.n, solver) is None


def _seals_story(instance: Instance) -> str:
    says = "seals" if by_signatures(instance) else "does not seal"
    return f"the algorithm says that Q {says} P; the definition says the opposite"


def _channels_story(instance: Instance) -> str:
    (_, predicted), (_, found) = by_signature(instance), kind_when_played(instance)
    named = [", ".join(map(str, sorted(channels))) or "nothing" for channels in (predicted, found)]
    return f"by its signature P closes {named[0]}\nby definition P closes {named[1]}"


def completing(n: int, messages: int) -> Iterator[Instance]:
    """Straight-line programs, balanced or not, that can complete when more messages follow."""
    yield from (Instance.of(p) for p in indexed_space(n, messages).programs() if p.is_canonical)
    yield from unbalanced(n, messages)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A pair that may use self-channels, on which the algorithm differs from the definition."""
    pairs = (
        Instance.of(p, q)
        for of_p in range(messages + 1)
        for p in indexed_space(n, of_p, self_channels=True).programs()
        for q in indexed_space(n, messages - of_p, self_channels=True).programs()
    )
    return first_difference(
        pairs if n + messages <= 4 else (),
        by_signatures,
        lambda instance: refines(seals(*_trees(instance)), instance.n, self_channels=True),
    )


def _read_otherwise(n: int, messages: int, model: Model, reading: CutReading) -> Instance | None:
    """A pair about which the algorithm is wrong in another model, or under another reading of the cut."""
    return first_difference(
        PAIRS.instances(n, messages, 0, PAIRS.size(n, messages)),
        by_signatures,
        lambda instance: refines(seals(*_trees(instance)), instance.n, model=model, reading=reading),
    )


PAIRS = Capped(Sequences(2, "pairs of programs"), {1: 4, 2: 4, 3: 3})
PROGRAMS = Capped(Programs(), {1: 4, 2: 4, 3: 3})
COMPLETING = Capped(Listed("programs, balanced or not", completing), {1: 4, 2: 3, 3: 2})

_DEADLOCK_FREE = Hypothesis(
    "deadlock-free",
    remark="the algorithms refuse programs that deadlock; by definition anything seals these",
)

STATEMENTS = (
    Statement(
        id="definitions-agree-seals",
        label='section 3, "Seals"',
        claims=(
            Claim(
                Form.AS_PRINTED,
                "for BSLs P and Q, the silent cut before P;Q refines P;Q with the silent cut after P exactly"
                " if the algorithm on the signatures of P and Q says that Q seals P",
                predicts=by_signatures,
                story=_seals_story,
            ),
        ),
        hypotheses=(
            Hypothesis(
                "runs of Rel",
                lambda n, messages: _read_otherwise(n, messages, Model.REL_FIFO, CutReading.MATCHING),
                remark="in RelFi the pair shown refines, though Q does not seal P in Rel",
            ),
            Hypothesis(
                "the formal reading of the silent cut",
                lambda n, messages: _read_otherwise(n, messages, Model.REL, CutReading.EMPTY),
            ),
            Hypothesis("no self-channels", with_self_channels),
            _DEADLOCK_FREE,
        ),
        domain=PAIRS,
        ways={"plays": sealed_when_played, "explorer": sealed_when_explored},
        smt=sealed_when_solved,
        limits=(f"{PAIRS}; in plays one event happens before or after the interval",),
        per_shard=80,
    ),
    Statement(
        id="definitions-agree-channels",
        label='section 4, "close"',
        claims=(
            Claim(
                Form.AS_PRINTED,
                "a BSL closes exactly the channels that its signature does not leave open, and is TCC in Rel"
                " exactly if that is all of them",
                predicts=by_signature,
                story=_channels_story,
            ),
        ),
        hypotheses=(_DEADLOCK_FREE,),
        domain=PROGRAMS,
        ways={"plays": kind_when_played},
        smt=kind_when_solved,
        limits=(f"{PROGRAMS}; in plays one event happens before or after the interval",),
        per_shard=15,
    ),
    Statement(
        id="definitions-agree-balanced",
        label='section 4, "balanced"',
        claims=(
            Claim(
                Form.AS_PRINTED,
                "a straight-line program that can complete is balanced exactly if it has as many sends as"
                " receives on every channel",
                predicts=lambda instance: instance.p.is_balanced,
                story=lambda instance: f"sends minus receives: {instance.p.imbalance or 'none'}",
            ),
        ),
        hypotheses=(
            Hypothesis(
                "the program can complete",
                remark="one that can't occurs over no interval, so by definition it is balanced",
            ),
        ),
        domain=COMPLETING,
        ways={"plays": balanced_when_played},
        smt=balanced_when_solved,
        limits=(f"{COMPLETING}; the larger of the numbers of sends and receives counts",),
        per_shard=60,
    ),
)
