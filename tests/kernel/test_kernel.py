"""The kernel against the rest of the project, which it does not import."""

import ast
import sys
from pathlib import Path

import pytest

import sealcheck.kernel
from sealcheck.algorithms import sealability
from sealcheck.algorithms.certificates import sealability_document, sealing_document
from sealcheck.algorithms.minimum_seal import Minimum, minimum_or_unsealable
from sealcheck.algorithms.signature import signature
from sealcheck.certified.rows import signature_document
from sealcheck.kernel import programs as kernel
from sealcheck.kernel.reading import canonical, value_of
from sealcheck.kernel.rejected import Rejected
from sealcheck.kernel.runs import check_run
from sealcheck.kernel.sealing import Problem, check_chains
from sealcheck.kernel.signatures import signature as kernel_signature
from sealcheck.programs.counting import count_programs
from sealcheck.programs.space import Space
from sealcheck.programs.straight_line import StraightLine

FILES = sorted(Path(sealcheck.kernel.__path__[0]).glob("*.py"))
LEVELS = [(1, 0), (2, 3), (3, 2), (3, 3)]


def programs(*levels: tuple[int, int]) -> list[StraightLine]:
    """All programs of the levels."""
    return [program for n, m in levels for program in Space(n, m).programs()]


def events(program: StraightLine) -> list[kernel.Event]:
    """The events of a program, read by the kernel from its text."""
    return kernel.balanced_events(str(program), program.n)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_standard_library_is_enough(file: Path) -> None:
    """The kernel imports nothing but the standard library and itself."""
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            assert name.startswith("sealcheck.kernel") or name.partition(".")[0] in sys.stdlib_module_names


@pytest.mark.parametrize(("n", "m"), [(1, 0), (1, 2), (2, 6), (3, 5), (4, 3), (5, 2)])
def test_counts(n: int, m: int) -> None:
    """The kernel counts as many programs as the project does."""
    assert kernel.count(n, m) == count_programs(n, m)


def test_shares_and_orbits() -> None:
    """From its text, the kernel finds a program's shares, whether it is canonical, and its orbit."""
    for program in programs(*LEVELS):
        shares = kernel.shares_of(events(program), program.n)
        assert shares == program.shares
        if program.is_canonical:
            assert kernel.orbit_size([shares], program.n) == program.orbit_size
        else:
            with pytest.raises(Rejected, match="not canonical"):
                kernel.orbit_size([shares], program.n)


@pytest.mark.parametrize(
    "text",
    [
        "mt 1->3",
        "mt 1->1",
        "mt 1->2;mt 2->1",
        "rcv 2<-1; snd 1->2",
        "snd 1->2",
        "",
        "cut",
        "mt 01->2",
        "mt 1->2; ",
    ],
)
def test_what_is_no_program(text: str) -> None:
    """Text that is no balanced program over 1..2 in an order in which it can happen is rejected."""
    with pytest.raises(Rejected):
        kernel.balanced_events(text, 2)


def test_signatures_and_problems() -> None:
    """The kernel's signatures and sealing problems are those of the algorithms."""
    for program in programs(*LEVELS):
        first = signature(program)
        assert canonical(kernel_signature(events(program), program.n)) == canonical(signature_document(first))
        ours, theirs = Problem.of(events(program), program.n), sealability.Problem.of(first)
        assert (ours.channels, ours.initial) == (theirs.open_channels, theirs.initial)


def test_every_edit_of_a_chain_is_weighed() -> None:
    """Of a chain with one number changed, or one place left out, only what is a chain is accepted."""
    accepted = 0
    for p in programs((2, 2)):
        for q in programs((2, 1), (2, 2)):
            verdict = value_of(canonical(sealing_document(p, q)))
            if not verdict["seals"]:
                continue
            chains = verdict["certificate"]["chains"]
            check_chains(events(p), events(q), 2, chains)
            for number, chain in enumerate(chains):
                for edited in _edits(chain):
                    others = [*chains[:number], edited, *chains[number + 1 :]]
                    if _accepts(check_chains, events(p), events(q), 2, others):
                        accepted += 1
                        assert edited["channel"] == chain["channel"]
                        assert edited["into"] == chain["into"]
                        assert edited["places"][0] == chain["places"][0]
                        assert edited["places"][-1][0] == edited["channel"][0]
    assert accepted < 200


def _edits(chain):
    for at, place in enumerate(chain["places"]):
        yield chain | {"places": chain["places"][:at] + chain["places"][at + 1 :]}
        for other in ([place[0] + 1, place[1]], [place[0], place[1] + 1], [place[0] - 1, place[1]]):
            yield chain | {"places": [*chain["places"][:at], other, *chain["places"][at + 1 :]]}
    yield chain | {"channel": chain["channel"][::-1]}
    yield chain | {"into": "send" if chain["into"] == "end" else "end"}


def _accepts(check, *arguments) -> bool:
    try:
        check(*arguments)
    except Rejected:
        return False
    return True


def test_runs_of_the_algorithm_are_accepted() -> None:
    """Where Q does not seal P, the run is accepted; with another receive named it is not."""
    for p in programs((2, 2)):
        for q in programs((2, 0), (2, 1)):
            verdict = value_of(canonical(sealing_document(p, q)))
            if verdict["seals"]:
                continue
            run = verdict["certificate"]
            rest = [*events(q), *kernel.events_of(run["later"], 2)]
            check_run(events(p), rest, 2, run["order"], run["matching"], run["receive"])
            for other, _ in run["matching"]:
                if other != run["receive"]:
                    with pytest.raises(Rejected):
                        check_run(events(p), rest, 2, run["order"], run["matching"], other)


def test_minimum_and_one_more() -> None:
    """The states shown for the minimum do not show that one message more is needed."""
    for p in programs((2, 3), (3, 3)):
        found = minimum_or_unsealable(sealability.Problem.of(signature(p)))
        if isinstance(found, Minimum):
            problem = Problem.of(events(p), p.n)
            problem.check_minimum(len(found.transmissions), found.states)
            if found.transmissions:
                with pytest.raises(Rejected):
                    problem.check_minimum(len(found.transmissions) + 1, found.states)


def test_closed_knowledge_is_closed() -> None:
    """With any bit less, closed knowledge is no longer accepted; with all bits, it does not show anything."""
    seen = 0
    for p in programs((2, 2), (3, 3)):
        document = sealability_document(p)
        if document["sealable"]:
            continue
        seen += 1
        problem = Problem.of(events(p), p.n)
        knowledge = document["certificate"]["knowledge"]
        problem.check_unsealable(knowledge)
        everything = (1 << len(problem.channels)) - 1
        for k, mask in enumerate(knowledge):
            for bit in range(len(problem.channels)):
                if mask >> bit & 1 and problem.initial[k] >> bit & 1:
                    less = (*knowledge[:k], mask & ~(1 << bit), *knowledge[k + 1 :])
                    with pytest.raises(Rejected):
                        problem.check_unsealable(less)
        with pytest.raises(Rejected):
            problem.check_unsealable((everything,) * p.n)
    assert seen
