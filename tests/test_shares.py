"""Which tests begin first."""

from pathlib import Path

from tests.shares import LONG, dealt

ROOT = Path(__file__).parent.parent


def test_the_longest_are_there() -> None:
    """A renamed module would begin late, unnoticed."""
    assert [name for name in LONG if not (ROOT / name).is_file()] == []


def test_what_belongs_together_begins_the_last_share() -> None:
    tests = [f"{name}.py {number}" for name in "abcdef" for number in range(4)]
    order = dealt(tests, lambda test: test.split()[0], 2, ["a.py", "e.py"])
    assert order[12:20] == [test for test in tests if test[0] in "ae"]
    assert sorted(order) == tests
