// Batch rules as jobs of the scheduler. The matches of a run are raised in the unit that records its end.

import { type Caller, onBehalfOf } from '#access/caller.ts';
import { tooManyMatches } from '#contract/errors.ts';
import { recordHash } from '#detection/events/counted-records.ts';
import {
  groupByKey,
  type KeyedMatches,
  MAX_MATCHES,
  type Match,
  matchOf,
  mergeOptionsOf,
} from '#detection/events/matches.ts';
import { type RaiseResult, raiseEvents } from '#detection/events/raise-events.ts';
import type { RuleVersion } from '#detection/events/raise-input.ts';
import type { LiveQuery } from '#queries/live-query.ts';
import type { Duration } from '#query/model/durations.ts';
import type { TimeRange } from '#query/model/times.ts';
import { bucketStart } from '#query/values/dates/dates.ts';
import type { EndedAttempt, JobKind, JobRequest } from '#scheduler/job-kind.ts';
import type { TimeWindow } from '#scheduler/slots/slot.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { RuleRow } from '#store/schema/rule-schema.ts';
import type { Vault } from '#vault/vault.ts';
import { batchQueryOf } from './batch-query.ts';
import { findRule, scheduleOf } from './rule-store.ts';
import type { Snapshot } from './snapshot.ts';

/** Kind of the job in the ledger. */
export const BATCH_RULE = 'batch-rule';

const ROWS_PER_READ = 1000;

interface RuleRequest extends JobRequest {
  readonly rule: RuleVersion;
}

/** Matches of a run. */
interface RunMatches {
  readonly rule: RuleVersion;
  readonly matches: KeyedMatches;
  readonly queryId: number;
  /** Whether the run has read an encrypted table. */
  readonly isSecret: boolean;
}

interface BatchRuleDeps {
  readonly vault: Vault;
  /** Time zone of times in matches. */
  readonly zone: string;
  /** Called with the raised events, once they are durable. */
  onRaised(raised: RaiseResult): Promise<void>;
}

export const batchRuleJob = ({ vault, zone, onRaised }: BatchRuleDeps): JobKind => ({
  name: BATCH_RULE,
  isContinuous: true,

  async scheduled(db, guids) {
    const rules = guids ? await rulesOf(db, guids) : await enabled(db).execute();
    return rules
      .filter((rule) => rule.enabled === 1)
      .map((rule) => ({ guid: rule.guid, cron: scheduleOf(rule) ?? '', since: rule.scheduled_since }));
  },

  async eligibility(db, guids) {
    const rules = await rulesOf(db, guids);
    return new Map(
      rules.map(({ guid, name, enabled, scheduled_since }) => [
        guid,
        { name, isEnabled: enabled === 1, since: scheduled_since, nodeTypes: undefined },
      ]),
    );
  },

  async request(db, guid): Promise<RuleRequest | undefined> {
    const row = await findRule(db, 'batch', guid);
    if (!row) return undefined;
    const content: Snapshot = JSON.parse(row.snapshot);
    const { kind, name, version } = row;
    const query = await batchQueryOf(db, content);
    const { dependsOnTime } = await import('#query/time-dependence.ts');
    return {
      caller: runnerOf(row),
      source: 'batch-rule',
      ...query,
      // Matches of a disabled rule are ignored, even if it is enabled during the run.
      isCollected: row.enabled === 1,
      windows: {
        at: (clockTime) => timeWindow(windowAt(clockTime, content, zone)),
        areMergeable: !(await dependsOnTime(query.text)),
      },
      rule: { kind, guid, name, version, content },
    };
  },

  collect: async (query, request) => await matchesOf(query, (request as RuleRequest).rule, zone), // Made above.

  async ended(db, { slot, end, collected, afterCommit }: EndedAttempt) {
    const found = collected as RunMatches | undefined; // From `collect`.
    if (!found) return [];
    const row = await findRule(db, 'batch', slot.guid);
    if (row?.enabled !== 1) return [];
    const sealing = found.isSecret ? vault.tableSealing() : undefined;
    const outcome = await raiseEvents(db, { ...found, now: end.finishedAt, sealing });
    afterCommit(() => void onRaised(outcome));
    return [];
  },
});

/** By seconds, the spans that `datetrunc` cuts to. */
const SPANS: Readonly<Record<number, Duration>> = {
  1: { count: 1, unit: 's' },
  60: { count: 1, unit: 'm' },
  3600: { count: 1, unit: 'h' },
  86400: { count: 1, unit: 'd' },
};

/** The analysed time range: it ends at the time of the run; both bounds are cut to `datetrunc`, as `datetrunc()` does. */
function windowAt(clockTime: number, { duration, datetrunc }: Snapshot, zone: string): TimeRange | undefined {
  if (typeof duration !== 'number') return undefined;
  const span = SPANS[Number(datetrunc ?? 0)];
  const cut = (time: number) => {
    const moment = Temporal.Instant.fromEpochMilliseconds(time);
    return span ? (bucketStart(moment, span, undefined, zone) ?? moment) : moment;
  };
  return { from: cut(clockTime - duration * 1000), to: cut(clockTime) };
}

const timeWindow = (range: TimeRange | undefined): TimeWindow | undefined =>
  range?.from && range.to && { from: range.from.epochMilliseconds, to: range.to.epochMilliseconds };

async function matchesOf(query: LiveQuery, rule: RuleVersion, zone: string): Promise<RunMatches> {
  const { RowTexts } = await import('#query/rows/row-texts.ts');
  const { rows, outline, request, times } = query;
  const lookedAt = (request.now ?? times.accepted).epochMilliseconds;
  const total = rows?.rows ?? 0;
  if (total > MAX_MATCHES) throw tooManyMatches(total, MAX_MATCHES);
  const texts = new RowTexts(outline);
  // Windows may overlap, and each record counts once. Without them every run reads what its query names.
  const hasWindows = typeof rule.content.duration === 'number' && mergeOptionsOf(rule.content).intervalMs > 0;
  const matches: Match[] = [];
  for (let from = 0; rows && from < total; from += ROWS_PER_READ) {
    for await (const page of rows.read(from, ROWS_PER_READ)) {
      for (const text of page) {
        const row = texts.fields(text);
        const match = matchOf(row, lookedAt, zone);
        matches.push(hasWindows ? { ...match, record: recordHash(row) } : match);
      }
    }
  }
  const isSecret = rows?.isSecret ?? false;
  return { rule, matches: await groupByKey(matches, rule.content), queryId: query.id, isSecret };
}

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

/** Caller of the runs: the author of the newest version. */
export const runnerOf = ({ user_guid, user_name, company_guid }: RuleRow): Caller =>
  onBehalfOf({ userGuid: user_guid, login: user_name, companyGuid: company_guid });
