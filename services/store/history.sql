-- Periods that count, as tables: history_tables.py writes them, history.py and its like read them.

CREATE TABLE periods (
    period SMALLINT, name VARCHAR, source VARCHAR, title VARCHAR, as_of DATE,
    rules_version VARCHAR, file VARCHAR
);

-- Every loan of any period. A number keeps its id, so that a new period only adds rows.
CREATE TABLE numbers (loan INTEGER, loan_number VARCHAR, property_name VARCHAR);

-- One row a loan and period, period by period, each in order of loan. Severities are ranks in
-- vocabulary.SEVERITIES; null without a signal. Contagion is left out of `worst` (D279). `whole` and
-- `sums_notes` are what this filing says of notes; null where it says nothing.
CREATE TABLE lines (
    period SMALLINT, loan INTEGER, whole INTEGER, sums_notes BOOLEAN,
    property_type VARCHAR, city VARCHAR, state VARCHAR, lender VARCHAR, vintage SMALLINT,
    balance BIGINT, interest_rate DOUBLE, rate_type VARCHAR, maturity_date DATE,
    effective_maturity DATE, amortization_months SMALLINT, payment_status VARCHAR,
    workout VARCHAR, modification VARCHAR, modified_on DATE, defeasance VARCHAR,
    special_servicing BOOLEAN, disposition VARCHAR, realized_loss BIGINT,
    owed_before BIGINT, principal_received BIGINT, dscr DOUBLE,
    income_basis VARCHAR, income_months TINYINT, income_to DATE, noi BIGINT, ncf BIGINT,
    underwritten_dscr DOUBLE, underwritten_noi BIGINT, occupancy DOUBLE, value BIGINT,
    value_date DATE, ltv DOUBLE, debt_yield DOUBLE, dollars_short BIGINT,
    rate_pressure TINYINT, maturity_timing TINYINT, concentration_risk TINYINT,
    stress_indicator TINYINT, worst TINYINT, rules VARCHAR, sponsor VARCHAR, tenant VARCHAR,
    tenant_expires DATE
);

-- What a filing says of one record, to be checked (check_sheet.py): balances in dollars and cents,
-- `reported` is the date that the record reports for. `filled` counts its loans that have a field.
CREATE TABLE filed (
    period SMALLINT, loan INTEGER, opening DOUBLE, scheduled_principal DOUBLE,
    unscheduled_principal DOUBLE, other_principal DOUBLE, non_cash_principal DOUBLE,
    closing DOUBLE, actual DOUBLE, interest DOUBLE, accrual_method VARCHAR, reported DATE,
    debt_service BIGINT, original_amount BIGINT
);
CREATE TABLE filled (period SMALLINT, field VARCHAR, loans INTEGER);

-- Loans that are notes of one, by the newest filing that says so: at all dates (D181).
CREATE TABLE notes (loan INTEGER, whole INTEGER, sums_notes BOOLEAN);

-- Sums over the loans of a period that owe something. A loan of several notes counts once, by the
-- worst of them; dollars are those of records that sum no others, each by its own worst (D181).
-- `worst` is -1 without a signal, -2 of those that are defeased; `graded_N` counts the signals of
-- rank N in SEVERITIES.
CREATE TABLE sums (
    period SMALLINT, state VARCHAR, property_type VARCHAR, vintage SMALLINT, worst TINYINT,
    loans BIGINT, balance BIGINT, dollars_short BIGINT,
    graded_1 BIGINT, graded_2 BIGINT, graded_3 BIGINT, graded_4 BIGINT,
    delinquent_loans BIGINT, delinquent_balance BIGINT,
    late_60_loans BIGINT, late_60_balance BIGINT, late_90_loans BIGINT, late_90_balance BIGINT,
    special_loans BIGINT, special_balance BIGINT,
    dscr_loans BIGINT, dscr_balance BIGINT, dscr_product DECIMAL(38, 4),
    occupancy_loans BIGINT, occupancy_balance BIGINT, occupancy_product DECIMAL(38, 4)
);

-- Loans of a period by stage of delinquency (events.STAGES), and their stage in the next period
-- of their source. Stages are places in the list. `special_loans` went into special servicing
-- between the two.
CREATE TABLE rolls (
    period SMALLINT, next SMALLINT, state VARCHAR, property_type VARCHAR,
    before TINYINT, after TINYINT, loans BIGINT, balance BIGINT,
    special_loans BIGINT, special_balance BIGINT
);

-- Loans of a source's periods of the newest date and the one before (D184) to which events of a
-- kind happened, and of "worse" and "better" those to which any that points that way did.
CREATE TABLE happened (
    period SMALLINT, next SMALLINT, kind VARCHAR, loans BIGINT, dollars BIGINT
);
