"""Logs for ShiViz: the messages that clocks show, and refusals."""

import pytest

from sealcheck.errors import InputError
from sealcheck.language.readers import read_log

BEFORE = r"(?<event>.*)\n(?<host>\S*) (?<clock>{.*})"
BEHIND = r"(?<host>\S*) (?<clock>\{.*\})\n(?<event>.*)"
WITHIN = r'(?<host>\w+) "(?<event>.*)" (?<clock>\{.*\})'
CALL = ("a", '{"a": 1}'), ("b", '{"b": 1, "a": 1}'), ("b", '{"b": 2, "a": 1}'), ("a", '{"a": 2, "b": 2}')


def log(pattern, events, separator=""):
    form = {BEHIND: "{0} {1}\ntext", WITHIN: '{0} "text" {1}'}.get(pattern, "text\n{0} {1}")
    return "\n".join([pattern, separator, *(form.format(*event) for event in events)])


@pytest.mark.parametrize("pattern", [BEFORE, BEHIND, WITHIN, ""])
def test_a_call_and_its_answer(pattern):
    found = read_log(log(pattern, CALL)).program()
    assert found.names == ("a", "b")
    assert [str(event) for event in found.events] == ["snd 1->2", "rcv 2<-1", "snd 2->1", "rcv 1<-2"]
    if pattern != WITHIN:
        assert read_log(log(pattern, CALL).replace("\ntext", "\n")).program() == found


def test_a_message_that_brings_nothing_new_does_not_show():
    events = ("a", '{"a": 1}'), ("a", '{"a": 2}'), ("b", '{"b": 1, "a": 2}'), ("b", '{"b": 2, "a": 2}')
    assert [str(event) for event in read_log(log(BEFORE, events)).program().events] == [
        "snd 1->2",
        "rcv 2<-1",
    ]


REFUSED = {
    "line 2: the log has several executions: write each in a file of its own, without this line": log(
        BEFORE, CALL, "=== (?<trace>.*) ==="
    ),
    "line 1: '(a+)+' is not a known pattern: write '(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})' or"
    " '(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)' or '(?<host>\\S*) \"(?<event>.*)\" (?<clock>{.*})'": log(
        "(a+)+", CALL
    ),
    "line 5: 'text' belongs to no event with a clock": log(BEHIND, CALL[:1]) + "\ntext",
    "line 4: 'more' belongs to no event with a clock": log(BEFORE, CALL).replace("text", "text\nmore", 1),
    "line 3: 'text' belongs to no event with a clock": log(WITHIN, []) + "\ntext",
    "line 5: this description has no event with a clock": log(BEFORE, CALL[:1]) + "\ntext",
    "line 4: this is event 1 of 'b', but its clock says 2": log(BEFORE, CALL[2:]),
    "line 4: a clock must be an object with a count for each host": log(BEFORE, [("a", '{"a": "x"}')]),
    "line 4: not JSON": log(BEFORE, [("a", "{a}")]),
    "line 8: the clocks show that this event receives and sends: write one event for each message": log(
        BEFORE,
        [
            *(("a", '{"a": 1}'), ("c", '{"c": 1}'), ("b", '{"b": 1, "a": 1}')),
            ("c", '{"c": 2, "b": 1, "a": 1}'),
        ],
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_refused(why):
    with pytest.raises(InputError) as refused:
        read_log(REFUSED[why])
    assert str(refused.value).startswith(why)
