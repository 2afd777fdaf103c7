"""The progress of long work, shown on standard error if it is a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.shards import Progress


class Follower:
    """Shows the progress reported to it, and keeps the latest progress for a summary."""

    def __init__(
        self,
        show: "Callable[[Progress], None] | None",
        hidden: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`show` displays progress; it is None if standard error is not a terminal."""
        self._show = show
        self.hidden = hidden
        """Hides the progress display while other text is printed."""
        self._began = self._ended = time.monotonic()
        self._last: Progress | None = None

    def __call__(self, progress: "Progress") -> None:
        """Note how far the work has come."""
        self._ended = time.monotonic()
        if self._last is None:
            self._began = self._ended
        self._last = progress
        if self._show:
            self._show(progress)

    def print_summary(self) -> None:
        """Print, on a terminal, how many programs were done and how long that took."""
        if self._show and self._last:
            print(summary(self._last.done, self._ended - self._began), file=sys.stderr)


def summary(programs: int, seconds: float) -> str:
    """The number of programs that were done, the seconds that this took, and the rate.

    >>> summary(19_806, 17.2), summary(1, 0)
    ('19,806 programs in 17 s, 1,152 per second', '1 program in 0 s')
    """
    rate = f", {programs / seconds:,.0f} per second" if seconds else ""
    return f"{programs:,} {'program' if programs == 1 else 'programs'} in {seconds:.0f} s{rate}"


@contextmanager
def progress_bar(description: str) -> Iterator[Follower]:
    """A bar that shows the reported progress, and disappears when the work is done."""
    from rich import progress as shown
    from rich.console import Console

    columns = (
        shown.TextColumn("{task.description}"),
        shown.BarColumn(bar_width=None),
        shown.MofNCompleteColumn(),
        shown.TextColumn("{task.fields[rate]}"),
        shown.TimeElapsedColumn(),
        shown.TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with shown.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"{description}: starting Spark", total=None, rate="")

        def show(progress: "Progress") -> None:
            """Move the bar, and show the speed once it is known."""
            bar.update(
                task,
                description=f"{description}{_remarks(progress)}",
                completed=progress.done,
                total=progress.total,
            )
            if speed := bar.tasks[0].speed:
                bar.update(task, rate=f"{speed:,.0f}/s")

        @contextmanager
        def hidden() -> Iterator[None]:
            bar.stop()
            try:
                yield
            finally:
                bar.start()

        yield Follower(show, hidden) if console.is_terminal else Follower(None)


def _remarks(progress: "Progress") -> str:
    """The numbers of disagreements and of failed attempts, if there are any."""
    remarks = []
    if progress.disagreements is not None:
        remarks.append(counted(progress.disagreements, "disagreement"))
    if progress.failed:
        remarks.append(f"{counted(progress.failed, 'attempt')} failed")
    return f" ({', '.join(remarks)})" if remarks else ""
