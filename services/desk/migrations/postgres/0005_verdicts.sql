-- What users said of pairs of parties, and of loans, that may be one: one word a pair.
CREATE TABLE verdicts (
  kind text COLLATE "C" NOT NULL,
  first text COLLATE "C" NOT NULL,
  second text COLLATE "C" NOT NULL,
  verdict text NOT NULL,
  by text NOT NULL,
  at timestamptz NOT NULL,
  digest text
);

-- A name may be longer than a key of an index: two hashes of 64 bits stand for each.
CREATE UNIQUE INDEX verdicts_once ON verdicts (kind, hashtextextended(first, 0),
  hashtextextended(first, 1), hashtextextended(second, 0), hashtextextended(second, 1));

INSERT INTO heads (of, entries, hash, taken, taken_hash)
  VALUES ('verdicts', 0, '0000000000000000000000000000000000000000000000000000000000000000', 0,
    '0000000000000000000000000000000000000000000000000000000000000000');
