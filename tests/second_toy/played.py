"""What must hold where klimperbohn is installed beside minibohn, on which it stands:
`tests/test_adding_a_variant.py` runs this there.
"""

import json
from typing import Any

from gm import seeds
from gm.installation import Installation
from gm.rendering.own_words import bean_names
from gm.store.db import Database
from rounds.engine.record import read_record, replay
from rounds.engine.variant import find, lineage
from tests.rules.played import chance, played_with, record_of
from tests.service.whole.one_game import (
    begun,
    close,
    command,
    game,
    mails,
    order,
    page_of,
    saved,
    send,
    table,
    text_of,
    words,
)

NAME = "klimperbohn"


def test_it_is_played_to_its_end_by_form_and_mail(
    installation: Installation, db: Database, web: Any, frozen_time: Any
) -> None:
    begun(installation, db, "groschen", NAME, {"Anna": "de", "Bert": "en"})
    page = words(web.get(page_of(installation, "Anna") + "?lang=de"))
    assert "Himmelserbse" in page or "blue" not in table(db).hand("Anna")
    variant = find(NAME)
    orders = variant.read_orders(table(db), "Anna", variant.robot(variant.view(table(db), "Anna")))
    assert variant.form is not None
    sent = variant.form.fill(table(db), "Anna", orders).sent
    controls = [(name, value) for name, values in sent.items() for value in values]
    assert (
        send(web, page_of(installation, "Anna"), 1, *controls, ("final", "yes")).status_code == 303
    )
    while game(db).status == "running":
        for name in find(NAME).awaited(table(db)):
            order(db, name)
        close(db, frozen_time)
    end = find(NAME).result(table(db))
    assert end is not None
    record = saved(installation, web)
    assert "PROVEN" in command(
        installation, "verify", str(record), "--mails", str(installation.mail_folder)
    )
    told = json.loads(command(installation, "replay", str(record), "--json"))
    assert told["result"]["score"] == dict(end.points)
    assert {one["coins"]["Anna"] for one in told["rounds"]} == {table(db).coin("Anna")}
    winner = min(end.ranks, key=end.ranks.__getitem__)
    points = f"{end.points[winner] / 100:.2f}"
    assert f"{points} talers" in text_of(mails(installation, "final", "Bert")[-1])
    assert f"{points} talers" in words(web.get("/table?lang=en"))
    assert web.get("/api/v1/games/groschen").json["variant"] == NAME


def test_its_words_and_pictures_are_its_own_or_those_of_the_game_it_stands_on() -> None:
    assert lineage(NAME) == (NAME, "minibohn")
    names = bean_names("en", NAME)
    assert (names["blue"]["one"], names["lentil"]["one"]) == ("Sky pea", "Lentil")
    assert bean_names("en", "classic")["blue"]["one"] == "Blue bean"


def test_a_record_with_both_piles_plays_again() -> None:
    variant = find(NAME)
    deck = seeds.deck(NAME)
    found = played_with(variant, chance(3))
    piles = {"coin/main/0": [deck.pile("coin")[n] for n in found.chance("coin/main/0", 8)]}
    later = [
        pile
        for one in found.rounds
        for pile in variant.secrets(one.before, one.events, one.after)["reshuffled"]
    ]
    document = record_of(found) | {
        "deck": list(deck.shuffled(found.chance)),
        "reshuffles": later,
        "piles": piles,
    }
    record = read_record(json.dumps(document).encode())
    assert replay(record, variant, deck).result == variant.result(found.tables[-1])
