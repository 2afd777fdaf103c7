"""The cases from public projects: verdicts, root causes, and the projects' remedies."""

import re
from pathlib import Path

import pytest
from tests.cli.conftest import _width, ask

__all__ = ["_width", "ask"]

CASES = Path(__file__).parents[1] / "examples" / "cases"
TAGS: dict[str, dict[str, int | None]] = {
    "cabana": {"2<-*": 1},
    "cabana-tagged": {},
    "dealii": dict.fromkeys(["1<-*", "2<-*", "3<-*", "4<-*"], 3),
    "dealii-tagged": {},
    "diy": {"2<-*": 2},
    "etcd": {"1<-2": None, "2<-1": None},
    "fauxqs": {"2<-1": 1},
    "grpc-java": {"2<-1": 1},
    "http3": {"2<-1:request": 1},
    "http3-immutable": {},
    "mpich-5660": {},
    "pytorch-94819": {},
    "stempy": {"1<-*": 1},
}
"""The root causes of each case, with the number of values that a tag needs besides the layer."""


def test_every_case_is_here() -> None:
    files = {path.stem: path.name for path in CASES.glob("*.phases")}
    assert files.keys() == TAGS.keys()
    assert set(re.findall(r"\((\S+\.phases)\)", (CASES / "README.md").read_text())) == {*files.values()}


@pytest.mark.parametrize("name", TAGS)
def test_verdicts_and_root_causes(ask, name):
    reply = ask("phases", f"@{CASES / name}.phases", "--json")
    assert reply.code == bool(TAGS[name])
    document = reply.document
    assert [each["port"] for each in document["interfering"]] == [*TAGS[name]]
    assert not TAGS[name] or document["remedies"]["tags"] == TAGS[name]


@pytest.mark.parametrize(
    ("name", "remedy", "value"),
    [
        ("stempy", "name_sources", ["1<-*"]),
        ("grpc-java", "order", ["2<-1"]),
        ("diy", "messages", 2),
        ("http3", "messages", 1),
        ("etcd", "messages", None),
        ("fauxqs", "messages", None),
    ],
)
def test_remedies(ask, name, remedy, value):
    assert ask("phases", f"@{CASES / name}.phases", "--json").document["remedies"][remedy] == value


@pytest.mark.parametrize(
    ("name", "transport"), [("grpc-java", "grpc-stream"), ("fauxqs", "sqs-fifo"), ("mpich-5660", "tcp")]
)
def test_order_is_enough(ask, name, transport):
    assert ask("phases", f"@{CASES / name}.phases", "--transport", transport).code == 0


def test_two_values_of_the_tag_are_not_enough_for_deal_ii(ask, tmp_path):
    """The round modulo 2 goes wrong on every port."""
    lines = (CASES / "dealii-tagged.phases").read_text().splitlines()
    kept = [line.replace(" round-2)", ")") for line in lines if not line.startswith("layer round-2")]
    (tmp_path / "two.phases").write_text("\n".join(kept))
    document = ask("phases", f"@{tmp_path / 'two.phases'}", "--json").document
    ports = [f"{reader}<-*:{tag}" for reader in range(1, 5) for tag in range(2)]
    assert document["remedies"]["tags"] == dict.fromkeys(ports, 2)


def test_the_tag_of_mpich_would_be_needed_without_order(ask):
    document = ask("phases", f"@{CASES / 'mpich-5660'}.phases", "--order", "bag", "--json").document
    assert document["remedies"]["tags"] == {"1<-2": 2, "2<-1": 2}


def test_the_receives_of_cabana_overlap_if_one_round_names_its_sources(ask):
    layers = "snd 1->2; snd 3->2; rcv 2<-*; rcv 2<-*", "snd 1->2; snd 3->2; rcv 2<-1; rcv 2<-3"
    reply = ask("phases", *layers, "--order", "fifo")
    assert reply.code == 2
    assert "overlap" in reply.err
    searched = ask("phases", *layers, "--order", "fifo", "--search", "--json").document
    assert [each["port"] for each in searched["interfering"]] == ["2<-*"]
