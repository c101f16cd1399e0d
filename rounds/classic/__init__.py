"""The classic game for three to seven, by mail: everybody's turn at the same time, deals as
sealed lists that are matched.

After the printed game of Uwe Rosenberg. `docs/rules/classic.md` tells the rules; a number like
K31 is a ruling there.
"""

from rounds.classic.account import secrets, tell
from rounds.classic.deals import grammar_of_text
from rounds.classic.events import AnyEvent
from rounds.classic.form import fill_form, planner_data, read_form
from rounds.classic.headlines import headlines
from rounds.classic.orders import preview, read_orders, write_orders
from rounds.classic.robot import robot
from rounds.classic.round import adjudicate, result, set_up
from rounds.classic.stand_in import stand_in
from rounds.classic.table import STORAGE, HouseRules, awaited, deck_for, may_order, must_order
from rounds.classic.view import scores, view
from rounds.engine.variant import Form, Hidden, Scores, Variant
from rounds.family.forms import sent_controls

variant = Variant(
    name="classic",
    house_rules=HouseRules,
    seats=range(3, 8),
    deck_for=deck_for,
    events=AnyEvent,
    set_up=set_up,
    storage=STORAGE,
    awaited=awaited,
    may_order=may_order,
    must_order=must_order,
    moment=lambda table: table.moment,
    turn=lambda moment: moment.turn,
    read_orders=read_orders,
    write_orders=write_orders,
    stand_in=stand_in,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(grammar=grammar_of_text, secrets=secrets, seals_lists=True),
    scores=Scores(scores),
    headlines=headlines,
    tell=tell,
    robots={"": robot},
    tonight_rules={"calls": 1},  # second calls at one table are passes
    form=Form(
        read=read_form, fill=fill_form, controls=sent_controls, data=planner_data, repeats="first"
    ),
)
