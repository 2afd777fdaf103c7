"""Programs of every length by formulas: what going through all profiles says, and beyond."""

from collections.abc import Callable, Iterator

import pytest
from pysmt.fnode import FNode

from sealcheck.algorithms.every_length import Masks, as_signature, hardest_program, profiles
from sealcheck.algorithms.minimum_seal import minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Sealable, saturate, sealability
from sealcheck.algorithms.signature import signature
from sealcheck.encodings.clauses import to_cnf
from sealcheck.encodings.growing import Growing
from sealcheck.encodings.profiles import SymbolicProfile
from sealcheck.encodings.sealability import SymbolicCriteria
from sealcheck.encodings.solving import answer_of
from sealcheck.errors import LimitReached
from sealcheck.explorers import channel_contents
from sealcheck.explorers.channel_contents import find_seal
from sealcheck.kernel.lrat import check_proof
from sealcheck.programs.straight_line import Channel
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import MINIMAL_SEAL
from sealcheck.theorems.checking import checking_lengths
from sealcheck.theorems.checking.checking_lengths import (
    Decided,
    by_formulas,
    check_every_length,
    every_length,
)
from sealcheck.theorems.checking.every_length import Shown, sealed_by_few
from sealcheck.theorems.checking.every_length import ask as ask_profiles
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Outcome, ProfileQuery, Tally, holds_if
from sealcheck.theorems.registry import statement
from sealcheck.words import counted

PRINTED, REPAIRED = statement("sealability").claims
SEAL_SIZE = statement("seal-size").claims[1]
WORST_CASE = statement("worst-case-seal").claims[1]


def holding(claim: Claim, n: int) -> Decided:
    """What is found about a claim that holds: a proof for each query."""
    found = by_formulas(claim, n)
    assert (found.tally.refuting, found.tally.disputed, found.tally.unknown) == (None, None, 0)
    assert len(found.shown) == found.tally.checked
    assert not any(shown.programs_only for shown in found.shown)
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.larger)])
def test_the_claims_hold_with_proofs(n: int) -> None:
    """Each query of each claim has a proof that the kernel accepts."""
    for claim, most in ((REPAIRED, None), (SEAL_SIZE, 3 * n - 1), (WORST_CASE, 3 * n - 5)):
        found = holding(claim, n)
        assert len(found.shown) == (0 if n == 1 and claim is WORST_CASE else 3)
        if found.shown and most is not None:
            assert found.shown[-1].name == f"n={n}: met, not sealed by {counted(most, 'message')}"
            assert max((len(seal) for seal in found.shown[-1].seals), default=0) <= most
        assert all(check_proof(shown.clauses, shown.steps) == len(shown.steps) for shown in found.shown)


def models(n: int, formulas: Callable[[SymbolicProfile], list[FNode]]) -> Iterator[Masks]:
    """All conceivable profiles that satisfy some formulas."""
    profile = SymbolicProfile(n)
    cnf = to_cnf([*profile.definition(), *formulas(profile)])
    symbols = [profile.uses(c) for c in profile.channels]
    symbols += [profile.knows_at_end(k, *c) for c in profile.channels for k in profile.processes]
    literals = [cnf.literal(symbol) for symbol in symbols]
    clauses = list(cnf.clauses)
    with Growing() as solver:
        while (true := solver.model(clauses)) is not None:
            yield profile.decoded(answer_of(cnf, true))
            clauses.append([-x if x in true else x for x in literals])


@pytest.mark.parametrize("n", [2, 3])
def test_the_criterion_is_what_saturation_says_of_each_profile(n: int) -> None:
    """The models of the formula are the sealable ones of all that are gone through."""
    formula = list(models(n, lambda profile: [SymbolicCriteria.one_block(SymbolicCriteria(profile))]))
    expected = [p for p in profiles(n) if isinstance(saturate(Problem.of(as_signature(n, p))), Sealable)]
    assert sorted(map(sorted, map(dict.items, formula))) == sorted(sorted(p.items()) for p in expected)


def test_what_is_printed_is_refuted_by_a_program() -> None:
    """One of three processes, that a solver has not seen: the explorer confirms a seal of it."""
    found = by_formulas(PRINTED, 3)
    assert found.tally.refuting is not None
    (program,) = found.tally.refuting.programs
    assert program.is_balanced
    sealed = sealability(program)
    assert isinstance(sealed, Sealable)
    assert channel_contents.seals(program, sealed.seal(3))
    assert len(found.shown) < found.tally.checked


def few(most: int) -> Claim:
    """That so many messages are enough."""

    def check(instance: Instance, ask: Ask) -> Outcome:
        least = ask(MINIMAL_SEAL, instance)
        return Outcome.VACUOUS if least is None else holds_if(least <= most)

    text = f"{most} messages are enough"
    return Claim(Form.REPAIRED, text, check=check, about_profiles=lambda n: sealed_by_few(n, most, check))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_one_message_less_is_not_enough(n: int) -> None:
    """3n - 6 are refuted by a program whose shortest seal has 3n - 5, as all oracles and the kernel say."""
    found = by_formulas(few(3 * n - 6), n).tally
    assert found.refuting is not None
    (program,) = found.refuting.programs
    least = minimum_or_unsealable(Problem.of(signature(program)))
    assert isinstance(least, Sealable)
    assert len(least.transmissions) == 3 * n - 5
    if n <= 3:
        assert find_seal(program, 3 * n - 6) is None


def anything(instance: Instance, ask: Ask) -> Outcome:
    """What every program meets."""
    return Outcome.HOLDS


def test_a_program_that_needs_another_number_refutes_that_it_needs_this() -> None:
    """Four messages are necessary for the hardest of three processes, and not five."""
    *_, last = sealed_by_few(3, 5, anything, hardest_program(3))
    wrong = Claim(Form.REPAIRED, "", check=anything, about_profiles=lambda n: iter([last]))
    refuting = by_formulas(wrong, 3).tally.refuting
    assert refuting is not None
    assert refuting.p == hardest_program(3)


def test_a_model_of_no_program_refutes_nothing() -> None:
    """That everything is closed, and yet something used, is conceivable; no program is like that."""

    def closed_but_used(profile: SymbolicProfile) -> list[FNode]:
        known = [profile.knows_at_end(k, *c) for c in profile.channels for k in profile.processes]
        return [*profile.definition(), profile.uses(Channel(1, 2)), *known]

    assert len(list(models(2, closed_but_used))) == 2
    found = ask_profiles(ProfileQuery("closed but used", closed_but_used, anything), 0, 2)
    assert isinstance(found, Shown)
    assert found.programs_only


def test_a_lemma_that_fails_leaves_the_claim_unknown() -> None:
    """A model of it refutes nothing."""
    query = ProfileQuery("anything", SymbolicProfile.definition, anything, by_proof=True)
    wrong = Claim(Form.REPAIRED, "", check=anything, about_profiles=lambda n: iter([query]))
    tally = by_formulas(wrong, 2).tally
    assert (tally.refuting, tally.unknown) == (None, 1)


def test_a_limit_leaves_a_query_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query that hits one."""

    def limited(query: ProfileQuery, number: int, n: int) -> Shown:
        raise LimitReached("enough")

    monkeypatch.setattr(checking_lengths, "ask_profiles", limited)
    found = by_formulas(SEAL_SIZE, 2)
    assert (found.tally.checked, found.tally.unknown, found.shown) == (3, 3, [])


def test_audits_go_on_by_formulas_where_profiles_are_gone_through() -> None:
    """Up to five processes; and not where nothing is asked about profiles."""
    levels = [(n, 0) for n in range(1, 9)]
    assert every_length(REPAIRED, levels) == every_length(SEAL_SIZE, levels) == (1, 2, 3, 4, 5)
    assert every_length(statement("seal-construction").claims[0], levels) == (1, 2, 3)
    assert every_length(WORST_CASE, levels) == ()


def test_audits_ask_formulas_beyond_three_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """And go through all profiles up to there."""
    asked = Decided(Tally(checked=7))
    monkeypatch.setattr(checking_lengths, "by_formulas", lambda claim, n: asked)
    assert check_every_length(statement("seal-size"), 1, 4) is asked.tally
    assert check_every_length(statement("seal-size"), 1, 2).checked == 1
