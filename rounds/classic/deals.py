"""Wishes: from what was typed to checked deals (1.4)."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from msgspec import Struct

from rounds.classic.notation import (
    CLASSIC,
    Alternatives,
    Deal,
    Language,
    Problem,
    Typed,
    grammar,
    is_label,
)
from rounds.classic.state import State
from rounds.classic.table import LAST, Table
from rounds.engine.beans import Deck
from rounds.engine.notation import CASE, Grammar, Order
from rounds.engine.notation import Problem as CommonProblem

MOST_CARDS = 3
"""Most cards on one side of a deal (K26)."""
MOST_DEALS = 100
"""Most alternatives in a list (K26)."""
LABEL = re.compile(r"[rh][1-9][0-9]?", CASE)
STACK = re.compile(r"([1-9])?([^0-9].*)", CASE)


class Trader(Struct, frozen=True):
    """A seat that makes deals: the cards it can trade by label, those that its list plants, and
    possible partners.
    """

    deck: Deck
    language: Language
    seats: tuple[str, ...]
    seat: str
    active: tuple[str, ...]
    cards: Mapping[str, str]
    planted: tuple[str, ...]
    keeps: bool

    def faults(self, deal: Deal) -> Problem | None:
        """What is wrong with a deal: nothing for nothing, a variety on both sides, an impossible
        partner.
        """
        if not deal.give and not deal.get:
            return Problem(code="EMPTY_DEAL")
        both = set(deal.get) & {self.cards.get(part, part) for part in deal.give}
        if both:
            return Problem(code="SAME", variety=min(both))
        return self._partner_fault(deal)

    def _partner_fault(self, deal: Deal) -> Problem | None:
        if deal.partner is None:
            return None
        partner = self.seats[deal.partner - 1] if 0 < deal.partner <= len(self.seats) else None
        may_wait = self.keeps and not deal.labels
        if partner in (None, self.seat) or not (
            may_wait or {partner, self.seat} & set(self.active)
        ):
            return Problem(code="PARTNER")
        return None


class CardWish(Struct, frozen=True):
    """A wish that says what one card is given for, or, with no label, what is taken for nothing:
    varieties, the best first.
    """

    label: str
    gets: tuple[str, ...]


def of_one_card(wish: Alternatives) -> CardWish | None:
    """A wish of one single card for one card or nothing at a time, with anybody; or of one card
    for nothing. None for others.
    """
    gives = {deal.give for deal in wish.deals}
    give = min(gives)
    is_small = all(len(deal.get) < 2 and deal.partner is None for deal in wish.deals)
    if (
        len(gives) > 1
        or not is_small
        or len(give) > 1
        or (give and not is_label(give[0]))
        or (not give and len(wish.deals) > 1)
    ):
        return None
    return CardWish("".join(give), tuple("".join(deal.get) or "0" for deal in wish.deals))


def tradable(table: Table, seat: str, planted: tuple[str, ...] = ()) -> dict[str, str]:
    """The cards a seat may give away, by label, in the order in which they are taken for a
    variety (K33).
    """
    if table.phase == LAST:
        return {}
    shown = {
        f"r{number}": card for number, card in enumerate(table.open.get(seat, ()), start=1) if card
    }
    hand = {f"h{number}": card for number, card in enumerate(table.hand(seat), start=1)}
    return shown | {label: card for label, card in hand.items() if label not in planted}


def trader(table: Table, seat: str, state: State, *, keeps: bool) -> Trader:
    """A seat as it stands after the field work of its list."""
    return Trader(
        table.deck,
        table.language,
        table.seats,
        seat,
        table.active,
        tradable(table, seat, state.planted),
        state.planted,
        keeps,
    )


def read_wish(who: Trader, typed: Typed) -> Alternatives | Problem:
    """A wish from what was typed, or the first thing that is wrong with it."""
    deals, left = list[Deal](), None
    for text in typed.text.split("|"):
        sides, at, partner = text.partition("@")
        given, equals, taken = sides.rpartition("=")
        left = given if equals else left
        deal = (
            Problem(code="WORD")
            if left is None
            else _read_deal(who, left, taken, _partner(who, partner) if at else None)
        )
        if isinstance(deal, Problem):
            return deal
        deals.append(deal)
    return Alternatives(tuple(deals))


def _read_deal(who: Trader, left: str, right: str, partner: int | None) -> Deal | Problem:
    give = _left(who, left)
    if isinstance(give, Problem):
        return give
    get = _parts(who.language, who.deck.ids, right, labels=False)
    if isinstance(get, Problem):
        return get
    deal = Deal(give, get, partner)
    return who.faults(deal) or deal


def _partner(who: Trader, text: str) -> int:
    """The number of a seat by its number or name; 0 for nobody."""
    word = text.strip()
    if word.isascii() and word.isdigit():
        return int(word[:6])
    named = (number for number, seat in enumerate(who.seats, start=1) if seat == word)
    folded = (
        number for number, seat in enumerate(who.seats, start=1) if _fold(seat) == _fold(word)
    )
    return next(named, None) or next(folded, 0)


def _fold(text: str) -> str:
    """The text in small letters, and in one spelling of Unicode."""
    return unicodedata.normalize("NFC", text).casefold()


def _left(who: Trader, text: str) -> tuple[str, ...] | Problem:
    """What is given: cards and varieties that the seat has, and does not plant."""
    parts = _parts(who.language, who.deck.ids, text, labels=True)
    if isinstance(parts, Problem):
        return parts
    labels = [part for part in parts if LABEL.fullmatch(part)]
    if planted := [label for label in labels if label in who.planted]:
        return Problem(code="PLANTED", card=planted[0])
    if strange := [label for label in labels if label not in who.cards]:
        return Problem(code="NOT_YOURS", card=strange[0])
    loose = Counter(parts[len(labels) :])
    if not loose or (who.keeps and not labels):
        return parts
    missing = loose - Counter(card for label, card in who.cards.items() if label not in labels)
    return Problem(code="NOT_YOURS", variety=next(iter(missing))) if missing else parts


def grammar_of_text(seats: Sequence[str], language: Language = CLASSIC) -> Grammar:
    """The words of orders, with those of wishes: what is wrong with them whoever holds which
    cards.
    """
    words = grammar(tuple(seats), language)

    def item(line: str, at: int) -> tuple[Order | CommonProblem, int] | None:
        found = words.item(line, at)
        if found and isinstance(found[0], Typed) and not _is_written(language, found[0].text):
            return Problem(code="WORD"), found[1]
        return found

    return replace(words, item=item)


def _is_written(language: Language, wish: str) -> bool:
    """Whether both sides of every alternative are cards and varieties; the left one may stand
    once for all.
    """
    has_left = False
    for text in wish.split("|"):
        given, equals, taken = text.partition("@")[0].rpartition("=")
        has_left = has_left or bool(equals)
        sides = [
            _parts(language, language.ids, taken, labels=False),
            *([_parts(language, language.ids, given, labels=True)] if equals else []),
        ]
        if not has_left or any(isinstance(side, Problem) and side.code == "WORD" for side in sides):
            return False
    return True


@lru_cache(500)  # the same few cards and varieties in every list
def _parts(
    language: Language, beans: tuple[str, ...], text: str, *, labels: bool
) -> tuple[str, ...] | Problem:
    """One side: single cards, then varieties in base order, each as often as it is meant."""
    words = [word.strip().lower() for word in text.split("+")]
    if words == ["0"]:
        return ()
    parts = list[str]()
    for word in words:
        m = STACK.fullmatch(word)
        if labels and LABEL.fullmatch(word):
            parts.append(word)
        elif m and m[2] in language.named:
            parts += [language.named[m[2]]] * int(m[1] or 1)
        else:
            return Problem(code="WORD")
    return _side_fault(beans, parts) or tuple(sorted(parts, key=lambda part: _place(beans, part)))


def _side_fault(beans: tuple[str, ...], parts: list[str]) -> Problem | None:
    if len(parts) > MOST_CARDS:
        return Problem(code="CARDS", cards=len(parts), limit=MOST_CARDS)
    labels = [part for part in parts if LABEL.fullmatch(part)]
    if twice := [label for label in labels if labels.count(label) > 1]:
        return Problem(code="DOUBLE", card=twice[0])
    unknown = [part for part in parts if part not in labels and part not in beans]
    return Problem(code="UNKNOWN", variety=unknown[0]) if unknown else None


def _place(beans: tuple[str, ...], part: str) -> tuple[int, int]:
    """Open cards, the hand, varieties in base order."""
    if LABEL.fullmatch(part):
        return "rh".index(part[0]), int(part[1:])
    return 2, beans.index(part)
