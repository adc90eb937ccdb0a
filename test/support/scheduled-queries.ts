// Scheduled queries for tests: made, run and watched over HTTP alone.

import { newGuid } from '#kernel/guid.ts';
import type { ManualClock } from './manual-clock.ts';
import type { CallOptions, Service, Wire } from './service.ts';
import { until } from './until.ts';

type Caller = Pick<Service, 'call'>;
export type Fields = Readonly<Record<string, string>>;

export const SCHEDULES = '/api/core/scheduled-queries';
export const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** Ends at once with one row. */
export const QUICK = 'json "{a:1}"';
/** Goes on for longer than any test, in little memory, and gives no row before its end. */
export const SLOW =
  'json "{a:1}" | repeat count=1000000000 | repeat count=1000 | eval b = rand(10) | search b > 10 | stats count';
/** Parses and fails when it runs. */
export const FAILING = 'json "[{}]" | repeat count=10001 | eval n = seq() | pivot count cols n';

/** Due on the first of January: never while a test looks on. */
export const YEARLY = { trigger_type: 'cron', cron_schedule: '0 0 1 1 *' };

/** The guid of a new scheduled query that runs only when told to, unless `fields` say otherwise. */
export async function createSchedule(service: Caller, fields: Fields = {}, options: CallOptions = {}): Promise<string> {
  const form = { name: `schedule ${newGuid()}`, query: QUICK, ...YEARLY, ...fields };
  const answer = await service.call('POST', SCHEDULES, { ...options, form });
  if (answer.status !== 200) throw new Error(`not created: ${answer.text}`);
  return answer.json.guid;
}

/** Follows `guid`, by default whatever becomes of it, and is enabled. */
export const createFollower = (service: Caller, guid: string, fields: Fields = {}): Promise<string> =>
  createSchedule(service, {
    enabled: 'true',
    trigger_type: 'workflow',
    preceding_guid: guid,
    preceding_action: 'finished',
    ...fields,
  });

export async function recordOf(service: Caller, guid: string): Promise<Wire> {
  return (await service.call('GET', `${SCHEDULES}/${guid}`)).json.scheduled_query;
}

/** Newest first. */
export async function slotsOf(service: Caller, guid: string, query: Fields = {}): Promise<Wire[]> {
  const answer = await service.call('GET', `${SCHEDULES}/${guid}/slots?${new URLSearchParams(query)}`);
  if (answer.status !== 200) throw new Error(`no slots: ${answer.text}`);
  return answer.json.slots;
}

/** The slots once `isSo`. */
export const slotsWhen = (service: Caller, guid: string, isSo: (slots: Wire[]) => boolean): Promise<Wire[]> =>
  until(() => slotsOf(service, guid), isSo);

/** The slots once there are `count`, all of them at their end. */
export const endedSlots = (service: Caller, guid: string, count: number): Promise<Wire[]> =>
  slotsWhen(service, guid, (slots) => slots.length >= count && slots.every(isOver));

const isOver = ({ state }: Wire) => state !== 'running' && state !== 'queued';

export async function start(service: Caller, guid: string): Promise<void> {
  const { json } = await service.call('POST', `${SCHEDULES}/run`, { form: { guids: guid } });
  if (json.succeeded !== 1) throw new Error(`not started: ${JSON.stringify(json)}`);
}

/** Runs it by hand to its end; its slot. */
export async function runToEnd(service: Caller, guid: string): Promise<Wire> {
  const before = (await slotsOf(service, guid)).length;
  await start(service, guid);
  return (await endedSlots(service, guid, before + 1))[0];
}

/** A query that is running, by hand. */
export async function createRunning(service: Caller, fields: Fields = {}): Promise<{ guid: string; queryId: number }> {
  const guid = await createSchedule(service, { query: SLOW, ...fields });
  await start(service, guid);
  return { guid, queryId: await runningQuery(service, guid) };
}

/** The id of the query that is running for a schedule. */
export async function runningQuery(service: Caller, guid: string): Promise<number> {
  const isRunning = ({ state, query_id }: Wire) => state === 'running' && query_id !== null;
  const slots = await slotsWhen(service, guid, (all) => all.some(isRunning));
  const id: number = slots.find(isRunning).query_id;
  // The slot is on record a moment before its query runs.
  await until(
    async () => (await service.call('GET', `/api/core/queries/${id}`)).status,
    (status) => status === 200,
  );
  return id;
}

export const stop = (service: Caller, ...guids: string[]) =>
  service.call('POST', `${SCHEDULES}/stop`, { form: { guids: guids.join(',') } });

/** Removes everything, whatever runs. */
export async function removeAll(service: Caller): Promise<void> {
  const { scheduled_queries } = (await service.call('GET', SCHEDULES)).json;
  const guids = scheduled_queries.map(({ guid }: Wire) => guid).join(',');
  if (guids) await service.call('DELETE', SCHEDULES, { form: { guids, policy: 'force' } });
}

/** Brings the clock to the next full hour, not beyond it: what is found much later than it was due counts as missed. */
export const toNextHour = (clock: ManualClock): void => toNext(clock, 'hour');
/** The same by minutes: much quicker, because the service does less of what it does every few seconds. */
export const toNextMinute = (clock: ManualClock): void => toNext(clock, 'minute');

function toNext(clock: ManualClock, smallestUnit: 'hour' | 'minute'): void {
  const next = clock.now().add({ nanoseconds: 1 }).round({ smallestUnit, roundingMode: 'ceil' });
  clock.advance(clock.now().until(next));
}
