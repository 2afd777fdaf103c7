"""How to cite the paper, and this tool."""

from sealcheck import __version__

PAPER = """\
@article{EngelhardtMoses2009,
  author  = {Engelhardt, Kai and Moses, Yoram},
  title   = {Causing Communication Closure: Safe Program Composition with Reliable Non-{FIFO} Channels},
  journal = {Distributed Computing},
  volume  = {22},
  number  = {2},
  pages   = {73--91},
  year    = {2009},
  doi     = {10.1007/s00446-009-0081-9},
  note    = {Checked is the text of arXiv:cs/0701064}
}
"""

TOOL = """\
@software{sealcheck,
  author  = {{The sealcheck authors}},
  title   = {sealcheck: Bounded Checking of Safe Composition over Reliable Non-{FIFO} Channels},
  version = {%s},
  license = {MIT},
  year    = {2026}
}
"""


def bibtex() -> str:
    """The entries of the paper and of this version of the tool.

    >>> bibtex().count("@")
    2
    """
    return f"{PAPER}\n{TOOL % __version__}"
