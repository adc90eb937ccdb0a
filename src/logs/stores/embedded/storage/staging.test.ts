// The files of staged records; what every engine promises of staged records is in the conformance suite.

import { expect, it } from 'vitest';
import { LAYOUTS } from '#logs/log-store.ts';
import { DAY, record, TIME } from '#test/support/engine-conformance/samples.ts';
import { PROTECTIONS } from '#test/support/engine-conformance/suite.ts';
import { makeEngineHome, segmentsIn } from '#test/support/log-engine.ts';

const nothing = async () => {};
const FORMS = LAYOUTS.flatMap((layout) => PROTECTIONS.map((protection) => ({ layout, protection })));

it.each(FORMS)(
  'Staged records become one segment for each of their days: a $layout table, $protection',
  async ({ layout, protection }) => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    const staging = await home.engine.stage(spec);
    await staging.add([0, 1, 2].map((n) => record(`{"n":${n}}`)));
    await staging.add([3, 4].map((n) => record(`{"n":${n}}`, TIME - DAY)));
    await staging.commit(nothing);
    expect((await segmentsIn(home.store)).map(({ day, rows }) => ({ day, rows }))).toEqual([
      { day: '2026-11-14', rows: 2 },
      { day: '2026-11-15', rows: 3 },
    ]);
    expect(home.failures).toEqual([]);
  },
);

it.each(FORMS)(
  'Staged records are no part of a merge before their commit: a $layout table, $protection',
  async ({ layout, protection }) => {
    await using home = await makeEngineHome();
    const spec = await home.createTable({ name: 'web', layout, compression: 'snappy' }, protection);
    const staging = await home.engine.stage(spec);
    await staging.add([record('{"n":100}')]);
    for (let round = 0; round < 4; round += 1) {
      await home.engine.append(spec, [record(`{"n":${round}}`)]);
      await home.tick({ minutes: 6 });
    }
    expect((await segmentsIn(home.store)).map(({ rows }) => rows)).toEqual([4]);
    await staging.commit(nothing);
    expect((await home.read(spec)).map(({ n }) => Number(n)).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 100]);
    expect(home.failures).toEqual([]);
  },
);
