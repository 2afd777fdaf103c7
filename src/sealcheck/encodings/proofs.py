"""Clauses that contradict each other, with a proof: CaDiCaL finds it, the kernel checks it.

CaDiCaL's own word counts for nothing here: `refutation` returns an LRAT proof that the kernel has accepted.
"""

import hashlib
from collections.abc import Sequence

from sealcheck.encodings.rup import elaborate
from sealcheck.errors import Disagreement, LimitReached
from sealcheck.kernel.lrat import check_proof
from sealcheck.kernel.rejected import Rejected

Clauses = Sequence[Sequence[int]]


def refutation(clauses: Clauses, *, conflicts: int | None = None) -> list[str] | set[int]:
    """An LRAT proof that no assignment satisfies all clauses, or the literals of one that does.

    Raises LimitReached after so many conflicts, Disagreement where CaDiCaL's proof is no proof.

    >>> refutation([[1, 2], [-1, 2], [-2]])
    ['4 1 0 3 1 0', '5 0 3 4 2 0']
    >>> refutation([[1, 2], [-2]]) == {1, -2}
    True
    """
    from pysat.solvers import Cadical195

    with Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        if conflicts is not None:
            solver.conf_budget(conflicts)
        found = solver.solve_limited()
        if found is None:
            raise LimitReached("CaDiCaL hit its limit of conflicts")
        if found:
            return set(solver.get_model())
        lines = solver.get_proof()
    try:
        steps = elaborate(clauses, [lemma(line) for line in lines if not line.startswith("d")])
        check_proof(clauses, steps)
    except (Rejected, ValueError) as error:
        raise Disagreement(f"CaDiCaL's proof of a question is none: {error}") from None
    return steps


def lemma(line: str) -> list[int]:
    """The literals of a line of a DRUP proof."""
    return [int(literal) for literal in line.split()[:-1]]


def digest(clauses: Clauses) -> str:
    """The SHA-256 of the clauses as lines of DIMACS, in order.

    >>> digest([[1, -2]])[:16]
    'fb13edcdfa369c20'
    """
    text = hashlib.sha256()
    for clause in clauses:
        text.update(" ".join(map(str, (*clause, 0))).encode() + b"\n")
    return text.hexdigest()
