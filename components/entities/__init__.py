"""The Entities and Entity pages: search, look-up, the panels of one party."""
