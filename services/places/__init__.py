"""Where cities and ZIP codes of the United States are."""
