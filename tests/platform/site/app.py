"""A site of Streamlit alone, for what is measured of it."""

import streamlit as st

page = st.navigation(["pages/one.py", "pages/two.py", "pages/sheet.py"])
st.text("entered by app.py")
page.run()
