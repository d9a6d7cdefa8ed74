-- Who wrote, took away or changed what. It takes no change and no deletion, as the audit of notes.
CREATE TABLE IF NOT EXISTS audit (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  by TEXT NOT NULL,
  role TEXT NOT NULL,
  action TEXT NOT NULL,
  kind TEXT,
  name TEXT NOT NULL,
  source TEXT,
  detail TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS audit_by_person ON audit (by, entry);

CREATE INDEX IF NOT EXISTS audit_by_action ON audit (action, entry);

CREATE TRIGGER IF NOT EXISTS audit_entries_stay BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER IF NOT EXISTS audit_entries_grow BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
