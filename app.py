"""Credit Atlas: navigation, the guard, one page. Run it by `make run`."""

import streamlit as st

from components.frame import links, navigation, shell
from components.platform import asking

st.set_page_config(
    # By what follows the tab, assets/address.js knows what this run is for.
    page_title=f"Credit Atlas\t{asking.of_run(links.going())}",
    page_icon="components/assets/favicon.png",
    layout="wide",
    menu_items={"Get help": None, "Report a bug": None},
)
page = st.navigation(navigation.pages(), position="hidden")
shell.enter()
shell.run(page)
