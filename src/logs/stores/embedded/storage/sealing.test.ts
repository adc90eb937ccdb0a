// A segment is sorted by time, and by `_id` where times are equal, in whatever order its records came.

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openInstance } from '#logs/runs/duckdb/instance.ts';
import { record, TIME } from '#test/support/engine-conformance/samples.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';

/** Times of the records of each batch, behind `TIME`. */
const CASES: Readonly<Record<string, readonly (readonly number[])[]>> = {
  in_order: [[1, 2, 2], [2, 5], [9]],
  late_batch: [[5, 6], [1, 2], [7]],
  late_record: [[1, 7, 3], [8]],
  equal_times: [[4, 4], [4], [4, 4, 4]],
  reversed: [[3], [2], [1]],
};
const LONG = 'x'.repeat(5 * 1024 * 1024);

it('A segment is sorted', async () => {
  await using home = await makeEngineHome();
  const instance = await openInstance({ memoryBytes: 2 ** 27 });
  for (const [name, batches] of Object.entries(CASES)) {
    const spec = await home.createTable({ name, layout: 'columnar', compression: 'snappy' });
    const recordsOf = (times: readonly number[]) => times.map((time) => record('{"n":1}', TIME + time));
    // Some one after the other, others at the same time, and one so long that its insertion does not wait.
    await Promise.all(batches.map((times) => home.engine.append(spec, recordsOf(times))));
    for (const times of batches) await home.engine.append(spec, recordsOf(times));
    await home.engine.append(spec, [record(`{"long":"${LONG}"}`, TIME), ...recordsOf(batches.flat())]);
    await home.tick({ minutes: 6 });
    const [segment] = await home.store.reader.all('select file from log_segments where table_id = ?', [spec.id]);
    const path = join(home.folder, 'tables', `${name}.${spec.id}`, String(segment?.file));
    const rows = await instance.run(
      `select epoch_ms(_time) as time, _id from read_parquet('${path}', file_row_number = true) order by file_row_number`,
    );
    const sorted = rows.toSorted((a, b) => Number(a.time) - Number(b.time) || Number(a._id) - Number(b._id));
    expect([name, rows.length]).toEqual([name, 3 * batches.flat().length + 1]);
    expect(rows).toEqual(sorted);
  }
  await instance.end();
  expect(home.failures).toEqual([]);
});
