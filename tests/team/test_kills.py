"""Notes and cases while PostgreSQL is killed again and again: what was acknowledged stays (D87)."""

import threading
import time
from datetime import UTC, date, datetime

import pytest

from services.contract.audit import AuditFilter
from services.contract.cases import CaseForm, LoanSeen
from services.contract.desk import Subject
from services.contract.errors import DeskUnavailable
from services.desk.postgres import PostgresDesk
from tests.patience import until
from tests.team.postgres import server
from tests.tiers import amounts

WRITERS = 4
SEEN = LoanSeen(worst="critical", as_of=date(2026, 9, 30))
LOAN = Subject(source="Embedded store", kind="loan", name="CA-000001")
#: Acknowledged notes between two kills, so that each kill meets writing.
BETWEEN = 10


class Writer(threading.Thread):
    """Writes one note after another, and remembers which were acknowledged."""

    def __init__(self, desk, number):
        super().__init__(daemon=True)
        self.desk, self.number = desk, number
        self.acknowledged, self.failed, self.ends, self.strange = [], 0, False, None
        self.cases = []

    def run(self):
        at = 0
        while not self.ends:
            at += 1
            text = f"{self.number} {at}"
            try:
                self.desk.add_note(f"{self.number}", LOAN, text)
                self.acknowledged.append(text)
                self.desk.open_case(
                    f"{self.number}", LOAN.source, text, CaseForm(reason=text), SEEN
                )
                self.cases.append(text)
            except DeskUnavailable:
                self.failed += 1
                time.sleep(0.02)
            except BaseException as error:  # any other would end the thread unseen
                self.strange = error
                raise


@pytest.fixture
def own_server(postgres_programs):
    with server(postgres_programs) as found:
        yield found


@pytest.mark.parametrize("kills", amounts(6, 20))
def test_no_acknowledged_note_is_lost_in_kills(own_server, kills):
    desk = PostgresDesk(own_server.address(), clock=lambda: datetime.now(UTC))
    writers = [Writer(desk, number) for number in range(WRITERS)]

    def written():
        return sum(len(one.acknowledged) for one in writers)

    def more(number):
        """Waits until so many more are acknowledged, by themselves."""
        wanted = written() + number
        until(lambda: written() >= wanted or any(one.strange for one in writers))
        assert not any(one.strange for one in writers)

    desk.migrate()
    for one in writers:
        one.start()
    for _ in range(kills):
        more(BETWEEN)
        own_server.kill()
        own_server.start()
        more(1)
    more(BETWEEN)
    for one in writers:
        one.ends = True
    for one in writers:
        one.join()
    bodies = {note.body for note in desk.notes_of(LOAN)}
    audited = {event.body for event in desk.audit_of(LOAN)}
    cases = {case.loan_number for case in desk.cases(LOAN.source)}
    opened = {one.name for one in desk.every_entry(AuditFilter(action="open_case"))}
    assert desk.verify()["cases"] == len(cases)
    desk.close()
    assert {text for one in writers for text in one.cases} - cases == set()
    assert cases == opened
    acknowledged = {text for one in writers for text in one.acknowledged}
    assert acknowledged - bodies == set()
    assert bodies == audited
    assert sum(one.failed for one in writers) > 0
    print(
        f"{kills} kills: {len(acknowledged):,} notes acknowledged, 0 lost, "
        f"{len(bodies - acknowledged)} there without"
    )
