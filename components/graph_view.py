"""The capital graph's chart on screen: its identity, what is selected in it, the drawing."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from components.graph_option import ANCHORS, HEIGHT


def key(params: Mapping[str, str]) -> str:
    """The chart's identity: with another one it begins anew, scaled and unselected."""
    text = "&".join(f"{name}={value}" for name, value in sorted(params.items()))
    return f"graph_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def selected(key: str, names: Sequence[str]) -> str | None:
    """The node that is selected in the chart of that key, before it is drawn."""
    state = st.session_state.get(key) or {"selection": {"selected": ()}}
    for group in state["selection"]["selected"]:
        if group["data_type"] == "node":
            for index in group["data_indices"]:
                # Indexes are kept by the browser while nodes come and go.
                if ANCHORS <= index < ANCHORS + len(names):
                    name: str = names[index - ANCHORS]
                    return name
    return None


def draw(spec: dict[str, Any], key: str, alt: str) -> None:
    """Draws the chart; `selected` tells the node chosen in it at the next run."""
    st.echarts_chart(spec, key=key, height=HEIGHT, on_select="rerun", alt=alt)
