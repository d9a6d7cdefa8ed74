"""Queries from untrusted text: every bound, what is refused, and the sentence that says why."""

from datetime import date

import pytest

from services.contract.errors import InvalidRequest
from services.contract.queries import (
    EntityQuery,
    LoanQuery,
    PathQuery,
    SignalQuery,
    parse,
    shortened,
)

LOAN = {"loan_number": "LN-1"}


def refused(kind, params):
    with pytest.raises(InvalidRequest) as caught:
        parse(kind, params)
    assert caught.value.status == 400
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()
    return caught.value


def test_nothing_given_is_the_first_page_of_everything():
    assert parse(LoanQuery, {}) == LoanQuery(page=1, per_page=25)
    assert parse(EntityQuery, {}) == EntityQuery(page=1, per_page=25)
    assert parse(SignalQuery, {}) == SignalQuery(page=1, per_page=25)
    assert parse(PathQuery, LOAN) == PathQuery(loan_number="LN-1", depth=3, page=1, per_page=25)


def test_an_empty_value_counts_as_not_given():
    assert parse(LoanQuery, {"state": "", "page": "", "maturity_after": ""}) == LoanQuery()


BOUNDS = [
    (LoanQuery, "page", "1", "1000000000", "0", "1000000001"),
    (LoanQuery, "per_page", "1", "100", "0", "101"),
    (EntityQuery, "per_page", "1", "100", "0", "101"),
    (SignalQuery, "per_page", "1", "100", "0", "101"),
    (PathQuery, "per_page", "1", "25", "0", "26"),
    (PathQuery, "page", "1", "1000000000", "0", "1000000001"),
    (PathQuery, "depth", "1", "6", "0", "7"),
    (EntityQuery, "confidence_min", "0", "1", "-0.0001", "1.0001"),
    (LoanQuery, "min_balance", "-1" + "0" * 15, "1" + "0" * 15, "-1" + "0" * 14 + "1", "1" * 16),
    (LoanQuery, "max_balance", "-1" + "0" * 15, "1" + "0" * 15, "-1" + "0" * 14 + "1", "1" * 16),
]


@pytest.mark.parametrize(("kind", "name", "least", "most", "below", "above"), BOUNDS)
def test_a_bound_itself_is_allowed_and_the_next_value_refused(
    kind, name, least, most, below, above
):
    root = LOAN if kind is PathQuery else {}
    for value in (least, most):
        assert getattr(parse(kind, root | {name: value}), name) == float(value)
    for value, limit in ((below, "at least"), (above, "at most")):
        error = refused(kind, root | {name: value})
        assert error.parameter == name
        assert f"'{name}' is '{value}' but must be {limit} " in str(error)


def test_nothing_is_clamped():
    # D4: a caller who asks for 500 rows must not believe that 100 were all.
    assert str(refused(LoanQuery, {"per_page": "500"})) == (
        "Parameter 'per_page' is '500' but must be at most 100"
    )


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"page": "0"}, "Parameter 'page' is '0' but must be at least 1"),
        ({"page": "two"}, "Parameter 'page' is 'two' but must be a whole number"),
        (
            {"min_balance": "9" * 16},
            (
                "Parameter 'min_balance' is '9999999999999999' but must be at most"
                " 1,000,000,000,000,000"
            ),
        ),
        (
            {"state": "Texas"},
            "Parameter 'state' is 'Texas' but must be a two-letter US state code; write 'TX'",
        ),
        ({"state": "T"}, "Parameter 'state' is 'T' but must be a two-letter US state code"),
        (
            {"maturity_before": "15/03/2027"},
            "Parameter 'maturity_before' is '15/03/2027' but must be a date written as YYYY-MM-DD",
        ),
        (
            {"maturity_after": "2027-02-29"},
            (
                "Parameter 'maturity_after' is '2027-02-29' but is not a day of the calendar;"
                " write YYYY-MM-DD"
            ),
        ),
        (
            {"lender": "x" * 201},
            f"Parameter 'lender' is '{'x' * 60}...' but must be at most 200 characters long",
        ),
        ({"lender": "\x00"}, "Parameter 'lender' is '�' but must be readable text"),
        ({"stat": "TX"}, "Unknown parameter 'stat'; did you mean 'state'?"),
        ({"perpage": "5"}, "Unknown parameter 'perpage'; did you mean 'per_page'?"),
        ({"minbalance": "5"}, "Unknown parameter 'minbalance'; did you mean 'min_balance'?"),
        (
            {"zzz": "1"},
            (
                "Unknown parameter 'zzz'; known are page, per_page, state, lender, min_balance,"
                " max_balance, maturity_before, maturity_after, rate_pressure"
            ),
        ),
    ],
)
def test_the_sentence_names_the_parameter_its_value_and_what_is_allowed(params, sentence):
    assert str(refused(LoanQuery, params)) == sentence


def test_a_confidence_that_is_no_number_is_named():
    assert str(refused(EntityQuery, {"confidence_min": "high"})) == (
        "Parameter 'confidence_min' is 'high' but must be a number"
    )


@pytest.mark.parametrize("params", [{}, LOAN | {"entity_name": "X"}, {"loan_number": ""}])
def test_a_walk_has_exactly_one_root(params):
    # D6
    assert str(refused(PathQuery, params)) == (
        "Give exactly one of 'loan_number' and 'entity_name'"
    )
    assert refused(PathQuery, params).parameter is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (LoanQuery, "State"),
        (LoanQuery, "depth"),
        (LoanQuery, "severity"),
        (EntityQuery, "state"),
        (SignalQuery, "lender"),
        (PathQuery, "state"),
        (LoanQuery, " state"),
        (LoanQuery, "slicing"),
        (LoanQuery, "model_config"),
        (LoanQuery, "api_key"),
    ],
)
def test_a_parameter_of_another_endpoint_is_unknown(kind, name):
    # D7: a typo must not return everything.
    assert refused(kind, {name: ""}).parameter == name
    assert refused(kind, {name: "1"}).parameter == name


def test_a_state_is_two_letters_in_either_case():
    for given in ("tx", "TX", "Tx", "tX"):
        assert parse(LoanQuery, {"state": given}).state == "TX"
    for code in ("DC", "PR", "GU", "VI", "AS", "MP"):  # D10: DC and the five territories
        assert parse(SignalQuery, {"state": code}).state == code


@pytest.mark.parametrize(
    "value",
    # The ligature and the long s turn into FL and SD in upper case.
    ["D0", "ZZ", "XX", "TX ", " TX", "T X", "TXX", "ﬂ", "ſd", "ＴＸ", "TX\n", "48", "texas!"],
)
def test_anything_else_is_no_state(value):
    assert refused(LoanQuery, {"state": value}).parameter == "state"


@pytest.mark.parametrize("value", ["2028-02-29", "0001-01-01", "9999-12-31", "2000-02-29"])
def test_a_day_of_the_calendar_is_a_date(value):
    assert parse(LoanQuery, {"maturity_before": value}).maturity_before == date.fromisoformat(value)


@pytest.mark.parametrize(
    "value",
    [
        *("2028-02-30", "2027-02-29", "1900-02-29", "2028-13-01", "2028-00-01", "2028-01-00"),
        *("0000-01-01", "2028-2-3", "20280203", "2028-W06-4", "2028-034", "28-02-03"),
        *("２０２８-02-03", "٢٠٢٨-٠٢-٠٣", "2028‑02‑03", "2028-02-03 ", " 2028-02-03"),
        *("2028-02-03T00:00:00", "2028-02-03T00:00:00Z", "2028-02-03 00:00", "1832889600"),
        *("2028-02-03\n", "-2028-02-03", "+2028-02-03", "12028-02-03", "today", "null", "0"),
    ],
)
def test_anything_else_is_no_date(value):
    for name in ("maturity_before", "maturity_after"):
        assert refused(LoanQuery, {name: value}).parameter == name


def test_digits_of_other_scripts_are_a_matter_of_form_not_of_the_calendar():
    for value in ("２０２８-02-03", "٢٠٢٨-٠٢-٠٣"):
        error = refused(LoanQuery, {"maturity_before": value})
        assert str(error).endswith("but must be a date written as YYYY-MM-DD")


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("007", 7), ("+7", 7), ("-7", -7)])
def test_a_whole_number_may_have_a_sign_and_leading_zeros(text, number):
    assert parse(LoanQuery, {"min_balance": text}).min_balance == number


def test_minus_zero_is_zero():
    assert parse(LoanQuery, {"min_balance": "-0"}).min_balance == 0
    assert parse(EntityQuery, {"confidence_min": "-0"}).confidence_min == 0
    assert "must be at least 1" in str(refused(LoanQuery, {"page": "-0"}))


NO_WHOLE = [
    *("1e3", "0x10", "0b1", " 5", "5 ", "5\n", "\t5", "1_000", "1,000", "1.0", "1.", ".5", "5.5"),
    *("٣", "５", "²", "½", "Ⅷ", "--1", "+-1", "+", "-", "nan", "inf", "True", "null", "1 0", "$5"),
]


@pytest.mark.parametrize("value", NO_WHOLE)
def test_anything_else_is_no_whole_number(value):
    for kind, name in (
        (LoanQuery, "page"),
        (LoanQuery, "per_page"),
        (LoanQuery, "min_balance"),
        (PathQuery, "depth"),
    ):
        error = refused(kind, {name: value})
        assert error.parameter == name
        assert str(error).endswith("but must be a whole number")


@pytest.mark.parametrize("value", ["0.7", ".7", "0.70", "+0.7", "7e-1"])
def test_a_score_may_be_written_in_several_ways(value):
    assert parse(EntityQuery, {"confidence_min": value}).confidence_min == 0.7


@pytest.mark.parametrize(
    "value", ["70%", "0,7", "1e3", "1e0", "nan", "inf", "-inf", "0x1", " 0.7", "٠.٧", ".", "1/2"]
)
def test_anything_else_is_no_score(value):
    assert str(refused(EntityQuery, {"confidence_min": value})).endswith("but must be a number")


def test_a_number_far_beyond_a_bound_is_told_the_bound():
    for value in ("9" * 19, "9" * 40, "9" * 100):
        assert "must be at most 1,000,000,000" in str(refused(LoanQuery, {"page": value}))


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((LoanQuery, name) for name in LoanQuery.model_fields),
        *((EntityQuery, name) for name in EntityQuery.model_fields),
        *((PathQuery, name) for name in PathQuery.model_fields),
        *((SignalQuery, name) for name in SignalQuery.model_fields),
    ],
)
@pytest.mark.parametrize("letter", ["7", "é", "\x00"])
def test_ten_million_characters_are_refused_in_a_short_sentence(kind, name, letter):
    assert refused(kind, {name: letter * 10_000_000}).parameter == name


def test_a_name_of_ten_million_characters_is_refused_in_a_short_sentence():
    assert refused(LoanQuery, {"x" * 10_000_000: "1"}).parameter == "x" * 60 + "..."


@pytest.mark.parametrize("value", ["a\x00b", "a\x07b", "a\x1b[31mb", "a\u202eb", "\ud800", "   "])
def test_control_characters_are_not_words(value):
    for kind, name in ((LoanQuery, "lender"), (EntityQuery, "name"), (SignalQuery, "severity")):
        assert str(refused(kind, {name: value})).endswith("but must be readable text")


def test_words_are_tidied_and_categories_folded():
    assert parse(LoanQuery, {"lender": "  Lakeshore \n Life "}).lender == "Lakeshore Life"
    assert parse(LoanQuery, {"rate_pressure": " SEVERE "}).rate_pressure == "severe"
    assert parse(SignalQuery, {"signal_type": "Rate_Pressure"}).signal_type == "rate_pressure"


def test_a_root_is_looked_up_as_it_stands():
    for number in (" LN-1", "LN  1", "ln-1", "Ä-1", "A\u0308-1", "a\tb", "'; DROP TABLE loans"):
        assert parse(PathQuery, {"loan_number": number}).loan_number == number
        assert parse(PathQuery, {"entity_name": number}).entity_name == number


@pytest.mark.parametrize("value", ["LN\x00", "\ud800", "x" * 1001])
def test_a_root_without_meaning_is_refused(value):
    assert refused(PathQuery, {"loan_number": value}).parameter == "loan_number"


def test_outside_text_in_a_message_is_printable_and_short():
    assert shortened("plain") == "plain"
    assert shortened("a\nb\x1b") == "a�b�"
    assert shortened("x" * 60) == "x" * 60
    assert shortened("x" * 61) == "x" * 60 + "..."
