// Installations that earlier versions wrote, a week after this version was started on them: their quiet days have the present form,
// and all queries have the same answers.

import { expect, it } from 'vitest';
import { metricsOf } from '#test/support/metrics.ts';
import { until } from '#test/support/until.ts';
import { compareAnswers, copyFixture, onEachFixture, openFixture } from './opened-fixture.ts';

const SINCE = `insert into installation (key, value) values ('segment-form-2-since', '2020-01-01T00:00:00Z')`;
const FORMER = `select count(*) as segments from log_segments
  where form < 2 and table_id in (select id from log_tables where layout <> 'row')`;

onEachFixture('Quiet days', (fixture) => {
  it('take the present form, and answer every query as before', async () => {
    const copy = await copyFixture(fixture);
    // Before the first start there is no column for the form.
    await using first = await openFixture(copy);
    await copy.sql(SINCE);
    await first.service.restart();
    const former = async () => Number((await copy.sql(FORMER))[0]?.segments);
    const hadFormer = (await former()) > 0;
    await until(
      async () => {
        first.clock.advance({ minutes: 6 });
        return await former();
      },
      (segments) => segments === 0,
    );
    await compareAnswers(first);
    const metrics = await until(
      async () => {
        first.clock.advance({ minutes: 1 });
        return await metricsOf(first.service);
      },
      (text) => text.includes('vigil_rewrite_days_left 0'),
    );
    expect(/vigil_rewritten_days_total [1-9]/.test(metrics)).toBe(hadFormer);
    expect(first.log.errors).toEqual([]);
  });
});
