"""Questions asked from Python: the answers of the command line, and certificates for the kernel."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from tests.strategies import balanced_program, balanced_programs, unhurried

from sealcheck import (
    Program,
    audit,
    check,
    diff,
    open_channels,
    phases,
    program,
    refines,
    seal,
    seals,
    signature,
)
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.errors import InputError
from sealcheck.operations.sealing import decision


@unhurried
@given(balanced_programs(2))
def test_verdicts_are_right_and_their_certificates_hold(pair: list) -> None:  # type: ignore[type-arg]
    p, q = pair
    verdict = seals(*(Program(each.n, each) for each in pair))
    assert bool(verdict) == isinstance(decide(p, q), Seals)
    assert verdict.verify()
    assert verdict.to_json() == json.loads(json.dumps(decision(p, q).document))


@unhurried
@given(balanced_program(max_n=4, max_messages=6))
def test_seals_and_their_absence_hold(p) -> None:  # type: ignore[no-untyped-def]
    found = seal(Program(p.n, p))
    assert found.verify()
    assert bool(found) == (found.program is not None)
    if found.program is not None:
        assert seals(Program(p.n, p), found.program)


@pytest.mark.parametrize(
    ("p", "q"), [("mt 2->1", "snd 1->2:x; rcv 2<-*:x"), ("mt b->a", "snd a->b; rcv b<-*")]
)
def test_idle_processes_of_a_program_may_send_what_follows(p: str, q: str) -> None:
    three = program(p).over(3)
    assert seals(p, q)
    assert not seals(three, q)
    assert not seals(three, q, n=4)
    assert not phases(three, q, open=True, order="fifo")
    with pytest.raises(InputError, match=r"^the program is over 3 processes, which is more than 2$"):
        seals(three, q, n=2)


def test_a_wrong_certificate_is_not_accepted() -> None:
    right, wrong = seals("mt 1->2", "mt 2->1"), seals("mt 1->2; mt 1->3", "mt 2->1; mt 3->1")
    wrong.document["certificate"] = right.document["certificate"]
    assert right.verify()
    assert not wrong.verify()
    unsealable = seal("snd 1->2; mt 2->1; rcv 2<-1")
    assert unsealable.verify()
    unsealable.document["certificate"]["knowledge"] = {"1": [[1, 2]], "2": []}  # type: ignore[index]
    assert not unsealable.verify()


def test_texts_are_those_of_the_command_line() -> None:
    assert str(seals("mt 1->2", "mt 2->1")).startswith("yes: Q properly seals P\n")
    assert repr(seals("mt 1->2", "eps")) == "<seals('mt 1->2', 'eps'): no>"


def test_the_repr_has_the_options_on_which_the_answer_depends() -> None:
    crossed = "snd 1->2; mt 2->1; rcv 2<-1"
    fifo = {"2<-1": ["fifo"]}
    assert repr(phases("mt 1->2")) == "<phases('mt 1->2'): yes>"
    assert repr(phases("mt 1->2", repeat=True)) == "<phases('mt 1->2', repeat=True): no>"
    assert (
        repr(phases("mt 1->2", repeat=True, ports=fifo))
        == "<phases('mt 1->2', repeat=True, ports={'2<-1': ['fifo']}): yes>"
    )
    assert repr(seals("mt 1->2", "eps", order="fifo")) == "<seals('mt 1->2', 'eps', order='fifo'): yes>"
    assert repr(seal(crossed)) == f"<seal('{crossed}'): no>"
    assert repr(seal(program(crossed, 3))) == f"<seal(program('{crossed}', n=3)): yes>"
    assert repr(seal("eps", minimal=True)) == "<seal('eps', minimal=True): yes>"
    assert repr(seal("eps", before="eps")) == "<seal('eps', before='eps'): yes>"
    assert repr(refines("eps", "eps", unroll=0)) == "<refines('eps', 'eps', unroll=0): yes>"
    (row,) = audit("graph-cause", n=1, messages=0)
    assert repr(row) == "<audit('graph-cause', n=1, messages=0), as-printed: yes>"


def test_layers_and_what_keeps_them_apart() -> None:
    found = phases("mt client->server", "mt client->server", "mt server->log")
    assert not found
    assert found.verify()
    assert "client->server: a receive of layer 1 can take a message of layer 2" in str(found)
    one, two = found.acknowledgments or ()
    kept = phases("mt client->server", one, "mt client->server", two, "mt server->log")
    assert kept
    assert kept.verify()
    assert kept.acknowledgments is None


@pytest.mark.parametrize("text", ["snd 1->2", "rcv 1<-2; mt 1->2; snd 2->1", "mt 1->1", "mt 1->2 + eps"])
def test_what_cannot_be_asked_of_is_said(text: str) -> None:
    for ask in (lambda: seals(text, "eps"), lambda: seal(text)):
        with pytest.raises(InputError):
            ask()


@pytest.mark.parametrize("ask", [open_channels, signature])
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("snd 1->2", "P is not balanced: channel 1->2"),
        ("snd a->b", "P is not balanced: channel a->b"),
        ("rcv 1<-2; mt 1->2; snd 2->1", "P: the program deadlocks"),
    ],
)
def test_only_some_programs_have_a_signature(ask: Any, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=rf"{reason}.*\. Only balanced, deadlock-free programs have"):
        ask(text)


@pytest.mark.parametrize(
    "asked",
    [
        lambda: seals("mt a->b", "snd b->a"),
        lambda: seal("snd b->a"),
        lambda: phases("mt c->d", "mt b->b"),
        lambda: program("snd b->a").draw_signature(),
    ],
)
def test_names_are_spoken(asked: Any) -> None:
    with pytest.raises(InputError, match=r"[ab]->[ab]"):
        asked()
    found = seal("mt a->b")
    assert "  mt b->a\n" in str(found)
    assert found.to_json()["processes"] == ["a", "b"]


@pytest.mark.parametrize(
    ("p", "q", "between"),
    [
        ("mt client->server", "mt client->server", "mt server->client"),
        ("mt 1->2; mt 3->2", "mt 1->2", "mt 2->1"),
        ("mt a->b; mt c->b", "mt a->b", "mt b->a"),
        ("mt 1->2", "mt 2->1", "eps"),
        ("snd 1->2; snd 2->1; rcv 2<-1; rcv 1<-2", "mt 1->2", None),
    ],
)
def test_a_seal_against_what_follows_only(p: str, q: str, between: str | None) -> None:
    found = seal(p, before=q)
    assert found.verify()
    assert bool(found) == (between is not None)
    assert (found.program is None) == (between is None)
    if found.program is not None:
        assert str(found.program) == between
        assert (found.program.n, found.program.names) == (program(p).n, program(p).names)
        assert phases(p, found.program, q)
    assert repr(found).endswith(f"before={q!r}): {'yes' if found else 'no'}>")


def test_a_seal_against_what_follows_is_without_other_options() -> None:
    with pytest.raises(InputError, match="before cannot be combined with minimal"):
        seal("mt 1->2", before="mt 1->2", minimal=True)  # type: ignore[call-overload]


def test_refinement_is_about_data() -> None:
    one, two = "mt 1->2 (1 -> x)", "mt 1->2 (2 -> x)"
    assert not refines(one, two)
    assert not refines(program(one), program(two))
    assert not refines(program("2.x := 1") >> "eps", "eps")
    assert refines("2.x := 1; [2.x = 1]", "2.x := 1")
    assert refines(one, "mt 1->2 (1 -> x)")
    assert refines("mt 1->2", "snd 1->2; rcv 2<-1")


def test_programs_with_data_are_straight_line() -> None:
    told = program("mt 1->2 (1 -> x); 2.x := 3", n=3)
    assert (repr(told), told.is_straight_line) == ("program('mt 1->2 (1 -> x); 2.x := 3', n=3)", True)
    assert told.straight_line == program("mt 1->2", n=3).straight_line
    assert seal(told).program == program("mt 2->1", n=3)
    assert seals(told, "mt 2->1 (x -> y)")


ANSWERS = {
    "seals": lambda: seals("mt 1->2", "mt 2->1"),
    "does not seal": lambda: seals("mt a->b", "eps"),
    "seal": lambda: seal("mt 1->2", minimal=True),
    "no seal": lambda: seal("snd 1->2; mt 2->1; rcv 2<-1"),
    "between": lambda: seal("mt 1->2; mt 3->2", before="mt 1->2"),
    "phases": lambda: phases("mt a->b", "mt a->b", repeat=True),
    "refines": lambda: refines("mt 1->2 + eps", "mt 1->2"),
    "diff": lambda: diff(lambda p, q: True, against="is-seal", n=2, messages=2),
    "audit": lambda: audit("is-seal", n=2, messages=1)[0],
    "check": lambda: check(lambda p, q: True, against="is-seal", n=2, messages=2).evidence,
}


@pytest.mark.parametrize("ask", ANSWERS.values(), ids=ANSWERS)
def test_answers_can_be_pickled_and_copied(ask: Any) -> None:
    found = ask()

    def shown(each: Any) -> list[Any]:
        said = [str(each), str(each), repr(each), each.to_json(), bool(each), getattr(each, "program", None)]
        for method in (each.draw, each.verify):
            try:
                said.append(str(method()))
            except ValueError as error:
                said.append(str(error))
        return said

    assert str(found)
    for other in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert type(other) is type(found)
        assert shown(other) == shown(found)


def test_seals_over_ports() -> None:
    layers = "snd a->root:job; rcv root<-*:job", "mt root->a"
    found = seals(*layers)
    assert (bool(found), found.verify(), found.to_json()["processes"]) == (True, True, ["a", "root"])
    wider = seals(*layers, n=3)
    assert (bool(wider), wider.verify(), wider.run.steps[0].event) == (False, True, "snd idle1->root:job")
    once = program("mt a->b")
    assert not seals(once, once)
    assert seals(once, once, order="fifo")
    assert seals(once, once, ports={"b<-a": ["fifo"]})
    assert not seals(once, once, transport="udp")
    assert [bool(seals("mt 1->2", "mt 2->1", n=n)) for n in (2, 3)] == [True, True]
    with pytest.raises(InputError, match="self_channels is not supported over ports"):
        seals("mt 1->2:x", "eps", self_channels=True)
    with pytest.raises(InputError, match="only phases and decide support tags"):
        seal("mt 1->2:x")
