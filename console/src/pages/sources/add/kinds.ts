// The ways of logs into the service that 'Add data' knows.

export const KIND_IDS = ['curl', 'otlp', 'rsyslog', 'fluent-bit', 'vector', 'filebeat', 'syslog', 'file'] as const;
export type KindId = (typeof KIND_IDS)[number];

export interface Kind {
  /** Lines are read by a parser; records come with their fields. */
  readonly sends: 'lines' | 'records';
  /** The kinds of loggers that take it; none where logs are pushed to the table. */
  readonly factories: readonly string[];
  /** The protocol that the setting `senders` must name. */
  readonly protocol?: 'otlp' | 'elasticsearch';
  /** The parser that fits most of it. */
  readonly parser: string;
}

export const KINDS: Readonly<Record<KindId, Kind>> = {
  curl: { sends: 'lines', factories: [], parser: 'json' },
  otlp: { sends: 'records', factories: [], protocol: 'otlp', parser: 'json' },
  rsyslog: { sends: 'records', factories: [], protocol: 'elasticsearch', parser: 'json' },
  'fluent-bit': { sends: 'records', factories: [], parser: 'json' },
  vector: { sends: 'records', factories: [], parser: 'json' },
  filebeat: { sends: 'records', factories: [], protocol: 'elasticsearch', parser: 'json' },
  syslog: { sends: 'lines', factories: ['syslog-udp', 'syslog-tcp', 'syslog-tls'], parser: 'syslog' },
  file: { sends: 'lines', factories: ['file'], parser: 'text' },
};
