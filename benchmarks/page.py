"""How long the page of `play` takes in Chromium: from opening it to the first answer, and for later answers.

It needs `play.zip`, the extra `browser` and Chromium. It opens the page with an empty browser cache, and
twice with a filled cache. Then it measures answers to random questions of twenty events, from the change of
the address to the answer on the page.

    python -m benchmarks.page [--questions N]
"""

import argparse
import random
import shutil
import statistics
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from sealcheck.cli.play.folder import fragment, write_folder

EVENTS = 20
PROCESSES = 4
WAIT = 120_000
"""The longest wait for an answer, in milliseconds."""

WATCH = """
    window.times = [];
    new MutationObserver(() => times.push(performance.now()))
        .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-question"] });
"""
"""Records the time of each answer, at which the page writes the question into this attribute."""
ASK = """end => new Promise((done) => {
    const count = times.length, began = performance.now();
    const look = () => times.length > count ? done(times.at(-1) - began) : setTimeout(look, 1);
    location.hash = end;
    look();
})"""


class Quiet(SimpleHTTPRequestHandler):
    """A static server that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def layer(messages: int, draw: random.Random) -> str:
    """A random layer in which each message is received at once."""
    pairs = (draw.sample(range(1, PROCESSES + 1), 2) for _ in range(messages))
    return "\n".join(f"mt {i}->{j}" for i, j in pairs)


def questions(count: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Questions of twenty events in two layers, or in P and Q, each with its kind."""
    draw = random.Random(1)
    for _ in range(count):
        first, second = (layer(EVENTS // 4, draw) for _ in range(2))
        yield "layers, the paper's channels", {"text": f"{first}\n\n{second}"}
        yield "layers, mpi", {"text": f"{first}\n\n{second}", "channels": "mpi"}
        yield "layers, udp", {"text": f"{first}\n\n{second}", "channels": "udp"}
        yield "P and Q", {"kind": "seals", "p": first, "q": second}


def opened(page: Any, address: str) -> float:
    """Seconds from opening the page to its first answer."""
    page.goto(address)
    page.wait_for_function("() => times.length > 0")
    return float(page.evaluate("times[0]")) / 1000


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=int, default=30, help="questions of each kind")
    given = parser.parse_args()
    found = shutil.which("chromium") or sys.exit("there is no chromium on the PATH")
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        write_folder(Path(name) / "page")
        with served(Path(name) / "page") as address:
            context = playwright.chromium.launch_persistent_context(
                Path(name) / "profile", executable_path=found, args=["--no-sandbox", "--disable-gpu"]
            )
            page = context.new_page()
            page.set_default_timeout(WAIT)
            page.add_init_script(WATCH)
            for what in ("with an empty cache", "again", "again"):
                print(f"first answer, {what:<22}{opened(page, address):>6.2f} s", flush=True)
            taken: dict[str, list[float]] = {}
            for kind, question in questions(given.questions):
                taken.setdefault(kind, []).append(page.evaluate(ASK, fragment(question)))
            print(f"\n{'milliseconds':<30}{'median':>8}{'95 %':>8}{'most':>8}")
            for kind, times in taken.items():
                most = statistics.quantiles(times, n=20)[-1]
                print(f"{kind:<30}{statistics.median(times):>8.0f}{most:>8.0f}{max(times):>8.0f}")
            context.close()


if __name__ == "__main__":
    main()
