"""Recordings of training jobs as layers of `sealcheck phases`."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sealcheck.language.training_jobs import CONVERSION

ROOT = Path(__file__).parents[2]
ORDER = (
    "sealcheck: assumed (recorded-order): the operations of a rank happen in the order in which they are"
    " recorded"
)
NCCL = "sealcheck: assumed: the ranks communicate only over NCCL: its recorder sees nothing else\n"
ALL = "(rank0, rank1, rank2)\n"


@pytest.fixture(autouse=True)
def _examples(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples" / "training", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def test_order_keeps_microbatches_apart(ask):
    """NCCL keeps the order of each pair."""
    found = ask("phases", "@pipeline", "--split-at", "microbatch")
    assert (found.code, found.err) == (0, f"{NCCL}{ORDER} {ALL}")
    found = ask("phases", "@pipeline", "--split-at", "microbatch", "--order", "bag", "--json")
    assert (found.code, found.document["layers"]) == (1, ["microbatch 1", "microbatch 2"])
    assert [each["port"] for each in found.document["interfering"]] == ["2<-1:p2p", "3<-2:p2p"]
    assert {each["send"]["layer"] for each in found.document["interfering"]} == {2}
    assert ask("verify", "-", stdin=found.out.encode()).code == 0


def test_a_recorded_job_is_read(ask):
    found = ask("phases", "@gloo", "--split-at", "step", "--order", "bag", "--json")
    assert (found.code, found.document["layers"]) == (0, ["step 1", "step 2"])
    assert found.err.startswith(
        "sealcheck: assumed: the ranks communicate only by collectives of Gloo: its recorder"
    )


def test_traces_of_chakra_are_read(ask):
    left_open = "sealcheck: assumed: no receive is from any source, which Chakra does not record\n"
    shared = "sealcheck: assumed: receives on rank1<-*:7 name their source (otherwise give --any-source)\n"
    found = ask("phases", "@chakra", "--split-at", "exchange")
    assert (found.code, found.err) == (1, f"{left_open}{shared}{ORDER} {ALL}")
    assert "rank1<-rank0:7 (bag): a receive of exchange 1 can take a message of exchange 2." in found.out
    assert ask("phases", "@chakra", "@pipeline", "--any-source", "all", "--transport", "nccl").code == 0
    for more, code in ((["--transport", "nccl"], 0), (["--any-source", "7", "--transport", "nccl"], 1)):
        assert ask("phases", "@chakra", "--split-at", "exchange", *more).code == code


def test_files_are_named_by_a_folder_or_a_pattern(ask):
    assert ask("phases", "@pipeline/", "@gloo", "--order", "fifo").code == 0
    found = ask("phases", "@pipeline", "@pipeline/rank_?.json", "--json")
    assert found.document["layers"] == ["pipeline 1", "pipeline 2"]
    Path("pipeline/notes.md").write_text("x")
    shutil.copy("pipeline/rank_1.json", "pipeline/rank_1")
    found = ask("phases", "@pipeline")
    assert (found.code, found.err.split("\n")[0]) == (
        0,
        "sealcheck: left out of pipeline: 2 entries (only files with a rank at the end of their names are"
        " read)",
    )


def test_protocols_have_jobs_as_layers(ask):
    Path("job.phases").write_text("layer batch: @pipeline\nprotocol: batch*\n")
    assert ask("phases", "@job.phases").code == 0


def test_pickles_are_converted(ask):
    os.remove("pipeline/rank_1.json")
    dump = json.loads(Path("pipeline/rank_0.json").read_text())
    Path("pipeline/rank_1").write_bytes(pickle.dumps(dump, protocol=2))
    command = CONVERSION.format("rank_1")
    found = ask("phases", "@pipeline")
    assert (found.code, found.err) == (
        2,
        "sealcheck: layer 1: pipeline: rank_1: pickles are not read, because they can run programs."
        f" If you trust this file, convert it by {command}\n",
    )
    command = command.replace("python3", sys.executable, 1)
    subprocess.run(command, shell=True, check=True, cwd="pipeline")
    assert json.loads(Path("pipeline/rank_1.json").read_text()) == dump


def test_messages_of_chakra_are_read(ask):
    shutil.rmtree("chakra")
    Path("chakra").mkdir()
    for rank, kind in enumerate((5, 6)):
        peer = b"\x52\x0c\x0a\x08comm_" + (b"dst" if kind == 5 else b"src") + bytes([0x38, 1 - rank])
        node = b"\x08\x01\x18" + bytes([kind]) + peer
        Path(f"chakra/trace.{rank}.et").write_bytes(b"\x00" + bytes([len(node)]) + node)
    assert ask("phases", "@chakra", "--json").document["layers"] == ["chakra"]
    assert ask("phases", "@chakra/trace.0.et").err == (
        "sealcheck: layer 1: chakra/trace.0.et: this is the recording of one rank: give the folder with"
        " the recordings of all ranks\n"
    )


def _without(*names):
    for name in names:
        os.remove(name)


REFUSED = {
    "layer 1: pipeline: 2 ranks have no file: 0, 1": lambda: _without(
        "pipeline/rank_0.json", "pipeline/rank_1.json"
    ),
    "layer 1: pipeline: 1 rank has no file: 1": lambda: _without("pipeline/rank_1.json"),
    "layer 1: pipeline: 999999997 ranks have no file: 2, 3, 4, 5, 6, 999999992 more": lambda: os.rename(
        "pipeline/rank_2.json", "pipeline/rank_999999999.json"
    ),
    "layer 1: pipeline: trace.1.json: rank_1.json is of rank 1, too": lambda: shutil.copy(
        "chakra/trace.1.json", "pipeline"
    ),
    "layer 1: pipeline: trace.3.json: it is of another kind than the files before it: give files of one"
    " recorder": (lambda: shutil.copy("chakra/trace.1.json", "pipeline/trace.3.json")),
    "layer 1: pipeline: there is no file of a rank, such as rank_0.json": lambda: _without(
        *map(str, Path("pipeline").iterdir())
    ),
    "layer 1: pipeline: rank_1.json: the file is empty": lambda: Path("pipeline/rank_1.json").write_text(""),
    "layer 1: pipeline: no rank communicates: was the job recorded while it ran?": lambda: [
        file.write_text('{"version": "2.10", "pg_config": {}, "entries": []}')
        for file in Path("pipeline").iterdir()
    ],
    "layer 1: pipeline: rank_1.json: not UTF-8 text": lambda: Path("pipeline/rank_1.json").write_bytes(
        b"\xff"
    ),
    "layer 1: pipeline: rank_1.json: object 0: not JSON: Expecting property name enclosed in double"
    " quotes at line 1": lambda: Path("pipeline/rank_1.json").write_text("{"),
    "layer 1: pipeline: rank_1.json: not JSON: Expecting value at column 15": lambda: Path(
        "pipeline/rank_1.json"
    ).write_text('{"pg_config": }'),
}


@pytest.mark.parametrize("why", REFUSED)
def test_refused(ask, why):
    REFUSED[why]()
    found = ask("phases", "@pipeline")
    assert (found.code, found.err) == (2, f"sealcheck: {why}\n")


ASKED = {
    "--any-source: it is a recording of NCCL, where each receive names its source": [
        "@pipeline",
        "--any-source",
        "all",
    ],
    "layer 1: gloo: rank0, entry 1: whether it takes place after the entry 0 is unknown": [
        "@gloo",
        "--not-assuming",
        "recorded-order",
    ],
    "layer 1: no/*.json: there is no file of a rank, such as rank_0.json": ["@no/*.json"],
    "layer 1: gloo/*: README: the name must end with the rank, as in rank_0.json": ["@gloo/*"],
    "layer 1: gloo/rank_1.json: this is the recording of one rank: give the folder with the recordings of"
    " all ranks": ["@gloo/rank_1.json"],
    "layer 1: gloo: no process enters the region 'x': regions are <module>, _bootstrap, _main, _wrap,"
    " all_reduce, 9 more": ["@gloo", "--split-at", "x"],
    "layer 1: chakra/trace.0.json: this is the recording of one rank: give the folder with the recordings of"
    " all ranks": ["@chakra/trace.0.json"],
    "--split-at splits one recording into layers: give only this recording": [
        "@gloo",
        "@gloo",
        "--split-at",
        "step",
    ],
}


@pytest.mark.parametrize("why", ASKED)
def test_wrong_questions(ask, why):
    Path("gloo/README").write_text("")
    found = ask("phases", *ASKED[why])
    assert (found.code, found.err.split("\n")[-2]) == (2, f"sealcheck: {why}")


def test_a_long_file_is_refused(ask, monkeypatch):
    monkeypatch.setattr("sealcheck.language.training_jobs.MOST_BYTES", 2**10)
    assert ask("phases", "@pipeline").err == "sealcheck: layer 1: pipeline: rank_0.json: longer than 0 MiB\n"


def test_files_that_cannot_be_read_are_named(ask):
    os.remove("pipeline/rank_1.json")
    os.symlink("nowhere", "pipeline/rank_1.json")
    assert ask("phases", "@pipeline/*").err == (
        "sealcheck: layer 1: pipeline/*: rank_1.json: cannot be read: No such file or directory\n"
    )


def test_other_commands_refuse_jobs(ask):
    found = ask("analyze", "@gloo")
    assert (found.code, found.err) == (
        2,
        "sealcheck: P: gloo: only sealcheck phases reads folders and patterns, as recordings of training"
        " jobs\n",
    )


def test_the_examples_made_by_hand_are_what_the_script_writes():
    """The script writes next to itself."""
    before = {file: file.read_text() for folder in ("pipeline", "chakra") for file in Path(folder).iterdir()}
    for file in before:
        file.unlink()
    subprocess.run([sys.executable, "by_hand.py"], check=True)
    assert {file: file.read_text() for file in before} == before


def test_folders_that_cannot_be_read_are_named(ask, monkeypatch):
    def refuse(folder):
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert ask("phases", "@gloo").err == "sealcheck: layer 1: gloo: cannot be read: Permission denied\n"
