"""How the tables of keys and quotas came to be: numbered files of SQL, never changed."""
