"""What every desk does with calendar feeds: one a user, known by a hash, revoked at once."""

import re
from hashlib import sha256

import pytest

from services.contract.audit import AuditFilter
from services.contract.errors import NotPermitted
from services.contract.users import User
from services.desk.copying import dump, restore


class ConformingFeeds:
    """To be inherited beside the fixtures of ConformingDesk."""

    @pytest.fixture
    def desk(self, opened):
        return opened()

    def test_a_token_opens_its_owners_feed_until_it_is_revoked(self, opened):
        one, two = opened(), opened()
        token = one.make_feed("Ana")
        assert re.fullmatch(r"[A-Za-z0-9_-]{43}", token)
        assert two.feed_by(token).owner == "Ana"
        assert two.feed_of(" ANA ") == two.feed_by(token)
        assert two.feed_of("ben") is None
        two.revoke_feed("ana")
        assert one.feed_by(token) is None
        assert one.feed_of("ana") is None
        one.revoke_feed("ana")
        entries = one.entries(AuditFilter()).items
        assert [(at.action, at.by) for at in entries] == [
            ("revoke_feed", "ana"), ("make_feed", "Ana"),
        ]  # fmt: skip

    def test_a_new_one_takes_the_place_of_the_earlier(self, desk):
        other, first, second = desk.make_feed("ben"), desk.make_feed("ana"), desk.make_feed("ANA")
        assert len({other, first, second}) == 3
        assert desk.feed_by(first) is None
        assert desk.feed_by(second).owner == "ANA"
        desk.revoke_feed("ana")
        assert desk.feed_by(other).owner == "ben"
        assert desk.verify()["feeds"] == 1

    def test_a_token_stands_nowhere_on_the_desk_and_survives_a_copy(self, desk, another, tmp_path):
        token = desk.make_feed("ana")
        copy = tmp_path / "copy.jsonl"
        dump(desk, copy)
        said = copy.read_text(encoding="utf-8")
        assert token not in said
        assert sha256(token.encode()).hexdigest() in said
        assert not any(token in str(entry) for entry in desk.every_entry(AuditFilter()))
        other = another()
        restore(copy, other)
        assert other.feed_by(token) == desk.feed_by(token)

    @pytest.mark.parametrize("text", ["", "x" * 43, "x" * 42, "é" * 43, "x" * 10_000, "' OR 1=1"])
    def test_any_other_text_opens_nothing(self, desk, text):
        token = desk.make_feed("ana")
        assert desk.feed_by(text) is None
        assert desk.feed_by(f"{token}\n") is None
        assert desk.feed_by(sha256(token.encode()).hexdigest()) is None

    def test_a_reader_may_revoke_one_but_make_none(self, desk):
        token = desk.make_feed("ana")
        mine = desk.acting(lambda: User(name="ana", role="reader"))
        with pytest.raises(NotPermitted):
            mine.make_feed("ana")
        assert desk.feed_by(token)
        mine.revoke_feed("ana")
        assert desk.feed_by(token) is None
