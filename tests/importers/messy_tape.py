"""Messy loan tapes, made up by seed: every dialect's header, every format that is met in the wild.

Each value is drawn plain first and then written in a format of its column, so that a test knows
what was meant.
"""

import csv
import random
from datetime import date, timedelta
from pathlib import Path

HEADERS = {
    name: columns.split("|")
    for name, columns in (
        line.split("\t")
        for line in Path(__file__)
        .with_name("tape_headers.txt")
        .read_text(encoding="utf-8")
        .splitlines()
        if not line.startswith("#")
    )
}
CITIES = (("Dallas", "TX", "75201"), ("Boston", "MA", "02108"), ("Phoenix", "AZ", "85003"))
TYPES = ("Multifamily", "Office", "RT", "IN", "Hotel", "Self Storage")
NOTHING = ("", "", "N/A", "-", "TBD")

MONEY = (
    lambda amount: f"${amount:,}",
    lambda amount: f" {amount:,} ",
    lambda amount: f"{amount / 1_000_000:.3f}M",
    lambda amount: f"{amount}.00",
    lambda amount: f"${amount / 1_000:.0f}K",
    str,
)
DATES = (
    lambda day: f"{day.month}/{day.day}/{day:%y}",
    lambda day: f"{day:%m/%d/%Y}",
    lambda day: f"{day:%Y-%m-%d}",
    lambda day: f"{day:%Y%m%d}.0",
    lambda day: f"{day:%d-%b-%Y}",
    lambda day: str((day - date(1899, 12, 30)).days),
)
RATES = (
    lambda percent: f"{percent:.3f}",
    lambda percent: f"{percent / 100:.5f}",
    lambda percent: f"{percent:.2f} %",
)
SHARES = (
    lambda part: f"{part * 100:.1f}%",
    lambda part: f"{part:.3f}",
    lambda part: f"{part * 100:.0f}",
)
RATIOS = (lambda ratio: f"{ratio:.2f}x", lambda ratio: f"{ratio:.2f}")

#: What the cells of a column are, by words of its name without spaces; the first that fits.
KINDS = (
    ("text", ("fy", "typecode", "subtype", "number", "securitizationyear", "ratetype", "termsdesc",
              "variab", "fixedor", "dscrbasis", "codencf", "ncfcode", "ltvcode",
              "ratelimit")),
    ("share", ("ltv", "occupancyrate", "owner1%", "owner2%", "pd", "lgd")),
    ("date", ("date", "closing")),
    ("share", ("occ",)),
    ("state", ("state",)),
    ("zip", ("zip", "location")),
    ("city", ("city",)),
    ("type", ("propertytype", "normalizedpropertytype")),
    ("ratio", ("dscr",)),
    ("text", ("dealname", "purpose", "desc", "units", "vintage", "code", "basis", "website")),
    ("rate", ("coupon", "interestrate", "noterate", "debtyield", "paymentrate", "spread", "=rate")),
    ("months", ("term", "amortization")),
    ("area", ("sq.ft", "sqft", "squarefeet")),
    ("year", ("yearbuilt",)),
    ("date", ("=maturity",)),
    ("money", ("balance", "amount", "advances", "aser", "accrued", "exposure", "pmt", "value",
               "amt", "noi", "ncf", "debt", "approval", "dollars", "=ead", "chargeoffs",
               "valuation", "payment", "revenue", "expenses")),
)  # fmt: skip
#: Names in which those words mislead.
KIND_OF = {
    "LocationID": "text", "loan_status": "text", "Loan Status": "text", "Amortization Type": "text",
    "paymentstatusofloan_delinquencystatus": "text", "payment_status_code": "text",
    "Payment Type Code": "text", "Interest Accrual Method Code": "text", "DSCR": "ratio",
    "ValueBasis": "text", "valuation_date": "date", "FHA Code": "text", "PropertyType": "type",
    "Property State": "state", "WL Codes": "text", "Location": "zip", "Open": "text",
    "SBADistrictOffice": "text", "Interest Only (Y/N)": "text", "crefcpropertytype": "text",
    "Interest in Arrears (Y/N)": "text", "AsOfDate": "date", "newlyonwatchlist": "text",
}  # fmt: skip


def kind_of(name):
    """What the cells of a column are; "text" where its name says nothing."""
    plain = "".join(name.lower().replace("_", "").split())
    found = (
        kind
        for kind, words in KINDS
        if any(plain == word[1:] if word[0] == "=" else word in plain for word in words)
    )
    return KIND_OF.get(name) or next(found, "text")


TEXTS = {
    "rate type": ("Fixed", "Floating"), "interest rate type": ("1", "2"),
    "interestratevariability": ("Fixed", "Variable"), "fixedorvariableinterestind": ("F", "V"),
    "property flag": ("Loan",), "units": ("120", "88"), "# of props": ("1", "3"),
    "loan structure code": ("WL", "PP"), "loan_structure": ("Whole Loan", "Pari passu"),
    "payment type code": ("2", "3"), "interest accrual method code": ("3", "1"),
    "paymentstatusofloan_delinquencystatus": ("Current", "30 days"),
    "payment_status_code": ("0", "1"),
    "is_defeased": ("N",), "balloon_flag": ("Y", "N"), "balloon  (y/n)": ("Y", "N"),
    "num_properties": ("1", "2"), "jobssupported": ("4", "9"), "grace days allowed": ("0", "5"),
    "seasoning": ("12", "30"), "securitization year": ("2019",), "securitization_year": ("2019",),
    "number of properties at contribution": ("1",), "index": ("SOFR", "Prime"),
    "loan status": ("Current", "30 days"), "payment status": ("0", "3"),
    "original interest only term": ("24", "0"), "county": ("Kings",),
}  # fmt: skip


#: Parties that are few in a book.
FEW = ("lender", "bankname", "holder", "servicer", "originator", "cdc_name", "trustee", "seller")


def number_at(name):
    """Whether the cells of a column are the numbers of loans."""
    low = name.lower().replace("_", " ")
    named = "number" in low and "phone" not in low and "fdic" not in low and "ncua" not in low
    return "id" in low.split() or named or low in {"loan #", "acrossdealsloanidtrepp"}


def cell(rng, name, at, count, formats, place):
    """One cell of a row, as text."""
    low, kind = name.lower().strip(), kind_of(name)
    if not name:
        return ""
    plain = {
        "money": lambda: MONEY[rng.randrange(len(MONEY))](rng.randrange(100_000, 90_000_000)),
        "rate": lambda: formats[name](2.5 + rng.random() * 6),
        "share": lambda: formats[name](0.4 + rng.random() * 0.55),
        "ratio": lambda: formats[name](0.8 + rng.random() * 1.4),
        "months": lambda: str(rng.choice((60, 84, 120, 360))),
        "area": lambda: f" {rng.randrange(10_000, 900_000):,} ",
        "year": lambda: str(rng.randrange(1900, 2024)),
        "city": lambda: place[0],
        "state": lambda: f"{place[1]}   ",
        "zip": lambda: place[2],
        "type": lambda: rng.choice(TYPES),
        "date": lambda: formats[name](dated(rng, low)),
    }
    if low in TEXTS:
        return rng.choice(TEXTS[low])
    if kind in plain:
        return plain[kind]()
    if number_at(name):
        return f"{at:08d}"
    if rng.random() < 0.1:
        return rng.choice(NOTHING)
    most = 30 if any(word in low for word in FEW) else 1 + count // 3
    return f"{name.strip()} {rng.randrange(most)}"


def dated(rng, low):
    """A day of 2012 to 2025, of a maturity eleven years later, of a tape always the same."""
    if low in {"tape date", "asofdate"}:
        return date(2026, 3, 31)
    return date(2012, 1, 1) + timedelta(days=rng.randrange(5_000) + 4_000 * ("matur" in low))


def rows_of(dialect, count, seed=1):
    """Header and rows of a dialect, as text."""
    rng = random.Random(f"{dialect} {seed}")
    header = HEADERS[dialect]
    ways = {"date": DATES, "rate": RATES, "share": SHARES, "ratio": RATIOS}
    formats = {name: rng.choice(ways[kind_of(name)]) for name in header if kind_of(name) in ways}
    rows = []
    for at in range(count):
        place = rng.choice(CITIES)
        rows.append([cell(rng, name, at, count, formats, place) for name in header])
    return header, rows


def write(path, dialect, count, *, seed=1, encoding="utf-8", delimiter=",", titles=0, totals=True):
    """A CSV file of a dialect: titles above its header, blank rows, and a row of totals below."""
    header, rows = rows_of(dialect, count, seed)
    with path.open("w", encoding=encoding, newline="") as opened:
        writer = csv.writer(opened, delimiter=delimiter)
        for at in range(titles):
            writer.writerow([f"Confidential tape, page {at + 1}"])
        writer.writerow(header)
        for at, row in enumerate(rows):
            writer.writerow(row)
            if at % 1_000 == 999:
                writer.writerow([])
        if totals:
            writer.writerow(["Total", *[""] * (len(header) - 1)])
    return header, rows
