"""`GraphCause`, for every n and every length: in every run, the oldest message is sent before its receive.

Suppose it is not, for a receive r.  Then the receives up to r on its channel all take messages that were
sent before `oldest(r)`, and these are the oldest ones of receives before r: a one-to-one map from the
receives up to r to those before r.  From such a map one is made for the receive before r, and so on; the
first receive has none.
"""

from pysmt.fnode import FNode
from pysmt.shortcuts import And, Equals, Implies, Ite, Not, Or

from sealcheck.every_n.events import (
    before,
    earlier,
    event,
    every,
    is_receive,
    obligation,
    oldest,
    program,
    run,
    same_channel,
    strict_total_order,
    taken,
    taker,
)
from sealcheck.every_n.obligation import (
    Fact,
    FirstOrder,
    Obligation,
    Term,
    constant,
    for_all,
    function,
    predicate,
)

PLACE = "Place"
"""Of a receive among those on its channel."""

precedes = predicate("precedes", PLACE, 2)
image = function("image", PLACE)


def obligations() -> tuple[Obligation, ...]:
    """The map, the descent, and its end."""
    return (_older_ones(), _one_to_one(), _smaller_map(), _smaller_map_one_to_one(), _no_map())


def _up_to(e: FNode, r: FNode) -> FNode:
    return And(is_receive(e), same_channel(e, r), Or(Equals(e, r), earlier(e, r)))


def _older_ones() -> Obligation:
    r = event("r")
    supposed = Fact("the oldest message of r is not sent before r", Not(before(oldest(r), r)))
    return obligation(
        "each receive up to r takes the oldest message of a receive before r",
        every(
            lambda a: Implies(
                _up_to(a, r),
                And(
                    And(is_receive(taker(taken(a))), same_channel(taker(taken(a)), r)),
                    And(earlier(taker(taken(a)), r), Equals(oldest(taker(taken(a))), taken(a))),
                ),
            )
        ),
        needs=(
            *("order", "channels", "sender", "receiver", "oldest", "in order", "none left out"),
            *("run order", "process order", "on channels", "sent before"),
        ),
        given=(Fact("r is a receive", is_receive(r)),),
        supposed=(supposed,),
        theory=program() | run(),
    )


def _one_to_one() -> Obligation:
    r = event("r")
    its_own = every(lambda a: Implies(_up_to(a, r), Equals(oldest(taker(taken(a))), taken(a))))
    return obligation(
        "different receives up to r take the oldest messages of different receives",
        every(
            lambda a, b: Implies(
                And(_up_to(a, r), _up_to(b, r), Equals(taker(taken(a)), taker(taken(b)))), Equals(a, b)
            )
        ),
        needs=("injective",),
        given=(Fact("each receive up to r takes the oldest message of a receive", its_own),),
        theory=program() | run(),
    )


def _to(a: FNode, top: FNode) -> FNode:
    return Or(Equals(a, top), precedes(a, top))


def _into(mapped: Term, top: FNode) -> FNode:
    """Whether the map goes from the places up to one to those before it."""
    return for_all(PLACE, lambda a: Implies(_to(a, top), precedes(mapped(a), top)))


def _is_one_to_one(mapped: Term, top: FNode) -> FNode:
    return for_all(
        PLACE,
        lambda a, b: Implies(And(_to(a, top), _to(b, top), Equals(mapped(a), mapped(b))), Equals(a, b)),
    )


def _smaller(a: FNode) -> FNode:
    """The map for pre: what went to pre goes where top went."""
    top, pre = constant("top", PLACE), constant("pre", PLACE)
    return Ite(Equals(image(a), pre), image(top), image(a))


def _order() -> Fact:
    return Fact("places are in a strict total order", strict_total_order(precedes, PLACE))


def _smaller_map() -> Obligation:
    top, pre = constant("top", PLACE), constant("pre", PLACE)
    right_before = for_all(PLACE, lambda a: Implies(precedes(a, top), _to(a, pre)))
    return Obligation(
        "a map for top gives one for pre, right before it",
        (_order(),),
        _into(_smaller, pre),
        supposed=(
            Fact("the map goes from the places up to top to those before top", _into(image, top)),
            Fact("different places up to top go to different ones", _is_one_to_one(image, top)),
        ),
        letters=(Fact("pre comes right before top", And(precedes(pre, top), right_before)),),
    )


def _smaller_map_one_to_one() -> Obligation:
    top, pre = constant("top", PLACE), constant("pre", PLACE)
    return Obligation(
        "that one is one to one, too",
        (_order(),),
        _is_one_to_one(_smaller, pre),
        supposed=(Fact("different places up to top go to different ones", _is_one_to_one(image, top)),),
        letters=(Fact("pre comes before top", precedes(pre, top)),),
    )


def _no_map() -> Obligation:
    top = constant("top", PLACE)
    first = for_all(PLACE, lambda a: Not(precedes(a, top)))
    return Obligation(
        "there is no map for the first place",
        (Fact("top is the first place", first),),
        Not(_into(image, top)),
    )


FIRST_ORDER = FirstOrder(
    obligations,
    "induction on the place of r among the receives on its channel; that a balanced program without deadlock "
    "has an interleaving in which receives take the oldest message",
)
