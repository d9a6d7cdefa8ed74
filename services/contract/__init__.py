"""The waist: records, queries, errors and the two Protocols that pages and data meet at.

Imports nothing of Credit Atlas. `portfolio` is the one module here that needs pyarrow; it is
imported by the pipeline's side only, so pages stay light.
"""
