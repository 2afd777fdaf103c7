"""Sizes and costs of signatures: growth on record, and the constants that the module's docstring argues."""

import pytest

from sealcheck.algorithms.as_printed.sig import decides, sig_repaired
from sealcheck.programs.straight_line import channels
from sealcheck.theorems.checking.domains import Programs
from sealcheck.theorems.checking.examples import (
    exchange,
    exchange_in_halves,
    phase,
    phase_seal,
    surrounded_transfer,
    there_and_back,
    transfer,
)
from sealcheck.theorems.checking.statement import Form, Statement
from sealcheck.theorems.checking.verdicts import count, fitted_exponent, grows_faster
from sealcheck.theorems.section4.signature_size import (
    SIGNATURE_COST,
    SIGNATURE_SIZE,
    STATEMENTS,
    edges_for_deciding,
    nodes,
    size,
)


@pytest.mark.parametrize(
    ("about", "refuted"), [(SIGNATURE_SIZE, [True, True, False, False, False]), (SIGNATURE_COST, [False])]
)
def test_verdicts_on_record(about: Statement, refuted: list[bool]) -> None:
    """The printed sizes are too small, for what deciding needs as well; the printed cost is enough."""
    assert about in STATEMENTS
    for claim, expected in zip(about.claims, refuted, strict=True):
        assert claim.growth is not None
        assert grows_faster(claim.growth, count(claim.growth)) == expected
        assert claim.form is Form.AS_PRINTED or not expected


def test_counts_on_record() -> None:
    """Nodes are 2n^2 exactly where all send and then receive; edges outgrow n^3."""
    assert [nodes(exchange(n)) for n in (2, 4, 8)] == [8, 32, 128]
    assert [size(exchange(n)) for n in (2, 4, 8)] == [28, 250, 2460]
    assert [edges_for_deciding(surrounded_transfer(n)) for n in (2, 4, 8)] == [5, 36, 224]


def test_the_cost_is_quadratic() -> None:
    """Closing a chain by a search from every node takes about as many steps as it has pairs of events."""
    growth = SIGNATURE_COST.claims[0].growth
    assert growth is not None
    assert 1.9 < fitted_exponent(count(growth)) < 2


@pytest.mark.parametrize(("n", "messages"), [(1, 0), (2, 3), (2, 4), (3, 3)])
def test_no_signature_has_more_than_is_argued(n: int, messages: int) -> None:
    """At most 2n^2 nodes and 2n^3 edges for deciding, fewer than 2n^4 edges: all programs of a level."""
    domain = Programs()
    for instance in domain.instances(n, messages, 0, domain.size(n, messages)):
        assert nodes(instance.p) <= 2 * n**2
        assert size(instance.p) < 2 * n**2 + 2 * n**4
        assert edges_for_deciding(instance.p) <= 2 * n**3


def test_the_bound_on_edges_for_deciding_counts_what_is_looked_at() -> None:
    """Exactly the edges to an Ld_k from a receive or Fd_i, and those from an Fd_k to a send."""
    looked_at = {(str(e)[:3], str(f)[:3]) for e, f in sig_repaired(exchange(3)).edges if decides(e, f)}
    others = {(str(e)[:3], str(f)[:3]) for e, f in sig_repaired(exchange(3)).edges if not decides(e, f)}
    assert looked_at == {("fst", "lst"), ("fst", "snd"), ("rcv", "lst")}
    assert others == {("fst", "rcv"), ("snd", "lst"), ("snd", "snd"), ("snd", "rcv"), ("rcv", "rcv")}


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_families_are_what_they_say(n: int) -> None:
    """Every program of a family is balanced and deadlock-free, with the messages that its name says."""
    half = n // 2
    expected = {
        exchange(n): n * (n - 1),
        transfer(n): half * (n - half),
        exchange_in_halves(n): half * (half - 1) + (n - half) * (n - half - 1),
        there_and_back(n): 2 * n,
        phase(n): (n - 1) ** 2,
        phase_seal(n): n - 1,
    }
    for program, messages in expected.items():
        assert program.is_balanced
        assert program.is_deadlock_free
        assert program.messages == messages
    assert {event.channel for share in exchange(n).shares for event in share} == set(channels(n))
