"""The audit: the same findings with and without Spark, and nothing verified that was not checked."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from sealcheck.encodings.solving import SOLVERS, Answer, SmtSolver, Solver, Status, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.counting import count_canonical, count_canonical_sequences
from sealcheck.programs.events import mt
from sealcheck.programs.straight_line import StraightLine
from sealcheck.spark_sweeps import audit as module
from sealcheck.spark_sweeps import jobs
from sealcheck.spark_sweeps.audit import Finding, audit
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.shards import Progress
from sealcheck.theorems import checking
from sealcheck.theorems.domains import Sequences
from sealcheck.theorems.registry import statement
from sealcheck.theorems.statement import VACUOUS, Form, Instance, Query, Statement, Verdict

CORE = ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"]
"""Statements that are asked in every way: of instances, of levels, and without their hypotheses."""
REFUTING = "snd 1->2; mt 2->1; rcv 2<-1; snd 2->3; mt 3->2; rcv 3<-2"
"""The smallest program that is sealable though not connected."""
CRITERION = statement("decide-sealing").claims[0]
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
        for user in (module, jobs):
            monkeypatch.setattr(user, "statement", {version.id: version}.__getitem__)

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
    inline = audit(nullcontext, CORE, spaces)
    progress: list[Progress] = []
    assert audit(lambda: nullcontext(spark), CORE, spaces, on_progress=progress.append) == inline
    assert progress[-1].done == progress[-1].total > 0
    assert [(f.statement.id, f.claim.form) for f in inline] == [
        (name, claim.form) for name in CORE for claim in statement(name).claims
    ]
    for finding in inline:
        assert (finding.verdict, finding.counterexample, finding.unknown) == (Verdict.VERIFIED, None, 0)
        assert (finding.n, finding.messages) == (3, 2)
        assert finding.instances == instances(spaces, pairs=finding.statement.id == "decide-sealing")
        assert finding.ways == (*finding.statement.ways, "z3", "cvc5")
        assert finding.level_solvers == SOLVERS


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_solver_is_enough(solver: str) -> None:
    """Any one solver verifies what holds up to n = 2 and three messages, and no other is named."""
    for finding in audit(nullcontext, CORE, up_to(2, 3), solver=solver):
        assert finding.verdict is Verdict.VERIFIED
        assert finding.ways == (*finding.statement.ways, solver)
        assert finding.level_solvers == (solver,)


def test_queries_are_asked_of_every_solver() -> None:
    """Without a choice of solver, each whole-space query is answered by all three."""
    one = audit(nullcontext, CORE, [(2, 2)], solver="z3")
    every = audit(nullcontext, CORE, [(2, 2)])
    assert all(finding.queries for finding in one)
    assert [finding.queries * len(SOLVERS) for finding in one] == [finding.queries for finding in every]


def test_nothing_is_verified_without_instances(pretend: Pretend) -> None:
    """One process has no messages to send: where nothing was checked, nothing is claimed."""
    pretend(replace(statement("decide-sealing"), claims=(replace(CRITERION, whole_space=None),)))
    (finding,) = audit(nullcontext, ["decide-sealing"], [(1, 1)])
    assert (finding.instances, finding.verdict) == (0, Verdict.UNKNOWN)


def test_nothing_is_verified_by_instances_that_do_not_meet_the_hypotheses(pretend: Pretend) -> None:
    """Instances that a statement says nothing about are counted apart, and verify nothing."""
    vacuous = dict.fromkeys(["one", "another"], lambda instance: VACUOUS)
    claim = replace(CRITERION, whole_space=None)
    pretend(replace(statement("decide-sealing"), ways=vacuous, smt=None, claims=(claim,)))
    (finding,) = audit(nullcontext, ["decide-sealing"], up_to(2, 2))
    assert finding.instances == finding.vacuous > 0
    assert (finding.verdict, finding.ways) == (Verdict.UNKNOWN, ("one", "another"))


@pytest.mark.parametrize("name", CORE)
@pytest.mark.usefixtures("giving_up")
def test_solvers_that_give_up_leave_a_statement_unknown(name: str) -> None:
    """Without answers nothing is verified, and every instance and query counts as unknown."""
    for finding in audit(nullcontext, [name], [(2, 2)]):
        assert finding.verdict is Verdict.UNKNOWN
        assert finding.unknown == finding.instances + finding.queries > 0


def test_one_unknown_answer_is_enough(pretend: Pretend) -> None:
    """A single instance whose truth is not known leaves the whole bound unknown."""
    truth = statement("tcc-impossibility")

    def gives_up_once(instance: Instance, solver: Solver) -> object:
        assert truth.smt is not None
        if str(instance.p) == "mt 1->2; mt 2->1":
            raise LimitReached("out of memory")
        return truth.smt(instance, solver)

    pretend(replace(truth, smt=gives_up_once))
    (finding,) = audit(nullcontext, ["tcc-impossibility"], up_to(2, 2))
    assert (finding.verdict, finding.unknown) == (Verdict.UNKNOWN, 1)


def test_a_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a millisecond for each question, z3 gives up on a level, and that is what is reported."""
    monkeypatch.setattr(checking, "SECONDS", 0.001)
    (finding,) = audit(nullcontext, ["graph-cause"], [(3, 3)], solver="z3")
    assert finding.verdict is Verdict.UNKNOWN
    assert finding.unknown > 0


def test_a_refutation_counts_although_something_is_unknown(pretend: Pretend) -> None:
    """A counterexample is a counterexample, whatever else is not known."""
    truth = statement("tcc-impossibility")

    def no_proof(n: int, m: int) -> Iterator[Query]:
        yield Query("always", [], lambda answer: Instance.of(StraightLine.of(n)), by_proof=True)

    wrong = replace(truth.claims[0], predicts=lambda p: True, whole_space=no_proof)
    pretend(replace(truth, claims=(wrong,)))
    (finding,) = audit(nullcontext, ["tcc-impossibility"], up_to(2, 2), solver="cadical")
    assert (finding.verdict, str(finding.counterexample)) == (Verdict.REFUTED, "mt 1->2")
    assert finding.unknown > 0


def test_the_smallest_counterexample_is_found_by_all(pretend: Pretend) -> None:
    """Printed sealability falls at n = 3 and four messages, its repaired form does not."""
    printed, repaired = audit(nullcontext, ["sealability"], [(3, 4)], solver="z3")
    assert (printed.claim.form, printed.verdict) == (Form.AS_PRINTED, Verdict.REFUTED)
    assert (str(printed.counterexample), printed.instances) == (REFUTING, count_canonical(3, 4))
    assert (repaired.claim.form, repaired.verdict) == (Form.REPAIRED, Verdict.VERIFIED)
    assert repaired.counterexample is None


def test_every_length_is_evidence_for_its_own_claim() -> None:
    """Programs of every length are gone through for repaired sealability; that says nothing of the printed."""
    printed, repaired = audit(nullcontext, ["sealability"], [(3, 0)], solver="z3")
    assert (printed.every_length, repaired.every_length) == ((), (3,))


@dataclass(frozen=True)
class AllButOne:
    """The domain of a statement, but for one instance."""

    whole: Sequences
    skipped: Instance
    noun: str = "pairs"

    def size(self, n: int, messages: int) -> int:
        """As it was."""
        return self.whole.size(n, messages)

    def expected(self, n: int, messages: int) -> int:
        """As it was."""
        return self.whole.expected(n, messages)

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """All but one."""
        return (found for found in self.whole.instances(n, messages, start, stop) if found != self.skipped)


def test_an_instance_that_is_skipped_is_noticed(pretend: Pretend) -> None:
    """One pair less than there are up to renaming, and there is no finding at all."""
    truth = statement("decide-sealing")
    assert isinstance(truth.domain, Sequences)
    skipped = Instance.of(StraightLine.of(2), StraightLine.of(2, mt(1, 2)))
    pretend(replace(truth, domain=AllButOne(truth.domain, skipped)))
    with pytest.raises(
        Disagreement, match=r"^decide-sealing, n = 2, messages = 1: 1 instances, but counted 2$"
    ):
        audit(nullcontext, ["decide-sealing"], up_to(2, 2), solver="z3")


def test_a_wrong_way_is_reported_with_the_smallest_program(pretend: Pretend) -> None:
    """If the algorithm lied from two messages on, the audit would fail on a program of two."""
    truth = statement("tcc-impossibility")
    lying = {"algorithm": lambda p: truth.ways["algorithm"](p) != (p.messages >= 2)}
    pretend(replace(truth, ways={**truth.ways, **lying}))
    with pytest.raises(Disagreement) as failure:
        audit(nullcontext, ["tcc-impossibility"], up_to(2, 3))
    assert str(failure.value).startswith("tcc-impossibility, n = 2, on ")
    assert "algorithm says True, explorer says False, z3 says False, cvc5 says False" in str(failure.value)


def test_a_level_that_misses_a_counterexample_is_reported(pretend: Pretend) -> None:
    """If programs refute a claim, a query that finds no counterexample among them fails the audit."""
    truth = statement("tcc-impossibility")
    wrong = replace(truth.claims[0], predicts=lambda p: True, whole_space=lambda n, m: iter(()))
    pretend(replace(truth, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"z3's counterexample .* is None, but one by one it is mt 1->2$"):
        audit(nullcontext, ["tcc-impossibility"], [(2, 0), (2, 1)])


def test_a_level_with_a_counterexample_too_many_is_reported(pretend: Pretend) -> None:
    """If a query finds a counterexample where programs do not refute the claim, the audit fails."""
    truth = statement("tcc-impossibility")
    larger = Instance.of(StraightLine.of(2, [*mt(1, 2), *mt(1, 2)]))

    def of_another_level(n: int, m: int) -> Iterator[Query]:
        yield Query("always", [], lambda answer: larger)

    wrong = replace(truth.claims[0], predicts=lambda p: p.messages != 1, whole_space=of_another_level)
    pretend(replace(truth, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"is mt 1->2; mt 1->2, but one by one it is None$"):
        audit(nullcontext, ["tcc-impossibility"], [(2, 1)])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """An empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return Cache()


def test_a_second_audit_does_nothing(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found once is found in the cache: the same findings, without a single shard."""
    first = audit(nullcontext, CORE, up_to(2, 2), cache=cache)
    monkeypatch.setattr(module, "check_shard", lambda shard: pytest.fail(f"checked again: {shard}"))
    assert audit(lambda: pytest.fail("Spark was started"), CORE, up_to(2, 2), cache=cache) == first


def test_an_audit_goes_on_where_it_stopped(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interruption only what is missing is done, and the findings are those of one go."""
    monkeypatch.setattr(module, "SHARDS_AT_ONCE", 4)
    seen: list[int] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress.done)
        if len(seen) == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit(nullcontext, CORE, up_to(2, 2), cache=cache, on_progress=interrupt)
    rest: list[Progress] = []
    resumed = audit(nullcontext, CORE, up_to(2, 2), cache=cache, on_progress=rest.append)
    every: list[Progress] = []
    assert resumed == audit(nullcontext, CORE, up_to(2, 2), on_progress=every.append)
    assert len(every) - len(rest) == 8  # the tenth shard's batch of four was lost


def test_other_code_finds_nothing_in_the_cache(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of any file of the package, or of a solver's version, starts from nothing."""
    audit(nullcontext, ["tcc-impossibility"], [(2, 1)], cache=cache)
    monkeypatch.setattr("sealcheck.spark_sweeps.cache.code_digest", lambda: "other code")
    done: list[Progress] = []
    audit(nullcontext, ["tcc-impossibility"], [(2, 1)], cache=Cache(), on_progress=done.append)
    assert done


def test_unknown_answers_are_not_kept(cache: Cache, giving_up: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What hit a limit is tried again."""
    audit(nullcontext, ["tcc-impossibility"], [(2, 1)], cache=cache)
    monkeypatch.setattr(checking, "open_solver", open_solver)
    (finding,) = audit(nullcontext, ["tcc-impossibility"], [(2, 1)], cache=cache)
    assert finding.verdict is Verdict.VERIFIED


def test_damaged_results_are_done_again(cache: Cache, tmp_path: Path) -> None:
    """A file that was cut short, or answers another question, is not believed."""
    first = audit(nullcontext, ["tcc-impossibility"], [(2, 2)], cache=cache)
    files = sorted(tmp_path.rglob("*.json"))
    for file, text in zip(files, ["", "[1]", "null", files[0].read_text(), "{}"] * 9, strict=False):
        file.write_text(text)
    assert audit(nullcontext, ["tcc-impossibility"], [(2, 2)], cache=cache) == first


BOUND: Spaces = up_to(3, 5)


@pytest.mark.slow
def test_all_ways_agree_up_to_three_processes_and_five_messages(spark: SparkSession) -> None:
    """Every canonical program with n <= 3, m <= 5, and every pair with m_P + m_Q <= 5, all four ways."""
    findings = audit(lambda: nullcontext(spark), CORE, BOUND)
    expected = dict.fromkeys(verdicts(findings), Verdict.VERIFIED)
    assert verdicts(findings) == expected | {("sealability", "as-printed"): Verdict.REFUTED}
    for finding in findings:
        assert finding.unknown == 0
        assert finding.instances == instances(BOUND, pairs=finding.statement.id == "decide-sealing")
    (refuted,) = [finding for finding in findings if finding.verdict is Verdict.REFUTED]
    assert str(refuted.counterexample) == REFUTING
