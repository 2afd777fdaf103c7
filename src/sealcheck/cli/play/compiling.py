"""Compile Python modules for the page, so that it answers sooner.

The build runs this module in the page's own Python, so it imports only the standard library.
"""

import marshal
from importlib.util import MAGIC_NUMBER, source_hash
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

NEVER = (1980, 1, 1, 0, 0, 0)
"""The time of every member, fixed so that equal parts make equal archives."""
UNCHECKED = (1).to_bytes(4, "little")
"""The flags of a compiled module that Python uses without looking at its source (PEP 552)."""


def compiled(archive: bytes, root: str) -> bytes:
    """The archive, with each Python module replaced by its compiled form.

    `root` is the folder that tracebacks name.  Raises SyntaxError if a module is not valid Python.

    >>> stream = BytesIO()
    >>> with ZipFile(stream, "w") as made:
    ...     made.writestr("a/b.py", "x = 1")
    ...     made.writestr("a/b.lark", "x")
    >>> ZipFile(BytesIO(compiled(stream.getvalue(), "/lib"))).namelist()
    ['a/b.lark', 'a/b.pyc']
    """
    stream = BytesIO()
    with ZipFile(BytesIO(archive)) as given, ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=9) as made:
        for name in sorted(name for name in given.namelist() if not name.endswith("/")):
            content = given.read(name)
            if name.endswith(".py"):
                code = compile(content, f"{root}/{name}", "exec", dont_inherit=True)
                content = MAGIC_NUMBER + UNCHECKED + source_hash(content) + marshal.dumps(code)
                name += "c"
            made.writestr(ZipInfo(name, NEVER), content, ZIP_DEFLATED)
    return stream.getvalue()
