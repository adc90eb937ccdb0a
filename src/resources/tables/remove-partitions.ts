// DELETE /tables/:table/partitions

import { notFound, wrongDateRange } from '#contract/errors.ts';
import { type LogStore, TableGone } from '#logs/log-store.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { described } from '#operations/described.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { alongside, required } from '#operations/params/params.ts';
import { day } from '#operations/params/time-params.ts';
import type { Vault } from '#vault/vault.ts';
import { specOf } from './model.ts';
import { table } from './params.ts';
import { requireOpen } from './rules.ts';
import { findTable } from './store.ts';

const lastDay = alongside(required(day), (end, { start }) => {
  if (typeof start === 'string' && start > end) throw wrongDateRange();
});

export const removePartitions = endpoint({
  title: 'Remove table partitions',
  notes: 'Removes whole days of the service’s time zone, both ends included.',
  method: 'DELETE',
  path: '/api/core/tables/:table/partitions',
  access: 'ADMIN',
  audit: 'tables.remove-partitions',
  params: { table, start: required(day, 'First day to remove.'), end: described(lastDay, 'Last day to remove.') },
  answer: nothing,

  async run(input, { db, engine, vault, afterCommit }: Call & { engine: LogStore; vault: Vault }) {
    const row = await findTable(db, input.table);
    if (!row) throw notFound('table', input.table);
    requireOpen(row, vault);
    afterCommit(() => engine.removeDays(specOf(row), input.start, input.end).catch(unlessGone));
    return {};
  },
});

/** A table that was dropped meanwhile counts as done. */
function unlessGone(error: unknown): void {
  if (!(error instanceof TableGone)) throw error;
}
