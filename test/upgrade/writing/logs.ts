// Logs of a fixture: a table of every form with the same records, a busy day in many segments, a table with more fields than
// columns, and records that are acknowledged but not sealed.

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until as poll } from '#test/support/until.ts';
import type { FixtureTable, Protection } from '#test/upgrade/fixtures.ts';
import { CRYPTO_PROFILE } from './guids.ts';
import type { Home, OldService } from './old-service.ts';

export const PROTECTIONS: readonly Protection[] = ['plain', 'authenticated', 'encrypted'];
/** Protections of tables in the data folder of a service with logs on ClickHouse, which has no crypto profiles. */
export const PROTECTED: readonly Protection[] = ['authenticated', 'encrypted'];
const LAYOUTS = ['row', 'columnar'];
const COMPRESSIONS = ['snappy', 'deflate'];

const STORAGE = {
  plain: {},
  authenticated: { crypto_profile_guid: CRYPTO_PROFILE },
  encrypted: { crypto_profile_guid: CRYPTO_PROFILE, encryption: true },
} as const;

/** A table of each form: every layout with every compression and every protection. */
export const FORMS = PROTECTIONS.flatMap((protection) =>
  LAYOUTS.flatMap((layout) =>
    COMPRESSIONS.map((compression) => ({
      table: `${protection}_${layout}_${compression}`,
      layout,
      compression,
      protection,
    })),
  ),
);

/** Other tables, with the protection of each. */
export const OTHERS: Readonly<Record<string, Protection>> = {
  busy: 'plain',
  wide: 'plain',
  auth: 'plain',
  cards: 'encrypted',
  nested: 'plain',
  nested_encrypted: 'encrypted',
  summary: 'plain',
};

const SCHEMA_CODES: Readonly<Record<string, string>> = { auth: 'login', cards: 'card' };

/** Members of records, one line each, as JSON text: numbers may exceed those of JavaScript. */
const MEMBERS = [
  '"value":1',
  '"value":"하나"',
  '"value":1.5',
  '"value":true',
  '"value":null',
  '"value":{"a":{"b":[1,"x",null]},"c":"중첩"}',
  '"value":[1,"two",{"three":3}]',
  '"big":9007199254740993',
  '"big":18446744073709551616',
  '"big":-123456789012345678901234567890',
  '"big":"not a number"',
  '"fraction":0.1,"other":1e-7',
  '"fraction":-2.5e300,"other":null',
  '"line":"로그인 실패: 사용자 김철수, 주소 203.0.113.9"',
  '"line":"tab\\t, break\\n, quote\\", \\u0001 and \\u2028 and 🦊"',
  '"a b":1,"with.dot":2,"필드 이름":"값","\\"quoted\\"":3,"select":4,"Case":5,"case":6,"$dollar":7,"back\\\\slash":8',
];

/** Days of the records. Those of the year 2023 are rewritten with the dense codec. */
const DAYS = ['2023-06-01', '2024-02-28', '2024-02-29'];
/** Service settings under which only days before 2024 become dense. */
export const SEALING_FLAGS = [
  '--seal-after',
  '1',
  '--maintenance-period',
  '1',
  '--dense-after',
  daysSince('2024-01-01'),
];
/** Service settings under which nothing is sealed or merged. */
export const KEEPING_FLAGS = ['--seal-after', '86400', '--maintenance-period', '3600', '--dense-after', '0'];

function daysSince(day: string): string {
  return String(Temporal.PlainDate.from(day).until(Temporal.Now.plainDateISO('UTC')).total('days'));
}

const lineOf = (n: number, day: string, members: string): string => {
  const time = `${day} ${String(n % 24).padStart(2, '0')}:15:30.${String(n % 1000).padStart(3, '0')}+0000`;
  return `{"_time":"${time}","n":${n},${members}}`;
};

/** Each member in a record of its own, numbered from `first`, on all days in turn. */
const oddLines = (first: number): readonly string[] =>
  MEMBERS.map((members, at) => lineOf(first + at, DAYS[at % DAYS.length] ?? '', members));

/** Creates the tables of some protections. */
export async function createTables({ master }: OldService, protections: readonly Protection[]): Promise<void> {
  for (const { table, layout, compression, protection } of formsOf(protections))
    await master.post('/tables', { table, layout, compression, ...STORAGE[protection] });
  for (const [table, protection] of Object.entries(OTHERS).filter(([, own]) => protections.includes(own))) {
    const schema_code = SCHEMA_CODES[table];
    await master.post('/tables', {
      table,
      retention: 36_500,
      ...STORAGE[protection],
      ...(schema_code ? { schema_code } : {}),
    });
  }
}

/** Pushes and seals in rounds: two that are merged, and one late record that stays in a segment of its own. */
export async function writeSealed(service: OldService, { folder, logs }: Home): Promise<void> {
  for (const first of [0, 100]) {
    for (const { table } of FORMS) await push(service, table, oddLines(first));
    await untilSealed(folder);
  }
  await untilMerged(folder, formsOf(logs === undefined ? PROTECTIONS : PROTECTED).length);
  for (const { table } of FORMS) await push(service, table, [lineOf(200, '2024-02-28', '"value":"늦은 기록"')]);
  await push(service, 'wide', [wideLine(0), lineOf(1, '2024-02-29', '"f001":"text"')]);
  await untilSealed(folder);
  await writeBusyDay(service, folder);
  // The first ones tell which objects are usual.
  for (const first of [0, 1, 2, 3].map((at) => at * NESTED_COUNT)) {
    for (const table of NESTED) await push(service, table, nestedLines(first));
    await untilSealed(folder);
  }
}

const formsOf = (protections: readonly Protection[]) =>
  FORMS.filter(({ protection }) => protections.includes(protection));

/** Tables of records with objects, in pushes that are large enough for columns of their leaves. */
const NESTED = ['nested', 'nested_encrypted'];
const NESTED_COUNT = 400;

const nestedLines = (first: number): readonly string[] =>
  Array.from({ length: NESTED_COUNT }, (_, at) => lineOf(first + at, '2024-02-29', nestedMembers(first + at)));

function nestedMembers(n: number): string {
  const labels = n % 3 === 0 ? '' : `,"labels":{"app":"결제-${n % 5}","tier":${n % 4 === 0 ? '"1"' : n % 4}}`;
  const pod = `{"name":"pod-${n % 40}","restarts":${n % 7}${labels}}`;
  const odd = n % 50 === 0 ? `,"odd":{"${n}":[1,{}],"long":9007199254740993}` : '';
  return `"kubernetes":{"namespace":"ns-${n % 6}","pod":${pod}},"tags":["a",${n % 2}],"text":"${'가'.repeat(20)}"${odd}`;
}

/** Each number is less than the sum of those after it, so that no two segments are worth a merge. */
const BUSY_PUSHES = [1000, 400, 150, 60, 20, 8, 3, 1];

async function writeBusyDay(service: OldService, folder: string): Promise<void> {
  let n = 0;
  for (const count of BUSY_PUSHES) {
    const lines = Array.from({ length: count }, (_, at) => lineOf(n + at, '2024-02-29', busyMembers(n + at)));
    n += count;
    await push(service, 'busy', lines);
    await untilSealed(folder);
  }
  const late = ['2024-02-20', '2024-01-31', '2023-12-31'].map((day, at) => lineOf(n + at, day, '"late":true'));
  await push(service, 'busy', late);
  await untilSealed(folder);
}

const PATHS = ['/', '/cart', '/login', '/상품/목록'];
const busyMembers = (n: number): string =>
  `"path":"${PATHS[n % PATHS.length]}","status":${n % 17 === 0 ? 500 : 200},"bytes":${(n * 7919) % 100_000}`;

/** More fields than a table has columns for. */
const wideLine = (n: number): string => {
  const members = Array.from({ length: 320 }, (_, at) => `"f${String(at).padStart(3, '0')}":${at}`);
  return lineOf(n, '2024-02-29', members.join(','));
};

const FIRST_UNSEALED = 300;
const UNSEALED = [0, 5, 8, 13, 15];

const FIRST_NESTED_UNSEALED = 4 * NESTED_COUNT;

/** Records that stay in journals. */
export async function writeUnsealed(service: OldService): Promise<void> {
  const lines = oddLines(FIRST_UNSEALED).filter((_, at) => UNSEALED.includes(at));
  for (const { table } of FORMS) await push(service, table, lines);
  await push(service, 'busy', [lineOf(FIRST_UNSEALED * 10, '2024-02-29', busyMembers(1))]);
  for (const table of NESTED) await push(service, table, nestedLines(FIRST_NESTED_UNSEALED));
}

export async function describeTables({ master }: OldService): Promise<readonly FixtureTable[]> {
  const unsealed = UNSEALED.map((at) => FIRST_UNSEALED + at);
  const tables = [
    ...FORMS.map(({ table: name, protection }) => ({ name, protection, unsealed })),
    ...Object.entries(OTHERS).map(([name, protection]) => ({
      name,
      protection,
      unsealed: unsealedOf(name),
    })),
  ];
  return await Promise.all(tables.map(async (table) => ({ ...table, rows: await rowsIn(master, table.name) })));
}

function unsealedOf(other: string): readonly number[] {
  if (other === 'busy') return [FIRST_UNSEALED * 10];
  return NESTED.includes(other) ? Array.from({ length: NESTED_COUNT }, (_, at) => FIRST_NESTED_UNSEALED + at) : [];
}

async function rowsIn(master: OldService['master'], table: string): Promise<number> {
  const { days } = await master.get<{ days: { rows: number }[] }>(`/tables/${table}/days`);
  return days.reduce((total, { rows }) => total + rows, 0);
}

export async function push({ master }: OldService, table: string, lines: readonly string[]): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const reply = await master.ask('POST', `/tables/${table}/logs`, { headers, body: lines.join('\n') });
  if (reply.status !== 200 || JSON.parse(reply.text).accepted !== lines.length)
    throw new Error(`${table} did not accept ${lines.length} lines: ${reply.text}`);
}

/** Resolves when no journal holds a record. */
export const untilSealed = (folder: string): Promise<void> =>
  until(() => filesIn(folder, 'journal').every((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0));

/** Resolves when each of so many tables has one segment of each day. */
const untilMerged = (folder: string, tables: number): Promise<void> =>
  until(() => filesIn(folder, 'parquet').length === tables * DAYS.length);

const filesIn = (folder: string, kind: 'journal' | 'parquet'): readonly string[] =>
  globSync(`data/tables/**/*.${kind}`, { cwd: folder }).map((file) => join(folder, file));

/** Waits for the service, by the poll of all tests. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => void (await poll(isSo, Boolean));
