import { describe, expect, it } from 'vitest';
import { createAccount, created, createTeam } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const COMPANIES = '/api/core/companies';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);

describe('A company is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, refused(400, 'null-argument', 'name should be not null')],
    [{ name: '', description: 'x' }, refused(400, 'null-argument', 'name should be not null')],
    [{ name: 'n'.repeat(201) }, invalid("'name' must be shorter than or equal to 200 characters.")],
    [{ name: '😀'.repeat(201) }, invalid("'name' must be shorter than or equal to 200 characters.")],
    [
      { name: 'x', description: 'd'.repeat(2001) },
      invalid("'description' must be shorter than or equal to 2000 characters."),
    ],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', COMPANIES, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${COMPANIES}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it('for a guid that is none', async () => {
    const complaint = refused(400, 'invalid-param-type', 'guid should be guid type.');
    expect(outcome(await call('POST', COMPANIES, { form: { guid: 'x' } }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${COMPANIES}/x`))).toEqual(complaint);
    expect(outcome(await call('GET', `${COMPANIES}/${GUID}0`))).toEqual(complaint);
    expect(outcome(await call('GET', `${COMPANIES}/${GUID.replaceAll('-', '')}`))).toEqual(complaint);
  });

  it('by anyone but a MASTER', async () => {
    const { admin, member } = await createTeam({ call }, 'team');
    for (const { key } of [admin, member]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect(outcome(await call(method, COMPANIES, { key }))).toEqual(NO_PERMISSION);
      }
      for (const method of ['GET', 'PUT']) {
        expect(outcome(await call(method, `${COMPANIES}/${GUID}`, { key }))).toEqual(NO_PERMISSION);
      }
    }
  });
});

onEachDatabase('A company', (subject) => {
  const { call, clock } = subject;
  const company = async (guid: string) => (await call('GET', `${COMPANIES}/${guid}`)).json.company;

  it('called default exists from the first start', async () => {
    const { json } = await call('GET', COMPANIES);
    expect(json).toEqual({
      total_count: 1,
      companies: [
        {
          guid: expect.any(String),
          name: 'default',
          created: '2024-03-01 00:00:00+0000',
          updated: '2024-03-01 00:00:00+0000',
        },
      ],
    });
  });

  it('is read back as it was written', async () => {
    const form = { guid: GUID.toUpperCase(), name: '안랩', description: '😀'.repeat(2000) };
    expect(outcome(await call('POST', COMPANIES, { form }))).toEqual([200, { guid: GUID }]);
    expect(await company(GUID)).toStrictEqual({
      guid: GUID,
      name: '안랩',
      description: '😀'.repeat(2000),
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    });
  });

  it('is replaced by an update: what is absent goes', async () => {
    clock.advance({ minutes: 5 });
    expect(outcome(await call('PUT', `${COMPANIES}/${GUID}`, { json: { name: '안랩 2' } }))).toEqual([200, {}]);
    expect(await company(GUID)).toStrictEqual({
      guid: GUID,
      name: '안랩 2',
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:05:00+0000',
    });
  });

  it('has a name and a guid of its own', async () => {
    const other = await created(subject, COMPANIES, { name: 'Other' });
    const again = await call('POST', COMPANIES, { form: { name: 'Other' } });
    expect(outcome(again)).toEqual(illegal('duplicated name: Other'));
    const twin = await call('POST', COMPANIES, { form: { name: 'twin', guid: other.toUpperCase() } });
    expect(outcome(twin)).toEqual(illegal(`duplicated guid: ${other}`));
    const renamed = await call('PUT', `${COMPANIES}/${GUID}`, { form: { name: 'Other' } });
    expect(outcome(renamed)).toEqual(illegal('duplicated name: Other'));
    expect((await call('PUT', `${COMPANIES}/${other}`, { form: { name: 'Other' } })).status).toBe(200);
  });

  it('is missing for update, null for get', async () => {
    const answer = await call('PUT', `${COMPANIES}/${NOWHERE}`, { form: { name: 'Other' } });
    expect(outcome(answer)).toEqual(illegal(`company not found: ${NOWHERE}`));
    expect(outcome(await call('GET', `${COMPANIES}/${NOWHERE}`))).toEqual([200, { company: null }]);
  });

  it('is created once, though twenty ask for its name at the same moment', async () => {
    const form = { name: 'contested' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', COMPANIES, { form })));
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(19);
    for (const answer of lost) expect(outcome(answer)).toEqual(illegal('duplicated name: contested'));
  });

  it('is found by name alone, ignoring case, in the order of names', async () => {
    const names = async (query: string) => {
      const { json } = await call('GET', `${COMPANIES}?${query}`);
      return [json.total_count, json.companies.map(({ name }: { name: string }) => name)];
    };
    await created(subject, COMPANIES, { name: 'Ärzte 100%', description: 'hidden words' });
    expect(await names('keywords=OTHER')).toEqual([1, ['Other']]);
    expect(await names(`keywords=${encodeURIComponent('ärz')}`)).toEqual([1, ['Ärzte 100%']]);
    expect(await names(`keywords=${encodeURIComponent('0%')}`)).toEqual([1, ['Ärzte 100%']]);
    expect(await names(`keywords=${encodeURIComponent('안')}`)).toEqual([1, ['안랩 2']]);
    expect(await names('keywords=hidden')).toEqual([0, []]);
    expect(await names('offset=1&limit=2')).toEqual([5, ['contested', 'default']]);
  });

  it('is removed unless users are left in it', async () => {
    const used = await created(subject, COMPANIES, { name: 'used' });
    const { guid } = await createAccount(subject, 'MEMBER', { login: 'resident', company_guid: used });
    await created(subject, '/api/core/user-groups', { name: 'empty', company_guid: used });
    const remove = async (guids: string) => (await call('DELETE', COMPANIES, { form: { guids } })).json;
    expect(await remove(`${NOWHERE},${used},${GUID}`)).toEqual({
      failures: [
        { id: NOWHERE, reason: 'company-not-found' },
        { id: used, reason: 'company-in-use' },
      ],
    });
    expect(await company(GUID)).toBeNull();
    await call('DELETE', '/api/core/users', { form: { guids: guid } });
    expect(await remove(used)).toEqual({ failures: [] });
    expect(await company(used)).toBeNull();
  });
});
