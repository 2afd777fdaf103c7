"""Queries and questions as clauses, with the answers of CaDiCaL, a SAT solver.

A *level* (n, m) consists of all programs of n processes with m messages. A *whole-space query* of a claim is
a formula about a level. The formula has a model if some program of the level is a counterexample.

Queries are solved in parts (cube and conquer; Heule, Kullmann, Wieringa and Biere 2011). A *split* of a query
is a list of alternatives, such as the possible channels of a message. A *cube* fixes one alternative in each
of the first k splits, for some k. If no cube contains a model, and no model is outside all cubes, the query
has no model.

A *file of answers* has the solver's answers about every instance of a level. To check the file, sealcheck
makes the formulas again, and asks the other oracles again. Each model must satisfy its formula, and the
kernel, a small checker, must accept each proof. The solver and the other oracles must agree.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from sealcheck.encodings.clauses import Clauses, to_cnf
from sealcheck.encodings.formulas import Gates, made_of
from sealcheck.encodings.solving import CADICAL, Recorder, Replayer, SatSolver, answer_of, fresh_formulas
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.evidence.outcome import AcceptedAnswers, Trust
from sealcheck.evidence.table_files import digested, opened, with_digest
from sealcheck.kernel.reading import Rejected, canonical, header, lines
from sealcheck.questions.asking import Answers
from sealcheck.questions.instance import Instance
from sealcheck.theorems.checking.check import Inline
from sealcheck.theorems.checking.statement import Query, Statement, Tally
from sealcheck.theorems.registry import STATEMENTS, statement

Cube = tuple[int, ...]
"""For each of the first splits, the number of the chosen alternative. The empty cube is the whole space."""

Level = tuple[str, int, int, int]
"""Statement, claim, n, messages."""


@dataclass(frozen=True)
class LevelQuery:
    """A whole-space query, by its number among the queries of a claim about a level."""

    statement: str
    claim: int
    n: int
    messages: int
    number: int

    @property
    def level(self) -> Level:
        """Statement, claim, n, messages."""
        return self.statement, self.claim, self.n, self.messages


@dataclass(frozen=True)
class Clausal:
    """A query as clauses, with a literal for each alternative of each split."""

    name: str
    clauses: Clauses
    splits: tuple[tuple[int, ...], ...]
    by_proof: bool = False
    """Whether a model need not be a counterexample, but only shows where the paper's proof does not apply."""

    def inside(self, cube: Cube) -> Clauses:
        """Clauses whose models are the models of the query inside the cube."""
        return [*self.clauses, *([choice] for choice in self._chosen(cube))]

    def outside(self, cubes: Sequence[Cube]) -> Clauses:
        """Clauses whose models are the models of the query outside all of the cubes."""
        return [*self.clauses, *([-choice for choice in self._chosen(cube)] for cube in cubes)]

    def parts(self, cube: Cube) -> list[Cube]:
        """The smaller cubes into which the next split divides a cube; empty if there is no next split."""
        if len(cube) == len(self.splits):
            return []
        return [(*cube, alternative) for alternative in range(len(self.splits[len(cube)]))]

    def has(self, cube: Sequence[object]) -> bool:
        """Whether this is a cube of the query: each element must be the number of an alternative."""
        return len(cube) <= len(self.splits) and all(
            type(choice) is int and 0 <= choice < len(literals)
            for choice, literals in zip(cube, self.splits, strict=False)
        )

    def _chosen(self, cube: Cube) -> list[int]:
        return [literals[choice] for choice, literals in zip(cube, self.splits, strict=False)]


@lru_cache(maxsize=64)
def numbered(id: str, claim: int, n: int, messages: int) -> list[LevelQuery]:
    """The queries about a level.

    >>> [query.number for query in numbered("closed-channels", 0, 2, 1)]
    [0, 1]
    """
    with made_of(Gates()):
        count = sum(1 for _ in _queries(id, claim, n, messages))
    return [LevelQuery(id, claim, n, messages, number) for number in range(count)]


@lru_cache(maxsize=1)
def clausal(asked: LevelQuery) -> Clausal:
    """The clauses of a query. The last result is cached.  Raises IndexError if there is no such query."""
    with made_of(Gates()):
        query = _query(asked)
        cnf = to_cnf(query.formulas)
        splits = tuple(tuple(map(cnf.literal, alternatives)) for alternatives in query.split())
        return Clausal(query.name, cnf.clauses, splits, query.by_proof)


def described(asked: LevelQuery, model: Collection[int]) -> tuple[Query, Instance]:
    """The query, and the instance that its model describes; `model` lists the variables that are true."""
    with made_of(Gates()):
        query = _query(asked)
        answer = answer_of(to_cnf(query.formulas), model)
        return query, query.instance(answer).canonical()


def _queries(id: str, claim: int, n: int, messages: int) -> Iterator[Query]:
    about = statement(id).claims[claim]
    return iter(()) if about.whole_space is None else about.whole_space(n, messages)


def _query(asked: LevelQuery) -> Query:
    query = next(islice(_queries(*asked.level), asked.number, None), None)
    if query is None:
        raise IndexError(f"there is no query {asked}")
    return query


VERSION = 2
MOST = (4, 7)
"""The largest numbers of processes and messages. To check a file about more would take days."""

_TYPES: dict[str, type] = {
    "statement": str,
    "n": int,
    "messages": int,
    "instances": int,
    "asked": dict,
    "sha256": str,
}


def is_answerable(about: Statement) -> bool:
    """Whether the statement has whole-space queries, and a question that CaDiCaL can answer."""
    return any(claim.whole_space for claim in about.claims) and any(q.symbolic for q in about.questions)


def answers_name(id: str, n: int, messages: int) -> str:
    """The name of the file of answers about a level."""
    return f"{id}-n{n}-m{messages}.answers"


def answers(about: Statement, n: int, messages: int) -> bytes:
    """The text of the file of answers about a level.

    Raises Disagreement if the oracles of a question differ, and LimitReached if an oracle gives up.
    """
    recorder = Recorder()
    instances, asked = _asked_again(about, n, messages, SatSolver(CADICAL, recorder))
    body = "".join(f"{line}\n" for line in recorder.lines).encode()
    first = {
        "sealcheck": "answers",
        "version": VERSION,
        "statement": about.id,
        "n": n,
        "messages": messages,
        "instances": instances,
        "asked": asked,
    }
    return with_digest(first, body)


def verify_answers(path: Path) -> AcceptedAnswers:
    """Check a file of answers.  Raises Rejected if it is wrong, and InputError if it can't be read."""
    body = hashlib.sha256()
    with opened(path) as stream:
        text = lines(stream)
        first = header(next(text, b""), "answers", VERSION, _TYPES)
        about, n, messages = STATEMENTS.get(first["statement"]), first["n"], first["messages"]
        if about is None or about.domain is None or not is_answerable(about):
            raise Rejected("the statement of these answers has no such questions")
        if not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
            raise Rejected(f"n and messages must be at most {MOST[0]} and {MOST[1]}")
        if first["instances"] != about.domain.expected(n, messages):
            raise Rejected("the number of instances is wrong")
        remaining = (line.decode("latin-1") for line in digested(text, body))
        try:
            instances, asked = _asked_again(about, n, messages, SatSolver(CADICAL, Replayer(remaining)))
        except (Disagreement, LimitReached) as reason:
            raise Rejected(str(reason)) from None
        if instances != first["instances"]:
            raise Rejected("the number of instances is wrong")
        if canonical(first["asked"]) != canonical(asked):
            raise Rejected("the questions are not those of the statement")
        if next(remaining, None) is not None:
            raise Rejected("there are more answers than questions")
    if body.hexdigest() != first["sha256"]:
        raise Rejected("the digest over the answers is not that of the header")
    return AcceptedAnswers(
        name=about.id,
        by=(Trust.FORMULA,),
        levels=frozenset({(n, messages)}),
        files=(str(path),),
        instances=instances,
        asked=asked,
    )


def _asked_again(about: Statement, n: int, messages: int, solver: SatSolver) -> tuple[int, dict[str, int]]:
    """Check every claim on every instance; the numbers of instances, and of answers to each question."""
    assert about.domain is not None
    tally, instances = Tally(), 0
    asked = Counter[str]()

    def note(answers: Answers[object]) -> None:
        asked[answers.asked.question.id] += solver.name in answers.said

    with fresh_formulas():
        ask = Inline([solver], on_answers=note)
        for instance in about.domain.instances(n, messages, 0, about.domain.size(n, messages)):
            instances += 1
            for claim in about.claims:
                if claim.check is not None:
                    tally.check(claim, instance, ask)
    if tally.disputed is not None:
        raise Disagreement(tally.dispute)
    if tally.unknown:
        raise LimitReached(f"{about.id}, n = {n}, messages = {messages}: not every question was answered")
    return instances, dict(sorted(asked.items()))
