"""Whether layers interfere is NP-hard if receives overlap: satisfiability is a case.

This is the reduction of `PortOverlapsHard.v`, on small formulas:

1. Each literal has a process, which gets two messages of T and two of F. It receives one of any source, then
   one of T, one of F, and the rest. T and F send their second messages late.
2. The literal is true if its first receive takes F's message. Then it tells its clauses at once. But then it
   waits for F's second message, which comes after the receive in question.
3. Otherwise the literal waits for T's second message, which comes after all clauses are told. Then it tells
   its variable.
4. Process 1 goes on if each clause has a true literal, and each variable a false literal.

So process 1 sends its message of the second layer in time exactly if the formula can be satisfied.
"""

from random import Random

import pytest
from tests.algorithms.test_hard_protocols import Clause, is_satisfiable

from sealcheck.encodings.ports import wrong_ports
from sealcheck.encodings.solving import open_solver
from sealcheck.explorers.ports import explore
from sealcheck.language.ports import parse_layers
from sealcheck.programs.protocol import PortPhases, Protocol


def layers_of(variables: int, clauses: list[Clause]) -> PortPhases:
    literals = [sign * x for x in range(1, variables + 1) for sign in (1, -1)]
    name = {v: f"x{v}" if v > 0 else f"y{-v}" for v in literals}
    texts = ["snd m->r", *(f"rcv m<-c{k}:c" for k in range(len(clauses))), "snd m->t"]
    texts += [f"rcv m<-d{x}:d" for x in range(1, variables + 1)]
    texts += ["rcv r<-m", "snd r->t", "snd r->f"]
    for process, waits in (("t", "rcv t<-*"), ("f", "rcv f<-r")):
        texts += [*(f"snd {process}->{name[v]}" for v in literals), waits]
        texts += [f"snd {process}->{name[v]}" for v in literals]
    texts.append("rcv t<-*")
    for v in literals:
        texts += [f"rcv {name[v]}<-*", f"rcv {name[v]}<-t"]
        texts += [f"snd {name[v]}->c{k}" for k, clause in enumerate(clauses) if v in clause]
        texts += [f"rcv {name[v]}<-f", f"snd {name[v]}->d{abs(v)}", f"rcv {name[v]}<-*"]
    for k, clause in enumerate(clauses):
        texts += [f"rcv c{k}<-*", f"snd c{k}->m:c", *(f"rcv c{k}<-*" for _ in clause[1:])]
    texts += [f"rcv d{x}<-*; snd d{x}->m:d; rcv d{x}<-*" for x in range(1, variables + 1)]
    _, _, layers = parse_layers({"ask": "; ".join(texts), "again": "mt m->r"}, None)
    return PortPhases(tuple(layers), Protocol.sequence(2), overlapping=True)


def formulas(seed: int, many: int, most: int) -> list[list[Clause]]:
    rng = Random(seed)
    return [
        [
            tuple(v if rng.random() < 0.5 else -v for v in rng.sample((1, 2, 3), rng.randint(1, 3)))
            for _ in range(rng.randint(3, most))
        ]
        for _ in range(many)
    ]


def test_layers_interfere_exactly_if_their_formulas_are_satisfiable() -> None:
    satisfiable = 0
    with open_solver("z3") as solver:
        for clauses in formulas(0, 16, 8):
            expected = is_satisfiable(3, clauses)
            found = wrong_ports(layers_of(3, clauses), 2, solver)
            assert [str(port) for port in found] == (["2<-1"] if expected else []), clauses
            satisfiable += expected
    assert 4 <= satisfiable <= 12


@pytest.mark.parametrize("clauses", [[(1,)], [(1,), (-1,)]])
def test_no_execution_of_the_layers_gets_stuck(clauses: list[Clause]) -> None:
    about = layers_of(1, clauses)
    explored = explore(about, about.layers, untagged=frozenset())
    assert explored.completes
    assert not explored.stuck
    wrong = explore(about, about.layers, untagged=frozenset(about.used)).wrong
    assert (wrong is not None) == is_satisfiable(1, clauses)
