import { beforeAll, describe, expect, it } from 'vitest';
import { created, createTeam, type Team } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const GROUPS = '/api/core/user-groups';
const USERS = '/api/core/users';
const GUID = 'bbbbbbbb-0000-4000-8000-00000000000b';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const notGuid = (name: string) => refused(400, 'invalid-param-type', `${name} should be guid type.`);

describe('A user group is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, refused(400, 'null-argument', 'name should be not null')],
    [{ name: '' }, refused(400, 'null-argument', 'name should be not null')],
    [{ name: 'n'.repeat(201) }, invalid("'name' must be shorter than or equal to 200 characters.")],
    [{ name: '한'.repeat(201) }, invalid("'name' must be shorter than or equal to 200 characters.")],
    [
      { name: 'x', description: 'd'.repeat(2001) },
      invalid("'description' must be shorter than or equal to 2000 characters."),
    ],
    [{ name: 'x', user_guids: 'x' }, notGuid('user_guids')],
    [{ name: 'x', company_guid: 'x' }, notGuid('company_guid')],
    [{ name: 'x', company_guid: 'x', user_guids: 'y' }, notGuid('user_guids')],
    [{ name: '', user_guids: 'y' }, refused(400, 'null-argument', 'name should be not null')],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', GROUPS, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${GROUPS}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it('on creation with a guid that is none', async () => {
    expect(outcome(await call('POST', GROUPS, { form: { guid: 'x' } }))).toEqual(notGuid('guid'));
    expect((await call('GET', GROUPS)).json).toEqual({ total_count: 0, user_groups: [] });
  });

  it('on update and get with a path that names none', async () => {
    expect(outcome(await call('PUT', `${GROUPS}/x`, { form: { name: '' } }))).toEqual(notGuid('guid'));
    expect(outcome(await call('GET', `${GROUPS}/x`))).toEqual(notGuid('guid'));
  });
});

onEachDatabase('A user group', (subject) => {
  const { call, clock } = subject;
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(subject, 'red');
  });
  const group = async (guid: string) => (await call('GET', `${GROUPS}/${guid}`)).json.user_group;

  it('is read back as it was written, unknown users left out', async () => {
    const { member, company } = team;
    const form = { guid: GUID, name: '한'.repeat(200), description: 'd'.repeat(2000), company_guid: company };
    const user_guids = `${member.guid.toUpperCase()}, ${NOWHERE},${member.guid}`;
    expect(outcome(await call('POST', GROUPS, { form: { ...form, user_guids } }))).toEqual([200, { guid: GUID }]);
    const record = {
      guid: GUID,
      name: '한'.repeat(200),
      description: 'd'.repeat(2000),
      company_guid: company,
      company_name: 'red',
      user_guids: [member.guid],
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    };
    expect(await group(GUID)).toStrictEqual(record);
    expect((await call('GET', GROUPS)).json).toEqual({ total_count: 1, user_groups: [record] });
    expect((await call('GET', `${USERS}/${member.guid}`)).json.user.user_group_guids).toEqual([GUID]);
  });

  it('is replaced by an update: what is absent takes its default', async () => {
    clock.advance({ hours: 1 });
    const form = { name: 'replaced', company_guid: team.company };
    expect(outcome(await call('PUT', `${GROUPS}/${GUID}`, { form }))).toEqual([200, {}]);
    expect(await group(GUID)).toStrictEqual({
      guid: GUID,
      name: 'replaced',
      company_guid: team.company,
      company_name: 'red',
      user_guids: [],
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 01:00:00+0000',
    });
  });

  it('has a name and a guid of its own', async () => {
    const own = { company_guid: team.company };
    const other = await created(subject, GROUPS, { ...own, name: 'other' });
    const again = await call('POST', GROUPS, { form: { ...own, name: 'other' } });
    expect(outcome(again)).toEqual(illegal('duplicated name: other'));
    const twin = await call('POST', GROUPS, { form: { ...own, name: 'twin', guid: other } });
    expect(outcome(twin)).toEqual(illegal(`duplicated guid: ${other}`));
    const renamed = await call('PUT', `${GROUPS}/${GUID}`, { form: { ...own, name: 'other' } });
    expect(outcome(renamed)).toEqual(illegal('duplicated name: other'));
    expect((await call('PUT', `${GROUPS}/${other}`, { form: { ...own, name: 'other' } })).status).toBe(200);
  });

  it('is missing for update, null for get, and its company must exist', async () => {
    const form = { name: 'x', company_guid: NOWHERE };
    expect(outcome(await call('POST', GROUPS, { form }))).toEqual(illegal(`company not found: ${NOWHERE}`));
    expect(outcome(await call('PUT', `${GROUPS}/${GUID}`, { form }))).toEqual(illegal(`company not found: ${NOWHERE}`));
    const missing = await call('PUT', `${GROUPS}/${NOWHERE}`, { form });
    expect(outcome(missing)).toEqual(illegal(`user group not found: ${NOWHERE}`));
    expect(outcome(await call('GET', `${GROUPS}/${NOWHERE}`))).toEqual([200, { user_group: null }]);
  });

  it('is created once, though twenty ask for its name at the same moment', async () => {
    const form = { name: 'contested' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', GROUPS, { form })));
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(19);
    for (const answer of lost) expect(outcome(answer)).toEqual(illegal('duplicated name: contested'));
  });

  it('is found by name and description, ignoring case, in the order of names', async () => {
    const names = async (query: string) => {
      const { json } = await call('GET', `${GROUPS}?${query}`);
      return [json.total_count, json.user_groups.map(({ name }: { name: string }) => name)];
    };
    await created(subject, GROUPS, { name: 'alpha', description: 'ÀÉ 나' });
    expect(await names('keywords=OTHE')).toEqual([1, ['other']]);
    expect(await names(`keywords=${encodeURIComponent('àé')}`)).toEqual([1, ['alpha']]);
    expect(await names(`keywords=${encodeURIComponent('나')}`)).toEqual([1, ['alpha']]);
    expect(await names('keywords=red')).toEqual([0, []]);
    expect(await names('')).toEqual([4, ['alpha', 'contested', 'other', 'replaced']]);
    expect(await names('offset=1&limit=2')).toEqual([4, ['contested', 'other']]);
    expect(await names('limit=0')).toEqual([4, []]);
  });

  it('is removed alone, its users stay', async () => {
    const guid = await created(subject, GROUPS, { name: 'short', user_guids: team.member.guid });
    const { json } = await call('DELETE', GROUPS, { form: { guids: `${guid},${NOWHERE},${guid}` } });
    expect(json).toEqual({ failures: [{ id: NOWHERE, reason: 'user-group-not-found' }] });
    const { user } = (await call('GET', `${USERS}/${team.member.guid}`)).json;
    expect(user.user_group_guids).toEqual([]);
    expect(await group(guid)).toBeNull();
  });
});

onEachDatabase('User groups of two companies', (subject) => {
  const { call } = subject;
  let red: Team;
  let blue: Team;
  let reds: string;
  let blues: string;
  beforeAll(async () => {
    red = await createTeam(subject, 'red');
    blue = await createTeam(subject, 'blue');
    const members = `${red.member.guid},${blue.member.guid}`;
    reds = await created(subject, GROUPS, { name: 'reds', company_guid: red.company, user_guids: red.member.guid });
    blues = await created(subject, GROUPS, { name: 'blues', company_guid: blue.company, user_guids: members });
  });
  const seen = async (key: string) => {
    const { json } = await call('GET', GROUPS, { key });
    return json.user_groups.map(({ name }: { name: string }) => name);
  };

  it('are seen by an ADMIN of the company, by a MEMBER that is in them', async () => {
    expect(await seen(red.admin.key)).toEqual(['reds']);
    expect(await seen(blue.member.key)).toEqual(['blues']);
    await call('PUT', `${GROUPS}/${reds}`, { form: { name: 'reds', company_guid: red.company } });
    expect((await call('GET', `${GROUPS}/${reds}`, { key: red.member.key })).json).toEqual({ user_group: null });
    expect((await call('GET', `${GROUPS}/${blues}`, { key: red.admin.key })).json).toEqual({ user_group: null });
  });

  it('are changed by administrators alone', async () => {
    const { key } = red.member;
    for (const [method, path] of [
      ['POST', GROUPS],
      ['PUT', `${GROUPS}/${reds}`],
      ['DELETE', GROUPS],
    ] as const) {
      expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    }
  });

  it('are missing for the ADMIN of the other company', async () => {
    const { key } = red.admin;
    const update = await call('PUT', `${GROUPS}/${blues}`, { key, form: { name: 'taken' } });
    expect(outcome(update)).toEqual(illegal(`user group not found: ${blues}`));
    const removal = await call('DELETE', GROUPS, { key, form: { guids: blues } });
    expect(removal.json).toEqual({ failures: [{ id: blues, reason: 'user-group-not-found' }] });
  });

  it('take their company from the ADMIN that makes them, and no users of another', async () => {
    const { key } = red.admin;
    const user_guids = `${red.member.guid},${blue.member.guid}`;
    const { json } = await call('POST', GROUPS, { key, form: { name: 'own', user_guids } });
    const { user_group } = (await call('GET', `${GROUPS}/${json.guid}`)).json;
    expect(user_group).toMatchObject({ company_guid: red.company, user_guids: [red.member.guid] });
    await call('POST', GROUPS, { key, form: { name: 'planted', company_guid: blue.company } });
    expect(await seen(blue.admin.key)).toEqual(['blues']);
  });
});
