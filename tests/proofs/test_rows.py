"""Rows of tables: the verified program accepts exactly the lines that the kernel accepts."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evidence.test_tampering import (
    Change,
    delete_bytes,
    edit_value,
    flip_byte,
    insert_bytes,
    repeat_key,
)

from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.kernel.tables import KINDS, check_row
from sealcheck.questions.verified_checker import Reply, VerifiedChecker
from sealcheck.spark_sweeps.tables import write_table

pytestmark = pytest.mark.coq

SPACES = {
    "sealability": [(n, m) for n in (1, 2, 3) for m in (0, 1, 2, 3)],
    "sealing-pairs": [(n, m) for n in (2, 3) for m in (0, 1, 2, 3)],
    "signatures": [(n, m) for n in (2, 3) for m in (0, 1, 2, 3)],
    "counterexamples": [(3, 3), (3, 4)],
    "worst-cases": [(n, m) for n in (2, 3) for m in (2, 3)],
}
CHANGES: tuple[Change, ...] = (
    flip_byte,
    insert_bytes,
    delete_bytes,
    edit_value,
    edit_value,
    edit_value,
    repeat_key,
)
Lines = dict[str, list[bytes]]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    folder = tmp_path_factory.mktemp("tables")
    return {kind: list(rows(kind, folder / kind)) for kind in sorted(KINDS)}


def rows(kind: str, path: Path) -> Iterator[bytes]:
    write_table(kind, "jsonl", path, SPACES[kind], lambda: pytest.fail("Spark is not needed"))
    yield from path.read_bytes().splitlines()[1:]


def kernel_accepts(kind: str, line: bytes) -> bool:
    try:
        check_row(kind, line)
    except Rejected:
        return False
    return True


def said(checker: VerifiedChecker, kind: str, line: bytes) -> Reply:
    return checker.ask({"table": kind, "row": line.decode("latin-1")})


def same(checker: VerifiedChecker, kind: str, line: bytes) -> bool:
    """Whether both accept it; they must agree, and the verified program must not leave it open."""
    reply, accepted = said(checker, kind, line), kernel_accepts(kind, line)
    assert not reply.skipped, line
    assert (reply.result is True) == accepted, (kind, line, reply)
    return accepted


def test_every_row(checker: VerifiedChecker, lines: Lines) -> None:
    for kind, found in lines.items():
        assert found
        assert all(same(checker, kind, line) for line in found), kind


def test_rows_of_another_kind(checker: VerifiedChecker, lines: Lines) -> None:
    for of, found in lines.items():
        for kind in lines:
            if kind != of:
                for line in found[:200]:
                    same(checker, kind, line)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_changed_lines(checker: VerifiedChecker, lines: Lines, kind: str) -> None:
    rng = random.Random(kind)
    accepted = []
    while len(accepted) < 1500:
        line = rng.choice(lines[kind])
        _, *changed = rng.choice(CHANGES)(rng, [b'{"rows":1}', line])
        accepted += [same(checker, kind, other) for other in changed if other != line and b"\n" not in other]
    assert accepted.count(False) > 1000


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    2,
    9,
    21,
    2**70,
    "",
    "eps",
    "mt 2->1",
    [],
    [1],
    [[1, 2]],
    {},
    1.5,
)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_value(checker: VerifiedChecker, lines: Lines, kind: str) -> None:
    for line in random.Random(5).sample(lines[kind], min(25, len(lines[kind]))):
        row = json.loads(line)
        for key in row:
            for other in ODD:
                same(checker, kind, canonical(row | {key: other}))
            assert not same(checker, kind, canonical({k: v for k, v in row.items() if k != key}))
        assert not same(checker, kind, canonical(row | {"note": 1}))


def test_other_texts_of_a_row(checker: VerifiedChecker, lines: Lines) -> None:
    kind = "sealing-pairs"
    line = next(each for each in lines[kind] if b'"messages":2' in each)
    others = [
        b" " + line, line + b" ", line + b"{}", line[:-1], line.replace(b":", b": "),
        line.replace(b'"messages":2', b'"messages":02'), line.replace(b'"messages":2', b'"messages":2.0'),
        line.replace(b'"messages":2', b'"messages":+2'), line.replace(b'"messages":2', b'"messages":2e0'),
        line.replace(b'"messages":2', b'"messages":2,"messages":2'), line.replace(b'"n":', b'"\\u006e":'),
        line.replace(b"mt ", b"m\\u0074 "), line.replace(b"true", b"True").replace(b"false", b"False"),
        json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")).encode(),
    ]  # fmt: skip
    assert same(checker, kind, line)
    assert not any(same(checker, kind, other) for other in others)


def sealing_nothing(n: int, q: str, messages: int, orbit: int) -> bytes:
    certificate = {"kind": "chains", "chains": []}
    return canonical({
        "n": n, "messages": messages, "orbit_size": orbit, "p": "eps", "q": q, "seals": True,
        "certificate": certificate,
    })  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "mt 01->2", "mt 1->02", "mt ->2", "mt 1->", "mt 1-> 2", "mt  1->2", " mt 1->2", "mt 1->2 ",
        "mt 1->2;", "mt 1->2; ", "mt 1<-2", "mt 1->+2", "MT 1->2", "mt 1->2; eps", "snd 1->2; rcv 2->1",
        "mt 1->3", "mt 0->1", "snd 1->2;rcv 2<-1", "snd 1->2;  rcv 2<-1", "mt 1->18446744073709551618",
        "mt 1->4611686018427387906", "rcv 2<-1; snd 1->2", "mt 1->1", "snd 1->2", "mt", "m", "eps ",
    ],
)  # fmt: skip
def test_other_texts_of_a_program(checker: VerifiedChecker, text: str) -> None:
    assert not same(checker, "sealing-pairs", sealing_nothing(2, text, 1, 2))


@pytest.mark.parametrize("text", ["mt 1->2", "snd 1->2; rcv 2<-1"])
def test_both_texts_of_a_message(checker: VerifiedChecker, text: str) -> None:
    assert same(checker, "sealing-pairs", sealing_nothing(2, text, 1, 2))


def test_the_bounds_of_the_kernel(checker: VerifiedChecker) -> None:
    row = sealing_nothing
    assert same(checker, "sealing-pairs", row(8, "eps", 0, 1))
    assert not same(checker, "sealing-pairs", row(9, "eps", 0, 1))
    assert same(checker, "sealing-pairs", row(2, "; ".join(["mt 1->2"] * 20), 20, 2))
    assert not same(checker, "sealing-pairs", row(2, "; ".join(["mt 1->2"] * 21), 21, 2))
    assert not same(checker, "sealing-pairs", row(2, "; ".join(["mt 1->2"] * 20), 20, 1))
