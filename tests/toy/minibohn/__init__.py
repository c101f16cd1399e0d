"""Minibohn: two players, two fields each, hidden hands. A turn is two lists: what is planted,
then what becomes of one card.

Before the reveal a player plants up to two cards of the hand, named by their places (`1 3`).
Then a card is revealed, and after it the player says `take` or `leave`; a card that is left goes
on the discard pile. At last the player draws a card to the back of the hand. A card is planted
where its variety grows, else on an empty field, else not at all. The first time the draw pile
runs out, the discard pile is shuffled. The second time, or if nothing is there to be shuffled,
the game ends: all fields are harvested, and the most talers win.
"""

from rounds.engine.variant import Form, Hidden, LookBack, Scores, Variant

from .events import AnyEvent
from .form import controls, data, fill, read
from .hindsight import Hindsight, hindsight
from .notation import GRAMMAR
from .orders import preview, read_orders, stand_in, write_orders
from .round import adjudicate, result
from .table import STORAGE, HouseRules, awaited, must_order, set_up
from .view import readers, robot, scores, secrets, sleepy, tell, view

variant = Variant(
    name="minibohn",
    house_rules=HouseRules,
    seats=range(2, 3),
    events=AnyEvent,
    set_up=set_up,
    storage=STORAGE,
    awaited=awaited,
    must_order=must_order,
    moment=lambda table: table.moment,
    read_orders=read_orders,
    write_orders=write_orders,
    stand_in=stand_in,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(grammar=lambda seats: GRAMMAR, secrets=secrets, seals_lists=True),
    scores=Scores(scores),
    readers=readers,
    closes_at_once=True,
    tell=tell,
    hindsight=LookBack(Hindsight, hindsight),
    robots={"sleepy": sleepy, "strong": robot},
    form=Form(read=read, fill=fill, controls=controls, data=data),
)
