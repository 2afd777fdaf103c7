"""An archive as the build makes it, without its large parts."""

import json
from functools import cache
from pathlib import Path

from sealcheck.cli.play.build import table
from sealcheck.cli.play.examples import examples
from sealcheck.cli.play.finding import LEVELS
from sealcheck.cli.play.folder import CHECKER, CONTENTS, EXAMPLES, PACKAGES, packed

ROOT = Path(__file__).parents[3]


@cache
def made_up() -> dict[str, bytes]:
    return {
        CONTENTS: b'{"pyodide": "1.2.3", "lark": "4", "drawsvg": "5"}',
        CHECKER: b"// checker",
        PACKAGES: packed({}),
        EXAMPLES: json.dumps(examples(ROOT)).encode(),
        LEVELS: table({2: 2}),
        "pyodide/pyodide.mjs": b"// pyodide",
    }
