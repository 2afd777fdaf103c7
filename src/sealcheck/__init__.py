"""Check when message-passing programs compose safely over reliable, non-FIFO channels.

`seals`, `seal` and `phases` answer questions about programs.  `audit` checks the claims of Engelhardt and
Moses, *Causing Communication Closure: Safe Program Composition with Reliable Non-FIFO Channels*.  `check`
checks your own statements, and `diff` tests implementations.  docs/python.md shows examples.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sealcheck.api.asking import open_channels, phases, refines, seal, seals, signature
    from sealcheck.api.checking import audit, diff
    from sealcheck.api.conjectures import Checked, Conjecture, check, conjecture
    from sealcheck.api.layers import Layers
    from sealcheck.api.programs import Program, all_programs, program
    from sealcheck.operations.result import Result

__version__ = "0.1.0"

_PLACES = {
    "api.asking": ("open_channels", "phases", "refines", "seal", "seals", "signature"),
    "api.checking": ("audit", "diff"),
    "api.conjectures": ("Checked", "Conjecture", "check", "conjecture"),
    "api.layers": ("Layers",),
    "api.programs": ("Program", "all_programs", "program"),
    "operations.result": ("Result",),
}
"""The public names of each module. The first use of a name imports its module."""

__all__ = [
    "Checked",
    "Conjecture",
    "Layers",
    "Program",
    "Result",
    "all_programs",
    "audit",
    "check",
    "conjecture",
    "diff",
    "open_channels",
    "phases",
    "program",
    "refines",
    "seal",
    "seals",
    "signature",
]


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            found = globals()[name] = getattr(import_module(f"sealcheck.{module}"), name)
            return found
    raise AttributeError(f"module 'sealcheck' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
