"""A second matcher of calls (K31), written from the rules alone: every pair is looked at,
nothing is indexed.
"""

from itertools import combinations, product
from typing import Any

Wishes = list[list[tuple[tuple[str, ...], tuple[str, ...], int | None]]]
"""Of one seat: for each wish its alternatives (left, right, partner by number from 1)."""
Trade = tuple[tuple[str, str], tuple[list[str], list[str]]]


def trades(
    seats: list[str],
    order: list[str],
    active: list[str],
    cards: dict[str, dict[str, str]],
    wishes: dict[str, Wishes],
) -> list[Trade]:
    """Who trades what: seats as they are numbered, round order, active seats, cards by label,
    open ones first.
    """
    left = {seat: list(cards[seat].items()) for seat in seats}
    pairs = []
    for (x, one), (y, other) in combinations(enumerate(order), 2):
        for (i, w, a), (j, v, b) in product(
            ranked(wishes.get(one, [])), ranked(wishes.get(other, []))
        ):
            if one not in active and other not in active:
                continue
            if a[2] not in (None, seats.index(other) + 1) or b[2] not in (
                None,
                seats.index(one) + 1,
            ):
                continue
            if beans(a[0], cards[one]) == sorted(b[1]) and beans(b[0], cards[other]) == sorted(
                a[1]
            ):
                pairs.append((i + j, max(i, j), x, y, i, (one, w, a[0]), (other, v, b[0])))
    used, found = set(), []
    for *_, (one, w, a), (other, v, b) in sorted(pairs, key=lambda pair: pair[:5]):
        mine, yours = meant(a, left[one]), meant(b, left[other])
        if (one, w) in used or (other, v) in used or mine is None or yours is None:
            continue
        used |= {(one, w), (other, v)}
        for seat, gone in ((one, mine), (other, yours)):
            left[seat] = [card for card in left[seat] if card not in gone]
        found.append(
            ((one, other), (sorted(bean for _, bean in mine), sorted(bean for _, bean in yours)))
        )
    return found


def ranked(wishes: Wishes) -> list[tuple[int, int, Any]]:
    """(rank, number of the wish, alternative)."""
    flat = [(number, way) for number, wish in enumerate(wishes) for way in wish]
    return [(rank, number, way) for rank, (number, way) in enumerate(flat, start=1)]


def beans(give: tuple[str, ...], cards: dict[str, str]) -> list[str] | None:
    """What a left side is in varieties, sorted; None if it names a card that was never there."""
    if any(part[0] in "rh" and part[1:].isdigit() and part not in cards for part in give):
        return None
    return sorted(cards.get(part, part) for part in give)


def meant(give: tuple[str, ...], left: list[tuple[str, str]]) -> list[tuple[str, str]] | None:
    """The cards of a left side that are there now: named ones, then for each variety the first
    that is not named.
    """
    named = [card for card in left if card[0] in give]
    if len(named) < sum(part[0] in "rh" and part[1:].isdigit() for part in give):
        return None
    chosen = list(named)
    for part in give:
        if part[0] in "rh" and part[1:].isdigit():
            continue
        fitting = [card for card in left if card[1] == part and card not in chosen]
        if not fitting:
            return None
        chosen.append(fitting[0])
    return chosen
