// `system queries` over three nodes: the rows are those of `GET /queries`, whichever node runs it and whosever queries they are.

import { beforeAll, expect, it } from 'vitest';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { type ClusterSuite, describeCluster } from '#test/support/cluster-suite.ts';
import { startForeignNode } from '#test/support/foreign-node.ts';
import { rowsOf } from '#test/support/logs.ts';
import { nodeQueryFrom } from '#test/support/node-query.ts';
import { cancel, ENDLESS_JSON, finished, openCursor, QUERIES, ran } from '#test/support/queries.ts';
import { createSchedule, runToEnd } from '#test/support/scheduled-queries.ts';
import type { Wire } from '#test/support/service.ts';
import { outcome, refused } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const ROWS = 'system queries | search query_string == "*shown*"';
const COLUMNS =
  'id, source, login_name, remote_ip, rows, elapsed, is_finished, is_cancelled, is_scheduled_query, background, query_string';

const rising = (left: number, right: number): number => left - right;

/** A node is silent for longer than its lease would be otherwise. */
const environment = { VIGIL_NODE_LEASE: '120', VIGIL_NODE_RENEWAL: '1' };

const defineSystemQueries = (suite: ClusterSuite) => {
  let [one, two, three] = [] as unknown as ClusterSuite['nodes'];
  let member: Account;
  const ids: number[] = [];
  beforeAll(async () => {
    [one, two, three] = suite.nodes;
    member = await createAccount(one, 'MEMBER', { login: 'reader' });
    for (const node of [one, two, three]) ids.push((await ran(node, 'json "{shown:1}" | repeat count=3')).id);
    const { id } = await ran(two, 'json "{shown:2}"', { key: member.key });
    ids.push(id);
  });

  it('has the queries of all nodes with the values that the list has, by id', async () => {
    const { queries } = (await one.call('GET', `${QUERIES}?keywords=json "{shown`)).json;
    const only = (record: Wire) => Object.fromEntries(COLUMNS.split(', ').map((name) => [name, record[name]]));
    const expected = queries.map(only).toSorted((left: Wire, right: Wire) => left.id - right.id);
    expect(expected.map(({ id }: Wire) => id)).toEqual(ids.toSorted(rising));
    for (const node of suite.cluster.nodes) {
      const rows = await rowsOf(node, `${ROWS} | search query_string == "json*" | fields ${COLUMNS}, start_time`);
      expect(rows.map(only)).toEqual(expected);
      expect(rows.every(({ start_time }: Wire) => /^20\d\d-/.test(start_time))).toBe(true);
    }
  });

  it('shows an account its own alone, and a run of a schedule all', async () => {
    for (const node of suite.cluster.nodes) {
      const rows = await rowsOf(node, `${ROWS} | search query_string == "json*" | fields id`, { key: member.key });
      expect(rows).toEqual([{ id: ids[3] }]);
    }
    const query = `${ROWS} | search query_string == "json*"`;
    const guid = await createSchedule(three, { name: 'lists', query });
    expect(await runToEnd(three, guid)).toMatchObject({ state: 'succeeded', rows: 4 });
  });

  it('has those of the node that runs it inside of `remote`, with the rights of the account', async () => {
    const owner = await createAccount(one, 'ADMIN', { login: 'owner' });
    const all = `remote * [ ${ROWS} | search query_string == "json*" ]`;
    const guid = await createSchedule(one, { query: all }, { key: owner.key });
    await two.call('PUT', `/api/core/users/${owner.guid}`, { form: { login: 'owner', name: 'owner', role: 'MEMBER' } });
    const own: number[] = [];
    for (const node of [one, two, three]) own.push((await ran(node, 'json "{owned:1}"', { key: owner.key })).id);

    const idsBy = async ({ key }: Account, where: string): Promise<number[]> => {
      const inner = 'system queries | search query_string == "json*" | fields id';
      return (await rowsOf(one, `remote ${where} [ ${inner} ]`, { key })).map(({ id }) => id).toSorted(rising);
    };
    const entries = await entriesOf(one, async () => {
      expect(await idsBy(member, 'n2')).toEqual([ids[3]]);
      expect(await idsBy(member, 'n3')).toEqual([]);
      expect(await idsBy(member, '*')).toEqual([ids[3]]);
      expect(await idsBy(owner, 'n2')).toEqual([own[1]]);
      expect(await idsBy(owner, '*')).toEqual(own.toSorted(rising));
      expect(await runToEnd(two, guid)).toMatchObject({ state: 'succeeded', rows: 4 });
    });
    expect(entries.length).toBeGreaterThan(4);
    expect(entries.filter(({ error }) => error)).toEqual([]);
  });

  it('has more than one answer of a node holds', async () => {
    const text = `json "{paged:1}" | eval text = "${'x'.repeat(600_000)}" | fields paged`;
    const long: number[] = [];
    for (let count = 0; count < 3; count += 1) long.push((await ran(two, text)).id);
    const rows = await rowsOf(one, 'system queries | search query_string == "json*paged*" | fields id');
    expect(rows.map(({ id }) => id).toSorted(rising)).toEqual(long);
  });

  it('has one that runs elsewhere, and its end', async () => {
    const id = await openCursor(three, ENDLESS_JSON);
    const states = 'is_finished, is_cancelled, finish_time';
    const shown = `system queries | search id == ${id} | fields ${states}`;
    expect(await rowsOf(one, shown)).toMatchObject([{ is_finished: false, is_cancelled: false }]);
    await cancel(two, id);
    await finished(two, id);
    const [row] = await rowsOf(one, shown);
    expect(row).toEqual({ is_finished: true, is_cancelled: true, finish_time: expect.stringMatching(/^20\d\d-/) });
  });

  it('is told to nodes alone', async () => {
    const path = '/api/core/node-queries';
    const { headerOf } = nodeQueryFrom(one, two, '');
    const ask = (header: string) => two.call('GET', path, { key: null, headers: { 'x-vigil-forwarded': header } });
    const answer = await ask(headerOf('GET', path, { guid: member.guid }));
    expect(answer.json.queries.map(({ login_name }: Wire) => login_name)).toContain('reader');
    expect(answer.json.queries.map(({ login_name }: Wire) => login_name)).not.toContain('master');
    const unauthorized = refused(401, 'unauthorized', 'invalid api key');
    expect(outcome(await two.call('GET', path))).toEqual(unauthorized);
    expect(outcome(await ask(headerOf('GET', QUERIES, { guid: member.guid })))).toEqual(unauthorized);
    const service = headerOf('GET', path, { guid: member.guid, isService: true });
    expect(outcome(await ask(service))).toEqual(unauthorized);
  });

  it('names a node that does not answer in a warning, and has the rows of the others', async () => {
    three.freeze();
    try {
      const { warnings, rows } = await ran(one, `${ROWS} | search query_string == "json*"`);
      expect(rows).toBe(3);
      expect(warnings).toEqual(['warning: node n3 does not answer; its rows are missing']);
    } finally {
      three.thaw();
    }
    const again = await ran(one, `${ROWS} | search query_string == "json*"`);
    expect([again.rows, again.warnings]).toEqual([4, undefined]);
  });

  it('tells a node that refuses to answer from one that is silent', async () => {
    const query = `${ROWS} | search query_string == "json*"`;
    await using old = await startForeignNode(suite.cluster, 'old');
    // A node reads the list of nodes once a second.
    await until(
      () => ran(one, query),
      ({ warnings }) => warnings !== undefined,
    );
    for (const status of [404, 401, 429]) {
      old.answer = [status, '{}'];
      const { warnings, rows } = await ran(one, query);
      expect(rows).toBe(4);
      expect(warnings).toEqual([`warning: node old answers with status ${status}; its rows are missing`]);
    }
    const { text } = await one.call('GET', '/metrics');
    const counts = text.split('\n').filter((line) => line.includes('"old"'));
    expect(counts).toEqual([expect.stringContaining('outcome="answered"')]);
  });
};

describeCluster('`system queries` of several nodes', defineSystemQueries, { environment });
