// Kills the service at random moments while logs are pushed, uploaded and sent as datagrams that a stream rule looks for. Afterwards
// every stored one has its event, acknowledged or not, no log has two, and no event is of a log that is not there.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { logsUrl, startClickhouse } from '#test/support/clickhouse.ts';
import { createCollector, sendDatagrams } from '#test/support/collectors.ts';
import { freePort } from '#test/support/free-port.ts';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { createStream, createStreamRule, type Stream } from '#test/support/stream-rules.ts';
import { append, opened, STREAMS } from '#test/support/uploads.ts';
import { upTo } from './ledger.ts';
import { afterReady, type CrashSuite, report, roundsOf } from './rounds.ts';

/** So many are under way at the same moment that some of them are stored and not answered yet at every kill. */
const PUSHERS = 8;
const MESSAGES = 'messages';

type Caller = Pick<Service, 'call'>;

/** Numbers of logs that a rule looks for, as far as the service has acknowledged them. */
interface Sent {
  next: number;
  readonly acknowledged: Set<number>;
  /** Uploads that were broken off while they were imported, with what is in them. */
  readonly uploads: Map<string, readonly number[]>;
}

it(`finds every stored log once over ${roundsOf('stream-rules')} kills`, async () => {
  await findsAll('stream-rules', { VIGIL_MASTER_KEY: MASTER_KEY });
});

it.skipIf(inject('clickhouse').reason)(
  `finds every log that is stored on ClickHouse once over ${roundsOf('clickhouse')} kills`,
  async () => {
    await using server = await startClickhouse();
    const logs = logsUrl([server], await server.createDatabase());
    await findsAll('clickhouse', { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_LOGS: logs });
  },
);

async function findsAll(suite: CrashSuite, environment: Readonly<Record<string, string>>): Promise<void> {
  using home = makeHome();
  const sent: Sent = { next: 0, acknowledged: new Set(), uploads: new Map() };
  const port = await freePort();
  const made: { stream: Stream; rule: string }[] = [];
  const kills: string[] = [];
  for (let round = 0; round < roundsOf(suite); round += 1) {
    const started = home.serve(environment);
    const service = callsTo(await started.ready());
    await tell(service, { suite, kills, sent });
    if (round === 0) made.push(await prepared(service, port));
    const isOver = new AbortController();
    const work = made.flatMap(({ stream }) => [
      ...[...Array<typeof pushing>(PUSHERS).fill(pushing), uploading].map((act) =>
        act(service, stream, sent).catch(() => undefined),
      ),
      sending(port, sent, isOver.signal),
    ]);
    const moment = 700 + Math.random() * 2000;
    await sleep(moment);
    started.child.kill('SIGKILL');
    isOver.abort();
    await once(started.child, 'close');
    await Promise.all(work);
    kills.push(afterReady(moment));
  }
  const started = home.serve(environment);
  const service = callsTo(await started.ready());
  await tell(service, { suite, kills, sent });
  for (const [token, numbers] of sent.uploads) await completed(service, token, numbers, sent);
  const [{ stream, rule }] = made as [{ stream: Stream; rule: string }]; // There was a first round.
  const found = await foundBy(service, rule);
  expect(found.length, 'found twice').toBe(new Set(found).size);
  const missing = [...sent.acknowledged].filter((n) => !found.includes(n));
  expect(missing, 'acknowledged and not found').toEqual([]);
  const kept = [
    ...(await rowsOf(service, `table ${stream.table} | search isWanted == true | fields n`)).map(({ n }) => n),
    ...(await rowsOf(service, `table ${MESSAGES} | fields line`)).map(({ line }) => Number(line)),
  ];
  expect(
    kept.filter((n) => !found.includes(n)),
    'stored and not found',
  ).toEqual([]);
  expect(
    found.filter((n) => !kept.includes(n)),
    'found and not there',
  ).toEqual([]);
  expect(sent.acknowledged.size).toBeGreaterThan(0);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
}

interface Told {
  readonly suite: CrashSuite;
  readonly kills: readonly string[];
  readonly sent: Sent;
}

/** Tells of the last kill, as the service is after it. */
async function tell({ call }: Caller, { suite, kills, sent }: Told): Promise<void> {
  const kill = kills.at(-1);
  if (kill === undefined) return;
  const found: number = (await call('GET', '/api/core/events?limit=0')).json.total_count;
  const acknowledged = sent.acknowledged.size;
  expect(found, 'acknowledged and not found').toBeGreaterThanOrEqual(acknowledged);
  report({ suite, round: kills.length - 1, kill, acknowledged, found });
}

async function prepared(service: Caller, port: number): Promise<{ stream: Stream; rule: string }> {
  const stream = await createStream(service);
  const fields = { suppress_key: '$n$line', msg: 'found $n$line' };
  const where = ['search isWanted == true or isnotnull(line)'];
  const configs = { port, bind: '127.0.0.1' };
  const storage = { schema_code: stream.schema };
  await createCollector(service, { table: MESSAGES, factory: 'syslog-udp', configs, storage });
  return { stream, rule: await createStreamRule(service, { schema: stream.schema, where, fields }) };
}

const callsTo = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });

/** Every other one is looked for. */
function logs(sent: Sent, count: number) {
  const records = Array.from({ length: count }, (_, at) => ({ n: sent.next + at, isWanted: at % 2 === 0 }));
  sent.next += count;
  return { records, wanted: records.filter(({ isWanted }) => isWanted).map(({ n }) => n) };
}

/** Until the service is gone. */
async function pushing({ call }: Caller, { logger }: Stream, sent: Sent): Promise<void> {
  for (;;) {
    const { records, wanted } = logs(sent, 1 + upTo(40));
    const { status } = await call('POST', `/api/core/loggers/${logger}/logs`, { json: records });
    expect(status).toBe(200);
    for (const n of wanted) sent.acknowledged.add(n);
  }
}

/** A number each, all of them looked for. */
async function sending(port: number, sent: Sent, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const numbers = Array.from({ length: 1 + upTo(20) }, (_, at) => sent.next + at);
    sent.next += numbers.length;
    await sendDatagrams(port, numbers.map(String));
    await sleep(2);
  }
}

async function uploading(service: Caller, { table }: Stream, sent: Sent): Promise<void> {
  for (;;) {
    const { records, wanted } = logs(sent, 200 + upTo(800));
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const token = await opened(service, { file_size: body.length, metadata: { table } });
    expect((await append(service, token, { offset: 0, body })).status).toBe(204);
    sent.uploads.set(token, wanted);
    await completed(service, token, wanted, sent);
  }
}

async function completed({ call }: Caller, token: string, wanted: readonly number[], sent: Sent): Promise<void> {
  const { status, text } = await call('POST', `${STREAMS}/${token}/complete`, { key: null });
  expect(status, text).toBe(200);
  sent.uploads.delete(token);
  for (const n of wanted) sent.acknowledged.add(n);
}

async function foundBy({ call }: Caller, rule: string): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const { events } = (await call('GET', `/api/core/events?rule_guids=${rule}&offset=${found.length}`)).json;
    if (events.length === 0) return found;
    for (const { suppress_key } of events) found.push(Number(suppress_key));
  }
}
