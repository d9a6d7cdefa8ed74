"""Frames as plain Python, to be compared with the waist's answers."""

import math
from datetime import datetime

import pandas as pd


def plain(value):
    if isinstance(value, list | tuple | dict):
        return value
    if value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, datetime):
        return value.date()
    return value.item() if hasattr(value, "item") else value


def rows(frame):
    """The rows of a frame, missing as None, days as dates."""
    listed = frame.astype(object).to_dict("records")
    return [{name: plain(value) for name, value in row.items()} for row in listed]
