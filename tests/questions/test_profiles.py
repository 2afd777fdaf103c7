"""`profile-minimal-seal` and `profile-is-sealed`: asked of profiles, and of nothing else."""

import pytest
from tests.questions.asking import answers, who_knows

from sealcheck.algorithms.every_length import profiles
from sealcheck.errors import InputError
from sealcheck.programs.straight_line import Channel, StraightLine, mt, snd
from sealcheck.questions.closed_channels import PROFILE_IS_SEALED, PROFILE_MINIMAL_SEAL, about
from sealcheck.questions.question import Instance
from sealcheck.questions.sealing import SEALABLE
from sealcheck.questions.whole_language import BALANCED

BACK = StraightLine.of(2, mt(2, 1))


def test_a_profile_is_sealed_by_one_message_where_its_shortest_seal_is_that() -> None:
    """Both oracles of both questions say so, of all profiles of two processes."""
    lengths, sealed = set(), set()
    for profile in profiles(2):
        (length,) = answers(PROFILE_MINIMAL_SEAL, [about(2, profile)], solvers=())
        (back,) = answers(PROFILE_IS_SEALED, [about(2, profile, BACK)], solvers=())
        assert len(who_knows(length)) == len(who_knows(back)) == 2
        assert not back.agreed or length.agreed in (0, 1)
        lengths.add(length.agreed)
        sealed.add(back.agreed)
    assert (lengths, sealed) == ({None, 0, 1}, {True, False})


def test_programs_are_no_profiles() -> None:
    """Nobody is asked about what is no profile; nor, of a profile, what programs are asked."""
    profile = next(iter(profiles(2)))
    refused = [
        (PROFILE_MINIMAL_SEAL, Instance.of(BACK)),
        (PROFILE_IS_SEALED, Instance.of(BACK, BACK)),
        (PROFILE_MINIMAL_SEAL, about(2, {Channel(1, 3): 0b100})),
        (PROFILE_MINIMAL_SEAL, about(2, {Channel(3, 1): 0b001})),
        (PROFILE_MINIMAL_SEAL, about(2, {Channel(1, 2): 0b110})),
        (PROFILE_MINIMAL_SEAL, about(2, {Channel(1, 2): 0b001})),
        (PROFILE_IS_SEALED, about(2, profile, StraightLine.of(2, [snd(1, 2)]))),
        (BALANCED, about(2, profile)),
        (SEALABLE, about(2, profile)),
    ]
    for question, instance in refused:
        with pytest.raises(InputError, match=f"^'{question.id}' cannot be asked of"):
            answers(question, [instance], solvers=())
