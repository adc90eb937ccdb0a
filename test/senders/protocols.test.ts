// What one protocol has beside the promises of all: known ids and probes of Elasticsearch, acknowledgement and health of Splunk's
// collector, and the settings of senders.

import { describe, expect, it } from 'vitest';
import { createAccount, createKey } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { rowsOf } from '#test/support/logs.ts';
import { type CallOptions, send, type Wire } from '#test/support/service.ts';
import { serviceFor } from '#test/support/suites.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const WINDOW_SECONDS = 600;

const bulk = (...items: readonly (readonly [action: object, document?: object])[]) =>
  items.map((lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')).join('');
const create = (_id: string, _index = 'web') => [{ create: { _index, _id } }, { n: 1 }] as const;
const statuses = (answer: Wire) => answer.items.map((item: Wire) => Object.values<Wire>(item)[0].status);

/** Optional fields, mixed types, nulls, escapes, Korean and times out of order. */
const raggedDocument = (n: number) => ({
  _time: Date.UTC(2026, 0, 1) + ((n * 7919) % 600) * 1000,
  message: `request ${n} of "가나다"\n\\ done`,
  size: n % 3 === 0 ? n : n / 4,
  ...(n % 5 === 0 ? { user: { name: `user${n}`, roles: [n, null] } } : {}),
  ...(n % 7 === 0 ? { mixed: n % 2 === 0 ? 'text' : 7, nothing: null } : {}),
  isLast: n === 599,
});

describe('Elasticsearch', () => {
  const subject = serviceFor({
    flags: { senders: 'elasticsearch', 'senders-window': String(WINDOW_SECONDS), 'senders-ids': '3' },
  });
  const { call } = subject;
  const sendBulk = async (body: string, options: CallOptions = {}) =>
    (await call('POST', '/_bulk', { body, headers: NDJSON, ...options })).json;
  const idsIn = async (table: string) =>
    (await rowsOf(subject, `table order=asc ${table}`)).map(({ doc_id }) => doc_id);

  const allRowsOf = async (table: string) =>
    (await rowsOf(subject, `table order=asc ${table} | limit 10000`)).map(({ _table, ...row }) => row);

  it('stores a document that is created with an id once, as long as the id is known', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'web' } });
    expect(statuses(await sendBulk(bulk(create('a'), create('b'), create('a'))))).toEqual([201, 201, 409]);
    expect(
      statuses(await sendBulk(bulk(create('b'), create('c'), [{ index: { _index: 'web', _id: 'a' } }, {}]))),
    ).toEqual([409, 201, 201]);
    expect(await idsIn('web')).toEqual(['a', 'b', 'c', 'a']);
    // Three are known: the fourth drives out the first.
    expect(statuses(await sendBulk(bulk(create('d'))))).toEqual([201]);
    expect(statuses(await sendBulk(bulk(create('a'), create('d'))))).toEqual([201, 409]);
    subject.clock.advance({ seconds: WINDOW_SECONDS + 1 });
    expect(statuses(await sendBulk(bulk(create('d'))))).toEqual([201]);
  });

  it('lets a second create of an id wait for the first', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'same' } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sendBulk(bulk(create('one', 'same'), create('two', 'same')))),
    );
    expect(answers.map(statuses).filter(([status]) => status === 201)).toEqual([[201, 201]]);
    expect((await idsIn('same')).toSorted()).toEqual(['one', 'two']);
  });

  it('does not know the id of a record that was rejected', async () => {
    const rejected = [{ create: { _index: 'web', _id: 'r' } }, { '@timestamp': 'never' }] as const;
    expect(statuses(await sendBulk(bulk(rejected)))).toEqual([400]);
    expect(statuses(await sendBulk(bulk(create('r'))))).toEqual([201]);
  });

  it('refuses to change documents, and stores one by itself', async () => {
    const body = bulk(
      [{ delete: { _index: 'web', _id: 'a' } }],
      [{ update: { _index: 'web', _id: 'a' } }, { doc: {} }],
    );
    const { errors, items } = await sendBulk(body);
    expect([errors, items.map((item: Wire) => Object.values<Wire>(item)[0].error.type)]).toEqual([
      true,
      ['illegal_argument_exception', 'illegal_argument_exception'],
    ]);
    const document = await call('POST', '/web/_doc', { json: { single: true } });
    expect(document.status).toBe(201);
    expect(document.json).toMatchObject({ _index: 'web', _version: 1, result: 'created' });
    expect((await rowsOf(subject, 'table web | search single == true')).length).toBe(1);
    const absent = await call('POST', '/nowhere/_doc', { json: {} });
    expect([absent.status, absent.json.error.type]).toEqual([404, 'index_not_found_exception']);
  });

  it('stores large bodies as a push stores the same records', async () => {
    for (const table of ['large', 'pushed']) await call('POST', '/api/core/tables', { form: { table } });
    const documents = Array.from({ length: 600 }, (_, n) => raggedDocument(n));
    const pushed = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
    // The columns of the first body are known to the second, whose records become a file.
    for (let round = 0; round < 3; round += 1) {
      const action = { create: { _index: 'large' } };
      const rejected = [action, { '@timestamp': 'never' }] as const;
      const items = documents.map((document) => [action, document] as const);
      const expected = [400, ...documents.map(() => 201)];
      expect(statuses(await sendBulk(bulk(rejected, ...items)))).toEqual(expected);
      const plain = await call('POST', '/api/core/tables/pushed/logs', { body: pushed, headers: NDJSON });
      expect(plain.json.accepted).toBe(documents.length);
    }
    const large = await allRowsOf('large');
    const plain = await allRowsOf('pushed');
    expect(large).toEqual(plain);
    expect(large.length).toBe(3 * documents.length);
  });

  it('answers the probes of its clients in the type that they ask for', async () => {
    const accept = 'application/vnd.elasticsearch+json; compatible-with=9';
    const root = await call('GET', '/', { headers: { accept } });
    expect(root.headers.get('content-type')).toBe('application/vnd.elasticsearch+json;compatible-with=9');
    expect(root.headers.get('x-elastic-product')).toBe('Elasticsearch');
    expect(JSON.parse(root.text)).toMatchObject({ version: { number: '8.19.0', build_flavor: 'default' } });
    const probes: readonly [method: string, path: string, status: number, body: unknown][] = [
      ['HEAD', '/', 200, undefined],
      ['GET', '/_license', 200, expect.objectContaining({ license: expect.objectContaining({ type: 'basic' }) })],
      ['GET', '/_xpack', 200, expect.anything()],
      ['GET', '/_cluster/health?wait_for_status=green', 200, { status: 'green' }],
      ['PUT', '/_index_template/x', 200, { acknowledged: true }],
      ['GET', '/_ilm/policy/x', 200, {}],
      ['HEAD', '/_data_stream/x', 200, undefined],
      ['HEAD', '/web', 200, undefined],
      ['HEAD', '/nowhere', 404, undefined],
    ];
    for (const [method, path, status, body] of probes) {
      const { json, ...reply } = await call(method, path, method === 'PUT' ? { json: {} } : {});
      expect([method, path, reply.status, json]).toEqual([method, path, status, body]);
    }
  });

  it('leaves other paths to the service', async () => {
    const page = await call('GET', '/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await call('GET', '/healthz', { key: null })).json).toEqual({ status: 'ok' });
    expect((await call('GET', '/web')).json.error_code).toBe('not-found');
    const wrong = await call('PUT', '/healthz');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/v1/logs', '/loki/api/v1/push', '/services/collector/event']) {
      expect((await call('POST', path, { json: {} })).status).toBe(404);
    }
    expect((await call('GET', '/_license', { key: null })).status).toBe(401);
  });
});

describe('Splunk HEC', () => {
  const subject = serviceFor({ flags: { senders: 'splunk,otlp', 'senders-table': 'inbox' } });
  const { call } = subject;

  it('numbers the requests of a channel and acknowledges all of them', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'inbox' } });
    const event = (path: string, headers = {}) => call('POST', path, { body: '{"event":"x"}', headers });
    const channel = { 'x-splunk-request-channel': 'c1' };
    expect((await event('/services/collector', channel)).json).toEqual({ text: 'Success', code: 0, ackId: 0 });
    expect((await event('/services/collector/event/1.0', channel)).json.ackId).toBe(1);
    expect((await event('/services/collector?channel=c2')).json.ackId).toBe(0);
    const ack = { body: '{"acks":[0,1,7]}', headers: channel };
    expect((await call('POST', '/services/collector/ack', ack)).json).toEqual({ acks: { 0: true, 1: true, 7: true } });
    const missing = await call('POST', '/services/collector/ack', { body: '{"acks":[0]}' });
    expect([missing.status, missing.json]).toEqual([400, { text: 'Data channel is missing', code: 10 }]);
  });

  it('answers its health and OPTIONS without a key', async () => {
    const health = await call('GET', '/services/collector/health/1.0', { key: null });
    expect([health.status, health.json]).toEqual([200, { text: 'HEC is healthy', code: 17 }]);
    const options = await call('OPTIONS', '/services/collector/event', { key: null });
    expect([options.status, options.text]).toEqual([200, '']);
    const wrong = await call('POST', '/services/collector', { key: null, headers: { authorization: 'Splunk' } });
    expect([wrong.status, wrong.json.code]).toEqual([401, 3]);
  });

  it('takes raw lines, read by the parser that the request or their type names', async () => {
    const raw = async (query: string, body: string) =>
      (await call('POST', `/services/collector/raw?${query}`, { body })).json;
    const pair = '{"user":"kim"}';
    expect(await raw('host=h1&sourcetype=json', `${pair}\nno json\n`)).toEqual({ text: 'Success', code: 0 });
    const rows = await rowsOf(subject, 'table inbox | search host == "h1" | fields user, line');
    expect(rows).toContainEqual({ user: 'kim' });
    expect(rows).toContainEqual({ line: 'no json' });
    // The second is the name of a parser that cannot do without configs, and of a source type of Splunk.
    for (const type of ['unknown', 'csv'])
      expect(await raw(`sourcetype=${type}`, 'as it is')).toEqual({ text: 'Success', code: 0 });
    expect(await raw('parser=csv', 'x')).toMatchObject({ code: 6 });
    expect(await raw('parser=nope', 'x')).toEqual({ text: 'Invalid data format', code: 6 });
    expect(await raw('', '')).toEqual({ text: 'No data', code: 5 });
  });

  it('tells exporters of OpenTelemetry that traces and metrics have no place here', async () => {
    for (const signal of ['traces', 'metrics']) {
      const answer = await call('POST', `/v1/${signal}`, { json: {}, key: null });
      expect([answer.status, answer.json.code]).toEqual([404, 12]);
    }
    const headers = { 'content-type': 'application/x-protobuf', accept: '*/*' };
    const refused = await call('POST', '/v1/logs', { body: Buffer.from([0xff]), headers });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/x-protobuf']);
  });
});

describe('The settings of senders', () => {
  const flags = {
    senders: 'elasticsearch',
    'senders-create': 'true',
    'senders-port': '0',
    'senders-host': '127.0.0.1',
    'bodies-limit': String(1024 * 1024),
  };
  const subject = serviceFor({ flags });
  const port = () => subject.service.app.sendersUrl ?? '';
  const post = (index: string, key?: string) =>
    send(`${port()}/${index}/_doc`, 'POST', { json: { n: 1 }, ...(key === undefined ? {} : { key }) });

  it('create the tables that an administrator names, with an audit entry, also for a key of scope push', async () => {
    const [entry] = await entriesOf(subject, async () => {
      expect((await post('logs-app.web')).status).toBe(201);
      expect((await post('logs-app.web')).status).toBe(201);
    });
    expect(entry).toMatchObject({ category: 'Tables', action: 'Create table' });
    expect((await rowsOf(subject, 'table logs_app_web')).length).toBe(2);
    const admin = await createAccount(subject, 'ADMIN', { login: 'admin' });
    const { key } = await createKey(subject, admin.guid, { scope: 'push' });
    expect((await post('pushed', key)).status).toBe(201);
    const member = await createAccount(subject, 'MEMBER', { login: 'member' });
    expect((await post('members', member.key)).status).toBe(403);
    expect((await post('1st')).status).toBe(404);
  });

  it('leave room for bodies: what was read and does not fit is told item by item, for which clients come again', async () => {
    const text = 'a'.repeat(300_000);
    const body = [1, 2].map((n) => `{"index":{"_index":"large"}}\n${JSON.stringify({ n, text })}\n`).join('');
    const { status, json } = await send(`${port()}/_bulk`, 'POST', { body, headers: NDJSON });
    expect([status, json.errors, json.items.map(({ index }: { index: { status: number } }) => index.status)]).toEqual([
      ...[200, true],
      [429, 429],
    ]);
    expect((await subject.call('GET', '/api/core/tables/large')).json.table).toBeNull();
  });

  it('give senders a port of their own, with its health', async () => {
    expect((await send(`${port()}/healthz`, 'GET')).json).toEqual({ status: 'ok' });
    expect((await send(`${port()}/api/core/tables`, 'GET')).status).toBe(404);
    expect((await subject.call('POST', '/_bulk', { body: '', headers: NDJSON })).status).toBe(404);
  });
});
