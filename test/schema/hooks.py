"""Brings within the reach of schemathesis what it cannot guess: objects that exist, queries that run, bodies of bytes
and answers of one JSON object per line. VIGIL_SCHEMA_WORLD names what exists, by path."""

import itertools
import json
import os

import jsonschema_rs
import schemathesis

WORLD = json.loads(os.environ["VIGIL_SCHEMA_WORLD"])
TOKENS = itertools.cycle(WORLD["tokens"])
QUERIES = itertools.cycle(WORLD["queries"])
CALLS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Every second call names an object that exists; the others keep what was generated."""
    bound_waiting(case)
    if case.method == "DELETE" or next(CALLS) % 2 == 1:
        return
    path = case.operation.path
    existing = WORLD["paths"].get(path)
    if existing:
        case.path_parameters = {**(case.path_parameters or {}), **existing}
    if path == "/api/core/query":
        case.query = {**(case.query or {}), "q": next(QUERIES)}
    if path == "/api/core/upload-streams/{token}":
        case.path_parameters = {"token": next(TOKENS)}
        case.headers = {**(case.headers or {}), "Tus-Resumable": "1.0.0"}
        if case.method == "PATCH":
            case.headers["Upload-Offset"] = "0"


def bound_waiting(case):
    """A stream of events has no end, so that only its refusals are asked for; other calls wait a second at most."""
    if case.operation.path == "/api/core/events/stream":
        case.query = {**(case.query or {}), "priorities": "none"}
    for values in (case.query, case.body):
        if isinstance(values, dict) and str(values.get("wait", "0")).isdigit() and int(values.get("wait", 0)) > 1:
            values["wait"] = 1


@schemathesis.serializer("application/offset+octet-stream", "application/x-ndjson")
def serialize_lines(context, value):
    """A generated value as a line of JSON; bytes stay as they are."""
    if isinstance(value, (bytes, str)):
        return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return (json.dumps(value) + "\n").encode()


@schemathesis.deserializer("application/x-ndjson")
def deserialize_lines(context, response):
    """The first line that does not match the declared schema, otherwise the last: each line is looked at."""
    rows = [json.loads(line) for line in response.content.decode().split("\n") if line != ""]
    if not rows:
        raise NotImplementedError
    document = context.operation.schema.raw_schema
    declared = context.operation.definition.raw["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
    validator = jsonschema_rs.validator_for({**declared, "components": document["components"]})
    return next((row for row in rows if not validator.is_valid(row)), rows[-1])
