"""Open tables: a snapshot and its periods as Delta Lake tables, for engines that are not ours."""
