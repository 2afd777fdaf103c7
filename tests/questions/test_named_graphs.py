"""Graphs with texts as nodes: what they are called, and how they are written down."""

import json
import re

import pytest
from tests.strategies import programs_up_to

from sealcheck.algorithms.as_printed.program_graph import program_graph_repaired
from sealcheck.algorithms.as_printed.sig import sig_repaired
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.causality import PROGRAM_GRAPHS, SIGNATURES, Named, program_graph_of


def test_names_of_nodes_do_not_clash() -> None:
    """Repeated events have nodes of their own in a program graph: two for each message, two a process."""
    p = StraightLine.of(2, mt(1, 2) * 3)
    assert len(program_graph_of(p, []).nodes) == 10
    assert len(Named.of(program_graph_repaired(p)).nodes) == 10


@pytest.mark.parametrize(
    ("written", "graph"), [(PROGRAM_GRAPHS, program_graph_repaired), (SIGNATURES, sig_repaired)]
)
def test_graphs_are_read_as_they_are_written(written, graph) -> None:  # type: ignore[no-untyped-def]
    """As JSON of the type that the schema says, in which every node is called as the schema says."""
    pattern = written.schema["properties"]["nodes"]["items"]["pattern"]
    for p in programs_up_to(3, 2):
        named = Named.of(graph(p))
        document = json.loads(json.dumps(written.to_json(named)))
        assert written.from_json(document) == named
        assert set(document) == set(written.schema["required"])
        assert all(re.search(pattern, node) for node in document["nodes"])
        assert {node for edge in document["edges"] for node in edge} <= set(document["nodes"])
    assert re.search(pattern, written.schema["properties"]["nodes"]["items"]["examples"][-1])
