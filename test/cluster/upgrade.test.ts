// A rolling upgrade: nodes of an older version are replaced one by one by those of a newer one, while clients push, upload and make
// objects through any of them and a query runs every second. In short, this version is the older one, the newer one has a
// migration more, of all kinds that expand, and one of two nodes is replaced. `npm run test:upgrade` starts from a commit of the
// history instead, and replaces three nodes by this version.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, it } from 'vitest';
import { Senders } from '#test/crash/clickhouse-senders.ts';
import { runCli } from '#test/support/cli.ts';
import { startClickhouse } from '#test/support/clickhouse.ts';
import { type Cluster, type ClusterNode, makeCluster } from '#test/support/cluster.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { home } from '#test/support/process-suite.ts';
import { CURSORS, finished, openCursor, statusOf } from '#test/support/queries.ts';
import { createSchedule, SCHEDULES, slotsOf } from '#test/support/scheduled-queries.ts';
import type { Service, Wire } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { commitBefore, nextVersion, presentVersion, type Version, versionOf } from '#test/support/versions.ts';

const skip = inject('clickhouse').reason || inject('postgresReason');

/** A commit, or `before` for the newest one with a smaller database. */
const { VIGIL_UPGRADE_FROM: from } = process.env;
const [COUNT, REPLACED] = from === undefined ? [2, 1] : [3, 3];
const TABLE = 'web';
const COMPANIES = '/api/core/companies';
/** Acknowledged batches between two replacements. */
const MIN_STORED = from === undefined ? 4 : 40;
const EVERY_SECOND = { enabled: 'true', trigger_type: 'cron', cron_schedule: '* * * * * *' };
const EVIDENCE = `json "{who:'alone'}" | eval seen = string(now(), "yyyy-MM-dd HH:mm:ss") | import evidence`;

type Caller = Pick<Service, 'call'>;

const versions = (): [Version, Version] => {
  if (from === undefined) return [presentVersion(), nextVersion()];
  const commit = from === 'before' ? commitBefore() : from;
  console.log(`from ${commit}`);
  return [versionOf(commit), presentVersion()];
};

describe.skipIf(skip)(`${COUNT} nodes`, () => {
  it('are replaced one by one by those of a newer version, and lose nothing', async () => {
    const [older, newer] = versions();
    using _ = older;
    using __ = newer;
    await using server = await startClickhouse();
    await using cluster = await makeCluster({
      server,
      count: COUNT,
      // Made by the older version.
      isEmpty: from !== undefined,
      // Every node leaves in order, so leases are not for the test to wait for.
      environment: { VIGIL_UPLOAD_STREAMS_PER_ACCOUNT: '1000', VIGIL_NODE_LEASE: '120' },
    });
    await startAll(cluster, older);
    const first = cluster.node(0);
    const senders = new Senders({ table: TABLE, logger: await createLogger(first, { table: TABLE }) });
    await first.call('POST', '/api/core/tables', { form: { table: 'evidence' } });
    const schedule = await createSchedule(first, { name: 'alone', query: EVIDENCE, ...EVERY_SECOND });
    const companies = new Companies();
    const stop = new AbortController();
    const work = balancer(cluster);
    const working = Promise.all([
      senders.work(work, stop.signal, { isOneOfMany: true }),
      companies.work(work, stop.signal),
    ]);
    const news = await createLogger(first, { table: 'news' });
    let refused = 0;
    const before = await migrationsOf(cluster);
    for (const [at, node] of cluster.nodes.slice(0, REPLACED).entries()) {
      await storesMore(senders, working);
      expect(await node.end('SIGTERM'), node.process.output().stderr).toBe(0);
      node.start({}, newer);
      await node.ready();
      const isNewer = (await migrationsOf(cluster)) > before;
      await compareReadiness(cluster, { replaced: at + 1, isNewer });
      await passOn(cluster.nodes);
      await seeTogether(cluster.nodes, news);
      if (at === 0) refused = await refuseTogether(cluster.nodes);
      if (at === 0 && isNewer && from !== undefined) await refuseOlder(cluster, older);
      await storesMore(senders, working);
    }
    stop.abort();
    await working;
    expect(await senders.settle(work)).toBeGreaterThan(0);
    for (const node of cluster.nodes) await companies.settle(node);
    await compareSlots(work, schedule);
    // A minute, the time in which all nodes add, and a look.
    await expect.poll(() => countedRefusals(cluster), { interval: 1000 }).toBe(refused);
    const shown: Wire[] = (await first.call('GET', '/api/core/nodes')).json.nodes;
    const versionAt = (at: number) => (at < REPLACED ? newer : older).version;
    expect(shown.map(({ state, version }) => [state, version])).toEqual(shown.map((_, at) => ['alive', versionAt(at)]));
    for (const node of cluster.nodes) await prove(cluster, node);
    for (const node of cluster.nodes) expect(await node.end('SIGTERM'), node.process.output().stderr).toBe(0);
  });
});

async function startAll({ nodes }: Cluster, version: Version): Promise<void> {
  for (const node of nodes) node.start({}, version);
  await Promise.all(nodes.map((node) => node.ready()));
}

const migrationsOf = async ({ sql }: Cluster): Promise<number> =>
  Number((await sql('select max(number) as newest from migrations'))[0]?.newest);

/** One that is older than the database is not ready, however soon it is asked, and answers all the same; the others are. */
async function compareReadiness({ nodes }: Cluster, { replaced, isNewer }: { replaced: number; isNewer: boolean }) {
  for (const [at, node] of nodes.entries()) {
    const isOld = at >= replaced && isNewer;
    const asked = async () => {
      const { status, json } = await node.call('GET', '/readyz', { key: null });
      return [node.name, status, json.checks.store];
    };
    if (isOld) expect((await asked())[1], node.name).toBe(503);
    // On a busy machine a part may not answer in time.
    await expect.poll(asked).toEqual([node.name, isOld ? 503 : 200, isOld ? 'failed' : 'ok']);
  }
}

/** Each reads the rows of a query of each other. */
async function passOn(nodes: readonly ClusterNode[]): Promise<void> {
  for (const owner of nodes) {
    const id = await openCursor(owner, 'json "{a:1}" | repeat count=3');
    for (const asked of nodes) {
      expect(await finished(asked, id)).toMatchObject({ id, rows: 3 });
      expect((await asked.call('GET', `${CURSORS}/${id}`)).status).toBe(200);
    }
  }
}

/** A window on any node is told of what arrives on each. */
async function seeTogether(nodes: readonly ClusterNode[], logger: string): Promise<void> {
  for (const holder of nodes) {
    const id = await openCursor(holder, `table window=60s news | fields n, _node | limit ${nodes.length}`);
    await until(
      () => statusOf(holder, id),
      ({ commands }) => commands[0].status === 'Running',
    );
    for (const node of nodes) {
      const json = [{ n: `${holder.name} ${node.name}` }];
      expect((await node.call('POST', `/api/core/loggers/${logger}/logs`, { json })).status).toBe(200);
    }
    await finished(holder, id);
    const { text } = await holder.call('GET', `${CURSORS}/${id}`);
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const expected = nodes.map(({ name }) => ({ n: `${holder.name} ${name}`, _node: name }));
    expect(rows.toSorted((one, other) => (one._node < other._node ? -1 : 1))).toEqual(expected);
  }
}

/** All nodes refuse an address together, and one of them reaches the limit for all. Gives how often a key was refused. */
async function refuseTogether(nodes: readonly ClusterNode[]): Promise<number> {
  let refused = 0;
  const attempt = async (node: ClusterNode): Promise<number> => {
    const { status } = await node.call('GET', '/api/core/tables', { key: 'vgl_wrong' });
    if (status === 401) refused += 1;
    return status;
  };
  for (const node of nodes) expect(await attempt(node)).toBe(401);
  for (const node of nodes) await expect.poll(() => attempt(node), { interval: 20 }).toBe(429);
  return refused;
}

async function countedRefusals({ sql }: Cluster): Promise<number> {
  const entries = await sql("select msg_params from audit_entries where module = 'auth' and method = 'refuse'");
  return entries.reduce((sum, { msg_params }) => sum + JSON.parse(String(msg_params)).count, 0);
}

/** One of the older version that comes late does not start. */
async function refuseOlder({ database, logs }: Cluster, { executable }: Version): Promise<void> {
  const late = home().serve({ VIGIL_DATABASE: database, VIGIL_LOGS: logs }, { executable });
  expect(await late.exited()).toBe(1);
  expect(late.output().stderr).toMatch(
    /^vigil: the database is at migration \d+, this version knows \d+: run the newer version$/m,
  );
}

/** As a load balancer that sends to nodes of both versions, and again where a node has taken nothing because it stops or starts. */
function balancer({ nodes }: Cluster): Caller {
  let next = 0;
  return {
    async call(...request) {
      for (;;) {
        next += 1;
        const answer = await (nodes[next % nodes.length] as ClusterNode).call(...request).catch((error) => {
          if (error.cause?.code === 'ECONNREFUSED') return undefined;
          throw error;
        });
        if (answer && !(answer.status === 503 && /service is (stopping|starting)/.test(answer.text))) return answer;
        await sleep(10);
      }
    },
  };
}

/** Work that ends before it is told to has failed. */
async function storesMore({ ledger }: Senders, working: Promise<unknown>): Promise<void> {
  const before = ledger.storedBatches;
  const more = expect.poll(() => ledger.storedBatches).toBeGreaterThan(before + MIN_STORED);
  await Promise.race([more, working.then(() => Promise.reject(new Error('all clients have ended')))]);
}

/** Companies that a client makes: those that were acknowledged are there once, with the guid of the answer. */
class Companies {
  readonly #made = new Map<string, string>();
  #next = 1;

  async work(service: Caller, until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const name = `company ${this.#next}`;
      this.#next += 1;
      const answer = await service.call('POST', COMPANIES, { form: { name } }).catch(() => undefined);
      if (answer) expect([200, 503], answer.text).toContain(answer.status);
      if (answer?.status === 200) this.#made.set(name, answer.json.guid);
      await sleep(20);
    }
  }

  async settle(node: ClusterNode): Promise<void> {
    const { companies } = (await node.call('GET', `${COMPANIES}?limit=10000`)).json;
    const names: string[] = companies.map(({ name }: Wire) => name);
    expect(new Set(names).size, 'a company is there twice').toBe(names.length);
    const known = new Map(companies.map(({ name, guid }: Wire) => [name, guid]));
    const lost = [...this.#made].filter(([name, guid]) => known.get(name) !== guid);
    expect(lost, `companies that ${node.name} does not know`).toEqual([]);
  }
}

/** One slot for each second from the first to the last; each that succeeded has left its row, and none has left two. */
async function compareSlots(service: Caller, guid: string): Promise<void> {
  const form = { name: 'alone', query: EVIDENCE, ...EVERY_SECOND, enabled: 'false' };
  expect((await service.call('PUT', `${SCHEDULES}/${guid}`, { form })).status).toBe(200);
  const slots = async () => await slotsOf(service, guid, { limit: '10000' });
  await expect.poll(async () => (await slots()).filter(({ state }) => state === 'running')).toEqual([]);
  const ledger = await slots();
  const times = ledger.map(({ slot_time }) => Date.parse(slot_time.replace(/(\d\d)$/, ':$1')) / 1000);
  const last = times.at(-1) ?? 0;
  expect(times.toReversed(), 'a gap or a double').toEqual(times.map((_, second) => last + second));
  const seen = (await rowsOf(service, 'table evidence')).map((row) => row.seen);
  expect(new Set(seen).size, 'something ran twice').toBe(seen.length);
  const done = ledger.filter(({ state }) => state === 'succeeded').map(({ slot_time }) => slot_time.slice(0, 19));
  expect(done.length).toBeGreaterThan(0);
  expect(
    done.filter((time) => !seen.includes(time)),
    'a run has not done what it says',
  ).toEqual([]);
}

async function prove({ database }: Cluster, { folder }: ClusterNode): Promise<void> {
  const verified = await runCli(['audit', 'verify', '--database', database, '--keys', join(folder, 'keys')]);
  expect(verified.stdout, verified.stderr).toMatch(/^PROVEN/);
}
