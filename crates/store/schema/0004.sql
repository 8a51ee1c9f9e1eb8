-- Version 4: what was told to agents.

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
