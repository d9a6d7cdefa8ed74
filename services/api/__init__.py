"""Our own service that speaks the specification's API, over any CreditSource; see README.md here.

    commands -> serving -> app -> document
                     |      +---> front -> exchange, log
                     |      +---> reads -> params, access -> keys, limiting
                     |                +--> answers
                     +---> opening -> keys, limiting, shared (keys, quotas, rates of several nodes)
                     +---> protocol

Limitations: one process counts requests in its own memory unless storages are named, and then all
workers and nodes share them; the sandbox and production environments answer in the same variant.
"""
