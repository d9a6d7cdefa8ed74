-- Times are ISO in UTC. The audit takes no change and no deletion: it is what nothing is lost by.
CREATE TABLE IF NOT EXISTS watches (
  owner TEXT NOT NULL,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  since TEXT NOT NULL,
  seen TEXT,
  PRIMARY KEY (owner, source, kind, name)
) STRICT;

CREATE TABLE IF NOT EXISTS notes (
  note_id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  author TEXT NOT NULL,
  written_at TEXT NOT NULL,
  body TEXT NOT NULL,
  version INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS notes_by_subject ON notes (source, kind, name);

CREATE TABLE IF NOT EXISTS note_audit (
  entry INTEGER PRIMARY KEY AUTOINCREMENT,
  note_id TEXT NOT NULL,
  action TEXT NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL,
  version INTEGER NOT NULL,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS audit_by_subject ON note_audit (source, kind, name);

CREATE TRIGGER IF NOT EXISTS audit_stays BEFORE UPDATE ON note_audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

CREATE TRIGGER IF NOT EXISTS audit_grows BEFORE DELETE ON note_audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
