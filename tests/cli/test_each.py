"""Files that are questions of their own: folders, patterns, and the same answers through Spark."""

import os
from pathlib import Path

import pytest

from sealcheck.cli import phases as asked_of_each

SAFE, UNSAFE = "layer A: mt 1->2\nprotocol: A\n", "layer A: mt 1->2\nprotocol: A*\n"
SPANS = Path(__file__).parents[2] / "examples" / "spans" / "order.json"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "runs"
    (folder / "more").mkdir(parents=True)
    (folder / "b.phases").write_text(SAFE)
    (folder / "a.phases").write_text(UNSAFE)
    (folder / "c.phases").write_text("layer A\n")
    (folder / "d.mmd").write_text("sequenceDiagram\nloop\nA->>B: ä\nend\n")
    (folder / "e.json").write_bytes(SPANS.read_bytes())
    wide = "; ".join(f"mt {k}->{k + 1}:x" for k in range(1, 40))
    (folder / "f.phases").write_text(f"layer A: {wide}\nlayer B: {wide}\nprotocol: (A | B)*\n")
    (folder / "notes.txt").write_text("of no protocol")
    return folder


FILES = ("a.phases", "b.phases", "c.phases", "d.mmd", "e.json", "f.phases")


def test_a_folder_is_its_files(ask) -> None:
    by_folder = ask("phases", "--each", "runs")
    by_name = ask("phases", "--each", *(f"@runs/{file}" for file in FILES))
    assert (by_folder.code, by_folder.out) == (by_name.code, by_name.out)
    assert by_folder.code == 2
    assert by_folder.out.endswith("\n6 files: yes 2, no 3, error 1\n")
    remark, _, rest = by_folder.err.partition("\n")
    assert remark.startswith("sealcheck: left out of runs: 2 entries (read are .json, ")
    assert rest == by_name.err
    assert "left out: 2 CLIENT spans" in rest


def test_a_pattern_is_its_files(ask) -> None:
    found = ask("phases", "--each", "runs/[ab].phases", "--json")
    assert [each["name"] for each in found.lines] == ["runs/a.phases", "runs/b.phases"]
    (Path("runs") / "more" / "g.phases").write_text(SAFE)
    (Path("runs") / "g.old").mkdir()
    found = ask("phases", "--each", "**/[eg].*", "--json")
    assert [each["name"] for each in found.lines] == ["runs/e.json", "runs/more/g.phases"]


@pytest.mark.parametrize("argument", ["runs/more", "runs/*.none"])
def test_no_file(ask, argument) -> None:
    found = ask("phases", "--each", argument)
    assert (found.code, found.out) == (2, "")
    assert f"there is no file in '{argument}': name a file, a folder or a pattern" in found.err


@pytest.mark.parametrize("argument", ["", "@"])
def test_nothing_is_no_folder(ask, argument) -> None:
    found = ask("phases", "--each", "runs", argument)
    assert (found.code, found.out) == (2, "")
    assert "sealcheck: an argument is empty: name a file, a folder or a pattern\n" in found.err


def test_a_folder_that_cannot_be_read(ask, monkeypatch) -> None:
    found = ask("phases", "--each", 5000 * "a")
    assert (found.code, "File name too long" in found.err, "Traceback" in found.err) == (2, True, False)

    def denied(_: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", denied)
    found = ask("phases", "--each", "runs")
    assert (found.code, found.err) == (2, "sealcheck: cannot read 'runs': Permission denied\n")


def test_names_of_files_are_harmless(ask) -> None:
    Path("runs/b.phases").rename("yes\n\x1b.phases")
    assert ask("phases", "--each", "yes*").out.startswith("yes\\n\\x1b.phases:\nyes: ")


def test_a_master_is_for_many_files(ask) -> None:
    found = ask("phases", "mt 1->2", "--master", "local[2]")
    assert (found.code, found.out) == (2, "")
    assert found.err == "sealcheck: --master is for many files: give --each, too\n"


@pytest.mark.parametrize("options", [(), ("--json",), ("--transports",)])
def test_spark_gives_the_same_answers(ask, one_session, options) -> None:
    replies = []
    Path(os.fsdecode(b"runs/\xff.phases")).write_text(SAFE)
    for master in ((), ("--master", "local[2,3]")):
        reply = ask("phases", "--each", "runs", "gone.phases", "--junit", "report.xml", *options, *master)
        replies.append((reply, Path("report.xml").read_bytes()))
    assert replies[0] == replies[1]
    assert replies[0][0].code == 2
    assert "cannot read 'gone.phases'" in replies[0][0].err


def test_spark_is_used_if_there_is_much_to_do(ask, one_session, monkeypatch) -> None:
    used = []
    on_spark = asked_of_each._on_spark
    monkeypatch.setattr(
        asked_of_each, "_on_spark", lambda *at, **of: (used.append(at), on_spark(*at, **of))[1]
    )
    monkeypatch.setattr(asked_of_each, "cores", lambda: 2)
    assert ask("phases", "--each", "runs").code == 2
    assert not used
    monkeypatch.setattr(asked_of_each, "MUCH_WORK", 0.2)
    assert ask("phases", "--each", "runs").code == 2
    assert len(used) == 1
    assert ask("phases", "--each", "runs/a.phases").code == 1
    assert len(used) == 1
