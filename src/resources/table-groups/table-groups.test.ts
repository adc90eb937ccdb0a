import { describe, expect, it } from 'vitest';
import { createAccount, created } from '#test/support/accounts.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const GROUPS = '/api/core/table-groups';
const GUID = 'cccccccc-0000-4000-8000-00000000000c';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const wrongName = invalid(
  "'name' must be 1 to 50 characters, alphanumeric or underscore characters only, and must not start with a number",
);

describe('A table group is refused', () => {
  const { call } = serviceFor();

  it.each([
    [{}, refused(400, 'null-argument', 'name should be not null')],
    [{ name: '' }, refused(400, 'null-argument', 'name should be not null')],
    [{ name: 'n'.repeat(51) }, wrongName],
    [{ name: '1st' }, wrongName],
    [{ name: 'a-b' }, wrongName],
    [{ name: 'a b' }, wrongName],
    [{ name: '네트워크' }, wrongName],
    [
      { name: 'x', description: 'd'.repeat(2001) },
      invalid("'description' must be shorter than or equal to 2000 characters."),
    ],
    [{ name: 'x', parent_guid: 'x' }, refused(400, 'invalid-param-type', 'parent_guid should be guid type.')],
  ])('on creation and update with %j', async (form, complaint) => {
    expect(outcome(await call('POST', GROUPS, { form }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${GROUPS}/${NOWHERE}`, { form }))).toEqual(complaint);
  });

  it('for a guid that is none', async () => {
    const complaint = refused(400, 'invalid-param-type', 'guid should be guid type.');
    expect(outcome(await call('POST', GROUPS, { form: { guid: 'x' } }))).toEqual(complaint);
    expect(outcome(await call('PUT', `${GROUPS}/x`))).toEqual(complaint);
    expect(outcome(await call('GET', `${GROUPS}/x`))).toEqual(complaint);
  });

  it('any change by a MEMBER, who may read', async () => {
    const { key } = await createAccount({ call }, 'MEMBER', { login: 'reader' });
    for (const [method, path] of [
      ['POST', GROUPS],
      ['PUT', `${GROUPS}/${GUID}`],
      ['DELETE', GROUPS],
    ] as const) {
      expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    }
    expect(outcome(await call('GET', GROUPS, { key }))).toEqual([200, { total_count: 0, table_groups: [] }]);
    expect(outcome(await call('GET', `${GROUPS}/${GUID}`, { key }))).toEqual([200, { table_group: null }]);
  });
});

onEachDatabase('A table group', (subject) => {
  const { call, clock } = subject;
  const group = async (guid: string) => (await call('GET', `${GROUPS}/${guid}`)).json.table_group;
  const change = async (guid: string, form: Record<string, string>) =>
    outcome(await call('PUT', `${GROUPS}/${guid}`, { form }));

  it('is read back as it was written, and replaced by an update', async () => {
    const top = await created(subject, GROUPS, { name: '_top' });
    const form = { guid: GUID.toUpperCase(), name: 'N1', description: '네트워크', parent_guid: top.toUpperCase() };
    expect(outcome(await call('POST', GROUPS, { form }))).toEqual([200, { guid: GUID }]);
    const times = { created: '2024-03-01 00:00:00+0000', updated: '2024-03-01 00:00:00+0000' };
    expect(await group(GUID)).toStrictEqual({
      guid: GUID,
      name: 'N1',
      description: '네트워크',
      parent_guid: top,
      ...times,
    });
    clock.advance({ minutes: 5 });
    expect(await change(GUID, { name: 'n'.repeat(50) })).toEqual([200, {}]);
    const updated = '2024-03-01 00:05:00+0000';
    expect(await group(GUID)).toStrictEqual({ guid: GUID, name: 'n'.repeat(50), ...times, updated });
  });

  it('has a name and a guid of its own, and an existing parent', async () => {
    const make = async (form: Record<string, string>) => outcome(await call('POST', GROUPS, { form }));
    expect(await make({ name: '_top', guid: GUID })).toEqual(illegal('duplicated-name [name: _top]'));
    expect(await make({ name: 'new', guid: GUID, parent_guid: NOWHERE })).toEqual(illegal(`duplicated guid: ${GUID}`));
    const orphan = illegal(`parent-table-group-not-found [guid: ${NOWHERE}]`);
    expect(await make({ name: 'new', parent_guid: NOWHERE })).toEqual(orphan);
    expect(await make({ name: 'new', guid: NOWHERE, parent_guid: NOWHERE })).toEqual(orphan);
    expect(await change(GUID, { name: 'new', parent_guid: NOWHERE })).toEqual(orphan);
    expect(await change(GUID, { name: '_top' })).toEqual(illegal('duplicated-name [name: _top]'));
    expect(await change(GUID, { name: 'n'.repeat(50) })).toEqual([200, {}]);
    expect(await change(NOWHERE, { name: '_top' })).toEqual(illegal(`table group not found: ${NOWHERE}`));
  });

  it('is created once, though twenty ask for its name at the same moment', async () => {
    const form = { name: 'contested' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', GROUPS, { form })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('never lies in itself, at any depth', async () => {
    const a = await created(subject, GROUPS, { name: 'a' });
    const b = await created(subject, GROUPS, { name: 'b', parent_guid: a });
    const c = await created(subject, GROUPS, { name: 'c', parent_guid: b });
    const cycle = (guid: string) => illegal(`parent table group would form a cycle: ${guid}`);
    expect(await change(a, { name: 'a', parent_guid: a })).toEqual(cycle(a));
    expect(await change(a, { name: 'a', parent_guid: c })).toEqual(cycle(c));
    expect(await change(c, { name: 'c', parent_guid: a })).toEqual([200, {}]);
    expect(await change(a, { name: 'a', parent_guid: b })).toEqual(cycle(b));
  });

  it('is found in name and description, in the order of names', async () => {
    const names = async (query: string) => {
      const { json } = await call('GET', `${GROUPS}?${query}`);
      return [json.total_count, json.table_groups.map(({ name }: { name: string }) => name)];
    };
    await created(subject, GROUPS, { name: 'Zoo', description: 'Wild things' });
    expect(await names('keywords=wILD')).toEqual([1, ['Zoo']]);
    expect(await names('offset=1&limit=2')).toEqual([7, ['_top', 'a']]);
  });

  it('leaves its tables without a group and its child groups to its parent', async () => {
    const above = await created(subject, GROUPS, { name: 'above' });
    const gone = await created(subject, GROUPS, { name: 'gone', parent_guid: above });
    const below = await created(subject, GROUPS, { name: 'below', parent_guid: gone });
    await created(subject, '/api/core/tables', { table: 'grouped', group_guid: gone });
    const removed = await call('DELETE', GROUPS, { form: { guids: `${NOWHERE},${gone},${gone}` } });
    expect(outcome(removed)).toEqual([200, { failures: [{ id: NOWHERE, reason: 'table-group-not-found' }] }]);
    expect(await group(gone)).toBeNull();
    expect(await group(below)).toMatchObject({ parent_guid: above });
    const { table } = (await call('GET', '/api/core/tables/grouped')).json;
    expect(table).not.toHaveProperty('group_guid');
    expect(table).not.toHaveProperty('group_name');
    await call('DELETE', GROUPS, { form: { guids: above } });
    expect(await group(below)).not.toHaveProperty('parent_guid');
  });
});
