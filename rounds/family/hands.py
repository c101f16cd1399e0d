"""Hidden hands: a card that somebody may not see is a number everywhere, its place among all
cards in the order in which they are drawn.
"""


class HiddenCards:
    """For a table whose `hands` and what has `gone` from the draw pile are places among its
    `cards`.
    """

    __slots__ = ()
    cards: tuple[str, ...]
    hands: dict[str, tuple[int, ...]]
    gone: int

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """What is left of it, top first: hidden from everybody."""
        return self.cards[self.gone :]

    def hand(self, seat: str) -> tuple[str, ...]:
        """The hand of a seat, front first: hidden from everybody else."""
        return tuple(self.cards[place] for place in self.hands[seat])
