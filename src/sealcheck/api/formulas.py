"""Predictions as formulas over symbolic programs: the queries about all programs of a level at once.

A formula is true exactly of the programs for which yes is predicted.  Each level is asked twice: for a
program for which it is true and the answer is no, and for one for which it is false and the answer is yes.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pysmt.shortcuts import Not

from sealcheck.encodings.sealing import PairOfPrograms, met_but_crossed
from sealcheck.encodings.solving import Answer
from sealcheck.errors import InputError
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.statement import Query
from sealcheck.theorems.section4.sealability import whole_space as about_sealable

Formula = Callable[[Any], Any]
"""Takes what is known of a symbolic program, or of a pair, and returns a formula of pySMT."""

Queries = Callable[[int, int], Iterator[Query]]


def queries(question: str, formula: Formula) -> Queries:
    """The queries for n processes and m messages.  Raises InputError for a question that has none.

    For ``sealable``, the formula gets a `SymbolicCriteria`; for ``is-seal``, a `PairOfPrograms`.

    >>> found = queries("sealable", lambda p: p.one_block())
    >>> [query.name for query in found(2, 1)][:2]
    ['n=2 m=1: met, unsealable', 'n=2 m=1: not met, sealable']
    """
    if question not in _BY_QUESTION:
        known = " and ".join(f"'{each}'" for each in _BY_QUESTION)
        raise InputError(f"a formula can predict the answers to {known}, not to '{question}'")
    return partial(_BY_QUESTION[question], formula)


def _about_is_seal(formula: Formula, n: int, m: int) -> Iterator[Query]:
    """That Q seals P is what `th:decide.sealing` says; that it does not, that a run has a message cross."""
    for of_p in range(m + 1):
        pair = PairOfPrograms(n, of_p, m - of_p)

        def instance(answer: Answer, pair: PairOfPrograms = pair) -> Instance:
            return Instance.of(*pair.decoded(answer))

        query = partial(Query, instance=instance, splits=pair.channel_splits())
        yield query(f"{pair}: predicted, not a seal", met_but_crossed(pair, criterion=formula))
        well_formed = [pair.p.well_formed(), pair.q.well_formed(), *pair.constraints()]
        missed = [*well_formed, pair.criterion(), Not(formula(pair))]
        yield query(f"{pair}: not predicted, a seal", missed)


_BY_QUESTION: dict[str, Callable[[Formula, int, int], Iterator[Query]]] = {
    "sealable": about_sealable,
    "is-seal": _about_is_seal,
}
