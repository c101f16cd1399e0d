"""Field work worked out a second time, from the rules alone: fields are lists of cards from the
bottom, codes are compared letter by letter, nothing is remembered.
"""

import re
from typing import Any


class Farm:
    """One seat in the middle of the field work."""

    def __init__(self, fields: list[list[str]], coins: list[str], held: list[str | None]) -> None:
        self.fields, self.coins, self.held = fields, coins, held
        self.cashed: list[tuple[str, str]] = []


class Work:
    """The field work of a round, seat by seat."""

    def __init__(
        self, numbers: dict[str, int], meters: dict[str, Any], values: dict[str, int]
    ) -> None:
        """`numbers`: of the cards of each variety; `meters`: its beanometer."""
        self.chain = sorted(numbers, key=numbers.__getitem__)
        self.meters, self.values = meters, values
        self.pile: list[str] = []
        self.discard: list[str] = []

    def play(self, farm: Farm, text: str, hand: list[str], lying: list[str]) -> None:
        """Carry out the field work of a canonical list."""
        for word in re.findall(r"swap(?: b\d)+|H[AB]|h?\d+>[AB]", text):
            if word[0] == "H":
                self.harvest(farm, "AB".index(word[1]))
            elif word[:4] == "swap":
                self.swap(farm, [int(place) - 1 for place in re.findall(r"b(\d)", word)])
            else:
                card, field = word.split(">")
                bean = hand[int(card[1:]) - 1] if card[0] == "h" else lying[int(card) - 1]
                there = farm.fields["AB".index(field)]
                assert not there or self.chain.index(bean) - self.chain.index(there[-1]) in (0, 1)
                there.append(bean)
                self.cash(farm)

    def harvest(self, farm: Farm, number: int) -> None:
        """The last cards become coins."""
        cards = farm.fields[number]
        assert len(cards) > 1 or all(len(other) < 2 for other in farm.fields)
        talers = max(
            (tier for tier, need in enumerate(self.meters[cards[-1]], 1) if 0 < need <= len(cards)),
            default=0,
        )
        keep = len(cards) - talers
        farm.coins += cards[keep:]
        self.discard += cards[:keep]
        farm.fields[number] = []

    def swap(self, farm: Farm, places: list[int]) -> None:
        """Nothing happens if the pile is empty by then."""
        if not self.pile:
            return
        self.discard.append(farm.coins.pop())
        for place in places:
            self.pile.append(str(farm.held[place]))
        for place in places:
            farm.held[place] = self.pile.pop(0)
        self.cash(farm)

    def fits(self, code: str, cards: list[str]) -> bool:
        """Letter by letter."""
        last = [self.chain.index(card) for card in cards[-len(code) :]]
        letters = [ord(letter) - ord("A") for letter in code]
        return [place - last[0] for place in last] == letters if last else False

    def cash(self, farm: Farm) -> None:
        """The dearest first, then by the alphabet, then `b1`."""
        while True:
            able = [
                (-self.values[code], code, place, field)
                for place, code in enumerate(farm.held)
                if code
                for field, cards in zip("AB", farm.fields, strict=True)
                if self.fits(code, cards)
            ]
            if not able:
                return
            _, code, place, field = min(able)
            farm.cashed.append((code, field))
            farm.held[place] = self.pile.pop(0) if self.pile else None
