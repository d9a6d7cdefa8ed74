"""A user's own limits, spreads, rates: a good file counts, a bad entry is refused by line (D59)."""

from importlib.resources import files

import pytest

from services.contract.errors import ImportRefused, SettingsInvalid
from services.contract.snapshot_info import TableUsed
from services.rates.reference import ReferenceRates
from services.rates.spreads import Sizings
from services.signals.assumptions import Assumptions
from services.signals.limits import Limits

LIMITS = files("services.signals").joinpath("limits.toml").read_text("utf-8")
SPREADS = files("services.rates").joinpath("spreads.toml").read_text("utf-8")
RATES = "date,series,percent\n2026-08-31,DGS10,4.50\n"


def changed(text, *changes):
    """The text with each of (old, new) put in once; a blank old is added at the end."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1) if old else f"{text}\n{new}\n"
    return text


def line_with(text, part):
    """Number of the first line that holds the part."""
    return next(at for at, line in enumerate(text.splitlines(), 1) if part in line)


@pytest.fixture
def own(tmp_path):
    """A file of the user's."""

    def write(text, name="house.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    return write


def test_a_house_that_watches_closer_grades_by_its_own_limits(outcome_of, assumptions, own):
    stricter = changed(
        LIMITS,
        ("version = 4", "version = 7"),
        ('moderate = "< 1.25"', 'moderate = "< 1.45"'),
        (
            '[CV-1.types."lodging"]',
            '[CV-1.types."office"]\nmoderate = "< 1.50"\n\n[CV-1.types."lodging"]',
        ),
        ("full_to_months = 24", "full_to_months = 30"),
        ('"9" = "severe"', '"8" = "moderate"\n"9" = "severe"'),
    )
    using = Assumptions(assumptions.rates, Limits.read(own(stricter)), assumptions.sizings)
    outcome = outcome_of(using=using, dscr=1.48, underwritten_dscr=1.48)
    assert outcome.rules["CV-1"] == "moderate"
    assert "is under the 1.50x limit for moderate (office)" in outcome.said["stress_indicator"]
    (component,) = outcome.components
    assert (component["limit"], component["limits_version"]) == (1.5, 7)
    assert outcome_of(using=using, dscr=1.48, property_type="retail").rules["CV-1"] == "silent"
    assert outcome_of(using=using, workout="8").rules["ST-1"] == "moderate"
    late = {
        "interest_rate": 3.5,
        "ncf": 730_000,
        "dscr": 1.3,
        "underwritten_dscr": None,
    }  # at 30 months: in full now
    assert outcome_of(using=using, **late).rules["RP-1"] == "severe"
    assert outcome_of(**late).rules["RP-1"] == "elevated"
    card = next(one for one in outcome.scored.rules if one.id == "CV-1")
    assert dict(card.ladder)["moderate"] == "under 1.45x (office 1.50x)"
    assert card.clears_when == "DSCR of the latest filed period reaches 1.45x."
    assert outcome.scored.rests_on[0] == TableUsed(table="limits", origin="house.toml", version=7)


def test_a_severity_that_a_house_leaves_out_is_never_reached(outcome_of, assumptions, own):
    milder = changed(LIMITS, ('severe = "> 1.00"\n', ""), ('elevated = "> 0.80"\n', ""))
    using = Assumptions(assumptions.rates, Limits.read(own(milder)), assumptions.sizings)
    assert outcome_of(using=using, value=1_000_000).rules["LV-1"] == "moderate"


def test_a_house_that_lends_dearer_refinances_dearer(outcome_of, assumptions, own):
    dearer = changed(
        SPREADS,
        ("version = 3", "version = 9"),
        ("spread_bp = 245", "spread_bp = 345"),
        ("min_debt_yield_pct = 11.0", "min_debt_yield_pct = 15.5"),
    )
    using = Assumptions(assumptions.rates, assumptions.limits, Sizings.read(own(dearer)))
    outcome = outcome_of(using=using, ncf=830_000, interest_rate=3.95)
    assert outcome.features["refi_rate"] == 7.95
    assert outcome.features["rate_gap_bp"] == 400
    assert outcome.rules["DY-1"] == "moderate"
    assert "(minimum for office 15.50%)" in outcome.said["stress_indicator"]
    assert "+ 345 bp for office)" in outcome.said["rate_pressure"]
    assert outcome.scored.rests_on[1] == TableUsed(table="spreads", origin="house.toml", version=9)


def test_a_house_with_rates_of_its_own_refinances_at_them(outcome_of, assumptions, own):
    text = "date,series,percent\n2026-09-29,DGS10,6.00\n"
    rates = ReferenceRates.read(own(text, "ours.csv"))
    using = Assumptions(rates, assumptions.limits, assumptions.sizings)
    outcome = outcome_of(using=using)
    assert outcome.features["refi_rate"] == 8.45
    assert outcome.scored.rests_on[2] == TableUsed(table="reference rates", origin="ours.csv")


def test_the_packaged_files_are_good_files_of_a_users_own(own):
    packaged = Assumptions.packaged()
    found = Assumptions.of(limits=own(LIMITS), spreads=own(SPREADS, "spreads.toml"))
    assert found.limits.ladders == packaged.limits.ladders
    assert found.limits.sections == packaged.limits.sections
    assert (found.sizings.default, found.sizings.by_type) == (
        packaged.sizings.default,
        packaged.sizings.by_type,
    )
    assert [one.origin for one in found.tables()] == [
        "house.toml",
        "spreads.toml",
        "packaged",
    ]
    assert [one.origin for one in packaged.tables()] == ["packaged"] * 3


LEVELS = (
    "[OC-1.levels] # or under this, where underwriting had more\nmoderate = 0.80\nelevated = 0.60"
)
#: What is changed, the line that is named (by what stands on it), and what is said of it.
BAD_LIMITS = [
    ("version = 4", "version = 2.5", "version = 2.5", "version must be a whole number"),
    ("version = 4", "version = true", "version = true", "version must be a whole number"),
    ("version = 4", "version = 0", "version = 0", "version is 0 but must lie from 1 to 32767"),
    ("version = 4\n", "", "# The limits", "version must be a whole number"),
    ('elevated = "> 0.80"', 'elevated = "over 0.80"', "over 0.80",
     "LV-1.elevated is 'over 0.80' but must read like \">= 200\""),
    ('elevated = "> 0.80"', "elevated = 0.80", "elevated = 0.80",
     'LV-1.elevated is 0.8 but must read like ">= 200"'),
    ('elevated = "> 0.80"', 'elevated = "< 0.80"', '"< 0.80"',
     'LV-1.elevated must begin with ">", as ours does'),
    ('elevated = "> 0.80"', 'elevated = "> 0.60"', '"> 0.60"',
     "LV-1.elevated is easier to reach than moderate"),
    ('elevated = "> 0.80"', 'grave = "> 0.80"', "grave", "LV-1.grave is not known"),
    ("[NI-1]", "[NI-2]", "[NI-2]", "NI-2 is not known"),
    ('unit = "bp"', 'unit = "x" # ours', "# ours", 'RP-1.unit must stay "bp"'),
    ('relative_to = "min_debt_yield"', 'relative_to = "noi"', '"noi"',
     'DY-1.relative_to must stay "min_debt_yield"'),
    ('moderate = ">= 0.05"\n', "", "[CN-1]",
     "CN-1 needs a limit for one of moderate, elevated, severe, critical"),
    ("full_to_months = 24\n", "", "[RP-1.urgency]",
     "RP-1.urgency.full_to_months is missing; copy it from the packaged limits.toml"),
    ("full_to_months = 24", "full_to_month = 24", "full_to_month ",
     "RP-1.urgency.full_to_month is not known"),
    ("full_to_months = 24", 'full_to_months = "24"', '"24"',
     "RP-1.urgency.full_to_months is '24' but must be a number from 0"),
    ("full_to_months = 24", "full_to_months = nan", "= nan",
     "RP-1.urgency.full_to_months is nan but must be a number from 0"),
    ("full_to_months = 24", "full_to_months = 48", "one_step_to_months",
     "RP-1.urgency.one_step_to_months is 36, under full_to_months of 48"),
    ("steps_at_minimum = 2", "one_step_from = 1.10", "one_step_from",
     "RP-1.evidence.one_step_from is not known"),
    ("severe = 12\ncritical = 6", "severe = 40\ncritical = 6", "all = 36",
     "RG-1.window.all is 36, under severe of 40"),
    ("[part_year]", "[part_years]", "[part_years]", "part_years is not known"),
    ("severe = 12", "severe = 5", "severe = 5",
     "part_year.severe is 5, under elevated of 6"),
    ("severe = 12", 'severe = "12"', 'severe = "12"',
     "part_year.severe is '12' but must be a number from 0"),
    ("elevated = 6\n", "", "[part_year]",
     "part_year.elevated is missing; copy it from the packaged limits.toml"),
    ('before = "moderate"', 'before = "mild"', '"mild"',
     "ST-1.modification.before must be one of low, moderate, elevated, severe, critical"),
    ('before = "moderate"', '"10" = "moderate"', '"10" = "moderate"',
     "ST-1.modification.10 is not known"),
    (LEVELS, "", "[OC-1]",
     "OC-1.levels is missing; copy it from the packaged limits.toml"),
    ('"B" = "moderate"', '"B" = "grave"', '"grave"',
     "ST-1.payment_status.B must be one of low, moderate, elevated, severe, critical"),
    ('"B" = "moderate"', '"B" = 1', '"B" = 1',
     "ST-1.payment_status.B must be one of low, moderate, elevated, severe, critical"),
    ('transferred = "severe"', 'returned = "severe"', "returned =",
     "ST-1.special_servicing.returned is not known"),
    ('severe = ">= 3"', 'severe = ">= 2"', 'severe = ">= 2"',
     "ST-1.severe is a rank and stays as in the packaged limits.toml"),
    ('[CV-1.types."lodging"]', '[CV-1.types."Lodging"]', '"Lodging"',
     "CV-1.types.Lodging is no property type"),
    ('[CV-1.types."lodging"]\nelevated = "< 1.20"', '[CV-1.types."lodging"]\ngrave = "< 1.20"',
     "grave", "CV-1.types.lodging.grave is no severity of CV-1"),
    ('[CV-1.types."lodging"]\nelevated = "< 1.20"', '[CV-1.types."lodging"]\nelevated = "<= 1.20"',
     '"<= 1.20"', "CV-1.types.lodging.elevated has another operator than CV-1.elevated"),
    ('[CV-1.types."lodging"]\nelevated = "< 1.20"', '[CV-1.types."lodging"]\nelevated = "< 1.30"',
     '"< 1.30"', "CV-1.types.lodging.elevated is easier to reach than moderate"),
    ('[CV-1.types."lodging"]\nelevated = "< 1.20"', "[CV-1.types]\nlodging = 1.20",
     "lodging = 1.20", "CV-1.types.lodging must be a table of entries"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "at", "said"), BAD_LIMITS, ids=[bad[3] for bad in BAD_LIMITS]
)
def test_bad_limits_are_refused_with_line_and_reason(own, old, new, at, said):
    text = changed(LIMITS, (old, new))
    with pytest.raises(SettingsInvalid) as caught:
        Limits.read(own(text))
    assert str(caught.value) == f"Limits house.toml, line {line_with(text, at)}: {said}"


BAD_SPREADS = [
    ("version = 3", "version = 'two'", "version = 'two'", "version must be a whole number"),
    ("[default]", "[defaults]", "[defaults]", "defaults is not known"),
    ('[types."office"]', '[type."office"]', "[type.", "type is not known"),
    ('[types."office"]', '[types."offices"]', '"offices"', "types.offices is no property type"),
    ("spread_bp = 245", "spread = 245", "spread = 245", "types.office.spread is not known"),
    ("spread_bp = 245\n", "", '"office"',
     "types.office.spread_bp is missing; copy it from the packaged spreads.toml"),
    ("spread_bp = 245", 'spread_bp = "245"', '"245"',
     "types.office.spread_bp is '245' but must be a number"),
    ("spread_bp = 245", "spread_bp = 24500", "24500",
     "types.office.spread_bp is 24500 but must lie from -500 to 3000"),
    ("spread_bp = 245", "spread_bp = nan", "= nan",
     "types.office.spread_bp is nan but must lie from -500 to 3000"),
    ("min_debt_yield_pct = 11.0", "min_debt_yield_pct = 0", "min_debt_yield_pct = 0",
     "types.office.min_debt_yield_pct is 0 but must lie from 0.1 to 100"),
    ("max_ltv = 0.65", "max_ltv = 65", "max_ltv = 65",
     "types.lodging.max_ltv is 65 but must lie from 0.01 to 2"),
    ("amortisation_years = 25", "amortisation_years = 25.5", "25.5",
     "types.lodging.amortisation_years is 25.5 but must be a whole number"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "at", "said"), BAD_SPREADS, ids=[bad[3] for bad in BAD_SPREADS]
)
def test_bad_spreads_are_refused_with_line_and_reason(own, old, new, at, said):
    text = changed(SPREADS, (old, new))
    with pytest.raises(SettingsInvalid) as caught:
        Sizings.read(own(text))
    assert str(caught.value) == f"Spreads house.toml, line {line_with(text, at)}: {said}"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2026-08-31,DGS3,4.5", "line 3: unknown series 'DGS3'; did you mean DGS7."),
        ("31.08.2026,DGS10,4.5", "line 3: '31.08.2026' is not a date such as 2026-08-31."),
        ("2026-07-31,DGS10,4.5 %", "line 3: '4.5 %' is not a percent figure such as 4.12."),
        ("2026-07-31,DGS10,450", "line 3: '450' lies outside -5 to 30 percent."),
        ("2026-08-31,DGS10,4.4", "line 3: DGS10 of 2026-08-31 is given twice; keep one."),
        ("2026-07-31,DGS10", "line 3: 2 values where date,series,percent are three."),
    ],
)
def test_bad_rates_are_refused_with_line_and_reason(own, row, said):
    with pytest.raises(ImportRefused) as caught:
        ReferenceRates.read(own(f"{RATES}{row}\n", "ours.csv"))
    assert str(caught.value) == f"Reference rates ours.csv, {said}"


@pytest.mark.parametrize(("read", "holds"), [(Limits.read, "Limits"), (Sizings.read, "Spreads")])
def test_a_file_that_is_no_such_table_is_refused(own, tmp_path, read, holds):
    cases = {
        own("version = 2\n[ST-1\n"): (
            "is not TOML: expected ']' at the end of a table declaration (at line 2, column 6)"
        ),
        own(b"version = \xff", "latin.toml"): "is not UTF-8 text; save it as UTF-8",
        own(b"#" * (1024 * 1024 + 1), "big.toml"): "is larger than 1 MiB; name another file",
        tmp_path / "none.toml": "cannot be read: No such file or directory",
        tmp_path: "cannot be read: Is a directory",
    }
    for path, said in cases.items():
        with pytest.raises(SettingsInvalid) as caught:
            read(path)
        assert str(caught.value) == f"{holds} {path.name} {said}"


def test_a_file_with_a_byte_order_mark_is_read(own):
    assert Limits.read(own("\ufeff" + LIMITS)).version == 4
