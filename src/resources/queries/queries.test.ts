// The list of queries, cancelling them, and their tags.

import { expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { ENDLESS_JSON, finished, openCursor, ran, statusOf } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const QUERIES = '/api/core/queries';
const forbidden = (id: number) => refused(403, 'invalid-query-id', `cannot access query ${id}`);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

onEachDatabase('Queries', (subject) => {
  const { call } = subject;
  let admin: Account;
  let member: Account;
  const listed = async (parameters: Readonly<Record<string, string>> = {}, key?: string) => {
    const { json } = await call('GET', `${QUERIES}?${new URLSearchParams(parameters)}`, key ? { key } : {});
    return [json.total_count, json.queries.map((query: { query_string: string }) => query.query_string)];
  };

  it('are listed newest first, to a MEMBER its own', async () => {
    admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    member = await createAccount(subject, 'MEMBER', { login: 'member' });
    await ran(subject, 'json "{a:1}"');
    await ran(subject, 'json "{b:2}"', { key: member.key, headers: { 'user-agent': 'vigil-python/1' } });
    await ran(subject, 'json "{한글:3}"', { key: member.key });
    expect(await listed()).toEqual([3, ['json "{한글:3}"', 'json "{b:2}"', 'json "{a:1}"']]);
    expect(await listed({}, admin.key)).toEqual(await listed());
    expect(await listed({}, member.key)).toEqual([2, ['json "{한글:3}"', 'json "{b:2}"']]);
  });

  it.each([
    [{ offset: '1', limit: '1' }, [3, ['json "{b:2}"']]],
    [{ keywords: 'JSON "{A' }, [1, ['json "{a:1}"']]],
    [{ keywords: '한글' }, [1, ['json "{한글:3}"']]],
    [{ login_name: 'member', limit: '1' }, [2, ['json "{한글:3}"']]],
    [{ login_name: 'mem' }, [0, []]],
    [{ source: 'python-client' }, [1, ['json "{b:2}"']]],
    [{ source: 'rest-api', login_name: 'member' }, [1, ['json "{한글:3}"']]],
    [{ is_finished: 'false' }, [0, []]],
    [{ is_finished: 'true', limit: '0' }, [3, []]],
  ])('are filtered by %j', async (parameters, expected) => {
    expect(await listed(parameters)).toEqual(expected);
  });

  it.each([
    [{ offset: '-1' }, invalid("'offset' must be greater than or equal to 0.")],
    [{ limit: '1001' }, invalid("'limit' must be less than or equal to 1000.")],
    [
      { source: 'x' },
      invalid(
        "source value must be one of 'adhoc', 'console', 'scheduled-query', 'rest-api', 'java-client', 'python-client', 'system', 'core', 'batch-rule'.",
      ),
    ],
    [{ is_finished: 'x' }, refused(400, 'invalid-param-type', 'is_finished should be boolean type')],
  ])('are not listed by %j', async (parameters, complaint) => {
    expect(outcome(await call('GET', `${QUERIES}?${new URLSearchParams(parameters)}`))).toEqual(complaint);
  });

  it('are cancelled by their owner and by administrators, and stay as they are when they have ended', async () => {
    const cancel = async (id: number, key: string) => outcome(await call('POST', `${QUERIES}/${id}/cancel`, { key }));
    for (const key of [member.key, admin.key]) {
      const id = await openCursor(subject, ENDLESS_JSON, { key: member.key });
      expect(await cancel(id, key)).toEqual([200, {}]);
      expect(await statusOf(subject, id, { key: member.key })).toMatchObject({ is_cancelled: true });
      const ended = await finished(subject, id, { key: member.key });
      expect(ended).toMatchObject({ cancel_reason: 'UserRequest', error_detail: 'cancelled on request' });
      expect(await cancel(id, key)).toEqual([200, {}]);
      expect(await statusOf(subject, id, { key: member.key })).toEqual({ ...ended, stamp: ended.stamp + 1 });
    }
    const done = await ran(subject, 'json "{}"');
    expect(await cancel(done.id, admin.key)).toEqual([200, {}]);
    expect(await statusOf(subject, done.id)).toMatchObject({ is_cancelled: false });
    expect(await cancel(done.id, member.key)).toEqual(forbidden(done.id));
    expect(await cancel(2147483647, admin.key)).toEqual(forbidden(2147483647));
  });

  it('hold the tags of their clients, which are replaced as a whole', async () => {
    const { id, tags } = await ran(subject, 'json "{}"');
    expect(tags).toEqual({});
    const put = async (json: unknown, key?: string) =>
      outcome(await call('PUT', `${QUERIES}/${id}/tags`, { json: { tags: json }, ...(key ? { key } : {}) }));
    expect(await put({ page: '3', 쪽: '삼' })).toEqual([200, {}]);
    expect((await statusOf(subject, id)).tags).toEqual({ page: '3', 쪽: '삼' });
    expect(await put({ other: '' })).toEqual([200, {}]);
    expect((await statusOf(subject, id)).tags).toEqual({ other: '' });
    expect(await put({})).toEqual([200, {}]);
    expect((await statusOf(subject, id)).tags).toEqual({});
    expect(await put({ a: 'b' }, admin.key)).toEqual(forbidden(id));
  });

  it.each([
    [undefined, refused(400, 'null-argument', 'tags should be not null')],
    ['x', refused(400, 'invalid-param-type', 'tags should be json type')],
    [['a'], refused(400, 'invalid-param-type', 'tags should be json type')],
    [{ a: 1 }, refused(400, 'invalid-param-type', 'tags should be json type')],
    [{ a: 'x'.repeat(65_536) }, invalid("'tags' must be shorter than or equal to 65536 bytes.")],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`k${n}`, ''])),
      invalid("'tags' must be less than or equal to 100 items."),
    ],
  ])('refuse other tags (row %#)', async (tags, complaint) => {
    const { id } = await ran(subject, 'json "{}"');
    expect(outcome(await call('PUT', `${QUERIES}/${id}/tags`, { json: { tags } }))).toEqual(complaint);
  });

  it('leave audit entries when they are cancelled or tagged, not when they are looked at', async () => {
    const { id } = await ran(subject, 'json "{}"');
    const entries = await entriesOf(subject, async () => {
      await listed();
      await statusOf(subject, id);
      await call('GET', `${QUERIES}/${id}/events`);
      await call('POST', `${QUERIES}/check`, { form: { q: 'json "{}"' } });
      await call('POST', `${QUERIES}/${id}/cancel`);
      await call('PUT', `${QUERIES}/${id}/tags`, { json: { tags: {} } });
    });
    expect(entries).toMatchObject([
      { module: 'queries', method: 'cancel', msg: `Cancellation of query ${id}` },
      { module: 'queries', method: 'tag', msg: `New tags for query ${id}` },
    ]);
  });
});
