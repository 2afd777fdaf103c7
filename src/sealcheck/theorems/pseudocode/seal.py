"""Seal(P) (proof of `th:sealability`): a program that properly seals P, if there is one.

Reading      whenever P can be sealed properly, what Seal(P) makes should be a proper seal of P
             with fewer than 3n messages, whatever T it picks and whichever process is v (a node
             that is not at the center included); and where it finds no T, P should have no seal.
             Whether P has one is decided as in sealability.
Refutation   a program that can be sealed and has no T; or a T and a v for which what is made is no
             seal, or too long.
Repaired     as printed, but where there is no T, every message that is safe and tells its receiver
             something is sent, until nothing helps; those that turn out not to be needed are left
             out (`algorithms.seal_construction`).
Not claimed  that the repaired procedure needs fewer than 3n messages beyond the bound: where there
             is a T that is seal-construction, and that some seal does is seal-size.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import networkx as nx

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.closed_channels import closed_channels
from sealcheck.algorithms.as_printed.seal import NoSpanningTree, a_center, any_tree, seal
from sealcheck.algorithms.seal_construction import construct_seal
from sealcheck.algorithms.sealability import Sealable, components
from sealcheck.algorithms.sealing import is_seal
from sealcheck.algorithms.signature import Signature, signature
from sealcheck.programs.events import Channel
from sealcheck.programs.runs import Run, fifo_run
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import sealability
from sealcheck.theorems.domains import Programs
from sealcheck.theorems.pseudocode.named_graphs import WRONG_RECEIVE
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement, Truth

EVERY_CHOICE = 3
"""The largest n for which every T and v is tried."""


def trees(closed: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Every T that line 3 may pick: each tree edge in one direction or the other, or in both.

    >>> len(list(trees(nx.DiGraph([(1, 2), (2, 1)]))))
    3
    """
    joined = sorted({tuple(sorted(edge)) for edge in closed.edges})
    ways = [
        [(), *(d for d in ([(i, j)], [(j, i)], [(i, j), (j, i)]) if closed.edges >= set(d))]
        for i, j in joined
    ]
    for choice in product(*ways):
        if sum(map(bool, choice)) == len(closed) - 1:
            tree = nx.DiGraph()
            tree.add_nodes_from(closed)
            tree.add_edges_from(edge for directions in choice for edge in directions)
            if nx.is_weakly_connected(tree):
                yield tree


@lru_cache(maxsize=512)
def seals(n: int, closed: frozenset[Channel]) -> frozenset[StraightLine]:
    """What Seal makes of a program over 1..n with these closed channels, for all its choices; maybe nothing.

    For more than `EVERY_CHOICE` processes only for the choice that the transcription makes.
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(range(1, n + 1))
    graph.add_edges_from(closed)
    nothing = StraightLine.of(n)
    if n > EVERY_CHOICE:
        try:
            return frozenset([seal(nothing, lambda _: graph, any_tree, a_center)])
        except NoSpanningTree:
            return frozenset()
    return frozenset(
        seal(nothing, lambda _: graph, lambda _: tree, lambda _: root)  # noqa: B023 - called at once
        for tree in trees(graph)
        for root in graph
    )


def _outcome(instance: Instance, closed: nx.DiGraph) -> Truth:
    """Whether Seal makes a seal of P; a text if for some choice that is none, or too long."""
    made = seals(instance.n, frozenset(Channel(*edge) for edge in closed.edges))
    first = signature(instance.p)
    for s in sorted(made):
        if wrong := _wrong(first, s):
            return wrong
    return bool(made)


def _wrong(first: Signature, s: StraightLine) -> str:
    if not is_seal(first, _signature(s)):
        return f"the result is {s}, which does not seal P"
    if s.messages >= 3 * first.n:
        return f"the result is {s}, which has {s.messages} messages"
    return ""


@lru_cache(maxsize=4096)
def _signature(s: StraightLine) -> Signature:
    return signature(s)


def _printed(instance: Instance) -> Truth:
    return _outcome(instance, closed_channels(instance.p))


def _printed_throughout(instance: Instance) -> Truth:
    return _outcome(instance, printed_throughout.closed_channels(instance.p))


def _repaired(instance: Instance) -> Truth:
    as_printed = _printed(instance)
    if as_printed is not False:
        return as_printed
    made = _constructed(instance)
    return made is not None and (_wrong(signature(instance.p), made) or True)


def _story(instance: Instance) -> str:
    return "\n".join(_told(instance, closed_channels(instance.p)))


def _story_throughout(instance: Instance) -> str:
    return "\n".join([WRONG_RECEIVE, *_told(instance, printed_throughout.closed_channels(instance.p))])


def _told(instance: Instance, closed: nx.DiGraph) -> Iterator[str]:
    edges = [Channel(*edge) for edge in sorted(closed.edges)]
    yield f"Line 1: Closed-Channels(P) has the edges {', '.join(map(str, edges)) or '(none)'}."
    parts = sorted(map(sorted, components(instance.n, edges)))
    if len(parts) > 1:
        named = " from ".join("{" + ", ".join(map(str, part)) + "}" for part in parts)
        yield f"Line 3: there is no T to pick, for no edge connects {named}."
    else:
        yield f"For some T and v, {_outcome(instance, closed)}."
    made = _constructed(instance)
    yield "P has no seal." if made is None else f"Yet Q = {made} seals P."


def _constructed(instance: Instance) -> StraightLine | None:
    found = construct_seal(signature(instance.p))
    return found.seal(instance.n) if isinstance(found, Sealable) else None


def _sealed_run(instance: Instance) -> tuple[Run, tuple[StraightLine, ...]] | None:
    """P followed by a seal, every message received in the order of sending."""
    made = _constructed(instance)
    return None if made is None else (fifo_run(instance.p.then(made)), (instance.p, made))


STATEMENT = Statement(
    id="seal",
    label="th:sealability, Seal",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "if P can be sealed properly, then Seal(P), on Program-Graph with its slip mended, is a proper"
            " seal of P with fewer than 3n messages, whatever T and v it picks; if not, there is no T",
            predicts=_printed,
            story=_story,
            run=_sealed_run,
        ),
        Claim(
            Form.AS_PRINTED,
            "if P can be sealed properly, then Seal(P), on the printed Program-Graph, is a proper seal of P"
            " with fewer than 3n messages, whatever T and v it picks; if not, there is no T",
            predicts=_printed_throughout,
            story=_story_throughout,
            run=_sealed_run,
        ),
        Claim(
            Form.REPAIRED,
            "if P can be sealed properly, then Seal(P), on Program-Graph with its slip mended, is a proper"
            " seal of P with fewer than 3n messages, whatever T and v it picks, and if there is no T, so are"
            " all safe messages that tell their receiver something, less those that are not needed; if not,"
            " there is no T, and these do not seal P",
            predicts=_repaired,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", remark="sealability, which Seal is part of the proof of, fails without it"),
        Hypothesis("deadlock-free", remark="anything seals a program that deadlocks: see sealability"),
        Hypothesis(
            "no self-channels",
            remark="the closed-channel graph has no edge from a process to itself: see sealability",
        ),
    ),
    domain=Programs(),
    ways=sealability.STATEMENT.ways,
    smt=sealability.STATEMENT.smt,
    limits=(
        f"the explorer looks for seals of up to {sealability.SEAL_MESSAGES} messages; longer ones are only"
        " confirmed where the algorithm proposes one",
        f"every T and v is tried for n <= {EVERY_CHOICE}, and one beyond",
    ),
    per_shard=60,
)
