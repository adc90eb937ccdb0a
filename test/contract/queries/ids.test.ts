// Ids of queries: what is none, and the one refusal for every query that is not the caller's.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NODES } from '#test/support/balanced-nodes.ts';
import {
  CURSORS,
  ENDLESS,
  endAll,
  fillMany,
  finished,
  notYours,
  openCursor,
  QUERIES,
  ran,
} from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const NOT_INTEGER = refused(400, 'invalid-param-type', 'query id should be integer type');

const OPERATIONS: readonly [method: string, path: (id: string) => string, json?: object][] = [
  ['GET', (id) => `${QUERIES}/${id}`],
  ['GET', (id) => `${QUERIES}/${id}/events`],
  ['POST', (id) => `${QUERIES}/${id}/cancel`],
  ['PUT', (id) => `${QUERIES}/${id}/tags`, { tags: { a: 'b' } }],
  ['GET', (id) => `${CURSORS}/${id}`],
  ['DELETE', (id) => `${CURSORS}/${id}`],
];

const NO_INTEGERS = [
  'abc',
  '1.5',
  '1.0',
  '1e3',
  '0x10',
  '1a',
  '12,13',
  '%20',
  '%201',
  '1%20',
  'null',
  'NaN',
  'Infinity',
  '--1',
  '%EF%BC%91',
  '%D9%A1',
  '2147483648',
  '-2147483649',
  '4294967297',
  '9223372036854775808',
  '9'.repeat(5000),
  '__proto__',
  "1'or'1",
];

describe('An id of a query', () => {
  const { call } = serviceFor();

  it.each(NO_INTEGERS)('is not %s', async (id) => {
    for (const [method, path, json] of OPERATIONS) {
      const answer = await call(method, path(id), json ? { json } : {});
      expect([method, path('ID'), ...outcome(answer)]).toEqual([method, path('ID'), ...NOT_INTEGER]);
    }
  });

  it.each(['0', '1', '-1', '2147483647', '-2147483648'])('that no query has is refused with it: %s', async (id) => {
    for (const [method, path, json] of OPERATIONS) {
      const answer = await call(method, path(id), json ? { json } : {});
      expect([method, path('ID'), ...outcome(answer)]).toEqual([method, path('ID'), ...notYours(id)]);
    }
  });

  it('is missing where its segment is empty', async () => {
    const missing = refused(400, 'null-argument', 'id should be not null');
    expect(outcome(await call('POST', `${QUERIES}//cancel`))).toEqual(missing);
    expect(outcome(await call('PUT', `${QUERIES}//tags`, { json: { tags: {} } }))).toEqual(missing);
    expect(outcome(await call('GET', `${QUERIES}//events`))).toEqual(missing);
  });

  it('is looked at before the other parameters, its query after them', async () => {
    const missing = refused(400, 'null-argument', 'tags should be not null');
    expect(outcome(await call('PUT', `${QUERIES}/x/tags`))).toEqual(NOT_INTEGER);
    expect(outcome(await call('PUT', `${QUERIES}/999/tags`))).toEqual(missing);
    const invalid = refused(400, 'invalid-argument', 'offset should be long type.');
    expect(outcome(await call('GET', `${CURSORS}/x?offset=y`))).toEqual(NOT_INTEGER);
    expect(outcome(await call('GET', `${CURSORS}/999?offset=y`))).toEqual(invalid);
  });

  it('comes after authentication', async () => {
    for (const [method, path, json] of OPERATIONS) {
      const answer = await call(method, path('x'), { key: null, ...(json ? { json } : {}) });
      expect(outcome(answer)).toEqual(refused(401, 'unauthorized', 'invalid api key'));
    }
  });

  it('has the methods of the index and no others', async () => {
    const rows: readonly [string, string, string][] = [
      ['PUT', QUERIES, 'GET, HEAD'],
      ['DELETE', `${QUERIES}/1`, 'GET, HEAD'],
      ['GET', `${QUERIES}/1/cancel`, 'POST'],
      ['POST', `${QUERIES}/1/events`, 'GET, HEAD'],
      ['GET', `${QUERIES}/1/tags`, 'PUT'],
      ['POST', `${CURSORS}/1`, 'DELETE, GET, HEAD'],
      ['GET', CURSORS, 'POST'],
    ];
    for (const [method, path, allowed] of rows) {
      const answer = await call(method, path);
      const allow = (answer.headers.get('allow') ?? '').split(/, */).sort().join(', ');
      expect([method, path, answer.status, allow]).toEqual([method, path, 405, allowed]);
    }
  });
});

onEachDatabase('A query of somebody else', (subject) => {
  const { call } = subject;
  let owner: Account;
  let others: readonly string[];
  let id = 0;
  beforeAll(async () => {
    await fillMany(subject);
    owner = await createAccount(subject, 'ADMIN', { login: 'owner' });
    const admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const member = await createAccount(subject, 'MEMBER', { login: 'member' });
    const master = await createAccount(subject, 'MASTER', { login: 'second' });
    others = [admin.key, member.key, master.key];
    id = await openCursor(subject, ENDLESS, { key: owner.key });
  });
  afterAll(() => endAll(subject));

  const refusedTo = async (key: string, target: number, rows = OPERATIONS) => {
    for (const [method, path, json] of rows) {
      const answer = await call(method, path(String(target)), { key, ...(json ? { json } : {}) });
      expect([method, path('ID'), ...outcome(answer)]).toEqual([method, path('ID'), ...notYours(target)]);
    }
  };

  it('is refused like one that does not exist, to administrators too, and stays as it is', async () => {
    const withoutCancel = OPERATIONS.filter(([, path]) => !path('').endsWith('cancel'));
    for (const key of others) await refusedTo(key, id, withoutCancel);
    await refusedTo(others[1] ?? '', id);
    const { json } = await call('GET', `${QUERIES}/${id}`, { key: owner.key });
    expect(json).toMatchObject({ id, is_cancelled: false, is_finished: false, tags: {} });
  });

  it('is found with another key of its own account', async () => {
    const { json } = await call('POST', `/api/core/users/${owner.guid}/api-keys`, { form: { name: 'two' } });
    expect((await call('GET', `${QUERIES}/${id}`, { key: json.api_key })).status).toBe(200);
  });

  it('or a subquery of one’s own is refused the same', async () => {
    const { sub_queries } = (await call('GET', `${QUERIES}/${id}`, { key: owner.key })).json;
    expect(sub_queries).toHaveLength(2);
    for (const sub of sub_queries) await refusedTo(owner.key, sub.id);
    for (const sub of sub_queries) await refusedTo(others[0] ?? '', sub.id);
  });

  it('or one that was removed, too', async () => {
    const removed = (await ran(subject, 'json "[{a:1}]"')).id;
    expect(outcome(await call('DELETE', `${CURSORS}/${removed}`))).toEqual([200, { status: 'ok' }]);
    const { json } = await call('GET', '/api/core/users?keywords=master');
    expect(json.total_count).toBeGreaterThan(0);
    for (const [method, path, body] of OPERATIONS) {
      const answer = await call(method, path(String(removed)), body ? { json: body } : {});
      expect(outcome(answer)).toEqual(notYours(removed));
    }
  });

  it('leaves an entry where something was to be changed, and none where it was read', async () => {
    const entries = await entriesOf(subject, () => refusedTo(others[1] ?? '', id));
    const refusal = { error: `cannot access query ${id}`, user_name: 'member' };
    expect(entries).toMatchObject([
      { module: 'queries', method: 'cancel', ...refusal },
      { module: 'queries', ...refusal },
      { module: 'cursors', method: 'remove', ...refusal },
    ]);
  });
});

onEachDatabase('Ids', (subject) => {
  it('rise, over restarts too, are those of subqueries too, and are of 32 bits', async () => {
    const ids: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const q of ['json "[{a:1}]" | union [ json "[{a:2}]" | union [ json "[]" ] ]', 'json "[]"']) {
        const { id, sub_queries } = await finished(subject, await openCursor(subject, q));
        ids.push(id, ...sub_queries.map((sub: { id: number }) => sub.id));
      }
      const answer = await subject.call('GET', `/api/core/query?q=${encodeURIComponent('json "[]"')}`);
      ids.push(Number(answer.headers.get('x-query-id')));
      await subject.service.restart();
    }
    expect(ids).toHaveLength(15);
    expect(new Set(ids).size).toBe(15);
    // Each node has blocks of a thousand of its own.
    const series = NODES === 1 ? [ids] : Map.groupBy(ids, (id) => Math.floor(id / 1000)).values();
    for (const some of series) expect(some).toEqual(some.toSorted((a, b) => a - b));
    expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true);
    const [first = 0] = ids;
    expect(outcome(await subject.call('GET', `${QUERIES}/${first}`))).toEqual(notYours(first));
  });
});
