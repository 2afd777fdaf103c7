"""A changed table is rejected, or its meaning is the same."""

import hashlib
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.evidence import certified
from tests.kernel.edits import are_chains, is_interference

from sealcheck.algorithms.sealability import Problem, told
from sealcheck.algorithms.signature import signature
from sealcheck.evidence.formats import parquet_lines
from sealcheck.evidence.verification import verify_path
from sealcheck.explorers import channel_contents
from sealcheck.kernel import reading
from sealcheck.kernel.reading import canonical
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import channels
from sealcheck.spark_sweeps.tables import write_table

KINDS = ("sealability", "sealing-pairs", "signatures")
SPACES = [(n, m) for n in (2, 3) for m in range(3)]
CHANGES = 120
"""The number of changes for each kind of table, and of changes with a mended digest."""
SECONDS = 5
"""The limit for any answer, even on a busy machine."""

JUNK = (b" ", b"0", b"1", b"\xff", b"\xc3\x28", b"[" * 100_000, b'"', b"\\u0000", b"\n", b"\x00")
STATEMENTS = ("mt 1->2", "mt 2->1", "snd 1->2", "rcv 2<-1", "mt 1->3", "mt 3->2", "mt 1->1", "")

Lines = list[bytes]
Tables = dict[str, Path]
Change = Callable[[random.Random, Lines], Lines]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tables")
    for kind in KINDS:
        write_table(kind, "jsonl", folder / kind, SPACES, lambda: pytest.fail("Spark is not needed"))
    return {kind: folder / kind for kind in KINDS}


def accepts(path: Path, content: bytes) -> bool:
    path.write_bytes(content)
    begun = time.monotonic()
    accepted = certified.accepts(path)
    assert time.monotonic() - begun < SECONDS
    return accepted


def flip_byte(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    at = rng.randrange(len(lines[k]))
    lines[k] = lines[k][:at] + bytes([lines[k][at] ^ 1 << rng.randrange(8)]) + lines[k][at + 1 :]
    return lines


def insert_bytes(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    at = rng.randrange(len(lines[k]) + 1)
    lines[k] = lines[k][:at] + rng.choice(JUNK) + lines[k][at:]
    return lines


def delete_bytes(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    at = rng.randrange(len(lines[k]))
    lines[k] = lines[k][:at] + lines[k][at + rng.randrange(1, 4) :]
    return lines


def truncate(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    return [*lines[:k], lines[k][: rng.randrange(len(lines[k]))]]


def drop_row(rng: random.Random, lines: Lines) -> Lines:
    del lines[rng.randrange(1, len(lines))]
    return lines


def repeat_row(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(1, len(lines))
    return [*lines[:k], lines[k], *lines[k:]]


def swap_rows(rng: random.Random, lines: Lines) -> Lines:
    k, other = rng.sample(range(1, len(lines)), 2)
    lines[k], lines[other] = lines[other], lines[k]
    return lines


def edit_value(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    value = json.loads(lines[k])
    _edit(rng, value)
    lines[k] = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return lines


def _edit(rng: random.Random, value: Any) -> None:
    while True:
        key = rng.choice(list(value) if isinstance(value, dict) else range(len(value)))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.9:
            value = inner
            continue
        break
    if isinstance(value, list) and rng.random() < 0.3:
        rng.choice([lambda: value.pop(key), lambda: value.append(inner), lambda: value.reverse()])()
        return
    value[key] = _other(rng, inner)


def _other(rng: random.Random, value: Any) -> Any:
    odd = [None, True, False, 0, 1, -1, 2**70, 1.0, float("nan"), float("inf"), "", [], {}, [[]], "eps"]
    if isinstance(value, bool):
        return rng.choice([not value, int(value), None])
    if isinstance(value, int) and rng.random() < 0.8:
        return value + rng.choice([-2, -1, 1, 2])
    if isinstance(value, str) and rng.random() < 0.8 and value:
        parts = value.split("; ")
        at = rng.randrange(len(parts))
        parts[at] = rng.choice(STATEMENTS)
        return "; ".join(parts)
    return rng.choice(odd)


def repeat_key(rng: random.Random, lines: Lines) -> Lines:
    k = rng.randrange(len(lines))
    key = rng.choice(list(json.loads(lines[k])))
    lines[k] = lines[k][:-1] + f',"{key}":{rng.choice(["true", "1", "null"])}}}'.encode()
    return lines


ALL: tuple[Change, ...] = (
    flip_byte, insert_bytes, delete_bytes, truncate, drop_row, repeat_row, swap_rows, edit_value, edit_value,
    edit_value, edit_value, repeat_key,
)  # fmt: skip


def forged(lines: Lines) -> Lines:
    """The file with a header whose digest and counts fit the rows."""
    try:
        header = json.loads(lines[0])
        rows = [json.loads(line) for line in lines[1:]]
        header |= {"rows": len(rows), "levels": [certified.counted(each, rows) for each in header["levels"]]}
    except (ValueError, TypeError, KeyError, RecursionError):
        return lines
    header["sha256"] = hashlib.sha256(b"".join(line + b"\n" for line in lines[1:])).hexdigest()
    return [json.dumps(header, sort_keys=True, separators=(",", ":")).encode(), *lines[1:]]


def keeps_meaning(before: Lines, after: Lines) -> bool:
    """Whether only seals and certificates differ, and the new ones are right by rules of the tests."""
    if len(before) != len(after):
        return False
    for old, new in zip(map(json.loads, before[1:]), map(json.loads, after[1:]), strict=True):
        evidence = {"seal", "certificate"}
        if old.keys() != new.keys() or any(old[k] != new[k] for k in old.keys() - evidence):
            return False
        if old != new:
            judge(new)
    return True


def judge(row: dict[str, Any]) -> None:
    n, certificate = row["n"], row["certificate"]
    p = parse_straight_line(row.get("program", row.get("p")), n)
    if certificate["kind"] == "closed-knowledge":
        problem, state = Problem.of(signature(p)), tuple(certificate["knowledge"])
        assert all(a | b == b for a, b in zip(problem.initial, state, strict=True))
        assert all(told(state, c) == state for c in channels(n) if problem.is_safe(c, state))
        assert problem.unsafe(state)
        return
    q = parse_straight_line(row["seal"] if "seal" in row else row["q"], n)
    if certificate["kind"] == "run":
        assert is_interference(p, q, certificate)
        return
    assert channel_contents.seals(p, q)
    assert "seal" not in row or q.messages == row["minimum_messages"]
    assert are_chains(p, q, certificate["chains"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("forger", [False, True], ids=["as it is", "by a forger"])
def test_changed_tables_are_rejected(
    kind: str, forger: bool, tables: dict[str, Path], tmp_path: Path
) -> None:
    """Each of hundreds of random changes is rejected, or gives other evidence that is right."""
    original = tables[kind].read_bytes().splitlines()
    assert accepts(tmp_path / "t", tables[kind].read_bytes())
    rng, said = random.Random(f"{kind} {forger}"), Counter[str]()
    while said.total() < CHANGES:
        change = rng.choice(ALL)
        lines = change(rng, list(original))
        lines = forged(lines) if forger else lines
        if lines == original:
            continue
        accepted = accepts(tmp_path / "t", b"".join(line + b"\n" for line in lines))
        if accepted:
            assert forger, f"{change.__name__}: {lines}"
            assert keeps_meaning(original, lines), f"{change.__name__}: {lines}"
        said["other evidence" if accepted else "rejected"] += 1
    assert said["rejected"] > 0.9 * CHANGES


def test_changed_parquet_tables_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write_table("sealability", "parquet", path, SPACES, lambda: pytest.fail("Spark is not needed"))
    original, content = list(parquet_lines(path)), path.read_bytes()
    assert accepts(path, content)
    rng, rejected = random.Random(1), 0
    for _ in range(200):
        at = rng.randrange(len(content))
        changed = content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]
        if accepts(path, changed):
            assert list(parquet_lines(path)) == original
        else:
            rejected += 1
    assert rejected > 50


def test_a_line_without_end_is_rejected(tables: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(tables["sealability"].read_bytes() + b"1" * (reading.LONGEST + 10))
    outcome = verify_path(path)
    assert not outcome.ok
    assert any("too long" in reason for _, _, reason in outcome.rejected)


def test_the_header_decides_nothing_by_itself(tables: dict[str, Path], tmp_path: Path) -> None:
    header, *rows = tables["sealability"].read_bytes().splitlines()
    for key, value in json.loads(header).items():
        others = [2, "x", [], None] if key != "kind" else ["worst-cases", "counterexamples", "signatures"]
        others.append(value + 1 if isinstance(value, int) else value * 2)
        for other in (other for other in others if other != value):
            changed = canonical(json.loads(header) | {key: other})
            text = b"".join(line + b"\n" for line in [changed, *rows])
            assert not accepts(tmp_path / "t", text), (key, other)
