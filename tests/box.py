"""Follow docs/hosting.md word for word on a fresh Debian tree: `make box`, as root, some
minutes.

    python -m tests.box FOLDER     FOLDER: where the tree goes; it is left there to look at

Its shell blocks are typed as they stand, up to a game of two seats behind nginx whose first
report is in both mailboxes. Replaced are the name (by /etc/hosts), the mail server (by one of ours,
with a CA of its own), `certbot` (a certificate of the same CA) and `systemctl` (it starts what the
unit says, and nginx).
"""

import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from tests.postbox import Postbox, running

ROOT = Path(__file__).parent.parent
NAME, MAIL_SERVER, PASSWORD = "beans.example.org", "mail.example.org", "correct horse"
SETUP = (NAME, MAIL_SERVER, "", "", "beans", PASSWORD, f"beans@{NAME}", "", "uli@example.org", "en")
ANSWERS = {
    "The program": "y\n",
    "In front of it": "y\n",
    "Settings and the first game master": "\n".join(SETUP) + "\n",
}
"""What is typed when something asks."""
SYSTEMCTL = """#!/bin/sh
# no system manager runs here: what `enable --now` starts is started, with the environment of its unit
[ "$1 $2" != "reload nginx" ] || exec nginx
[ "$1 $2" = "enable --now" ] || exit 0
unit=/etc/systemd/system/$3.service
environment=$(sed -n 's/^Environment=//p' "$unit")
cd / && setsid runuser -u "$(sed -n 's/^User=//p' "$unit")" -- \
  env -i PATH="$PATH" $environment $(sed -n 's/^ExecStart=//p' "$unit") >"/var/log/$3.log" 2>&1 &
"""
CERTBOT = f"""#!/bin/sh
mkdir -p /etc/letsencrypt/live/{NAME} && cd /etc/letsencrypt/live/{NAME} && mv /root/fullchain.pem /root/privkey.pem .
"""
NOTHING_STARTS = "#!/bin/sh\nexit 101\n"
"""What packages ask before they start a service."""
ENVIRONMENT = {
    "HOME": "/root",
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "PIP_CERT": "/root/this-machines-ca.crt",
    "TERM": "dumb",
}
PLAYERS = ("Anna", "Bert")


def blocks(section: str) -> list[str]:
    """The shell blocks of a section of the document."""
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {section}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    assert found is not None, section
    return re.findall(r"^```sh\n(.*?)^```", found[1], re.MULTILINE | re.DOTALL)


def run(*command: object, cwd: Path | None = None, **more: Any) -> str:
    """What a command prints. Raises SystemExit with all of it if it fails."""
    words, out = [*map(str, command)], subprocess.STDOUT
    done = subprocess.run(
        words, cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=out, check=False, **more
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}\nended with {done.returncode}")
    return str(done.stdout)


def make_certificates(folder: Path) -> ssl.SSLContext:
    """A CA of our own in ca.crt, and a mail server's context with a certificate by it."""
    new, keep = ("openssl", "req", "-newkey", "rsa:2048", "-nodes"), {"cwd": folder}
    run(
        *new, "-x509", "-days", 2, "-subj", "/CN=Box", "-keyout", "ca.key", "-out", "ca.crt", **keep
    )
    sign = ("openssl", "x509", "-req", "-days", 2, "-CA", "ca.crt", "-CAkey", "ca.key")
    for name in (MAIL_SERVER, NAME):
        key, asked, given = f"{name}.key", f"{name}.csr", f"{name}.crt"
        run(*new, "-subj", f"/CN={name}", "-keyout", key, "-out", asked, **keep)
        (folder / "names").write_text(f"subjectAltName=DNS:{name}\n", encoding="utf-8")
        names = ("-CAcreateserial", "-extfile", "names")
        run(*sign, *names, "-in", asked, "-out", given, **keep)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{MAIL_SERVER}.crt", folder / f"{MAIL_SERVER}.key")
    return context


def authenticate(_: SMTP, __: Session, ___: Envelope, ____: str, data: Any) -> AuthResult:
    """Only the account of the document, with the password that was typed."""
    return AuthResult(
        success=(data.login, data.password) == (b"beans", PASSWORD.encode()), handled=False
    )


def make_tree(tree: Path) -> None:
    """A Debian tree that holds nothing but the smallest system, the checkout and what replaces
    the world outside.
    """
    run("debootstrap", "--variant=minbase", "bookworm", tree)
    for file in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines():
        if (ROOT / file).exists():
            (tree / "root/bohnenpost" / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, tree / "root/bohnenpost" / file)
    shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    # for pip, where a proxy signs
    shutil.copy("/etc/ssl/certs/ca-certificates.crt", tree / "root/this-machines-ca.crt")
    (tree / "etc/hosts").write_text(f"127.0.0.1 localhost {NAME} {MAIL_SERVER}\n", encoding="utf-8")
    for name, script in {
        "local/bin/systemctl": SYSTEMCTL,
        "local/bin/certbot": CERTBOT,
        "sbin/policy-rc.d": NOTHING_STARTS,
    }.items():
        (tree / "usr" / name).write_text(script, encoding="utf-8")
        (tree / "usr" / name).chmod(0o755)


@contextmanager
def mounted(tree: Path) -> Iterator[None]:
    """What every machine has in /proc and /dev."""
    run("mount", "-t", "proc", "proc", tree / "proc")
    run("mount", "--bind", "/dev", tree / "dev")
    try:
        yield
    finally:
        for _ in range(100):  # it lets running requests end
            if subprocess.run(
                ["pkill", "-f", "/opt/bohnenpost/bin/bohnenpost serve"], check=False
            ).returncode:
                break
            time.sleep(0.1)
        subprocess.run(["pkill", "-f", "nginx: master process"], check=False)
        run("umount", "--lazy", tree / "dev")
        run("umount", "--lazy", tree / "proc")


def type_in(tree: Path, section: str, folder: str) -> str:
    """Type the blocks of a section in a folder; what appears."""
    said = ""
    for block in blocks(section):
        command = f"set -e; cd {folder}\n{block}"
        said += run(
            "chroot",
            tree,
            "setsid",
            "--wait",
            "bash",
            "-c",
            command,
            env=ENVIRONMENT,
            input=ANSWERS.get(section, ""),
        )
        print(f"── {section}\n{block}\n{said[-2000:]}", flush=True)
    return said


def trust(tree: Path, certificate: Path) -> None:
    """The system of the tree trusts the CA of our mail server."""
    shutil.copy(certificate, tree / "usr/local/share/ca-certificates/box.crt")
    run("chroot", tree, "update-ca-certificates")


def ask(method: str, path: str, cookie: str = "", **fields: str) -> tuple[HTTPResponse, str]:
    """An answer of the service as its proxy gets it, and its text."""
    connection = HTTPConnection("127.0.0.1", 8080, timeout=30)
    headers = {"Host": NAME, "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request(
        method, path, urlencode(fields | {"whole": "yes"}) if method == "POST" else None, headers
    )
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def sign_in(link: str) -> None:
    """Set the first game master's password by the link, and see the desk."""
    for _ in range(100):
        try:
            ask("GET", "/healthz")
        except ConnectionError:
            time.sleep(0.2)
    answer, text = ask("POST", urlsplit(link).path, password="a password of Uli's")
    assert answer.status == 303, text
    cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
    answer, text = ask("GET", "/desk", cookie)
    assert (answer.status, "/desk/sign-out" in text) == (200, True), text
    print("the first game master is signed in")


def play(tree: Path, folder: Path, box: Postbox) -> None:
    """Two people are seated, order through nginx, and get the report of round 1."""

    def asked(path: str, *fields: str) -> str:
        where = ("--cacert", folder / "ca.crt", "--resolve", f"{NAME}:443:127.0.0.1")
        return run("curl", "-sSf", *where, *fields, f"https://{NAME}{path}")

    def mailed(kind: str, name: str) -> str:
        """The text of the mail of a kind that a player has got."""
        for _ in range(300):
            for address, data in [*box.mails]:
                if address == f"{name.lower()}@example.org" and b"<" + kind.encode() in data:
                    body = message_from_bytes(data, policy=default).get_body(("plain",))
                    return str(body and body.get_content())
            time.sleep(0.1)
        raise AssertionError(f"no {kind} for {name}")

    bohnenpost = ("chroot", tree, "/usr/local/sbin/bohnenpost")
    seats = [
        word for name in PLAYERS for word in ("--seat", f"{name} <{name.lower()}@example.org> en")
    ]
    leader = ("--gm", "Uli", "--gm-address", "uli@example.org")
    print(run(*bohnenpost, "game", "new", "ackerwinde", *leader, *seats, "--start"))
    for name in PLAYERS:
        link = re.search(rf"https://{NAME}(/z/\S+)", mailed("start", name))
        assert link is not None
        fields = {"round": "1", "rev": "0", "pass": "yes", "action": "submit", "whole": "yes"}
        form = (("--data-urlencode", f"{key}={value}") for key, value in fields.items())
        asked(link[1], *(word for field in form for word in field))
    print(run(*bohnenpost, "game", "run", "ackerwinde", "1"))
    for name in PLAYERS:
        print(mailed("report", name))


def main(folder: Path) -> None:
    """Follow the document. Raises SystemExit or AssertionError where it does not lead on."""
    folder.mkdir(parents=True)
    began = time.monotonic()
    tree, box = folder / "tree", Postbox()
    context = make_certificates(folder)
    make_tree(tree)
    mail_server = running(box, tls_context=context, authenticator=authenticate, port=587)
    with mounted(tree), mail_server:
        type_in(tree, "The program", "/root")
        trust(tree, folder / "ca.crt")
        said = type_in(tree, "Settings and the first game master", "/root/bohnenpost")
        link = re.search(rf"https://{NAME}/desk/password/\S+", said)
        assert link is not None, said
        assert [address for address, _ in box.mails] == ["uli@example.org"]
        type_in(tree, "Running", "/root/bohnenpost")
        sign_in(link[0])
        for end, name in (("crt", "fullchain"), ("key", "privkey")):
            shutil.copy(folder / f"{NAME}.{end}", tree / f"root/{name}.pem")
        type_in(tree, "In front of it", "/root/bohnenpost")
        play(tree, folder, box)
        print(run("chroot", tree, "/usr/local/sbin/bohnenpost", "doctor", cwd=tree))
    print(f"the document was followed, in {(time.monotonic() - began) / 60:.0f} minutes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
