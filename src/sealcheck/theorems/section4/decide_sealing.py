"""`th:decide.sealing`: whether Q properly seals P can be read off the two signatures.

Words        Q seals P if P's receives take only messages of P, in every run of P;Q from empty channels,
             whatever follows. sig(P), the signature of P, is a graph. Its nodes are first sends and last
             receives on channels, and the start Fd_i and the end Ld_i of each process i. An edge leads to a
             node that comes later in every run.

Reading      E_P and E_Q are the edges of sig(P) and sig(Q). Q seals P iff each receive node j<-i of sig(P)
             has a process k with

             - (receive, Ld_k) in E_P
             - (Fd_k, Ld_i) in E_Q
             - (Fd_k, send) in E_Q, if sig(Q) has the send node i->j

             Straight-line programs never run forever, so "properly" adds nothing.

Refutation   a pair that meets the criterion, and a run of P;Q where a message crosses the end of P. Or a pair
             that fails the criterion, and for which the proof constructs no such run. In the proof's run, the
             send of the crossing message comes first, together with all events that have to come before it.

Not claimed  that P and Q beyond the bound behave alike.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from sealcheck.algorithms.as_printed.is_seal import is_seal_repaired
from sealcheck.algorithms.sealing import Interferes, decide
from sealcheck.algorithms.signature import bits, signature
from sealcheck.encodings.runs import Axiom
from sealcheck.encodings.sealing import PairOfPrograms, PairOfTraces, met_but_crossed, not_met_but_no_run
from sealcheck.encodings.solving import Interleaving, Relation
from sealcheck.questions.instance import Instance
from sealcheck.questions.sealing import IS_SEAL
from sealcheck.theorems.checking.domains import Sequences
from sealcheck.theorems.checking.hypotheses import all_programs, failing, pairs, unbalanced, without_axioms
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Query, Statement, predicts


def criterion(instance: Instance) -> bool:
    """The theorem's right-hand side, on the signatures of P and Q."""
    p, q = signature(instance.p), signature(instance.q)
    return all(
        any(
            q.ends[k - 1] >> (channel.sender - 1) & 1
            and (channel not in q.interfering_sends or q.sends[channel] >> (k - 1) & 1)
            for k in bits(p.receives[channel])
        )
        for channel in p.open_channels
    )


def whole_space(n: int, m: int) -> Iterator[Query]:
    """The queries for both directions, for every way to divide m messages between P and Q. P has at least one
    of them, since every program seals eps."""
    for of_p in range(1, m + 1):
        yield met_but_not_sealed(PairOfPrograms(n, of_p, m - of_p))
        yield not_met_but_sealed(PairOfTraces(n, of_p, m - of_p))


def met_but_not_sealed(pair: PairOfPrograms, without: Sequence[Axiom] = ()) -> Query:
    """The query for a pair that meets the criterion, and a run where a message crosses the end of P."""
    order = Relation if without else Interleaving
    formulas = partial(met_but_crossed, pair, without, order=order)
    return Query.about(f"{pair}: met, not sealed", formulas, pair.p, pair.q)


def not_met_but_sealed(pair: PairOfTraces) -> Query:
    """The query for a pair that fails the criterion, and for which the proof constructs no run."""
    name = f"{pair}: not met, sealed"
    return Query.about(name, lambda: not_met_but_no_run(pair), pair.p, pair.q, by_proof=True)


def explain(instance: Instance, ask: Ask) -> str:
    """Why the criterion is wrong about the pair."""
    found = decide(instance.p, instance.q)
    if isinstance(found, Interferes):
        return f"the criterion holds, but a later message on {found.channel} can be received in P"
    return "the criterion fails, but no later message can be received in P"


BY_ANY_SIGNATURES = predicts(IS_SEAL, lambda pair: is_seal_repaired(pair.p, pair.q))
"""The criterion on signatures of any programs, balanced or not."""

STATEMENT = Statement.of(
    "decide-sealing",
    "th:decide.sealing",
    Claim(
        "for BSLs P and Q, Q properly seals P iff the signatures of P and Q meet the criterion",
        check=predicts(IS_SEAL, criterion),
        hypotheses=(
            Hypothesis("P balanced", failing(pairs(unbalanced, all_programs), BY_ANY_SIGNATURES)),
            Hypothesis("Q balanced", failing(pairs(all_programs, unbalanced), BY_ANY_SIGNATURES)),
            *without_axioms(
                lambda n, m, axiom: (
                    met_but_not_sealed(PairOfPrograms(n, of_p, m - of_p), [axiom]) for of_p in range(1, m + 1)
                )
            ),
        ),
        whole_space=whole_space,
        explain=explain,
        theorems=in_coq(
            "DecideSealing.v",
            "decide_sealing_self",
            "all BSLs P and Q, with values, with self-channels too; finite intervals",
        ),
    ),
    domain=Sequences(2, "pairs"),
    questions=(IS_SEAL,),
)
