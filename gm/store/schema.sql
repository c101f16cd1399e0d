-- The whole database. Instants are seconds since 1970 in UTC; 0 and 1 stand for no and yes. A comment says what a name does not.

CREATE TABLE meta (  -- what the service remembers of itself
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE beat (  -- when pages were being served
    at INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE gm (
    address TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('de', 'en')),
    password TEXT,
    link_number INTEGER NOT NULL DEFAULT 1,
    link_at INTEGER NOT NULL,
    mails TEXT NOT NULL DEFAULT '[]',
    host INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE session (
    hash TEXT PRIMARY KEY,
    address TEXT NOT NULL REFERENCES gm (address),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE attempt (  -- what is counted per hour
    key TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempt_of_key ON attempt (key, at);

CREATE TABLE game (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    gm_name TEXT NOT NULL,
    gm_address TEXT NOT NULL,
    gm_language TEXT NOT NULL CHECK (gm_language IN ('de', 'en')),
    seats INTEGER CHECK (seats > 0),
    listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)),
    house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
    rule TEXT NOT NULL CHECK (json_valid(rule)),
    early_after INTEGER CHECK (early_after >= 0),
    after_early TEXT NOT NULL DEFAULT 'next' CHECK (after_early IN ('same', 'next')),
    silence_guard INTEGER NOT NULL CHECK (silence_guard IN (0, 1)),
    status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'running', 'paused', 'held', 'finished')),
    aborted INTEGER NOT NULL DEFAULT 0 CHECK (aborted IN (0, 1)),
    asks_again INTEGER NOT NULL DEFAULT 0 CHECK (asks_again IN (0, 1)),
    previous TEXT UNIQUE,  -- the game whose players said yes to this one
    created_at INTEGER NOT NULL,
    paused_at INTEGER,
    archived_at INTEGER,
    commitment TEXT,
    setup TEXT CHECK (setup IS NULL OR json_valid(setup)),
    round INTEGER NOT NULL DEFAULT 0,
    round_at INTEGER,
    scheduled_deadline INTEGER,
    deadline INTEGER,
    next_deadline INTEGER,
    awaited TEXT,
    may_order TEXT,
    sequence INTEGER NOT NULL DEFAULT 0,
    links_given INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER,
    error TEXT,
    verdict TEXT,
    hindsight TEXT CHECK (hindsight IS NULL OR json_valid(hindsight)),
    standing TEXT CHECK (standing IS NULL OR json_valid(standing)),
    CHECK ((status = 'paused') = (paused_at IS NOT NULL)),
    CHECK (deadline IS NULL OR status IN ('running', 'paused', 'held'))
) STRICT;
CREATE INDEX game_due ON game (deadline) WHERE status = 'running';
CREATE INDEX game_of_status ON game (status, created_at, id);
CREATE INDEX game_to_begin ON game (id) WHERE status = 'draft' AND previous IS NOT NULL;
CREATE INDEX game_to_settle ON game (id) WHERE status = 'finished' AND verdict IS NULL;

CREATE TABLE game_gm (
    game TEXT NOT NULL REFERENCES game (id),
    address TEXT NOT NULL,
    PRIMARY KEY (game, address)
) STRICT;
CREATE INDEX game_gm_of_address ON game_gm (address);

CREATE TABLE secret (
    game TEXT PRIMARY KEY REFERENCES game (id),
    secret BLOB NOT NULL CHECK (length(secret) = 32)
) STRICT;

CREATE TABLE seat (
    game TEXT NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    player TEXT,
    player_since INTEGER,
    address TEXT,
    language TEXT NOT NULL CHECK (language IN ('de', 'en')),
    robot INTEGER NOT NULL CHECK (robot IN (0, 1)),
    strength TEXT NOT NULL DEFAULT '',
    link_number INTEGER NOT NULL DEFAULT 1,
    link_hash TEXT NOT NULL UNIQUE,
    calendar_hash TEXT NOT NULL UNIQUE,
    unsubscribe_hash TEXT NOT NULL UNIQUE,
    html INTEGER NOT NULL DEFAULT 1 CHECK (html IN (0, 1)),
    receipts INTEGER NOT NULL DEFAULT 1 CHECK (receipts IN (0, 1)),
    news INTEGER NOT NULL DEFAULT 1 CHECK (news IN (0, 1)),
    reminder_leads TEXT NOT NULL DEFAULT '[172800,21600]' CHECK (json_valid(reminder_leads)),
    asked_at INTEGER,
    ready_at INTEGER,
    away_from TEXT,
    away_to TEXT,
    removed_at INTEGER,
    again INTEGER CHECK (again IN (0, 1)),  -- after the end: whether they play once more; empty: not said
    PRIMARY KEY (game, number),
    UNIQUE (game, name)
) STRICT;
CREATE INDEX seat_of_address ON seat (lower(address));

CREATE TABLE dead_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL REFERENCES game (id),
    seat TEXT NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX dead_link_of_seat ON dead_link (game, seat);

CREATE TABLE revision (  -- lists of orders, never changed
    game TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    orders TEXT NOT NULL CHECK (orders <> ''),
    at INTEGER NOT NULL,
    salt BLOB NOT NULL CHECK (length(salt) = 16),
    source TEXT NOT NULL,
    link_number INTEGER NOT NULL,
    void_at INTEGER,
    PRIMARY KEY (game, round, seat, number),
    FOREIGN KEY (game, seat) REFERENCES seat (game, number)
) STRICT;

CREATE TABLE press (
    game TEXT NOT NULL,
    round INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    to_gm TEXT NOT NULL,
    at INTEGER NOT NULL,
    link_number INTEGER NOT NULL,
    read_at INTEGER,
    PRIMARY KEY (game, round, seat),
    FOREIGN KEY (game, seat) REFERENCES seat (game, number)
) STRICT;

CREATE TABLE own_notes (  -- what players write for themselves
    game TEXT NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (game, seat),
    FOREIGN KEY (game, seat) REFERENCES seat (game, number)
) STRICT;

CREATE TABLE note (  -- what reports and desk tell of a game besides its rounds
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL REFERENCES game (id),
    round INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    seat TEXT,
    old INTEGER,
    new INTEGER,
    who TEXT,
    changed TEXT CHECK (changed IS NULL OR json_valid(changed))
) STRICT;
CREATE INDEX note_of_round ON note (game, round);
CREATE INDEX note_restored ON note (id) WHERE kind = 'restored';

CREATE TABLE act (  -- what was asked of several games at once
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    asked TEXT NOT NULL CHECK (json_valid(asked)),
    by_address TEXT NOT NULL,
    by_name TEXT NOT NULL,
    at INTEGER NOT NULL,
    undoes INTEGER UNIQUE REFERENCES act (id),
    told_at INTEGER
) STRICT;
CREATE INDEX act_open ON act (id) WHERE told_at IS NULL;
CREATE INDEX act_of_master ON act (by_address, at);

CREATE TABLE act_game (
    act INTEGER NOT NULL REFERENCES act (id),
    place INTEGER NOT NULL,  -- in the list they were chosen from
    game TEXT NOT NULL REFERENCES game (id),
    seen TEXT NOT NULL,
    outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
    note INTEGER REFERENCES note (id),
    told TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(told)),  -- seats that get a mail about it
    PRIMARY KEY (act, game)
) STRICT;

CREATE TABLE round (  -- closed rounds; 0 is the start
    game TEXT NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    deadline INTEGER,
    closed_at INTEGER NOT NULL,
    orders TEXT NOT NULL CHECK (json_valid(orders)),
    events TEXT NOT NULL CHECK (json_valid(events)),
    state TEXT NOT NULL CHECK (json_valid(state)),
    version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0),
    receipts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(receipts)),
    chain TEXT NOT NULL,
    awaited TEXT,
    PRIMARY KEY (game, number)
) STRICT;

CREATE INDEX round_closed ON round (closed_at);

CREATE TABLE withdrawn (  -- rounds that were taken back
    game TEXT NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    deadline INTEGER,
    closed_at INTEGER NOT NULL,
    orders TEXT NOT NULL CHECK (json_valid(orders)),
    events TEXT NOT NULL CHECK (json_valid(events)),
    state TEXT NOT NULL CHECK (json_valid(state)),
    version INTEGER NOT NULL,
    receipts TEXT NOT NULL CHECK (json_valid(receipts)),
    chain TEXT NOT NULL,
    awaited TEXT,
    PRIMARY KEY (game, number, version)
) STRICT;

CREATE TABLE mail (  -- the outbox
    id INTEGER PRIMARY KEY,
    once TEXT NOT NULL UNIQUE,  -- the event and its recipient
    batch TEXT NOT NULL,  -- what is written together
    game TEXT REFERENCES game (id),  -- empty: about no game
    round INTEGER NOT NULL,
    seat INTEGER,
    kind TEXT NOT NULL,
    about INTEGER,  -- the number of what it tells: gm/mail/kinds.py says of what
    act INTEGER,  -- on several games, of which each person gets one mail
    joined INTEGER REFERENCES mail (id),  -- the mail that tells this too
    lead INTEGER,  -- of a reminder, before this deadline; empty by hand
    deadline INTEGER,
    mailbox INTEGER,  -- of a follower, for an hour
    address TEXT NOT NULL,
    language TEXT NOT NULL,
    link_number INTEGER NOT NULL DEFAULT 0,  -- of the personal link in it
    message_id TEXT NOT NULL UNIQUE,
    queued_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL DEFAULT 0,
    written_at INTEGER,
    digest TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    first_try INTEGER,
    next_try INTEGER NOT NULL,
    sent_at INTEGER,
    failed_at INTEGER,
    withdrawn_at INTEGER,
    error TEXT,
    CHECK (seat IS NULL OR game IS NOT NULL),
    FOREIGN KEY (game, seat) REFERENCES seat (game, number)
) STRICT;
CREATE INDEX mail_of_round ON mail (game, round, kind);
CREATE INDEX mail_to_write ON mail (id)
    WHERE sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL AND written_at IS NULL;
CREATE INDEX mail_to_send ON mail (next_try)
    WHERE sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL AND written_at IS NOT NULL
    AND joined IS NULL;
CREATE INDEX mail_refused ON mail (game) WHERE failed_at IS NOT NULL AND withdrawn_at IS NULL;
CREATE INDEX mail_sent ON mail (sent_at) WHERE sent_at IS NOT NULL;
CREATE INDEX mail_of_my_games ON mail (lower(address)) WHERE kind = 'my_games';
CREATE INDEX mail_of_act ON mail (batch) WHERE act IS NOT NULL;
CREATE INDEX mail_joined ON mail (joined) WHERE joined IS NOT NULL;
CREATE INDEX mail_of_sign_in ON mail (address, queued_at) WHERE kind = 'sign_in';
CREATE INDEX mail_of_invitation ON mail (queued_at) WHERE kind = 'invite';
CREATE INDEX mail_of_follower ON mail (about)
    WHERE kind IN ('follow', 'follow_report', 'opened');
CREATE INDEX mail_of_mailbox ON mail (queued_at) WHERE mailbox IS NOT NULL;

CREATE TABLE mail_bytes (  -- of mails that are written and not sent
    mail INTEGER PRIMARY KEY REFERENCES mail (id),
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE joining (  -- who asked for a seat, or at `seat` for another address, by mail
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES game (id),
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('de', 'en')),
    at INTEGER NOT NULL,
    confirmed_at INTEGER,
    seat INTEGER,
    link_number INTEGER
) STRICT;
CREATE INDEX joining_of_game ON joining (game);
CREATE INDEX joining_at ON joining (at);

CREATE TABLE standby (
    gm TEXT NOT NULL DEFAULT '',
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('de', 'en')),
    at INTEGER NOT NULL,
    PRIMARY KEY (gm, address)
) STRICT;

CREATE TABLE my_games (  -- the link to all seats of an address
    address TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE follower (  -- of a game, or of every game that opens
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT REFERENCES game (id),
    address TEXT NOT NULL,
    language TEXT NOT NULL CHECK (language IN ('de', 'en')),
    at INTEGER NOT NULL,
    confirmed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX follower_once ON follower (coalesce(game, ''), lower(address));
CREATE INDEX follower_of_address ON follower (lower(address));
