"""HTML as a tree, read with the standard library only."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "line", "circle", "polyline", "link", "img", "path", "rect"}


@dataclass
class Node:
    """An element."""

    tag: str
    attributes: dict[str, str | None]
    children: list["Node | str"] = field(default_factory=list)

    def walk(self) -> Iterator["Node"]:
        """The element and everything in it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def all(self, tag: str, **attributes: str) -> list["Node"]:
        """The elements of a tag with these attributes; `kind` is a class."""
        wanted = {"class" if name == "kind" else name: value for name, value in attributes.items()}
        return [
            node
            for node in self.walk()
            if node.tag == tag
            and all(value in (node.attributes.get(name) or "").split() for name, value in wanted.items())
        ]

    def the(self, tag: str, **attributes: str) -> "Node":
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        """All text, with single blanks."""
        return " ".join(self.raw.split())

    @property
    def raw(self) -> str:
        """All text as it is."""
        return "".join(child if isinstance(child, str) else child.raw for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> ends <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def tree(html: str) -> Node:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.open[0]
