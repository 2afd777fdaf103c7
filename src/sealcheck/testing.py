"""For test suites: random programs for Hypothesis, and exhaustive tests for pytest.

>>> from hypothesis import given
>>> @given(pairs())
... def test_empty_programs_need_no_seal(pair):
...     p, q = pair
...     assert p.n == q.n
>>> test_empty_programs_need_no_seal()

All programs are `Processes`. A program has a list for each process, with its events ``("snd", to)`` and
``("rcv", from)``. ``.n`` is the number of processes, and ``str()`` gives the program as text.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from hypothesis.strategies import SearchStrategy

from sealcheck.differential import strategies
from sealcheck.differential.findings import Shown
from sealcheck.differential.host import Function
from sealcheck.differential.implementation import Called
from sealcheck.differential.protocol import Processes
from sealcheck.differential.searching import Comparison, Difference
from sealcheck.differential.strategies import MOST_MESSAGES, MOST_PROCESSES
from sealcheck.errors import InputError
from sealcheck.language.parser import parse_straight_line
from sealcheck.language.ports import parse_layers
from sealcheck.programs.runs import Place
from sealcheck.pytest_plugin import LEVEL, MARKER
from sealcheck.theorems.checking.targets import Target, target
from sealcheck.words import counted

__all__ = [
    "Processes",
    "exhaustive",
    "layers",
    "pairs",
    "processes",
    "programs",
    "runs",
    "sealable_programs",
    "smallest_fault",
    "unbalanced_programs",
]


def processes(text: str, n: int | None = None, *, ports: bool = False) -> Processes:
    """The program with this text over the processes 1..n.  By default, n is the largest process in the text.

    With `ports`, events have tags.  Raises InputError if the text is not a straight-line program.

    >>> list(processes("mt 1->2; snd 2->1"))
    [[('snd', 2)], [('rcv', 1), ('snd', 1)]]
    """
    if ports:
        _, _, (layer,) = parse_layers({"the program": text}, n)
        return Processes.of(layer)
    return Processes.of(parse_straight_line(text, n))


def programs(
    max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES, min_n: int = 1
) -> SearchStrategy[Processes]:
    """Balanced straight-line programs without deadlocks, of shapes that are often answered wrongly."""
    return strategies.programs(max_n, max_messages, min_n).map(Processes.of)


def sealable_programs(
    max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES
) -> SearchStrategy[Processes]:
    """Sealable programs, of the shapes that `programs` draws."""
    return strategies.sealable_programs(max_n, max_messages).map(Processes.of)


def unbalanced_programs(
    max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES
) -> SearchStrategy[Processes]:
    """Straight-line programs with more or fewer sends than receives on some channel.  They may deadlock."""
    return strategies.unbalanced_programs(max_n, max_messages).map(Processes.of)


def layers(
    count: int, max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES
) -> SearchStrategy[tuple[Processes, ...]]:
    """Tuples of `count` programs over the same processes."""
    return strategies.layers(count, max_n, max_messages).map(_each)


def pairs(
    max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES
) -> SearchStrategy[tuple[Processes, ...]]:
    """Two programs over the same processes.  Often the second program seals the first, or nearly seals it."""
    return strategies.pairs(max_n, max_messages).map(_each)


def runs(
    max_n: int = MOST_PROCESSES, max_messages: int = MOST_MESSAGES
) -> SearchStrategy[tuple[Processes, tuple[Place, ...], dict[Place, Place]]]:
    """Runs: a program, its events in the order in which they happen, and the send of each receive.

    An event is (process, position). Counting starts from 1.
    """
    drawn = strategies.runs(max_n, max_messages)
    return drawn.map(lambda run: (Processes.of(run.program), run.order, dict(run.matching)))


def _each(programs: tuple[Any, ...]) -> tuple[Processes, ...]:
    return tuple(map(Processes.of, programs))


def smallest_fault(question: str, function: Function, n: int, messages: int) -> str | None:
    """The first wrong answer of a function on programs up to this size, in words, or None.

    The function gets programs as `Processes`, and returns the answer in the form of docs/diff.md.  Questions
    on which it raises NotImplementedError are skipped.  Raises InputError if there is no such question, and
    Disagreement if the oracles do not agree on the right answer.

    >>> print(smallest_fault("is-seal", lambda p, q: True, 2, 2).splitlines()[0])
    no: an answer is wrong
    >>> smallest_fault("deadlock-free", lambda p: True, 2, 1)
    """
    asked = target(question)
    found = (_finding(asked, function, *level) for level in _levels(n, messages))
    return next((_in_words(asked, each) for each in found if each is not None), None)


def exhaustive(question: str, *, n: int, messages: int) -> Callable[[Function], Function]:
    """Turn a function that answers a question into pytest tests, one for each size up to the bound.

    The function, or the method of a test class, is called with every program (or pair) of the size, and must
    *return* the answer.  If it raises NotImplementedError, the question is skipped.  A test without a wrong
    answer is skipped, too, if it has skipped questions.

    The tests are marked ``sealcheck``.  ``--sealcheck-messages M`` runs only tests with at most M messages.
    Raises InputError if there is no such question::

        @exhaustive("is-seal", n=3, messages=4)
        def test_is_seal(p, q):
            return is_seal(p, q)
    """
    asked = target(question)
    if n < 1 or messages < 0:
        raise InputError(f"there are no programs with n = {n} and {messages} messages")

    def decorate(function: Function) -> Function:
        """The test that replaces the function, and runs once for each size."""
        import pytest

        def check(answers: Function, level: tuple[int, int]) -> None:
            comparison = Comparison(asked, Called(answers))
            found = comparison.first(asked.domain.listing(*level))
            if found is not None:
                pytest.fail(_in_words(asked, found), pytrace=False)
            if comparison.skipped:
                pytest.skip(f"it skipped {comparison.skipped} of {counted(comparison.tried, 'question')}")

        def of_function(level: tuple[int, int]) -> None:
            check(function, level)

        def of_method(self: object, level: tuple[int, int]) -> None:
            check(partial(function, self), level)

        owner = function.__qualname__.rpartition(".")[0]
        test: Function = of_method if owner and not owner.endswith("<locals>") else of_function
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(test, name, getattr(function, name))
        levels = list(_levels(n, messages))
        names = [f"n={n},messages={m}" for n, m in levels]
        marked: Function = getattr(pytest.mark, MARKER)(test)
        return pytest.mark.parametrize(LEVEL, levels, ids=names)(marked)

    return decorate


def _levels(n: int, messages: int) -> Iterator[tuple[int, int]]:
    return ((k, m) for k in range(1, n + 1) for m in range(messages + 1 if k > 1 else 1))


def _finding(asked: Target, function: Function, n: int, messages: int) -> Difference | None:
    return Comparison(asked, Called(function)).first(asked.domain.listing(n, messages))


def _in_words(asked: Target, found: Difference) -> str:
    how = "the first one with so many processes and messages"
    return "\n".join(Shown(asked, found, None, "", how).lines())
