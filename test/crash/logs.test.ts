// Kills the service at random moments while logs come in, are sealed, merged and dropped, and then holds every
// acknowledged record against what can be read. VIGIL_CRASH_ROUNDS says how often; `npm run test:crash` does it for long.

import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';

const ROUNDS = Number(process.env.VIGIL_CRASH_ROUNDS ?? 3);
const LAYOUTS = [
  { layout: 'columnar', compression: 'snappy' },
  { layout: 'row', compression: 'deflate' },
] as const;
/** Small segments and frequent rounds, so that every kill falls into some step. */
const HASTE = { VIGIL_SEGMENT_ROWS: '40', VIGIL_SEAL_AFTER: '1', VIGIL_MAINTENANCE_PERIOD: '1' };

type Caller = Pick<Service, 'call'>;

interface Subject {
  readonly table: string;
  readonly logger: string;
  readonly acknowledged: Set<number>;
}

it(`loses no acknowledged record and repeats none over ${ROUNDS} kills`, {
  timeout: 60_000 + ROUNDS * 10_000,
}, async () => {
  using home = makeHome();
  const subjects: Subject[] = [];
  const sequence = { next: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, ...HASTE });
    const service = callerOf(await started.ready());
    if (subjects.length === 0) subjects.push(...(await makeSubjects(service)));
    const stop = new AbortController();
    const pushing = subjects.map((subject) => pushUntil(service, subject, { sequence, until: stop.signal }));
    // They all end with the service, in an error.
    const working = Promise.allSettled([...pushing, churn(service, round, stop.signal)]);
    await sleep(200 + Math.random() * 1800);
    started.child.kill('SIGKILL');
    await once(started.child, 'close');
    stop.abort();
    await working;
    await compare(home, subjects);
  }
});

const callerOf = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });

async function makeSubjects(service: Caller): Promise<Subject[]> {
  const making = LAYOUTS.map(async (storage) => {
    const table = `crash_${storage.layout}`;
    return { table, logger: await createLogger(service, { table, storage }), acknowledged: new Set<number>() };
  });
  return await Promise.all(making);
}

async function pushUntil(
  service: Caller,
  { logger, acknowledged }: Subject,
  { sequence, until }: { sequence: { next: number }; until: AbortSignal },
): Promise<void> {
  while (!until.aborted) {
    const numbers = Array.from({ length: 1 + Math.floor(Math.random() * 30) }, () => {
      sequence.next += 1;
      return sequence.next;
    });
    const answer = await push(service, logger, { body: numbers.map(lineOf).join('\n') });
    if (answer.status !== 200 || answer.json.accepted !== numbers.length) throw new Error(answer.text);
    for (const number of numbers) acknowledged.add(number);
  }
}

/** Records of several days, whose fields change their type. */
function lineOf(n: number): string {
  const status = [500, '500', { code: 500 }, 5.5, null][n % 5];
  const _time = 1_700_000_000_000 + (n % 3) * 86_400_000 + n;
  return JSON.stringify({ n, _time, status, [`field${n % 7}`]: n });
}

/** A table that comes and goes. */
async function churn(service: Caller, round: number, until: AbortSignal): Promise<void> {
  for (let turn = 0; !until.aborted; turn += 1) {
    const table = `churn_${round}_${turn}`;
    const logger = await createLogger(service, { table });
    for (let batch = 0; batch < 5; batch += 1) await push(service, logger, { body: lineOf(batch) });
    await service.call('DELETE', '/api/core/loggers', { form: { guids: logger, drop_table: 'true' } });
  }
}

/** A clean start must read exactly what was acknowledged, at most with what was under way, and leave no stray file. */
async function compare(home: ReturnType<typeof makeHome>, subjects: readonly Subject[]): Promise<void> {
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const service = callerOf(await started.ready());
  for (const { table, acknowledged } of subjects) {
    const rows = await rowsOf(service, `table ${table}`);
    const read = rows.map(({ n }) => n);
    expect(new Set(read).size, `${table} repeats records`).toBe(read.length);
    expect(new Set(rows.map(({ _id }) => _id)).size, `${table} repeats ids`).toBe(rows.length);
    const missing = [...acknowledged].filter((n) => !new Set(read).has(n));
    expect(missing, `${table} lost records`).toEqual([]);
    for (const { _id, _table, _time, ...fields } of rows) {
      const { _time: _, ...expected } = JSON.parse(lineOf(fields.n));
      expect(fields).toEqual(expected);
    }
    // What was under way when it was killed may have been kept; from now on it must stay.
    for (const n of read) acknowledged.add(n);
  }
  expect(strayFiles(home.folder)).toEqual([]);
  started.child.kill('SIGTERM');
  await once(started.child, 'close');
}

function strayFiles(folder: string): string[] {
  const database = new DatabaseSync(join(folder, 'data/metadata.db'), { readOnly: true });
  const listed = database
    .prepare(
      "select t.name || '.' || t.id || '/' || s.file as path from log_segments s join log_tables t on t.id = s.table_id",
    )
    .all();
  database.close();
  const known = new Set(listed.map(({ path }) => String(path)));
  const files = globSync('**/*.parquet*', { cwd: join(folder, 'data/tables') });
  return files.filter((file) => !known.has(file));
}
