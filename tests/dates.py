"""The calendars and instants that tests are told by. Their clock stands still at noon of a
Friday.
"""

from datetime import UTC, date, datetime, time

from gm.calendar import Rule
from gm.clock import DAY

FORTNIGHT = 14 * DAY
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
NOW = int(NOON.timestamp())
SUNDAY = int(datetime(2026, 11, 22, 19, 0, tzinfo=UTC).timestamp())
"""The first deadline of `ackerwinde`: 20:00 in Berlin."""
EVERY_SUNDAY = Rule((6,), time(20, 0), "Europe/Berlin", 1, date(2026, 11, 16))
FORTNIGHTLY = Rule((6,), time(20), "Europe/Berlin", 2, date(2026, 11, 16), shortest=24)
EVERY_SIX_HOURS = Rule((), time(20), "Europe/Berlin", 1, date(2026, 11, 16), hours=6)
