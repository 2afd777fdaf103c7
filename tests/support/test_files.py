"""Files are written as a whole or not at all."""

import os
import stat
import threading
from pathlib import Path

import pytest

from sealcheck.errors import InputError
from sealcheck.support.files import require_place, whole_file

EXPORTED = b"42"


def write(target: Path) -> None:
    with whole_file(target) as file:
        file.write(b"?2")
        file.seek(0)
        file.write(b"4")


def test_a_fifo_stays_and_its_reader_gets_everything(tmp_path: Path) -> None:
    fifo, got = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
    reader.start()
    write(fifo)
    reader.join(10)
    assert got == [EXPORTED]
    assert stat.S_ISFIFO(fifo.lstat().st_mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make devices")
def test_a_device_stays(tmp_path: Path) -> None:
    device = tmp_path / "null"
    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    write(device)
    assert stat.S_ISCHR(device.lstat().st_mode)


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_leads_to_the_file(exists: bool, tmp_path: Path) -> None:
    folder, first, second = tmp_path / "folder", tmp_path / "first", tmp_path / "second"
    folder.mkdir()
    target = folder / "target"
    if exists:
        target.write_bytes(b"before")
    second.symlink_to("folder/target")
    first.symlink_to(second)
    write(first)
    assert first.is_symlink()
    assert second.is_symlink()
    assert target.read_bytes() == EXPORTED
    assert sorted(path.name for path in folder.iterdir()) == ["target"]


def test_permissions_stay(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"before")
    for mode in (0o600, 0o751):
        target.chmod(mode)
        write(target)
        assert (target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (EXPORTED, mode)


def test_what_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    folder, circle, target = tmp_path / "folder", tmp_path / "circle", tmp_path / "target"
    folder.mkdir()
    circle.symlink_to(circle)
    target.write_bytes(b"before")
    with pytest.raises(IsADirectoryError):
        write(folder)
    with pytest.raises(OSError, match="symbolic links"):
        write(circle)
    with pytest.raises(ZeroDivisionError), whole_file(target) as file:
        file.write(b"%d" % (1 // 0))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["circle", "folder", "target"]
    assert circle.is_symlink()
    assert target.read_bytes() == b"before"


def test_places_are_tried_before_the_work(tmp_path: Path) -> None:
    require_place(tmp_path / "new")
    require_place(Path("/dev/null"))
    assert not list(tmp_path.iterdir())
    missing = tmp_path / "no"
    for target, why in ((missing / "a", f"there is no folder {missing}"), (tmp_path, "it is a folder")):
        with pytest.raises(InputError) as refused:
            require_place(target)
        assert str(refused.value) == f"cannot write {target}: {why}"
