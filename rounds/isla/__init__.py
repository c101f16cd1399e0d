"""La Isla Bohnita for three to seven, by mail: trading ships, an island and pirates. It stands on
the classic game.

After the printed expansion of Hanno and Wilfried Kuhn; visits and raids are a house version.
`docs/rules/isla.md` tells the rules; a number like I18 is a ruling there.
"""

from dataclasses import replace

from rounds.classic import variant as classic
from rounds.classic.account import secrets
from rounds.classic.deals import grammar_of_text
from rounds.engine.variant import Form, Hidden, Scores
from rounds.family.forms import sent_controls
from rounds.isla.account import tell
from rounds.isla.events import AnyEvent
from rounds.isla.form import fill_form, planner_data, read_form
from rounds.isla.headlines import headlines
from rounds.isla.notation import LANGUAGE
from rounds.isla.orders import preview, read_orders
from rounds.isla.robot import STRENGTHS
from rounds.isla.round import adjudicate, result, set_up
from rounds.isla.table import STORAGE, HouseRules, awaited, deck_for
from rounds.isla.view import scores, view

variant = replace(
    classic,
    name="isla",
    based_on="classic",
    house_rules=HouseRules,
    deck_for=deck_for,
    events=AnyEvent,
    set_up=set_up,
    storage=STORAGE,
    awaited=awaited,
    read_orders=read_orders,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(
        grammar=lambda seats: grammar_of_text(seats, LANGUAGE), secrets=secrets, seals_lists=True
    ),
    scores=Scores(scores),
    headlines=headlines,
    tell=tell,
    robots=STRENGTHS,
    form=Form(
        read=read_form, fill=fill_form, controls=sent_controls, data=planner_data, repeats="first"
    ),
)
