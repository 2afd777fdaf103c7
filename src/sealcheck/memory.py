"""How much memory processes have at the moment."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def of_process(process: int) -> float:
    """The resident MiB of a process; 0 where that cannot be found out.

    >>> 1 < of_process(os.getpid()) < 100_000
    True
    """
    if sys.platform == "linux":
        return _mib(_stat(process)[1])
    found = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=False)
    with suppress(ValueError):
        return int(found.stdout or 0) / 1024
    return 0.0


def of_session(session: int) -> float:
    """The resident MiB of all processes of a session together; 0 where the system does not say.

    >>> of_session(os.getsid(0)) >= of_process(os.getpid()) if sys.platform == "linux" else True
    True
    """
    found = (_stat(int(folder.name)) for folder in Path("/proc").glob("[0-9]*"))
    return _mib(sum(pages for its_session, pages in found if its_session == session))


def _stat(process: int) -> tuple[int, int]:
    """The session and the resident pages of a process, as Linux says; zeros where it is gone."""
    with suppress(OSError, ValueError, IndexError):
        text = Path(f"/proc/{process}/stat").read_text(errors="replace")
        # the name, in brackets, may hold anything; behind it, the session is 4th, the resident pages 22nd
        fields = text.rpartition(")")[2].split()
        return int(fields[3]), int(fields[21])
    return 0, 0


def _mib(pages: int) -> float:
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
