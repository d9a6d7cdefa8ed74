"""The Signals page: filters and panels."""
