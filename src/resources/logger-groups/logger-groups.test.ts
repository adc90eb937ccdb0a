import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const GROUPS = '/api/core/logger-groups';
const LOGGERS = '/api/core/loggers';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);

onEachDatabase('A logger group', (subject) => {
  const { call } = subject;
  const group = async (guid: string) => (await call('GET', `${GROUPS}/${guid}`)).json.logger_group;
  const change = async (guid: string, form: Record<string, string>) =>
    outcome(await call('PUT', `${GROUPS}/${guid}`, { form }));

  it('lies in a group that exists, and never in itself, at any depth', async () => {
    const a = await created(subject, GROUPS, { name: 'a' });
    const b = await created(subject, GROUPS, { name: 'b', parent_guid: a.toUpperCase() });
    const c = await created(subject, GROUPS, { name: 'c', parent_guid: b });
    expect(await group(b)).toMatchObject({ parent_guid: a });
    const cycle = (guid: string) => illegal(`parent logger group would form a cycle: ${guid}`);
    expect(await change(a, { name: 'a', parent_guid: a })).toEqual(cycle(a));
    expect(await change(a, { name: 'a', parent_guid: c })).toEqual(cycle(c));
    expect(await change(a, { name: 'a', parent_guid: NOWHERE })).toEqual(illegal(`logger group not found: ${NOWHERE}`));
    expect(await change(c, { name: 'c' })).toEqual([200, {}]);
    expect(await group(c)).not.toHaveProperty('parent_guid');
  });

  it('holds loggers, which are found by it', async () => {
    const guid = await created(subject, GROUPS, { name: 'web servers' });
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    const model = { name: 'm', logger_factory_name: 'http', parser_code: 'json' };
    const model_guid = await created(subject, '/api/core/logger-models', model);
    const form = { model_guid, name: 'one', table_name: 'web', group_guid: guid };
    const one = await created(subject, LOGGERS, form);
    await created(subject, LOGGERS, { model_guid, name: 'other', table_name: 'web' });
    const { json } = await call('GET', `${LOGGERS}?group_guid=${guid}`);
    expect(json.loggers.map(({ name }: { name: string }) => name)).toEqual(['one']);
    expect(json.loggers[0]).toMatchObject({ group_guid: guid, group_name: 'web servers' });
    const dry = await call('DELETE', GROUPS, { form: { guids: guid, dry_run: 'true' } });
    const reference = { id: guid, kind: 'logger', guid: one, name: 'one', field: 'group_guid' };
    expect(dry.json).toEqual({ failures: [], references: [reference] });
    await call('DELETE', GROUPS, { form: { guids: guid } });
    expect((await call('GET', `${LOGGERS}/${one}`)).json.logger).toMatchObject({ group_guid: guid, group_name: null });
    const gone = illegal(`logger group not found: ${guid}`);
    expect(outcome(await call('PUT', `${LOGGERS}/${one}`, { form }))).toEqual(gone);
    const { group_guid, ...without } = form;
    expect(outcome(await call('PUT', `${LOGGERS}/${one}`, { form: without }))).toEqual([200, {}]);
    expect((await call('GET', `${LOGGERS}/${one}`)).json.logger).not.toHaveProperty('group_guid');
  });

  it('leaves its child groups to its parent', async () => {
    const above = await created(subject, GROUPS, { name: 'above' });
    const gone = await created(subject, GROUPS, { name: 'gone', parent_guid: above });
    const below = await created(subject, GROUPS, { name: 'below', parent_guid: gone });
    await call('DELETE', GROUPS, { form: { guids: gone } });
    expect(await group(below)).toMatchObject({ parent_guid: above });
    await call('DELETE', GROUPS, { form: { guids: above } });
    expect(await group(below)).not.toHaveProperty('parent_guid');
  });
});
