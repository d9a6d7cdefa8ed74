"""Credit Atlas: navigation, the guard, one page. Run it by `make run`."""

import streamlit as st

from components.frame import shell

st.set_page_config(
    page_title="Credit Atlas",
    page_icon="components/assets/favicon.png",
    layout="wide",
    menu_items={"Get help": None, "Report a bug": None},
)
page = st.navigation(shell.pages(), position="top")
shell.enter()
shell.run(page)
