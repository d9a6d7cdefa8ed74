-- A saved search of the page "watchlist" is the list of its owner's watches, shared by name.
CREATE TABLE IF NOT EXISTS saved_searches (
  search_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  page TEXT NOT NULL,
  params TEXT NOT NULL,
  shared INTEGER NOT NULL,
  found TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  version INTEGER NOT NULL,
  UNIQUE (owner, source, name)
) STRICT;
