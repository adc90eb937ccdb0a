import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { expectChained, exportedEntries } from '#test/support/audit.ts';
import { databases, startService } from '#test/support/service.ts';
import { onTwoNodes, outcome, refused } from '#test/support/suites.ts';

const USERS = '/api/core/users';
onTwoNodes('Users and tables', (nodes) => {
  it('see what the other has changed', async () => {
    const { one, other } = nodes;
    const { guid, key } = await createAccount(one, 'MEMBER', { login: 'traveller' });
    expect((await other.call('GET', `${USERS}/${guid}`, { key })).json.user.login).toBe('traveller');
    await one.call('DELETE', USERS, { form: { guids: guid } });
    expect((await other.call('GET', USERS, { key })).status).toBe(401);
  });

  it('give one login once, though both are asked at the same moment', async () => {
    const { one, other } = nodes;
    const form = { login: 'only-one', name: 'x', role: 'MEMBER' };
    const asked = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).call('POST', USERS, { form }));
    const answers = await Promise.all(asked);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals).toHaveLength(19);
    for (const answer of refusals) {
      expect(outcome(answer)).toEqual(refused(500, 'illegal-state', 'duplicated login: only-one'));
    }
  });

  it('write one chain between them', async () => {
    const { one } = nodes;
    const entries = await exportedEntries(one);
    expectChained(entries);
    expect(entries.filter(({ params }) => params?.login === 'only-one')).toHaveLength(20);
  });
});

const postgres = databases.find(({ name }) => name === 'postgres');

describe.skipIf(postgres?.skip)('Two services that stop on one PostgreSQL database', () => {
  it('sign the head once, though it is that of both', async () => {
    await using one = await startService({ database: 'postgres' });
    const { database = '', keys } = one.config;
    await using other = await startService({ flags: { database, keys } });
    await one.call('POST', '/api/core/companies', { form: { name: 'last' } });
    await other.stop();
    await one.stop();
    await one.restart();
    const { head, checkpoints } = (await one.call('GET', '/api/core/audit-logs/proof')).json;
    expect(checkpoints.map(({ id }: { id: number }) => id)).toEqual([head.id]);
  });
});
