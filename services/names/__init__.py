"""Names: normalising, lenders by any spelling, and the fuzzy search index."""
