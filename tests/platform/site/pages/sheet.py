"""What a browser makes of Streamlit's elements, each in a container of its own."""

import streamlit as st

MARKDOWN = {
    "address": r"www\.example\.com",
    "mail": r"ana\@example\.com",
    "picture": r"\:streamlit\:",
    "arrow": r"a \-\> b",
    "kept-apart": r"www:color[]{}\.example\.com",
    "icon": "`:material/home`",
    "dollars": "$4M and $7M$",
    "one-dollar": r"\$4M and \$7M\$",
}
for key, words in MARKDOWN.items():
    with st.container(key=key):
        st.markdown(words)
with st.container(key="html"):
    st.html('<p class="ours" style="color: red" onclick="alert(1)">kept</p><script>1</script>')
with st.container(key="input"):
    st.text_input(r"A \* B")
with st.popover("More"):
    st.text("in the popover")
SCRIPT = """
let loaded = 0;
const from = import.meta.url;
export default component => {
  const box = component.parentElement;
  loaded += 1;
  box.calls = (box.calls ?? 0) + 1;
  box.querySelector("span").textContent =
    [component.data.word, from.split(":")[0], loaded, box.calls].join(" ");
};
"""
draw = st.components.v2.component("canary", html="<span></span>", js=SCRIPT, isolate_styles=False)
word = st.segmented_control("Word", ("red", "blue"), default="red")
st.button("Again")
for key in ("first", "second"):
    with st.container(key=key):
        draw(key=f"{key}-drawn", data={"word": word})
st.text("after the popover")
