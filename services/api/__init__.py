"""Our own service that speaks the specification's API, over any CreditSource.

    commands -> serving -> app -> document
                     |      +---> endpoints -> answers
                     |      +---> access -> keys, limiting
                     +---> protocol

Limitations: one process counts requests in its own memory unless a storage is named, and then all
workers share it; the sandbox and production environments answer in the same variant.
"""
