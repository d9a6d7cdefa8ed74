"""The desk: what users write, in a SQLite file or a PostgreSQL database that no import touches."""
