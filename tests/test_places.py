"""Fifty cities and ZIP codes stand where an atlas has them (D123), typed by hand."""

import pytest

from services.places import gazetteer

#: Name, state, latitude, longitude, as an atlas prints them.
CITIES = [
    ("New York", "NY", 40.71, -74.01), ("Los Angeles", "CA", 34.05, -118.24),
    ("Chicago", "IL", 41.88, -87.63), ("Houston", "TX", 29.76, -95.37),
    ("Phoenix", "AZ", 33.45, -112.07), ("Philadelphia", "PA", 39.95, -75.17),
    ("San Antonio", "TX", 29.42, -98.49), ("San Diego", "CA", 32.72, -117.16),
    ("Dallas", "TX", 32.78, -96.80), ("Austin", "TX", 30.27, -97.74),
    ("Jacksonville", "FL", 30.33, -81.66), ("Columbus", "OH", 39.96, -83.00),
    ("Charlotte", "NC", 35.23, -80.84), ("Indianapolis", "IN", 39.77, -86.16),
    ("Seattle", "WA", 47.61, -122.33), ("Denver", "CO", 39.74, -104.99),
    ("Boston", "MA", 42.36, -71.06), ("Nashville", "TN", 36.16, -86.78),
    ("Portland", "OR", 45.52, -122.68), ("Portland", "ME", 43.66, -70.26),
    ("Las Vegas", "NV", 36.17, -115.14), ("Detroit", "MI", 42.33, -83.05),
    ("Atlanta", "GA", 33.75, -84.39), ("Miami", "FL", 25.77, -80.19),
    ("Honolulu", "HI", 21.31, -157.86), ("Anchorage", "AK", 61.22, -149.90),
    ("St. Louis", "MO", 38.63, -90.20), ("Fort Worth", "TX", 32.73, -97.32),
]  # fmt: skip
#: ZIP, state, latitude, longitude.
ZIPS = [
    ("10001", "NY", 40.75, -74.00), ("10118", "NY", 40.75, -73.99), ("90210", "CA", 34.09, -118.4),
    ("60601", "IL", 41.89, -87.62), ("77002", "TX", 29.76, -95.36), ("33131", "FL", 25.77, -80.19),
    ("94105", "CA", 37.79, -122.39), ("98101", "WA", 47.61, -122.33), ("02108", "MA", 42.36, -71.1),
    ("20500", "DC", 38.90, -77.04), ("30303", "GA", 33.75, -84.39), ("80202", "CO", 39.75, -105.00),
    ("85004", "AZ", 33.45, -112.07), ("89109", "NV", 36.13, -115.16), ("96815", "HI", 21.3, -157.8),
    ("99501", "AK", 61.22, -149.88), ("70112", "LA", 29.96, -90.08), ("55402", "MN", 44.98, -93.27),
    ("63101", "MO", 38.63, -90.19), ("19103", "PA", 39.95, -75.17), ("37203", "TN", 36.15, -86.79),
    ("28202", "NC", 35.23, -80.84),
]  # fmt: skip


def near(found, latitude, longitude):
    return abs(found[0] - latitude) < 0.15 and abs(found[1] - longitude) < 0.15


def test_there_are_fifty():
    assert len(CITIES) + len(ZIPS) == 50


@pytest.mark.parametrize(("name", "state", "latitude", "longitude"), CITIES)
def test_a_city_is_where_it_is(name, state, latitude, longitude):
    assert near(gazetteer.city(name, state), latitude, longitude)


@pytest.mark.parametrize(("code", "state", "latitude", "longitude"), ZIPS)
def test_a_zip_code_is_where_it_is(code, state, latitude, longitude):
    assert near(gazetteer.zip_code(code, state), latitude, longitude)


@pytest.mark.parametrize(
    ("code", "state"),
    [("10001-1234", "NY"), (" 10001 ", "NY"), ("100011234", "NY"), ("10001", None), ("2108", "MA")],
)
def test_a_zip_code_is_read_however_it_is_written(code, state):
    assert gazetteer.zip_code(code, state)


@pytest.mark.parametrize(
    ("code", "state"),
    [("10001", "TX"), ("NAP", "NY"), ("Various", None), ("", None), (None, None), ("00000", None)],
)
def test_what_is_no_zip_code_of_the_state_has_no_position(code, state):
    assert gazetteer.zip_code(code, state) is None
