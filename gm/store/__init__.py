"""Every row and every statement: one module for each family of tables, and this door to all of them."""

# fmt: off
from gm.store.accounts import (
    GivenUp, Master, add_account, add_attempts, add_given_up, attempts, credentials, end_all_sessions, end_session,
    end_sessions, forget_attempts, forget_given_up, forget_sessions, given_up, gm_of, open_session, put_on_standby,
    remove_account, signed_in, standby_list, standby_of, stands_by, take_back_attempts, take_off_standby,
    take_off_standby_of_game, update_account, void_gm_links,
)
from gm.store.db import DAMAGE
from gm.store.doctor import (
    any_to_others, any_waiting, damaged_columns, file_damage, held_games, masters_know_refusals, never_tried,
    others_were_sent, overdue_rounds, refusals, strangers,
)
from gm.store.games import (
    Game, WorkState, add_game, add_master, answers_to_other_master, existing, finished_games, game, game_to_settle, games,
    games_of, gm_language, has_games, in_status, leading, led_by, links_given, masters, newest_led_by, pause_running_games,
    raise_links_given, remove_master, round_number, running_games, unreadable_games, update_game, work_state,
)
from gm.store.lists import (
    Press, Revision, Source, add_revision, clear_press, clear_words_to_gm, give_words_to_link, mark_words_read,
    newest_revisions, own_press, press, receipt_mail, remove_press, revisions, set_press, sources, void_lists,
    void_lists_after, words_to_gm,
)
from gm.store.mails import (
    SEATS, Mail, empty_mails_of_seat, fail_mail_to_write, fail_mails_to_write_like, forget_earlier_addresses, forget_mails_to,
    invited, invited_since, is_refused, keep_written, kinds_queued_since, mail_by_id, mails_after, mails_due, mails_not_sent,
    mails_to_write, mails_to_write_like, mails_waiting, newest_mail_id, newest_refusal, next_mail_to_send, put_off_for_server,
    queue_mails, queued_since, readdress_mails, relink_mails, retry_mail, sign_in_mails, take_seat_from_mails, unsent_mails,
    update_mail, waits_to_be_written, withdraw_mail, withdraw_mails_about_seat, withdraw_mails_from_round,
    withdraw_mails_to_master, withdraw_mails_to_seat,
)
from gm.store.meta import add_beat, beats, first_beat, forget, forget_beats, last_beat, remember, remembered, remembered_all
from gm.store.notes import ALWAYS_TOLD, Note, add_note, forget_who_replaced, note_by_id, notes, notes_of_this_play
from gm.store.rounds import (
    ClosedRound, add_closed_round, add_secret, alarmed_at, cards, closed_round, closed_rounds, closing_times, due_batch,
    due_games, game_to_recheck, games_before_deadline, games_with_every_list, open_table, phrases, revealed_secret,
    robot_without_list, round_mails, table_after, unconfirmed, waiting_rounds, was_reminded, was_reported, withdraw_round,
    withdrawn,
)
from gm.store.seats import (
    Joining, Others, Played, Seat, add_dead_link, add_joining, add_seat, asked_to_join, confirm_joining, dead_hashes,
    dead_link, dead_link_by_hash, drop_withdrawn_request, expire_joinings, expire_unconfirmed, forget_joinings,
    forget_unconfirmed, forget_who_had_links, joining, link_numbers, mailboxes_asked, others, people, remove_seat, seat,
    seat_by_calendar, seat_by_link, seat_by_unsubscribe, seats, seats_of, seats_taken, unconfirmed_since, update_seat,
)

__all__ = [
    "ALWAYS_TOLD", "DAMAGE", "SEATS", "ClosedRound", "Game", "GivenUp", "Joining", "Mail", "Master", "Note", "Others",
    "Played", "Press", "Revision", "Seat", "Source", "WorkState", "add_account", "add_attempts", "add_beat",
    "add_closed_round", "add_dead_link", "add_game", "add_given_up", "add_joining", "add_master", "add_note", "add_revision",
    "add_seat", "add_secret", "alarmed_at", "answers_to_other_master", "any_to_others", "any_waiting", "asked_to_join",
    "attempts", "beats", "cards", "clear_press", "clear_words_to_gm", "closed_round", "closed_rounds", "closing_times",
    "confirm_joining", "credentials", "damaged_columns", "dead_hashes", "dead_link", "dead_link_by_hash",
    "drop_withdrawn_request", "due_batch", "due_games", "empty_mails_of_seat", "end_all_sessions", "end_session",
    "end_sessions", "existing", "expire_joinings", "expire_unconfirmed", "fail_mail_to_write", "fail_mails_to_write_like",
    "file_damage", "finished_games", "first_beat", "forget", "forget_attempts", "forget_beats", "forget_earlier_addresses",
    "forget_given_up", "forget_joinings", "forget_mails_to", "forget_sessions", "forget_unconfirmed", "forget_who_had_links",
    "forget_who_replaced", "game", "game_to_recheck", "game_to_settle", "games", "games_before_deadline", "games_of",
    "games_with_every_list", "give_words_to_link", "given_up", "gm_language", "gm_of", "has_games", "held_games", "in_status",
    "invited", "invited_since", "is_refused", "joining", "keep_written", "kinds_queued_since", "last_beat", "leading",
    "led_by", "link_numbers", "links_given", "mail_by_id", "mailboxes_asked", "mails_after", "mails_due", "mails_not_sent",
    "mails_to_write", "mails_to_write_like", "mails_waiting", "mark_words_read", "masters", "masters_know_refusals",
    "never_tried", "newest_led_by", "newest_mail_id", "newest_refusal", "newest_revisions", "next_mail_to_send", "note_by_id",
    "notes", "notes_of_this_play", "open_session", "open_table", "others", "others_were_sent", "overdue_rounds", "own_press",
    "pause_running_games", "people", "phrases", "press", "put_off_for_server", "put_on_standby", "queue_mails",
    "queued_since", "raise_links_given", "readdress_mails", "receipt_mail", "refusals", "relink_mails", "remember",
    "remembered", "remembered_all", "remove_account", "remove_master", "remove_press", "remove_seat", "retry_mail",
    "revealed_secret", "revisions", "robot_without_list", "round_mails", "round_number", "running_games", "seat",
    "seat_by_calendar", "seat_by_link", "seat_by_unsubscribe", "seats", "seats_of", "seats_taken", "set_press",
    "sign_in_mails", "signed_in", "sources", "standby_list", "standby_of", "stands_by", "strangers", "table_after",
    "take_back_attempts", "take_off_standby", "take_off_standby_of_game", "take_seat_from_mails", "unconfirmed",
    "unconfirmed_since", "unreadable_games", "unsent_mails", "update_account", "update_game", "update_mail", "update_seat",
    "void_gm_links", "void_lists", "void_lists_after", "waiting_rounds", "waits_to_be_written", "was_reminded",
    "was_reported", "withdraw_mail", "withdraw_mails_about_seat", "withdraw_mails_from_round", "withdraw_mails_to_master",
    "withdraw_mails_to_seat", "withdraw_round", "withdrawn", "words_to_gm", "work_state",
]
