"""That a program can be sealed by one of some listed seals: "by few messages", without a quantifier.

"No seal of so many messages seals P" quantifies over seals.  But "none of these few seals P" follows from
it.  So if no profile has even that, then one of these seals every profile, whoever has listed them, and
for whatever reason.  `listed_seals` lists them as it goes: it finds a profile that none of them seals, adds
one that does, and stops where there is no such profile any more; that there is none is then for a proof to
show.  (Counterexample-guided refinement: E. Clarke, O. Grumberg, S. Jha, Y. Lu, H. Veith, CAV 2000.)
"""

from collections.abc import Iterable, Sequence
from itertools import permutations

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Not, Or

from sealcheck.algorithms.every_length import Profile, as_signature
from sealcheck.algorithms.minimum_seal import minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Sealable
from sealcheck.algorithms.short_seal import short_seal
from sealcheck.encodings.cnf import Cnf
from sealcheck.encodings.growing import Growing
from sealcheck.encodings.profiles import SymbolicProfile
from sealcheck.encodings.sealability import AtEnd
from sealcheck.encodings.solving import Answer, Status
from sealcheck.programs.events import Channel, channels

Transmissions = tuple[Channel, ...]
"""A seal: these messages, each received before the next one is sent."""


def sealed_by(at_end: AtEnd, transmissions: Sequence[Channel]) -> FNode:
    """Every message of these is safe, and in the end the sender of every channel knows it to be safe.

    A process knows what it knew when P ended, and what those knew from whom it has heard since.  So all that
    is needed is this: when i first sends on i->j, or in the end, one of those from whom i has heard by
    then, or i itself, knew i->j to be safe.

    >>> print(sealed_by(SymbolicProfile(2), []).serialize())
    (((! 'P uses 1->2') | '1 hears 1->2') & ((! 'P uses 2->1') | '2 hears 2->1'))
    """
    needed = _needed(at_end.n, transmissions)
    return And(Or(at_end.knows_at_end(k, *c) for k in sorted(heard)) for c, heard in needed.items())


def _needed(n: int, transmissions: Iterable[Channel]) -> dict[Channel, frozenset[int]]:
    """For each channel those of whom one must have known it to be safe when P ended."""
    heard = {k: frozenset({k}) for k in range(1, n + 1)}
    needed: dict[Channel, frozenset[int]] = {}
    for channel in transmissions:
        needed.setdefault(channel, heard[channel.sender])
        heard[channel.receiver] |= heard[channel.sender]
    return {channel: needed.get(channel, heard[channel.sender]) for channel in channels(n)}


def sealed_by_none(at_end: AtEnd, seals: Iterable[Sequence[Channel]]) -> list[FNode]:
    """None of these seals P, and none that they become by renaming processes."""
    different = {
        tuple(_needed(at_end.n, renamed).items()): renamed
        for transmissions in seals
        for renamed in renamings(at_end.n, transmissions)
    }
    return [Not(sealed_by(at_end, transmissions)) for transmissions in different.values()]


def renamings(n: int, transmissions: Iterable[Channel]) -> list[Transmissions]:
    """What transmissions become by renaming 1..n.

    >>> len(renamings(3, [Channel(1, 2)]))
    6
    """
    listed = list(transmissions)
    renamed = (
        tuple(Channel(new[i - 1], new[j - 1]) for i, j in listed) for new in permutations(range(1, n + 1))
    )
    return list(dict.fromkeys(renamed))


def listed_seals(profile: SymbolicProfile, given: list[FNode], most: int) -> list[Transmissions] | Answer:
    """Seals of at most so many messages, one of which, or a renaming, seals every profile that is `given`.

    Or a model of what is given whose profile no such seal seals.  Raises LimitReached as `minimum_seal` does.
    """
    cnf, seals = Cnf(), list[Transmissions]()
    for formula in given:
        cnf.add(formula)
    with Growing() as solver:
        while (true := solver.model(cnf.clauses)) is not None:
            answer = Answer(Status.SAT, lambda symbol, true=true: cnf.variables.get(symbol) in true)
            seal = _few(profile.n, profile.decoded(answer), most)
            if seal is None:
                return answer
            seals.append(seal)
            for formula in sealed_by_none(profile, [seal]):
                cnf.add(formula)
    return seals


def _few(n: int, profile: Profile, most: int) -> Transmissions | None:
    """A seal of at most so many messages."""
    first = as_signature(n, profile)
    found = short_seal(first)
    if len(found.transmissions if isinstance(found, Sealable) else ()) > most:
        found = minimum_or_unsealable(Problem.of(first))
    if not isinstance(found, Sealable) or len(found.transmissions) > most:
        return None
    return found.transmissions
