"""Archives of MPI programs as layers of ``sealcheck phases``."""

from collections.abc import Mapping
from dataclasses import dataclass

from sealcheck.cli.output import remark
from sealcheck.errors import InputError
from sealcheck.language.assumptions import some
from sealcheck.language.mpi import ALL, Layered, Reading, layered
from sealcheck.language.otf2_archives import read_archive
from sealcheck.language.traces import Trace
from sealcheck.support.processes import Limits
from sealcheck.words import harmless

_UNNAMED = (
    "the tag {} is of a communicator without a name of its own (MPI_Comm_set_name), and other layers may"
    " number it otherwise: record one archive, and split it (--split-at)"
)


@dataclass(frozen=True)
class Archives:
    """How archives are read."""

    reading: Reading
    limits: Limits

    def traces(self, files: Mapping[str, str], *, alone: bool) -> dict[str, Trace]:
        """The traces of archives, by their names in error messages; `alone` if there is no other layer.

        What is assumed is said once.  Raises InputError, and LimitReached.
        """
        if self.reading.split_at and files and not alone:
            raise InputError(
                "--split-at makes several layers of an archive: give this archive, and nothing else"
            )
        found: dict[str, Layered] = {}
        for name, file in files.items():
            try:
                found[name] = layered(read_archive(file, self.limits), self.reading)
            except InputError as error:
                raise error.about(name) from None
            if found[name].unnamed and not alone:
                raise InputError(f"{name}: {_UNNAMED.format(found[name].unnamed)}")
        self._require_heeded(found)
        if found:
            self._remark(found)
        return {name: each.trace for name, each in found.items()}

    def _require_heeded(self, found: Mapping[str, Layered]) -> None:
        """Raise InputError if an option is about no archive."""
        if not found and self.reading != Reading():
            option = "--split-at" if self.reading.split_at else "--any-source"
            raise InputError(f"{option} is about OTF2 archives, and no layer is one")
        known = frozenset[str]().union(*(each.heeded for each in found.values()))
        unknown = min(self.reading.any_source - known, default=None)
        if unknown is not None:
            tags = sorted(frozenset[str]().union(*(each.tags for each in found.values())))
            what = "receives any message" if unknown == ALL else f"receives '{harmless(unknown[:40])}'"
            raise InputError(f"--any-source: no process {what}: the tags are {some(tags) or 'none'}")

    def _remark(self, found: Mapping[str, Layered]) -> None:
        which = "no other receive" if self.reading.any_source else "no receive"
        remark(f"assumed: {which} is from any source, and none is of any tag, which OTF2 does not record")
        if shared := [*dict.fromkeys(port for each in found.values() for port in each.shared)]:
            remark(f"received from several sources, each by name (or see --any-source): {some(shared)}")
