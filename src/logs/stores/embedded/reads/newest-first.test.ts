// The first rows of a table, found from its newest end, are those of all rows in their order: with segments that overlap in
// time, rows of the same moment, several row groups, fresh rows beside sealed ones, and in every way of storing them.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { queryOn } from '#test/support/engine-query.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

/** Rows that a segment has between two times, in steps of some milliseconds: with a step of 0 all at the same moment. */
interface Part {
  readonly rows: number;
  readonly begin: number;
  readonly step: number;
}

const LARGE: readonly Part[] = [
  { rows: 130_000, begin: 0, step: 2 },
  { rows: 20_000, begin: 100_000, step: 10 },
  { rows: 18_000, begin: 255_000, step: 0.25 },
  { rows: 17_000, begin: 259_000, step: 0 },
];
const SMALL: readonly Part[] = [
  { rows: 20_000, begin: 0, step: 13 },
  { rows: 18_000, begin: 200_000, step: 3 },
];
const FRESH: Part = { rows: 300, begin: 240_000, step: 70 };

interface Row {
  readonly id: number;
  readonly time: number;
  readonly n: number;
}

const stamp = (time: number): string =>
  Temporal.Instant.fromEpochMilliseconds(time).toString({ fractionalSecondDigits: 3 });

const textOf = (n: number): string =>
  n % 330 === 7 ? `Request ${n} met a TIMEOUT 시간초과` : `request ${n} was served`;

/** Found in another field too, but in old rows alone: filters tell other things of other row groups. */
const hasOther = ({ n }: Pick<Row, 'n'>): boolean => n < 50_000 && n % 100 === 3;

interface Filter {
  readonly driver: (options: string) => string;
  readonly steps: readonly string[];
  readonly keeps: (row: Row) => boolean;
}

const isRare = ({ n }: Row): boolean => n % 330 === 7;
const table = (options: string): string => `table ${options} web`;

const FILTERS: readonly Filter[] = [
  { driver: table, steps: ['eval a = n + 1'], keeps: () => true },
  { driver: table, steps: ['search contains(s, "TIMEOUT")'], keeps: isRare },
  {
    driver: (options) => `fulltext ${options} "timeout" from web`,
    steps: [],
    keeps: (row) => isRare(row) || hasOther(row),
  },
  {
    driver: (options) => `fulltext ${options} "시간*" from web`,
    steps: ['rename n as m', 'search m > 100000'],
    keeps: (row) => isRare(row) && row.n > 100_000,
  },
  { driver: table, steps: ['search mod(n, 3) == 0', 'fields _id, n'], keeps: ({ n }) => n % 3 === 0 },
  { driver: table, steps: ['search s == "none"'], keeps: () => false },
];

interface Asked {
  readonly filter: Filter;
  readonly order: 'asc' | 'desc';
  readonly skipped: number;
  readonly limit: number;
  readonly by: 'command' | 'option' | 'page';
  readonly range: readonly number[];
}

/** The query, and the page of it. An option of the driver counts before conditions behind it. */
function queryOf({ filter, order, skipped, limit, by, range: [from, to] }: Asked) {
  const range = from === undefined || to === undefined ? '' : `from="${stamp(from)}" to="${stamp(to)}"`;
  const isOption = by === 'option' && !filter.steps.some((step) => step.startsWith('search'));
  const cut = isOption ? `offset=${skipped} limit=${limit}` : '';
  const driver = filter.driver(`${range} order=${order} ${cut}`);
  const isPage = by === 'page';
  const steps = [...filter.steps, ...(isOption || isPage ? [] : [`limit ${skipped} ${limit}`]), 'fields _id'];
  const page = { offset: BigInt(skipped), limit: BigInt(limit) };
  return { text: [driver, ...steps].join(' | '), options: isPage ? { page } : {}, isCut: !isOption && !isPage };
}

describe.each([
  { protection: 'plain', parts: LARGE, runs: 40 },
  { protection: 'checked', parts: SMALL, runs: 12 },
  { protection: 'encrypted', parts: SMALL, runs: 12 },
  // DuckDB calls the number of a row in its file so.
  { protection: 'plain', parts: SMALL, runs: 12, field: 'File_Row_Number' },
] as const)('The first rows of a table, $protection, $field', ({ protection, parts, runs, ...named }) => {
  const field = 'field' in named ? named.field : 'other';
  let home: DuckdbHome;
  let spec: TableSpec;
  const rows: Row[] = [];
  let newest: readonly Row[] = [];
  const recordsOf = ({ rows: count, begin, step }: Part) =>
    Array.from({ length: count }, (_, index) => {
      const id = rows.length + 1;
      const n = rows.length;
      const time = TIME - 600_000 + begin + Math.floor(index * step);
      rows.push({ id, time, n });
      return record(JSON.stringify({ n, s: textOf(n), [field]: hasOther({ n }) ? `r${n} timeout` : `r${n}` }), time);
    });

  beforeAll(async () => {
    home = await makeEngineHome();
    spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' }, protection);
    for (const part of parts) {
      const staging = await home.engine.stage(spec);
      await staging.add(recordsOf(part));
      await staging.commit(async () => {});
    }
    await home.engine.append(spec, recordsOf(FRESH));
    newest = rows.toSorted((a, b) => b.time - a.time || b.id - a.id);
  });
  afterAll(() => home[Symbol.asyncDispose]());

  const moment = fc.integer({ min: -1000, max: 301_000 }).map((offset) => TIME - 600_000 + offset);
  const asked: fc.Arbitrary<Asked> = fc.record({
    filter: fc.constantFrom(...FILTERS),
    order: fc.constantFrom('desc', 'desc', 'asc'),
    skipped: fc.constantFrom(0, 0, 0, 7, 200),
    limit: fc.constantFrom(1, 3, 100, 500, 5000, 30_000),
    by: fc.constantFrom('command', 'command', 'option', 'page'),
    range: fc.oneof(
      fc.constant([]),
      fc
        .tuple(moment, moment)
        .filter(([one, other]) => one !== other)
        .map((range) => range.sort((a, b) => a - b)),
    ),
  });

  const requireFirst = (numRuns: number) =>
    fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const { filter, order, skipped, limit, by, range } = one;
        const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] = range;
        const { text, options, isCut } = queryOf(one);
        const { rows: found, pushes } = await queryOn(home.engine, [spec], text, options);
        const inRange = (order === 'desc' ? newest : newest.toReversed()).filter(
          ({ time }) => time >= from && time < to,
        );
        const kept = inRange.filter(filter.keeps);
        const wanted = kept.slice(skipped, skipped + limit);
        expect(found.map(([id]) => Number(id))).toEqual(wanted.map(({ id }) => id));
        expect(Number(pushes.at(-1))).toBe(by === 'page' ? kept.length : wanted.length);
        const read = Number(pushes[0]);
        const isSearched = text.startsWith('table') && filter !== FILTERS[0];
        if (isSearched && by === 'page') expect(read).toBe(inRange.length);
        const last = wanted.at(-1);
        if (isSearched && isCut && last) {
          // All rows of some first moments were read, those that were found among them.
          expect(read).toBeGreaterThan(inRange.indexOf(last));
          expect(inRange[read]?.time).not.toBe(inRange[read - 1]?.time);
        }
      }),
      { numRuns },
    );

  it('are the first of all rows in their order', () => requireFirst(runs));

  it('have all their fields', async () => {
    const { rows: found } = await queryOn(home.engine, [spec], `table web | limit 40 | fields n, ${field}`);
    expect(found).toEqual(newest.slice(0, 40).map(({ n }) => [n, `r${n}`]));
  });

  if (parts === LARGE)
    it('are the same once segments are merged and have filters', async () => {
      await home.engine.maintain();
      await requireFirst(runs);
    });
});

it('Rows that lie in many known parts of segments are counted once', async () => {
  await using home = await makeEngineHome();
  const spec = await home.createTable({ name: 'web', layout: 'columnar', compression: 'snappy' });
  const segments = 17;
  const rows = 13_000;
  for (let segment = 0; segment < segments; segment += 1) {
    const staging = await home.engine.stage(spec);
    const records = Array.from({ length: rows }, (_, n) => record(JSON.stringify({ n }), TIME + n * 10 + segment));
    await staging.add(records);
    await staging.commit(async () => {});
  }
  const range = `from="${stamp(TIME + 10_000)}" to="${stamp(TIME + 125_000)}"`;
  // Each comes to know the parts of 16 segments at most.
  for (const order of ['asc', 'desc']) {
    for (let time = 0; time < 2; time += 1) {
      await queryOn(home.engine, [spec], `table order=${order} ${range} web | limit 200`);
    }
  }
  const page = { offset: 0n, limit: 3n };
  const { pushes } = await queryOn(home.engine, [spec], `table ${range} web`, { page });
  expect(pushes.map(Number)).toEqual([17 * 11_500]);
});
