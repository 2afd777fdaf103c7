"""Seal(P), in the proof of `th:sealability`: what it constructs is a seal, and how it transmits.

Reading      wherever the closed-channel graph of P is connected: for every choice of the tree T and
             of the root v, the output of Seal(P) properly seals P and has fewer than 3n messages;
             and each of its transmissions uses a channel that is closed when it is sent, that is,
             by P and the transmissions before it.
Refutation   a program and a choice for which that fails.
Not claimed  programs without such a tree: see `sealability`, and the row of the pseudocode.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import TypeVar

import networkx as nx

from sealcheck.algorithms.as_printed.seal import seal
from sealcheck.programs.straight_line import Channel, StraightLine
from sealcheck.questions.closed_channels import CLOSED_CHANNELS, CLOSED_WHEN_SENT
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Question
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import (
    Ask,
    Check,
    Claim,
    Form,
    Hypothesis,
    Outcome,
    Statement,
    holds_if,
)

T = TypeVar("T")


@lru_cache(maxsize=1024)
def outputs(n: int, closed: frozenset[Channel]) -> tuple[StraightLine, ...]:
    """What Seal(P) makes of every spanning tree T of closed channels, and of every root v.

    None if the closed channels do not connect the processes.  Of P, Seal uses these only.

    >>> [str(output) for output in outputs(2, frozenset([Channel(1, 2)]))]
    ['mt 1->2; mt 2->1; mt 1->2', 'mt 1->2; mt 2->1']
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(range(1, n + 1))
    graph.add_edges_from(sorted(closed))
    if not nx.is_connected(graph.to_undirected()):
        return ()
    return tuple(dict.fromkeys(_outputs(n, graph)))


def _outputs(n: int, closed: nx.DiGraph) -> Iterator[StraightLine]:
    for tree in nx.SpanningTreeIterator(closed.to_undirected()):
        directed = nx.DiGraph()
        directed.add_nodes_from(closed)
        directed.add_edges_from((i, j) if closed.has_edge(i, j) else (j, i) for i, j in tree.edges)
        for root in closed:
            yield seal(
                StraightLine.of(n),
                closed_channels=partial(_given, closed),
                pick_tree=partial(_given, directed),
                pick_root=partial(_given, root),
            )


def _given(choice: T, _: object) -> T:
    return choice


def for_every_choice(question: Question[bool], is_long: Callable[[StraightLine], bool]) -> Check:
    """The check that the answer about P and each output of Seal(P) is yes, and no output is too long."""

    def check(instance: Instance, ask: Ask) -> Outcome:
        found = outputs(instance.n, ask(CLOSED_CHANNELS, instance))
        if not found:
            return Outcome.VACUOUS
        answers = ask.all(question, [Instance.of(instance.p, output) for output in found])
        return holds_if(all(answers) and not any(map(is_long, found)))

    return check


def has_3n_messages(output: StraightLine) -> bool:
    """Whether an output is longer than the theorem says."""
    return output.messages >= 3 * output.n


CONNECTED = Hypothesis(
    "the closed-channel graph is connected", remark="without it there is no spanning tree to pick"
)

STATEMENTS = (
    Statement.of(
        "seal-construction",
        "th:sealability",
        Claim(
            Form.AS_PRINTED,
            "if the closed-channel graph of a BSL P without self-channels is connected, Seal(P) is a"
            " proper seal of P with fewer than 3n messages, whatever T and v",
            check=for_every_choice(IS_SEAL, has_3n_messages),
            hypotheses=(CONNECTED,),
            explain=lambda instance, ask: "some choice of T and v gives no seal, or too long a one",
            theorems=in_coq(
                "SpanningTree.v",
                "seal_construction_closed",
                "every BSL without self-channels, every T and v; finite intervals",
            ),
        ),
        domain=Programs(),
        questions=(CLOSED_CHANNELS, IS_SEAL),
    ),
    Statement.of(
        "seal-construction-open-channels",
        "th:sealability",
        Claim(
            Form.AS_PRINTED,
            "each transmission of Seal(P), for a BSL P without self-channels whose closed-channel graph"
            " is connected, uses a channel that is closed at the time of transmission",
            check=for_every_choice(CLOSED_WHEN_SENT, lambda output: False),
            hypotheses=(CONNECTED,),
            explain=lambda instance, ask: "some choice of T and v transmits on an open channel",
            theorems=in_coq(
                "ClosedWhenSent.v",
                "seal_construction_closed_when_sent",
                "every BSL without self-channels, every rooted spanning tree; finite intervals",
            ),
        ),
        domain=Programs(),
        questions=(CLOSED_CHANNELS, CLOSED_WHEN_SENT),
    ),
)
