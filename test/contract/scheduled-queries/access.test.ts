// Who may call the operations on scheduled queries, and what each call leaves in the audit trail.

import { beforeAll, describe, expect, it } from 'vitest';
import { createTeam, type Team } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createSchedule, NOWHERE, QUICK, SCHEDULES, YEARLY } from '#test/support/scheduled-queries.ts';
import type { CallOptions } from '#test/support/service.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused, serviceFor } from '#test/support/suites.ts';

const FIELDS = { name: 'audited', query: QUICK, ...YEARLY };
const RANGE = { from: '2024-02-01 00:00:00+0000', to: '2024-02-02 00:00:00+0000' };

const OPERATIONS: readonly [method: string, path: string, audited: string][] = [
  ['GET', SCHEDULES, 'read'],
  ['GET', `${SCHEDULES}/${NOWHERE}`, 'read'],
  ['GET', `${SCHEDULES}/${NOWHERE}/slots`, 'read'],
  ['POST', SCHEDULES, 'create'],
  ['PUT', `${SCHEDULES}/${NOWHERE}`, 'update'],
  ['DELETE', SCHEDULES, 'remove'],
  ['POST', `${SCHEDULES}/stop`, 'stop'],
  ['POST', `${SCHEDULES}/run`, 'run'],
  ['POST', `${SCHEDULES}/${NOWHERE}/backfill`, 'backfill'],
];

describe('Scheduled queries', () => {
  const subject = serviceFor();
  const { call } = subject;
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(subject, 'team');
  });

  it.each(OPERATIONS)('are closed to a MEMBER by %s %s, whatever is wrong with the request', async (method, path) => {
    const { key } = team.member;
    expect(outcome(await call(method, path, { key }))).toEqual(NO_PERMISSION);
    expect(outcome(await call(method, path.replace(NOWHERE, 'x'), { key }))).toEqual(NO_PERMISSION);
  });

  it.each(OPERATIONS)('are open to an ADMIN and to a MASTER by %s %s', async (method, path) => {
    const answer = await call(method, path, { key: team.admin.key });
    expect(outcome(answer)).not.toEqual(NO_PERMISSION);
    expect(answer.status).not.toBe(401);
    expect(outcome(await call(method, path))).toEqual(outcome(answer));
  });

  it.each(OPERATIONS)('are closed to everybody else by %s %s', async (method, path) => {
    const answer = refused(401, 'unauthorized', 'invalid api key');
    expect(outcome(await call(method, path, { key: null }))).toEqual(answer);
    expect(outcome(await call(method, path, { key: 'wrong' }))).toEqual(answer);
  });

  it.each([
    ['PATCH', SCHEDULES, 'DELETE, GET, HEAD, POST'],
    ['DELETE', `${SCHEDULES}/${NOWHERE}`, 'GET, HEAD, PUT'],
    ['POST', `${SCHEDULES}/${NOWHERE}/slots`, 'GET, HEAD'],
    ['GET', `${SCHEDULES}/${NOWHERE}/backfill`, 'POST'],
  ])('have no %s %s', async (method, path, allowed) => {
    const answer = await call(method, path);
    expect(outcome(answer)).toEqual(refused(405, 'method-not-allowed', `method not allowed: ${method} ${path}`));
    expect((answer.headers.get('allow') ?? '').split(', ').sort().join(', ')).toBe(allowed);
  });
});

/** Where nothing succeeded the first reason is the error of the entry. */
const GONE = 'scheduled-query-not-found';

/** A call, and what its entry says. */
const WRITTEN: readonly [method: string, path: string, CallOptions, expected: Record<string, unknown>][] = [
  ['POST', SCHEDULES, { form: FIELDS }, { method: 'create', params: FIELDS, result: 'Success' }],
  ['POST', SCHEDULES, { form: FIELDS }, { method: 'create', error: 'duplicated name: audited', result: 'Failure' }],
  ['POST', SCHEDULES, {}, { method: 'create', error: 'name should be not null' }],
  [
    'PUT',
    `${SCHEDULES}/${NOWHERE}`,
    { form: FIELDS },
    { method: 'update', params: { guid: NOWHERE, ...FIELDS }, error: `scheduled query not found: ${NOWHERE}` },
  ],
  ['DELETE', `${SCHEDULES}?guids=${NOWHERE}`, {}, { method: 'remove', params: { guids: NOWHERE }, error: GONE }],
  ['DELETE', SCHEDULES, {}, { method: 'remove', error: 'guids should be not null' }],
  [
    'POST',
    `${SCHEDULES}/stop`,
    { form: { guids: NOWHERE } },
    { method: 'stop', params: { guids: NOWHERE }, error: GONE },
  ],
  ['POST', `${SCHEDULES}/stop`, {}, { method: 'stop', error: 'guids should be not null' }],
  [
    'POST',
    `${SCHEDULES}/run`,
    { form: { guids: NOWHERE } },
    { method: 'run', params: { guids: NOWHERE }, error: GONE },
  ],
  ['POST', `${SCHEDULES}/run`, { form: { guids: 'x' } }, { method: 'run', error: 'guids should be guid type.' }],
  [
    'POST',
    `${SCHEDULES}/${NOWHERE}/backfill`,
    { form: RANGE },
    { method: 'backfill', params: { guid: NOWHERE, ...RANGE }, error: `scheduled query not found: ${NOWHERE}` },
  ],
];

onEachDatabase('The audit trail of scheduled queries', (subject) => {
  const { call } = subject;
  let team: Team;
  beforeAll(async () => {
    team = await createTeam(subject, 'team');
  });

  it.each(WRITTEN)('has one entry of %s %s %j', async (method, path, options, expected) => {
    const entries = await entriesOf(subject, () => call(method, path, options));
    expect(entries).toMatchObject([
      { user_name: 'master', module: 'scheduled-queries', remote_ip: '127.0.0.1', ...expected },
    ]);
    expect(entries[0].error).toBe(expected.error);
    for (const label of ['category', 'action', 'msg']) expect(entries[0][label]).toEqual(expect.any(String));
  });

  it.each(OPERATIONS)('has one entry of the forbidden %s %s', async (method, path, audited) => {
    const entries = await entriesOf(subject, () => call(method, path, { key: team.member.key }));
    expect(entries).toMatchObject([
      { user_name: 'team-member', module: 'scheduled-queries', method: audited, error: 'no-permission' },
    ]);
  });

  it('has none of reading, and one alone of a run however many queries it starts', async () => {
    const guids = [await createSchedule(subject), await createSchedule(subject)];
    const entries = await entriesOf(subject, async () => {
      await call('GET', SCHEDULES);
      await call('GET', `${SCHEDULES}/${guids[0]}`);
      await call('GET', `${SCHEDULES}/${guids[0]}/slots`);
      await call('POST', `${SCHEDULES}/run`, { form: { guids: guids.join(',') } });
    });
    expect(entries.map(({ method }) => method)).toEqual(['run']);
  });

  it('speaks English and Korean', async () => {
    const labels = async (locale: string) => {
      const { json } = await call('GET', `/api/core/audit-logs?locale=${locale}&limit=100`);
      return json.audit_logs
        .filter(({ module }: { module: string }) => module === 'scheduled-queries')
        .map(({ category, action, msg }: Record<string, string>) => `${category} ${action} ${msg}`);
    };
    for (const label of await labels('ko')) expect(label).toMatch(/[가-힣].* .*[가-힣]/);
    for (const label of await labels('en')) expect(label).not.toMatch(/[가-힣]/);
  });
});
