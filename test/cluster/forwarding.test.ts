// Three nodes behind no balancer at all: whichever is asked, it answers for the queries and uploads of the others.

import { once } from 'node:events';
import { get, request } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { createAccount, createKey } from '#test/support/accounts.ts';
import type { ClusterNode } from '#test/support/cluster.ts';
import { type ClusterSuite, describeCluster } from '#test/support/cluster-suite.ts';
import { createLogger, push } from '#test/support/logs.ts';
import {
  CURSORS,
  cancel,
  ENDLESS_JSON,
  finished,
  openCursor,
  QUERIES,
  ran,
  rowsFrom,
  statusOf,
} from '#test/support/queries.ts';
import { MASTER_KEY, type Wire } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';
import { append, BYTES_TYPE, createTable, openByTus, opened, probe, STREAMS, TUS } from '#test/support/uploads.ts';

const forbidden = (id: number) => refused(403, 'invalid-query-id', `cannot access query ${id}`);
const unreachable = (node: string) => refused(503, 'unavailable', `node is not reachable: ${node}`);

/** The last test leaves a node silent for longer than its lease would be otherwise. */
const environment = { VIGIL_NODE_LEASE: '120', VIGIL_NODE_RENEWAL: '1' };

const defineForwarding = (suite: ClusterSuite) => {
  let [one, two, three] = [] as unknown as ClusterSuite['nodes'];
  beforeAll(async () => {
    [one, two, three] = suite.nodes;
    await createTable(one, 'web');
  });

  it('answers for a query of another: status, rows, tags, cancel and removal', async () => {
    const id = await openCursor(one, 'json "{a:1}" | repeat count=2500 | eval n = seq()', { params: { p: 'x' } });
    expect(await finished(two, id)).toMatchObject({ id, rows: 2500, constants: { p: 'x' }, login_name: 'master' });
    const page = await rowsFrom(three, id, 'offset=2498&limit=5&format=csv&fields=n');
    expect(page.text.trim().split(/\r?\n/)).toEqual(['n', '2499', '2500']);
    expect(page.headers.get('content-type')).toContain('text/csv');
    expect(page.headers.get('x-query-finished')).toBe('true');
    expect(page.headers.get('x-vigil-node')).toBe('n1');
    expect((await rowsFrom(one, id)).headers.get('x-vigil-node')).toBe(null);
    const all = await rowsFrom(two, id, 'limit=100000');
    expect(all.text).toBe((await rowsFrom(one, id, 'limit=100000')).text);
    expect(outcome(await two.call('PUT', `${QUERIES}/${id}/tags`, { json: { tags: { page: '1' } } }))).toEqual([
      200,
      {},
    ]);
    expect((await statusOf(three, id)).tags).toEqual({ page: '1' });

    const endless = await openCursor(two, ENDLESS_JSON);
    expect(outcome(await cancel(three, endless))).toEqual([200, {}]);
    expect(await finished(one, endless)).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest' });
    for (const gone of [id, endless]) {
      expect(outcome(await three.call('DELETE', `${CURSORS}/${gone}`))).toEqual([200, { status: 'ok' }]);
      for (const node of suite.cluster.nodes) expect(outcome(await rowsFrom(node, gone))).toEqual(forbidden(gone));
    }
  });

  it('refuses what the owner would refuse, by the rights of the caller, and the owner writes the entry', async () => {
    const curious = await createAccount(one, 'ADMIN', { login: 'curious' });
    const id = await openCursor(one, ENDLESS_JSON);
    for (const node of suite.cluster.nodes) {
      expect(outcome(await rowsFrom(node, id, '', { key: curious.key }))).toEqual(forbidden(id));
      expect((await rowsFrom(node, id, '', { key: 'vgl_nobody' })).status).toBe(401);
      expect(outcome(await rowsFrom(node, id, 'limit=x'))).toEqual(
        refused(400, 'invalid-argument', 'limit should be long type.'),
      );
    }
    const cancelled = await cancel(three, id, { key: curious.key });
    expect(outcome(cancelled)).toEqual([200, {}]);
    await finished(two, id);
    const { json } = await two.call('GET', '/api/core/audit-logs?actions=queries.cancel');
    // By the owner alone: the node that was asked runs nothing.
    expect(json.audit_logs.filter((entry: Wire) => entry.user_name === 'curious')).toHaveLength(1);
    expect(json.audit_logs[0]).toMatchObject({
      user_name: 'curious',
      remote_ip: '127.0.0.1',
      msg_params: { login_name: 'master', request_id: cancelled.headers.get('x-request-id') },
    });
  });

  it('waits for the end of a query, and passes its events on while they come', async () => {
    const id = await openCursor(one, ENDLESS_JSON);
    const waiting = two.call('GET', `${QUERIES}/${id}?wait=60`);
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const stream = get(`${three.url}${QUERIES}/${id}/events`, { headers });
    const [answer] = await once(stream, 'response');
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const [first] = await once(answer.setEncoding('utf8'), 'data');
    expect(first).toMatch(/^event: status\nid: \d+\ndata: \{/);
    let rest = '';
    answer.on('data', (text: string) => {
      rest += text;
    });
    await cancel(two, id);
    await once(answer, 'end');
    expect(rest).toContain('"is_finished":true');
    expect((await waiting).json).toMatchObject({ id, is_finished: true });
  });

  it('ends the work of the owner when the client leaves', async () => {
    const id = await openCursor(one, ENDLESS_JSON);
    const streams = async () => {
      const { text } = await one.call('GET', '/metrics', { key: null });
      return Number(/^vigil_http_requests_open (\d+)/m.exec(text)?.[1]);
    };
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const left = get(`${two.url}${QUERIES}/${id}/events`, { headers });
    left.on('error', () => undefined);
    const [answer] = await once(left, 'response');
    answer.on('error', () => undefined);
    await expect.poll(streams).toBe(2);
    left.destroy();
    await expect.poll(streams).toBe(1);
    await cancel(three, id);
  });

  it('takes the bytes of an upload for the node that opened it, and completes and cancels it there', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => JSON.stringify({ n, text: `line ${n}` })).join('\n');
    const token = await opened(one, { file_size: lines.length, metadata: { table: 'web' } });
    const half = Math.floor(lines.length / 2);
    expect((await append(two, token, { offset: 0, body: lines.slice(0, half) })).status).toBe(204);
    const probed = await probe(three, token);
    expect([probed.status, probed.headers.get('upload-offset')]).toEqual([200, String(half)]);
    expect(probed.headers.get('tus-resumable')).toBe('1.0.0');
    expect(outcome(await append(two, token, { offset: 3, body: 'x' }))).toEqual(
      refused(409, 'invalid-offset', `upload offset should be ${half}`),
    );
    expect((await three.call('GET', `${STREAMS}/${token}`)).json.stream).toMatchObject({
      node: 'n1',
      uploaded_size: half,
    });
    const rest = await append(three, token, { offset: half, body: lines.slice(half) });
    expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(lines.length)]);
    const done = await two.call('POST', `${STREAMS}/${token}/complete`, { key: null });
    expect(done.json).toMatchObject({ accepted: 20_000, rejected_count: 0 });
    expect((await three.call('POST', `${STREAMS}/${token}/complete`, { key: null })).json).toEqual(done.json);
    expect(await ran(three, 'table web | stats count')).toMatchObject({ rows: 1 });

    const tus = await openByTus(two, 8, { filename: 'f', table: 'web' });
    expect((await append(one, tus.json.token, { offset: 0, body: '{"n":-1}' })).status).toBe(204);
    const left = await opened(three, { file_size: 10, metadata: { table: 'web' } });
    expect((await two.call('DELETE', `${STREAMS}/${left}`, { key: null, headers: TUS })).status).toBe(204);
    expect((await probe(three, left)).status).toBe(404);
  });

  it('has the answer for a client that asks for the close and is still sending', async () => {
    const token = await opened(one, { file_size: 2_000_000, metadata: { table: 'web' } });
    const socket = connect(Number(new URL(two.url).port), '127.0.0.1').setEncoding('utf8');
    const errors: unknown[] = [];
    let answer = '';
    socket
      .on('error', (error) => errors.push(error))
      .on('data', (text) => {
        answer += text;
      });
    const head = [
      `PATCH ${STREAMS}/${token} HTTP/1.1`,
      ...['host: x', 'connection: close', 'tus-resumable: 1.0.0', 'upload-offset: 3'],
      ...[`content-type: ${BYTES_TYPE}`, 'content-length: 1000000'],
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(65_536)}`);
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 409 /);
    await one.call('GET', '/healthz');
    expect(socket.destroyed).toBe(false);
    socket.write('x'.repeat(1_000_000 - 65_536));
    expect([await until(async () => socket.destroyed, Boolean), errors]).toEqual([true, []]);
  });

  it('tells the owner the address of the caller, which nobody else can', async () => {
    const { guid } = await createAccount(one, 'ADMIN', { login: 'bound' });
    const trusted = await createKey(one, guid, { trust_hosts: '127.0.0.1' });
    const stranger = await createKey(one, guid, { trust_hosts: '10.9.9.9' });
    const id = await openCursor(one, 'json "{}"', { key: trusted.key });
    expect((await rowsFrom(two, id, '', { key: trusted.key })).status).toBe(200);
    const claims = { node: 'n2', address: '10.9.9.9', requestId: 'x', isTls: false, time: Date.now(), nonce: 'n' };
    const forged = `${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'A'.repeat(86)}`;
    for (const header of [forged, 'x', `${'a'.repeat(5000)}.b`]) {
      const headers = { 'x-vigil-forwarded': header };
      for (const key of [stranger.key, trusted.key]) {
        expect((await rowsFrom(one, id, '', { key, headers })).status).toBe(401);
        expect((await rowsFrom(two, id, '', { key, headers })).status).toBe(401);
      }
    }
    // A request with a forged header is no use of its key.
    const { json } = await one.call('GET', `/api/core/users/${guid}/api-keys`);
    const isUsed = ({ keyGuid }: { keyGuid: string }) =>
      json.api_keys.find((key: Wire) => key.guid === keyGuid).last_used !== null;
    expect([trusted, stranger].map(isUsed)).toEqual([true, false]);
  });

  it('lists the queries of all, by their start and page by page, and adds the rates of all up', async () => {
    const ids: number[] = [];
    for (const node of [one, two, three, two, one]) ids.push((await ran(node, 'json "{listed:1}"')).id);
    const listed = async (node: ClusterNode, more = '') =>
      (await node.call('GET', `${QUERIES}?keywords=listed&${more}`)).json;
    for (const node of suite.cluster.nodes) {
      const { total_count, queries, ...rest } = await listed(node);
      expect([total_count, queries.map(({ id }: Wire) => id), rest]).toEqual([5, ids.toReversed(), {}]);
      expect(queries.map((query: Wire) => query.node)).toEqual(['n1', 'n2', 'n3', 'n2', 'n1']);
      const page = await listed(node, 'offset=1&limit=3');
      expect([page.total_count, page.queries.map(({ id }: Wire) => id)]).toEqual([5, ids.toReversed().slice(1, 4)]);
      expect((await listed(node, 'offset=5')).queries).toEqual([]);
      expect((await listed(node, 'limit=0')).queries).toEqual([]);
    }
    const logger = await createLogger(one, { table: 'rated' });
    for (const node of suite.cluster.nodes)
      expect((await push(node, logger, { body: '{"n":1}\n{"n":2}' })).status).toBe(200);
    for (const node of suite.cluster.nodes) {
      const { rates } = (await node.call('GET', `/api/core/loggers/${logger}/rates`)).json;
      expect(rates.reduce((sum: number, rate: Wire) => sum + rate.log_count, 0)).toBe(6);
      expect(rates.map(({ time }: Wire) => time)).toEqual([...new Set(rates.map(({ time }: Wire) => time))].sort());
    }
  });

  it('names an owner that is silent, and lists without it; only a cancelled upload goes on', async () => {
    const id = await openCursor(three, 'json "{}"');
    const token = await opened(three, { file_size: 10, metadata: { table: 'web' } });
    const left = await opened(three, { file_size: 10, metadata: { table: 'web' } });
    await append(three, left, { offset: 0, body: '{}' });
    three.freeze();
    try {
      const [status, probed, list] = await Promise.all([
        one.call('GET', `${QUERIES}/${id}?wait=60`),
        append(two, token, { offset: 0, body: '{}' }),
        one.call('GET', QUERIES),
      ]);
      expect(outcome(status)).toEqual(unreachable('n3'));
      expect([status.headers.get('retry-after'), status.headers.get('x-vigil-node')]).toEqual(['5', 'n3']);
      expect(outcome(probed)).toEqual(unreachable('n3'));
      expect(list.json.unanswered).toEqual(['n3']);
      expect(outcome(await one.call('DELETE', `${STREAMS}/${left}`, { key: null }))).toEqual([200, {}]);
    } finally {
      three.thaw();
    }
    expect((await statusOf(one, id)).id).toBe(id);
    expect((await one.call('GET', QUERIES)).json.unanswered).toBe(undefined);
    expect((await probe(two, left)).status).toBe(404);
    expect((await probe(two, token)).headers.get('upload-offset')).toBe('0');
  });

  it('whose query belongs to a node that is gone says so, and an upload of it waits', async () => {
    const { guid } = await createAccount(one, 'ADMIN', { login: 'sender' });
    const sender = await createKey(one, guid, { scope: 'push' });
    const id = await openCursor(three, 'json "{}"');
    const token = await opened(three, { file_size: 10, metadata: { table: 'web' } });
    await append(three, token, { offset: 0, body: '{"a":' });
    const long = request(`${one.url}${STREAMS}/${token}`, {
      method: 'PATCH',
      headers: { ...TUS, 'upload-offset': '5', 'content-type': BYTES_TYPE, 'content-length': '5' },
    });
    long.on('error', () => undefined).write('1');
    expect(await three.end('SIGTERM')).toBe(0);
    const gone = await two.call('GET', `${QUERIES}/${id}`);
    expect(outcome(gone)).toEqual(forbidden(id));
    expect(gone.headers.get('x-vigil-node')).toBe('n3');
    expect(outcome(await two.call('GET', `${QUERIES}/${id}`, { key: sender.key }))).toEqual(
      refused(500, 'illegal-state', 'no-permission'),
    );
    expect(outcome(await append(two, token, { offset: 5, body: '2' }))).toEqual(unreachable('n3'));
    three.start();
    await three.ready();
    const { headers } = await probe(two, token);
    const offset = Number(headers.get('upload-offset'));
    expect([5, 6]).toContain(offset);
    expect((await append(one, token, { offset, body: '123} '.slice(offset - 5) })).status).toBe(204);
    expect((await two.call('POST', `${STREAMS}/${token}/complete`, { key: null })).json).toMatchObject({ accepted: 1 });
    expect(outcome(await two.call('GET', `${QUERIES}/${id}`))).toEqual(forbidden(id));
    long.destroy();
  });
};

describeCluster('A node of several', defineForwarding, { environment });
