"""What may be done with the fields of a farm, and what comes of them at the end."""

from collections.abc import Mapping

from rounds.engine.beans import Deck
from rounds.engine.events import Ranked
from rounds.engine.farm import FIELDS, Farm
from rounds.engine.variant import Result
from rounds.family.events import FinalHarvest


def letters(farm: Farm) -> tuple[str, ...]:
    """The fields that a farm has."""
    return FIELDS[: len(farm.fields)]


def may_harvest(farm: Farm, field: str) -> bool:
    """Whether the bean rule lets a field be harvested (K20, D24): something grows there, and
    more than one bean, unless no field has more.
    """
    grown = farm.at(field)
    return grown is not None and (
        grown.cards > 1 or all(other is None or other.cards == 1 for other in farm.fields)
    )


def best_harvest(deck: Deck, farm: Farm) -> str:
    """Of the fields that may be harvested the one that pays most now; then the one with most
    beans, then the lowest letter.
    """
    able = [
        (field, grown)
        for field in letters(farm)
        if (grown := farm.at(field)) and may_harvest(farm, field)
    ]
    return max(able, key=lambda pair: (deck[pair[1].variety].talers(pair[1].cards), pair[1].cards))[
        0
    ]


def final_events(
    farms: Mapping[str, Farm], deck: Deck, end: Result | None
) -> list[FinalHarvest | Ranked]:
    """The final harvest of every field and the ranks, once the game is over."""
    if end is None:
        return []
    fields = [
        FinalHarvest(seat, *harvest)
        for seat, farm in farms.items()
        for harvest in farm.harvests(deck)
    ]
    return [*fields, *end.events()]
