// DELETE /tables/:table

import { notFound } from '#contract/errors.ts';
import type { SilentSources } from '#detection/alarms/silent-sources.ts';
import type { LogStore } from '#logs/log-store.ts';
import { arrayOf, optional, record, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { specOf } from './model.ts';
import { table } from './params.ts';
import { findTable, loggersOf, removeTable } from './store.ts';

const USED = 'table used in loggers';

interface Needs {
  readonly engine: LogStore;
  readonly silentSources: SilentSources;
}

export const remove = endpoint({
  title: 'Drop table',
  notes: 'A table that loggers write to stays: the answer is then `failure` with their names.',
  method: 'DELETE',
  path: '/api/core/tables/:table',
  access: 'ADMIN',
  audit: 'tables.remove',
  params: { table },
  answer: record({
    failure: optional(
      record({
        loggers: arrayOf(string)('Names of the loggers that write to the table.', ['web01']),
        message: string('Text of the reason.', 'table used in loggers'),
      })('Present where the table was not removed.'),
    ),
  }),

  async run(input, { db, engine, silentSources, recordAsFailed, afterCommit }: Call & Needs) {
    const row = await findTable(db, input.table);
    if (!row) throw notFound('table', input.table);
    const loggers = await loggersOf(db, row.name);
    if (loggers.length > 0) {
      recordAsFailed(USED);
      return { failure: { loggers, message: USED } };
    }
    await removeTable(db, row.id);
    afterCommit(() => engine.drop(specOf(row)));
    afterCommit(() => silentSources.changed());
    return {};
  },
});
