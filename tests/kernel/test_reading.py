"""The kernel's reader of JSON: one text for each value, and a sentence for other texts."""

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import unhurried

from sealcheck.kernel import reading
from sealcheck.kernel.reading import Rejected, canonical, fields, items, lines, numbers, value_of


def values() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers() | st.text()
    return st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10
    )


@unhurried
@given(values())
def test_values_come_back(value: Any) -> None:
    line = canonical(value)
    assert value_of(line) == value
    assert line.isascii()
    assert b"\n" not in line


@unhurried
@given(values(), st.data())
def test_no_value_has_two_texts(value: Any, data: st.DataObject) -> None:
    line = canonical(value)
    at = data.draw(st.integers(0, len(line)))
    end = data.draw(st.integers(at, min(at + 2, len(line))))
    other = (
        line[:at] + data.draw(st.sampled_from([b"", b" ", b"0", b"-", b",", b'"', b"\\", b"e1"])) + line[end:]
    )
    assume(other != line)
    try:
        read = value_of(other)
    except Rejected:
        return
    assert json.dumps(read) != json.dumps(value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "the line is not JSON"),
        (b"{", "the line is not JSON"),
        (b"1 2", "the line is not JSON"),
        (b"'1'", "the line is not JSON"),
        (b"1" * 5_000, "the line is not JSON"),
        (b'"\xc3\xa4"', "the line is not ASCII text"),
        (b"\xff\xfe1\x00", "the line is not ASCII text"),
        (b"\xef\xbb\xbf1", "the line is not ASCII text"),
        (b"1.0", r"1\.0 is not a whole number"),
        (b"1e5", "1e5 is not a whole number"),
        (b"NaN", "NaN is not a whole number"),
        (b"[-Infinity]", "-Infinity is not a whole number"),
        (b"[" * 100_000, "the line is nested too deeply"),
        (b'{"a":' * 100_000, "the line is nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "the line is nested too deeply"),
    ],
    ids=repr,
)
def test_what_is_no_value(line: bytes, reason: str) -> None:
    with pytest.raises(Rejected, match=f"^{reason}$"):
        value_of(line)


@pytest.mark.parametrize(
    "line",
    [
        b" 1", b"1 ", b"1\r", b"\t1", b"[1, 2]", b'{"b":1,"a":2}', b'{"a":1,"a":1}', b'{"a":1,"a":2}',
        b"-0", b'"\\u0041"', b'"\\/"', b'{"a" :1}',
    ],
)  # fmt: skip
def test_other_texts_of_a_value(line: bytes) -> None:
    json.loads(line)
    with pytest.raises(
        Rejected, match=r"^the line is not in canonical form \(sorted keys, each once, no spaces\)$"
    ):
        value_of(line)


@given(st.lists(st.binary(max_size=5).filter(lambda line: b"\n" not in line)))
def test_lines_come_back(content: list[bytes]) -> None:
    assert list(lines(io.BytesIO(b"".join(line + b"\n" for line in content)))) == content


@pytest.mark.parametrize(
    ("content", "good", "reason"),
    [
        (b"12345678\n", 0, "the line is too long"),
        (b"1\n12345678\n", 1, "the line is too long"),
        (b"1\n" + b"1" * 100, 1, "the line is too long"),
        (b"1\n1234567\n1", 2, "the line has no end"),
        (b"1", 0, "the line has no end"),
    ],
)
def test_lines_that_are_rejected(
    content: bytes, good: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "LONGEST", 8)
    stream = io.BytesIO(content)
    read = lines(stream)
    assert len([next(read) for _ in range(good)]) == good
    before = stream.tell()
    with pytest.raises(Rejected, match=f"^{reason}$"):
        next(read)
    assert stream.tell() <= before + 8


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda value: fields(value, {"a": int}), {}),
        (lambda value: fields(value, {"a": int}), {"a": 1, "b": 1}),
        (lambda value: fields(value, {"a": int}), {"a": True}),
        (lambda value: fields(value, {"a": int}), {"a": None}),
        (lambda value: fields(value, {"a": bool}), {"a": 1}),
        (lambda value: fields(value, {"a": int}), [["a", 1]]),
        (lambda value: fields(value, {}), None),
        (numbers, [True]),
        (numbers, [1, "1"]),
        (numbers, [[1]]),
        (numbers, {"1": 1}),
        (numbers, "12"),
        (lambda value: numbers(value, 2), [1]),
        (lambda value: numbers(value, 2), [1, 2, 3]),
        (items, {}),
        (items, "ab"),
        (items, None),
    ],
)
def test_values_of_another_shape(read: Callable[[object], object], value: object) -> None:
    with pytest.raises(Rejected):
        read(value)


def test_values_of_the_right_shape() -> None:
    assert fields({"a": 1, "b": None}, {"a": int, "b": object}) == {"a": 1, "b": None}
    assert numbers([1, -2, 2**70]) == (1, -2, 2**70)
    assert numbers([1, 2], 2) == (1, 2)
    assert items([[1], {}]) == [[1], {}]
