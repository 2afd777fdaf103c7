"""Proof files: a level's proof is accepted, other proofs are rejected."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pysmt.shortcuts import And, Symbol

from sealcheck.encodings.clauses import Model, Proof, refutation
from sealcheck.encodings.solving import fresh_formulas
from sealcheck.errors import InputError
from sealcheck.evidence.cubes import LevelQuery, clausal, numbered
from sealcheck.evidence.outcome import Verification
from sealcheck.evidence.proofs import Part, accept_proofs, proof_file, settled, together, verify_proof
from sealcheck.kernel.reading import Rejected
from sealcheck.theorems.registry import STATEMENTS, statement


def proof(id: str = "graph-cause", n: int = 2, messages: int = 2) -> bytes:
    return next(text for _, text in proofs(id, n, messages))


def proofs(id: str, n: int, messages: int) -> list[tuple[Part, bytes]]:
    found = {query: settled(query) for query in numbered(id, 0, n, messages)}
    return [(Part(query), said) for query, said in found.items() if isinstance(said, bytes)]


def cube_proof(part: Part) -> bytes:
    proof = refutation(part.clauses())
    assert isinstance(proof, Proof)
    return proof_file(part, proof.steps)


def changed(text: bytes, **header: object) -> bytes:
    first, _, body = text.partition(b"\n")
    value = json.dumps(json.loads(first) | header, sort_keys=True, separators=(",", ":"))
    return value.encode() + b"\n" + body


def resealed(text: bytes, body: bytes) -> bytes:
    return changed(
        text.partition(b"\n")[0] + b"\n" + body,
        steps=body.count(b"\n"),
        sha256=hashlib.sha256(body).hexdigest(),
    )


def verdict(path: Path, text: bytes) -> str:
    path.write_bytes(text)
    try:
        verify_proof(path)
    except Rejected as reason:
        return str(reason)
    return ""


@pytest.mark.parametrize("id", ["graph-cause", "tcc-impossibility", "closed-channels"])
def test_the_proof_of_a_level_is_accepted(id: str, tmp_path: Path) -> None:
    parts = proofs(id, 2, 2)
    assert [part.query for part, _ in parts] == numbered(id, 0, 2, 2)
    for part, text in parts:
        path = tmp_path / part.file_name
        path.write_bytes(text)
        assert verify_proof(path) == (part, text.count(b"\n") - 1)


def test_cubes_and_their_cover_are_accepted_together(tmp_path: Path) -> None:
    (asked,) = numbered("graph-cause", 0, 3, 3)
    cubes = [*clausal(asked).parts(())[:2], *clausal(asked).parts((2,))]
    parts = [Part(asked, cover=tuple(cubes)), *(Part(asked, cube) for cube in cubes)]
    for part in parts:
        path = tmp_path / part.file_name
        path.write_bytes(cube_proof(part))
        assert verify_proof(path)[0] == part
    assert together(parts).proved == {asked}
    assert together(parts).gaps == []
    for missing in parts:
        rest = [part for part in parts if part != missing]
        assert together(rest).proved == set()
        assert missing.file_name in " ".join(together(rest).gaps)


def test_a_cover_that_leaves_a_cube_out_has_no_proof() -> None:
    query = clausal(numbered("sealability", 0, 3, 4)[1])
    occupied = [cube for cube in query.parts(()) if isinstance(refutation(query.inside(cube)), Model)]
    assert occupied
    for cube in occupied:
        others = [other for other in query.parts(()) if other != cube]
        assert isinstance(refutation(query.outside(others)), Model)


def test_a_cover_of_smaller_cubes_leaves_out_what_they_do() -> None:
    query = clausal(numbered("sealability", 0, 3, 4)[1])
    large = next(cube for cube in query.parts(()) if isinstance(refutation(query.inside(cube)), Model))
    small = next(cube for cube in query.parts(large) if isinstance(refutation(query.inside(cube)), Model))
    others = [cube for cube in (*query.parts(()), *query.parts(large)) if cube not in (large, small)]
    assert isinstance(refutation(query.outside(others)), Model)


@pytest.mark.parametrize(
    "id", [id for id, about in STATEMENTS.items() if any(c.whole_space for c in about.claims)]
)
def test_the_alternatives_of_every_split_leave_nothing_out(id: str) -> None:
    for number, claim in enumerate(statement(id).claims):
        for asked in numbered(id, number, 2, 2) if claim.whole_space else ():
            query = clausal(asked)
            assert query.splits
            for literals in query.splits:
                assert isinstance(refutation([*query.clauses, *([-literal] for literal in literals)]), Proof)


HEADERS: dict[str, tuple[dict[str, object], str]] = {
    "another level": ({"messages": 1, "query": "n=2 m=1"}, "the proof is about another formula"),
    "a level without that query": ({"messages": 1}, "graph-cause has no query 'n=2 m=2'"),
    "another number": ({"number": 1}, "graph-cause has no query 'n=2 m=2' of that number"),
    "a negative number": ({"number": -1}, "graph-cause has no query 'n=2 m=2' of that number"),
    "a cube": ({"cube": [0]}, "the proof is about another formula"),
    "an alternative too many": ({"cube": [2]}, "the query has no such cube"),
    "a negative alternative": ({"cube": [-1]}, "the query has no such cube"),
    "a truth value for an alternative": ({"cube": [True]}, "the query has no such cube"),
    "a cube too deep": ({"cube": [0] * 9}, "the query has no such cube"),
    "a cover": ({"cover": [[0], [1]]}, "the proof is about another formula"),
    "an empty cover": ({"cover": []}, "a cover has at least one cube"),
    "a cover of no list": ({"cover": 3}, "3 is not a list"),
    "a cover of what is no cube": ({"cover": [[7]]}, "the query has no such cube"),
    "a cube and a cover": ({"cube": [0], "cover": [[0]]}, "a proof cannot be about both a cube and a cover"),
    "a level too large": ({"messages": 10**9}, "n and messages must be at most"),
    "no processes": ({"n": 0}, "n and messages must be"),
    "another statement": (
        {"statement": "tcc-impossibility", "form": "repaired"},
        "the proof is about another formula",
    ),
    "no statement": ({"statement": "theorem"}, "unknown statement 'theorem'"),
    "a claim too many": ({"claim": 9}, "graph-cause has no such claim"),
    "a negative claim": ({"claim": -1}, "graph-cause has no such claim"),
    "another form": ({"form": "repaired"}, "graph-cause has no such claim"),
    "another formula": ({"formula": "0" * 64}, "the proof is about another formula"),
    "other clauses": ({"clauses": 1}, "the proof is about another formula"),
    "other steps": ({"steps": 1}, "the proof has more or fewer steps"),
    "another digest": ({"sha256": "0" * 64}, "the digest over the steps"),
    "another version": ({"version": 2}, "this is a proof of version 2, which this version no longer reads"),
    "no proof": ({"sealcheck": "table"}, "this is not a proof"),
    "a truth value for a number": ({"n": True}, "'n' is not a whole number"),
    "null": ({"query": None}, "'query' is not a text"),
    "a key too many": ({"extra": 1}, "there must be an object with exactly the keys"),
    "a fraction": ({"n": 2.5}, "2.5 is not a whole number"),
    "not a number": ({"n": float("nan")}, "NaN is not a whole number"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_proof_with_another_header_is_rejected(case: str, tmp_path: Path) -> None:
    header, reason = HEADERS[case]
    assert verdict(tmp_path / "proof", changed(proof(), **header)).startswith(reason)


def test_a_header_in_another_spelling_is_rejected(tmp_path: Path) -> None:
    text = proof()
    for wrong in (
        text.replace(b'"n":2', b'"n":2,"n":2', 1),
        text.replace(b'"n":2', b'"n": 2', 1),
        text.replace(b'"n":2', b'"n":' + b"9" * 5000, 1),
        text.replace(b"graph", b"\xff", 1),
        text.partition(b"\n")[0],
        b"[" * 100_000 + b"\n",
        b"4 0 1 2 0\n",
        b"",
    ):
        assert 0 < len(verdict(tmp_path / "proof", wrong)) < 300


def test_changed_steps_are_rejected(tmp_path: Path) -> None:
    text = proof()
    body = text.partition(b"\n")[2]
    rows = body.splitlines(keepends=True)
    lemma = rows[0].split(b" ")
    flipped = b" ".join([lemma[0], lemma[1][1:] if lemma[1][:1] == b"-" else b"-" + lemma[1], *lemma[2:]])
    for wrong in (
        b"".join(rows[1:]),
        b"".join(rows[:-1]),
        b"".join([flipped, *rows[1:]]),
        b"".join([*rows[:-1], rows[-1].rsplit(b" ", 2)[0] + b" 0\n"]),
        body + rows[-1],
        b"\xff\xfe\n" + body,
        b"1" * 10_000_000 + b"\n" + body,
        b"",
    ):
        assert 0 < len(verdict(tmp_path / "proof", resealed(text, wrong))) < 300
    assert verdict(tmp_path / "proof", text[:-1]) == "the line has no end"
    assert verdict(tmp_path / "proof", resealed(text, body)) == ""


def test_a_file_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot read .*: No such file or directory$"):
        verify_proof(tmp_path / "none")


def test_what_was_built_before_does_not_matter(tmp_path: Path) -> None:
    text = proof()
    with fresh_formulas():
        And(Symbol("L0@1"), Symbol("t:P.s0<P.r0"), Symbol("P.r0@2"))
        assert verdict(tmp_path / "proof", text) == ""


VERIFY = """
import sys
from pathlib import Path
for name in ("z3", "cvc5", "pysat", "pysolvers", "pyspark"):
    sys.modules[name] = None
from sealcheck.evidence.proofs import verify_proof
print([verify_proof(Path(path))[1] for path in sys.argv[1:]])
"""


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_a_proof_is_accepted_elsewhere_without_any_solver(seed: str, tmp_path: Path) -> None:
    texts = [proof(id, 3, 2) for id in ("graph-cause", "closed-channels", "tcc-impossibility")]
    paths = [tmp_path / str(number) for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    done = subprocess.run(
        [sys.executable, "-c", VERIFY, *map(str, paths)],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == [text.count(b"\n") - 1 for text in texts]


QUERIES = numbered("closed-channels", 0, 3, 2)


def rejected(queries: list[LevelQuery]) -> list[str]:
    outcome = Verification()
    proofs = {Path(Part(query).file_name): Part(query) for query in queries}
    accept_proofs(proofs, set(), Path("folder"), outcome)
    return [reason for _, _, reason in outcome.rejected]


def test_a_level_with_a_query_that_has_no_proof_is_incomplete() -> None:
    queries = list(QUERIES)
    assert len(queries) > 1
    assert rejected(queries) == []
    for query in queries:
        (reason,) = rejected([each for each in queries if each != query])
        assert reason.startswith(
            "the level is incomplete: closed-channels, as-printed, n = 3, messages = 2: "
        )
        assert reason.endswith(f"{len(queries) - 1} of {len(queries)} queries are proved")
