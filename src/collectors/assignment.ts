// The assignment of a collecting logger: the logger with its model, table and configuration.

import type { Nodes } from '#cluster/members/membership.ts';
import { type Target, targets } from '#ingest/target.ts';
import type { Db } from '#store/kysely.ts';
import { COLLECTED_KINDS } from './configs/configs.ts';

/** As the node of a logger: every data node collects. */
export const EVERY_NODE = '*';

export interface Assignment extends Target {
  readonly name: string;
  readonly interval: number;
  readonly cron_schedule: string | null;
  readonly configs: string | null;
}

/** Assignments of the enabled loggers of a node. */
export const assignmentsOf = (db: Db, { name, types }: Nodes['own']): Promise<Assignment[]> =>
  targets(db)
    .select(['loggers.name', 'loggers.interval', 'loggers.cron_schedule', 'loggers.configs'])
    .where('loggers.enabled', '=', 1)
    .where('loggers.node', 'in', types.includes('data') ? [name, EVERY_NODE] : [name])
    .where('logger_models.logger_factory_name', 'in', COLLECTED_KINDS)
    .orderBy('loggers.id')
    .execute();

/** Assignments with equal texts need no restart of the collector; the name of the logger does not count. */
export const textOf = ({ name: _, ...work }: Assignment): string => JSON.stringify(work);
