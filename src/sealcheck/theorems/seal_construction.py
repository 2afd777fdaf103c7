"""Seal(P), in the proof of `th:sealability`: what it constructs is a seal, and how it transmits.

Reading      wherever the closed-channel graph of P is connected: for every choice of the tree T and
             of the root v, the output of Seal(P) properly seals P and has fewer than 3n messages;
             and each of its transmissions uses a channel that is closed when it is sent, that is,
             by P and the transmissions before it.
Refutation   a program and a choice for which that fails.
Every length only for the seal and its size: they depend on the profile (`algorithms.every_length`).
Not claimed  programs without such a tree: see `sealability`, and the row of the pseudocode.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

import networkx as nx

from sealcheck import explorer
from sealcheck.algorithms.as_printed.closed_channels import closed_channels_repaired
from sealcheck.algorithms.as_printed.seal import seal
from sealcheck.algorithms.every_length import as_signature, hardest_program, profiles
from sealcheck.algorithms.seal_construction import tree_seal
from sealcheck.algorithms.sealability import Problem, closed_channel_graph, is_connected, suffices
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import signature
from sealcheck.programs.events import Channel, mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.statement import VACUOUS, Claim, Form, Hypothesis, Instance, Statement

T = TypeVar("T")

Judge = Callable[[StraightLine, StraightLine], bool]
"""Whether an output of Seal(P) is as claimed: gets P and the output."""


def for_every_choice(judge: Judge) -> Callable[[Instance], object]:
    """Whether all outputs of Seal(P) are as claimed; there is none where no spanning tree exists."""

    def way(instance: Instance) -> object:
        p = instance.p
        closed = closed_channels_repaired(p)
        if not nx.is_connected(closed.to_undirected()):
            return VACUOUS
        return all(judge(p, output) for output in outputs(p, closed))

    return way


def outputs(p: StraightLine, closed: nx.DiGraph) -> Iterator[StraightLine]:
    """What Seal(P) makes of every spanning tree T of closed channels, and of every root v."""
    for tree in nx.SpanningTreeIterator(closed.to_undirected()):
        directed = nx.DiGraph()
        directed.add_nodes_from(closed)
        directed.add_edges_from((i, j) if closed.has_edge(i, j) else (j, i) for i, j in tree.edges)
        for root in closed:
            yield seal(p, pick_tree=partial(_given, directed), pick_root=partial(_given, root))


def _given(choice: T, _: object) -> T:
    return choice


def seals_by_signature(p: StraightLine, output: StraightLine) -> bool:
    """It has fewer than 3n messages, and seals P, say the signatures."""
    return output.messages < 3 * p.n and is_seal(signature(p), signature(output))


def seals_by_exploring(p: StraightLine, output: StraightLine) -> bool:
    """It has fewer than 3n messages, and seals P, says the explorer."""
    return output.messages < 3 * p.n and explorer.seals(p, output)


def closed_by_signature(p: StraightLine, output: StraightLine) -> bool:
    """Each transmission uses a channel that P and the transmissions before it close."""
    return all(channel not in signature(before).open_channels for before, channel in _steps(p, output))


def closed_by_exploring(p: StraightLine, output: StraightLine) -> bool:
    """The same, by playing what comes before."""
    return all(explorer.closes(before, channel) for before, channel in _steps(p, output))


def _steps(p: StraightLine, output: StraightLine) -> Iterator[tuple[StraightLine, Channel]]:
    """For each transmission, what precedes it and its channel."""
    sent = [event.channel for event in output.linearization if event.is_send]
    for number, channel in enumerate(sent):
        before = [event for earlier in sent[:number] for event in mt(*earlier)]
        yield p.then(StraightLine.of(p.n, before)), channel


def every_length(n: int) -> Instance | None:
    """Whether the three phases fail for a conceivable profile; the hardest program stands for it."""
    for profile in profiles(n):
        first = as_signature(n, profile)
        closed = closed_channel_graph(first)
        if is_connected(n, closed):
            transmissions = list(tree_seal(n, closed))
            if len(transmissions) >= 3 * n or not suffices(Problem.of(first), transmissions):
                return Instance.of(hardest_program(n))
    return None


CONNECTED = Hypothesis(
    "the closed-channel graph is connected", remark="without it there is no spanning tree to pick"
)

STATEMENTS = (
    Statement(
        id="seal-construction",
        label="th:sealability",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "if the closed-channel graph of P is connected, Seal(P) is a proper seal of P with fewer than"
                " 3n messages, whatever T and v",
                predicts=lambda instance: True,
                story=lambda instance: "some choice of T and v gives no seal, or too long a one",
                every_length=every_length,
            ),
        ),
        hypotheses=(CONNECTED,),
        domain=Programs(),
        ways={
            "signatures": for_every_choice(seals_by_signature),
            "explorer": for_every_choice(seals_by_exploring),
        },
        per_shard=60,
        limits=("for programs of every length only one choice of T and v, that of construct_seal, is tried",),
    ),
    Statement(
        id="seal-construction-open-channels",
        label="th:sealability",
        claims=(
            Claim(
                Form.AS_PRINTED,
                "each transmission of Seal(P) uses a channel that is closed at the time of transmission",
                predicts=lambda instance: True,
                story=lambda instance: "some choice of T and v transmits on a channel that is open then",
            ),
        ),
        hypotheses=(CONNECTED,),
        domain=Programs(),
        ways={
            "signatures": for_every_choice(closed_by_signature),
            "explorer": for_every_choice(closed_by_exploring),
        },
        per_shard=30,
    ),
)
