"""What users say of parties, and loans, that may be one, in SQL (D229)."""

from typing import Final

from services.contract.audit import AuditAction, Deed
from services.contract.resolution import Decided, Pair, Verdict

from .seals import row_of
from .searches import SqlSearches
from .transactions import Row, Transaction

#: The migration that made the table.
_SINCE: Final = 5
_SAID: Final[dict[Verdict, AuditAction]] = {"accepted": "accept_match", "rejected": "reject_match"}


class SqlVerdicts(SqlSearches):
    """One word a pair, the newest, each write with its entry in the audit; see Desk."""

    def decide(self, owner: str, pair: Pair, verdict: Verdict | None) -> None:
        """See Desk."""
        with self._writing() as desk:
            # Two who decide at once come one after the other, also where no row is yet.
            desk.desk.alone("verdicts")
            before = _standing(desk.desk, pair)
            if (before[0]["verdict"] if before else None) == verdict:
                return
            for row in before:
                desk.drop("verdicts", row)
            if verdict:
                desk.put("verdicts", row_of("verdicts", *pair, verdict, owner, self._now()))
            action: AuditAction = _SAID[verdict] if verdict else "undo_match"
            self._recorded(
                desk,
                owner,
                Deed(
                    action=action,
                    kind="loan" if pair.kind == "loan" else "entity",
                    name=pair.first,
                    detail=pair.second,
                ),
            )

    def decided(self) -> tuple[Decided, ...]:
        """See Desk."""
        sql = "SELECT * FROM verdicts ORDER BY kind, first, second"
        return self._made(self._rows(sql, (), _SINCE), _decided, "verdicts")


def _standing(desk: Transaction, pair: Pair) -> list[Row]:
    sql = f"SELECT * FROM verdicts WHERE kind = ? AND first = ? AND second = ?{desk.locking}"
    return desk.rows(sql, tuple(pair))


def _decided(row: Row) -> Decided:
    return Decided(**{name: row[name] for name in Decided.model_fields})
