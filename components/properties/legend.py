"""What the colours of a map mean, over it; drawn by components/assets/legend.js."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.kit import text
from components.kit.asset import asset
from components.kit.formatting import count
from components.properties.classes import Class

HTML: Final = '<ul class="atlas-legend"></ul>'
CSS: Final = asset("legend.css")
JS: Final = asset("legend.js")
_draw: Final = st.components.v2.component(
    "atlas_legend", html=HTML, css=CSS, js=JS, isolate_styles=False
)


def legend(classes: Sequence[Class]) -> None:
    """Each class with its colour, its words and how many are in it."""
    rows = [
        {
            "colour": one.colour,
            "hollow": one.hollow,
            "label": text.line(f"{one.label} ({count(len(one.members))})"),
        }
        for one in classes
    ]
    _draw(key="map_legend", data={"rows": rows})
