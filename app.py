"""Credit Atlas: navigation, the guard, one page. Run it by `make run`."""

import streamlit as st

from components.frame import navigation, shell

st.set_page_config(
    page_title="Credit Atlas",
    page_icon="components/assets/favicon.png",
    layout="wide",
    menu_items={"Get help": None, "Report a bug": None},
)
page = st.navigation(navigation.pages(), position="hidden")
shell.enter()
shell.run(page)
