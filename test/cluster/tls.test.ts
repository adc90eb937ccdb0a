// Nodes that reach each other by https: requests are passed on over TLS, and to no node whose certificate is not that of its address.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Certificate, certificateFor } from '#test/support/certificates.ts';
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts';
import { type Cluster, type ClusterNode, makeCluster } from '#test/support/cluster.ts';
import { CURSORS, finished, openCursor, QUERIES, rowsFrom } from '#test/support/queries.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { append, complete, createTable, opened } from '#test/support/uploads.ts';

const skip = inject('clickhouse').reason || inject('postgresReason');

describe.skipIf(skip)('Nodes that advertise https', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-node-tls-'));
  const trusted = getCACertificates('default');
  const certificates = {
    right: certificateFor('IP:127.0.0.1'),
    unknown: certificateFor('IP:127.0.0.1'),
    ofAnother: certificateFor('DNS:other.example.com'),
  };
  let server: ClickhouseServer;
  let cluster: Cluster;
  beforeAll(async () => {
    const known = [certificates.right.cert, certificates.ofAnother.cert];
    writeFileSync(join(folder, 'known.pem'), known.join('\n'));
    // For the calls of this test.
    setDefaultCACertificates([...trusted, certificates.right.cert, certificates.unknown.cert]);
    server = await startClickhouse();
    cluster = await makeCluster({ server, environment: { VIGIL_NODE_LEASE: '120' } });
    await Promise.all([0, 1].map((at) => started(cluster.node(at), certificates.right)));
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await cluster?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  async function started(node: ClusterNode, { cert, key }: Certificate): Promise<void> {
    const certFile = join(folder, `${node.name}.pem`);
    const keyFile = join(folder, `${node.name}-key.pem`);
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key, { mode: 0o600 });
    node.start({
      VIGIL_TLS_CERT: certFile,
      VIGIL_TLS_KEY: keyFile,
      VIGIL_ADVERTISE: `https://127.0.0.1:${node.port}`,
      VIGIL_ADVERTISE_HTTP: 'false',
      NODE_EXTRA_CA_CERTS: join(folder, 'known.pem'),
    });
    await node.ready();
  }

  it('pass queries and uploads on over TLS', async () => {
    const one = cluster.node(0);
    const two = cluster.node(1);
    expect(two.url).toMatch(/^https:/);
    const id = await openCursor(one, 'json "{a:1}" | repeat count=3');
    expect(await finished(two, id)).toMatchObject({ id, rows: 3 });
    expect((await rowsFrom(two, id)).headers.get('x-vigil-node')).toBe('n1');
    await createTable(one, 'web');
    const body = '{"n":1}\n';
    const token = await opened(one, { file_size: body.length, metadata: { table: 'web', format: 'ndjson' } });
    expect((await append(two, token, { offset: 0, body })).status).toBe(204);
    expect((await complete(two, token)).json).toMatchObject({ accepted: 1 });
    expect((await two.call('GET', QUERIES)).json).not.toHaveProperty('unanswered');
  });

  it.each([
    { it: 'one that nobody trusts', certificate: certificates.unknown, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    { it: 'that of another name', certificate: certificates.ofAnother, reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  ])('send nothing to a node whose certificate is $it, and say why in the log', async ({ certificate, reason }) => {
    const one = cluster.node(0);
    const three = cluster.node(2);
    await started(three, certificate);
    onTestFinished(async () => void (await three.end('SIGTERM')));
    const id = await queryOf(three);
    expect(outcome(await rowsFrom(one, id))).toEqual(refused(503, 'unavailable', 'node is not reachable: n3'));
    const { total_count, unanswered } = (await one.call('GET', QUERIES)).json;
    expect([total_count > 0, unanswered]).toEqual([true, ['n3']]);
    const told = () =>
      one.process
        .output()
        .stderr.split('\n')
        .filter((line) => line.includes(reason));
    await expect.poll(told).toHaveLength(1);
    expect(JSON.parse(told()[0] ?? '')).toMatchObject({ node: 'n3', reason, msg: 'another node cannot be reached' });
  });

  /** The id of a query of a node whose certificate fetch would not accept. */
  async function queryOf({ port }: ClusterNode): Promise<number> {
    const headers = { authorization: `Bearer ${MASTER_KEY}`, 'content-type': 'application/json' };
    const sent = request(`https://127.0.0.1:${port}${CURSORS}`, { method: 'POST', headers, rejectUnauthorized: false });
    sent.end(JSON.stringify({ q: 'json "{a:1}"' }));
    const [answer] = await once(sent, 'response');
    return JSON.parse(await text(answer)).id;
  }
});
