"""The OpenAPI 3.1 document of the service, in the variant that it speaks.

Field names come from `contract.wire`, bounds from the queries, endpoints from
`contract.endpoints`, so that the document cannot say what the service does not do. The door:
`operation` describes one route to FastAPI, `complete` adds to FastAPI's document what all routes
share, `TITLE` and `ABOUT` introduce it.
"""

from .about import ABOUT, TITLE
from .operations import complete, operation

__all__ = ["ABOUT", "TITLE", "complete", "operation"]
