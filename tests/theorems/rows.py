"""What the tests of rows of the ledger share: checking levels, and dropping hypotheses."""

from collections.abc import Iterable

from sealcheck.encodings.solving import SMT_SOLVERS
from sealcheck.theorems.checking import Tally, ablate, check_instances, check_level
from sealcheck.theorems.statement import Statement

Levels = Iterable[tuple[int, int]]


def up_to(n: int, messages: int) -> list[tuple[int, int]]:
    """All levels up to (n, messages), smallest first."""
    return [(of_n, m) for of_n in range(1, n + 1) for m in range(messages + 1)]


def checked(about: Statement, levels: Levels, solvers: tuple[str, ...] = SMT_SOLVERS) -> Tally:
    """What checking every instance of the levels finds."""
    tally = Tally()
    for level in levels:
        tally.add(check_instances(about, *level, solvers=solvers))
    return tally


def asked(about: Statement, levels: Levels, solvers: tuple[str, ...] = ("cadical", "z3", "cvc5")) -> Tally:
    """What asking about whole levels finds, for the first claim."""
    tally = Tally()
    for level in levels:
        for solver in solvers:
            tally.add(check_level(about, 0, *level, solver=solver))
    return tally


def holds(tally: Tally) -> bool:
    """Whether something was checked, and nothing was refuted, disputed, vacuous or unknown."""
    return bool(tally.checked) and (tally.refuting, tally.disputed, tally.vacuous, tally.unknown) == (
        {},
        None,
        0,
        0,
    )


def without(about: Statement, n: int = 3, messages: int = 3) -> dict[str, str]:
    """The smallest instance that breaks the statement without each hypothesis; "none" if none does."""
    broken = {}
    for number, hypothesis in enumerate(about.hypotheses):
        if hypothesis.without is not None:
            found = ablate(about, number, up_to(n, messages))
            assert not found.unknown
            broken[hypothesis.name] = "none" if found.breaking is None else str(found.breaking)
    return broken
