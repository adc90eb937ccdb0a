// `system rules`: the records of batch and stream rules.

import { RULE_KINDS } from '#detection/rules/rule-kinds.ts';
import { listRules } from '#detection/rules/rule-store.ts';
import { recordRow, type SystemObject } from '#queries/runs/system-rows.ts';
import type { Store } from '#store/store.ts';
import { type RuleRecordDeps, recordsOf } from './states.ts';

const PAGE = 100;
const DATES = ['last_run_time', 'last_failure_time', 'next_run_time', 'created', 'updated'];
const EVERY_RULE = { keywords: undefined, enabled: undefined, priority: undefined, category_guid: undefined };

/** `deps` is called with the first row: the scheduler exists after the queries. */
export const ruleObject = (store: Store, deps: () => Omit<RuleRecordDeps, 'db'>): SystemObject => ({
  access: 'MEMBER',
  async *rows() {
    for (const kind of RULE_KINDS) {
      for (let offset = 0, isMore = true; isMore; offset += PAGE) {
        const records = await store.read(async (db) => {
          const { rows } = await listRules(db, kind, { ...EVERY_RULE, offset, limit: PAGE });
          return await recordsOf(kind, rows, { ...deps(), db });
        });
        yield records.map((record) => recordRow(record, DATES).set('rule_type', kind));
        isMore = records.length === PAGE;
      }
    }
  },
});
