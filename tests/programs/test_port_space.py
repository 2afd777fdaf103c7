"""The bounded space of layers over ports, compared with slower ways."""

from collections.abc import Iterator
from itertools import islice, product
from random import Random

import pytest
from tests.port_programs import RECEIVES, random_layer

from sealcheck.errors import InputError
from sealcheck.programs.port_space import EVERY_GUARANTEE, WAYS, PortSpace, Way, layers
from sealcheck.programs.ports import Guarantee, Overlap, Port, PortProgram
from sealcheck.programs.protocol import PortPhases, Protocol
from sealcheck.programs.space import Space

Key = tuple[tuple[PortProgram, ...], frozenset[tuple[Port, Guarantee]]]


def one_by_one(n: int, messages: int, count: int) -> Iterator[Key]:
    """All layers of the space in sequence, by trying everything."""
    for numbers in product(range(1, messages + 1), repeat=count):
        for some in product(*(layers(n, each) for each in numbers)) if sum(numbers) == messages else ():
            try:
                ports = PortPhases(some, Protocol.sequence(count)).used
            except Overlap:
                continue
            for chosen in product(EVERY_GUARANTEE, repeat=len(ports)):
                yield some, frozenset(zip(ports, chosen, strict=True))


@pytest.mark.parametrize("size", [(2, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 2), (2, 3, 3), (4, 1, 1)])
def test_canonical_instances_stand_for_all_there_are(size: tuple[int, int, int]) -> None:
    """Each canonical instance stands for all its renamings."""
    space = PortSpace(*size)
    left = set(one_by_one(*size))
    assert len(left) == space.size
    for about, orbit_size in space.canonical():
        orbit = {
            (
                tuple(map(each.program, about.layers)),
                frozenset((each.port(port), about.guarantee(port)) for port in about.used),
            )
            for each in space.renamings
        }
        assert len(orbit) == orbit_size
        assert orbit <= left
        left -= orbit
    assert not left


def test_layers_include_those_of_the_paper_and_random_ones() -> None:
    for n, messages in [(2, 1), (2, 3), (3, 2)]:
        plain = {PortProgram.plain(program) for program in Space(n, messages).programs()}
        found = {p for p in layers(n, messages) if all(e.sender and not e.tag for e in p.events)}
        assert found == plain
    rng = Random(1)
    for _ in range(300):
        layer = random_layer(rng, 3, 2, rng.choice(RECEIVES))
        assert layer in layers(3, layer.messages)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_ranges_are_parts_of_the_whole(way: Way) -> None:
    space = PortSpace(3, 2, 2, way)
    whole = list(space.canonical())
    parts = [space.canonical(start, start + 100) for start in range(0, space.sequences, 100)]
    assert [each for part in parts for each in part] == whole
    assert {(about.open, about.protocol) for about, _ in whole} == {
        (way.open, Protocol.sequence(2, repeat=way.repeat))
    }


def test_a_larger_space_is_counted_without_listing_it() -> None:
    space = PortSpace(3, 3, 2)
    assert (space.sequences, space.size) == (24_888, 4_504_608)
    assert len(list(islice(space.canonical(), 100))) == 100


def test_layers_under_other_guarantees_are_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    (send,) = (each for each in layers(2, 1) if str(each) == "mt 1->2")
    bags = PortPhases((send,), Protocol.sequence(1))
    given = dict.fromkeys(bags.used, EVERY_GUARANTEE[1])
    expected = PortPhases(bags.layers, bags.protocol, given, bags.open)
    monkeypatch.setattr("sealcheck.programs.protocol.require_balanced", lambda *_: pytest.fail("checked"))
    assert bags.under(given) == expected != bags
    with pytest.raises(InputError, match=r"^no layer uses port 1<-2; ports are: 2<-1$"):
        bags.under({Port(1, 2, ""): EVERY_GUARANTEE[1]})


def test_a_space_has_processes_and_layers() -> None:
    with pytest.raises(InputError, match="there must be 2 processes and 1 layer, not 1 and 2"):
        PortSpace(1, 2, 2)
    assert PortSpace(2, 1, 2).size == 0  # each layer has a message
