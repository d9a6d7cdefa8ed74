"""A securitised loan as its servicer reports it, whatever the file: by typed facts to tables."""
