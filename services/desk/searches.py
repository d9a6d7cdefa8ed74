"""Saved searches in SQL (D88)."""

import json
import secrets
from typing import Final

from services.contract import desk as contract
from services.contract.audit import AuditAction, Deed
from services.contract.desk import (
    SavedSearch,
    Search,
    SearchFound,
    numbers_in,
    saved_params,
    search_name,
)
from services.contract.errors import InvalidRequest, NotFound, SearchConflict
from services.contract.users import name_key

from .audit import SqlAudit
from .seals import plain, row_of
from .tables import MINE
from .transactions import Row, Transaction

#: The migration that made the table of saved searches.
SEARCHES_SINCE: Final = 2
#: What a list says of a set: all but its numbers.
_LISTED: Final = "search_id, owner, source, name, page, shared, found, saved_at, version"
#: The rows that a user may read.
_OPEN: Final = f"({MINE} OR shared)"


class SqlSearches(SqlAudit):
    """The searches that users save, each write with its entry in the audit; see Desk."""

    def save_search(
        self, owner: str, name: str, search: Search, found: SearchFound, *, shared: bool = False
    ) -> SavedSearch:
        """See Desk."""
        named = search_name(name)
        row = row_of("saved_searches", secrets.token_hex(8), owner, search.source, named,
                   search.page, saved_params(search), shared, found.model_dump_json(),
                   self._now(), 1)  # fmt: skip
        with self._writing() as desk:
            desk.desk.alone(name_key(owner))
            _unused(desk.desk, owner, search.source, named)
            sql = f"SELECT count(*) AS found FROM saved_searches WHERE {MINE} AND source = ?"
            values = (name_key(owner), search.source)
            if desk.desk.rows(sql, values)[0]["found"] >= contract.MOST_SEARCHES:
                raise InvalidRequest(
                    f"{contract.MOST_SEARCHES} searches are saved already; delete some"
                )
            desk.put("saved_searches", row)
            action: AuditAction = "share_search" if shared else "save_search"
            self._recorded(desk, owner, _deed_to(action, _search(row)))
        return _search(row)

    def change_search(
        self,
        owner: str,
        search_id: str,
        version: int,
        *,
        name: str | None = None,
        found: SearchFound | None = None,
        shared: bool | None = None,
    ) -> SavedSearch:
        """See Desk."""
        named = None if name is None else search_name(name)
        with self._writing() as desk:
            desk.desk.alone(name_key(owner))
            before = _standing(desk.desk, owner, search_id, version)
            now = _search(before)
            if named and named != now.name:
                _unused(desk.desk, owner, now.search.source, named)
            row = plain("saved_searches", before) | {
                "name": named or now.name,
                "found": (found or now.found).model_dump_json(),
                "shared": now.shared if shared is None else shared,
                "version": version + 1,
            }
            desk.put("saved_searches", row, instead_of=before)
            changed = _search(row)
            is_new = changed.shared and not now.shared
            action: AuditAction = "share_search" if is_new else "change_search"
            self._recorded(desk, owner, _deed_to(action, changed, _changes(now, changed)))
        return changed

    def delete_search(self, owner: str, search_id: str, version: int) -> None:
        """See Desk."""
        with self._writing() as desk:
            desk.desk.alone(name_key(owner))
            before = _standing(desk.desk, owner, search_id, version)
            desk.drop("saved_searches", before)
            self._recorded(desk, owner, _deed_to("delete_search", _search(before)))

    def searches(self, owner: str, source: str) -> tuple[SavedSearch, ...]:
        """See Desk."""
        key = name_key(owner)
        found = []
        # The numbers of sets may be megabytes: without them a row cannot be checked either.
        for columns, which in (("*", "page <> 'set'"), (_LISTED, "page = 'set'")):
            sql = f"SELECT {columns} FROM saved_searches WHERE source = ? AND {which} AND {_OPEN}"
            rows = self._rows(sql, (source, key), SEARCHES_SINCE)
            found += [row for row in rows if row["shared"] or name_key(row["owner"]) == key]
        found.sort(key=lambda row: (name_key(row["owner"]) != key, row["owner"], row["name"]))
        return self._made(found, _search, "saved_searches")

    def saved_set(self, owner: str, source: str, search_id: str) -> SavedSearch:
        """See Desk."""
        return self._made([self._set(_LISTED, owner, source, search_id)], _search)[0]

    def set_numbers(self, owner: str, source: str, search_id: str) -> tuple[str, ...]:
        """See Desk."""
        row = self._set("*", owner, source, search_id)
        found = self._made([row], lambda one: numbers_in(_search(one).search), "saved_searches")
        return found[0]

    def _set(self, columns: str, owner: str, source: str, search_id: str) -> Row:
        sql = f"SELECT {columns} FROM saved_searches WHERE search_id = ? AND source = ?"
        sql += f" AND page = 'set' AND {_OPEN}"
        key = name_key(owner)
        for row in self._rows(sql, (search_id, source, key), SEARCHES_SINCE):
            if row["shared"] or name_key(row["owner"]) == key:
                return row
        raise NotFound("This saved set was deleted, or is another user's and not shared")


def _search(row: Row) -> SavedSearch:
    return SavedSearch(
        search_id=row["search_id"],
        owner=row["owner"],
        name=row["name"],
        search=Search(
            source=row["source"], page=row["page"], params=json.loads(row.get("params") or "{}")
        ),
        shared=bool(row["shared"]),
        found=SearchFound.model_validate_json(row["found"]),
        saved_at=row["saved_at"],
        version=row["version"],
    )


def _standing(desk: Transaction, owner: str, search_id: str, version: int) -> Row:
    """The search of this owner, if this version stands. Raises NotFound, SearchConflict."""
    sql = f"SELECT * FROM saved_searches WHERE search_id = ? AND {MINE}{desk.locking}"
    found = desk.rows(sql, (search_id, name_key(owner)))
    if not found:
        raise NotFound("This saved search was deleted meanwhile, or is another user's")
    if found[0]["version"] != version:
        raise SearchConflict("This saved search was changed in another window meanwhile")
    return found[0]


def _unused(desk: Transaction, owner: str, source: str, name: str) -> None:
    sql = f"SELECT 1 AS found FROM saved_searches WHERE {MINE} AND source = ? AND name = ?"
    if desk.rows(sql, (name_key(owner), source, name)):
        raise InvalidRequest(
            f"You have a saved search '{name}' already; give this one another name",
            parameter="name",
        )


def _deed_to(action: AuditAction, saved: SavedSearch, detail: str = "") -> Deed:
    search = saved.search
    if search.page == "set":
        said = detail or f"a set of {len(numbers_in(search)):,} loans"
    else:
        said = detail or f"{search.page}: {json.dumps(dict(search.params), ensure_ascii=False)}"
    return Deed(action=action, kind="search", name=saved.name, source=search.source, detail=said)


def _changes(was: SavedSearch, now: SavedSearch) -> str:
    """What of a search was changed, in words."""
    said = []
    if was.name != now.name:
        said.append(f"renamed from '{was.name}'")
    if was.shared != now.shared:
        said.append("shared with everybody" if now.shared else "no longer shared")
    if was.found != now.found:
        said.append("counts marked as seen")
    return ", ".join(said) or "nothing"
