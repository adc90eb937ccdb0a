// Services of one installation that start: side by side where all logs are on a shared log store, and one alone where they are not.

import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { type ClusterNode, makeCluster, startCluster } from '#test/support/cluster.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { home } from '#test/support/process-suite.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { append, complete, createTable, opened } from '#test/support/uploads.ts';

const skip = inject('clickhouse').reason || inject('postgresReason');

describe.skipIf(skip)('Services on one PostgreSQL database with their logs on ClickHouse', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const listed = async (node: ClusterNode) =>
    (await node.call('GET', '/api/core/nodes')).json.nodes.map(({ name, state, keeps_logs, is_self }: Wire) => [
      name,
      state,
      keeps_logs,
      is_self,
    ]);

  it('start at the same moment on an empty database: one installs, and each is a node', async () => {
    await using cluster = await startCluster({ server, isEmpty: true });
    for (const node of cluster.nodes) {
      const expected = ['n1', 'n2', 'n3'].map((name) => [name, 'alive', false, name === node.name]);
      expect(await listed(node)).toEqual(expected);
    }
    const count = async (sql: string) => (await cluster.sql(`select count(*)::int as n from ${sql}`))[0]?.n;
    expect(await count("users where login = 'master'")).toBe(1);
    expect(await count("audit_entries where method = 'install'")).toBe(1);
    expect(await count('logs_keeper')).toBe(0);
    expect(await count('clickhouse_shards')).toBe(1);

    const [one, two, three] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
    const logger = await createLogger(one, { table: 'web' });
    for (const [n, node] of cluster.nodes.entries()) {
      const answer = await push(node, logger, { body: JSON.stringify({ n }) });
      expect(answer.status, answer.text).toBe(200);
    }
    for (const node of cluster.nodes) {
      const rows = await rowsOf(node, 'table web | sort n | fields n');
      expect(rows).toEqual(cluster.nodes.map((_, n) => ({ n })));
    }

    expect(await three.end('SIGTERM')).toBe(0);
    expect(await listed(one)).toContainEqual(['n3', 'gone', false, false]);
    await two.end('SIGKILL');
    two.start();
    await two.ready();
    expect((await listed(two)).filter(([, state]: string[]) => state === 'alive')).toHaveLength(2);
  });

  it('let no service in that would embed its logs, has another master secret, or takes the name of a living node', async () => {
    await using cluster = await makeCluster({ server, count: 3 });
    const [one, other, same] = cluster.nodes as [ClusterNode, ClusterNode, ClusterNode];
    one.start();
    await one.ready();
    const embedded = home().serve({ VIGIL_MASTER_KEY: MASTER_KEY, VIGIL_DATABASE: cluster.database });
    expect(await embedded.exited()).toBe(1);
    expect(embedded.output().stderr).toMatch(/^vigil: logs of this database are on ClickHouse: use --logs$/m);

    const foreign = join(other.folder, 'foreign');
    writeFileSync(foreign, randomBytes(32), { mode: 0o600 });
    const refused = other.start({ VIGIL_MASTER_SECRET_FILE: foreign });
    expect(await refused.exited()).toBe(1);
    const notThatOf = (file: string) =>
      new RegExp(`^vigil: master secret is not that of this installation: [0-9a-f]{32}; ${file} is missing`, 'm');
    expect(refused.output().stderr).toMatch(notThatOf(foreign));
    const without = other.start({ VIGIL_MASTER_SECRET_FILE: join(other.folder, 'none') });
    expect(await without.exited()).toBe(1);
    expect(without.output().stderr).toMatch(notThatOf(join(other.folder, 'none')));
    writeFileSync(join(other.folder, 'open'), randomBytes(32));
    chmodSync(join(other.folder, 'open'), 0o644);
    const open = other.start({ VIGIL_MASTER_SECRET_FILE: join(other.folder, 'open') });
    expect(await open.exited()).toBe(1);
    expect(open.output().stderr).toContain(`chmod -R o= ${join(other.folder, 'open')}`);

    const twin = same.start({ VIGIL_NODE: 'n1' });
    expect(await twin.exited()).toBe(1);
    expect(twin.output().stderr).toMatch(/^vigil: node name is in use: n1$/m);
    expect((await listed(one)).map(([name]: string[]) => name)).toEqual(['n1']);
  });

  it('leave the uploads of a living node to it, where one starts on a copy of its data folder', async () => {
    await using cluster = await makeCluster({ server, count: 2 });
    const [one, two] = cluster.nodes as [ClusterNode, ClusterNode];
    one.start();
    await one.ready();
    await createTable(one, 'web');
    const lines = [1, 2, 3, 4].map((n) => `${JSON.stringify({ n })}\n`).join('');
    const metadata = { table: 'web', format: 'ndjson' };
    const token = await opened(one, { file_size: lines.length, metadata });
    const half = lines.length / 2;
    expect((await append(one, token, { offset: 0, body: lines.slice(0, half) })).status).toBe(204);
    cpSync(join(one.folder, 'data'), join(two.folder, 'data'), { recursive: true });
    two.start();
    await two.ready();
    // Through either: the bytes are those of the first.
    expect((await append(two, token, { offset: half, body: lines.slice(half) })).status).toBe(204);
    expect((await complete(one, token)).json).toMatchObject({ accepted: 4, rejected_count: 0 });
    expect(await rowsOf(two, 'table web | sort n | fields n, _node')).toEqual(
      [1, 2, 3, 4].map((n) => ({ n, _node: 'n1' })),
    );

    // Once the first is gone, its bytes may as well come with the copy of its folder.
    const left = await opened(one, { file_size: lines.length, metadata });
    expect((await append(one, left, { offset: 0, body: lines.slice(0, half) })).status).toBe(204);
    await two.end('SIGKILL');
    expect(await one.end('SIGTERM')).toBe(0);
    cpSync(join(one.folder, 'data/uploads'), join(two.folder, 'data/uploads'), { recursive: true });
    two.start();
    await two.ready();
    expect((await append(two, left, { offset: half, body: lines.slice(half) })).status).toBe(204);
    expect((await complete(two, left)).json).toMatchObject({ accepted: 4 });
  });

  it('leave a database with embedded tables to the one service that has them', async () => {
    await using cluster = await makeCluster({ server, count: 2 });
    const [one, two] = cluster.nodes as [ClusterNode, ClusterNode];
    one.start({ VIGIL_LOGS: 'embedded' });
    await one.ready();
    await createLogger(one, { table: 'kept' });
    expect(await one.end('SIGTERM')).toBe(0);
    one.start();
    await one.ready();
    const refused = two.start();
    expect(await refused.exited()).toBe(1);
    expect(refused.output().stderr).toMatch(
      /^vigil: node n1 keeps the logs of this database: use --logs, or --standby/m,
    );
    expect(await listed(one)).toEqual([['n1', 'alive', true, true]]);
  });
});
