"""`closed-channels` and `figure-signatures`: verdicts on record, and mistakes that are caught."""

from dataclasses import replace

import pytest
from pysmt.shortcuts import FALSE, TRUE
from tests.theorems.rows import asked, checked, holds, up_to, without

from sealcheck.algorithms.signature import signature
from sealcheck.encodings.symbolic_signature import SymbolicSignature
from sealcheck.theorems import closed_channels, figure_signatures
from sealcheck.theorems.ablation import first_model
from sealcheck.theorems.checking import check_level
from sealcheck.theorems.closed_channels import STATEMENT, no_node_but_open
from sealcheck.theorems.statement import Instance


def test_verified_one_by_one() -> None:
    """Receive nodes are open channels, say matchings, explorer and solvers, up to (3, 3) and for (2, 4)."""
    assert holds(checked(STATEMENT, [*up_to(3, 3), (2, 4)]))


def test_verified_for_whole_levels() -> None:
    """No program of (3, 4) has an open channel without node, or a node for a closed channel."""
    assert holds(asked(STATEMENT, [(1, 0), (2, 2), (3, 3), (3, 4)]))


def test_what_breaks_without_hypotheses() -> None:
    """The smallest programs without each hypothesis; self-channels make no difference."""
    assert without(STATEMENT) == {
        "channels are empty at the start, as the text says": "eps",
        "balanced": "snd 2->1",
        "deadlock-free": "rcv 1<-2; snd 1->2; mt 1->2; snd 2->1; rcv 2<-1",
        "no self-channels": "none",
        "totality": "mt 1->2; mt 2->1",
        "injectivity": "snd 1->2; mt 2->1; mt 1->2; rcv 2<-1",
        "acyclicity": "mt 1->2; mt 2->1",
        "leading cut": "mt 1->2; mt 2->1",
    }


def test_a_claim_that_looks_at_sends_is_refuted() -> None:
    """The send nodes of a signature do not tell the open channels."""
    sends = replace(
        STATEMENT.claims[0], predicts=lambda instance: frozenset(signature(instance.p).interfering_sends)
    )
    tally = checked(replace(STATEMENT, claims=(sends,)), up_to(2, 2))
    assert str(tally.refuting[0]) == "mt 1->2; mt 2->1"


def test_a_way_that_is_wrong_is_disputed() -> None:
    """A way that calls every channel closed is contradicted by a single message."""
    ways = {**STATEMENT.ways, "explorer": lambda instance: frozenset()}
    assert str(checked(replace(STATEMENT, ways=ways), up_to(2, 2), ("z3",)).disputed) == "mt 1->2"


@pytest.mark.parametrize("later_sends", [1, 2, 3])
def test_more_later_sends_open_no_more_channels(later_sends: int) -> None:
    """One later send is as good as several."""
    assert first_model([no_node_but_open(3, 3, later_sends=later_sends)]) is None


def test_the_direct_query_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If signatures had no receive nodes, an open channel without node would be found."""
    monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda self, message: FALSE())
    tally = asked(STATEMENT, [(2, 1)], ("z3",))
    assert tally.disputed is not None
    assert "no node, open" in tally.answers


def test_the_query_by_proof_is_not_vacuous(monkeypatch: pytest.MonkeyPatch) -> None:
    """If signatures had all receives as nodes, the proof's run would not exist for a closed channel."""
    monkeypatch.setattr(SymbolicSignature, "has_receive_node", lambda self, message: TRUE())
    monkeypatch.setattr(closed_channels.PairOfPrograms, "met", lambda self, a: FALSE())
    assert check_level(STATEMENT, 0, 2, 2, solver="z3").unknown == 1


def test_the_story_names_the_channels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader sees which channels differ, and how."""
    (instance,) = figure_signatures.examples(2, 1)
    story = STATEMENT.claims[0].story
    assert story is not None
    assert story(instance) == ""
    monkeypatch.setattr(closed_channels, "receive_nodes", lambda _: frozenset())
    assert story(instance) == "P leaves 1->2 open, but sig(P) has no receive node for it"


def test_the_figures_are_as_the_text_says() -> None:
    """mt 1->2 has the receive node and the acknowledged one has not, with idle processes or without."""
    tally = checked(figure_signatures.STATEMENT, up_to(4, 3))
    assert holds(tally)
    assert tally.checked == 6


def test_swapped_figures_are_refuted() -> None:
    """With the two captions swapped, the first program refutes the claim."""
    about = figure_signatures.STATEMENT
    swapped = replace(about.claims[0], predicts=lambda instance: instance.messages == 2)
    tally = checked(replace(about, claims=(swapped,)), up_to(2, 2))
    assert tally.refuting[0] == next(figure_signatures.examples(2, 1))
    assert isinstance(tally.refuting[0], Instance)
