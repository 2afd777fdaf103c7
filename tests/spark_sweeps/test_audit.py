"""The audit has the same findings in every way, and verifies only what it checked."""

import math
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.spark_sweeps.loops import GivesUp, audited

from sealcheck.encodings.solvers import SMT_SOLVERS, SOLVERS
from sealcheck.encodings.solving import Solver, open_solver
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.programs.semantics import Semantics
from sealcheck.programs.space import count_canonical, count_canonical_sequences
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions import asking as asked
from sealcheck.questions.asking import QUESTIONS
from sealcheck.questions.closed_channels import CLOSED_CHANNELS
from sealcheck.questions.instance import Instance
from sealcheck.questions.question import Oracle, Question, Symbolic
from sealcheck.spark_sweeps import audit as auditing
from sealcheck.spark_sweeps import audit_tasks
from sealcheck.spark_sweeps.audit import OpenRounds, _parts
from sealcheck.spark_sweeps.audit_tasks import Answer, Check, Do, Task
from sealcheck.spark_sweeps.jobs import LevelChecked, Row
from sealcheck.spark_sweeps.kept import Kept
from sealcheck.spark_sweeps.on_spark import OnSpark
from sealcheck.spark_sweeps.rounds import InALoop, Setting
from sealcheck.spark_sweeps.shards import Progress, ShardFailed
from sealcheck.theorems.checking import check as checking
from sealcheck.theorems.checking.domains import Sequences, every
from sealcheck.theorems.checking.statement import (
    Ask,
    Claim,
    Form,
    Outcome,
    Query,
    Statement,
    Tally,
    Verdict,
)
from sealcheck.theorems.checking.verdicts import Finding, verdict_on
from sealcheck.theorems.own import LIMITS
from sealcheck.theorems.registry import STATEMENTS, statement

CORE = ["tcc-impossibility", "graph-cause", "decide-sealing", "sealability"]
"""Statements about instances, about levels, and without their hypotheses."""
CRITERION = statement("decide-sealing").claims[0]
NOT_TCC = statement("tcc-impossibility")
Pretend = Callable[[Statement], None]


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    return [(k, m) for k in range(1, n + 1) for m in range(messages + 1)]


def instances(spaces: list[tuple[int, int]], *, pairs: bool) -> int:
    """The number of programs, or pairs, up to renaming, counted without enumeration."""
    if not pairs:
        return sum(count_canonical(n, m) for n, m in spaces)
    return sum(count_canonical_sequences(n, [p, m - p]) for n, m in spaces for p in range(m + 1))


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Pretend:
    def put(version: Statement) -> None:
        questions = QUESTIONS | {each.id: each for each in version.questions}
        for user in (asked, audit_tasks):
            monkeypatch.setattr(user, "question", questions.__getitem__)
        for user in (auditing, audit_tasks):
            monkeypatch.setattr(user, "statement", {version.id: version}.__getitem__)

    return put


def asking(question: Question[Any], communicates: Callable[[Any], bool]) -> Statement:
    def check(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of(communicates(ask(question, instance)) == (instance.p.messages > 0))

    claim = replace(NOT_TCC.claims[0], check=check)
    return replace(NOT_TCC, claims=(claim,), questions=(question,))


@pytest.fixture
def giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "open_solver", GivesUp)


SMALL = [(2, 1), (2, 2)]
VARIED = ["tcc-impossibility", "closed-channels", "graph-cause", "decide-sealing", "interleaving-exists"]
"""Statements that share questions, about programs and pairs. Some oracles abstain about the last
statement."""


@dataclass(frozen=True)
class Done:
    """The findings of an audit, its last progress, and how often each answer was stored, before the audit
    and in it."""

    findings: list[Finding]
    progress: Progress
    before: Counter[str]
    new: Counter[str]


@pytest.fixture(scope="module")
def in_a_loop() -> list[Finding]:
    return audited(VARIED, SMALL)


@pytest.fixture(scope="module")
def on_dataframes(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The same audit on DataFrames, in a folder with some answers of an earlier audit, each stored twice."""
    folder = tmp_path_factory.mktemp("kept")
    audited(VARIED[:1], SMALL[:1], folder=folder)
    answers = Kept(SMT_SOLVERS, folder).answers
    answers.add(answers.rows())
    before = Counter(row["key"] for row in answers.rows())
    way: OpenRounds = lambda setting, seconds: nullcontext(OnSpark(spark, setting))  # noqa: E731
    progress: list[Progress] = []
    findings = audited(VARIED, SMALL, way, folder=folder, limits=LIMITS, on_progress=progress.append)
    after = Counter(row["key"] for row in answers.rows())
    return Done(findings, progress[-1], before, after - before)


def test_dataframes_find_what_a_plain_loop_finds(on_dataframes: Done, in_a_loop: list[Finding]) -> None:
    assert on_dataframes.findings == in_a_loop
    assert on_dataframes.progress.done == on_dataframes.progress.total > 0


def test_processes_find_what_a_plain_loop_finds(in_a_loop: list[Finding]) -> None:
    progress: list[Progress] = []
    way: OpenRounds = lambda setting, seconds: InALoop(setting, 2)  # noqa: E731
    assert audited(VARIED, SMALL, way, limits=LIMITS, on_progress=progress.append) == in_a_loop
    assert progress[-1].done == progress[-1].total > 0


def test_a_finding_has_all_claims_with_their_evidence(in_a_loop: list[Finding]) -> None:
    assert [(f.statement.id, f.claim.form) for f in in_a_loop] == [
        (name, claim.form) for name in VARIED for claim in statement(name).claims
    ]
    for name in ("graph-cause", "decide-sealing"):
        finding = next(each for each in in_a_loop if each.statement.id == name)
        assert (finding.bounded, finding.counterexample, finding.unknown) == (Verdict.VERIFIED, None, 0)
        assert (finding.n, finding.messages) == (2, 2)
        assert finding.instances == instances(SMALL, pairs=name == "decide-sealing")
        (question,) = finding.statement.questions
        assert finding.oracles == question.oracle_names(SMT_SOLVERS)
        assert finding.level_solvers == SOLVERS


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_solver_is_enough(solver: str) -> None:
    for finding in audited(CORE, [(2, 2)], solver=solver):
        assert finding.bounded is Verdict.VERIFIED
        (question,) = finding.statement.questions
        assert finding.oracles == question.oracle_names([solver])
        assert finding.level_solvers == (solver,)


def test_queries_are_asked_of_every_solver() -> None:
    one = audited(["graph-cause"], [(2, 2)], solver="z3")
    every = audited(["graph-cause"], [(2, 2)])
    assert all(finding.queries for finding in one)
    assert [finding.queries * len(SOLVERS) for finding in one] == [finding.queries for finding in every]


def test_nothing_is_verified_without_instances(pretend: Pretend) -> None:
    pretend(replace(statement("decide-sealing"), claims=(replace(CRITERION, whole_space=None),)))
    (finding,) = audited(["decide-sealing"], [(1, 1)])
    assert (finding.instances, finding.bounded) == (0, Verdict.UNKNOWN)


def test_nothing_is_verified_by_instances_that_do_not_meet_the_hypotheses(pretend: Pretend) -> None:
    claim = replace(CRITERION, whole_space=None, check=lambda instance, ask: Outcome.VACUOUS)
    pretend(replace(statement("decide-sealing"), claims=(claim,)))
    (finding,) = audited(["decide-sealing"], up_to(2, 2))
    assert finding.instances == finding.vacuous > 0
    assert finding.bounded is Verdict.UNKNOWN


def test_vacuity_is_counted_for_each_claim(pretend: Pretend) -> None:
    about = statement("decide-sealing")
    one, other = (replace(CRITERION, whole_space=None, form=form) for form in Form)
    one = replace(
        one, check=lambda instance, ask: Outcome.of(True) if instance.q.messages else Outcome.VACUOUS
    )
    pretend(replace(about, claims=(one, other)))
    first, second = audited(["decide-sealing"], up_to(2, 2))
    assert first.instances == second.instances == instances(up_to(2, 2), pairs=True)
    assert (first.vacuous, second.vacuous) == (6, 0)
    assert first.bounded is second.bounded is Verdict.VERIFIED


@pytest.mark.parametrize("name", CORE)
@pytest.mark.usefixtures("giving_up")
def test_solvers_that_give_up_leave_a_statement_unknown(name: str) -> None:
    for finding in audited([name], [(2, 2)]):
        assert finding.bounded is Verdict.UNKNOWN
        assert finding.unknown == finding.instances + finding.queries > 0


def test_one_unknown_answer_is_enough(pretend: Pretend) -> None:
    truth = CLOSED_CHANNELS.symbolic
    assert truth is not None

    def gives_up_once(instance: Instance, semantics: Semantics, solver: Solver) -> Any:
        if str(instance.p) == "mt 1->2; mt 2->1":
            raise LimitReached("out of memory")
        return truth.answer(instance, semantics, solver)

    question = replace(CLOSED_CHANNELS, symbolic=Symbolic(gives_up_once))
    pretend(asking(question, lambda closed: len(closed) < 2))
    (finding,) = audited(["tcc-impossibility"], [(2, 0), (2, 1), (2, 2)])
    assert (finding.bounded, finding.unknown) == (Verdict.UNKNOWN, 1)


def test_a_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SECONDS", 0.001)
    (finding,) = audited(["decide-sealing"], [(2, 4)], solver="z3")
    assert finding.bounded is Verdict.UNKNOWN
    assert finding.unknown > 0


def never(instance: Instance, ask: Ask) -> Outcome:
    return Outcome.of(instance.p.messages == 0)


def level(about: Statement, n: int, messages: int, refuting: Instance | None = None) -> LevelChecked:
    assert about.domain is not None
    checked = about.domain.expected(n, messages)
    return LevelChecked([Tally(checked=checked, refuting=refuting) for _ in about.claims])


@pytest.mark.parametrize(
    ("name", "refuting", "says"),
    [
        ("is-seal", None, "is refuted (is_seal_as_printed), but checking it has found no counterexample"),
        ("fifo-causality", Instance.of(StraightLine.of(2)), "refuted the claim, but did not when"),
    ],
)
def test_a_wrong_cache_is_not_believed(
    name: str, refuting: Instance | None, says: str, tmp_path: Path
) -> None:
    kept = Kept(["z3"], tmp_path / "cache")
    for n, messages in up_to(2, 1):
        found = level(STATEMENTS[name], n, messages, refuting if (n, messages) == (2, 0) else None)
        kept.keep([(name, n, messages, found)])
    with pytest.raises(Disagreement, match=name) as raised:
        audited([name], up_to(2, 1), solver="z3", folder=tmp_path / "cache")
    assert says in str(raised.value)
    assert str(raised.value).endswith(f"delete {tmp_path / 'cache'}")
    with pytest.raises(Disagreement) as raised:
        verdict_on(STATEMENTS["is-seal"], STATEMENTS["is-seal"].claims[0], Tally(checked=1), None, [(2, 1)])
    assert "delete" not in str(raised.value)


def test_a_theorem_refutes_below_its_counterexample_too() -> None:
    finding, *_ = audited(["is-seal"], up_to(1, 1), solver="z3")
    assert (finding.verdict, finding.bounded) == (Verdict.REFUTED, Verdict.VERIFIED)
    assert finding.counterexample is None
    assert len(finding.refutations) == 1


REFUTED = [(about, claim) for about in STATEMENTS.values() for claim in about.claims if claim.refutations]


@pytest.mark.parametrize(
    ("about", "claim"), REFUTED, ids=[f"{about.id}-{about.claims.index(claim)}" for about, claim in REFUTED]
)
def test_a_claim_says_where_checking_refutes_it(about: Statement, claim: Claim) -> None:
    assert claim.fails_at or claim.not_boundable
    if claim.growth is None and claim.fails_at:
        assert about.domain is not None
        found = Tally()
        with checking.inline(()) as ask:
            for instance in every(about.domain)(*claim.fails_at):
                found.check(claim, instance, ask)
                if found.refuting:
                    break
        assert found.refuting
    checked = Tally(checked=1)
    if claim.growth is None and claim.fails_at:
        below = replace(claim, fails_at=(9, 9))
        assert verdict_on(about, below, checked, None, up_to(3, 4)) is Verdict.REFUTED
        with pytest.raises(Disagreement, match="checking it has found no counterexample"):
            verdict_on(about, replace(claim, fails_at=None), checked, None, up_to(1, 0))
        proved = replace(claim, theorems=STATEMENTS["graph-cause"].claims[0].theorems)
        with pytest.raises(Disagreement, match=r"is refuted .*, and proved"):
            verdict_on(about, proved, checked, None, up_to(1, 0))


def test_a_refutation_counts_although_something_is_unknown(pretend: Pretend) -> None:
    def no_proof(n: int, m: int) -> Iterator[Query]:
        yield Query("always", list, lambda answer: Instance.of(StraightLine.of(n)), by_proof=True)

    wrong = replace(NOT_TCC.claims[0], check=never, whole_space=no_proof, theorems=())
    pretend(replace(NOT_TCC, claims=(wrong,)))
    (finding,) = audited(["tcc-impossibility"], up_to(2, 2), solver="cadical")
    assert (finding.bounded, str(finding.counterexample)) == (Verdict.REFUTED, "mt 1->2")
    assert finding.unknown > 0


@dataclass(frozen=True)
class AllButOne:
    """The domain of a statement without one instance."""

    whole: Sequences
    skipped: Instance
    noun: str = "pairs"

    def size(self, n: int, messages: int) -> int:
        """The size of the whole domain."""
        return self.whole.size(n, messages)

    def expected(self, n: int, messages: int) -> int:
        """The size that the whole domain should have."""
        return self.whole.expected(n, messages)

    def instances(self, n: int, messages: int, start: int, stop: int) -> Iterator[Instance]:
        """The instances without one."""
        return (found for found in self.whole.instances(n, messages, start, stop) if found != self.skipped)


def test_an_instance_that_is_skipped_is_noticed(pretend: Pretend) -> None:
    """One pair less than there are up to renaming."""
    truth = statement("decide-sealing")
    assert isinstance(truth.domain, Sequences)
    skipped = Instance.of(StraightLine.of(2), StraightLine.of(2, mt(1, 2)))
    pretend(replace(truth, domain=AllButOne(truth.domain, skipped)))
    with pytest.raises(
        Disagreement, match=r"^decide-sealing, n = 2, messages = 1: 1 instance, but counted 2$"
    ):
        audited(["decide-sealing"], up_to(2, 2), solver="z3")


def test_a_wrong_oracle_is_reported_with_the_smallest_program(pretend: Pretend) -> None:
    """The oracle lies from two messages on."""
    first, *others = CLOSED_CHANNELS.oracles

    def lying(instance: Instance, semantics: Semantics) -> Any:
        closed = first.answer(instance, semantics)
        return closed if instance.p.messages < 2 else frozenset()

    question = replace(CLOSED_CHANNELS, oracles=(Oracle(first.name, lying), *others))
    pretend(asking(question, lambda closed: len(closed) < 2))
    with pytest.raises(Disagreement) as failure:
        audited(["tcc-impossibility"], up_to(2, 3))
    smallest = "tcc-impossibility, n = 2, on mt 1->2; mt 1->2: closed-channels, n = 2, on mt 1->2; mt 1->2: "
    assert str(failure.value).startswith(f"{smallest}{first.name} says []")
    assert "z3 says [" in str(failure.value)


def test_a_level_that_misses_a_counterexample_is_reported(pretend: Pretend) -> None:
    wrong = replace(NOT_TCC.claims[0], check=never, whole_space=lambda n, m: iter(()))
    pretend(replace(NOT_TCC, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"z3's counterexample .* is None, but one by one it is mt 1->2$"):
        audited(["tcc-impossibility"], [(2, 0), (2, 1)])


def test_a_level_with_a_counterexample_too_many_is_reported(pretend: Pretend) -> None:
    larger = Instance.of(StraightLine.of(2, [*mt(1, 2), *mt(1, 2)]))

    def of_another_level(n: int, m: int) -> Iterator[Query]:
        yield Query("always", list, lambda answer: larger)

    def not_with_two(instance: Instance, ask: Ask) -> Outcome:
        return Outcome.of(instance.p.messages != 2)

    wrong = replace(NOT_TCC.claims[0], check=not_with_two, whole_space=of_another_level)
    pretend(replace(NOT_TCC, claims=(wrong,)))
    with pytest.raises(Disagreement, match=r"is mt 1->2; mt 1->2, but one by one it is None$"):
        audited(["tcc-impossibility"], [(2, 1)])


class Watched(InALoop):
    """Remembers which rows it was given."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.rows: list[tuple[str, Row]] = []

    def _map(self, task: Task, rows: Sequence[Row], tick: Callable[[], None]) -> Iterator[Row]:
        for row in super()._map(task, rows, tick):
            self.rows.append((type(task).__name__, row))
            tick()
            yield row

    def asked(self) -> list[str]:
        """The keys of what was asked of oracles."""
        return [row["key"] for task, row in self.rows if task == "Answer"]


def watch(seen: list[Watched]) -> OpenRounds:
    def opened(setting: Setting, seconds: float) -> Watched:
        seen.append(Watched(setting))
        return seen[-1]

    return opened


def test_every_question_is_asked_once(tmp_path: Path) -> None:
    seen: list[Watched] = []
    audited(["tcc-impossibility", "closed-channels"], up_to(2, 2), watch(seen), folder=tmp_path)
    audited(["closed-channels", "seal"], up_to(2, 2), watch(seen), folder=tmp_path)
    asked = [key for watched in seen for key in watched.asked()]
    assert len(asked) == len(set(asked)) > 0


def test_dataframes_ask_once(on_dataframes: Done) -> None:
    assert set(on_dataframes.before.values()) == {2}
    assert set(on_dataframes.new.values()) == {1}
    assert on_dataframes.new.keys().isdisjoint(on_dataframes.before)


@pytest.fixture(scope="module")
def in_one_go() -> list[Finding]:
    return audited(CORE, up_to(2, 2))


@pytest.mark.parametrize("stops_after", [1, 40])
def test_an_audit_goes_on_where_it_stopped(
    tmp_path: Path, stops_after: int, in_one_go: list[Finding]
) -> None:
    seen: list[Watched] = []

    def interrupt(progress: Progress) -> None:
        if len(seen[0].rows) >= stops_after and len(seen) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audited(CORE, up_to(2, 2), watch(seen), folder=tmp_path, on_progress=interrupt)
    kept = {row["key"] for row in Kept(SMT_SOLVERS, tmp_path).answers.rows()}
    assert audited(CORE, up_to(2, 2), watch(seen), folder=tmp_path) == in_one_go
    assert kept.isdisjoint(seen[1].asked())


def test_unknown_answers_are_not_kept(
    tmp_path: Path, giving_up: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (finding,) = audited(["tcc-impossibility"], [(2, 1)], folder=tmp_path)
    assert finding.bounded is Verdict.UNKNOWN
    monkeypatch.setattr(checking, "open_solver", open_solver)
    (finding,) = audited(["tcc-impossibility"], [(2, 1)], folder=tmp_path)
    assert finding.bounded is Verdict.VERIFIED


Fault = Callable[[Row], list[Row]]

FAULTS: dict[str, tuple[str, Fault, str]] = {
    "a row of a check is lost": ("Check", lambda row: [], "0 instances, but counted 1"),
    "a range is checked twice, each time": (
        "Check",
        lambda row: [row, row],
        "4 instances, but counted 1",
    ),
    "waiting instances are forgotten": (
        "Check",
        lambda row: [row | {"waiting": []}],
        "0 instances, but counted 1",
    ),
    "an answer is about something else": (
        "Answer",
        lambda row: [row | {"about": "0" * 32}],
        "the answer is lost, or about something else",
    ),
    "an answer is lost in a join": ("Answer", lambda row: [row | {"about": None}], "the answer is lost"),
    "an oracle is silent": (
        "Answer",
        lambda row: [row | {"heard": row["heard"].partition(", ")[2]}],
        "not one answer each",
    ),
    "a stranger speaks": ("Answer", lambda row: [row | {"heard": "Delphi, " + row["heard"]}], "from Delphi"),
    "oracles disagree": ("Answer", lambda row: [row | {"disputed": "one says so"}], "one says so"),
    "without a hypothesis, they disagree": (
        "Do",
        lambda row: (
            [row | {"result": '["Contradiction", ["one says so"]]'}] if "Drop" in row["job"] else [row]
        ),
        "^tcc-impossibility: one says so$",
    ),
}
"""Faults of a task: the kind of task, the changed row, and the audit's error."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_task_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, wrong, says = FAULTS[fault]
    task = {each.__name__: each for each in (Check, Answer, Do)}[kind]
    right = task.do
    monkeypatch.setattr(
        task, "do", lambda self, rows: (each for row in right(self, rows) for each in wrong(row))
    )
    with pytest.raises((Disagreement, ShardFailed), match=says):
        audited(["tcc-impossibility"], [(2, 0), (2, 1)])


def test_a_question_that_the_statement_does_not_name_is_refused(pretend: Pretend) -> None:
    pretend(replace(NOT_TCC, questions=()))
    with pytest.raises(ShardFailed, match="asks questions that it does not name: closed-channels"):
        audited(["tcc-impossibility"], [(2, 0)])


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_dies_once_costs_nothing(death: int, tmp_path: Path, monkeypatch: Any) -> None:
    right, mark = Check.do, tmp_path / "died"
    others = multiprocessing.active_children()  # of other tests

    def dying(self: Check, rows: Sequence[Row]) -> Iterator[Row]:
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), death)
        return right(self, rows)

    monkeypatch.setattr(Check, "do", dying)
    two = lambda setting, seconds: InALoop(setting, 2)  # noqa: E731
    assert audited(["tcc-impossibility"], up_to(2, 1), two) == audited(["tcc-impossibility"], up_to(2, 1))
    monkeypatch.setattr(Check, "do", lambda *_: os.kill(os.getpid(), death))
    with pytest.raises(
        ShardFailed, match=r"^a process .* has died, perhaps for lack of memory: .*tcc-impossibility"
    ):
        audited(["tcc-impossibility"], up_to(2, 1), two)
    left = set(multiprocessing.active_children()).difference(others)
    assert not [each for each in left if each.name.startswith("ForkProcess")]


@dataclass
class Work:
    """A task of this many seconds."""

    seconds: float = 1.0


def test_sections_grow_up_to_a_bound() -> None:
    work: Any = [Work() for _ in range(40)]
    assert [len(part) for part in _parts(work, 2.0, 12.0)] == [2, 8, 12, 12, 6]
    assert [len(part) for part in _parts(work, 0.5, 0.5)] == [1] * 40
    assert [len(part) for part in _parts(work, 2.0, math.inf)] == [2, 8, 30]


@pytest.mark.larger
@pytest.mark.parametrize("name", CORE)
def test_all_oracles_agree_beyond_the_default_bound(name: str) -> None:
    """300 random instances of the level (3, 5)."""
    about = statement(name)
    assert about.domain is not None
    drawn = Random(5)
    last = about.domain.size(3, 5) - 1
    found = Tally()
    with checking.inline() as ask:
        while found.checked < 300:
            at = drawn.randint(0, last)
            for instance in about.domain.instances(3, 5, at, at + 1):
                found.check(about.claims[-1], instance, ask)
    assert (found.unknown, found.refuting, found.disputed) == (0, None, None)
