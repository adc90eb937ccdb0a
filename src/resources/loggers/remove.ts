// DELETE /loggers

import { eachOnce } from '#contract/partial-outcome.ts';
import type { LogStore, TableSpec } from '#logs/log-store.ts';
import { references } from '#objects/references/reference-record.ts';
import { referencesTo } from '#objects/references/references.ts';
import { failures, optional, record } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { flag, orElse } from '#operations/params/params.ts';
import { dryRun, guidsOf } from '#operations/shared-fields.ts';
import { removeLedger } from '#scheduler/slots/ledger.ts';
import type { Db } from '#store/kysely.ts';
import { applyAfterCommit, type CollectorDeps, type RuleObserverDeps } from './collector-hooks.ts';
import { findLogger, findTable, loggersOf, removeLogger, removeTable } from './store.ts';

export const remove = endpoint({
  title: 'Remove loggers',
  notes:
    'With `drop_table=true` their tables are dropped too; a logger whose table is used by loggers outside of the ' +
    'call stays, with the reason `table-in-use`. With `dry_run=true` nothing is removed.',
  method: 'DELETE',
  path: '/api/core/loggers',
  access: 'ADMIN',
  audit: 'loggers.remove',
  params: {
    guids: guidsOf('loggers to remove'),
    drop_table: orElse(
      flag,
      false,
      'Whether the tables of the loggers are removed too, where no other logger writes to them.',
    ),
    dry_run: dryRun,
  },
  answer: record({ failures, references: optional(references) }),

  async run(input, needs: Call & CollectorDeps & RuleObserverDeps & { engine: LogStore }) {
    const { db, engine, afterCommit } = needs;
    // Before tables are removed, so that received logs are stored.
    if (!input.dry_run) applyAfterCommit(needs);
    const passed: string[] = [];
    const { failures } = await eachOnce(input.guids, async (guid) => {
      const logger = await findLogger(db, guid);
      if (!logger) return 'logger-not-found';
      const { table_name } = logger;
      if (input.drop_table && (await isUsedByOthers(db, table_name, input.guids))) return 'table-in-use';
      passed.push(guid);
      if (input.dry_run) return undefined;
      await engine.removeSourceOffsets(db, { prefix: `${guid}/` });
      await removeLogger(db, guid);
      await removeLedger(db, 'logger', [guid]);
      afterCommit(() => needs.streamRules.referredChanged('logger', guid));
      const dropped = input.drop_table ? await drop(db, table_name) : undefined;
      if (dropped) afterCommit(() => engine.drop(dropped));
      return undefined;
    });
    return input.dry_run ? { failures, references: await referencesTo(db, 'loggers', passed) } : { failures };
  },
});

/** Whether a logger that stays writes to the table. */
async function isUsedByOthers(db: Db, table: string, leaving: readonly string[]): Promise<boolean> {
  return (await loggersOf(db, table)).some((guid) => !leaving.includes(guid));
}

/** Undefined when the table was removed with an earlier logger. */
async function drop(db: Db, name: string): Promise<TableSpec | undefined> {
  const table = await findTable(db, name);
  if (table) await removeTable(db, table.id);
  return table;
}
