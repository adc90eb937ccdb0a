// The text of a dataset runs in batch rules with the rights of the account that last changed it, and of no other.

import { beforeAll, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import { auditLogs } from '#test/support/audit.ts';
import { BATCH_RULES, createRule, eventsOf, runRule } from '#test/support/detection.ts';
import { createLogger, push, rowsOf, sent } from '#test/support/logs.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const DATASETS = '/api/core/datasets';

onEachDatabase('The dataset of a batch rule', (subject) => {
  const { call } = subject;
  const people = new Map<string, Account>();
  const who = (login: string) => people.get(login) as Account;
  const member = () => who('mia');

  async function dataset(account: Account, query: string, more: object = {}): Promise<string> {
    const json = { name: `d ${newGuid()}`, query, shared_users: [], shared_groups: [], ...more };
    const answer = await call('POST', DATASETS, { key: account.key, json });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.guid;
  }

  const datasetOf = async (guid: string): Promise<Wire> => (await call('GET', `${DATASETS}/${guid}`)).json.dataset;
  const ruleOn = (dataset_guid: string, query?: string) =>
    createRule(subject, { name: `r ${newGuid()}`, dataset_guid, ...(query === undefined ? {} : { query }) });
  const recordOf = async (rule: string): Promise<Wire> => (await call('GET', `${BATCH_RULES}/${rule}`)).json.rule;
  const runByHand = async (rule: string) => outcome(await call('POST', `${BATCH_RULES}/${rule}/run`));
  const fieldsFound = async (rule: string) => {
    await runRule(subject, rule);
    await expect.poll(async () => (await recordOf(rule)).running).toBe(false);
    return (await eventsOf(subject, rule)).map(({ fields }: Wire) => fields);
  };
  async function table(name: string, body: string, readers: readonly [Account, boolean][] = []): Promise<void> {
    const logger = await createLogger(subject, { table: name });
    const shared_users = readers.map(([{ guid }, read_only]) => ({ guid, read_only }));
    expect((await call('PUT', `/api/core/tables/${name}`, { json: { shared_users } })).status).toBe(200);
    await push(subject, logger, { body });
  }
  const written = async (name: string) => (await rowsOf(subject, `table ${name}`)).map((row) => sent(row));

  beforeAll(async () => {
    people.set('mia', await createAccount(subject, 'MEMBER', { login: 'mia' }));
    people.set('ada', await createAccount(subject, 'ADMIN', { login: 'ada' }));
    await table('secret', '{"user":"boss","pin":"1234"}');
    await table('open', '{"user":"kim"}', [[member(), true]]);
    await table('own', '{"user":"me"}', [[member(), false]]);
  });

  it('shows who has last changed its query', async () => {
    const guid = await dataset(member(), 'table open');
    expect(await datasetOf(guid)).toMatchObject({ query_user_guid: member().guid, query_user_name: 'mia' });
    const change = async (account: Account, query: string, name: string) => {
      const json = { name, query, shared_users: [], shared_groups: [] };
      return (await call('PUT', `${DATASETS}/${guid}`, { key: account.key, json })).status;
    };
    const name = `renamed ${newGuid()}`;
    expect(await change(who('ada'), 'table open', name)).toBe(200);
    expect(await datasetOf(guid)).toMatchObject({ name, query_user_name: 'mia', owner_name: 'mia' });
    expect(await change(who('ada'), 'table open | limit 1', name)).toBe(200);
    expect(await datasetOf(guid)).toMatchObject({ query_user_name: 'ada', owner_name: 'mia' });
    expect(await change(member(), 'table open', name)).toBe(200);
    expect(await datasetOf(guid)).toMatchObject({ query_user_guid: member().guid });
  });

  it.each([
    ['reads only what its author may', 'table secret?, open', [{ user: 'kim' }]],
    ['in subqueries', 'table open | union [ table secret? ]', [{ user: 'kim' }]],
    ['in joins', 'table open | eval k = 1 | join type=left k [ table secret? | eval k = 1 ]', [{ user: 'kim', k: 1 }]],
    ['in full text', 'fulltext "boss"', []],
    ['in full text of a subquery', 'json "{a:1}" | union [ fulltext "1234" from secret? ]', [{ a: 1 }]],
    ['in wildcards', 'table * | search isnotnull(pin)', []],
    ['of the service itself', 'system tables | search table_name == "secret"', []],
    ['of other accounts’ queries', 'system queries | search login_name != "mia" | fields login_name', []],
    [
      'in constants',
      'setq [ table secret? | fields pin ] | json "{a:1}" | eval p = $("pin", "none")',
      [{ a: 1, p: 'none' }],
    ],
  ])('%s', async (_, query, fields) => {
    const rule = await ruleOn(await dataset(member(), query));
    expect(await recordOf(rule)).toMatchObject({ query_error: null });
    expect((await fieldsFound(rule)).map((one) => sent(one))).toEqual(fields);
    // It is the account that makes the difference.
    const other = await fieldsFound(await ruleOn(await dataset(who('ada'), query), 'limit 100'));
    expect(other.map((one) => sent(one))).not.toEqual(fields);
  });

  it('writes with the rights and in the name of its author', async () => {
    const leak = await dataset(member(), 'table secret? | import own');
    await fieldsFound(await ruleOn(leak));
    await fieldsFound(
      await ruleOn(await dataset(member(), 'system queries | search login_name != "mia" | import own')),
    );
    expect(await written('own')).toEqual([{ user: 'me' }]);
    await fieldsFound(await ruleOn(await dataset(member(), 'table open | fields user | import own'), 'eval a = 1'));
    expect(await written('own')).toEqual([{ user: 'kim' }, { user: 'me' }]);
    const [entry] = await auditLogs(subject, 'categories=query&keywords=import');
    expect(entry).toMatchObject({ user_guid: member().guid, user_name: 'mia', msg_params: { table: 'own', rows: 1 } });
  });

  it('goes on with the commands of the rule, which have administrator rights', async () => {
    const rule = await ruleOn(
      await dataset(member(), 'table open'),
      'fields user | union [ table secret | fields user ] | eval n = 1 | import secret',
    );
    expect(await fieldsFound(rule)).toEqual([
      { user: 'kim', n: 1 },
      { user: 'boss', n: 1 },
    ]);
    const [entry] = await auditLogs(subject, 'categories=query&keywords=import');
    expect(entry).toMatchObject({ user_name: 'master', msg_params: { table: 'secret' } });
  });

  it('sees its own lookups in memory, and nobody else’s', async () => {
    const build = (account: Account, v: string) =>
      rowsOf(subject, `json "{k:1,v:'${v}'}" | memlookup op=build name=m key=k v`, { key: account.key });
    await build(member(), 'of mia');
    await build(who('ada'), 'of ada');
    const query = 'json "{k:1}" | lookup m k output v';
    expect(await fieldsFound(await ruleOn(await dataset(member(), query)))).toEqual([{ k: 1, v: 'of mia' }]);
    const list = await dataset(member(), 'memlookup op=list | fields name, rows');
    expect(await fieldsFound(await ruleOn(list))).toEqual([{ name: 'm', rows: 1 }]);
    await rowsOf(subject, 'json "{k:1,v:9}" | memlookup op=build name=hidden key=k v');
    const [status] = outcome(
      await call('POST', DATASETS, {
        key: member().key,
        json: { name: 'x', query: 'lookuptable hidden', shared_users: [], shared_groups: [] },
      }),
    );
    expect(status).toBe(400);
    await fieldsFound(
      await ruleOn(await dataset(member(), 'json "{k:2,v:3}" | memlookup op=build name=made key=k v'), 'limit 1'),
    );
    expect(await rowsOf(subject, 'lookuptable made', { key: member().key })).toEqual([{ k: 2, v: 3 }]);
    expect((await call('GET', '/api/core/query?q=lookuptable%20made')).status).toBe(400);
  });

  it('calls procedures as its author', async () => {
    const procedure = { name: 'pins', query: 'table secret | search isnotnull(pin) | fields pin' };
    await created(subject, '/api/core/procedures', { ...procedure, granted_user_guids: member().guid });
    await created(subject, '/api/core/procedures', { name: 'ours', query: 'json "{a:1}"' });
    expect((await fieldsFound(await ruleOn(await dataset(member(), 'proc pins() | limit 1'))))[0]).toEqual({
      pin: '1234',
    });
    const refusedDataset = await call('POST', DATASETS, {
      key: member().key,
      json: { name: 'y', query: 'proc ours()', shared_users: [], shared_groups: [] },
    });
    expect(refusedDataset.status).toBe(400);
  });

  it('ends where its text ends, whatever that is', async () => {
    for (const text of ['table open # ', 'table open | # to be continued', 'table open | search user == "kim" # ]']) {
      const answer = await call('POST', DATASETS, {
        key: member().key,
        json: { name: `d ${newGuid()}`, query: text, shared_users: [], shared_groups: [] },
      });
      if (answer.status !== 200) continue;
      const rule = await ruleOn(answer.json.guid, 'eval own = 1');
      expect(await fieldsFound(rule), text).toMatchObject([{ user: 'kim', own: 1 }]);
    }
    for (const text of [
      'table open |',
      'table open | union [ table own',
      'table open | eval a = "',
      'table open | join k [',
    ]) {
      const json = { name: `d ${newGuid()}`, query: text, shared_users: [], shared_groups: [] };
      expect((await call('POST', DATASETS, { key: member().key, json })).status, text).toBe(400);
    }
    const whole = await dataset(member(), 'table open');
    const rule = { priority: 'HIGH', msg: 'm', schedule: '0 0 1 1 *', dataset_guid: whole };
    for (const query of ['] | table secret', 'table secret', '| | stats count', 'eval a = 1 ]', 'import nowhere']) {
      const form = { ...rule, name: `r ${newGuid()}`, query };
      expect((await call('POST', BATCH_RULES, { form })).status, query).toBe(400);
    }
  });

  it('is accepted in a rule when its author may no longer read a table, and shown as what is wrong', async () => {
    await table('lent', '{"user":"lee"}', [[member(), true]]);
    const guid = await dataset(member(), 'table lent');
    const rule = await ruleOn(guid, 'eval n = 1');
    expect((await fieldsFound(rule)).map((one) => sent(one))).toEqual([{ user: 'lee', n: 1 }]);
    expect((await call('PUT', '/api/core/tables/lent', { json: { shared_users: [] } })).status).toBe(200);
    const complaint = '(10001) there is no table lent at 1:7';
    expect(await recordOf(rule)).toMatchObject({ query_error: complaint });
    expect(await runByHand(rule)).toEqual(refused(400, 'invalid-query', complaint));
    const another = await ruleOn(guid);
    expect(await recordOf(another)).toMatchObject({ query_error: complaint });
    const own = { priority: 'HIGH', msg: 'm', schedule: '0 0 1 1 *', name: 'wrong', dataset_guid: guid };
    const wrong = await call('POST', BATCH_RULES, { form: { ...own, query: 'nonsense' } });
    expect(outcome(wrong)).toMatchObject([400, { error_msg: '(92000) there is no command nonsense at 1:14' }]);
  });

  it('fails without its author, until it has one again', async () => {
    const tom = await createAccount(subject, 'MEMBER', { login: 'tom' });
    const guid = await dataset(tom, 'json "{a:1}"', { name: 'orphan' });
    const rule = await ruleOn(guid, 'eval n = 1');
    const removal = { guids: tom.guid };
    const dry = (await call('DELETE', '/api/core/users', { form: { ...removal, dry_run: 'true' } })).json;
    const reference = { id: tom.guid, kind: 'dataset', guid, name: 'orphan', field: 'query_user_guid' };
    expect(dry.references).toContainEqual(reference);
    const real = (await call('DELETE', '/api/core/users', { form: removal })).json;
    expect(real).toMatchObject({ failures: [], references: expect.arrayContaining([reference]) });
    expect(await datasetOf(guid)).toMatchObject({ query_user_guid: tom.guid, query_user_name: null });
    expect(await recordOf(rule)).toMatchObject({ query_error: 'dataset has no author: orphan' });
    expect(await runByHand(rule)).toEqual(refused(500, 'illegal-state', 'dataset has no author: orphan'));
    const another = await ruleOn(guid, 'eval n = 2');
    expect(await recordOf(another)).toMatchObject({ query_error: 'dataset has no author: orphan' });
    const json = { name: 'orphan', query: 'json "{a:1}"', shared_users: [], shared_groups: [] };
    expect((await call('PUT', `${DATASETS}/${guid}`, { key: who('ada').key, json })).status).toBe(200);
    expect(await datasetOf(guid)).toMatchObject({ query_user_guid: who('ada').guid, query_user_name: 'ada' });
    expect(await fieldsFound(rule)).toEqual([{ a: 1, n: 1 }]);
  });
});
