// What is done to tables, groups of tables, schemas, loggers and models is in the audit trail: by whom, with what, and how
// it went.

import { expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const MODEL = { name: 'm', logger_factory_name: 'http', parser_code: 'json' };
const LOGGER = { name: 'l', model_guid: GUID, table_name: 'web' };
const SCHEMA = { name: 's', fields: '[{"name":"ip","type":"IP"}]' };
/** The answer is no error, but nothing was dropped. */
const USED = 'table used in loggers';
const DAYS = { start: '2024-01-01', end: '2024-01-02' };

/** A call of an administrator, in this order, and the method and error of its entry. */
const CALLS: readonly [call: string, form: Readonly<Record<string, string>>, method: string, error?: string][] = [
  ['POST /tables', { table: 'web' }, 'create'],
  ['POST /tables', { table: 'web' }, 'create', 'duplicated name: web'],
  ['POST /tables', {}, 'create', 'table should be not null'],
  ['PUT /tables/web', { shared_users: '[]' }, 'update'],
  ['PUT /tables/none', {}, 'update', 'table not found: none'],
  ['PUT /tables/web/retention', { period: '0' }, 'retain'],
  ['PUT /tables/web/retention', { period: '-1' }, 'retain', "'period' must be greater than or equal to 0."],
  ['DELETE /tables/web/partitions', DAYS, 'remove-partitions'],
  ['DELETE /tables/web/partitions', {}, 'remove-partitions', 'start should be not null'],
  ['POST /table-groups', { guid: GUID, name: 'g' }, 'create'],
  ['POST /table-groups', { name: 'g' }, 'create', 'duplicated-name [name: g]'],
  ['PUT /table-groups/GUID', { name: 'h' }, 'update'],
  ['PUT /table-groups/NOWHERE', { name: 'h' }, 'update', `table group not found: ${NOWHERE}`],
  ['DELETE /table-groups', { guids: `${GUID},${NOWHERE}` }, 'remove'],
  ['DELETE /table-groups', {}, 'remove', 'guids should be not null'],
  ['POST /log-schemas', { code: 'c', ...SCHEMA }, 'create'],
  ['POST /log-schemas', { code: 'c', ...SCHEMA }, 'create', 'duplicated code: c'],
  ['PUT /log-schemas/c', SCHEMA, 'update'],
  ['PUT /log-schemas/none', SCHEMA, 'update', 'log schema not found: none'],
  ['DELETE /log-schemas', { codes: 'c' }, 'remove'],
  ['DELETE /log-schemas', {}, 'remove', 'codes should be not null'],
  ['POST /logger-models', { guid: GUID, ...MODEL }, 'create'],
  ['POST /logger-models', MODEL, 'create', 'duplicated logger model: m'],
  ['PUT /logger-models/GUID', MODEL, 'update'],
  ['PUT /logger-models/NOWHERE', MODEL, 'update', `logger model not found: ${NOWHERE}`],
  ['POST /loggers', { guid: GUID, ...LOGGER }, 'create'],
  ['POST /loggers', LOGGER, 'create', 'duplicated name: l'],
  ['PUT /loggers/GUID', LOGGER, 'update'],
  ['PUT /loggers/NOWHERE', LOGGER, 'update', `logger not found: ${NOWHERE}`],
  ['POST /loggers/GUID/enable', {}, 'enable'],
  ['POST /loggers/GUID/enable', {}, 'enable', `logger is already enabled: ${GUID}`],
  ['POST /loggers/GUID/disable', {}, 'disable'],
  ['POST /loggers/GUID/disable', {}, 'disable', `logger is already disabled: ${GUID}`],
  ['DELETE /tables/web', {}, 'remove', USED],
  ['DELETE /loggers', { guids: GUID }, 'remove'],
  ['DELETE /loggers', {}, 'remove', 'guids should be not null'],
  ['DELETE /logger-models', { guids: GUID }, 'remove'],
  ['DELETE /logger-models', {}, 'remove', 'guids should be not null'],
  ['DELETE /tables/web', {}, 'remove'],
  ['DELETE /tables/web', {}, 'remove', 'table not found: web'],
];

onEachDatabase('The audit trail of log tables', (subject) => {
  const { call } = subject;
  const called = (text: string, options: object) => {
    const [method = '', path = ''] = text.replace('GUID', GUID).replace('NOWHERE', NOWHERE).split(' ');
    return call(method, `/api/core${path}`, options);
  };
  const moduleOf = (text: string) => /\/([a-z-]+)/.exec(text)?.[1];
  let admin: Account;
  let member: Account;

  it('has one entry for every change and every failed attempt', async () => {
    admin = await createAccount(subject, 'ADMIN', { login: 'kim' });
    for (const [text, form, method, error] of CALLS) {
      const entries = await entriesOf(subject, async () => {
        const { status } = await called(text, { key: admin.key, form });
        expect([text, status === 200]).toEqual([text, error === undefined || error === USED]);
      });
      expect([text, entries]).toEqual([text, [expect.anything()]]);
      const [entry] = entries;
      expect([text, entry]).toMatchObject([
        text,
        { module: moduleOf(text), method, user_guid: admin.guid, user_name: 'kim', remote_ip: '127.0.0.1' },
      ]);
      expect([text, entry.error]).toEqual([text, error]);
      expect([text, entry.params ?? {}]).toMatchObject([text, form]);
      // Labels exist for whatever may be done.
      for (const label of [entry.category, entry.action, entry.msg, entry.result]) {
        expect([text, label]).toEqual([text, expect.stringMatching(/\S/)]);
      }
    }
  });

  it('has one entry for every refusal of a MEMBER', async () => {
    member = await createAccount(subject, 'MEMBER', { login: 'lee' });
    for (const text of new Set(CALLS.map(([calling]) => calling))) {
      const entries = await entriesOf(subject, () => called(text, { key: member.key }));
      const refusal = { module: moduleOf(text), user_name: 'lee', error: 'no-permission' };
      expect([text, entries]).toMatchObject([text, [refusal]]);
    }
  });

  it('has none for reading what there is', async () => {
    const paths = ['tables', 'tables/web', 'table-groups', 'log-schemas', 'loggers', 'logger-models', 'parsers'];
    for (const path of paths) {
      expect(await entriesOf(subject, () => call('GET', `/api/core/${path}`))).toEqual([]);
      expect(await entriesOf(subject, () => call('GET', `/api/core/${path}?offset=x`))).toEqual([]);
    }
  });
});
