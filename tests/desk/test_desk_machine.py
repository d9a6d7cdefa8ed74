"""Any sequence of writes over two connections to one SQLite file (D78)."""

import shutil
import tempfile
from pathlib import Path

from services.desk.sqlite import SqliteDesk
from tests.desk.machine import DeskMachine
from tests.tiers import examples


class SqliteMachine(DeskMachine):
    def opened(self):
        self.folder = Path(tempfile.mkdtemp())
        return [SqliteDesk(self.folder / "desk.sqlite") for _ in range(2)]

    def teardown(self):
        shutil.rmtree(self.folder)


TestDesk = SqliteMachine.TestCase
TestDesk.settings = examples(6, 15, stateful_step_count=20)
