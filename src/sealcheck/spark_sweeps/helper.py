"""A process that does jobs for this one: while Spark starts, or where there is too little to do for Spark.

Solvers run there and not here, for they keep Ctrl-C from whoever waits for them.
"""

import os
import pickle
import struct
import subprocess
import sys
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from sealcheck.spark_sweeps.bundles import Bundle, Packed, do_packed
from sealcheck.spark_sweeps.garbage import collect_seldom
from sealcheck.spark_sweeps.jobs import Result
from sealcheck.spark_sweeps.shards import ShardFailed
from sealcheck.support.processes import end_with_parent

# -P: nothing is imported from the folder that somebody happens to be in.
_CHILD = [sys.executable, "-P", "-c", "from sealcheck.spark_sweeps.helper import main; main()"]
_LENGTH = struct.Struct(">Q")


class HelperLost(Exception):
    """The process has died."""


class Helper:
    """Such a process; a context manager, which ends it at once.

    >>> from sealcheck.spark_sweeps.jobs import EveryLength
    >>> with Helper() as helper:
    ...     [tally] = helper.do(Bundle((EveryLength("seal-size", 1, 1),), 1.0))
    >>> tally.checked, tally.refuting
    (1, None)
    """

    def __init__(self) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._child = subprocess.Popen(
            _CHILD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            process_group=0,  # Ctrl-C is for the process that asks, which then ends this one
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            with suppress(OSError):  # of what could not be written any more
                stream.close()

    def do(self, bundle: Bundle) -> list[Result]:
        """Have it do the jobs of a bundle.  Raises ShardFailed as they do, and HelperLost."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        try:
            _write(self._child.stdin, bundle.packed())
            found = _read(self._child.stdout)
        except (OSError, EOFError, ValueError) as error:
            raise HelperLost from error
        if isinstance(found, ShardFailed):
            raise found
        assert isinstance(found, bytes)
        results: list[Result] = pickle.loads(found)
        return results


def main() -> None:
    """Do what comes in on standard input, until that ends."""
    end_with_parent()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    collect_seldom()
    while True:
        try:
            packed = _read(sys.stdin.buffer)
        except EOFError:
            return
        assert isinstance(packed, Packed)
        try:
            found: object = do_packed(packed)
        except ShardFailed as failure:
            found = ShardFailed(str(failure))
        _write(out, found)


def _write(stream: IO[bytes], value: object) -> None:
    pickled = pickle.dumps(value)
    stream.write(_LENGTH.pack(len(pickled)) + pickled)
    stream.flush()


def _read(stream: IO[bytes]) -> object:
    header = stream.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(header)
    pickled = stream.read(length)
    if len(pickled) < length:
        raise EOFError
    return pickle.loads(pickled)
