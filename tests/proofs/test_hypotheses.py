"""The lists of theorems and hypotheses in docs/proofs.md and in the proofs' headings."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.proofs.building import PROOFS, ROOT
from tests.proofs.notions import closed, defined, spoken_of

from sealcheck.evidence.coq import named
from sealcheck.theorems.checking.record import PAGE, RECORD, recorded, sources
from sealcheck.theorems.registry import STATEMENTS

STRAIGHT_LINE = re.compile(r"acts \w+ = Some \w+")
"""The hypotheses that P is straight-line, and what it does."""
THEOREM = re.compile(r"^(?:Theorem|Lemma|Corollary) (\w+)", re.MULTILINE)
NEEDED = re.compile(r"needed: `(\w+)`")
FIELDS = re.findall(r"\bbsl_\w+ : ([^;]+?)(?:;|\n\})", sources(PROOFS)["Definitions.v"])
"""The fields of the record `BSL n P p`."""
LEDGER = [theorem for theorem in named() if theorem.page == PAGE]
RECORDED = {found.name: found for found in recorded(RECORD) if found.name in {each.name for each in LEDGER}}


def premises(statement: str) -> list[str]:
    """The hypotheses of a statement, in order, without the names of modules.

    >>> premises("T.t\\n : forall (P : A.prog) (p : list A.act),\\n A.acts P = Some p -> (B p -> C) -> D P")
    ['acts P = Some p', 'B p -> C']
    """
    text = " ".join(re.sub(r"\b[A-Z]\w*\.(?=\w)", "", statement.partition(":")[2]).split())
    return list(_premises(text))


def hypotheses(statement: str) -> list[str]:
    return [part for premise in premises(statement) for part in parts(premise)]


def parts(premise: str) -> list[str]:
    """The hypotheses of a BSL; any other hypothesis itself.

    >>> parts("BSL n Q q")
    ['acts Q = Some q', 'balanced q', 'nofself q', 'within n q', 'dead_free q']
    """
    found = re.fullmatch(r"BSL (\w+) (\w+) (\w+)", premise)
    if not found:
        return [premise]
    names = dict(zip("nPp", found.groups(), strict=True))
    return [re.sub(r"\b[nPp]\b", lambda letter: names[letter[0]], field) for field in FIELDS]


def _premises(text: str) -> Iterator[str]:
    """The premises of `forall x, A -> forall y, B -> C`: A, and then B."""
    while True:
        if text.startswith("forall "):
            text = text[_outside(text, ", ") + 2 :]
        arrow = _outside(text, " -> ")
        if arrow < 0:
            return
        premise = text[:arrow]
        yield premise[1:-1] if _outside(premise[1:], ")") == len(premise) - 2 else premise
        text = text[arrow + 4 :]


def _outside(text: str, wanted: str) -> int:
    """The position of a string outside of all parentheses, or -1."""
    depth = 0
    for place, character in enumerate(text):
        if depth == 0 and text.startswith(wanted, place):
            return place
        depth += {"(": 1, ")": -1}.get(character, 0)
    return -1


class Row(NamedTuple):
    """A row of the page about a hypothesis, whose text may end in an ellipsis."""

    theorem: str
    hypothesis: str
    why: str

    def is_of(self, premise: str) -> bool:
        """Whether the row is about it."""
        start, ellipsis, _ = self.hypothesis.partition(" …")
        return premise.startswith(start) if ellipsis else premise == start


def rows() -> list[Row]:
    text = (ROOT / "docs" / "proofs.md").read_text()
    table = text.partition("\n### Every hypothesis\n")[2].partition("\n#")[0]
    cells = re.findall(r"^\| `(\w+)` \| `([^`|]+)` \| (.+) \|$", table, re.MULTILINE)
    return [Row(*each) for each in cells]


def all_stated() -> set[str]:
    return {name for text in sources(PROOFS).values() for name in THEOREM.findall(text)}


ROWS = rows()
PREMISES = [
    (name, premise)
    for name, found in RECORDED.items()
    for premise in hypotheses(found.statement)
    if not STRAIGHT_LINE.fullmatch(premise)
]


def test_every_hypothesis_has_one_row() -> None:
    found = Counter((name, p) for name, p in PREMISES for row in ROWS if row.theorem == name and row.is_of(p))
    assert {which: found[which] for which in PREMISES if found[which] != 1} == {}


def test_every_row_is_about_a_hypothesis() -> None:
    stated = all_stated()
    assert {row.theorem for row in ROWS} <= stated
    about = [row for row in ROWS if row.theorem in RECORDED]
    assert [r for r in about if not any(r.theorem == name and r.is_of(p) for name, p in PREMISES)] == []


def test_every_row_says_why() -> None:
    silent = [row for row in ROWS if not row.why.startswith(("needed: `", 'its own "if"', "technical: "))]
    assert silent == []
    named = {name for row in ROWS for name in NEEDED.findall(row.why)}
    assert named
    assert named <= all_stated()


SCOPES = {
    STRAIGHT_LINE: r"BSL|straight-line|\bX\b",
    re.compile(r"nofself .*"): "self-channels",
    re.compile(r"i <> j"): "i != j",
    re.compile(r"nochop .*"): "without silent cuts",
    re.compile(r"2 <= n"): "two processes or more|n >= 2",
}
"""Possible hypotheses of a theorem, and the words for them in a claim."""
WIDER = {"graph_cause_largest_noself": "graph_cause_largest"}
"""Theorems of a claim that has another theorem with fewer hypotheses."""


def test_claims_say_what_their_theorems_ask_for() -> None:
    silent = [
        (about.id, claim.text, premise)
        for about in STATEMENTS.values()
        for claim in about.claims
        for theorem in claim.theorems
        if WIDER.get(theorem.name) not in {each.name for each in claim.theorems}
        for premise in hypotheses(RECORDED[theorem.name].statement)
        for asked, said in SCOPES.items()
        if asked.fullmatch(premise) and not re.search(said, claim.text)
    ]
    assert silent == []


def test_what_statements_speak_of_is_listed() -> None:
    text = (ROOT / "docs" / "proofs.md").read_text()
    table = text.partition("\n### Definitions to read\n")[2].partition("\n#")[0]
    listed = dict(re.findall(r"^\| \[(\w+)\.v\]\(\S+\) \| ([^|]+) \|", table, re.MULTILINE))
    texts = {name.removesuffix(".v"): text for name, text in sources(PROOFS).items()}
    meanings = {module: defined(module, source) for module, source in texts.items()}
    taken = {
        notion
        for found in RECORDED.values()
        for module, name in re.findall(r"\b([A-Z]\w*)\.(\w+)", found.statement.partition(":")[2])
        for notion in meanings.get(module, {}).get(name, ())
    }
    needed = {notion for notion in closed(taken, spoken_of(texts)) if notion.module != "Definitions"}
    assert {each for each in needed if f"`{each.name}`" not in listed.get(each.module, "")} == set()


OF_FILES: dict[str, set[str]] = {}
for theorem in LEDGER:
    OF_FILES.setdefault(theorem.file, set()).add(theorem.name)


@pytest.mark.parametrize(("name", "theorems"), OF_FILES.items(), ids=OF_FILES)
def test_the_heading_names_the_theorems_of_the_ledger(name: str, theorems: set[str]) -> None:
    heading = sources(PROOFS)[name].partition("*)")[0]
    listed = re.search(r"Theorems of the ledger: ([^.]*)\.", heading)
    assert listed
    assert set(re.findall(r"\[(\w+)\]", listed[1])) == theorems
