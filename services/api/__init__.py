"""Our own service that speaks the specification's API, over any CreditSource; see README.md here.

    commands -> serving -> app -> document
                     |      +---> front -> exchange, log
                     |      +---> reads -> params, access -> keys, limiting
                     |                +--> answers
                     +---> protocol

Limitations: one process counts requests in its own memory unless a storage is named, and then all
workers share it; the sandbox and production environments answer in the same variant.
"""
