"""The page My book: a user's own tape, read, checked and loaded."""
