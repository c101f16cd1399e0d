"""Postal Bohnanza: eight common cards a round, three fields, ten rounds.

After the rules text of Markus Steffl (June 2001), for the postal adaptation by Markus Berger of
Uwe Rosenberg's card game. `docs/rules/postal.md` tells the rules; a number like P14 is a ruling
there.
"""

from rounds.engine.variant import Form, LookBack, Scores, Storage, Variant
from rounds.postal.events import AnyEvent
from rounds.postal.form import fill_form, planner_data, read_form, sent_controls
from rounds.postal.headlines import headlines
from rounds.postal.hindsight import Hindsight, hindsight
from rounds.postal.orders import preview, read_orders, write_orders
from rounds.postal.reveal import reveal
from rounds.postal.robot import robot
from rounds.postal.round import adjudicate, result
from rounds.postal.stand_in import stand_in
from rounds.postal.table import HouseRules, awaited, moment, pack, set_up, unpack
from rounds.postal.view import concerns, scores, tell, view

variant = Variant(
    name="postal",
    house_rules=HouseRules,
    events=AnyEvent,
    set_up=set_up,
    storage=Storage(pack, unpack),
    awaited=awaited,
    read_orders=read_orders,
    write_orders=write_orders,
    stand_in=stand_in,
    preview=preview,
    adjudicate=adjudicate,
    result=result,
    view=view,
    robots={"": robot},
    tell=tell,
    moment=moment,
    length=lambda rules: rules.rounds,
    concerns=concerns,
    scores=Scores(scores),
    headlines=headlines,
    reveal=reveal,
    hindsight=LookBack(Hindsight, lambda tables, _: hindsight(tables)),
    form=Form(
        read=read_form,
        fill=fill_form,
        controls=sent_controls,
        data=planner_data,
        repeats="pre_",
        open=True,
    ),
)
