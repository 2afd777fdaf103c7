"""Check when message-passing programs compose safely over reliable, non-FIFO channels.

The subject is Engelhardt and Moses, *Causing Communication Closure: Safe Program Composition with Reliable
Non-FIFO Channels*.  `program`, `seals`, `seal` and `phases` ask about programs, `audit` and `check` about
statements, `diff` about implementations; docs/python.md shows them at work.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sealcheck.api.asking import open_channels, phases, refines, seal, seals, signature
    from sealcheck.api.checking import audit, diff
    from sealcheck.api.conjectures import Checked, Conjecture, check, conjecture
    from sealcheck.api.programs import Program, all_programs, program
    from sealcheck.operations.result import Result

__version__ = "0.1.0"

_PLACES = {
    "all_programs": "api.programs",
    "audit": "api.checking",
    "check": "api.conjectures",
    "Checked": "api.conjectures",
    "conjecture": "api.conjectures",
    "diff": "api.checking",
    "Conjecture": "api.conjectures",
    "open_channels": "api.asking",
    "phases": "api.asking",
    "Program": "api.programs",
    "program": "api.programs",
    "refines": "api.asking",
    "seal": "api.asking",
    "seals": "api.asking",
    "signature": "api.asking",
    "Result": "operations.result",
}
"""The module of each public name, which is imported on first use."""

__all__ = [
    "Checked",
    "Conjecture",
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
    if name not in _PLACES:
        raise AttributeError(f"module 'sealcheck' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"sealcheck.{_PLACES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
