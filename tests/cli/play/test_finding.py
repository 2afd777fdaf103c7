"""The search finds exactly the programs with the properties."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem
from sealcheck.algorithms.signature import signature
from sealcheck.cli.play import finding
from sealcheck.cli.play.build import MOST_MESSAGES, level, table
from sealcheck.cli.play.finding import LEVELS, SHOWN, WANTED, find
from sealcheck.drawing.signatures import SignaturePicture
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.space import Space, count_canonical
from sealcheck.programs.straight_line import Channel, StraightLine, channels

ROOT = Path(__file__).parents[3]
SMALL = {2: 4, 3: 4, 4: 2}


@pytest.fixture(autouse=True)
def _levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / LEVELS).write_bytes(table(SMALL))
    monkeypatch.setattr(finding, "files", lambda _: tmp_path)
    finding._table.cache_clear()


def found(**wanted: object) -> Any:
    return json.loads(find(json.dumps(wanted)))


def has(program: StraightLine, wanted: dict[str, Any]) -> bool:
    first = signature(program)
    seal = minimum_or_unsealable(Problem.of(first))
    least = len(seal.transmissions) if isinstance(seal, Minimum) else None
    if wanted.get("sealable") and (least is not None) != (wanted["sealable"] == "yes"):
        return False
    if wanted.get("least") and (least is None or least < wanted["least"]):
        return False
    if "nodes" in wanted and len(SignaturePicture(program).nodes) != wanted["nodes"]:
        return False
    opened, closed = (
        {Channel(*map(int, each.split("->"))) for each in wanted.get(key, "").split(",") if each}
        for key in ("open", "closed")
    )
    return any(
        opened <= now and not closed & now
        for by in permutations(range(1, program.n + 1))
        for now in [{Channel(by[i - 1], by[j - 1]) for i, j in first.open_channels}]
    )


@pytest.mark.parametrize(
    "wanted",
    [
        {"n": 2},
        {"n": 3, "messages": 3},
        {"n": 3, "messages": 4, "sealable": "no"},
        {"n": 2, "sealable": "yes"},
        {"n": 3, "messages": 3, "least": 3},
        {"n": 3, "messages": 3, "nodes": 10},
        {"n": 3, "messages": 3, "open": "1->2,2->1", "closed": "2->3"},
        {"n": 3, "messages": 3, "open": "3->1,3->2", "sealable": "yes", "least": 2},
        {"n": 4, "open": "1->2,3->4", "closed": "1->3,1->4"},
        {"n": 2, "open": "1->2", "closed": "1->2"},
    ],
)
def test_all_programs_are_found(wanted: dict[str, Any]) -> None:
    n = wanted["n"]
    levels = [wanted["messages"]] if "messages" in wanted else range(SMALL[n] + 1)
    every = [each for m in levels for each in Space(n, m).programs() if each.is_canonical]
    expected = [each for each in every if has(each, wanted)]
    answer = found(**wanted)
    assert answer["count"] == len(expected)
    assert answer["said"].startswith(f"{len(expected)} of the {len(every)} programs with {n} processes and ")
    shown = [parse_straight_line(each["text"], n) for each in answer["programs"]]
    assert [each.canonical() for each in shown] == expected[:SHOWN]


def test_shown_programs_have_the_properties(ask: Callable[..., Any]) -> None:
    """The command line confirms the properties."""
    answer = found(n=3, messages=4, least=3, open="1->2,2->1", closed="2->3", nodes=12)
    assert 0 < len(answer["programs"]) <= SHOWN
    for each in answer["programs"]:
        size = ["--n", str(each["n"])]
        kind = ask("analyze", each["text"], *size, "--json").document
        assert {(1, 2), (2, 1)} <= {*map(tuple, kind["open_channels"])}
        assert [2, 3] in kind["closed_channels"]
        nodes = 2 * kind["n"] + len(kind["signature"]["receives"]) + len(kind["signature"]["sends"])
        assert (kind["messages"], nodes) == (4, 12)
        seal = ask("seal", each["text"], "--minimal", *size, "--json").document
        assert each["about"] == f"needs {seal['messages']} messages to seal"
        assert seal["messages"] >= 3


def test_words_say_what_was_searched() -> None:
    unsealable = found(n=2, sealable="no")
    among = "of the 34 programs with 2 processes and 0 to 4 messages, up to renaming processes."
    assert unsealable["said"] == f"{unsealable['count']} {among}"
    assert unsealable["programs"][0] == {
        "text": "snd 1->2; mt 2->1; rcv 2<-1",
        "n": 2,
        "about": "cannot be sealed",
    }
    assert " and 1 message, up to " in found(n=3, messages=1)["said"]


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"n": 5}, "the table has programs of 2 to 4 processes, not 5"),
        ({"n": 3, "messages": 5}, "the table has programs of 3 processes with up to 4 messages"),
        ({"messages": -1}, "messages must be at least 0, not -1"),
        ({"least": -2}, "least must be at least 0, not -2"),
        ({"nodes": -1}, "nodes must be at least 0, not -1"),
        ({"sealable": "maybe"}, "sealable must be yes, no or empty"),
        (
            {"sealable": "no", "least": 2},
            "a program that cannot be sealed has no shortest seal: leave out its messages",
        ),
        ({"open": "1->1"}, "'1->1' is not a channel of 2 processes: write for example 1->2"),
        ({"closed": "1->2 2->1"}, "'1->2 2->1' is not a channel of 2 processes: write for example 1->2"),
        ({"n": 3, "open": "1->4"}, "'1->4' is not a channel of 3 processes: write for example 1->2"),
        ({"n": "3"}, "key 'n' must be a whole number, not a string"),
        ({"size": 3}, "unknown key 'size'"),
    ],
)
def test_what_cannot_be_searched_says_why(wanted: dict[str, object], sentence: str) -> None:
    assert found(**wanted) == {"code": 2, "error": sentence}


def test_without_a_table_it_says_so(tmp_path: Path) -> None:
    (tmp_path / LEVELS).unlink()
    sentence = "there is no levels.json here: only the page that `sealcheck play` writes has it"
    assert found(n=2) == {"code": 2, "error": sentence}


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 3), (4, 2)])
def test_levels_are_whole(n: int, m: int) -> None:
    columns = level(n, m)
    every = [each for each in Space(n, m).programs() if each.is_canonical]
    assert (
        {len(columns[key]) for key in ("minimum", "open", "sends")} == {count_canonical(n, m)} == {len(every)}
    )
    for row, program in enumerate(every):
        first = signature(program)
        seal = minimum_or_unsealable(Problem.of(first))
        assert columns["minimum"][row] == (len(seal.transmissions) if isinstance(seal, Minimum) else -1)
        for key, expected in (("open", first.open_channels), ("sends", first.interfering_sends)):
            bits = columns[key][row]
            assert tuple(c for k, c in enumerate(channels(n)) if bits >> k & 1) == expected


@pytest.mark.slow
def test_the_shipped_table_is_small_and_whole() -> None:
    """At most 300 kB, packed; the exact counts tell how many programs there are."""
    import zlib

    made = table()
    assert len(zlib.compress(made, 9)) < 300_000
    counts = {(each["n"], each["messages"]): len(each["minimum"]) for each in json.loads(made)}
    assert counts == {
        (n, m): count_canonical(n, m) for n, most in MOST_MESSAGES.items() for m in range(most + 1)
    }


def test_the_docs_and_the_form_have_the_bounds() -> None:
    docs = " ".join((ROOT / "docs" / "play.md").read_text().split())
    assert MOST_MESSAGES == {2: 6, 3: 6, 4: 5}
    assert (
        "with 2 or 3 processes and up to 6 messages, and all programs with 4 processes and up to 5 messages."
        in docs
    )
    assert f"lists the first {SHOWN} of them, beginning with the fewest messages" in docs
    page = (files("sealcheck.cli.play") / "index.html").read_text()
    (choice,) = re.findall('<select data-wanted="n".*?</select>', page)
    assert [*map(int, re.findall(r"<option[^>]*>(\d)</option>", choice))] == [*MOST_MESSAGES]
    assert {*re.findall('data-wanted="([a-z]+)"', page)} == {*WANTED}
