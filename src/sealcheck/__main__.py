"""The process ``sealcheck``: it prepares interrupts and streams before any slow import."""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from sealcheck.support.interrupts import end_at_interrupt, ignore_interrupts


def main() -> NoReturn:
    """Run the command line, and exit with its code."""
    end_at_interrupt()
    _open_closed_streams()
    from sealcheck.cli.main import main as run
    from sealcheck.cli.output import StandardOutput

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout = StandardOutput.instead_of(sys.stdout)
        sys.__stdout__ = sys.stdout  # type: ignore[misc]  # which is asked how wide the terminal is
    code = run()
    ignore_interrupts()  # the answer is out: cleaning up must not change the exit code
    sys.exit(code)


def _open_closed_streams() -> None:
    """Open closed standard streams, so that no file opened later becomes a standard stream.

    After this, writing to a closed standard output is an error. Output to a closed standard error is lost.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR if number == 2 else os.O_RDONLY)  # takes the lowest free number
            os.set_inheritable(number, True)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


if __name__ == "__main__":
    main()
