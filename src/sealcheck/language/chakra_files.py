"""Files of Chakra execution traces: the nodes of one rank, as JSON or in the encoding of Protocol Buffers.

The schema is `schema/protobuf/et_def.proto` of MLCommons Chakra.  A file ``.et`` is a sequence of messages,
each preceded by its length.  The first message is a `GlobalMetadata`, and the others are nodes (`Node`).
The JSON is the output of ``chakra_jsonizer``, which has one object for each message.  Unknown keys and fields
are refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from sealcheck.errors import InputError
from sealcheck.support.strict_json import strict_values
from sealcheck.words import harmless

TYPES = ("INVALID", "METADATA", "MEM_LOAD", "MEM_STORE", "COMP", "COMM_SEND", "COMM_RECV", "COMM_COLL")
"""The types of nodes, by number, without ``_NODE``."""
COMMUNICATES = "COMM_"


class Node(NamedTuple):
    """A node of an execution trace."""

    id: int
    name: str
    type: str
    """One of `TYPES`."""
    needs: Sequence[int]
    """The nodes that must end before this node starts: ``data_deps`` (not ``ctrl_deps``, its callers)."""
    start: int
    """The start in microseconds, like the duration; 0 if it is not recorded."""
    duration: int
    attributes: Mapping[str, int | str | None]
    """Empty if the node does not communicate.

    Integers and strings stay as they are.  A boolean becomes 1 or 0.  A list of booleans becomes 1 if all are
    true, otherwise 0.  Values of other types become None.
    """


class _Wrong(Exception):
    """Bytes that are not messages of the schema."""


MOST_BYTES = 64 * 2**20
"""The largest size of a message."""
_EMPTY = "the file is empty"


def nodes_of_messages(stream: BinaryIO) -> Iterator[Node]:
    """The nodes of a file ``.et``.  Raises InputError, with the number of the message, from 0."""
    number = 0
    try:
        for message in _messages(stream):
            if number:
                yield _node(message)
            else:
                _require_metadata(message)
            number += 1
    except (_Wrong, UnicodeDecodeError, IndexError) as error:
        said = str(error) if isinstance(error, _Wrong) else "it is broken"
        raise InputError(f"message {number}: {said}") from None
    if not number:
        raise InputError(_EMPTY)


def _messages(stream: BinaryIO) -> Iterator[bytes]:
    while head := stream.read(1):
        while head[-1] & 0x80:
            if len(head) > 9 or not (more := stream.read(1)):
                raise _Wrong("it is broken: there is no length before it")
            head += more
        length, _ = _varint(head, 0)
        if length > MOST_BYTES:
            raise _Wrong(f"it would have {length} bytes: is this a file of Chakra, and not compressed?")
        message = stream.read(length)
        if len(message) < length:
            raise _Wrong("the file ends within it")
        yield message


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number, and the offset of its end.  Raises _Wrong (over 64 bits) and IndexError (too short)."""
    found = shift = 0
    while True:
        byte = content[at]
        found |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return found & 0xFFFF_FFFF_FFFF_FFFF, at
        if shift > 63:
            raise _Wrong("it has a number of more than 64 bits")


_VARINT, _EIGHT, _LENGTH, _FOUR = 0, 1, 2, 5


def _fields(content: bytes) -> Iterator[tuple[int, int, Any]]:
    """The number, wire type and value of each field.  A value is a number or bytes."""
    at = 0
    while at < len(content):
        key, at = (content[at], at + 1) if content[at] < 0x80 else _varint(content, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value: Any
            value, at = _varint(content, at)
        elif kind in (_EIGHT, _LENGTH, _FOUR):
            length = 8 if kind == _EIGHT else 4
            if kind == _LENGTH:
                length, at = _varint(content, at)
            if at + length > len(content):
                raise _Wrong("it ends within a field")
            value, at = content[at : at + length], at + length
        else:
            raise _Wrong(f"the field {number} is of the type {kind}, which Chakra does not have")
        yield number, kind, value


def _require_metadata(message: bytes) -> None:
    """Raise _Wrong unless a message is `GlobalMetadata`."""
    for number, kind, _ in _fields(message):
        if number not in (1, 2) or kind != _LENGTH:
            raise _Wrong("it must be the metadata of the trace")


_NODE = {1: _VARINT, 2: _LENGTH, 3: _VARINT, 6: _VARINT, 7: _VARINT, 8: _LENGTH, 9: _LENGTH, 10: _LENGTH}
"""The wire type of each field of `Node`, without dependencies, which may be packed."""
_CALLERS, _NEEDS = 4, 5


def _node(message: bytes) -> Node:
    found: dict[int, Any] = {1: 0, 2: b"", 3: 0, 6: 0, 7: 0}
    needs: list[int] = []
    described: list[bytes] = []
    for number, kind, value in _fields(message):
        if number in (_CALLERS, _NEEDS) and kind in (_VARINT, _LENGTH):
            if number == _NEEDS:
                needs += [value] if kind == _VARINT else _packed(value)
        elif _NODE.get(number) != kind:
            raise _Wrong(f"it has a field {number} that nodes of Chakra do not have, or of another type")
        elif number == 10:
            described.append(value)
        else:
            found[number] = value
    if found[3] >= len(TYPES):
        raise _Wrong(f"the node {found[1]} is of the type {found[3]}, which Chakra does not have")
    type = TYPES[found[3]]
    attributes: dict[str, int | str | None] = {}
    for name, attribute in map(_attribute, described if type.startswith(COMMUNICATES) else ()):
        if name in attributes:
            raise _Wrong(f"the attribute '{harmless(name[:40])}' occurs twice")
        attributes[name] = attribute
    return Node(found[1], found[2].decode(), type, needs, found[6], found[7], attributes)


def _packed(content: bytes) -> Iterator[int]:
    at = 0
    while at < len(content):
        number, at = _varint(content, at)
        yield number


_SIGNED, _ZIGZAG, _UNSIGNED = {7, 9}, {15, 17}, {11, 13, 27}
_FIXED = {19: False, 21: False, 23: True, 25: True}
"""Whether numbers of four or eight bytes have a sign."""
_TEXT, _BOOLEANS = 29, 28


def _attribute(content: bytes) -> tuple[str, int | str | None]:
    name, found = "", None
    for number, kind, value in _fields(content):
        if number == 1 and kind == _LENGTH:
            name = value.decode()
        elif kind == _VARINT and number in _SIGNED:
            found = value - (value >> 63 << 64)
        elif kind == _VARINT and number in _ZIGZAG:
            found = (value >> 1) ^ -(value & 1)
        elif kind == _VARINT and number in _UNSIGNED:
            found = value
        elif kind in (_EIGHT, _FOUR) and number in _FIXED:
            found = int.from_bytes(value, "little", signed=_FIXED[number])
        elif number == _TEXT and kind == _LENGTH:
            found = value.decode()
        elif number == _BOOLEANS and kind == _LENGTH:
            parts = ([part] if kind == _VARINT else _packed(part) for _, kind, part in _fields(value))
            found = int(all(map(all, parts)))
    return name, found


def nodes_of_json(text: str) -> Iterator[Node]:
    """The nodes of a file of ``chakra_jsonizer``.  Raises InputError, with the number of the object."""
    number = -1
    for number, found in enumerate(strict_values(text)):
        where = f"object {number}: "
        if not isinstance(found, dict):
            raise InputError(f"{where}it must be an object")
        if number:
            yield _node_of(found, where)
        elif not found.keys() <= {"version", "attr"}:
            raise InputError(f"{where}it must be the metadata of the trace")
    if number < 0:
        raise InputError(_EMPTY)


_KEYS = {"id", "name", "type", "ctrlDeps", "dataDeps", "startTimeMicros", "durationMicros"}
_UNREAD = {"inputs", "outputs", "attr"}


def _node_of(found: Mapping[str, Any], where: str) -> Node:
    if unknown := sorted(found.keys() - _KEYS - _UNREAD):
        raise InputError(f"{where}the key '{harmless(unknown[0][:40])}' is not part of nodes of Chakra")
    name, kind = found.get("name", ""), found.get("type", f"{TYPES[0]}_NODE")
    if not isinstance(name, str):
        raise InputError(f"{where}'name' must be a string")
    if not isinstance(kind, str) or kind.removesuffix("_NODE") not in TYPES or not kind.endswith("_NODE"):
        raise InputError(f"{where}'type' must be a type of nodes, such as COMM_SEND_NODE")
    needs, attributes = found.get("dataDeps", []), found.get("attr", [])
    if not isinstance(needs, list) or not isinstance(attributes, list):
        raise InputError(f"{where}'dataDeps' and 'attr' must be lists")
    start, duration = (_whole(found.get(key, 0), where, key) for key in ("startTimeMicros", "durationMicros"))
    return Node(
        id=_whole(found.get("id", 0), where, "id"),
        name=name,
        type=kind.removesuffix("_NODE"),
        needs=[_whole(each, where, "dataDeps") for each in needs],
        start=start,
        duration=duration,
        attributes=_attributes(attributes, where) if kind.startswith(COMMUNICATES) else {},
    )


def _whole(found: object, where: str, key: str) -> int:
    """A whole number, perhaps as text.  Raises InputError."""
    if type(found) is int and found >= 0:
        return found
    if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) <= 20:
        return int(found)
    raise InputError(f"{where}'{key}' must be whole numbers, from 0")


_NUMBERS = {
    *("int32Val", "int64Val", "uint32Val", "uint64Val", "sint32Val", "sint64Val"),
    *("fixed32Val", "fixed64Val", "sfixed32Val", "sfixed64Val"),
}


def _attributes(found: Sequence[Any], where: str) -> dict[str, int | str | None]:
    attributes: dict[str, int | str | None] = {}
    for each in found:
        name = each.get("name", "") if isinstance(each, dict) else None
        if not isinstance(name, str) or name in attributes:
            raise InputError(f"{where}'attr' must be objects, each with another name")
        attributes[name] = None
        for key, value in each.items():
            if key in _NUMBERS and isinstance(value, int | str):
                digits = str(value)
                is_number = digits.removeprefix("-").isdecimal() and digits.isascii() and len(digits) <= 20
                attributes[name] = int(digits) if is_number else None
            elif key == "stringVal" and isinstance(value, str):
                attributes[name] = value
            elif key == "boolVal":
                attributes[name] = int(value is True)
            elif key == "boolList" and isinstance(value, dict):
                values = value.get("values", [])
                attributes[name] = (
                    int(all(each is True for each in values)) if isinstance(values, list) else None
                )
    return attributes
