// POST /alarm-groups/:guid/test

import type { Accounts } from '#access/accounts/accounts.ts';
import { notFound } from '#contract/errors.ts';
import { toStamp } from '#contract/times.ts';
import {
  ALARM_CHANNELS,
  ALARM_TEST_ERRORS,
  type AlarmTests,
  type AlarmUser,
  MAX_TESTS,
  testAlarms,
} from '#detection/alarm-test.ts';
import type { Targets } from '#kernel/net/web-target.ts';
import type { Clock } from '#kernel/time/clock.ts';
import { arrayOf, boolean, choice, int32, orNull, record, stamp, string } from '#operations/answers/shapes.ts';
import { type Call, endpoint } from '#operations/endpoint.ts';
import { guidOf } from '#operations/shared-fields.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/rows/lists.ts';
import type { AlarmMemberRow } from '#store/schema/schema.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { membersOf } from './store.ts';

interface Needs extends Call {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly alarmTests: AlarmTests;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly webhookTargets: Targets;
  readonly zone: string;
  readonly stopping: AbortSignal;
}

export const test = endpoint({
  title: 'Test alarm group',
  notes:
    'Sends one test alarm to each member, in one attempt that is not repeated: a webhook gets a signed POST of ' +
    '`{test: true, alarm_group: {guid, name}}`; a user is reached by nothing, which is the error `no-inbox`. `error` is ' +
    '`not-allowed` for a target that the setting `webhook-targets` refuses, `unreachable` without a connection, `tls` ' +
    'where the certificate is not accepted, `late` without an answer in 10 s, `refused` for a status other than 2xx, ' +
    '`secret` where the sealed URL or secret cannot be opened, `user-not-found` for a user that has been removed. ' +
    '`last_seen` is the last use of a key that the user still has. ' +
    'The test of a whole group ends after 30 s; webhooks that have had no call by then are `late`. An account has at ' +
    `most ${MAX_TESTS.perAccount} tests under way, all accounts together ${MAX_TESTS.total}; further ones are answered with 429.`,
  method: 'POST',
  path: '/api/core/alarm-groups/:guid/test',
  access: 'ADMIN',
  audit: 'alarm-groups.test',
  params: { guid: guidOf('alarm group') },
  answer: record({
    results: arrayOf(
      record({
        type: choice(['USER', 'WEBHOOK'])('Kind of member.', 'WEBHOOK'),
        member: string('GUID of the user, or scheme and host of the webhook.', 'https://alarm.example.com'),
        name: orNull(string)('Name of the user; null for webhooks and for a user that has been removed.', 'Kim'),
        via: orNull(choice(ALARM_CHANNELS))('What carries alarms to the member; null where nothing does.'),
        last_seen: orNull(stamp)(
          'Time when the user last used the service; null for webhooks and before the first use.',
        ),
        ok: boolean('Whether the alarm was delivered.'),
        status: orNull(int32)('Status that the webhook answered with; null without an answer and for users.', 200),
        error: orNull(choice(ALARM_TEST_ERRORS))('Code of the reason of a failure; null for a delivered alarm.'),
      }),
    )('One result for each member, in their order.'),
    reached: int32('Number of members that the alarm was delivered to.', 1),
    warning: orNull(choice(['nobody']))('`nobody` where the alarm reached no member; null otherwise.'),
  }),

  async prepare({ guid }, call: Needs) {
    const { caller, store, accounts, alarmTests, clock, vault, webhookTargets, zone, stopping, gone } = call;
    using _slot = alarmTests.acquire(caller.userGuid);
    const tested = await store.read(async (db) => {
      const group = await db
        .selectFrom('alarm_groups')
        .select(['guid', 'name'])
        .where('guid', '=', guid)
        .executeTakeFirst();
      if (!group) throw notFound('alarm group', guid);
      const members = await membersOf(db, [guid]);
      return {
        group,
        members,
        users: await usersAmong(members, { db, accounts }),
      };
    });
    const until = AbortSignal.any([gone, stopping]);
    const results = await testAlarms(tested, { clock, vault, targets: webhookTargets, until });
    const reached = results.filter(({ ok }) => ok).length;
    return {
      results: results.map(({ lastSeen, ...result }) => ({ ...result, last_seen: stampOrNull(lastSeen, zone) })),
      reached,
      warning: reached === 0 ? ('nobody' as const) : null,
    };
  },

  run: async (_input, _call, tested) => tested,
});

const stampOrNull = (at: number | null, zone: string): string | null =>
  at === null ? null : toStamp(Temporal.Instant.fromEpochMilliseconds(at), zone);

interface UserLookup {
  readonly db: Db;
  readonly accounts: Accounts;
}

/** Those of the members that exist, with the last use of their keys. */
async function usersAmong(
  members: readonly AlarmMemberRow[],
  { db, accounts }: UserLookup,
): Promise<ReadonlyMap<string, AlarmUser>> {
  const guids = members.flatMap(({ user_guid }) => user_guid ?? []);
  const rows = await inChunks(guids, (some) =>
    db
      .selectFrom('users')
      .leftJoin('api_keys', 'api_keys.user_guid', 'users.guid')
      .select(['users.guid', 'users.name', 'api_keys.guid as key', 'api_keys.last_used'])
      .where('users.guid', 'in', [...some])
      .execute(),
  );
  const users = new Map<string, AlarmUser>();
  for (const { guid, name, key, last_used } of rows) {
    const used = (key === null ? undefined : accounts.lastUsed(key)) ?? last_used;
    const seen = Math.max(used ?? 0, users.get(guid)?.lastSeen ?? 0);
    users.set(guid, { name, lastSeen: seen === 0 ? null : seen });
  }
  return users;
}
