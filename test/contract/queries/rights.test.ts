// A query sees what its caller may see: other tables do not exist for it, not even as a hint.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ask, badQuery, finished, linesOf, openCursor, postCursor, ran, rowsFrom } from '#test/support/queries.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';

describe('A query of a MEMBER', () => {
  const subject = serviceFor();
  const { call } = subject;
  let member: Account;
  beforeAll(async () => {
    member = await createAccount(subject, 'MEMBER', { login: 'member' });
    for (const table of ['mine', 'mint', 'other']) {
      const logger = await createLogger(subject, { table });
      await push(subject, logger, { body: JSON.stringify({ origin: table, word: 'needle' }) });
    }
    await call('PUT', '/api/core/tables/mine', { json: { shared_users: [member.guid] } });
  });
  const rows = (q: string) => rowsOf(subject, q, { key: member.key });

  it('reads what was granted to it', async () => {
    expect(await rows('table mine | fields origin')).toEqual([{ origin: 'mine' }]);
    const id = await openCursor(subject, 'table mine | fields origin', { key: member.key });
    await finished(subject, id, { key: member.key });
    expect(linesOf(await rowsFrom(subject, id, '', { key: member.key }))).toEqual([{ origin: 'mine' }]);
  });

  it.each([
    ['table other', '(10001) there is no table other at 1:7'],
    ['table othr', '(10001) there is no table othr at 1:7'],
    ['table mint', '(10001) there is no table mint at 1:7'],
    ['table mine, other', '(10001) there is no table other at 1:13'],
    ['table mine | union [ table other ]', '(10001) there is no table other at 1:28'],
    ['table mine | join origin [ table other ]', '(10001) there is no table other at 1:34'],
    ['setq [ table other ] | table mine', '(10001) there is no table other at 1:14'],
    ['fulltext "needle" from other', '(10001) there is no table other at 1:24'],
    ['fulltext "x" or [ table other ] from mine', '(10001) there is no table other at 1:25'],
    ['fulltext not word == [ union [ table other ] ] from mine', '(10001) there is no table other at 1:38'],
  ])('finds no other table: %s', async (q, message) => {
    expect(outcome(await ask(subject, { q }, { key: member.key }))).toEqual(badQuery(message));
    expect(outcome(await postCursor(subject, q, { key: member.key }))).toEqual(badQuery(message));
  });

  it('gets the same answer for a table that does not exist', async () => {
    const text = async (name: string) => {
      const answer = await ask(subject, { q: `table ${name}` }, { key: member.key });
      return answer.text.replaceAll(name, 'NAME');
    };
    expect(await text('mint')).toBe(await text('minx'));
    expect(await text('other')).toBe(await text('othex'));
  });

  it('skips other tables where it names none, or a pattern', async () => {
    for (const q of ['table *', 'table m*', 'fulltext "needle"', 'table mine, other?', 'table other?, mine']) {
      expect([q, (await rows(`${q} | fields origin`)).map(({ origin }) => origin)]).toEqual([q, ['mine']]);
    }
    expect(await rows('table o*')).toEqual([]);
  });

  it('sees its own tables and queries in system', async () => {
    expect((await rows('system tables')).map(({ table_name }) => table_name)).toEqual(['mine']);
    await ran(subject, 'json "[]"');
    const names = new Set((await rows('system queries')).map(({ login_name }) => login_name));
    expect(names).toEqual(new Set(['member']));
    const all = await rowsOf(subject, 'system queries | stats count by login_name');
    expect(all.map(({ login_name }) => login_name).sort()).toEqual(['master', 'member']);
    expect((await rowsOf(subject, 'system tables | fields table_name')).map(({ table_name }) => table_name)).toEqual([
      'mine',
      'mint',
      'other',
    ]);
  });

  it('loses a table with its grant, and gains one with it', async () => {
    await call('PUT', '/api/core/tables/mine', { json: { shared_users: [] } });
    const gone = badQuery('(10001) there is no table mine at 1:7');
    expect(outcome(await ask(subject, { q: 'table mine' }, { key: member.key }))).toEqual(gone);
    const group = await call('POST', '/api/core/user-groups', { form: { name: 'g', user_guids: member.guid } });
    await call('PUT', '/api/core/tables/other', { json: { shared_groups: [group.json.guid] } });
    expect(await rows('table other | fields origin')).toEqual([{ origin: 'other' }]);
  });

  it('may not import where it may only read', async () => {
    const answer = await ask(subject, { q: 'json "[{a:1}]" | import other' }, { key: member.key });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'invalid-query']);
  });
});
