// One test alarm to each member of an alarm group, in one attempt: nothing is stored, repeated or counted.

import { tooManyRequests } from '#contract/errors.ts';
import { MASK } from '#contract/secret-names.ts';
import { schemeAndHost, type Targets } from '#kernel/net/web-target.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { Slots } from '#runtime/slots.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';
import { openWebhook, urlOf } from '#vault/sealed/webhook-urls.ts';
import type { Vault } from '#vault/vault.ts';
import { postWebhook, WEBHOOK_ERRORS } from './alarms/webhook.ts';

/** Maximum of concurrent calls of one test. */
const MAX_CONCURRENT = 8;
/** Tests at once: each may hold as many connections to strangers for as long as its webhooks are slow. */
export const MAX_TESTS = { perAccount: 2, total: 4 } as const;
const RETRY_SECONDS = 1;
/** A test of many slow webhooks ends then; those that have had no call count as late. */
const MAX_LENGTH = Temporal.Duration.from({ seconds: 30 });

export const ALARM_TEST_ERRORS = [...WEBHOOK_ERRORS, 'secret', 'user-not-found', 'no-inbox'] as const;

/** What carries an alarm to a member. */
export const ALARM_CHANNELS = ['webhook'] as const;

interface AlarmTestResult {
  readonly type: 'USER' | 'WEBHOOK';
  /** GUID of the user, or scheme and host of the webhook. */
  readonly member: string;
  /** Name of the user. */
  readonly name: string | null;
  /** Null for a member that no alarm reaches. */
  readonly via: (typeof ALARM_CHANNELS)[number] | null;
  /** Epoch milliseconds when the user last used the service. */
  readonly lastSeen: number | null;
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: (typeof ALARM_TEST_ERRORS)[number] | null;
}

interface TestedGroup {
  readonly group: { readonly guid: string; readonly name: string };
  readonly members: readonly AlarmMemberRow[];
  /** Those of the members that exist, by GUID. */
  readonly users: ReadonlyMap<string, AlarmUser>;
}

export interface AlarmUser {
  readonly name: string;
  readonly lastSeen: number | null;
}

interface AlarmTestDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly targets: Targets;
  /** Aborted when the client disconnects or the service stops. */
  readonly until: AbortSignal;
}

/** Bounds the tests of groups that run at once. */
export class AlarmTests {
  readonly #slots = new Slots({ perKey: MAX_TESTS.perAccount, total: MAX_TESTS.total });

  /** Throws where the account, or all accounts together, have as many tests under way as they may. */
  acquire(account: string): Disposable {
    const slot = this.#slots.tryAcquire(account);
    if (!slot) throw tooManyRequests(RETRY_SECONDS);
    return slot;
  }
}

/** The result of each member, in their order. */
export async function testAlarms(
  { group, members, users }: TestedGroup,
  deps: AlarmTestDeps,
): Promise<AlarmTestResult[]> {
  const { guid, name } = group;
  const body = JSON.stringify({ test: true, alarm_group: { guid, name } });
  const end = deps.clock.now().add(MAX_LENGTH);
  const results: AlarmTestResult[] = [];
  const pending = members.entries();
  const work = async () => {
    for (const [at, row] of pending) {
      const isLate = deps.until.aborted || Temporal.Instant.compare(deps.clock.now(), end) >= 0;
      results[at] =
        row.user_guid === null ? await testWebhook(row, body, { ...deps, isLate }) : userResult(row.user_guid, users);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return results;
}

/** Nothing carries an alarm to a user. */
function userResult(guid: string, users: ReadonlyMap<string, AlarmUser>): AlarmTestResult {
  const { name, lastSeen } = users.get(guid) ?? { name: null, lastSeen: null };
  const error = users.has(guid) ? 'no-inbox' : 'user-not-found';
  return { type: 'USER', member: guid, name, via: null, lastSeen, ok: false, status: null, error };
}

async function testWebhook(
  row: AlarmMemberRow,
  body: string,
  { isLate, vault, ...call }: AlarmTestDeps & { readonly isLate: boolean },
): Promise<AlarmTestResult> {
  const url = urlOf(row, vault.opening());
  const member = (url && schemeAndHost(url)) || MASK;
  const shown = { type: 'WEBHOOK', member, name: null, via: 'webhook', lastSeen: null } as const;
  const webhook = openWebhook(row, vault);
  if (!webhook) return { ...shown, ok: false, status: null, error: 'secret' };
  if (isLate) return { ...shown, ok: false, status: null, error: 'late' };
  const { status, failure } = await postWebhook({ ...webhook, body }, call);
  return { ...shown, ok: !failure, status, error: failure?.error ?? null };
}
