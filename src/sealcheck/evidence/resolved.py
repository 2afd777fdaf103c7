"""What statements and definitions refer to, as Coq has resolved the names.

Coq writes that beside each source as it compiles, in a file that ends with `.glob`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from sealcheck.errors import Disagreement
from sealcheck.every_n.theorem import LIBRARY, Theorem
from sealcheck.every_n.unfolding import ends, not_counted

Definition = tuple[str, str]
"""A module and a name in it."""

_MADE = re.compile(r"^(?:abbrev|constr|def|ind|prf|proj|rec) (\d+):\d+ \S+ (\S+)$", re.MULTILINE)
_USED = re.compile(rf"^R(\d+):\d+ {LIBRARY}\.(\w+) \S+ (\S+) (?!lib|sec|var)\w+$", re.MULTILINE)


def references(resolved: str, source: str) -> dict[str, set[Definition]]:
    """What each statement and definition of a source refers to, but for proofs.

    >>> references("prf 8:8 <> t\\nR12:12 Sealcheck.A <> b def\\nR21:21 Sealcheck.A <> c def\\n",
    ...     "Theorem t : b. Proof. c. Qed. ")
    {'t': {('A', 'b')}}
    """
    octets = source.encode()
    used = [
        (int(at), (module, name.partition(":")[0] or name)) for at, module, name in _USED.findall(resolved)
    ]
    found: dict[str, set[Definition]] = {}
    for at, name in _MADE.findall(resolved):
        start = int(at)
        rest = octets[start:].decode()
        stop = start + len(rest[: next(ends(rest))[0]].encode())
        found.setdefault(name, set()).update(each for at, each in used if start <= at < stop)
    return found


def require_all_counted(folder: Path, texts: Mapping[str, str], theorems: Sequence[Theorem]) -> None:
    """Raise Disagreement if a theorem rests on a definition that its digest leaves out."""
    found = {
        (file.stem, name): used
        for file in sorted(folder.glob("*.glob"))
        if f"{file.stem}.v" in texts
        for name, used in references(file.read_text(encoding="utf-8"), texts[f"{file.stem}.v"]).items()
    }
    for theorem in theorems:
        new = {(theorem.module, theorem.name)}
        if not new <= found.keys():
            raise Disagreement(f"Coq does not say what {theorem.module}.{theorem.name} refers to")
        every = set[Definition]()
        while new:
            every |= new
            new = {each for notion in new for each in found.get(notion, ())} - every
        if unread := not_counted(texts, theorem, every):
            name = f"{theorem.module}.{theorem.name}"
            raise Disagreement(f"{name} refers to {', '.join(unread)}, which its review does not cover")
