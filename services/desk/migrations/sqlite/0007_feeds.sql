-- Calendar feeds: one a user. Of its token the hash alone is kept.
CREATE TABLE feeds (
  token_hash TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  owner_key TEXT NOT NULL UNIQUE,
  made_at TEXT NOT NULL,
  digest TEXT
) STRICT;

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('feeds', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
