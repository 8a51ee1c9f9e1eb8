-- Version 4: what rules and the person leave behind.

-- Small things that are known by a name: trusted files, opened gates, variables of sessions, noted
-- files, wishes, handoffs, skills that apply to everything. They share a table, for SQLite reads
-- every definition whenever a database is opened, and hooks open it all the time. What belongs to no
-- project stands under sixteen zeros.
CREATE TABLE fact (
    project BLOB NOT NULL,
    kind    TEXT NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    seq     INTEGER NOT NULL,
    PRIMARY KEY (project, kind, name)
) STRICT, WITHOUT ROWID;

-- Nobody noted of the skills that are known already whether they apply to everything: they are read
-- anew.
DELETE FROM skill_root;
