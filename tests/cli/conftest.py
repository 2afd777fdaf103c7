"""Run the command line in this process; a small independent judge of causal chains."""

import io
import json
import pickle
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from typing import Any, NamedTuple
from unittest import mock

import pytest
from tests.sessions import KeptSession

from sealcheck.cli.main import main
from sealcheck.cli.options import MIB, SECONDS
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.runs import Place
from sealcheck.programs.straight_line import Channel, Event, rcv, snd
from sealcheck.spark_sweeps import session
from sealcheck.support.processes import Bounded, Limits, _outcome


class Reply(NamedTuple):
    """Exit code and output."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The JSON document on standard output, which must have nothing else."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON document of each line of standard output."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(scope="session")
def ask() -> Callable[..., Reply]:
    def run(*arguments: str, stdin: bytes = b"") -> Reply:
        out, err = io.StringIO(), io.StringIO()
        source = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        with mock.patch.object(sys, "stdin", source), redirect_stdout(out), redirect_stderr(err):
            code = main(arguments)
        return Reply(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(autouse=True)
def _without_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer in this process, with pickled answers, because forks of a process with many tests are slow.

    `test_limits` and `test_process` use forks.
    """
    in_a_fork = Bounded.__call__

    def answer(bounded: Bounded[Any, Any], argument: object) -> object:
        if bounded._limits != Limits(SECONDS, MIB):
            return in_a_fork(bounded, argument)
        found = pickle.loads(_outcome(bounded._function, pickle.loads(pickle.dumps(argument))))
        if isinstance(found, BaseException):
            raise found
        return found

    monkeypatch.setattr(Bounded, "__call__", answer)


@pytest.fixture
def one_session(kept_session: KeptSession, monkeypatch: pytest.MonkeyPatch) -> KeptSession:
    monkeypatch.setattr(session, "spark_session", kept_session)
    return kept_session


@pytest.fixture
def own_session(kept_session: KeptSession) -> None:
    kept_session.stop()


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


Shares = list[list[Event]]


def shares(n: int, *texts: str) -> Shares:
    programs = [parse_straight_line(text, n) for text in texts]
    return [[event for program in programs for event in program.shares[p]] for p in range(n)]


def count(events: list[Event], event: Event) -> int:
    return sum(1 for other in events if other == event)


def judge_chains(n: int, p: str, q: str, chains: list[dict[str, Any]]) -> None:
    """Fail if some channel on which P receives has no causal chain."""
    first, second, both = shares(n, p), shares(n, q), shares(n, p, q)
    received = {event.channel for share in first for event in share if not event.is_send}
    assert sorted(received) == [Channel(*chain["channel"]) for chain in chains]
    for chain in chains:
        i, j = chain["channel"]
        places = [Place(*place) for place in chain["places"]]
        events = [both[place.process - 1][place.position - 1] for place in places]
        last_receive = max(at for at, event in enumerate(first[j - 1], 1) if event == rcv(j, i))
        assert places[0] == (j, last_receive)
        for a, b in pairwise(places):
            assert (a.process == b.process and a.position < b.position) or is_message(both, a, b)
        if chain["into"] == "send":
            first_send = 1 + second[i - 1].index(snd(i, j))
            assert places[-1] == (i, len(first[i - 1]) + first_send)
            assert events[-1] == snd(i, j)
        else:
            assert chain["into"] == "end"
            assert places[-1].process == i
            assert snd(i, j) not in second[i - 1]


def is_message(both: Shares, a: Place, b: Place) -> bool:
    send, receive = both[a.process - 1][a.position - 1], both[b.process - 1][b.position - 1]
    sends, receives = both[a.process - 1][: a.position], both[b.process - 1][: b.position]
    return (
        send == snd(a.process, b.process)
        and receive == rcv(b.process, a.process)
        and count(sends, send) == count(receives, receive)
    )
