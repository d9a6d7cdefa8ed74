"""Which filings make a history, and which are refused in one sentence. Pins D288."""

import pytest

from services.contract.errors import ImportRefused, InvalidRequest
from services.signals.assumptions import Assumptions
from services.track_record.history import read_history
from services.track_record.run import record, track_record
from tests.filed_loans import exhibit, house, loan
from tests.track_record.planted import TODAY, Plan, day_of, write, written

PACKAGED = Assumptions.packaged()


def test_filings_come_by_trust_then_date_whatever_the_order_of_the_files(tmp_path):
    write(tmp_path / "b", [2, 0, 1], "SECOND")
    write(tmp_path / "a", [1, 0], "FIRST")
    found = read_history([tmp_path / "b", tmp_path / "a"], PACKAGED)
    assert [(one.trust, one.as_of) for one in found] == [
        *(("FIRST", day_of(month)) for month in (0, 1)),
        *(("SECOND", day_of(month)) for month in (0, 1, 2)),
    ]


def test_loans_of_two_trusts_are_apart_though_their_numbers_are_the_same(tmp_path):
    write(tmp_path, range(14), "FIRST")
    write(tmp_path, range(14), "SECOND")
    found = record(read_history([tmp_path], PACKAGED), PACKAGED, TODAY)
    assert (found.loans, found.months, len(found.trusts)) == (28, 14, 2)
    assert [one.loan_number for one in found.distressed] == [
        *("FIRST:1", "SECOND:1", "FIRST:6", "SECOND:6")
    ]


def test_a_trust_whose_filings_end_early_is_not_looked_at_beyond_them(tmp_path):
    write(tmp_path, range(14), "LONG")
    write(tmp_path, range(8), "SHORT")
    found = record(read_history([tmp_path], PACKAGED), PACKAGED, TODAY)
    twelve = found.horizons[0]
    assert {one.trust: one.last for one in found.trusts} == {"LONG": day_of(13), "SHORT": day_of(7)}
    # Months 0 and 1 of the long one, but for the loan that was distressed from the first.
    assert (twelve.loan_months, twelve.loans) == (2 * 13, 13)
    assert found.lost == 0


def test_a_month_without_a_filing_is_counted_and_distress_is_seen_at_the_next(tmp_path):
    write(tmp_path, [*range(10), *range(12, 20)])
    found = record(read_history([tmp_path], PACKAGED), PACKAGED, TODAY)
    assert found.trusts[0].months_missing == 2
    first = found.distressed[0]
    assert (first.as_of, first.before) == (day_of(12), day_of(9))


def test_a_loan_that_is_defeased_is_looked_at_no_more_whatever_its_status(tmp_path):
    plan = Plan("1", {0: 1.5}, status={3: "3"}, house={2: {"DefeasedStatusCode": "F"}})
    write(tmp_path, range(6), plans=[plan])
    found = record(read_history([tmp_path], PACKAGED), PACKAGED, TODAY)
    assert (found.distressed, found.defeased, found.observed_loan_months) == ((), 1, 2)


def test_notes_of_one_loan_are_one_loan_at_every_date(tmp_path):
    """10 is the sum of 10A and 10B; in May no address tells so. 11 is a loan of its own."""
    at = {"loanStructureCode": "PP", "reportPeriodEndScheduledLoanBalanceAmount": None}
    parts = (("10", 15), ("10A", 10), ("10B", 5), ("11", 7))
    for day, street in (("03-11-2026", "1 Elm"), ("04-13-2026", "1 Elm"), ("05-11-2026", None)):
        records = [
            loan(number, house(propertyAddress=street or None), **at, reportingPeriodEndDate=day,
                 originalLoanAmount=f"{millions}000000",
                 reportPeriodEndActualBalanceAmount=f"{millions}000000",
                 originationDate="03-06-2017" if number != "11" else "03-07-2017")
            for number, millions in parts
        ]  # fmt: skip
        exhibit(tmp_path / f"NOTES 2017-1__rpt_{day[6:]}-{day[:2]}.xml", records)
    found = read_history([tmp_path], PACKAGED)
    numbers = [[one.loan_number for one in filing.loans] for filing in found]
    assert numbers == [["NOTES 2017-1:10", "NOTES 2017-1:11"]] * 3
    assert record(found, PACKAGED, TODAY).loan_months == 6


def test_a_loan_keeps_its_name_and_type_when_its_last_filing_says_neither(tmp_path):
    gone = {"propertyName": "", "propertyTypeCode": "", "propertyCity": ""}
    plan = Plan("1", {0: 1.5}, name="Ash House", status={2: "3"}, house={2: gone})
    write(tmp_path, range(3), plans=[plan])
    found = record(read_history([tmp_path], PACKAGED), PACKAGED, TODAY).distressed[0]
    assert (found.property_name, found.property_type) == ("Ash House", "multifamily")


def test_two_files_of_one_trust_and_month_are_refused_by_name(tmp_path):
    write(tmp_path, [0, 1])
    (tmp_path / "MADE_UP_2020-1__again.xml").write_text(written(1), "utf-8")
    with pytest.raises(ImportRefused) as refused:
        read_history([tmp_path], PACKAGED)
    assert str(refused.value) == (
        "MADE_UP_2020-1__2021-02.xml and MADE_UP_2020-1__again.xml are both of MADE UP 2020-1 for "
        "February 2021; name the one that counts."
    )


def test_one_name_of_the_trust_holds_for_files_that_do_not_tell_it(tmp_path):
    for month in (0, 1):
        (tmp_path / f"{month}.xml").write_text(written(month), "utf-8")
    assert len({one.trust for one in read_history([tmp_path], PACKAGED)}) == 2
    assert {one.trust for one in read_history([tmp_path], PACKAGED, deal="Ours")} == {"Ours"}


@pytest.mark.parametrize(
    ("content", "said"), [("", "is empty"), ("<loans/>", "starts with the element")]
)
def test_a_bad_file_among_good_ones_is_named(tmp_path, content, said):
    write(tmp_path, [0, 1])
    (tmp_path / "MADE_UP_2020-1__bad.xml").write_text(content, "utf-8")
    with pytest.raises(ImportRefused, match=f"^MADE_UP_2020-1__bad.xml {said}"):
        read_history([tmp_path], PACKAGED)


def test_no_file_at_all_is_refused(tmp_path):
    with pytest.raises(InvalidRequest, match="no file was given"):
        read_history([], PACKAGED)
    with pytest.raises(ImportRefused, match=r"holds no \.xml file"):
        read_history([tmp_path], PACKAGED)


def test_one_filing_gives_no_figure_and_says_so(tmp_path):
    write(tmp_path, [0])
    found = track_record([tmp_path], PACKAGED, TODAY)
    assert (found.distressed, found.distressed_at_first, found.observed_loan_months) == ((), 1, 13)
    assert [one.loan_months for one in found.horizons] == [0, 0]
    assert {one.auc for horizon in found.horizons for one in horizon.discriminations} == {None}


def test_progress_names_each_file_and_ends_at_one(tmp_path):
    write(tmp_path, [0, 1])
    heard = []
    track_record([tmp_path], PACKAGED, TODAY, progress=lambda *said: heard.append(said))
    assert heard == [
        ("scoring MADE_UP_2020-1__2021-01.xml", 0.0),
        ("scoring MADE_UP_2020-1__2021-02.xml", 0.5),
        ("looking ahead", 1.0),
    ]
