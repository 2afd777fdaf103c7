"""The published JSON Schema, against the lines that are written."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sealcheck.certified.making import write_table
from sealcheck.certified.rows import DOMAINS

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "schema.json").read_text())


def validator(name: str) -> Draft202012Validator:
    """A validator for one of the schema's definitions."""
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize("kind", DOMAINS)
def test_tables_are_as_published(kind: str, tmp_path: Path) -> None:
    """Every line of every kind of table meets the schema, and a row without one of its keys does not."""
    Draft202012Validator.check_schema(SCHEMA)
    spaces = [(n, m) for n in (2, 3) for m in range(5 if kind == "counterexamples" else 3)]
    write_table(kind, "jsonl", tmp_path / "t", spaces, lambda: pytest.fail("Spark is not needed"))
    header, *rows = map(json.loads, (tmp_path / "t").read_text().splitlines())
    validator("header").validate(header)
    assert rows
    row_schema = validator("sealability" if kind == "worst-cases" else kind)
    for row in rows:
        row_schema.validate(row)
        Draft202012Validator(SCHEMA).validate(row)
    for key in rows[0]:
        assert not row_schema.is_valid({other: value for other, value in rows[0].items() if other != key})
