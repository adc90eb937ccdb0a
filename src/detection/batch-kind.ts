// Batch rules as jobs of the scheduler.

import type { Caller } from '#access/caller.ts';
import type { JobKind } from '#scheduler/job-kind.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { RuleRow } from '#store/schema.ts';
import { textOfBatch } from './batch-text.ts';
import { findRule, scheduleOf } from './rule-store.ts';

/** As the ledger names them. */
export const BATCH_RULE = 'batch-rule';

export const batchRuleKind: JobKind = {
  name: BATCH_RULE,

  async scheduled(db, guids) {
    const rules = guids ? await rulesOf(db, guids) : await enabled(db).execute();
    return rules
      .filter((rule) => rule.enabled === 1)
      .map((rule) => ({ guid: rule.guid, cron: scheduleOf(rule) ?? '', since: rule.scheduled_since }));
  },

  async version(db) {
    const { total, newest } = await db
      .selectFrom('rules')
      .select((eb) => [eb.fn.countAll<number>().as('total'), eb.fn.max('updated_at').as('newest')])
      .where('kind', '=', 'batch')
      .executeTakeFirstOrThrow();
    return `${total} ${newest}`;
  },

  async fitness(db, guids) {
    const rules = await rulesOf(db, guids);
    return new Map(rules.map(({ guid, enabled }) => [guid, { isEnabled: enabled === 1, nodeTypes: undefined }]));
  },

  async request(db, guid) {
    const rule = await findRule(db, 'batch', guid);
    if (!rule) return undefined;
    const text = await textOfBatch(db, JSON.parse(rule.snapshot));
    if (text === undefined) return undefined;
    return { caller: runnerOf(rule), source: 'batch-rule', text, isCollected: true };
  },

  async collect() {
    return undefined;
  },

  async ended() {
    return [];
  },
};

const enabled = (db: Db) => db.selectFrom('rules').selectAll().where('kind', '=', 'batch').where('enabled', '=', 1);

const rulesOf = (db: Db, guids: readonly string[]): Promise<RuleRow[]> =>
  inChunks(guids, (chunk) =>
    db
      .selectFrom('rules')
      .selectAll()
      .where('kind', '=', 'batch')
      .where('guid', 'in', [...chunk])
      .execute(),
  );

/** The author of the newest version, with the rights of an administrator. */
const runnerOf = ({ user_guid, user_name, company_guid }: RuleRow): Caller => ({
  userGuid: user_guid,
  login: user_name,
  companyGuid: company_guid,
  name: user_name,
  role: 'ADMIN',
  locale: 'en',
  idleTimeout: Temporal.Duration.from({ seconds: 0 }),
  keyGuid: '',
  keySession: 0,
});
