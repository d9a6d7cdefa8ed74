-- Hashes of keys, never a key.
CREATE TABLE keys (
  entry bigint GENERATED ALWAYS AS IDENTITY,
  id text COLLATE "C" PRIMARY KEY,
  tier text NOT NULL,
  environment text NOT NULL,
  sha256 text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

-- A window of a subject, and the requests counted in it. A row is written by every request of its
-- subject: room on its page lets PostgreSQL do so without touching an index.
CREATE TABLE quotas (
  name text COLLATE "C" PRIMARY KEY,
  used bigint NOT NULL,
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX quotas_by_end ON quotas (ends_at);
