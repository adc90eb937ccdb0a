// POST /alarm-groups/:guid/test

import { notFound } from '#contract/errors.ts';
import { ALARM_TEST_ERRORS, type AlarmTests, MAX_TESTS, testAlarms } from '#detection/alarm-test.ts';
import { type Call, endpoint } from '#http/endpoint.ts';
import { arrayOf, boolean, choice, int32, orNull, record, string } from '#http/shapes.ts';
import { guidOf } from '#http/shared-fields.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Targets } from '#kernel/web-target.ts';
import type { Db } from '#store/kysely.ts';
import { inChunks } from '#store/lists.ts';
import type { Store } from '#store/store.ts';
import type { Vault } from '#vault/vault.ts';
import { membersOf } from './store.ts';

interface Needs extends Call {
  readonly store: Store;
  readonly alarmTests: AlarmTests;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly webhookTargets: Targets;
  readonly stopping: AbortSignal;
}

export const test = endpoint({
  title: 'Test alarm group',
  notes:
    'Sends one test alarm to each member, in one attempt that is not repeated: a webhook gets a signed POST of ' +
    '`{test: true, alarm_group: {guid, name}}`; a user finds alarms in the console and is only looked up. `error` is ' +
    '`not-allowed` for a target that the setting `webhook-targets` refuses, `unreachable` without a connection, `tls` ' +
    'where the certificate is not accepted, `late` without an answer in 10 s, `refused` for a status other than 2xx, ' +
    '`secret` where the sealed URL or secret cannot be opened, `user-not-found` for a user that has been removed. ' +
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
        ok: boolean('Whether the alarm was delivered.'),
        status: orNull(int32)('Status that the webhook answered with; null without an answer and for users.', 200),
        error: orNull(choice(ALARM_TEST_ERRORS))('Code of the reason of a failure; null for a delivered alarm.'),
      }),
    )('One result for each member, in their order.'),
  }),

  async prepare({ guid }, { caller, store, alarmTests, clock, vault, webhookTargets, stopping, gone }: Needs) {
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
        users: await existingUsers(
          db,
          members.flatMap(({ user_guid }) => user_guid ?? []),
        ),
      };
    });
    const until = AbortSignal.any([gone, stopping]);
    return { results: await testAlarms(tested, { clock, vault, targets: webhookTargets, until }) };
  },

  run: async (_input, _call, results) => results,
});

async function existingUsers(db: Db, guids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await inChunks(guids, (some) =>
    db
      .selectFrom('users')
      .select('guid')
      .where('guid', 'in', [...some])
      .execute(),
  );
  return new Set(found.map(({ guid }) => guid));
}
