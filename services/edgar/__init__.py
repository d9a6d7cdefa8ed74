"""Filings of one registrant from EDGAR, a mirror or a folder, to Exhibit 102 files on this disk.

`records`, `exhibit` and `places` perform no I/O; `web` is the only module that opens a connection;
`folder` reads and keeps files; `fetching` decides what to ask for. All that comes from outside is
untrusted: names are checked, answers are bounded, and XML goes to the importer's own safe reader.
"""

from services.edgar.fetching import Fetched, fetch
from services.edgar.folder import Folder
from services.edgar.web import Web

__all__ = ["Fetched", "Folder", "Web", "fetch"]
