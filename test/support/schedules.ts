// Scheduled queries for tests: made over REST, watched through their slots.

import type { CallOptions, Service } from './service.ts';

type Caller = Pick<Service, 'call'>;

export const SCHEDULED = '/api/core/scheduled-queries';

/** Ends at once, with one row. */
export const QUICK = 'json "{n: 1}"';

/** Runs until it is stopped. */
export const ENDLESS = 'json "{a:1}" | repeat count=1000000000 | union [ json "[]" ]';

// biome-ignore lint/suspicious/noExplicitAny: records on the wire are compared as they are
export type Wire = any;

let made = 0;

/** The guid of a new scheduled query: enabled, quick, every minute, unless `fields` say otherwise. */
export async function schedule(service: Caller, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  made += 1;
  const json = {
    name: `query ${made}`,
    query: QUICK,
    enabled: true,
    trigger_type: 'cron',
    cron_schedule: '* * * * *',
    ...fields,
  };
  const answer = await service.call('POST', SCHEDULED, { json });
  if (answer.status !== 200) throw new Error(`not scheduled: ${answer.text}`);
  return answer.json.guid;
}

/** A query that follows another one. */
export const follow = (service: Caller, preceding: string, fields: Readonly<Record<string, unknown>> = {}) =>
  schedule(service, { trigger_type: 'workflow', preceding_guid: preceding, preceding_action: 'finished', ...fields });

export async function recordOf(service: Caller, guid: string): Promise<Wire> {
  return (await service.call('GET', `${SCHEDULED}/${guid}`)).json.scheduled_query;
}

/** The slots of a query, the oldest first. */
export async function slotsOf(service: Caller, guid: string, query = ''): Promise<Wire[]> {
  const { json, text } = await service.call('GET', `${SCHEDULED}/${guid}/slots${query}`);
  if (!json?.slots) throw new Error(`no slots: ${text}`);
  return json.slots.toReversed();
}

export const isOver = ({ state }: Wire): boolean => state !== 'running';

/** Asks again until `isSo`, for what the scheduler does by itself. */
export async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (let round = 0; round < 1000; round += 1) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came to be: ${JSON.stringify(await ask())}`);
}

/** Slots once there are `count` of them and none runs. */
export const slotsWhen = (service: Caller, guid: string, count: number): Promise<Wire[]> =>
  until(
    () => slotsOf(service, guid),
    (slots) => slots.length >= count && slots.every(isOver),
  );

/** Slots once one of them has a query at work. */
export const begun = (service: Caller, guid: string): Promise<Wire[]> =>
  until(
    () => slotsOf(service, guid),
    (slots) => slots.some(({ state, started }) => state === 'running' && started !== null),
  );

export const run = (service: Caller, ...guids: string[]) => act(service, 'run', guids);
export const stop = (service: Caller, ...guids: string[]) => act(service, 'stop', guids);

function act(service: Caller, verb: string, guids: readonly string[], options: CallOptions = {}) {
  return service.call('POST', `${SCHEDULED}/${verb}`, { ...options, form: { guids: guids.join(',') } });
}
