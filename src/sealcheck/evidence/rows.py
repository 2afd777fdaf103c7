"""Rows of the ledger: write a finding about a claim in a few words, in full, as JSON, or as a picture.

A *statement* is a theorem, lemma or procedure of the paper. A *claim* is an assertion of a statement, as
printed or as repaired. A *finding* is the verdict on a claim, with the evidence for the verdict.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cache

from sealcheck.algorithms.ports import decide_ports
from sealcheck.algorithms.sealing import decide
from sealcheck.drawing.making import of_paths, of_ports, of_program, of_run, of_sealing, with_chains
from sealcheck.drawing.picture import Picture
from sealcheck.drawing.text import drawn
from sealcheck.encodings.solvers import PROVING
from sealcheck.evidence.cubes import is_answerable
from sealcheck.evidence.tables import tables_about
from sealcheck.programs.phases import OPEN, REPEAT
from sealcheck.programs.ports import PortProgram
from sealcheck.programs.runs import interferes_with
from sealcheck.programs.straight_line import StraightLine
from sealcheck.programs.syntax import Program
from sealcheck.questions.instance import NAMES, Instance
from sealcheck.questions.ports import as_port_phases
from sealcheck.theorems.checking.check import inline
from sealcheck.theorems.checking.hypotheses import Ablation
from sealcheck.theorems.checking.record import Established, Theorem
from sealcheck.theorems.checking.statement import Ask, Claim, Form, Hypothesis, Statement, Verdict
from sealcheck.theorems.checking.verdicts import Finding, fitted_exponent
from sealcheck.theorems.own import is_own
from sealcheck.words import counted, counted_of, entry

Document = dict[str, object]

COLUMN = 16
"""The column in which texts start, after their labels."""


def evidence(finding: Finding, glue: str = ", ") -> str:
    """The evidence for a verdict, in a few words. `glue` joins the kinds of evidence."""
    if finding.trouble:
        return finding.trouble
    about = finding.statement
    theorems = finding.theorems or (finding.refutations if is_by_theorem(finding) else ())
    names = ", ".join(theorem.name for theorem in theorems)
    parts = [f"theorem{'s' if len(theorems) > 1 else ''} {names}"] if names else []
    if about.domain is not None and not finding.claim.not_boundable:
        vacuous = f" ({finding.vacuous} vacuous)" if finding.vacuous else ""
        parts.append(counted_of(finding.instances, about.domain.noun) + vacuous)
        parts += [] if about.measure == "messages" else ["whole language"]
    if finding.queries:
        parts.append(counted(finding.queries, "query", "queries"))
    if finding.claim.growth and finding.counts:
        growth = finding.claim.growth
        parts.append(f"counts grow like {growth.size}^{fitted_exponent(finding.counts):.2f}")
    if finding.unknown:
        parts.append(f"{finding.unknown} unknown")
    return glue.join(parts)


def summary(findings: Sequence[Finding]) -> str:
    """How many printed claims are refuted, how many because of misprints, and how many claims are our own."""
    printed = [finding for finding in findings if finding.claim.form is Form.AS_PRINTED]
    refuted = [finding for finding in printed if finding.verdict is Verdict.REFUTED]
    misprints = sum(finding.claim.misprint for finding in refuted)
    said = f"Of {counted(len(printed), 'claim')} as printed, {len(refuted)}"
    said += f" {'is' if len(refuted) == 1 else 'are'} refuted"
    if refuted:
        said += (
            f": {misprints} because of misprints in pseudocode, {len(refuted) - misprints} because of the"
            " paper's text, which has several readings in places"
        )
    own = sum(finding.claim.text.startswith("(ours)") for finding in printed)
    return f"{said}." + (
        f" Of the {len(printed)} claims, {own} {'is' if own == 1 else 'are'} our own." if own else ""
    )


def certificate(finding: Finding) -> list[str]:
    """The kinds of evidence that `audit --certify` writes for a row; empty for a user's own statement."""
    if is_own(finding.statement.id):
        return []
    proofs = ["proofs"] if finding.claim.whole_space else []
    answers = ["answers"] if is_answerable(finding.statement) else []
    replayed = [] if finding.claim.not_boundable else ["replay"]
    return [*replayed, *proofs, *answers, *(f"table {kind}" for kind in tables_about(finding.statement.id))]


def counts(finding: Finding) -> str:
    """The counted quantity and its counts, for a claim about growth; empty for other claims."""
    growth = finding.claim.growth
    if growth is None or finding.counts is None:
        return ""
    listed = ", ".join(f"{count} for {growth.size} = {size}" for size, count in finding.counts)
    return f"{growth.quantity}. The counts: {listed}"


def form(finding: Finding) -> str:
    """The form of the finding's claim, as `form_of` writes it."""
    return form_of(finding.statement, finding.claim)


def form_of(about: Statement, claim: Claim) -> str:
    """The form of a claim, with a number if the statement has several claims of this form."""
    same = [each for each in about.claims if each.form is claim.form]
    number = f" {same.index(claim) + 1}" if len(same) > 1 else ""
    return f"{claim.form.value}{number}"


def is_by_theorem(finding: Finding) -> bool:
    """Whether a theorem refutes the claim, but no instance up to the bound does."""
    return bool(finding.refutations) and finding.bounded is not Verdict.REFUTED


def by_theorem(finding: Finding) -> list[str]:
    """The counterexamples of theorems, if `is_by_theorem`; otherwise empty."""
    if not is_by_theorem(finding):
        return []
    beyond = "" if finding.claim.not_boundable else "beyond the bound: "
    return [f"{beyond}{theorem.of} (theorem {theorem.name})" for theorem in finding.claim.refutations]


def why(finding: Finding) -> list[str]:
    """Lines that explain why the counterexample refutes the claim; empty if there is none."""
    if finding.counterexample is None or finding.claim.explain is None:
        return []
    return _explained(finding.claim.explain, finding.counterexample).splitlines()


@cache
def _explained(explain: Callable[[Instance, Ask], str], counterexample: Instance) -> str:
    with inline() as ask:
        return explain(counterexample, ask)


def shares(instance: Instance) -> Iterator[str]:
    """A line for each process of each straight-line program of an instance, with its sends and receives."""
    for name, program in zip(NAMES, instance.programs, strict=False):
        if isinstance(program, StraightLine):
            for process, share in enumerate(program.shares, 1):
                yield f"{name}, process {process}:  {'   '.join(map(str, share)) or '(nothing)'}"


def picture_of(finding: Finding) -> Picture | None:
    """A picture of the run that refutes the claim; None if the claim's counterexample has no run."""
    if finding.counterexample is None or finding.claim.run is None:
        return None
    title = f"Counterexample to {finding.statement.id}, {form(finding)}"
    with inline() as ask:
        shown = finding.claim.run(finding.counterexample, ask)
    if shown is None:
        return None
    if isinstance(shown, Instance):
        return _of_layers(shown, title)
    run, programs = shown
    layers = dict(zip(NAMES, programs, strict=False))
    wrong = interferes_with(run, programs[0])
    found = of_run(run, layers, title, wrong=wrong)
    return with_chains(found, *programs) if wrong is None and len(programs) == 2 else found


def _of_layers(found: Instance, title: str) -> Picture | None:
    """A picture of the run that shows that the layers interfere; None if the layers stay apart."""
    decision = decide_ports(as_port_phases(found))
    return replace(of_ports(decision, NAMES), title=title) if decision.interfering else None


def picture(finding: Finding) -> Iterator[str]:
    """The space-time diagram of the run that refutes the claim, if there is one."""
    found = picture_of(finding)
    if found is not None:
        yield from drawn(found)


def hypotheses(findings: Sequence[Finding]) -> Iterator[tuple[str, Hypothesis, Ablation | None]]:
    """The hypotheses of a statement's claims: for each its name, itself, and the outcome of dropping it.

    If only some of the claims have a hypothesis, its name lists these claims.
    """
    found = {hypothesis: ablation for finding in findings for hypothesis, ablation in finding.ablations}
    for hypothesis, ablation in found.items():
        having = [form(finding) for finding in findings if hypothesis in finding.claim.hypotheses]
        of = f" ({', '.join(having)})" if len(having) < len(findings) else ""
        yield hypothesis.name + of, hypothesis, ablation


def limits(findings: Sequence[Finding]) -> dict[tuple[str, ...], list[str]]:
    """The limits of the checks, in lists; each list is under the ids of the statements that share it."""
    having: dict[str, list[str]] = {}
    for about in {finding.statement.id: finding.statement for finding in findings}.values():
        beyond = [f"not boundable: {about.not_boundable}"] if about.not_boundable else []
        for limit in (*about.limits, *beyond):
            having.setdefault(limit, []).append(about.id)
    found: dict[tuple[str, ...], list[str]] = {}
    for limit, ids in having.items():
        found.setdefault(tuple(ids), []).append(limit)
    return found


def dropped(hypothesis: Hypothesis, ablation: Ablation | None) -> str:
    """The outcome of dropping a hypothesis, in words."""
    if ablation is None:
        return hypothesis.remark
    remark = f" ({hypothesis.remark})" if hypothesis.remark else ""
    if ablation.breaking is not None:
        return f"without it, fails for n = {ablation.breaking.n}: {ablation.breaking}{remark}"
    up_to = f"n <= {ablation.n}, messages <= {ablation.messages}"
    known = "as far as could be decided, " if ablation.unknown else ""
    return f"{known}no counterexample without it up to {up_to}{remark}"


def in_full(findings: Sequence[Finding]) -> Iterator[str]:
    """The full text about one statement; `findings` are the findings about its claims."""
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
    times = findings[0].abstained
    oracles = (
        f"{oracle} (abstained {counted(times[oracle], 'time')})" if times.get(oracle) else oracle
        for oracle in findings[0].oracles
    )
    yield from entry("  oracles", ", ".join(oracles), COLUMN)
    for name, hypothesis, ablation in hypotheses(findings):
        yield from entry("  hypothesis", f"{name}: {dropped(hypothesis, ablation)}", COLUMN)
    for limit in (*about.limits, *filter(None, [about.not_boundable])):
        yield from entry("  limits", limit, COLUMN)


def _theorems(finding: Finding) -> Iterator[str]:
    yield from _established("theorem", finding.claim.theorems, finding.theorems)
    yield from _established("refuted by", finding.claim.refutations, finding.refutations)
    not_boundable = finding.claim.not_boundable
    if finding.theorems or is_by_theorem(finding):
        reason = f": {not_boundable}" if not_boundable else ", up to the bound"
        yield from entry("  by checking", f"{finding.bounded.value}{reason}", COLUMN)
    claimed = len(finding.claim.theorems), len(finding.claim.refutations)
    if claimed != (len(finding.theorems), len(finding.refutations)):
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
    if lines := list(picture(finding)):
        yield ""
        for line in lines:
            yield (" " * COLUMN + line).rstrip()


def document(finding: Finding) -> Document:
    """The finding as a JSON object."""
    key = "error" if finding.verdict is Verdict.ERROR else "unknown"
    trouble: Document = {key: finding.trouble} if finding.trouble else {}
    return {
        "statement": finding.statement.id,
        "label": finding.statement.label,
        "form": finding.claim.form.value,
        "claim": finding.claim.text,
        "verdict": finding.verdict.value,
        "bounded": finding.bounded.value,
        "n": finding.n,
        "messages": finding.messages,
        "measure": finding.statement.measure,
        "counterexample": finding.counterexample
        and _instance_document(finding.counterexample) | {"why": "\n".join(why(finding))},
        "hypotheses": [_hypothesis_document(*pair) for pair in finding.ablations],
        "evidence": {
            "instances": finding.instances,
            "vacuous": finding.vacuous,
            "questions": [question.id for question in finding.statement.questions],
            "oracles": finding.oracles,
            "abstained": dict(finding.abstained),
            "queries": finding.queries,
            "solvers": finding.level_solvers,
            "counts": finding.counts,
            "theorems": _theorem_documents(finding.claim.theorems, finding.theorems),
            "refutations": _theorem_documents(finding.claim.refutations, finding.refutations),
            "unknown": finding.unknown,
            "limits": finding.statement.limits,
            "not_boundable": finding.statement.not_boundable or finding.claim.not_boundable or None,
            "proof_checked": not set(PROVING).isdisjoint(finding.level_solvers),
            "certificate": certificate(finding),
        },
    } | trouble


def _instance_document(instance: Instance) -> Document:
    texts = instance.texts
    return {
        "n": instance.n,
        "messages": instance.messages,
        "program": texts[0],
        "q": texts[1] if len(texts) > 1 else None,
        "programs": texts,
        **(_flags_document(instance) if instance.is_over_ports else {}),
    }


def _flags_document(instance: Instance) -> Document:
    """The flags of layers over ports, as a line of a batch file writes them."""
    ports = {port: words.split(", ") for port, words in instance.said.items()}
    return {"ports": ports, REPEAT: REPEAT in instance.flags, OPEN: OPEN in instance.flags}


def _hypothesis_document(hypothesis: Hypothesis, ablation: Ablation | None) -> Document:
    return {
        "hypothesis": hypothesis.name,
        "without": ablation
        and {
            "counterexample": ablation.breaking and _instance_document(ablation.breaking),
            "n": ablation.n,
            "messages": ablation.messages,
            "unknown": ablation.unknown,
        },
        "remark": hypothesis.remark or None,
    }


def _theorem_documents(theorems: Sequence[Theorem], established: Sequence[Established]) -> list[Document]:
    return [
        asdict(found) | {"of": theorem.of, "state": "on record"}
        for theorem, found in zip(theorems, established, strict=bool(established))
    ]


def execution(finding: Finding) -> Picture | None:
    """A picture of an execution of the counterexample, which can be played step by step.

    The execution is, in this order of preference:

    - the run that refutes the claim, if the counterexample has one;
    - for two straight-line programs P and Q, a run that shows whether Q seals P;
    - a run of the programs.

    None if there is no counterexample, or if its programs do not communicate, deadlock, or need data to
    complete.
    """
    found = finding.counterexample
    if found is None:
        return None
    shown = picture_of(finding) or _of_straight_lines(found) or _of_syntax(found)
    title = f"{finding.statement.id}, {form(finding)}"
    return shown and replace(shown, title=title)


def _of_straight_lines(found: Instance) -> Picture | None:
    programs = [each for each in found.programs if isinstance(each, StraightLine)]
    playable = all(each.is_balanced and each.is_deadlock_free for each in programs)
    if len(programs) < len(found.programs) or not playable or not any(each.length for each in programs):
        return None
    if len(programs) == 2:
        p, q = programs
        return of_sealing(p, q, decide(p, q))
    return of_program(dict(zip(NAMES, programs, strict=False)))


def _of_syntax(found: Instance) -> Picture | None:
    programs: list[Program] = [p for p in found.programs if not isinstance(p, StraightLine | PortProgram)]
    if len(programs) < len(found.programs):
        return None
    return of_paths(dict(zip(NAMES, programs, strict=False)), found.n, "")
