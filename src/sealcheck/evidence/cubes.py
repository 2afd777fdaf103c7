"""A whole-space query taken apart (cube and conquer; Heule, Kullmann, Wieringa and Biere 2011).

A cube chooses one alternative of each of the first splits of a query.  If there is no model in any of some
cubes, and none outside all of them either, then there is none.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice

from sealcheck.encodings.cnf import Cnf, to_cnf
from sealcheck.encodings.proofs import Clauses
from sealcheck.encodings.solving import Answer, Status, fresh_formulas
from sealcheck.harness.statement import Query
from sealcheck.questions.instance import Instance
from sealcheck.theorems.registry import statement

Cube = tuple[int, ...]
"""The number of the alternative that it chooses, split by split; the empty cube is the whole space."""

Level = tuple[str, int, int, int, str]
"""Statement, claim, n, messages, and the lemma that is taken for granted, or an empty text."""


@dataclass(frozen=True, kw_only=True)
class LevelQuery:
    """A whole-space query, by its number among those of a claim about a level."""

    statement: str
    claim: int
    n: int
    messages: int
    number: int
    using: str = ""
    """The statement that is taken for granted in it, as a lemma, if one is."""

    @property
    def level(self) -> Level:
        """Statement, claim, n, messages, and the lemma."""
        return self.statement, self.claim, self.n, self.messages, self.using


@dataclass(frozen=True)
class Clausal:
    """A query in clauses, with a literal for each alternative of each split."""

    name: str
    clauses: Clauses
    splits: tuple[tuple[int, ...], ...]
    by_proof: bool = False
    """Whether a model may only show that a proof does not apply."""

    def inside(self, cube: Cube) -> Clauses:
        """What a model in the cube satisfies."""
        return [*self.clauses, *([choice] for choice in self._chosen(cube))]

    def outside(self, cubes: Sequence[Cube]) -> Clauses:
        """What a model in none of the cubes satisfies."""
        return [*self.clauses, *([-choice for choice in self._chosen(cube)] for cube in cubes)]

    def parts(self, cube: Cube) -> list[Cube]:
        """The smaller cubes that this one consists of; none where there are no more splits."""
        if len(cube) == len(self.splits):
            return []
        return [(*cube, alternative) for alternative in range(len(self.splits[len(cube)]))]

    def is_satisfied(self, true: Collection[int]) -> bool:
        """Whether the query has the model in which exactly these variables are true."""
        return all(any(x in true if x > 0 else -x not in true for x in clause) for clause in self.clauses)

    def has(self, cube: Sequence[object]) -> bool:
        """Whether these are numbers of alternatives."""
        return len(cube) <= len(self.splits) and all(
            type(choice) is int and 0 <= choice < len(literals)
            for choice, literals in zip(cube, self.splits, strict=False)
        )

    def _chosen(self, cube: Cube) -> list[int]:
        return [literals[choice] for choice, literals in zip(cube, self.splits, strict=False)]


def numbered(id: str, claim: int, n: int, messages: int, using: str = "") -> list[LevelQuery]:
    """The queries about a level; those in which a lemma is taken for granted, if one is named.

    >>> [query.number for query in numbered("closed-channels", 0, 2, 1)]
    [0, 1]
    >>> numbered("closed-channels", 0, 2, 1, "decide-sealing")
    []
    """
    return [
        LevelQuery(statement=id, claim=claim, n=n, messages=messages, number=number, using=using)
        for number in range(_count(id, claim, n, messages, using))
    ]


@lru_cache(maxsize=64)
def _count(id: str, claim: int, n: int, messages: int, using: str) -> int:
    with fresh_formulas():
        return sum(1 for _ in _makers(id, claim, n, messages, using))


@lru_cache(maxsize=1)
def clausal(asked: LevelQuery) -> Clausal:
    """The clauses of a query; the last one's are kept.  Raises IndexError where there is no such query."""
    with fresh_formulas():
        query = _query(asked)
        cnf, splits = _clauses(query)
        return Clausal(query.name, cnf.clauses, splits, query.by_proof)


def described(asked: LevelQuery, model: Collection[int]) -> tuple[Query, Instance]:
    """What a model of the clauses, its literals, describes."""
    with fresh_formulas():
        query = _query(asked)
        cnf, _ = _clauses(query)
        answer = Answer(Status.SAT, lambda symbol: cnf.variables.get(symbol) in model)
        return query, query.instance(answer).canonical()


def _makers(id: str, claim: int, n: int, messages: int, using: str) -> Iterator[Callable[[], Query]]:
    """What makes each of the queries."""
    about = statement(id).claims[claim]
    if using:
        found = (by.queries(n, messages) for by in about.by_lemma if by.lemma == using)
        yield from next(found, ())
    elif about.whole_space is not None:
        for query in about.whole_space(n, messages):
            yield partial(_itself, query)


def _itself(query: Query) -> Query:
    return query


def _query(asked: LevelQuery) -> Query:
    make = next(islice(_makers(*asked.level), asked.number, None), None)
    if make is None:
        raise IndexError(f"there is no query {asked}")
    return make()


def _clauses(query: Query) -> tuple[Cnf, tuple[tuple[int, ...], ...]]:
    cnf = to_cnf(query.formulas)
    return cnf, tuple(tuple(map(cnf.literal, alternatives)) for alternatives in query.splits)
