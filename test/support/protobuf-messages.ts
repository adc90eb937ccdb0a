// Requests of OTLP and of Loki as protobuf, encoded by a library that knows nothing of us.

import protobuf from 'protobufjs';

/** The published messages of logs, as far as senders fill them. */
const PROTO = `
syntax = "proto3";
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message InstrumentationScope {
  string name = 1; string version = 2; repeated KeyValue attributes = 3; uint32 dropped_attributes_count = 4;
}
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message LogRecord {
  fixed64 time_unix_nano = 1; fixed64 observed_time_unix_nano = 11; int32 severity_number = 2; string severity_text = 3;
  AnyValue body = 5; repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8;
  bytes trace_id = 9; bytes span_id = 10; string event_name = 12;
}
message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
message ExportLogsServiceRequest { repeated ResourceLogs resource_logs = 1; }
message Timestamp { int64 seconds = 1; int32 nanos = 2; }
message LabelPair { string name = 1; string value = 2; }
message Entry { Timestamp timestamp = 1; string line = 2; repeated LabelPair structured_metadata = 3; }
message Stream { string labels = 1; repeated Entry entries = 2; uint64 hash = 3; }
message PushRequest { repeated Stream streams = 1; }
`;

const { root } = protobuf.parse(PROTO);
// Deeper than what is refused here.
protobuf.util.recursionLimit = 1000;
const encode = (type: protobuf.Type, message: object): Buffer =>
  Buffer.from(type.encode(type.fromObject(message)).finish());

export const otlpBytes = (message: object): Buffer => encode(root.lookupType('ExportLogsServiceRequest'), message);

export const lokiBytes = (message: object): Buffer => encode(root.lookupType('PushRequest'), message);
