// Clients of others, as a program uses them: each sends a line and resolves when its library says that it was taken.

import { Client } from '@elastic/elasticsearch';
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { LoggerProvider, type LogRecordExporter, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { pinoLoki } from 'pino-loki';
import splunk from 'splunk-logging';
import { MASTER_KEY } from '#test/support/service.ts';

export interface SenderClient {
  readonly name: string;
  /** Whether its protocol carries an id, so that a repeated record is stored once. */
  readonly isOnce: boolean;
  /** False for a library that neither tells nor tries again. */
  readonly isRetrying: boolean;
  send(line: string): Promise<void>;
}

const RETRIES = 50;
const TIMEOUT_MS = 40_000;

export const clientsOf = (url: string): readonly SenderClient[] => [
  elasticsearch(url),
  opentelemetry('OTLP as JSON', new JsonExporter(exporterOptions(url))),
  opentelemetry('OTLP as protobuf', new ProtobufExporter(exporterOptions(url))),
  splunkLogging(url),
  loki(url),
];

function elasticsearch(url: string): SenderClient {
  const client = new Client({
    node: url,
    auth: { apiKey: MASTER_KEY },
    maxRetries: RETRIES,
  });
  return {
    name: 'elasticsearch',
    isOnce: true,
    isRetrying: true,
    async send(line) {
      const dropped: unknown[] = [];
      await client.helpers.bulk({
        datasource: [{ line }],
        onDocument: () => ({ create: { _index: 'logs', _id: line } }),
        onDrop: ({ status, error }) => void dropped.push([status, error]),
      });
      // A repeat of a request whose answer was lost: the document is there.
      const isConflict = JSON.stringify(dropped).includes('version_conflict_engine_exception');
      if (dropped.length > 0 && !isConflict) throw new Error(`not taken: ${JSON.stringify(dropped)}`);
    },
  };
}

const exporterOptions = (url: string) => ({
  url: `${url}/v1/logs`,
  headers: { authorization: `Bearer ${MASTER_KEY}` },
  timeoutMillis: TIMEOUT_MS,
});

function opentelemetry(name: string, exporter: LogRecordExporter): SenderClient {
  return {
    name,
    isOnce: false,
    isRetrying: true,
    send: (line) =>
      new Promise((taken, refused) => {
        const told: LogRecordExporter = {
          export: (records, done) =>
            exporter.export(records, (result) => {
              done(result);
              if (result.code === 0) taken();
              else refused(result.error ?? new Error('not taken'));
            }),
          shutdown: () => Promise.resolve(),
          forceFlush: () => Promise.resolve(),
        };
        const processors = [new SimpleLogRecordProcessor({ exporter: told })];
        new LoggerProvider({ processors }).getLogger('test').emit({ body: line });
      }),
  };
}

function splunkLogging(url: string): SenderClient {
  const logger = new splunk.Logger({ token: MASTER_KEY, url, maxRetries: RETRIES });
  return {
    name: 'splunk-logging',
    isOnce: false,
    isRetrying: true,
    send: (line) =>
      new Promise((taken, refused) => {
        logger.send({ message: { line } }, (error) => (error ? refused(error) : taken()));
      }),
  };
}

function loki(url: string): SenderClient {
  const stream = pinoLoki({ host: url, basicAuth: { username: 'any', password: MASTER_KEY }, batching: false });
  return {
    name: 'pino-loki',
    isOnce: false,
    isRetrying: false,
    async send(line) {
      stream.write(`${JSON.stringify({ level: 30, time: Date.now(), msg: line })}\n`);
    },
  };
}
