"""Kept spaces: their objects are hidden from the garbage collector."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from sealcheck.theorems.checking import domains
from sealcheck.theorems.checking.domains import indexed_space


class Cycle:
    """Garbage that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def _counting() -> Iterator[None]:
    indexed_space.cache_clear()
    yield
    indexed_space.cache_clear()


@pytest.mark.parametrize("hidden", [0, domains.HIDDEN_PROGRAMS])
def test_garbage_is_not_kept_with_an_index(hidden: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "HIDDEN_PROGRAMS", hidden)
    lost = weakref.ref(Cycle())
    indexed_space(2, 1)
    gc.collect()
    assert lost() is None


def test_only_large_spaces_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_freeze_count()
    small = indexed_space(2, 1)
    assert gc.get_freeze_count() == before
    monkeypatch.setattr(domains, "HIDDEN_PROGRAMS", small.size)
    indexed_space.cache_clear()
    assert indexed_space(2, 1).size == small.size
    assert gc.get_freeze_count() > before
