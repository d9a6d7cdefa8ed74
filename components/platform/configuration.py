"""The options Streamlit gets when a server starts, and those it would have given uvicorn."""

import json
from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from streamlit.web import bootstrap

from components.platform.media import USER
from services.settings import Settings


def options(settings: Settings) -> dict[str, object]:
    """The options Streamlit gets whatever its files and the environment say."""
    signed_in = settings.sign_in == "proxy"
    return {
        # Else it takes orders from windows of its maker's cloud.
        "client.allowedOrigins": [],
        "global.developmentMode": False,
        "server.enableAgentApi": False,
        "server.enableCORS": True,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "server.maxUploadSize": 25,
        "server.scriptHealthCheckEnabled": False,
        "server.trustedUserHeaders": json.dumps({settings.user_header: USER} if signed_in else {}),
    }


def configure(script: Path, told: Mapping[str, object]) -> None:
    """As `st.App.run` does it, which has uvicorn speak HTTP without bounds; .streamlit/config.toml
    is looked for beside the script, from whatever folder this was started.
    """
    st.config._main_script_path = str(script)  # noqa: SLF001
    bootstrap.load_config_options(dict(told))


def largest_message() -> int:
    """Bytes of a message of a session."""
    return get_max_widget_state_size_bytes()
