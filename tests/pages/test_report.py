"""The report on paper (D272): its figures are those of the loans, its words are never markup."""

import io
import re
from collections import defaultdict

import pytest
from pypdf import PdfReader

from components.kit.formatting import count, money, percent
from components.kit.typesetting import typeset
from components.report.contents import contents
from components.report.drawing import state_map
from services.contract.loan_filter import LoanFilter
from services.importers import demo
from services.store.leases import Store
from tests.hostile import LINKS, PICTURES
from tests.oracle_notes import ungraded
from tests.publishing import load, load_once
from tests.world import RATES, Sketch, info_of

TEXAN = LoanFilter(state=("TX", "CA", "NY"), property_type=("office", "retail"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    load_once(folder, [demo.portfolio(loans=900)])
    return folder


def every(source, query):
    """Rows of all loans that match."""
    names = (
        "property_state",
        "worst_severity",
        "book_value",
        "dollars_short",
        "disposition",
        "effective_maturity",
        "exemption",
    )
    pages = range(1, 20)
    found = [
        one.values
        for page in pages
        for one in source.loans_found(query.model_copy(update={"page": page, "per_page": 100}),
                                      names).items
    ]  # fmt: skip
    assert len(found) == source.loans_found(query, ()).total
    return found


def written(made):
    return "\n".join(
        page.extract_text()
        for page in PdfReader(io.BytesIO(typeset("report.typ", made, "pdf"))).pages
    )


@pytest.mark.parametrize("query", [LoanFilter(), TEXAN], ids=["all", "some"])
def test_the_figures_are_sums_over_the_loans_one_by_one(source, query):
    made, rows = contents(source, query, "All loans"), every(source, query)
    book = sum(row["book_value"] or 0 for row in rows)
    assert made["headline"][0][1:] == [money(book), f"{count(len(rows))} loans"]
    short = sum(row["dollars_short"] or 0 for row in rows)
    assert made["headline"][4][1] == money(short)
    by_word = defaultdict(list)
    for row in rows:
        by_word[row["worst_severity"] or ungraded(row)].append(row)
    for name, loans, value, _ in made["severities"]["rows"]:
        word = "none" if name == "no signal" else name.removeprefix(name[0] + " ")
        assert loans == count(len(by_word[word]))
        assert value == money(sum(row["book_value"] or 0 for row in by_word[word]))
    states = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        here = states[row["property_state"]]
        here[0] += row["book_value"] or 0
        here[1] += (row["book_value"] or 0) * (row["worst_severity"] in {"severe", "critical"})
        here[2] += 1
    shares = [
        percent(100 * bad / whole, 1)
        for whole, bad, loans in sorted(states.values(), key=lambda one: -one[1] / (one[0] or 1))
        if bad and loans >= 10
    ]
    assert [row[1] for row in made["states"]["rows"]] == shares[:12]
    quarters = defaultdict(int)
    for row in rows:
        if (day := row["effective_maturity"]) and not row["exemption"]:
            quarters[f"{day.year} Q{(day.month + 2) // 3}"] += row["book_value"] or 0
    for word, _, value, *_ in made["quarters"]["rows"]:
        assert value == money(quarters[word])


def test_the_worst_loans_come_in_the_order_of_the_pages(source):
    made = contents(source, LoanFilter(), "All loans")
    query = LoanFilter(severity=("severe", "critical"), order="-worst_severity")
    numbers = [one.loan_number for one in source.loans_found(query, ()).items]
    drawn = demo.portfolio(loans=900).loans.select(["loan_number", "property_name"]).to_pylist()
    called = {row["loan_number"]: row["property_name"] for row in drawn}
    named = [f"{called[one]} ({one})" for one in numbers]
    assert [row[0] for row in made["worst"]["rows"]] == named


def test_the_paper_has_its_words_and_figures(source):
    made = contents(source, TEXAN, "Office or retail loans in California, New York or Texas")
    paper = written(made)
    assert "Office or retail loans in California, New York or Texas" in paper
    assert made["headline"][0][1] in paper
    assert made["evidence"] in " ".join(paper.split())
    flat = "".join(paper.split())
    for row in made["worst"]["rows"]:
        assert "".join(row[0].split()) in flat
    assert "Demonstration data" in paper
    assert "As of 30 Sep 2026" in paper
    # Rates and tables by the names that a reader knows.
    assert "10-year Treasury" in paper
    assert "the limits of Credit Atlas, version 4" in " ".join(paper.split())
    assert not any(word in paper for word in ("DGS10", "packaged"))


def test_paper_is_set_in_the_type_and_the_chips_of_the_pages(source):
    found = contents(source, LoanFilter(), "All loans")
    sheets = PdfReader(io.BytesIO(typeset("report.typ", found, "pdf"))).pages
    first = sheets[0]
    faces = {str(one.get_object()["/BaseFont"]) for one in first["/Resources"]["/Font"].values()}
    assert any("SourceSansPro-Bold" in face for face in faces)
    assert any("SourceSansPro-Regular" in face for face in faces)
    drawn = re.findall(r"([.\d]+) ([.\d]+) ([.\d]+) scn", first.get_contents().get_data().decode())
    fills = {tuple(round(float(part) * 255) for part in one) for one in drawn}
    # The grounds of "critical" and "severe".
    assert fills >= {(0x7A, 0x1F, 0x1F), (0xD5, 0x5E, 0x00)}


def test_a_table_of_few_rows_is_not_cut_in_two(source):
    found = contents(source, LoanFilter(), "All loans")
    for above in range(0, 300, 20):
        # Words that push the tables down the sheet, line by line.
        made = {**found, "spreads": "Spreads. " * above}
        sheets = PdfReader(io.BytesIO(typeset("report.typ", made, "pdf"))).pages
        texts = [one.extract_text() for one in sheets]
        first, *_, last = (row[0] for row in found["quarters"]["rows"])
        assert any(f"\n{first}" in one and f"\n{last}" in one for one in texts), above


def test_a_result_without_loans_is_a_report_of_nothing(source):
    made = contents(source, LoanFilter(state=("GU",), min_balance=10**12), "All loans")
    assert made["headline"][0][1:] == ["$0", "0 loans"]
    assert "No loan carries a signal." in written(made)
    assert "No state of ten loans or more has any" in " ".join(written(made).split())


def test_hostile_names_stand_on_paper_as_they_are(tmp_path):
    sketch = Sketch(info_of("hostile"))
    for at, name in enumerate((*PICTURES, *LINKS)):
        sketch.loan(
            f"H-{at}", lender_normalized=name, property_city=name, payment_status="3",
            property_state="TX", book_value=10**7 + at,
        )  # fmt: skip
    load(tmp_path, [sketch.portfolio()], rates=RATES)
    with Store(tmp_path).lease() as source:
        made = contents(source, LoanFilter(), 'Loans “#image("/etc/passwd")” *in* $x$')
    paper = "".join(written(made).split())
    assert '#image("/etc/passwd")”*in*$x$' in paper
    assert "<script>" in paper
    # A property without a name leaves the number alone.
    assert {row[0] for row in made["worst"]["rows"]} <= {f"H-{at}" for at in range(99)}
    # A book that names no sponsor is concentrated in none, and each source has its own date.
    titles = [one["title"] for one in made["concentration"]]
    assert titles == [f"Concentration by {by}" for by in ("lender", "state", "property type")]
    assert f"asof{made['as_of']}".replace(" ", "") in paper.split("Bookvalue")[0]


def test_the_map_colours_states_by_their_class():
    drawn = state_map({"TX": 31, "CA": 4.9})
    assert drawn.count("<path") == 51
    assert drawn.count('fill="#993404"') == 2  # Texas and its class in the legend
    assert drawn.count('fill="#ffffd4"') == 2
