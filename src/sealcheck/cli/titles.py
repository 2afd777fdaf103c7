"""What layers are called: by their file, by the title of their diagram, or by their number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from os.path import isdir
from pathlib import PurePath

from sealcheck.cli.archives import is_job
from sealcheck.cli.inputs import STANDARD_INPUT, Text
from sealcheck.drawing.making import LATER
from sealcheck.errors import InputError
from sealcheck.language.readers import is_archive, title_of


def layer_titles(texts: Mapping[str, Text], files: Mapping[str, str]) -> list[str]:
    """The names of layers, given as text, some of which is from files.  Raises InputError.

    A layer of a file is called by the title of its diagram, or else by its file, without folder and suffix,
    an archive by its folder, and so a training job; others have their number.  Layers that would be called
    alike are numbered: all are different.

    >>> texts = dict.fromkeys(["layer 1", "layer 2", "layer 3"], "mt 1->2")
    >>> layer_titles(texts, {"layer 1": "a/write.txt", "layer 3": "b/write.txt"})
    ['write 1', 'layer 2', 'write 2']
    """
    wanted = []
    for name, text in texts.items():
        try:
            wanted.append(_title(text, files.get(name, STANDARD_INPUT)))
        except InputError as error:
            raise error.about(name) from None
    own = [title or f"layer {number}" for number, title in enumerate(wanted, 1)]
    return _different(own)


def _title(text: Text, file: str) -> str:
    """What the layer of a file is called; empty if a number is better.  Raises InputError."""
    if file == STANDARD_INPUT:
        return ""
    own = PurePath(file).parent.name if is_archive(file) or (is_job(file) and not isdir(file)) else ""
    found = (title_of(text, file) if isinstance(text, str) else own, PurePath(file).stem)
    return next((each.strip() for each in found if each.strip() and each.isprintable()), "")


def _different(titles: Sequence[str]) -> list[str]:
    """The titles, with numbers behind those that occur several times, or mean events after all layers."""
    shared = Counter([*titles, LATER])
    taken = {title for title in titles if shared[title] == 1}
    found = []
    for title in titles:
        if shared[title] > 1:
            title = next(each for k in count(1) if (each := f"{title} {k}") not in taken)
            taken.add(title)
        found.append(title)
    return found
