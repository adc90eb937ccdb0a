// Kills the service at random moments while uploads come in, are imported and cancelled. Afterwards no upload may be
// behind a byte that was acknowledged, and every one is in its table as a whole or not at all, once.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { auditLogs } from '#test/support/audit.ts';
import { strayFiles } from '#test/support/data-folder.ts';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Service, send } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { append, cancel, complete, createTable, openByTus, opened, probe, STREAMS } from '#test/support/uploads.ts';
import { afterReady, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('uploads');
const WORKERS = 4;

type Caller = Pick<Service, 'call'>;

/** One file on its way into a table of its own. */
interface Job {
  readonly table: string;
  readonly lines: number;
  readonly bytes: Buffer;
  readonly isTus: boolean;
  readonly isCancelled: boolean;
  token: string | undefined;
  /** What the service has said it has. */
  acknowledged: number;
  /** What it may have. */
  sent: number;
  state: 'open' | 'cancelling' | 'cancelled' | 'done';
  /** Held against its table once, record by record; after that it is only counted. */
  isCompared: boolean;
}

it(`brings every upload into its table once, over ${ROUNDS} kills`, async () => {
  using home = makeHome();
  const jobs: Job[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
    const service = callerOf(await started.ready());
    // They all end with the service, in an error.
    const working = Promise.allSettled(Array.from({ length: WORKERS }, () => work(service, jobs)));
    const moment = 300 + Math.random() * 1700;
    await sleep(moment);
    started.child.kill('SIGKILL');
    await once(started.child, 'close');
    await working;
    const acknowledged = jobs.reduce((sum, { state, lines }) => sum + (state === 'done' ? lines : 0), 0);
    const found = await compare(home, jobs);
    report({ suite: 'uploads', round, kill: afterReady(moment), acknowledged, found });
  }
  expect(jobs.some(({ state }) => state === 'done')).toBe(true);
});

const callerOf = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });

async function work(service: Caller, jobs: Job[]): Promise<void> {
  for (;;) {
    const job = newJob(jobs.length);
    jobs.push(job);
    await createTable(service, job.table);
    await drive(service, job);
  }
}

function newJob(number: number): Job {
  const lines = 1 + Math.floor(Math.random() ** 3 * 4000);
  const text = Array.from({ length: lines }, (_, n) => `{"n":${n},"pad":"${'x'.repeat(300)}"}\n`).join('');
  return {
    table: `up_${number}`,
    lines,
    bytes: Buffer.from(text),
    isTus: Math.random() < 0.5,
    isCancelled: Math.random() < 0.2,
    token: undefined,
    acknowledged: 0,
    sent: 0,
    state: 'open',
    isCompared: false,
  };
}

async function drive(service: Caller, job: Job): Promise<void> {
  const { table, bytes, isTus } = job;
  job.token ??= isTus
    ? (await openByTus(service, bytes.length, { filename: 'f', table })).json.token
    : await opened(service, { file_size: bytes.length, metadata: { table } });
  const token = String(job.token);
  while (job.acknowledged < bytes.length) {
    const from = job.acknowledged;
    const piece = bytes.subarray(from, from + 1 + Math.floor(Math.random() * 500_000));
    job.sent = Math.max(job.sent, from + piece.length);
    const answer = await append(service, token, { offset: from, body: piece });
    if (answer.status !== 204) throw new Error(`not taken: ${answer.text}`);
    job.acknowledged = from + piece.length;
    if (job.isCancelled && (!isTus || job.acknowledged < bytes.length)) return await cancelJob(service, job);
  }
  const { json } = await complete(service, token);
  expect(json).toEqual({ accepted: job.lines, rejected: [], rejected_count: 0 });
  job.state = 'done';
}

async function cancelJob(service: Caller, job: Job): Promise<void> {
  job.state = 'cancelling';
  const answer = await cancel(service, String(job.token));
  if (answer.status !== 200) throw new Error(answer.text);
  job.state = 'cancelled';
}

async function compare(home: ReturnType<typeof makeHome>, jobs: readonly Job[]): Promise<number> {
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const service = callerOf(await started.ready());
  const made = (await service.call('GET', '/api/core/tables')).json.tables;
  const tables = new Set(made.map(({ table_name }: { table_name: string }) => table_name));
  let found = 0;
  for (const job of jobs.filter(({ table }) => tables.has(table))) {
    if (job.state === 'open' && job.token) await goOn(service, job);
    if (job.state === 'cancelling' && (await probe(service, String(job.token))).status === 200) {
      await cancelJob(service, job);
    }
    found += await compareJob(service, job);
  }
  const { streams } = (await service.call('GET', STREAMS)).json;
  const known = streams.map(({ token }: { token: string }) => `${token}.part`);
  expect(readdirSync(join(home.folder, 'data/uploads')).filter((name) => !known.includes(name))).toEqual([]);
  expect(strayFiles(home.folder)).toEqual([]);
  started.child.kill('SIGTERM');
  await once(started.child, 'close');
  return found;
}

async function compareJob(service: Caller, job: Job): Promise<number> {
  const expected = job.state === 'done' ? job.lines : 0;
  const [{ count }] = await rowsOf(service, `table ${job.table} | stats count`);
  expect(count, `${job.table} (${job.state})`).toBe(expected);
  expect(await completions(service, job), `${job.table} (${job.state}) in the audit trail`).toBe(
    job.state === 'done' && !job.isTus ? 1 : 0,
  );
  if (job.isCompared) return count;
  job.isCompared = true;
  const rows = await rowsOf(service, `table ${job.table}`);
  expect(new Set(rows.map(({ n }) => n)).size, `${job.table} repeats records`).toBe(expected);
  return count;
}

/** An import and its entry happen together; one that tus has completed has none. */
async function completions(service: Caller, { token }: Job): Promise<number> {
  if (token === undefined) return 0;
  const entries = await auditLogs(service, `keywords=${token}`);
  return entries.filter(({ method, error }) => method === 'complete' && error === undefined).length;
}

/** Finishes an upload that a crash broke off. */
async function goOn(service: Caller, job: Job): Promise<void> {
  const token = String(job.token);
  const { status, headers } = await probe(service, token);
  expect(status, job.table).toBe(200);
  const offset = Number(headers.get('upload-offset'));
  expect(offset, `${job.table} has lost bytes`).toBeGreaterThanOrEqual(job.acknowledged);
  expect(offset).toBeLessThanOrEqual(job.sent);
  job.acknowledged = offset;
  // The service goes on by itself with an import that nobody else would ask for.
  if (job.isTus && offset === job.bytes.length) {
    await until(
      () => service.call('GET', `${STREAMS}/${token}`),
      ({ json }) => json.stream === null,
    );
  }
  await drive(service, { ...job, isCancelled: false }).then(() => {
    job.state = 'done';
  });
}
