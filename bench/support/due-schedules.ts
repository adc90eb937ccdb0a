// Many schedules of one service, and a moment at which a part of them is due together.

import { setTimeout as pause } from 'node:timers/promises';
import type { Effort } from './bench.ts';
import { callConcurrently } from './concurrent-calls.ts';
import { metricOf } from './metric-values.ts';
import { type ServerProcess, vigil } from './server-process.ts';
import { type Service, serviceOf } from './service-calls.ts';

export const SCHEDULES = '/api/core/scheduled-queries';
export const QUERY = 'json "[{a:1},{a:2}]" | stats sum(a) as total';
const YEARLY = '0 0 1 1 *';
/** So long before the moment everything must stand. */
const HEADROOM_MS = 3000;
/** Metrics take some milliseconds of the main thread, which the runs need. */
const POLL_MS = 100;

export interface Storm {
  /** Milliseconds from the due moment until every slot was in the ledger, and until every run had ended. */
  readonly written: number;
  readonly done: number;
  /** Of each run: milliseconds from the due moment to its start. */
  readonly lateness: readonly number[];
}

export const installed = (folder: string) => vigil({ folder });

/** The guids of `count` enabled schedules, none of which is due soon. */
export async function createSchedules(server: ServerProcess, count: number, say: Effort['say']): Promise<string[]> {
  const service = serviceOf(server);
  const guids: string[] = [];
  await callConcurrently(count, async (number) => {
    const { json } = await service.call('POST', SCHEDULES, { form: fieldsOf(number, YEARLY) });
    guids[number] = json.guid;
    say(`${number + 1} of ${count} schedules`);
  });
  return guids;
}

const fieldsOf = (number: number, cron_schedule: string) => ({
  name: `schedule ${number}`,
  query: QUERY,
  enabled: 'true',
  trigger_type: 'cron',
  cron_schedule,
});

/** Makes all of `guids` due at one moment to come; the moment, in epoch milliseconds. */
export async function letFallDue(server: ServerProcess, guids: readonly string[]): Promise<number> {
  const service = serviceOf(server);
  for (let seconds = 10 + guids.length / 20; ; seconds *= 2) {
    const moment = Temporal.Now.instant()
      .add({ seconds: Math.ceil(seconds) })
      .round('second');
    const { second, minute, hour, day, month } = moment.toZonedDateTimeISO('UTC');
    const cron = `${second} ${minute} ${hour} ${day} ${month} *`;
    await callConcurrently(guids.length, async (number) => {
      await service.call('PUT', `${SCHEDULES}/${guids[number]}`, { form: fieldsOf(number, cron) });
    });
    if (moment.epochMilliseconds - Date.now() > HEADROOM_MS) return moment.epochMilliseconds;
  }
}

/** Looks on while schedules that are due at `moment` run, and checks that each did. */
export async function watchStorm(server: ServerProcess, guids: readonly string[], moment: number): Promise<Storm> {
  await pause(Math.max(0, moment - Date.now()));
  const written = await sinceWhen(moment, guids.length, () => metricOf(server, 'vigil_slots_total', '"ran"'));
  const done = await sinceWhen(moment, guids.length, () =>
    metricOf(server, 'vigil_queries_finished_total', '"scheduled-query"'),
  );
  const lateness: number[] = [];
  const service = serviceOf(server);
  await callConcurrently(guids.length, async (number) => {
    lateness.push((await startOf(service, guids[number] ?? '')) - moment);
  });
  return { written, done, lateness };
}

async function sinceWhen(moment: number, count: number, counted: () => Promise<number>): Promise<number> {
  while ((await counted()) < count) await pause(POLL_MS);
  return Date.now() - moment;
}

/** Epoch milliseconds. The ledger tells seconds alone, the status record of the run tells more. */
async function startOf(service: Service, guid: string): Promise<number> {
  const { slots } = (await service.call('GET', `${SCHEDULES}/${guid}/slots`)).json;
  const [slot] = slots;
  const isRight = slots.length === 1 && slot.outcome === 'ran' && slot.state === 'succeeded' && slot.rows === 1;
  if (!isRight) throw new Error(`schedule ${guid} did not run as it should: ${JSON.stringify(slots)}`);
  return (await service.call('GET', `/api/core/queries/${slot.query_id}`)).json.start_time;
}
