// How long a row of DuckDB computes before it asks whether its query was cancelled, in processor time.

import { expect, it } from 'vitest';
import { stopCheckOf } from '#query/sql/stop-check.ts';
import { DuckdbRows, planned } from '#test/support/expressions.ts';

/** Milliseconds of all threads; where all positions of a row are computed at once, that is more than 800. */
const MAX_MS = 300;

const columns = [{ name: 'l', type: 'list' }] as const;

it('A foreach over zip asks often whether its query was cancelled', async () => {
  const list = Array.from({ length: 900 }, (_, at) => `${at}`);
  await using rows = await DuckdbRows.open(columns, [{ l: list }]);
  const asked: number[] = [];
  const signal = {
    get aborted() {
      const { user, system } = process.cpuUsage();
      asked.push((user + system) / 1000);
      return false;
    },
  };
  rows.watch((run) => Object.assign(stopCheckOf(run), { signal }));
  await rows.values(planned('foreach(len(zip(l, l)), l)', columns));
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? at));
  expect(asked.length).toBeGreaterThan(8);
  expect(Math.max(...gaps)).toBeLessThan(MAX_MS);
});
