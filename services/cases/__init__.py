"""Cases by rule: which loans have one, looked at after each import."""
