"""How far long work has come, on standard error, and only where that is a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sealcheck.spark_sweeps.shards import Progress


@contextmanager
def progress_bar(description: str) -> Iterator["Callable[[Progress], None]"]:
    """A bar that follows the progress it is told of; it is gone when the work is done."""
    from rich import progress as shown
    from rich.console import Console

    columns = (
        shown.TextColumn("{task.description}"),
        shown.BarColumn(),
        shown.MofNCompleteColumn(),
        shown.TimeElapsedColumn(),
        shown.TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with shown.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(f"{description}: starting Spark", total=None)

        def follow(progress: "Progress") -> None:
            retried = f" ({progress.failed} attempts failed)" if progress.failed else ""
            bar.update(
                task,
                description=f"{description}{retried}",
                completed=progress.done,
                total=progress.total,
            )

        yield follow


@contextmanager
def row_counter(description: str) -> Iterator[Callable[[int], None]]:
    """A count of rows that have been gone through, where their number is not known beforehand."""
    from rich import progress as shown
    from rich.console import Console

    columns = (
        shown.TextColumn("{task.description}"),
        shown.SpinnerColumn(),
        shown.TextColumn("{task.completed:.0f} rows"),
        shown.TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with shown.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(description, total=None)
        yield lambda rows: bar.update(task, completed=rows)


@contextmanager
def step_shown(description: str) -> Iterator[Callable[[str], None]]:
    """What is being done just now."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda step: None
        return
    with console.status(description) as status:
        yield lambda step: status.update(f"{description}: {step}")
