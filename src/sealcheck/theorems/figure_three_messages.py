"""`fig:3seal`: three messages on three different channels, sealed by two transitive acknowledgments.

Reading      the figure is lost; what is left is its description.  A program of three messages
             over three channels leaves all three open, or there would be less to seal; and two
             messages seal it.  Two messages answer two channels at most, so at least one is
             acknowledged transitively.  That such programs exist is what is checked: all of them
             are listed by the algorithm that finds shortest seals.
Refutation   a program in the list for which another way needs more messages, or fewer; or none in
             the list.
Not claimed  which of them the figure shows.
"""

from collections.abc import Iterator

from sealcheck import explorer
from sealcheck.algorithms.minimum_seal import minimum_seal
from sealcheck.algorithms.sealability import Problem, Unsealable, sealability, transmitting
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import channels
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import interference
from sealcheck.theorems.domains import Listed, Programs
from sealcheck.theorems.statement import Claim, Form, Instance, Statement

MESSAGES, SEAL_MESSAGES = 3, 2
MORE = SEAL_MESSAGES + 1
"""Stands for "more than two"."""


def programs(n: int, messages: int) -> Iterator[Instance]:
    """Programs that leave the three channels of their messages open and that two seal, by the algorithm."""
    if messages != MESSAGES:
        return
    every = Programs()
    for instance in every.instances(n, messages, 0, every.size(n, messages)):
        if len(signature(instance.p).open_channels) == MESSAGES and fewest(instance) == SEAL_MESSAGES:
            yield instance


def fewest(instance: Instance) -> int:
    """How many messages a shortest seal has, by A* search over states of knowledge."""
    if isinstance(sealability(instance.p), Unsealable):
        return MORE
    return min(MORE, len(minimum_seal(Problem.of(signature(instance.p))).transmissions))


def fewest_by_exploring(instance: Instance) -> int:
    """The same, by exploring with every sequence of up to two transmissions."""
    found = explorer.find_seal(instance.p, SEAL_MESSAGES)
    return MORE if found is None else found.messages


def fewest_by_solving(instance: Instance, solver: Solver) -> int:
    """The same, as the solver sees it, with every sequence of up to two transmissions."""
    return next(
        (s.messages for s in _candidates(instance) if interference.seals(instance.p, s, solver)), MORE
    )


def _candidates(instance: Instance) -> Iterator[StraightLine]:
    for used in ([], *([c] for c in channels(instance.n))):
        yield transmitting(instance.n, used)
    yield minimum_seal(Problem.of(signature(instance.p))).seal(instance.n)


STATEMENT = Statement(
    id="figure-3",
    label="fig:3sealP, fig:3sealS",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "there are programs of three messages on three different channels, all left open, that a program"
            " of two messages seals, and no shorter one",
            predicts=lambda instance: SEAL_MESSAGES,
        ),
    ),
    domain=Listed("such programs", programs),
    ways={"algorithm": fewest, "explorer": fewest_by_exploring},
    smt=fewest_by_solving,
    limits=(
        "a seal is looked for among sequences of transmissions; the solvers are asked about those of at most"
        " one message, and about the algorithm's seal",
    ),
    per_shard=20,
)
