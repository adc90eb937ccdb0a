// `remote` over three nodes: a query runs where it says, with the rights of its account and all that it inherits, and ends with the
// query around it.

import { beforeAll, expect, it } from 'vitest';
import { remoteBody } from '#queries/remote/remote-request.ts';
import { type Account, createAccount, created } from '#test/support/accounts.ts';
import type { ClusterNode } from '#test/support/cluster.ts';
import { type ClusterSuite, describeCluster } from '#test/support/cluster-suite.ts';
import { type FixedAnswer, startForeignNode } from '#test/support/foreign-node.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { nodeQueryFrom } from '#test/support/node-query.ts';
import {
  ask,
  cancel,
  ENDLESS_JSON,
  finished,
  linesOf,
  openCursor,
  postCursor,
  ran,
  rowsFrom,
} from '#test/support/queries.ts';
import { createSchedule, NOWHERE, runToEnd } from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';

/** The node that runs it. */
const WHERE = 'system nodes | search is_self == true | fields name';
/** Whose queries it sees there: an account without rights sees its own. */
const WHO = 'system queries | stats count by login_name | fields login_name';
const LIST = '/api/core/queries';

const QUERY_OF_NODE = {
  text: WHO,
  constants: new Map(),
  zone: 'UTC',
  range: {},
  source: 'rest-api',
  isReadOnly: false,
  calledBy: [],
} as const;

/** The last test leaves a node silent for longer than its lease would be otherwise. */
const environment = { VIGIL_NODE_LEASE: '120', VIGIL_NODE_RENEWAL: '1', VIGIL_QUERIES_PER_ACCOUNT: '2' };

const defineRemote = (suite: ClusterSuite) => {
  let [one, two, three] = [] as unknown as ClusterSuite['nodes'];
  let member: Account;
  beforeAll(async () => {
    [one, two, three] = suite.nodes;
    const logger = await createLogger(one, { table: 'web' });
    const body = [1, 2, 3].map((n) => JSON.stringify({ n, text: `t${n}` })).join('\n');
    expect((await push(one, logger, { body })).status).toBe(200);
    member = await createAccount(one, 'MEMBER', { login: 'reader' });
  });

  const shownBy = async (node: ClusterNode, keywords: string): Promise<Wire[]> =>
    (await node.call('GET', `${LIST}?is_finished=false&keywords=${keywords}`)).json.queries.filter(
      (query: Wire) => query.node === node.name,
    );
  const errorOf = async (node: ClusterNode, q: string, key?: string): Promise<string> =>
    (await ask(node, { q }, key === undefined ? {} : { key })).json.error_msg;
  /** The end of a cursor, by the error of its status. */
  const endOf = async (node: ClusterNode, id: number): Promise<unknown[]> => {
    const { is_cancelled, cancel_reason, error_code, error_detail } = await finished(node, id);
    return [is_cancelled, cancel_reason, error_code, error_detail];
  };

  it('runs on the node that is named, on all for a star, and adds their rows up', async () => {
    for (const { name } of suite.cluster.nodes) {
      expect(await rowsOf(one, `remote ${name} [ ${WHERE} ]`)).toEqual([{ name }]);
    }
    const all = await rowsOf(two, `remote * [ ${WHERE} ]`);
    expect(all.map(({ name }) => name).toSorted()).toEqual(['n1', 'n2', 'n3']);
    expect(await rowsOf(one, 'remote * [ table web | stats count ] | stats sum(count) as n')).toEqual([{ n: 9 }]);
    expect(await rowsOf(one, 'remote n2 [ table web | sort n ] | join n [ table web ] | stats count')).toEqual([
      { count: 3 },
    ]);
  });

  it('gives the rows of the same query here: columns, their order, types and counts', async () => {
    const texts = [
      'table order=asc web | sort n',
      'table order=asc web | eval d = date("2026-11-17 09:00:00"), l = array(1, 2.5, "x"), x = n / 2, y = n > 1, z = null | fields z, y, x, l, d, n',
      'table web | stats count by text | sort text',
      'table web | timechart span=1d count by text | fields t1, t2',
      'setq [ table web | stats max(n) as most ] | table web | search n == $("most") | fields n, text',
      'table web | fields n | drop | json "{a:1}"',
      'json "[]" | stats count',
      'json "[]"',
      'json "[{a:9223372036854775807,b:1.0},{b:-0.0,c:{d:[1,null]}}]"',
    ];
    for (const text of texts) {
      const [here, there] = await Promise.all([ask(one, { q: text }), ask(one, { q: `remote n3 [ ${text} ]` })]);
      expect([there.status, there.text], text).toEqual([200, here.text]);
    }
    const id = await openCursor(one, 'remote n3 [ table order=asc web | sort n ] | search n > 1');
    const { commands, rows, field_names } = await finished(one, id);
    expect([rows, commands.map((command: Wire) => command.push_count)]).toEqual([2, [3, 2]]);
    expect(field_names).toEqual((await finished(one, await openCursor(one, 'table web'))).field_names);
    const large = 'json "{a:1}" | repeat count=20000 | eval n = seq(), t = concat("row ", n)';
    expect(await rowsOf(two, `remote n1 [ ${large} ] | stats count, sum(n) as s, max(t) as t`)).toEqual([
      { count: 20_000, s: 200_010_000, t: 'row 9999' },
    ]);
  });

  it('hands parameters, time range, time zone and the time of the query on', async () => {
    const inner = 'json "{}" | eval a = $("a"), b = $("b"), s = $("s"), z = $("_timezone"), t = now()';
    const text = `set s = string(now(), "HH") | remote n2 [ ${inner} ] | eval same = string(t, "HHmmss.SSS") == string(now(), "HHmmss.SSS") | fields a, b, s, z, same`;
    const params = { a: [1, { b: '2' }], b: '9007199254740993' };
    const id = await openCursor(one, `set _timezone = "America/New_York" | ${text}`, { params });
    await finished(one, id);
    expect(linesOf(await rowsFrom(one, id))).toEqual([
      { ...params, s: expect.any(String), z: 'America/New_York', same: true },
    ]);
    const count = 'remote n2 [ table web | stats count ]';
    const countIn = async (from: string, to: string) => JSON.parse((await ask(one, { q: count, from, to })).text).count;
    expect(await countIn('2000-01-01 00:00:00+0000', '2000-01-02 00:00:00+0000')).toBe(0);
    expect(await countIn('2000-01-01 00:00:00+0000', '2100-01-02 00:00:00+0000')).toBe(3);
    // As large as parameters may be: with the text it is more than another node is sent.
    const large = await openCursor(one, text, { params: { a: 'x'.repeat(1_048_560) } });
    expect(await endOf(one, large)).toMatchObject([
      true,
      'CommandFailure',
      90009,
      expect.stringMatching(/^bytes of text/),
    ]);
    expect(await rowsOf(one, 'setq [ json "{t:\'web\'}" ] | remote n2 [ table $("t") | stats count ]')).toEqual([
      { count: 3 },
    ]);
  });

  it('has the rights of the account, of the owner inside of a procedure, and of the service in its own runs', async () => {
    const { key } = member;
    expect(await errorOf(one, 'remote n2 [ table web ]', key)).toBe('(10001) there is no table web at 1:19');
    expect(await errorOf(one, 'remote n2 [ system audit ]', key)).toMatch(/^\(95001\) /);
    expect(await rowsOf(one, `remote n2 [ ${WHO} ]`, { key })).toEqual([{ login_name: 'reader' }]);
    const granted = { granted_user_guids: member.guid };
    const counted = { name: 'counted', query: 'remote n2 [ table web | stats count ]', ...granted };
    await created(one, '/api/core/procedures', counted);
    expect(await rowsOf(one, 'proc counted()', { key })).toEqual([{ count: 3 }]);
    const given = {
      name: 'given',
      query: 'remote n2 [ table $("t") | stats count ]',
      parameters: '[{"key":"t","type":"string"}]',
    };
    await created(one, '/api/core/procedures', { ...given, ...granted });
    expect(await errorOf(one, 'proc given("web")', key)).toMatch(/^\(10001\) /);
    expect(await rowsOf(one, 'proc given("web")')).toEqual([{ count: 3 }]);

    const own = { name: 'own', query: 'setq [ json "{u:\'x\'}" ] | json "{}" | eval v = $("u")' };
    await created(one, '/api/core/procedures', own);
    const outer = 'setq [ json "{t:\'web\'}" ] | remote n2 [ proc own() ]';
    expect(await rowsOf(one, outer)).toEqual([{ v: 'x' }]);
    await created(one, '/api/core/tables', { table: 'kept' });
    const schedule = await createSchedule(one, { query: `remote * [ ${WHERE} ] | import kept` });
    expect(await runToEnd(one, schedule)).toMatchObject({ state: 'succeeded' });
    expect((await rowsOf(two, 'table kept | sort name')).map(({ name }) => name)).toEqual(['n1', 'n2', 'n3']);
  });

  it('is a query of that node: listed there, ended there or with the query around it, audited once', async () => {
    const text = `remote n2 [ ${ENDLESS_JSON} | eval listed = 1 ] | search a == 2`;
    const id = await openCursor(one, text);
    await expect
      .poll(() => shownBy(two, 'listed'))
      .toMatchObject([{ login_name: 'master', remote_ip: '127.0.0.1', source: 'rest-api' }]);
    await cancel(one, id);
    expect((await finished(one, id)).cancel_reason).toBe('UserRequest');
    await expect.poll(() => shownBy(two, 'listed')).toEqual([]);

    const again = await openCursor(one, text);
    await expect.poll(() => shownBy(two, 'listed')).toHaveLength(1);
    const [{ id: there }] = (await shownBy(two, 'listed')) as [Wire];
    await cancel(three, there);
    expect(await endOf(one, again)).toEqual([true, 'UserRequest', 93001, 'cancelled on request']);

    const { json } = await one.call('GET', '/api/core/audit-logs?actions=query.run&limit=500');
    const runs = json.audit_logs.filter((entry: Wire) => String(entry.params.q).includes('t = concat'));
    expect(runs.map((entry: Wire) => [entry.node ?? '', entry.user_name])).toHaveLength(1);
  });

  it('runs on all nodes at once, on the one that asks, too', async () => {
    const id = await openCursor(three, `remote * [ ${ENDLESS_JSON} | eval listed = 4 ] | search a == 2`);
    for (const node of [one, two]) await expect.poll(() => shownBy(node, 'listed')).toHaveLength(1);
    await expect.poll(() => shownBy(three, 'listed')).toHaveLength(2);
    await cancel(three, id);
    for (const node of suite.nodes) await expect.poll(() => shownBy(node, 'listed')).toEqual([]);
  });

  it('stores rows as a query of its node, and stores none where it is explained', async () => {
    const text = 'remote n2 [ json "{name:\'x\'}" | import kept ]';
    const explained = await one.call('POST', '/api/core/queries/explain', { json: { q: text, run: true } });
    expect(explained.json.error_msg).toMatch(/^\(92002\) /);
    expect(await ran(one, text)).toMatchObject({ rows: 1, is_cancelled: false });
    expect(await rowsOf(three, 'table kept | search name == "x" | stats count')).toEqual([{ count: 1 }]);
  });

  it('is passed on once, names what it cannot do, and fails with the errors of the other node', async () => {
    expect(await errorOf(one, 'remote n9 [ table web ]')).toBe('(10500) there is no node n9 at 1:8');
    expect(await errorOf(one, `remote n2 [ remote n3 [ ${WHERE} ] ]`)).toBe(
      '(10501) node n3 cannot be reached at 1:20',
    );
    expect(await errorOf(one, `remote n2 [ remote n1 [ ${WHERE} ] ]`)).toMatch(/^\(10501\) /);
    expect(await rowsOf(one, 'remote n2 [ table n1:web | stats count ]')).toEqual([{ count: 3 }]);
    expect(await rowsOf(one, `remote n2 [ remote n2 [ ${WHERE} ] ]`)).toEqual([{ name: 'n2' }]);
    const each = await rowsOf(one, `remote * [ remote * [ ${WHERE} ] ]`);
    expect(each.map(({ name }) => name).toSorted()).toEqual(['n1', 'n2', 'n3']);
    const status = await ran(one, 'remote n2 [ json "{}" | repeat count=10001 | eval n = seq() | pivot count cols n ]');
    expect(status).toMatchObject({ is_cancelled: true, cancel_reason: 'CommandFailure', error_code: 22201 });
  });

  it('does not wait for itself where all places of an account wait for another node', async () => {
    const crossed = [one, two, one, two].map((node) => {
      const other = node === one ? 'n2' : 'n1';
      return ran(node, `remote ${other} [ json "{a:1}" | repeat count=20000 | eval n = seq() | stats max(n) as n ]`);
    });
    for (const status of await Promise.all(crossed)) expect(status).toMatchObject({ rows: 1, is_cancelled: false });
  });

  it('is run for nobody but a node, which signs the account and the whole text', async () => {
    const body = remoteBody({ ...QUERY_OF_NODE, now: Temporal.Now.instant() });
    const { headerFor, headerOf, post } = nodeQueryFrom(two, one, body);
    const { guid } = member;
    const header = headerFor({ guid });
    const answer = await post(header);
    expect([answer.status, answer.text.split('\n').slice(1)]).toEqual([
      200,
      ['{"columns":[["login_name","string"]],"without":null}', '["reader"]', '{"end":"whole"}', ''],
    ]);
    expect((await post(header)).status, 'a second time').toBe(401);
    expect((await post(headerFor({ guid }), body.replace('stats', 'cube '))).status, 'another text').toBe(400);
    expect((await post(headerFor({ guid: NOWHERE }))).status, 'an account that is gone').toBe(401);
    expect((await post(headerFor({ guid, isService: true }))).status, 'for the service, without a schedule').toBe(401);
    expect((await post(undefined)).status, 'without a header').toBe(401);
    expect((await post(undefined, body, {})).status, 'with the key of an account').toBe(401);
    const [claims = ''] = header.split('.');
    expect((await post(`${claims}.${'A'.repeat(86)}`)).status, 'without a signature').toBe(401);
    // An account in the header is no credential of other operations.
    const query = `/api/core/query?q=${encodeURIComponent('json "{}"')}`;
    const stolen = headerOf('GET', query, { guid, isService: true });
    expect((await one.call('GET', query, { key: null, headers: { 'x-vigil-forwarded': stolen } })).status).toBe(401);
  });

  it('takes no answer of a node that is not a whole one', async () => {
    const columns = '{"columns":[["name","string"]],"without":null}';
    const whole = [200, `{"query":1}\n${columns}\n["n0"]\n{"end":"whole"}\n`] as const;
    const lost = '(93004) node n0 was lost';
    const cases: readonly (readonly [FixedAnswer, string])[] = [
      [whole, '{"name":"n0"}\n'],
      [[404, ''], '(93000) the engine failed: node n0 has a version without remote'],
      [[401, ''], '(93000) the engine failed: node n0 refuses the account'],
      [[413, '{"error_msg":"request body is too large"}'], 'failed: node n0: request body is too large'],
      [[500, 'x'.repeat(20_000)], '(93000) the engine failed: node n0: status 500'],
      [[503, ''], '(10501) node n0 cannot be reached'],
      [[200, ''], lost],
      [[200, `${columns}\n`], lost],
      [[200, 'not a line\n'], lost],
      [
        [200, whole[1].replace('string', 'long')],
        '(93000) the engine failed: columns have changed meanwhile on node n0',
      ],
      [
        [200, '{"end":"refused","detail":"too many requests"}\n'],
        '(93000) the engine failed: node n0: too many requests',
      ],
    ];
    await using other = await startForeignNode(suite.cluster, 'n0');
    for (const [given, wanted] of cases) {
      other.answer = given;
      const { status, text, json } = await ask(one, { q: `remote n0 [ ${WHERE} ]` });
      expect(status === 200 ? text : json.error_msg, given.join(' ')).toContain(wanted);
    }
  });

  it('says that a node is silent, lost in the middle, or gone', async () => {
    const id = await openCursor(one, `remote n3 [ ${ENDLESS_JSON} | eval listed = 2 ] | search a == 2`);
    await expect.poll(() => shownBy(three, 'listed')).toHaveLength(1);
    three.freeze();
    try {
      expect(await endOf(one, id)).toEqual([true, 'NetworkFailure', 93004, 'node n3 was lost']);
      expect(await errorOf(two, `remote n3 [ ${WHERE} ]`)).toBe('(10501) node n3 cannot be reached at 1:8');
      expect(await errorOf(two, `remote * [ ${WHERE} ]`)).toBe('(10501) node n3 cannot be reached at 1:8');
    } finally {
      three.thaw();
    }
    expect(await rowsOf(two, `remote n3 [ ${WHERE} ]`)).toEqual([{ name: 'n3' }]);
    const left = await openCursor(two, `remote n3 [ ${ENDLESS_JSON} | eval listed = 3 ] | search a == 2`);
    await expect.poll(() => shownBy(three, 'listed')).toHaveLength(1);
    await three.end('SIGKILL');
    expect(await endOf(two, left)).toEqual([true, 'NetworkFailure', 93004, 'node n3 was lost']);
    three.start();
    await three.ready();
    expect(await three.end('SIGTERM')).toBe(0);
    expect(await errorOf(one, `remote n3 [ ${WHERE} ]`)).toBe('(10501) node n3 cannot be reached at 1:8');
    const living = await rowsOf(one, `remote * [ ${WHERE} ]`);
    expect(living.map(({ name }) => name).toSorted()).toEqual(['n1', 'n2']);
    expect((await postCursor(one, 'remote n4 [ json "{}" ]')).status).toBe(400);
  });
};

describeCluster('A query of remote', defineRemote, { environment });
