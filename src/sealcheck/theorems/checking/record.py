"""Theorems of the Coq development: their statements, and the record that Coq has checked them.

The meaning of a theorem depends on its statement and on every definition that the statement uses, directly or
through other definitions: the statement *unfolds* to these. This module finds them in the sources, without
Coq. They *count*, that is, a record of the theorem is only valid for them. If several definitions have the
same name, all of them count. Notations, coercions, scopes, options and axioms count for every theorem.

Comments do not count, nor do proofs that end with `Qed`.

This module refuses Coq sentences that can define names it cannot see, such as a `where` clause (`_UNSEEN`).
Coq's own output is a second check: the statement as Coq prints it (`printed`), and the names as Coq has
resolved them (`sealcheck.evidence.coq`).

`python -m sealcheck.evidence.coq` builds and checks every theorem that a claim names, and renews the record.
A theorem is on record only for the files that Coq has read. If one of the files changes, the theorem is no
longer on record.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from sealcheck.errors import Disagreement

SOURCES = Path(__file__).parents[2] / "proofs"
"""The Coq development; `proofs` at the top of the repository is a link to it.

Imports name files without folders, so no two files may have the same name."""

LIBRARY = "Sealcheck"

PAGE = "MainTheorems.v"
"""The file that states the theorems of the ledger next to the paper's words."""

PORTS_PAGE = "PortTheorems.v"
"""The file that states the theorems of `docs/ports.md` (`sealcheck.theorems.port_claims`)."""

ALLOWED_AXIOMS = ("Classical_Prop.classic",)
"""Axioms that theorems may rest on besides Coq's logic: the excluded middle."""


@dataclass(frozen=True)
class Theorem:
    """A theorem of the Coq development: its name and its subject."""

    file: str
    name: str
    of: str
    """The subject of the theorem, in words, such as the class of programs."""
    page: str = PAGE
    """The page that repeats the statement next to the claim."""

    @property
    def module(self) -> str:
        """The Coq module of the theorem."""
        return self.file.removesuffix(".v")


def in_coq(file: str, name: str, of: str) -> tuple[Theorem, ...]:
    """The theorem that alone proves or refutes a claim."""
    return (Theorem(file, name, of),)


_LEXEME = re.compile(r'"[^"]*"|\(\*|\*\)|\.\.\.|(?<!\.)\.(?=\s|\Z)')
_BULLETS = re.compile(r"(?:[-+*{}]+ *|(?:[\d, -]+|all) *: *)*")
_NAMED = re.compile(
    r"(?:#\[[^\]]*\] *|(?:Local|Global|Program) )*(?:"
    r"(?P<type>Inductive|CoInductive|Variant|Record|Structure)|"
    r"(?P<fixpoint>Fixpoint|CoFixpoint)|"
    r"Theorem|Lemma|Corollary|Fact|Remark|Proposition|Example|Definition|Ltac|Notation"
    r") (?P<name>[^\W\d][\w']*)"
)
_MEMBER = re.compile(r"(?:[|{;]|:=|\bwith\b) *([^\W\d][\w']*)")
"""Constructors of a type, fields of a record, and types that are defined together."""
_TOGETHER = re.compile(r"\bwith ([^\W\d][\w']*)")
"""The definitions of one mutual recursion."""
_LOCAL = re.compile(r"(?:Variables?|Hypothes[ie]s|Context|Let) ")
_IMPORT = re.compile(r"Import |From \w+ Require (?!Export )")
_REQUIRE = re.compile(rf"From (?:Coq|{LIBRARY}) Require(?: Import| Export)? [\w .]+")
_NAME = re.compile(r"[^\W\d][\w']*")
_PATH = re.compile(rf"{_NAME.pattern}(?:\.{_NAME.pattern})+")
_STRING = re.compile(r'"[^"]*"')
_UNSEEN = {
    "where": "a notation in a 'where' clause",
    "abstract": "'abstract'",
    "transparent_abstract": "'transparent_abstract'",
    "ltac": "'ltac:'",
}
"""Sentences with these words can define names that this module does not see. They are refused."""
_GENERATED = re.compile(r"Build_|_(?:s?ind|rect?)\Z")
"""Coq adds these to the name of a type, to name its induction principles and its constructor."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a source that can matter to a statement."""

    text: str
    """The text without comments, and with its proof if the proof ends with `Defined`."""
    names: frozenset[str] = frozenset()
    sections: tuple[str, ...] = ()
    """The variables and hypotheses of the sections around it."""
    is_import: bool = False
    """Whether the sentence matters only within its own file."""

    @cached_property
    def mentions(self) -> frozenset[str]:
        """The names in the sentence, and the names from which Coq makes them."""
        names = {name for text in (self.text, *self.sections) for name in _NAME.findall(text)}
        return frozenset(names | {_GENERATED.sub("", name) for name in names})

    def __hash__(self) -> int:
        return hash(self.text)  # which a text remembers

    def __str__(self) -> str:
        return "\n".join(f"{text}." for text in (*self.sections, self.text))


def unfolded(texts: Mapping[str, str], theorem: Theorem) -> str:
    """The statement of a theorem and the definitions it unfolds to, file by file in the order of the sources.

    >>> texts = {"T.v": "Definition a := 0. Definition b := 1. Theorem t : a = 0. Proof. easy. Qed. "}
    >>> print(unfolded(texts, Theorem("T.v", "t", "")))
    T.v
    Definition a := 0.
    Theorem t : a = 0.

    Raises Disagreement unless the theorem is stated exactly once.
    """
    lines = []
    for file, said in _counted(texts, theorem).items():
        lines += [file] if said else []
        has_names = any(not each.text.startswith("Open Scope ") for each in said)
        lines += [
            str(each) for each in _sentences(texts[file]) if each in said or (each.is_import and has_names)
        ]
    return "\n".join(lines)


def not_counted(texts: Mapping[str, str], theorem: Theorem, found: Iterable[tuple[str, str]]) -> list[str]:
    """The given definitions (each a module and a name) that the statement does not unfold to.

    >>> texts = {"T.v": "Definition a := 0. Definition b := 1. Theorem t : a = 0. Proof. easy. Qed. "}
    >>> not_counted(texts, Theorem("T.v", "t", ""), [("T", "a"), ("T", "b")])
    ['T.b']
    """
    files = _counted(texts, theorem).items()
    names = {(file.removesuffix(".v"), name) for file, said in files for each in said for name in each.names}
    return sorted(f"{module}.{name}" for module, name in set(found) - names)


def printed(texts: Mapping[str, str], statement: str) -> set[tuple[str, str]]:
    """The development's definitions (module and name) that a statement names, as Coq prints it."""
    paths = [path.split(".") for path in _PATH.findall(statement)]
    return {(path[0], path[-1]) for path in paths if f"{path[0]}.v" in texts}


def _counted(texts: Mapping[str, str], theorem: Theorem) -> dict[str, set[Sentence]]:
    """The sentences that the statement unfolds to, of each file that the theorem needs."""
    files = {f"{module}.v": _sentences(texts[f"{module}.v"]) for module in needed(texts, [theorem])}
    said = _closure(stated(texts, theorem), [each for sentences in files.values() for each in sentences])
    return {file: said.intersection(sentences) for file, sentences in files.items()}


def stated(texts: Mapping[str, str], theorem: Theorem) -> Sentence:
    """The statement of a theorem.  Raises Disagreement unless there is exactly one."""
    found = [each for each in _sentences(texts[theorem.file]) if theorem.name in each.names]
    if len(found) != 1:
        raise Disagreement(f"{theorem.file} states {theorem.name} {len(found)} times")
    return found[0]


def restated(texts: Mapping[str, str], theorem: Theorem) -> str:
    """The statement of a theorem on its page; the proof there only refers to the theorem.

    >>> restated({PAGE: "Theorem t : a. Proof. exact T.t. Qed. "}, Theorem("T.v", "t", ""))
    'Theorem t : a'

    Raises Disagreement unless there is exactly one.
    """
    exact = f"exact {theorem.module}.{theorem.name}"
    said = _all_sentences(texts.get(theorem.page, ""))
    found = [said[place - 2 : place + 2] for place, each in enumerate(said) if each == exact]
    is_proved = [each[1:] for each in found] == [("Proof", exact, "Qed")]
    if not (is_proved and found[0][0].startswith(f"Theorem {theorem.name} : ")):
        raise Disagreement(f"{theorem.page} must state {theorem.name} once, proved by '{exact}' alone")
    return found[0][0]


def _closure(start: Sentence, every: Iterable[Sentence]) -> set[Sentence]:
    """The sentences that count: all that `start` unfolds to, and all that count for every theorem."""
    meanings: dict[str, list[Sentence]] = {}
    for each in every:
        for name in each.names:
            meanings.setdefault(name, []).append(each)
    found: set[Sentence] = set()
    new = {each for each in every if not each.names and not each.is_import} | {start}
    while new:
        found |= new
        names = {name for each in new for name in each.mentions}
        new = {each for name in names for each in meanings.get(name, ())} - found
    return found


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a source that can matter to a statement."""
    return tuple(_kept(_split(text)))


def _kept(texts: Iterable[str]) -> Iterator[Sentence]:
    sections: list[tuple[str, list[str]]] = []
    last: Sentence | None = None
    proof: list[str] = []
    for text in texts:
        if text[0].islower() or text[0] in "([" or text.startswith("Proof"):
            proof.append(text)
            continue
        if text == "Defined" and last:
            for step in proof:
                _require_seen(step)
            last = replace(last, text=". ".join([last.text, *proof]))
        elif proof and text != "Qed":
            raise Disagreement(f"a proof must end with Qed, or with Defined outside of Let, before '{text}'")
        proof.clear()
        if text in {"Qed", "Defined"}:
            continue
        if last:
            yield last
        last = _read(text, sections)
    if last:
        yield last


def _read(text: str, sections: list[tuple[str, list[str]]]) -> Sentence | None:
    """The sentence with its names, or None if it only begins, ends or describes a section."""
    if "Require" in text.split() and not _REQUIRE.fullmatch(text):
        raise Disagreement(f"write 'From Coq Require' or 'From {LIBRARY} Require', not '{text}'")
    _require_seen(text)
    if text.startswith("Section "):
        sections.append((text.removeprefix("Section "), []))
    elif sections and text == f"End {sections[-1][0]}":
        sections.pop()
    elif sections and _LOCAL.match(text):
        sections[-1][1].append(text)
    elif found := _NAMED.match(text):
        more = _MEMBER if found["type"] else _TOGETHER if found["fixpoint"] else None
        words = _NAME.findall(_STRING.sub("", text))
        if more is None and words.count("with") > words.count("match"):
            raise Disagreement(f"state the theorems one by one, not together by 'with': '{text}'")
        names = {found["name"], *(more.findall(text) if more else ())}
        return Sentence(text, frozenset(names), tuple(each for _, mine in sections for each in mine))
    else:
        return Sentence(text, is_import=_IMPORT.match(text) is not None)
    return None


def _require_seen(text: str) -> None:
    """Raise Disagreement if a sentence can define something unseen."""
    for word in _NAME.findall(_STRING.sub("", text)):
        if word in _UNSEEN:
            raise Disagreement(f"{_UNSEEN[word]} can define something unseen: '{text}'")
    if text.count("#[") > text.startswith("#["):
        raise Disagreement(f"write one attribute, at the beginning of the sentence: '{text}'")


@lru_cache(maxsize=8)
def _all_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a source, proofs included, without the `@` before a name."""
    return tuple(each.replace("exact @", "exact ") for each in _split(text))


def _split(text: str) -> Iterator[str]:
    """The sentences, without comments (which may be nested) and bullets.

    >>> list(_split("Lemma a : b. (* c. (* d. *) *) Proof. - e. Qed. "))
    ['Lemma a : b', 'Proof', 'e', 'Qed']
    """
    return (sentence for _, sentence in ends(text))


def ends(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of `_split`, each with the position of its full stop.

    >>> list(ends("Lemma (* A. *) a : b. Qed. "))
    [(20, 'Lemma a : b'), (25, 'Qed')]
    """
    kept, depth, start = "", 0, 0
    for found in _LEXEME.finditer(f"{text}\n."):
        lexeme = found[0]
        kept += "" if depth else text[start : found.start()]
        start = found.end()
        if lexeme in {"(*", "*)"}:
            depth += 1 if lexeme == "(*" else -1
            kept += " "
        elif depth:
            continue
        elif lexeme == "...":
            raise Disagreement("'...' among the proofs is not read: write the tactics out")
        elif lexeme != ".":
            kept += lexeme
        else:
            if sentence := _BULLETS.sub("", " ".join(kept.split()), count=1):
                yield found.start(), sentence
            kept = ""


RECORD = SOURCES / "record.json"

_REQUIRES = re.compile(rf"From {LIBRARY} Require(?: Import| Export)?\s+([\w\s]+)\.")


@dataclass(frozen=True, kw_only=True)
class Established:
    """Coq's report on a theorem."""

    file: str
    name: str
    axioms: tuple[str, ...]
    statement: str
    """As Coq prints it."""
    sources: str
    """The digest of all files that the theorem needs, and of its statement on its page."""
    coq: str
    """The version of Coq that has built and checked the theorem."""


def established(theorem: Theorem) -> Established | None:
    """The record of a theorem, if there is one and it has allowed axioms only."""
    return established_in(recorded(RECORD), theorem, sources(SOURCES))


def established_in(
    record: Iterable[Established], theorem: Theorem, texts: Mapping[str, str]
) -> Established | None:
    """The entry of a theorem in a record, if it fits these sources and has allowed axioms only."""
    for found in record:
        if (found.file, found.name) == (theorem.file, theorem.name) and is_allowed(found.axioms):
            return found if theorem.file in texts and found.sources == digest(texts, theorem) else None
    return None


def is_allowed(axioms: Iterable[str]) -> bool:
    """Whether all these axioms are allowed."""
    return set(axioms) <= set(ALLOWED_AXIOMS)


@cache
def recorded(file: Path) -> tuple[Established, ...]:
    """The entries of a record file; none if the file is not a record."""
    try:
        document: Any = json.loads(file.read_text(encoding="utf-8"))
        return tuple(Established(**each | {"axioms": tuple(each["axioms"])}) for each in document)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


@cache
def files(folder: Path) -> Mapping[str, Path]:
    """The Coq files of a development: name -> path within the development.

    Raises Disagreement if two files have the same name.
    """
    found: dict[str, Path] = {}
    for file in sorted(folder.rglob("*.v")):
        place = file.relative_to(folder)
        if found.setdefault(file.name, place) != place:
            raise Disagreement(f"{found[file.name]} and {place} have the same name")
    return dict(sorted(found.items()))


@cache
def sources(folder: Path) -> Mapping[str, str]:
    """The Coq files of a development: name -> text.  Raises Disagreement as `files` does."""
    return {name: (folder / place).read_text(encoding="utf-8") for name, place in files(folder).items()}


def digest(texts: Mapping[str, str], theorem: Theorem) -> str:
    """The digest of all files that a theorem needs, and of its statement on its page (if any)."""
    files = {f"{module}.v": texts[f"{module}.v"] for module in needed(texts, [theorem])}
    if theorem.page in texts:
        files[theorem.page] = restated(texts, theorem)
    listed = [(name, hashlib.sha256(text.encode()).hexdigest()) for name, text in sorted(files.items())]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def needed(texts: Mapping[str, str], theorems: Sequence[Theorem]) -> list[str]:
    """The modules of the theorems, after all modules that they require.

    >>> texts = {"A.v": "", "B.v": "From Sealcheck Require Import A.", "C.v": ""}
    >>> needed(texts, [Theorem("B.v", "b", "")])
    ['A', 'B']

    Raises Disagreement if one is missing.
    """
    order: list[str] = []

    def add(module: str) -> None:
        """Add a module after all modules that it requires."""
        if module in order:
            return
        if f"{module}.v" not in texts:
            raise Disagreement(f"there is no {module}.v among the proofs")
        for required in _required(texts[f"{module}.v"]):
            add(required)
        order.append(module)

    for theorem in theorems:
        add(theorem.module)
    return order


@lru_cache(maxsize=512)
def _required(text: str) -> tuple[str, ...]:
    return tuple(required for listed in _REQUIRES.findall(text) for required in listed.split())


def written(record: Iterable[Established]) -> str:
    """The file of a record."""
    return json.dumps([asdict(each) for each in record], indent=1, ensure_ascii=False) + "\n"
