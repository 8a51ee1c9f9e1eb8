-- Version 3: finding skills by what is wanted, remembering which was chosen, and what was told.

-- Every indexed skill with the number by which the lists of words know it. All of this is a cache
-- like the index itself.
CREATE TABLE skill_document (
    id       INTEGER PRIMARY KEY,
    path     TEXT NOT NULL UNIQUE,
    root     TEXT NOT NULL,
    has_body INTEGER NOT NULL
) STRICT;

CREATE INDEX skill_document_by_root ON skill_document (root);

-- What calls a skill whatever else a request says.
CREATE TABLE skill_cue (
    document INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    text     TEXT NOT NULL,
    PRIMARY KEY (document, kind, text)
) STRICT, WITHOUT ROWID;

-- The list of names and descriptions, kept with the index, and the list with the bodies, filled when
-- it is first needed. The texts themselves stay in the files.
CREATE VIRTUAL TABLE skill_words USING fts5 (
    name, about, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE VIRTUAL TABLE skill_bodies USING fts5 (
    name, about, body, content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

-- What was indexed before has no words: it is read again.
DELETE FROM skill_file;
DELETE FROM skill_root;

-- The skills that were chosen for tasks, by the session that asked.
CREATE TABLE skill_choice (
    seq       INTEGER NOT NULL PRIMARY KEY,
    project   BLOB NOT NULL REFERENCES project (id),
    session   BLOB REFERENCES session (id),
    agent     TEXT NOT NULL,
    task      BLOB NOT NULL REFERENCES task (id),
    reference TEXT NOT NULL,
    digest    BLOB NOT NULL,
    rule      TEXT NOT NULL,
    reason    TEXT NOT NULL,
    at        INTEGER NOT NULL
) STRICT;

CREATE INDEX skill_choice_by_session ON skill_choice (session, seq);

-- What was told to agents.
CREATE TABLE receipt (
    seq      INTEGER NOT NULL PRIMARY KEY,
    project  BLOB NOT NULL REFERENCES project (id),
    session  BLOB NOT NULL REFERENCES session (id),
    emission TEXT NOT NULL,
    epoch    INTEGER NOT NULL,
    event    TEXT NOT NULL,
    extent   TEXT NOT NULL,
    tokens   INTEGER NOT NULL,
    hidden   INTEGER NOT NULL,
    redacted INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    UNIQUE (session, epoch, emission)
) STRICT;

CREATE TABLE receipt_item (
    receipt INTEGER NOT NULL REFERENCES receipt (seq),
    place   INTEGER NOT NULL,
    id      TEXT NOT NULL,
    kind    TEXT NOT NULL,
    trust   TEXT NOT NULL,
    reason  TEXT NOT NULL,
    tokens  INTEGER NOT NULL,
    fate    TEXT NOT NULL,
    why     TEXT,
    digest  BLOB NOT NULL,
    part    INTEGER,
    PRIMARY KEY (receipt, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX receipt_item_by_id ON receipt_item (id);

CREATE TABLE receipt_part (
    receipt INTEGER NOT NULL REFERENCES receipt (seq),
    part    INTEGER NOT NULL,
    digest  BLOB NOT NULL,
    printed INTEGER NOT NULL,
    PRIMARY KEY (receipt, part)
) STRICT, WITHOUT ROWID;

-- The texts behind the digests of parts. They are not in the journal, because they are thrown away
-- after a while; the receipts stay.
CREATE TABLE told_text (
    digest BLOB NOT NULL PRIMARY KEY,
    text   TEXT NOT NULL,
    at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
