import { describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const TABLES = '/api/core/tables';
const invalid = (message: string) => refused(400, 'invalid-argument', message);

describe('Get Tables takes', () => {
  const { call } = serviceFor();
  const none = [200, { total_count: 0, tables: [] }];

  for (const name of ['offset', 'limit']) {
    const notInt = invalid(`'${name}' parameter should be int type`);
    const negative = invalid(`'${name}' must be greater than or equal to 0.`);
    const tooLarge = invalid(`'${name}' must be less than or equal to 2147483647.`);
    it.each([
      ['', none],
      ['0', none],
      ['00012', none],
      ['2147483647', none],
      ['-1', negative],
      ['-99999999999999999999', negative],
      ['2147483648', tooLarge],
      ['99999999999999999999', tooLarge],
      ['1.5', notInt],
      ['1.0', notInt],
      ['1e3', notInt],
      ['0x10', notInt],
      ['ten', notInt],
      ['１', notInt],
      [' 1', notInt],
      ['+1', notInt],
      ['-', notInt],
      ['NaN', notInt],
      ['null', notInt],
    ])(`${name}=%j as the contract says`, async (value, answer) => {
      expect(outcome(await call('GET', `${TABLES}?${name}=${encodeURIComponent(value)}`))).toEqual(answer);
    });

    it(`${name} once`, async () => {
      const answer = await call('GET', `${TABLES}?${name}=1&${name}=1`);
      expect(outcome(answer)).toEqual(invalid(`'${name}' is given twice.`));
    });
  }

  it.each(['x', 'cccccccc-0000-4000-8000-00000000000', 'cccccccc000040008000000000000000c0'])(
    'no group_guid=%s',
    async (value) => {
      const complaint = refused(400, 'invalid-param-type', 'group_guid should be guid type.');
      expect(outcome(await call('GET', `${TABLES}?group_guid=${value}`))).toEqual(complaint);
    },
  );

  it('its parameters in the order of the contract: the first complaint wins', async () => {
    const notInt = (name: string) => invalid(`'${name}' parameter should be int type`);
    expect(outcome(await call('GET', `${TABLES}?group_guid=x&limit=x&offset=x`))).toEqual(notInt('offset'));
    expect(outcome(await call('GET', `${TABLES}?group_guid=x&limit=x`))).toEqual(notInt('limit'));
  });

  it('no caller without a key', async () => {
    expect((await call('GET', TABLES, { key: null })).status).toBe(401);
  });

  it('no text that is none', async () => {
    expect(outcome(await call('GET', `${TABLES}?keywords=%00`))).toEqual(invalid('malformed request'));
    expect(outcome(await call('GET', `${TABLES}?table_name=%ff`))).toEqual(invalid('malformed request'));
  });
});

onEachDatabase('Get Tables', (subject) => {
  const { call } = subject;
  const names = async (query: string, key?: string) => {
    const { json } = await call('GET', `${TABLES}?${query}`, key ? { key } : {});
    return [json.total_count, json.tables.map(({ table_name }: { table_name: string }) => table_name)];
  };
  const group = 'cccccccc-0000-4000-8000-00000000000c';

  it('is empty at first', async () => {
    expect(outcome(await call('GET', TABLES))).toEqual([200, { total_count: 0, tables: [] }]);
  });

  it('gives every field that is always there, and the optional ones with a value only', async () => {
    await created(subject, '/api/core/table-groups', { guid: group, name: 'network' });
    await created(subject, TABLES, { table: 'plain' });
    await created(subject, TABLES, { table: 'Grouped', layout: 'row', retention: '7', group_guid: group });
    const { json } = await call('GET', TABLES);
    expect(json).toStrictEqual({
      total_count: 2,
      tables: [
        {
          table_name: 'Grouped',
          layout: 'row',
          compression: 'snappy',
          retention: 7,
          encrypted: false,
          table_size: 0,
          index_size: 0,
          ratio: 0,
          group_guid: group,
          group_name: 'network',
        },
        {
          table_name: 'plain',
          layout: 'columnar',
          compression: 'snappy',
          retention: 0,
          encrypted: false,
          table_size: 0,
          index_size: 0,
          ratio: 0,
        },
      ],
    });
  });

  it('orders by name, byte by byte, and pages', async () => {
    for (const table of ['fw_2', 'fw_10', 'Alpha']) await created(subject, TABLES, { table });
    const all = ['Alpha', 'Grouped', 'fw_10', 'fw_2', 'plain'];
    expect(await names('')).toEqual([5, all]);
    expect(await names('offset=1&limit=2')).toEqual([5, ['Grouped', 'fw_10']]);
    expect(await names('offset=4')).toEqual([5, ['plain']]);
    expect(await names('offset=5')).toEqual([5, []]);
    expect(await names('offset=2147483647&limit=2147483647')).toEqual([5, []]);
    expect(await names('limit=0')).toEqual([5, []]);
  });

  it('finds keywords anywhere in the name, ignoring case, and nothing else by them', async () => {
    expect(await names('keywords=W_1')).toEqual([1, ['fw_10']]);
    expect(await names('keywords=AL')).toEqual([1, ['Alpha']]);
    expect(await names('keywords=%25')).toEqual([0, []]);
    expect(await names('keywords=network')).toEqual([0, []]);
    expect(await names('keywords=')).toEqual([5, expect.any(Array)]);
  });

  it('filters by the exact table name', async () => {
    expect(await names('table_name=fw_2')).toEqual([1, ['fw_2']]);
    expect(await names('table_name=fw_')).toEqual([0, []]);
    expect(await names('table_name=FW_2')).toEqual([0, []]);
    expect(await names(`table_name=${'x'.repeat(5000)}`)).toEqual([0, []]);
  });

  it('filters by the exact schema code', async () => {
    await call('POST', '/api/core/log-schemas', {
      form: { code: 'fw', name: 'Firewall', fields: '[{"name":"ip","type":"IP"}]' },
    });
    await created(subject, TABLES, { table: 'schemed', schema_code: 'fw' });
    expect(await names('schema_code=fw')).toEqual([1, ['schemed']]);
    expect(await names('schema_code=FW')).toEqual([0, []]);
    expect(await names('schema_code=f')).toEqual([0, []]);
  });

  it('filters by group, in any case of the GUID, and narrows by every filter given', async () => {
    expect(await names(`group_guid=${group.toUpperCase()}`)).toEqual([1, ['Grouped']]);
    expect(await names(`group_guid=${group}&keywords=plain`)).toEqual([0, []]);
    expect(await names('group_guid=00000000-0000-4000-8000-000000000000')).toEqual([0, []]);
    expect(await names('keywords=f&table_name=fw_10')).toEqual([1, ['fw_10']]);
  });

  it('shows a MEMBER the tables granted to it or to its groups, and counts no others', async () => {
    const member = await createAccount(subject, 'MEMBER', { login: 'sees-some' });
    const admin = await createAccount(subject, 'ADMIN', { login: 'sees-all' });
    const circle = await created(subject, '/api/core/user-groups', { name: 'circle', user_guids: member.guid });
    expect(await names('', member.key)).toEqual([0, []]);
    await call('PUT', `${TABLES}/fw_2`, { json: { shared_users: [member.guid] } });
    await call('PUT', `${TABLES}/Alpha`, { json: { shared_groups: [{ guid: circle, read_only: false }] } });
    await call('PUT', `${TABLES}/fw_2`, { json: { shared_groups: [circle] } });
    expect(await names('', member.key)).toEqual([2, ['Alpha', 'fw_2']]);
    expect(await names('keywords=fw', member.key)).toEqual([1, ['fw_2']]);
    expect(await names('table_name=plain', member.key)).toEqual([0, []]);
    expect((await names('', admin.key))[0]).toBe(6);
    await call('DELETE', '/api/core/user-groups', { form: { guids: circle } });
    expect(await names('', member.key)).toEqual([1, ['fw_2']]);
  });

  it('does not give the grants of a user that is gone to whoever has its guid next', async () => {
    const guid = 'dddddddd-0000-4000-8000-00000000000d';
    await createAccount(subject, 'MEMBER', { login: 'first', guid });
    await call('PUT', `${TABLES}/plain`, { json: { shared_users: [guid] } });
    await call('DELETE', '/api/core/users', { form: { guids: guid } });
    const { key } = await createAccount(subject, 'MEMBER', { login: 'second', guid });
    expect(await names('', key)).toEqual([0, []]);
  });
});
