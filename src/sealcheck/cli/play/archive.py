"""The archive `play.zip`: what the page needs besides this package, its Python modules compiled.

`python -m sealcheck.cli.play.build` makes it.
"""

import zlib
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from sealcheck.cli.play.compiling import NEVER
from sealcheck.errors import InputError

NAME = "play.zip"
CONTENTS = "contents.json"
"""The member that says what there is, in which versions."""
CHECKER = "sealcheck-verified.js"
PACKAGES = "packages.zip"
"""The Python packages that ours needs."""
COMPILED = "compiled.zip"
"""Our own modules, compiled; each is named by the digest of its source."""
EXAMPLES = "examples.json"
LEVELS = "levels.json"
"""The programs that the page searches."""

HOW = "`make -C proofs page && python -m sealcheck.cli.play.build` in a checkout makes it (docs/play.md)"


def is_there() -> bool:
    """Whether this installation has the archive."""
    return (files("sealcheck.cli.play") / NAME).is_file()


def members() -> dict[str, bytes]:
    """The members of the archive, by name.  Raises InputError if it was not built, or is not whole."""
    if not is_there():
        raise InputError(f"this installation has no {NAME}, which has the parts of the page: {HOW}")
    try:
        content = (files("sealcheck.cli.play") / NAME).read_bytes()
        with ZipFile(BytesIO(content)) as archive:
            found = {name: archive.read(name) for name in archive.namelist()}
    except (BadZipFile, zlib.error):
        raise InputError(f"{NAME} of this installation is damaged: {HOW}") from None
    missing = next(
        (name for name in (CONTENTS, CHECKER, PACKAGES, EXAMPLES, LEVELS) if name not in found), None
    )
    if missing:
        raise InputError(f"{NAME} of this installation has no {missing}: {HOW}")
    return found


def compiled_name(source: bytes) -> str:
    """The name of a compiled module in `COMPILED`.

    >>> compiled_name(b"x = 1")
    '8ff436def1451285599a1b1ad70800493b8dcafde2912e1a38345633054e4c26.pyc'
    """
    return f"{sha256(source).hexdigest()}.pyc"


def packed(members: Mapping[str, bytes]) -> bytes:
    """An archive of these members, in the order of their names.

    >>> packed({"b": b"2", "a": b"1"}) == packed({"a": b"1", "b": b"2"})
    True
    """
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(members):
            archive.writestr(ZipInfo(name, NEVER), members[name], ZIP_DEFLATED)
    return stream.getvalue()
