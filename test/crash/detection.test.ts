// Kills the service at random moments while a rule finds something every second. Afterwards no run has raised its event
// twice, what a run has found is there with its ticket, and the webhook has heard of every event.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { callerOf, makeHome } from '#test/support/process.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { Webhook } from '#test/support/webhook.ts';
import { afterReady, type Round, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('detection');
const ENVIRONMENT = { VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_WEBHOOK_TARGETS: 'any' };

type Caller = ReturnType<typeof callerOf>;

it(`raises what it finds once over ${ROUNDS} kills`, async () => {
  using home = makeHome();
  const webhook = await Webhook.open();
  let last: Omit<Round, 'suite' | 'found'> | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = home.serve(ENVIRONMENT);
    const service = callerOf(await started.ready());
    if (round === 0) await prepare(service, webhook.url);
    if (last) await tell(service, last);
    const moment = 1500 + Math.random() * 2500;
    await sleep(moment);
    last = { round, kill: afterReady(moment), acknowledged: await countOf(service) };
    started.child.kill('SIGKILL');
    await once(started.child, 'close');
  }
  const started = home.serve(ENVIRONMENT);
  const service = callerOf(await started.ready());
  if (last) await tell(service, last);
  await expect.poll(async () => (await eventsOf(service)).length).toBeGreaterThan(0);
  await service.call('POST', `/api/core/batch-rules/${await ruleOf(service)}/disable`);
  const heard = () => new Set(webhook.told.map(({ body }) => JSON.parse(body).event.guid));
  const unheard = async () => (await eventsOf(service)).filter(({ guid }) => !heard().has(guid));
  // One that was on its way at a kill is told again half a minute later.
  await expect.poll(unheard).toEqual([]);
  const events = await eventsOf(service);
  const runs = events.map(({ query_id }) => query_id);
  expect(runs).toEqual([...new Set(runs)]);
  const { total, tickets } = (await service.call('GET', '/api/core/tickets')).json;
  expect(tickets.map(({ guid }: Wire) => guid).sort()).toEqual(events.map(({ ticket_guid }) => ticket_guid).sort());
  expect(total).toBe(events.length);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
  webhook.close();
});

async function prepare(service: Caller, url: string): Promise<void> {
  const repo = await created(service, '/api/core/ticket-repos', { name: 'soc' });
  const members = JSON.stringify([{ type: 'WEBHOOK', url, secret: 's' }]);
  const group = await created(service, '/api/core/alarm-groups', { name: 'duty', members });
  await created(service, '/api/core/batch-rules', {
    priority: 'HIGH',
    name: 'every second',
    msg: 'found',
    schedule: '* * * * * *',
    query: 'json "{\\"a\\":1}"',
    ticket_issue_cond: 'ALWAYS',
    ticket_repo_guid: repo,
    alarm_group_guid: group,
    enabled: 'true',
  });
}

/** Tells of the last kill, as the service is after it: what was shown before it is there. */
async function tell(service: Caller, last: Omit<Round, 'suite' | 'found'>): Promise<void> {
  const found = await countOf(service);
  expect(found, 'events are gone').toBeGreaterThanOrEqual(last.acknowledged);
  report({ ...last, suite: 'detection', found });
}

const countOf = async ({ call }: Caller): Promise<number> =>
  (await call('GET', '/api/core/events?limit=0')).json.total_count;
const eventsOf = async ({ call }: Caller): Promise<Wire[]> => (await call('GET', '/api/core/events')).json.events;
const ruleOf = async ({ call }: Caller): Promise<string> =>
  (await call('GET', '/api/core/batch-rules')).json.rules[0].guid;
