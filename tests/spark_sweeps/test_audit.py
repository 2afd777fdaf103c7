"""The audit: the same findings with and without Spark, and nothing verified that was not checked."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from pyspark.sql import SparkSession

from sealcheck.encodings.solving import SOLVERS, Answer, SmtSolver, Solver, Status
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.counting import count_canonical, count_canonical_sequences
from sealcheck.programs.events import mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps import audit as module
from sealcheck.spark_sweeps.audit import Finding, audit
from sealcheck.spark_sweeps.shards import Progress
from sealcheck.theorems import checking
from sealcheck.theorems.registry import STATEMENTS, statement
from sealcheck.theorems.statement import Form, Instance, Query, Statement, Verdict

REFUTING = "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
"""The smallest program that is sealable though not connected."""
Spaces = list[tuple[int, int]]
Pretend = Callable[[Statement], None]


def up_to(n: int, messages: int) -> Spaces:
    return [(k, m) for k in range(1, n + 1) for m in range(messages + 1)]


def instances(spaces: Spaces, *, pairs: bool) -> int:
    """How many programs, or pairs, there are up to renaming, counted without enumeration."""
    if not pairs:
        return sum(count_canonical(n, m) for n, m in spaces)
    return sum(count_canonical_sequences(n, [p, m - p]) for n, m in spaces for p in range(m + 1))


def verdicts(findings: list[Finding]) -> dict[tuple[str, str], Verdict]:
    return {(finding.statement.id, finding.claim.form.value): finding.verdict for finding in findings}


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Pretend:
    """Have the audit check another version of a statement."""

    def put(version: Statement) -> None:
        monkeypatch.setattr(module, "statement", {version.id: version}.__getitem__)

    return put


@pytest.fixture
def giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have solvers that never know an answer."""

    class GivesUp(SmtSolver):
        def ask(self, formulas: object, *, model: bool = True) -> Answer:
            return Answer(Status.UNKNOWN, lambda symbol: False)

    monkeypatch.setattr(checking, "open_solver", lambda name, *, seconds: GivesUp("z3", seconds))


def test_findings_are_the_same_with_and_without_spark(spark: SparkSession) -> None:
    """Every statement on some levels up to (3, 2): Spark's tasks find what a plain loop finds."""
    spaces = [(1, 1), (2, 1), (3, 2)]
    inline = audit(None, list(STATEMENTS), spaces)
    progress: list[Progress] = []
    assert audit(spark, list(STATEMENTS), spaces, on_progress=progress.append) == inline
    assert progress[-1].done == progress[-1].total > 0
    assert [(f.statement.id, f.claim.form) for f in inline] == [
        (about.id, claim.form) for about in STATEMENTS.values() for claim in about.claims
    ]
    for finding in inline:
        assert (finding.verdict, finding.counterexample, finding.unknown) == (Verdict.VERIFIED, None, 0)
        assert (finding.n, finding.messages) == (3, 2)
        assert finding.instances == instances(spaces, pairs=finding.statement.about_pairs)
        assert finding.ways == ("algorithm", "explorer", "z3", "cvc5")
        assert finding.level_solvers == SOLVERS


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_solver_is_enough(solver: str) -> None:
    """Any one solver verifies what holds up to n = 2 and three messages, and no other is named."""
    for finding in audit(None, list(STATEMENTS), up_to(2, 3), solver=solver):
        assert finding.verdict is Verdict.VERIFIED
        assert finding.ways == ("algorithm", "explorer", solver)
        assert finding.level_solvers == (solver,)


def test_queries_are_asked_of_every_solver() -> None:
    """Without a choice of solver, each whole-space query is answered by all three."""
    one = audit(None, list(STATEMENTS), [(2, 2)], solver="z3")
    every = audit(None, list(STATEMENTS), [(2, 2)])
    assert all(finding.queries for finding in one)
    assert [finding.queries * len(SOLVERS) for finding in one] == [finding.queries for finding in every]


def test_levels_without_programs_are_verified() -> None:
    """One process has no messages to send: there is nothing to check, and nothing is missed."""
    findings = audit(None, ["decide-sealing", "sealability"], [(1, 1)])
    assert [(finding.instances, finding.verdict) for finding in findings] == 3 * [(0, Verdict.VERIFIED)]


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.usefixtures("giving_up")
def test_solvers_that_give_up_leave_a_statement_unknown(name: str) -> None:
    """Without answers nothing is verified, and every instance and query counts as unknown."""
    for finding in audit(None, [name], [(2, 2)]):
        assert finding.verdict is Verdict.UNKNOWN
        assert finding.unknown == finding.instances + finding.queries > 0


def test_one_unknown_answer_is_enough(pretend: Pretend) -> None:
    """A single instance whose truth is not known leaves the whole bound unknown."""
    truth = statement("tcc-impossibility")

    def gives_up_once(instance: Instance, solver: Solver) -> object:
        if str(instance.p) == "mt 1->2; mt 2->1":
            raise LimitReached("out of memory")
        return truth.smt(instance, solver)

    pretend(replace(truth, smt=gives_up_once))
    (finding,) = audit(None, ["tcc-impossibility"], up_to(2, 2))
    assert (finding.verdict, finding.unknown) == (Verdict.UNKNOWN, 1)


def test_a_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a millisecond for each question, z3 gives up on a level, and that is what is reported."""
    monkeypatch.setattr(checking, "SECONDS", 0.001)
    (finding,) = audit(None, ["graph-cause"], [(3, 3)], solver="z3")
    assert finding.verdict is Verdict.UNKNOWN
    assert finding.unknown > 0


def test_a_refutation_counts_although_something_is_unknown(pretend: Pretend) -> None:
    """A counterexample is a counterexample, whatever else is not known."""
    truth = statement("tcc-impossibility")

    def no_proof(n: int, m: int) -> Iterator[Query]:
        yield Query("always", [], lambda answer: Instance(StraightLine.of(n)), by_proof=True)

    wrong = replace(truth.claims[0], predicts=lambda p: True, whole_space=no_proof)
    pretend(replace(truth, claims=(wrong,)))
    (finding,) = audit(None, ["tcc-impossibility"], up_to(2, 2), solver="cadical")
    assert (finding.verdict, str(finding.counterexample)) == (Verdict.REFUTED, "mt 1->2")
    assert finding.unknown > 0


def test_the_smallest_counterexample_is_found_by_all(pretend: Pretend) -> None:
    """Printed sealability falls at n = 3 and four messages, its repaired form does not."""
    printed, repaired = audit(None, ["sealability"], [(3, 4)], solver="z3")
    assert (printed.claim.form, printed.verdict) == (Form.AS_PRINTED, Verdict.REFUTED)
    assert (str(printed.counterexample), printed.instances) == (REFUTING, count_canonical(3, 4))
    assert (repaired.claim.form, repaired.verdict) == (Form.REPAIRED, Verdict.VERIFIED)
    assert repaired.counterexample is None


def skipping(skip: Instance) -> Callable[[StraightLine, int], Iterator[Instance]]:
    """The instances of a statement about one program, but for one of them."""

    def some(p: StraightLine, others: int) -> Iterator[Instance]:
        return (found for found in statement("sealability").instances(p, others) if found != skip)

    return some


def test_an_instance_that_is_skipped_is_noticed(pretend: Pretend) -> None:
    """One program less than there are up to renaming, and there is no finding at all."""
    skipped = Instance(StraightLine.of(2))
    pretend(replace(statement("sealability"), instances=skipping(skipped)))
    with pytest.raises(Disagreement, match=r"^sealability, n = 2, messages = 0: 0 instances, but counted 1$"):
        audit(None, ["sealability"], up_to(2, 1))


def test_a_pair_that_is_skipped_is_noticed(pretend: Pretend) -> None:
    """The same for a statement about pairs."""
    truth = statement("decide-sealing")

    def all_but_one(p: StraightLine, others: int) -> Iterator[Instance]:
        return islice(truth.instances(p, others), p.messages == 1, None)

    pretend(replace(truth, instances=all_but_one))
    with pytest.raises(
        Disagreement, match=r"^decide-sealing, n = 2, messages = 1: 1 instances, but counted 2$"
    ):
        audit(None, ["decide-sealing"], up_to(2, 2), solver="z3")


def test_a_wrong_way_is_reported_with_the_smallest_program(pretend: Pretend) -> None:
    """If the algorithm lied from two messages on, the audit would fail on a program of two."""
    truth = statement("tcc-impossibility")
    pretend(replace(truth, algorithm=lambda p: truth.algorithm(p) != (p.messages >= 2)))
    with pytest.raises(Disagreement) as failure:
        audit(None, ["tcc-impossibility"], up_to(2, 3))
    assert str(failure.value).startswith("tcc-impossibility, n = 2, on ")
    assert "algorithm says True, explorer says False, z3 says False, cvc5 says False" in str(failure.value)


def test_a_level_that_misses_a_counterexample_is_reported(pretend: Pretend) -> None:
    """If programs refute a claim, a query that finds no counterexample among them fails the audit."""
    truth = statement("tcc-impossibility")
    wrong = replace(truth.claims[0], predicts=lambda p: True, whole_space=lambda n, m: iter(()))
    pretend(replace(truth, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"z3's counterexample .* is None, but one by one it is mt 1->2$"):
        audit(None, ["tcc-impossibility"], [(2, 0), (2, 1)])


def test_a_level_with_a_counterexample_too_many_is_reported(pretend: Pretend) -> None:
    """If a query finds a counterexample where programs do not refute the claim, the audit fails."""
    truth = statement("tcc-impossibility")
    larger = Instance(StraightLine.of(2, [*mt(1, 2), *mt(1, 2)]))

    def of_another_level(n: int, m: int) -> Iterator[Query]:
        yield Query("always", [], lambda answer: larger)

    wrong = replace(truth.claims[0], predicts=lambda p: p.messages != 1, whole_space=of_another_level)
    pretend(replace(truth, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"is mt 1->2; mt 1->2, but one by one it is None$"):
        audit(None, ["tcc-impossibility"], [(2, 1)])


BOUND: Spaces = up_to(3, 5)


@pytest.mark.slow
def test_all_ways_agree_up_to_three_processes_and_five_messages(spark: SparkSession) -> None:
    """Every canonical program with n <= 3, m <= 5, and every pair with m_P + m_Q <= 5, all four ways."""
    findings = audit(spark, list(STATEMENTS), BOUND)
    expected = dict.fromkeys(verdicts(findings), Verdict.VERIFIED)
    assert verdicts(findings) == expected | {("sealability", "as-printed"): Verdict.REFUTED}
    for finding in findings:
        assert finding.unknown == 0
        assert finding.instances == instances(BOUND, pairs=finding.statement.about_pairs)
    (refuted,) = [finding for finding in findings if finding.verdict is Verdict.REFUTED]
    assert str(refuted.counterexample) == REFUTING
