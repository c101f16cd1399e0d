"""The steps of a turn, for whoever reads of it."""

from collections.abc import Sequence

from msgspec import Struct

from rounds.duel.events import (
    Cascaded,
    FromHand,
    HandDiscarded,
    OfferDiscarded,
    Offered,
    Planted,
)
from rounds.engine.events import Event
from rounds.family.events import Bought, Drew, Harvested, Revealed

STEPS = ("offer", "hand", "row", "left")


class TurnStep(Struct, frozen=True):
    """What happened with the `offer`, the `hand`, the `row`, or with what was `left` of it."""

    name: str
    events: tuple[Event, ...]


def steps(events: Sequence[Event], *, is_revealed: bool) -> tuple[TurnStep, ...]:
    """What happened in a turn, or in a part of it, in its order; steps without anything are left
    out. A field that was harvested or bought is told with the card that goes there next.
    `is_revealed`: whether the row lay there before.
    """
    found: dict[str, list[Event]] = {name: [] for name in STEPS}
    waiting, name = list[Event](), "row" if is_revealed else "hand"
    for event in events:
        match event:
            case Harvested() | Bought():
                waiting.append(event)
                continue
            case Revealed() | Offered():
                found[name] += waiting  # no card went there any more
                waiting = []
                name = "left" if isinstance(event, Offered) else "row"
            case FromHand() | HandDiscarded():
                name = "hand"
            case Planted() | OfferDiscarded():
                name = "offer" if name in ("offer", "hand") else "row"
            case Cascaded() | Drew():
                pass
            case _:
                continue
        found[name] += [*waiting, event]
        waiting = []
    return tuple(TurnStep(name, tuple(told)) for name, told in found.items() if told)
