"""The desk in PostgreSQL keeps every promise of a desk (D87)."""

import psycopg
import pytest

from tests.desk.conforming import ConformingDesk
from tests.desk.conforming_audit import ConformingAudit
from tests.desk.conforming_cases import ConformingCases
from tests.desk.conforming_feeds import ConformingFeeds


@pytest.fixture(scope="module")
def used_database(fresh_database):
    return fresh_database()


class TestPostgres(ConformingDesk, ConformingAudit, ConformingCases, ConformingFeeds):
    """All over one database that is emptied for each: a new one takes longer than most of them."""

    @pytest.fixture
    def address(self, used_database):
        with psycopg.connect(used_database.get_secret_value(), autocommit=True) as owner:
            owner.execute("DROP SCHEMA IF EXISTS credit_atlas CASCADE")
        return used_database

    @pytest.fixture
    def another(self, desks, fresh_database):
        return lambda: desks(fresh_database())
