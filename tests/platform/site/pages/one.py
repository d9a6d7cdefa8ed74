"""Goes on to the other page with a parameter that it gives twice."""

import streamlit as st

if "go" in st.query_params:
    st.switch_page("pages/two.py", query_params=[("state", "TX"), ("state", "CA")])
