"""Frames: the book as pandas DataFrames, with the filters, figures and errors of the pages."""

from services.frames.atlas import Atlas, connect
from services.frames.graph import to_network

__all__ = ["Atlas", "connect", "to_network"]
