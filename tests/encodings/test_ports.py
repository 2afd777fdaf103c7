"""Formulas over ports, compared with the decision, for each solver."""

from random import Random

import pytest
from tests.port_programs import explorable

from sealcheck.algorithms.ports import decide_ports
from sealcheck.encodings.ports import goes_wrong, wrong_ports
from sealcheck.encodings.solvers import SOLVERS
from sealcheck.encodings.solving import open_solver


@pytest.mark.parametrize("name", SOLVERS)
def test_root_causes_are_those_of_the_decision(name: str) -> None:
    rng = Random(name)
    for _ in range(30):
        about, most = explorable(rng, events=8, words=6)
        roots = {found.port for found in decide_ports(about).interfering}
        with open_solver(name) as solver:
            assert wrong_ports(about, most, solver) == roots, about
            assert goes_wrong(about, most, solver) == bool(roots), about
