"""Where the server stands in the addresses of a site."""

import streamlit as st
from starlette.types import Scope


def below_base(scope: Scope) -> str:
    """The path that is asked for, below the one at which the pages stand; "/" for a lifespan."""
    path = str(scope.get("path", "/"))
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return path.removeprefix(f"/{base}") if base and path.startswith(f"/{base}/") else path
