import { expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import {
  auditLogs,
  chainHashes,
  entriesOf,
  expectChained,
  expectSigned,
  exportedEntries,
  type WireEntry,
} from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused, type Subject } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const EXPORT = '/api/core/audit-logs/export';
const PROOF = '/api/core/audit-logs/proof';
const COMPANIES = '/api/core/companies';

/** Calls that leave entries of every kind: with and without account, params, error, and with awkward text. */
async function makeHistory(subject: Subject): Promise<void> {
  const { call } = subject;
  await created(subject, COMPANIES, { name: '안랩 "quoted"', description: 'line\nbreak\u2028 \\ 😀' });
  await call('POST', COMPANIES, { json: { name: '안랩 "quoted"' } });
  await call('POST', COMPANIES, { json: { name: { '10': [1.5, null, true], '9': {}, é: -0, __proto__: 'x' } } });
  await call('POST', COMPANIES, {
    body: '{"name":{"b":1e21,"a":12345678901234567890},"guid":99999999999999999999}',
    headers: { 'content-type': 'application/json' },
  });
  await call('DELETE', '/api/core/users?guids=x');
  const { key } = await createAccount(subject, 'ADMIN', { login: 'historian' });
  await call('GET', EXPORT, { key });
  await call('GET', PROOF);
}

onEachDatabase('The export of the audit trail', (subject) => {
  const { call } = subject;

  it('is NDJSON, oldest first, and its chain can be recomputed from it alone', async () => {
    await makeHistory(subject);
    const answer = await call('GET', EXPORT);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(answer.text.endsWith('\n')).toBe(true);
    const entries = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expectChained(entries);
  });

  it('has the entries of the list, each with its place in the chain', async () => {
    const listed = (await auditLogs(subject, 'locale=ko')).reverse();
    const exported = await exportedEntries(subject, 'locale=ko');
    const bare = exported.map(({ prev_hash, hash, company_guid, ...entry }) => entry);
    expect(bare).toEqual(listed);
  });

  it('writes one entry, which is not in it', async () => {
    let exported: WireEntry[] = [];
    const [entry, ...others] = await entriesOf(subject, async () => {
      exported = await exportedEntries(subject, 'categories=companies');
    });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ module: 'audit-logs', method: 'export', params: { categories: 'companies' } });
    expect(exported.map(({ id }) => id)).not.toContain(entry.id);
  });

  it('takes the filters of the list, and neither offset nor limit', async () => {
    const query = 'keywords=break&limit=0&offset=x';
    expect((await exportedEntries(subject, query)).map(({ method }) => method)).toEqual(['create']);
    expect(await exportedEntries(subject, 'keywords=nowhere-to-be-found')).toEqual([]);
    expect(await exportedEntries(subject, 'from=2024-03-02 00:00:00%2B0000')).toEqual([]);
  });

  it('refuses a wrong date, and writes that down', async () => {
    let answer: readonly [number, unknown] = [0, undefined];
    const entries = await entriesOf(subject, async () => {
      answer = outcome(await call('GET', `${EXPORT}?from=yesterday`));
    });
    expect(answer).toEqual(refused(400, 'invalid-argument', 'invalid date format'));
    expect(entries).toMatchObject([{ module: 'audit-logs', method: 'export', error: 'invalid date format' }]);
  });

  it('goes on with the same chain after a restart', async () => {
    await subject.service.restart();
    await call('POST', COMPANIES);
    expectChained(await exportedEntries(subject));
  });
});

onEachDatabase('The proof of the audit trail', (subject) => {
  const { call, clock } = subject;
  const proof = async (query = '') => (await call('GET', `${PROOF}?${query}`)).json;

  it('has the head and, before anything is signed, no checkpoint', async () => {
    const { audit_logs } = (await call('GET', '/api/core/audit-logs')).json;
    expect(await proof()).toStrictEqual({
      head: { id: 1, hash: (await exportedEntries(subject))[0].hash, created_at: audit_logs[0].created_at },
      total_count: 0,
      checkpoints: [],
      algorithm: 'Ed25519',
      public_key: expect.any(String),
      public_keys: [{ node: 'vigil', public_key: expect.any(String), from_id: 1 }],
    });
  });

  it('writes one entry a time', async () => {
    const entries = await entriesOf(subject, () => proof());
    expect(entries).toMatchObject([{ module: 'audit-logs', method: 'proof', user_name: 'master' }]);
  });

  it('has a signed checkpoint an hour later', async () => {
    await makeHistory(subject);
    clock.advance({ minutes: 59 });
    await clock.settled();
    expect((await proof()).total_count).toBe(0);
    clock.advance({ minutes: 1 });
    const shown = await until(proof, ({ total_count }) => total_count === 1);
    expect(shown.checkpoints).toMatchObject([{ created_at: clock.now().epochMilliseconds }]);
    expectSigned(shown, chainHashes(await exportedEntries(subject)));
  });

  it('has another one after an orderly stop, under the same key', async () => {
    const before = await proof();
    await created(subject, COMPANIES, { name: 'last words' });
    const { id } = (await auditLogs(subject))[0];
    await subject.service.restart();
    const after = await proof();
    expect(after.public_key).toBe(before.public_key);
    expect(after.checkpoints.map((one: WireEntry) => one.id)).toEqual([before.checkpoints[0].id, id]);
    expectSigned(after, chainHashes(await exportedEntries(subject)));
  });

  it.each([
    ['', 2],
    ['from_id=0', 2],
    ['limit=1', 1],
    ['offset=1', 1],
    ['offset=2', 0],
    ['limit=0', 0],
    ['from_id=2147483647', 0],
  ])('is paged: "%s"', async (query, length) => {
    const shown = await proof(query);
    expect(shown.checkpoints).toHaveLength(length);
    expect(shown.total_count).toBe(query.startsWith('from_id=2') ? 0 : 2);
  });

  it.each([
    ['from_id=x', "'from_id' parameter should be int type"],
    ['offset=-1', "'offset' must be greater than or equal to 0."],
    ['limit=2147483648', "'limit' must be less than or equal to 2147483647."],
    ['limit=x&offset=y', "'offset' parameter should be int type"],
  ])('refuses %s', async (query, message) => {
    expect(outcome(await call('GET', `${PROOF}?${query}`))).toEqual(refused(400, 'invalid-argument', message));
  });
});
