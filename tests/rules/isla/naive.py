"""Field work and the island worked out a second time, from the rules alone: fields, ships and
coins are plain lists of cards, nothing is remembered but where ships went.
"""

import re
from typing import Any

ORDER = re.compile(
    r"buy (?P<buy>[CTX])|H(?P<sell>[A-CSTX])|(?P<card>h?\d+)>(?P<on>[A-C])"
    r"|(?P<field>[A-C])>(?P<load>[ST])|(?P<number>\d*)(?P<of>[STX])>(?P<to>[ST])(?![a-z])"
    r"|(?P<ship>[STX])>(?P<harbour>bay|aco)(?::(?P<wanted>[a-z|]+))?|(?P<hold>hold)"
)


class Place:
    """A seat: cards by field or ship (C, T, X only if owned), coins with the topmost last."""

    def __init__(self, cards: dict[str, list[str]], coins: list[str]) -> None:
        self.cards, self.coins, self.holds = cards, coins, False
        self.sent: list[tuple[str, str, list[str]]] = []
        self.away: dict[str, str] = {}


class Island:
    """A closing: `meters` of the varieties, prices, what lies in both harbours, the pile."""

    def __init__(
        self, meters: dict[str, Any], prices: dict[str, int], bay: list[str], beach: list[str]
    ) -> None:
        self.meters, self.prices, self.bay, self.beach = meters, prices, bay, beach
        self.pile = list(beach)
        self.told: list[tuple[Any, ...]] = []

    def talers(self, cards: list[str]) -> int:
        """What these cards of one variety earn."""
        tiers = self.meters[cards[0]] if cards else ()
        return max((n for n, need in enumerate(tiers, 1) if 0 < need <= len(cards)), default=0)

    def sold(self, seat: Place, name: str) -> int:
        """All cards of a field or ship; how many of them are left over, on top of the pile."""
        cards, seat.cards[name] = seat.cards[name], []
        talers = self.talers(cards)
        seat.coins += cards[:talers]
        self.pile += cards[talers:]
        return len(cards) - talers

    def play(self, seat: Place, text: str, hand: list[str], lying: list[str]) -> None:
        """The field work of a canonical list; where ships are to go is noted."""
        for order in ORDER.finditer(text):
            self.carry_out(seat, order.groupdict(), hand, lying)

    def carry_out(self, seat: Place, o: dict[str, Any], hand: list[str], lying: list[str]) -> None:
        if o["buy"]:
            for _ in range(self.prices[o["buy"]]):
                self.pile.append(seat.coins.pop())
            assert o["buy"] not in seat.cards
            seat.cards[o["buy"]] = []
        elif o["sell"]:
            self.may_sell(seat, o["sell"])
            self.sold(seat, o["sell"])
        elif o["card"]:
            bean = (
                hand[int(o["card"][1:]) - 1] if o["card"][0] == "h" else lying[int(o["card"]) - 1]
            )
            self.put(seat, o["on"], [bean])
        elif o["load"]:
            cards, seat.cards[o["field"]] = seat.cards[o["field"]], []
            self.put(seat, o["load"], cards)
        elif o["to"]:
            cards = seat.cards[o["of"]]
            number = int(o["number"] or len(cards))
            seat.cards[o["of"]] = cards[number:]
            self.put(seat, o["to"], cards[:number])
        elif o["ship"]:
            seat.sent.append((o["ship"], o["harbour"], (o["wanted"] or "").split("|")))
        else:
            seat.holds = True

    def may_sell(self, seat: Place, name: str) -> None:
        cards = seat.cards[name]
        if name in "ABC":
            fields = [seat.cards[letter] for letter in "ABC" if letter in seat.cards]
            assert len(cards) > 1 or all(len(other) < 2 for other in fields)
        else:
            assert self.talers(cards) > 0

    def put(self, seat: Place, name: str, cards: list[str]) -> None:
        assert cards
        assert not seat.cards[name] or seat.cards[name][0] == cards[0]
        seat.cards[name] = seat.cards[name] + cards

    def sail(self, seats: dict[str, Place]) -> None:
        """All visits, then all raids, in the order of `seats`."""
        for name, seat in seats.items():
            for ship, harbour, wanted in seat.sent:
                if ship != "X":
                    self.visit(name, seat, ship, harbour, wanted)
        for name, seat in seats.items():
            for ship, harbour, wanted in seat.sent:
                if ship == "X":
                    self.raid(name, seats, harbour, [bean for bean in wanted if bean])

    def visit(self, name: str, seat: Place, ship: str, harbour: str, wanted: list[str]) -> None:
        lies = self.bay if harbour == "bay" else self.beach
        seat.away[ship] = harbour
        for bean in wanted:
            if bean in lies:
                number = lies.count(bean) if harbour == "bay" else 1
                for _ in range(number):
                    lies.remove(bean)
                    if harbour == "aco":
                        self.pile.remove(bean)
                self.put(seat, ship, [bean] * number)
                self.told.append((name, ship, harbour, bean, number))
                return
        self.told.append((name, ship, harbour, "", 0))

    def raid(self, name: str, seats: dict[str, Place], harbour: str, wanted: list[str]) -> None:
        there = [
            (other, ship)
            for other, seat in seats.items()
            for ship in "ST"
            if other != name and seat.cards.get(ship) and seat.away.get(ship) == harbour
        ]
        for bean in wanted:
            carry = [one for one in there if seats[one[0]].cards[one[1]][0] == bean]
            if carry:
                there = carry
                break
        else:
            there = [] if wanted else there
        if not there:
            self.told.append((name, harbour, "", "", 0, 0))
            return
        victim, ship = max(there, key=lambda one: len(seats[one[0]].cards[one[1]]))
        self.attack(name, seats, harbour, victim, ship)

    def attack(
        self, name: str, seats: dict[str, Place], harbour: str, victim: str, ship: str
    ) -> None:
        other, cards = seats[victim], seats[victim].cards[ship]
        talers = self.talers(cards)
        if talers and not other.holds:
            taken = min(3, self.sold(other, ship))
            for _ in range(taken):
                self.pile.remove(cards[0])
        else:
            taken = 1 if talers else min(3, len(cards))
            talers, other.cards[ship] = 0, cards[taken:]
        if taken:
            self.put(seats[name], "X", [cards[0]] * taken)
        del other.away[ship]
        self.told.append((name, harbour, victim, ship, taken, talers))
