"""Looking at items once makes no difference to what an answer's schema says."""

import copy
import json

import pytest
from jsonschema import Draft202012Validator

from sealcheck.theorems.checking.targets import LONGEST_KNOWN, TARGETS, Shape

WRONG = (None, True, 1, -1, 1.5, "x" * 2 * LONGEST_KNOWN, [], {}, [[2, True]])


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
def test_it_says_what_the_schema_says(target) -> None:
    """Of right answers, and of those with something else in any place; twice, the second time from memory."""
    slow, quick = Draft202012Validator(target.answer.schema), Shape(target.answer.schema)
    values = list(WRONG)
    for instance in list(target.domain.listing(2, 2))[-1:]:
        right = json.loads(json.dumps(target.answer.to_json(target.expected(instance))))
        values += [right, *(spoilt for wrong in WRONG for spoilt in changed(right, wrong))]
    for value in values * 2:
        assert quick.fits(value) == slow.is_valid(value), value


def changed(value, wrong):
    """Copies with another value in one place, or one more item."""
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else []
    for key in keys:
        for inner in (wrong, *changed(value[key], wrong)):
            spoilt = copy.copy(value)
            spoilt[key] = inner
            yield spoilt
    if isinstance(value, list):
        yield [*value, wrong]


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.id)
def test_nothing_is_coerced(target) -> None:
    """No number in an answer may be written with a point, at any depth, nor may it be true."""
    for instance in list(target.domain.listing(2, 2))[-3:]:
        right = json.loads(json.dumps(target.answer.to_json(target.expected(instance))))
        assert target.judged(instance, right)
        for value, wrong in ((1, 1.0), (1, True), (2, 2.0), (True, 1), (False, 0)):
            for spoilt in replaced(right, value, wrong):
                assert target.judged(instance, spoilt) is None, spoilt


def replaced(value, old, new):
    """Copies with another value in the place of one that is the same, and of the same type."""
    if type(value) is type(old) and value == old:
        yield new
    for key in range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ():
        for inner in replaced(value[key], old, new):
            copied = copy.copy(value)
            copied[key] = inner
            yield copied


@pytest.mark.parametrize("value", [[], [None], [None, 0, 1], [None, -1], [None, True], [0], [None, 1.5], 1])
def test_true_is_no_number(value: object) -> None:
    """Nor is 1.5 whole.  What has a schema of its own by its place keeps that."""
    schema = {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "integer", "minimum": 0}}
    assert Shape(schema).fits(value) == Draft202012Validator(schema).is_valid(value)
