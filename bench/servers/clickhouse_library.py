"""ClickHouse as a library, driven by lines of JSON: each line is an order, each answer a line. A connection per request."""

import json
import sys
import threading
import time
from itertools import islice

import chdb


def asked(path, sql, form):
    connection = chdb.connect(path)
    try:
        return connection.query(sql, form).bytes()
    finally:
        connection.close()


def ingest(path, file, batch, clients, table, insert):
    asked(path, "drop table if exists app", "CSV")
    asked(path, table, "CSV")
    failures = []
    lock = threading.Lock()
    with open(file, encoding="utf-8") as lines:

        def client():
            try:
                while True:
                    with lock:
                        text = "".join(islice(lines, batch))
                    if not text:
                        return
                    asked(path, insert + text, "CSV")
            except Exception as failure:  # told to the bench, which ends
                failures.append(str(failure))

        begun, processor = time.perf_counter(), time.process_time()
        threads = [threading.Thread(target=client) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failures:
        raise RuntimeError(failures[0])
    took = {"seconds": time.perf_counter() - begun, "cpuSeconds": time.process_time() - processor}
    return {**took, "records": int(asked(path, "select count() from app", "CSV"))}


def query(path, sql):
    begun = time.perf_counter()
    answer = asked(path, sql, "JSONEachRow")
    milliseconds = (time.perf_counter() - begun) * 1000
    return {"milliseconds": milliseconds, "rows": answer.count(b"\n")}


def served(path, order):
    if order["kind"] == "ingest":
        return ingest(path, **{name: order[name] for name in ("file", "batch", "clients", "table", "insert")})
    if order["kind"] == "query":
        return query(path, order["sql"])
    return {"version": asked(path, "select version()", "CSV").decode().strip()}


# Holds the engine open: without it every request would start one.
engine = chdb.connect(sys.argv[1])
for line in sys.stdin:
    try:
        answer = served(sys.argv[1], json.loads(line))
    except Exception as failure:  # told to the bench, which ends
        answer = {"error": str(failure)[:500]}
    print(json.dumps(answer), flush=True)
