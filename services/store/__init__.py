"""The embedded store: immutable snapshots in DuckDB, with a graph and a name index beside them."""
