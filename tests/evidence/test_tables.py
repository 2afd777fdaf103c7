"""Certified tables: rows, bytes, and failures to write or read them."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.evidence import certified

from sealcheck.errors import Disagreement, InputError, LimitReached
from sealcheck.evidence.formats import FORMATS, METADATA, parquet_lines
from sealcheck.evidence.outcome import AcceptedTable
from sealcheck.evidence.table_files import both
from sealcheck.evidence.tables import TABLES, is_selected
from sealcheck.evidence.verification import verify_path
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.kernel.tables import EXHAUSTIVE, KINDS
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.space import Space, count_canonical, count_canonical_sequences, count_programs
from sealcheck.programs.straight_line import StraightLine, channels
from sealcheck.questions.verified_checker import Reply
from sealcheck.spark_sweeps import tables as making
from sealcheck.spark_sweeps.tables import write_table

SPACES = [(n, m) for n in (2, 3) for m in range(4)]


def make(kind: str, format: str, target: Path, spaces: Iterable[tuple[int, int]] = SPACES) -> Path:
    write_table(kind, format, target, list(spaces), lambda: pytest.fail("Spark is not needed"))
    return target


def rows(kind: str, folder: Path, spaces: Iterable[tuple[int, int]] = SPACES) -> list[dict[str, Any]]:
    lines = make(kind, "jsonl", folder / "rows", spaces).read_bytes().splitlines()
    return [json.loads(line) for line in lines[1:]]


def program(row: dict[str, Any], key: str = "program") -> StraightLine:
    return parse_straight_line(row[key], row["n"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", FORMATS)
def test_shards_leave_no_trace(
    kind: str, format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spaces = [(3, 4), (3, 3)] if kind == "counterexamples" else SPACES
    few = make(kind, format, tmp_path / "few", spaces).read_bytes()
    monkeypatch.setattr(making, "PER_SHARD", 7)
    assert make(kind, format, tmp_path / "many", sorted(spaces)).read_bytes() == few
    assert len(few) > 100


@pytest.mark.parametrize("kind", ["sealability", "signatures"])
def test_every_program_has_a_row(kind: str, tmp_path: Path) -> None:
    for n, m in SPACES:
        made = rows(kind, tmp_path, [(n, m)])
        expected = {p for p in Space(n, m).programs() if p.is_canonical}
        assert {program(row) for row in made} == expected
        assert len(made) == len(expected) == count_canonical(n, m)
        assert sum(row["orbit_size"] for row in made) == count_programs(n, m)
        assert [program(row) for row in made] == sorted(expected)


def test_every_pair_has_a_row(tmp_path: Path) -> None:
    for n, m in [(2, 3), (3, 2)]:
        made = rows("sealing-pairs", tmp_path, [(n, m)])
        parts = [(first, m - first) for first in range(m + 1)]
        assert len(made) == sum(count_canonical_sequences(n, part) for part in parts)
        assert len({(row["p"], row["q"]) for row in made}) == len(made)
        pairs = sum(count_programs(n, first) * count_programs(n, second) for first, second in parts)
        assert sum(row["orbit_size"] for row in made) == pairs


def test_sealability_is_what_the_explorer_finds(tmp_path: Path) -> None:
    for row in rows("sealability", tmp_path, [(n, m) for n in (2, 3) for m in (2, 3)]):
        p, pairs = program(row), [tuple(channel) for channel in channels(row["n"])]
        closed = [channel for channel in channels(row["n"]) if channel_contents.closes(p, channel)]
        assert row["closed_channels"] == [list(channel) for channel in closed]
        assert sorted(row["open_channels"] + row["closed_channels"]) == [list(pair) for pair in pairs]
        shortest = find_seal(p, 3)
        assert row["sealable"] == (shortest is not None)
        assert row["minimum_messages"] == (shortest.messages if shortest else None)
        assert row["seal"] is None or channel_contents.seals(p, program(row, "seal"))


def test_pairs_are_what_the_explorer_finds(tmp_path: Path) -> None:
    made = [*rows("sealing-pairs", tmp_path, [(2, 4)]), *rows("sealing-pairs", tmp_path, [(3, 3)])]
    for row in made:
        assert row["seals"] == channel_contents.seals(program(row, "p"), program(row, "q"))
    assert {row["seals"] for row in made} == {True, False}


def test_counterexamples_are_taken_from_all_programs(tmp_path: Path) -> None:
    spaces = [(n, m) for n in (2, 3) for m in (3, 4)]
    apart = [
        row
        for row in rows("sealability", tmp_path, spaces)
        if row["sealable"] and len(joined(row["n"], row["closed_channels"])) > 1
    ]
    found = rows("counterexamples", tmp_path, spaces)
    assert [row["program"] for row in found] == [row["program"] for row in apart]
    assert [row["parts"] for row in found] == [joined(row["n"], row["closed_channels"]) for row in found]
    assert len(found) == 1


def joined(n: int, edges: list[list[int]]) -> list[list[int]]:
    part = {k: k for k in range(1, n + 1)}
    for _ in range(n):
        for i, j in edges:
            part[i] = part[j] = min(part[i], part[j])
    return [[k for k in part if part[k] == least] for least in sorted(set(part.values()))]


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2), (3, 3), (3, 4)])
def test_worst_cases_are_taken_from_all_programs(n: int, m: int, tmp_path: Path) -> None:
    every = [row for row in rows("sealability", tmp_path, [(n, m)]) if row["sealable"]]
    most = max(row["minimum_messages"] for row in every)
    found = rows("worst-cases", tmp_path, [(n, m)])
    assert found == [row for row in every if row["minimum_messages"] == most]
    assert most <= 3 * n - 5
    assert (most == 3 * n - 5) == ((n, m) in [(2, 3), (3, 4)])


@pytest.mark.parametrize("failure", [OSError(5, "Input/output error"), MemoryError(), KeyboardInterrupt()])
@pytest.mark.parametrize("late", [0, 3], ids=["at once", "on the way"])
def test_a_failure_leaves_everything_as_it_was(
    failure: BaseException, late: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "t"
    target.write_text("old")
    original, calls = making.levels, iter(range(late))

    def broken(*arguments: Any, **options: Any) -> Any:
        for made in original(*arguments, **options):
            if next(calls, None) is None:
                raise failure
            yield made

    monkeypatch.setattr(making, "levels", broken)
    with pytest.raises(InputError if isinstance(failure, OSError) else type(failure)):
        make("sealability", "jsonl", target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_table_can_be_read_by_others(tmp_path: Path) -> None:
    assert make("sealability", "jsonl", tmp_path / "t").stat().st_mode & 0o777 == 0o644


def test_a_pipe_is_refused_with_a_reason() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"{}\n")
    os.close(writing)
    with pytest.raises(InputError, match=r"^cannot read /dev/fd/\d+: .*not seekable\.?$"):
        verify_path(Path(f"/dev/fd/{reading}"))
    os.close(reading)


def test_folders_of_something_else(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is an empty folder$"):
        verify_path(tmp_path)
    good = make("sealability", "jsonl", tmp_path / "good", [(2, 1)])
    assert verify_path(tmp_path).ok
    for name, junk in (
        ("README.txt", b"see below\n"),
        ("noise", bytes(range(256))),
        ("half", b'{"kind":'),
        ("empty", b""),
        ("line", b"\n"),
        ("object", b"{}\n"),
        ("deep", b"[" * 200_000 + b"\n"),
        ("UTF-16", b"\xff\xfe\x00\n"),
        ("PAR1", b"PAR1"),
        ("more", b"PAR1 and nothing else"),
        ("header", b'{"sealcheck":"table"}\n'),
        ("later", b'{"sealcheck":"table","version":3}\n'),
    ):
        file = tmp_path / name
        file.write_bytes(junk)
        outcome = verify_path(tmp_path)
        assert [(path, row) for path, row, _ in outcome.rejected] == [(str(file), 0)]
        assert [each.files for each in outcome.accepted] == [(str(good),)]
        with pytest.raises(InputError) as refusal:
            verify_path(file)
        assert str(file) in str(refusal.value)
        assert "\n" not in str(refusal.value)
        file.unlink()


def test_what_file_managers_leave_is_ignored_and_named(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_bytes(b"\x00")
    with pytest.raises(InputError, match=r"contains no evidence$"):
        verify_path(tmp_path)
    make("sealability", "jsonl", tmp_path / "good", [(2, 1)])
    outcome = verify_path(tmp_path)
    assert (outcome.ok, outcome.ignored) == (True, [str(tmp_path / ".DS_Store")])


def test_links_are_followed_to_files_and_named_otherwise(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "folder"
    elsewhere.mkdir()
    folder.mkdir()
    (folder / "link").symlink_to(make("sealability", "jsonl", elsewhere / "table", [(2, 1)]))
    assert verify_path(folder).ok
    for name, to in (("inside", elsewhere), ("nowhere", tmp_path / "none"), ("itself", folder / "itself")):
        (folder / name).symlink_to(to)
        outcome = verify_path(folder)
        ((path, row, reason),) = outcome.rejected
        assert (path, row) == (str(folder / name), 0)
        assert reason.startswith("this is a symbolic link to")
        assert len(outcome.accepted) == 1
        (folder / name).unlink()
    os.mkfifo(folder / "pipe")
    assert [reason for _, _, reason in verify_path(folder).rejected] == ["this is not a regular file"]


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(EXHAUSTIVE)))
def test_selections_are_complete_beside_the_table_they_are_from(kind: str, tmp_path: Path) -> None:
    spaces = [(3, 3), (3, 4)] if kind == "counterexamples" else [(3, 2), (3, 3)]
    path = make(kind, "jsonl", tmp_path / kind, spaces)
    whole = TABLES[kind].selection
    assert whole is not None
    (alone,) = verify_path(tmp_path).accepted
    assert isinstance(alone, AcceptedTable)
    assert (alone.complete, alone.levels) == (None, frozenset())
    make(whole.of, "parquet", tmp_path / "whole", spaces)
    complete = {each.name: each.levels for each in verify_path(tmp_path).accepted}
    assert complete == dict.fromkeys((kind, whole.of), frozenset(spaces))
    for at in range(len(certified.rows(path))):
        kept = certified.rows(path)
        certified.rewrite(path, kept[:at] + kept[at + 1 :])
        assert verify_path(path).ok
        assert [reason for _, _, reason in verify_path(tmp_path).rejected] == [
            f"the rows are not the corresponding rows of {tmp_path / 'whole'}"
        ]
        certified.rewrite(path, kept)
    assert verify_path(tmp_path).ok


def lines(*rows: tuple[str, int | None]) -> list[bytes]:
    documents = (
        {"n": 2, "messages": 1, "program": p, "sealable": m is not None, "minimum_messages": m}
        for p, m in rows
    )
    return [b"{}", *(json.dumps(each).encode() for each in documents)]


def test_the_rows_are_about_the_programs_that_belong_there() -> None:
    selection = TABLES["worst-cases"].selection
    assert selection is not None
    easy, hard, harder = ("mt 1->2", 1), ("mt 2->1", 2), ("snd 1->2; rcv 2<-1", 2)
    whole = lines(easy, hard, ("mt 1->1", None), harder)
    assert is_selected(selection, whole, lines(hard, harder))
    for others in ([hard], [easy, hard], [easy, harder], [easy, hard, harder], []):
        assert not is_selected(selection, whole, lines(*others))


Alter = Callable[[pa.Table, int], pa.Table]


def put(value: object) -> Alter:
    return lambda table, at: table.set_column(at, table.column_names[at], pa.array([value] * len(table)))


ALTERED: dict[str, Alter] = {
    "left out": lambda table, at: table.drop_columns([table.column_names[at]]),
    "renamed": lambda table, at: table.rename_columns(
        [f"{name}_" if k == at else name for k, name in enumerate(table.column_names)]
    ),
    "twice": lambda table, at: table.append_column(table.column_names[at], table.column(at)),
    "twice, otherwise before": lambda table, at: table.add_column(
        0, table.column_names[at], pa.nulls(len(table))
    ),
    "and another one": lambda table, at: table.append_column("more", table.column(at)),
    "no rows": lambda table, _: table.slice(0, 0),
    "one row less": lambda table, _: table.slice(1),
    "null": put(None),
    "true": put(True),
    "fractions": put(1.5),
    "no number": put(float("nan")),
    "huge": put(2**63 - 1),
    "bytes": put(b"\xff"),
    "half of JSON": put("[1"),
    "deep JSON": put("[" * 5_000),
    "letters": put("\u00e4"),
    "lists": put([[None]]),
    "records": put({"a": 1}),
    "no text": lambda table, at: table.set_column(
        at, table.column_names[at], pa.array([b"\xff\xfe"] * len(table)).view(pa.string())
    ),
}


@pytest.mark.parametrize("kind", ["sealability", "sealing-pairs", "signatures"])
@pytest.mark.parametrize("alter", ALTERED)
def test_altered_columns_are_rejected(kind: str, alter: str, tmp_path: Path) -> None:
    path = make(kind, "parquet", tmp_path / "t", [(2, 2), (3, 2)])
    table = pq.read_table(path)
    metadata = {METADATA: table.schema.metadata[METADATA]}
    original = list(parquet_lines(path))
    rejected = 0
    for at in range(table.num_columns):
        pq.write_table(ALTERED[alter](table, at).replace_schema_metadata(metadata), path)
        if certified.accepts(path):
            assert list(parquet_lines(path)) == original
        else:
            rejected += 1
    assert rejected >= table.num_columns - 1


@pytest.mark.parametrize("header", [None, b"", b"{}", b"\xff", b"[" * 100_000, b"null"])
def test_parquet_files_that_are_no_tables(header: bytes | None, tmp_path: Path) -> None:
    table = pq.read_table(make("signatures", "parquet", tmp_path / "t", [(2, 1)]))
    metadata = None if header is None else {METADATA: header}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "t")
    with pytest.raises(InputError) as refusal:
        verify_path(tmp_path / "t")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("reply", "error", "why"),
    [
        (Reply(skipped="a program has more than 2000 events"), LimitReached, "skipped a row: a program"),
        (Reply(error="a process is missing"), Disagreement, "accepts it, but .* a process is missing"),
        (Reply(result=False), Disagreement, "accepts it, but .* does not show its verdict"),
    ],
)
def test_a_row_that_is_too_large_is_no_disagreement(monkeypatch, reply, error, why):
    header = SimpleNamespace(kind="sealing-pairs")
    monkeypatch.setattr("sealcheck.evidence.table_files.header_of", lambda line: header)
    accepting_all = both(SimpleNamespace(ask=lambda document: reply), lambda lines: iter(list(lines)[:0]))
    with pytest.raises(error, match=why):
        list(accepting_all([b"the header", b"{}"]))
