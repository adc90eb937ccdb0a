// What ten thousand schedules cost while nothing is due, and how late they start when a thousand are due at one moment.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Effort, Row } from './support/bench.ts';
import { callConcurrently } from './support/concurrent-calls.ts';
import { createSchedules, installed, letFallDue, QUERY, type Storm, watchStorm } from './support/due-schedules.ts';
import { percentile } from './support/numbers.ts';
import { startPace } from './support/pace.ts';
import { answered } from './support/query-calls.ts';
import { launch, type ServerProcess } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { type WorkFolder, workFolder } from './support/work-folder.ts';

/** As many as the service runs of schedules at once, unless it is told otherwise. */
const AT_ONCE = 8;
const BEAT_MS = 5;

export const schedules: Bench = {
  name: 'schedules',
  question:
    'How late do 1,000 of 10,000 schedules start that are due at the same moment, and what do all of them cost?',
  yardstick: `the same queries asked back to back by ${AT_ONCE} clients; bare inserts of as many rows; the service without a schedule`,
  aim: 'started with at most 1.5 times the delay of queries back to back; event loop p99 at most 20 ms',

  async run(effort) {
    const sizes = effort.isQuick ? { all: 200, due: 50, idleSeconds: 3 } : { all: 10_000, due: 1000, idleSeconds: 30 };
    using folder = workFolder();
    const empty = await measureEmpty(folder, sizes, effort);
    const full = await measureFull(folder, sizes, effort);
    const inserted = insertBare(folder, sizes.due);
    return { rows: rowsOf({ empty, full, inserted, sizes }), notes: NOTES };
  },
};

const NOTES = [
  `Every schedule runs \`${QUERY}\`. They are made through the interface; those that are due together are then updated to one second to come. Every run is checked: one slot, ran, succeeded, one row.`,
  'A start is the `start_time` of the status record; the due moment is the second that the schedule names. The yardstick of starts is when the same queries began, counted from the first, where nobody but the clients had to begin them.',
  '"in the ledger" is when `vigil_slots_total` counted every slot, asked every 100 ms; its yardstick is one transaction of node:sqlite (WAL, synchronous=FULL) with as many rows of the same columns.',
  `"event loop" is GET /healthz every ${BEAT_MS} ms from a process of its own, for as long as asking back to back takes, from the moment on; the yardstick is the same while they are asked back to back.`,
  'Idle is the processor time per second of a service that nobody asks, with all schedules enabled, and without any.',
];

interface Sizes {
  readonly all: number;
  readonly due: number;
  readonly idleSeconds: number;
}

interface Idle {
  /** Milliseconds of processor time in a second. */
  readonly processor: number;
  readonly megabytes: number;
}

interface Full {
  readonly idle: Idle;
  /** Milliseconds from the first to the start of each query, and to the end of all. */
  readonly backToBack: { readonly starts: readonly number[]; readonly done: number };
  readonly storm: Storm;
  /** Milliseconds of every beat while they are asked, and while they are due. */
  readonly asked: readonly number[];
  readonly stormy: readonly number[];
  readonly megabytesAfter: number;
}

async function measureEmpty(folder: WorkFolder, sizes: Sizes, { say }: Effort): Promise<Idle> {
  say('without schedules');
  await using server = await launch(installed(folder.at('empty')));
  await server.ready('/readyz');
  // What a first query has to load is loaded in both.
  await answered(serviceOf(server), QUERY);
  return await idleOf(server, sizes);
}

async function measureFull(folder: WorkFolder, sizes: Sizes, { say }: Effort): Promise<Full> {
  const installation = installed(folder.at('full'));
  const guids = await prepare(installation, sizes, say);
  await using server = await launch(installation);
  await server.ready('/readyz');
  say('idle');
  await answered(serviceOf(server), QUERY);
  const idle = await idleOf(server, sizes);
  await using pace = startPace();
  const paced = async (milliseconds: number) => {
    const targets = [{ port: server.port, path: '/healthz' }];
    const { latencies } = await pace.run({ targets, beatMilliseconds: BEAT_MS, milliseconds });
    return [...(latencies[0] ?? [])];
  };
  // Once before, to know how long it takes.
  const { done } = await askBackToBack(server, sizes.due);
  const [asked, backToBack] = await Promise.all([paced(Math.ceil(done)), askBackToBack(server, sizes.due)]);
  const due = guids.slice(0, sizes.due);
  say('waiting for the moment');
  const moment = await letFallDue(server, due);
  await pause(Math.max(0, moment - Date.now()));
  const [stormy, storm] = await Promise.all([paced(Math.ceil(done)), watchStorm(server, due, moment)]);
  return { idle, backToBack, storm, asked, stormy, megabytesAfter: megabytesOf(server) };
}

/** The service is started anew afterwards: what making so many has left in memory is no part of keeping them. */
async function prepare(
  installation: ReturnType<typeof installed>,
  { all }: Sizes,
  say: Effort['say'],
): Promise<string[]> {
  await using server = await launch(installation);
  await server.ready('/readyz');
  return await createSchedules(server, all, say);
}

async function idleOf(server: ServerProcess, { idleSeconds }: Sizes): Promise<Idle> {
  const before = server.cpuSeconds() ?? Number.NaN;
  await pause(idleSeconds * 1000);
  const processor = (((server.cpuSeconds() ?? Number.NaN) - before) * 1000) / idleSeconds;
  return { processor, megabytes: megabytesOf(server) };
}

const megabytesOf = (server: ServerProcess): number => (server.memory()?.residentBytes ?? Number.NaN) / 1e6;

async function askBackToBack(server: ServerProcess, count: number): Promise<Full['backToBack']> {
  const service = serviceOf(server);
  const starts: number[] = [];
  const begun = performance.now();
  const ask = async () => {
    starts.push(performance.now() - begun);
    const { rows } = await answered(service, QUERY);
    if (rows.length !== 1) throw new Error(`not one row: ${JSON.stringify(rows)}`);
  };
  await callConcurrently(count, ask, { atOnce: AT_ONCE });
  return { starts, done: performance.now() - begun };
}

/** Milliseconds for one transaction with as many rows as the ledger gets. */
function insertBare(folder: WorkFolder, count: number): number {
  const database = new DatabaseSync(folder.at('bare.db'));
  database.exec('pragma journal_mode = wal; pragma synchronous = full');
  const columns = Array.from({ length: 20 }, (_, number) => `c${number}`);
  database.exec(`create table slots (${columns.join(', ')}, unique (c0, c1, c2))`);
  const insert = database.prepare(`insert into slots values (${columns.map(() => '?').join(', ')})`);
  const begun = performance.now();
  database.exec('begin immediate');
  for (let number = 0; number < count; number += 1) {
    insert.run(...columns.map((name) => (name === 'c2' ? `${number}` : 'a value of some length')));
  }
  database.exec('commit');
  const taken = performance.now() - begun;
  database.close();
  return taken;
}

interface Measured {
  readonly empty: Idle;
  readonly full: Full;
  readonly inserted: number;
  readonly sizes: Sizes;
}

function rowsOf({ empty, full, inserted, sizes }: Measured): Row[] {
  const { storm, backToBack, asked, stormy, idle, megabytesAfter } = full;
  const late = (share: number): Row => ({
    what: `start of ${sizes.due} due at once: p${share * 100}`,
    value: percentile(storm.lateness, share),
    unit: 'ms',
    yardstick: percentile(backToBack.starts, share),
  });
  const loop = (name: string, share: number): Row => ({
    what: `event loop meanwhile: ${name}`,
    value: percentile(stormy, share),
    unit: 'ms',
    yardstick: percentile(asked, share),
  });
  return [
    late(0.5),
    { ...late(0.99), aim: { of: 'ratio', is: 'at most', bound: 1.5 } },
    { what: 'all of them done', value: storm.done, unit: 'ms', yardstick: backToBack.done },
    { what: 'all of them in the ledger', value: storm.written, unit: 'ms', yardstick: inserted },
    loop('p50', 0.5),
    { ...loop('p99', 0.99), aim: { of: 'value', is: 'at most', bound: 20 } },
    loop('longest', 1),
    { what: 'idle: processor time per second', value: idle.processor, unit: 'ms', yardstick: empty.processor },
    { what: 'idle: memory', value: idle.megabytes, unit: 'MB', yardstick: empty.megabytes },
    { what: 'memory after the moment', value: megabytesAfter, unit: 'MB', yardstick: idle.megabytes },
  ];
}
