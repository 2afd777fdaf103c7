"""Results of an audit kept from one run to the next.

A result is filed under a digest of what was asked and of all code and solver versions that
the answer may depend on.  So a change of code finds nothing here, and an audit that was
interrupted finds all that it had finished.
"""

import hashlib
import json
import os
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from sealcheck.spark_sweeps.java import cache_folder
from sealcheck.spark_sweeps.package import code_digest, solver_versions
from sealcheck.spark_sweeps.shards import Shard

KEPT_DAYS = 30
"""How long the results of other code are kept."""


class Cache:
    """The results of this code, in the user's cache; of no use, but no error, where that can't be written."""

    def __init__(self) -> None:
        made_by = json.dumps([code_digest(), solver_versions()], sort_keys=True)
        folder = hashlib.sha256(made_by.encode()).hexdigest()[:24]
        try:
            self._folder: Path | None = cache_folder() / "audit" / folder
        except RuntimeError:  # the user has no home folder
            self._folder = None

    def get(self, shard: Shard) -> str | None:
        """The result that was kept for this shard, if any."""
        if self._folder is None:
            return None
        try:
            kept = json.loads(self._file(self._folder, shard).read_text())
        except (OSError, ValueError):
            return None
        asked, result = kept if isinstance(kept, list) and len(kept) == 2 else (None, None)
        return result if asked == asdict(shard) and isinstance(result, str) else None

    def put(self, shard: Shard, result: str) -> None:
        """Keep a result; another process may keep the same one at the same time."""
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=self._folder, delete=False) as file:
                json.dump([asdict(shard), result], file)
            os.replace(file.name, self._file(self._folder, shard))

    def forget_others(self) -> None:
        """Remove results of other code that have not been used for long."""
        if self._folder is None:
            return
        oldest = time.time() - KEPT_DAYS * 24 * 3600
        with suppress(OSError):
            for folder in self._folder.parent.iterdir():
                if folder != self._folder and folder.stat().st_mtime < oldest:
                    shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def _file(folder: Path, shard: Shard) -> Path:
        asked = json.dumps(asdict(shard), sort_keys=True)
        return folder / f"{hashlib.sha256(asked.encode()).hexdigest()[:32]}.json"
