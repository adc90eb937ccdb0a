// What becomes of runs when the process ends under them: by a kill that nobody sees coming, and by an orderly stop.

import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createDatabase } from '#test/support/databases.ts';
import { callerOf, makeHome, type VigilProcess } from '#test/support/process.ts';
import {
  createFollower,
  createRunning,
  endedSlots,
  QUICK,
  recordOf,
  runToEnd,
  SCHEDULES,
  slotsOf,
  slotsWhen,
} from '#test/support/scheduled-queries.ts';
import { databases, MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { isLong } from './rounds.ts';

/** On PostgreSQL a dead process is known by its lease alone, which takes a minute: for the long form only. */
const examined = databases.filter(({ name }) => name === 'sqlite' || isLong);

for (const { name, skip } of examined) {
  describe.skipIf(skip)(`A run whose process was killed, on ${name}`, () => {
    it('has failed, once, and those that wait for its failure run', async () => {
      await using home = await homeOn(name);
      const before = home.serve();
      const first = callerOf(await before.ready());
      const { guid, queryId } = await createRunning(first);
      const waiting = { failed: '', finished: '', succeeded: '' };
      for (const action of ['failed', 'finished', 'succeeded'] as const) {
        waiting[action] = await createFollower(first, guid, { preceding_action: action });
      }
      const [{ run_guid, slot_time, started }] = await slotsOf(first, guid);
      const service = await home.again(before, 'SIGKILL');
      const slots = await endedSlots(service, guid, 1);
      expect(slots).toMatchObject([
        { outcome: 'ran', state: 'failed', error: 'node-unavailable', finished: expect.any(String) },
      ]);
      expect(slots).toMatchObject([{ run_guid, slot_time, started, query_id: queryId }]);
      expect(await recordOf(service, guid)).toMatchObject({
        running_state: 'idle',
        result_state: 'failed',
        last_failure_time: slots[0].finished,
        last_failure_reason: 'node-unavailable',
      });
      for (const action of ['failed', 'finished'] as const) {
        const following = await endedSlots(service, waiting[action], 1);
        expect(following).toMatchObject([{ state: 'succeeded', slot_time: slots[0].finished }]);
      }
      expect(await slotsOf(service, waiting.succeeded)).toEqual([]);
      expect(outcome(await service.call('GET', `/api/core/queries/${queryId}`))).toEqual(
        refused(403, 'invalid-query-id', `cannot access query ${queryId}`),
      );
      await makeQuick(service, guid);
      expect(await runToEnd(service, guid)).toMatchObject({ state: 'succeeded' });
      expect(await slotsOf(service, guid)).toHaveLength(2);
    });

    it('does not take what waits to be backfilled with it', async () => {
      await using home = await homeOn(name);
      const before = home.serve();
      const first = callerOf(await before.ready());
      const { guid } = await createRunning(first);
      await makeQuick(first, guid);
      const form = { from: '2024-03-01 00:00:00+0000', to: '2024-03-01 03:00:00+0000' };
      const { json } = await first.call('POST', `${SCHEDULES}/${guid}/backfill`, { form });
      expect(json).toEqual({ queued: 4, skipped: 0 });
      const service = await home.again(before, 'SIGKILL');
      const isDone = ({ outcome: is, state }: { outcome: string; state: string }) =>
        is === 'backfilled' && state === 'succeeded';
      const slots = await slotsWhen(service, guid, (all) => all.filter(isDone).length === 4);
      expect(slots).toHaveLength(5);
      expect(slots[0]).toMatchObject({ state: 'failed', error: 'node-unavailable' });
      const repeated = await service.call('POST', `${SCHEDULES}/${guid}/backfill`, { form });
      expect(repeated.json).toEqual({ queued: 0, skipped: 4 });
    });
  });

  describe.skipIf(skip)(`A run whose process was stopped, on ${name}`, () => {
    it('has ended with it', async () => {
      await using home = await homeOn(name);
      const before = home.serve();
      const { guid } = await createRunning(callerOf(await before.ready()));
      const service = await home.again(before, 'SIGTERM');
      const [slot, ...others] = await endedSlots(service, guid, 1);
      expect(others).toEqual([]);
      expect(slot).toMatchObject({ outcome: 'ran', finished: expect.any(String) });
      expect(['failed', 'cancelled']).toContain(slot.state);
      expect(await recordOf(service, guid)).toMatchObject({ running_state: 'idle', result_state: slot.state });
    });
  });
}

/** An installation whose processes come one after another. */
async function homeOn(database: string) {
  const home = makeHome();
  const environment =
    database === 'postgres' ? { VIGIL_DATABASE: await createDatabase(`t_${newGuid().replaceAll('-', '')}`) } : {};
  const serve = () => home.serve({ VIGIL_MASTER_KEY: MASTER_KEY, ...environment });
  let last: VigilProcess | undefined;
  return {
    serve,
    async again({ child }: VigilProcess, signal: NodeJS.Signals) {
      child.kill(signal);
      await once(child, 'close');
      last = serve();
      return callerOf(await last.ready());
    },
    async [Symbol.asyncDispose]() {
      last?.child.kill('SIGTERM');
      await last?.exited();
      home[Symbol.dispose]();
    },
  };
}

async function makeQuick(service: ReturnType<typeof callerOf>, guid: string): Promise<void> {
  const form = { name: guid, query: QUICK, trigger_type: 'cron', cron_schedule: '0 * * * *' };
  expect((await service.call('PUT', `${SCHEDULES}/${guid}`, { form })).text).toBe('{}');
}
