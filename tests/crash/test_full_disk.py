"""F04: a disk that takes nothing. The page says "not saved" and gives the orders back; reading
goes on; later it works again.
"""

import json
import subprocess
import sys
from pathlib import Path

from gm.installation import Installation
from gm.store.games import Game
from tests import invariants
from tests.steps import file_of

SEND = """
import json, resource, signal, sys
from pathlib import Path
from gm import clock
from gm.installation import open_installation
from gm.web import create_app
clock.now = lambda: int(sys.argv[2])
house = open_installation(Path(sys.argv[1]), {})
web = create_app(house).test_client()
link = house.path("seat", "ackerwinde", "Anna", 1)
form = {"round": "1", "rev": "0", "to_1_1": "A", "press": "Bleibt da", "action": "submit", "whole": "yes"}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (512, resource.RLIM_INFINITY))
full = web.post(link, data=form)
reading = web.get(link)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
room = web.post(link, data=form)
print(json.dumps([full.status_code, full.get_data(as_text=True), reading.status_code, room.status_code]))
"""


def test_a_full_disk_says_not_saved_and_gives_the_orders_back(
    installation: Installation, ackerwinde: Game, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-c",
        SEND,
        str(installation.home),
        str((ackerwinde.deadline or 0) - 100),
    ]
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=300,
        cwd=Path(__file__).parent.parent.parent,
    )
    full, page, reading, room = json.loads(done.stdout)
    assert (full, reading, room) == (503, 200, 303)
    assert "Nicht gespeichert" in page or "Not saved" in page
    assert "1x1&gt;A" in page
    assert "Bleibt da" in page
    assert "Traceback" not in page
    invariants.check(file_of(installation))
