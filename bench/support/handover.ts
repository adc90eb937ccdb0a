// How long a schedule rests when the node that runs it goes: a schedule of every second whose run does not end, on two nodes.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Nodes } from './nodes.ts';
import { type Service, serviceOf } from './service-calls.ts';

const SCHEDULES = '/api/core/scheduled-queries';
const ENDLESS =
  'json "{a:1}" | repeat count=1000000000 | repeat count=1000 | eval b = rand(10) | search b > 10 | stats count';
const EVERY_SECOND = {
  name: 'every second',
  enabled: 'true',
  trigger_type: 'cron',
  cron_schedule: '* * * * * *',
  query: ENDLESS,
};
const LOOK_MS = 10;
const MAX_REST_MS = 120_000;

interface Slot {
  readonly outcome: string;
  readonly state: string | null;
  readonly started: string | null;
  readonly node: string | null;
}

const isRunning = ({ outcome, state, started, node }: Slot) =>
  outcome === 'ran' && state === 'running' && started !== null && node !== null;

/** Milliseconds from the moment at which the node of the run is told to go until another one runs the schedule. */
export async function restOfSchedule(nodes: Nodes, how: 'kill' | 'stop'): Promise<number> {
  const services = nodes.all.map(serviceOf);
  const [first, second] = services;
  if (!first || !second) throw new Error('a node that goes and one that stays');
  const { json } = await first.call('POST', SCHEDULES, { form: EVERY_SECOND });
  const running = await slotWhen(first, json.guid, isRunning);
  const at = running.node === 'n1' ? 0 : 1;
  const staying = at === 0 ? second : first;
  const begun = performance.now();
  const gone = nodes.at(at)[how]();
  await slotWhen(staying, json.guid, (slot) => isRunning(slot) && slot.node !== running.node);
  const rest = performance.now() - begun;
  await gone;
  return rest;
}

async function slotWhen(service: Service, guid: string, isSo: (slot: Slot) => boolean): Promise<Slot> {
  for (const begun = performance.now(); performance.now() - begun < MAX_REST_MS; await sleep(LOOK_MS)) {
    const { json } = await service.call('GET', `${SCHEDULES}/${guid}/slots`);
    const slots: readonly Slot[] = json.slots;
    const found = slots.find(isSo);
    if (found) return found;
  }
  throw new Error(`no slot of the schedule came so far within ${MAX_REST_MS / 1000} s`);
}
