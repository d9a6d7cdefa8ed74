"""Connect an assistant: the configuration to copy, without a key in it."""

import json
import sys
from pathlib import Path
from typing import Any

from components.frame import api_call, session, states
from components.kit import text
from components.kit.card import card
from services.settings import Settings


def panel() -> None:
    """What the configuration of an MCP client has to say."""
    settings = session.settings()
    with card("Connect an assistant", level=2):
        text.sentence(
            "An assistant that speaks MCP asks the same book, read-only. On this machine it starts "
            "creditatlas itself:"
            if settings.sign_in == "none"
            else "An assistant that speaks MCP asks the same book, read-only, by a key of the API:"
        )
        if settings.sign_in == "none":
            _shown({"command": _command(), "args": _words(settings)})
            text.sentence("Over HTTP it asks the service (creditatlas serve), by a key of the API:")
        _shown(
            {
                "type": "http",
                "url": f"{api_call.served()}/mcp",
                "headers": {"Authorization": "Bearer ${CREDIT_ATLAS_API_KEY}"},
            }
        )
        states.nothing(
            "Put the key into the environment variable CREDIT_ATLAS_API_KEY; keys, tiers and "
            "quotas are those of the API."
        )


def _command() -> str:
    """Where the command stands: assistants do not start in this environment."""
    found = Path(sys.executable).with_name("creditatlas")
    return str(found) if found.exists() else found.name


def _words(settings: Settings) -> list[str]:
    """The command's arguments: the store that pages read, or the service that they ask."""
    if settings.source == "api" and settings.api_url:
        return ["mcp", "--api", settings.api_url]
    return ["mcp", "--store", str(settings.store.resolve())]


def _shown(server: dict[str, Any]) -> None:
    text.code(json.dumps({"mcpServers": {"credit-atlas": server}}, indent=2), language="json")
