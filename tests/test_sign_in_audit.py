"""Who came in, who went, and who was refused: recorded, few times, whoever tries often (D122)."""

import threading

import pytest

from services.contract.audit import AuditFilter
from services.contract.errors import DeskUnavailable
from services.contract.users import User
from services.desk.sqlite import SqliteDesk
from services.sign_in_audit import MOST, SAME_WORDS, Entrance
from tests.patience import until

ANNA = User(name="Anna", role="analyst")


class Clock:
    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def desk(tmp_path):
    return SqliteDesk(tmp_path / "desk.sqlite")


@pytest.fixture
def door(desk, clock):
    return Entrance(lambda: desk, 12, clock)


def entries(desk, least):
    """What is recorded, once there are so many of it, the oldest first."""

    def found():
        listed = desk.entries(AuditFilter(per_page=100))
        return listed.total >= least and listed.items

    return [(one.by, one.role, one.action, one.detail) for one in reversed(until(found))]


def test_a_sign_in_is_recorded_once_in_a_session_s_time_and_again_after_a_sign_out(
    desk, door, clock
):
    door.came(ANNA)
    door.came(User(name=" ANNA ", role="analyst"))
    clock.now += 12 * 3600
    door.came(ANNA)
    door.went(ANNA)
    door.came(ANNA)
    assert entries(desk, 4) == [
        ("Anna", "analyst", "sign_in", ""),
        ("Anna", "analyst", "sign_in", ""),
        ("Anna", "analyst", "sign_out", ""),
        ("Anna", "analyst", "sign_in", ""),
    ]


def test_who_signs_out_ends_what_began_before_and_nothing_else(door, clock):
    began = clock.now
    assert not door.is_over("Anna", began)
    clock.now += 5
    door.went(ANNA)
    assert door.is_over("anna", began)
    assert door.is_over("ＡＮＮＡ", clock.now)
    assert not door.is_over("ben", began)
    assert not door.is_over("Anna", clock.now + 0.001)


def test_a_refusal_is_recorded_with_the_name_that_somebody_came_by(desk, door):
    door.refused("Eve has no role", name="eve")
    door.refused("Readers take nothing away", ANNA)
    door.refused("No secret")
    assert entries(desk, 3) == [
        ("eve", "none", "refused", "Eve has no role"),
        ("Anna", "analyst", "refused", "Readers take nothing away"),
        ("unknown", "none", "refused", "No secret"),
    ]
    assert desk.verify()["audit"] == 3


def test_the_same_words_are_recorded_once_a_minute_and_all_words_not_endlessly(desk, door, clock):
    for _ in range(1_000):
        door.refused("No secret")
    assert len(entries(desk, 1)) == 1
    for number in range(1_000):
        door.refused("No role", name=f"eve {number}")
    assert len(entries(desk, MOST)) == MOST
    clock.now += SAME_WORDS
    door.refused("No secret")
    assert len(entries(desk, MOST + 1)) == MOST + 1


def test_a_name_that_is_endless_or_no_text_is_kept_short_and_readable(desk, door):
    door.refused("No role", name="e\n" * 5_000)
    door.refused("No role", name="")
    (first, *_), (second, *_) = entries(desk, 2)
    assert len(first) <= 200
    assert first.isprintable()
    assert second == "unknown"


def test_nobody_waits_for_a_desk_that_takes_no_entry(clock, caplog):
    waiting = threading.Event()

    class Away:
        def note_entrance(self, *_):
            waiting.wait()
            raise DeskUnavailable("The desk is away")

    door = Entrance(Away, 12, clock)
    for number in range(3 * MOST):
        clock.now += SAME_WORDS
        door.refused(f"No {number}")
    waiting.set()
    until(lambda: "The desk is away" in caplog.text)
    assert "too many wait" in caplog.text
