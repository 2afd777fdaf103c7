"""``sealcheck sweep``: documents, texts, exit codes and refusals."""

import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.spark_sweeps.loops import contents, sweep_inline

from sealcheck.errors import InputError
from sealcheck.spark_sweeps import sample as sample_module
from sealcheck.spark_sweeps import session
from sealcheck.spark_sweeps import sweep as module
from sealcheck.spark_sweeps.columns import LevelTotals, Sampled
from sealcheck.spark_sweeps.cutting import SEED, WITHOUT_SPARK
from sealcheck.support.processes import Limits

KEYS = {"n", "messages", "programs", "canonical", "sealable", "unsealable"}


def row(kind: type, *values: int | None) -> Any:
    return kind(**dict(zip(kind.__dataclass_fields__, values, strict=True)))


@pytest.fixture
def no_start(monkeypatch):
    monkeypatch.setattr(session, "_started", lambda *_: pytest.fail("Spark was started"))


@pytest.mark.usefixtures("one_session")
def test_document_and_files(ask, tmp_path):
    out = tmp_path / "out"
    reply = ask("sweep", "--n", "1..2", "--messages", "2", "--out", str(out), "--json")
    assert (reply.code, reply.err) == (0, "")
    assert set(reply.document) == {"levels", "limits", "seed", "out"}
    assert reply.document["limits"] == []
    assert all(set(level) >= KEYS for level in reply.document["levels"])
    assert [tuple(level[key] for key in sorted(KEYS)) for level in reply.document["levels"]] == [
        # canonical, messages, n, programs, sealable, unsealable
        (1, 0, 1, 1, 1, 0),
        (0, 1, 1, 0, 0, 0),
        (0, 2, 1, 0, 0, 0),
        (1, 0, 2, 1, 1, 0),
        (1, 1, 2, 2, 1, 0),
        (3, 2, 2, 5, 2, 1),
    ]
    assert len(list(out.glob("shard=*.parquet"))) == 4


@pytest.mark.usefixtures("no_start")
def test_little_work_starts_no_spark(ask):
    reply = ask("sweep", "--n", "2", "--messages", "3", "--json")
    assert (reply.code, reply.err) == (0, "")
    assert [level["programs"] for level in reply.document["levels"]] == [1, 2, 5, 14]
    assert [level["sealable"] for level in reply.document["levels"]] == [1, 1, 2, 5]


@pytest.mark.parametrize("more", [("--master", "local[1]"), ("--out", "rows"), ("--messages", "7")])
def test_what_is_done_on_spark(ask, monkeypatch, tmp_path, more):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(session, "spark_session", started := Mock(side_effect=InputError("no Java")))
    command = ("sweep", "--n", "3", "--messages", "2", *more)
    assert ask(*command, "--plan").out.endswith(", and 10 s to start Spark.\n")
    assert not started.called
    assert (ask(*command).code, started.call_count) == (2, 1)


@pytest.mark.usefixtures("one_session")
def test_damaged_files(ask, tmp_path):
    options = ("--n", "2", "--messages", "3")
    sweep_inline(tmp_path, [(2, messages) for messages in range(4)])
    before = contents(tmp_path)
    altered, emptied, *_ = sorted(tmp_path.glob("shard=*.parquet"))
    rows = pq.read_table(altered)
    place = rows.schema.get_field_index("minimum_messages")
    field = rows.schema.field(place)
    pq.write_table(rows.set_column(place, field, pa.array([9] * len(rows), field.type)), altered)
    emptied.write_bytes(b"")
    reply = ask("sweep", *options, "--out", str(tmp_path), "--json")
    removed = f"sealcheck: removed 2 damaged files from {tmp_path}, to be computed again: "
    assert reply.code == 0
    assert reply.err.startswith(removed)
    assert set(reply.err.removeprefix(removed).strip().split(", ")) == {altered.name, emptied.name}
    assert [level["most_seal_messages"] for level in reply.document["levels"]] == [0, 1, 1, 1]
    assert contents(tmp_path) == before


def test_table(ask, tmp_path, monkeypatch):
    levels = [
        row(LevelTotals, 2, 1, 2, 1, 1, 0, 0, 1, 1, 0),
        row(LevelTotals, 3, 2, 39, 7, 5, 2, 1, None, 4, 0),
    ]

    def swept(spark, spaces, folder, *, limits, on_progress):
        assert spark == ("local[2]", "sealcheck sweep")
        assert spaces == [(2, 0), (2, 1), (3, 0), (3, 1)]
        assert folder is None
        assert limits == Limits(600, 2048)
        return module.Swept(levels, [])

    monkeypatch.setattr(session, "spark_session", lambda *named: nullcontext(named))
    monkeypatch.setattr(module, "sweep", swept)
    reply = ask("sweep", "--n", "2..3", "--messages", "1", "--master", "local[2]")
    assert (reply.code, reply.err) == (0, "")
    heading, *rows, _, note = [line.split() for line in reply.out.splitlines()]
    assert heading[:4] == ["n", "messages", "programs", "canonical"]
    assert rows == [
        ["2", "1", "2", "1", "1", "0", "0", "1", "all"],
        ["3", "2", "39", "7", "5", "2", "1", "-", "4", "sampled"],
    ]
    assert note[-2:] == ["seed", f"{SEED}."]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("cross_checked", "unknown", "share", "sentence"),
    [(7, 0, "all", ""), (6, 1, "all but 1", "1 cross-check hit"), (3, 2, "3 sampled", "2 cross-checks hit")],
)
def test_unknown(ask, tmp_path, monkeypatch, cross_checked, unknown, share, sentence):
    level = row(LevelTotals, 3, 2, 39, 7, 7, 0, 0, 2, cross_checked, unknown)
    monkeypatch.setattr(session, "spark_session", lambda master, name: nullcontext())
    monkeypatch.setattr(module, "sweep", lambda *_, limits, on_progress: module.Swept([level], []))
    options = ("--n", "3", "--messages", "2", "--out", str(tmp_path))
    text, document = ask("sweep", *options), ask("sweep", *options, "--json")
    assert text.code == document.code == (3 if unknown else 0)
    assert text.err == document.err == (sentence and f"sealcheck: unknown: {sentence} a limit\n")
    assert text.out.splitlines()[1].endswith(f"  {share}")
    assert set(document.document["levels"][0]) >= KEYS
    assert document.document["levels"][0]["unknown"] == unknown


@pytest.mark.usefixtures("no_start")
def test_limits(ask, monkeypatch):
    def hungry(shard):
        taken = []
        while True:
            taken.extend(bytes([shard.n]) * 2**20 for _ in range(shard.messages))

    monkeypatch.setattr(module, "count_shard", hungry)
    options = ("--n", "2", "--messages", "1", "--seconds", "2", "--memory", "64")
    reply = ask("sweep", *options, "--json")
    hit = [
        "sweep, n = 2, messages = 0, programs 0..0: it takes more than 2 s (--seconds)",
        "sweep, n = 2, messages = 1, programs 0..1: it takes more than 64 MiB of memory (--memory)",
    ]
    assert (reply.code, reply.err) == (3, f"sealcheck: unknown: 2 parts hit a limit, the first is {hit[0]}\n")
    assert reply.document == {"levels": [], "limits": hit, "seed": SEED, "out": None}


@pytest.mark.usefixtures("no_start")
def test_limits_of_a_sample(ask, monkeypatch):
    def never(shard):
        while True:
            time.sleep(60)

    monkeypatch.setattr(sample_module, "Judging", lambda count, seed: never)
    options = ("--n", "2", "--messages", "3", "--sample", "5", "--seconds", "1")
    reply = ask("sweep", *options, "--json")
    error = "unknown: sample, n = 2, messages = 3, programs 0..4: it takes more than 1 s (--seconds)"
    assert (reply.code, reply.document, reply.err) == (3, {"error": error}, f"sealcheck: {error}\n")


@pytest.mark.usefixtures("no_start")
def test_sample_document(ask):
    options = ("--n", "3", "--messages", "4", "--sample", "600", "--json")
    reply = ask("sweep", *options, "--seed", "9")
    assert (reply.code, reply.err) == (0, "")
    assert set(reply.document) == {"samples", "seed", "confidence"}
    assert (reply.document["seed"], reply.document["confidence"]) == (9, 0.95)
    (found,) = reply.document["samples"]
    assert (found["n"], found["messages"], found["programs"], found["drawn"]) == (3, 4, 2280, 600)
    assert found["sealable"] + found["unsealable"] == 600
    assert found["unconnected_yet_sealable"] <= found["sealable"]
    assert (found["cross_checked"], found["unknown"], found["verified"]) == (150, 0, False)
    assert found["absent_at_most"] == 3 / 600
    for name, (low, high) in found["shares"].items():
        assert low <= found[name] / 600 <= high <= low + 0.1
    assert set(found["shares"]) == {"sealable", "unsealable", "unconnected_yet_sealable"}


def test_sample_text(ask, monkeypatch):
    samples = [
        row(Sampled, 3, 12, 267595117836, 100000, 85000, 15000, 0, 4, 150, 0),
        row(Sampled, 4, 12, 10**15, 100000, 0, 100000, 0, None, 0, 2),
    ]
    asked = []

    def drawn(spark, *request, limits, on_progress):
        asked.append((spark, *request))
        return samples

    monkeypatch.setattr(session, "spark_session", lambda *named: nullcontext(named))
    monkeypatch.setattr(sample_module, "sample", drawn)
    options = ("--n", "2..3", "--messages", "6", "--sample", "100000", "--master", "local[2]")
    reply = ask("sweep", *options)
    assert asked == [(("local[2]", "sealcheck sample"), [(2, 6), (3, 6)], 100000, SEED)]
    assert (reply.code, reply.err) == (3, "sealcheck: unknown: 2 cross-checks hit a limit\n")
    *heading, first, second = reply.out.partition("\n\n")[0].splitlines()
    rest = reply.out.splitlines()[len(heading) + 2 :]
    assert heading[-1].split()[:4] == ["n", "messages", "programs", "drawn"]
    assert first.split() == ["3", "12", "267595117836", "100000", "85000", "15000", "0", "4", "150"]
    assert second.split() == ["4", "12", "1" + 15 * "0", "100000", "0", "100000", "0", "-", "0"]
    assert rest == [
        "",
        f"Nothing is verified: these are random programs, drawn with seed {SEED}.",
        "Each estimate below holds, by itself, with 95 % confidence.",
        "",
        "Of the 267595117836 programs with n = 3 and 12 messages",
        "  84.77 % to 85.23 % are sealable (Clopper and Pearson)",
        "  14.77 % to 15.23 % are unsealable (Clopper and Pearson)",
        "  at most 0.003689 % refute th:sealability as printed (Clopper and Pearson)",
        "  at most 0.003 % have any given property that none of 100000 drawn programs has (rule of three)",
        "  at most 2 % would fail a cross-check: none of 150 did (rule of three)",
        "",
        "Of the 1000000000000000 programs with n = 4 and 12 messages",
        "  at most 0.003689 % are sealable (Clopper and Pearson)",
        "  99.99 % to 100 % are unsealable (Clopper and Pearson)",
        "  at most 0.003689 % refute th:sealability as printed (Clopper and Pearson)",
        "  at most 0.003 % have any given property that none of 100000 drawn programs has (rule of three)",
    ]


@pytest.mark.usefixtures("no_start")
def test_sample_plan(ask):
    options = ("--n", "2..3", "--messages", "9", "--sample", "100000", "--plan")
    reply = ask("sweep", *options, "--json")
    assert (reply.code, reply.err) == (0, "")
    keys = ("n", "messages", "programs", "drawn", "shards", "cross_checks", "bytes")
    assert [tuple(level[key] for key in keys) for level in reply.document["levels"]] == [
        (2, 9, 16796, 100000, 65, 150, 0),
        (3, 9, 192061738, 100000, 65, 150, 0),
    ]
    assert reply.document["seconds"] > 0
    shown = ask("sweep", *options).out.splitlines()
    assert "drawn" in shown[0].split()
    assert shown[2].split()[:7] == ["3", "9", "192061738", "32010313", "100000", "65", "150"]
    assert (
        ask("sweep", "--n", "2", "--messages", "2", "--plan", "--json").document["levels"][0]["drawn"] is None
    )


@pytest.mark.usefixtures("no_start")
def test_plan(ask):
    reply = ask("sweep", "--n", "3", "--messages", "6", "--plan", "--json")
    levels = reply.document["levels"]
    assert (reply.code, reply.err) == (0, "")
    assert [(level["programs"], level["canonical"]) for level in levels[4:]] == [
        (2280, 381),
        (19806, 3301),
        (183343, 30563),
    ]
    assert [level["bytes"] for level in levels] == [0] * 7
    with_rows = ask("sweep", "--n", "3", "--messages", "6", "--plan", "--out", "no/such", "--json").document
    assert with_rows["seconds"] > reply.document["seconds"] > 0
    assert with_rows["levels"][-1]["bytes"] > 0
    shown = ask("sweep", "--n", "3", "--messages", "6", "--plan").out.splitlines()
    assert shown[7].split()[:5] == ["3", "6", "183343", "30563", "65"]
    assert shown[-1].startswith("About ")
    little = ask("sweep", "--n", "2", "--messages", "2", "--plan")
    assert little.out.endswith("\nAbout 0 s on 1 core, without Spark.\n")
    page = (Path(__file__).parents[2] / "docs" / "levels.md").read_text()
    assert f"if they need more than {WITHOUT_SPARK:.0f} core seconds" in page


def test_a_plan_needs_neither_spark_nor_a_solver():
    code = (
        "import sys\nfrom sealcheck.cli.main import main\n"
        "main(('sweep', '--n', '2', '--messages', '2', '--plan', '--json'))\n"
        "main(('sweep', '--n', '2', '--messages', '2', '--sample', '5', '--plan', '--json'))\n"
        "print(sorted({'cvc5', 'networkx', 'numba', 'pyarrow', 'pyspark', 'z3'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")
