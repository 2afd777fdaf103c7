"""Looking at items once makes no difference to what an answer's schema says."""

import copy
import json

import pytest
from jsonschema import Draft202012Validator

from sealcheck.targets.registry import TARGETS
from sealcheck.targets.shape import LONGEST_KNOWN, Shape

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


@pytest.mark.parametrize("value", [[], [None], [None, 0, 1.0], [None, -1], [None, True], [0], [None, 1.5], 1])
def test_true_is_no_number(value: object) -> None:
    """Nor is 1.5 whole; 1.0 is.  What has a schema of its own by its place keeps that."""
    schema = {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "integer", "minimum": 0}}
    assert Shape(schema).fits(value) == Draft202012Validator(schema).is_valid(value)
