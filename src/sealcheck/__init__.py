"""Check when message-passing programs compose safely over reliable, non-FIFO channels.

The subject is Engelhardt and Moses, *Causing Communication Closure: Safe Program Composition with Reliable
Non-FIFO Channels*.  `program`, `seals`, `seal` and `phases` ask about programs, `audit` and `check` about
statements, `diff` about implementations; docs/python.md shows them at work.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sealcheck.api.asking import audit, open_channels, phases, refines, seal, seals, signature
    from sealcheck.api.conjectures import Checked, Conjecture, check, conjecture
    from sealcheck.api.differing import diff
    from sealcheck.api.programs import Program, all_programs, program
    from sealcheck.api.verdicts import Verdict

__version__ = "0.1.0"

_PLACES = {
    "all_programs": "programs",
    "audit": "asking",
    "check": "conjectures",
    "Checked": "conjectures",
    "conjecture": "conjectures",
    "diff": "differing",
    "Conjecture": "conjectures",
    "open_channels": "asking",
    "phases": "asking",
    "Program": "programs",
    "program": "programs",
    "refines": "asking",
    "seal": "asking",
    "seals": "asking",
    "signature": "asking",
    "Verdict": "verdicts",
}
"""Where each public name is: a module of `sealcheck.api`, which is imported when it is used."""

__all__ = [
    "Checked",
    "Conjecture",
    "Program",
    "Verdict",
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
    found = globals()[name] = getattr(import_module(f"sealcheck.api.{_PLACES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
