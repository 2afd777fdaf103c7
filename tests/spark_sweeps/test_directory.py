"""Result files and resuming, without Spark."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from platform import python_version

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.spark_sweeps.loops import contents

from sealcheck.errors import InputError
from sealcheck.spark_sweeps import installed
from sealcheck.spark_sweeps import sweep as directory
from sealcheck.spark_sweeps.cutting import Shard, split
from sealcheck.spark_sweeps.shards import ShardFailed, run_inline
from sealcheck.spark_sweeps.sweep import MANIFEST, WRITTEN, open_directory

SCHEMA = pa.schema({"index": pa.int64(), "square": pa.int64()})
SHARDS = split("squares", 2, 3, 25, 10)


def squares(shard: Shard) -> Iterator[pa.RecordBatch]:
    for index in range(shard.start, shard.stop):
        yield pa.record_batch([[index], [index * index]], schema=SCHEMA)


def sweep(folder: Path, shards: list[Shard] = SHARDS) -> directory.SweepDirectory:
    opened = open_directory(folder, shards, SCHEMA)
    run_inline(opened.missing(), opened.writing(squares), WRITTEN)
    return opened


def test_files_hold_the_rows_of_their_shards(tmp_path: Path) -> None:
    opened = open_directory(tmp_path, SHARDS, SCHEMA)
    written = run_inline(opened.missing(), opened.writing(squares), WRITTEN)
    files = opened.files()
    assert written.column("file").to_pylist() == [file.name for file in files]
    assert written.column("rows").to_pylist() == [10, 10, 5]
    assert [pq.read_table(file)["index"].to_pylist() for file in files] == [
        list(range(0, 10)),
        list(range(10, 20)),
        list(range(20, 25)),
    ]


def test_the_folder_reads_as_one_table(tmp_path: Path) -> None:
    sweep(tmp_path)
    (tmp_path / f".{MANIFEST}.0.tmp").touch()
    assert sorted(pq.read_table(tmp_path)["index"].to_pylist()) == list(range(25))


def test_a_failing_check_leaves_no_file(tmp_path: Path) -> None:
    def broken(shard: Shard) -> Iterator[pa.RecordBatch]:
        yield pa.record_batch([[1], [1]], schema=SCHEMA)
        raise ValueError("no")

    opened = open_directory(tmp_path, SHARDS, SCHEMA)
    with pytest.raises(ShardFailed, match=r"programs 0\.\.9: ValueError: no$"):
        run_inline(opened.missing(), opened.writing(broken), WRITTEN)
    assert [file.name for file in tmp_path.iterdir()] == [MANIFEST]


def test_results_of_another_sweep_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep(tmp_path)
    before = contents(tmp_path)

    def refusal(shards: list[Shard], schema: pa.Schema = SCHEMA) -> str:
        with pytest.raises(InputError) as error:
            open_directory(tmp_path, shards, schema)
        return str(error.value)

    assert "whose 'jobs' is ['squares'] and not ['cubes']" in refusal(split("cubes", 2, 3, 25, 10))
    assert "whose 'n' is [2] and not [3]" in refusal(split("squares", 3, 3, 25, 10))
    assert "whose 'messages' is [3] and not [4]" in refusal(split("squares", 2, 4, 25, 10))
    assert "whose 'programs' is 25 and not 26" in refusal(split("squares", 2, 3, 26, 10))
    assert "whose 'shards' is 3 (" in refusal(split("squares", 2, 3, 25, 9))
    assert "whose 'columns' is " in refusal(SHARDS, SCHEMA.remove(1))
    with monkeypatch.context() as patch:
        patch.setattr(directory, "code_digest", lambda: "other")
        assert "whose 'code' is " in refusal(SHARDS)
    with monkeypatch.context() as patch:
        patch.setattr(installed, "python_version", lambda: "3.0")
        assert f"whose 'versions' is Python {python_version()} and not Python 3.0:" in refusal(SHARDS)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("change", ["code_digest", "answering_versions"])
def test_files_are_named_by_what_made_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    sweep(tmp_path / "one")
    monkeypatch.setattr(directory, change, lambda: "other")
    sweep(tmp_path / "two")
    assert set(contents(tmp_path / "one")) & set(contents(tmp_path / "two")) == {MANIFEST}


def test_a_folder_with_other_things_is_refused_untouched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / ".other.tmp").touch()
    with pytest.raises(InputError, match="is not empty and holds no sweep"):
        open_directory(tmp_path, SHARDS, SCHEMA)
    assert set(contents(tmp_path)) == {"notes.txt", ".other.tmp"}


@pytest.mark.parametrize("text", ["", "{", "[]", "\xff"])
def test_a_damaged_record_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match="is not the record of a sweep"):
        open_directory(tmp_path, SHARDS, SCHEMA)


def test_missing_files_are_counted(tmp_path: Path) -> None:
    opened = open_directory(tmp_path, SHARDS, SCHEMA)
    with pytest.raises(InputError, match="lacks 3 of 3 result files"):
        opened.files()


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def rewritten(file: Path) -> bytes:
    table = pq.read_table(file)
    squares = pa.array([9, *table["square"].to_pylist()[1:]])
    altered = BytesIO()
    metadata = pq.ParquetFile(file).metadata.metadata
    with pq.ParquetWriter(altered, SCHEMA, compression="zstd") as writer:
        writer.write_table(table.set_column(1, "square", squares).cast(SCHEMA))
        writer.add_key_value_metadata({"sealcheck": metadata[b"sealcheck"]})
    return altered.getvalue()


DAMAGE: dict[str, Callable[[Path, bytes], bytes]] = {
    "empty": lambda _, content: b"",
    "truncated": lambda _, content: content[:-1],
    "cut in half": lambda _, content: content[: len(content) // 2],
    "longer": lambda _, content: content + b"\0",
    "altered": lambda file, _: rewritten(file),
    "no Parquet": lambda _, content: b"nothing of the kind",
    "another shard's": lambda file, _: next(
        other.read_bytes() for other in sorted(file.parent.glob("shard=*")) if other != file
    ),
    "without digest": lambda file, content: content.replace(b"sealcheck sha256", b"sealcheck sha255"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_computed_again(tmp_path: Path, kind: str) -> None:
    file = sweep(tmp_path).files()[1]
    before = contents(tmp_path)
    file.write_bytes(DAMAGE[kind](file, file.read_bytes()))
    assert contents(tmp_path) != before
    opened = open_directory(tmp_path, SHARDS, SCHEMA)
    assert (opened.damaged, opened.missing()) == ((file.name,), [SHARDS[1]])
    assert sweep(tmp_path).damaged == ()
    assert contents(tmp_path) == before


def test_every_bit_counts(tmp_path: Path) -> None:
    file = sweep(tmp_path).files()[0]
    content = file.read_bytes()
    for at in range(len(content)):
        file.write_bytes(flipped(content, at))
        assert not directory.is_whole(file), at
    file.write_bytes(content)
    assert directory.is_whole(file)


def test_a_file_damaged_during_the_sweep_is_not_read(tmp_path: Path) -> None:
    opened = sweep(tmp_path)
    file = opened.files()[2]
    file.write_bytes(flipped(file.read_bytes(), 10))
    with pytest.raises(InputError, match=f"{file.name} was damaged while the sweep ran: run it again$"):
        opened.files()


def test_links_are_no_results(tmp_path: Path) -> None:
    first, second, _ = sweep(tmp_path / "rows").files()
    before = contents(tmp_path / "rows")
    elsewhere = tmp_path / "elsewhere"
    first.rename(elsewhere)
    first.symlink_to(elsewhere)
    second.unlink()
    second.symlink_to(tmp_path / "nowhere")
    assert open_directory(tmp_path / "rows", SHARDS, SCHEMA).damaged == (first.name, second.name)
    sweep(tmp_path / "rows")
    assert contents(tmp_path / "rows") == before
    assert not first.is_symlink()
    assert elsewhere.read_bytes() == before[first.name]


def test_stray_files_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").touch()
    sweep(tmp_path)
    (tmp_path / "README.txt").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path)
    opened = sweep(tmp_path)
    assert (len(opened.files()), opened.damaged) == (3, ())
    assert {".DS_Store", "README.txt", "link"} < {path.name for path in tmp_path.iterdir()}


def test_a_folder_in_the_place_of_a_result_is_refused(tmp_path: Path) -> None:
    file = sweep(tmp_path).files()[0]
    file.unlink()
    file.mkdir()
    with pytest.raises(InputError, match=f"{file.name} is a folder: choose a new or empty folder$"):
        open_directory(tmp_path, SHARDS, SCHEMA)
