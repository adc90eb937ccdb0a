// Logs that once held the main thread: records of very many fields, lines that are read for long, files of lines that are none.

import { gzipSync, zstdCompressSync } from 'node:zlib';
import { created } from '#test/support/accounts.ts';
import { loggerRecord } from '#test/support/collected-logs.ts';
import { sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { createStream, createStreamRule } from '#test/support/stream-rules.ts';
import { until } from '#test/support/until.ts';
import { createTable, upload } from '#test/support/uploads.ts';
import type { HostileRequest, World } from './hostile-requests.ts';

const MIB = 1024 * 1024;
const NDJSON = 'application/x-ndjson';

const fields = (count: number, field: (at: number) => string, between: string) =>
  Array.from({ length: count }, (_, at) => field(at)).join(between);
const wide = (count: number) => `{${fields(count, (at) => `"k${at}":1`, ',')}}\n`;

/** Names of a length for which V8 has one hash: they differ in their last letters. */
const LONG_NAME = 'n'.repeat(16_400);
const longNames = (count: number, record: (name: string) => string) =>
  fields(count, (at) => record(`${LONG_NAME}${1_000_000 + at}`), '\n');

const pushed = (type: string, body: () => string) => (world: World) => gzipped(world, world.logger, type, body());

/** To a logger of its own, with a parser of this name. */
const read = (parser: string, body: () => string, configs?: object) => async (world: World) => {
  const table = `hostile_${parser.replace('-', '_')}_${body().length}`;
  return await gzipped(world, await parsedBy(world, table, parser, configs), 'text/plain', body());
};

async function parsedBy(world: World, table: string, parser: string, configs?: object): Promise<string> {
  if (!configs) return await createLogger(world, { table, parser });
  return await withConfigs(world, table, { logger_factory_name: 'http', parser_code: parser, parser_configs: configs });
}

interface ConfiguredModel {
  readonly logger_factory_name: string;
  readonly parser_code: string;
  readonly parser_configs: object;
}

async function withConfigs(world: World, table: string, model: ConfiguredModel, configs?: object): Promise<string> {
  await createTable(world, table);
  const parser_configs = JSON.stringify(model.parser_configs);
  const model_guid = await created(world, '/api/core/logger-models', { ...model, name: table, parser_configs });
  const logger = { model_guid, name: table, table_name: table, enabled: 'true' };
  const collecting = configs ? { configs: JSON.stringify(configs) } : {};
  return await created(world, '/api/core/loggers', { ...logger, ...collecting });
}

/** Datagrams that a pattern takes long for; they bring no key. */
async function sendSlowDatagrams(world: World): Promise<string> {
  const port = await freePort();
  const model = {
    logger_factory_name: 'syslog-udp',
    parser_code: 'regex',
    parser_configs: { pattern: '(?<a>.*)x(?<b>.*)y' },
  };
  const guid = await withConfigs(world, 'hostile_datagrams', model, { port, bind: '127.0.0.1' });
  await sendDatagrams(port, Array(60).fill('axy'.repeat(20_000)));
  await until(
    () => loggerRecord(world, guid),
    ({ log_count, drop_count }) => log_count + drop_count === 60,
  );
  return 'stored or dropped';
}

const gzipped = (world: World, logger: string, type: string, body: string) =>
  push(world, logger, { type, headers: { 'content-encoding': 'gzip' }, body: gzipSync(body, { level: 1 }) });

const uploaded = (table: string, file_name: string, body: () => Buffer | string) => async (world: World) => {
  await createTable(world, table);
  return await upload(world, body(), { file_name, metadata: { table, format: 'ndjson' } });
};

export const hostileLogs: readonly HostileRequest[] = [
  {
    it: 'records with one long name each',
    answers: '200',
    send: pushed(NDJSON, () => longNames(1000, (name) => `{"${name}":1}`)),
  },
  {
    it: 'records with one long nested name each',
    answers: '200',
    send: pushed(NDJSON, () => longNames(1000, (name) => `{"a":[{"${name}":1}]}`)),
  },
  {
    it: 'lines with one long key each',
    answers: '200',
    send: read('key-value', () => longNames(1000, (name) => `${name}=1`)),
  },
  { it: 'records of 80,000 fields', answers: '200', send: pushed(NDJSON, () => wide(80_000).repeat(6)) },
  {
    it: 'records of 80,000 fields that a stream rule looks at',
    answers: '200',
    async send(world) {
      const { schema, logger } = await createStream(world);
      await createStreamRule(world, { schema, where: ['search k7 == 8'] });
      return await gzipped(world, logger, NDJSON, wide(80_000).repeat(2));
    },
  },
  { it: 'many records of 2,000 fields', answers: '200', send: pushed(NDJSON, () => wide(2000).repeat(300)) },
  {
    it: 'lines of 90,000 pairs',
    answers: '200',
    send: read('key-value', () => `${fields(90_000, (at) => `k${at}=v`, ' ')}\n`.repeat(3)),
  },
  {
    it: 'lines of 80,000 elements of structured data',
    answers: '200',
    send: read('syslog', () => `<34>1 - h a p m ${fields(80_000, (at) => `[a${at}]`, '')} msg\n`.repeat(3)),
  },
  {
    it: 'lines of a million commas',
    answers: '200',
    send: read('csv', () => `${','.repeat(1_000_000)}\n`.repeat(4), { columns: ['a', 'b'] }),
  },
  {
    it: 'lines of a million quotes',
    answers: '200',
    send: read('csv', () => `${'"'.repeat(1_000_001)}\n`.repeat(4), { columns: ['a', 'b'] }),
  },
  {
    it: 'lines that a pattern takes long for',
    answers: '200',
    send: read('regex', () => `${'axy'.repeat(20_000)}\n`.repeat(20), { pattern: '(?<a>.*)x(?<b>.*)y' }),
  },
  { it: 'sixty datagrams that a pattern takes long for', answers: 'stored or dropped', send: sendSlowDatagrams },
  {
    it: '60 MB of blanks as JSON',
    answers: '400 malformed request body',
    send: pushed('application/json', () => ' '.repeat(60 * MIB)),
  },
  { it: 'one text of 60 MB', answers: '200', send: pushed('application/json', () => `["${'x'.repeat(60 * MIB)}"]`) },
  {
    it: '16 MB that are nearly an array and have no type',
    answers: '200',
    send: pushed('application/x-www-form-urlencoded', () => `[${'[1],'.repeat(4 * MIB)}]`),
  },
  {
    it: 'a sequence of a million empty texts',
    answers: '200',
    send: pushed('application/json-seq', () => '\u001e'.repeat(1_000_000)),
  },
  {
    it: '16 MB of zstd frames of nothing',
    answers: '200',
    send: (world) => {
      const frame = zstdCompressSync('');
      const body = Buffer.alloc(16 * MIB - ((16 * MIB) % frame.length), frame);
      return push(world, world.logger, { headers: { 'content-encoding': 'zstd' }, body });
    },
  },
  { it: '300,000 short records', answers: '200', send: pushed(NDJSON, () => '{"a":1}\n'.repeat(300_000)) },
  {
    it: 'an upload of records of 80,000 fields',
    answers: '200',
    send: uploaded('hostile_wide', 'f', () => wide(80_000).repeat(6)),
  },
  {
    it: 'an upload of half a million lines that are no JSON',
    answers: '200',
    send: uploaded('hostile_rejects', 'f.gz', () => gzipSync('x\n'.repeat(500_000))),
  },
  {
    it: 'an upload of 50 MB of blank lines',
    answers: '200',
    send: uploaded('hostile_blanks', 'f.gz', () => gzipSync(Buffer.alloc(50 * MIB, '\n'))),
  },
];
