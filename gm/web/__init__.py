"""The pages. `create_app` puts them together; every page is rendered from `templates/` by
`page`.
"""

from functools import partial

from flask import Flask, send_from_directory

from gm.installation import Installation
from gm.paths import STATIC, of_game
from gm.web import api, guard, lobby, privacy, rules, site_files, state
from gm.web import practice as practice_pages
from gm.web.desk import change, host, master, new_game, pages, several, signin
from gm.web.player import (
    follow,
    give_up,
    join,
    my_games,
    order_page,
    own_notes,
    round_page,
    settings,
    try_round,
)
from rounds.engine.variant import installed


def create_app(installation: Installation, practice: Installation | None = None) -> Flask:
    """The web application of an installation. No cookie but at the desk; GET and HEAD change
    nothing. `practice`: the installation of practice games, if there are any.
    """
    app = Flask(
        "gm.web", static_folder=str(STATIC), static_url_path="/static", template_folder=None
    )
    app.extensions |= {
        "installation": installation,
        "of_host": privacy.texts(installation.home, installation.config),
    }
    if practice is not None:
        app.extensions["practice"] = practice
    app.url_map.strict_slashes = False  # a slash at the end is nothing
    guard.protect(app, installation.config)
    app.register_blueprint(lobby.pages)
    app.register_blueprint(rules.pages)
    app.register_blueprint(site_files.pages)
    app.register_blueprint(privacy.pages)
    app.register_blueprint(join.pages)
    app.register_blueprint(follow.pages)
    app.register_blueprint(my_games.pages)
    app.register_blueprint(order_page.pages)
    app.register_blueprint(round_page.pages)
    app.register_blueprint(try_round.pages)
    app.register_blueprint(signin.pages)
    app.register_blueprint(pages.pages)
    app.register_blueprint(new_game.pages)
    app.register_blueprint(master.pages)
    app.register_blueprint(change.pages)
    app.register_blueprint(several.pages)
    app.register_blueprint(host.pages)
    app.register_blueprint(give_up.pages)
    app.register_blueprint(own_notes.pages)
    app.register_blueprint(settings.pages)
    app.register_blueprint(state.pages)
    app.register_blueprint(practice_pages.pages)
    app.register_blueprint(api.pages)
    app.add_url_rule("/static/openapi.json", view_func=api.openapi)
    for game in installed():  # a game from outside has its scripts and styles in its own package
        files_of_game = partial(send_from_directory, of_game("static", game))
        app.add_url_rule(f"/static/{game}/<path:path>", f"static_{game}", files_of_game)
    return app
