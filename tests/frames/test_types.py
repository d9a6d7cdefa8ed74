"""Columns of frames are typed, missing is NA and never 0, and each says its unit (D130)."""

import subprocess
import sys
import weakref

import pandas as pd
import pyarrow as pa
import pytest

from services.contract.errors import InvalidRequest
from services.contract.facts import FACT
from services.contract.vocabulary import SEVERITIES, TIERS
from services.frames import frame
from services.frames.columns import OF_LOANS, OF_SIGNALS, Column

DTYPES = {
    "whole": "Int64",
    "figure": "Float64",
    "flag": "boolean",
    "date": "datetime64[s]",
    "words": "category",
}


def test_every_column_has_the_dtype_of_its_fact_also_without_rows(of_store):
    for asked in ({}, {"min_dscr": 99, "state": "WY"}):
        found = of_store.atlas.loans(columns=list(OF_LOANS), **asked)
        for name, column in OF_LOANS.items():
            if column.type == "text":
                assert found[name].dtype == pd.StringDtype("pyarrow", na_value=pd.NA), name
            else:
                assert str(found[name].dtype) == DTYPES[column.type], name


def test_text_has_the_methods_that_pandas_gives_text(of_store):
    numbers = of_store.atlas.loans()["loan_number"]
    assert numbers.str.split(":").str[-1].tolist() == [one.split(":")[-1] for one in numbers]


def test_units_and_labels_of_each_column_are_told(of_store):
    found = of_store.atlas.loans(columns=list(OF_LOANS))
    assert found.attrs["labels"] == {name: one.label for name, one in OF_LOANS.items()}
    units = found.attrs["units"]
    counted = {"dollars", "percent", "fraction", "times", "basis points", "months", "area"}
    assert {name for name, fact in FACT.items() if fact.kind in counted} <= set(units)
    assert (units["book_value"], units["dscr"], units["ltv"]) == (
        "US dollars", "times", "fraction of 1",
    )  # fmt: skip


def test_columns_are_named_by_their_labels_where_they_are_asked_for(of_store):
    plain = of_store.atlas.loans(columns="loan_number,dscr,ltv,value")
    named = of_store.atlas.loans(columns="loan_number,dscr,ltv,value", labels=True)
    assert list(named) == ["Loan", "DSCR", "LTV", "Appraised value"]
    assert named["DSCR"].equals(plain["dscr"].rename("DSCR"))
    assert named.attrs["units"] == {
        "DSCR": "times", "LTV": "fraction of 1", "Appraised value": "US dollars",
    }  # fmt: skip
    assert {**named.attrs, "units": 0, "labels": 0} == {**plain.attrs, "units": 0, "labels": 0}
    with pytest.raises(InvalidRequest, match="'labels' is True or False"):
        of_store.atlas.loans(labels="yes")
    with pytest.raises(InvalidRequest, match="labels"):
        of_store.atlas.network(loan_number=plain["loan_number"].iloc[0], labels=True)


def test_no_frame_has_two_columns_of_one_label(of_store):
    atlas = of_store.atlas
    number = atlas.loans(columns="loan_number")["loan_number"].iloc[0]
    name = atlas.families()["entity_name"].iloc[0]
    frames = [
        atlas.loans(labels=True), atlas.signals(labels=True), atlas.properties(labels=True),
        atlas.tenants(labels=True), atlas.leases(labels=True), atlas.entities(labels=True),
        atlas.parties(labels=True), atlas.families(labels=True),
        atlas.loans_of(name, labels=True), atlas.chain(number, labels=True),
        atlas.paths(loan_number=number, labels=True),
        atlas.what_if(rates=100, labels=True), atlas.moved_loans(rates=100, labels=True),
    ]  # fmt: skip
    assert all(one.columns.is_unique and list(one) == list(one.attrs["labels"]) for one in frames)


def test_attrs_say_what_was_asked_of_what(of_store):
    said = of_store.atlas.loans(state="TX", min_ltv=60, defeased=False, order="-ltv").attrs
    loaded = of_store.atlas.snapshot()
    assert said["filters"] == "state TX; defeased no; min ltv 60.0; order -ltv"
    first = min(one.as_of for one in loaded.sources)
    assert said["as_of"] == f"{first} to {loaded.as_of}"
    assert said["snapshot"] == loaded.snapshot_id
    assert said["source"] == "; ".join(one.title for one in loaded.sources)
    assert of_store.atlas.loans().attrs["filters"] == "all loans"


def test_missing_is_na_and_never_zero(of_store):
    found = of_store.atlas.loans(columns=["loan_number", *OF_LOANS])
    assert found["book_value"].isna().any()
    assert (found["book_value"] == 0).any()
    assert found["property_state"].isna().any()
    assert found["maturity_date"].isna().any()
    nothing = found.loc[found["book_value"].isna(), "book_value"]
    assert nothing.iloc[0] is pd.NA
    assert found["book_value"].sum() == of_store.analytics.totals().book.book_value


def test_severities_and_tiers_are_in_their_order(of_store):
    found = of_store.atlas.signals(columns=["severity", "confidence_tier", "signal_type"])
    assert found["severity"].cat.categories.tolist()[-5:] == list(SEVERITIES)
    assert found["confidence_tier"].cat.categories.tolist() == list(TIERS)
    severe = found["severity"] >= "severe"
    assert severe.sum() == found["severity"].isin(["severe", "critical"]).sum()
    assert not found["signal_type"].cat.ordered


def test_words_without_a_rank_come_before_those_with_one():
    column = Column("severity", "words", "Severity", ranked=SEVERITIES)
    words = pa.chunked_array([["severe", None], ["odd", "low"]])
    found = frame.of_table(pa.table({"severity": words}), [column], {})["severity"]
    assert found.cat.categories.tolist() == ["odd", *SEVERITIES]
    assert found.isna().tolist() == [False, True, False, False]
    assert found.dropna().tolist() == ["severe", "odd", "low"]


def test_a_column_that_holds_nothing_has_its_type():
    columns = [
        Column(one, one, one) for one in ("whole", "figure", "flag", "date", "words", "text")
    ]
    table = pa.table({one.name: pa.nulls(2) for one in columns})
    found = frame.of_table(table, columns, {})
    assert found.isna().all().all()
    assert [str(one) for one in found.dtypes][:5] == list(DTYPES.values())


def test_text_stays_where_arrow_has_it():
    texts = pa.chunked_array([pa.array(["a", "b"] * 500)])
    column = Column("text", "text", "Text")
    found = frame.of_table(pa.table({"text": texts}), [column], {})["text"]
    held = found.array._pa_array
    assert held.chunk(0).buffers()[2].address == texts.chunk(0).buffers()[2].address


def test_a_frame_can_be_written_into_and_nobody_else_sees_it(of_store):
    asked = {"columns": ["loan_number", "book_value", "dscr", "maturity_date", "worst_severity"]}
    mine, other = of_store.atlas.loans(**asked), of_store.atlas.loans(**asked)
    mine.loc[0, "book_value"] = 7
    mine.loc[0, "dscr"] = 7.5
    mine.loc[0, "maturity_date"] = pd.Timestamp("2030-01-01")
    mine.loc[0, "worst_severity"] = "low"
    mine.loc[0, "loan_number"] = "mine"
    pd.testing.assert_frame_equal(of_store.atlas.loans(**asked), other)


def test_arrow_lets_go_of_every_column_that_the_frame_has_copied():
    size = 200_000
    columns = [Column(f"figure {at}", "figure", "") for at in range(10)]
    columns += [Column("text", "text", "")]

    def table():
        parts = {one.name: pa.array(range(size), pa.float64()) for one in columns[:10]}
        return pa.table(parts | {"text": pa.array([f"row {at}" for at in range(size)])})

    held = pa.total_allocated_bytes()
    found = frame.of_table(table(), columns, {})
    assert pa.total_allocated_bytes() - held <= 1.5 * found["text"].array.nbytes


def test_no_column_of_arrow_is_held_while_the_next_is_made():
    columns = [Column(f"figure {at}", "figure", "") for at in range(4)]
    made = []

    def parts():
        for _ in columns:
            assert not any(one() for one in made)
            part = pa.chunked_array([pa.array([1.0, None])])
            made.append(weakref.ref(part))
            yield part
            del part

    assert len(frame.of_columns(parts(), columns, {})) == 2
    assert len(made) == 4


def test_figures_of_several_chunks_are_one_column_with_what_is_missing():
    chunks = pa.chunked_array([[1, None], [], [None, 4]], pa.int64())
    days = pa.chunked_array([[None, 1], [2]], pa.date32())
    found = frame.of_table(pa.table({"n": chunks}), [Column("n", "whole", "")], {})["n"]
    assert (found.dtype, found.isna().tolist(), found.sum()) == (
        "Int64", [False, True, True, False], 5,
    )  # fmt: skip
    found = frame.of_table(pa.table({"d": days}), [Column("d", "date", "")], {})["d"]
    assert found.isna().tolist() == [True, False, False]
    assert found[2] == pd.Timestamp("1970-01-03")
    flags = pa.chunked_array([[True, None], [False]])
    found = frame.of_table(pa.table({"f": flags}), [Column("f", "flag", "")], {})["f"]
    assert (found.dtype, found[0], found.isna().tolist()) == (
        "boolean", True, [False, True, False],
    )  # fmt: skip


def test_of_signals_has_all_that_an_export_has():
    assert {"rules", "description", "signal_type", "severity", "refi_rate"} <= set(OF_SIGNALS)


def test_services_stay_light():
    lines = "import sys, services.sources, services.cli; assert 'pandas' not in sys.modules"
    subprocess.run([sys.executable, "-c", lines], check=True)
