"""ClickHouse as a library, driven by lines of JSON: each line is an order, each answer a line. A connection per request."""

import json
import sys
import threading
import time
from itertools import islice

import chdb

TABLE = """create table if not exists app (
  _time DateTime64(3, 'UTC'), level LowCardinality(String), service LowCardinality(String),
  host LowCardinality(String), status Nullable(Int64), duration_ms Nullable(Float64), src_ip String, "user" Nullable(String),
  path String, bytes Nullable(Int64), retry Nullable(String), code Nullable(String), http Nullable(String),
  labels Nullable(String), tags Nullable(String), message String, release LowCardinality(Nullable(String)),
  severity LowCardinality(Nullable(String)), EventID Nullable(Int64), kubernetes Tuple(namespace LowCardinality(String),
    pod Tuple(name String, labels Tuple(app LowCardinality(String), tier LowCardinality(String), build Nullable(Int64)),
      restarts Nullable(Int64))),
  event Tuple(provider LowCardinality(String), data Tuple(TargetUserName String, IpAddress String,
    LogonType Nullable(Int64)))
) engine = MergeTree order by _time settings fsync_after_insert = 1, fsync_part_directory = 1"""

INSERT = """insert into app settings async_insert = 0, input_format_skip_unknown_fields = 1,
  date_time_input_format = 'best_effort', input_format_json_read_objects_as_strings = 1,
  input_format_json_read_arrays_as_strings = 1, input_format_json_read_numbers_as_strings = 1,
  input_format_json_read_bools_as_strings = 1, input_format_json_defaults_for_missing_elements_in_named_tuple = 1,
  input_format_null_as_default = 1 format JSONEachRow """


def asked(path, sql, form):
    connection = chdb.connect(path)
    try:
        return connection.query(sql, form).bytes()
    finally:
        connection.close()


def ingest(path, file, batch, clients):
    asked(path, "drop table if exists app", "CSV")
    asked(path, TABLE, "CSV")
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
                    asked(path, INSERT + text, "CSV")
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
        return ingest(path, order["file"], order["batch"], order["clients"])
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
