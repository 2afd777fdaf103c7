"""The ledger: what an audit has found, as one line each, and in full."""

from collections.abc import Callable, Iterator, Sequence

from sealcheck.cli.drawn import drawn as lines_of
from sealcheck.cli.wording import entry
from sealcheck.drawing.making import of_run, with_chains
from sealcheck.drawing.picture import Picture
from sealcheck.evidence.cubes import is_answerable
from sealcheck.evidence.tables.registry import tables_about
from sealcheck.programs.runs import interferes_with
from sealcheck.programs.straight_line import StraightLine
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.record import Established, Theorem
from sealcheck.theorems.checking.statement import Claim, Form, Hypothesis, Statement, Verdict
from sealcheck.theorems.checking.verdicts import Finding, fitted_exponent
from sealcheck.theorems.own import is_own
from sealcheck.words import counted, counted_of

COLUMN = 16
"""Where texts start, behind their labels."""


def evidence(finding: Finding) -> str:
    """What a verdict rests on, in a few words."""
    if finding.trouble:
        return finding.trouble
    about = finding.statement
    theorems = finding.theorems or (finding.refutations if is_by_theorem(finding) else ())
    names = ", ".join(theorem.name for theorem in theorems)
    parts = [f"theorem{'s' if len(theorems) > 1 else ''} {names}"] if names else []
    if about.domain is not None and not finding.claim.not_boundable:
        vacuous = f" ({finding.vacuous} vacuous)" if finding.vacuous else ""
        parts.append(counted_of(finding.instances, about.domain.noun) + vacuous)
        parts += [] if about.measure == "messages" else ["by size"]
    if finding.queries:
        parts.append(counted(finding.queries, "query", "queries"))
    if finding.claim.growth and finding.counts:
        growth = finding.claim.growth
        parts.append(f"counts grow like {growth.size}^{fitted_exponent(finding.counts):.2f}")
    if finding.unknown:
        parts.append(f"{finding.unknown} unknown")
    return ", ".join(parts)


def summary(findings: Sequence[Finding]) -> str:
    """How many claims as printed are refuted, and how many of these by misprints in pseudocode."""
    printed = [finding for finding in findings if finding.claim.form is Form.AS_PRINTED]
    refuted = [finding for finding in printed if finding.verdict is Verdict.REFUTED]
    misprints = sum(finding.claim.misprint for finding in refuted)
    said = f"Of {counted(len(printed), 'claim')} as printed, {len(refuted)}"
    said += f" {'is' if len(refuted) == 1 else 'are'} refuted"
    if not refuted:
        return f"{said}."
    return (
        f"{said}; {misprints} of these {'comes' if misprints == 1 else 'come'} from misprints in pseudocode,"
        " the others from statements, some of which have several readings."
    )


def certificate(finding: Finding) -> list[str]:
    """What `audit --certify` writes down for the row, so that it can be checked: only for the paper's."""
    if is_own(finding.statement.id):
        return []
    proofs = ["proofs"] if finding.claim.whole_space else []
    answers = ["answers"] if is_answerable(finding.statement) else []
    replayed = [] if finding.claim.not_boundable else ["replay"]
    return [*replayed, *proofs, *answers, *(f"table {kind}" for kind in tables_about(finding.statement.id))]


def counts(finding: Finding) -> str:
    """What was counted for a claim about growth, if it is one."""
    growth = finding.claim.growth
    if growth is None or finding.counts is None:
        return ""
    listed = ", ".join(f"{count} at {size}" for size, count in finding.counts)
    return f"{growth.quantity}, by {growth.size}: {listed}"


def form(finding: Finding) -> str:
    """The form of the claim, numbered where the statement has several of it."""
    return form_of(finding.statement, finding.claim)


def form_of(about: Statement, claim: Claim) -> str:
    """The form of a claim, numbered where the statement has several of it."""
    same = [each for each in about.claims if each.form is claim.form]
    number = f" {same.index(claim) + 1}" if len(same) > 1 else ""
    return f"{claim.form.value}{number}"


def is_by_theorem(finding: Finding) -> bool:
    """Whether a theorem alone refutes the claim: checking does not."""
    return bool(finding.refutations) and finding.bounded is not Verdict.REFUTED


def by_theorem(finding: Finding) -> list[str]:
    """If theorems alone refute the claim, their counterexamples."""
    if not is_by_theorem(finding):
        return []
    beyond = "" if finding.claim.not_boundable else "beyond the bound: "
    return [f"{beyond}{theorem.of} (theorem {theorem.name})" for theorem in finding.claim.refutations]


def why(finding: Finding) -> list[str]:
    """Why the counterexample refutes the claim, line by line."""
    if finding.counterexample is None or finding.claim.explain is None:
        return []
    with inline() as ask:
        return finding.claim.explain(finding.counterexample, ask).splitlines()


def shares(instance: Instance) -> Iterator[str]:
    """The straight-line programs of an instance by process."""
    for name, program in zip(NAMES, instance.programs, strict=False):
        if isinstance(program, StraightLine):
            for process, share in enumerate(program.shares, 1):
                yield f"{name}, process {process}:  {'   '.join(map(str, share)) or '(nothing)'}"


def picture_of(finding: Finding) -> Picture | None:
    """The run that shows what is wrong, where the claim has one."""
    if finding.counterexample is None or finding.claim.run is None:
        return None
    with inline() as ask:
        shown = finding.claim.run(finding.counterexample, ask)
    if shown is None:
        return None
    run, programs = shown
    layers = dict(zip(NAMES, programs, strict=False))
    title = f"Counterexample to {finding.statement.id}, {form(finding)}"
    wrong = interferes_with(run, programs[0])
    found = of_run(run, layers, title, wrong=wrong)
    return with_chains(found, *programs) if wrong is None and len(programs) == 2 else found


def picture(finding: Finding) -> Iterator[str]:
    """The run that shows what is wrong, as a space-time diagram, where the claim has one."""
    found = picture_of(finding)
    if found is not None:
        yield from lines_of(found)


def hypotheses(findings: Sequence[Finding]) -> Iterator[tuple[str, Hypothesis, Ablation | None]]:
    """The hypotheses of a statement's claims, each once, and what became of the claim without it.

    The name says of which claims, where it is not one of all.
    """
    found = {hypothesis: ablation for finding in findings for hypothesis, ablation in finding.ablations}
    for hypothesis, ablation in found.items():
        having = [form(finding) for finding in findings if hypothesis in finding.claim.hypotheses]
        of = f" ({', '.join(having)})" if len(having) < len(findings) else ""
        yield hypothesis.name + of, hypothesis, ablation


def dropped(hypothesis: Hypothesis, ablation: Ablation | None) -> str:
    """What becomes of a claim without a hypothesis, in a sentence."""
    if ablation is None:
        return hypothesis.remark
    remark = f" ({hypothesis.remark})" if hypothesis.remark else ""
    if ablation.breaking is not None:
        return f"without it, fails for n = {ablation.breaking.n}: {ablation.breaking}{remark}"
    up_to = f"n <= {ablation.n}, messages <= {ablation.messages}"
    known = "as far as could be decided, " if ablation.unknown else ""
    return f"{known}no counterexample without it up to {up_to}{remark}"


def in_full(findings: Sequence[Finding]) -> Iterator[str]:
    """All that is known of one statement; `findings` are about its claims."""
    about = findings[0].statement
    yield f"{about.id}    {about.label}".rstrip()
    for finding in findings:
        yield ""
        yield from entry(f"  {form(finding)}", finding.claim.text, COLUMN)
        yield from entry("  verdict", f"{finding.verdict.value}   {evidence(finding)}", COLUMN)
        yield from entry("  counts", counts(finding), COLUMN)
        yield from _theorems(finding)
        yield from entry("  certificate", ", ".join(certificate(finding)), COLUMN)
        yield from _refutation(finding)
    yield ""
    for question in about.questions:
        yield from entry("  question", f"{question.text} ({question.id})", COLUMN)
    yield from entry("  oracles", ", ".join(map(_with_abstentions(findings[0]), findings[0].oracles)), COLUMN)
    for name, hypothesis, ablation in hypotheses(findings):
        yield from entry("  hypothesis", f"{name}: {dropped(hypothesis, ablation)}", COLUMN)
    for limit in (*about.limits, *filter(None, [about.not_boundable])):
        yield from entry("  limits", limit, COLUMN)


def _theorems(finding: Finding) -> Iterator[str]:
    """What is proved with Coq: the theorems, of what, and from which axioms; or why that is not said."""
    yield from _established("theorem", finding.claim.theorems, finding.theorems)
    yield from _established("refuted by", finding.claim.refutations, finding.refutations)
    not_boundable = finding.claim.not_boundable
    if finding.theorems or is_by_theorem(finding):
        reason = f": {not_boundable}" if not_boundable else ", up to the bound"
        yield from entry("  by checking", f"{finding.bounded.value}{reason}", COLUMN)
    missing = len(finding.claim.theorems) > len(finding.theorems)
    if missing or len(finding.claim.refutations) > len(finding.refutations):
        yield from entry("  theorem", "none is on record for the sources as they are", COLUMN)


def _established(title: str, theorems: Sequence[Theorem], on_record: Sequence[Established]) -> Iterator[str]:
    for theorem, found in zip(theorems, on_record, strict=bool(on_record)):
        axioms = f"from {', '.join(found.axioms)}" if found.axioms else "from no axiom"
        where = f"{theorem.name}, {theorem.file}, {axioms}: {theorem.of}"
        yield from entry(f"  {title}", where, COLUMN)
        checked = f"checked by Coq {found.coq}, sources {found.sources[:12]}"
        yield from entry("  on record", checked, COLUMN)


def _refutation(finding: Finding) -> Iterator[str]:
    found = finding.counterexample
    if found is None:
        return
    yield "  smallest".ljust(COLUMN) + f"n = {found.n}   {found}"
    for line in shares(found):
        yield " " * COLUMN + line
    for number, line in enumerate(why(finding)):
        yield from entry("" if number else "  because", line, COLUMN)
    drawn = list(picture(finding))
    if drawn:
        yield ""
        for line in drawn:
            yield (" " * COLUMN + line).rstrip()


def _with_abstentions(finding: Finding) -> Callable[[str], str]:
    """The name of an oracle, and how often it could not answer."""

    def named(oracle: str) -> str:
        times = finding.abstained.get(oracle, 0)
        return f"{oracle} (abstained {counted(times, 'time')})" if times else oracle

    return named
