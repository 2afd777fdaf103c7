"""No two files of the proofs define the same name."""

import re
from collections.abc import Iterator, Mapping

from tests.proofs.building import PROOFS

from sealcheck.theorems.checking.record import PAGE, PORTS_PAGE, ends, sources

DEFINES = re.compile(
    r"(?:#\[[^\]]*\] )?(Theorem|Lemma|Corollary|Fact|Remark|Proposition|Example|Definition"
    r"|Fixpoint|CoFixpoint|Inductive|CoInductive|Variant|Record|Structure|Class|Instance|Notation|Ltac)"
    r" ([^\W\d][\w']*)"
)
"""The sentences that define names for other files; `Local` ones do not."""
OF_SECTION = {"Notation", "Ltac"}
"""Names that end with the section around them."""
PARTS = {
    "Inductive": re.compile(r"(?::=|\|) *([^\W\d][\w']*)"),
    "Record": re.compile(r"(?::=|[{;]) *([^\W\d][\w']*)(?= *[:{])"),
}
"""Constructors and fields, from `:=` on."""


def known_outside(text: str) -> Iterator[str]:
    """The names that a file defines for others.

    >>> list(known_outside("Section S. Notation n := 0. Lemma l : n = 0. Proof. easy. Qed. End S. "))
    ['l']
    >>> list(known_outside("Local Lemma a : b. Inductive b := C (n : nat) | D. Record e := { f : nat }. "))
    ['b', 'C', 'D', 'e', 'f']
    """
    depth = 0
    for _, sentence in ends(text):
        depth += sentence.startswith("Section ") - sentence.startswith("End ")
        if (found := DEFINES.match(sentence)) and not (depth and found[1] in OF_SECTION):
            yield found[2]
            if parts := PARTS.get(found[1]):
                yield from parts.findall(sentence, sentence.index(":="))


def defined_twice(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Names with the files that define them, if there are several.

    >>> defined_twice({"A.v": "Definition a := 0. ", "B.v": "Inductive b := a. "})
    {'a': ['A.v', 'B.v']}
    """
    files: dict[str, list[str]] = {}
    for file, text in texts.items():
        for name in known_outside(text):
            files.setdefault(name, []).append(file)
    return {name: found for name, found in files.items() if len(found) > 1}


def test_no_name_is_defined_twice() -> None:
    texts = {name: text for name, text in sources(PROOFS).items() if name not in {PAGE, PORTS_PAGE}}
    assert defined_twice(texts) == {}
