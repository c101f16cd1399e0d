"""Tables of the duel for tests: as text, like the rule cases."""

from typing import Any

from gm import seeds
from rounds.duel.table import Table
from tests.cases.duel import read_table

DECK = seeds.deck("duel")


def table(
    hand: str = "soy red eyed",
    fields: str = "- -",
    *,
    offer: str = "",
    row: str = "",
    talers: int = 0,
    laid: str = "",
    pile: str = "coffee wax red soy soy eyed eyed",
    other: str = "wax",
    **rules: Any,
) -> Table:
    """Anna's turn: before the reveal, or after it if there is a row."""
    given = {
        "turn": 3,
        "phase": 2 if row else 1,
        "active": "Anna",
        "hands": {"Anna": hand, "Bert": other},
        "fields": {"Anna": fields, "Bert": "- -"},
        "talers": {"Anna": talers, "Bert": 0},
        "offer": offer,
        "row": row,
        "discard": laid,
        "deck": pile,
    }
    return read_table({"given": given, "options": rules}, DECK)
