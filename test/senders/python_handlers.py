"""Handlers of Python's logging that others wrote. Each line of input is a phase: every handler that it names sends, and is flushed."""

import logging
import sys
from urllib.parse import urlsplit

import logging_loki
import splunk_handler
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

url, key, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
address = urlsplit(url)

provider = LoggerProvider()
exporter = OTLPLogExporter(f"{url}/v1/logs", headers={"authorization": f"Bearer {key}"}, timeout=60)
provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
splunk = splunk_handler.SplunkHandler(
    address.hostname, address.port, key, "inbox", protocol="http", verify=False, flush_interval=600, retry_backoff=0.5, retry_count=8
)
loki = logging_loki.LokiHandler(f"{url}/loki/api/v1/push", tags={"app": "python"}, auth=("python", key), version="1")
handlers = {
    "otlp": (LoggingHandler(logger_provider=provider), provider.force_flush),
    "splunk": (splunk, splunk.force_flush),
    "loki": (loki, lambda: None),
}

for order in sys.stdin:
    phase, *names = order.split()
    for name in names:
        handler, flush = handlers[name]
        for number in range(lines):
            record = logging.LogRecord("test", logging.WARNING, __file__, 1, f"{name}-{phase}-{number}", None, None)
            handler.emit(record)
        flush()
    print(f"sent {phase}", flush=True)
