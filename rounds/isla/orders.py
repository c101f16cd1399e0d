"""Reading, checking and writing a list, by the rules of this game."""

from rounds.classic import orders as classic
from rounds.classic.orders import FieldWork, write_orders
from rounds.classic.stand_in import auto
from rounds.engine.notation import Order, Orders
from rounds.engine.variant import Step
from rounds.isla.check import check
from rounds.isla.notation import HOLD, Voyage
from rounds.isla.state import start
from rounds.isla.table import PIRATES, Table

__all__ = ["preview", "read_orders", "write_orders"]


def _place(order: Order) -> int:
    """Behind all field work come voyages, then the raid, then `hold` (I11)."""
    if isinstance(order, Voyage):
        return 2 if order.ship == PIRATES else 1
    return 3 if order == HOLD else 0


FIELD_WORK = FieldWork(start, check, auto, _place)


def read_orders(table: Table, seat: str, text: str) -> Orders:
    """Checked orders from text. Raises Refused with every problem of the list."""
    return classic.read_orders(table, seat, text, FIELD_WORK)


def preview(table: Table, seat: str, orders: Orders) -> tuple[Step, ...]:
    """What comes of each order; what ships find, and who is attacked, nobody knows yet."""
    return classic.preview(table, seat, orders, FIELD_WORK)
