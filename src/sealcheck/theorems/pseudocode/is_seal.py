"""Is-Seal(P, Q) (`app:algo`): whether Q properly seals P, from their signatures.

Reading      the answer should be yes iff in no run communication of P crosses the cut after P in
             P;Q and what follows.  Straight-line programs never diverge, so "properly" adds
             nothing.  That the procedure reads a name to which nothing was assigned counts as
             its answer.  That stops it for every P that communicates; so it is judged once
             more with the evident misprint in line 1 read as it must be meant.  The printed
             callees change nothing: it stops on the same pairs.
Refutation   a pair of programs for which the procedure, transcribed line by line, answers otherwise.
Repaired     line 1 assigns E_P, and line 7 asks about the e that line 4 computes.
Not claimed  that P and Q beyond the bound behave alike.
"""

from collections.abc import Callable
from functools import lru_cache

import networkx as nx

from sealcheck.algorithms import sealing
from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.is_seal import (
    UnboundName,
    is_seal,
    is_seal_repaired,
    is_seal_without_unbound_name,
)
from sealcheck.algorithms.signature import signature
from sealcheck.programs.events import snd
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import decide_sealing
from sealcheck.theorems.ablation import deadlocking, first_difference
from sealcheck.theorems.domains import Sequences, indexed_space
from sealcheck.theorems.pseudocode.named_graphs import sig_of
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement, Truth

LINE_1 = "Line 1 assigns the edges of Sig(P) to E_Q, which line 2 overwrites; it should say E_P."
LINE_7 = (
    "Line 7 looks for an edge from Fd_k to the send i->j, whatever e line 4 has found; it should look for"
    " an edge from Fd_k to e."
)


_printed_sig = lru_cache(maxsize=512)(printed_throughout.sig)


def _printed(instance: Instance) -> Truth:
    return _answered(instance, sig_of)


def _printed_but_line_1(instance: Instance) -> Truth:
    return is_seal_without_unbound_name(instance.p, instance.q, sig_of)


def _printed_throughout(instance: Instance) -> Truth:
    return _answered(instance, _printed_sig)


def _repaired(instance: Instance) -> bool:
    return is_seal_repaired(instance.p, instance.q, sig_of)


def _answered(instance: Instance, sig: Callable[[StraightLine], nx.DiGraph]) -> Truth:
    """What the printed procedure answers; a text where it stops."""
    try:
        return is_seal(instance.p, instance.q, sig)
    except UnboundName as error:
        return str(error)


def by_signatures(instance: Instance) -> bool:
    """Whether Q seals P, by the bit masks of the fast signatures."""
    return sealing.is_seal(signature(instance.p), signature(instance.q))


def _stops(instance: Instance) -> str:
    channel = signature(instance.p).open_channels[0]
    return "\n".join(
        [
            LINE_1,
            f"P leaves {channel} open, so line 7 is reached and reads E_P, to which nothing was assigned.",
            _truth(instance),
        ]
    )


def _denies(instance: Instance) -> str:
    nodes = sig_of(instance.q)
    without = [c for c in signature(instance.p).open_channels if snd(*c) not in nodes]
    lines = [
        f"P leaves {c} open; sig(Q) has no node {snd(*c)}, so there is no such edge, and the answer is no."
        for c in without
    ]
    return "\n".join([LINE_7, *lines, _truth(instance)])


def _truth(instance: Instance) -> str:
    return f"Q {'seals' if by_signatures(instance) else 'does not seal'} P."


def with_deadlocks(n: int, messages: int) -> Instance | None:
    """A P that deadlocks, so that anything seals it, and a Q of which the mended procedure denies that."""
    pairs = (
        Instance.of(p.p, q)
        for of_p in range(messages + 1)
        for p in deadlocking(n, of_p)
        for q in indexed_space(n, messages - of_p).programs()
    )
    return first_difference(pairs, _repaired, decide_sealing.by_exploring)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A pair that may send to itself, about which the mended procedure is wrong."""
    pairs = (
        Instance.of(p, q)
        for of_p in range(messages + 1)
        for p in indexed_space(n, of_p, self_channels=True).programs()
        if p.is_canonical
        for q in indexed_space(n, messages - of_p, self_channels=True).programs()
    )
    return first_difference(pairs, _repaired, decide_sealing.by_exploring)


def unbalanced(name: str) -> Hypothesis:
    """The statement about pairs of which one program is not balanced, as in decide-sealing."""
    return Hypothesis(
        f"{name} balanced",
        lambda n, messages: decide_sealing.outside(n, messages, p_balanced=name != "P"),
    )


STATEMENT = Statement(
    id="is-seal",
    label="app:algo, Is-Seal",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Is-Seal(P, Q), on Program-Graph with its slip mended, answers whether Q properly seals P",
            predicts=_printed,
            story=_stops,
        ),
        Claim(
            Form.AS_PRINTED,
            "Is-Seal(P, Q), the E_Q of line 1 read as E_P, on Program-Graph with its slip mended, answers"
            " whether Q properly seals P",
            predicts=_printed_but_line_1,
            story=_denies,
        ),
        Claim(
            Form.AS_PRINTED,
            "Is-Seal(P, Q), on the printed Program-Graph, answers whether Q properly seals P",
            predicts=_printed_throughout,
            story=_stops,
        ),
        Claim(
            Form.REPAIRED,
            "with E_P for E_Q in line 1 and e for the send i->j in line 7, Is-Seal(P, Q), on Program-Graph"
            " with its slip mended, answers whether Q properly seals P",
            predicts=_repaired,
        ),
    ),
    hypotheses=(
        unbalanced("P"),
        unbalanced("Q"),
        Hypothesis("deadlock-free", with_deadlocks),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Sequences(2, "pairs"),
    ways={"algorithm": by_signatures, "explorer": decide_sealing.by_exploring},
    smt=decide_sealing.by_definition,
)
