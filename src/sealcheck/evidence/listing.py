"""The files of evidence at a path: a file with those that it names, or all of a folder."""

import os
from pathlib import Path

from sealcheck.errors import InputError
from sealcheck.evidence.opening import opened, refuse_folder, why_no_file
from sealcheck.evidence.outcome import IGNORED, Verification
from sealcheck.kernel.reading import LONGEST


def files_at(path: Path, outcome: Verification, *, kernel_only: bool) -> list[Path]:
    """The files to check, in order; what is no file, but should have been one, is rejected.

    Raises InputError where a folder is empty, or cannot be read.
    """
    if not path.is_dir():
        return [path] if kernel_only else [path, *_named_by(path)]
    files: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=refuse_folder):
        folders.sort()
        for name in sorted([*names, *(name for name in folders if (Path(folder) / name).is_symlink())]):
            file = Path(folder) / name
            if name in IGNORED:
                outcome.ignored.append(str(file))
            elif file.is_file():
                files.append(file)
            else:
                outcome.reject(str(file), 0, why_no_file(file))
    if not (files or outcome.rejections or outcome.ignored):
        raise InputError(f"{path} is an empty folder")
    return files


def _named_by(path: Path) -> list[Path]:
    """The files that this one names, if it is a ledger."""
    if not path.is_file():
        return []
    with opened(path) as stream:
        if b'"sealcheck":"ledger"' not in stream.readline(LONGEST):
            return []
    from sealcheck.evidence.ledger import named_files

    return named_files(path)
