// Dashboards beyond what all families have in common: layouts, owners and sharing.

import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount, createTeam, type Team } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const DASHBOARDS = '/api/core/dashboards';
const PANEL = { id: 'a', title: 't', query: 'table web | stats count', chart: 'bar', x: 0, y: 0, w: 6, h: 4 };
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const notJson = (name: string) => refused(400, 'invalid-param-type', `${name} should be json type`);
const panels = (...changes: object[]) => ({ panels: changes.map((change) => ({ ...PANEL, ...change })) });
const FROM = '2024-01-02 00:00:00+0000';
const UNTIL = '2024-01-03 00:00:00+0900';

describe('The layout of a dashboard is refused', () => {
  const { call } = serviceFor();

  it.each([
    [undefined, missing('layout')],
    ['x', notJson('layout')],
    [[], notJson('layout')],
    [{ columns: 0 }, invalid("'layout.columns' must be greater than or equal to 1.")],
    [{ columns: 25 }, invalid("'layout.columns' must be less than or equal to 24.")],
    [{ span: 5 }, notJson('layout.span')],
    [{ span: {} }, missing('layout.span.from')],
    [{ span: { from: FROM } }, missing('layout.span.to')],
    [{ span: { from: FROM, to: 'x' } }, invalid('invalid date format')],
    [{ span: { from: UNTIL, to: FROM } }, invalid('date range is unacceptable.')],
    [{ span: { last: 0 } }, invalid("'layout.span.last' must be greater than or equal to 1.")],
    [{ panels: {} }, notJson('layout.panels')],
    [panels({ id: undefined }), missing('layout.panels.id')],
    [panels({ query: '' }), missing('layout.panels.query')],
    [panels({}, {}), invalid("'layout.panels' must not have the same name twice: a")],
    [panels({ w: 25 }), invalid("'layout.panels.w' must be less than or equal to 24.")],
    [panels({ h: 0 }), invalid("'layout.panels.h' must be greater than or equal to 1.")],
    [panels({ x: -1 }), invalid("'layout.panels.x' must be greater than or equal to 0.")],
    [panels({ options: [] }), notJson('layout.panels.options')],
    [
      panels({ chart: 'radar' }),
      invalid("layout.panels.chart value must be one of 'table', 'number', 'line', 'area', 'bar', 'pie'."),
    ],
    [
      panels(...Array.from({ length: 101 }, (_, n) => ({ id: `p${n}` }))),
      invalid("'layout.panels' must be less than or equal to 100 items."),
    ],
    [panels({ query: 'q'.repeat(65_600) }), invalid("'layout' must be shorter than or equal to 65536 bytes.")],
  ])('%j', async (layout, complaint) => {
    const json = { name: 'x', ...(layout === undefined ? {} : { layout }) };
    expect(outcome(await call('POST', DASHBOARDS, { json }))).toEqual(complaint);
    expect((await call('GET', DASHBOARDS)).json.total_count).toBe(0);
  });
});

onEachDatabase('A dashboard', (subject) => {
  const { call } = subject;
  let ours: Team | undefined;
  let theirs: Team | undefined;
  let guid = '';
  const layout = { columns: 12, span: { from: FROM, to: UNTIL }, ...panels({ span: { last: 60 } }) };
  const make = (key: string | undefined, json: object) =>
    call('POST', DASHBOARDS, { json: { layout: {}, ...json }, ...(key ? { key } : {}) });
  const read = async (key: string | undefined, one = guid) =>
    (await call('GET', `${DASHBOARDS}/${one}`, key ? { key } : {})).json.dashboard;
  const change = async (key: string | undefined, json: object) =>
    outcome(await call('PUT', `${DASHBOARDS}/${guid}`, { json: { layout, ...json }, ...(key ? { key } : {}) }));
  const names = async (key: string | undefined) =>
    (await call('GET', DASHBOARDS, key ? { key } : {})).json.dashboards.map(({ name }: { name: string }) => name);
  beforeAll(async () => {
    ours = await createTeam(subject, 'ours');
    theirs = await createTeam(subject, 'theirs');
    guid = (await make(ours.member.key, { name: '현황', layout })).json.guid;
  });

  it('is read as it was written, by its owner and administrators alone', async () => {
    const expected = { name: '현황', layout, owner_guid: ours?.member.guid, owner_name: 'ours-member' };
    expect(await read(ours?.member.key)).toMatchObject({ ...expected, shared_users: [], shared_groups: [] });
    expect(await read(undefined)).toMatchObject(expected);
    expect(await read(theirs?.member.key)).toBeNull();
    expect(await names(theirs?.member.key)).toEqual([]);
    const gone = refused(500, 'illegal-state', `dashboard not found: ${guid}`);
    expect(await change(theirs?.member.key, { name: 'x' })).toEqual(gone);
  });

  it('has a name that another account may use too, and its owner only once', async () => {
    const name = 'mine';
    expect((await make(ours?.member.key, { name })).status).toBe(200);
    expect((await make(theirs?.member.key, { name })).status).toBe(200);
    const taken = refused(500, 'illegal-state', `duplicated name: ${name}`);
    expect(outcome(await make(ours?.member.key, { name }))).toEqual(taken);
    expect(await change(undefined, { name })).toEqual(taken);
    expect(await change(ours?.member.key, { name: '현황' })).toEqual([200, {}]);
  });

  it('that is shared is seen, and written with a grant for it; its owner stays', async () => {
    const reader = await createAccount(subject, 'MEMBER', { login: 'reader', company_guid: ours?.company ?? '' });
    const grant = (read_only: boolean) => ({ name: '현황', shared_users: [{ guid: reader.guid, read_only }] });
    const [entry] = await entriesOf(subject, async () => {
      expect(await change(ours?.admin.key, grant(true))).toEqual([200, {}]);
    });
    expect(entry).toMatchObject({ module: 'dashboards', method: 'update', msg: `Update of dashboard 현황 (${guid})` });
    expect(await names(reader.key)).toEqual(['현황']);
    expect((await read(reader.key)).layout).toEqual(layout);
    expect(await change(reader.key, { name: 'y' })).toEqual(NO_PERMISSION);
    const removed = await call('DELETE', DASHBOARDS, { json: { guids: [guid] }, key: reader.key });
    expect(removed.json).toEqual({ failures: [{ id: guid, reason: 'no-permission' }] });
    expect(await change(ours?.admin.key, grant(false))).toEqual([200, {}]);
    expect(await change(reader.key, { name: 'renamed' })).toEqual([200, {}]);
    expect(await read(ours?.member.key)).toMatchObject({ name: 'renamed', owner_name: 'ours-member' });
  });

  it('is removed after a dry run that finds no reference', async () => {
    const dry = await call('DELETE', DASHBOARDS, { json: { guids: [guid], dry_run: true } });
    expect(dry.json).toEqual({ failures: [], references: [] });
    expect((await call('DELETE', DASHBOARDS, { json: { guids: [guid] } })).json).toEqual({ failures: [] });
    expect(await read(undefined)).toBeNull();
  });
});
