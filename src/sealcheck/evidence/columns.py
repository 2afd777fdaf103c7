"""The columns of tables: for each the JSON Schema of its values, its Parquet type, and its look."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sealcheck.kernel.reading import canonical

Schema = Mapping[str, Any]


def plain(value: object) -> str:
    """Text as it is, yes or no, and none.

    >>> plain("eps"), plain(True), plain(None)
    ('eps', 'yes', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


@dataclass(frozen=True)
class Column:
    """A key of the rows of a table."""

    name: str
    schema: Schema
    """The JSON Schema of a value; its references are in `DEFINITIONS`."""
    arrow: str
    """Its type in Parquet; ``json`` for values that are written as JSON text."""
    look: Callable[[Any], str] = plain
    """A value as shown to people."""


def cell(value: object) -> str:
    """A value in CSV: text as it is, nothing for null, everything else as JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else canonical(value).decode()


def _natural(least: int) -> Schema:
    return {"type": "integer", "minimum": least}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _pair(schema: Schema, description: str = "") -> Schema:
    pair: dict[str, Any] = {
        "type": "array",
        "prefixItems": [schema, schema],
        "items": False,
        "minItems": 2,
    }
    return pair | ({"description": description} if description else {})


def record(properties: Mapping[str, Schema]) -> dict[str, Any]:
    """The schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _certificate(kind: str, properties: Mapping[str, Schema]) -> Schema:
    return record({"kind": {"const": kind}} | dict(properties))


DEFINITIONS: dict[str, Schema] = {
    "channel": _pair(_natural(1), "Sender and receiver."),
    "place": _pair(
        _natural(1), "A process, and the position of an event in its share of the program, from 1."
    ),
    "chain": record(
        {
            "channel": _reference("channel"),
            "places": _list(_reference("place")),
            "into": {"enum": ["send", "end"]},
        }
    ),
    "seal_certificate": _certificate(
        "seal", {"chains": _list(_reference("chain")), "states": _list(_list(_natural(0)))}
    ),
    "closed_knowledge": _certificate("closed-knowledge", {"knowledge": _list(_natural(0))}),
    "chains_certificate": _certificate("chains", {"chains": _list(_reference("chain"))}),
    "run_certificate": _certificate(
        "run",
        {
            "later": {"type": "string"},
            "order": _list(_reference("place")),
            "matching": _list(_pair(_reference("place"), "A receive, and the send whose message it takes.")),
            "receive": _reference("place"),
        },
    ),
    "signature": record(
        {
            "receives": _list(record({"channel": _reference("channel"), "reaches": _list(_natural(1))})),
            "sends": _list(record({"channel": _reference("channel"), "reached_from": _list(_natural(1))})),
            "starts": _list(
                _pair(_natural(1), "The start of the first process reaches the end of the other.")
            ),
        }
    ),
}
"""The shared parts of the columns' schemas."""


def arrow(channel: list[int]) -> str:
    """A channel, for people."""
    return "->".join(map(str, channel))


def _channels(channels: list[list[int]]) -> str:
    return ", ".join(map(arrow, channels)) or "none"


def _parts(parts: list[list[int]]) -> str:
    return ", ".join(" ".join(map(str, part)) for part in parts)


def _edges(found: dict[str, Any]) -> str:
    receives = (f"rcv {arrow(node['channel'])} to {node['reaches']}" for node in found["receives"])
    sends = (f"snd {arrow(node['channel'])} from {node['reached_from']}" for node in found["sends"])
    return ", ".join([*receives, *sends, *(f"{k} to {i}" for k, i in found["starts"])]) or "none"


_TEXT: Schema = {"type": "string"}
_TRUTH: Schema = {"type": "boolean"}
LISTS = "lists of lists of int32"
"""The Parquet type of channels, and of parts."""

PROGRAM, P, Q = (Column(name, _TEXT, "string") for name in ("program", "p", "q"))
N = Column("n", _natural(1), "int32")
MESSAGES = Column("messages", _natural(0), "int32")
ORBIT_SIZE = Column("orbit_size", _natural(1), "int64")
OPEN_CHANNELS, CLOSED_CHANNELS = (
    Column(name, _list(_reference("channel")), LISTS, _channels)
    for name in ("open_channels", "closed_channels")
)
SEALABLE, SEALS = (Column(name, _TRUTH, "bool") for name in ("sealable", "seals"))
MINIMUM_MESSAGES = Column("minimum_messages", {"type": ["integer", "null"], "minimum": 0}, "int32")
SEAL = Column("seal", {"type": ["string", "null"]}, "string")
PARTS = Column("parts", _list(_list(_natural(1))), LISTS, _parts)
SIGNATURE = Column("signature", _reference("signature"), "json", _edges)
SEALABILITY_CERTIFICATE = Column(
    "certificate", {"oneOf": [_reference("seal_certificate"), _reference("closed_knowledge")]}, "json"
)
SEALING_CERTIFICATE = Column(
    "certificate", {"oneOf": [_reference("chains_certificate"), _reference("run_certificate")]}, "json"
)
