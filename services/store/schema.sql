-- One snapshot. Written once by writer.py, then only read.
-- Every *_id is the rank of the row in its natural order (loan_number, entity_name), and rows lie
-- in that order, so zone maps do the work of indexes. Money in whole dollars, rates as percent
-- figures, shares as fractions; null means that the source does not say.

CREATE TABLE sources (
    source_id   SMALLINT NOT NULL,
    key         VARCHAR NOT NULL,
    title       VARCHAR NOT NULL,
    as_of       DATE NOT NULL,
    provenance  VARCHAR NOT NULL
);

-- The table `loans` is made from services/contract/facts.py: see loan_columns.py. It has a column
-- for each fact of a loan, loan_id, lender_id and source_id.

-- Every name that a loan's `lender` filter may mean (D9): its normalized lender, and the lenders
-- and servicers of its debt layers.
CREATE TABLE lenders (
    lender_id  INTEGER NOT NULL,
    lender     VARCHAR NOT NULL,
    key        VARCHAR NOT NULL,
    words      VARCHAR[] NOT NULL
);

CREATE TABLE layer_ids (
    lender_id  INTEGER NOT NULL,
    loan_id    INTEGER NOT NULL
);

CREATE TABLE layers (
    loan_id        INTEGER NOT NULL,
    rank           TINYINT NOT NULL,
    position       VARCHAR NOT NULL,
    layer          VARCHAR NOT NULL,
    lender         VARCHAR,
    servicer       VARCHAR,
    amount         BIGINT,
    interest_rate  DOUBLE
);

CREATE TABLE properties (
    loan_id        INTEGER NOT NULL,
    property_name  VARCHAR,
    address        VARCHAR,
    city           VARCHAR,
    state          VARCHAR,
    zip            VARCHAR,
    county         VARCHAR,
    property_type  VARCHAR,
    value          BIGINT,
    noi            BIGINT,
    occupancy      DOUBLE,
    year_built     SMALLINT,
    size           DOUBLE,
    size_unit      VARCHAR,
    further        VARCHAR
);

-- Tenants' leases, those of the largest area first.
CREATE TABLE leases (
    loan_id      INTEGER NOT NULL,
    tenant       VARCHAR,
    square_feet  BIGINT,
    expires      DATE
);

CREATE TABLE entities (
    entity_id           INTEGER NOT NULL,
    entity_name         VARCHAR NOT NULL,
    kind                kind_word NOT NULL,
    confidence          DOUBLE NOT NULL,
    confidence_tier     tier_word NOT NULL,
    related_loan_count  INTEGER NOT NULL,
    -- Its strongest identifier, else one made of its name (D198).
    party_id            VARCHAR NOT NULL,
    -- Loans, notes of one loan once, in roles that do not count as its own (D201); null without any.
    loans_by_role       MAP(VARCHAR, INTEGER)
);

-- What edges of the graph rest on, by the edge's id there (contract/evidence.py); one edge is read
-- at a time.
CREATE TABLE witnesses (
    edge_id    INTEGER NOT NULL,
    source_id  SMALLINT NOT NULL,
    method     VARCHAR NOT NULL,
    "match"    DOUBLE,
    said       VARCHAR,
    since      DATE,
    until      DATE,
    file       VARCHAR,
    record     VARCHAR,
    element    VARCHAR
);

-- What is known of parties beyond their names, by entity.
CREATE TABLE particulars (
    entity_id  INTEGER NOT NULL,
    source_id  SMALLINT NOT NULL,
    about      VARCHAR NOT NULL,
    scheme     VARCHAR,
    "value"    VARCHAR NOT NULL,
    since      DATE,
    until      DATE,
    file       VARCHAR,
    record     VARCHAR,
    element    VARCHAR
);

-- Pairs of parties, and of loans, that may be one (contract/resolution.py), the surest first.
CREATE TABLE matches (
    kind       VARCHAR NOT NULL,
    "first"    VARCHAR NOT NULL,
    "second"   VARCHAR NOT NULL,
    score      DOUBLE NOT NULL,
    joined     BOOLEAN NOT NULL,
    reasons    VARCHAR[] NOT NULL,
    sources    VARCHAR[] NOT NULL
);

-- Loans that an entity stands behind or lends to (D32).
CREATE TABLE entity_loans (
    entity_id  INTEGER NOT NULL,
    loan_id    INTEGER NOT NULL
);

CREATE TABLE signals (
    signal_id       INTEGER NOT NULL,
    loan_id         INTEGER NOT NULL,
    signal_type     signal_type_word NOT NULL,
    severity        severity_word,
    property_state  state_word,
    -- What it said when it was found. Zstandard takes two fifths of the room of the default.
    description     VARCHAR USING COMPRESSION zstd
);

-- Rules that fired, as they stood when the loan was scored.
CREATE TABLE components (
    signal_id       INTEGER NOT NULL,
    rule            VARCHAR NOT NULL,
    title           VARCHAR,
    rule_version    SMALLINT,
    limits_version  SMALLINT,
    severity        severity_word NOT NULL,
    value           DOUBLE,
    "limit"         DOUBLE
);

-- Families (D58): the loans under each sponsor and owner, and their different lenders of any layer
-- or by name, each ordered by all of its columns.
CREATE TABLE family_loans (
    entity_id  INTEGER NOT NULL,
    loan_id    INTEGER NOT NULL
);

CREATE TABLE family_lenders (
    entity_id  INTEGER NOT NULL,
    lender_id  INTEGER NOT NULL,
    loan_id    INTEGER NOT NULL
);

-- What results of loans are filtered and ordered by beside facts, by loan_id.
CREATE TABLE screened (
    loan_id         INTEGER NOT NULL,
    worst_severity  severity_word,  -- of its signals, contagion left out (D279)
    grade           grade_word NOT NULL,  -- the same, or a word of vocabulary.UNGRADED
    contagion       severity_word,  -- of its siblings' trouble
    borrower_id     INTEGER,        -- the surest one, ties by name
    sponsor_id      INTEGER,        -- of those above it, the one with the largest book
    owner_id        INTEGER,        -- the same of owners
    rank_in_type    DOUBLE,         -- 0 to 100: the share of its type that is less urgent
    urgency         INTEGER NOT NULL  -- place among all loans, the least urgent first
);

CREATE TABLE rejects (
    source_id  SMALLINT NOT NULL,
    record     VARCHAR NOT NULL,
    reason     VARCHAR NOT NULL
);
