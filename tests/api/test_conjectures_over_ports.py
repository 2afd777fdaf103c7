"""Statements of users about layers over ports."""

import json
import shlex
from collections.abc import Iterable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from sealcheck import Conjecture, Layers, audit, check, conjecture
from sealcheck.api.conjectures import LIMIT, _renamings
from sealcheck.cli.main import main
from sealcheck.errors import InputError
from sealcheck.questions.instance import Instance
from sealcheck.testing import processes
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.statement import Outcome
from sealcheck.theorems.checking.targets import canonical_port_instances, layers_over_ports

FILE = Path(__file__).parents[2] / "examples" / "port_statements.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("port_statements", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tags(example: Any) -> Any:
    return check(example.tags_are_enough, n=2, messages=1)


def roots(*given: Any) -> set[str]:
    return {each["port"] for each in Layers(*given).answer().to_json()["interfering"]}


@pytest.mark.parametrize("level", [(2, 1), (2, 2), (3, 1)])
def test_every_instance_is_looked_at_once(level: tuple[int, int]) -> None:
    found = [renamed for each in canonical_port_instances(*level) for renamed, _ in _renamings(each)]
    assert len(found) == len(set(found)) == layers_over_ports(*level).size


def test_what_holds_is_verified() -> None:
    assert check(lambda *given: bool(Layers(*given).answer()), against="port-phases", n=3, messages=1)
    found = check(roots, against="interfering-ports", n=3, messages=1)
    assert found
    assert (found.instances, found.vacuous) == (96, 0)


def test_what_fails_is_refuted_by_a_smallest_instance() -> None:
    """Two layers that one sender begins, over a port without order; one layer is not enough."""
    found = check(lambda layers, *_: len(layers) < 2 or None, against="port-phases", n=2, messages=2)
    assert not found
    assert isinstance(found.counterexample, Layers)
    assert [*map(str, found.counterexample.layers)] == ["mt 1->2"]
    assert found.counterexample[1:] == ({}, False, True)
    assert found.why == "for mt 1->2   (open), the prediction is True, but the answer is False"


def test_renaming_does_not_hide_a_counterexample() -> None:
    def wrong_about_one(layers: Any, ports: Any, repeat: bool, open: bool) -> Any:
        return {"1<-3"} if open and repeat and ports == {"1<-3:x": ["lossy"]} else None

    found = check(wrong_about_one, against="interfering-ports", n=3, messages=1)
    assert found.why == (
        "for mt 3->1:x   (1<-3:x=lossy)   (open)   (repeat), the prediction is ['1<-3'],"
        " but the answer is ['1<-3:x']"
    )
    assert found.counterexample == (processes_of("mt 3->1:x"), {"1<-3:x": ["lossy"]}, True, True)


def processes_of(text: str) -> list[Any]:
    return [processes(text, n=3, ports=True)]


@pytest.mark.parametrize(
    ("against", "prediction", "says"),
    [
        ("port-phases", lambda *_: True, False),
        ("port-phases", lambda *_: False, True),
        ("interfering-ports", lambda *_: set(), False),
        ("interfering-ports", lambda *_: {"2<-1"}, True),
        ("interfering-ports", lambda *_: bool, True),
    ],
)
def test_what_is_refuted_comes_with_evidence(against: str, prediction: Any, says: bool) -> None:
    found = check(prediction, against=against, n=2, messages=1)
    assert isinstance(found.counterexample, Layers)
    assert found.evidence is not None
    assert bool(found.evidence) is says
    assert found.evidence.verify()
    assert str(found.evidence.draw())
    assert found._repr_html_().count("<tr>") == 6 + found.counterexample.open


@pytest.mark.parametrize(
    ("flags", "code"),
    [((), 0), (("2<-1=fifo",), 0), (("2<-1=fifo, lossy", "open"), 1), (("repeat",), 1), (("open",), 1)],
)
def test_a_command_prints_the_certificate(
    flags: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    instance = next(each for each in canonical_port_instances(2, 1) if each.flags == flags)
    (claim,) = conjecture("it is so", against="port-phases")(lambda *_: code == 1).statement.claims
    assert claim.explain is not None
    with inline(()) as ask:
        _, command = claim.explain(instance, ask).split("certificate: ")
    assert main(shlex.split(command)[1:]) == code
    certificate = json.loads(capsys.readouterr().out)["certificate"]
    assert certificate["kind"] == "ports"
    assert certificate["ports"] == {port: words.split(", ") for port, words in instance.said.items()}
    assert certificate["open"] == ("open" in flags)
    assert certificate["protocol"][0] == ("any" if "repeat" in flags else "then")


def test_a_prediction_may_be_about_a_part_of_the_answer() -> None:
    def with_open_bags(layers: Any, ports: Any, repeat: bool, open: bool) -> Any:
        bags = {port for port in layers[0].ports if port not in ports}
        return (lambda found: found >= bags) if open else None

    assert check(with_open_bags, against="interfering-ports", n=3, messages=1)
    found = check(lambda *_: lambda found: not found, against="interfering-ports", n=2, messages=1)
    assert found.why == "for mt 1->2   (open), the prediction is something else, but the answer is ['2<-1']"
    assert check(lambda p: lambda least: least in (None, 0, 1), against="minimal-seal", n=2, messages=1)
    with pytest.raises(InputError, match=r"must return True or False, not 1"):
        check(lambda *_: lambda found: 1, against="port-phases", n=2, messages=1)


def test_a_list_is_no_set() -> None:
    found = check(lambda *_: [], against="interfering-ports", n=2, messages=1)
    assert found.why == "for mt 1->2, the prediction is [] (a list), but the answer is []"


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ({"n": 3, "messages": 3}, "the instances with n = 3 and 3 messages are too many: .* at most 2"),
        ({"n": 5}, "n must be at most 4, not 5"),
    ],
)
def test_larger_bounds_are_refused(bound: dict[str, int], message: str) -> None:
    """The default is 2 messages; 3 processes with 3 messages have 38 million instances."""
    with pytest.raises(InputError, match=message):
        check(lambda *_: None, against="port-phases", **bound)


def test_a_conjecture_can_be_called(example: Any, tags: Any) -> None:
    assert example.order_is_enough(["mt 1->2:a", "mt 1->2:a"], {"2<-1:a": ["fifo"]}) is True
    assert example.order_is_enough(["mt 1->2:a", "mt 1->2:a"]) is None
    assert tags.counterexample is not None
    assert example.tags_are_enough(*tags.counterexample) is True
    with pytest.raises(InputError, match=r"no layer uses port 1<-2; ports are: 2<-1"):
        example.order_is_enough(["mt 1->2"], {"1<-2": ["fifo"]})
    with pytest.raises(InputError, match=r"layer 2: .*column 1"):
        example.order_is_enough(["mt 1->2", "1->2"])


def test_the_question_may_be_about_other_layers(example: Any, tags: Any) -> None:
    """A remedy changes the layers. The counterexample shows the layers before the remedy."""

    def once(layers: Any, ports: Any, repeat: bool, open: bool) -> Any:
        return None if repeat or open else True

    made = conjecture("tags are enough once", against="port-phases", of=example.with_tags)(once)
    two = [each for each in canonical_port_instances(2, 2) if len(each.programs) == 2]
    assert not refuting(made, two)
    without = conjecture("nothing is enough once", against="port-phases")(once)
    assert len(refuting(without, two)) == 2 * 5
    found = tags
    assert found.why == (
        "for mt 1->2:1   (repeat), made of mt 1->2   (repeat), the prediction is True,"
        " but the answer is False"
    )
    assert found.counterexample == Layers.read(["mt 1->2"], {}, repeat=True)
    assert found.evidence is not None
    assert [each["port"] for each in found.evidence.to_json()["interfering"]] == ["2<-1:1"]


def test_a_change_must_fit() -> None:
    with pytest.raises(InputError, match="'of' makes layers over ports, but 'is-seal' is asked of P, Q: "):
        conjecture("it is so", against="is-seal", of=Layers.read)
    programs: Any = ["snd 1->2"]

    def check_changed(made: Any) -> None:
        check(
            conjecture("it is so", against="port-phases", of=lambda *_: made)(lambda *_: True),
            n=2,
            messages=1,
        )

    with pytest.raises(InputError, match=r"must return Layers, not \['snd 1->2'\]"):
        check_changed(programs)
    with pytest.raises(InputError, match="layer 1 is not balanced"):
        check_changed(Layers(programs, {}, False, False))

    def from_any(*given: Any) -> Layers:
        return Layers.read(["snd 1->2; rcv 2<-*"], {"2<-*": ["fifo"]}, open=True)

    same = conjecture("it is so", against="interfering-ports", of=from_any)
    assert check(same(lambda layers, *_: set() if len(layers[0]) == 2 else {"2<-*"}), n=3, messages=1)


def test_the_examples(example: Any, tags: Any) -> None:
    assert tags.verdict == "refuted"
    assert check(example.order_of_one_sender, n=2, messages=1)
    assert not refuting(example.order_of_one_sender, every_seventh(2, 2))
    assert check(example.order_is_enough, n=2, messages=1)
    ordered = (each for each in canonical_port_instances(3, 2) if each.flags == ("3<-*=fifo",))
    assert str(min(refuting(example.order_is_enough, ordered), key=lambda each: each.size)) == (
        "P = snd 2->3; rcv 3<-*   Q = snd 1->3; rcv 3<-*   (3<-*=fifo)"
    )


def every_seventh(n: int, messages: int) -> Iterator[Instance]:
    return islice(canonical_port_instances(n, messages), 0, None, 7)


def refuting(about: Conjecture, instances: Iterable[Instance]) -> list[Instance]:
    (claim,) = about.statement.claims
    assert claim.check is not None
    with inline(()) as ask:
        return [each for each in instances if claim.check(each, ask) is Outcome.FAILS]


def test_an_audit_of_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rows = audit(str(FILE), n=2, messages=1)
    assert [row.to_json()["verdict"] for row in rows] == ["verified", "verified", "refuted"]
    last = rows[-1].to_json()
    assert last["evidence"]["limits"] == [LIMIT] == ["layers of up to 4 processes and 2 messages in all"]
    counterexample = last["counterexample"]
    assert counterexample["programs"] == ["mt 1->2"]
    assert (counterexample["ports"], counterexample["repeat"], counterexample["open"]) == ({}, True, False)
    command = "sealcheck phases 'mt 1->2:1' --repeat --n 2 --json"
    assert counterexample["why"].endswith(f"certificate: {command}")
    assert "P, round 1" in str(rows[-1].draw())
    assert "takes message 2 of P, round 2" in str(rows[-1])


def test_a_plan_of_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    one = f"{FILE}::order-is-enough"
    assert main(["audit", one, "--n", "2", "--messages", "4", "--plan", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [part["instances"] for part in found["statements"]] == [48 + 4752]
    assert [asked["question"] for asked in found["questions"]] == ["port-phases"]
