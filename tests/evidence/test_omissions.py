"""Evidence with omissions and mended digests is never accepted."""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.evidence.certified import accepts, header, levels, rewrite, rows, write
from tests.evidence.test_proofs import cube_proof

from sealcheck.evidence.cubes import clausal, numbered
from sealcheck.evidence.proofs import Part, settled
from sealcheck.kernel.tables import KINDS
from sealcheck.spark_sweeps.tables import write_table

FORGERIES = 40
"""The number of forgeries of each folder."""

SPACES = levels(2, 1)
STATEMENTS = ("graph-cause", "seal-size", "worst-case-seal", "deadlock-free")


@dataclass(frozen=True)
class Original:
    """An accepted folder, and the expectations of it."""

    folder: Path
    expected: tuple[str, ...]


def certified(folder: Path) -> Original:
    write(STATEMENTS, SPACES, folder)
    expected = (f"ledger {id} n=1..2 messages=0..1" for id in STATEMENTS)
    return Original(folder, (*expected, "table sealability n=1..2 messages=0..1"))


def tables(folder: Path) -> Original:
    for kind in KINDS:
        spaces = [(n, m) for n in (2, 3) for m in range(3)]
        write_table(kind, "jsonl", folder / kind, spaces, lambda: pytest.fail("Spark is not needed"))
    return Original(folder, tuple(f"table {kind} n=2..3 messages=0..2" for kind in KINDS))


def whole_proofs(folder: Path) -> Original:
    for n, m in [(n, m) for n in (2, 3) for m in (1, 2)]:
        for query in numbered("closed-channels", 0, n, m):
            (folder / Part(query).file_name).write_bytes(settled(query))  # type: ignore[arg-type]
    return Original(folder, ("proofs closed-channels as-printed n=2..3 messages=1..2",))


def cubes(folder: Path) -> Original:
    (asked,) = numbered("graph-cause", 0, 3, 3)
    parts = [*clausal(asked).parts(())[:2], *clausal(asked).parts((2,))]
    for part in (Part(asked, cover=tuple(parts)), *(Part(asked, cube) for cube in parts)):
        (folder / part.file_name).write_bytes(cube_proof(part))
    return Original(folder, ("proofs graph-cause n=3 messages=3",))


FOLDERS: dict[str, Callable[[Path], Original]] = {
    "what an audit certifies": certified,
    "tables": tables,
    "proofs": whole_proofs,
    "cubes": cubes,
}


@pytest.fixture(scope="module", params=FOLDERS)
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Original:
    made = FOLDERS[request.param](tmp_path_factory.mktemp("original"))
    assert accepts(made.folder, expected=made.expected)
    return made


Forgery = Callable[[random.Random, Path], bool]
"""Leaves something out of a folder; returns whether there was something to leave out."""


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def with_rows(folder: Path) -> list[Path]:
    return [path for path in files(folder) if b"rows" in path.read_bytes().split(b"\n")[0] and rows(path)]


def with_levels(folder: Path) -> list[Path]:
    return [path for path in with_rows(folder) if "levels" in header(path)]


def drop_files(rng: random.Random, folder: Path) -> bool:
    there = files(folder)
    for path in rng.sample(there, rng.randrange(1, len(there))):
        path.unlink()
    return True


def drop_one_file(rng: random.Random, folder: Path) -> bool:
    rng.choice(files(folder)).unlink()
    return True


def drop_a_folder(rng: random.Random, folder: Path) -> bool:
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    if inner:
        shutil.rmtree(rng.choice(inner))
    return bool(inner)


def drop_rows(rng: random.Random, folder: Path) -> bool:
    if there := with_rows(folder):
        path = rng.choice(there)
        kept = rows(path)
        dropped = rng.sample(range(len(kept)), rng.randrange(1, min(4, len(kept) + 1)))
        rewrite(path, [row for at, row in enumerate(kept) if at not in dropped])
    return bool(there)


def drop_all_rows(rng: random.Random, folder: Path) -> bool:
    if there := with_rows(folder):
        rewrite(rng.choice(there), [])
    return bool(there)


def drop_a_level(rng: random.Random, folder: Path) -> bool:
    """Drop a level of a table: its rows, its entry in the header and, perhaps, in the scope."""
    if not (there := with_levels(folder)):
        return False
    path = rng.choice(there)
    first = header(path)
    gone = rng.choice(first["levels"])
    first["levels"].remove(gone)
    kept = [row for row in rows(path) if (row["n"], row["messages"]) != (gone["n"], gone["messages"])]
    scope = rng.choice([{}, {"messages": [0, first["messages"][1] - 1]}, {"n": [2, first["n"][1] - 1]}])
    rewrite(path, kept, levels=first["levels"], **scope)
    return True


def shrink_the_scope(rng: random.Random, folder: Path) -> bool:
    """Shrink the scope of a table, so that the file is right, but about less."""
    if not (there := with_levels(folder)):
        return False
    path = rng.choice(there)
    first = header(path)
    key = rng.choice(["n", "messages"])
    last = first[key][1] - 1
    if last < first[key][0]:
        return False
    kept = [level for level in first["levels"] if level[key] <= last]
    smaller = [row for row in rows(path) if row[key] <= last]
    rewrite(path, smaller, levels=kept, **{key: [first[key][0], last]})
    return True


def drop_a_claim(rng: random.Random, folder: Path) -> bool:
    ledger = folder / "ledger.jsonl"
    if not ledger.exists():
        return False
    id = rng.choice(header(ledger)["statements"])
    gone = [row for row in rows(ledger) if row["statement"] == id]
    kept = [row for row in rows(ledger) if row["statement"] != id]
    scope = {"statements": [other for other in header(ledger)["statements"] if other != id]}
    rewrite(ledger, kept, **(scope if rng.random() < 0.5 and kept else {}))
    if rng.random() < 0.5:
        named = {name for row in gone for key in ("proofs", "answers", "tables") for name in row[key]}
        named -= {name for row in kept for key in ("proofs", "answers", "tables") for name in row[key]}
        for name in named:
            (folder / name).unlink()
    return True


def drop_names(rng: random.Random, folder: Path) -> bool:
    ledger = folder / "ledger.jsonl"
    if not ledger.exists():
        return False
    changed: list[dict[str, Any]] = rows(ledger)
    row = rng.choice([row for row in changed if row["proofs"] or row["answers"] or row["tables"]])
    key = rng.choice([key for key in ("proofs", "answers", "tables") if row[key]])
    gone = rng.choice(row[key])
    row[key].remove(gone)
    rewrite(ledger, changed)
    if rng.random() < 0.5:
        (folder / gone).unlink()
    return True


def empty_a_file(rng: random.Random, folder: Path) -> bool:
    path = rng.choice(files(folder))
    path.write_bytes(rng.choice([b"", path.read_bytes().split(b"\n")[0] + b"\n"]))
    return True


ALL: tuple[Forgery, ...] = (
    drop_files, drop_one_file, drop_one_file, drop_a_folder, drop_rows, drop_rows, drop_all_rows,
    drop_a_level, shrink_the_scope, drop_a_claim, drop_a_claim, drop_names, empty_a_file,
)  # fmt: skip


@contextmanager
def restored(folder: Path, copy: Path) -> Iterator[Path]:
    shutil.copytree(folder, copy)
    try:
        yield copy
    finally:
        shutil.rmtree(copy)


def test_nothing_can_be_left_out(original: Original, tmp_path: Path) -> None:
    """None of hundreds of random omissions is accepted."""
    rng, tried = random.Random(original.folder.name), Counter[str]()
    before = {path.relative_to(original.folder): path.read_bytes() for path in files(original.folder)}
    while tried.total() < FORGERIES:
        forgery = rng.choice(ALL)
        with restored(original.folder, tmp_path / "copy") as copy:
            if not forgery(rng, copy):
                continue
            if {path.relative_to(copy): path.read_bytes() for path in files(copy)} == before:
                continue
            tried[forgery.__name__] += 1
            assert not accepts(copy, expected=original.expected), forgery.__name__
    assert len(tried) >= 2


def test_nothing_can_be_left_out_of_what_states_its_scope(original: Original, tmp_path: Path) -> None:
    unaided: tuple[Forgery, ...] = (drop_rows, drop_all_rows, drop_names, drop_one_file, empty_a_file)
    if len(original.expected) == 5 and "ledger" not in original.expected[0]:
        unaided = (drop_rows, empty_a_file)
    rng, tried = random.Random(0), 0
    while tried < 20:
        with restored(original.folder, tmp_path / "copy") as copy:
            if not (rng.choice(unaided)(rng, copy) and files(copy)) or (
                not (copy / "ledger.jsonl").exists() and (original.folder / "ledger.jsonl").exists()
            ):
                continue
            tried += 1
            assert not accepts(copy)
