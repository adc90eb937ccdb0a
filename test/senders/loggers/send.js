// Logs each line of its input through each library, as a program does: the libraries send and repeat by themselves.

import { createInterface } from 'node:readline';
import pino from 'pino';
import pinoElasticsearch from 'pino-elasticsearch';
import winston from 'winston';
import { ElasticsearchTransport } from 'winston-elasticsearch';
import LokiTransport from 'winston-loki';

const [, , url, key] = process.argv;
const elasticsearch = { node: url, auth: { apiKey: key } };
const tell = (library) => (error) => console.error(`${library}: ${error?.message ?? error}`);

const pinoStream = pinoElasticsearch({ ...elasticsearch, index: 'pino', flushBytes: 100, flushInterval: 100 });
for (const event of ['error', 'insertError']) pinoStream.on(event, tell('pino-elasticsearch'));
const pinoLogger = pino({}, pinoStream);

const bulkTransport = new ElasticsearchTransport({ index: 'winston', flushInterval: 200, clientOpts: elasticsearch });
const bulkLogger = winston.createLogger({ transports: [bulkTransport] });
bulkLogger.on('error', tell('winston-elasticsearch'));

const lokiTransport = new LokiTransport({
  host: url,
  basicAuth: `any:${key}`,
  labels: { app: 'winston' },
  interval: 1,
  // A batch that was not taken is sent again.
  clearOnError: false,
  onConnectionError: tell('winston-loki'),
});
const lokiLogger = winston.createLogger({ transports: [lokiTransport] });

for await (const line of createInterface({ input: process.stdin })) {
  pinoLogger.info(line);
  bulkLogger.info(line);
  lokiLogger.info(line);
}
