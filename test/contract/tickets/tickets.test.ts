// Tickets: their parameters, who sees and changes them, and how they go from one status to the next.

import { describe, expect, it } from 'vitest';
import { type Account, created, createTeam } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const TICKETS = '/api/core/tickets';
const REPOS = '/api/core/ticket-repos';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const notGuid = (name: string) => refused(400, 'invalid-param-type', `${name} should be guid type.`);
const illegal = (message: string) => refused(500, 'illegal-state', message);
const noTicket = (guid: string) => illegal(`ticket not found: ${guid}`);
const tooLong = (name: string, most: number) =>
  invalid(`'${name}' must be shorter than or equal to ${most} characters.`);

describe('Creating a ticket is refused', () => {
  const { call } = serviceFor();
  const RIGHT = { repo_guid: NOWHERE, title: 't', priority: '3' };

  it.each([
    [{}, missing('repo_guid')],
    [{ guid: 'x' }, notGuid('guid')],
    [{ repo_guid: 'x' }, notGuid('repo_guid')],
    [{ repo_guid: NOWHERE }, missing('title')],
    [{ repo_guid: NOWHERE, title: 't'.repeat(256) }, tooLong('title', 255)],
    [{ repo_guid: NOWHERE, title: 't' }, missing('priority')],
    [{ ...RIGHT, priority: 'HIGH' }, invalid("'priority' parameter should be int type")],
    [{ ...RIGHT, priority: '0' }, invalid("'priority' must be greater than or equal to 1.")],
    [{ ...RIGHT, priority: '4' }, invalid("'priority' must be less than or equal to 3.")],
    [{ ...RIGHT, format: 'plain' }, invalid("format value must be one of 'JSON', 'MARKDOWN', 'PLAIN'.")],
    [{ ...RIGHT, content: 'c'.repeat(100_001) }, tooLong('content', 100_000)],
    [{ ...RIGHT, attack: 'x' }, refused(400, 'invalid-param-type', 'attack should be boolean type')],
    [{ ...RIGHT, incident: 'x' }, refused(400, 'invalid-param-type', 'incident should be boolean type')],
    [{ ...RIGHT, assignees: 'x' }, notGuid('assignees')],
    [{ ...RIGHT, approvers: `${NOWHERE},x` }, notGuid('approvers')],
    [RIGHT, illegal(`ticket repository not found: ${NOWHERE}`)],
  ])('by its parameters: %#', async (form, complaint) => {
    expect(outcome(await call('POST', TICKETS, { form }))).toEqual(complaint);
    expect((await call('GET', TICKETS)).json).toEqual({ total: 0, tickets: [] });
  });

  it.each([
    ['limit=1001', invalid("'limit' must be less than or equal to 1000.")],
    ['from=yesterday', invalid('invalid date format')],
    ['from=2024-03-02 00:00:00%2B0000&to=2024-03-01 00:00:00%2B0000', invalid('date range is unacceptable.')],
    [
      'statuses=OPEN',
      invalid(
        "statuses value must be one of 'NEW', 'ASSIGNED', 'IN_PROGRESS', 'SUBMITTED', 'REJECTED', 'APPROVED', 'CLOSED'.",
      ),
    ],
    ['priorities=4', invalid("priorities value must be one of '3', '2', '1'.")],
    ['sort_type=asc', invalid("sort_type value must be one of 'ASC', 'DESC'.")],
    ['sort_column=title', invalid("sort_column value must be one of 'id', 'created_at', 'updated_at', 'closed_at'.")],
  ])('listing with %s is, too', async (query, complaint) => {
    expect(outcome(await call('GET', `${TICKETS}?${query}`))).toEqual(complaint);
  });

  it.each([
    ['PUT', 'priority', {}, missing('priority')],
    ['PUT', 'priority', { priority: '2' }, noTicket(NOWHERE)],
    ['PUT', 'incident', {}, missing('incident')],
    ['PUT', 'incident', { incident: 'true' }, noTicket(NOWHERE)],
    ['PUT', 'assignee-status', {}, missing('status')],
    [
      'PUT',
      'assignee-status',
      { status: 'DONE' },
      invalid('assignee status should be one of ASSIGNED, IN_PROGRESS, CLOSED.'),
    ],
    ['PUT', 'assignee-status', { status: 'CLOSED' }, noTicket(NOWHERE)],
    ['POST', 'submit', {}, noTicket(NOWHERE)],
    ['PUT', 'approver-status', { status: 'CLOSED' }, invalid('approver status should be one of APPROVED, REJECTED.')],
    ['PUT', 'approver-status', { status: 'APPROVED' }, noTicket(NOWHERE)],
    ['POST', 'comments', {}, missing('content')],
    ['POST', 'comments', { content: 'c'.repeat(100_001) }, tooLong('content', 100_000)],
    ['POST', 'comments', { content: 'c' }, noTicket(NOWHERE)],
  ])('%s %s is, too, where there is none: %#', async (method, action, form, complaint) => {
    expect(outcome(await call(method, `${TICKETS}/${NOWHERE}/${action}`, { form }))).toEqual(complaint);
  });

  it('reading the comments of one that is not there is, too', async () => {
    expect(outcome(await call('GET', `${TICKETS}/${NOWHERE}/comments`))).toEqual(noTicket(NOWHERE));
    expect(outcome(await call('GET', `${TICKETS}/${NOWHERE}`))).toEqual([200, { ticket: null }]);
  });
});

onEachDatabase('A ticket', (subject) => {
  const { call, clock } = subject;
  const ticketOf = async (guid: string) => (await call('GET', `${TICKETS}/${guid}`)).json.ticket;

  it('is read back as it was made, and makes the entry', async () => {
    const { admin, member } = await createTeam(subject, 'first');
    const repo = await created(subject, REPOS, { name: 'first' });
    const guid = '11111111-1111-4111-8111-111111111111';
    const form = { guid, repo_guid: repo, title: 'worm', priority: '3', assignees: `${member.guid},${admin.guid}` };
    const more = { content: '# a', format: 'MARKDOWN', attack: 'true', approvers: admin.guid };
    const [entry] = await entriesOf(subject, async () => {
      expect(outcome(await call('POST', TICKETS, { form: { ...form, ...more } }))).toEqual([200, { guid }]);
    });
    expect(entry).toMatchObject({ category: 'Tickets', action: 'Create ticket', msg: 'Creation of ticket worm' });
    const task = (user: Account, task_type: string) => ({
      user_guid: user.guid,
      user_name: user.login,
      task_type,
      task_status: 'ASSIGNED',
    });
    expect(await ticketOf(guid)).toStrictEqual({
      id: 1,
      guid,
      repo_guid: repo,
      repo_name: 'first',
      title: 'worm',
      priority: 3,
      status: 'ASSIGNED',
      format: 'MARKDOWN',
      content: '# a',
      count: 0,
      attack: true,
      incident: false,
      rule_guid: null,
      assignees: [task(member, 'ASSIGNEE'), task(admin, 'ASSIGNEE'), task(admin, 'APPROVER')],
      created_at: '2024-03-01 00:00:00+0000',
      updated_at: '2024-03-01 00:00:00+0000',
      closed_at: null,
    });
    const dry = await call('DELETE', '/api/core/users', { form: { guids: admin.guid, dry_run: 'true' } });
    expect(dry.json.references).toEqual(
      ['assignees', 'approvers'].map((field) => ({ id: admin.guid, kind: 'ticket', guid, name: 'worm', field })),
    );
    expect(outcome(await call('POST', TICKETS, { form: { ...form, guid } }))).toEqual(
      illegal(`duplicated guid: ${guid}`),
    );
    expect(outcome(await call('POST', TICKETS, { form: { ...form, guid: '', assignees: NOWHERE } }))).toEqual(
      illegal(`user not found: ${NOWHERE}`),
    );
  });

  it('is found by what it is', async () => {
    const { admin, member } = await createTeam(subject, 'finders');
    const shared_users = JSON.stringify([member.guid]);
    const repo = await created(subject, REPOS, { name: 'found', shared_users });
    const make = (fields: Record<string, string>) => created(subject, TICKETS, { repo_guid: repo, ...fields });
    clock.leap({ hours: 24 });
    const one = await make({ title: 'Wurm im Keller', priority: '3', assignees: member.guid });
    clock.leap({ hours: 1 });
    const two = await make({ title: 'x', content: 'the WURM again', priority: '2', approvers: admin.guid });
    clock.leap({ hours: 1 });
    const three = await make({ title: 'z', priority: '1', assignees: member.guid });
    await call('PUT', `${TICKETS}/${one}/incident`, { form: { incident: 'true' } });
    await call('PUT', `${TICKETS}/${three}/assignee-status`, { form: { status: 'CLOSED' }, key: member.key });
    const found = async (query: string) =>
      (await call('GET', `${TICKETS}?from=2024-03-02 00:00:00%2B0000&${query}`)).json.tickets.map(
        ({ guid }: { guid: string }) => guid,
      );
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['', [three, two, one]],
      ['sort_type=ASC', [one, two, three]],
      ['sort_type=ASC&sort_column=updated_at', [two, one, three]],
      ['keywords=wurm', [two, one]],
      ['priorities=3,1', [three, one]],
      ['statuses=NEW', [two]],
      [`assignees=${member.guid}`, [three, one]],
      [`approvers=${admin.guid}`, [two]],
      ['to=2024-03-02 00:00:00%2B0000', [one]],
      ['limit=1&offset=1', [two]],
    ];
    for (const [query, guids] of cases) expect(await found(query), query).toEqual(guids);
    expect((await call('GET', `${TICKETS}?limit=0&keywords=wurm`)).json).toEqual({ total: 2, tickets: [] });
  });

  it('comes after those that are closed while it is open', async () => {
    const { member } = await createTeam(subject, 'closers');
    const repo = await created(subject, REPOS, { name: 'closed', shared_users: JSON.stringify([member.guid]) });
    const fields = { repo_guid: repo, title: 'sorted', priority: '1', assignees: member.guid };
    const open = await created(subject, TICKETS, fields);
    const closed = await created(subject, TICKETS, fields);
    await call('PUT', `${TICKETS}/${closed}/assignee-status`, { form: { status: 'CLOSED' }, key: member.key });
    const sorted = (await call('GET', `${TICKETS}?keywords=sorted&sort_column=closed_at&sort_type=ASC`)).json.tickets;
    expect(sorted.map(({ guid }: { guid: string }) => guid)).toEqual([closed, open]);
  });

  it('is there for those its repository is granted to, and changed by those who may write there', async () => {
    const { member: reader } = await createTeam(subject, 'readers');
    const { member: writer } = await createTeam(subject, 'writers');
    const { member: stranger } = await createTeam(subject, 'strangers');
    const shared = JSON.stringify([reader.guid, { guid: writer.guid, read_only: false }]);
    const repo = await created(subject, REPOS, { name: 'granted', shared_users: shared });
    const fields = { repo_guid: repo, title: 'g', priority: '1' };
    const make = (key: string) => call('POST', TICKETS, { form: fields, key });
    expect(outcome(await make(stranger.key))).toEqual(NO_PERMISSION);
    expect(outcome(await make(reader.key))).toEqual(NO_PERMISSION);
    const { guid } = (await make(writer.key)).json;
    const path = `${TICKETS}/${guid}`;
    const seen = async ({ key }: Account) => [
      (await call('GET', path, { key })).json.ticket?.guid,
      (await call('GET', TICKETS, { key })).json.total,
    ];
    expect(await seen(stranger)).toEqual([undefined, 0]);
    expect(await seen(reader)).toEqual([guid, 1]);
    expect(await seen(writer)).toEqual([guid, 1]);
    const actions = [
      ['PUT', 'priority', { priority: '2' }],
      ['PUT', 'incident', { incident: 'true' }],
      ['POST', 'comments', { content: 'c' }],
    ] as const;
    for (const [method, action, form] of actions) {
      const act = async ({ key }: Account) => outcome(await call(method, `${path}/${action}`, { form, key }));
      expect(await act(stranger)).toEqual(noTicket(guid));
      expect(await act(reader)).toEqual(NO_PERMISSION);
      expect((await act(writer))[0]).toBe(200);
    }
    expect(await ticketOf(guid)).toMatchObject({ priority: 2, incident: true });
    const { json } = await call('GET', `${path}/comments`, { key: reader.key });
    expect(json).toMatchObject({
      total_count: 1,
      comments: [{ user_guid: writer.guid, user_name: writer.login, content: 'c' }],
    });
    expect(outcome(await call('GET', `${path}/comments`, { key: stranger.key }))).toEqual(noTicket(guid));
  });
});
