"""Ports that are alike, compared with all renamings; shortened runs, checked by the kernel."""

import json
from itertools import permutations
from random import Random

from tests.port_programs import random_phases

from sealcheck.algorithms.alike import alike
from sealcheck.algorithms.ports import decide_ports
from sealcheck.errors import LimitReached
from sealcheck.kernel.ports import check_ports
from sealcheck.operations.port_answers import certificate, root_document
from sealcheck.programs.ports import Port
from sealcheck.programs.protocol import PortPhases


def renamings(about: PortPhases) -> list[tuple[int, ...]]:
    found = []
    for images in permutations(range(1, about.n + 1)):
        image = (0, *images)
        given = {renamed(port, image): words for port, words in about.guarantees.items()}
        shares = all(
            [each._replace(sender=image[each.sender], receiver=image[each.receiver]) for each in share]
            == list(layer.shares[image[process] - 1])
            for layer in about.layers
            for process, share in enumerate(layer.shares, 1)
        )
        if shares and given == dict(about.guarantees):
            found.append(image)
    return found


def renamed(port: Port, image: tuple[int, ...]) -> Port:
    return Port(image[port.reader], image[port.sender], port.tag)


def test_alike_ports_are_those_of_all_renamings():
    for seed in range(300):
        about = random_phases(Random(seed))
        known = renamings(about)
        for port in about.used:
            assert set(alike(about, port, about.used)) == {renamed(port, image) for image in known}


def test_shortened_runs_are_runs():
    """A shortened run is seldom invalid; with these programs, seeds 568 and 827 are the first such cases."""
    for seed in range(900):
        try:
            decision = decide_ports(random_phases(Random(seed)))
        except LimitReached:
            continue
        for found in decision.interfering:
            short = found.shortened()
            assert len(short.run.order) <= len(found.run.order)
            documents = [root_document(short if each is found else each) for each in decision.interfering]
            check_ports(*json.loads(json.dumps([certificate(decision), documents])))
