"""The archive `play.zip`: what the page needs besides this package, each part as its registry has it.

`python -m sealcheck.cli.play.build` makes it.
"""

import json
from importlib.resources import files
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile

from sealcheck.errors import InputError

NAME = "play.zip"
CONTENTS = "contents.json"
"""The member that says what there is, in which versions."""
CHECKER = "sealcheck-verified.js"
PACKAGES = "packages.zip"
"""The Python packages that ours needs."""
EXAMPLES = "examples.json"

HOW = "`make -C proofs page && python -m sealcheck.cli.play.build` in a checkout makes it (docs/play.md)"


def members() -> dict[str, bytes]:
    """The members of the archive, by name.  Raises InputError if it was not built, or is not whole."""
    place = files("sealcheck.cli.play") / NAME
    if not place.is_file():
        raise InputError(f"this installation has no {NAME}, which has the parts of the page: {HOW}")
    try:
        with ZipFile(BytesIO(place.read_bytes())) as archive:
            found = {name: archive.read(name) for name in archive.namelist()}
    except BadZipFile:
        raise InputError(f"{NAME} of this installation is damaged: {HOW}") from None
    missing = next((name for name in (CONTENTS, CHECKER, PACKAGES, EXAMPLES) if name not in found), None)
    if missing:
        raise InputError(f"{NAME} of this installation has no {missing}: {HOW}")
    return found


def contents(found: dict[str, bytes]) -> dict[str, Any]:
    """The versions of the parts, by their names."""
    read: dict[str, Any] = json.loads(found[CONTENTS])
    return read
