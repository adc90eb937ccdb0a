// A table of many names: the first ones have columns at once, others when they have come often, also after a flood of names.

import { expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { FiledBatches } from '#test/support/filed-batches.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const STORAGE = { layout: 'columnar', compression: 'snappy' } as const;

const flood = (records: number, names: number) =>
  Array.from({ length: records }, (_, at) => {
    const members = Array.from({ length: names }, (_name, n) => `"key-${at * names + n}":${n}`);
    return record(`{${members.join(',')}}`, TIME + at);
  });

const columnsIn = async ({ store }: DuckdbHome, { id }: TableSpec): Promise<string[]> => {
  const [row] = await store.reader.all('select columns from log_tables where id = ?', [id]);
  return JSON.parse(String(row?.columns)).columns.map(({ name }: { name: string }) => name);
};

it('A real field that comes after a flood of names has a column, in small pushes and in large ones', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'web', ...STORAGE });
  await home.engine.append(table, flood(60, 1000));
  for (let at = 0; at < 20; at += 1) await home.engine.append(table, [record(`{"small":${at}}`, TIME + at)]);
  const batches = new FiledBatches(table);
  const large = Array.from({ length: 50 }, (_, at) => record(`{"large":"v${at}"}`, TIME + at));
  for (let round = 0; round < 3; round += 1) await batches.append(home.engine, large);
  const fresh = await home.read(table);
  expect(fresh).toHaveLength(60 + 20 + 150);
  await home.restart();
  expect(await home.read(table)).toEqual(fresh);
  await home.engine.append(table, [record('{"small":21,"large":"last"}', TIME + 500)]);
  await home.tick({ minutes: 6 });
  expect(await home.read(table)).toMatchObject([...fresh, { small: 21, large: 'last' }]);
  const columns = await columnsIn(home, table);
  expect(columns).toHaveLength(202);
  expect(columns.slice(-2)).toEqual(['small', 'large']);
  expect(home.failures).toEqual([]);
});

it('A record of more names than columns gets them for those that come often, up to a bound', async () => {
  await using home = await makeEngineHome();
  const table = await home.createTable({ name: 'wide', ...STORAGE });
  const wide = () => record(`{${Array.from({ length: 400 }, (_, n) => `"f${n}":${n}`).join(',')}}`, TIME);
  for (let at = 0; at < 17; at += 1) await home.engine.append(table, [wide()]);
  const fresh = await home.read(table);
  await home.tick({ minutes: 6 });
  expect(await columnsIn(home, table)).toHaveLength(300);
  expect(await home.read(table)).toEqual(fresh);
});
