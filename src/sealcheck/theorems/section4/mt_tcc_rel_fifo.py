"""Section 4: mt^{i->j} is TCC in RelFi but not TCC in Rel.

Words        ≀ is the silent cut, a moment without messages in transit. P refines Q if Q occurs over every
             interval over which P occurs. P is TCC if ≀P refines P≀. In the model Rel, channels may reorder
             messages. In RelFi, channels keep the order: the k'th receive takes the k'th message.

Reading      the checks decide for each of the two models whether mt is TCC, with every kind of data.

Not claimed  anything about FIFO channels that may skip a message; see the hypotheses.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from sealcheck.programs.semantics import PAPER, ChannelModel, Semantics
from sealcheck.programs.straight_line import StraightLine, mt
from sealcheck.programs.syntax import tcc
from sealcheck.questions.instance import Instance
from sealcheck.questions.whole_language import COUNTEREXAMPLE, REFINES, syntax
from sealcheck.theorems.checking.domains import Listed
from sealcheck.theorems.checking.hypotheses import EMPTY_CUT, SELF_CHANNELS, crossing_in_order, failing
from sealcheck.theorems.checking.laws import as_lines
from sealcheck.theorems.checking.record import in_coq
from sealcheck.theorems.checking.small_programs import CONTENTS, VALUES, to_oneself, transmissions
from sealcheck.theorems.checking.statement import Ask, Claim, Hypothesis, Outcome, Query, Statement

MODELS = tuple(ChannelModel)


def is_tcc_only_in(
    instance: Instance,
    ask: Ask,
    models: Collection[ChannelModel] = (ChannelModel.REL_FIFO,),
    semantics: Semantics = PAPER,
) -> Outcome:
    """Check that the program is TCC in exactly these models; everything else is as in `semantics`."""
    sides = Instance(instance.n, tcc(*syntax(instance)))
    found = ask.all(REFINES, [(sides, replace(semantics, model=model)) for model in MODELS])
    return Outcome.of(found == [model in models for model in MODELS])


def with_skipped_messages(n: int, messages: int) -> Iterator[Query]:
    """A transmission on a channel on which a message may be lost, but no message overtakes another."""
    if n >= 2 and messages == 1:
        once = Instance.of(StraightLine.of(n, mt(1, 2)))
        yield crossing_in_order("a message is skipped", once)


def _explain(instance: Instance, ask: Ask) -> str:
    lines = []
    for model in MODELS:
        found = ask(COUNTEREXAMPLE, Instance(instance.n, tcc(*syntax(instance))), Semantics(model))
        lines.append(
            f"in {model.value} it is TCC" if found is None else f"in {model.value}:\n{as_lines(found)}"
        )
    return "\n".join(lines)


STATEMENT = Statement.of(
    "mt-tcc-rel-fifo",
    'section 4, "It is TCC in RelFi but not TCC in Rel"',
    Claim(
        "mt^{i->j} is TCC in RelFi, but not in Rel, for i != j and over finite intervals",
        check=is_tcc_only_in,
        hypotheses=(
            Hypothesis(
                "FIFO channels skip no message",
                queries=with_skipped_messages,
                remark="the message of mt may be lost, and the receive of mt may take a later message",
            ),
            Hypothesis(
                "no self-channels", failing(to_oneself, partial(is_tcc_only_in, semantics=SELF_CHANNELS))
            ),
            Hypothesis(
                "the formal reading of the silent cut",
                failing(transmissions, partial(is_tcc_only_in, semantics=EMPTY_CUT)),
            ),
        ),
        explain=_explain,
        theorems=in_coq(
            "Transmissions.v", "mt_tcc_rel_fifo", "any two processes, whatever the values; finite intervals"
        ),
    ),
    domain=Listed("transmissions with data", transmissions),
    questions=(REFINES,),
    limits=(CONTENTS, VALUES),
)
