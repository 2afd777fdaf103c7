"""Every kind of line in the documentation of Mermaid and PlantUML: read, left out, or refused.

The writer of a diagram knows its messages, without the readers' grammar.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import pytest

from sealcheck.errors import InputError
from sealcheck.language.names import Names, together
from sealcheck.language.readers import read_named

Shares = dict[str, list[str]]

FEW = 1_000
ALL = pytest.param(100_000, marks=pytest.mark.larger)


class Fate(Enum):
    """What becomes of a line."""

    READ = "its messages are read, if it has any"
    EITHER = "its messages are read, or it is refused"
    REFUSED = "it is refused"


@dataclass(frozen=True)
class Line:
    """A kind of line or lines: {a} and {b} stand for participants, {t} for a text."""

    text: str
    messages: tuple[str, ...] = ()
    """The sender and the receiver of each message, such as "ab"."""
    fate: Fate = Fate.READ
    alone: bool = True
    """Whether the line needs a physical line of its own, even if a semicolon could end it."""


def lines(fate: Fate, *texts: str, messages: tuple[str, ...] = (), alone: bool = True) -> list[Line]:
    return [Line(text, messages, fate, alone) for text in texts]


HALF = r"-|\ --|\ -|/ --|/ -\\ --\\ -// --//".split()  # noqa: SIM905
HALF_BACK = r"/|- /|-- \|- \|-- //- //-- \\- \\--".split()  # noqa: SIM905
CENTRAL = ("{a}->>(){b}: {t}", "{a}()->>{b}: {t}", "{a} ()-->>() {b}: {t}")
MERMAID = [
    *(
        Line(f"{{a}}{blank}{arrow}{sign}{blank}{{b}}{blank}:{blank}{{t}}", ("ab",), alone=False)
        for arrow in ("->", "-->", "->>", "-->>", "-)", "--)")
        for sign in ("", "+", "-")
        for blank in ("", " ")
    ),
    *(
        Line(f"{{a}}{arrow}{{b}}: {{t}}", fate=Fate.REFUSED, alone=False)
        for arrow in ("-x", "--x", "-X", "<<->>", "<<-->>", "()<<->>", "()-x()", "-\\", "--/", "->>>", "---")
    ),
    *(
        Line(f"{{a}}{blank}{arrow}{sign}{blank}{{b}}: {{t}}", messages, alone=False)
        for arrows, messages in ((HALF, ("ab",)), (HALF_BACK, ("ba",)))
        for arrow in arrows
        for sign in ("", "+", "-")
        for blank in ("", " ")
    ),
    *lines(Fate.READ, *CENTRAL, messages=("ab",), alone=False),
    *lines(Fate.REFUSED, "{a}->>{b}", "{a}->>{b} done", "{a}->>()+{b}: {t}"),
    *lines(
        Fate.READ,
        *("Note right of {a}: {t}", "note left of {a}:{t}", "Note over {a}: {t}", "NOTE over {a},{b}: {t}"),
        *("activate {a}", "deactivate {a}", "autonumber", "autonumber 10", "autonumber 10 0.5"),
        *("destroy {a}", "link {a}: {t} @ https://x.y/z", "properties {a}: {{}}", "details {a}: {t}"),
        *("autonumber off", "title {t}", "title: {t}", "Title {a}->>{b}: {t}", ""),
        alone=False,
    ),
    *lines(
        Fate.READ,
        *("accTitle: {t}", "accDescr: {a}->>{b}: {t}", "%% {a}->>{b}: {t}", "  %%{a}->>{b}: x; {b}->>{a}: y"),
        *(
            "%%{{init: {{'theme': 'forest'}} }}%%",
            "%%{{wrap}}%%",
            "%%",
            "%%{{init:\n{{{a}->>{b}: {t}}}\n}}%%",
        ),
        *(
            "box {t}\nend",
            "box Aqua {t}\nparticipant {n}\nactor {n}\n\nend",
            "accDescr {{\n{a}->>{b}: {t}\n}}",
        ),
        *('participant {n}@{{ "type" : "boundary" }}', "actor {n}@{{ type: queue,\n icon: '#a;b' }} as {n}"),
        *(
            "participant {n}\nparticipant {n}",
            "create participant {n}",
            "participant {n} # {t}",
            "accDescr {{ }}",
        ),
    ),
    *lines(
        Fate.REFUSED,
        *(f"{word} {{t}}\n{{a}}->>{{b}}: {{t}}\nend" for word in ("loop", "LOOP", "opt", "break")),
        *(f"{word} {{t}}\n{{a}}->>{{b}}: {{t}}\nend" for word in ("alt", "Alt")),
        "alt {t}\n{a}->>{b}: {t}\nelse {t}\n{b}->>{a}: {t}\nend",
        "par {t}\n{a}->>{b}: {t}\nand {t}\n{b}->>{a}: {t}\nend",
        "critical {t}\n{a}->>{b}: {t}\noption {t}\n{b}->>{a}: {t}\nend",
        "loop {t}; {a}->>{b}: {t}; end",
        "destroy {a}\n{a}-x{b}: {t}",
        *("box {t}\n{a}->>{b}: {t}\nend", "participant {n} as x1\nparticipant {n} as x2"),
        *('participant {n}@{{ "type" "boundary" }}', "accDescr {{ {t} }} {a}->>{b}: {t}"),
        *("%%{{init: {{}} }}%% {a}->>{b}: {t}", "{a}->>{b}: {t} %% {t}"),
        "%%{{init:\n{{}}\n}}%% {a}->>{b}: {t}",
        *("{a}->>{b}: {t} # {t}; {b}->>{a}: {t}", "{a}->>{b}: ticket #12; {b}->>{a}: {t}"),
        *("accTitle: {t}; {a}->>{b}: {t}", "end", "else", "sequenceDiagram"),
        *("loop->>{b}: {t}", "{a}->>end: {t}", "{a}->>{a}: {t}", "{a}->>", "{t}"),
    ),
    *lines(
        Fate.READ,
        *(
            f"{word} {{t}}\n{{a}}->>{{b}}: {{t}}\nend"
            for word in ("rect rgb(0, 255, 0)", "par_over", "critical")
        ),
        messages=("ab",),
    ),
    *lines(Fate.READ, "{a}->>{b}: {t} # {t}; {t}", "{a}->>{b}: #9829; a re-try: x", messages=("ab",)),
    *lines(Fate.EITHER, "{a}->>{b}: {t} # {t}", "{a}->>{b}: #9829; {t}", messages=("ab",)),
    *lines(Fate.EITHER, "participant {a}", "actor {b}", alone=False),
    *lines(Fate.EITHER, "# {a}->>{b}: {t}", "Note over {a}: {t} #35; {t}"),
]

FORTH = r"-> ->> --> -->> -\ -\\ -/ -// --\ --// o-> ->o o->o ->>o -\o -\\o -/o -//o".split()  # noqa: SIM905
FORTH += ["-[#red]>", "-[#0000FF]->"]
BACK = r"<- <<- <-- <<-- /- //- \- \\- <-o o<- o<-o o<<- o/- o//-- o\- o\\-- <-[#red]- <[#red]-".split()  # noqa: SIM905
LOST = "->x x-> x->o -x x<- <-x o<-x x<->x <-X x-".split()  # noqa: SIM905
TWO_WAYS = "<-> <<->> o<->o <-->o <-[#red]->".split()  # noqa: SIM905
PLANTUML = [
    *lines(
        Fate.READ,
        *(
            f"{{a}} {arrow} {{b}}{text}"
            for arrow in FORTH
            for text in ("", ": {t}", " #red", " ++ #red : {t}")
        ),
        *(f"{{a}}{arrow}{{b}}{text}" for arrow in FORTH[:10] for text in ("", ": {t}", "--:{t}")),
        *(
            f"{{a}} -> {{b}} {sign}: {{t}}"
            for sign in ("++ ", "-- ", "** ", "!! ", "--++ #gold", "++ #005500 ", "[[http://x.y/z {{t}}]] ")
        ),
        *("{{start}} {a} -> {b} : {t}", "{{s}} {a} -> {b}\n{{s}} <-> {{s}} : {t}", "{a}{{s}} -> {b}"),
        *(
            "& note left : {t}\n{a} -> {b}",
            "{a} -> {b} : GET '/x",
            "activate {a}\n{a} -> {b}\ndeactivate {a}",
        ),
        messages=("ab",),
    ),
    *lines(Fate.READ, *(f"{{a}} {arrow} {{b}} : {{t}}" for arrow in BACK), messages=("ba",)),
    *lines(Fate.READ, "create {n}\n{a} -> {n} : {t}", "create queue {n}\n{a} -> {n} **", messages=("an",)),
    *lines(
        Fate.READ,
        *(
            "{a} -> {b} ++ : {t}\nreturn {t}",
            "{a} -> {b}\nactivate {b} #red\nreturn",
            "{b} <- {a}++\nreturn #red x",
        ),
        *("autoactivate on\n{a} -> {b}\nreturn\nautoactivate off",),
        messages=("ab", "ba"),
    ),
    *lines(
        Fate.REFUSED,
        *(
            f"{{a}} {arrow} {{b}} : {{t}}"
            for arrow in (*LOST, *TWO_WAYS, "-[hidden]->", "--", "->>>", "-->x")
        ),
        *(f"{side}{arrow} {{b}} : {{t}}" for arrow in (*FORTH, *BACK, *LOST, *TWO_WAYS) for side in "[?"),
        *(f"{{a}} {arrow}{side} : {{t}}" for arrow in (*FORTH, *BACK, *LOST, *TWO_WAYS) for side in "]?"),
        *("-> {a} : {t}", "{a} -> : {t}", "<- {a}", "{a} ->] ++ #red : {t}"),
        *("{a} -> {b} & {c} : {t}", "& {a} -> {b} : {t}", "{a} -> {a} : {t}", "& alt\n{a} -> {b}\nend"),
        *(f"{word} {{t}}\n{{a}} -> {{b}} : {{t}}\nend" for word in ("loop", "opt", "break")),
        "alt {t}\n{a} -> {b} : {t}\nelse {t}\n{b} -> {a} : {t}\nend",
        "par\n{a} -> {b} : {t}\nelse\n{b} -> {a} : {t}\nend",
        *("ref over {a}, {b} : {t}", "ref over {a}\n{a} -> {b} : {t}\nend ref", "ref#red over {a} : {t}"),
        "legend -> {b} : {t}",
        *(
            "/' {t} '/ {a} -> {b}",
            "{a} -> {b} /' {t} '/",
            "/'\n{t} '/ {a} -> {b}",
            "participant {n} as x1 as x2",
        ),
        *(
            "!include x",
            "!define X {a}",
            "!procedure $x()",
            "$x({a})",
            "%x()",
            'participant "%date()" as {n}',
        ),
        *("{a} -> {b} : {t}\\\n{b} -> {a} : {t}", "' {t}\\\n{a} -> {b} : {t}", "note {a} : {t}"),
        *("@startuml", "{a}, {b}", "' rcv {a} from {b}", "' rcv {a}", "...{a} -> {b}...", "{a} ->"),
    ),
    *lines(
        Fate.EITHER,
        *(f"{word} {{t}}\n{{a}} -> {{b}} : {{t}}\nend" for word in ("critical", "group")),
        messages=("ab",),
    ),
    *lines(Fate.EITHER, "participant {a}", "actor {b}"),
    *lines(
        Fate.READ,
        *(
            "' {a} -> {b} : {t}",
            "'{t}",
            "title {a} -> {b} : {t}",
            "title -> {b} : {t}",
            "header {t}",
            "footer {t}",
            "caption {t}",
            "!pragma teoz true",
            "!theme plain",
        ),
        *("mainframe {t}", "skinparam roundcorner 20", "skinparam backgroundColor #EEEBDC", "hide footbox"),
        *(
            "hide unlinked",
            "autonumber",
            "autonumber 15",
            "autonumber 40 10",
            'autonumber "<b>[000]"',
            "deactivate",
        ),
        *(
            'autonumber 40 10 "<b>Message 0  "',
            "autonumber stop",
            'autonumber resume "<b>0"',
            "autonumber resume 1",
        ),
        *("autonumber 1.1.1", "autonumber inc A", "activate {a}", "activate {a} #FFBBBB", "deactivate {a}"),
        *(
            "note left: {t}",
            "note right : {a} -> {b}",
            "note left of {a} : {t}",
            "note over {a}, {b} #FFAAAA: {t}",
        ),
        *(
            "note across: {t}",
            *(
                f"{kind} {place} : {{t}}"
                for kind in ("hnote", "rnote", "/ note")
                for place in ("over {a}", "right")
            ),
            *(
                "note left\n{a} -> {b} : {t}\nend note",
                "note over {a} #red\n{t}\nendrnote",
                "hnote across\n\nendhnote",
            ),
            *(
                "title\n{a} -> {b} : {t}\nend title",
                "title: {t}",
                "left header {t}",
                "header\n{a} -> {b}\nend header",
            ),
            *(
                "legend\n{a} -> {b}\nend legend",
                "legend top right\n{a} -> {b}\nendlegend",
                "center footer\n\nendfooter",
            ),
            *(
                "skinparam sequence {{\nArrowColor blue\n}}",
                "skinparam {{\nx {{\n{a} -> {b}\n}}\n}}",
                "skin rose",
            ),
            *("<style>\nx {{\ny z\n}}\n</style>", "sprite $x [2x2/16] {{\n{a} -> {b}\n}}", "scale 1.5"),
            *("newpage", "newpage {t}", "/' {a} -> {b} '/", "/'\n{a} -> {b} : {t}\n'/", "/'\n\n{t} '/"),
            *("participant {n} #red", "participant {n} order 10", "participant {n} [\n{a} -> {b}\n]"),
            *(
                "participant {n} <<x>>",
                "participant {n} <<(C,#ADD1B2) x>> order -3 #red/blue",
                "create control {n}",
            ),
            *(
                "box {t}\nend box",
                "note left\n}}\n{{\nend note",
                "participant {n} [\n{a} -> {b}\n x]",
                'box "{t}" #red\nparticipant {n}\nendbox',
                "destroy {a}",
                "autoactivate off",
            ),
            *("url of {a} is [[http://x.y/z]]", "show footbox", "{{start}} <-> {{end}} : {t}", "footbox off"),
            "== {t} ==",
            "== {a} -> {b} ==",
            "...",
            "...5 minutes later...",
            "...5-10 minutes...",
            "... a {a} delay ...",
            "|||",
            "||45||",
            "",
        ),
    ),
]

SLANTED = {"{a} ->(60) {b} : {t}": "ab", "{a} -->(5) {b}": "ab", "{a} (60)<- {b} : {t}": "ba"}


@dataclass
class Written:
    """A diagram, and its messages, while the diagram is written."""

    names: list[str]
    """The names as arrows spell them."""
    shown: dict[str, str]
    texts: list[str]
    physical: list[str] = field(default_factory=list)
    shares: defaultdict[str, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    fates: Counter[Fate] = field(default_factory=Counter)

    def ends(self, draw: random.Random) -> dict[str, str]:
        """Participants, a text, and a new name."""
        return dict(zip("abc", draw.sample(self.names, 3), strict=True)) | {
            "t": draw.choice(self.texts),
            "n": "New1",
        }

    def send(self, sender: str, receiver: str) -> None:
        """Note a send."""
        self.shares[self.shown[sender]].append(("snd", self.shown[sender], self.shown[receiver]))

    def receive(self, receiver: str, sender: str) -> None:
        """Note a receive."""
        self.shares[self.shown[receiver]].append(("rcv", self.shown[receiver], self.shown[sender]))

    def add(self, line: Line, draw: random.Random, separator: str) -> None:
        """Write a line. It may continue the last line after a separator."""
        ends = self.ends(draw)
        text = line.text.format(**ends)
        if separator and not line.alone and self.physical and self.may_go_on:
            self.physical[-1] += separator + text
        else:
            self.physical.append(draw.choice(["", "  ", "\t"]) + text)
        self.may_go_on = not line.alone
        self.fates[line.fate] += 1
        for first, second in line.messages:
            self.send(ends[first], ends[second])
            self.receive(ends[second], ends[first])

    may_go_on = False


TEXTS = [
    "done",
    "a loop, all in all",
    "x -> y",
    "the end",
    "é (1) <br/> [2]",
    "a: b",
    "wrap: it",
    "100 %",
    "x=1/2",
]


def mermaid(draw: random.Random, wanted: list[Line]) -> Written:
    names = draw.sample(["A", "Bob", "web server", "ö2", "api-gateway", "x", "X1", "notes", "looper"], 4)
    written = Written(
        names, dict(zip([*names, "New1"], [*names, "New1"], strict=True)), [*TEXTS, "I #9829; you #infin;"]
    )
    front = draw.choice([[], ["---", "title: A->>B", "---"], ["%% c"]])
    written.physical = [*front, "sequenceDiagram"]
    for name in draw.sample(names, 2):
        word = draw.choice(["participant", "actor", "Participant"])
        shown = draw.choice([name, f"the {name}", f"{name} #35;1"]) if " " not in name else name
        written.shown[name] = shown.replace("#35;", "#")
        written.physical.append(f"{word} {name}" + (f" as {shown}" if shown != name else ""))
    for line in wanted:
        written.add(line, draw, draw.choice([";", "; ", " ; ", ";;", ""]))
    return written


def plantuml(draw: random.Random, wanted: list[Line]) -> Written:
    names = draw.sample(["A", "Bob", '"web server"', "ö2", "x", "o", "x1", "_b", "database"], 4)
    written = Written(
        names, {name: name.strip('"') for name in [*names, "New1"]}, [*TEXTS, r"\n", "' x", "50;60"]
    )
    written.physical = [draw.choice(["@startuml", "@startuml a -> b", "' c\n@startuml"])]
    for name in draw.sample(names, 2):
        kind = draw.choice(["participant", "actor", "queue", "Database"])
        if name.startswith('"'):
            written.physical.append(f"{kind} {name}")
        else:
            written.shown[name] = f"the {name}"
            written.physical.append(f'{kind} "the {name}" as {name}')
    under_way: list[tuple[str, str]] = []
    for line in wanted:
        written.add(line, draw, "")
        if draw.random() < 0.1:
            text, (first, second) = draw.choice(list(SLANTED.items()))
            ends = written.ends(draw)
            written.physical.append(text.format(**ends))
            written.send(ends[first], ends[second])
            under_way.append((ends[second], ends[first]))
        while under_way and draw.random() < 0.4:
            arrive(written, *under_way.pop(draw.randrange(len(under_way))))
    for ends in under_way:
        arrive(written, *ends)
    written.physical.append("@enduml")
    return written


def arrive(written: Written, receiver: str, sender: str) -> None:
    written.physical.append(f"' rcv {receiver}<-{sender}")
    written.receive(receiver, sender)


FORMATS = {".mmd": (mermaid, MERMAID), ".puml": (plantuml, PLANTUML)}


def read(text: str, file: str) -> Shares | None:
    try:
        program = read_named(text, file)
    except InputError:
        return None
    assert program is not None
    (straight,), names = together([program])
    return {names.process(k): share_of(names, share) for k, share in enumerate(straight.shares, 1) if share}


def share_of(names: Names, share) -> list[tuple[str, str, str]]:
    arrow = {"snd": lambda e: (e.sender, e.receiver), "rcv": lambda e: (e.receiver, e.sender)}
    found = []
    for event in share:
        word = "snd" if event.is_send else "rcv"
        found.append((word, *map(names.process, arrow[word](event))))
    return found


def judge(written: Written, file: str, end: str = "\n") -> bool:
    """Whether the text is read; fails if it is read wrongly, or refused without reason."""
    text = end.join("\n".join(written.physical).split("\n"))
    found = read(text, f"diagram{file}")
    if written.fates[Fate.REFUSED]:
        assert found is None, text
    elif found is None:
        assert written.fates[Fate.EITHER], text
    else:
        assert found == written.shares, text
    return found is not None


def each_line() -> Iterator[tuple[str, Line]]:
    return ((suffix, line) for suffix, (_, table) in FORMATS.items() for line in table)


@pytest.mark.parametrize(("suffix", "line"), [*each_line()], ids=lambda each: getattr(each, "text", None))
def test_every_kind_of_line(suffix: str, line: Line) -> None:
    write, table = FORMATS[suffix]
    message = next(each for each in table if each.messages)
    for seed in range(5):
        for wanted in ([line], [message, line, message], [line, line]):
            judge(write(random.Random(seed), wanted), suffix)


@pytest.mark.parametrize("files", [FEW, ALL])
@pytest.mark.parametrize("suffix", FORMATS)
def test_no_message_is_passed_over(suffix: str, files: int) -> None:
    write, table = FORMATS[suffix]
    readable = [line for line in table if line.fate is not Fate.REFUSED]
    were_read = 0
    for seed in range(files):
        draw = random.Random(seed)
        wanted = draw.choices(table if draw.random() < 0.5 else readable, k=draw.randrange(1, 8))
        were_read += judge(write(draw, wanted), suffix, draw.choice(["\n", "\r\n"]))
    assert files * 0.4 < were_read < files * 0.9
