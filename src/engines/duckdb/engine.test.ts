// What the embedded engine promises as every engine does, over SQLite; then what is about its segments alone.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMPRESSIONS, LAYOUTS, type TableSpec } from '#engines/engine.ts';
import { engineConformance } from '#test/support/engine-conformance/index.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS, type TableForm } from '#test/support/engine-conformance/suite.ts';
import { type DuckdbHome, makeEngineHome } from '#test/support/log-engine.ts';

/** A compression is a setting of the writer of segments; it changes with each layout and each protection here. */
const isTried = (places: readonly number[]) =>
  process.env.VIGIL_TABLE_FORMS === 'all' || places.reduce((sum, place) => sum + place) % COMPRESSIONS.length === 0;

/** Any two of a layout, a compression and a protection meet in one of six forms; VIGIL_TABLE_FORMS=all tries all twelve. */
const FORMS: readonly TableForm[] = PROTECTIONS.flatMap((protection, guard) =>
  LAYOUTS.flatMap((layout, shape) =>
    COMPRESSIONS.flatMap((compression, codec) =>
      isTried([guard, shape, codec]) ? [{ layout, compression, protection }] : [],
    ),
  ),
);

engineConformance({ name: 'The embedded engine over SQLite', open: makeEngineHome, forms: FORMS });

describe.each(FORMS)(
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
