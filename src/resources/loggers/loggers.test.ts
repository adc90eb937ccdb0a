import { describe, expect, it } from 'vitest';
import { createAccount, created, createTeam } from '#test/support/accounts.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const LOGGERS = '/api/core/loggers';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const notNull = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const LOGGER = { model_guid: NOWHERE, name: 'web', table_name: 'web' };

describe('A logger is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, notNull('model_guid')],
    [{ model_guid: 'x' }, refused(400, 'invalid-param-type', 'model_guid should be guid type.')],
    [{ model_guid: NOWHERE }, notNull('name')],
    [{ ...LOGGER, name: 'n'.repeat(51) }, invalid("'name' must be less than or equal to 50 characters.")],
    [{ model_guid: NOWHERE, name: 'x' }, notNull('table_name')],
    [{ ...LOGGER, node: 'n'.repeat(51) }, invalid("'node' must be less than or equal to 50 characters.")],
    [{ ...LOGGER, interval: '999' }, invalid("'interval' must be greater than or equal to 1000.")],
    [{ ...LOGGER, cron_schedule: 'daily' }, invalid('wrong cron expression format: daily')],
    [{ ...LOGGER, enabled: 'yes' }, refused(400, 'invalid-param-type', 'enabled should be boolean type')],
    [{ ...LOGGER, configs: '7' }, refused(400, 'invalid-param-type', 'configs should be json type')],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', LOGGERS, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${LOGGERS}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it('for writing by a MEMBER', async () => {
    const { member } = await createTeam({ call }, 'team');
    const { key } = member;
    for (const [method, path] of [
      ['POST', LOGGERS],
      ['DELETE', LOGGERS],
      ['PUT', `${LOGGERS}/${GUID}`],
      ['POST', `${LOGGERS}/${GUID}/enable`],
      ['POST', `${LOGGERS}/${GUID}/disable`],
    ] as const) {
      expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    }
  });
});

onEachDatabase('A logger', (subject) => {
  const { call, clock } = subject;
  const logger = async (guid: string, key?: string) =>
    (await call('GET', `${LOGGERS}/${guid}`, key ? { key } : {})).json.logger;
  const model = (name: string) =>
    created(subject, '/api/core/logger-models', { name, logger_factory_name: 'http', parser_code: 'json' });

  it('is read back as it was written, stopped unless enabled', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    const model_guid = await model('push');
    const form = {
      guid: GUID,
      model_guid,
      name: '웹',
      description: 'd',
      table_name: 'web',
      cron_schedule: '* * * * *',
    };
    expect(outcome(await call('POST', LOGGERS, { form }))).toEqual([200, { guid: GUID }]);
    expect(await logger(GUID)).toStrictEqual({
      id: expect.any(Number),
      guid: GUID,
      model_guid,
      model_name: 'push',
      logger_factory_name: 'http',
      name: '웹',
      description: 'd',
      table_name: 'web',
      node: 'vigil',
      interval: 5000,
      cron_schedule: '* * * * *',
      enabled: false,
      expect_every: 0,
      last_log: null,
      silent_since: null,
      status: 'stopped',
      failure: null,
      is_passive: true,
      log_count: 0,
      log_volume: 0,
      drop_count: 0,
      drop_volume: 0,
      created: '2024-03-01 00:00:00+0000',
      updated: '2024-03-01 00:00:00+0000',
    });
  });

  it('is replaced by an update', async () => {
    clock.advance({ minutes: 5 });
    const { model_guid } = await logger(GUID);
    const form = { model_guid, name: 'web', table_name: 'web', enabled: 'true' };
    expect(outcome(await call('PUT', `${LOGGERS}/${GUID}`, { form }))).toEqual([200, {}]);
    const updated = await logger(GUID);
    expect(updated).toMatchObject({
      name: 'web',
      enabled: true,
      status: 'running',
      updated: '2024-03-01 00:05:00+0000',
    });
    expect(updated).not.toHaveProperty('description');
  });

  it('is enabled and disabled, each once', async () => {
    const turn = async (how: string, guid = GUID) => outcome(await call('POST', `${LOGGERS}/${guid}/${how}`));
    expect(await turn('enable')).toEqual(illegal(`logger is already enabled: ${GUID}`));
    expect(await turn('disable')).toEqual([200, {}]);
    expect(await logger(GUID)).toMatchObject({ enabled: false, status: 'stopped' });
    expect(await turn('disable')).toEqual(illegal(`logger is already disabled: ${GUID}`));
    expect(await turn('enable')).toEqual([200, {}]);
    expect(await turn('enable', NOWHERE)).toEqual(illegal(`logger not found: ${NOWHERE}`));
    expect(await turn('disable', NOWHERE)).toEqual(illegal(`logger not found: ${NOWHERE}`));
  });

  it('has a name of its own, and refers to what exists, in the order of its fields', async () => {
    const { model_guid } = await logger(GUID);
    const post = async (form: object) =>
      outcome(await call('POST', LOGGERS, { form: { model_guid, name: 'x', table_name: 'web', ...form } }));
    expect(await post({ name: 'web' })).toEqual(illegal('duplicated name: web'));
    expect(await post({ guid: GUID })).toEqual(illegal(`duplicated guid: ${GUID}`));
    const wrong = { model_guid: NOWHERE, table_name: 'none', group_guid: NOWHERE, node: 'other' };
    expect(await post(wrong)).toEqual(illegal(`logger model not found: ${NOWHERE}`));
    expect(await post({ ...wrong, model_guid })).toEqual(illegal('table not found: none'));
    expect(await post({ group_guid: NOWHERE, node: 'other' })).toEqual(illegal(`logger group not found: ${NOWHERE}`));
    expect(await post({ node: 'other' })).toEqual(illegal('node not found: other'));
    const put = await call('PUT', `${LOGGERS}/${NOWHERE}`, { form: { ...LOGGER, model_guid } });
    expect(outcome(put)).toEqual(illegal(`logger not found: ${NOWHERE}`));
  });

  it('is listed by name; a MEMBER sees those of the tables granted to it', async () => {
    const hidden = await createLogger(subject, { table: 'hidden' });
    const { key, guid } = await createAccount(subject, 'MEMBER', { login: 'reader' });
    const names = async (query: string, of?: string) => {
      const { json } = await call('GET', `${LOGGERS}?${query}`, of ? { key: of } : {});
      return [json.total_count, json.loggers.map(({ name }: { name: string }) => name)];
    };
    expect(await names('')).toEqual([2, ['logger of hidden', 'web']]);
    expect(await names('keywords=HID')).toEqual([1, ['logger of hidden']]);
    expect(await names(`group_guid=${NOWHERE}`)).toEqual([0, []]);
    expect(await names('', key)).toEqual([0, []]);
    await call('PUT', '/api/core/tables/web', { json: { shared_users: [guid] } });
    expect(await names('', key)).toEqual([1, ['web']]);
    expect(await logger(hidden, key)).toBeNull();
    expect(await logger(GUID, key)).toMatchObject({ name: 'web' });
  });

  it('is removed, with its table if asked for and nobody else needs it', async () => {
    const first = await createLogger(subject, { table: 'common' });
    const { model_guid } = await logger(first);
    const second = await created(subject, LOGGERS, { model_guid, name: 'second', table_name: 'common' });
    await push(subject, first, { body: '{"a":1}' });
    const remove = async (guids: string, more = {}) =>
      (await call('DELETE', LOGGERS, { form: { guids, ...more } })).json;
    const table = async () => (await call('GET', '/api/core/tables/common')).json.table;
    const failures = [
      { id: NOWHERE, reason: 'logger-not-found' },
      { id: first, reason: 'table-in-use' },
    ];
    const dropping = { drop_table: 'true' };
    expect(await remove(`${NOWHERE},${first}`, dropping)).toEqual({ failures });
    expect(await remove(`${NOWHERE},${first}`, { ...dropping, dry_run: 'true' })).toEqual({ failures, references: [] });
    expect(await logger(first)).not.toBeNull();
    expect(await remove(`${first},${second}`, { ...dropping, dry_run: 'true' })).toEqual({
      failures: [],
      references: [],
    });
    expect(await table()).not.toBeNull();
    expect(await remove(`${first},${second}`, dropping)).toEqual({ failures: [] });
    expect([await logger(first), await logger(second), await table()]).toEqual([null, null, null]);
  });

  it('leaves its table unless told otherwise', async () => {
    const guid = await createLogger(subject, { table: 'staying' });
    await push(subject, guid, { body: '{"a":1}' });
    await call('DELETE', LOGGERS, { form: { guids: guid } });
    expect(await rowsOf(subject, 'table staying | stats count')).toEqual([{ count: 1 }]);
  });
});
