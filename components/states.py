"""What stands on a page when there is nothing to show, and why."""

import streamlit as st

from components.formatting import count
from services.contract.errors import (
    CreditAtlasError,
    InvalidRequest,
    SettingsInvalid,
    StoreDamaged,
    StoreMissing,
)


def failed(error: CreditAtlasError) -> None:
    """One of our errors as a sentence with what to do."""
    match error:
        case StoreMissing():
            st.info("No data yet.", icon=":material/database:")
            st.markdown("Fill the store, then reload this page:")
            st.code(
                "creditatlas demo                        # made-up portfolio\n"
                "creditatlas import sec-absee FILE.xml   # an SEC Exhibit 102",
                language="bash",
            )
        case StoreDamaged() | SettingsInvalid():
            st.error(str(error), icon=":material/build:")
        case _:
            st.error(str(error), icon=":material/error:")


def broken(reference: str) -> None:
    """A fault of ours that has no sentence of its own."""
    st.error(
        f"This page could not be drawn. The server's log has the details under {reference}.",
        icon=":material/error:",
    )


def invalid(error: InvalidRequest, page: str, kept: dict[str, str]) -> None:
    """A URL that asks for something else than it can: the sentence, and two ways on; no rows."""
    st.error(f"{error}.", icon=":material/link_off:")
    st.markdown("Nothing is shown, because the address of this page does not say what to show.")
    with st.container(horizontal=True):
        if error.parameter and kept:
            st.page_link(
                page,
                label=f"Go on without '{error.parameter}'",
                query_params=kept,
                icon=":material/filter_alt_off:",
            )
        st.page_link(page, label="Show all", icon=":material/restart_alt:")


def no_match(sentence: str, page: str) -> None:
    """No record matches: which filters, and one click to clear them."""
    st.info(f"No results. {sentence}", icon=":material/search_off:")
    st.page_link(page, label="Clear the filters and show all", icon=":material/restart_alt:")


def beyond_last(page_number: int, pages: int, page: str, params: dict[str, str]) -> None:
    """A page after the last one (D5)."""
    st.info(
        f"Page {count(page_number)} is beyond the last of {count(pages)}.",
        icon=":material/last_page:",
    )
    st.page_link(page, label="Go to the first page", query_params=params)


def nothing(sentence: str) -> None:
    """A panel that has nothing to show, and what that means."""
    st.caption(sentence)
