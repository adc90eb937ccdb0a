import { expect, it } from 'vitest';
import { type Account, createAccount, created, createTeam } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const TABLES = '/api/core/tables';
const GROUP = 'cccccccc-0000-4000-8000-00000000000c';

onEachDatabase('A listed table', (subject) => {
  const { call } = subject;

  it('has the fields of the list and no others, however much there is to say of it', async () => {
    await created(subject, '/api/core/table-groups', { guid: GROUP, name: 'network' });
    const fields = '[{"name":"ip","type":"IP"}]';
    await call('POST', '/api/core/log-schemas', { form: { code: 'fw', name: 'Firewall', fields } });
    const storage = { layout: 'row', compression: 'deflate', retention: '30', group_guid: GROUP, schema_code: 'fw' };
    const logger = await createLogger(subject, { table: 'full', storage });
    await push(subject, logger, { body: '{"_time":"2024-02-29 12:00:00+0000"}\n{"_time":"2024-03-01 12:00:00+0000"}' });
    const { guid } = await createAccount(subject, 'MEMBER', { login: 'granted' });
    const circle = await created(subject, '/api/core/user-groups', { name: 'circle' });
    await call('PUT', `${TABLES}/full`, { json: { shared_users: [guid], shared_groups: [circle] } });
    const { json } = await call('GET', TABLES);
    const record = {
      table_name: 'full',
      layout: 'row',
      compression: 'deflate',
      retention: 30,
      encrypted: false,
      min_day: '2024-02-29 00:00:00+0000',
      max_day: '2024-03-01 00:00:00+0000',
      table_size: expect.any(Number),
      index_size: expect.any(Number),
      ratio: 1,
      group_guid: GROUP,
      group_name: 'network',
    };
    expect(json).toStrictEqual({ total_count: 1, tables: [record] });
    expect((await call('GET', `${TABLES}/full`)).json.table).toStrictEqual({
      ...record,
      engine: 'embedded',
      schema_code: 'fw',
      expect_every: 0,
      silent_since: null,
      shared_users: [expect.objectContaining({ guid, read_only: true })],
      shared_groups: [expect.objectContaining({ guid: circle, read_only: true })],
      node_stats: [expect.objectContaining({ node: 'vigil', ratio: 1 })],
    });
  });

  it('is found by all filters together, of which every one narrows', async () => {
    await created(subject, TABLES, { table: 'fw_a', group_guid: GROUP, schema_code: 'fw' });
    await created(subject, TABLES, { table: 'fw_b', group_guid: GROUP });
    await created(subject, TABLES, { table: 'fw_c', schema_code: 'fw' });
    await created(subject, TABLES, { table: 'web', group_guid: GROUP, schema_code: 'fw' });
    const found = async (query: string) => {
      const { json } = await call('GET', `${TABLES}?${query}`);
      return [json.total_count, ...json.tables.map(({ table_name }: { table_name: string }) => table_name)];
    };
    const both = `group_guid=${GROUP}&schema_code=fw`;
    expect(await found(both)).toEqual([3, 'full', 'fw_a', 'web']);
    expect(await found(`${both}&keywords=FW_`)).toEqual([1, 'fw_a']);
    expect(await found(`${both}&table_name=web`)).toEqual([1, 'web']);
    expect(await found(`${both}&keywords=fw&table_name=web`)).toEqual([0]);
    expect(await found(`${both}&offset=1&limit=1`)).toEqual([3, 'fw_a']);
    expect(await found('group_guid=&schema_code=&table_name=&keywords=')).toHaveLength(6);
    // Not a pattern, and not a list.
    for (const keywords of ['fw%25', 'fw%2Cweb', '.', '*']) expect(await found(`keywords=${keywords}`)).toEqual([0]);
  });
});

onEachDatabase('A MEMBER', (subject) => {
  const { call } = subject;
  let member: Account;
  let group = '';
  const share = (grants: object) => call('PUT', `${TABLES}/web`, { json: grants });
  const sees = async () => {
    const { json } = await call('GET', TABLES, { key: member.key });
    const one = (await call('GET', `${TABLES}/web`, { key: member.key })).json.table;
    const names = json.tables.map(({ table_name }: { table_name: string }) => table_name);
    expect(json.total_count).toBe(names.length);
    expect(names.includes('web')).toBe(one !== null);
    const days = await call('GET', `${TABLES}/web/days`, { key: member.key });
    expect(outcome(days)).toEqual(one ? [200, { days: [] }] : refused(500, 'illegal-state', 'table not found: web'));
    return names;
  };

  it('sees a table while it is granted, to itself or to its group, for reading or for writing', async () => {
    await created(subject, TABLES, { table: 'web' });
    await created(subject, TABLES, { table: 'hidden' });
    const team = await createTeam(subject, 'team');
    member = team.member;
    const form = { name: 'circle', company_guid: team.company, user_guids: member.guid };
    group = await created(subject, '/api/core/user-groups', form);
    expect(await sees()).toEqual([]);
    for (const read_only of [true, false]) {
      await share({ shared_users: [{ guid: member.guid, read_only }] });
      expect(await sees()).toEqual(['web']);
      await share({ shared_users: [], shared_groups: [{ guid: group, read_only }] });
      expect(await sees()).toEqual(['web']);
      await share({ shared_groups: [] });
      expect(await sees()).toEqual([]);
    }
  });

  it('sees it no longer when it has left the group, or the group is gone', async () => {
    await share({ shared_groups: [group] });
    await call('PUT', `/api/core/user-groups/${group}`, { json: { name: 'circle', user_guids: [] } });
    expect(await sees()).toEqual([]);
    await call('PUT', `/api/core/user-groups/${group}`, { json: { name: 'circle', user_guids: [member.guid] } });
    expect(await sees()).toEqual(['web']);
    await call('DELETE', '/api/core/user-groups', { form: { guids: group } });
    expect(await sees()).toEqual([]);
  });

  it('does not see a table made anew under the name of one that was granted', async () => {
    await share({ shared_users: [{ guid: member.guid, read_only: false }] });
    expect(await sees()).toEqual(['web']);
    await call('DELETE', `${TABLES}/web`);
    expect(await sees()).toEqual([]);
    await created(subject, TABLES, { table: 'web' });
    expect(await sees()).toEqual([]);
  });

  it('changes nothing about a table, though it may write to it', async () => {
    await share({ shared_users: [{ guid: member.guid, read_only: false }] });
    const { key } = member;
    for (const [method, path, form] of [
      ['PUT', '/web', { group_guid: GROUP }],
      ['PUT', '/web/retention', { period: '1' }],
      ['DELETE', '/web/partitions', { start: '2024-01-01', end: '2024-01-01' }],
      ['DELETE', '/web', {}],
    ] as const) {
      expect(outcome(await call(method, `${TABLES}${path}`, { key, form }))).toEqual(NO_PERMISSION);
    }
    expect(await sees()).toEqual(['web']);
  });
});
