"""Draws a value: how figures, dates, severities and tables look. Knows no page and no session."""
