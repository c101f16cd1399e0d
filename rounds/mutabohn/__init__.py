"""Mutabohn for three to seven, by mail: beans mutate while they grow, bonus cards pay for
patterns. It stands on the classic game.

After the printed expansion of Uwe Rosenberg. `docs/rules/mutabohn.md` tells the rules; a number
like M16 is a ruling there.
"""

from dataclasses import replace

from rounds.classic import variant as classic
from rounds.classic.deals import grammar_of_text
from rounds.engine.variant import Form, Hidden, Scores
from rounds.family.forms import sent_controls
from rounds.mutabohn.account import secrets, tell
from rounds.mutabohn.events import AnyEvent
from rounds.mutabohn.form import fill_form, planner_data, read_form
from rounds.mutabohn.headlines import headlines
from rounds.mutabohn.notation import LANGUAGE
from rounds.mutabohn.orders import preview, read_orders
from rounds.mutabohn.robot import STRENGTHS
from rounds.mutabohn.round import adjudicate, result, set_up
from rounds.mutabohn.stand_in import stand_in
from rounds.mutabohn.table import FULL, STORAGE, HouseRules, deck_for
from rounds.mutabohn.view import scores, view

variant = replace(
    classic,
    name="mutabohn",
    based_on="classic",
    house_rules=HouseRules,
    deck_for=deck_for,
    events=AnyEvent,
    set_up=set_up,
    storage=STORAGE,
    read_orders=read_orders,
    stand_in=stand_in,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(
        grammar=lambda seats: grammar_of_text(seats, LANGUAGE), secrets=secrets, seals_lists=True
    ),
    scores=Scores(scores, per_taler=FULL),
    headlines=headlines,
    tell=tell,
    robots=STRENGTHS,
    tonight_rules={"calls": 1},  # second calls at one table are passes
    form=Form(
        read=read_form, fill=fill_form, controls=sent_controls, data=planner_data, repeats="first"
    ),
)
