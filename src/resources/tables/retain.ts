// PUT /tables/:table/retention

import { notFound } from '#contract/errors.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { required } from '#operations/params/params.ts';
import { days, table } from './params.ts';
import { findTable, updateTable } from './store.ts';

export const retain = endpoint({
  title: 'Set table retention',
  notes: 'In days; 0 keeps everything. Older days are removed by the service itself.',
  method: 'PUT',
  path: '/api/core/tables/:table/retention',
  access: 'ADMIN',
  audit: 'tables.retain',
  params: { table, period: required(days, 'Days that records are kept; 0 keeps them without limit.') },
  answer: nothing,

  async run(input, { db, clock }: Call & { clock: Clock }) {
    const row = await findTable(db, input.table);
    if (!row) throw notFound('table', input.table);
    await updateTable(db, row.id, { retention: input.period, updated_at: clock.now().epochMilliseconds });
    return {};
  },
});
