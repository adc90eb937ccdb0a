// Records that come as a file are stored, recovered and sealed like the same records in lines, whatever is in them.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Fields, FileColumns, RecordRun, RunFile, TableSpec } from '#engines/engine.ts';
import { writeRunFile } from '#engines/parquet/run-file.ts';
import { LineScanner } from '#ingest/line-scanner.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

const TIME = 1_763_175_600_000;
const ROOM_BYTES = 1024 * 1024;

const name = fc.constantFrom('a', 'A', 'b', 'n', 'm', '_id', '_table', '_rest', '한글', '', 'x', 'column4');
const value = fc.constantFrom(
  ...['0', '1', '-22', '1.0', '-0.25', '0.1', '1e3', '2.5e-7', '9007199254740991', '-9007199254740991', '3.00'],
  ...['9007199254740993', '123456789012345678901234567890', '1234567.890123456789', '-0', '-0.0', '1E2', '1e308'],
  ...['"x"', '""', '"한글 \\"q\\" \\n \\u00e9 \\/"', '"긴 글 이 들어 있는 값입니다"', 'true', 'false', 'null'],
  ...['{"x": [1, 2.50], "y":null}', '[ ]', '{"z":"\\u0041","n":1e3}', '["a",{"b":{}}]'],
);
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

/** The same lines as a run, and where the columns are known as a file. */
function runOf(lines: readonly string[], scanner: LineScanner, columns?: FileColumns): RecordRun {
  const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
  const run = scanner.run({ bytes, begin: 0, end: bytes.length, arrival: TIME, maxLineBytes: 10_000 });
  if (!run) throw new Error('the lines are not plain');
  const target = Buffer.from(new SharedArrayBuffer(ROOM_BYTES));
  const facts = columns && writeRunFile(run, columns.numbersOf(run.fields), target);
  return facts && columns ? { ...run, file: { ...facts, bytes: target, columns } satisfies RunFile } : run;
}

it.each(['plain', 'checked', 'encrypted'] as const)('Files of runs are records: %s', async (protection) => {
  await using home = await makeEngineHome();
  let tables = 0;
  let files = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (lists) => {
      tables += 1;
      const storage = { layout: 'columnar', compression: 'snappy' } as const;
      const [asLines, asFiles] = [
        await home.createTable({ name: `lines${tables}`, ...storage }, protection),
        await home.createTable({ name: `files${tables}`, ...storage }, protection),
      ];
      const scanners = [new LineScanner('UTC'), new LineScanner('UTC')] as const;
      // All fields are known when the first batch has come a second time; later ones follow in both forms.
      for (const [at, lines] of [...lists, ...lists].entries()) {
        await home.engine.append(asLines, { parts: [runOf(lines, scanners[0])] });
        const columns = at % 5 === 4 ? undefined : await home.engine.fileColumns(asFiles);
        const run = runOf(lines, scanners[1], columns);
        files += run.file ? 1 : 0;
        await home.engine.append(asFiles, { parts: [run] });
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
  const [found, expected] = [await home.read(other), await home.read(one)];
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
  await home.engine.append(spec, { parts: [runOf(lines(0), scanner)] });
  await home.tick({ minutes: 6 });
  for (let from = 300; from < 2400; from += 300) {
    const run = runOf(lines(from), scanner, await home.engine.fileColumns(spec));
    expect(run.file?.rows).toBe(300);
    await home.engine.append(spec, { parts: [run] });
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
