"""Interleavings, and refinement as a preorder."""

from typing import cast

import pytest
from pysmt.fnode import FNode
from tests.theorems.rows import asked, only_claim

from sealcheck.encodings.runs import Axiom, SymbolicRun, axioms, happens_before
from sealcheck.encodings.solving import Interleaving, Relation
from sealcheck.language.parser import parse
from sealcheck.language.printer import show
from sealcheck.programs.runs import Place
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.hypotheses import deadlocking
from sealcheck.theorems.checking.statement import Ask
from sealcheck.theorems.section2 import interleaving_exists
from sealcheck.theorems.section2.interleaving_exists import STATEMENT
from sealcheck.theorems.section2.refinement_order import STATEMENTS, in_all_constructs

CLAIM = only_claim(STATEMENT)


@pytest.mark.parametrize("query", ["acyclic, no interleaving", "interleaving, not acyclic"])
def test_the_queries_are_not_vacuous(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without acyclicity a matching can be stuck; an order that ignores messages lists cyclic ones."""
    weaker = cyclic_relations if query == "acyclic, no interleaving" else heedless_interleavings
    monkeypatch.setattr(interleaving_exists, "axioms", weaker)
    tally = asked(STATEMENT, [(2, 3)], ("z3",))
    assert tally.disputed is not None
    assert query in tally.dispute


def cyclic_relations(run: SymbolicRun) -> list[FNode]:
    """The axioms; a relation need not be acyclic."""
    return axioms(run, [Axiom.ACYCLIC] * isinstance(run.order, Relation))


def heedless_interleavings(run: SymbolicRun) -> list[FNode]:
    """The axioms; an interleaving need not respect process order, nor put sends before their receives."""
    heedless = isinstance(run.order, Interleaving)
    return [axiom for axiom in axioms(run) if not (heedless and axiom is happens_before(run))]


def test_the_explanation_names_the_matching_functions() -> None:
    explain = CLAIM.explain
    assert explain is not None
    (instance,) = interleaving_exists.balanced(2, 1)
    with inline(("z3",)) as ask:
        assert explain(instance, ask) == ""
    nothing = cast(Ask, lambda *asked: frozenset())
    taken = "{receive 1 of 2 <- send 1 of 1}"
    assert explain(instance, nothing) == f"{taken} is acyclic, but no interleaving takes that"
    (stuck,) = deadlocking(2, 2)
    crossed = frozenset({(Place(1, 1), Place(2, 2)), (Place(2, 1), Place(1, 2))})
    everything = cast(Ask, lambda *asked: frozenset({crossed}))
    assert explain(stuck, everything) == (
        "{receive 1 of 1 <- send 2 of 2, receive 1 of 2 <- send 2 of 1} is taken by an interleaving,"
        " but not acyclic"
    )


PREORDER, MONOTONE = STATEMENTS


def test_every_construct_is_asked_about() -> None:
    p, q, r = map(parse, ("snd 1->2", "mt 1->2", "cut"))
    assert [tuple(map(show, sides)) for sides in in_all_constructs(p, q, r)] == [
        ("snd 1->2; cut", "mt 1->2; cut"),
        ("cut; snd 1->2", "cut; mt 1->2"),
        ("snd 1->2 + cut", "mt 1->2 + cut"),
        ("(snd 1->2)*", "(mt 1->2)*"),
    ]
