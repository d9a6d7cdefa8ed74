"""Any sequence of writes over two connections to one PostgreSQL database (D78, D87)."""

import psycopg
import pytest
from hypothesis import HealthCheck
from hypothesis.stateful import run_state_machine_as_test

from services.desk.postgres import PostgresDesk
from tests.desk.machine import DeskMachine
from tests.tiers import examples

TABLES = ("watches", "notes", "saved_searches", "cases")
AUDITS = ("note_audit", "audit", "seals")


@pytest.fixture
def machine(address):
    """A machine over the database of this test, emptied for each example."""
    word = address.get_secret_value()

    class PostgresMachine(DeskMachine):
        def opened(self):
            found = [PostgresDesk(address) for _ in range(2)]
            found[0].migrate()
            with psycopg.connect(word, autocommit=True) as owner:
                owner.execute("SET search_path = credit_atlas")
                for audit in AUDITS:
                    owner.execute(f"ALTER TABLE {audit} DISABLE TRIGGER ALL")
                owner.execute(f"TRUNCATE {', '.join(TABLES + AUDITS)}")
                nothing = "0" * 64
                owner.execute("UPDATE heads SET entries = 0, hash = %s", (nothing,))
                for audit in AUDITS:
                    owner.execute(f"ALTER TABLE {audit} ENABLE TRIGGER ALL")
            return found

        def teardown(self):
            for one in self.desks:
                one.close()

    return PostgresMachine


def test_any_sequence_of_writes_is_what_the_model_says(machine):
    run_state_machine_as_test(
        machine,
        settings=examples(5, 12, stateful_step_count=20, suppress_health_check=list(HealthCheck)),
    )
