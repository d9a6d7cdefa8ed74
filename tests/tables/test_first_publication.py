"""The first publication of open tables: some dates at a time, gone on with where it was stopped."""

from collections import Counter

import pytest

from services.shelf.objects import Objects
from services.store.snapshot import current_id
from services.tables import writing
from services.tables.schema import HISTORY
from services.tables.writing import Place, standing
from tests.tables import stores
from tests.tables.test_tables import asked, opened, written


def dates_of(shelf):
    """Date -> rows of the table of periods."""
    found = opened(shelf, "history").to_pyarrow_table()["as_of"].to_pylist()
    return Counter(found)


def test_a_first_publication_of_many_dates_commits_some_at_a_time_and_goes_on(
    tmp_path, monkeypatch
):
    """D186."""
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    rows = stores.rows()
    stores.filled(store, rows)
    written(store, tmp_path / "at once")
    monkeypatch.setattr(writing, "_DATES_AT_A_TIME", 1)
    commit = writing._commit

    def stopped(place, table, *how):
        if table is HISTORY and place.opened("history"):
            raise KeyboardInterrupt
        return commit(place, table, *how)

    with monkeypatch.context() as patched:
        patched.setattr(writing, "_commit", stopped)
        with pytest.raises(KeyboardInterrupt):
            written(store, shelf)
    place = Place(*Objects.at(str(shelf)).elsewhere())
    assert standing(place, "history") is None
    there = set(dates_of(shelf))
    every = dates_of(tmp_path / "at once")
    assert there == {min(every)}

    done = written(store, shelf)
    assert done.rows["history"] == sum(rows for day, rows in every.items() if day not in there)
    assert standing(place, "history") == current_id(store)
    for table in ("history", "events"):
        both = [
            asked(one).sql(f"SELECT * FROM {table} ORDER BY ALL").fetchall()
            for one in (shelf, tmp_path / "at once")
        ]
        assert both[0] == both[1] != []
    assert written(store, shelf).rows == {}
