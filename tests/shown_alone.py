"""What every answer tells a browser: that it is shown alone, and to nobody else's page."""

from collections.abc import Mapping

GLOBAL = ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "default-src 'none'")


def shown_alone(headers: Mapping[str, str]) -> None:
    """Checks the headers of an answer, by names as they came."""
    named = {name.lower(): value for name, value in headers.items()}
    policy = named["content-security-policy"].split("; ")
    assert [one for one in GLOBAL if one not in policy] == []
    assert named["x-content-type-options"] == "nosniff"
    assert named["referrer-policy"] in {"no-referrer", "same-origin"}
    assert "access-control-allow-origin" not in named
    assert "x-powered-by" not in named
    assert not any(letter.isdigit() for letter in named.get("server", ""))
