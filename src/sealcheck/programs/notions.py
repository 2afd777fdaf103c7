"""The paper's notions of safe composition, as the two sides of a refinement (section 3).

Each function gives (left, right): the notion holds in a set of runs if left refines right there.
"""

from sealcheck.programs.syntax import Cut, Program, layered

Refinement = tuple[Program, Program]


def ccl(p: Program, layer: Program, q: Program) -> Refinement:
    """`layer` is a communication-closed layer in P;L;Q: ≀P;L;Q≀ refines P≀L≀Q."""
    return layered(Cut(), p, layer, q, Cut()), layered(p, Cut(), layer, Cut(), q)


def barrier(p: Program, b: Program, q: Program) -> Refinement:
    """B keeps P and Q apart: ≀P;B;Q refines P≀B≀Q.  A barrier does that for all P and Q."""
    return layered(Cut(), p, b, q), layered(p, Cut(), b, Cut(), q)


def tcc(p: Program) -> Refinement:
    """P is tail communication closed: ≀P refines P≀.

    >>> from sealcheck.language.printer import show
    >>> from sealcheck.programs.syntax import Send
    >>> [show(side) for side in tcc(Send(1, 2))]
    ['cut; snd 1->2', 'snd 1->2; cut']
    """
    return layered(Cut(), p), layered(p, Cut())


def seals(p: Program, s: Program) -> Refinement:
    """S seals P: ≀P;S refines P≀S."""
    return layered(Cut(), p, s), layered(p, Cut(), s)


def fits_after(p: Program, q: Program) -> Refinement:
    """P fits after Q: ≀Q;P refines ≀Q≀P (footnote in section 5)."""
    return layered(Cut(), q, p), layered(Cut(), q, Cut(), p)


def separates(s: Program, p: Program, q: Program) -> Refinement:
    """S separates P from Q: ≀P;S;Q≀ refines P≀S≀Q (footnote in section 5)."""
    return layered(Cut(), p, s, q, Cut()), layered(p, Cut(), s, Cut(), q)
