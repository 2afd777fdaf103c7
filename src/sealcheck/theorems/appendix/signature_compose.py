"""Signature-Compose (`app:algo`): compute the signature of P;Q from the signatures of P and Q.

Words        The signature of a program is a graph. Its nodes are first sends and last receives on channels,
             and the start Fd_i and the end Ld_i of each process i.

Reading      given the signatures of P and Q, the answer should be the signature of P;Q, as section 4 defines
             it. The checks compute the given signatures by Sig, with the slip of Program-Graph mended. By the
             row sig, they are right.

Not claimed  anything about the cost: see signature-compose-cost.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations

import networkx as nx

from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.algorithms.as_printed.signature_compose import signature_compose, signature_compose_repaired
from sealcheck.questions.causality import SIGNATURE, Named, composed
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.domains import Listed, every
from sealcheck.theorems.checking.hypotheses import failing, pairs, unbalanced
from sealcheck.theorems.checking.procedures import LIMIT, answers_rightly, explaining
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Check, Claim, Hypothesis, Repaired, Statement
from sealcheck.theorems.checking.targets import target

MESSAGES = 3
"""The bound on the messages of both programs together, for n > 2."""

SLIP = (
    "Line 5 removes P's receive j<-i if it precedes lst_j, which every event of process j does;"
    " it should say lst_i."
)

ASKED = target("signature-compose")

Compose = Callable[[nx.DiGraph, nx.DiGraph], nx.DiGraph]


def pairs_of_programs(n: int, messages: int) -> Iterator[Instance]:
    """The pairs of the level."""
    if n <= 2 or messages <= MESSAGES:
        yield from every(ASKED.domain.up_to_renaming)(n, messages)


def answer_of(compose: Compose, instance: Instance) -> Named:
    """The answer of a procedure."""
    return Named.of(compose(sig_of(instance.p), sig_of(instance.q)))


def returns_the_signature(compose: Compose) -> Check:
    """The check that a procedure returns the signature of P;Q.

    The processes are renamed first, so that P;Q is canonical. All renamings then share their questions.
    """
    check = answers_rightly(ASKED, partial(answer_of, compose))
    return lambda instance, ask: check(with_canonical_composition(instance), ask)


def with_canonical_composition(instance: Instance) -> Instance:
    """This pair, renamed so that P;Q is least. Of several such pairs, the least."""
    renamings = permutations(range(1, instance.n + 1))
    renamed = (Instance.of(instance.p.renamed(r), instance.q.renamed(r)) for r in renamings)
    return min(renamed, key=lambda pair: (composed(pair), pair))


def unbalanced_alone(n: int, messages: int) -> Iterator[Instance]:
    """Unbalanced P and Q for which P;Q is balanced and does not deadlock."""
    for pair in pairs(unbalanced, unbalanced)(n, messages):
        both = composed(pair).p
        if both.is_balanced and both.is_deadlock_free:
            yield pair


HYPOTHESES = (
    Hypothesis("balanced", failing(unbalanced_alone, returns_the_signature(signature_compose_repaired))),
    Hypothesis(
        "deadlock-free", remark="a program that deadlocks has no run, so no run shows which nodes come first"
    ),
)

STATEMENT = Statement.of(
    "signature-compose",
    "app:algo, Signature-Compose",
    Claim(
        "Signature-Compose, given the signatures of P and Q, returns the signature of P;Q",
        check=returns_the_signature(signature_compose),
        explain=explaining(SLIP, partial(answer_of, signature_compose), SIGNATURE, of=composed),
        refutations=in_coq("SignatureCompose.v", "signature_compose_as_printed", "mt 1->2 and eps"),
        fails_at=(2, 1),
        misprint=True,
    ),
    Repaired(
        "if the last condition of line 5 has lst_i in place of lst_j, Signature-Compose, given the signatures"
        " of P and Q, returns the signature of P;Q",
        check=returns_the_signature(signature_compose_repaired),
        theorems=in_coq(
            "SignatureCompose.v", "signature_compose_repaired", "all straight-line programs, P balanced"
        ),
    ),
    domain=Listed("pairs", pairs_of_programs),
    questions=(SIGNATURE,),
    limits=(f"for more than two processes, pairs with up to {MESSAGES} messages in total are checked", LIMIT),
    hypotheses=HYPOTHESES,
)
