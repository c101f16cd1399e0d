"""Refused mail: a fault of the mail server burns no batch, and whatever was refused can be sent
again, or never.
"""

import json
import smtplib
from pathlib import Path
from typing import Any

import pytest

from gm import clock, service, store
from gm.clock import DAY
from gm.config import Config
from gm.deadline.health import examine
from gm.errors import Refusal
from gm.games import lead
from gm.installation import Installation
from gm.mail import blame, queue, refused
from gm.people import joining, masters, seating
from gm.service import close_due
from gm.service import tick_mail as send
from gm.store.db import Database, select, write
from gm.store.games import Game
from gm.store.mails import Mail
from tests.dates import SUNDAY
from tests.postbox import Postbox
from tests.steps import (
    bohnenpost,
    dump_of,
    file_of,
    parsed,
    plain_text,
    press,
    seat_game,
    sign_in,
    start,
    stored_mails,
    with_server,
    words,
)

ANNA, BERT, CEM = (f"{name}@ackerwinde.example.org" for name in ("anna", "bert", "cem"))
ONE_ROUND = ('"rounds":10', '"rounds":1')
RELAY = "554 5.7.1 Relay access denied"
NOBODY = "550 5.1.1 No such user"
REFUSED = [RELAY] * 100


@pytest.fixture
def served(installation: Installation, postbox: tuple[Postbox, int]) -> Installation:
    """The installation with a mail server."""
    return with_server(installation, postbox[1])


def states(db: Database) -> dict[str, str]:
    """What became of the first mail to each address."""
    found = select(db, Mail, "SELECT * FROM mail ORDER BY id DESC")
    return {
        m.address: "sent" if m.sent_at else ("failed" if m.failed_at else "waiting") for m in found
    }


def start_mails(db: Database) -> list[Mail]:
    return select(db, Mail, "SELECT * FROM mail WHERE kind = 'start' ORDER BY id")


def test_addresses_that_strangers_made_up_hold_up_nobodys_mail(
    db: Database,
    installation: Installation,
    served: Installation,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
) -> None:
    """Anybody may ask for a seat with an address that is none: that says nothing about the mail
    server.
    """
    seat_game(installation, "kichererbse")
    for name in ("Ida", "Jan", "Kai"):
        postbox[0].answers[f"{name}@example.org".lower()] = [NOBODY] * 9
        joining.request_seat(db, "kichererbse", name, f"{name}@example.org".lower(), "en", SUNDAY)
    with write(db):
        db.execute("UPDATE mail SET next_try = 0 WHERE kind = 'confirm'")
    done = send(served, SUNDAY)
    assert (done.accepted, done.refused, done.trouble) == (3, 3, None)
    assert blame.server_fault(db) is None


def test_a_server_that_refuses_everybody_keeps_the_answers_to_strangers_waiting(
    db: Database,
    installation: Installation,
    served: Installation,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
) -> None:
    seat_game(installation, "kichererbse")
    postbox[0].answers = {address: [NOBODY] * 9 for address in (ANNA, BERT, CEM, "ida@example.org")}
    assert send(served, SUNDAY).trouble is not None
    joining.request_seat(db, "kichererbse", "Ida", "ida@example.org", "en", SUNDAY)
    with write(db):
        db.execute("UPDATE mail SET next_try = 0 WHERE kind = 'confirm'")
    send(served, SUNDAY + 60)
    assert states(db)["ida@example.org"] == "waiting"


def test_addresses_that_strangers_made_up_fill_no_masters_mailbox_and_no_desk(
    db: Database, installation: Installation, served: Installation, postbox: tuple[Postbox, int]
) -> None:
    seat_game(installation, "kichererbse", players=["Anna", "Bert"])
    now = clock.now()
    for number in range(60):
        postbox[0].answers[f"ida{number}@example.org"] = [NOBODY]
        asked_at = now + (number // joining.MOST_OF_A_GAME - 2) * 3601
        joining.request_seat(db, "kichererbse", "Ida", f"ida{number}@example.org", "en", asked_at)
    assert send(served, now).refused == 60
    send(served, now)
    assert [address for address, _ in postbox[0].mails].count("uli@example.org") == 1
    assert len(refused.without_seat(db, ["kichererbse"])) == refused.MOST_ASKED


def test_the_same_person_refused_twice_is_their_address(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    """The second mail to Anna tells no more about the server than the first did."""
    with write(db):
        db.execute("UPDATE mail SET address = ?", [ANNA])
    postbox[0].answers = {ANNA: [NOBODY] * 9}
    done = send(served, SUNDAY)
    assert (done.refused, done.put_off, done.trouble) == (3, 0, None)


def test_a_server_that_wants_no_hello_of_ours_is_down(
    db: Database, served: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_away(*_: object) -> None:
        raise smtplib.SMTPHeloError(550, b"go away")

    monkeypatch.setattr(smtplib.SMTP, "ehlo_or_helo_if_needed", go_away)
    done = send(served, SUNDAY)
    assert (done.accepted + done.refused + done.put_off, done.trouble is None) == (0, False)
    assert {mail.failed_at for mail in start_mails(db)} == {None}


def refuse_anna(served: Installation, box: Postbox, times: int = 1) -> None:
    """Anna's mail is refused for good, the others' is taken."""
    box.answers = {ANNA: [NOBODY] * times}
    assert send(served, SUNDAY).refused == 1


def test_a_refused_mail_is_sent_again_on_request_with_the_same_id(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    refuse_anna(served, postbox[0])
    (mail,) = store.mails.waiting_or_refused(db, refused=True)
    with write(db):
        assert refused.retry(db, [mail.id, mail.id + 100], SUNDAY) == 1
    assert send(served, SUNDAY).accepted == 1
    (data,) = [data for address, data in postbox[0].mails if address == ANNA]
    assert parsed(data)["Message-ID"] == mail.message_id
    body = parsed(data).get_body(("plain",))
    assert body is not None
    assert served.url("seat", "ackerwinde", "Anna", 1) in body.get_content()


def holds_the_link(installation: Installation, seat: str) -> bool:
    """Whether the bytes of a seat's link lie anywhere in the file of the database."""
    return (
        installation.url("seat", "ackerwinde", seat, 1).rpartition("/")[2].encode()
        in file_of(installation).read_bytes()
    )


@pytest.mark.file
def test_a_refused_mail_leaves_no_link_in_the_file_of_the_database(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    while service.write_mails(db, served, SUNDAY):
        pass
    assert holds_the_link(served, "Anna")
    refuse_anna(served, postbox[0])
    assert [mail.bytes for mail in stored_mails(db) if mail.failed_at] == [None]
    assert not any(holds_the_link(served, name) for name in ("Anna", "Bert", "Cem"))


def test_a_mail_sent_again_has_the_link_that_opens_the_seat_now(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    refuse_anna(served, postbox[0])
    seating.renew_link(db, served.link_key, "ackerwinde", "Anna", SUNDAY)
    with write(db):
        refused.retry(db, refused.of_seat(db, "ackerwinde", 1), SUNDAY)
    send(served, SUNDAY)
    for data in (data for address, data in postbox[0].mails if address == ANNA):
        body = parsed(data).get_body(("plain",))
        assert body is not None
        assert served.url("seat", "ackerwinde", "Anna", 1) not in body.get_content()
        assert served.url("seat", "ackerwinde", "Anna", 2) in body.get_content()


def test_the_report_of_a_round_that_was_taken_back_is_never_sent_again(
    db: Database, served: Installation, ackerwinde: Game
) -> None:
    with write(db):
        anna = store.seats.numbered(db, "ackerwinde", 1)
        queue.put(db, "ackerwinde", 1, queue.Event(kind="report", about=1), [anna], SUNDAY)
        db.execute("UPDATE mail SET failed_at = 1, error = '550' WHERE kind = 'report'")
        store.mails.withdraw_from_round(db, "ackerwinde", 1, SUNDAY)
        assert refused.of_seat(db, "ackerwinde", 1) == []


def test_the_same_address_given_again_means_send_again(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    refuse_anna(served, postbox[0])
    assert seating.change_address(db, served.link_key, "ackerwinde", "Anna", ANNA, SUNDAY)
    assert not seating.change_address(db, served.link_key, "ackerwinde", "Bert", BERT, SUNDAY)
    send(served, SUNDAY)
    assert states(db)[ANNA] == "sent"


def test_who_is_invited_again_gets_the_refused_invitation_once_more(
    db: Database, installation: Installation, served: Installation, postbox: tuple[Postbox, int]
) -> None:
    seat_game(installation, "beinwell", players=["Anna"])
    box, now = postbox[0], clock.now()
    box.answers = {"doerte@example.org": [NOBODY]}

    def invite() -> int:
        return joining.invite(db, "beinwell", ["doerte@example.org", "ida@example.org"], "de", now)

    assert invite() == 2
    send(served, now)
    assert invite() == 1
    assert invite() == 0
    send(served, now)
    assert sorted(address for address, _ in box.mails if address != "uli@example.org") == [
        "doerte@example.org",
        "ida@example.org",
    ]


def test_the_masters_are_told_once_a_day_of_an_address_that_refuses(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    refuse_anna(served, postbox[0], times=99)
    for hours in range(1, 30, 7):
        now = SUNDAY + hours * 3600
        with write(db):
            anna = store.seats.numbered(db, "ackerwinde", 1)
            queue.put(db, "ackerwinde", 1, queue.Event(kind="link", mark=hours), [anna], now)
        send(served, now)
    send(served, now)
    told = [parsed(data) for address, data in postbox[0].mails if address == "uli@example.org"]
    assert len(told) == 2
    assert told[0]["Subject"] == f"Ackerwinde: Mails an {ANNA} werden abgelehnt"
    assert all(
        word in plain_text(told[0]) for word in ("Anna", ANNA, NOBODY, "/desk/game/ackerwinde")
    )


def test_no_master_is_told_of_a_mail_that_is_sent_again_before(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    refuse_anna(served, postbox[0])
    with write(db):
        refused.retry(db, refused.of_seat(db, "ackerwinde", 1), SUNDAY)
    send(served, SUNDAY)
    assert {address for address, _ in postbox[0].mails} == {ANNA, BERT, CEM}


def test_healthz_and_doctor_tell_that_the_server_refuses_us(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int], web: Any
) -> None:
    postbox[0].answers = {address: REFUSED.copy() for address in (ANNA, BERT, CEM)}
    send(served, clock.now())
    answer = web.get("/healthz")
    assert (answer.status_code, json.loads(answer.data)["late"]) == (503, ["server"])
    assert RELAY in bohnenpost("doctor", home=served.home, status=1).output
    with write(db):  # nobody's mail waits for it any more
        refused.forget(db, [mail.id for mail in store.mails.waiting_or_refused(db)], clock.now())
    assert web.get("/healthz").status_code == 200
    assert examine(db, clock.now()) == []


# ---- commands and desk ----


def cli(installation: Installation, *args: object, status: int = 0) -> str:
    return bohnenpost("mail", *args, home=installation.home, status=status).output


@pytest.fixture
def settled(installation: Installation, postbox: tuple[Postbox, int]) -> Path:
    """Settings with a mail server, for commands."""
    file = installation.home / "bohnenpost.toml"
    file.write_text(
        f'smtp_host = "127.0.0.1"\nsmtp_port = {postbox[1]}\nsmtp_tls = "none"\n', encoding="utf-8"
    )
    return file


def test_mail_and_run_count_what_was_accepted_refused_and_put_off(
    installation: Installation,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
    settled: Path,
    frozen_time: Any,
) -> None:
    postbox[0].answers = {ANNA: [NOBODY], BERT: ["451 later"]}
    assert "1 accepted, 1 refused, 1 put off" in cli(installation, status=1)
    frozen_time.move_to(clock.now() + 300)
    assert "2 accepted, 0 refused, 0 put off" in cli(installation)  # Bert's, and the word to the GM
    postbox[0].answers = {ANNA: [NOBODY], CEM: ["451 later"]}
    frozen_time.move_to(SUNDAY)
    out = bohnenpost("run", "--json", "--clock-is-right", home=installation.home, status=1).output
    told = json.loads(out)
    assert (told["refused"], told["put_off"]) == (1, 1)
    postbox[0].answers = {ANNA: [NOBODY]}
    frozen_time.move_to(SUNDAY + 7 * 24 * 3600)
    out = bohnenpost("run", "--clock-is-right", home=installation.home, status=1).output
    assert "    1 mail refused" in out
    assert "what was refused, and why: bohnenpost mail list" in out


def test_mail_show_retry_and_forget(
    installation: Installation,
    db: Database,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
    settled: Path,
) -> None:
    postbox[0].answers = {ANNA: [NOBODY] * 2}
    cli(installation, status=1)
    (number,) = [mail.id for mail in store.mails.waiting_or_refused(db, refused=True)]
    shown = cli(installation, "show", number)
    for part in (
        "refused",
        "start of ackerwinde, round 0",
        ANNA,
        NOBODY,
        f"bohnenpost mail retry {number}",
    ):
        assert part in shown
    assert "/z/" not in shown
    assert "1 to be sent again" in cli(installation, "retry", number)
    cli(installation, status=1)
    assert "1 to be sent again" in cli(installation, "retry", "--game", "ackerwinde")
    assert "waiting" in cli(installation, "show", number)
    cli(installation)
    assert "accepted" in cli(installation, "show", number)
    assert "nothing to change" in cli(installation, "retry", "--game", "ackerwinde")
    with write(db):
        anna = store.seats.numbered(db, "ackerwinde", 1)
        queue.put(db, "ackerwinde", 0, queue.Event(kind="link", mark=1), [anna], clock.now())
    (waiting,) = [mail.id for mail in store.mails.waiting_or_refused(db) if mail.kind == "link"]
    assert "to be sent again" in cli(installation, "retry", "--all")
    assert "1 withdrawn" in cli(installation, "forget", waiting)
    assert "withdrawn" in cli(installation, "show", waiting)
    assert f"{waiting} withdrawn" in cli(installation, "list")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("retry",), "one of"),
        (("retry", "1", "--all"), "one of"),
        (("retry", "--all", "--game", "ackerwinde"), "one of"),
        (("retry", "99"), "No such mail waits or was refused: 99."),
        (("retry", "--game", "nirgends"), "nirgends"),
        (("forget",), "one of"),
        (("forget", "99", "1"), "99"),
        (("show", "99"), "99"),
        (("retry", "one"), "one"),
    ],
)
def test_what_cannot_be_sent_again_is_named_and_nothing_changes(
    installation: Installation, db: Database, ackerwinde: Game, args: tuple[str, ...], says: str
) -> None:
    before = list(db.query("SELECT * FROM mail"))
    assert says in cli(installation, *args, status=2)
    assert list(db.query("SELECT * FROM mail")) == before


def test_the_desk_sends_a_players_refused_mails_again(
    installation: Installation,
    db: Database,
    served: Installation,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
) -> None:
    refuse_anna(served, postbox[0])
    uli = sign_in(installation, db)
    assert "Send again" in words(uli.get("/desk"))
    assert "Send the refused mails again" in words(uli.get("/desk/game/ackerwinde"))
    assert (
        "said=done"
        in press(uli, "/desk/game/ackerwinde/again", ("seat", "Anna")).headers["Location"]
    )
    assert refused.of_seat(db, "ackerwinde", 1) == []
    assert (
        "said=same"
        in press(uli, "/desk/game/ackerwinde/again", ("seat", "Anna")).headers["Location"]
    )


def test_a_desk_forgets_no_mail_that_was_not_refused(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    """Else whoever gives a seat another address could keep the player from being told, before
    the mail goes out.
    """
    seating.change_address(
        db, installation.link_key, "ackerwinde", "Anna", "eve@example.org", clock.now()
    )
    told = next(
        mail
        for mail in store.mails.waiting_or_refused(db, "ackerwinde")
        if mail.kind == "moved_away"
    )
    answer = press(
        sign_in(installation, db),
        "/desk/game/ackerwinde/again",
        ("mail", str(told.id)),
        ("forget", "yes"),
    )
    assert answer.status_code == 422
    assert told in store.mails.waiting_or_refused(db, "ackerwinde")


@pytest.mark.parametrize("answer", [NOBODY, "450 later"])
def test_the_last_mail_to_who_left_leaves_no_address_when_it_is_given_up(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int], answer: str
) -> None:
    send(served, SUNDAY)
    seating.forget(db, seating.seat_named(db, "ackerwinde", "Anna"), SUNDAY)
    seating.resend_link(db, "ackerwinde", "Cem", SUNDAY)
    postbox[0].answers[ANNA] = [answer] * 9
    for days in (0, 1, 6):
        send(served, SUNDAY + days * DAY)
    (told,) = [mail for mail in stored_mails(db) if mail.kind == "left"]
    assert (told.address, told.bytes, told.withdrawn_at is not None) == ("", None, True)
    assert refused.without_seat(db, ["ackerwinde"]) == []
    assert "refused" not in [mail.kind for mail in store.mails.after(db, 0)]


def test_a_refused_warning_to_an_earlier_address_is_forgotten_with_who_leaves(
    db: Database, served: Installation, ackerwinde: Game, postbox: tuple[Postbox, int]
) -> None:
    send(served, SUNDAY)
    seating.change_address(
        db, served.link_key, "ackerwinde", "Anna", "anna@new.example.org", SUNDAY
    )
    postbox[0].answers[ANNA] = [f"{NOBODY}: {ANNA}"] * 9
    send(served, SUNDAY)
    assert [(mail.kind, mail.address) for mail in refused.without_seat(db, ["ackerwinde"])] == [
        ("moved_away", ANNA)
    ]
    seating.forget(db, seating.seat_named(db, "ackerwinde", "Anna"), SUNDAY)
    send(served, SUNDAY)
    assert refused.without_seat(db, ["ackerwinde"]) == []
    assert ANNA not in "\n".join(dump_of(db))


@pytest.mark.parametrize("tell", ["address", "leave"])
def test_a_host_keeps_no_player_from_being_told_by_letting_them_go_as_a_master(
    db: Database, ackerwinde: Game, installation: Installation, tell: str
) -> None:
    """An address may be a player's and a game master's: what tells the player goes out whoever
    leads the game.
    """
    if tell == "address":
        seating.change_address(
            db, installation.link_key, "ackerwinde", "Anna", "eve@example.org", clock.now()
        )
    else:
        seating.forget(db, seating.seat_named(db, "ackerwinde", "Anna"), clock.now())
    masters.add_master(db, "ackerwinde", ANNA)
    masters.remove_gm(db, ANNA)
    kind = {"address": "moved_away", "leave": "left"}[tell]
    assert (kind, ANNA) in [
        (mail.kind, mail.address) for mail in store.mails.waiting_or_refused(db)
    ]


def test_a_desk_sends_no_mail_of_another_game_again(
    installation: Installation, db: Database, ackerwinde: Game
) -> None:
    seat_game(installation, "beinwell")
    start(installation, "beinwell")
    other = next(mail for mail in start_mails(db) if mail.game == "beinwell")
    with pytest.raises(Refusal, match="no_mail"):
        refused.named(db, [other.id], "ackerwinde")
    assert (
        press(
            sign_in(installation, db), "/desk/game/ackerwinde/again", ("mail", str(other.id))
        ).status_code
        == 422
    )


def test_a_desk_says_that_the_server_refuses_us(
    installation: Installation,
    db: Database,
    served: Installation,
    ackerwinde: Game,
    postbox: tuple[Postbox, int],
) -> None:
    postbox[0].answers = {address: REFUSED.copy() for address in (ANNA, BERT, CEM)}
    send(served, clock.now())
    assert "the mail server refuses us, and mail waits" in words(
        sign_in(installation, db).get("/desk")
    )


# ---- where refused mail is shown ----


@pytest.fixture
def kichererbse(
    installation: Installation, served: Installation, db: Database, postbox: tuple[Postbox, int]
) -> str:
    """A game that takes players, whose invitation to Dörte and whose answer to Ida were refused."""
    seat_game(installation, "kichererbse", players=["Anna", "Bert"])
    postbox[0].answers = {
        "doerte@example.org": [NOBODY] * 9,
        "ida@example.org": ["552 mailbox full"] * 9,
    }
    now = clock.now()
    joining.invite(db, "kichererbse", ["doerte@example.org"], "en", now)
    joining.request_seat(db, "kichererbse", "Ida", "ida@example.org", "en", now)
    assert send(served, now).refused == 2
    assert send(served, now).accepted > 0  # the words to the GM
    return "kichererbse"


def test_refused_invitations_and_answers_stand_at_their_game_with_what_to_do(
    installation: Installation,
    db: Database,
    kichererbse: str,
    postbox: tuple[Postbox, int],
    served: Installation,
) -> None:
    uli, game = sign_in(installation, db), f"/desk/game/{kichererbse}"
    for page in (words(uli.get("/desk")), words(uli.get(game))):
        assert all(
            part in page
            for part in (
                "doerte@example.org",
                NOBODY,
                "ida@example.org",
                "552 mailbox full",
                "Send again",
            )
        )
    shown = bohnenpost("game", "show", kichererbse, home=installation.home).output
    invited, asked = store.mails.waiting_or_refused(db, kichererbse, refused=True)
    assert f"mail {invited.id}, invite" in shown
    assert (
        f"bohnenpost mail retry {invited.id}"
        in bohnenpost("mail", "show", invited.id, home=installation.home).output
    )
    postbox[0].answers = {}
    assert "said=done" in press(uli, f"{game}/again", ("mail", str(invited.id))).headers["Location"]
    assert (
        "said=done"
        in press(uli, f"{game}/again", ("mail", str(asked.id)), ("forget", "yes")).headers[
            "Location"
        ]
    )
    send(served, clock.now())
    assert "doerte@example.org" in [address for address, _ in postbox[0].mails]
    assert store.requests.joining(db, asked.about or 0) is None  # no answer is waited for
    assert store.mails.waiting_or_refused(db, kichererbse, refused=True) == []
    assert [finding for finding in examine(db, clock.now()) if finding.kind == "refused"] == []
    for odd in ("x", "9" * 30, "-1"):
        assert press(uli, f"{game}/again", ("mail", odd)).status_code == 400


def test_once_no_seat_can_be_taken_the_offers_of_one_are_withdrawn(
    db: Database, installation: Installation, kichererbse: str
) -> None:
    joining.invite(db, kichererbse, ["emil@example.org"], "en", clock.now())
    start(installation, kichererbse)
    assert {mail.kind for mail in store.mails.waiting_or_refused(db)} <= {"start", "welcome"}
    assert examine(db, clock.now()) == []


@pytest.mark.parametrize("over", ["finished", "aborted", "archived"])
def test_a_game_that_is_over_offers_no_seats(db: Database, ackerwinde: Game, over: str) -> None:
    """A mail of before it was so, as in games from before."""
    now = SUNDAY
    with write(db):
        for kind in ("invite", "confirm"):
            ida = queue.Recipient("ida@example.org", "de")
            queue.put(db, "ackerwinde", 0, queue.Event(kind=kind), [ida], now)
        db.execute("UPDATE mail SET failed_at = 1, error = '550' WHERE kind = 'invite'")
        if over == "finished":
            db.execute("UPDATE game SET house_rules = replace(house_rules, ?, ?)", ONE_ROUND)
            db.execute("UPDATE round SET state = replace(state, ?, ?)", ONE_ROUND)
        if over == "archived":
            db.execute("UPDATE game SET status = 'finished', deadline = NULL")
            db.execute(
                "UPDATE mail SET failed_at = 1, error = '550' WHERE kind = 'start' AND seat = 1"
            )
    if over == "finished":
        assert close_due(db, Config(), now)
        assert store.games.existing(db, "ackerwinde").status == "finished"
    elif over == "aborted":
        lead.abort(db, "ackerwinde", "Sommer", now)
    else:
        lead.archive(db, "ackerwinde", now)
    left = store.mails.waiting_or_refused(db, "ackerwinde")
    assert not {mail.kind for mail in left} & {"invite", "confirm"}
    assert [mail for mail in left if mail.failed_at] == []


def test_a_player_whose_address_refuses_mail_reads_so_on_the_order_page(
    db: Database, served: Installation, link: dict[str, str], postbox: tuple[Postbox, int], web: Any
) -> None:
    refuse_anna(served, postbox[0])
    page = words(web.get(link["Anna"] + "?lang=en"))
    assert "Your mails do not arrive." in page
    assert NOBODY in page
    assert "Your mails do not arrive." not in words(web.get(link["Bert"] + "?lang=en"))
    lead.pause(db, "ackerwinde", "", clock.now())
    assert "Your mails do not arrive." in words(web.get(link["Anna"] + "?lang=en"))
