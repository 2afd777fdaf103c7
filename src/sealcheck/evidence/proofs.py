"""Files of proofs that whole levels contain no counterexample.

A level (n, m) consists of all programs of n processes with m messages. A *query* of a claim is a formula that
has a model if the level contains a counterexample. The first line of a file is JSON, and names a query. The
other lines are an LRAT proof (a format of SAT solvers) that the query has no model. To check the file,
sealcheck makes the query again from its encoding of the paper's statement. A proof about another formula is
rejected.

A query may be proved in parts. Each part, a *cube*, has a proof. One more proof, the *cover*, shows that no
model is outside all cubes.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sealcheck.encodings.clauses import Clauses, Model, digest, refutation
from sealcheck.errors import InputError
from sealcheck.evidence.cubes import Cube, Level, LevelQuery, clausal, numbered
from sealcheck.evidence.outcome import AcceptedProofs, Trust, Verification
from sealcheck.evidence.table_files import digested, opened, with_digest
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.reading import Rejected, header, items, lines
from sealcheck.theorems.registry import statement

VERSION = 5

_TYPES: dict[str, type] = {
    "statement": str,
    "form": str,
    "claim": int,
    "n": int,
    "messages": int,
    "number": int,
    "query": str,
    "cube": list,
    "cover": object,
    "clauses": int,
    "formula": str,
    "steps": int,
    "sha256": str,
}


@dataclass(frozen=True)
class Part:
    """The subject of a proof: a query inside `cube`; or, if `cover` is given, outside all its cubes."""

    query: LevelQuery
    cube: Cube = ()
    cover: tuple[Cube, ...] | None = None

    def clauses(self) -> Clauses:
        """The clauses that a proof about this part shows to have no model."""
        query = clausal(self.query)
        return query.inside(self.cube) if self.cover is None else query.outside(self.cover)

    @property
    def file_name(self) -> str:
        """The name of the file of the proof.

        >>> Part(LevelQuery("graph-cause", 0, 3, 8, 0), (7, 2)).file_name
        'graph-cause-0-n3-m8-0.7.2.proof'
        """
        asked = self.query
        stem = f"{asked.statement}-{asked.claim}-n{asked.n}-m{asked.messages}-{asked.number}"
        return ".".join([stem, *map(str, self.cube), *(["cover"] if self.cover is not None else []), "proof"])


def proof_file(part: Part, steps: Sequence[str]) -> bytes:
    """The text of a proof file.

    >>> part = Part(LevelQuery("graph-cause", 0, 2, 1, 0))
    >>> proof_file(part, refutation(part.clauses()).steps).count(b"\\n") > 1
    True
    """
    asked, clauses = part.query, part.clauses()
    body = "".join(f"{step}\n" for step in steps).encode()
    first = {
        "sealcheck": "proof",
        "version": VERSION,
        **asdict(asked),
        "form": statement(asked.statement).claims[asked.claim].form.value,
        "query": clausal(asked).name,
        "cube": part.cube,
        "cover": part.cover,
        "clauses": len(clauses),
        "formula": digest(clauses),
        "steps": len(steps),
    }
    return with_digest(first, body)


def settled(asked: LevelQuery) -> bytes | Model:
    """A model of a query or, if the query has no model, the text of a proof file that shows this.

    Raises what `refutation` raises.

    >>> settled(LevelQuery("closed-channels", 0, 2, 1, 0)).count(b"\\n") > 1
    True
    """
    part = Part(asked)
    found = refutation(part.clauses())
    return found if isinstance(found, Model) else proof_file(part, found.steps)


@dataclass
class Conclusion:
    """The conclusion from several proofs."""

    proved: set[LevelQuery] = field(default_factory=set)
    """Queries that have no model."""
    gaps: list[str] = field(default_factory=list)
    """Messages about missing proofs, for queries that are proved only in part."""


def together(parts: Iterable[Part]) -> Conclusion:
    """The conclusion from proofs about these parts together.

    >>> asked = LevelQuery("graph-cause", 0, 3, 2, 0)
    >>> cover = Part(asked, cover=((0,), (1,)))
    >>> together([cover, Part(asked, (0,)), Part(asked, (1,))]).proved == {asked}
    True
    >>> together([cover, Part(asked, (0,))]).gaps
    ['the proof graph-cause-0-n3-m2-0.1.proof is missing']
    """
    known = set(parts)
    found = Conclusion({part.query for part in known if part == Part(part.query)})
    for part in known:
        if part.cover is not None:
            needed = {Part(part.query, cube) for cube in part.cover}
            if needed <= known:
                found.proved.add(part.query)
    for part in sorted(known, key=lambda part: part.file_name):
        if part.query not in found.proved:
            found.gaps += _missing(part, known)
    return found


def _missing(part: Part, known: set[Part]) -> Iterator[str]:
    if part.cover is not None:
        for cube in part.cover:
            needed = Part(part.query, cube)
            if needed not in known:
                yield f"the proof {needed.file_name} is missing"
    elif not any(other.query == part.query and other.cover is not None for other in known):
        whole = replace(part, cube=(), cover=((),)).file_name
        yield f"{part.file_name} is about a cube, but the proof {whole} is missing"


def verify_proof(path: Path) -> tuple[Part, int]:
    """Check a proof file, and return its subject and its number of steps.

    Reads the file once.  Raises Rejected if the file does not prove its query, and InputError if the file
    can't be read.
    """
    body = hashlib.sha256()
    with opened(path) as stream:
        text = lines(stream)
        first = header(next(text, b""), "proof", VERSION, _TYPES)
        part = _part(first)
        clauses = part.clauses()
        if first["formula"] != digest(clauses) or first["clauses"] != len(clauses):
            raise Rejected("the proof is about another formula than the statement's")
        steps = (line.decode("latin-1") for line in digested(text, body))
        if check_proof(clauses, steps) != first["steps"]:
            raise Rejected("the proof has more or fewer steps than its header says")
    if body.hexdigest() != first["sha256"]:
        raise Rejected("the digest over the steps is not that of the header")
    return part, first["steps"]


MOST = (8, 24)
"""The largest numbers of processes and messages.

Within these limits, the largest queries have a million clauses. Building one takes up to two minutes and half
a gigabyte. Without limits, the header of a stranger's file could keep the check busy for hours.
"""


def asks(id: str, claim: int, n: int, messages: int) -> bool:
    """Whether the claim has a query about the level; true for all levels beyond `MOST`."""
    too_large = n > MOST[0] or messages > MOST[1]
    return too_large or bool(numbered(id, claim, n, messages))


def _part(first: dict[str, Any]) -> Part:
    """The subject of a proof, from its first line.  Raises Rejected."""
    id, number, n, messages = (first[key] for key in ("statement", "claim", "n", "messages"))
    try:
        claims = statement(id).claims
    except InputError as error:
        raise Rejected(str(error)) from None
    if not (0 <= number < len(claims) and first["form"] == claims[number].form.value):
        raise Rejected(f"{id} has no such claim")
    if not (1 <= n <= MOST[0] and 0 <= messages <= MOST[1]):
        raise Rejected(f"n and messages must be at most {MOST[0]} and {MOST[1]}")
    asked = LevelQuery(id, number, n, messages, first["number"])
    if asked not in numbered(*asked.level) or clausal(asked).name != first["query"]:
        raise Rejected(f"{id} has no query '{first['query'][:40]}' of that number")
    cube, cover = _cube(asked, first["cube"]), first["cover"]
    if cover is None:
        return Part(asked, cube)
    if cube:
        raise Rejected("a proof cannot be about both a cube and a cover")
    if not items(cover):
        raise Rejected("a cover has at least one cube")
    return Part(asked, cover=tuple(_cube(asked, inner) for inner in items(cover)))


def _cube(asked: LevelQuery, value: object) -> Cube:
    cube = tuple(items(value))
    if not clausal(asked).has(cube):
        raise Rejected("the query has no such cube")
    return cube


def accept_proofs(proofs: Mapping[Path, Part], named: set[Path], of: Path, outcome: Verification) -> None:
    """Add the conclusions from proofs to `outcome`, level by level; `named` are files that ledgers name.

    A level is rejected if proofs are missing. If ledgers name all files about a level, the ledgers decide.
    """
    conclusion = together(proofs.values())
    by_level: dict[Level, list[Path]] = {}
    for file, part in proofs.items():
        by_level.setdefault(part.query.level, []).append(file)
    for level, files in sorted(by_level.items()):
        queries = numbered(*level)
        proved = len(conclusion.proved & set(queries))
        if set(files) <= named:
            continue
        id, claim, n, messages = level
        accepted = AcceptedProofs(
            name=id,
            by=(Trust.FORMULA,),
            levels=frozenset({(n, messages)} if proved == len(queries) else ()),
            files=tuple(map(str, files)),
            claim=claim,
            form=statement(id).claims[claim].form.value,
            n=n,
            messages=messages,
            queries=len(queries),
            proved=proved,
        )
        outcome.accepted.append(accepted)
        if proved < len(queries):
            proven = f"{proved} of {len(queries)} {'query is' if len(queries) == 1 else 'queries are'} proved"
            where = f"{id}, {accepted.form}, n = {n}, messages = {messages}"
            outcome.reject(str(of), 0, f"the level is incomplete: {where}: {proven}")
    for gap in conclusion.gaps:
        outcome.reject(str(of), 0, gap)
