"""The JSON Schema of every line of a table.

``python -m sealcheck.evidence.tables.schema > docs/schema.json`` writes it down.
"""

import json
from typing import Any

from sealcheck.evidence.tables.columns import DEFINITIONS, MESSAGES, N, record
from sealcheck.evidence.tables.registry import table
from sealcheck.kernel.tables import KINDS, VERSION


def document() -> dict[str, Any]:
    """The schema, made of the columns of each kind of table.

    >>> sorted(document()["$defs"]["worst-cases"]["properties"])[:3]
    ['certificate', 'closed_channels', 'messages']
    """
    definitions: dict[str, Any] = {"header": _header(), "level": _level(), **DEFINITIONS}
    for kind in KINDS:
        made = table(kind)
        rows = record({column.name: column.schema for column in made.columns})
        definitions[kind] = rows | {"description": f"A row for {made.text}."}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of a certified table of sealcheck, version {VERSION}",
        "description": "The first line is a header, each other one a row of the kind that the header names.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("header", *KINDS)],
        "$defs": definitions,
    }


def _range(schema: Any, description: str) -> dict[str, Any]:
    return {"type": "array", "items": schema, "minItems": 2, "maxItems": 2, "description": description}


def _header() -> dict[str, Any]:
    return record(
        {
            "sealcheck": {"const": "table"},
            "version": {"const": VERSION},
            "kind": {"enum": list(KINDS)},
            "n": _range(N.schema, "The scope: the first and the last number of processes."),
            "messages": _range(MESSAGES.schema, "The scope: the first and the last number of messages."),
            "levels": {"type": "array", "items": {"$ref": "#/$defs/level"}},
            "rows": {"type": "integer", "minimum": 0},
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        }
    )


def _level() -> dict[str, Any]:
    counts = {"rows": {"type": "integer", "minimum": 0}, "programs": {"type": "integer", "minimum": 0}}
    return record({"n": N.schema, "messages": MESSAGES.schema} | counts)


if __name__ == "__main__":
    print(json.dumps(document(), indent=2))
