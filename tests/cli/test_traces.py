"""Runs in the formats of other tools, written and read back."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from tests.strategies import programs_up_to

from sealcheck import __version__
from sealcheck.algorithms.sealing import Interferes, decide
from sealcheck.cli.page.page import bibtex
from sealcheck.drawing.making import of_sealing
from sealcheck.drawing.other_tools import PATTERN, itf, run_table, shiviz
from sealcheck.drawing.picture import Picture
from sealcheck.programs.runs import Place

ROOT = Path(__file__).parents[2]
OVERTAKING = ("mt 1->2; mt 2->3", "mt 1->2")


def refutations() -> list[Picture]:
    found = []
    for n, m in ((2, 2), (3, 1)):
        programs = list(programs_up_to(n, m))
        verdicts = [(p, q, decide(p, q)) for p in programs for q in programs]
        found += [of_sealing(p, q, no) for p, q, no in verdicts if isinstance(no, Interferes)]
    return found


PICTURES = refutations()


@pytest.fixture
def traced(ask, tmp_path):
    def write(answer: str, suffix: str) -> str:
        target = tmp_path / f"run{suffix}"
        reply = ask("draw", "--run", "-", "--out", str(target), stdin=answer.encode())
        assert (reply.code, reply.out) == (0, f"wrote {target}\n")
        return target.read_text()

    return write


@pytest.fixture
def answer(ask) -> str:
    reply = ask("decide", *OVERTAKING, "--json")
    assert reply.code == 1
    return str(reply.out)


def channels(state: dict[str, Any]) -> dict[tuple[int, ...], set[int]]:
    return {tuple(key["#tup"]): set(value["#set"]) for key, value in state["channels"]["#map"]}


def test_a_trace_shows_every_state() -> None:
    assert PICTURES
    for picture in PICTURES:
        trace = itf(picture, {})
        states = trace["states"]
        assert len(states) == len(picture.run.order) + 1
        assert channels(states[0]) == {}
        for place, before, after in zip(picture.run.order, states, states[1:], strict=False):
            event = picture.event(place)
            held, holds = (channels(state).get(tuple(event.channel), set()) for state in (before, after))
            assert held ^ holds == {picture.numbers[place]}
            assert (len(holds) > len(held)) == event.is_send
            done = {
                process: count - dict(before["done"]["#map"])[process]
                for process, count in after["done"]["#map"]
            }
            assert {process for process, more in done.items() if more} == {place.process}
            assert set(after) == {"#meta", *trace["vars"]}


def test_a_trace_comes_back(ask, answer, traced):
    layers = ask("phases", *OVERTAKING, "--json").out
    for document in (answer, layers):
        checked = ask("verify", "-", "--json", stdin=traced(document, ".itf.json").encode())
        assert checked.code == 0
        assert checked.document["ok"]


@pytest.mark.parametrize("part", ["channels", "done", "event"])
def test_a_trace_of_something_else_is_rejected(ask, answer, traced, part):
    trace = json.loads(traced(answer, ".itf.json"))
    trace["states"][1][part] = trace["states"][0][part]
    reply = ask("verify", "-", stdin=json.dumps(trace).encode())
    assert reply.code == 1
    assert "rejected: the trace: the states are not those of the run" in reply.out
    trace["#meta"]["sealcheck"]["certificate"]["receive"] = [9, 9]
    assert ask("verify", "-", stdin=json.dumps(trace).encode()).code == 1
    del trace["#meta"]["sealcheck"]
    reply = ask("verify", "-", stdin=json.dumps(trace).encode())
    assert (reply.code, reply.out) == (2, "")
    assert "without the run that it is a trace of" in reply.err


def past(picture: Picture, place: Place) -> set[Place]:
    before = [place._replace(position=place.position - 1)] if place.position > 1 else []
    before += [picture.run.matching[place]] if place in picture.run.matching else []
    return {place}.union(*(past(picture, each) for each in before))


def test_a_log_has_the_clocks_of_the_run() -> None:
    for picture in PICTURES:
        first, second, *log = shiviz(picture)
        assert (first, second) == (PATTERN, "")
        events = re.findall(first.replace("(?<", "(?P<"), "\n".join(log))
        for (_, host, clock), place in zip(events, picture.run.order, strict=True):
            counts: dict[str, int] = defaultdict(int)
            for each in past(picture, place):
                counts[f"p{each.process}"] += 1
            assert host == f"p{place.process}"
            assert json.loads(clock) == counts


def test_a_table_in_latex_has_a_line_for_each_event() -> None:
    for picture in PICTURES:
        rows = [line for line in run_table(picture) if re.match(r"\d", line)]
        assert [row.count("&") for row in rows] == [4] * len(picture.run.order)
        (starred,) = [row for row in rows if "$^*$" in row]
        assert picture.wrong is not None
        assert starred.startswith(f"{picture.steps[picture.wrong]}$^*$ & P & rcv ")


def test_named_processes_keep_their_names(ask, traced):
    layers = ("mt client->server; mt server->log", "mt client->server")
    log = traced(ask("phases", *layers, "--json").out, ".shiviz.log")
    assert 'server {"server": 1, "client": 2}' in log
    assert "rcv server<-client takes message 2" in log


def test_hosts_of_a_log_are_kept_apart(ask, traced):
    layers = ('mt "a b"->a_b; mt a_b->c', 'mt "a b"->a_b')
    log = traced(ask("phases", *layers, "--json").out, ".shiviz.log")
    assert 'a_b {"a_b": 1, "a_b_": 2}' in log


@pytest.mark.parametrize(
    ("asked", "suffix", "said"),
    [
        (("decide", "mt 1->2", "mt 2->1"), ".itf.json", "Q seals P, so there is no run"),
        (("phases", "mt 1->2", "mt 2->1"), ".itf.json", "the layers stay apart"),
        (("decide", *OVERTAKING), ".pdf", "a picture ends in .svg"),
    ],
)
def test_what_cannot_be_written_as_a_trace(ask, asked, suffix, said, tmp_path):
    document = ask(*asked, "--json").out
    reply = ask("draw", "--run", "-", "--out", str(tmp_path / f"x{suffix}"), stdin=document.encode())
    assert (reply.code, reply.out) == (2, "")
    assert said in reply.err
    assert reply.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_the_citation_is_of_this_version() -> None:
    cff, entries = (ROOT / "CITATION.cff").read_text(), bibtex()
    assert f"\nversion: {__version__}\n" in cff
    assert f"version = {{{__version__}}}" in entries
    assert 'license = "MIT"' in (ROOT / "pyproject.toml").read_text()
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    titles = re.findall(r'title: "(.*)"', cff)
    assert titles == [title.replace("{", "").replace("}", "") for title in reversed(_titles(entries))]
    (doi,) = re.findall(r"doi: (\S+)", cff)
    assert f"doi     = {{{doi}}}" in entries


def _titles(entries: str) -> list[str]:
    return re.findall(r"title += \{(.*)\},", entries)


def test_a_run_that_was_drawn_for_shiviz_is_read(ask, tmp_path, monkeypatch):
    """ShiViz does not show that the overtaken message is never received."""
    monkeypatch.chdir(tmp_path)
    run = ask("decide", "mt 1->2", "eps", "--json").out
    assert ask("draw", "--run", "-", "--out", "run.shiviz.log", stdin=run.encode()).code == 0
    found = ask("phases", "@run.shiviz.log", "@run.shiviz.log")
    assert (found.code, "p1->p2: a receive of run.shiviz 1 can take" in found.out) == (1, True)
    assert found.err == (
        "sealcheck: assumed: each message is received, and tells its receiver something new"
        " (clocks show no others)\n"
    )
