"""Error codes and their HTTP statuses, the same for people and for programs.

The words stand in `templates/pages/errors.html`.
"""

STATUS = {
    "damaged": 400,
    "signed_out": 403,
    "foreign": 403,
    "no_token": 401,
    "gone": 404,
    "gone_games": 404,
    "gone_follow": 404,
    "gone_password": 404,
    "gone_tonight": 404,
    "gone_practice": 404,
    "not_found": 404,
    "method": 405,
    "late": 409,
    "too_large": 413,
    "media": 415,
    "refused": 422,
    "too_many": 429,
    "too_many_mails": 429,
    "broken": 500,
    "busy": 503,
    "much_practice": 503,
}
"""`late`: not open for these orders, or not any more. `refused`: read, and not accepted."""

BY_STATUS = {
    400: "damaged",
    403: "foreign",
    404: "not_found",
    405: "method",
    413: "too_large",
    415: "media",
}
"""The code for a status that Flask or the server itself gives."""
