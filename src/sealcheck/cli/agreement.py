"""What ``sealcheck diff`` says: an implementation agrees, or where it is wrong; in text, JSON and JUnit."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sealcheck.cli.answers import Code, Document
from sealcheck.cli.junit import Case
from sealcheck.words import counted

if TYPE_CHECKING:
    from sealcheck.cli.finding import Shown
    from sealcheck.differential.searching import Search, Stage
    from sealcheck.theorems.checking.targets import Target


def found_how(done: "Search") -> str:
    """How a finding was found: after how many tries, and whether there may be a smaller one."""
    from sealcheck.differential.searching import END, KEPT, KNOWN, REPLAYED

    tries, last = counted(done.tried, "try", "tries"), done.stages[-1]
    if last.name == REPLAYED:
        return "an earlier finding, asked again"
    if last.name == END:
        return f"at the end of its input, after {tries}"
    if not last.is_beyond:
        return f"after {tries}, smallest first: fewer processes, or fewer messages, do not show it"
    among = f"among {last.name}" if last.name in (KEPT, KNOWN) else "at random"
    return f"after {tries}, {among}, and made smaller"


@dataclass(frozen=True)
class Agreement:
    """What there is to say of an implementation."""

    target: "Target"
    done: "Search"
    shown: "Shown | None"

    @property
    def code(self) -> Code:
        """The exit code."""
        if self.shown:
            return Code.NO
        return Code.YES if self.done.is_whole else Code.UNKNOWN

    @property
    def document(self) -> Document:
        """As JSON."""
        document: Document = {
            "agrees": self.code is Code.YES,
            "tried": self.done.tried,
            "skipped": self.done.skipped,
            "per_second": self.done.per_second,
            "seed": self.done.seed,
            "covered": [
                {"stage": stage.name, "asked": stage.tried, "of": stage.of, "skipped": stage.skipped}
                for stage in self.done.stages
                if stage.tried
            ],
        }
        return document | ({"finding": self.shown.document} if self.shown else {})

    @property
    def text(self) -> str:
        """For people."""
        if self.shown:
            return "\n".join(self.shown.lines())
        lines = [_stage(stage) for stage in self.done.stages if stage.tried]
        if any(stage.is_beyond for stage in self.done.stages):
            lines.append(f"seed {self.done.seed}; {self.done.per_second:,} questions per second")
        tried = "\n".join(f"  {line}" for line in lines)
        if self.code is Code.UNKNOWN:
            first = f"unknown: it skipped {self.done.skipped} of {counted(self.done.tried, 'question')}"
        else:
            first = f"yes: it agrees on {self.target.id}, {counted(self.done.tried, 'question')} asked"
        return f"{first}\n\n{tried}" if tried else first

    def cases(self) -> list[Case]:
        """One test for each stage."""
        cases = []
        for stage in self.done.stages:
            reason = f"{stage.skipped} of {stage.tried} skipped" if stage.skipped else ""
            cases.append(Case(stage.name, skipped=reason))
        if self.shown:
            sentence, *rest = self.shown.lines()
            cases[-1] = Case(cases[-1].name, sentence, "\n".join(rest))
        return cases


def _stage(stage: "Stage") -> str:
    """How many questions a stage has asked."""
    skipped = f", {stage.skipped} skipped" if stage.skipped else ""
    if stage.of is not None:
        return f"{stage.name}: {stage.tried:,} of {stage.of:,}{skipped}"
    return f"{stage.name}: {counted(stage.tried, 'question')}{skipped}"
