"""Closed-Channels(P) (`app:algo`): the graph C_P of the channels that P closes.

Reading      the answer should be the channels between different processes that are empty after P
             in every run that starts at a silent cut, whatever follows.
Refutation   a program for which the procedure, transcribed line by line, returns other channels.
Repaired     nothing in the procedure itself: only Program-Graph, which Sig calls, has a slip.
             (Half of line 4's test is idle: Sig keeps no receive j<-i that precedes Ld_i.)
Not claimed  that C_P decides sealability: that is `th:sealability`.
"""

from sealcheck import explorer
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels
from sealcheck.algorithms.sealability import closed_channel_graph
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.solving import Solver
from sealcheck.programs.events import Channel, channels
from sealcheck.theorems import closed_channels as definition
from sealcheck.theorems.ablation import deadlocking, first_difference, unbalanced
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.pseudocode.named_graphs import WRONG_RECEIVE
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

Channels = frozenset[Channel]


def by_signature(instance: Instance) -> Channels:
    """The channels whose last receive, if there is one, reaches the end of the sender."""
    return closed_channel_graph(signature(instance.p))


def by_exploring(instance: Instance) -> Channels:
    """The channels that every execution leaves empty, whatever follows."""
    return frozenset(c for c in channels(instance.n) if explorer.closes(instance.p, c))


def by_solving(instance: Instance, solver: Solver) -> Channels:
    """The channels on which the solver lets no receive of P take a later message."""
    return frozenset(channels(instance.n)) - definition.by_solving(instance, solver)


def _answer(instance: Instance) -> Channels:
    return frozenset(Channel(*edge) for edge in closed_channels(instance.p).edges)


def _printed_throughout(instance: Instance) -> Channels:
    return frozenset(Channel(*edge) for edge in printed_throughout.closed_channels(instance.p).edges)


def _story(instance: Instance) -> str:
    answer, truth = _printed_throughout(instance), by_signature(instance)
    lines = [WRONG_RECEIVE]
    lines += [f"P closes {c} or does not use it, but it is not returned." for c in sorted(truth - answer)]
    lines += [f"P leaves {c} open, but it is returned." for c in sorted(answer - truth)]
    return "\n".join(lines)


def with_unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program of which Closed-Channels returns something else."""
    return first_difference(unbalanced(n, messages), _answer, by_exploring)


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A program that deadlocks, so that it closes everything, of which something else is returned."""
    return first_difference(deadlocking(n, messages), _answer, by_exploring)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, of which Closed-Channels returns something else."""
    programs = map(Instance.of, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(programs, _answer, by_exploring)


STATEMENT = Statement(
    id="closed-channels-algorithm",
    label="app:algo, Closed-Channels",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Closed-Channels(P), on Program-Graph with its slip mended, returns the channels that P closes",
            predicts=_answer,
        ),
        Claim(
            Form.AS_PRINTED,
            "Closed-Channels(P), on the printed Program-Graph, returns the channels that P closes",
            predicts=_printed_throughout,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "Closed-Channels(P) returns the channels that P closes once Program-Graph is mended; its own"
            " lines and those of Sig need no mending",
            predicts=_answer,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", with_unbalanced),
        Hypothesis("deadlock-free", with_deadlocks),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Programs(),
    ways={"algorithm": by_signature, "explorer": by_exploring},
    smt=by_solving,
)
