// Kills the service at random moments while it follows files that are written to, renamed, copied and emptied: every line
// is in the table once, whatever happened to its file, and has been found once by the rule that looks for it. It may have so
// few files open that most of them are closed.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCollector } from '#test/support/collectors.ts';
import { rowsOf } from '#test/support/logs.ts';
import { makeHome } from '#test/support/process.ts';
import { createSchema } from '#test/support/rules.ts';
import { MASTER_KEY, send } from '#test/support/service.ts';
import { createStreamRule } from '#test/support/stream-rules.ts';
import { until } from '#test/support/until.ts';
import { type Caller, upTo } from './ledger.ts';
import { afterReady, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('files');
const PROFILE = 'cccccccc-0000-4000-8000-00000000000c';
const SCHEMA = 'lines';
const RULE = 'dddddddd-0000-4000-8000-00000000000d';
const ENCRYPTED = { layout: 'row', crypto_profile_guid: PROFILE, encryption: 'true' };
const TABLES = [
  { table: 'renamed', rotate: renamed, storage: { schema_code: SCHEMA } },
  { table: 'copied', rotate: copied, storage: { schema_code: SCHEMA } },
  { table: 'mixed', rotate: mixed, storage: { schema_code: SCHEMA, ...ENCRYPTED } },
  { table: 'many', rotate: renamed, storage: { schema_code: SCHEMA }, files: 30 },
] as const;
/** An eighth of them is kept open. */
const DESCRIPTORS = 240;

it(`keeps every line once over ${ROUNDS} kills`, async () => {
  using home = makeHome();
  const logs = join(home.folder, 'logs');
  const environment = {
    VIGIL_MASTER_KEY: MASTER_KEY,
    VIGIL_COLLECT_FOLDERS: logs,
    VIGIL_SEGMENT_ROWS: '300',
    VIGIL_SEAL_AFTER: '1',
    VIGIL_MAINTENANCE_PERIOD: '1',
  };
  const writers = TABLES.map((one) => new Writer(join(logs, one.table), one.table, { files: 1, ...one }));
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = home.serve(environment);
    const service = callerOf(await started.ready());
    execFileSync('prlimit', ['--pid', String(started.child.pid), `--nofile=${DESCRIPTORS}`]);
    if (round === 0) await prepare(service, logs);
    const stop = new AbortController();
    const writing = writers.map((writer) => writer.work(stop.signal));
    const moment = 1000 + Math.random() * 3000;
    await sleep(moment);
    started.child.kill('SIGKILL');
    await once(started.child, 'close');
    stop.abort();
    await Promise.all(writing);
    // The world goes on without us.
    for (const writer of writers) writer.turn();
    const checking = home.serve(environment);
    const found = await check(callerOf(await checking.ready()), writers);
    const acknowledged = writers.reduce((sum, { written }) => sum + written.length, 0);
    report({ suite: 'files', round, kill: afterReady(moment), acknowledged, found });
    checking.child.kill('SIGTERM');
    expect(await checking.exited(), checking.output().stderr).toBe(0);
  }
});

async function prepare(service: Caller, logs: string): Promise<void> {
  await service.call('POST', '/api/core/crypto-profiles', { form: { guid: PROFILE, name: 'crash' } });
  await createSchema(service, SCHEMA);
  const fields = { guid: RULE, suppress_key: '$line' };
  await createStreamRule(service, { schema: SCHEMA, where: ['search line == "*wanted*"'], fields });
  for (const { table, storage } of TABLES) {
    const configs = { path: join(logs, table), pattern: 'app*.log*', from: 'start' };
    await createCollector(service, { table, factory: 'file', configs, storage, fields: { interval: '1000' } });
  }
}

interface WriterOptions {
  readonly files: number;
  rotate(file: string, turn: number): void;
}

class Writer {
  readonly written: string[] = [];
  readonly #files: readonly string[];
  readonly #name: string;
  readonly #rotate: WriterOptions['rotate'];
  #turns = 0;

  constructor(folder: string, name: string, { rotate, files }: WriterOptions) {
    this.#name = name;
    this.#files = Array.from({ length: files }, (_, index) => join(folder, `app${index}.log`));
    this.#rotate = rotate;
    mkdirSync(folder, { recursive: true });
    for (const file of this.#files) writeFileSync(file, '');
  }

  async work(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      this.turn();
      await sleep(Math.random() * 300);
    }
  }

  turn(): void {
    for (let count = upTo(200); count > 0; count -= 1) this.#write();
    if (Math.random() < 0.3) {
      this.#turns += 1;
      this.#rotate(this.#anyFile(), this.#turns);
    }
    for (let count = upTo(20); count > 0; count -= 1) this.#write();
  }

  #write(): void {
    const number = this.written.length;
    const line = `${this.#name} ${number} ${number % 10 === 0 ? 'wanted ' : ''}${'x'.repeat(upTo(100))}`;
    this.written.push(line);
    appendFileSync(this.#anyFile(), `${line}\n`);
  }

  #anyFile(): string {
    return this.#files[Math.floor(Math.random() * this.#files.length)] ?? '';
  }
}

function renamed(file: string, turn: number): void {
  renameSync(file, `${file}.${turn}`);
  writeFileSync(file, '');
}

function copied(file: string, turn: number): void {
  copyFileSync(file, `${file}.${turn}`);
  truncateSync(file);
}

function mixed(file: string, turn: number): void {
  if (turn % 2 === 0) copied(file, turn);
  else renamed(file, turn);
}

async function check(service: Caller, writers: readonly Writer[]): Promise<number> {
  let lines = 0;
  for (const [index, { table }] of TABLES.entries()) {
    const written = writers[index]?.written ?? [];
    const read = await settled(service, table, written);
    expect(read.length, `${table} repeats lines`).toBe(written.length);
    lines += read.length;
  }
  const wanted = writers.flatMap(({ written }) => written).filter((line) => line.includes('wanted'));
  // What is found in lines is on record a moment after they are kept.
  const keys = await until(
    () => found(service),
    (all) => all.length >= wanted.length,
  );
  expect(keys.sort()).toEqual(wanted.sort());
  return lines;
}

/** What the rule has found, each as often as it has. */
async function found({ call }: Caller): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const { events } = (await call('GET', `/api/core/events?rule_guids=${RULE}&offset=${keys.length}&limit=1000`)).json;
    if (events.length === 0) return keys;
    for (const { suppress_key, count } of events) keys.push(...Array.from({ length: count }, () => suppress_key));
  }
}

/** The lines in a table, once all that were written are there. */
async function settled(service: Caller, table: string, written: readonly string[]): Promise<string[]> {
  const read = async () => {
    const lines: string[] = (await rowsOf(service, `table ${table}`)).map(({ line }) => line);
    const kept = new Set(lines);
    return { table, lost: written.filter((line) => !kept.has(line)).map((line) => line.slice(0, 12)), lines };
  };
  return (await until(read, ({ lost }) => lost.length === 0)).lines;
}

const callerOf = (url: string): Caller => ({ call: (method, path, options) => send(`${url}${path}`, method, options) });
