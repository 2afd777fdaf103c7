"""The names in definitions of the proofs, read from the sources without a build."""

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

DEFINES = re.compile(r"(Definition|Fixpoint|Inductive|Record|Notation) (\w+)")
LOCAL = re.compile(r"(?:Variables?|Context|Let) ")
IMPORTS = re.compile(r"From Sealcheck Require Import ([\w ]+)")
GROUP = re.compile(r"[({]([\w' ]+):(?!=)")
"""Names with their type: (i j : proc)."""
BARE = re.compile(
    r"(?:^\w+ \w+|\b(?:fun|forall|exists|let|as)\b|\| \w+(?= [\w' ]+:))((?: [\w']+)+)(?= :| ?,| =>| \(| \{)"
)
"""Names without a type: of a definition, of a constructor, and behind fun and the like."""
PATTERN = re.compile(r"[|'] ?([^|:=]*?) (?:=>|:=)|'(\([^)]*\))")
NAME = re.compile(r"(?<![\w.'])(?:([A-Z]\w*)\.)?([A-Za-z_][\w']*)")


class Notion(NamedTuple):
    """What a module defines."""

    module: str
    name: str


Meanings = dict[str, set[Notion]]
"""For each name its meaning: constructors and fields mean their type, variables of a section what their
types mean."""


def without_comments(text: str) -> str:
    kept, depth = [], 0
    for part in re.split(r"(\(\*|\*\))", text):
        depth += {"(*": 1, "*)": -1}.get(part, 0)
        if depth == 0 and part != "*)":
            kept.append(part)
    return "".join(kept)


def sentences(text: str) -> Iterator[str]:
    """A source's sentences, without proofs and comments, which may be nested.

    >>> list(sentences("Lemma a : b. (* c. (* d. *) *) Proof. e. Qed. Definition f := g. "))
    ['Lemma a : b', 'Definition f := g']
    """
    proving = False
    for each in re.split(r"\.\s", without_comments(text)):
        sentence = " ".join(each.split())
        proving = proving or re.match(r"Proof\b", sentence) is not None
        if sentence and not proving:
            yield sentence
        proving = proving and sentence not in {"Qed", "Defined"}


def defined(module: str, text: str) -> Meanings:
    """What the names of a module stand for in other modules.

    >>> defined("A", "Inductive b := C | D (n : nat). ")["D"]
    {Notion(module='A', name='b')}
    """
    return {
        name: {Notion(module, found[2])}
        for sentence in sentences(text)
        if (found := DEFINES.match(sentence))
        for name in [found[2], *_parts(found[1], sentence.partition(":=")[2])]
    }


def spoken_of(texts: Mapping[str, str]) -> dict[Notion, set[Notion]]:
    """For each definition, the notions in it.

    >>> spoken_of({"A": "Definition b := 0. ", "C": "From Sealcheck Require Import A. Definition d := b. "})
    {Notion(module='A', name='b'): set(), Notion(module='C', name='d'): {Notion(module='A', name='b')}}
    """
    of_modules = {module: defined(module, text) for module, text in texts.items()}
    return {notion: used for module in texts for notion, used in _of(module, texts[module], of_modules)}


def _of(module: str, text: str, of_modules: Mapping[str, Meanings]) -> Iterator[tuple[Notion, set[Notion]]]:
    known: Meanings = {}
    sections: list[Meanings] = [{}]
    for sentence in sentences(text):
        if imports := IMPORTS.match(sentence):
            for imported in imports[1].split():
                known |= of_modules.get(imported, {})
        elif sentence.startswith("Section "):
            sections.append({})
        elif sentence.startswith("End "):
            sections.pop()
        elif LOCAL.match(sentence):
            used = _used(sentence, ChainMap(*reversed(sections), known), of_modules)
            sections[-1] |= dict.fromkeys(_variables(sentence), used)
        elif found := DEFINES.match(sentence):
            mine = Notion(module, found[2])
            known |= {name: meant for name, meant in of_modules[module].items() if meant == {mine}}
            yield mine, _used(sentence, ChainMap(*reversed(sections), known), of_modules) - {mine}


def _parts(kind: str, body: str) -> list[str]:
    beginning = {"Inductive": r"(?:^|\|) *(\w+)", "Record": r"[{;] *(\w+)"}.get(kind)
    return re.findall(beginning, body) if beginning else []


def _variables(sentence: str) -> list[str]:
    bare = re.match(r"Let (\w+)|\w+ ([\w' ]+)", sentence)
    named = [bare[1] or bare[2]] if bare else GROUP.findall(sentence)
    return [name for names in named for name in names.split()]


def _used(
    sentence: str, meanings: Mapping[str, set[Notion]], of_modules: Mapping[str, Meanings]
) -> set[Notion]:
    named = GROUP.findall(sentence) + BARE.findall(sentence)
    bound = {name for names in named for name in names.split()}
    patterns = {name for pattern in PATTERN.findall(sentence) for _, name in NAME.findall(" ".join(pattern))}
    bound |= {name for name in patterns if name[0].islower()}
    return {
        notion
        for module, name in NAME.findall(sentence)
        if module or name not in bound
        for notion in (of_modules.get(module, {}) if module else meanings).get(name, ())
    }


def closed(roots: Iterable[Notion], used: Mapping[Notion, set[Notion]]) -> set[Notion]:
    """These notions, the notions that define them, and so on.

    >>> a, b, c = (Notion("M", name) for name in "abc")
    >>> closed([a], {a: {b}, b: {c}, c: set()}) == {a, b, c}
    True
    """
    found: set[Notion] = set()
    new = set(roots)
    while new:
        found |= new
        new = {notion for each in new for notion in used.get(each, ())} - found
    return found
