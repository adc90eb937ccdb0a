// Scheduled queries as jobs of the scheduler, and their workflows: the end of a run causes slots of the following queries.

import { type Account, type Caller, NO_ACCOUNT, onBehalfOf } from '#access/caller.ts';
import type { NodeType } from '#contract/values.ts';
import { taggedJson } from '#query/rows/tagged-json.ts';
import type { CausedSlot, EndedAttempt, JobKind } from '#scheduler/job-kind.ts';
import type { Db } from '#store/kysely.ts';
import type { ScheduledQueryRow } from '#store/schema/schedule-schema.ts';
import { eligibilityRows, enabledSchedules, findScheduledQuery, followersOf, KIND } from './store.ts';

export const scheduledQueryJob: JobKind = {
  name: KIND,

  async scheduled(db, guids) {
    const rows = await enabledSchedules(db, guids);
    return rows.map(({ guid, cron_schedule, scheduled_since }) => ({
      guid,
      cron: cron_schedule ?? '',
      since: scheduled_since,
    }));
  },

  async eligibility(db, guids) {
    const rows = await eligibilityRows(db, guids);
    return new Map(
      rows.map((row) => [
        row.guid,
        { name: row.name, isEnabled: row.enabled === 1, since: row.scheduled_since, nodeTypes: nodeTypesOf(row) },
      ]),
    );
  },

  async request(db, guid) {
    const query = await findScheduledQuery(db, guid);
    if (!query) return undefined;
    return {
      caller: runnerOf(query),
      calledBy: [await ownerOf(db, query)],
      source: 'scheduled-query',
      text: query.query,
      isCollected: query.output_parameter === 1,
    };
  },

  /** The last row, as tagged JSON. */
  async collect(query) {
    const { lastRowOf } = await import('#queries/rows/last-row.ts');
    return taggedJson(await lastRowOf(query));
  },

  ended: followed,
};

export const nodeTypesOf = ({ node_types }: Pick<ScheduledQueryRow, 'node_types'>): NodeType[] | undefined =>
  node_types === null ? undefined : JSON.parse(node_types);

/** Caller of the runs. */
export const runnerOf = ({ owner_guid, owner_login, owner_company }: ScheduledQueryRow): Caller =>
  onBehalfOf({ userGuid: owner_guid, login: owner_login, companyGuid: owner_company });

/** With its present rights: names that come from parameters need them (11). */
async function ownerOf(db: Db, { owner_guid }: ScheduledQueryRow): Promise<Account> {
  const owner = await db
    .selectFrom('users')
    .select(['guid', 'login', 'role', 'company_guid'])
    .where('guid', '=', owner_guid)
    .executeTakeFirst();
  if (!owner) return NO_ACCOUNT;
  const { guid, login, role, company_guid } = owner;
  return { userGuid: guid, login, role, companyGuid: company_guid };
}

/** A cancelled run causes no slot. A following run inherits the clock time. */
async function followed(db: Db, { slot, end, collected }: EndedAttempt): Promise<CausedSlot[]> {
  if (end.state === 'cancelled') return [];
  const followers = await followersOf(db, slot.guid, end.state);
  return followers.map((guid) => ({
    guid,
    key: `after ${slot.attemptGuid}`,
    slotTime: end.finishedAt,
    clockTime: slot.clockTime,
    isBackfill: slot.isBackfill,
    constants: typeof collected === 'string' ? collected : null,
  }));
}
