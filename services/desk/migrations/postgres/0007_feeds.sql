-- Calendar feeds: one a user. Of its token the hash alone is kept.
CREATE TABLE feeds (
  token_hash text PRIMARY KEY,
  owner text NOT NULL,
  owner_key text COLLATE "C" NOT NULL UNIQUE,
  made_at timestamptz NOT NULL,
  digest text
);

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('feeds', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
