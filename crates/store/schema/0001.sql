-- Version 1. Migrations only ever add: a hook of the version before must still be able to read.
-- Ids are 16-byte UUIDs; moments are milliseconds since 1970; order is always by `seq`.

CREATE TABLE project (
    id    BLOB NOT NULL PRIMARY KEY,
    place TEXT NOT NULL UNIQUE,
    name  TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last `#N` given out, per project and kind of thing.
CREATE TABLE counter (
    project BLOB NOT NULL REFERENCES project (id),
    kind    TEXT NOT NULL,
    last    INTEGER NOT NULL,
    PRIMARY KEY (project, kind)
) STRICT, WITHOUT ROWID;

-- Every effect ever applied, in order. Nothing is changed or removed here.
CREATE TABLE journal (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    project BLOB NOT NULL REFERENCES project (id),
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    trust   TEXT NOT NULL,
    session BLOB,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    key     TEXT NOT NULL
) STRICT;

CREATE INDEX journal_by_project ON journal (project, seq);

CREATE TRIGGER journal_is_never_changed BEFORE UPDATE ON journal
BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;

CREATE TRIGGER journal_is_never_shortened BEFORE DELETE ON journal
BEGIN SELECT RAISE (ABORT, 'the journal is append-only'); END;

-- The answer of every commit, so that a retry with the same key gets it again.
CREATE TABLE commit_key (
    project BLOB NOT NULL,
    key     TEXT NOT NULL,
    intent  TEXT NOT NULL,
    last    INTEGER NOT NULL,
    applied TEXT NOT NULL,
    PRIMARY KEY (project, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent (
    project BLOB NOT NULL REFERENCES project (id),
    name    TEXT NOT NULL,
    since   INTEGER NOT NULL,
    PRIMARY KEY (project, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    id         BLOB NOT NULL PRIMARY KEY,
    project    BLOB NOT NULL REFERENCES project (id),
    number     INTEGER NOT NULL,
    host       TEXT NOT NULL,
    host_id    TEXT NOT NULL,
    parent     BLOB REFERENCES session (id),
    agent      TEXT,
    status     TEXT NOT NULL,
    epoch      INTEGER NOT NULL,
    transcript TEXT,
    first_seen INTEGER NOT NULL,
    last_seen  INTEGER NOT NULL,
    UNIQUE (host, host_id),
    UNIQUE (project, number)
) STRICT, WITHOUT ROWID;

-- How far each session log was ingested, in bytes.
CREATE TABLE log_cursor (
    log TEXT NOT NULL PRIMARY KEY,
    at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
    id           BLOB NOT NULL PRIMARY KEY,
    project      BLOB NOT NULL REFERENCES project (id),
    number       INTEGER NOT NULL,
    short        TEXT NOT NULL UNIQUE,
    parent       BLOB REFERENCES task (id),
    rank         INTEGER NOT NULL,
    title        TEXT NOT NULL,
    state        TEXT NOT NULL,
    assignee     TEXT,
    skill        TEXT,
    plan_file    TEXT,
    plan_section TEXT,
    reason       TEXT,
    created      INTEGER NOT NULL,
    changed      INTEGER NOT NULL,
    touched      INTEGER NOT NULL,
    deleted      INTEGER,
    UNIQUE (project, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_by_parent ON task (project, parent, rank);

CREATE TABLE task_after (
    task BLOB NOT NULL REFERENCES task (id),
    after BLOB NOT NULL REFERENCES task (id),
    PRIMARY KEY (task, after)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_note (
    seq    INTEGER PRIMARY KEY,
    task   BLOB NOT NULL REFERENCES task (id),
    author TEXT NOT NULL,
    at     INTEGER NOT NULL,
    text   TEXT NOT NULL
) STRICT;

CREATE INDEX task_note_by_task ON task_note (task, seq);

CREATE TABLE message (
    id           BLOB NOT NULL PRIMARY KEY,
    seq          INTEGER NOT NULL,
    project      BLOB NOT NULL REFERENCES project (id),
    number       INTEGER NOT NULL,
    thread       BLOB NOT NULL,
    sender       TEXT NOT NULL,
    trust        TEXT NOT NULL,
    subject      TEXT NOT NULL,
    body         TEXT NOT NULL,
    importance   TEXT NOT NULL,
    ack_required INTEGER NOT NULL,
    sent         INTEGER NOT NULL,
    UNIQUE (project, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_by_thread ON message (thread, seq);

CREATE TABLE recipient (
    project   BLOB NOT NULL REFERENCES project (id),
    agent     TEXT NOT NULL,
    seq       INTEGER NOT NULL,
    message   BLOB NOT NULL REFERENCES message (id),
    branch    TEXT NOT NULL,
    delivered INTEGER,
    read      INTEGER,
    acked     INTEGER,
    PRIMARY KEY (project, agent, seq, branch)
) STRICT, WITHOUT ROWID;

CREATE INDEX recipient_by_message ON recipient (message);

CREATE TABLE reservation (
    id        BLOB NOT NULL PRIMARY KEY,
    project   BLOB NOT NULL REFERENCES project (id),
    agent     TEXT NOT NULL,
    pattern   TEXT NOT NULL,
    exclusive INTEGER NOT NULL,
    reason    TEXT,
    since     INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    released  INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX reservation_by_project ON reservation (project, until);
