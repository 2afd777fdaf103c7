"""Rows about seals: how large they get, how they are constructed, and program X."""

import pytest

from sealcheck.programs.straight_line import StraightLine
from sealcheck.theorems import seal_construction, seal_size, sealability, unsealable_x, worst_case_seal
from sealcheck.theorems.checking import Tally, ablate, check_every_length, check_instances
from sealcheck.theorems.statement import Form, Instance, Statement


def checked(about: Statement, n: int, messages: int) -> Tally:
    """All levels up to (n, messages)."""
    tally = Tally()
    for k in range(1, n + 1):
        for m in range(messages + 1):
            tally.add(check_instances(about, k, m))
    return tally


@pytest.mark.parametrize(
    ("about", "applying"),
    [(seal_size.STATEMENT, 67), *((about, 67) for about in seal_construction.STATEMENTS)],
    ids=lambda value: getattr(value, "id", value),
)
def test_constructed_seals(about: Statement, applying: int) -> None:
    """Up to three processes and three messages, every sealable program is sealed as claimed."""
    tally = checked(about, 3, 3)
    assert (tally.refuting, tally.disputed, tally.unknown) == ({}, None, 0)
    assert tally.checked - tally.vacuous == applying


@pytest.mark.parametrize("about", unsealable_x.STATEMENTS, ids=lambda about: about.id)
def test_program_x(about: Statement) -> None:
    """What the paper says of X, with and without a third process, is so; each row has one program."""
    tally = checked(about, 3, 2)
    assert (tally.checked, tally.vacuous, tally.refuting, tally.disputed) == (1, 0, {}, None)


def test_program_x_needs_its_number_of_processes() -> None:
    """With one process more it can be sealed, with one less it can't."""
    levels = [(2, 2), (3, 2)]
    assert ablate(unsealable_x.STATEMENTS[0], 0, levels).breaking == Instance.of(unsealable_x.x(3))
    assert ablate(unsealable_x.STATEMENTS[1], 0, levels).breaking == Instance.of(unsealable_x.x(2))


def test_the_worst_case_is_less_than_the_journal_says() -> None:
    """3n - 4 is refuted at n = 2 already; 3n - 5 is not up to n = 4."""
    tally = checked(worst_case_seal.STATEMENT, 4, 0)
    assert (tally.checked, tally.disputed) == (3, None)
    assert {number: found.n for number, found in tally.refuting.items()} == {0: 2}


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(
    ("about", "claim"),
    [(sealability.STATEMENT, 1), (seal_size.STATEMENT, 0), (seal_construction.STATEMENTS[0], 0)],
    ids=lambda value: getattr(value, "id", value),
)
def test_every_length(about: Statement, claim: int, n: int) -> None:
    """What holds for bounded programs holds for all profiles, so for programs of every length."""
    assert check_every_length(about, claim, n).refuting == {}


def test_every_length_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """If blocks were the components only, a profile of three processes would tell."""
    monkeypatch.setattr(
        sealability,
        "blocks",
        lambda first: sealability.components(first.n, sealability.closed_channel_graph(first)),
    )
    assert sealability.STATEMENT.claims[1].form is Form.REPAIRED
    assert check_every_length(sealability.STATEMENT, 1, 3).refuting


def test_a_construction_without_its_first_phase_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Seal(P) left out its first message, some program would not be sealed."""
    whole = seal_construction.seal

    def shortened(p: StraightLine, **choices: object) -> StraightLine:
        found = whole(p, **choices)  # type: ignore[arg-type]
        return StraightLine.of(p.n, found.linearization[2:])

    monkeypatch.setattr(seal_construction, "seal", shortened)
    assert checked(seal_construction.STATEMENTS[0], 2, 2).refuting
