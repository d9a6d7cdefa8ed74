"""Types of Streamlit that our signatures name: a page, and a place for elements."""

from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

__all__ = ["DeltaGenerator", "StreamlitPage"]
