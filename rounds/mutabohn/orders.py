"""Reading, checking and writing a list, by the rules for fields of this game."""

from rounds.classic import orders as classic
from rounds.classic.orders import FieldWork, write_orders
from rounds.engine.notation import Orders
from rounds.engine.variant import Step
from rounds.mutabohn.check import check
from rounds.mutabohn.stand_in import auto
from rounds.mutabohn.state import start
from rounds.mutabohn.table import Table

FIELD_WORK = FieldWork(start, check, auto)
__all__ = ["FIELD_WORK", "preview", "read_orders", "write_orders"]


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text. Raises Refused with every problem of the list."""
    return classic.read_orders(table, seat, text, FIELD_WORK)


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """What comes of each order; a bonus card that would be drawn is not known."""
    return classic.preview(table, seat, orders, FIELD_WORK)
