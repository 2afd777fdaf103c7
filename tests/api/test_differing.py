"""Differential testing from Python."""

from typing import Any

import pytest

from sealcheck import diff, program, seals
from sealcheck.errors import InputError, LimitReached


def test_what_is_right_agrees() -> None:
    """On all pairs up to the bound, and on some larger pairs."""

    def is_seal(p: Any, q: Any) -> bool:
        return bool(seals(program(str(p), p.n), program(str(q), q.n)))

    found = diff(is_seal, against="is-seal", n=3, messages=2, random=0.2)
    assert found
    assert found.to_json()["tried"] > 100
    assert str(found).startswith("yes: it agrees on is-seal")


def test_what_is_wrong_is_shown() -> None:
    def forgets_p(p: Any, q: Any) -> bool:
        return any(map(len, q))

    found = diff(forgets_p, against="is-seal", n=2, messages=2)
    assert not found
    assert found.to_json()["finding"]["kind"] == "wrong"
    assert "expected" in str(found)
    assert repr(found) == "<diff(forgets_p, against='is-seal', n=2, messages=2): no>"


def test_what_is_skipped_is_unknown() -> None:
    def later(p: Any) -> bool:
        raise NotImplementedError("not yet")

    with pytest.raises(LimitReached, match="skipped"):
        bool(diff(later, against="sealable", n=2, messages=1))


def test_no_such_question() -> None:
    with pytest.raises(InputError, match="choose among"):
        diff(lambda p: True, against="nothing")


def test_wrong_once_and_then_skipped_is_flaky() -> None:
    asked: list[int] = []

    def loses_heart(p: Any) -> bool:
        asked.append(1)
        if len(asked) > 1:
            raise NotImplementedError("no more")
        return False

    found = diff(loses_heart, against="sealable", n=1, messages=0)
    assert found.to_json()["finding"]["kind"] == "flaky"
    assert (
        found.to_json()["finding"]["got"]
        == "it answered false, and when asked the same again, it skipped that"
    )
    assert found.to_json()["skipped"] == 0
