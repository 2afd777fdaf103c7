"""Files of Chakra: both encodings have the same nodes, and broken files are refused."""

import json
from io import BytesIO

import pytest

from sealcheck.errors import InputError
from sealcheck.language.chakra_files import MOST_BYTES, Node, nodes_of_json, nodes_of_messages


def varint(number):
    found = b""
    while number > 127:
        found, number = found + bytes([number & 127 | 128]), number >> 7
    return found + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, number, value):
    own = (
        varint(number << 3 | 1) + value
        if isinstance(value, bytes) and len(value) == 8
        else field(number, value)
    )
    return field(10, field(1, name) + own)


METADATA = field(1, "0.0.4")
SEND = field(1, 3) + field(3, 5)


def read(*messages):
    return list(nodes_of_messages(BytesIO(b"".join(varint(len(each)) + each for each in messages))))


def test_both_encodings_have_the_same_nodes():
    """The files are those that Google's library writes."""
    values = [
        *(("double", 3, b"\0" * 8, "doubleVal", 0.0), ("int32", 7, 2**64 - 5, "int32Val", -5)),
        *(("uint64", 13, 2**64 - 1, "uint64Val", str(2**64 - 1)), ("sint64", 17, 9, "sint64Val", "-5")),
        *(("fixed", 21, (5).to_bytes(8, "little"), "fixed64Val", "5"), ("yes", 27, 1, "boolVal", True)),
        *(
            ("signed", 25, (2**64 - 5).to_bytes(8, "little"), "sfixed64Val", "-5"),
            ("no", 27, 0, "boolVal", False),
        ),
        ("text", 29, "tp", "stringVal", "tp"),
        ("all", 28, field(1, b"\1\1"), "boolList", {"values": [True, True]}),
        ("some", 28, field(1, b"\1\0"), "boolList", {"values": [True, False]}),
    ]
    message = (
        field(1, 2**60) + field(2, "é") + field(3, 6) + field(4, b"\x05") + field(5, varint(3) + varint(300))
    )
    message += field(5, 7) + field(6, 12) + field(7, 8) + field(8, b"") + field(9, b"")
    message += b"".join(attribute(name, number, value) for name, number, value, _, _ in values)
    found = {
        "id": str(2**60),
        "name": "é",
        "type": "COMM_RECV_NODE",
        "ctrlDeps": ["5"],
        "dataDeps": ["3", "300", "7"],
        "startTimeMicros": "12",
        "durationMicros": "8",
        "inputs": {},
        "outputs": {},
        "attr": [{"name": name, key: value} for name, _, _, key, value in values],
    }
    attributes = {"double": None, "int32": -5, "uint64": 2**64 - 1, "sint64": -5, "fixed": 5, "yes": 1}
    attributes |= {"signed": -5, "no": 0, "text": "tp", "all": 1, "some": 0}
    nodes = [
        Node(2**60, "é", "COMM_RECV", [3, 300, 7], 12, 8, attributes),
        Node(0, "", "INVALID", [], 0, 0, {}),
    ]
    assert read(METADATA, message, b"") == nodes
    assert list(nodes_of_json('{"version": "0.0.4"}' + json.dumps(found, indent=2) + "{}\n")) == nodes


def test_four_bytes_are_read():
    five = varint(19 << 3 | 5) + (5).to_bytes(4, "little")
    signed = varint(23 << 3 | 5) + (2**32 - 5).to_bytes(4, "little")
    (found,) = read(METADATA, SEND + field(10, field(1, "a") + five) + field(10, field(1, "b") + signed))
    assert found.attributes == {"a": 5, "b": -5}


def test_lists_need_not_be_packed():
    lists = [attribute("yes", 28, field(1, 1) * 2), attribute("no", 28, field(1, 1) + field(1, 0))]
    (found,) = read(METADATA, SEND + b"".join(lists))
    assert found.attributes == {"yes": 1, "no": 0}


def test_attributes_of_other_nodes_are_skipped():
    assert read(METADATA, field(3, 4) + attribute("a", 13, 1))[0].attributes == {}
    assert next(nodes_of_json('{}{"type": "COMP_NODE", "attr": [{"name": "a"}]}')).attributes == {}


BROKEN = {
    "message 0: it must be the metadata of the trace": [field(3, 1)],
    "message 1: it ends within a field": [METADATA, b"\x12\x05ab"],
    "message 1: it is broken": [METADATA, b"\x80"],
    "message 2: it is broken": [METADATA, b"", field(2, b"\xff")],
    "message 1: it has a number of more than 64 bits": [METADATA, b"\x08" + b"\xff" * 10],
    "message 1: the field 1 is of the type 3, which Chakra does not have": [METADATA, b"\x0b"],
    "message 1: it has a field 12 that nodes of Chakra do not have, or of another type": [
        METADATA,
        field(12, 1),
    ],
    "message 1: it has a field 2 that nodes of Chakra do not have, or of another type": [
        METADATA,
        field(2, 1),
    ],
    "message 1: the node 3 is of the type 9, which Chakra does not have": [
        METADATA,
        field(1, 3) + field(3, 9),
    ],
    "message 1: the attribute 'a' occurs twice": [METADATA, SEND + attribute("a", 13, 1) * 2],
}


@pytest.mark.parametrize("why", BROKEN)
def test_broken_messages(why):
    with pytest.raises(InputError) as refused:
        read(*BROKEN[why])
    assert str(refused.value) == why


ENDS = {
    "the file is empty": b"",
    "message 0: the file ends within it": b"\x05abc",
    "message 2: the file ends within it": b"\x00\x00\x05abc",
    "message 0: it is broken: there is no length before it": b"\x80",
    f"message 0: it would have {MOST_BYTES + 1} bytes: is this a file of Chakra, and not compressed?": varint(
        MOST_BYTES + 1
    ),
}


@pytest.mark.parametrize("why", ENDS)
def test_broken_files(why):
    with pytest.raises(InputError) as refused:
        list(nodes_of_messages(BytesIO(ENDS[why])))
    assert str(refused.value) == why


WRONG = {
    "the file is empty": "\n",
    "object 0: it must be the metadata of the trace": '{"id": "1"}',
    "object 1: not JSON: Expecting value at line 2": '{"version": "1"}\n{"id": ',
    "object 1: a key occurs twice": '{"version": "1"}{"id": 1, "id": 2}',
    "object 0: JSON nested too deeply": "[" * 100_000,
    "object 0: a number with too many digits": '{"version": ' + "1" * 5000 + "}",
    "object 0: it must be an object": "[]",
    "object 1: the key 'data_deps' is not part of nodes of Chakra": '{}{"data_deps": []}',
    "object 1: 'name' must be a string": '{}{"name": 1}',
    "object 1: 'type' must be a type of nodes, such as COMM_SEND_NODE": '{}{"type": "COMM_SEND"}',
    "object 1: 'dataDeps' and 'attr' must be lists": '{}{"attr": {}}',
    "object 1: 'dataDeps' must be whole numbers, from 0": '{}{"dataDeps": [true]}',
    "object 1: 'id' must be whole numbers, from 0": '{}{"id": "-1"}',
    "object 1: 'attr' must be objects, each with another name": '{}{"type": "COMM_SEND_NODE", "attr": [1]}',
}


@pytest.mark.parametrize("why", WRONG)
def test_wrong_json(why):
    with pytest.raises(InputError) as refused:
        list(nodes_of_json(WRONG[why]))
    assert str(refused.value) == why


def test_other_values_are_no_numbers():
    values = ({"int64Val": "x"}, {"int32Val": [1]}, {"boolList": {"values": 1}})
    attributes = json.dumps([{"name": name} | value for name, value in zip("abc", values, strict=True)])
    (found,) = nodes_of_json(f'{{}}{{"type": "COMM_SEND_NODE", "attr": {attributes}}}')
    assert found.attributes == {"a": None, "b": None, "c": None}
