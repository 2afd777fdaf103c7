"""The explorer of the whole language against the other explorer, and on the paper's examples."""

import pytest

from sealcheck import explorer
from sealcheck.language.parser import parse
from sealcheck.occurrence import occurs
from sealcheck.plays import paths, plays, refuted_by_playing
from sealcheck.programs.global_runs import CutReading, Model
from sealcheck.programs.notions import seals, tcc
from sealcheck.programs.space import Space


@pytest.mark.parametrize(("n", "messages"), [(2, 1), (2, 2), (2, 3), (3, 1)])
def test_sealing_agrees_with_the_explorer_of_straight_line_programs(n: int, messages: int) -> None:
    """The definition, played, has the verdicts of the explorer that counts messages."""
    for of_p in range(messages + 1):
        for p in Space(n, of_p).programs():
            for q in Space(n, messages - of_p).programs():
                refuted = refuted_by_playing(*seals(parse(str(p)), parse(str(q))), n, outside=1)
                assert (refuted is None) == explorer.seals(p, q), (str(p), str(q))


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize(
    "text", ["mt 1->2 (1.x -> y)", "mt 1->2; mt 1->2", "rcv 2<-1; snd 1->2", "(mt 1->2)*"]
)
def test_plays_are_runs_of_their_model(text: str, model: Model) -> None:
    """Every play is a run of the model, and the program occurs over its interval."""
    found = list(plays(parse(text), 2, of=[parse(text)], model=model))
    assert found
    for run, c, d in found:
        run.check(model)
        assert occurs(run, c, d, parse(text))


def test_no_run_is_played_twice() -> None:
    """Interleavings that differ in the order of independent events are one play."""
    found = [repr(play) for play in plays(parse("mt 1->2; mt 2->1"), 2, of=[])]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(("model", "is_tcc"), [(Model.REL, False), (Model.REL_FIFO, True)])
def test_a_transmission_is_tcc_in_relfi_only(model: Model, is_tcc: bool) -> None:
    """The paper's first example (section 4)."""
    assert (refuted_by_playing(*tcc(parse("mt 1->2")), 2, model=model) is None) == is_tcc


def test_events_outside_are_needed() -> None:
    """Without any event outside, a transmission would look TCC in Rel."""
    assert refuted_by_playing(*tcc(parse("mt 1->2")), 2, outside=0) is None


@pytest.mark.parametrize("reading", CutReading)
def test_data_decide_guards(reading: CutReading) -> None:
    """A guard on what was received holds in isolation, and not where another message may arrive."""
    program, without = parse("mt 1->2 (1 -> x); [2.x = 1]"), parse("mt 1->2 (1 -> x)")
    assert refuted_by_playing(without, program, 2, reading=reading) is not None
    alone = parse("cut; mt 1->2 (1 -> x); cut")
    assert refuted_by_playing(alone, program, 2, reading=reading) is None


def test_paths() -> None:
    """A choice doubles the paths, a repetition has one for each number of iterations."""
    assert len(paths(parse("(mt 1->2 + mt 2->1); (1.x := 1)*"), 2, unroll=2)) == 6
