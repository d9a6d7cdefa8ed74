"""Made-up files of a CREFC reporting package: rows by the names of their columns, as servicers
write them: with or without a header, as workbook or as text.
"""

import csv

import xlsxwriter

from services.importers.crefc_irp.kinds import rules


def columns(kind):
    """The columns of a kind, in the standard's order."""
    return list(rules()[kind])


def cells(kind, *rows):
    """Rows of a file without a header: each value in its column's place, cut after the last."""
    names = columns(kind)
    width = max(names.index(name) for row in rows for name in row) + 1
    for row in rows:
        assert set(row) <= set(names), set(row) - set(names)
    return [[row.get(name) for name in names[:width]] for row in rows]


def workbook(path, rows, sheet="Sheet1"):
    """An XLSX of one sheet; numbers are numbers, so that 12 is 12.0 in it, as in genuine files."""
    with xlsxwriter.Workbook(path) as book:
        page = book.add_worksheet(sheet)
        for at, row in enumerate(rows):
            for place, value in enumerate(row):
                if value is not None:
                    page.write(at, place, value)
    return path


def text(path, rows, mark=","):
    """A delimited text file."""
    with path.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened, delimiter=mark).writerows(rows)
    return path


def setup_row(number, **further):
    """A loan of the deal MADE18X1 when it was securitised."""
    return {
        "Transaction ID": "MADE18X1",
        "Loan ID": 900100000 + number,
        "Prospectus Loan ID": number,
        "Original Note Amount": 12_000_000,
        "Original Term of Loan": 120,
        "Original Amortization Term": 360,
        "Original Note Rate": 0.0475,
        "First Loan Payment Due Date": 20180706,
        "Interest Only (Y/N)": "N",
        "Balloon (Y/N)": "Y",
        "Interest Rate Type": 1,
        "Interest Accrual Method": 3,
        "Payment Type": 2,
        "Maturity Date At Contribution": 20280606,
        "Scheduled Principal Balance At Contribution": 11_950_000.55,
        "Note Rate at Contribution": 0.0475,
        "Periodic P&I Payment At Contribution": 62_597.68,
        "Number of Properties at Contribution": 1,
        "Property Name": "Harbour Mill",
        "Property Address": "1 Quay",
        "Property City": "Hoboken",
        "Property State": "NJ",
        "Property Zip Code": 7030,
        "Property County": "Incomplete",
        "Property Type": "OF",
        "NOI at Contribution": 1_500_000,
        "DSCR (NOI) at Contribution": 2.0,
        "Valuation Amount at Contribution": 20_000_000,
        "Valuation Date at Contribution": 20180501,
        "Physical Occupancy at Contribution": 0.93,
        "NCF at Contribution": 1_400_000,
        "DSCR (NCF) at Contribution": 1.86,
        "Loan Contributor to Securitization": "Barclays",
        "Loan Structure": "WL",
        "Origination Date": 20180525,
        **further,
    }


def periodic_row(number, day=20190612, **further):
    """The same loan a year later."""
    return {
        "Transaction ID": "MADE18X1",
        "Loan ID": 900100000 + number,
        "Prospectus Loan ID": number,
        "Distribution Date": day,
        "Current Beginning Scheduled Balance": 11_800_000,
        "Current Ending Scheduled Balance": 11_784_111.25,
        "Paid Through Date": 20190606,
        "Current Note Rate": 0.0475,
        "Maturity Date": 20280606,
        "Scheduled Interest Amount": 46_708.33,
        "Scheduled Principal Amount": 15_889.35,
        "Total Scheduled P&I Due": 62_597.68,
        "Actual Balance": 11_800_000,
        "Total P&I Advance Outstanding": 0,
        "Payment Status of Loan": 0,
        "In Bankruptcy (Y/N)": "N",
        "Preceding Fiscal Year NOI": 1_480_000,
        "Preceding Fiscal Year Debt Service Amount": 751_172.16,
        "Preceding Fiscal Year DSCR (NOI)": 1.97,
        "Preceding Fiscal Year Financial As Of Date": 20181231,
        "Most Recent NOI": 360_000,
        "Most Recent Debt Service Amount": 187_793.04,
        "Most Recent DSCR (NOI)": 1.917,
        "Most Recent Physical Occupancy": 0.88,
        "Most Recent Financial As of Start Date": 20190101,
        "Most Recent Financial As of End Date": 20190331,
        "Most Recent Valuation Date": 20180501,
        "Most Recent Value": 20_000_000,
        "Most Recent Financial Indicator": "YN",
        "Number of Properties": 1,
        "Most Recent DSCR Indicator": "C",
        "Most Recent NCF": 340_000,
        "Most Recent DSCR (NCF)": 1.8105,
        "Master Servicer": "WF",
        "Special Servicer": "LNR",
        "Modification Indicator": "N",
        **further,
    }


def property_row(number, at=1, day=20190612, **further):
    """A property of it."""
    return {
        "Transaction ID": "MADE18X1",
        "Loan ID": 900100000 + number,
        "Prospectus Loan ID": number,
        "Property ID": f"{number}-{at:03}",
        "Distribution Date": day,
        "Property Name": "HARBOUR MILL",
        "Property Address": "1 QUAY",
        "Property City": "HOBOKEN",
        "Property State": "NJ",
        "Property Zip Code": 7030,
        "Property Type": "OF",
        "Year Built": 1921,
        "Current Net Rentable Square Feet": 88_000,
        "Property Status": 6,
        "Most Recent Valuation Date": 20180501,
        "Most Recent Value": 20_000_000,
        **further,
    }


#: A watchlist as a servicer's report writes it: titles, field numbers, and a header of its own.
WATCHLIST = [
    ["Watch List Report for MADE18X1"],
    ["As of 20190608"],
    ["L1", "L2", "L3", "S4"],
    [
        *("Tran ID", "Group ID", "Loan ID", "Prospectus Loan ID", "Property Name", "Property Type"),
        *("City", "State", "Date Added to Watchlist", "Ending Scheduled Loan Balance"),
        *("Paid Thru Date", "Maturity Date", "Trigger Codes", "Comment/Action to be taken"),
        *("Informational or Credit", "Reviewed by"),
    ],
    [
        *("MADE18X1", None, 900100001, "1", "HARBOUR MILL", "OF", "VARIOUS", "NJ        "),
        *(20190506, 11_784_111.25, 20190606, 20280606, "1E | 1F"),
        *("Largest tenant gave notice.\n\n\n6/1/2019:  Leasing  is under way.", "Credit", "A. B."),
    ],
]


def line_row(number, item, amount, at=1, **further):
    """A line of a property's operating statement."""
    return {
        "Transaction ID": "MADE18X1",
        "Loan ID": 900100000 + number,
        "Property ID": f"{number}-{at:03}",
        "Financial As Of Start Date": 20180401,
        "Financial As Of End Date": 20180531,
        "Financial Statement Indicator": "UB",
        "Financial Statement Source": "NOR",
        "Financial Line Item Code": item,
        "Financial Line Item Amount": amount,
        **further,
    }
