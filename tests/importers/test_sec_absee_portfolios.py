"""Exhibit 102 varied: portfolios of properties, sums, codes that repeat."""

import json
from pathlib import Path

import pytest

from services.importers.sec_absee import portfolio

SAMPLE = Path(__file__).with_name("sample_2025-1__mixed.xml")


def changed(tmp_path, *pairs, name="changed.xml"):
    """The sample with the first of each `old` made `new`, as a portfolio."""
    text = SAMPLE.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return portfolio([path])[0]


def test_a_code_of_two_digits_is_not_read_as_one_of_them(tmp_path):
    twelve = changed(tmp_path, ("<workoutStrategyCode>98<", "<workoutStrategyCode>12<"))
    assert twelve.loans["workout"][0].as_py() == "12"  # no 2, which is foreclosure


def test_a_sum_over_properties_of_which_one_is_silent_is_null(tmp_path):
    silent = "<valuationSecuritizationAmount>50000000.00</valuationSecuritizationAmount>"
    row = changed(tmp_path, (silent, "")).loans.to_pylist()[2]
    assert (row["value"], row["noi"]) == (None, 7_000_000)


@pytest.mark.parametrize("count", ["<NumberProperties>2</NumberProperties>", ""])
def test_a_sum_without_the_property_that_was_rejected_is_null(tmp_path, count):
    known = "<NumberProperties>2</NumberProperties>\n  <property>\n   <propertyName>Harbour"
    noi = "<netOperatingIncomeSecuritizationAmount>3000000.00"
    lost = changed(
        tmp_path,
        (known, known.replace("<NumberProperties>2</NumberProperties>", count)),
        (noi, f"<mostRecentFinancialsEndDate>soon</mostRecentFinancialsEndDate>{noi}"),
    )
    row = lost.loans.to_pylist()[2]
    assert (row["noi"], row["value"]) == (None, None)
    assert json.loads(row["further"])["properties_in_file"] == 1
    assert lost.rejects.to_pylist()[0]["reason"] == (
        'mostRecentFinancialsEndDate "soon" is not a date written MM-DD-YYYY.'
    )


def test_a_sum_of_fewer_properties_than_the_filer_states_is_null(tmp_path):
    more = "<NumberProperties>2</NumberProperties>\n  <property>\n   <propertyName>Harbour"
    row = changed(tmp_path, (more, more.replace("2", "3", 1))).loans.to_pylist()[2]
    assert (row["noi"], row["value"], row["property_city"]) == (None, None, "Hamilton")


def test_a_total_without_children_in_the_file_is_no_property(tmp_path):
    city, count = "<propertyCity>Springfield</propertyCity>", "<paidThroughDate>12-01"
    alone = changed(tmp_path, (city, ""), (count, f"<NumberProperties>3</NumberProperties>{count}"))
    row = alone.loans.to_pylist()[0]
    assert (row["property_name"], row["property_city"], row["noi"]) == (
        "Lantern Court",
        None,
        1_100_000,
    )
    assert 0 not in alone.properties["loan"].to_pylist()
    only_cityless = changed(tmp_path, (city, ""))
    assert only_cityless.properties["loan"].to_pylist()[0] == 0


def test_a_value_in_the_wrong_block_is_counted(tmp_path):
    odd = changed(tmp_path, ("<propertyState>MA", "<assetNumber>x</assetNumber><propertyState>MA"))
    assert odd.info.unmapped["assetNumber"] == 1


def test_a_code_of_foreclosure_is_not_drowned_by_others(tmp_path):
    repeated = "".join(f"<workoutStrategyCode>{code}</workoutStrategyCode>" for code in (1, 7, 2))
    found = changed(tmp_path, ("<workoutStrategyCode>98</workoutStrategyCode>", repeated))
    row = found.loans.to_pylist()[0]
    assert row["workout"] == "7"
    words = json.loads(row["further"])["workout_strategies"]
    assert words == ["modification", "REO", "foreclosure"]


def test_a_field_given_twice_with_two_values_rejects_the_record(tmp_path):
    twice = "<maturityDate>03-01-2030</maturityDate>"
    found = changed(tmp_path, (twice, twice + "<maturityDate>03-01-2031</maturityDate>"))
    assert found.rejects.to_pylist()[0]["reason"] == "maturityDate is given 2 times."


def test_leading_zeros_of_a_childs_number_do_not_make_it_an_orphan(tmp_path):
    padded = changed(tmp_path, ("<assetNumber>3-001<", "<assetNumber>003-001<"))
    assert padded.properties.to_pylist()[3]["property_name"] == "Harbour Hamilton"
    assert padded.rejects.num_rows == 7
