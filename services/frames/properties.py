"""Properties as frames, each with its position and how that is known."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from services.contract.properties import PropertyFilter

from .asking import asked, in_words
from .columns import OF_PROPERTIES
from .frame import of_columns
from .reading import Reading


def properties(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every property that matches; see Atlas.properties."""
    figures, query = reading.figures, asked(PropertyFilter, given)
    said: dict[str, Any] = {
        "what": "properties",
        "filters": in_words(query) or "all properties",
        "positions": figures.property_totals(query).positions,
        "credit": "Positions by ZIP and city from GeoNames (CC BY 4.0)",
    }
    names = tuple(one.name for one in OF_PROPERTIES)
    return of_columns(figures.property_columns(query, names), OF_PROPERTIES, said | reading.said)
