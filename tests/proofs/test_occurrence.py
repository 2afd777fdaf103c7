"""The bridge for the whole language: Coq's occurrence is the explorer's, and so are its runs with data."""

import random
from collections.abc import Iterator
from itertools import islice, product

import pytest
from tests.proofs.recorded import Recorded

from sealcheck.errors import InputError
from sealcheck.language.parser import parse
from sealcheck.oracles.executions import executions
from sealcheck.oracles.occurrence import ends
from sealcheck.programs.global_runs import Frontier, GlobalRun
from sealcheck.programs.nodes import nodes
from sealcheck.programs.runs import Place
from sealcheck.programs.syntax import Program
from sealcheck.verified import VerifiedChecker

pytestmark = pytest.mark.coq

ATOMS = (
    "eps", "1.x := 1.x + 1", "2.y := 2.y * -1", "snd 1->2", "snd 1->2 (x)", "rcv 2<-1", "rcv 2<-1 (y)",
    "snd 2->1 (y + 1)", "rcv 1<-2 (x)", "[1.x = 2.y]", "[not (1.x < 2.y + 1 and true) or 1.x = 1]", "cut",
)  # fmt: skip


def texts(size: int) -> Iterator[str]:
    """All programs of so many atoms, and repetitions of them."""
    once = ATOMS if size == 1 else compositions(size)
    for text in once:
        yield text
        yield f"({text})*"


def compositions(size: int) -> Iterator[str]:
    """Two programs in sequence, or the choice between them."""
    for left in range(1, size):
        for p, q in product(texts(left), texts(size - left)):
            yield f"({p}); ({q})"
            yield f"({p}) + ({q})"


def same(checker: VerifiedChecker, run: GlobalRun, c: Frontier, program: Program) -> set[Frontier]:
    """Where the program ends, as both say, in what both say is a run."""
    recorded = Recorded.of(run, program)
    reply = checker.ask(recorded.question(program, c))
    assert not reply.error
    assert reply.result["is_run"], (run, program)
    found = {recorded.cut_of(d) for d in reply.result["ends"]}
    assert found == ends(run, c, program), (run, c, program)
    return found
