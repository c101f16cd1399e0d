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
    assert (config.smtp_host, config.port, config.smtp_password) == ("mail.example.org", 9001, "s3cret")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('smpt_host = "x"', "smpt_host: there is no such setting; did you mean smtp_host?"),  # B129
        ('port = "25"', "port: must be a whole number, not '25'"),
        ("port = true", "port: must be a whole number"),
        ("port = 70000", "port: must lie between 1 and 65535"),
        ("port = nan", "port: must be a whole number"),  # B130
        ('base_url = "beans.example.org"', "base_url: must be like https://"),
        ('base_url = "https://x.org/path"', "base_url: must be like https://"),
        ('base_url = "javascript:alert(1)"', "base_url: must be like https://"),
        ('base_url = "http://beans.example.org"', "base_url: personal links must not travel unencrypted"),  # B131
        ('mail_from = "a@b\\r\\nBcc: x@y.org"', "mail_from: must be one plain address"),  # B132
        ('smtp_host = "mail.example.org"\nsmtp_tls = "none"', "smtp_tls: mails carry personal links"),  # B133
        ('smtp_tls = "maybe"', "smtp_tls: must be"),
        ('smtp_user = "x"', "smtp_user and smtp_password"),
        ("port = 1\nport = 2\n", "line 2"),
        ("\ufeffport = 1", "byte order mark"),  # B128
    ],
)
def test_an_odd_setting_is_refused_by_name(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadConfig) as caught:
        from_file(tmp_path, text)
    assert words in str(caught.value)


def test_an_unknown_variable_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"BOHNENPOST_SMTP_HOTS.*did you mean smtp_host"):
        load(tmp_path / "none.toml", {"BOHNENPOST_SMTP_HOTS": "x"})
