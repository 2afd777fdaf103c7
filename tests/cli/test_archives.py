"""OTF2 archives of MPI programs as layers of `sealcheck phases`."""

import shutil
from pathlib import Path

import pytest

from sealcheck.errors import LimitReached
from sealcheck.operations.phases import PHASES_KEYS

pytest.importorskip("otf2", reason="the extra otf2 is not installed")

ROOT = Path(__file__).parents[2]
RIGHT = "@right/traces.otf2"
ABOUT = "applies to recordings of MPI and of training jobs, but no layer is one"
ASSUMED = (
    "sealcheck: assumed: no other receive is from any source, and none is of any tag, which OTF2 does not"
    " record\n"
)


@pytest.fixture(autouse=True)
def _examples(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples" / "mpi", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def test_overtaking_is_predicted_from_a_right_run(ask):
    found = ask("phases", RIGHT, "--split-at", "exchange", "--any-source", "7")
    assert (found.code, found.err) == (1, ASSUMED)
    assert "rank1<-*:7 (fifo): a receive of exchange 1 can take a message of exchange 2." in found.out
    document = ask("phases", RIGHT, "--split-at", "exchange", "--any-source", "7", "--json")
    assert document.document["layers"] == ["exchange 1", "exchange 2"]
    assert ask("verify", "-", stdin=document.out.encode()).code == 0


def test_the_run_in_which_it_happened_is_refused(ask):
    found = ask("phases", "@late/traces.otf2", "--split-at", "exchange", "--any-source", "7")
    assert (found.code, found.out) == (2, "")
    assert found.err == (
        "sealcheck: layer 1: late/traces.otf2: rank1, time 5: in exchange 1 it receives a message that rank0"
        " sends in exchange 2, with tag 7: both ends of a message must be in one layer\n"
    )


def test_a_barrier_keeps_the_exchanges_apart(ask):
    for file, more in (("@barrier/traces.otf2", ["--any-source", "all"]), (RIGHT, [])):
        assert ask("phases", file, "--split-at", "exchange", *more).code == 0


def test_what_is_open_is_said(ask):
    found = ask("phases", RIGHT)
    assert (found.code, found.err.split("\n")[1]) == (
        0,
        "sealcheck: assumed: receives on rank1<-*:7 name their source (otherwise give --any-source)",
    )


def test_archives_are_layers_with_the_names_of_their_folders(ask):
    found = ask("phases", RIGHT, "@barrier/traces.otf2", "--any-source", "7", "--json").document
    assert (found["layers"], found["safe"]) == (["right", "barrier"], False)
    Path("p.phases").write_text(f"layer a: {RIGHT}\nlayer b: mt rank1->rank0:7\nprotocol: a b")
    assert ask("phases", "@p.phases").code == 0
    assert ask("phases", "@p.phases", "--order", "bag").code == 1
    assert ask("phases", RIGHT, RIGHT).code == 0
    assert ask("phases", RIGHT, RIGHT, "--transport", "udp").code == 1
    assert ask("phases", RIGHT, RIGHT, "--port", "rank0<-rank1:7=bag").code == 1
    assert ask("phases", RIGHT, "--repeat", "--any-source", "rank1<-*:7").code == 1


def test_archives_may_be_questions_of_their_own(ask):
    assert ask("phases", "--each", "right/traces.otf2", "barrier/traces.otf2").code == 0
    Path("b.jsonl").write_text('{"layers": ["@right/traces.otf2"]}')
    assert ask("phases", "--batch", "b.jsonl").document["safe"]


def test_a_folder_is_no_archive(ask):
    Path("traces.otf2").mkdir()
    found = ask("phases", "@traces.otf2")
    assert (found.code, found.err) == (2, "sealcheck: layer 1: cannot read 'traces.otf2': Is a directory\n")


def test_a_limit_while_an_archive_is_read(ask, monkeypatch):
    def reached(file, limits):
        raise LimitReached("out of time")

    monkeypatch.setattr("sealcheck.cli.archives.read_archive", reached)
    Path("p.phases").write_text("layer a: mt 1->2\nprotocol: a")
    found = ask("phases", "--each", "right/traces.otf2", "p.phases", "--junit", "report.xml", "--json")
    unknown, known = found.lines
    assert (found.code, known["safe"]) == (3, True)
    assert unknown == {"name": "right/traces.otf2"} | dict.fromkeys(PHASES_KEYS) | {"unknown": "out of time"}
    assert "unknown: out of time" in Path("report.xml").read_text()
    assert ask("phases", RIGHT) == (3, "unknown: out of time\n", "")


def test_a_folder_has_archives(ask):
    found = ask("phases", "--each", "right", "--any-source", "all", "--json")
    assert (found.code, found.document["name"]) == (0, "right/traces.otf2")
    assert found.err.startswith("sealcheck: left out of right: 2 entries (read are ")


REFUSED = {
    "--any-source: no process receives '8': the tags are 7": [RIGHT, "--any-source", "8"],
    "--any-source: no process receives 'rank0<-*:8': the tags are 7": [RIGHT, "--any-source", "rank0<-*:8"],
    "--any-source: no process receives '': the tags are 7": [RIGHT, "--any-source", "", "--any-source", "7"],
    "--any-source applies to recordings of MPI and of training jobs, but no layer is one": [
        "mt 1->2",
        "--any-source",
        "7",
    ],
    "--split-at applies to recordings of MPI and of training jobs, but no layer is one": [
        "mt 1->2",
        "--split-at",
        "f",
    ],
    "--split-at splits one recording into layers: give only this recording": [
        *(RIGHT, RIGHT, "--split-at", "exchange")
    ],
    "layer 1: cannot read 'none/traces.otf2': No such file or directory": ["@none/traces.otf2"],
}


@pytest.mark.parametrize("why", REFUSED)
def test_bad_input_is_refused(ask, why):
    found = ask("phases", *REFUSED[why])
    assert (found.code, found.err) == (2, f"sealcheck: {why}\n")


def test_a_broken_archive_is_refused(ask):
    Path("right/traces.def").write_bytes(b"OTF2")
    found = ask("phases", RIGHT)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.startswith(
        "sealcheck: layer 1: right/traces.otf2: the archive is broken or incomplete: "
    )


def test_other_commands_refuse_archives(ask):
    found = ask("decide", RIGHT, "eps")
    assert (found.code, found.err) == (
        2,
        "sealcheck: P: right/traces.otf2: only sealcheck phases reads OTF2 archives\n",
    )


def test_unnamed_communicators_are_not_mixed(ask, monkeypatch):
    from sealcheck.language.recordings import Communicator, Receive, Recording, Send

    ranks = [[Send(1, 1, 3, 7)], [Receive(1, 0, 3, 7)]]
    recording = Recording({3: Communicator("", (0, 1))}, ranks)
    monkeypatch.setattr("sealcheck.cli.archives.read_archive", lambda file, limits: recording)
    assert ask("phases", RIGHT).code == 0
    assert ask("phases", RIGHT, RIGHT).err == (
        "sealcheck: layer 1: right/traces.otf2: the tag comm3-7 belongs to a communicator without a name,"
        " and other layers may number it differently. Name it with MPI_Comm_set_name, or record one archive"
        " and split it (--split-at)\n"
    )


def test_all_are_none_if_nothing_is_received(ask, monkeypatch):
    from sealcheck.language.recordings import Recording

    monkeypatch.setattr("sealcheck.cli.archives.read_archive", lambda file, limits: Recording({}, [[], []]))
    found = ask("phases", RIGHT, "--any-source", "all")
    assert (found.code, found.err) == (
        2,
        "sealcheck: --any-source: no process receives any message: the tags are none\n",
    )
