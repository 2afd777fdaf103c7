"""Section 3, "Seals", and the introduction: a message back seals a message, and what follows from that.

Reading      three claims: mt^{j->i} seals mt^{i->j}; mt^{i->j};mt^{j->i} seals itself; mt^{i->j} does not
             seal itself.  Up to renaming i is 1 and j is 2; a third process may be there.  "Any
             program of the form" covers the data: contents that are left open, constant, or
             computed from what was received.
Refutation   transmissions for which the refinement that defines sealing comes out the other way.
Not claimed  the algorithm does not look at data; that data makes no difference is what the other
             ways find, for the kinds of data that are listed.
"""

from collections.abc import Callable, Iterator

from sealcheck.algorithms.sealing import is_seal
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import channels
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import seals
from sealcheck.programs.syntax import Program, layered
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Listed
from sealcheck.theorems.refining import (
    holds_when_played,
    holds_when_solved,
    mt,
    refines,
    refutation,
    signature_of,
    syntax,
    told,
)
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement
from sealcheck.theorems.transmissions import exchanges, transmissions, with_answer

Pair = tuple[Program, Program]


def _pair(instance: Instance) -> Pair:
    """P and what is to seal it: the second program, or P itself where there is only one."""
    programs = syntax(instance)
    return programs[0], programs[-1]


def by_signatures(instance: Instance) -> bool:
    """Whether Q seals P, says the algorithm, which drops the data."""
    p, q = (signature_of(program, instance.n) for program in _pair(instance))
    return is_seal(p, q)


def when_played(instance: Instance) -> bool:
    """Whether no play of ≀P;Q is against it."""
    return holds_when_played(seals(*_pair(instance)), instance.n, outside=1)


def when_solved(instance: Instance, solver: Solver) -> bool:
    """Whether the solver finds no run of ≀P;Q that is against it."""
    return holds_when_solved(seals(*_pair(instance)), instance.n, solver)


Listing = Callable[[int, int], Iterator[Instance]]


def against(
    listing: Listing,
    expected: bool,
    *,
    model: Model = Model.REL,
    reading: CutReading = CutReading.MATCHING,
    self_channels: bool = False,
) -> Callable[[int, int], Instance | None]:
    """Finds the first listed instance about which it is not as expected whether Q seals P."""

    def sealed(instance: Instance) -> bool:
        sides = seals(*_pair(instance))
        return refines(sides, instance.n, model=model, reading=reading, self_channels=self_channels)

    return lambda n, messages: first_difference(listing(n, messages), lambda _: expected, sealed)


def elsewhere(n: int, messages: int) -> Iterator[Instance]:
    """P = mt^{1->2}, and Q a transmission that does not go back."""
    if messages == 2:
        others = (channel for channel in channels(n) if channel != (2, 1))
        yield from (Instance(n, (mt(1, 2), mt(*channel))) for channel in others)


def to_oneself(n: int, messages: int) -> Iterator[Instance]:
    """So many messages from process 1 to itself, one after the other: every other one goes "back"."""
    if messages:
        yield Instance(n, (layered(*(mt(1, 1) for _ in range(messages))),))


def _story(instance: Instance) -> str:
    found = refutation(seals(*_pair(instance)), instance.n)
    return (
        "the refinement holds, so it is sealed"
        if found is None
        else f"a run of it is against it\n{told(found)}"
    )


def _row(id: str, text: str, sealed: bool, listing: Listing, *hypotheses: Hypothesis) -> Statement:
    """A claim that all transmissions of a list are sealed, or that none is."""
    empty = Hypothesis(
        "the formal reading of the silent cut", against(listing, sealed, reading=CutReading.EMPTY)
    )
    return Statement(
        id=id,
        label='section 3, "Seals"',
        claims=(Claim(Form.AS_PRINTED, text, predicts=lambda _: sealed, story=_story),),
        hypotheses=(*hypotheses, empty),
        domain=Listed("transmissions with data", listing),
        ways={"plays": when_played, "algorithm": by_signatures},
        smt=when_solved,
        limits=(
            "contents are left open, 1, x, or x + 1, x being the variable that receives are stored in",
            "in plays one event happens before or after the interval, and values start as 0 or 1",
        ),
        per_shard=20,
    )


STATEMENTS = (
    _row(
        "mt-seals-ack",
        "any mt^{j->i} seals any mt^{i->j} in Rel",
        True,
        with_answer,
        Hypothesis("the second message goes back", against(elsewhere, True)),
        Hypothesis("no self-channels", against(to_oneself, True, self_channels=True)),
    ),
    _row(
        "mt-ack-self-seals",
        "any mt^{i->j};mt^{j->i} seals itself in Rel",
        True,
        exchanges,
        Hypothesis("the message is answered", against(transmissions, True)),
        Hypothesis("no self-channels", against(to_oneself, True, self_channels=True)),
    ),
    _row(
        "mt-not-self-sealing",
        "mt^{i->j} does not seal itself in Rel",
        False,
        transmissions,
        Hypothesis("runs of Rel", against(transmissions, False, model=Model.REL_FIFO)),
        Hypothesis("no self-channels", against(to_oneself, False, self_channels=True)),
    ),
)
