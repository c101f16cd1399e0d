"""Settings: from a file and the environment; anything odd refuses to start, by name."""

from pathlib import Path

import pytest

from gm.config import BadConfig, Config, load


def from_file(tmp_path: Path, text: str, **environ: str) -> Config:
    file = tmp_path / "bohnenpost.toml"
    file.write_bytes(text.encode())
    return load(file, {f"BOHNENPOST_{name}": value for name, value in environ.items()})


def test_defaults_without_any_setting(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {"PATH": "/bin", "BOHNENPOST_HOME": "/x"}) == Config()


def test_the_environment_overrules_the_file_and_secrets_may_lie_in_files(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret\n", encoding="utf-8")
    config = from_file(
        tmp_path,
        'smtp_host = "mail.example.org"\nport = 9000\nsmtp_user = "bohne"',
        PORT="9001",
        SMTP_PASSWORD_FILE=str(tmp_path / "password"),
    )
    assert (config.smtp_host, config.port, config.login()) == (
        "mail.example.org",
        9001,
        ("bohne", "s3cret"),
    )
    assert config.base_url == "http://localhost:9001"
    assert from_file(tmp_path, "port = 9000", BASE_URL="http://localhost").base_url == (
        "http://localhost"
    )


def test_a_password_is_taken_from_where_the_environment_says(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("from a file", encoding="utf-8")
    settings = f'smtp_user = "bohne"\nsmtp_password_file = "{tmp_path / "password"}"'
    assert from_file(tmp_path, settings).login() == ("bohne", "from a file")
    assert from_file(tmp_path, settings, SMTP_PASSWORD="said").login() == ("bohne", "said")
    with pytest.raises(BadConfig, match="smtp_password and smtp_password_file: set one of them"):
        from_file(tmp_path, settings + '\nsmtp_password = "said"')


def test_an_unknown_variable_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"BOHNENPOST_SMTP_HOTS.*did you mean smtp_host"):
        load(tmp_path / "none.toml", {"BOHNENPOST_SMTP_HOTS": "x"})


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("mysql://u@h/x", "must be like postgresql://user@host/name"),
        ("postgresql://u:secret@h/x", "its password stands in ~/.pgpass"),
        ("postgresql://u@h/x?pass%77ord=secret", "its password stands in ~/.pgpass"),
        ("postgresql://u@h/x", "mails go by a mail server"),
    ],
)
def test_an_address_of_a_database_has_no_password_and_a_mail_server_beside_it(
    tmp_path: Path, address: str, why: str
) -> None:
    with pytest.raises(BadConfig, match=why) as refused:
        from_file(tmp_path, f'database = "{address}"')
    assert "secret" not in str(refused.value)
    if why.startswith("mails"):
        settings = f'database = "{address}"\nsmtp_host = "mail.example.org"'
        assert from_file(tmp_path, settings).database == address
