"""Bounds on the program space: accepted and refused bounds."""

from math import comb

import pytest

from sealcheck.errors import InputError
from sealcheck.programs.space import MOST_MESSAGES, count_programs, spaces

MOST_CONTENTS = 60_000
MOST_PROGRAMS = 3 * 10**9


@pytest.mark.parametrize("n", MOST_MESSAGES)
def test_most_messages_are_where_a_space_gets_too_large(n: int) -> None:
    """With one more message, the space exceeds a limit, or the space of two processes does."""

    def contents(m: int) -> int:
        return comb(m + n * (n - 1), m)

    most = MOST_MESSAGES[n]
    assert contents(most) <= MOST_CONTENTS
    if n <= 3:  # beyond, counting takes seconds, and the contents get too many first
        assert count_programs(n, most) <= MOST_PROGRAMS
    assert contents(most + 1) > MOST_CONTENTS or count_programs(max(n, 2), most + 1) > MOST_PROGRAMS


@pytest.mark.parametrize("n", MOST_MESSAGES)
def test_the_largest_space_is_taken_and_the_next_refused_at_once(
    n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sealcheck.programs.space._count_fixed", lambda *_: pytest.fail("counted"))
    assert spaces(range(n, n + 1), MOST_MESSAGES[n])[-1] == (n, MOST_MESSAGES[n])
    with pytest.raises(InputError, match=f"--messages must be at most {MOST_MESSAGES[n]}"):
        spaces(range(1, n + 1), MOST_MESSAGES[n] + 1)
