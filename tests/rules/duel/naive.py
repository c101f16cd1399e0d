"""The duel once more, as plainly as the rules are told: lists that are changed in place, one
card at a time. For comparison only.

It shares nothing with `rounds/duel` but the figures of the deck, and reads canonical words
alone.
"""

import re
from collections import Counter
from contextlib import suppress
from typing import Any

METERS = {
    "coffee": (24, 4, 7, 10, 12),
    "wax": (22, 4, 7, 9, 11),
    "blue": (20, 4, 6, 8, 10),
    "chili": (18, 3, 6, 8, 9),
    "stink": (16, 3, 5, 7, 8),
    "green": (14, 3, 5, 6, 7),
    "soy": (12, 2, 4, 6, 7),
    "eyed": (10, 2, 4, 5, 6),
    "red": (8, 2, 3, 4, 5),
}
"""Cards, and how many earn one, two, three, four talers."""


class Illegal(Exception):
    """An order that the rules do not allow."""


def must(allowed: object) -> None:
    if not allowed:
        raise Illegal


class Duel:
    """A game in progress."""

    def __init__(self, deck: list[str], seats: tuple[str, str], rules: dict[str, Any]) -> None:
        self.pile, self.seats, self.rules = list(deck), seats, rules
        self.turn, self.after_reveal, self.over, self.resigned = 1, False, False, ""
        self.hands: dict[str, list[str]] = {seat: [] for seat in seats}
        for number in range(10):
            self.hands[self.seat if number % 2 == 0 else self.other].append(self.pile.pop(0))
        self.fields: dict[str, list[list[str]]] = {
            seat: [[] for _ in range(3 if rules["three_fields"] else 2)] for seat in seats
        }
        self.talers = dict.fromkeys(seats, 0)
        self.offer, self.row = list[str](), list[str]()
        self.discard = list[str]()  # the top is the last one
        self.box = 0

    @property
    def seat(self) -> str:
        return self.seats[(self.turn - 1 + self.rules["start"] - 1) % 2]

    @property
    def other(self) -> str:
        return self.seats[(self.turn + self.rules["start"] - 1) % 2]

    # --- a list

    def play(self, text: str | None) -> None:
        """Carry out a list, or the stand-in's for None. Raises Illegal, and then the game is
        spoiled.
        """
        if text == "resign":
            self.over, self.resigned = True, self.seat
            return
        exact, then, plan = (self.stand_in() if text is None else text).partition("then")
        words = [word for word in exact.split() if word != "pass"]
        self.numbers = list(range(1, len(self.hands[self.seat]) + 1))  # of the cards still in hand
        self.planted, self.dropped = 0, False
        self.step_one = not self.after_reveal
        for word in words:
            self.order(word)
        if self.after_reveal:
            self.end_turn()
            return
        must(self.planted or not self.numbers)
        self.throw_offer()
        self.reveal()
        if then:
            for word in plan.split():
                self.try_order(word)
            self.end_turn()

    def order(self, word: str) -> None:
        if m := re.fullmatch(r"(\d+)(?:>(\w))?(!?)", word):
            self.plant_hand(int(m[1]), m[2], m[3])
        elif m := re.fullmatch(r"D(\d+)", word):
            self.drop(int(m[1]))
        elif m := re.fullmatch(r"D([a-z]+?)(?:x(\d+))?", word):
            must(self.step_one)
            for _ in range(self.how_many(self.offer, m[1], m[2])):
                self.offer.remove(m[1])
                self.discard.append(m[1])
        elif m := re.fullmatch(r"([a-z]+?)(?:x(\d+))?(?:>(\w))?(!?)", word):
            self.plant_table(word, m[1], m[2], m[3], m[4])
        else:
            must(re.fullmatch("H[A-Z]", word))
            self.harvest(word[1])

    def plant_table(self, word: str, variety: str, number: str, field: str, clear: str) -> None:
        if word == "buy":
            self.buy()
        elif word == "match":
            must(self.after_reveal)
            self.match()
        else:
            must(variety in METERS)
            must(self.after_reveal or self.step_one)
            lying = self.row if self.after_reveal else self.offer
            cards = self.how_many(lying, variety, number)
            ground = self.ground(variety, field, clear)
            for _ in range(cards):
                lying.remove(variety)
                ground.append(variety)

    def how_many(self, lying: list[str], variety: str, number: str | None) -> int:
        there = lying.count(variety)
        cards = int(number) if number else there
        must(0 < cards <= there)
        return cards

    def plant_hand(self, card: int, field: str, clear: str) -> None:
        must(not self.after_reveal and self.planted < 2)
        must(not self.dropped or self.rules["discard"] == "either")
        must(self.numbers and self.numbers[0] == card)
        variety = self.hands[self.seat][0]
        self.ground(variety, field, clear, is_trial=True)
        self.throw_offer()
        self.ground(variety, field, clear).append(self.hands[self.seat].pop(0))
        self.numbers.pop(0)
        self.planted += 1

    def drop(self, card: int) -> None:
        must(not self.after_reveal and not self.dropped and card in self.numbers)
        must(self.planted or self.rules["discard"] == "either")
        self.throw_offer()
        place = self.numbers.index(card)
        self.numbers.pop(place)
        self.discard.append(self.hands[self.seat].pop(place))
        self.dropped = True

    def throw_offer(self) -> None:
        self.discard += self.offer
        self.offer = []
        self.step_one = False

    def ground(
        self, variety: str, letter: str | None, clear: str, *, is_trial: bool = False
    ) -> list[str]:
        """The field a card goes on, cleared if need be (a trial clears nothing)."""
        fields = self.fields[self.seat]
        if letter is None:
            must(not clear)
            able = [field for field in fields if variety in field] + [
                field for field in fields if not field
            ]
            must(able)
            return able[0]
        must(letter in "ABC"[: len(fields)])
        field = fields["ABC".index(letter)]
        if field and variety not in field:
            must(clear and self.may_harvest(letter))
            if not is_trial:
                self.harvest(letter)
        return field

    def may_harvest(self, letter: str) -> bool:
        fields = self.fields[self.seat]
        field = fields["ABC".index(letter)]
        return len(field) > 1 or (len(field) == 1 and not any(len(other) > 1 for other in fields))

    def harvest(self, letter: str) -> None:
        fields = self.fields[self.seat]
        must(letter in "ABC"[: len(fields)])
        must(self.may_harvest(letter))
        field = fields["ABC".index(letter)]
        earned = self.pays(field)
        self.talers[self.seat] += earned
        self.discard += field[earned:]
        field.clear()

    def pays(self, field: list[str]) -> int:
        return sum(len(field) >= tier for tier in METERS[field[0]][1:]) if field else 0

    def buy(self) -> None:
        must(len(self.fields[self.seat]) == 2 and self.talers[self.seat] >= 3)
        self.talers[self.seat] -= 3
        self.box += 3
        self.fields[self.seat].append([])

    # --- the rest of a turn

    def reveal(self) -> None:
        shown = [self.pile.pop(0) for _ in range(3)]
        self.row = list(shown)
        while self.discard and self.discard[-1] in shown:
            self.row.append(self.discard.pop())
        self.row.sort(key=shown.index)
        self.after_reveal = True

    def try_order(self, word: str) -> None:
        """An order of a plan, as far as it goes."""
        m = re.fullmatch(r"([a-z]+?)x(\d+)(.*)", word)
        if m and m[1] in METERS:
            word = f"{m[1]}x{min(int(m[2]), self.row.count(m[1]))}{m[3]}"
        with suppress(Illegal):
            self.order(word)

    def match(self) -> None:
        for card in list(self.row):
            if self.grow(card):
                self.row.remove(card)

    def grow(self, card: str) -> bool:
        """Plant a card where its variety grows: on the first field that is not full; a full one
        is harvested.
        """
        own = [
            (letter, field)
            for letter, field in zip("ABC", self.fields[self.seat], strict=False)
            if card in field
        ]
        able = [(letter, field) for letter, field in own if len(field) < METERS[card][4]]
        if not own:
            return False
        letter, field = (able or own)[0]
        if not able:
            self.harvest(letter)
        field.append(card)
        return True

    def end_turn(self) -> None:
        self.offer, self.row, self.after_reveal = self.row, [], False
        for _ in range(2):
            self.hands[self.seat].append(self.pile.pop(0))
            if not self.pile:
                self.over = True
                return
        self.turn += 1

    # --- absence and the end

    def stand_in(self) -> str:
        """Tried out on a copy of the own fields, word by word."""
        if self.after_reveal:
            return "match"
        saved = (
            [list(field) for field in self.fields[self.seat]],
            dict(self.talers),
            list(self.discard),
        )
        words = []
        for card in self.offer:
            words += self.where_it_grows(card) or [f"D{card}x1"]
        for number, card in enumerate(self.hands[self.seat][:2], start=1):
            found = self.where_it_grows(card, f"{number}")
            words += found or (self.somewhere(card) if number == 1 else [])
        self.fields[self.seat], self.talers, self.discard = saved
        return " ".join([*words, "then match"])

    def where_it_grows(self, card: str, number: str = "") -> list[str]:
        before = [len(field) for field in self.fields[self.seat]]
        if not self.grow(card):
            return []
        after = [len(field) for field in self.fields[self.seat]]
        letter = next(
            letter for letter, old, new in zip("ABC", before, after, strict=False) if old != new
        )
        cleared = [f"H{letter}"] if max(before) > 1 and after["ABC".index(letter)] == 1 else []
        return [*cleared, f"{number or card + 'x1'}>{letter}"]

    def somewhere(self, card: str) -> list[str]:
        fields = dict(zip("ABC", self.fields[self.seat], strict=False))
        free = [letter for letter, field in fields.items() if not field]
        if free:
            fields[free[0]].append(card)
            return [f"1>{free[0]}"]
        able = [letter for letter in fields if self.may_harvest(letter)]
        best = max(
            able, key=lambda letter: (self.pays(fields[letter]), len(fields[letter]), -ord(letter))
        )
        self.harvest(best)
        fields[best].append(card)
        return [f"H{best}", f"1>{best}"]

    def result(self) -> tuple[dict[str, int], dict[str, int]]:
        """Talers and ranks after the final harvest."""
        talers = {
            seat: self.talers[seat] + sum(map(self.pays, self.fields[seat])) for seat in self.seats
        }
        one, two = self.seats
        if self.resigned:
            return talers, {seat: 2 if seat == self.resigned else 1 for seat in self.seats}
        score = {seat: (talers[seat], len(self.hands[seat])) for seat in self.seats}
        return talers, {one: 1 + (score[two] > score[one]), two: 1 + (score[one] > score[two])}

    def counts(self) -> Counter[str]:
        """Every card that is not money, by variety."""
        cards = [*self.pile, *self.offer, *self.row, *self.discard]
        for seat in self.seats:
            cards += self.hands[seat]
            cards += [card for field in self.fields[seat] for card in field]
        return Counter(cards)
