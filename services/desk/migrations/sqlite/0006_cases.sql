-- Cases: one a loan. `steps` is JSON; `origin` is rule or hand.
CREATE TABLE cases (
  case_id TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  assignee TEXT,
  due TEXT,
  reason TEXT NOT NULL,
  steps TEXT NOT NULL,
  closing TEXT,
  worst TEXT,
  as_of TEXT NOT NULL,
  clean INTEGER NOT NULL,
  origin TEXT NOT NULL,
  opened_by TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  digest TEXT,
  UNIQUE (source, name)
) STRICT;

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('cases', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
