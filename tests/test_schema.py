"""The published JSON Schema, compared with the lines of tables."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sealcheck.evidence.tables import TABLES, schema
from sealcheck.kernel.tables import KINDS
from sealcheck.spark_sweeps.tables import write_table

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "schema.json").read_text())


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def test_the_schema_is_that_of_the_columns() -> None:
    assert schema() == SCHEMA


@pytest.mark.parametrize("kind", KINDS)
def test_tables_are_as_published(kind: str, tmp_path: Path) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    spaces = [(n, m) for n in (2, 3) for m in range(5 if kind == "counterexamples" else 3)]
    write_table(kind, "jsonl", tmp_path / "t", spaces, lambda: pytest.fail("Spark is not needed"))
    header, *rows = map(json.loads, (tmp_path / "t").read_text().splitlines())
    validator("header").validate(header)
    assert rows
    row_schema = validator(kind)
    for row in rows:
        row_schema.validate(row)
        Draft202012Validator(SCHEMA).validate(row)
    for key in rows[0]:
        assert not row_schema.is_valid({other: value for other, value in rows[0].items() if other != key})


def test_the_documentation_has_every_kind_of_table() -> None:
    text = (Path(__file__).parents[1] / "docs" / "formats.md").read_text()
    for kind in KINDS:
        (line,) = [line for line in text.splitlines() if line.startswith(f"| `{kind}` | ")]
        assert line.split(" | ")[1] == TABLES[kind].text
        keys = line.split(" | ")[2].removesuffix(" |")
        if not keys.startswith("as "):
            names = [column.name for column in TABLES[kind].columns]
            assert [part.strip("`") for part in keys.split(" (")[0].split(", ")] == names


def test_the_kernel_knows_the_columns_of_each_kind() -> None:
    for kind, (types, *_) in KINDS.items():
        assert {*types, "n", "messages", "orbit_size"} == {column.name for column in TABLES[kind].columns}
