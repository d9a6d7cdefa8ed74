"""What the OpenAPI document says of the service as a whole, for people."""

from typing import Final

from services.contract.access import LICENCE_TIERS
from services.contract.endpoints import ENDPOINTS, EXTENSIONS


def _tiers() -> str:
    """Which endpoints each licence tier opens, as a Markdown table."""
    rows = []
    for tier, name in LICENCE_TIERS.items():
        listed = (*ENDPOINTS, *EXTENSIONS)
        opened = [f"`{one.path}`" for one in listed if tier in one.tiers]
        everything = len(opened) == len(listed)
        rows.append(f"| {name} | {'all of them' if everything else ', '.join(opened)} |")
    return "\n".join(["| Tier | Opens |", "|---|---|", *rows])


TITLE: Final = "Commercial Real Estate Credit Intelligence"
ABOUT: Final = f"""\
Read-only JSON over commercial real estate loans: the loan coverage, the parties behind the loans,
their ownership chains, the capital graph, and scored signals.

**Keys.** Every request carries `Authorization: Bearer <API_KEY>`. A key belongs to a licence tier
and to one environment, production or sandbox. A key in a URL is refused.

{_tiers()}

**Beyond the specification.** {" and ".join(f"`{one.path}`" for one in EXTENSIONS)} are extensions
of Credit Atlas: other services of the same specification need not have them. Keys, limits, paging,
errors and spelling are those of the other endpoints. Sponsors in them (`sponsors=yes`) need the
tier Complete.

**Limits.** Each key has a rate per minute and a daily quota. Every answer, an error too, says what
is left: `X-RateLimit-Remaining` requests in this minute, which ends in `X-RateLimit-Reset` seconds,
and `X-RateLimit-Daily-Remaining` today. Over a limit the answer is 429, and `Retry-After` says in
how many seconds to ask again. Requests without a valid key are counted by client address.

**Envelope.** Success is `{{data, pagination, meta}}`, pagination where there are pages. Stop when
`page` times `per_page` reaches `total`; a page beyond the last is empty. An error is
`{{error: {{code, message, request_id}}}}`; depend on the status, show the message, and name the
request_id to support.

**Values.** Null means that the source does not say, never zero. Dates are ISO 8601, amounts whole
US dollars, rates percent figures (6.055 is 6.055 %). Sets of words are open: expect new ones.
Nothing is clamped: a parameter that is unknown, given twice or out of bounds is a 400 that names
it.
"""
#: Sections of the document, in their order; each endpoint names its own.
SECTIONS: Final = {
    "Loans": "Normalized loan coverage.",
    "Entities": "Resolved parties and who owns whom.",
    "Capital graph": "How loans, borrowers, owners and capital sources are connected.",
    "Signals": "What a credit desk should look at, and why.",
    "Over time": (
        "Extensions of Credit Atlas, not in the specification: how loans stood on earlier dates, "
        "and what changed. A date is known where the filing of that date was imported; with none "
        "the answer is a 404."
    ),
}
