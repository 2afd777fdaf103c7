"""A changed theorem must be read against its claim again."""

import re
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from sealcheck.errors import Disagreement
from sealcheck.evidence import coq
from sealcheck.evidence import reviewed as module
from sealcheck.evidence.coq import named
from sealcheck.evidence.reviewed import main, not_reviewed, readings, require_reviewed, reviewed
from sealcheck.theorems.checking.record import SOURCES, needed, sources


class Weakened(NamedTuple):
    """A weaker theorem, as `tests/proofs/weakened.toml` describes it."""

    theorem: str
    old: str
    new: str
    why: str
    of: str = ""


LISTED = tomllib.loads((Path(__file__).parents[1] / "proofs" / "weakened.toml").read_text())
CONCLUSIONS = [Weakened(**each) for each in LISTED["conclusion"]]
DEFINITIONS = [Weakened(**each) for each in LISTED["definition"]]
TEXTS = sources(SOURCES)
READINGS = list(readings())
REVIEWED = reviewed()
THEOREMS = {theorem.name: theorem for theorem in named()}


def changed(fault: Weakened) -> dict[str, str]:
    theorem = THEOREMS[fault.theorem]
    head = re.compile(
        rf"^(?:Theorem|Corollary|Definition|Fixpoint|Inductive|Record) {fault.of or fault.theorem}\b", re.M
    )
    files = [f"{each}.v" for each in needed(TEXTS, [theorem])] if fault.of else [theorem.file]
    places = [(file, found.start()) for file in files for found in head.finditer(TEXTS[file])]
    old = re.compile(r"\s+".join(map(re.escape, fault.old.split())))
    for file, start in places:
        before, sentence = TEXTS[file][:start], TEXTS[file][start:]
        stop = re.search(r"\.\s", sentence).start()
        if len(old.findall(sentence[:stop])) == 1:
            new = old.sub(lambda _: fault.new, sentence[:stop])
            return {**TEXTS, file: before + new + sentence[stop:]}
    raise AssertionError(f"{fault.old} is not once in {fault.of or fault.theorem}")


def test_every_theorem_has_been_read_as_it_is_now():
    """If this fails, `python -m sealcheck.evidence.reviewed` prints what to read."""
    assert not_reviewed(REVIEWED, READINGS, TEXTS) == ([], [])


@pytest.mark.parametrize(
    "fault", [*CONCLUSIONS, *DEFINITIONS], ids=lambda fault: f"{fault.theorem}: {fault.why}"
)
def test_what_says_less_has_to_be_read_again(fault):
    mine = [reading for reading in READINGS if reading.theorem.name == fault.theorem]
    assert not_reviewed(REVIEWED, mine, changed(fault))[0] == mine


def test_every_theorem_has_a_weakened_conclusion_and_a_third_a_weakened_definition():
    assert sorted(fault.theorem for fault in CONCLUSIONS) == sorted(THEOREMS)
    assert len({fault.theorem for fault in DEFINITIONS}) * 3 >= len(THEOREMS)
    assert len(set(DEFINITIONS)) == len(DEFINITIONS)


@pytest.mark.parametrize("change", ["claim", "of", "form", "against it"])
def test_a_claim_that_changes_has_to_be_read_again(change):
    reading = READINGS[0]
    other = {
        "claim": replace(reading, claim=reading.claim + " and more"),
        "of": replace(reading, theorem=replace(reading.theorem, of="all programs")),
        "form": replace(reading, form="repaired"),
        "against it": replace(reading, refutes=True),
    }[change]
    assert not_reviewed(REVIEWED, [other, *READINGS[1:]], TEXTS)[0] == [other]


def test_a_line_that_no_claim_needs_is_noticed():
    assert not_reviewed(REVIEWED, READINGS[1:], TEXTS) == ([], [READINGS[0].name])


@pytest.fixture
def weakened(tmp_path, monkeypatch):
    shutil.copy(SOURCES / "reviewed.toml", tmp_path)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    fault = next(fault for fault in CONCLUSIONS if fault.theorem == "seal_size")
    (tmp_path / "Bsl.v").write_text(changed(fault)["Bsl.v"])
    for where in (module, coq):
        monkeypatch.setattr(where, "SOURCES", tmp_path)
    monkeypatch.setattr(module, "REVIEWED", tmp_path / "reviewed.toml")
    monkeypatch.setattr(coq, "RECORD", tmp_path / "record.json")
    return tmp_path


def test_nothing_goes_on_record_before_it_is_reviewed(weakened, monkeypatch):
    monkeypatch.setattr(coq, "build", lambda *_, **__: ())
    with pytest.raises(
        Disagreement, match=r"reviewed.toml is not up to date about: seal-size, .*seal_size\. Run"
    ):
        coq.main()
    assert not (weakened / "record.json").exists()
    require_reviewed(TEXTS)


def test_the_command_prints_what_to_read_and_writes_nothing(weakened, monkeypatch, capsys):
    files = {file: file.read_bytes() for file in weakened.iterdir()}
    monkeypatch.setattr("sys.argv", ["reviewed"])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr().out
    assert end.value.code == 1
    assert printed.startswith("Claim: let P be a BSL without self-channels. If a BSL seals P properly")
    assert "messages s < 300 * n.\n" in printed
    ((key, digest),) = re.findall(r'^"(seal-size, .*)" = "(\w+)"$', printed, re.M)
    monkeypatch.setattr("sys.argv", ["reviewed", "seal_size"])
    main()
    assert "Definition messages (s : list act) := length (filter is_send s).\n" in capsys.readouterr().out
    assert {file: file.read_bytes() for file in weakened.iterdir()} == files

    file = weakened / "reviewed.toml"
    file.write_text(re.sub(rf'(?m)^"{key}".*', f'"{key}" = "{digest}"', file.read_text()))
    monkeypatch.setattr("sys.argv", ["reviewed"])
    main()
    assert capsys.readouterr().out == ""
