// Who asks for what is another's, and hears that there is no such thing, is in the trail all the same: counted by the minute.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { auditLogs, entriesOf, type WireEntry } from '#test/support/audit.ts';
import { CURSORS, notYours, openCursor, QUERIES } from '#test/support/queries.ts';
import { countsWritten, onEachDatabase, outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { cancel, complete, createTable, opened } from '#test/support/uploads.ts';

const MINUTE = { minutes: 1 };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

onEachDatabase(
  'Asking for what is not theirs',
  (subject) => {
    const { call, clock } = subject;
    let [one, other] = [] as unknown as [Account, Account]; // Before any test looks.
    beforeAll(async () => {
      await createTable(subject, 'web');
      one = await createAccount(subject, 'MEMBER', { login: 'one' });
      other = await createAccount(subject, 'ADMIN', { login: 'other' });
    });
    const total = async () => (await call('GET', '/api/core/audit-logs?limit=0')).json.total;
    /** The entries of a minute that is over; those of one moment are in no order where several nodes have written them. */
    const afterMinute = async (act: () => Promise<unknown>, count: number) => {
      const before = await total();
      await act();
      expect(await total()).toBe(before);
      clock.advance(MINUTE);
      await countsWritten(subject);
      await until(total, (now) => now >= before + count);
      return (await auditLogs(subject, 'locale=en')).slice(0, (await total()) - before).sort(byContent);
    };
    const contentOf = ({ method, remote_ip, user_name, error }: WireEntry) =>
      [method, error, user_name, remote_ip].join(' ');
    const byContent = (one: WireEntry, other: WireEntry) => (contentOf(one) < contentOf(other) ? -1 : 1);

    it.each([
      ['its status', (id: number) => `${QUERIES}/${id}`, 'queries'],
      ['its events', (id: number) => `${QUERIES}/${id}/events`, 'queries'],
      ['its rows', (id: number) => `${CURSORS}/${id}`, 'cursors'],
    ])('of a query: %s, however often, is one entry', async (_, path, module) => {
      const id = await openCursor(subject, 'json "[{a:1}]"', { key: one.key });
      const entries = await afterMinute(async () => {
        for (let round = 0; round < 3; round += 1) {
          expect(outcome(await call('GET', path(id), { key: other.key }))).toEqual(notYours(id));
        }
      }, 1);
      expect(entries).toMatchObject([
        {
          module,
          method: 'read',
          user_name: 'other',
          user_guid: other.guid,
          error: `cannot access query ${id}`,
          result: 'Failure',
          params: { id: String(id) },
        },
      ]);
      expect(entries[0].msg_params).toEqual({ id, login_name: 'one', count: 3 });
      expect(entries[0].msg).toContain('3 time(s)');
    });

    it('of a query is counted for each account and each query, and in every minute anew', async () => {
      const ids = [await openCursor(subject, 'json "[]"', { key: one.key }), await openCursor(subject, 'json "[]"')];
      const [first = 0, second = 0] = ids;
      const entries = await afterMinute(async () => {
        await call('GET', `${QUERIES}/${first}`, { key: other.key });
        await call('GET', `${QUERIES}/${first}/events`, { key: other.key });
        await call('GET', `${QUERIES}/${second}`, { key: other.key });
        await call('GET', `${QUERIES}/${second}`, { key: one.key });
        await call('GET', `${QUERIES}/${first}`, { key: one.key });
        await call('GET', `${QUERIES}/2000000000`, { key: one.key });
      }, 3);
      const counts = entries.map(({ user_name, msg_params }) => [user_name, msg_params.id, msg_params.count]);
      expect(new Set(counts.map(String))).toEqual(
        new Set([`other,${first},2`, `other,${second},1`, `one,${second},1`]),
      );
      expect(counts).toHaveLength(3);
      const again = await afterMinute(() => call('GET', `${QUERIES}/${first}`, { key: other.key }), 1);
      expect(again).toMatchObject([{ msg_params: { id: first, count: 1 } }]);
    });

    it('of a query and changing it is an entry of its own each time', async () => {
      const id = await openCursor(subject, 'json "[]"');
      const entries = await entriesOf(subject, async () => {
        await call('DELETE', `${CURSORS}/${id}`, { key: one.key });
        await call('POST', `${QUERIES}/${id}/cancel`, { key: one.key });
        await call('PUT', `${QUERIES}/${id}/tags`, { key: one.key, form: { tags: '{}' } });
      });
      const noted = { error: `cannot access query ${id}`, msg_params: { id, login_name: 'master' } };
      expect(entries).toMatchObject([
        { module: 'cursors', method: 'remove', ...noted },
        { module: 'queries', method: 'cancel', ...noted },
        { module: 'queries', method: 'tag', ...noted },
      ]);
      const own = await entriesOf(subject, () => call('POST', `${QUERIES}/${id}/cancel`));
      expect(own).toMatchObject([{ msg_params: { id: String(id), login_name: 'master' }, result: 'Success' }]);
    });

    it('of an upload from another address is one entry, and of tokens that never were one more', async () => {
      const token = await opened(
        subject,
        { file_name: 'cards.ndjson', file_size: 10, metadata: { table: 'web' } },
        { key: other.key, headers: { 'x-forwarded-for': '203.0.113.1' } },
      );
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      const entries = await afterMinute(async () => {
        await cancel(subject, NOWHERE, from('203.0.113.2'));
        const gone = refused(500, 'illegal-state', `upload stream not found: ${token}`);
        expect(outcome(await cancel(subject, token, from('203.0.113.2')))).toEqual(gone);
        expect(outcome(await cancel(subject, token, from('203.0.113.2')))).toEqual(gone);
        expect(outcome(await cancel(subject, token, from('203.0.113.3')))).toEqual(gone);
        expect(outcome(await complete(subject, token, from('203.0.113.2')))).toEqual(gone);
        await cancel(subject, 'x'.repeat(1000), from('203.0.113.2'));
      }, 4);
      const entry = {
        module: 'upload-streams',
        method: 'cancel',
        user_name: '-',
        error: `upload stream not found: ${token}`,
        params: { token },
      };
      const noted = { file_name: 'cards.ndjson', table: 'web', login: 'other' };
      const found = entries.map(({ module, method, user_name, error, params, remote_ip, msg_params }) => {
        return { module, method, user_name, error, params, remote_ip, msg_params };
      });
      const nowhere = { error: `upload stream not found: ${NOWHERE}`, params: { token: NOWHERE } };
      expect(found).toEqual(
        [
          { ...entry, remote_ip: '203.0.113.2', msg_params: { ...noted, count: 2 } },
          { ...entry, remote_ip: '203.0.113.3', msg_params: { ...noted, count: 1 } },
          { ...entry, ...nowhere, remote_ip: '203.0.113.2', msg_params: { count: expect.any(Number) } },
          { ...entry, remote_ip: '203.0.113.2', method: 'complete', msg_params: { ...noted, count: 1 } },
        ].sort(byContent),
      );
      expect(found.find(({ params }) => params.token === NOWHERE)?.msg_params).toEqual({ count: 2 });
      const done = await entriesOf(subject, () => cancel(subject, token, from('203.0.113.1')));
      expect(done).toMatchObject([
        { user_name: 'other', msg_params: { token, name: 'cards.ndjson', file_name: 'cards.ndjson', table: 'web' } },
      ]);
    });

    it('is written down at an orderly stop, too', async () => {
      const id = await openCursor(subject, 'json "[]"');
      await call('GET', `${QUERIES}/${id}`, { key: one.key });
      const stopping = subject.service.restart();
      await stopping;
      const [newest] = await auditLogs(subject, 'keywords=login_name');
      expect(newest).toMatchObject({ user_name: 'one', msg_params: { id, count: 1 } });
    });
  },
  { flags: { 'trusted-proxies': '127.0.0.1' } },
);
