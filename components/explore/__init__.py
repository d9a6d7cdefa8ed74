"""Figures of loans against each other: points, cells, distributions, peers."""
