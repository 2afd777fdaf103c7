"""Whether layers of a protocol interfere is NP-hard if choices cannot be skipped: satisfiability is a case.

A formula's protocol is `ask (x | not_x) … (a clause's literals) … ask`, over bags of one sender:

1. Layer ask is `mt s->r`. Hold r at its receive in the first ask.
2. Layer x is `mt r->not_x`. From then on process not_x waits, so exactly the true literals go on.
3. A clause's layer is `mt x->s` for one of its literals. Process s goes on if this literal is true.

So s sends in the second ask exactly if the chosen assignment satisfies all clauses. Then r can take that
message in the first ask. No other port is used twice.
"""

from itertools import product
from random import Random

import pytest

from sealcheck.algorithms.ports import decide_ports
from sealcheck.language.ports import parse_expression, parse_layers
from sealcheck.programs.protocol import PortPhases, Protocol

Clause = tuple[int, ...]
"""Variables, from 1; a negative number is the negation of its variable."""


def protocol_of(variables: int, clauses: list[Clause]) -> PortPhases:
    """Process 1 is s, 2 is r; then come the literals, each variable before its negation."""

    def process(literal: int) -> int:
        return 1 + 2 * abs(literal) + (literal < 0)

    texts = {"ask": "mt 1->2"}
    parts = ["ask"]
    for variable in range(1, variables + 1):
        for literal in (variable, -variable):
            texts[f"choose-{process(literal)}"] = f"mt 2->{process(-literal)}"
        parts.append(f"(choose-{process(variable)} | choose-{process(-variable)})")
    for number, clause in enumerate(clauses):
        for literal in clause:
            texts[f"{number}-{process(literal)}"] = f"mt {process(literal)}->1:{number}"
        parts.append("(" + " | ".join(f"{number}-{process(literal)}" for literal in clause) + ")")
    _, _, layers = parse_layers(texts, None)
    expression = parse_expression(" ".join([*parts, "ask"]), [*texts])
    return PortPhases(tuple(layers), Protocol.of(expression), {}, open=False)


def is_satisfiable(variables: int, clauses: list[Clause]) -> bool:
    return any(
        all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses)
        for values in product((False, True), repeat=variables)
    )


@pytest.mark.parametrize("seed", range(4))
def test_protocols_interfere_exactly_if_their_formulas_are_satisfiable(seed: int) -> None:
    """On the port of layer ask only; about half of the formulas are satisfiable."""
    rng = Random(seed)
    satisfiable = 0
    for _ in range(40):
        clauses = [
            tuple(v if rng.random() < 0.5 else -v for v in rng.sample((1, 2, 3), rng.randint(1, 3)))
            for _ in range(rng.randint(3, 7))
        ]
        expected = is_satisfiable(3, clauses)
        found = decide_ports(protocol_of(3, clauses)).interfering
        assert [str(each.port) for each in found] == (["2<-1"] if expected else []), clauses
        satisfiable += expected
    assert 5 <= satisfiable <= 35
