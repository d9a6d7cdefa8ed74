"""A local copy of an API's records, filled within its quota, for aggregates it does not give."""

from services.mirror.filling import Filled, fill, requests_needed
from services.mirror.pages import Stopped

__all__ = ["Filled", "Stopped", "fill", "requests_needed"]
