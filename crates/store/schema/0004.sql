-- Small things that are known by a name: trusted files, opened gates, variables of sessions, noted
-- files, wishes, handoffs. They share a table, for SQLite reads every definition whenever a
-- database is opened, and hooks open it all the time.
CREATE TABLE fact (
    project BLOB NOT NULL REFERENCES project (id),
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (project, kind, name)
) STRICT, WITHOUT ROWID;
