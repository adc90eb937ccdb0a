// Kills the service at random moments while queries run every second and others follow them. Afterwards every due second
// has exactly one slot, nothing has run twice, and each end that a follower waits for has led to exactly one slot of it.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { rowsOf } from '#test/support/logs.ts';
import { callerOf, type Home, makeHome } from '#test/support/process.ts';
import { createFollower, createSchedule, SCHEDULES, slotsOf, slotsWhen } from '#test/support/scheduled-queries.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { afterReady, report, roundsOf } from './rounds.ts';

const ROUNDS = roundsOf('schedules');
const EVERY_SECOND = { enabled: 'true', trigger_type: 'cron', cron_schedule: '* * * * * *' };
/** Long enough to be killed under. */
const WORK = '| repeat count=20000000 | eval b = rand(10) | search b < 0 | stats count';

/** For which nothing may change before the slots count as complete. */
const QUIET_MS = 300;

type Caller = ReturnType<typeof callerOf>;

interface Tree {
  readonly name: string;
  readonly action: 'cron' | 'finished' | 'succeeded' | 'failed';
  readonly followers: readonly Tree[];
}

interface Node extends Tree {
  readonly guid: string;
  readonly followers: readonly Node[];
}

it(`keeps a whole ledger over ${ROUNDS} kills`, async () => {
  using home = makeHome();
  let roots: readonly Node[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
    const service = callerOf(await started.ready());
    if (round === 0) roots = await prepare(service);
    const moment = 300 + Math.random() * 3000;
    await sleep(moment);
    const acknowledged = await succeededRuns(service, roots);
    await kill(started);
    const kills = [afterReady(moment)];
    if (Math.random() < 0.3) kills.push(await killWhileStarting(home));
    const found = await ranOnce(home);
    expect(found, 'a run that succeeded has left nothing').toBeGreaterThanOrEqual(acknowledged);
    report({ suite: 'schedules', round, kill: kills.join(', '), acknowledged, found });
  }
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const service = callerOf(await started.ready());
  await compare(service, roots);
  started.child.kill('SIGTERM');
  expect(await started.exited(), started.output().stderr).toBe(0);
});

async function prepare(service: Caller): Promise<readonly Node[]> {
  await service.call('POST', '/api/core/tables', { form: { table: 'evidence' } });
  const leaf = (name: string, action: Tree['action']): Tree => ({ name, action, followers: [] });
  const chain: Tree = { name: 'b', action: 'succeeded', followers: [leaf('c', 'finished'), leaf('d', 'failed')] };
  const trees: readonly Tree[] = [
    { name: 'quick', action: 'cron', followers: [chain, leaf('e', 'finished')] },
    { name: 'slow', action: 'cron', followers: [leaf('f', 'finished'), leaf('g', 'failed')] },
    { name: 'wrong', action: 'cron', followers: [leaf('h', 'failed'), leaf('i', 'succeeded')] },
    leaf('alone', 'cron'),
  ];
  const made: Node[] = [];
  for (const tree of trees) made.push(await plant(service, tree, undefined));
  return made;
}

/** Followers are there before what they follow is enabled, so that they miss no end of it. */
async function plant(service: Caller, tree: Tree, before: string | undefined): Promise<Node> {
  const { name, action } = tree;
  const fields = { name, query: queryOf(name) };
  const guid =
    before === undefined
      ? await createSchedule(service, fields)
      : await createFollower(service, before, { ...fields, preceding_action: action });
  const followers: Node[] = [];
  for (const follower of tree.followers) followers.push(await plant(service, follower, guid));
  if (before === undefined) await update(service, { name, guid }, { ...EVERY_SECOND });
  return { name, action, guid, followers };
}

/** Each run leaves a row with the moment it saw. */
function queryOf(name: string): string {
  const trace = `json "{who:'${name}'}" | eval seen = string(now(), "yyyy-MM-dd HH:mm:ss") | import evidence`;
  if (name === 'slow') return `${trace} ${WORK}`;
  return name === 'wrong' ? 'no such command' : trace;
}

async function update(service: Caller, { name, guid }: Pick<Node, 'name' | 'guid'>, fields: Record<string, string>) {
  const form = { name, query: queryOf(name), ...EVERY_SECOND, ...fields };
  const answer = await service.call('PUT', `${SCHEDULES}/${guid}`, { form });
  if (answer.status !== 200) throw new Error(answer.text);
}

async function kill({ child }: ReturnType<Home['serve']>): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

async function killWhileStarting(home: Home): Promise<string> {
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const moment = Math.random() * 2000;
  await sleep(moment);
  await kill(started);
  return `${Math.round(moment)} ms into a start`;
}

/** Runs of the schedules that leave a row, as far as they have said that they succeeded. */
async function succeededRuns(service: Caller, roots: readonly Node[]): Promise<number> {
  let count = 0;
  for (const { guid } of roots.filter(({ name }) => name !== 'wrong')) {
    count += (await slotsOf(service, guid)).filter(({ state }) => state === 'succeeded').length;
  }
  return count;
}

/** Rows that runs have left, of which no two are of one slot. */
async function ranOnce(home: Home): Promise<number> {
  const started = home.serve({ VIGIL_MASTER_KEY: MASTER_KEY });
  const rows = await rowsOf(callerOf(await started.ready()), 'table evidence');
  expect(new Set(rows.map(({ who, seen }) => `${who} ${seen}`)).size, 'something ran twice').toBe(rows.length);
  await kill(started);
  return rows.length;
}

async function compare(service: Caller, roots: readonly Node[]): Promise<void> {
  for (const { guid } of roots) {
    // What was missed is written down before anything else is due.
    const before = (await slotsOf(service, guid)).length;
    await slotsWhen(service, guid, (slots) => slots.length > before);
  }
  for (const root of roots) await update(service, root, { enabled: 'false' });
  const ledger = await quietLedger(service, roots.flatMap(nodesOf));
  const rows = await rowsOf(service, 'table evidence');
  const seen = rows.map((row) => `${row.who} ${row.seen}`);
  expect(new Set(seen).size, 'something ran twice').toBe(seen.length);
  for (const root of roots) {
    compareTimes(root, ledger.get(root.guid) ?? []);
    compareTree(root, { ledger, seen: new Set(seen) });
  }
}

const nodesOf = (node: Node): Node[] => [node, ...node.followers.flatMap(nodesOf)];

type SlotsByGuid = ReadonlyMap<string, readonly Wire[]>;

/** All slots, once nothing runs and nothing changes any longer: what is caught up on comes one after another. */
async function quietLedger(service: Caller, nodes: readonly Node[]): Promise<SlotsByGuid> {
  let last = '';
  const ledger = async () => {
    const slots: [string, readonly Wire[]][] = [];
    for (const { guid } of nodes) slots.push([guid, await slotsOf(service, guid)]);
    const before = last;
    last = JSON.stringify(slots);
    const isRunning = slots.flatMap(([, some]) => some).some(({ state }) => state === 'running');
    await sleep(QUIET_MS);
    return { slots, isQuiet: !isRunning && last === before };
  };
  return new Map((await until(ledger, ({ isQuiet }) => isQuiet)).slots);
}

/** One slot for each second from the first to the last. */
function compareTimes({ name }: Node, slots: readonly Wire[]): void {
  const times = slots.map(({ slot_time }) => Date.parse(slot_time.replace(/(\d\d)$/, ':$1')) / 1000);
  const first = times.at(-1) ?? 0;
  expect(times.toReversed(), `${name} has a gap or a double`).toEqual(times.map((_, second) => first + second));
  expect(new Set(slots.map(({ outcome, reason }) => `${outcome} ${reason}`)).size).toBeGreaterThan(1);
}

/** What succeeded has left its row, and every end one slot of each follower that waits for such an end. */
function compareTree(node: Node, { ledger, seen }: { ledger: SlotsByGuid; seen: ReadonlySet<string> }): void {
  const slots = ledger.get(node.guid) ?? [];
  if (node.action === 'cron' && node.name !== 'wrong') {
    const done = slots.filter(({ state }) => state === 'succeeded');
    expect(done.length, `${node.name} never succeeded`).toBeGreaterThan(0);
    const lost = done.filter(({ slot_time }) => !seen.has(`${node.name} ${slot_time.slice(0, 19)}`));
    expect(lost, `${node.name} has not done what it says`).toEqual([]);
  }
  for (const follower of node.followers) {
    const ends = slots.filter(({ state }) => isAwaited(follower.action, state)).map(({ finished }) => finished);
    const due = (ledger.get(follower.guid) ?? []).map(({ slot_time }) => slot_time);
    expect(due.toSorted(), `${follower.name} after ${node.name}`).toEqual(ends.toSorted());
    compareTree(follower, { ledger, seen });
  }
}

const isAwaited = (action: Node['action'], state: string | null) =>
  action === 'finished' ? state === 'succeeded' || state === 'failed' : state === action;
