"""The call behind a view: what to send to the API to get the same, as curl and as Python, and the
line that gives it as a DataFrame.
"""

import json
from typing import Any, Final

import streamlit as st

from components.frame import session
from components.kit import text
from components.kit.formatting import fixed
from services.api.serving import beside_pages
from services.contract import wire
from services.contract.frame_call import frame_call
from services.contract.records import GraphResult, LoanDetail, Page, Record
from services.contract.requests import Request, as_curl, as_python, loan_request

#: Where `creditatlas serve` answers, for pages that read a store.
SERVED: Final = "http://127.0.0.1:8000"
#: Records of a list that are shown.
SHOWN: Final = 3
#: Letters of a line that is shown: a set of loan numbers may hold thousands.
_LONGEST: Final = 5_000


def popover(
    request: Request, answer: Page[Any] | Record | None, note: str = "", frame: str | None = None
) -> None:
    """The request that a view amounts to, its key as a placeholder, and the answer to it.

    `note` says what a view adds to it, where one request is not all. `frame` is the line that gives
    the whole result as a DataFrame (contract/frame_call.py), where one does.
    """
    api = session.workspace().upstream
    base = api.base_url if api else served()
    with st.popover("API call", icon=":material/api:", help="The request behind this view"):
        if note:
            text.caption(note)
        if frame:
            _frame(frame)
        if base == SERVED:
            text.caption(f"Start the service with creditatlas serve: it answers on {SERVED}.")
        text.code(as_curl(base, request.path, request.params), language="bash")
        text.code(as_python(base, request.path, request.params), language="python")
        call = api.calls().get(request.target) if api else None
        if call:
            text.caption(f"Answered {call.status} in {fixed(1000 * call.seconds)} ms:")
            text.code(call.body[:20_000], language="json", height=260)
        elif answer is not None:
            text.caption("The same answer from here, in the API's spelling (first records):")
            text.code(as_sent(answer), language="json", height=260)


def served() -> str:
    """Where programs reach the API over what pages read: by the settings, else beside the pages
    with --api, else where `creditatlas serve` answers on this machine.
    """
    beside = session.site() if beside_pages() else SERVED
    return session.settings().service_url or beside


def of_loan(loan: LoanDetail) -> None:
    """The request behind the page of one loan."""
    number = loan.loan_number
    popover(loan_request(number), loan, frame=frame_call("loan", number))


def frames(*lines: str) -> None:
    """The lines alone, for a view that no endpoint answers."""
    with st.popover("Code", icon=":material/code:", help="The lines that give the same in Python"):
        for line in lines:
            _frame(line)


def _frame(line: str) -> None:
    if len(line) > _LONGEST:
        text.caption("Python (pandas): this set is too long to be written as a line.")
        return
    text.caption("Python (pandas), all rows:")
    text.code(line, language="python")


def as_sent(answer: Page[Any] | Record) -> str:
    """An answer as the API would send it, at most SHOWN records of a list."""
    body: dict[str, Any]
    if isinstance(answer, Page):
        paging = {"page": answer.page, "per_page": answer.per_page, "total": answer.total}
        data: Any = [wire.encode(one) for one in answer.items[:SHOWN]]
        body = {"data": data, "pagination": paging}
    else:
        data = wire.encode(answer)
        if isinstance(answer, GraphResult):
            data["paths"] = data["paths"][:SHOWN]
        body = {"data": data}
    return json.dumps(body, indent=2, ensure_ascii=False, default=str)
