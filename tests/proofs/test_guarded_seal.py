"""The harness agrees with `GuardedSeal.v`: a guard makes a program a seal of X."""

from sealcheck import refines

X = "snd 1->2 (0); snd 2->1 (0); rcv 2<-1 (x); rcv 1<-2 (x)"
ONES = "snd 1->2 (1); rcv 2<-1 (z); snd 2->1 (1); rcv 1<-2 (z)"
SEAL = f"{ONES}; [1.x = 0 and 1.z = 1 and 2.x = 0 and 2.z = 1]"
"""The seal of X. Its guard says that the first messages were X's."""


PRINTED = "snd 1->2 (1.x + 1); snd 2->1 (2.y + 1); rcv 2<-1 (u); rcv 1<-2 (v)"
MORE = "snd 1->2 (1.x + 2); rcv 2<-1 (z); snd 2->1 (2.y + 2); rcv 1<-2 (z)"
SEAL_OF_PRINTED = f"{MORE}; [2.u = 1.x + 1 and 2.z = 1.x + 2 and 1.v = 2.y + 1 and 1.z = 2.y + 2]"
"""The seal sends X's value plus one."""


def seals(seal: str, program: str) -> bool:
    """By the definition: cut; P; S refines P; cut; S."""
    return bool(refines(f"cut; {program}; {seal}", f"{program}; cut; {seal}"))


def test_a_guard_seals_x() -> None:
    """The guard holds only in runs in which no message of X was overtaken."""
    assert seals(SEAL, X)


def test_a_guard_seals_x_as_printed() -> None:
    assert seals(SEAL_OF_PRINTED, PRINTED)
    assert not seals(MORE, PRINTED)


def test_without_the_guard_it_does_not() -> None:
    assert not seals(ONES, X)


def test_the_seal_occurs() -> None:
    assert not refines(f"cut; {X}; {SEAL}; cut", "[false]")
