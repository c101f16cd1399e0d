"""Settings: anything odd refuses to start, by its name, with what it may be."""

import secrets
from pathlib import Path

import pytest

from gm.config import BadConfig, Config, load
from gm.installation import Installation
from gm.store.games import Game
from tests.steps import bohnenpost


def refused(tmp_path: Path, text: str | bytes, **environ: str) -> str:
    """What is said to this file and this environment."""
    file = tmp_path / "bohnenpost.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(BadConfig) as caught:
        load(file, environ)
    return str(caught.value)


def test_settings_that_are_missing_unreadable_or_open_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert load(tmp_path / "none.toml", {}) == Config()
    assert "bohnenpost.toml" in refused(tmp_path, b"\xff\xfe")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadConfig, match="directory"):
        load(tmp_path / "folder.toml", {})
    nowhere = load(
        tmp_path / "none.toml", {"BOHNENPOST_SMTP_PASSWORD_FILE": str(tmp_path / "nowhere")}
    )
    with pytest.raises(BadConfig, match=r"smtp_password_file: .*nowhere"):
        nowhere.login()
    with pytest.raises(BadConfig, match="smtp_user and smtp_password: set both or neither"):
        load(tmp_path / "none.toml", {"BOHNENPOST_SMTP_USER": "x"}).login()
    file = tmp_path / "open.toml"
    file.write_text('smtp_user = "x"\nsmtp_password = "secret"\n', encoding="utf-8")
    file.chmod(0o644)
    load(file, {})
    assert "holds a password and others can read it" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = !", "line 1, column 8"),
        ("port = 1\nport = 2\n", "line 2"),
        ("port = 1\n[smtp]\nhost = 1", "smtp: there is no such setting"),
    ],
)
def test_a_file_that_is_not_read_says_where(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("smpt_host", "smtp_host"), ("base-url", "base_url"), ("backup_kept", "backups_kept")],
)
def test_an_unknown_setting_is_never_ignored(tmp_path: Path, typed: str, meant: str) -> None:
    assert f"there is no such setting; did you mean {meant}?" in refused(tmp_path, f'{typed} = "x"')
    name = f"BOHNENPOST_{typed.upper()}"
    assert f"did you mean {meant}?" in refused(tmp_path, "", **{name: "x"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('port = "25"', "port: must be a whole number, not '25'"),
        ("port = true", "port: must be a whole number"),
        ("port = 70000", "port: must lie between 1 and 65535"),
        ("port = nan", "port: must be a whole number"),
        ("outage_minutes = -1", "outage_minutes: must lie between 1 and 1440"),
        ("outage_hours = 169", "outage_hours: must lie between 1 and 168"),
        ("proxies = 6", "proxies: must lie between 0 and 5"),
        ("proxies = -1", "proxies: must lie between 0 and 5"),
        ("backups_kept = 1", "backups_kept: must lie between 2 and 10000"),
        ("most_mails = 0", "most_mails: must lie between 1 and 10000000"),
        ('smtp_tls = "maybe"', "smtp_tls: must be starttls, tls or none"),
        ("smtp_host = 25", "smtp_host: must be text in quotes"),
    ],
)
def test_a_value_out_of_range_names_key_and_range(tmp_path: Path, text: str, said: str) -> None:
    assert said in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("beans.example.org", "must be like https://"),
        ("https://x.org/path", "must be like https://"),
        ("javascript:alert(1)", "must be like https://"),
        ("https://x.org?x", "must be like https://"),
        ("https://[x", "base_url: "),
        ("https://x.org/", "without the slash"),
        ("https://bohnenpöst.example", "xn--"),
        ("http://beans.example.org", "personal links must not travel unencrypted"),
    ],
)
def test_links_begin_with_a_plain_secure_address(tmp_path: Path, url: str, said: str) -> None:
    assert said in refused(tmp_path, f'base_url = "{url}"')


def test_https_without_a_named_proxy_would_switch_all_limits_off(tmp_path: Path) -> None:
    said = refused(tmp_path, 'base_url = "https://beans.example.org"')
    assert "proxies: https needs a proxy in front" in said
    assert "add the line proxies = 1" in said
    assert (
        load(
            tmp_path / "none.toml",
            {"BOHNENPOST_BASE_URL": "https://beans.example.org", "BOHNENPOST_PROXIES": "1"},
        ).proxies
        == 1
    )


def test_weak_keys_debug_and_a_sender_with_line_ends(
    tmp_path: Path, installation: Installation, ackerwinde: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no such setting" in refused(tmp_path, 'secret_key = "changeme"')
    assert "there is no such setting" in refused(tmp_path, "debug = true")
    assert "mail_from: must be one plain address" in refused(
        tmp_path, 'mail_from = "a@b\\r\\nBcc: x@y.org"'
    )
    for odd in (
        "Beans",
        "Beans <>",
        "<a@b.org> <c@d.org>",
        "Be\\nans <a@b.org>",
        "Beans <a@b.org> x",
        "Be,ans <a@b.org>",
        "a@b.org (Beans)",
    ):
        assert "mail_from: must be one plain address" in refused(tmp_path, f'mail_from = "{odd}"')
    assert "FLASK_DEBUG" in refused(tmp_path, "", FLASK_DEBUG="1")
    monkeypatch.setenv("FLASK_DEBUG", "1")
    assert "FLASK_DEBUG" in bohnenpost("serve", home=installation.home, status=3).output
    monkeypatch.delenv("FLASK_DEBUG")
    for key, said in (
        (b"changeme", "not 32 random bytes"),
        (secrets.token_bytes(32), "does not belong to this database"),
    ):
        (installation.home / "link.key").write_bytes(key)
        assert said in bohnenpost("game", "list", home=installation.home, status=3).output


def test_mail_in_the_clear_goes_to_this_machine_only(tmp_path: Path) -> None:
    assert "mails carry personal links" in refused(
        tmp_path, 'smtp_host = "mail.example.org"\nsmtp_tls = "none"'
    )
    file = tmp_path / "here.toml"
    file.write_text('smtp_host = "localhost"\nsmtp_tls = "none"\n', encoding="utf-8")
    assert load(file, {}).smtp_tls == "none"


def test_a_password_that_is_no_text_is_not_printed(tmp_path: Path) -> None:
    said = refused(tmp_path, "smtp_password = 1234567890")
    assert "smtp_password: must be text in quotes" in said
    assert "1234567890" not in said
