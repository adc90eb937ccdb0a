// Scheduled queries as an administrator works with them: each step with its answer, what it changes, and its audit entry.

import { expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { NOWHERE, QUICK, recordOf, runningQuery, SCHEDULES, SLOW } from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';
const CRON = { trigger_type: 'cron', cron_schedule: '0 0 1 1 *' };
const AFTER_ONE = { trigger_type: 'workflow', preceding_action: 'succeeded', preceding_guid: ONE };

type Answer = readonly [status: number, body: unknown];
const count = (succeeded: number, ...failures: object[]): Answer => [200, { succeeded, failures }];
const notFound = (id: string) => ({ id, reason: 'scheduled-query-not-found' });
const illegal = (message: string): Answer => refused(500, 'illegal-state', message);
const invalid = (message: string): Answer => refused(400, 'invalid-argument', message);

interface Step {
  readonly it: string;
  readonly call: readonly [method: string, path: string, form: Readonly<Record<string, string>>];
  readonly answer: Answer;
  readonly audit: readonly [method: string, error?: string];
  /** What the record of ONE is afterwards; null when it is gone. */
  readonly one?: Wire;
}

const NAMED_TWICE = 'duplicated name: first';
const CYCLE = `preceding query would form a cycle: ${TWO}`;

const STEPS: readonly Step[] = [
  {
    it: 'creates a query, which is not enabled unless that is said',
    call: ['POST', SCHEDULES, { guid: ONE, name: 'first', query: SLOW, ...CRON }],
    answer: [200, { guid: ONE }],
    audit: ['create'],
    one: {
      name: 'first',
      enabled: false,
      running_state: null,
      next_run_time: null,
      query_error: null,
      owner: 'master',
    },
  },
  {
    it: 'is refused a name that is taken',
    call: ['POST', SCHEDULES, { name: 'first', query: QUICK, ...CRON }],
    answer: illegal(NAMED_TWICE),
    audit: ['create', NAMED_TWICE],
  },
  {
    it: 'creates another one that follows it',
    call: ['POST', SCHEDULES, { guid: TWO, name: 'second', query: QUICK, enabled: 'true', ...AFTER_ONE }],
    answer: [200, { guid: TWO }],
    audit: ['create'],
  },
  {
    it: 'is refused to close the circle',
    call: [
      'PUT',
      `${SCHEDULES}/${ONE}`,
      { name: 'first', query: SLOW, trigger_type: 'workflow', preceding_action: 'failed', preceding_guid: TWO },
    ],
    answer: illegal(CYCLE),
    audit: ['update', CYCLE],
    one: { trigger_type: 'cron' },
  },
  {
    it: 'is refused a schedule that is none',
    call: ['PUT', `${SCHEDULES}/${ONE}`, { name: 'first', query: SLOW, trigger_type: 'cron', cron_schedule: 'often' }],
    answer: invalid('wrong cron expression format: often'),
    audit: ['update', 'wrong cron expression format: often'],
  },
  {
    it: 'enables it and gives it a description',
    call: ['PUT', `${SCHEDULES}/${ONE}`, { name: 'first', description: 'd', enabled: 'true', query: SLOW, ...CRON }],
    answer: [200, {}],
    audit: ['update'],
    one: { enabled: true, description: 'd', next_run_time: '2025-01-01 00:00:00+0000' },
  },
  {
    it: 'replaces it: what is not given returns to its default',
    call: ['PUT', `${SCHEDULES}/${ONE}`, { name: 'first', query: SLOW, ...CRON }],
    answer: [200, {}],
    audit: ['update'],
    one: { enabled: false, description: null, next_run_time: null },
  },
  {
    it: 'runs it, once however often it is named',
    call: ['POST', `${SCHEDULES}/run`, { guids: `${ONE},${NOWHERE},${ONE}` }],
    answer: count(1, notFound(NOWHERE)),
    audit: ['run'],
    one: { running_state: 'running' },
  },
  {
    it: 'does not run it again while it runs',
    call: ['POST', `${SCHEDULES}/run`, { guids: ONE }],
    answer: count(0, { id: ONE, reason: 'already-running' }),
    audit: ['run', 'already-running'],
  },
  {
    it: 'leaves it alone while it runs',
    call: ['DELETE', SCHEDULES, { guids: `${NOWHERE},${ONE}` }],
    answer: count(0, notFound(NOWHERE)),
    audit: ['remove'],
    one: { running_state: 'running' },
  },
  {
    it: 'stops it',
    call: ['POST', `${SCHEDULES}/stop`, { guids: `${ONE},${ONE},${NOWHERE}` }],
    answer: count(1, notFound(NOWHERE)),
    audit: ['stop'],
    one: { running_state: 'idle', result_state: 'cancelled', last_failure_time: null },
  },
  {
    it: 'does not count one that does not run',
    call: ['POST', `${SCHEDULES}/stop`, { guids: ONE }],
    answer: count(0),
    audit: ['stop'],
  },
  {
    it: 'removes it, and the one that followed it stays',
    call: ['DELETE', SCHEDULES, { guids: ONE, policy: 'force' }],
    answer: count(1),
    audit: ['remove'],
    one: null,
  },
  {
    it: 'does not find it any more',
    call: ['PUT', `${SCHEDULES}/${ONE}`, { name: 'first', query: QUICK, ...CRON }],
    answer: illegal(`scheduled query not found: ${ONE}`),
    audit: ['update', `scheduled query not found: ${ONE}`],
  },
];

onEachDatabase('An administrator', (subject) => {
  for (const { it: sentence, call, answer, audit, one } of STEPS) {
    it(sentence, async () => {
      const [method, path, form] = call;
      const entries = await entriesOf(subject, async () => {
        expect(outcome(await subject.call(method, path, { form }))).toEqual(answer);
      });
      const [action, error] = audit;
      expect(entries).toMatchObject([{ module: 'scheduled-queries', method: action, ...(error ? { error } : {}) }]);
      expect('error' in entries[0]).toBe(error !== undefined);
      if (one === null) expect(await recordOf(subject, ONE)).toBeNull();
      else if (one) expect(await recordOf(subject, ONE)).toMatchObject(one);
      // What is stopped next should be at work.
      if (one?.running_state === 'running') await runningQuery(subject, ONE);
    });
  }

  it('finds the follower as it was, without the name of what is gone, and no slot of it', async () => {
    expect(await recordOf(subject, TWO)).toMatchObject({
      preceding_guid: ONE,
      preceding_name: null,
      running_state: null,
    });
  });
});
