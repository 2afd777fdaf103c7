"""``sealcheck refines`` and ``sealcheck is``: answers, runs as evidence, and refusals."""

import pytest

from sealcheck.explorers.occurrence import occurs
from sealcheck.language.parser import parse
from sealcheck.programs.runs import GlobalRun, LocalEvent, Place
from sealcheck.programs.semantics import ChannelModel, CutReading
from sealcheck.programs.straight_line import Event, rcv, snd

KEYS = {"model", "cut", "unroll", "exhaustive", "occurs", "rests_on", "counterexample"}


def event(text: str) -> Event:
    kind, channel = text.split()
    if kind == "snd":
        return snd(*map(int, channel.split("->")))
    return rcv(*map(int, channel.split("<-")))


def replayed(shown: dict) -> tuple[GlobalRun, tuple[int, ...], tuple[int, ...]]:
    events = tuple(
        tuple(LocalEvent(e["event"] and event(e["event"]), e["content"] or 0) for e in share)
        for share in shown["events"]
    )
    matching = {Place(*receive): Place(*send) for receive, send in shown["matching"]}
    run = GlobalRun(events, tuple(map(tuple, shown["states"])), matching)
    return run, tuple(shown["c"]), tuple(shown["d"])


@pytest.mark.parametrize(
    ("left", "right", "holds"),
    [
        ("mt 1->2", "snd 1->2; rcv 2<-1", True),
        ("mt 1->2", "eps + mt 1->2", True),
        ("eps + mt 1->2", "mt 1->2", False),
        ("cut; mt 1->2", "mt 1->2; cut", False),
        ("1.x := 1; 1.x := 2", "1.x := 1; 1.x := 1.x + 1", True),
        ("1.x := 1; 1.x := 2", "1.x := 1; 1.x := 3", False),
        ("[1.x = 2]; snd 1->2 (x)", "snd 1->2 (2)", True),
        ("snd 1->2 (x)", "snd 1->2 (2)", False),
        ("mt 1->2; mt 1->2", "(mt 1->2)*", True),
        ("(mt 1->2)*", "mt 1->2; mt 1->2 + mt 1->2", False),
    ],
)
def test_refines(ask, left, right, holds):
    reply = ask("refines", left, right, "--json")
    assert (reply.code, reply.err) == (0 if holds else 1, "")
    document = reply.document
    assert set(document) == KEYS | {"refines"}
    assert (document["refines"], document["occurs"]) == (holds, True)
    if holds:
        assert document["counterexample"] is None
    else:
        run, c, d = replayed(document["counterexample"])
        run.check()
        assert occurs(run, c, d, parse(left))
        assert not occurs(run, c, d, parse(right))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["tcc", "mt 1->2"], 1),
        (["tcc", "mt 1->2", "--model", "rel-fifo"], 0),
        (["tcc", "mt 1->2; cut"], 0),
        (["tcc", "mt 1->1", "--self-channels"], 0),
        (["tcc", "snd 1->2; cut", "--cut", "empty"], 0),
        (["seals", "mt 1->2", "mt 2->1"], 0),
        (["seals", "mt 1->2", "mt 1->2"], 1),
        (["seals", "mt 1->2 + mt 1->3", "mt 2->1; mt 3->1"], 0),
        (["proper-seal", "mt 1->2", "mt 2->1"], 0),
        (["proper-seal", "mt 1->2", "mt 1->2"], 1),
        (["proper-seal", "mt 1->2", "mt 2->1; (mt 1->2)*"], 3),
        (["ccl", "eps", "mt 1->2", "mt 2->1"], 0),
        (["ccl", "mt 1->2", "mt 1->2", "eps"], 1),
        (["barrier", "eps", "mt 1->2", "mt 1->2"], 1),
        (["barrier", "cut", "mt 1->2", "mt 1->2"], 0),
        (["fits-after", "mt 2->1", "mt 1->2"], 0),
        (["fits-after", "mt 1->2", "mt 1->2"], 1),
        (["separates", "mt 2->1", "mt 1->2", "mt 1->2"], 0),
        (["separates", "eps", "mt 1->2", "mt 1->2"], 1),
        (["balanced", "mt 1->2"], 0),
        (["balanced", "mt 1->2 + snd 1->2"], 1),
        (["balanced", "snd 1->2; cut", "--cut", "matching"], 1),
        (["balanced", "snd 1->2; cut", "--cut", "empty"], 0),
        (["closes", "mt 1->2; mt 2->1", "1->2"], 0),
        (["closes", "mt 1->2; mt 2->1", "2->1"], 1),
        (["closes", "mt 1->2", "3->1"], 0),
    ],
)
def test_is(ask, arguments, code):
    reply = ask("is", *arguments, "--json")
    assert (reply.code, reply.err) == (code, "")
    assert reply.document["notion"] == arguments[0]
    assert reply.document["holds"] is {0: True, 1: False, 3: None}[code]
    assert (reply.document["counterexample"] is not None) == (code == 1)
    told = ask("is", *arguments)
    assert told.code == code
    assert told.out.startswith({0: "yes", 1: "no: ", 3: "unknown: "}[code])
    assert ("inside" in told.out) == (code == 1)


STRAIGHT = [
    (["refines", "P", "eps"], 1, 0),
    (["refines", "P", "P"], 0, 0),
    (["is", "tcc", "P"], 1, 1),
    (["is", "seals", "P", "mt 2->1"], 0, 0),
    (["is", "seals", "P", "mt 1->2"], 1, 0),
    (["is", "proper-seal", "P", "mt 2->1; mt 1->2"], 0, 0),
    (["is", "ccl", "P", "mt 2->1", "P"], 0, 0),
    (["is", "ccl", "P", "P", "mt 2->1"], 1, 0),
    (["is", "ccl", "mt 2->1", "P", "eps"], 0, 0),
    (["is", "barrier", "mt 2->1", "P", "mt 1->2"], 0, 0),
    (["is", "barrier", "mt 2->1", "P", "eps"], 1, 1),
    (["is", "fits-after", "mt 2->1", "P"], 0, 0),
    (["is", "fits-after", "P", "P"], 1, 0),
    (["is", "separates", "mt 2->1; mt 1->2", "P", "mt 2->1"], 0, 0),
    (["is", "separates", "eps", "P", "P"], 1, 0),
    (["is", "closes", "P; mt 2->1", "1->2"], 0, 0),
    (["is", "closes", "P", "1->2"], 1, 1),
    (["is", "balanced", "P"], 0, 0),
]


@pytest.mark.parametrize("times", [1, 150])
@pytest.mark.parametrize(("arguments", "code", "outside"), STRAIGHT)
def test_straight_lines_need_no_solver(ask, monkeypatch, arguments, code, outside, times):
    monkeypatch.setattr("sealcheck.encodings.solving.open_solver", lambda *_, **__: pytest.fail("a solver"))
    p = "; ".join(["mt 1->2"] * times)
    reply = ask(*(argument.replace("P", p) for argument in arguments), "--json")
    assert (reply.code, reply.err) == (code, "")
    document = reply.document
    assert "without" not in document["rests_on"]
    if code == 1:
        run, c, d = replayed(document["counterexample"])
        run.check()
        events = sum(len(share) for share in run.events)
        assert (sum(c), events - sum(d)) == (0, outside)


@pytest.mark.parametrize(
    ("arguments", "outside"),
    [
        (["is", "tcc", "; ".join(["mt 1->2 (1 -> x)"] * 6)], 1),
        (["is", "tcc", "eps + mt 1->2; mt 1->2"], 1),
        (["is", "seals", "mt 1->2 (1 -> x)", "mt 1->2 (2 -> x)"], 0),
        (["is", "closes", "1.x := 1; mt 1->2; mt 1->2; mt 1->2", "1->2"], 1),
        (["refines", "mt 1->2; mt 1->2; 1.x := 1", "eps"], 0),
        (["refines", "snd 1->2; snd 1->2", "eps"], 0),
        (["refines", "rcv 2<-1; rcv 2<-1", "eps"], 2),
        (["is", "balanced", "snd 1->2 + mt 1->2"], 0),
    ],
)
def test_runs_of_solvers_are_small_too(ask, arguments, outside):
    """Nothing outside the interval can be left out of the run."""
    reply = ask(*arguments, "--json")
    assert (reply.code, reply.document["rests_on"]) == (1, "a run that refutes it by the definition")
    run, c, d = replayed(reply.document["counterexample"])
    run.check()
    assert sum(c) + sum(len(share) for share in run.events) - sum(d) == outside


def test_a_solver_that_finds_nothing_is_named(ask):
    reply = ask("is", "tcc", "mt 1->2", "--model", "rel-fifo", "--solver", "cvc5")
    assert (reply.code, reply.out) == (0, "yes: in all finite runs\nThis rests on cvc5, without a proof.\n")


def test_a_long_run_for_people(ask):
    lines = ask("is", "tcc", "; ".join(["mt 1->2"] * 1500)).out.splitlines()
    assert len(lines) < 300
    assert "after    snd 1->2  sends message 1501 (0)" in lines
    assert "inside   rcv 2<-1  takes message 1501 (0)" in lines
    assert any("lines left out" in line for line in lines)


def test_the_run_for_people(ask):
    reply = ask("refines", "cut; mt 1->2", "mt 1->2; cut")
    inside = [line.split("  ")[0] for line in reply.out.splitlines() if "1->2" in line or "2<-1" in line]
    assert sorted(inside) == ["after", "inside", "inside"]
    assert "takes message 2" in reply.out


def test_the_run_for_people_may_be_empty(ask):
    no = "no: the left side occurs over an empty interval, but the right side does not\n"
    assert ask("refines", "eps", "mt 1->2").out == no
    assert ask("refines", "eps", "1.x := 1").out == no + "\n         1.x = 0 at first\n"


def test_a_program_that_never_occurs(ask):
    """By the paper's abbreviation, `while true` occurs over no interval."""
    reply = ask("refines", "while true do mt 1->2 od", "1.x := 1", "--json")
    assert (reply.code, reply.document["occurs"], reply.document["exhaustive"]) == (0, False, False)
    told = ask("refines", "while true do mt 1->2 od", "1.x := 1").out
    assert "occurs over no finite interval with at most 3 iterations of a repetition" in told


def test_solvers_that_give_up(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.encodings.occurrence.MOST_SHAPES", 2)
    for command in (["refines", "(mt 1->2)*", "eps"], ["is", "balanced", "(mt 1->2)*"]):
        reply = ask(*command, "--json")
        assert reply.code == 3
        assert reply.document["unknown"] == "the program has more than 2 kinds of paths"


def test_models_and_readings_have_the_names_of_the_options() -> None:
    assert {model.value for model in ChannelModel} == {"rel", "rel-fifo"}
    assert {reading.value for reading in CutReading} == {"matching", "empty"}
