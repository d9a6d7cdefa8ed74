-- What users said of pairs of parties, and of loans, that may be one: one word a pair.
CREATE TABLE verdicts (
  kind TEXT NOT NULL,
  first TEXT NOT NULL,
  second TEXT NOT NULL,
  verdict TEXT NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL,
  digest TEXT,
  PRIMARY KEY (kind, first, second)
) STRICT;

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('verdicts', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
