// POST /alarm-groups/:guid/test: one signed call to each webhook, whatever becomes of the others.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toStamp } from '#contract/times.ts';
import { createAccount, createTeam, masterGuid } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { signature, Webhook } from '#test/support/webhook.ts';

const GROUPS = '/api/core/alarm-groups';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const SECRET = 'hush-0123456789';

onEachDatabase(
  'Testing an alarm group',
  (subject) => {
    const { call, clock } = subject;
    let good: Webhook | undefined;
    let bad: Webhook | undefined;
    let silent: Webhook | undefined;
    let closed: Webhook | undefined;
    beforeAll(async () => {
      [good, bad, silent, closed] = await Promise.all([Webhook.open(), Webhook.open(), Webhook.open(), Webhook.open()]);
      if (bad) bad.status = 302;
      if (silent) silent.status = undefined;
      closed?.close();
    });
    afterAll(() => {
      for (const one of [good, bad, silent]) one?.close();
    });
    const group = async (name: string, members: readonly object[]): Promise<string> =>
      (await call('POST', GROUPS, { json: { name, members } })).json.guid;
    const hook = (webhook: Webhook | undefined) => ({
      type: 'WEBHOOK',
      url: `${webhook?.url}/path-is-secret`,
      secret: SECRET,
    });
    const result = (webhook: Webhook | undefined, status: number | null, error: string | null) => ({
      type: 'WEBHOOK',
      member: webhook?.url,
      name: null,
      via: 'webhook',
      last_seen: null,
      ok: error === null,
      status,
      error,
    });

    const user = (guid: string | undefined, error: string) => ({
      type: 'USER',
      member: guid,
      name: null,
      via: null,
      last_seen: null,
      ok: false,
      status: null,
      error,
    });

    it('tells for each member whether the alarm was delivered, and tries once', async () => {
      const master = await masterGuid(subject);
      const gone = await createAccount(subject, 'MEMBER', { login: 'gone' });
      const people = [master, gone.guid].map((guid) => ({ type: 'USER', guid }));
      const guid = await group('야간 duty', [hook(good), ...people, hook(bad), hook(closed)]);
      await call('DELETE', '/api/core/users', { form: { guids: gone.guid } });
      const [entry, ...further] = await entriesOf(subject, async () => {
        expect(outcome(await call('POST', `${GROUPS}/${guid}/test`))).toEqual([
          200,
          {
            results: [
              result(good, 200, null),
              { ...user(master, 'no-inbox'), name: 'master', last_seen: expect.any(String) },
              user(gone.guid, 'user-not-found'),
              result(bad, 302, 'refused'),
              result(closed, null, 'unreachable'),
            ],
            reached: 1,
            warning: null,
          },
        ]);
      });
      expect(further).toEqual([]);
      expect(entry).toMatchObject({ module: 'alarm-groups', method: 'test', msg: 'Test of alarm group 야간 duty' });
      expect(JSON.stringify(entry)).not.toContain('path-is-secret');
      const [told, ...again] = good?.told ?? [];
      expect(JSON.parse(told?.body ?? '')).toEqual({ test: true, alarm_group: { guid, name: '야간 duty' } });
      expect(told?.headers['x-vigil-signature']).toBe(signature(told?.body ?? '', SECRET));
      clock.advance({ minutes: 10 });
      expect([again.length, bad?.told.length]).toEqual([0, 1]);
    });

    it('warns of a group that reaches nobody: an alarm is carried to no user', async () => {
      const idle = await createAccount(subject, 'MEMBER', { login: 'idle', name: '이영희' });
      const guid = await group('people', [{ type: 'USER', guid: idle.guid }]);
      const test = async (one: string) => (await call('POST', `${GROUPS}/${one}/test`)).json;
      const unseen = { ...user(idle.guid, 'no-inbox'), name: '이영희' };
      expect(await test(guid)).toEqual({ results: [unseen], reached: 0, warning: 'nobody' });
      await call('GET', '/api/core/sessions', { key: idle.key });
      const seen = { ...unseen, last_seen: toStamp(clock.now(), 'UTC') };
      expect(await test(guid)).toEqual({ results: [seen], reached: 0, warning: 'nobody' });
      expect(await test(await group('failing', [hook(bad)]))).toMatchObject({ reached: 0, warning: 'nobody' });
    });

    it('does not wait longer than ten seconds for a webhook', async () => {
      const guid = await group('slow', [hook(silent), hook(good)]);
      const toldBefore = good?.told.length ?? 0;
      const answer = call('POST', `${GROUPS}/${guid}/test`);
      await until(
        async () => silent?.told.length === 1 && (good?.told.length ?? 0) > toldBefore,
        (areBoth) => areBoth,
      );
      // The service has read the answer of the other one when one timeout is left.
      await expect.poll(() => clock.sleepersFor({ seconds: 10 })).toBe(1);
      clock.advance({ seconds: 10 });
      expect((await answer).json.results).toEqual([result(silent, null, 'late'), result(good, 200, null)]);
    });

    it('runs a bounded number of times at once', async () => {
      const guid = await group('busy', [hook(silent)]);
      const { admin } = await createTeam(subject, 'busy');
      const test = async (key?: string) => outcome(await call('POST', `${GROUPS}/${guid}/test`, key ? { key } : {}));
      const before = silent?.told.length ?? 0;
      const running = [test(), test(), test(admin.key), test(admin.key)];
      await until(
        async () => silent?.told.length,
        (calls) => calls === before + running.length,
      );
      expect(await test()).toEqual(refused(429, 'too-many-requests', 'too many requests'));
      clock.advance({ seconds: 10 });
      for (const [status] of await Promise.all(running)) expect(status).toBe(200);
      expect((await call('POST', `${GROUPS}/${await group('idle', [])}/test`)).status).toBe(200);
    });

    it('is for administrators, and for groups that exist', async () => {
      const { admin, member } = await createTeam(subject, 'testers');
      const guid = await group('empty', []);
      const test = async (key: string, one = guid) => outcome(await call('POST', `${GROUPS}/${one}/test`, { key }));
      expect(await test(member.key)).toEqual(NO_PERMISSION);
      expect(await test(admin.key)).toEqual([200, { results: [], reached: 0, warning: 'nobody' }]);
      expect(await test(admin.key, NOWHERE)).toEqual(
        refused(500, 'illegal-state', `alarm group not found: ${NOWHERE}`),
      );
      expect(await test(admin.key, 'x')).toEqual(refused(400, 'invalid-param-type', 'guid should be guid type.'));
    });
  },
  { flags: { 'webhook-targets': 'any' } },
);

describe('Testing an alarm group', () => {
  const { call } = serviceFor();

  it('tells of a host that no name leads to', async () => {
    const members = [{ type: 'WEBHOOK', url: 'http://hooks.invalid/path-is-secret', secret: SECRET }];
    const { guid } = (await call('POST', GROUPS, { json: { name: 'x', members } })).json;
    expect((await call('POST', `${GROUPS}/${guid}/test`)).json.results).toEqual([
      {
        type: 'WEBHOOK',
        member: 'http://hooks.invalid',
        name: null,
        via: 'webhook',
        last_seen: null,
        ok: false,
        status: null,
        error: 'unreachable',
      },
    ]);
  });
});
