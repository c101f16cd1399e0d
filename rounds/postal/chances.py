"""How likely a variety is to come: exact for the eight cards drawn, from what everybody can count.

What cascades is another matter.
"""

from math import comb

from rounds.postal.setup import ROW


def chances(in_pile: int, pile: int, drawn: int = ROW) -> tuple[float, float, float]:
    """The probabilities that at least one, two, three of `in_pile` cards are among the next
    `drawn` of a pile of `pile` cards.
    """
    drawn = min(drawn, pile)
    ways = comb(pile, drawn)
    exactly = [
        comb(in_pile, k) * comb(pile - in_pile, drawn - k) / ways if k <= drawn else 0
        for k in range(3)
    ]
    return 1 - exactly[0], 1 - exactly[0] - exactly[1], max(0.0, 1 - sum(exactly))
