-- Hashes of all that is written; what was written before is sealed by the program that runs this.
-- Nobody writes meanwhile: to say again that a trigger stands locks out writers, as LOCK would, which
-- needs a right to the audit that its owner does not have.
ALTER TABLE note_audit ENABLE TRIGGER audit_stays;

ALTER TABLE audit ENABLE TRIGGER audit_stays;

ALTER TABLE watches ADD COLUMN digest text, ADD COLUMN owner_key text COLLATE "C";

ALTER TABLE notes ADD COLUMN digest text;

ALTER TABLE saved_searches ADD COLUMN digest text, ADD COLUMN owner_key text COLLATE "C";

-- What names of one user have in common, however they are spelled.
CREATE INDEX watches_by_key ON watches (owner_key, source);

CREATE INDEX searches_by_key ON saved_searches (source, owner_key);

-- Of each entry of an audit the hash, which covers the one before.
CREATE TABLE seals (
  of text COLLATE "C" NOT NULL,
  entry bigint NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (of, entry)
);

-- Of each table how many rows it has, and the hash of all; of an audit also what was taken out.
-- Whoever writes locks it until the end: entries of the audit are chained one after another.
CREATE TABLE heads (
  of text PRIMARY KEY,
  entries bigint NOT NULL,
  hash text NOT NULL,
  taken bigint NOT NULL,
  taken_hash text NOT NULL
);

CREATE TRIGGER seals_stay BEFORE UPDATE OR DELETE ON seals
  FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER seals_are_not_emptied BEFORE TRUNCATE ON seals
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

REVOKE UPDATE, DELETE, TRUNCATE ON seals FROM PUBLIC, CURRENT_USER;
