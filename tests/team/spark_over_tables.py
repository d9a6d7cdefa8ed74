"""Asks Spark SQL over open tables on S3; an environment of its own has pysail and pyspark-client.

    PYTHON tests/team/spark_over_tables.py s3://BUCKET/PREFIX < QUESTIONS > ANSWERS

QUESTIONS is a JSON object, name -> SQL; ANSWERS has rows as texts, and seconds. The server is Sail,
a driver and workers in one process (local-cluster); credentials are in the environment.
"""

import json
import os
import sys
import time

# Read when the server is imported.
os.environ["SAIL_MODE"] = "local-cluster"

from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession


def main() -> None:
    url, questions = sys.argv[1], json.load(sys.stdin)
    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    address = "sc://{}:{}".format(*server.listening_address)
    spark = SparkSession.builder.remote(address).getOrCreate()
    for name in ("loans", "signals", "history", "events"):
        spark.read.format("delta").load(f"{url}/tables/{name}").createOrReplaceTempView(name)
    answers = {}
    for name, sql in questions.items():
        began = time.perf_counter()
        rows = spark.sql(sql).collect()
        seconds = time.perf_counter() - began
        listed = [[None if one is None else str(one) for one in row] for row in rows]
        answers[name] = {"rows": listed, "seconds": seconds}
    json.dump(answers, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # the server's threads have no other end


if __name__ == "__main__":
    main()
