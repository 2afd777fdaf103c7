"""What is the signature of P, or of P;Q?  It is what matters for sealing and for being sealed (section 4).

A signature has the dummy nodes, the first send and the last receive on each channel, but no send i->j that
Fd_j precedes and no receive j<-i that precedes Ld_i; and all causal edges between these.  Whoever
knows which pairs of events are causal in every run knows the signature.
"""

from sealcheck.algorithms.program_graph import causal_pairs
from sealcheck.encodings.solving import Solver
from sealcheck.programs.semantics import Semantics
from sealcheck.questions import causal_pairs as causal
from sealcheck.questions.instance import Instance
from sealcheck.questions.named_graphs import SIGNATURES, Named, signature_of
from sealcheck.questions.question import CannotAnswer, Oracle, Question, Symbolic
from sealcheck.questions.straight_lines import STRAIGHT, for_bsl, in_rel

SOLVED_MESSAGES = 3
"""How many messages P has, at most, where solvers are asked: `causal-pairs` asks them the same, of all."""

CLOSURE_SHARES = "nothing; it takes for granted that causal in every run is what the program graph joins"


def by_closure(instance: Instance) -> Named:
    """Causal is what the program graph joins."""
    return signature_of(instance.p, causal_pairs(instance.p))


def by_matching(instance: Instance) -> Named:
    """Causal is what is in Lamport's relation under every matching function; all are tried."""
    return signature_of(instance.p, causal.by_matching(instance))


def by_exploring(instance: Instance) -> Named:
    """Causal is what every execution has in the same order."""
    return signature_of(instance.p, causal.by_exploring(instance))


def by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Named:
    """Causal is what the solver finds no run against."""
    if instance.messages > SOLVED_MESSAGES:
        raise CannotAnswer(f"the program has more than {SOLVED_MESSAGES} messages")
    return signature_of(instance.p, causal.by_solving(instance, semantics, solver))


SIGNATURE = Question(
    id="signature",
    text="What is the signature of P?",
    takes=("p",),
    domain=STRAIGHT,
    answer=SIGNATURES,
    oracles=(
        Oracle("program graph", for_bsl(by_closure), shares=CLOSURE_SHARES),
        Oracle("matchings", for_bsl(by_matching)),
        Oracle("explorer", in_rel(by_exploring)),
    ),
    symbolic=Symbolic(by_solving),
    per_second=150,
)


def composed(instance: Instance) -> Instance:
    """P;Q.

    >>> from sealcheck.programs.events import mt
    >>> from sealcheck.programs.straight_line import StraightLine
    >>> there, back = (StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (2, 1)))
    >>> print(composed(Instance.of(there, back)))
    mt 1->2; mt 2->1
    """
    return Instance.of(instance.p.then(instance.q))


def _of_composition(oracle: Oracle[Named]) -> Oracle[Named]:
    """The oracle, asked about P;Q."""

    def answer(instance: Instance, semantics: Semantics) -> Named:
        return oracle.answer(composed(instance), semantics)

    return Oracle(oracle.name, answer, oracle.shares)


def composed_by_solving(instance: Instance, semantics: Semantics, solver: Solver) -> Named:
    """Causal in P;Q is what the solver finds no run against."""
    return by_solving(composed(instance), semantics, solver)


SIGNATURE_COMPOSE = Question(
    id="signature-compose",
    text="What is the signature of P;Q?",
    takes=("p", "q"),
    domain=STRAIGHT,
    answer=SIGNATURES,
    oracles=tuple(map(_of_composition, SIGNATURE.oracles)),
    symbolic=Symbolic(composed_by_solving),
    per_second=SIGNATURE.per_second,
)
