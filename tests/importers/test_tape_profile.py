"""What columns of a tape are taken for, what is asked of them, and profiles (D205, D207)."""
# ruff: noqa: E501 - a row of a tape stands on one line

from datetime import date

import pytest

from services.contract.errors import ImportRefused
from services.importers import tape as tapes
from services.importers.tape import Choice, Profile, tape
from tests.importers.tape_reading import DAY, read


def test_columns_that_are_alike_and_values_are_proposed_and_never_taken_unasked(written):
    text = "Loan Number,Curent Balance,Where,Zyx\n1,5,TX,q\n2,6,CA,r\n"
    plan = tape(written(text), as_of=DAY).plan
    found = {one.name: (one.field, one.taken) for one in plan.columns}
    assert found["Curent Balance"] == ("book_value", True)
    assert found["Where"] == ("property_state", False)
    assert found["Zyx"] == (None, False)
    assert plan.columns[2].examples == ("TX", "CA")
    got = read(written(text), columns={"Where": Choice("property_state")})
    assert got.loans["property_state"].to_pylist() == ["TX", "CA"]
    assert got.info.unmapped == {"Zyx": 2}


def test_what_a_column_does_not_tell_is_asked_with_the_line_to_add(written):
    text = "Loan #,Balance,Maturity,Rate\n1,5,3/4/2027,5.25\n2,6,5/6/2027,0.0525\n"
    asks = tape(written(text), as_of=DAY).plan.asks
    assert asks == (
        (
            "Column 'Maturity' (3/4/2027, 5/6/2027): the month or the day may stand first, and no date"
            " of the file tells; say 'M/D/Y' or 'D/M/Y': [columns.\"Maturity\"] read = \"M/D/Y\" in the"
            ' profile, or --read "Maturity=M/D/Y"'
        ),
        (
            "Column 'Rate' (5.25, 0.0525): its figures do not tell their unit (1 fit 'percent'; 1 fit"
            " 'fraction'); say 'percent' or 'fraction': [columns.\"Rate\"] read = \"percent\" in the"
            ' profile, or --read "Rate=percent"'
        ),
    )
    said = {"Maturity": Choice(read="D/M/Y"), "Rate": Choice(read="percent")}
    found = tape(written(text), as_of=DAY, columns=said)
    assert found.rows.rejected == {
        1: "Rate '0.0525' is too small in a column of rates read as percent"
    }
    assert found.portfolio().loans["maturity_date"].to_pylist() == [date(2027, 4, 3)]


def test_a_profile_says_the_next_tape_of_a_book(written):
    text = 'Nr;Owed;Due;Paid\n1;1.250,50;03/04/2030;"x\\"]\n[y"\n2;2.000,00;05/06/2031;-\n'
    with pytest.raises(ImportRefused, match="has no column that is the number"):
        tape(written(text), as_of=DAY).portfolio()
    said = Profile(
        book="North",
        number=("Nr",),
        columns={
            "Owed": Choice("book_value"),
            "Due": Choice("maturity_date", "D/M/Y"),
            "Paid": Choice("-"),
        },
    )
    first = tape(written(text), said, as_of=DAY)
    saved = tapes.parse(tapes.written(tapes.saved(first.plan)).encode(), "north.toml")
    again = tape(written(text), saved, as_of=DAY).portfolio()
    assert again.loans.to_pylist() == first.portfolio().loans.to_pylist()
    assert again.loans["book_value"].to_pylist()[0] == 1_250  # half to even of 1,250.50
    assert again.loans["maturity_date"].to_pylist() == [date(2030, 4, 3), date(2031, 6, 5)]
    assert again.loans["loan_number"].to_pylist() == ["North:1", "North:2"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("number = 5", "number must be a list"),
        ('colums = "x"', "there is no 'colums'"),
        ('[columns."A"]\nfield = "blance"', "there is no field 'blance'"),
        ('[columns."A"]\nfield = "book_valu"', "did you mean 'book_value'"),
        ('[columns."A"]\nscale = "tons"', "scale is one of dollars, thousands, millions"),
        ('[columns."A"]\nfeld = "x"', "cannot be used"),
        ("header_row = 0", "whole number from 1"),
        ("delimiter = ';;'", "one character"),
        ("[rows]\nPF = 'house'", "a row is a 'loan' or a 'property'"),
        ("book = ''", "a book's name has 1 to 80 printable characters"),
        ("a = [", "cannot be used"),
        ("\xff", "cannot be used"),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(ImportRefused, match=sentence.replace("[", r"\[")):
        tapes.parse(text.encode("latin-1"), "p.toml")


def test_a_reading_that_a_column_cannot_have_is_refused(written):
    said = {"Rate": Choice("interest_rate", "D/M/Y")}
    with pytest.raises(ImportRefused, match="which is read as 'percent', 'fraction'"):
        tape(written("Loan Number,Balance,Rate\n1,2,3\n"), Profile(columns=said), as_of=DAY)
