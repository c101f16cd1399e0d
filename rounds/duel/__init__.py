"""The bean duel: two players with hidden hands, two fields each, twenty-seven turns of one list
or two.

After the chapter for two players of Uwe Rosenberg's card game. `docs/rules/duel.md` tells the
rules; a number like D14 is a ruling there.
"""

from msgspec.structs import replace

from rounds.duel.account import secrets, tell
from rounds.duel.events import AnyEvent
from rounds.duel.form import fill_form, planner_data, read_form
from rounds.duel.headlines import headlines
from rounds.duel.hindsight import Hindsight, hindsight
from rounds.duel.notation import GRAMMAR_OF_TEXT, RESIGN
from rounds.duel.orders import preview, read_orders, write_orders
from rounds.duel.robot import strengths
from rounds.duel.round import adjudicate, result
from rounds.duel.stand_in import stand_in
from rounds.duel.table import STORAGE, HouseRules, awaited, set_up
from rounds.duel.view import readers, scores, view
from rounds.engine.variant import Form, Hidden, LookBack, Scores, Variant
from rounds.family.forms import sent_controls

variant = Variant(
    name="duel",
    house_rules=HouseRules,
    seats=range(2, 3),
    events=AnyEvent,
    return_match=lambda rules: replace(rules, start=3 - rules.start),
    set_up=set_up,
    storage=STORAGE,
    awaited=awaited,
    moment=lambda table: table.moment,
    turn=lambda moment: moment.turn,
    read_orders=read_orders,
    write_orders=write_orders,
    stand_in=stand_in,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    hidden=Hidden(grammar=lambda seats: GRAMMAR_OF_TEXT, secrets=secrets),
    scores=Scores(scores),
    headlines=headlines,
    readers=readers,
    waits_told=30 * 60,
    closes_at_once=True,
    give_up=RESIGN.text,
    tempi=("tonight", "daily"),
    tell=tell,
    hindsight=LookBack(Hindsight, hindsight),
    robots=strengths,
    form=Form(
        read=read_form, fill=fill_form, controls=sent_controls, data=planner_data, repeats="first"
    ),
)
