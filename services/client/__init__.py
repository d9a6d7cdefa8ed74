"""The vendor's service as a `CreditSource`: pure decisions, one small loop, one file with sockets.

`protocol`, `budget`, `body`, `seen` and `snippets` perform no I/O; `transport` is the only module
that imports httpx; `source` sends, decides and sleeps.
"""
