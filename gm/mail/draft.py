"""What every mail is written from, and how it is put together: headers, text and the rest."""

import re
from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from email.utils import format_datetime as mail_date
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct, structs

from gm.config import Config
from gm.installation import Installation
from gm.mail.frame import blocks
from gm.mail.kinds import kind_of
from gm.mail.mime import serialise
from gm.rendering.lines import in_whole_lines
from gm.rendering.sentences import as_html, render
from gm.store.games import Game
from gm.store.mails import Mail
from gm.store.seats import Seat


class RenderOnce:
    """Pieces that several mails of a round share in one language, rendered with the first: `{%
    call once('head') %} … {% endcall %}`.

    Nothing inside may depend on the recipient, except what the name says.
    """

    def __init__(self) -> None:
        self.pieces: dict[tuple[Hashable, ...], str] = {}

    def __call__(self, *name: Hashable, caller: Callable[[], str]) -> str:
        """The piece of this name, rendered if it is not there yet."""
        if name not in self.pieces:
            self.pieces[name] = caller()
        return self.pieces[name]


def whole_message_id(left: str, config: Config) -> str:
    """A Message-ID with the domain of this installation; one that is whole stays as it is."""
    return left if left.startswith("<") else f"<{left}@{config.mail_domain}>"


def with_whole_id(mail: Mail, config: Config) -> Mail:
    """A mail with its whole Message-ID."""
    return structs.replace(mail, message_id=whole_message_id(mail.message_id, config))


class Draft(Struct, frozen=True):
    """A mail being written. `of_game` is None if it is about no game, `seat` for a game master;
    `words` is what every template knows.
    """

    installation: Installation
    of_game: Game | None
    mail: Mail
    seat: Seat | None
    words: dict[str, Any]
    now: int
    after: str | None = None
    """The Message-ID of the first mail that this recipient was sent about the game."""
    secret: str | None = None
    """The secret of a game that is over."""

    @property
    def game(self) -> Game:
        """The game that the mail is about."""
        assert self.of_game is not None
        return self.of_game

    @property
    def wants_html(self) -> bool:
        """Whether the mail has an HTML part; only a player can choose that it has none."""
        return self.seat is None or bool(self.seat.html)

    @property
    def desk(self) -> str:
        """The page of the game at the desk."""
        return f"{self.installation.config.base_url}/desk/game/{self.game.id}"

    def render(self, template: str, **more: Any) -> str:
        """Render a template of `templates/mail/` in the recipient's language."""
        return render(self.mail.language, f"mail/{template}", **self.words | more)

    def compose(
        self,
        name: str,
        *,
        html: str | None = None,
        invitation: bytes | None = None,
        is_file: bool = False,
        headers: Mapping[str, str | None] | None = None,
        shared: tuple[RenderOnce, RenderOnce] | None = None,
        **words: Any,
    ) -> bytes:
        """The finished mail, from the subject and the text of this name; without `html` its HTML
        part is made of the text. `headers` replace those of every mail; None leaves one out.

        `shared`: what this text and HTML have in common with others.
        """
        subject = self.render(f"{name}.subject.txt", **words).strip()
        every = self._headers(subject)
        heads = {
            header: value
            for header, value in {**every, **(headers or {})}.items()
            if value is not None
        }
        text = self._with_proof(_with_single_blank_lines(self.render(f"{name}.txt", **words)))
        # the fallback must not depend on what failed
        if html is None and self.wants_html and name != "fallback":
            html = self._as_html(name, subject, words)
        of_text, of_html = (tuple(once.pieces.values()) for once in shared) if shared else ((), ())
        of_text, of_html = (
            tuple(map(_with_single_blank_lines, of_text)),
            tuple(map(as_html, of_html)),
        )
        html = None if html is None else as_html(html)
        return serialise(heads, text, html, invitation, is_file=is_file, shared=(of_text, of_html))

    def _as_html(self, name: str, subject: str, words: Mapping[str, Any]) -> str:
        with in_whole_lines():
            whole = self._with_proof(self.render(f"{name}.txt", **words))
        is_over = self.mail.kind == "news" and self.game.status == "finished"
        has_button = kind_of(self.mail.kind).has_button and not is_over
        return self.render(
            "frame.html", subject=subject, blocks=blocks(whole, has_button=has_button)
        )

    def _with_proof(self, text: str) -> str:
        """A text with a line of proof at its end if it has none: a mail of the game from which none
        is read stands out when mails are compared with the record.
        """
        if self.of_game is None or self.game.commitment is None or "\nProof: " in text:
            return text
        return f"{text.rstrip()}\n\n{self.render('proof.txt', secret=self.secret)}"

    def _headers(self, subject: str) -> dict[str, str | None]:
        """The headers of every mail. All mails of a game to one recipient refer to the first that
        was sent, and to one that no mail has: mail programs show them as one thread, one level
        deep, where subjects stay readable. A mail about no game is in none, and what invites to
        one.
        """
        game, mail, config = self.of_game, self.mail, self.installation.config
        name, reply, thread = config.mail_name or "Bohnenpost", None, None
        zone = game.schedule.zone if game is not None else "UTC"
        after = self.after if kind_of(mail.kind).in_thread else None
        if game is not None:
            name = config.mail_name or game.name
            reply = f"{game.gm_name} <{game.gm_address}>"
            thread = after and f"<{game.id}.{game.created_at}@{config.mail_domain}> {after}"
        return {
            "From": f"{name} <{config.mail_address}>",
            "To": mail.address,
            "Reply-To": reply,
            "Subject": subject,
            "Date": mail_date(datetime.fromtimestamp(self.now, ZoneInfo(zone))),
            "Message-ID": mail.message_id,
            "In-Reply-To": after,
            "References": thread,
            "X-Bohnenpost-Game": game.id if game is not None else None,
            "Auto-Submitted": "auto-generated",
        }


def _with_single_blank_lines(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text)


def draft_of(
    installation: Installation,
    game: Game | None,
    seat: Seat | None,
    mail: Mail,
    now: int,
    after: str | None = None,
    secret: str | None = None,
) -> Draft:
    """A mail about to be written, with what every template knows: game, links, seat. From here
    on its Message-ID is whole.
    """
    mail = with_whole_id(mail, installation.config)
    words: dict[str, Any] = {
        "mail": mail,
        "all_games": f"{installation.config.base_url}/my-games?lang={mail.language}",
        "of_host": [
            (name, f"{installation.config.base_url}/{name}")
            for name in ("imprint", "privacy")
            if getattr(installation.config, name)
        ],
    }
    if game is not None:
        words |= {
            "game": game,
            "zone": game.schedule.zone,
            "public": installation.game_url(game),
            "rules": installation.rules_url(game.variant, mail.language),
        }
    if game is None or seat is None:
        words["settings"] = f"{installation.config.base_url}/desk/settings"
    else:
        link = installation.url("seat", game.id, seat.name, mail.link_number)
        words |= {
            "seat": seat,
            "link": link,
            "settings": f"{link}/mail",
            "has_turn": game.awaits(seat.name),
        }
    return Draft(installation, game, mail, seat, words, now, after, secret)
