"""Every row and every statement: one module for each family of tables, and this door to all of them."""

from gm.store.accounts import LINK_SECONDS, Master, gm_of, standby_of
from gm.store.db import DAMAGE, MANY, insert, one_of, reading, select, select_one, update, write
from gm.store.games import Game, game, games, games_of, masters, unreadable_games
from gm.store.lists import Press, Revision, Source, newest_revisions, own_press, press, revisions, sources, words_to_gm
from gm.store.mails import SEATS, Mail, receipt_mail
from gm.store.notes import ALWAYS_TOLD, Note, notes, notes_of_this_play
from gm.store.rounds import (
    ClosedRound,
    cards,
    closed_round,
    closed_rounds,
    closing_times,
    open_table,
    phrases,
    revealed_secret,
    table_after,
    unconfirmed,
    withdrawn,
)
from gm.store.seats import (
    DeadLink,
    GivenUp,
    Joining,
    Others,
    Played,
    Seat,
    asked_to_join,
    given_up,
    joining,
    others,
    people,
    seat,
    seat_by_calendar,
    seat_by_link,
    seat_by_unsubscribe,
    seats,
    seats_of,
    seats_taken,
)

__all__ = [
    "ALWAYS_TOLD", "DAMAGE", "LINK_SECONDS", "MANY", "SEATS", "ClosedRound", "DeadLink", "Game", "GivenUp", "Joining", "Mail",
    "Master", "Note", "Others", "Played", "Press", "Revision", "Seat", "Source", "asked_to_join", "cards", "closed_round",
    "closed_rounds", "closing_times", "game", "games", "games_of", "given_up", "gm_of", "insert", "joining", "masters",
    "newest_revisions", "notes", "notes_of_this_play", "one_of", "open_table", "others", "own_press", "people", "phrases",
    "press", "reading", "receipt_mail", "revealed_secret", "revisions", "seat", "seat_by_calendar", "seat_by_link",
    "seat_by_unsubscribe", "seats", "seats_of", "seats_taken", "select", "select_one", "sources", "standby_of", "table_after",
    "unconfirmed", "unreadable_games", "update", "withdrawn", "words_to_gm", "write",
]  # fmt: skip
