// What the embedded engine promises of each form of a table that engine.test.ts leaves out; then what is about segments alone.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TableSpec } from '#logs/log-store.ts';
import { formConformance } from '#test/support/engine-conformance/index.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';
import { FURTHER_FORMS, TABLE_FORMS } from '#test/support/table-forms.ts';

formConformance({ name: 'The embedded engine over SQLite', open: makeEngineHome, forms: FURTHER_FORMS });

describe.each(TABLE_FORMS)(
  'Segments of a table, $layout, $compression and $protection',
  ({ layout, compression, protection }) => {
    let home: DuckdbHome;
    let spec: TableSpec;

    beforeEach(async () => {
      home = await makeEngineHome();
      spec = await home.createTable({ name: 'web', layout, compression }, protection);
    });
    afterEach(async () => {
      await home[Symbol.asyncDispose]();
      expect(home.failures).toEqual([]);
    });

    it('number records from 1 upwards, across restarts; the small ones of a day are merged, and count the same', async () => {
      for (let round = 0; round < 4; round += 1) {
        await home.engine.append(spec, [record(`{"n":${round}}`), record(`{"n":${round}}`, TIME - DAY)]);
        await home.tick({ minutes: 6 });
        await home.restart();
      }
      const files = await home.store.reader.all('select day, rows from log_segments order by day');
      expect(files).toEqual([
        { day: '2026-11-14', rows: 4 },
        { day: '2026-11-15', rows: 4 },
      ]);
      expect(await home.count(spec, {})).toBe(8);
      const ids = (await home.read(spec)).map(({ _id }) => Number(_id));
      expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    });
  },
);
