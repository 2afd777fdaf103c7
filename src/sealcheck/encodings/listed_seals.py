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

from sealcheck.algorithms.every_length import Masks, as_signature
from sealcheck.algorithms.minimum_seal import minimum_or_unsealable
from sealcheck.algorithms.sealability import Problem, Sealable
from sealcheck.algorithms.short_seal import short_seal
from sealcheck.encodings.clauses import Cnf
from sealcheck.encodings.growing import Growing
from sealcheck.encodings.profiles import SymbolicProfile
from sealcheck.encodings.sealability import AtEnd
from sealcheck.encodings.solving import Answer, answer_of
from sealcheck.programs.straight_line import Channel, channels

Transmissions = tuple[Channel, ...]
"""A seal: these messages, each received before the next one is sent."""


class Seals:
    """What it means that seals seal the programs with a profile.

    A process knows what it knew when P ended, and what those knew from whom it has heard since.  So for a
    seal all that is needed is this: when i first sends on i->j, or in the end, one of those from whom i
    has heard by then, or i itself, knew i->j to be safe.

    >>> seals = Seals(SymbolicProfile(2))
    >>> print(seals.sealed_by([]).serialize())
    ('at the end 1 knows 1->2' & 'at the end 2 knows 2->1')
    >>> len(seals.sealed_by_none([[], [Channel(1, 2)]]))
    3
    """

    def __init__(self, at_end: AtEnd) -> None:
        self._at_end = at_end
        self._one_knows: dict[tuple[Channel, frozenset[int]], FNode] = {}

    def sealed_by(self, transmissions: Iterable[Channel]) -> FNode:
        """Every message of these is safe, and in the end the sender of every channel knows it to be safe."""
        needed = _needed(self._at_end.n, transmissions)
        return And(self._somebody_knows(channel, heard) for channel, heard in needed.items())

    def sealed_by_none(self, seals: Iterable[Sequence[Channel]]) -> list[FNode]:
        """None of these seals P, and none that they become by renaming processes."""
        renamed = (other for seal in seals for other in renamings(self._at_end.n, seal))
        return [Not(formula) for formula in dict.fromkeys(map(self.sealed_by, renamed))]

    def _somebody_knows(self, channel: Channel, heard: frozenset[int]) -> FNode:
        asked = channel, heard
        if asked not in self._one_knows:  # thousands of seals need the same few
            self._one_knows[asked] = Or(self._at_end.knows_at_end(k, *channel) for k in sorted(heard))
        return self._one_knows[asked]


def _needed(n: int, transmissions: Iterable[Channel]) -> dict[Channel, frozenset[int]]:
    """For each channel those of whom one must have known it to be safe when P ended."""
    heard = {k: frozenset({k}) for k in range(1, n + 1)}
    needed: dict[Channel, frozenset[int]] = {}
    for channel in transmissions:
        needed.setdefault(channel, heard[channel.sender])
        heard[channel.receiver] |= heard[channel.sender]
    return {channel: needed.get(channel, heard[channel.sender]) for channel in channels(n)}


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
    cnf, known, seals = Cnf(), Seals(profile), list[Transmissions]()
    for formula in given:
        cnf.add(formula)
    with Growing() as solver:
        while (true := solver.model(cnf.clauses)) is not None:
            answer = answer_of(cnf, true)
            seal = _few(profile.n, profile.decoded(answer), most)
            if seal is None:
                return answer
            seals.append(seal)
            for formula in known.sealed_by_none([seal]):
                cnf.add(formula)
    return seals


def _few(n: int, profile: Masks, most: int) -> Transmissions | None:
    """A seal of at most so many messages."""
    first = as_signature(n, profile)
    found = short_seal(first)
    if len(found.transmissions if isinstance(found, Sealable) else ()) > most:
        found = minimum_or_unsealable(Problem.of(first))
    if not isinstance(found, Sealable) or len(found.transmissions) > most:
        return None
    return found.transmissions
