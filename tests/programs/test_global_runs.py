"""Runs with data: the conditions on runs, and interleavings."""

import pytest

from sealcheck.errors import InputError
from sealcheck.programs.runs import GlobalRun, LocalEvent, Place
from sealcheck.programs.semantics import ChannelModel
from sealcheck.programs.straight_line import Channel, mt, rcv, snd

S, R = mt(1, 2)
BACK, ANSWER = mt(2, 1)


def run(*shares, matching):
    events = tuple(
        tuple(LocalEvent(*event) if event else LocalEvent() for event in share) for share in shares
    )
    states = tuple(({},) * (len(share) + 1) for share in shares)
    return GlobalRun(events, states, {Place(*receive): Place(*send) for receive, send in matching.items()})


PLAIN = run([(S, 7), None], [(R, 7)], matching={(2, 1): (1, 1)})
OVERTAKEN = run([(S,), (S,)], [(R,), (R,)], matching={(2, 1): (1, 2), (2, 2): (1, 1)})
FIRST_LOST = run([(S,), (S,)], [(R,)], matching={(2, 1): (1, 2)})
LAST_LOST = run([(S,), (S,)], [(R,)], matching={(2, 1): (1, 1)})
CROSSED_BETWEEN_CHANNELS = run(
    [(S,), (ANSWER,)], [(BACK,), (R,)], matching={(2, 2): (1, 1), (1, 2): (2, 1)}
)  # X of the paper, with each process's send first


@pytest.mark.parametrize("about", [PLAIN, OVERTAKEN, FIRST_LOST, LAST_LOST, CROSSED_BETWEEN_CHANNELS])
def test_runs(about):
    about.check()
    about.check(ChannelModel.REL)


def test_states_are_free():
    GlobalRun(((LocalEvent(S), LocalEvent()), ()), (({}, {"x": 3}, {"y": 4}), ({},)), {}).check()


WRONG = {
    "receive 1 of process 2 is not matched": run([(S,)], [(R,)], matching={}),
    "receive 2 of process 2 is not matched": run([(S,)], [(R,), (R,)], matching={(2, 1): (1, 1)}),
    "receive 1 of process 2 gets 1, but 0 was sent": run([(S, 0)], [(R, 1)], matching={(2, 1): (1, 1)}),
    "receive 2 of process 2 takes a message that another receive takes": run(
        [(S,)], [(R,), (R,)], matching={(2, 1): (1, 1), (2, 2): (1, 1)}
    ),
    "receive 1 of process 2 is matched to an event that does not exist": run(
        [], [(R,)], matching={(2, 1): (1, 1)}
    ),
    "receive 1 of process 2 is matched to an event that is not a send": run(
        [None], [(R,)], matching={(2, 1): (1, 1)}
    ),
    "receive 1 of process 2 is matched to a send on 2->1": run(
        [], [(R,), (BACK,)], matching={(2, 1): (2, 2)}
    ),
    "the matching is about events that are not receives of the run": run(
        [(S,)], [], matching={(1, 1): (1, 1)}
    ),
    "event 1 of process 1 is 'snd 2->1', an event of process 2": run([(BACK,)], [], matching={}),
    "'snd 1->3' names process 3, but the processes are 1..2": run([(snd(1, 3),)], [], matching={}),
    "event 1 of process 1 happens before itself": run(
        [(ANSWER,), (S,)], [(R,), (BACK,)], matching={(1, 1): (2, 2), (2, 1): (1, 2)}
    ),
    # Process 1 only waits for the cycle of 2 and 3.
    "event 1 of process 2 happens before itself": run(
        [(ANSWER,)],
        [(rcv(2, 3),), (BACK,), (snd(2, 3),)],
        [(rcv(3, 2),), (snd(3, 2),)],
        matching={(1, 1): (2, 2), (2, 1): (3, 2), (3, 1): (2, 3)},
    ),
    "every process must have one local state more than it has events": GlobalRun(((), ()), (({},), ()), {}),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_no_run(sentence):
    with pytest.raises(InputError) as refusal:
        WRONG[sentence].check()
    assert str(refusal.value) == sentence


def test_states_of_a_process_that_does_not_exist():
    with pytest.raises(InputError, match="one local state more"):
        GlobalRun(((),), (({},), ({},)), {}).check()


@pytest.mark.parametrize(("about", "number"), [(OVERTAKEN, 1), (FIRST_LOST, 1)])
def test_what_is_no_run_of_relfi(about, number):
    with pytest.raises(InputError, match=rf"^receive {number} on 1->2 does not take message {number}$"):
        about.check(ChannelModel.REL_FIFO)


@pytest.mark.parametrize("about", [PLAIN, LAST_LOST, CROSSED_BETWEEN_CHANNELS])
def test_runs_of_relfi(about):
    about.check(ChannelModel.REL_FIFO)


@pytest.mark.parametrize("about", [PLAIN, OVERTAKEN, FIRST_LOST, CROSSED_BETWEEN_CHANNELS])
def test_interleavings_respect_the_processes_and_the_matching(about):
    order = about.interleaving()
    assert sorted(order) == [
        Place(process, position)
        for process, events in enumerate(about.events, 1)
        for position in range(1, len(events) + 1)
    ]
    at = {place: number for number, place in enumerate(order)}
    for process, events in enumerate(about.events, 1):
        numbers = [at[Place(process, position)] for position in range(1, len(events) + 1)]
        assert numbers == sorted(numbers)
    assert all(at[send] < at[receive] for receive, send in about.matching.items())


def test_places():
    assert PLAIN.places(Channel(1, 2), sends=True) == [Place(1, 1)]
    assert OVERTAKEN.places(Channel(1, 2), sends=False) == [Place(2, 1), Place(2, 2)]
    assert OVERTAKEN.places(Channel(2, 1), sends=True) == []
    to_itself = run([(snd(1, 1),), (rcv(1, 1),)], matching={(1, 2): (1, 1)})
    assert to_itself.places(Channel(1, 1), sends=True) == [Place(1, 1)]
    assert to_itself.places(Channel(1, 1), sends=False) == [Place(1, 2)]
    assert PLAIN.at(Place(2, 1)) == LocalEvent(R, 7)
