"""`signature` and `signature-compose`: the oracles agree, and see what the definition says."""

from itertools import product

import pytest
from tests.questions.asking import agreed, answers, who_knows
from tests.strategies import programs_up_to

from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.causality import SIGNATURE, SIGNATURE_COMPOSE, SOLVED_MESSAGES, Named
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.hypotheses import unbalanced, with_self_channels

THERE, BACK = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, mt(2, 1))


def test_the_papers_signatures() -> None:
    """A message leaves its receive; where it is answered, the channel is closed, and its receive goes."""
    once = agreed(SIGNATURE, THERE)
    assert once.nodes == {"fst 1", "fst 2", "lst 1", "lst 2", "snd 1->2", "rcv 2<-1"}
    assert ("fst 1", "lst 2") in once.edges
    assert ("rcv 2<-1", "lst 1") not in once.edges
    assert agreed(SIGNATURE, THERE.then(BACK)).nodes == (once.nodes - {"rcv 2<-1"}) | {"rcv 1<-2"}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_all_oracles_agree(n: int) -> None:
    """Closure, matchings, explorer and solvers say the same as a transcription of the paper's Sig."""
    most = 3 if n < 3 else 2
    instances = [Instance.of(p) for p in programs_up_to(n, most, canonical=True)]
    for found in answers(SIGNATURE, instances, solvers=SOLVERS if n < 3 else ("z3",)):
        assert {"program graph", "matchings", "explorer", "z3"} <= who_knows(found)
        assert found.agreed == Named.of(sig_repaired(found.asked.instance.p))


def test_solvers_are_not_asked_about_many_messages() -> None:
    """They say why, and the others go on answering."""
    (found,) = answers(SIGNATURE, [Instance.of(StraightLine.of(2, mt(1, 2) * (SOLVED_MESSAGES + 1)))])
    assert who_knows(found) == {"program graph", "matchings", "explorer"}
    assert found.abstained["z3"] == f"the program has more than {SOLVED_MESSAGES} messages"


def test_only_the_explorer_knows_other_programs() -> None:
    """Those that are not balanced, and those that send to themselves."""
    itself = Semantics(self_channels=True)
    for found in [
        *answers(SIGNATURE, unbalanced(2, 1)),
        *answers(SIGNATURE, list(with_self_channels(2, 2)), itself),
    ]:
        assert who_knows(found) == {"explorer"}


def test_compositions_have_the_signature_of_the_whole() -> None:
    """Asked of P and Q, the answer is about P;Q, from everybody who knows it."""
    small = list(programs_up_to(2, 1))
    pairs = [Instance.of(p, q) for p, q in product(small, small) if p.n == q.n]
    for found in answers(SIGNATURE_COMPOSE, pairs):
        both = found.asked.instance.p.then(found.asked.instance.q)
        assert found.agreed == agreed(SIGNATURE, both)
        assert who_knows(found) == {"program graph", "matchings", "explorer", "z3", "cvc5"}


def test_unbalanced_programs_with_a_balanced_composition() -> None:
    """They have one, too."""
    send, receive = (StraightLine.of(2, [event]) for event in mt(1, 2))
    assert agreed(SIGNATURE_COMPOSE, send, receive) == agreed(SIGNATURE, THERE)
