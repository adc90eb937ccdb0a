// A restore validates the address groups that the text of a rule names, and its dry run tells why the rule could not work.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { createRule, createSchema, NOWHERE, restored, ruleOf, updateRule } from '#test/support/rules.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

const GROUPS = '/api/core/address-groups';

onEachDatabase('Restoring a version that names address groups', (subject) => {
  const { call } = subject;
  const group = (name: string) => created(subject, GROUPS, { name });
  const remove = async (...guids: string[]) =>
    expect((await call('DELETE', GROUPS, { form: { guids: guids.join() } })).json).toMatchObject({ failures: [] });
  const asks = (guid: string) => `json "{ip:'10.0.0.1'}" | matchnet field=ip guid=${guid}`;
  const missing = (name: string) => ({ id: 'address_group', name, reason: 'not-found' });
  const failed = (...failures: object[]) => ({ result: false, error_msg: 'validation-falied', failures });

  it('fails for those that are missing in the query, each once, at the place of its field', async () => {
    const field = await group('of the field');
    const first = await group('first');
    const second = await group('second');
    const query = `${asks(first)} | matchnet field=ip guid=${second.toUpperCase()} | matchnet field=ip guid=${field} | matchnet field=ip guid=${first}`;
    const fields = { name: 'r', query, address_group_guid: field, address_field: 'ip' };
    const rule = await createRule(subject, 'batch', fields);
    await updateRule(subject, 'batch', rule, { name: 'r' });
    expect((await restored(subject, 'batch', rule, 1, '?dry_run=true')).json).toMatchObject({
      result: true,
      failures: [],
      query_error: null,
    });
    const { references } = (await call('DELETE', GROUPS, { form: { guids: first, dry_run: 'true' } })).json;
    expect(references).toEqual([]);
    await updateRule(subject, 'batch', rule, fields);
    const named = (await call('DELETE', GROUPS, { form: { guids: first, dry_run: 'true' } })).json.references;
    expect(named).toEqual([{ id: first, kind: 'batch-rule', guid: rule, name: 'r', field: 'query' }]);
    await updateRule(subject, 'batch', rule, { name: 'r' });
    await remove(field, first, second);
    const all = failed(missing('of the field'), missing('first'), missing('second'));
    const { json } = await restored(subject, 'batch', rule, 1);
    expect({ ...json, failures: json.failures.toSorted(byName) }).toEqual({
      ...all,
      failures: all.failures.toSorted(byName),
    });
    expect(json.failures[0]).toEqual(missing('of the field'));
    const dry = (await restored(subject, 'batch', rule, 1, '?dry_run=true')).json;
    expect(dry).toEqual({
      ...json,
      changes: dry.changes,
      query_error: expect.stringMatching(/^\(21301\) .* at 1:\d+$/),
    });
    expect(await ruleOf(subject, 'batch', rule)).toMatchObject({ version: 4, query_error: null });
  });

  it('does not fail for what a dataset names, nor for tables, which are told as what is wrong', async () => {
    const guid = await group('of a dataset');
    const dataset_guid = await created(subject, '/api/core/datasets', {
      name: 'd',
      query: asks(guid),
      shared_users: '[]',
      shared_groups: '[]',
    });
    const rule = await createRule(subject, 'batch', { name: 'with a dataset', dataset_guid, query: 'limit 1' });
    await call('POST', '/api/core/tables', { form: { table: 'brief' } });
    await updateRule(subject, 'batch', rule, { name: 'with a dataset', query: 'table brief' });
    await updateRule(subject, 'batch', rule, { name: 'with a dataset' });
    await remove(guid);
    await call('DELETE', '/api/core/tables/brief');
    const dryOf = async (version: number) => (await restored(subject, 'batch', rule, version, '?dry_run=true')).json;
    expect(await dryOf(1)).toMatchObject({ result: true, query_error: expect.stringMatching(/^\(21301\) /) });
    expect(await dryOf(2)).toMatchObject({ result: true, query_error: '(10001) there is no table brief at 1:7' });
    expect(outcome(await restored(subject, 'batch', rule, 2))).toEqual([200, { result: true, failures: [] }]);
    expect(await ruleOf(subject, 'batch', rule)).toMatchObject({
      query_error: '(10001) there is no table brief at 1:7',
    });
  });

  it('finds what the commands behind a dataset name, even without the dataset', async () => {
    const guid = await group('behind');
    const fields = { name: 'd', query: `json "{ip:'10.0.0.1'}"`, shared_users: '[]', shared_groups: '[]' };
    const dataset_guid = await created(subject, '/api/core/datasets', { ...fields, name: 'leaving' });
    const query = `matchnet field=ip guid=${guid}`;
    const rule = await createRule(subject, 'batch', { name: 'behind a dataset', dataset_guid, query });
    await updateRule(subject, 'batch', rule, { name: 'behind a dataset' });
    await remove(guid);
    await call('DELETE', '/api/core/datasets', { form: { guids: dataset_guid } });
    const { json } = await restored(subject, 'batch', rule, 1);
    expect(json).toEqual(failed(missing('behind'), { id: 'dataset', name: 'leaving', reason: 'not-found' }));
    const dry = (await restored(subject, 'batch', rule, 1, '?dry_run=true')).json;
    expect(dry.query_error).toBe(`dataset not found: ${dataset_guid}`);
  });

  it('fails for those of the conditions of a stream rule', async () => {
    await createSchema(subject, 'least');
    const guid = await group('of a condition');
    const commands = JSON.stringify([{ template_id: 3, field_name: 'ip', args: { subnet: guid } }]);
    const rule = await createRule(subject, 'stream', { name: 's', commands });
    await updateRule(subject, 'stream', rule, { name: 's' });
    await remove(guid);
    const failures = [{ field: 'address_group', value: 'of a condition', reason: 'not-found' }];
    expect((await restored(subject, 'stream', rule, 1)).json).toEqual({ ...failed(), failures });
    const dry = (await restored(subject, 'stream', rule, 1, '?dry_run=true')).json;
    expect(dry).toMatchObject({ result: false, query_error: `address group not found: ${guid}` });
  });

  it('is no way to write a rule that names a group that is not there', async () => {
    const form = { priority: 'HIGH', name: 'x', msg: 'm', schedule: '0 0 1 1 *', query: asks(NOWHERE) };
    expect(outcome(await call('POST', '/api/core/batch-rules', { form }))).toMatchObject([
      400,
      { error_code: 'invalid-query' },
    ]);
  });
});

const byName = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
