"""The Overview page: headline figures, the maturity wall, the largest stressed loans."""
