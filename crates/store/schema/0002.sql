-- Version 2: skills.

-- What lies in the skill roots: a cache that can be made again from the files at any time, and
-- therefore not in the journal.
CREATE TABLE skill_file (
    path        TEXT NOT NULL PRIMARY KEY,
    root        TEXT NOT NULL,
    key         TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT,
    agent_of    TEXT,
    version     TEXT,
    digest      BLOB NOT NULL,
    tokens      INTEGER NOT NULL,
    modified    INTEGER NOT NULL,
    findings    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX skill_file_by_key ON skill_file (key);
CREATE INDEX skill_file_by_root ON skill_file (root);

-- The stamp of a root itself, and those of every file and directory below it, packed, by which a
-- change is noticed. The small one stands first, so that it can be read without the large one.
CREATE TABLE skill_root (
    root   TEXT NOT NULL PRIMARY KEY,
    own    BLOB NOT NULL,
    stamps BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What the person approved: one content of one skill in one project.
CREATE TABLE skill_approval (
    project   BLOB NOT NULL REFERENCES project (id),
    reference TEXT NOT NULL,
    digest    BLOB NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (project, reference, digest)
) STRICT, WITHOUT ROWID;

-- The projects whose own skills the person takes into use.
CREATE TABLE project_use (
    project BLOB NOT NULL PRIMARY KEY REFERENCES project (id),
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The text behind a digest that was pinned or approved, so that a later change can be shown as a
-- difference.
CREATE TABLE skill_text (
    digest BLOB NOT NULL PRIMARY KEY,
    text   BLOB NOT NULL
) STRICT, WITHOUT ROWID;
