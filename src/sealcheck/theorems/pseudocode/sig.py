"""Sig(P) (`app:algo`): what of P matters for sealing and for being sealed.

Reading      the answer should be the signature that section 4 defines in words: the dummy nodes,
             the first send and the last receive on each channel, without a send i->j that Fd_j
             precedes and a receive j<-i that precedes Ld_i; and all causal edges between them.
             Which events are causally ordered is found by closing the program graph, by
             exploring and by trying all matching functions.
Refutation   a program for which the procedure, transcribed line by line, returns another graph.
Repaired     nothing in the procedure itself: only its callee Program-Graph has a slip.
Not claimed  that a signature says enough: that is `th:decide.sealing`.
"""

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import graph_cause_largest
from sealcheck.theorems.ablation import first_difference, unbalanced
from sealcheck.theorems.domains import Programs, indexed_space
from sealcheck.theorems.pseudocode.named_graphs import WRONG_RECEIVE, Named, differences, signature_of
from sealcheck.theorems.statement import Claim, Form, Hypothesis, Instance, Statement


def by_closure(instance: Instance) -> Named:
    """The signature, what is causal being what the program graph joins."""
    return signature_of(instance.p, graph_cause_largest.closure(instance))


def by_exploring(instance: Instance) -> Named:
    """The same, what is causal being what every interleaving has in the same order."""
    return signature_of(instance.p, graph_cause_largest.by_exploring(instance))


def by_matching(instance: Instance) -> Named:
    """The same, what is causal being what is in Lamport's relation under every matching function."""
    return signature_of(instance.p, graph_cause_largest.by_matching(instance))


def _answer(instance: Instance) -> Named:
    return Named.of(sig_repaired(instance.p))


def _printed_throughout(instance: Instance) -> Named:
    return Named.of(printed_throughout.sig(instance.p))


def _story(instance: Instance) -> str:
    return "\n".join([WRONG_RECEIVE, *differences(_printed_throughout(instance), by_closure(instance))])


def with_unbalanced(n: int, messages: int) -> Instance | None:
    """An unbalanced program of which Sig returns something else."""
    return first_difference(unbalanced(n, messages), _answer, by_exploring)


def with_self_channels(n: int, messages: int) -> Instance | None:
    """A program that may send to itself, of which Sig returns something else."""
    programs = filter(_is_canonical, indexed_space(n, messages, self_channels=True).programs())
    return first_difference(map(Instance.of, programs), _answer, by_closure)


def _is_canonical(program: StraightLine) -> bool:
    return program.is_canonical


STATEMENT = Statement(
    id="sig",
    label="app:algo, Sig",
    claims=(
        Claim(
            Form.AS_PRINTED,
            "Sig(P), on Program-Graph with its slip mended, returns the signature of P",
            predicts=_answer,
        ),
        Claim(
            Form.AS_PRINTED,
            "Sig(P), on the printed Program-Graph, returns the signature of P",
            predicts=_printed_throughout,
            story=_story,
        ),
        Claim(
            Form.REPAIRED,
            "Sig(P) returns the signature of P once Program-Graph is mended; its own lines need no mending",
            predicts=_answer,
        ),
    ),
    hypotheses=(
        Hypothesis("balanced", with_unbalanced),
        Hypothesis("deadlock-free", remark="in a program that deadlocks, no run says what is causal"),
        Hypothesis("no self-channels", with_self_channels),
    ),
    domain=Programs(),
    ways={"algorithm": by_closure, "explorer": by_exploring, "matchings": by_matching},
    per_shard=130,
)
