// The leaves of objects are in columns of sealed and merged segments, and every object comes back to the letter.

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { FiledBatches } from '#test/support/filed-batches.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { changedMember, type NestedText, nestedText, spaced } from '#test/support/nested-texts.ts';

/** Of generated records. */
const RUNS = 12;

const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;

/** Columns of the latest file of a table with their different values, each as often as it is there. */
async function columnsOf({ store, folder }: DuckdbHome, { id, name }: TableSpec) {
  const segments = await store.reader.all(
    'select file from log_segments where table_id = ? order by max_id desc limit 1',
    [id],
  );
  const paths = segments.map(({ file }) => quotedText(join(folder, 'tables', `${name}.${id}`, String(file))));
  const instance = await openInstance({ memoryBytes: 2 ** 28 });
  try {
    const rows = await instance.run(
      `select columns(* exclude (_id, _time))::varchar from read_parquet([${paths.join(', ')}], union_by_name = true)`,
    );
    const counts = (column: string) => {
      const values = rows.flatMap((row) => (row[column] === null ? [] : [String(row[column])]));
      return Object.fromEntries(
        Map.groupBy(values, (value) => value)
          .entries()
          .map(([value, { length }]) => [value, length]),
      );
    };
    return Object.fromEntries(Object.keys(rows[0] ?? {}).map((column) => [column, counts(column)]));
  } finally {
    await instance.end();
  }
}

const TIMES = 20;
const repeated = (texts: readonly string[], times = TIMES) =>
  Array.from({ length: times }, (_, round) =>
    texts.map((text, at) => record(text, TIME + round * texts.length + at)),
  ).flat();

/** Columns are known, shapes are learnt, and then they are there. */
const APPENDS_UNTIL_KNOWN = 3;

const KUBERNETES = [
  '{"n":1,"kubernetes":{"namespace":"prod","pod":{"name":"a","restarts":0}},"tags":["x"]}',
  '{"n":2,"kubernetes":{"namespace":7,"pod":{"name":"b","restarts":2.5}},"tags":["x","y"]}',
  '{"kubernetes":{"pod":{"name":"é\\"\\\\","ready":true},"namespace":null,"labels":{}},"kubernetes.namespace":[1]}',
];
const RARE = '{"n":4,"kubernetes":{"namespace":"rare","owner":"me"}}';

it.each(PROTECTIONS)(
  'Objects of usual shapes and of rare ones come back from a table that is %s',
  async (protection) => {
    await using home = await makeEngineHome();
    const table = await home.createTable({ name: 'web', ...STORAGE }, protection);
    const expected = await home.createTable({ name: 'same', ...STORAGE }, protection);
    const batches = new FiledBatches(table);
    for (let round = 0; round < 2 * APPENDS_UNTIL_KNOWN; round += 1) {
      const records = [...repeated(KUBERNETES), record(RARE, TIME + 1000)];
      await batches.append(home.engine, records);
      await home.engine.append(expected, records);
      if (round === APPENDS_UNTIL_KNOWN) await home.tick({ minutes: 6 });
    }
    expect(batches.withLeaves).toBeGreaterThan(2);
    await requireSameInEachForm(home, expected, table);
  },
);

/** Fresh records, those of an earlier process, and segments as they are sealed, merged and made dense. */
async function requireSameInEachForm(home: DuckdbHome, expected: TableSpec, table: TableSpec): Promise<void> {
  // A copy that stays as it is: sums of it would be those of the other one, too.
  const wanted = await textOf(home, expected);
  expect(await textOf(home, table)).toBe(wanted);
  await home.restart();
  expect(await textOf(home, table)).toBe(wanted);
  for (const length of [{ minutes: 6 }, { minutes: 60 }, { hours: 32 * 24 }]) {
    await home.tick(length);
    expect(await textOf(home, table)).toBe(wanted);
  }
  expect(home.failures).toEqual([]);
}

const textOf = async (home: DuckdbHome, table: TableSpec): Promise<string> =>
  JSON.stringify((await home.read(table)).map((fields) => ({ ...fields, _table: '' })));

it('Values are in columns by path and type, and not in _rest as well', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  const batches = new FiledBatches(table);
  for (let round = 0; round < APPENDS_UNTIL_KNOWN; round += 1) await batches.append(home.engine, repeated(KUBERNETES));
  await home.tick({ minutes: 6 });
  await batches.append(home.engine, [...repeated(KUBERNETES), record(RARE, TIME + 1000)]);
  await home.tick({ minutes: 6 });
  expect(await columnsOf(home, table)).toEqual({
    n: { 1: TIMES, 2: TIMES, 4: 1 },
    'kubernetes.namespace': { prod: TIMES },
    'kubernetes.namespace:number': { '7.0': TIMES },
    'kubernetes.pod.name': { a: TIMES, b: TIMES, 'é"\\': TIMES },
    'kubernetes.pod.restarts': { '0.0': TIMES, 2.5: TIMES },
    'kubernetes.pod.ready': { true: TIMES },
    'kubernetes.labels:json': { '{}': TIMES },
    'kubernetes.namespace:json': { '[1]': TIMES },
    'tags:json': { '["x"]': TIMES, '["x","y"]': TIMES },
    'kubernetes:shape': { 1: 2 * TIMES, 2: TIMES },
    'tags:shape': { 1: 2 * TIMES },
    'kubernetes.namespace:shape': { 1: TIMES },
    _rest: { [JSON.stringify({ kubernetes: JSON.parse(RARE).kubernetes })]: 1 },
  });
});

it('A record has some values in columns and others in _rest, as it comes and when its day becomes dense', async () => {
  await using home = await makeEngineHome();
  const divided = await home.createTable({ name: 'web', ...STORAGE });
  const lines = await home.createTable({ name: 'lines', ...STORAGE });
  const texts = Array.from({ length: 60 }, (_, at) => `{"usual":{"a":"x"},"free":{"id-${at}":{"v":null}},"note":null}`);
  const batches = new FiledBatches(divided);
  for (let round = 0; round < APPENDS_UNTIL_KNOWN; round += 1) await batches.append(home.engine, repeated(texts, 1));
  await home.engine.append(lines, repeated(texts, 1));
  await home.tick({ minutes: 6 });
  for (const table of [divided, lines]) {
    const wanted = await home.read(table);
    await home.tick({ hours: 32 * 24 });
    expect(await home.read(table)).toEqual(wanted);
    const { _rest: rest = {}, ...columns } = await columnsOf(home, table);
    const rows = table === lines ? texts.length : APPENDS_UNTIL_KNOWN * texts.length;
    expect(columns).toEqual({ 'usual.a': { x: rows }, 'usual:shape': { 1: rows } });
    expect(Object.keys(rest)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\{"free":\{"id-7":.*"note":null\}$/)]),
    );
    expect(Object.keys(rest)).toHaveLength(texts.length);
  }
});

it('A dense segment has leaves in columns that were in _rest before', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  for (const batch of [repeated([RARE], 8), repeated([RARE], 9), repeated(KUBERNETES), repeated(['{"n":1}'], 9)]) {
    await home.engine.append(table, batch);
    await home.tick({ minutes: 6 });
  }
  const before = JSON.stringify(await home.read(table));
  await home.tick({ hours: 32 * 24 });
  expect(JSON.stringify(await home.read(table))).toBe(before);
  expect(await columnsOf(home, table)).toMatchObject({ 'kubernetes.owner': { me: 17 }, _rest: {} });
});

it('A name that is taken gets a number, also one that differs by case', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  const expected = await home.createTable({ name: 'same', ...STORAGE });
  const batches = new FiledBatches(table);
  const texts = ['{"A.b":1}', '{"a":{"b":"x","B":"y"},"_shape":{"c":true}}', '{"a.c":{"d":1}}', '{"a":{"c":{"d":2}}}'];
  const later = ['{"a.b":"a field"}', '{"a":{"b":"again","B":"y"},"_shape":{"c":false}}'];
  for (const batch of [texts, texts, texts, later, later]) {
    await batches.append(home.engine, repeated(batch));
    await home.engine.append(expected, repeated(batch));
  }
  expect(batches.withLeaves).toBeGreaterThan(1);
  await requireSameInEachForm(home, expected, table);
});

/** Lines that are records by themselves: no file is made of the others then. */
const NOT_PLAIN = '"not":{"plain":["\\u0000",1e400]}';
const RECORDS = 12;

it('Every object comes back to the letter', async () => {
  await using home = await makeEngineHome();
  let withLeaves = 0;
  let files = 0;
  let tables = 0;
  const judge = async (templates: readonly NestedText[], isSpaced: boolean, isPlain: boolean) => {
    tables += 1;
    const table = await home.createTable({ name: `web${tables}`, ...STORAGE });
    const batches = new FiledBatches(table);
    const texts: string[] = [];
    const append = async (others: string) => {
      const { epochMilliseconds } = home.clock.now();
      const records = Array.from({ length: RECORDS * templates.length }, () => {
        const number = texts.length;
        texts.push(`{"n":${number},${templates[number % templates.length]?.members(number)}${others}}`);
        return record(texts.at(-1) ?? '', epochMilliseconds + number);
      });
      await batches.append(home.engine, records, isSpaced ? spaced : undefined);
    };
    const read = async () => changedMember(texts, await home.read(table));
    for (let round = 0; round < APPENDS_UNTIL_KNOWN; round += 1) await append('');
    expect(await read()).toBeUndefined();
    await home.tick({ minutes: 6 });
    expect(await read()).toBeUndefined();
    for (let round = 0; round < APPENDS_UNTIL_KNOWN; round += 1) await append('');
    await append(isPlain ? '' : `,${NOT_PLAIN}`);
    await home.tick({ minutes: 6 });
    for (const length of [{ minutes: 60 }, { hours: 32 * 24 }]) {
      await home.tick(length);
      expect(await read()).toBeUndefined();
    }
    withLeaves += batches.withLeaves;
    files += batches.files;
  };
  const templates = fc.array(nestedText, { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(templates, fc.boolean(), fc.boolean(), judge), { numRuns: RUNS });
  expect(withLeaves).toBeGreaterThan(files / 2);
  expect(home.failures).toEqual([]);
});
