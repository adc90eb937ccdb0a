// How quickly the protocols of existing senders are taken, beside a plain push of the same records to the same service.

import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { SENDER_NAMES } from '#senders/names.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { PLAIN, PROTOCOLS, type Spoken } from './support/sent-bodies.ts';
import { launch, MASTER_KEY, type ServerProcess, vigil } from './support/server-process.ts';
import { type Service, serviceOf } from './support/service-calls.ts';
import { workFolder } from './support/work-folder.ts';

const RECORDS_PER_BODY = 5_000;
const BODIES = 40;
const QUICK_BODIES = 4;
const ROUNDS = 5;
const QUICK_ROUNDS = 2;

/** Protocols without one are only reported. */
const AIMS: ReadonlyMap<string, number> = new Map([
  ['OTLP protobuf', 0.6],
  ['Elasticsearch bulk', 0.8],
  ['Splunk HEC', 0.8],
]);

export const senders: Bench = {
  name: 'senders',
  question: 'How many records per second do the protocols of existing senders bring, and at which processor time?',
  yardstick: 'a plain push of the same records as NDJSON, in the same run',
  aim: 'at least 0.8 of its records per second for bulk and HEC, 0.6 for OTLP as protobuf, and as much of its processor time',

  async run(effort) {
    const rounds = await measure(effort);
    const plain = bestOf(rounds.get(PLAIN) ?? []);
    return {
      rows: PROTOCOLS.flatMap((protocol) => rowsOfProtocol(protocol.name, bestOf(rounds.get(protocol) ?? []), plain)),
      notes: [
        `Bodies of ${RECORDS_PER_BODY.toLocaleString('en')} records of the uniform log, made before the clock runs, one client that waits for each answer. All ways are taken in turn, several rounds; each row is of its best round.`,
        'Processor time is of all threads of the service. Every answer is checked, and the number of records at the end.',
      ],
    };
  },
};

interface Round {
  readonly records: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function measure({ isQuick, logs, say }: Effort): Promise<ReadonlyMap<Spoken, readonly Round[]>> {
  using folder = workFolder();
  const records = await recordsOf((await logs.corpus()).file, RECORDS_PER_BODY * (isQuick ? QUICK_BODIES : BODIES));
  const settings = { senders: SENDER_NAMES.join(',') };
  await using server = await launch(vigil({ folder: folder.at('senders'), settings }));
  await server.ready('/readyz');
  const service = serviceOf(server);
  const ways = await Promise.all(
    [PLAIN, ...PROTOCOLS].map((spoken, at) => wayOf(service, spoken, `sent${at}`, records)),
  );
  const rounds = new Map<Spoken, Round[]>(ways.map(({ spoken }) => [spoken, []]));
  const count = isQuick ? QUICK_ROUNDS : ROUNDS;
  for (let round = 0; round < count; round += 1) {
    for (const way of ways) {
      say(`${way.spoken.name}, round ${round + 1} of ${count}`);
      rounds.get(way.spoken)?.push(await send(server, way));
    }
  }
  for (const { table } of ways) await requireRecords(service, table, count * records.length);
  return rounds;
}

interface Way {
  readonly spoken: Spoken;
  readonly table: string;
  readonly path: string;
  readonly bodies: readonly Buffer[];
  readonly records: number;
}

async function wayOf(service: Service, spoken: Spoken, table: string, records: readonly LogLine[]): Promise<Way> {
  const logger = await createLogger(service, { table, storage: { layout: 'columnar', compression: 'snappy' } });
  const path = spoken === PLAIN ? `/api/core/loggers/${logger}/logs` : `${spoken.path}?table=${table}`;
  const bodies: Buffer[] = [];
  for (let from = 0; from < records.length; from += RECORDS_PER_BODY) {
    bodies.push(spoken.body(records.slice(from, from + RECORDS_PER_BODY)));
  }
  return { spoken, table, path, bodies, records: records.length };
}

async function send(server: ServerProcess, { spoken, path, bodies, records }: Way): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cpuBefore = server.cpuSeconds() ?? Number.NaN;
  const begun = performance.now();
  for (const body of bodies) {
    const headers = { authorization: `Bearer ${MASTER_KEY}`, ...spoken.headers, 'content-length': body.length };
    const call = request({ agent, host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
    call.end(body);
    const [answer] = await once(call, 'response');
    spoken.requireKept(answer.statusCode, Buffer.concat(await Array.fromAsync(answer)));
  }
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return { records, seconds, cpuSeconds: (server.cpuSeconds() ?? Number.NaN) - cpuBefore };
}

async function requireRecords(service: Service, table: string, expected: number): Promise<void> {
  const [row] = await rowsOf(service, `table ${table} | stats count`);
  if (row.count !== expected) throw new Error(`${table}: ${row.count} records instead of ${expected}`);
}

type LogLine = Parameters<Spoken['body']>[0][number];

async function recordsOf(file: string, most: number): Promise<LogLine[]> {
  const records: LogLine[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    records.push(JSON.parse(line));
    if (records.length === most) break;
  }
  return records;
}

interface Cost {
  readonly recordsPerSecond: number;
  /** Of a million records, in seconds. */
  readonly processorTime: number;
}

const bestOf = (rounds: readonly Round[]): Cost => ({
  recordsPerSecond: Math.max(...rounds.map(({ records, seconds }) => records / seconds)),
  processorTime: Math.min(...rounds.map(({ records, cpuSeconds }) => (cpuSeconds / records) * 1e6)),
});

function rowsOfProtocol(name: string, cost: Cost, plain: Cost): Row[] {
  const share = AIMS.get(name);
  const least = share === undefined ? {} : { aim: { of: 'ratio', is: 'at least', bound: share } as const };
  const most = share === undefined ? {} : { aim: { of: 'ratio', is: 'at most', bound: 1 / share } as const };
  return [
    { what: `${name}: records`, value: cost.recordsPerSecond, unit: '/s', yardstick: plain.recordsPerSecond, ...least },
    {
      what: `${name}: processor time of a million`,
      value: cost.processorTime,
      unit: 's',
      yardstick: plain.processorTime,
      ...most,
    },
  ];
}
