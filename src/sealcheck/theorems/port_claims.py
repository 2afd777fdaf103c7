"""The claims of `docs/ports.md` that are proved in Coq, and their theorems.

The paper has no ports, so the ledger has no rows for these claims. The table "What is proved" in
`docs/ports.md` has a row for each claim. `PortTheorems.v` states the theorems next to the claims.
"""

from dataclasses import dataclass

from sealcheck.theorems.checking.record import PORTS_PAGE, Theorem


@dataclass(frozen=True)
class PortClaim:
    """A claim, and the theorems that prove it."""

    id: str
    text: str
    theorems: tuple[Theorem, ...]


def _row(id: str, text: str, of: str, *names: str) -> PortClaim:
    """A claim, and its theorems (module and name) about one class of programs."""
    found = (name.split(".") for name in names)
    return PortClaim(id, text, tuple(Theorem(f"{file}.v", name, of, PORTS_PAGE) for file, name in found))


_PROGRAMS = "straight-line programs over ports"
_LAYERS = "balanced layers over ports that do not deadlock"
_WORDS = "words of layers over ports, each balanced and without deadlocks"

PORT_CLAIMS = (
    _row(
        "ports-accept",
        "If no receives overlap, a receive accepts exactly the messages of its port.",
        "sends and receives with tags, from one source or from any",
        "PortPrograms.accepts_iff_same_port",
    ),
    _row(
        "ports-counting",
        "Which events can happen without a receive r does not depend on which messages are taken: they"
        " are one set, W(r).",
        _PROGRAMS,
        "Ports.without_exists",
        "Ports.without_unique",
        "Ports.happens_without",
        "Ports.precedes_iff_not_without",
    ),
    _row(
        "ports-channels",
        "The paper's channels are ports of one sender without tags: what comes after an event in every"
        " run is what the program graph says.",
        "balanced straight-line programs that do not deadlock",
        "PortChannels.channels_without",
        "PortChannels.channels_precede",
    ),
    _row(
        "ports-root-causes",
        "Layers stay apart exactly if no port is a root cause.",
        "layers over ports of any kind",
        "PortFaultLayers.apart_without_faulty_root_ports",
    ),
    _row(
        "ports-bag",
        "A bag is a root cause exactly if a later layer can send to it before an earlier layer's last"
        " receive on it, in runs whose receives take messages of their own layer.",
        _LAYERS,
        "PortLayers.bag_root_port",
        "PortExamples.jobs_do_not_stay_apart",
    ),
    _row(
        "ports-fifo",
        "A port in order with one sender is no root cause. One with several senders is a root cause"
        " exactly if a later layer can send to it before an earlier layer's last receive, and the receives"
        " before that one can have taken all messages that this sender sends there in the earlier layer.",
        _LAYERS,
        "PortLayers.one_sender_no_root_port",
        "PortOrder.ordered_root_port",
        "PortFaultExamples.order_of_two_senders_is_not_enough",
    ),
    _row(
        "ports-faults",
        "A port that may lose messages is a root cause exactly if a bag would be; one that duplicates,"
        " exactly if two layers use it.",
        _LAYERS,
        "PortFaultLayers.bag_or_lossy_root_port",
        "PortFaultLayers.copying_root_port",
        "PortFaultExamples.jobs_do_not_stay_apart_if_lost",
        "PortFaultExamples.jobs_do_not_stay_apart_if_copied",
    ),
    _row(
        "ports-apart",
        "So layers over ports of all kinds are decided port by port.",
        _LAYERS,
        "PortOrder.apart_over_ports",
    ),
    _row(
        "ports-open",
        "If anything may follow, layers stay apart exactly if they do by themselves, no port that"
        " duplicates is used, and no process that may send to another port gets to the end without a"
        " layer's last receive there, unless the port orders its message behind others.",
        _WORDS,
        "PortOpen.apart_whatever_follows",
    ),
    _row(
        "ports-blocked",
        "In a protocol, what can happen after a layer depends only on the set of processes that are"
        " blocked in it. Interference between two layers remains if layers in between are left out.",
        _WORDS,
        "PortProtocols.root_port_by_blocked_sets",
        "PortProtocols.deleting_layers",
    ),
    _row(
        "ports-skipping",
        "The shortest words decide. If each layer can be left out, words of two layers decide; if a"
        " sequence of layers is repeated, two rounds decide.",
        _WORDS,
        "PortLanguages.apart_by_shortest_paths",
        "PortLanguages.two_layers_decide",
        "PortLanguages.two_rounds_of_ports_decide",
    ),
    _row(
        "ports-choices",
        "Satisfiability is a case of protocols whose choices cannot be skipped: the layers of a formula's"
        " protocol have 4 + 6k events, if literals occur k times in it. If layers of a sequence of choices"
        " interfere, one of its words has a run that shows it, with at most one step and one loss for each"
        " event.",
        "sequences of choices between layers; those of formulas are over bags of one sender",
        "PortChoices.choices_decide_satisfiability",
        "PortChoices.protocol_size",
        "PortChoices.short_runs_refute",
    ),
    _row(
        "ports-overlaps",
        "Satisfiability is a case of two layers whose receives overlap, even if no run gets stuck: for c"
        " clauses, none of them empty, in which literals occur k times, the layers have at most 10 + 3c +"
        " 24k events. If such layers interfere, a run shows it, with at most one step for each event.",
        "sends and receives with tags, in any order",
        "PortOverlaps.no_overlap_runs",
        "PortOverlapsHard.overlaps_decide_satisfiability",
        "PortOverlapsLayers.layers_size",
        "PortOverlaps.short_overlapping_runs_refute",
    ),
    _row(
        "ports-certificates",
        "The certificates of a yes are sufficient.",
        "protocols as automata, over ports of any kind",
        "PortCertificates.certificates_of_protocols",
    ),
    _row(
        "ports-tags",
        "Layer tags on a set of ports are enough exactly if all root causes are in the set.",
        _WORDS,
        "PortTags.tags_on_root_ports_of_words",
    ),
    _row(
        "ports-values",
        "If layers are repeated over ports that do not duplicate, the layer and the round modulo m are"
        " enough exactly if no message can be m rounds early. If one can be d rounds early, no tags with d"
        " values for its layer are enough. For n processes, n values are enough, or no number of values"
        " is.",
        "repeated layers over ports, each balanced and without deadlocks",
        "PortValues.values_decide",
        "PortValues.values_least",
        "PortValues.n_values_or_none",
    ),
    _row(
        "ports-room",
        "With layer tags, at most k messages wait in a port that does not duplicate, in all runs, exactly"
        " if this holds at each event of its reader, and at its reader's end: of the messages that can be"
        " sent without this event, all but at most k are taken before it.",
        "layers over ports, in a sequence",
        "PortRoom.room_suffices",
    ),
)
