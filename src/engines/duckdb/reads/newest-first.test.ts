// The first rows of a table, found from its newest end, are those of all rows in their order: with segments that overlap in
// time, rows of the same moment, several row groups, fresh rows beside sealed ones, and in every way of storing them.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableSpec } from '#engines/engine.ts';
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

const FILTERS: readonly {
  readonly from: (table: string, options: string) => string;
  readonly keeps: (row: Row) => boolean;
}[] = [
  { from: (table, options) => `table ${options} ${table} | eval a = n + 1`, keeps: () => true },
  {
    from: (table, options) => `table ${options} ${table} | search contains(s, "TIMEOUT")`,
    keeps: ({ n }) => n % 330 === 7,
  },
  { from: (table, options) => `fulltext ${options} "timeout" from ${table}`, keeps: ({ n }) => n % 330 === 7 },
  {
    from: (table, options) => `fulltext ${options} "시간*" from ${table} | rename n as m | search m > 100000`,
    keeps: ({ n }) => n % 330 === 7 && n > 100_000,
  },
  {
    from: (table, options) => `table ${options} ${table} | search mod(n, 3) == 0 | fields _id, n`,
    keeps: ({ n }) => n % 3 === 0,
  },
  { from: (table, options) => `table ${options} ${table} | search s == "none"`, keeps: () => false },
];

describe.each([
  { protection: 'plain', parts: LARGE, runs: 40 },
  { protection: 'checked', parts: SMALL, runs: 12 },
  { protection: 'encrypted', parts: SMALL, runs: 12 },
] as const)('The first rows of a table, $protection', ({ protection, parts, runs }) => {
  let home: DuckdbHome;
  let spec: TableSpec;
  const rows: Row[] = [];
  let newest: readonly Row[] = [];
  const recordsOf = ({ rows: count, begin, step }: Part) =>
    Array.from({ length: count }, (_, index) => {
      const [id, n] = [rows.length + 1, rows.length];
      const time = TIME - 600_000 + begin + Math.floor(index * step);
      rows.push({ id, time, n });
      return record(JSON.stringify({ n, s: textOf(n) }), time);
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
  const asked = fc.record({
    filter: fc.constantFrom(...FILTERS),
    order: fc.constantFrom('desc', 'desc', 'asc'),
    limit: fc.constantFrom(1, 3, 100, 500, 5000, 30_000),
    bounds: fc.option(
      fc.tuple(moment, moment).filter(([one, other]) => one !== other),
      { nil: undefined },
    ),
  });

  it('are the first of all rows in their order', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ filter, order, limit, bounds }) => {
        const [from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY] =
          bounds?.toSorted((a, b) => a - b) ?? [];
        const range = bounds ? `from="${stamp(from)}" to="${stamp(to)}"` : '';
        const text = `${filter.from('web', `${range} order=${order}`)} | limit ${limit} | fields _id`;
        const { rows: found, pushes } = await queryOn(home.engine, [spec], text);
        const inRange = (order === 'desc' ? newest : newest.toReversed()).filter(
          (row) => row.time >= from && row.time < to,
        );
        const wanted = inRange.filter(filter.keeps).slice(0, limit);
        expect(found.map(([id]) => Number(id))).toEqual(wanted.map(({ id }) => id));
        expect(Number(pushes.at(-1))).toBe(wanted.length);
        expect(pushes.toSorted((a, b) => Number(b - a))).toEqual(pushes);
        if (text.startsWith('table') && wanted.length > 0 && filter !== FILTERS[0]) {
          // All rows of some first moments were read, those that were found among them.
          const read = Number(pushes[0]);
          expect(read).toBeGreaterThan(inRange.indexOf(wanted.at(-1) as Row));
          expect(inRange[read]?.time).not.toBe(inRange[read - 1]?.time);
        }
      }),
      { numRuns: runs },
    );
  });
});
