-- Version 5: journal entries that can be told apart wherever they are read.

-- Entries written before have the version 0, the word of their aggregate inside `kind`, and none of
-- the rest. They are never rewritten: whoever reads them reads both forms.
ALTER TABLE journal ADD COLUMN version   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN aggregate TEXT    NOT NULL DEFAULT '';
-- `shared` with a team some day, or `local` for ever.
ALTER TABLE journal ADD COLUMN side      TEXT    NOT NULL DEFAULT '';
-- The installation that wrote the entry, its commit, and its place in that.
ALTER TABLE journal ADD COLUMN origin    BLOB    NOT NULL DEFAULT x'';
ALTER TABLE journal ADD COLUMN commit_id BLOB    NOT NULL DEFAULT x'';
ALTER TABLE journal ADD COLUMN place     INTEGER NOT NULL DEFAULT 0;
-- The tasks that the entry changed, as they were before: what an undo brings back.
ALTER TABLE journal ADD COLUMN replaced  TEXT    NOT NULL DEFAULT '';
-- The digest of what the caller asked for.
ALTER TABLE journal ADD COLUMN intent    BLOB    NOT NULL DEFAULT x'';

-- The id of this installation. It belongs to no project.
INSERT INTO fact (project, kind, name, value, seq)
VALUES (zeroblob(16), 'installation', '', lower(hex(randomblob(16))), 0);
