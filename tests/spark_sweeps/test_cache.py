"""What is kept from one audit to the next: found again as it was, or not at all."""

import ast
import sqlite3
import sys
from collections import Counter
from importlib.metadata import packages_distributions
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from sealcheck.encodings.solvers import DISTRIBUTIONS
from sealcheck.errors import Disagreement
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER, CutReading, Semantics
from sealcheck.questions.asking import Answers, Asked, answer
from sealcheck.questions.instance import Instance
from sealcheck.questions.registry import QUESTIONS
from sealcheck.spark_sweeps import cache as module
from sealcheck.spark_sweeps import installed
from sealcheck.spark_sweeps.cache import Cache
from sealcheck.spark_sweeps.jobs import (
    AskLevel,
    Counted,
    CountGrowth,
    DropHypothesis,
    LevelChecked,
    Whole,
)
from sealcheck.theorems.checking.check import opened
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally

P, Q = (parse_straight_line(text, 2) for text in ("mt 1->2; mt 2->1", "mt 2->1"))
PAIR = Instance.of(P, Q)
LANGUAGE = Instance(1, (parse("1.x := 1"), parse("(1.x := 1)*")))
SMALLEST = Instance.of(parse_straight_line("snd 1->2; mt 2->1; rcv 2<-1", 2))


def about(question: Any) -> Asked[Any]:
    """That question, asked of as many programs as it takes."""
    return Asked(question, Instance.of(*islice(cycle([P, Q]), len(question.takes))))


def answered(asked: Asked[Any]) -> Answers[Any]:
    with opened(["z3"]) as solvers:
        return answer(asked, solvers)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "new"


@pytest.mark.parametrize("id", QUESTIONS)
def test_answers_of_every_question_are_found_as_they_were(folder: Path, id: str) -> None:
    """Read again by another cache, in the same semantics: value, oracles and abstentions are the same.

    Of several witnesses the one is kept that is the answer.
    """
    found = answered(about(QUESTIONS[id]))
    cache = Cache(folder)
    assert list(cache.answers([found.asked])) == []
    cache.keep_answers([found])
    cache.close()
    (read,) = Cache(folder).answers([found.asked])
    assert (read.asked, read.agreed, read.said, dict(read.abstained)) == (
        found.asked,
        found.agreed,
        dict.fromkeys(found.said, found.agreed),
        dict(found.abstained),
    )


def test_semantics_and_instance_tell_answers_apart(folder: Path) -> None:
    """An answer is found for the very same question only."""
    refines, is_seal = QUESTIONS["refines"], QUESTIONS["is-seal"]
    kept = Asked(refines, LANGUAGE, PAPER)
    cache = Cache(folder)
    cache.keep_answers([answered(kept)])
    others = [
        Asked(refines, LANGUAGE, Semantics(reading=CutReading.EMPTY)),
        Asked(refines, LANGUAGE, Semantics(unroll=3)),
        Asked(refines, Instance(2, LANGUAGE.programs)),
        Asked(refines, Instance(1, LANGUAGE.programs[::-1])),
        Asked(is_seal, PAIR),
    ]
    assert [each.asked for each in cache.answers([*others, kept])] == [kept]


def test_answers_of_other_code_are_stale(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an answer depends on has changed: then it is not found, and neither are results."""
    found = answered(about(QUESTIONS["is-seal"]))
    tally = Tally(checked=3)
    cache = Cache(folder)
    cache.keep_answers([found])
    cache.keep_result(AskLevel("graph-cause", 0, "z3", 2, 2), tally)
    of_library = installed.version
    changes: list[tuple[Any, str, Any]] = [
        (module, "code_digest", lambda *parts: "other code"),
        (installed, "python_version", lambda: "3.0"),
        (installed.verified_checker, "digest", lambda: {"sealcheck-verified": "0"}),
    ]
    for library in (*installed.LIBRARIES, *DISTRIBUTIONS):
        others = {library: "0"}
        changes.append(
            (installed, "version", lambda name, others=others: others.get(name) or of_library(name))
        )
    for where, name, changed in changes:
        with monkeypatch.context() as patch:
            patch.setattr(where, name, changed)
            other = Cache(folder)
        assert list(other.answers([found.asked])) == []
        assert other.result(AskLevel("graph-cause", 0, "z3", 2, 2)) is None
    assert list(Cache(folder).answers([found.asked])) == [found]


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The digest that answers are filed under, after a change of one file of a package."""
    root = tmp_path / "sealcheck"
    for file in ("questions/q.py", "theorems/t.py", "cli/c.py", "errors.py", "theorems/checking/h.py"):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("as it was")
    monkeypatch.setattr(
        installed,
        "package_files",
        lambda: ((f"sealcheck/{p.relative_to(root)}", p) for p in sorted(root.rglob("*.py"))),
    )

    def changed(file: str) -> str:
        before = (root / file).read_text()
        (root / file).write_text("changed")
        installed.code_digest.cache_clear()
        found = installed.code_digest(*module.ANSWERS_DEPEND_ON)
        (root / file).write_text(before)
        installed.code_digest.cache_clear()
        return found

    return changed


def test_a_new_statement_leaves_answers_as_they_are(digest: Any) -> None:
    """Answers depend on questions and what these use; not on statements or the command line."""
    same = {digest(file) for file in ("theorems/t.py", "cli/c.py", "theorems/checking/h.py")}
    assert len(same) == 1
    assert same.isdisjoint({digest("questions/q.py"), digest("errors.py")})


def test_every_library_that_takes_part_in_answers_is_known() -> None:
    """What the floors import that answer, or check statements, is among what old answers are told by."""
    floors = {*module.ANSWERS_DEPEND_ON, "theorems"}
    trees = [
        ast.parse(path.read_text())
        for name, path in installed.package_files()
        if path.suffix == ".py" and Path(name).parts[1].removesuffix(".py") in floors
    ]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imported = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    names = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"sealcheck"}
    brings = packages_distributions()
    assert {brings[name][0].lower() for name in names} == {*installed.LIBRARIES, *DISTRIBUTIONS}


def test_answers_depend_on_whatever_questions_import() -> None:
    """All floors below the questions are among what answers depend on."""
    import tomllib

    contracts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    (layers,) = (c["layers"] for c in contracts["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    below = layers[layers.index("sealcheck.questions") :]
    names = {name.strip().removeprefix("sealcheck.") for layer in below for name in layer.split("|")}
    assert names == set(module.ANSWERS_DEPEND_ON)


RESULTS: list[tuple[Whole, Any]] = [
    (AskLevel("graph-cause", 0, "z3", 2, 2), Tally(checked=3)),
    (AskLevel("sealability", 0, "cadical", 3, 4), Tally(checked=6, refuting=SMALLEST)),
    (DropHypothesis("graph-cause", 0, 3, 3), Ablation(SMALLEST, 3, 3)),
    (DropHypothesis("graph-cause", 1, 3, 3), Ablation(None, 3, 3)),
    (DropHypothesis("refinement-preorder", 0, 3, 3), Ablation(LANGUAGE, 3, 3)),
    (CountGrowth("signature-size", 0), Counted(((2, 4), (4, 16)))),
]


def test_results_are_found_as_they_were(folder: Path) -> None:
    """Each by its own job, also by another cache."""
    cache = Cache(folder)
    for job, result in RESULTS:
        assert cache.result(job) is None
        cache.keep_result(job, result)
    assert [Cache(folder).result(job) for job, _ in RESULTS] == [result for _, result in RESULTS]


def test_levels_are_found_as_they_were(folder: Path) -> None:
    """For the same statement, level and solvers."""
    found = LevelChecked(
        (Tally(checked=5, vacuous=2), Tally(checked=5, refuting=LANGUAGE)), Counter(explorer=3)
    )
    cache = Cache(folder)
    cache.keep_level("graph-cause", 2, 3, ("z3",), found)
    assert Cache(folder).level("graph-cause", 2, 3, ("z3",)) == found
    for other in (("seal-size", 2, 3, ("z3",)), ("graph-cause", 3, 2, ("z3",)), ("graph-cause", 2, 3, ())):
        assert cache.level(*other) is None


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite"))


def rewritten(folder: Path, statement: str) -> None:
    """Change what is in the files."""
    for file in files(folder):
        with sqlite3.connect(file) as connection:
            connection.execute(statement)
        connection.close()


DAMAGE = [
    "UPDATE kept SET document = substr(document, 2)",
    "UPDATE kept SET document = '[]'",
    "UPDATE kept SET document = 'null'",
    "UPDATE kept SET document = '{}'",
    "UPDATE kept SET document = NULL",
    "UPDATE kept SET text = 'something else'",
    "DROP TABLE kept",
    "ALTER TABLE kept RENAME COLUMN text TO words",
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_entries_are_not_believed(folder: Path, damage: str) -> None:
    """They are as if they weren't there, and what is found next can be kept again."""
    found = answered(about(QUESTIONS["closed-channels"]))
    job, ablation = RESULTS[2]

    def keep() -> None:
        cache = Cache(folder)
        cache.keep_answers([found])
        cache.keep_result(job, ablation)
        cache.close()

    keep()
    rewritten(folder, damage)
    cache = Cache(folder)
    assert list(cache.answers([found.asked])) == []
    assert cache.result(job) is None
    cache.close()
    keep()
    assert list(Cache(folder).answers([found.asked])) == [found]
    assert Cache(folder).result(job) == ablation


def test_an_answer_of_another_instance_is_not_believed(folder: Path) -> None:
    """What is filed under the key of one question, but was said to another, is no answer."""
    here, there = (Asked(QUESTIONS["is-seal"], Instance.of(P, q)) for q in (P, Q))
    cache = Cache(folder)
    cache.keep_answers(map(answered, (here, there)))
    cache.close()
    rewritten(folder, "UPDATE kept SET key = 'x' || key")
    for old, new in ((here, there), (there, here)):
        rewritten(folder, f"UPDATE kept SET key = '{new.key}' WHERE key = 'x{old.key}'")
    assert list(Cache(folder).answers([here, there])) == []


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be read" * 100])
def test_a_file_that_is_none_of_ours_is_replaced(folder: Path, content: bytes) -> None:
    """Damage costs what was in the file, and nothing else."""
    job, result = RESULTS[0]
    Cache(folder).close()
    for file in files(folder):
        file.write_bytes(content)
    cache = Cache(folder)
    assert cache.result(job) is None
    cache.keep_result(job, result)
    assert Cache(folder).result(job) == result


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the folder can't be made, or there is no home for it, all is done anew, without an error."""
    (tmp_path / "file").touch()
    job, result = RESULTS[0]

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(module, "cache_folder", homeless)
    for cache in (Cache(tmp_path / "file" / "new"), Cache()):
        cache.keep_result(job, result)
        assert cache.result(job) is None
        assert list(cache.answers([about(QUESTIONS["is-seal"])])) == []
        cache.forget_others()
        cache.close()


def test_another_process_that_writes_is_waited_for_and_then_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that stays locked is as good as none; what it has is not lost."""
    monkeypatch.setattr("sealcheck.spark_sweeps.cache.WAIT_SECONDS", 0.1)
    (job, result), (other, more), *_ = RESULTS
    first = Cache(folder)
    first.keep_result(job, result)
    locks = [sqlite3.connect(file, isolation_level=None) for file in files(folder)]
    for lock in locks:
        lock.execute("BEGIN EXCLUSIVE")
    second = Cache(folder)
    second.keep_result(other, more)
    assert second.result(job) is None
    for lock in locks:
        lock.close()
    third = Cache(folder)
    assert (third.result(job), third.result(other)) == (result, None)


def test_an_answer_that_is_disputed_is_never_kept(folder: Path) -> None:
    """There is nothing to keep: asking for it raises."""
    asked = about(QUESTIONS["is-seal"])
    with pytest.raises(Disagreement):
        Cache(folder).keep_answers([Answers(asked, {"one": True, "another": False}, {}, {})])


def test_what_other_code_has_left_goes_after_a_while(folder: Path) -> None:
    """Old files of other code are removed; those of this code, and young ones, stay."""
    import os

    cache = Cache(folder)
    old, young = folder / "answers-0.sqlite", folder / "answers-1.sqlite"
    for file in (old, young):
        file.touch()
    os.utime(old, (0, 0))
    cache.forget_others()
    assert files(folder) == sorted({young, *files(folder)})
    assert not old.exists()
    assert len(files(folder)) == 3
