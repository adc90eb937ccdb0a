// What is pasted at the sender. The texts are those of docs/senders.md, filled with the address, the key and the table of the
// reader; a test compares them.

import type { KindId } from './kinds.ts';

export interface SnippetValues {
  /** Of the service, as `http://127.0.0.1:8470`. */
  readonly url: string;
  readonly host: string;
  readonly port: string;
  readonly isTls: boolean;
  readonly key: string;
  readonly table: string;
  readonly parser: string;
  /** Where a logger listens. */
  readonly loggerPort: string;
}

export interface Snippet {
  readonly title: string;
  /** False hides it: it does not fit the choices that were made. */
  fits?(values: SnippetValues & { readonly factory: string }): boolean;
  text(values: SnippetValues): string;
}

const pushPath = ({ url, table }: SnippetValues): string => `${url}/api/core/tables/${encodeURIComponent(table)}/logs`;

const curl: readonly Snippet[] = [
  {
    title: 'curl',
    fits: ({ parser }) => parser === 'json',
    text: (values) => `curl -H "Authorization: Bearer ${values.key}" -d '{"msg":"hello"}' "${pushPath(values)}"`,
  },
  {
    title: 'curl',
    fits: ({ parser }) => parser !== 'json',
    text: (values) =>
      `curl -H "Authorization: Bearer ${values.key}" -H 'Content-Type: text/plain' --data-binary @app.log "${pushPath(values)}?parser=${encodeURIComponent(values.parser)}"`,
  },
];

const otlp: readonly Snippet[] = [
  {
    title: 'SDK',
    text: ({ url, key, table }) => `export OTEL_LOGS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=${url}/v1/logs
export OTEL_EXPORTER_OTLP_LOGS_HEADERS="Authorization=Bearer%20${key}"
export OTEL_RESOURCE_ATTRIBUTES="service.name=shop,vigil.table=${table}"`,
  },
  {
    title: 'Collector',
    text: ({ url, key, table }) => `exporters:
  otlp_http/vigil:
    logs_endpoint: ${url}/v1/logs
    compression: gzip
    headers:
      Authorization: Bearer ${key}
      X-Vigil-Table: ${table}
service:
  pipelines:
    logs:
      receivers: [otlp]
      exporters: [otlp_http/vigil]`,
  },
];

const rsyslog: Snippet = {
  title: 'rsyslog',
  text: ({ host, port, isTls, key, table }) => `module(load="omelasticsearch")
template(name="id" type="string" string="%uuid%")
template(name="log" type="list" option.jsonf="on") {
  property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="host" name="hostname" format="jsonf")
  property(outname="app" name="app-name" format="jsonf")
  property(outname="severity" name="syslogseverity-text" format="jsonf")
  property(outname="msg" name="msg" format="jsonf")
}
action(type="omelasticsearch" server="${host}" serverport="${port}"${isTls ? ' usehttps="on"' : ''} uid="vigil" pwd="${key}"
       template="log" searchIndex="${table}" searchType="" bulkmode="on"
       writeoperation="create" bulkid="id" dynbulkid="on" action.resumeRetryCount="-1")`,
};

const fluentBit: Snippet = {
  title: 'Fluent Bit',
  text: ({ host, port, isTls, key, table }) => `[OUTPUT]
    Name             http
    Match            *
    Host             ${host}
    Port             ${port}
    URI              /api/core/tables/${encodeURIComponent(table)}/logs
    Format           json_lines
    Json_date_key    _time
    Json_date_format epoch_ms
    Header           Authorization Bearer ${key}
    Compress         gzip${isTls ? '\n    tls              On' : ''}`,
};

const vector: Snippet = {
  title: 'Vector',
  text: (values) => `sinks:
  vigil:
    type: http
    inputs: [my-source]
    uri: ${pushPath(values)}
    encoding: { codec: json }
    framing: { method: newline_delimited }
    compression: gzip
    auth: { strategy: bearer, token: ${values.key} }`,
};

const filebeat: Snippet = {
  title: 'Filebeat',
  text: ({ url, key, table }) => `output.elasticsearch:
  hosts: ["${url}"]
  api_key: "vigil:${key}"
  index: "${table}"
setup.template.enabled: false
setup.ilm.enabled: false`,
};

const syslog: readonly Snippet[] = [
  {
    title: 'logger',
    fits: ({ factory }) => factory === 'syslog-udp',
    text: ({ host, loggerPort }) => `logger --server ${host} --port ${loggerPort} --udp --rfc5424 "hello"`,
  },
  {
    title: 'logger',
    fits: ({ factory }) => factory === 'syslog-tcp',
    text: ({ host, loggerPort }) => `logger --server ${host} --port ${loggerPort} --tcp --rfc5424 "hello"`,
  },
  {
    title: 'rsyslog',
    fits: ({ factory }) => factory === 'syslog-tls',
    text: ({ host, loggerPort }) => `global(DefaultNetstreamDriverCAFile="/etc/ssl/vigil-ca.pem"
       DefaultNetstreamDriverCertFile="/etc/ssl/web01.pem"
       DefaultNetstreamDriverKeyFile="/etc/ssl/web01-key.pem")
action(type="omfwd" target="${host}" port="${loggerPort}" protocol="tcp"
       StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="x509/name"
       StreamDriverPermittedPeers="${host}"
       template="RSYSLOG_SyslogProtocol23Format"
       queue.type="LinkedList" queue.filename="vigil" queue.saveOnShutdown="on" action.resumeRetryCount="-1")`,
  },
];

export const SNIPPETS: Readonly<Record<KindId, readonly Snippet[]>> = {
  curl,
  otlp,
  rsyslog: [rsyslog],
  'fluent-bit': [fluentBit],
  vector: [vector],
  filebeat: [filebeat],
  syslog,
  // The service reads the file by itself.
  file: [],
};
