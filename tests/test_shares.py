"""The longest tests are dealt to the workers."""

from pathlib import Path

import pytest
from tests.shares import LONG, dealt

ROOT = Path(__file__).parents[1]


def test_the_long_modules_are_there() -> None:
    """A module that was renamed would begin late, in silence."""
    assert all((ROOT / name).is_file() for name in LONG)


@pytest.mark.parametrize("workers", range(1, 9))
@pytest.mark.parametrize("others", [0, 1, 30])
def test_each_share_begins_with_a_long_module(workers: int, others: int) -> None:
    """No test is lost, and a module that is not long keeps its order."""
    tests = [f"other {number}" for number in range(others)] + [f"{name} {k}" for k in "12" for name in LONG]
    found = dealt(tests, lambda test: test.split()[0], workers)
    assert sorted(found) == sorted(tests)
    assert [test for test in found if test.startswith("other")] == tests[:others]
    start = 0
    for worker, name in zip(range(workers), LONG, strict=False):
        if others == 30:
            assert found[start : start + 2] == [f"{name} 1", f"{name} 2"]
        start += (len(tests) - start) // (workers - worker)
