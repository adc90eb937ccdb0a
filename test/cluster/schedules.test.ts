// Schedules over three nodes: every slot has one row, a node of the types that a query asks for runs it, and what a node leaves
// behind is taken over by others.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { type Cluster, type ClusterNode, makeCluster, startCluster } from '#test/support/cluster.ts';
import {
  createFollower,
  createSchedule,
  runningQuery,
  SCHEDULES,
  SLOW,
  slotsOf,
  slotsWhen,
  start,
  stop,
} from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';

const skip = inject('clickhouse').reason || inject('postgresReason');
const EVERY_SECOND = { enabled: 'true', cron_schedule: '* * * * * *' };

const timeOf = ({ slot_time }: Wire): number => Date.parse(slot_time.replace(' ', 'T'));

/** Every second from the first to the last has one row. */
function expectWhole(slots: readonly Wire[]): void {
  const times = slots.map(timeOf).toReversed();
  expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + index * 1000));
}

describe.skipIf(skip)('Schedules of three nodes', () => {
  let server: ClickhouseServer;
  let cluster: Cluster;
  const node = (at: number): ClusterNode => cluster.node(at);
  beforeAll(async () => {
    server = await startClickhouse();
    cluster = await makeCluster({ server });
    node(0).start({ VIGIL_NODE_TYPES: 'data' });
    node(1).start({ VIGIL_NODE_TYPES: 'data' });
    node(2).start({ VIGIL_NODE_TYPES: 'control' });
    await Promise.all(cluster.nodes.map((one) => one.ready()));
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const disable = async (guid: string, from: ClusterNode): Promise<Wire[]> => {
    const form = { name: `s ${guid}`, query: 'json "{}"', trigger_type: 'cron', ...EVERY_SECOND, enabled: 'false' };
    const answer = await from.call('PUT', `${SCHEDULES}/${guid}`, { form });
    expect(answer.text).toBe('{}');
    return await slotsWhen(from, guid, (slots) => slots.every(({ state }) => state !== 'running'));
  };

  it('run on a node of the types that they ask for, once each', async () => {
    const free = await createSchedule(node(0), EVERY_SECOND);
    const control = await createSchedule(node(0), { ...EVERY_SECOND, node_types: 'control' });
    const hasRun = ({ outcome, state }: Wire) => outcome === 'ran' && state === 'succeeded';
    await slotsWhen(node(1), control, (slots) => slots.filter(hasRun).length >= 3);
    await slotsWhen(node(1), free, (slots) => slots.length >= 4);
    const ofControl = await disable(control, node(1));
    expect(new Set(ofControl.flatMap(({ node }) => node ?? []))).toEqual(new Set(['n3']));
    expect(ofControl.filter(({ outcome }) => outcome === 'missed')).toEqual([]);
    expectWhole(ofControl);
    expectWhole(await disable(free, node(2)));
  });

  it('let a follower run where its types are', async () => {
    const first = await createSchedule(node(0));
    const second = await createFollower(node(0), first, { node_types: 'control' });
    await start(node(0), first);
    const [slot] = await slotsWhen(node(1), second, ([newest]) => newest?.state === 'succeeded');
    expect(slot).toMatchObject({ outcome: 'ran', node: 'n3' });
  });

  it('run by hand and backfill where their types are, whichever node is asked', async () => {
    const control = await createSchedule(node(0), { node_types: 'control', cron_schedule: '0 0 * * *' });
    await start(node(0), control);
    const [slot] = await slotsWhen(node(1), control, ([newest]) => newest?.state === 'succeeded');
    expect(slot).toMatchObject({ outcome: 'ran', reason: 'manual', node: 'n3' });
    const form = { from: '2024-01-01 00:00:00+0000', to: '2024-01-03 23:00:00+0000' };
    const answer = await node(1).call('POST', `${SCHEDULES}/${control}/backfill`, { form });
    expect(answer.json, answer.text).toMatchObject({ queued: 3 });
    const filled = (slots: readonly Wire[]) =>
      slots.filter(({ outcome, state }) => outcome === 'backfilled' && state === 'succeeded');
    const slots = await slotsWhen(node(0), control, (all) => filled(all).length === 3);
    expect(filled(slots).map((one) => one.node)).toEqual(['n3', 'n3', 'n3']);
  });

  it('are stopped from another node, and a backfill that waits on a third one runs then', async () => {
    const guid = await createSchedule(node(0), { query: SLOW, cron_schedule: '* * * * *' });
    await start(node(0), guid);
    const first = await runningQuery(node(0), guid);
    const minute = `${new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace('T', ' ')}:00+0000`;
    const form = { from: minute, to: minute };
    const queued = await node(1).call('POST', `${SCHEDULES}/${guid}/backfill`, { form });
    expect(queued.json).toEqual({ queued: 1, skipped: 0 });
    // The node that was asked finds the run of the other and leaves the slot in the queue.
    const running = (await slotsOf(node(2), guid)).filter(({ state }) => state === 'running');
    expect(running.map((slot) => slot.query_id)).toEqual([first]);
    expect((await stop(node(2), guid)).json).toMatchObject({ succeeded: 1 });
    const second = await runningQuery(node(2), guid);
    expect(second).not.toBe(first);
    const removed = await node(1).call('DELETE', SCHEDULES, { form: { guids: guid, policy: 'force' } });
    expect(removed.json).toEqual({ succeeded: 1, failures: [] });
  });

  it('hand the run of a killed node over: it has failed, and its follower runs elsewhere', async () => {
    const first = await createSchedule(node(1), { query: SLOW });
    const second = await createFollower(node(1), first, { preceding_action: 'failed' });
    await start(node(1), first);
    await slotsWhen(node(0), first, ([slot]) => slot?.started !== null);
    const regular = await createSchedule(node(1), EVERY_SECOND);
    await slotsWhen(node(0), regular, (slots) => slots.length >= 2);
    await node(1).end('SIGKILL');
    const [followed] = await slotsWhen(node(0), second, ([slot]) => slot?.state === 'succeeded');
    expect(followed?.node).not.toBe('n2');
    expect((await slotsOf(node(0), first))[0]).toMatchObject({
      state: 'failed',
      error: 'node-unavailable',
      node: 'n2',
    });
    const slots = await disable(regular, node(0));
    expectWhole(slots);
    node(1).start({ VIGIL_NODE_TYPES: 'data' });
    await node(1).ready();
  });

  it('are missed where no node of their types lives, and by nobody earlier than that is known', async () => {
    expect(await node(2).end('SIGTERM')).toBe(0);
    const control = await createSchedule(node(0), { ...EVERY_SECOND, node_types: 'control' });
    const slots = await slotsWhen(node(1), control, (all) => all.length >= 2);
    expect(slots[0]).toMatchObject({ outcome: 'missed', reason: 'node-unavailable', node: null });
    const byHand = await node(1).call('POST', `${SCHEDULES}/run`, { json: { guids: [control] } });
    expect(byHand.json).toEqual({ succeeded: 0, failures: [{ id: control, reason: 'node-unavailable' }] });
    node(2).start({ VIGIL_NODE_TYPES: 'control' });
    await node(2).ready();
    await slotsWhen(node(0), control, ([newest]) => newest?.outcome === 'ran');
    expectWhole(await disable(control, node(1)));
  });

  it('are handed over at once by a node that leaves in order: long before its lease would end', async () => {
    const environment = { VIGIL_NODE_RENEWAL: '200', VIGIL_NODE_LEASE: '600' };
    await using pair = await startCluster({ server, count: 2, environment });
    const leaving = pair.node(0);
    const staying = pair.node(1);
    const first = await createSchedule(leaving, { query: SLOW });
    const second = await createFollower(leaving, first, { preceding_action: 'failed' });
    await start(leaving, first);
    await slotsWhen(staying, first, ([slot]) => slot?.started !== null);
    expect(await leaving.end('SIGTERM')).toBe(0);
    const [followed] = await slotsWhen(staying, second, ([slot]) => slot?.state === 'succeeded');
    expect(followed).toMatchObject({ outcome: 'ran', node: 'n2' });
    expect((await slotsOf(staying, first))[0]).toMatchObject({
      state: 'failed',
      error: 'node-unavailable',
      node: 'n1',
    });
  });
});
