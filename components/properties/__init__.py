"""Properties on a map that is flown over: points, cells, the list of what is shown."""
