"""A search for the shortest seal, by trying all sequences of transmissions with the explorer."""

from sealcheck.errors import InputError
from sealcheck.oracles.explorer import crossed_channels, seals
from sealcheck.programs.events import channels, mt
from sealcheck.programs.straight_line import StraightLine


def find_seal(p: StraightLine, max_messages: int) -> StraightLine | None:
    """A seal of P made of fewest message transmissions, at most `max_messages`, or None.

    Candidates are sequences of transmissions ``mt``, shortest first, then in lexicographic
    order.  Raises DeadlockError where P cannot complete by itself, since anything seals a
    program that has no execution, and InputError where `max_messages` is negative.  Explores
    up to (n(n-1))^max_messages candidates.  Source: sealability, section 4.

    >>> print(find_seal(StraightLine.of(3, mt(1, 2) + mt(3, 2)), 2))
    mt 2->1; mt 1->3
    """
    if max_messages < 0:
        raise InputError(f"the number of messages must be at least 0, not {max_messages}")
    p.linearization  # noqa: B018 - evaluated for the exception
    transmissions = [StraightLine.of(p.n, mt(*channel)) for channel in channels(p.n)]
    candidates = [StraightLine.of(p.n)]
    for _ in range(max_messages):
        for q in candidates:
            if seals(p, q):
                return q
        # A sequence that interferes by itself is no beginning of a seal.  Take its execution
        # without later sends and let the added transmissions follow one by one, each send at
        # once received.  Everything happens, and the interference has happened already, or is
        # a later receive of a message of P, which can come after the additions just as well.
        hopeful = [q for q in candidates if not crossed_channels(p, q, later_sends=0)]
        # Sequences that differ in the order of independent transmissions are one program.
        candidates = list(
            dict.fromkeys(q.then(transmission) for q in hopeful for transmission in transmissions)
        )
    return next((q for q in candidates if seals(p, q)), None)
