import { describe, expect, it } from 'vitest';
import { createAccount, created, createTeam } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const TABLES = '/api/core/tables';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrongType = (message: string) => refused(400, 'invalid-param-type', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const wrongName = (value: string) =>
  invalid(`'table' must begin with a letter and may contain alphanumeric and underscore characters: ${value}`);
const tooLarge = (name: string) => invalid(`'${name}' must be less than or equal to 36500.`);

describe('A table is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, missing('table')],
    [{ table: '' }, missing('table')],
    [{ table: 't'.repeat(51) }, invalid("'table' must be shorter than or equal to 50 characters.")],
    [{ table: '1st' }, wrongName('1st')],
    [{ table: '_t' }, wrongName('_t')],
    [{ table: 'a-b' }, wrongName('a-b')],
    [{ table: 'a b' }, wrongName('a b')],
    [{ table: 'a\n' }, wrongName('a\n')],
    [{ table: '../etc' }, wrongName('../etc')],
    [{ table: '방화벽' }, wrongName('방화벽')],
    [{ table: 't', compression: 'zstd' }, invalid("'compression' should be one of deflate or snappy.")],
    [{ table: 't', compression: 'Snappy' }, invalid("'compression' should be one of deflate or snappy.")],
    [{ table: 't', layout: 'rows' }, invalid("'layout' should be one of row or columnar.")],
    [{ table: 't', crypto_profile_guid: 'x' }, wrongType('crypto_profile_guid should be guid type.')],
    [{ table: 't', encryption: 'yes' }, wrongType('encryption should be boolean type')],
    [{ table: 't', encryption: 'true' }, missing('crypto_profile_guid')],
    [{ table: 't', encryption: 'true', retention: '-1' }, missing('crypto_profile_guid')],
    [{ table: 't', layout: 'x', encryption: 'true' }, invalid("'layout' should be one of row or columnar.")],
    [{ table: 't', retention: 'x' }, invalid("'retention' parameter should be int type")],
    [{ table: 't', retention: '-1' }, invalid("'retention' must be greater than or equal to 0.")],
    [{ table: 't', retention: '36501' }, tooLarge('retention')],
    [{ table: 't', group_guid: 'x' }, wrongType('group_guid should be guid type.')],
    [
      { table: 't', schema_code: 's'.repeat(51) },
      invalid("'schema_code' must be shorter than or equal to 50 characters."),
    ],
    [{ table: 't', crypto_profile_guid: GUID }, illegal(`crypto profile not found: ${GUID}`)],
    [{ table: 't', crypto_profile_guid: GUID, encryption: 'true' }, illegal(`crypto profile not found: ${GUID}`)],
    [{ table: 't', group_guid: GUID }, illegal(`table group not found: ${GUID}`)],
    [{ table: 't', schema_code: 'none' }, illegal('log schema not found: none')],
  ])('on creation with %j', async (form, complaint) => {
    expect(outcome(await call('POST', TABLES, { form }))).toEqual(complaint);
    expect((await call('GET', TABLES)).json.total_count).toBe(0);
  });

  it.each([
    [{ group_guid: 'x' }, wrongType('group_guid should be guid type.')],
    [{ shared_users: 'x' }, wrongType('shared_users should be json type')],
    [{ shared_users: '{}' }, wrongType('shared_users should be json type')],
    [{ shared_users: '[1]' }, wrongType('shared_users should be json type')],
    [{ shared_users: '["x"]' }, wrongType('shared_users should be guid type.')],
    [{ shared_users: '[{}]' }, wrongType('shared_users should be guid type.')],
    [{ shared_groups: `[{"guid":"${GUID}","read_only":"no"}]` }, wrongType('shared_groups should be boolean type')],
    [{ shared_groups: '[['.repeat(60) }, wrongType('shared_groups should be json type')],
    [{ schema_code: 's'.repeat(51) }, invalid("'schema_code' must be shorter than or equal to 50 characters.")],
    [{}, illegal('table not found: none')],
  ])('on update with %j', async (form, complaint) => {
    expect(outcome(await call('PUT', `${TABLES}/none`, { form }))).toEqual(complaint);
  });

  it.each([
    [{}, missing('period')],
    [{ period: '1.5' }, invalid("'period' parameter should be int type")],
    [{ period: '-1' }, invalid("'period' must be greater than or equal to 0.")],
    [{ period: '36501' }, tooLarge('period')],
    [{ period: '1' }, illegal('table not found: none')],
  ])('a retention with %j', async (form, complaint) => {
    expect(outcome(await call('PUT', `${TABLES}/none/retention`, { form }))).toEqual(complaint);
  });

  it.each([
    [{}, missing('start')],
    [{ start: '2024-03-01' }, missing('end')],
    [{ start: '2024-3-1', end: '2024-03-01' }, invalid("'start' should be yyyy-MM-dd format.")],
    [{ start: '2024-02-30', end: '2024-03-01' }, invalid("'start' should be yyyy-MM-dd format.")],
    [{ start: '2024-03-01', end: '2024-03-01 00:00:00+0000' }, invalid("'end' should be yyyy-MM-dd format.")],
    [{ start: '2024-03-02', end: '2024-03-01' }, invalid('date range is unacceptable.')],
    [{ start: '2024-03-01', end: '2024-03-01' }, illegal('table not found: none')],
  ])('a removal of partitions with %j', async (form, complaint) => {
    expect(outcome(await call('DELETE', `${TABLES}/none/partitions`, { form }))).toEqual(complaint);
  });

  it.each([
    ['from=2024-3-1', invalid("'from' should be yyyy-MM-dd format.")],
    ['from=2024-03-01&to=tomorrow', invalid("'to' should be yyyy-MM-dd format.")],
    ['from=2024-03-02&to=2024-03-01', illegal('table not found: none')],
  ])('a list of days with %s', async (query, complaint) => {
    expect(outcome(await call('GET', `${TABLES}/none/days?${query}`))).toEqual(complaint);
  });

  it('to be dropped when it does not exist, whatever its name', async () => {
    for (const name of ['none', 'x'.repeat(3000), 'a/b', '없음']) {
      const path = `${TABLES}/${encodeURIComponent(name)}`;
      expect(outcome(await call('DELETE', path))).toEqual(illegal(`table not found: ${name}`));
      expect(outcome(await call('GET', path))).toEqual([200, { table: null }]);
    }
    expect(outcome(await call('DELETE', `${TABLES}/`))).toEqual(missing('table'));
  });

  it('any change by a MEMBER', async () => {
    const { key } = await createAccount({ call }, 'MEMBER', { login: 'reader' });
    for (const [method, path] of [
      ['POST', TABLES],
      ['PUT', `${TABLES}/none`],
      ['PUT', `${TABLES}/none/retention`],
      ['DELETE', `${TABLES}/none/partitions`],
      ['DELETE', `${TABLES}/none`],
    ] as const) {
      expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    }
  });
});

onEachDatabase('A table', (subject) => {
  const { call, clock } = subject;
  const table = async (name: string, key?: string) =>
    (await call('GET', `${TABLES}/${name}`, key ? { key } : {})).json.table;
  const empty = { table_size: 0, index_size: 0, ratio: 0 };

  it('is read back as it was made, with what only the single table shows', async () => {
    const form = { table: 'Fw_1', compression: 'deflate', layout: 'row', retention: '36500', encryption: 'false' };
    expect(outcome(await call('POST', TABLES, { form }))).toEqual([200, {}]);
    expect(await table('Fw_1')).toStrictEqual({
      engine: 'embedded',
      expect_every: 0,
      silent_since: null,
      table_name: 'Fw_1',
      layout: 'row',
      compression: 'deflate',
      retention: 36500,
      encrypted: false,
      ...empty,
      shared_users: [],
      shared_groups: [],
      node_stats: [{ node: 'vigil', ...empty }],
    });
    expect(await table('fw_1')).toBeNull();
  });

  it('has a name of its own, in which case matters', async () => {
    expect(outcome(await call('POST', TABLES, { form: { table: 'Fw_1' } }))).toEqual(illegal('duplicated name: Fw_1'));
    expect((await call('POST', TABLES, { form: { table: 'fw_1' } })).status).toBe(200);
  });

  it('is created once, though twenty ask for its name at the same moment', async () => {
    const form = { table: 'contested' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', TABLES, { form })));
    const lost = answers.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(19);
    for (const answer of lost) expect(outcome(answer)).toEqual(illegal('duplicated name: contested'));
  });

  it('keeps what an update does not name', async () => {
    await created(subject, '/api/core/table-groups', { guid: GUID, name: 'network' });
    const fields = '[{"name":"ip","type":"IP"}]';
    await call('POST', '/api/core/log-schemas', { form: { code: 'fw', name: 'Firewall', fields } });
    await call('PUT', `${TABLES}/Fw_1`, { form: { group_guid: GUID.toUpperCase() } });
    await call('PUT', `${TABLES}/Fw_1`, { form: { schema_code: 'fw' } });
    expect(outcome(await call('PUT', `${TABLES}/Fw_1`))).toEqual([200, {}]);
    const kept = { group_guid: GUID, group_name: 'network', schema_code: 'fw', retention: 36500 };
    expect(await table('Fw_1')).toMatchObject(kept);
  });

  it('takes its retention by itself', async () => {
    expect(outcome(await call('PUT', `${TABLES}/Fw_1/retention`, { form: { period: '0' } }))).toEqual([200, {}]);
    expect(await table('Fw_1')).toMatchObject({ retention: 0 });
  });

  it('refuses a reference to nothing, and changes nothing then', async () => {
    const change = async (json: object) => outcome(await call('PUT', `${TABLES}/Fw_1`, { json }));
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await change({ group_guid: nobody })).toEqual(illegal(`table group not found: ${nobody}`));
    expect(await change({ shared_users: [nobody] })).toEqual(illegal(`user not found: ${nobody}`));
    expect(await change({ shared_groups: [nobody] })).toEqual(illegal(`user group not found: ${nobody}`));
    expect(await change({ group_guid: GUID, schema_code: 'none' })).toEqual(illegal('log schema not found: none'));
    expect(await table('Fw_1')).toMatchObject({ group_guid: GUID, schema_code: 'fw' });
  });

  it('gives grants as JSON text of a form or as JSON, and keeps the moment of one that stays', async () => {
    const one = await createAccount(subject, 'MEMBER', { login: 'b-one' });
    const two = await createAccount(subject, 'MEMBER', { login: 'a-two' });
    const circle = await created(subject, '/api/core/user-groups', { name: 'circle' });
    const text = JSON.stringify([one.guid.toUpperCase(), { guid: two.guid, read_only: false }]);
    await call('PUT', `${TABLES}/Fw_1`, { form: { shared_users: text, shared_groups: circle } });
    const created_ = '2024-03-01 00:00:00+0000';
    expect(await table('Fw_1')).toMatchObject({
      shared_users: [
        { guid: two.guid, name: 'a-two', read_only: false, created: created_ },
        { guid: one.guid, name: 'b-one', read_only: true, created: created_ },
      ],
      shared_groups: [{ guid: circle, name: 'circle', read_only: true, created: created_ }],
    });
    clock.advance({ minutes: 1 });
    await call('PUT', `${TABLES}/Fw_1`, { json: { shared_users: [{ guid: one.guid, read_only: false }, one.guid] } });
    expect(await table('Fw_1')).toMatchObject({
      shared_users: [{ guid: one.guid, name: 'b-one', read_only: true, created: created_ }],
      shared_groups: [{ guid: circle }],
    });
    await call('PUT', `${TABLES}/Fw_1`, { form: { shared_users: '[]', shared_groups: '' } });
    expect(await table('Fw_1')).toMatchObject({ shared_users: [], shared_groups: [{ guid: circle }] });
  });

  it('shows grants to whom the caller may see, and lets it change those alone', async () => {
    const here = await createTeam(subject, 'here');
    const there = await createTeam(subject, 'there');
    const ours = here.member.guid;
    const theirs = there.member.guid;
    await created(subject, TABLES, { table: 'shared' });
    await call('PUT', `${TABLES}/shared`, { json: { shared_users: [ours, theirs] } });
    const seen = async (key: string) =>
      (await table('shared', key)).shared_users.map(({ guid }: { guid: string }) => guid);
    expect(await seen(here.admin.key)).toEqual([ours]);
    expect(await seen(there.member.key)).toEqual([theirs]);
    const stranger = await call('PUT', `${TABLES}/shared`, { key: here.admin.key, json: { shared_users: [theirs] } });
    expect(outcome(stranger)).toEqual(illegal(`user not found: ${theirs}`));
    await call('PUT', `${TABLES}/shared`, { key: here.admin.key, json: { shared_users: [] } });
    expect(await table('shared', here.member.key)).toBeNull();
    expect(await seen(there.member.key)).toEqual([theirs]);
  });

  it('is dropped, and its name is free again without what it held', async () => {
    expect(outcome(await call('DELETE', `${TABLES}/shared`))).toEqual([200, {}]);
    expect(await table('shared')).toBeNull();
    expect(outcome(await call('DELETE', `${TABLES}/shared`))).toEqual(illegal('table not found: shared'));
    await created(subject, TABLES, { table: 'shared' });
    expect(await table('shared')).toMatchObject({ shared_users: [], ...empty });
  });

  it('stays while loggers write to it, and says which', async () => {
    const model_guid = await created(subject, '/api/core/logger-models', {
      name: 'json',
      logger_factory_name: 'http',
      parser_code: 'json',
    });
    const loggers: string[] = [];
    for (const name of ['gate B', 'gate A']) {
      loggers.push(await created(subject, '/api/core/loggers', { name, table_name: 'shared', model_guid }));
    }
    const failure = { loggers: ['gate A', 'gate B'], message: 'table used in loggers' };
    expect(outcome(await call('DELETE', `${TABLES}/shared`))).toEqual([200, { failure }]);
    expect(await table('shared')).not.toBeNull();
    await call('DELETE', '/api/core/loggers', { form: { guids: loggers.join() } });
    expect(outcome(await call('DELETE', `${TABLES}/shared`))).toEqual([200, {}]);
  });

  it('is never mistaken for one that was dropped: no id is given twice', async () => {
    const model_guid = await created(subject, '/api/core/logger-models', {
      name: 'again',
      logger_factory_name: 'http',
      parser_code: 'json',
    });
    for (let round = 0; round < 3; round += 1) {
      await created(subject, TABLES, { table: 'again' });
      const fields = { name: `again ${round}`, table_name: 'again', model_guid, enabled: 'true' };
      const logger = await created(subject, '/api/core/loggers', fields);
      expect((await call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ round }] })).json.accepted).toBe(1);
      await call('DELETE', '/api/core/loggers', { form: { guids: logger } });
      expect(outcome(await call('DELETE', `${TABLES}/again`))).toEqual([200, {}]);
    }
  });

  it('is dropped once, though twenty ask at the same moment', async () => {
    const drops = await Promise.all(Array.from({ length: 20 }, () => call('DELETE', `${TABLES}/contested`)));
    expect(drops.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('leaves an audit entry of every change', async () => {
    await call('DELETE', `${TABLES}/Fw_1/partitions`, { form: { start: '2024-01-01', end: '2024-01-31' } });
    const { json } = await call('GET', '/api/core/audit-logs?categories=tables&limit=1&locale=ko');
    expect(json.audit_logs[0]).toMatchObject({
      module: 'tables',
      method: 'remove-partitions',
      action: '파티션 삭제',
      msg: '테이블 Fw_1의 2024-01-01부터 2024-01-31까지 날짜 삭제',
    });
  });
});
