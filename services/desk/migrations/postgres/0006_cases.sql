-- Cases: one a loan. `steps` is JSON that only Credit Atlas reads; `origin` is rule or hand.
CREATE TABLE cases (
  case_id text PRIMARY KEY,
  source text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  state text NOT NULL,
  assignee text,
  due text,
  reason text NOT NULL,
  steps text NOT NULL,
  closing text,
  worst text,
  as_of text NOT NULL,
  clean bigint NOT NULL,
  origin text NOT NULL,
  opened_by text NOT NULL,
  opened_at timestamptz NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  version bigint NOT NULL,
  digest text
);

-- A name may be longer than a key of an index: two hashes of 64 bits stand for it.
CREATE UNIQUE INDEX cases_once
  ON cases (source, hashtextextended(name, 0), hashtextextended(name, 1));

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('cases', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
