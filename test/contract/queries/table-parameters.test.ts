// Tables that are named by parameters: with the rights of all accounts that took part in the name (11).

import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { ask, badQuery, fillMany, postCursor, ran, type Status } from '#test/support/queries.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';

describe('A table that a parameter names', () => {
  const subject = serviceFor();
  const { call } = subject;
  let member: Account;
  beforeAll(async () => {
    await fillMany(subject, { table: 'log_a', count: 3 });
    await fillMany(subject, { table: 'log_b', count: 5 });
    await fillMany(subject, { table: 'hidden', count: 7 });
    member = await createAccount(subject, 'MEMBER', { login: 'member' });
    await call('PUT', '/api/core/tables/log_a', { json: { shared_users: [member.guid] } });
  });
  const countOf = async (q: string, params: object, options = {}) => {
    const status: Status = await ran(subject, `${q} | stats count by _table`, { params, ...options });
    return status.commands[0].push_count;
  };

  it.each([
    ['log_a', 3],
    ['log_a, log_b', 8],
    [['log_a', 'log_b'], 8],
    ['log_*', 8],
    ['gone?, log_b', 5],
    ['vigil:log_b', 5],
  ])('is that of its value: %j', async (t, rows) => {
    expect(await countOf('table $("t")', { t })).toBe(rows);
    expect(await countOf('fulltext "x" or not "x" from $("t")', { t })).toBe(rows);
  });

  it('is known after a setq, and then read as it is stored', async () => {
    const last = await ran(subject, `setq [ json "{t:'log_b'}" ] | table $("t") | stats count`);
    expect(last.commands.map(({ push_count }: Status) => push_count)).toEqual([0, 5, 1]);
  });

  it('is none of nothing, of numbers and of texts that name none', async () => {
    for (const [params, shown] of [
      [{}, 'null'],
      [{ t: null }, 'null'],
      [{ t: 5 }, '5'],
      [{ t: 'a b' }, 'a b'],
      [{ t: 'x | drop' }, 'x | drop'],
      [{ t: ['log_a', 5] }, 't'],
    ] as const) {
      const answer = await postCursor(subject, 'table $("t")', { params });
      expect(outcome(answer)).toEqual(badQuery(`(10007) ${shown} cannot be used as table name at 1:7`));
    }
    expect(await countOf('table $("t")?, log_a', {})).toBe(3);
  });

  it('is checked with its value, and without one only warned about', async () => {
    const check = async (params?: object) =>
      (
        await call('POST', '/api/core/queries/check', {
          json: { q: 'table $("t"), log_a', ...(params ? { params } : {}) },
        })
      ).json;
    expect(await check({ t: 'log_b' })).toMatchObject({
      mistakes: [],
      tables: ['log_a', 'log_b'],
      normalized: 'table $("t"), log_a',
    });
    expect(await check()).toMatchObject({ mistakes: [], warnings: [{ code: 90400 }], tables: ['log_a'] });
    expect(await check({ t: 'log_x' })).toMatchObject({ mistakes: [{ code: 10001, begin: 6, end: 12 }] });
  });

  it('needs the right of the caller inside of a procedure too', async () => {
    const created = await call('POST', '/api/core/procedures', {
      form: {
        name: 'read',
        query: 'table $("t") | stats count',
        parameters: '[{"key":"t","type":"string"}]',
        granted_user_guids: member.guid,
      },
    });
    expect(created.status).toBe(200);
    const read = async (t: string, key?: string) =>
      (await ask(subject, { q: `proc read("${t}")` }, key === undefined ? {} : { key })).text.trim();
    expect(await read('hidden')).toBe('{"count":7}');
    expect(await read('log_a', member.key)).toBe('{"count":3}');
    expect(await read('hidden', member.key)).toContain('(10001) there is no table hidden');
    expect(await read('*', member.key)).toBe('{"count":3}');
    expect(await read('hidden?, log_a', member.key)).toBe('{"count":3}');
  });
});
