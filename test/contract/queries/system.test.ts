// `system OBJECT`: the rows are those that the operation for the same object lists for the account.

import { beforeAll, describe, expect, it } from 'vitest';
import { created, createTeam, type Team } from '#test/support/accounts.ts';
import { BATCH_RULES, createRule, EVENTS, runRule, TICKETS } from '#test/support/detection.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ask, badQuery, ran } from '#test/support/queries.ts';
import { createSchedule, QUICK } from '#test/support/scheduled-queries.ts';
import { send, type Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

/** Without fields that hold nothing. */
const filled = (record: Wire): Wire =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));

const only = (names: string) => (record: Wire) =>
  filled(Object.fromEntries(names.split(', ').map((name) => [name, record[name]])));

const SCHEDULE =
  'guid, name, description, query, enabled, output_parameter, node_types, trigger_type, cron_schedule, preceding_guid, ' +
  'preceding_name, preceding_action, running_state, result_state, elapsed_time, last_run_time, last_failure_time, ' +
  'last_failure_reason, query_error, next_run_time, owner, created, updated';
const RULE =
  'guid, name, description, priority, enabled, msg, category_guid, category_name, schedule, schema_code, schema_name, ' +
  'version, last_run_time, last_failure_time, last_failure_reason, query_error, next_run_time, user_guid, user_name, ' +
  'created, updated';
const LOGGER =
  'guid, name, table_name, id, model_guid, model_name, logger_factory_name, group_guid, group_name, node, enabled, status, ' +
  'failure, is_passive, log_count, log_volume, drop_count, drop_volume, created, updated';

onEachDatabase('The command system', (subject) => {
  const { call } = subject;
  const teams: Team[] = [];
  const team = () => teams[0] as Team;
  const listed = async (path: string, plural: string, key?: string): Promise<Wire[]> =>
    (await call('GET', path, key === undefined ? {} : { key })).json[plural];
  const rows = async (q: string, key?: string) =>
    (await rowsOf(subject, q, key === undefined ? {} : { key })).map(filled);

  beforeAll(async () => {
    teams.push(await createTeam(subject, 'ours'));
    const logger = await createLogger(subject, { table: 'web', fields: { description: 'x' } });
    await createLogger(subject, { table: 'other' });
    const body = ['2024-02-27 23:59:59', '2024-02-28 00:00:00', '2024-02-28 12:00:00']
      .map((time, n) => JSON.stringify({ _time: `${time}+0000`, user: 'kim', n }))
      .join('\n');
    expect((await push(subject, logger, { body })).status).toBe(200);
    await call('PUT', '/api/core/tables/web', { json: { shared_users: [team().member.guid] } });
    const repo = await created(subject, '/api/core/ticket-repos', {
      name: 'desk',
      shared_users: JSON.stringify([{ guid: team().member.guid }]),
    });
    const unseen = await created(subject, '/api/core/ticket-repos', { name: 'unseen' });
    await created(subject, TICKETS, { repo_guid: unseen, title: 'hidden', priority: '1' });
    const rule = await createRule(subject, {
      name: 'seen',
      query: 'table web | fields user, n | limit 2',
      suppress_key: '$n',
      ticket_issue_cond: 'ALWAYS',
      ticket_repo_guid: repo,
      ticket_assignee_guids: team().admin.guid,
    });
    const hidden = await createRule(subject, { name: 'hidden', query: 'table web | limit 1' });
    for (const guid of [rule, hidden]) await call('POST', `${BATCH_RULES}/${guid}/run`);
    await until(
      () => listed(EVENTS, 'events'),
      ({ length }) => length === 3,
    );
    await createSchedule(subject, { name: 'daily', query: QUICK });
    await createSchedule(subject, { name: 'broken', query: 'table gone | limit 1' });
  });

  it('gives the events that an account may see, newest first, with their times as dates', async () => {
    for (const key of [undefined, team().admin.key, team().member.key]) {
      const events = await listed(EVENTS, 'events', key);
      expect(events.length).toBe(key === team().member.key ? 2 : 3);
      const expected = events
        .map((event) => filled({ _time: event.last_time, ...event }))
        .sort((one, other) => other._time.localeCompare(one._time) || other.id - one.id);
      expect(await rows('system events', key)).toEqual(expected);
    }
    const fields = 'system events | search rule_name == "seen" | eval u = valueof(fields, "user"), t = typeof(_time)';
    expect(await rows(`${fields} | fields u, t | dedup u`)).toEqual([{ u: 'kim', t: 'date' }]);
    expect(await rows('system to=20240101 events')).toEqual([]);
    expect(await rows('system from=20240101 events | stats count')).toEqual([{ count: 3 }]);
  });

  it('gives the tickets that an account may see, with the names of assignees and approvers', async () => {
    for (const key of [undefined, team().member.key]) {
      const tickets = await listed(TICKETS, 'tickets', key);
      expect(tickets.length).toBe(key === undefined ? 3 : 2);
      const expected = tickets.map(({ assignees, ...ticket }) => {
        const names = (type: string) =>
          assignees.filter(({ task_type }: Wire) => task_type === type).map(({ user_name }: Wire) => user_name);
        const users = { assignees: names('ASSIGNEE'), approvers: names('APPROVER') };
        return filled({ _time: ticket.created_at, ...ticket, ...users });
      });
      expect(await rows('system tickets', key)).toEqual(expected);
    }
  });

  it('gives the audit trail to MASTER alone', async () => {
    const { audit_logs: entries } = (await call('GET', '/api/core/audit-logs?limit=1000')).json;
    const found = await rows(`system audit | search id <= ${entries[0].id}`);
    const expected = entries.map(({ user, time, created_at, ...entry }: Wire) => filled(entry));
    expect(found.map(({ _time, created_at, ...row }) => row)).toEqual(expected);
    expect(new Set(found.map(({ _time, created_at }) => _time === created_at))).toEqual(new Set([true]));
    expect(await rows('system to=20240101 audit | stats count')).toEqual([{ count: 0 }]);
    for (const { key } of [team().admin, team().member]) {
      const answer = outcome(await ask(subject, { q: 'system audit' }, { key }));
      expect(answer).toEqual(badQuery('(95001) no right to see audit at 1:8'));
    }
  });

  it('gives the scheduled queries to administrators', async () => {
    const schedules = await listed('/api/core/scheduled-queries', 'scheduled_queries');
    expect(schedules.map(({ query_error }) => query_error)).toEqual(['(10001) there is no table gone at 1:7', null]);
    expect(await rows('system schedules', team().admin.key)).toEqual(schedules.map(only(SCHEDULE)));
    const answer = outcome(await ask(subject, { q: 'system schedules' }, { key: team().member.key }));
    expect(answer).toEqual(badQuery('(95001) no right to see schedules at 1:8'));
  });

  it.each([
    ['procedures', '/api/core/procedures', 'procedures', 'name'],
    ['lookups', '/api/core/lookups', 'lookups', 'name'],
    ['profiles', '/api/core/connection-profiles', 'connection_profiles', 'name'],
    ['dashboards', '/api/core/dashboards', 'dashboards', 'name'],
    ['datasets', '/api/core/datasets', 'datasets', 'name'],
    ['parsers', '/api/core/parsers', 'parsers', 'code'],
  ])('gives the %s that the operation lists', async (object, path, plural, order) => {
    for (const key of [undefined, team().member.key]) {
      const records = await listed(path, plural, key);
      const sorted = records.toSorted((one, other) => (one[order] < other[order] ? -1 : 1));
      const found = await rows(`system ${object}`, key);
      const expected = sorted.map((record, at) => {
        const columns = Object.keys(found[at] ?? {}).filter((name) => name in record);
        return only(columns.join(', '))(record);
      });
      expect(found.map((row, at) => only(Object.keys(expected[at] ?? {}).join(', '))(row))).toEqual(expected);
      expect(found.length).toBe(records.length);
    }
  });

  it('gives columns of their own beside the records', async () => {
    const panel = { id: 'a', title: 'A', query: 'table web', chart: 'table', x: 0, y: 0, w: 6, h: 4 };
    await call('POST', '/api/core/procedures', { json: { name: 'busy', query: 'json "{}"', parameters: [] } });
    expect(await rows('system procedures | fields name, query, command')).toEqual([
      { name: 'busy', query: 'json "{}"', command: false },
    ]);
    await created(subject, '/api/core/dashboards', { name: 'board', layout: JSON.stringify({ panels: [panel] }) });
    expect(await rows('system dashboards | fields name, panels')).toEqual([{ name: 'board', panels: 1 }]);
    expect(
      await rows('system parsers | search builtin == true | stats count as n | eval some = n > 1 | fields some'),
    ).toEqual([{ some: true }]);
  });

  it('gives the rules, batch rules first', async () => {
    const rules = await listed('/api/core/batch-rules', 'rules');
    const expected = rules.map((rule) => ({ rule_type: 'batch', ...only(RULE)(rule) }));
    expect(await rows('system rules', team().member.key)).toEqual(expected);
  });

  it('gives the loggers of the tables that an account may see', async () => {
    // What one node has counted is written down by then, and told by all.
    subject.clock.advance({ seconds: 30 });
    const onEach = () =>
      Promise.all(subject.service.nodeUrls.map(async (url) => (await send(`${url}/api/core/loggers`, 'GET')).json));
    await until(onEach, (lists) =>
      lists.every(({ loggers }) => loggers.some(({ last_log, log_count }: Wire) => last_log && log_count === 3)),
    );
    for (const key of [undefined, team().member.key]) {
      const loggers = await listed('/api/core/loggers', 'loggers', key);
      expect(loggers.length).toBe(key === undefined ? 2 : 1);
      const expected = loggers.map((logger) => ({
        ...only(LOGGER)(logger),
        model: logger.model_name,
        is_running: logger.status === 'running',
        received: logger.log_count + logger.drop_count,
        stored: logger.log_count,
        failed: logger.drop_count,
        ...(logger.last_log ? { last_time: logger.last_log } : {}),
      }));
      expect(expected.some((one) => 'last_time' in one)).toBe(true);
      expect(await rows('system loggers', key)).toEqual(expected);
    }
  });

  it('gives tables, and with verbose=t what is known of their rows', async () => {
    const plain = await rows('system tables');
    expect(plain.map(({ table_name }) => table_name)).toEqual(['other', 'web']);
    expect(plain[1]).not.toHaveProperty('row_count');
    const verbose = 'system verbose=t tables | fields table_name, row_count, columns, is_writable';
    expect(await rows(`${verbose} | search table_name == "web"`)).toEqual([
      { table_name: 'web', row_count: 3, columns: ['user', 'n'], is_writable: true },
    ]);
    expect((await rows(verbose, team().member.key)).map(({ is_writable }) => is_writable)).toEqual([false]);
  });

  it('counts the rows of readable tables by day', async () => {
    const days = [
      { _time: '2024-02-27 00:00:00+0000', table_name: 'web', count: 1 },
      { _time: '2024-02-28 00:00:00+0000', table_name: 'web', count: 2 },
    ];
    expect(await rows('system count')).toEqual(days);
    expect(await rows('system count', team().member.key)).toEqual(days);
    expect(await rows('system from=20240228 count w*, gone?')).toEqual(days.slice(1));
    expect(await rows('set _timezone = "Asia/Seoul" | system count web | fields count')).toEqual([{ count: 3 }]);
    const answer = outcome(await ask(subject, { q: 'system count other' }, { key: team().member.key }));
    expect(answer).toEqual(badQuery('(10001) there is no table other at 1:14'));
  });

  it('gives queries by the time of their start, and counts what it handed on', async () => {
    expect(await rows('system from=20240101 queries | search _time != start_time')).toEqual([]);
    expect(await rows('system to=20240101 queries')).toEqual([]);
    const { commands } = await ran(subject, 'system rules | drop');
    expect(commands.map(({ push_count }: Wire) => push_count)).toEqual([2, 0]);
  });
});

describe('The command system over an encrypted table', () => {
  const subject = serviceFor({ alone: 'embedded' });

  it('gives the texts of sealed events and tickets', async () => {
    const profile = await created(subject, '/api/core/crypto-profiles', { name: 'archive' });
    const storage = { crypto_profile_guid: profile, encryption: 'true' };
    const logger = await createLogger(subject, { table: 'secret', storage });
    await push(subject, logger, { body: '{"user":"kim"}' });
    const repo = await created(subject, '/api/core/ticket-repos', { name: 'desk' });
    const rule = await createRule(subject, {
      name: 'seen',
      query: 'table secret',
      suppress_key: '$user',
      ticket_issue_cond: 'ALWAYS',
      ticket_repo_guid: repo,
    });
    await runRule(subject, rule);
    await expect.poll(async () => (await subject.call('GET', TICKETS)).json.tickets.length).toBe(1);
    const events = 'system events | eval user = valueof(fields, "user") | fields msg, suppress_key, user';
    expect(await rowsOf(subject, events)).toEqual([{ msg: 'login of kim failed.', suppress_key: 'kim', user: 'kim' }]);
    const [ticket] = (await subject.call('GET', TICKETS)).json.tickets;
    expect(await rowsOf(subject, 'system tickets | fields title, content')).toEqual([
      { title: ticket.title, content: ticket.content },
    ]);
  });
});
