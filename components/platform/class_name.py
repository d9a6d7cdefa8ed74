"""The class by which a browser finds the element of a key."""

import re


def of_key(key: str) -> str:
    """What stands after `st-key-` in the class of the element with this key."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", key)
