-- A saved search of the page "watchlist" is the list of its owner's watches, shared by name.
CREATE TABLE saved_searches (
  search_id text PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  page text NOT NULL,
  params text NOT NULL,
  shared boolean NOT NULL,
  found text NOT NULL,
  saved_at timestamptz NOT NULL,
  version bigint NOT NULL,
  UNIQUE (owner, source, name)
);
