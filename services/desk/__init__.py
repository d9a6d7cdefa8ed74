"""The desk: watches and notes, in a SQLite file of their own that no import touches."""
