"""A page that says hostile words in every way that the door for words has; for the browser test."""

from datetime import date

import streamlit as st

from components.frame import bars
from components.kit import badge, tables, text
from components.kit.figure import figure
from components.overview import wall
from services.contract.aggregates import MaturityBucket
from tests.hostile import WORDS

text.title(WORDS[0])
# Over an API a severity may be any word (D2), so it stands in the legend as it came.
QUARTER = date(2026, 4, 1)
buckets = [
    MaturityBucket(
        quarter=QUARTER,
        overdue=False,
        rate_pressure=words,
        loans=1,
        book_value=10**6,
        dollars_short=0,
    )
    for words in WORDS
]
columns = wall.wall_columns(buckets, QUARTER)
looks = wall.looks_of(columns, dark=False)
bars.bars(wall.bars_of(columns), looks, key="wall", caption=WORDS[1], height=300)
with st.container(key="not-markdown"):
    together = " ".join(WORDS)
    text.heading(together, level=2)
    text.heading(together)
    text.lead(together)
    text.caption(together)
    text.sentence(together)
    text.folded([(together, [])])
    figure(together, "", "")
    badge.row([badge.Badge(together, "blue", "")])
    tables.plain([{"": together}], "")
for at, words in enumerate(WORDS):
    with st.container(key=f"markdown-{at}"):
        text.notice("info", words, "info")
        st.expander(text.label(words), key=f"expander-{at}")
st.pills("Words", WORDS, format_func=text.label, key="pills")
with st.container(key="page-end"):
    st.html("<span></span>")
