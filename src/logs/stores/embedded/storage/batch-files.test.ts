// Records that come as a file are stored, recovered and sealed like the same records in lines, whatever is in them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineScanner } from '#logs/lines/line-scanner.ts';
import type { BatchFile, Fields, FileColumns, LineBatch, TableSpec } from '#logs/log-store.ts';
import { writeBatchFile } from '#logs/parquet/batch-file.ts';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const TIME = 1_763_175_600_000;
const ROOM_BYTES = 1024 * 1024;

const name = fc.constantFrom('a', 'A', 'b', 'n', 'm', '_id', '_table', '_rest', '한글', '', 'x', 'column4');
/** Bytes are looked at four at a time: what is escaped stands at any place among them. */
const text = fc
  .array(fc.constantFrom('a', 'bcd', '\\', '"', '\n', '/', '\u007f', 'é', '한글', '😀'), { maxLength: 9 })
  .map((letters) => JSON.stringify(letters.join('')));
const constant = fc.constantFrom(
  ...['0', '1', '-22', '1.0', '-0.25', '0.1', '1e3', '2.5e-7', '9007199254740991', '-9007199254740991', '3.00'],
  ...['9007199254740993', '123456789012345678901234567890', '1234567.890123456789', '-0', '-0.0', '1E2', '1e308'],
  ...['"x"', '""', '"한글 \\"q\\" \\n \\u00e9 \\/"', '"긴 글 이 들어 있는 값입니다"', 'true', 'false', 'null'],
  ...['{"x": [1, 2.50], "y":null}', '[ ]', '{"z":"\\u0041","n":1e3}', '["a",{"b":{}}]'],
);
const value = fc.oneof({ weight: 4, arbitrary: constant }, text);
const time = fc.constantFrom(
  ...[undefined, '"_time":-5', `"_time":${TIME + 1}`, '"_time":"2026-11-14T03:00:00Z"', '"_time":null'],
);
const line = fc
  .tuple(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 7 }), time, fc.nat(6))
  .map(([members, own, at]) => {
    const written = members.map(([key, source]) => `"${key}":${source}`);
    return `{${(own === undefined ? written : written.toSpliced(at, 0, own)).join(', ')}}`;
  });
const batches = fc.array(fc.array(line, { minLength: 30, maxLength: 60 }), { minLength: 3, maxLength: 4 });

/** The same lines as a batch, and where the columns are known as a file. */
function batchOf(lines: readonly string[], scanner: LineScanner, columns?: FileColumns): LineBatch {
  const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
  const batch = scanner.scan({ bytes, begin: 0, end: bytes.length, arrival: TIME, maxLineBytes: 10_000 });
  if (!batch) throw new Error('the lines are not plain');
  const target = Buffer.from(new SharedArrayBuffer(ROOM_BYTES));
  const facts = columns && writeBatchFile(batch, columns.numbersOf(batch.fields), target);
  return facts && columns ? { ...batch, file: { ...facts, bytes: target, columns } satisfies BatchFile } : batch;
}

it.each(['plain', 'checked', 'encrypted'] as const)('Files of runs are records: %s', async (protection) => {
  await using home = await makeEngineHome();
  let tables = 0;
  let files = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (lists) => {
      tables += 1;
      const storage = { layout: 'columnar', compression: 'snappy' } as const;
      const asLines = await home.createTable({ name: `lines${tables}`, ...storage }, protection);
      const asFiles = await home.createTable({ name: `files${tables}`, ...storage }, protection);
      const scanners = [new LineScanner('UTC'), new LineScanner('UTC')] as const;
      // All fields are known when the first batch has come a second time; later ones follow in both forms.
      for (const [at, lines] of [...lists, ...lists].entries()) {
        await home.engine.append(asLines, { parts: [batchOf(lines, scanners[0])] });
        const columns = at % 5 === 4 ? undefined : await home.engine.fileColumns(asFiles);
        const batch = batchOf(lines, scanners[1], columns);
        files += batch.file ? 1 : 0;
        await home.engine.append(asFiles, { parts: [batch] });
        if (at === 2) await requireSame(home, asLines, asFiles);
      }
      await home.restart();
      await requireSame(home, asLines, asFiles);
      await home.tick({ minutes: 6 });
      await requireSame(home, asLines, asFiles);
    }),
    { numRuns: protection === 'plain' ? 3 : 1, endOnFailure: true },
  );
  expect(files).toBeGreaterThan(tables);
  expect(await home.leftovers()).toEqual([]);
  expect(home.failures).toEqual([]);
});

async function requireSame(home: DuckdbHome, one: TableSpec, other: TableSpec): Promise<void> {
  const found = await home.read(other);
  const expected = await home.read(one);
  expect(found.map((record) => withoutMinus({ ...record, _table: one.name }))).toEqual(expected.map(withoutMinus));
  expect(await home.count(other, {})).toBe(found.length);
}

/** A line keeps the sign of a zero where its column has fractions already. */
const withoutMinus = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, Object.is(value, -0) ? 0 : value]));

it('Files that no query has asked for are sealed as they are, of several days, and read in between', async () => {
  await using home = await makeEngineHome();
  const spec = await home.createTable({ name: 'days', layout: 'columnar', compression: 'snappy' });
  const scanner = new LineScanner('UTC');
  const lines = (from: number) =>
    Array.from(
      { length: 300 },
      (_, at) => `{"n":${from + at},"_time":${TIME + ((from + at) % 3) * 86_400_000},"v":0.5}`,
    );
  await home.engine.append(spec, { parts: [batchOf(lines(0), scanner)] });
  await home.tick({ minutes: 6 });
  for (let from = 300; from < 2400; from += 300) {
    const batch = batchOf(lines(from), scanner, await home.engine.fileColumns(spec));
    expect(batch.file?.rows).toBe(300);
    await home.engine.append(spec, { parts: [batch] });
    if (from === 1800) expect(await home.count(spec, {})).toBe(2100);
  }
  const numbers = async () => (await home.read(spec)).map(({ n }) => Number(n)).sort((a, b) => a - b);
  const all = Array.from({ length: 2400 }, (_, at) => at);
  expect(await numbers()).toEqual(all);
  await home.tick({ minutes: 6 });
  expect(await numbers()).toEqual(all);
  await home.restart();
  expect(await numbers()).toEqual(all);
  expect(await home.leftovers()).toEqual([]);
  expect(home.failures).toEqual([]);
});

it.each(['plain', 'encrypted'] as const)('Staged files are records like staged lines: %s', async (protection) => {
  await using home = await makeEngineHome();
  const storage = { layout: 'columnar', compression: 'snappy' } as const;
  const asLines = await home.createTable({ name: 'lines', ...storage }, protection);
  const asFiles = await home.createTable({ name: 'files', ...storage }, protection);
  const scanners = [new LineScanner('UTC'), new LineScanner('UTC')] as const;
  // Of two days, the third batch of both, in order but for the last, and one of a day of its own, which lacks what that has;
  // whole numbers become fractions on the way.
  const batch = (number: number) =>
    Array.from({ length: 100 }, (_, at) => {
      const day = number < 2 ? 0 : number === 2 ? Math.floor(at / 50) : number === 6 ? 2 : 1;
      const late = number === 5 ? -3_600_000 : 0;
      const time = TIME + day * 86_400_000 + 1000 * number + at + late;
      const only = number === 5 ? '"late":"x",' : '';
      return `{"n":${number % 2 === 0 ? at : `${at}.5`},"_time":${time},${only}"t":"\\u00e9 ${number}","o":{"x":${at}}}`;
    });
  const first = await home.engine.stage(asLines);
  const second = await home.engine.stage(asFiles);
  let files = 0;
  for (let number = 0; number < 7; number += 1) {
    await first.add(batchOf(batch(number), scanners[0]));
    const lineBatch = batchOf(batch(number), scanners[1], await home.engine.fileColumns(asFiles));
    files += lineBatch.file ? 1 : 0;
    const idOf = await second.add(lineBatch);
    expect(idOf(99)).toBe(100 * (number + 1));
  }
  expect(files).toBeGreaterThan(3);
  expect(await home.count(asFiles, {})).toBe(0);
  await first.commit(async () => {});
  await second.commit(async () => {});
  await requireSame(home, asLines, asFiles);
  expect(await home.count(asFiles, {})).toBe(700);
  if (protection === 'plain') {
    await requireSorted(home, asFiles);
    expect(await typesOf(home, asFiles, 'late')).toEqual(['VARCHAR', 'VARCHAR', 'VARCHAR']);
  }
  const given = await home.engine.stage(asFiles);
  await given.add(batchOf(batch(1), scanners[1], await home.engine.fileColumns(asFiles)));
  await given.discard();
  expect(await home.count(asFiles, {})).toBe(700);
  await home.restart();
  await requireSame(home, asLines, asFiles);
  expect(await home.leftovers()).toEqual([]);
  expect(home.failures).toEqual([]);
});

it.each(['plain', 'encrypted'] as const)('Staged files keep few descriptors: %s', async (protection) => {
  await using home = await makeEngineHome();
  const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' }, protection);
  const scanner = new LineScanner('UTC');
  const line = (n: number, day = 0) => `{"n":${n},"_time":${TIME + day * 86_400_000 + n}}`;
  await home.engine.append(spec, { parts: [batchOf([line(0)], scanner)] });
  const columns = await home.engine.fileColumns(spec);
  const staging = await home.engine.stage(spec);
  const before = readdirSync('/proc/self/fd').length;
  let most = 0;
  for (let n = 1; n <= 300; n += 1) {
    const batch = batchOf([line(n, n > 150 ? n % 15 : 0)], scanner, columns);
    expect(batch.file?.rows).toBe(1);
    await staging.add(batch);
    most = Math.max(most, readdirSync('/proc/self/fd').length - before);
  }
  // Those of a segment that is being written, and those of its reader, come on top.
  expect(most).toBeLessThan(protection === 'plain' ? 100 : 220);
  await staging.commit(async () => {});
  expect(await home.count(spec, {})).toBe(301);
  expect(await home.leftovers()).toEqual([]);
  expect(home.failures).toEqual([]);
});

it('A push whose records are durable waits for a seal that is held up, and no longer than five seconds', async () => {
  await using home = await makeEngineHome();
  const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
  const scanner = new LineScanner('UTC');
  const lines = (from: number, count: number) => Array.from({ length: count }, (_, at) => `{"n":${from + at}}`);
  const append = async (from: number, count: number) => {
    const batch = batchOf(lines(from, count), scanner, await home.engine.fileColumns(spec));
    await home.engine.append(spec, { parts: [batch] });
  };
  await append(0, 1);
  await home.tick({ minutes: 6 });
  for (const release of ['the seal ends', 'time passes'] as const) {
    const held = Promise.withResolvers<void>();
    const unit = home.store.write(() => held.promise);
    await append(1, 1000);
    for (let n = 0; n < 128; n += 1) await append(2000 + n, 1);
    let isAppended = false;
    const last = append(3000, 1).then(() => {
      isAppended = true;
    });
    await home.clock.asleep({ seconds: 5 });
    home.clock.advance({ seconds: 4 });
    await setImmediate();
    expect(isAppended).toBe(false);
    if (release === 'the seal ends') held.resolve();
    else home.clock.advance({ seconds: 1 });
    await last;
    held.resolve();
    await unit;
    await home.tick({ minutes: 6 });
  }
  expect(await home.count(spec, {})).toBe(1 + 2 * 1129);
  expect(await home.leftovers()).toEqual([]);
  expect(home.failures).toEqual([]);
});

/** Of a column in each segment. */
async function typesOf(home: DuckdbHome, spec: TableSpec, column: string): Promise<unknown[]> {
  const instance = await openInstance({ memoryBytes: 2 ** 27 });
  const types = [];
  for (const path of await segmentPaths(home, spec)) {
    const [row] = await instance.run(`select typeof(any_value(${column})) as type from read_parquet('${path}')`);
    types.push(row?.type);
  }
  await instance.end();
  return types;
}

async function segmentPaths(home: DuckdbHome, spec: TableSpec): Promise<string[]> {
  const segments = await home.store.reader.all('select file from log_segments where table_id = ?', [spec.id]);
  return segments.map(({ file }) => join(home.folder, 'tables', `${spec.name}.${spec.id}`, String(file)));
}

/** By time, and by `_id` where times are equal. */
async function requireSorted(home: DuckdbHome, spec: TableSpec): Promise<void> {
  const instance = await openInstance({ memoryBytes: 2 ** 27 });
  const paths = await segmentPaths(home, spec);
  for (const path of paths) {
    const rows = await instance.run(
      `select epoch_ms(_time) as time, _id from read_parquet('${path}', file_row_number = true) order by file_row_number`,
    );
    expect(rows).toEqual(rows.toSorted((a, b) => Number(a.time) - Number(b.time) || Number(a._id) - Number(b._id)));
  }
  expect(paths.length).toBeGreaterThan(1);
  await instance.end();
}
