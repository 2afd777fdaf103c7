"""The appendix's pseudocode in Coq answers like its transcription in Python."""

import re
import subprocess
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import networkx as nx
import pytest

from sealcheck.algorithms.as_printed import printed_throughout
from sealcheck.algorithms.as_printed.program_graph import First, Last
from sealcheck.algorithms.as_printed.seal import seal_repaired
from sealcheck.algorithms.as_printed.sig import sig_of
from sealcheck.algorithms.as_printed.signature_compose import signature_compose, signature_compose_repaired
from sealcheck.language.parser import parse_straight_line
from sealcheck.programs.straight_line import Event, StraightLine
from sealcheck.questions.instance import Instance
from sealcheck.theorems.appendix import closed_channels, deadlock_free, is_seal

pytestmark = pytest.mark.coq

THREE = ("eps", "mt 1->2", "mt 2->1", "mt 1->2; mt 2->3", "mt 3->1; mt 1->2")
CROSSED = ("snd 1->2; snd 2->1; rcv 1<-2; rcv 2<-1", "rcv 1<-2; rcv 2<-1; snd 1->2; snd 2->1")
"""A program that completes, and a program that deadlocks."""
TWO = ("eps", "mt 1->2", "mt 2->1; mt 1->2")
HEADING = """
From Coq Require Import List.
Import ListNotations.
From Sealcheck Require Import Definitions SignaturesCompose Procedures SignatureCompose IsSeal SealMended.
Definition mended n p := Sig p (Program_Graph_mended n p).
Definition printed n p := Sig p (Program_Graph_printed n p).
"""
Graph = tuple[list[str], list[str]]


def actions(program: StraightLine) -> str:
    named = {True: "ASend {0} {1}", False: "ARecv {1} {0}"}
    events = [event for share in program.shares for event in share]
    done = [named[e.is_send].format(e.sender - 1, e.receiver - 1) for e in events]
    return f"[{'; '.join(done)}]"


def in_coq(node: First | Last | Event) -> str:
    if isinstance(node, Event):
        sender, receiver = node.sender - 1, node.receiver - 1
        return f"NSnd {sender} {receiver}" if node.is_send else f"NRcv {receiver} {sender}"
    return f"{'NFd' if isinstance(node, First) else 'NLd'} {node.process - 1}"


def as_lists(graph: nx.DiGraph) -> Graph:
    return sorted(map(in_coq, graph)), sorted(f"({in_coq(e)}, {in_coq(f)})" for e, f in graph.edges)


def read_graph(text: str) -> Graph:
    nodes, edges = text.replace("( ", "(").removeprefix("([").removesuffix("])").split("], [")
    return sorted(nodes.split("; ")), sorted(edges.split("; "))


def pairs(texts: tuple[str, ...], n: int) -> list[Instance]:
    programs = [parse_straight_line(text, n) for text in texts]
    return [Instance.of(p, q) for p, q in product(programs, programs)]


def asked(built: Path, folder: Path, function: str, instances: list[Instance]) -> list[str]:
    calls = [f"({function}) {each.n} {actions(each.p)} {actions(each.q)}" for each in instances]
    (folder / "Asked.v").write_text(HEADING + "\n".join(f"Eval vm_compute in {call}." for call in calls))
    command = ["coqc", "-q", "-Q", str(built), "Sealcheck", "Asked.v"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    answers = re.findall(r"^     = (.*?)\n     : ", done.stdout, re.DOTALL | re.MULTILINE)
    return [" ".join(answer.split()) for answer in answers]


@pytest.mark.parametrize(
    ("procedure", "sig", "transcribed"),
    [
        ("Is_Seal_printed", "mended", is_seal.printed),
        ("Is_Seal_printed", "printed", partial(is_seal.printed, sig=printed_throughout.sig_of)),
        ("Is_Seal_line_1_mended", "mended", is_seal.with_line_1_mended),
        ("Is_Seal_mended", "mended", is_seal.repaired),
    ],
)
def test_is_seal(
    built: Path, tmp_path: Path, procedure: str, sig: str, transcribed: Callable[[Instance], bool | str]
) -> None:
    instances = pairs(THREE, 3)
    answers = asked(built, tmp_path, f"fun n p q => {procedure} n ({sig} n p) ({sig} n q)", instances)
    said = {True: "Some true", False: "Some false"}
    assert answers == [said.get(transcribed(each), "None") for each in instances]


@pytest.mark.parametrize(
    ("procedure", "transcribed"),
    [
        ("Signature_Compose_printed", signature_compose),
        ("Signature_Compose_mended", signature_compose_repaired),
    ],
)
def test_signature_compose(
    built: Path, tmp_path: Path, procedure: str, transcribed: Callable[[nx.DiGraph, nx.DiGraph], nx.DiGraph]
) -> None:
    instances = pairs(TWO, 2)
    answers = asked(built, tmp_path, f"fun n p q => {procedure} n (mended n p) (mended n q)", instances)
    expected = [as_lists(transcribed(sig_of(each.p), sig_of(each.q))) for each in instances]
    assert [read_graph(answer) for answer in answers] == expected


@pytest.mark.parametrize(
    ("procedure", "transcribed"),
    [
        ("Deadlock_Free (Program_Graph_mended n p)", deadlock_free.printed),
        ("Deadlock_Free (Program_Graph_printed n p)", deadlock_free.as_printed_throughout),
        ("Deadlock_Free_mended (Program_Graph_mended n p)", deadlock_free.repaired),
    ],
)
def test_deadlock_free(
    built: Path, tmp_path: Path, procedure: str, transcribed: Callable[[Instance], bool]
) -> None:
    instances = [Instance.of(p, p) for p in (parse_straight_line(text, 3) for text in (*THREE, *CROSSED))]
    answers = asked(built, tmp_path, f"fun n (p q : list act) => {procedure}", instances)
    assert answers == [str(transcribed(each)).lower() for each in instances]


@pytest.mark.parametrize(
    ("sig", "transcribed"),
    [("mended", closed_channels.on_mended), ("printed", closed_channels.as_printed_throughout)],
)
def test_closed_channels(
    built: Path, tmp_path: Path, sig: str, transcribed: Callable[[Instance], closed_channels.Channels]
) -> None:
    instances = [Instance.of(p, p) for p in (parse_straight_line(text, 3) for text in (*THREE, CROSSED[0]))]
    answers = asked(
        built, tmp_path, f"fun n (p q : list act) => snd (Closed_Channels n ({sig} n p))", instances
    )
    found = [{(int(i) + 1, int(j) + 1) for i, j in re.findall(r"\((\d), (\d)\)", each)} for each in answers]
    assert found == [{(c.sender, c.receiver) for c in transcribed(each)} for each in instances]


WITHOUT_TREE = (CROSSED[0], 2), (CROSSED[0] + "; snd 2->3; snd 3->2; rcv 2<-3; rcv 3<-2", 3)
"""A program that nothing seals, and the smallest sealable program without a tree."""


def test_seal_without_a_tree(built: Path, tmp_path: Path) -> None:
    programs = [parse_straight_line(text, n) for text, n in WITHOUT_TREE]
    instances = [Instance.of(p, p) for p in programs]
    answers = asked(built, tmp_path, "fun n (p q : list act) => without_tree n (mended n p)", instances)
    made = [seal_repaired(p) for p in programs]
    assert made[0] is None
    assert made[1] is not None
    sends = [e for e in made[1].linearization if e.is_send]
    assert answers == [
        "None",
        f"Some [{'; '.join(f'({e.sender - 1}, {e.receiver - 1})' for e in sends)}]",
    ]
