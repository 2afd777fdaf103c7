"""The obligations hold, say something, and need each hypothesis; programs among counter-models are such."""

from functools import cache

import pytest
from pysmt.shortcuts import And, Equals, Implies, Not, Or

from sealcheck.encodings.solving import SMT_SOLVERS, Status, fresh_formulas
from sealcheck.errors import Disagreement
from sealcheck.every_n import (
    closed_channels,
    decide_sealing,
    graph_cause,
    graph_cause_largest,
    sealability,
    tcc_impossibility,
)
from sealcheck.every_n.events import before, event, every, is_receive, oldest, program, run, same_channel
from sealcheck.every_n.knowledge import at_end
from sealcheck.every_n.obligation import Fact, FirstOrder, Obligation, constant, for_all, function, predicate
from sealcheck.every_n.showing import shown
from sealcheck.every_n.solvers import finite_model, status
from sealcheck.theorems.checking.record import check
from sealcheck.theorems.registry import STATEMENTS

THEOREMS = {
    "graph-cause": graph_cause,
    "graph-cause-largest": graph_cause_largest,
    "decide-sealing": decide_sealing,
    "closed-channels": closed_channels,
    "tcc-impossibility": tcc_impossibility,
    "sealability": sealability,
}
checked_once = cache(check)


@pytest.mark.parametrize("name", THEOREMS)
def test_all_steps_hold(name):
    """Both solvers refute each negation, nothing is vacuous, and all that is needed has a counter-model."""
    steps = checked_once(THEOREMS[name].FIRST_ORDER)
    assert steps
    assert all(not step.unknown and step.counter_models for step in steps)


def test_claims_have_their_own():
    """Each theorem's obligations are those of a claim of its statement that is not refuted."""
    having = {
        id: claim.first_order
        for id, about in STATEMENTS.items()
        for claim in about.claims
        if claim.first_order is not None
    }
    assert having == {name: module.FIRST_ORDER for name, module in THEOREMS.items()}
    refuted = [claim for name in THEOREMS for claim in STATEMENTS[name].claims if claim.refutations]
    assert not any(claim.first_order for claim in refuted)


def test_programs_and_runs():
    """A model of all that is said of programs and runs is a run of a program, by another definition."""
    with fresh_formulas():
        r = event("r")
        first = Fact("", And(is_receive(r), before(oldest(r), r)))
        facts = [fact.formula for fact in (*program().values(), *run().values(), first)]
        second = And(is_receive(event("q")), Not(Equals(r, event("q"))), same_channel(r, event("q")))
        model = finite_model([*facts, second])
        assert model is not None
        *events, last = shown(model)
        assert last.startswith("run: ")
        assert [" ".join(events).count(kind) for kind in ("snd", "rcv")] == [2, 2]


@pytest.mark.parametrize("axiom", ["run order", "process order", "on channels", "sent before", "injective"])
def test_a_run_that_lacks_an_axiom_is_none(axiom):
    """Without one of the axioms graph-cause fails, and what shows it is no run."""
    steps = checked_once(graph_cause.FIRST_ORDER)
    (shown,) = {
        model.shown for step in steps for model in step.counter_models if model.without == run_text(axiom)
    }
    assert not any(line.startswith("run:") for line in shown)
    assert any(line.startswith("P: snd") for line in shown)


def run_text(axiom):
    """What an axiom says."""
    with fresh_formulas():
        return run()[axiom].text


def checked(*obligations):
    """Check some, made anew."""
    return check(FirstOrder(lambda: tuple(make() for make in obligations), ""))


def knows_own():
    """A fact about all processes."""
    return Fact("own", for_all("Process", lambda i, j: at_end(j, i, j)))


def test_one_that_fails_is_noticed():
    """Where the negation has a model, the check ends."""

    def wrong():
        return Obligation("wrong", (knows_own(),), for_all("Process", lambda i, j: at_end(i, i, j)))

    with pytest.raises(Disagreement, match="z3 has a model of the negation of 'wrong'"):
        checked(wrong)


def test_one_that_says_nothing_is_noticed():
    """Where the hypotheses contradict each other, the check ends."""

    def empty():
        a = constant("a", "Process")
        return Obligation("empty", (Fact("no", Not(Equals(a, a))),), at_end(a, a, a))

    with pytest.raises(Disagreement, match="no model meets the hypotheses of 'empty'"):
        checked(empty)


def test_a_hypothesis_that_is_not_needed_is_noticed():
    """Where the conclusion follows without it, the check ends."""

    def too_much():
        a = constant("a", "Process")
        return Obligation("much", (knows_own(), Fact("true", Or(Equals(a, a)))), at_end(a, a, a))

    with pytest.raises(Disagreement, match="'much' does not need that true"):
        checked(too_much)


def test_what_a_solver_cannot_tell_is_unknown(monkeypatch):
    """A solver that gives up leaves a step unknown, and never makes it hold."""
    monkeypatch.setattr("sealcheck.theorems.checking.record.status", lambda name, formulas: Status.UNKNOWN)
    steps = check(graph_cause_largest.FIRST_ORDER)
    assert all(len(step.unknown) == len(SMT_SOLVERS) for step in steps)


def test_a_limit_of_time_is_unknown(monkeypatch):
    """Time that runs out is no answer: in an order without end, nothing finite can be found."""
    monkeypatch.setattr("sealcheck.every_n.solvers.SECONDS", 0.3)
    with fresh_formulas():
        less = predicate("less", "Place", 2)
        follows = for_all("Place", lambda a: Not(less(a, a)))
        steps = for_all("Place", lambda a, b, c: Implies(And(less(a, b), less(b, c)), less(a, c)))
        successor = function("successor", "Place")
        endless = for_all("Place", lambda a: less(a, successor(a)))
        assert status("cvc5", [follows, steps, endless]) is not Status.UNSAT


def test_every_says_all():
    """`every` is about all events, and a model that lacks one is none."""
    with fresh_formulas():
        assert finite_model([every(lambda a: is_receive(a)), Not(is_receive(event("r")))]) is None
