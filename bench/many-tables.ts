// How long queries over many tables take whose fields are their own.

import { setTimeout as pause } from 'node:timers/promises';
import { type BareDuckdb, openBareDuckdb } from './support/bare-duckdb.ts';
import type { Bench, Effort, Row } from './support/bench.ts';
import { callConcurrently } from './support/concurrent-calls.ts';
import { percentile } from './support/numbers.ts';
import { requireSame } from './support/require-same.ts';
import { launch, type ServerProcess, vigil } from './support/server-process.ts';
import { serviceOf } from './support/service-calls.ts';
import { timed } from './support/timed.ts';
import { workFolder } from './support/work-folder.ts';

const FIELDS = 20;
const RECORDS = 100;
const WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', '오류', '접속'] as const;
const FREQUENT = 'alpha';
const RARE = 'needle';
/** The rare word is in one record of every so many tables. */
const RARE_EVERY = 7;
const SINCE = Date.parse('2026-02-01T00:00:00Z');
const DAY_MS = 86_400_000;
const LAST = 100;
const MAX_MS = 10_000;
const MAX_MEGABYTES = 1024;
const TURNS = 3;

export const manyTables: Bench = {
  name: 'many-tables',
  question: `How long do whole rows and words in any field take over 2,000 tables of ${FIELDS} fields of their own and ${RECORDS} records?`,
  yardstick:
    'the times alone of the newest records, by DuckDB alone over the same Parquet files, once the records are sealed',
  aim: `at most ${MAX_MS / 1000} s and ${MAX_MEGABYTES} MB`,

  async run(effort) {
    using folder = workFolder();
    const service = folder.at('service');
    const tables = effort.isQuick ? 100 : 2000;
    const rows: Row[] = [];
    {
      await using server = await launch(vigil({ folder: service }));
      await server.ready('/readyz');
      await fill(server, tables, effort.say);
      rows.push(...(await askAll({ what: 'fresh', server, tables }, effort)));
    }
    await using server = await launch(vigil({ folder: service, settings: { 'seal-after': '1' } }));
    await server.ready('/readyz');
    using duckdb = await openBareDuckdb();
    const times = `map {2: {name: '_time', type: 'TIMESTAMP', default_value: null}}`;
    const files = `read_parquet('${service}/data/tables/*/*/*.parquet', schema = ${times})`;
    effort.say('records are sealed');
    await untilSealed(duckdb, files, tables * RECORDS);
    rows.push(...(await askAll({ what: 'sealed', server, tables, bare: { duckdb, files } }, effort)));
    return { rows, notes: NOTES };
  },
};

const NOTES = [
  'GET /api/core/query of `vigil serve` over HTTP, whole rows; the median of three turns. Each table has fields of its own names: texts of three words, numbers, and every fifth field of mixed types. Times are at random within a day.',
  `The rare word is in one record of every ${RARE_EVERY}th table, the frequent one in nearly all records. Numbers of rows are checked. DuckDB alone has no search of words in any field, and whole rows, the columns of 2,000 tables united by name, take it more than 11.7 GiB.`,
];

async function fill(server: ServerProcess, tables: number, say: Effort['say']): Promise<void> {
  const service = serviceOf(server);
  let filled = 0;
  await callConcurrently(
    tables,
    async (table) => {
      const body = recordsOf(table).map((record) => JSON.stringify(record));
      const headers = { 'content-type': 'application/x-ndjson' };
      const path = `/api/core/tables/${nameOf(table)}/logs?create=true`;
      const { json } = await service.call('POST', path, { headers, body: body.join('\n') });
      requireSame(path, json.accepted, RECORDS);
      filled += 1;
      say(`${filled} of ${tables} tables`);
    },
    { atOnce: 4 },
  );
}

const nameOf = (table: number): string => `t${String(table).padStart(4, '0')}`;

function recordsOf(table: number): Record<string, unknown>[] {
  const random = generator(table);
  const texts = () => Array.from({ length: 3 }, () => WORDS[random(WORDS.length)]).join(' ');
  const value = (field: number, record: number) => {
    if (field === 2 && record === 50 && table % RARE_EVERY === 3) return `${RARE} ${texts()}`;
    if (field % 5 === 0) return [random(1000), texts(), random(1000) / 7][random(3)];
    return field % 2 === 0 ? texts() : random(1000);
  };
  return Array.from({ length: RECORDS }, (_, record) => {
    const own = Array.from({ length: FIELDS }, (__, field) => [`${nameOf(table)}_${field}`, value(field, record)]);
    return { _time: SINCE + random(DAY_MS), ...Object.fromEntries(own) };
  });
}

/** Whole numbers below a bound, the same ones for the same seed. */
function generator(seed: number): (below: number) => number {
  let state = (seed + 1) * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function untilSealed(duckdb: BareDuckdb, files: string, records: number): Promise<void> {
  for (;;) {
    const [counted] = await duckdb.rows(`select count(*)::integer as total from ${files}`).catch(() => []);
    if (counted?.total === records) return;
    await pause(1000);
  }
}

interface Subject {
  readonly what: 'fresh' | 'sealed';
  readonly server: ServerProcess;
  readonly tables: number;
  readonly bare?: { readonly duckdb: BareDuckdb; readonly files: string };
}

async function askAll({ what, server, tables, bare }: Subject, { say }: Effort): Promise<Row[]> {
  const rare = Math.floor((tables + RARE_EVERY - 4) / RARE_EVERY);
  const rows: Row[] = [];
  for (const { name, q, found } of [
    { name: `last ${LAST}`, q: `table * | limit ${LAST}`, found: LAST },
    { name: 'a rare word', q: `fulltext "${RARE}"`, found: rare },
    { name: 'a word that is nowhere', q: 'fulltext "nowhere"', found: 0 },
    { name: 'a frequent word', q: `fulltext "${FREQUENT}" | limit ${LAST}`, found: LAST },
  ]) {
    say(`${what}, ${name}`);
    const value = await median(async () => {
      const { text } = await serviceOf(server).call('GET', `/api/core/query?${new URLSearchParams({ q })}`);
      requireSame(q, text.split('\n').filter((line) => line !== '').length, found);
    });
    const yardstick = bare && name === `last ${LAST}` ? await median(() => lastOf(bare)) : undefined;
    const row: Row = {
      what: `${what}, ${name}`,
      value,
      unit: 'ms',
      aim: { of: 'value', is: 'at most', bound: MAX_MS },
    };
    rows.push(yardstick === undefined ? row : { ...row, yardstick });
  }
  const bytes = server.memory()?.residentBytes;
  const aim = { of: 'value', is: 'at most', bound: MAX_MEGABYTES } as const;
  if (bytes !== undefined) rows.push({ what: `${what}, memory afterwards`, value: bytes / 1e6, unit: 'MB', aim });
  return rows;
}

async function lastOf({ duckdb, files }: NonNullable<Subject['bare']>): Promise<void> {
  const rows = await duckdb.rows(`select _time from ${files} order by _time desc limit ${LAST}`);
  requireSame('DuckDB alone', rows.length, LAST);
}

async function median(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) times.push((await timed(work)).milliseconds);
  return percentile(times, 0.5);
}
