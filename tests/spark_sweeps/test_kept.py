"""Kept results of audits are found again unchanged, or not at all."""

import ast
import json
import os
import sys
from importlib.metadata import packages_distributions
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sealcheck.encodings.solvers import DISTRIBUTIONS
from sealcheck.language.parser import parse, parse_straight_line
from sealcheck.programs.semantics import PAPER, CutReading, Semantics
from sealcheck.questions.asking import QUESTIONS, Asked, answer, read_asked
from sealcheck.questions.instance import Instance
from sealcheck.spark_sweeps import installed
from sealcheck.spark_sweeps import kept as module
from sealcheck.spark_sweeps.audit_tasks import ANSWERS, Answer, Check, asked_row
from sealcheck.spark_sweeps.jobs import AskLevel, Counted, CountGrowth, DropHypothesis, Job, LevelChecked
from sealcheck.spark_sweeps.kept import LASTING, MOST_FILES, Kept, ParquetTable
from sealcheck.theorems.checking.check import opened
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.statement import Tally

P, Q = (parse_straight_line(text, 2) for text in ("mt 1->2; mt 2->1", "mt 2->1"))
PAIR = Instance.of(P, Q)
LANGUAGE = Instance(1, (parse("1.x := 1"), parse("(1.x := 1)*")))
SMALLEST = Instance.of(parse_straight_line("snd 1->2; mt 2->1; rcv 2<-1", 2))
JOB = AskLevel("graph-cause", 0, "z3", 2, 2)


def about(question: Any) -> Asked[Any]:
    return Asked(question, Instance.of(*islice(cycle([P, Q]), len(question.takes))))


@pytest.mark.parametrize("id", QUESTIONS)
def test_answers_of_every_question_are_read_as_they_were(tmp_path: Path, id: str) -> None:
    """A solver's witness depends on earlier questions to its process. So two witnesses need only be alike,
    and right."""
    asked = about(QUESTIONS[id])
    assert read_asked(*asked.columns) == asked
    with opened(["z3"]) as solvers:
        found = answer(asked, solvers)
    (row,) = Answer(("z3",), "a run").do([asked_row(asked)])
    ParquetTable(tmp_path, ANSWERS).add([row])
    (read,) = ParquetTable(tmp_path, ANSWERS).rows(LASTING)
    assert read == row
    assert sorted(read["abstained"]) == sorted(found.abstained)
    kept, anew = Check(("z3",))._read(asked, read), found.agreed
    if (witness := asked.question.witness) is None:
        assert kept == anew
    else:
        assert witness.alike(kept) == witness.alike(anew)
        assert witness.accepts(asked.instance, asked.semantics, kept)


def test_semantics_and_instance_tell_questions_apart() -> None:
    refines, is_seal = QUESTIONS["refines"], QUESTIONS["is-seal"]
    asked = [
        Asked(refines, LANGUAGE, PAPER),
        Asked(refines, LANGUAGE, Semantics(reading=CutReading.EMPTY)),
        Asked(refines, LANGUAGE, Semantics(unroll=3)),
        Asked(refines, Instance(2, LANGUAGE.programs)),
        Asked(refines, Instance(1, LANGUAGE.programs[::-1])),
        Asked(is_seal, PAIR),
    ]
    assert len({each.key for each in asked}) == len(asked)


def test_answers_of_other_code_are_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(["z3"], tmp_path)
    (row,) = Answer(("z3",), "a run").do([asked_row(about(QUESTIONS["is-seal"]))])
    kept.answers.add([row])
    kept.keep(results=[(JOB, Tally(checked=3))])
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
            other = Kept(["z3"], tmp_path)
        assert (other.answers.rows(), other.result(JOB)) == ([], None)
    for solvers in ((), ("cvc5",), ("z3", "cvc5")):
        assert (Kept(solvers, tmp_path).answers.rows(), Kept(solvers, tmp_path).result(JOB)) == ([], None)
    again = Kept(["z3"], tmp_path)
    assert (again.answers.rows(), again.result(JOB)) == ([row], Tally(checked=3))


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
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
    same = {digest(file) for file in ("theorems/t.py", "cli/c.py", "theorems/checking/h.py")}
    assert len(same) == 1
    assert same.isdisjoint({digest("questions/q.py"), digest("errors.py")})


def test_every_library_that_takes_part_in_answers_is_known() -> None:
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
    found = {brings[name][0].lower() for name in names} - {
        "drawsvg",
        "otf2",
        "resvg_py",
        "resvg-py",
    }  # these only draw, and read archives
    assert found | {"cvc5"} == {*installed.LIBRARIES, *DISTRIBUTIONS}  # pySMT imports cvc5


def test_answers_depend_on_whatever_questions_import() -> None:
    import tomllib

    contracts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    (layers,) = (c["layers"] for c in contracts["tool"]["importlinter"]["contracts"] if c["type"] == "layers")
    below = layers[layers.index("sealcheck.questions") :]
    names = {name.strip().removeprefix("sealcheck.") for layer in below for name in layer.split("|")}
    assert names == set(module.ANSWERS_DEPEND_ON)


RESULTS: list[tuple[Job, Any]] = [
    (JOB, Tally(checked=3)),
    (AskLevel("sealability", 0, "cadical", 3, 4), Tally(checked=6, refuting=SMALLEST)),
    (DropHypothesis("graph-cause", 0, 3, 3), Ablation(SMALLEST, 3, 3)),
    (DropHypothesis("graph-cause", 1, 3, 3), Ablation(None, 3, 3)),
    (DropHypothesis("refinement-preorder", 0, 3, 3), Ablation(LANGUAGE, 3, 3)),
    (CountGrowth("signature-size", 0), Counted(((2, 4), (4, 16)))),
]


def test_results_and_levels_are_found_as_they_were(tmp_path: Path) -> None:
    level = LevelChecked([Tally(checked=5, vacuous=2), Tally(checked=5, refuting=LANGUAGE)], {"explorer": 3})
    Kept(["z3"], tmp_path).keep([("graph-cause", 2, 3, level)], RESULTS)
    kept = Kept(["z3"], tmp_path)
    assert [kept.result(job) for job, _ in RESULTS] == [result for _, result in RESULTS]
    assert kept.level("graph-cause", 2, 3) == level
    assert kept.level("seal-size", 2, 3) is kept.level("graph-cause", 3, 2) is None
    assert kept.result(AskLevel("graph-cause", 0, "z3", 2, 3)) is None


def test_what_may_be_found_otherwise_next_time_is_not_kept(tmp_path: Path) -> None:
    unsure = [Tally(checked=1, unknown=1), Tally(checked=1, disputed=PAIR, dispute="they say so")]
    mine = AskLevel("mine.py::claim", 0, "z3", 2, 1)
    kept = Kept(["z3"], tmp_path)
    kept.keep(
        [("graph-cause", 2, 3, LevelChecked([tally])) for tally in unsure],
        [(JOB, unsure[0]), (RESULTS[2][0], Ablation(None, 3, 3, unknown=True)), (mine, Tally(checked=1))],
    )
    assert list(tmp_path.rglob("*.parquet")) == []


def test_a_damaged_file_costs_only_what_was_in_it(tmp_path: Path) -> None:
    for number, damage in enumerate((b"", b"no Parquet at all", None)):
        folder = tmp_path / str(number)
        kept = Kept(["z3"], folder)
        kept.keep(results=RESULTS)
        (file,) = folder.rglob("*.parquet")
        whole = bytearray(file.read_bytes())
        whole[len(whole) // 4] ^= 255
        file.write_bytes(bytes(whole) if damage is None else damage)
        assert Kept(["z3"], folder).result(JOB) is None
        assert list(folder.rglob("*.parquet")) == []
    kept = Kept(["z3"], tmp_path / "documents")
    kept.keep(results=RESULTS)
    (file,) = (tmp_path / "documents").rglob("*.parquet")
    rows = pq.read_table(file).to_pylist()
    for document in ("", "[]", "null", json.dumps(["Tally", {}])):
        wrong = pa.Table.from_pylist([row | {"document": document} for row in rows], schema=module.RESULT)
        pq.write_table(wrong, file)
        assert [Kept(["z3"], tmp_path / "documents").result(job) for job, _ in RESULTS] == [None] * 6


def test_without_a_folder_all_is_done_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(module, "cache_folder", homeless)
    for folder in (tmp_path / "file" / "new", None):
        kept = Kept(["z3"], folder)
        kept.keep(results=RESULTS)
        assert kept.result(JOB) == Tally(checked=3)
        assert kept.folder is not None
        kept.close()
        assert not kept.folder.exists()


def test_many_files_become_one_and_old_tables_go(tmp_path: Path) -> None:
    (row,) = Answer(("z3",), "a run").do([asked_row(about(QUESTIONS["is-seal"]))])
    kept = Kept(["z3"], tmp_path)
    for number in range(MOST_FILES + 1):
        kept.answers.add([row | {"key": str(number), "unknown": None if number else "out of time"}])
    old, young = tmp_path / "answers-0", tmp_path / "answers-1"
    for folder in (old, young):
        folder.mkdir()
        (folder / "part.parquet").touch()
    os.utime(old, (0, 0))
    kept.close()
    assert len(kept.answers.files()) == 1
    assert {each["key"] for each in kept.answers.rows()} == {
        str(number) for number in range(1, MOST_FILES + 1)
    }
    assert young.exists()
    assert not old.exists()
