// What queries leave in the audit trail: every run with its text, failed ones too; no poll.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import {
  ask,
  CURSORS,
  fillMany,
  finished,
  openCursor,
  postCursor,
  QUERIES,
  ran,
  rowsFrom,
} from '#test/support/queries.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const GOOD = 'json "[{a:1}]"';
const NO_TABLE = '(10001) there is no table wev at 1:7';

onEachDatabase('The audit trail of queries', (subject) => {
  const { call } = subject;
  let admin: Account;
  beforeAll(async () => {
    await fillMany(subject);
    admin = await createAccount(subject, 'ADMIN', { login: 'kim' });
  });
  const who = () => ({ user_guid: admin.guid, user_name: 'kim', remote_ip: '127.0.0.1' });

  it('has one entry for each GET /query, with its text', async () => {
    const as = { key: admin.key };
    const entries = await entriesOf(subject, async () => {
      await ask(subject, { q: GOOD, format: 'csv' }, as);
      await ask(subject, { q: 'table wev' }, as);
      await ask(subject, { q: GOOD, offset: 'x' }, as);
      await ask(subject, {}, as);
    });
    expect(entries).toMatchObject([
      { module: 'query', method: 'run', params: { q: GOOD, format: 'csv' }, ...who() },
      { module: 'query', method: 'run', params: { q: 'table wev' }, error: NO_TABLE, ...who() },
      { module: 'query', params: { q: GOOD, offset: 'x' }, error: 'offset should be long type.', ...who() },
      { module: 'query', error: 'q should be not null', ...who() },
    ]);
    expect(entries[0]).not.toHaveProperty('error');
    for (const { category, action, msg, result } of entries) {
      for (const label of [category, action, msg, result]) expect(label).toMatch(/\S/);
    }
  });

  it('has the error of a GET /query that fails before its first row', async () => {
    const entries = await entriesOf(subject, () => ask(subject, { q: 'table many | pivot count cols n' }));
    expect(entries).toMatchObject([{ module: 'query', method: 'run', error: expect.stringContaining('22201') }]);
  });

  it('has one entry for each POST /cursors, with its text and parameters', async () => {
    const as = { key: admin.key };
    const entries = await entriesOf(subject, async () => {
      await postCursor(subject, GOOD, { ...as, params: { x: 1 }, background: false });
      await postCursor(subject, 'table wev', as);
      await call('POST', CURSORS, { ...as, form: { q: GOOD, background: 'x' } });
    });
    expect(entries).toMatchObject([
      { module: 'cursors', params: { q: GOOD }, ...who() },
      { module: 'cursors', params: { q: 'table wev' }, error: NO_TABLE, ...who() },
      { module: 'cursors', params: { q: GOOD }, error: 'background should be boolean type', ...who() },
    ]);
    expect(entries[0]).not.toHaveProperty('error');
    for (const { category, action, msg } of entries) {
      for (const label of [category, action, msg]) expect(label).toMatch(/\S/);
    }
  });

  it('cuts a long text at 2,000 characters', async () => {
    const q = `json "[]" | eval a = "${'x'.repeat(5000)}"`;
    const entries = await entriesOf(subject, async () => {
      await ask(subject, { q });
      await openCursor(subject, q);
    });
    expect(entries).toHaveLength(2);
    for (const { params } of entries) expect(params.q.length).toBeLessThanOrEqual(2001);
  });

  it('has one entry for removing a cursor', async () => {
    const { id } = await ran(subject, GOOD);
    const entries = await entriesOf(subject, () => call('DELETE', `${CURSORS}/${id}`));
    expect(entries).toMatchObject([{ module: 'cursors', method: 'remove', user_name: 'master' }]);
  });

  it('has none for looking', async () => {
    const { id } = await ran(subject, GOOD);
    const entries = await entriesOf(subject, async () => {
      await finished(subject, id);
      await rowsFrom(subject, id);
      await rowsFrom(subject, id, 'offset=x');
      await rowsFrom(subject, id, '', { key: admin.key });
      await call('GET', QUERIES);
      await call('GET', `${QUERIES}/x`);
      await call('GET', `${QUERIES}/${id}`, { key: admin.key });
      await call('GET', `${QUERIES}/${id}/events`);
    });
    expect(entries).toEqual([]);
  });
});
