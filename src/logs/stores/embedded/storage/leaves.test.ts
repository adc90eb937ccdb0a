// The leaves of objects are in columns of sealed and merged segments, and every object comes back to the letter.

import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { quotedText } from '#logs/runs/duckdb/quote.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;

/** Columns of the files of a table with their different values, each as often as it is there. */
async function columnsOf({ store, folder }: DuckdbHome, { id, name }: TableSpec) {
  const segments = await store.reader.all('select file from log_segments where table_id = ?', [id]);
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
    await home.engine.append(table, [...repeated(KUBERNETES), record(RARE, TIME + 1000)]);
    const fresh = JSON.stringify(await home.read(table));
    await home.tick({ minutes: 6 });
    expect(JSON.stringify(await home.read(table))).toBe(fresh);
    await home.restart();
    expect(JSON.stringify(await home.read(table))).toBe(fresh);
    expect(home.failures).toEqual([]);
  },
);

it('Values are in columns by path and type, and not in _rest as well', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await home.engine.append(table, [...repeated(KUBERNETES), record(RARE, TIME + 1000)]);
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
    _shape: { 1: 2 * TIMES, 2: TIMES },
    _rest: { [JSON.stringify({ kubernetes: JSON.parse(RARE).kubernetes })]: 1 },
  });
});

it('Merging takes leaves into columns that a seal has left in _rest', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  for (const batch of [repeated([RARE], 8), repeated([RARE], 9), repeated(KUBERNETES), repeated(['{"n":1}'], 9)]) {
    await home.engine.append(table, batch);
    await home.tick({ minutes: 6 });
  }
  const before = JSON.stringify(await home.read(table));
  await home.tick({ minutes: 30 });
  await home.tick({ minutes: 30 });
  const [{ segments } = { segments: 0 }] = await home.store.reader.all('select count(*) as segments from log_segments');
  expect(Number(segments)).toBeLessThan(4);
  expect(JSON.stringify(await home.read(table))).toBe(before);
  expect(await columnsOf(home, table)).toMatchObject({ 'kubernetes.owner': { me: 17 }, _rest: {} });
});

it('A name that is taken gets a number, also one that differs by case', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  const texts = ['{"A.b":1}', '{"a":{"b":"x","B":"y"},"_shape":{"c":true}}', '{"a.c":{"d":1}}', '{"a":{"c":{"d":2}}}'];
  await home.engine.append(table, repeated(texts));
  const fresh = JSON.stringify(await home.read(table));
  await home.tick({ minutes: 6 });
  expect(JSON.stringify(await home.read(table))).toBe(fresh);
  const later = ['{"a.b":"a field"}', '{"a":{"b":"again","B":"y"},"_shape":{"c":false}}'];
  await home.engine.append(table, repeated(later));
  const both = JSON.stringify(await home.read(table));
  await home.tick({ minutes: 6 });
  expect(JSON.stringify(await home.read(table))).toBe(both);
  expect(home.failures).toEqual([]);
});

const KEYS = ['a', 'b', 'A', 'a.b', '한글', 'x y', "it's", '_rest', '_shape', '0', '-', '__proto__', 'q"', 's/t', ''];
const SCALARS = [
  ...[
    '1',
    '0',
    '-3',
    '2.5',
    '1.0',
    '1e3',
    '-0',
    '0.1',
    '1e400',
    '9007199254740993',
    '123456789012345678901234567890',
    '1e-7',
  ],
  ...[
    '"x"',
    '""',
    '"\\u0000"',
    '"\\u00e9\\n\\"\\\\\\/"',
    '"5"',
    '"null"',
    'true',
    'false',
    'null',
    '{}',
    '[]',
    '[1,{"a":null}]',
  ],
];
const scalar = fc.constantFrom(...SCALARS);
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, tie('object')),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { selector: ([key]) => key, maxLength: 4 })
    .map((members) => `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${inner}`).join(',')}}`),
}));
const text = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS.filter((key) => !key.startsWith('_'))), value), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 4,
  })
  .map((members) => `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${inner}`).join(',')}}`);

it('Every object comes back to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 12 }), async (texts) => {
      await using home = await makeEngineHome();
      const table = await home.createTable({ name: 'web', ...STORAGE });
      await home.engine.append(table, repeated(texts));
      const fresh = JSON.stringify(await home.read(table));
      await home.tick({ minutes: 6 });
      expect(JSON.stringify(await home.read(table))).toBe(fresh);
      await home.engine.append(table, repeated(texts.toReversed()));
      await home.tick({ minutes: 6 });
      const sealed = JSON.stringify(await home.read(table));
      await home.tick({ minutes: 60 });
      expect(JSON.stringify(await home.read(table))).toBe(sealed);
      expect(home.failures).toEqual([]);
    }),
    { numRuns: 25 },
  );
});
