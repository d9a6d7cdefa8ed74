"""From portfolios to a published snapshot: join the sources, score the loans, write, swap."""

from services.pipeline.given import Given
from services.pipeline.publishing import Progress, load, silent

__all__ = ["Given", "Progress", "load", "silent"]
