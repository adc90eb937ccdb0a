// When batch rules ran and will run.

import type { RuleRow } from '#store/schema.ts';
import type { Db } from '#store/kysely.ts';
import type { RunTimes } from './model.ts';

export interface RuleTimes {
  /** By guid. */
  of(db: Db, rules: readonly RuleRow[]): Promise<ReadonlyMap<string, RunTimes>>;
}
