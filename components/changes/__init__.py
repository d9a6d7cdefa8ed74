"""Changes: what happened in the book between two as-of dates."""
