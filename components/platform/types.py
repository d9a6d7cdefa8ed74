"""Types of Streamlit that signatures of ours name: a page, and a place for elements."""

from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

__all__ = ["DeltaGenerator", "StreamlitPage"]
