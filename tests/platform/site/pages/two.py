"""Says which parameters came, and what a box made of its own."""

import streamlit as st

st.text(f"state is {st.query_params.get_all('state')}")
st.text(f"box is {st.selectbox('Box', ('a', 'b'), key='box', bind='query-params')}")
