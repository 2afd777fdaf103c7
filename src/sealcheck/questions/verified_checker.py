"""The verified checker: the program `sealcheck-verified`, if it is on the PATH.

The checker is optional. `make -C proofs checker` extracts it from the Coq proofs. The checker reads one JSON
object per line, and writes one reply per line.
"""

import atexit
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from sealcheck.errors import InputError, LimitReached
from sealcheck.support.processes import Limits, Speaker, TimeUp

PROGRAM = "sealcheck-verified"

NOT_INSTALLED = (
    f"'{PROGRAM}' is not on the PATH: `make -C proofs checker` builds it where Coq and OCaml are installed"
)

LIMITS = Limits(60.0, 8192)


class Reply(NamedTuple):
    """A reply of the checker: a result, or a sentence that says why there is none."""

    result: Any = None
    skipped: str = ""
    error: str = ""


def refused(reply: Reply, what: str, expected: bool = True) -> str:
    """Why the checker does not accept `what`. Empty if its result is the expected one.

    Raises LimitReached if the checker skipped `what`.
    """
    if reply.result is expected:
        return ""
    if reply.skipped:
        raise LimitReached(f"the verified checker skipped {what}: {reply.skipped}")
    otherwise = "its evidence does not show its verdict" if expected else "it decides otherwise"
    return f"the verified checker does not: {reply.error or otherwise}"


class VerifiedChecker:
    """A running checker.  Raises InputError if it cannot be started."""

    def __init__(self, program: str) -> None:
        self._speaker: Speaker | None = Speaker([program], LIMITS.mib)
        self._asked = 0

    def ask(self, document: Mapping[str, object]) -> Reply:
        """The reply.  Raises LimitReached if the checker has ended, is too slow, or writes no valid reply."""
        self._asked += 1
        line = json.dumps({"v": 1, "seq": self._asked} | dict(document)).encode() + b"\n"
        try:
            if self._speaker is None:
                raise ValueError
            said = json.loads(self._speaker.exchange(line, LIMITS.seconds))
            if said.pop("seq") != self._asked and "error" not in said:
                raise ValueError
            return Reply(**said)
        except TimeUp:
            self.stop()
            raise LimitReached(f"{PROGRAM} took more than {LIMITS.seconds:.0f} s") from None
        except (AttributeError, KeyError, LimitReached, TypeError, ValueError):
            self.stop()
            raise LimitReached(f"{PROGRAM} did not answer the question") from None

    def stop(self) -> None:
        """End the checker."""
        speaker, self._speaker = self._speaker, None
        if speaker is not None:
            speaker.stop()


def is_installed() -> bool:
    """Whether the program is on the PATH."""
    return shutil.which(PROGRAM) is not None


def checker() -> VerifiedChecker:
    """The checker of this process, started at the first call.  Raises InputError if none is installed."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise InputError(NOT_INSTALLED)
    return _started(program, os.getpid())


@cache
def _started(program: str, process: int) -> VerifiedChecker:
    """The checker of this process. Forked processes must not share a checker."""
    started = VerifiedChecker(program)
    atexit.register(_stop_in, process, started)
    return started


def _stop_in(process: int, started: VerifiedChecker) -> None:
    """End the checker if this process has started it."""
    if os.getpid() == process:
        started.stop()


def digest() -> dict[str, str]:
    """The digest of the installed program, by name. Empty if none is installed."""
    program = shutil.which(PROGRAM)
    if program is None:
        return {}
    with open(program, "rb") as file:
        return {PROGRAM: hashlib.file_digest(file, "sha256").hexdigest()}
