"""Dated reference rates and the sizing defaults of each property type, kept as data."""
