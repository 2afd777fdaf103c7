"""The bridge: the theorems in Coq are about the same objects as the harness.

The verified checker, the algorithms and the explorer agree on all programs up to a bound, in all renamings.
Python's runs are runs by Coq's definition. Of randomly changed certificates, the verified checker accepts
those that the kernel accepts.
"""

import json
import random
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from tests.strategies import balanced_programs, programs_up_to

from sealcheck.algorithms.certificates import sealability_document, sealing_document
from sealcheck.algorithms.phases import decide as decide_phases
from sealcheck.algorithms.sealability import Sealable, closed_channel_graph, saturate
from sealcheck.algorithms.sealing import Seals, decide
from sealcheck.algorithms.signature import signature
from sealcheck.errors import InputError
from sealcheck.explorers import channel_contents
from sealcheck.explorers.matching_functions import goes_wrong, matchings
from sealcheck.kernel.reading import Rejected, canonical
from sealcheck.kernel.tables import check_row
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.programs.runs import Place, Run, events
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.instance import Instance
from sealcheck.questions.phases import as_phases
from sealcheck.questions.sealing import problem
from sealcheck.questions.sealing import sealable_by_exploring as sealable_by_exploring
from sealcheck.questions.straight_lines import programs_document
from sealcheck.questions.verified_checker import VerifiedChecker

pytestmark = pytest.mark.coq

Row = dict[str, Any]


def said(checker: VerifiedChecker, question: str, instance: Instance, takes: tuple[str, ...]) -> Any:
    reply = checker.ask({"question": question, "n": instance.n} | programs_document(takes, instance))
    assert not reply.error
    assert not reply.skipped
    return reply.result


def pairs(n: int, m: int) -> Iterator[tuple[StraightLine, StraightLine]]:
    every = list(programs_up_to(n, m))
    return ((p, q) for p, q in product(every, every) if p.messages + q.messages <= m)


def same_of_pair(checker: VerifiedChecker, p: StraightLine, q: StraightLine) -> bool:
    """The answer on which the verified checker, the algorithm and the explorer agree."""
    answers = [
        said(checker, "is-seal", Instance.of(p, q), ("p", "q")),
        isinstance(decide(p, q), Seals),
        channel_contents.seals(p, q),
    ]
    assert len(set(answers)) == 1, (p, q, answers)
    return bool(answers[0])


def same_of_program(checker: VerifiedChecker, p: StraightLine, *, explored: bool = True) -> bool:
    closed = said(checker, "closed-channels", Instance.of(p), ("p",))
    assert sorted(closed) == sorted(map(list, closed_channel_graph(signature(p)))), p
    sealable = said(checker, "sealable", Instance.of(p), ("p",))
    assert sealable == isinstance(saturate(problem(p)), Sealable), p
    assert not explored or sealable == sealable_by_exploring(Instance.of(p)), p
    return bool(sealable)


def test_pairs(checker: VerifiedChecker) -> None:
    bound = [(1, 1), (2, 3), (3, 2)]
    found = [same_of_pair(checker, p, q) for n, m in bound for p, q in pairs(n, m)]
    assert {*found} == {True, False}


def test_programs(checker: VerifiedChecker) -> None:
    found = [same_of_program(checker, p) for n, m in [(1, 1), (2, 3), (3, 2)] for p in programs_up_to(n, m)]
    assert {*found} == {True, False}


@pytest.mark.slow
def test_more_pairs_and_programs(checker: VerifiedChecker) -> None:
    found = [same_of_pair(checker, p, q) for n, m in [(2, 4), (3, 3)] for p, q in pairs(n, m)]
    assert {*found} == {True, False}
    found = [same_of_program(checker, p) for n, m in [(2, 4), (3, 4)] for p in programs_up_to(n, m)]
    assert {*found} == {True, False}


def test_random_pairs_and_programs(checker: VerifiedChecker) -> None:
    @settings(max_examples=60, deadline=None, database=None, derandomize=True)
    @given(balanced_programs(2, max_n=5, max_messages=5))
    def check(both: list[StraightLine]) -> None:
        same_of_pair(checker, *both)
        same_of_program(checker, both[0].then(both[1]), explored=False)

    check()


@pytest.mark.parametrize("flags", [(), (REPEAT,), (OPEN,), (REPEAT, OPEN)])
def test_layers(checker: VerifiedChecker, flags: tuple[str, ...]) -> None:
    every = [Instance.of(*pair, flags=flags) for n, m in [(2, 3), (3, 2)] for pair in pairs(n, m)]
    every += [Instance.of(p, q, p, flags=flags) for p, q in pairs(2, 2)]
    found = set()
    for instance in every:
        phases = as_phases(instance)
        safe = said(checker, "phases", instance, ("layers",))
        rounds = phases.rounds(2 if phases.repeat else 1)
        assert safe == decide_phases(phases).is_safe == (not goes_wrong(rounds)), instance
        found.add(safe)
    assert found == {True, False}


def test_no_answer_beyond_the_hypotheses(checker: VerifiedChecker) -> None:
    shares: list[list[list[list[object]]]] = [
        [[["snd", 2]], []],
        [[["rcv", 2], ["snd", 2]], [["rcv", 1], ["snd", 1]]],
        [[["snd", 1], ["rcv", 1]], []],
    ]
    for each in shares:
        assert checker.ask({"question": "sealable", "n": 2, "p": {"processes": each}}).skipped
    assert checker.ask({"question": "signature", "n": 2, "p": {"processes": [[], []]}}).skipped


def runs_of(program: StraightLine) -> Iterator[Run]:
    """Every matching, with an order in which the events can happen."""
    for matching in matchings(program):
        taken = dict(matching)
        order: list[Place] = []
        reached = [0] * program.n
        while len(order) < program.length:
            places = (Place(k + 1, at + 1) for k, at in enumerate(reached) if at < len(program.shares[k]))
            ready = [place for place in places if place not in taken or taken[place] in order]
            if not ready:
                break
            order.append(ready[0])
            reached[ready[0].process - 1] += 1
        else:
            yield Run(program, tuple(order), taken)


def is_run(run: Run) -> bool:
    try:
        run.check()
    except InputError:
        return False
    return True


def is_verified_run(checker: VerifiedChecker, run: Run) -> bool:
    matching = [[list(receive), list(send)] for receive, send in run.matching.items()]
    document = {
        "n": run.program.n,
        "program": str(run.program),
        "order": list(map(list, run.order)),
        "matching": matching,
    }
    return checker.ask({"run": document}).result is True


def changed_run(run: Run, rng: random.Random) -> Run:
    """The run with two events exchanged, an event left out or repeated, or another message taken."""
    order, matching, places = list(run.order), dict(run.matching), list(events(run.program))
    match rng.choice(["exchange", "leave out", "twice", "take", "take none"]):
        case "exchange":
            a, b = rng.randrange(len(order)), rng.randrange(len(order))
            order[a], order[b] = order[b], order[a]
        case "leave out":
            del order[rng.randrange(len(order))]
        case "twice":
            order.insert(rng.randrange(len(order)), rng.choice(order))
        case "take":
            matching[rng.choice(places)] = rng.choice(places)
        case _:
            matching.pop(rng.choice([*matching]), None)
    return Run(run.program, tuple(order), matching)


def test_runs(checker: VerifiedChecker) -> None:
    rng = random.Random(13)
    programs = [p for n, m in [(2, 3), (3, 2)] for p in programs_up_to(n, m) if p.messages]
    every = [run for p in programs for run in runs_of(p)]
    assert all(is_run(run) and is_verified_run(checker, run) for run in every)
    changed = [changed_run(rng.choice(every), rng) for _ in range(400)]
    verdicts = [is_run(run) for run in changed]
    assert [is_verified_run(checker, run) for run in changed] == verdicts
    assert {*verdicts} == {True, False}


def rows() -> Iterator[tuple[str, Row]]:
    for n, m in [(2, 3), (3, 2)]:
        for p in programs_up_to(n, m, canonical=True):
            yield "sealability", sealability_document(p) | sizes(p)
        for p, q in pairs(n, m):
            if Instance.of(p, q).canonical() == Instance.of(p, q):
                yield "sealing-pairs", sealing_document(p, q) | sizes(p, q)


def sizes(*programs: StraightLine) -> Row:
    instance = Instance.of(*programs)
    return {"n": instance.n, "messages": instance.messages, "orbit_size": instance.orbit_size}


Holder = dict[str, Any] | list[Any]


def places_in(value: Any) -> Iterator[tuple[Holder, Any]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places_in(value[key])


TEXTS = ("", "send", "end", "chains", "run", "seal", "closed-knowledge", "eps", "snd 1->2", "mt 2->1")
OTHER_TYPES = (None, True, 0, 1, "", "1", [], [1], {}, {"n": 1}, 1.0)


def change(holder: Holder, key: Any, rng: random.Random) -> str:
    value = holder[key]
    how = rng.choice(["value", "value", "value", "exchange", "remove", "add", "type"])
    match how:
        case "value" if type(value) is int:
            holder[key] += rng.choice([-2, -1, 1, 2])
        case "value" if isinstance(value, str):
            holder[key] = rng.choice(TEXTS)
        case "exchange" if isinstance(holder, list):
            other = rng.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        case "remove":
            del holder[key]
        case "add" if isinstance(value, dict):
            value[rng.choice(["layer", "kind", "into", "channel", "note", ""])] = rng.choice(OTHER_TYPES)
        case "add" if isinstance(value, list):
            value.append(rng.choice([*value, *OTHER_TYPES]))
        case "type":
            holder[key] = rng.choice(OTHER_TYPES)
        case _:
            return ""
    return f"{how} {key if isinstance(key, str) else 'of a list'}"


def changed_row(row: Row, rng: random.Random) -> tuple[Row, str]:
    changed: Row = json.loads(json.dumps(row))
    holder, key = rng.choice([*places_in({"certificate": changed["certificate"]})][1:])
    return changed, change(holder, key, rng)


def kernel_accepts(kind: str, row: Row) -> bool:
    try:
        check_row(kind, canonical(row))
    except Rejected:
        return False
    return True


def verified_accepts(checker: VerifiedChecker, kind: str, row: Row) -> bool:
    return checker.ask({"table": kind, "row": canonical(row).decode()}).result is True


@pytest.fixture(scope="module")
def every() -> list[tuple[str, Row]]:
    return list(rows())


def test_changed_certificates(checker: VerifiedChecker, every: list[tuple[str, Row]]) -> None:
    rng = random.Random(2026)
    assert all(verified_accepts(checker, kind, row) for kind, row in every)
    assert {row["certificate"]["kind"] for _, row in every} >= {"chains", "run", "seal", "closed-knowledge"}
    accepted, ways = [], set()
    while len(accepted) < 2000:
        kind, row = rng.choice(every)
        changed, how = changed_row(row, rng)
        if changed != row:
            accepted.append(kernel_accepts(kind, changed))
            assert verified_accepts(checker, kind, changed) == accepted[-1], (how, changed)
            ways.add(how)
    assert accepted.count(False) >= 1000
    assert accepted.count(True) >= 20
    assert ways >= {"value into", "remove into", "type into", "type channel", "remove channel", "remove kind"}


@pytest.mark.parametrize(
    ("key", "value"),
    [("channel", [2, 1]), ("channel", ["1", "2"]), ("into", "end"), ("into", "nowhere"), ("layer", 1)],
)
def test_changed_chains(checker: VerifiedChecker, key: str, value: object) -> None:
    p, q = StraightLine.of(2, mt(1, 2)), StraightLine.of(2, [*mt(2, 1), *mt(1, 2)])
    row: Row = json.loads(json.dumps(sealing_document(p, q) | sizes(p, q)))
    (chain,) = row["certificate"]["chains"]
    assert (chain["channel"], chain["into"]) == ([1, 2], "send")
    assert kernel_accepts("sealing-pairs", row)
    assert verified_accepts(checker, "sealing-pairs", row)
    chain[key] = value
    assert not kernel_accepts("sealing-pairs", row)
    assert not verified_accepts(checker, "sealing-pairs", row)


def test_answers_that_are_no_rows(checker: VerifiedChecker, every: list[tuple[str, Row]]) -> None:
    for kind, row in every:
        answer = {key: value for key, value in row.items() if key not in ("messages", "orbit_size")}
        assert checker.ask({"answer": answer}).result is True, (kind, answer)
    long, ack = StraightLine.of(2, [*mt(1, 2)] * 300), StraightLine.of(2, mt(2, 1))
    answer = json.loads(json.dumps(sealing_document(long, ack) | {"n": 2}))
    assert checker.ask({"answer": answer}).result is True
    answer["certificate"]["chains"][0]["places"][0][1] -= 1
    assert checker.ask({"answer": answer}).result is False


def test_unknown_and_missing_keys_of_rows(checker: VerifiedChecker, every: list[tuple[str, Row]]) -> None:
    for kind, row in random.Random(1).sample(every, 40):
        others = [{k: v for k, v in row.items() if k != key} for key in row]
        for other in [*others, row | {"note": 1}]:
            assert not kernel_accepts(kind, other)
            assert not verified_accepts(checker, kind, other)


P = {"processes": [[["snd", 2]], [["rcv", 1]]]}


@pytest.mark.parametrize(
    "question",
    [
        {"question": "phases", "n": 2, "layers": [P, P], "flags": ["open", "Repeat"]},
        {"question": "phases", "n": 2, "layers": [P, P], "flags": [1]},
        {"question": "phases", "n": 2, "layers": [P, P], "flags": [], "repeat": True},
        {"question": "is-seal", "n": 2, "p": P, "q": P, "flags": ["open"]},
        {"question": "sealable", "n": 2, "p": P, "q": P},
        {"question": "closed-channels", "n": 2, "p": P | {"values": [1]}},
        {"run": {"n": 1, "program": "eps", "order": [], "matching": [], "from": []}},
        {"run": {"n": 1, "program": "eps", "order": [], "matching": []}, "flags": []},
        {"table": "sealability", "row": "{}", "question": "sealable"},
        {"question": "closed-channels", "n": 2, "p": P | {"text": "mt 2->1"}},
        {"table": "sealability", "row": "{}"},
        {"answer": {"n": 2, "p": "mt 1->2", "q": "mt 2->1", "seals": True, "certificate": {}, "messages": 2}},
        {"answer": {"n": 2, "program": "mt 1->2"}},
    ],
)
def test_nothing_in_a_line_is_passed_over(checker: VerifiedChecker, question: Row) -> None:
    refusals = "there must be an object with exactly the keys", "a flag is neither", "the text of a program"
    assert checker.ask(question).error.startswith(refusals)
    assert checker.ask({"question": "sealable", "n": 2, "p": P | {"text": "mt 1->2"}}).result is True


def test_changed_verdicts(checker: VerifiedChecker, every: list[tuple[str, Row]]) -> None:
    certificates = [row["certificate"] for _, row in every]
    rng = random.Random(7)
    for kind, row in every:
        said = "seals" if kind == "sealing-pairs" else "sealable"
        for certificate in rng.sample(certificates, 3):
            false = row | {said: not row[said], "certificate": certificate}
            if said == "sealable":
                false["seal"] = "eps" if false[said] else None
            assert not verified_accepts(checker, kind, false), false


def test_changed_minimum(checker: VerifiedChecker) -> None:
    sealed = [row for kind, row in rows() if kind == "sealability" and row["minimum_messages"]]
    assert len(sealed) > 10
    for row in sealed:
        m, seal = row["minimum_messages"], row["seal"]
        assert not verified_accepts(checker, "sealability", row | {"minimum_messages": m - 1})
        longer = {"minimum_messages": m + 1, "seal": f"{seal}; {seal.split('; ')[0]}"}
        assert not verified_accepts(checker, "sealability", row | longer), row


def test_changed_channels_and_programs(checker: VerifiedChecker) -> None:
    for kind, row in rows():
        if kind != "sealability":
            continue
        opened = [list(channel) for channel in row["open_channels"]]
        for others in ([*opened, [1, 2]] if [1, 2] not in opened else opened[1:], [[2, 1]]):
            if sorted(others) != sorted(opened):
                assert not verified_accepts(checker, kind, row | {"open_channels": others}), row


BAD_LINES = (
    b"", b"{", b"[]", b"null", b"{}", b'{"seq":1}', b"\xff\xfe", b"[" * 100_000, b'"\\u12"',
    b'{"v":1,"seq":1,"occurs":{"events":[[]],"order":[],"matching":[],"program":["eps"],"from":[1]}}',
    b'{"v":1,"seq":1,"occurs":{"events":[[]],"order":[],"matching":[],"program":["snd",1,2],"from":[0]}}',
)  # fmt: skip


@pytest.mark.parametrize("line", BAD_LINES)
def test_bad_lines(program: Path, line: bytes) -> None:
    question = b'{"v":1,"seq":2,"question":"sealable","n":1,"p":{"processes":[[]]}}'
    done = subprocess.run([program], input=line + b"\n" + question + b"\n", capture_output=True, check=True)
    first, second = map(json.loads, done.stdout.splitlines())
    assert first.keys() == {"seq", "error"}
    assert second == {"seq": 2, "result": True}
