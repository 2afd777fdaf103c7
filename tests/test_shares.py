"""Which tests begin first."""

from pathlib import Path

from tests.shares import LONG

ROOT = Path(__file__).parent.parent


def test_the_longest_are_there() -> None:
    """A module that was renamed would begin late, unnoticed."""
    assert [name for name in LONG if not (ROOT / name).is_file()] == []
