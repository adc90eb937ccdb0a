"""The modern ClickHouse engine behind the part of its HTTP interface that Vigil uses. A fixture of the tests, not a server.

Each request has a connection of its own, so statements run side by side. Not in the library: users with grants and
constraints, clusters, replicas and the ids that clients give to their statements. The id travels as `log_comment`, and
statements over system.processes and KILL QUERY are rewritten to find it there. system.settings shows the account with
constraints, and the account `unbounded` without; system.clusters shows the hosts in the file `cluster` of the data folder. A request that asks for anything unknown is refused with 501, so that no
test passes because the fixture ignored something.
"""

import gzip
import json
import os
import re
import select
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import chdb

FOLDER, PORT, USER, PASSWORD, HOST = sys.argv[1:6]
OWN_HEADERS = {"x-clickhouse-user", "x-clickhouse-key"}
REFUSED_PARAMS = {"user", "password", "session_id", "session_timeout", "compress", "decompress", "stacktrace", "log_comment"}
FORMAT = re.compile(r"\s+format\s+(\w+)\s*$", re.IGNORECASE)
INSERT = re.compile(r"insert\s+into\s+([\w.`]+)\s*(?:\(([^()]*)\))?\s*$", re.IGNORECASE)
NAMES = re.compile(r"'(?:[^'\\]|\\.)*'|\b(?:initial_)?query_id\b", re.IGNORECASE)
CODE = re.compile(r"Code: (\d+)")
CHECK_SECONDS = 0.02

running = set()
lock = threading.Lock()


class Unknown(Exception):
    """What the fixture does not speak."""


class Cut(Exception):
    """A body that ended before its end."""


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# The library has them, but none for its only user.
CONSTRAINTS = {"max_memory_usage": ("1", "8589934592"), "max_execution_time": ("1", "3600")}


def constrained():
    names = ", ".join(map(quoted, CONSTRAINTS))
    ends = [", ".join(quoted(pair[at]) for pair in CONSTRAINTS.values()) for at in (0, 1)]
    least, most = (f"transform(name, [{names}], [{of}], '')" for of in ends)
    return f"(select name, value, nullIf({least}, '') as min, nullIf({most}, '') as max from system.settings)"


def clustered():
    """The cluster `main`; a line of the file has a shard and a host."""
    path = os.path.join(FOLDER, "cluster")
    lines = open(path).read().split("\n") if os.path.exists(path) else []
    rows = [line.split(" ") for line in lines if line]
    values = ", ".join(f"('main', {shard}, {at}, {quoted(host)})" for at, (shard, host) in enumerate(rows))
    columns = "cluster String, shard_num UInt32, replica_num UInt32, host_name String"
    return f"values({quoted(columns)}, {values})" if rows else "system.clusters"


def rewritten(statement, is_bounded):
    if "system.clusters" in statement:
        return statement.replace("system.clusters", clustered())
    if is_bounded and "system.settings" in statement:
        return statement.replace("system.settings", constrained())
    if "system.processes" not in statement and not statement.lower().startswith("kill query"):
        return statement
    return NAMES.sub(lambda found: found[0] if found[0].startswith("'") else "Settings['log_comment']", statement)


def connected(work):
    connection = chdb.connect(FOLDER)
    try:
        return work(connection)
    finally:
        connection.close()


def insert(connection, statement, data, data_format):
    """By way of a table in memory: the library does not tell a failure of the table that rows are streamed into."""
    found = INSERT.match(statement)
    if not found:
        raise Unknown(f"the insert {statement}")
    table, columns = found[1], found[2] or "*"
    connection.query(f"create temporary table incoming engine = Memory as select {columns} from {table} limit 0")
    inserting = connection.send_insert("insert into incoming", data_format)
    try:
        inserting.append(data)
        done = inserting.finish()
    except BaseException:
        inserting.cancel()
        raise
    named = f" ({columns})" if found[2] else ""
    connection.query(f"insert into {table}{named} select * from incoming")
    return done


def perform(statement, data, settings, database, is_bounded):
    def work(connection):
        if database:
            connection.query(f"use `{database}`")
        # In one statement: nothing may be set after readonly.
        if settings:
            connection.query("set " + ", ".join(f"{name} = {quoted(value)}" for name, value in settings))
        if data is not None:
            found = FORMAT.search(statement)
            if not found:
                raise Unknown("an insert without a format")
            done = insert(connection, statement[: found.start()], data, found[1])
            return b"", {"written_rows": str(done.rows_written), "written_bytes": str(done.bytes_written)}
        result = connection.query(rewritten(statement, is_bounded), "TabSeparated")
        read = {"read_rows": str(result.storage_rows_read()), "read_bytes": str(result.storage_bytes_read())}
        return result.bytes(), read

    return connected(work)


def kill(query_id):
    connected(lambda connection: connection.query(f"kill query where Settings['log_comment'] = {quoted(query_id)} async"))


class Statement(threading.Thread):
    """A statement at work; its outcome is there when it has ended."""

    def __init__(self, *args):
        super().__init__(daemon=True)
        self.args = args
        self.outcome = None
        self.failure = None

    def run(self):
        try:
            self.outcome = perform(*self.args)
        except Exception as failure:  # told to the client
            self.failure = failure


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Otherwise the end of an answer waits for the acknowledgement of its beginning.
    wbufsize = -1

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/ping":
            self.answer(200, b"Ok.\n")
        else:
            self.refuse(f"GET {self.path}")

    def do_POST(self):
        try:
            url = urlsplit(self.path)
            if url.path != "/":
                raise Unknown(f"the path {url.path}")
            params = dict(parse_qsl(url.query, keep_blank_values=True))
            body = self.body()
            if not self.is_known_user():
                text = f"Code: 516. DB::Exception: {self.headers['x-clickhouse-user']}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)"
                self.answer(403, text.encode(), {"X-ClickHouse-Exception-Code": "516"})
                return
            self.serve(params, body)
        except Unknown as unknown:
            self.refuse(str(unknown))
        except (Cut, ConnectionError, socket.timeout):
            self.close_connection = True

    def serve(self, params, body):
        refused = REFUSED_PARAMS & params.keys()
        unknown = [name for name in self.headers if name.lower().startswith("x-clickhouse-") and name.lower() not in OWN_HEADERS]
        if refused or unknown:
            raise Unknown(", ".join([*refused, *unknown]))
        query_id, database = params.pop("query_id", ""), params.pop("database", "")
        # Answers are whole before they are sent.
        params.pop("wait_end_of_query", None)
        in_url = params.pop("query", None)
        # An insert has its statement in the url and its data in the body.
        statement, data = (body.decode(), None) if in_url is None else (in_url, body if FORMAT.search(in_url) and in_url.lower().startswith("insert") else None)
        if in_url is not None and data is None and body:
            raise Unknown("a statement both in the url and in the body")
        settings = [*params.items(), *([("log_comment", query_id)] if query_id else [])]
        with lock:
            if query_id in running:
                text = f"Code: 216. DB::Exception: Query with id = {query_id} is already running. (QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING)"
                self.answer(500, text.encode(), {"X-ClickHouse-Exception-Code": "216"})
                return
            if query_id:
                running.add(query_id)
        try:
            is_bounded = self.headers["x-clickhouse-user"] == USER
            work = Statement(statement.strip().rstrip(";"), data, settings, database, is_bounded)
            work.start()
            is_watched = params.get("cancel_http_readonly_queries_on_client_close") == "1"
            self.wait(work, query_id if is_watched else "")
        finally:
            with lock:
                running.discard(query_id)
        self.tell(work, query_id)

    def wait(self, work, query_id):
        """An abort of the client ends a statement that may be cancelled."""
        while work.is_alive():
            work.join(CHECK_SECONDS)
            if query_id and work.is_alive() and self.is_gone():
                kill(query_id)

    def is_gone(self):
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    def tell(self, work, query_id):
        named = {"X-ClickHouse-Query-Id": query_id} if query_id else {}
        if isinstance(work.failure, Unknown):
            self.refuse(str(work.failure))
        elif work.failure is not None:
            text = str(work.failure)
            code = CODE.search(text)
            self.answer(500, text.encode(), {**named, "X-ClickHouse-Exception-Code": code[1] if code else "1002"})
        else:
            data, summary = work.outcome
            self.answer(200, data, {**named, "X-ClickHouse-Summary": json.dumps(summary)})

    def is_known_user(self):
        return self.headers["x-clickhouse-user"] in (USER, "unbounded") and self.headers.get("x-clickhouse-key", "") == PASSWORD

    def body(self):
        coding = self.headers.get("transfer-encoding", "")
        if coding.lower() == "chunked":
            data = self.chunks()
        elif coding:
            raise Unknown(f"the transfer encoding {coding}")
        else:
            length = int(self.headers.get("content-length", "0"))
            data = self.exactly(length)
        encoding = self.headers.get("content-encoding", "")
        if encoding == "gzip":
            return gzip.decompress(data)
        if encoding:
            raise Unknown(f"the content encoding {encoding}")
        return data

    def chunks(self):
        parts = []
        while True:
            line = self.rfile.readline()
            if not line.strip():
                raise Cut()
            size = int(line, 16)
            parts.append(self.exactly(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def exactly(self, length):
        data = self.rfile.read(length)
        if len(data) < length:
            raise Cut()
        return data

    def refuse(self, what):
        self.answer(501, f"the fixture does not know {what}\n".encode())

    def answer(self, status, data, headers=None):
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
            self.wfile.flush()
        except ConnectionError:
            self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request, client_address):
        # A client that was killed is not told.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def leave_with_parent():
    """A test process that is killed must not leave its fixture behind."""
    sys.stdin.read()
    # Like a crash: nothing is closed.
    os._exit(0)


# Holds the engine open: without it every request would start one.
engine = chdb.connect(FOLDER)
server = Server((HOST, int(PORT)), Front)
threading.Thread(target=leave_with_parent, daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
