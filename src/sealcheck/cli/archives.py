"""Recordings of jobs for ``sealcheck phases``: OTF2 archives, and the files of the ranks of a training job.

A rank is a process of a job.  A recording is read as one layer (a program).  With --split-at, it is read as
several layers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from glob import glob, has_magic
from os.path import exists, isdir, isfile
from pathlib import Path

from sealcheck.cli.output import remark
from sealcheck.errors import InputError, blaming
from sealcheck.language.mpi import ALL, Layered, Reading, layered
from sealcheck.language.otf2_archives import read_archive
from sealcheck.language.readers import is_archive
from sealcheck.language.recordings import EVERY, Assumptions, Recorder, Recording, Remarks, some
from sealcheck.language.traces import Trace
from sealcheck.language.training_jobs import JSON, rank_of, read_job
from sealcheck.support.processes import Limits
from sealcheck.words import counted, harmless

_UNNAMED = (
    "the tag {} belongs to a communicator without a name, and other layers may number it differently."
    " Name it with MPI_Comm_set_name, or record one archive and split it (--split-at)"
)


def is_recording(file: str) -> bool:
    """Whether a name stands for a recording: an archive, or a folder or pattern of ranks' files."""
    return is_archive(file) or is_job(file)


def is_job(file: str) -> bool:
    """Whether a name is a folder or a pattern, and so stands for the ranks' files of a job."""
    return isdir(file) or (has_magic(file) and "\0" not in file and not exists(file))


def files_of_job(name: str) -> list[str]:
    """The ranks' files in a folder, or the files that a pattern matches.

    If a folder has a pickled dump and its conversion to JSON, the pickled dump is left out.  Raises
    InputError if there is no file of a rank.
    """
    if isdir(name):
        try:
            here = sorted(str(file) for file in Path(name).iterdir())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}") from None
        files = [each for each in here if isfile(each) and rank_of(each) is not None]
        files = [each for each in files if each + JSON not in files]
        if files and (others := len(here) - len(files)):
            read = "only files with a rank at the end of their names are read"
            remark(f"left out of {name}: {counted(others, 'entry', 'entries')} ({read})")
    else:
        files = [each for each in sorted(glob(name)) if not isdir(each)]
    if not files:
        raise InputError("there is no file of a rank, such as rank_0.json")
    return files


@dataclass(frozen=True)
class Archives:
    """The options for reading recordings of ranks."""

    reading: Reading
    limits: Limits
    assuming: Assumptions = EVERY

    def traces(self, files: Mapping[str, str], *, alone: bool) -> dict[str, Trace]:
        """The traces of recordings, by the names of the recordings in error messages.

        `files` has the file of each recording.  With `alone`, no other layer is given.  Raises InputError if
        a recording or an option is wrong, and LimitReached if reading a recording hits a limit.
        """
        if self.reading.split_at and files and not alone:
            raise InputError("--split-at splits one recording into layers: give only this recording")
        found: dict[str, Layered] = {}
        recordings: list[Recording] = []
        for name, file in files.items():
            with blaming(name):
                recordings.append(recording := self._read(file))
                named = recording.recorder.names_sources
                reading = replace(self.reading, any_source=frozenset()) if named else self.reading
                found[name] = layered(recording, reading)
            if found[name].unnamed and not alone:
                raise InputError(f"{name}: {_UNNAMED.format(found[name].unnamed)}")
        recorders = list(dict.fromkeys(each.recorder for each in recordings))
        self._require_heeded(found, recorders)
        if found:
            self._remark(found, recorders)
        for line in Remarks(frozenset().union(*(each.assumed for each in recordings))).lines():
            remark(line)
        return {name: each.trace for name, each in found.items()}

    def _read(self, file: str) -> Recording:
        if is_archive(file):
            return read_archive(file, self.limits)
        return read_job(files_of_job(file), self.limits, self.assuming)

    def _require_heeded(self, found: Mapping[str, Layered], recorders: Sequence[Recorder]) -> None:
        """Raise InputError if an option for recordings has no effect on any of the given recordings."""
        if not found and self.reading != Reading():
            option = "--split-at" if self.reading.split_at else "--any-source"
            raise InputError(
                f"{option} applies to recordings of MPI and of training jobs, but no layer is one"
            )
        if self.reading.any_source and recorders and all(each.names_sources for each in recorders):
            raise InputError(f"--any-source: {recorders[0].over_ports}, where each receive names its source")
        known = frozenset[str]().union(*(each.heeded for each in found.values()))
        unknown = min(self.reading.any_source - known, default=None)
        if unknown is not None:
            tags = sorted(frozenset[str]().union(*(each.tags for each in found.values())))
            what = "receives any message" if unknown == ALL else f"receives '{harmless(unknown[:40])}'"
            raise InputError(f"--any-source: no process {what}: the tags are {some(tags) or 'none'}")

    def _remark(self, found: Mapping[str, Layered], recorders: Sequence[Recorder]) -> None:
        which = "no other receive" if self.reading.any_source else "no receive"
        for recorder in recorders:
            remark(f"assumed: {recorder.left_open.format(which)}")
        shared = [*dict.fromkeys(port for each in found.values() for port in each.shared)]
        if shared and not all(recorder.names_sources for recorder in recorders):
            remark(f"assumed: receives on {some(shared)} name their source (otherwise give --any-source)")
