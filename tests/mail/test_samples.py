"""Every kind of mail of every installed game in both languages, as `mail samples` writes them."""

import re
from email import message_from_bytes, policy
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

from gm.cli.samples import samples
from gm.installation import open_installation
from gm.mail.kinds import KINDS
from gm.rendering.dates import LANGUAGES
from rounds.engine.variant import names
from rounds.engine.witness import read
from tests.steps import bohnenpost, buttons_of, html_of

pytestmark = pytest.mark.file  # in a throw-away installation

OF_NO_GAME = ("my_games", "sign_in")
MAY_BE_LONG = re.compile("://|Proof:|[0-9a-f]{64}|^ *bohnenpost ")


def addresses(text: str) -> set[str]:
    """The addresses in a text or in HTML, without the language they ask for."""
    found = re.findall(r"(?:https?://|mailto:)[^\s>\"<]+", unescape(text))
    return {re.sub(r"\?lang=..$", "", one.rstrip(".,)")) for one in found}


@pytest.mark.parametrize("variant", names())
def test_every_mail_says_first_what_it_is_about_and_has_one_button_at_most(
    variant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (imprint := tmp_path / "imprint.md").write_text("The bean club")
    with_imprint = {"BOHNENPOST_IMPRINT": str(imprint)}
    monkeypatch.setattr(
        "gm.cli.samples.open_installation",
        lambda home, _, **options: open_installation(home, with_imprint, **options),
    )
    found = {
        sample.name: message_from_bytes(sample.data, policy=policy.default)
        for sample in samples(variant)
    }
    kinds = {name.partition(".")[0].partition("-")[0] for name in found}
    assert kinds == KINDS.keys()
    assert {
        name.partition(".")[0] + f".{language}" for name in found for language in LANGUAGES
    } == found.keys()
    for name, mail in found.items():
        kind = name.partition(".")[0]
        body = mail.get_body(("plain",))
        assert body is not None
        lines = body.get_content().splitlines()
        named = mail["Subject"] + mail["From"]
        assert kind in OF_NO_GAME or "Ackerwinde" in named, name
        assert len(mail["Subject"]) <= 72, name
        assert lines[0][0].isalpha(), name
        assert ("", "") not in pairwise(lines), name
        assert [line for line in lines if len(line) > 72 and not MAY_BE_LONG.search(line)] == [], (
            name
        )
        has_button = KINDS[kind.partition("-")[0]].has_button
        has_none = not has_button or kind == "news-aborted"
        assert len(buttons_of(mail)) == (0 if has_none else 1), name
        html = html_of(mail)
        assert addresses(html) == addresses(body.get_content()), name
        assert "http://localhost:8080/imprint" in addresses(html), name
        assert not re.search(r"<(svg|img|use|picture|object|link|script)\b", html), name
        leads = re.findall(r"""(?:href|src|action)=["']([^"']*)""", html)
        assert all(re.match(r"https?://|mailto:", to) for to in leads), (name, leads)
        if game := mail["X-Bohnenpost-Game"]:
            assert {line.game for line in read(body.get_content())} == {game}, name


@pytest.mark.everything
def test_samples_are_written_as_files(tmp_path: Path) -> None:
    told = bohnenpost("mail", "samples", tmp_path / "mails").output.splitlines()
    assert [line.partition(" lie in ")[2] for line in told] == [
        str(tmp_path / "mails" / variant) for variant in names()
    ]
    for variant in names():
        folder = tmp_path / "mails" / variant
        assert (folder / "report.de.eml").read_bytes().startswith(b"From: ")
        assert "<h1" in (folder / "report.en.html").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = bohnenpost("mail", "samples", tmp_path / "file" / "mails", status=1).output
    assert f"{tmp_path / 'file' / 'mails'}" in told
    assert "Not a directory" in told
