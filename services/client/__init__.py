"""The vendor's service as a `CreditSource`: pure decisions, one small loop, one file with sockets.

`address`, `protocol`, `failures`, `budget`, `body`, `seen` and `calls` perform no I/O; `transport`
is the only module that imports httpx; `source` sends, decides and sleeps. What is sent is built in
`services.contract.requests`.
"""
