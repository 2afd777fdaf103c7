"""Targets of `diff` have the ledger's instances, under all names of processes."""

import json
from dataclasses import replace
from functools import cache
from itertools import permutations

import pytest
from jsonschema import Draft202012Validator
from tests.places import places
from tests.theorems.rows import checked

from sealcheck.language.parser import parse_straight_line
from sealcheck.questions.instance import Instance
from sealcheck.theorems.appendix import closed_channels, is_seal
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.procedures import UnderNames, answers_rightly, renamed
from sealcheck.theorems.checking.statement import Claim, Outcome
from sealcheck.theorems.checking.targets import LONGEST_KNOWN, TARGETS, Domain, Shape, target

DOMAINS = {target.domain: target.id for target in reversed(TARGETS.values())}
"""The domains, each by its first target."""


@cache
def last(domain: Domain) -> list[Instance]:
    return list(domain.listing(2, 2))[-3:]


@pytest.mark.parametrize("domain", DOMAINS, ids=DOMAINS.get)
def test_the_listing_has_all_renamings(domain: Domain) -> None:
    for n, messages in ((1, 0), (2, 2), (3, 0), (3, 1), *(() if domain.most else ((3, 2),))):
        least = domain.up_to_renaming
        classes = least.instances(n, messages, 0, least.size(n, messages))
        listed = list(domain.listing(n, messages))
        assert len(set(listed)) == len(listed)
        assert set(listed) == {other for instance in classes for other in instance.renamings()}


@pytest.mark.parametrize("domain", DOMAINS, ids=DOMAINS.get)
@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 3), (3, 0), (3, 2)])
def test_the_numbers_of_a_level(domain: Domain, n: int, messages: int) -> None:
    if domain.most:  # the listing is in the order of the numbers, and the test above has more of it
        messages = min(messages, 1)
    level = domain.level(n, messages)
    numbered = [level.at(number) for number in range(level.size)]
    assert len(set(numbered)) == level.size
    assert set(numbered) == set(domain.listing(n, messages))


def layers(*texts: str) -> Instance:
    return Instance.of(*(parse_straight_line(text, 2) for text in texts))


@pytest.mark.parametrize(("third", "are_apart"), [("mt 1->2", True), ("mt 2->1", False)])
def test_all_of_three_layers_count(third: str, are_apart: bool) -> None:
    asked = layers("mt 1->2", "mt 2->1", third)
    assert target("phases").expected(asked) is are_apart
    assert target("phases").judged(asked, are_apart) is True
    assert target("phases").judged(asked, not are_apart) is False


def test_answers_that_are_judged_once_are_told_apart() -> None:
    plain, once = target("phases"), target("phases").remembering()
    for asked in (layers("mt 1->2", "mt 2->1", "mt 1->2"), layers("mt 1->2", "mt 1->2", "eps")):
        for said in (True, 1, 1.0, False, 0, None, True):
            assert once.judged(asked, said) is plain.judged(asked, said)


@pytest.mark.parametrize("id", ["phases", "closed-channels"])
def test_an_answer_of_another_type_is_none(id: str) -> None:
    asked = layers("mt 1->2", "mt 2->1", "mt 2->1")
    right, alike = (False, 0) if id == "phases" else ([[2, 1]], [[2, True]])
    assert target(id).judged(asked, right) is True
    assert target(id).judged(asked, alike) is None
    assert target(id).judged(asked, None) is None


WRONG = (None, True, 1, -1, 1.5, "x" * 2 * LONGEST_KNOWN, [], {}, [[2, True]])


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
def test_it_says_what_the_schema_says(target) -> None:
    slow, quick = Draft202012Validator(target.answer.schema), Shape(target.answer.schema)
    values = list(WRONG)
    for instance in last(target.domain)[-1:]:
        right = json.loads(json.dumps(target.answer.to_json(target.expected(instance))))
        values += [right, *(put(wrong) for wrong in WRONG for _, put in places(right))]
        longer = [(part, put) for part, put in places(right) if isinstance(part, list)]
        values += [put([*part, wrong]) for wrong in WRONG for part, put in longer]
    for value in values * 2:
        assert quick.fits(value) == slow.is_valid(value), value


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
def test_nothing_is_coerced(target) -> None:
    for instance in last(target.domain):
        right = json.loads(json.dumps(target.answer.to_json(target.expected(instance))))
        assert target.judged(instance, right)
        for value, wrong in ((1, 1.0), (1, True), (2, 2.0), (True, 1), (False, 0)):
            for part, put in places(right):
                if type(part) is type(value) and part == value:
                    assert target.judged(instance, put(wrong)) is None, put(wrong)


@pytest.mark.parametrize("value", [[], [None], [None, 0, 1], [None, -1], [None, True], [0], [None, 1.5], 1])
def test_true_is_no_number(value: object) -> None:
    schema = {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "integer", "minimum": 0}}
    assert Shape(schema).fits(value) == Draft202012Validator(schema).is_valid(value)


NAMES = list(permutations((1, 2, 3)))


@pytest.mark.parametrize("id", [id for id in TARGETS if id != "seal" and not TARGETS[id].domain.most])
def test_answers_are_renamed_with_the_processes(id) -> None:
    asked = target(id)
    for messages in (1, 2):
        for instance in asked.domain.listing(3, messages):
            for names in NAMES:
                other = type(instance).of(*(p.renamed(names) for p in instance.straight))
                assert asked.expected(other) == renamed(asked.expected(instance), names)


def test_asking_under_other_names_asks_under_the_first() -> None:
    asked = target("closed-channels")
    (instance, *_) = closed_channels.STATEMENT.domain.instances(3, 2, 0, 39)
    reached = []

    class Noting:
        def all(self, question, about):
            about = list(about)
            reached.extend(each for each, _ in about)
            return [asked.expected(each) for each, _ in about]

    for names in NAMES:
        other = type(instance).of(instance.p.renamed(names))
        assert asked.is_right(other, asked.expected(other), UnderNames(Noting(), names))
    assert reached == [instance] * len(NAMES)


@pytest.mark.parametrize(
    ("statement", "right", "wrong"),
    [
        (closed_channels, closed_channels.on_mended, lambda i: closed_channels.on_mended(i) - {(3, 1)}),
        (is_seal, is_seal.repaired, lambda i: any(i.p.shares[0]) or is_seal.repaired(i)),
    ],
    ids=["closed-channels", "is-seal"],
)
def test_a_procedure_that_minds_names_is_refuted(statement, right, wrong) -> None:
    asked, levels = statement.ASKED, [(3, 0), (3, 1)]

    def row(procedure):
        claim = Claim("", check=answers_rightly(asked, procedure))
        return checked(replace(statement.STATEMENT, claims=(claim,)), levels, ())[0].refuting

    assert row(right) is None
    assert row(wrong) is not None


def test_renamings_beyond_the_canonical_one_count() -> None:
    (instance, *_) = closed_channels.STATEMENT.domain.instances(3, 1, 0, 6)
    right = closed_channels.on_mended

    def wrong(other):
        return right(other) if other == instance else frozenset()

    with inline(()) as ask:
        assert answers_rightly(closed_channels.ASKED, right)(instance, ask) is Outcome.HOLDS
        assert answers_rightly(closed_channels.ASKED, wrong)(instance, ask) is Outcome.FAILS
