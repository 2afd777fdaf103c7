"""`port-phases` and `interfering-ports`: all oracles agree."""

from collections.abc import Sequence
from random import Random

import pytest
from tests.port_programs import random_phases
from tests.questions.asking import answers, who_knows

from sealcheck.encodings.solvers import SMT_SOLVERS
from sealcheck.errors import InputError, LimitReached
from sealcheck.language.ports import parse_layers
from sealcheck.programs.port_space import WAYS, PortSpace, Way
from sealcheck.programs.protocol import Expression, PortPhases
from sealcheck.programs.semantics import ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.questions.asking import Asked, read_asked
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.questions.phases import INTERFERING_CHANNELS
from sealcheck.questions.ports import INTERFERING_PORTS, PORT_PHASES
from sealcheck.questions.whole_language import OCCURS

EVERYBODY = {"counting", "explorer", *SMT_SOLVERS}


def of(about: PortPhases, *flags: str) -> Instance:
    guarantees = [f"{port}={guarantee}" for port, guarantee in about.guarantees.items() if any(guarantee)]
    return Instance(about.n, about.layers, (*guarantees, *(["open"] if about.open else []), *flags))


def over(*texts: str, flags: tuple[str, ...] = ()) -> Instance:
    n, _, layers = parse_layers({f"layer {k}": text for k, text in enumerate(texts, 1)}, None)
    return Instance(n, tuple(layers), flags)


def check(instances: Sequence[Instance], solvers: Sequence[str]) -> tuple[set[bool], list[set[str]]]:
    """Check that both questions have the same answer; return the answers, and who knew the second."""
    safe, wrong = (answers(each, instances, solvers=solvers) for each in (PORT_PHASES, INTERFERING_PORTS))
    assert [each.agreed for each in safe] == [not each.agreed for each in wrong]
    assert all("kernel" in each.said for each in safe)
    return {each.agreed for each in safe}, [who_knows(each) for each in wrong]


WHOLE = [((2, 2, 2), 1), ((2, 2, 1), 1), ((3, 2, 2), 5)]


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(
    ("size", "every"),
    [((2, 2, 2), 3), ((2, 2, 1), 3), ((3, 2, 2), 11)]
    + [pytest.param(*each, marks=pytest.mark.larger) for each in WHOLE],
)
def test_all_oracles_agree(size: tuple[int, int, int], every: int, way: Way) -> None:
    flags = ["repeat"] if way.repeat else []
    instances = [of(found.about, *flags) for found in PortSpace(*size, way).canonical()][::every]
    found, known = check(instances, ())
    assert found == {True, False} or size[2] == 1
    assert all({"counting", "explorer"} <= each for each in known)
    assert any("signatures" in each for each in known)
    _, known = check(instances[::7], SMT_SOLVERS[:1])
    assert all({"counting", "explorer", SMT_SOLVERS[0]} <= each for each in known)


@pytest.mark.parametrize("seed", range(2))
def test_all_that_know_an_answer_agree_on_protocols(seed: int) -> None:
    rng = Random(seed)
    abouts = [random_phases(rng) for _ in range(60)]
    instances = [of(about, f"protocol={_text(about.protocol.expression)}") for about in abouts]
    found, known = check(instances, SMT_SOLVERS)
    assert found == {True, False}
    assert sum(each >= EVERYBODY for each in known) > 5


def _text(expression: Expression) -> str:
    if isinstance(expression, int):
        return NAMES[expression]
    kind, *inner = expression
    parts = [f"({_text(each)})" for each in inner]  # type: ignore[arg-type]
    return ("|" if kind == "or" else " ").join(parts) + {"any": "*", "some": "+"}.get(str(kind), "")


def test_an_instance_is_read_as_it_was_written() -> None:
    instance = over("snd 1->2:x; rcv 2<-*:x", "mt 2->1", flags=("2<-*:x=fifo, lossy", "protocol=(P Q?)*"))
    asked = Asked(INTERFERING_PORTS, instance)
    assert read_asked(*asked.columns) == asked
    assert str(instance) == (
        "P = snd 1->2:x; rcv 2<-*:x   Q = mt 2->1   (2<-*:x=fifo, lossy)   (protocol=(P Q?)*)"
    )
    (found,) = answers(INTERFERING_PORTS, [instance])
    assert INTERFERING_PORTS.answer.to_json(found.agreed) == ["2<-*:x"]
    assert INTERFERING_PORTS.answer.from_json(["2<-*:x"]) == found.agreed
    assert sorted([instance, over("eps")])[1] == instance


def test_programs_of_the_paper_are_layers_over_ports() -> None:
    layers = [StraightLine.of(2, mt(*channel)) for channel in ((1, 2), (1, 2), (2, 1))]
    for flags in ((), ("repeat",), ("open",)):
        instance = Instance.of(*layers, flags=flags)
        (channels,), (ports,) = (
            answers(INTERFERING_CHANNELS, [instance]),
            answers(INTERFERING_PORTS, [instance]),
        )
        assert {(port.sender, port.reader) for port in ports.agreed} == channels.agreed
        assert "signatures" in ports.said


@pytest.mark.parametrize(
    ("texts", "flags"),
    [
        (("snd 1->2",), ()),
        (("mt 1->2; rcv 2<-*; snd 3->2",), ()),
        (("mt 1->2",), ("often",)),
        (("mt 1->2",), ("2<-3=fifo",)),
        (("mt 1->2",), ("2<-1=slow",)),
        (("mt 1->2",), ("protocol=P Q",)),
        (("mt 1->2",), ("protocol=P", "repeat")),
    ],
)
def test_nothing_else_is_asked_about(texts: tuple[str, ...], flags: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="'port-phases' cannot be asked of"):
        answers(PORT_PHASES, [over(*texts, flags=flags)])


def test_oracles_abstain_beyond_their_bounds() -> None:
    (found,) = answers(PORT_PHASES, [over("; ".join(["mt 1->2"] * 9))])
    assert found.abstained["explorer"] == "a word has more than 16 events"
    assert found.abstained["z3"] == "a word has more than 12 events"
    (found,) = answers(PORT_PHASES, [over("mt 1->2", "eps", flags=("protocol=(P|Q)(P|Q)(P|Q)(P|Q)(P|Q)",))])
    assert found.abstained["explorer"] == "there are more than 20 words"
    (found,) = answers(PORT_PHASES, [over("mt 1->2", flags=("repeat",))], Semantics(unroll=1))
    assert found.abstained["explorer"] == "one round does not show what happens in several rounds"
    (found,) = answers(PORT_PHASES, [over("mt 1->2:x")], Semantics(model=ChannelModel.REL_FIFO))
    with pytest.raises(LimitReached, match="no oracle can answer"):
        found.agreed  # noqa: B018


def test_no_other_question_is_about_ports() -> None:
    with pytest.raises(InputError, match="'occurs' cannot be asked of"):
        answers(OCCURS, [over("mt 1->2:x")])
