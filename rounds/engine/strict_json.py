"""JSON as every door reads it: UTF-8 without a byte order mark, no key twice, no NaN or
Infinity, limited nesting.
"""

import json
import math
from collections import Counter
from typing import Any

MAX_DEPTH = 32


class BadJson(Exception):
    """A text that is not strict JSON. `where`: line and column, or the byte, if there is one
    place; `what` is wrong there.
    """

    def __init__(self, where: str, what: str) -> None:
        """Keep the parts; the message is `where: what`."""
        self.where, self.what = where, what
        super().__init__(f"{where}: {what}" if where else what)


def read(data: bytes) -> Any:
    """The value of a JSON text, in plain Python. Raises BadJson for anything that is not exactly
    one.
    """
    if not data.strip():
        raise BadJson("", "it is empty")
    try:
        text = data.decode()
        plain = json.loads(
            text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant, parse_float=_finite
        )
        # a lone surrogate, written as an escape, is no text
        json.dumps(plain, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadJson("", f"{error.object[error.start]!r} is half a character") from None
    except UnicodeDecodeError as error:
        raise BadJson(f"byte {error.start}", "not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadJson(f"line {error.lineno}, column {error.colno}", error.msg) from None
    except RecursionError:
        raise BadJson("", "nested too deeply") from None
    except ValueError as error:
        # raised by the hooks, and by json for numbers of thousands of digits
        raise BadJson("", str(error)) from None
    if _depth(plain) > MAX_DEPTH:
        raise BadJson("", "nested too deeply")
    return plain


def _depth(value: Any) -> int:
    """How deep lists and objects are nested; counted in layers, so that no depth is too deep to
    count.
    """
    layer, depth = [value], 0
    while layer := [one for one in layer if isinstance(one, dict | list)]:
        layer = [inner for outer in layer for inner in _inside(outer)]
        depth += 1
    return depth


def _inside(outer: dict[str, Any] | list[Any]) -> list[Any]:
    return list(outer.values()) if isinstance(outer, dict) else outer


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise ValueError(f"the key {min(key for key in times if times[key] > 1)!r} is there twice")
    return found


def _finite(text: str) -> float:
    if math.isinf(number := float(text)):
        raise ValueError(f"{text} is too large")
    return number


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
