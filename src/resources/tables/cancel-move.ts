// DELETE /tables/:table/move

import { notFound, tableNotBeingMoved } from '#contract/errors.ts';
import type { LogStore } from '#logs/log-store.ts';
import { findMove } from '#logs/stores/both/move-catalog.ts';
import { nothing } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { specOf } from './model.ts';
import { table } from './params.ts';
import { findTable } from './store.ts';

export const cancelMove = endpoint({
  title: 'Cancel table move',
  notes:
    'Answered once the day that is being copied is done. Each day stays where it is then, and new records go on to the place ' +
    'that the move had chosen.',
  method: 'DELETE',
  path: '/api/core/tables/:table/move',
  access: 'ADMIN',
  audit: 'tables.move-cancel',
  params: { table },
  answer: nothing,

  async run({ table: name }, { db, engine, afterCommit }: Call & { engine: LogStore }) {
    const row = await findTable(db, name);
    if (!row) throw notFound('table', name);
    if ((await findMove(db, row.id))?.state !== 'running') throw tableNotBeingMoved(name);
    afterCommit(async () => engine.moves?.cancel(specOf(row)));
    return {};
  },
});
