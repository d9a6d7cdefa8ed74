-- Hashes of all that is written; what was written before is sealed by the program that runs this.
ALTER TABLE watches ADD COLUMN digest TEXT;
ALTER TABLE watches ADD COLUMN owner_key TEXT;
ALTER TABLE notes ADD COLUMN digest TEXT;
ALTER TABLE saved_searches ADD COLUMN digest TEXT;
ALTER TABLE saved_searches ADD COLUMN owner_key TEXT;

-- What names of one user have in common, however they are spelled.
CREATE INDEX watches_by_key ON watches (owner_key, source);

CREATE INDEX searches_by_key ON saved_searches (source, owner_key);

-- Of each entry of an audit the hash, which covers the one before.
CREATE TABLE seals (
  of TEXT NOT NULL,
  entry INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (of, entry)
) STRICT, WITHOUT ROWID;

-- Of each table how many rows it has, and the hash of all; of an audit also what was taken out.
CREATE TABLE heads (
  of TEXT PRIMARY KEY,
  entries INTEGER NOT NULL,
  hash TEXT NOT NULL,
  taken INTEGER NOT NULL,
  taken_hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER seals_stay BEFORE UPDATE ON seals
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER seals_grow BEFORE DELETE ON seals
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
