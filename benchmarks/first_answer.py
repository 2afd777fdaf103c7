"""How long it takes from a clone to a first answer about a file, for each format of layers.

This program clones the repository, makes a virtual environment, and installs the package from pip's index or
cache. Then it asks `sealcheck phases` about layers that do not stay apart, in each format but OTF2, which
needs an extra. Each line has the seconds of one step.

    python benchmarks/first_answer.py [--small]
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
SMALL = ("lark>=1.2,<2", "typer>=0.29")

FILES = {
    "put": "mt client->server",
    "put.puml": "@startuml\nclient -> server: put\n@enduml\n",
    "put.md": "# Put\n\n```mermaid\nsequenceDiagram\nclient->>server: put\n```\n",
}
"""Files that are written for formats without an example of layers that do not stay apart."""
FORMATS = {
    "program text": ["@put", "@put"],
    "Mermaid": ["@{examples}/phases/write.mmd", "@{examples}/phases/publish.mmd"],
    "PlantUML": ["@put.puml", "@put.puml"],
    "Markdown": ["@put.md", "@put.md"],
    "protocol file": ["@{examples}/cases/cabana.phases"],
    "OpenTelemetry": ["@{examples}/spans/order.json", "@{examples}/spans/cancel.json"],
    "recorded trace": ["@{examples}/traces/both.jsonl"],
    "ShiViz": ["@{examples}/traces/put.log", "@{examples}/traces/put.log"],
    "Flight Recorder": ["@{examples}/training/pipeline", "--split-at", "microbatch", "--order", "bag"],
    "Chakra": ["@{examples}/training/chakra", "--split-at", "exchange", "--order", "bag"],
}


def timed(what: str, *command: str | Path, folder: Path, code: int = 0) -> None:
    """Run a command, which must end with this exit code, and print its time."""
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != code:
        sys.exit(f"{what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{what:<24} {time.monotonic() - start:>6.1f}", flush=True)


def installing(clone: Path, *, small: bool) -> list[Sequence[str | Path]]:
    """The arguments of pip, for the full or the small installation."""
    return [SMALL, ("--no-deps", clone)] if small else [(clone,)]


def main() -> None:
    """Print the seconds of each step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--small", action="store_true", help="without solvers, Spark and Java")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clone, environment = folder / "clone", folder / "environment"
        timed("clone", "git", "clone", "-q", ROOT, clone, folder=folder)
        timed("virtual environment", sys.executable, "-m", "venv", environment, folder=folder)
        start = time.monotonic()
        for words in installing(clone, small=given.small):
            pip = environment / "bin" / "python", "-m", "pip", "install", "-q", *words
            subprocess.run(pip, cwd=folder, check=True, capture_output=True)
        print(f"{'installation':<24} {time.monotonic() - start:>6.1f}", flush=True)
        for file, text in FILES.items():
            (folder / file).write_text(text)
        for kind, files in FORMATS.items():
            asked = [file.format(examples=clone / "examples") for file in files]
            timed(f"no: {kind}", environment / "bin" / "sealcheck", "phases", *asked, folder=folder, code=1)


if __name__ == "__main__":
    main()
