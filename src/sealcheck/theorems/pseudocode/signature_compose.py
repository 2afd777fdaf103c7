"""Signature-Compose (`app:algo`): the signature of P;Q, from those of P and Q.

Reading      given the signatures of P and Q as section 4 defines them, the answer should be the
             signature of P;Q as section 4 defines it.
Refutation   a pair of programs for which the procedure, transcribed line by line, returns another
             graph.
Repaired     line 5 asks of a receive j<-i of P whether it precedes lst_i, as section 4 does.
Not claimed  anything about the cost: that is signature-compose-cost.
"""

from collections.abc import Iterator

import networkx as nx

from sealcheck.algorithms.as_printed.signature_compose import signature_compose, signature_compose_repaired
from sealcheck.theorems import ablation
from sealcheck.theorems.ablation import first_difference
from sealcheck.theorems.domains import Listed, Sequences
from sealcheck.theorems.pseudocode import sig
from sealcheck.theorems.pseudocode.named_graphs import Named, differences, sig_of
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement

MESSAGES = 3
"""How many messages the programs of a pair have together, at most, where n > 2."""


def pairs(n: int, messages: int) -> Iterator[Instance]:
    """The pairs of the level."""
    if n <= 2 or messages <= MESSAGES:
        every = Sequences(2, "pairs")
        yield from every.instances(n, messages, 0, every.size(n, messages))


def composed(instance: Instance) -> Instance:
    """P;Q."""
    return Instance.of(instance.p.then(instance.q))


def by_closure(instance: Instance) -> Named:
    """The signature of P;Q by closing its program graph."""
    return sig.by_closure(composed(instance))


def by_exploring(instance: Instance) -> Named:
    """The same by exploring P;Q."""
    return sig.by_exploring(composed(instance))


def by_matching(instance: Instance) -> Named:
    """The same by trying all matching functions of P;Q."""
    return sig.by_matching(composed(instance))


def _printed(instance: Instance) -> Named:
    return Named.of(signature_compose(*_signatures(instance)))


def _repaired(instance: Instance) -> Named:
    return Named.of(signature_compose_repaired(*_signatures(instance)))


def _signatures(instance: Instance) -> tuple[nx.DiGraph, nx.DiGraph]:
    return sig_of(instance.p), sig_of(instance.q)


def _story(instance: Instance) -> str:
    slip = (
        "Line 5 removes P's receive j<-i if it precedes lst_j, which every event of process j does;"
        " it should say lst_i."
    )
    return "\n".join([slip, *differences(_printed(instance), by_closure(instance))])


def with_unbalanced(n: int, messages: int) -> Instance | None:
    """Unbalanced P and Q with a balanced P;Q, of which the mended procedure returns something else."""
    found = (
        Instance.of(p.p, q.p)
        for of_p in range(messages + 1)
        for p in ablation.unbalanced(n, of_p)
        for q in ablation.unbalanced(n, messages - of_p)
    )
    whole = (i for i in found if composed(i).p.is_balanced and composed(i).p.is_deadlock_free)
    return first_difference(whole, _repaired, by_closure)


STATEMENT = Statement(
    id="signature-compose",
    label="app:algo, Signature-Compose",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Signature-Compose, given the signatures of P and Q, returns the signature of P;Q",
            predicts=_printed,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "with lst_i for lst_j in line 5's last condition, Signature-Compose, given the signatures of P"
            " and Q, returns the signature of P;Q",
            predicts=_repaired,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", with_unbalanced),
        Hypothesis("deadlock-free", remark="in a program that deadlocks, no run says what is causal"),
    ),
    domain=Listed("pairs", pairs),
    ways={"algorithm": by_closure, "explorer": by_exploring, "matchings": by_matching},
    limits=(f"pairs over more than two processes are gone through up to {MESSAGES} messages in all",),
    per_shard=100,
)
