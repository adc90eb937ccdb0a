// What is changed on one node of three is in force on the others, without a call that would tell them.

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { createAccount, created, createKey } from '#test/support/accounts.ts';
import type { ClusterNode } from '#test/support/cluster.ts';
import { type ClusterSuite, describeCluster } from '#test/support/cluster-suite.ts';
import { rowsOf } from '#test/support/logs.ts';
import { openCursor, statusOf } from '#test/support/queries.ts';
import { SLOW } from '#test/support/scheduled-queries.ts';
import {
  createGroup,
  createStream,
  createStreamRule,
  found,
  GROUPS,
  importRecords,
  STREAM_RULES,
} from '#test/support/stream-rules.ts';
import { until } from '#test/support/until.ts';

const folders = join(inject('migratedFolder'), '..', `collected-${process.pid}`);
mkdirSync(folders, { recursive: true });

const isTold = (since: unknown) => typeof since === 'string';

const defineChanges = (suite: ClusterSuite) => {
  const nodes = () => {
    const [one, two, three] = suite.nodes;
    return { one, two, three };
  };

  /** Pushes the record to `node`, numbered anew, until the rule has found one of them. */
  async function isJudged(node: ClusterNode, logger: string, rule: string, record: object): Promise<boolean> {
    let n = 0;
    const tried = async () => {
      n += 1;
      const answer = await node.call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ ...record, n }] });
      expect(answer.status, answer.text).toBe(200);
      return (await found(node, rule)).length;
    };
    return (await until(tried, (count) => count > 0)) > 0;
  }

  it('takes a key from its holder on all of them, and ends the queries of its session', async () => {
    const { one, two, three } = nodes();
    const { guid, key, keyGuid } = await createAccount(one, 'ADMIN', { login: 'leaver' });
    const { key: other } = await createKey(one, guid);
    const id = await openCursor(two, SLOW, { key, background: false });
    expect((await three.call('GET', '/api/core/tables', { key })).status).toBe(200);
    expect((await one.call('DELETE', `/api/core/users/${guid}/api-keys/${keyGuid}`)).status).toBe(200);
    for (const node of [two, three]) {
      const refused = await until(
        () => node.call('GET', '/api/core/tables', { key }),
        ({ status }) => status === 401,
      );
      expect(refused.status).toBe(401);
    }
    const status = await until(
      () => statusOf(two, id, { key: other }),
      ({ is_finished }) => is_finished,
    );
    expect(status).toMatchObject({ is_finished: true, is_cancelled: true });
  });

  it('puts a stream rule into force on all of them, its address groups, and its end', async () => {
    const { one, two, three } = nodes();
    const { logger, schema } = await createStream(one);
    const group = await createGroup(two);
    const plain = await createStreamRule(one, { schema, where: ['search user == "kim"'] });
    const grouped = await createStreamRule(one, { schema, where: [`matchnet field=ip guid=${group}`] });
    expect(await isJudged(two, logger, plain, { user: 'kim' })).toBe(true);
    expect(await isJudged(three, logger, plain, { user: 'kim' })).toBe(true);

    await created(three, `${GROUPS}/${group}/addresses`, { ip: '10.1.2.3' });
    expect(await isJudged(one, logger, grouped, { ip: '10.1.2.3' })).toBe(true);

    expect((await two.call('POST', `${STREAM_RULES}/${plain}/disable`)).status).toBe(200);
    const after = async () => {
      const before = (await found(one, plain)).length;
      await one.call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ user: 'kim', n: 1000 + before }] });
      return (await found(one, plain)).length - before;
    };
    expect(await until(after, (raised) => raised === 0)).toBe(0);
  });

  it('judges the very next log, on whatever node it arrives', async () => {
    const { one, two, three } = nodes();
    const { logger, schema } = await createStream(one);
    const group = await createGroup(one);
    const grouped = await createStreamRule(one, { schema, where: [`matchnet field=ip guid=${group}`] });
    for (let round = 0; round < 6; round += 1) {
      const [changing, pushed, asked] = [one, two, three, one, two].slice(round % 3) as [
        ClusterNode,
        ClusterNode,
        ClusterNode,
      ];
      const rule = await createStreamRule(changing, { schema, where: [`search n == ${round}`] });
      await created(changing, `${GROUPS}/${group}/addresses`, { ip: `10.0.0.${round}` });
      const answer = await pushed.call('POST', `/api/core/loggers/${logger}/logs`, {
        json: [{ n: round, ip: `10.0.0.${round}` }],
      });
      expect(answer.status, answer.text).toBe(200);
      expect([await found(asked, rule), (await found(asked, grouped)).includes(round)]).toEqual([[round], true]);
    }
  });

  it('begins and ends a collector on the node that it names', async () => {
    const { one, two, three } = nodes();
    const { table } = await createStream(one);
    const fields = { name: 'files', logger_factory_name: 'file', parser_code: 'json' };
    const model_guid = await created(one, '/api/core/logger-models', fields);
    const configs = JSON.stringify({ path: folders, pattern: '*.log', from: 'start' });
    const form = { model_guid, name: 'files', table_name: table, interval: '1000', configs, enabled: 'true' };
    appendFileSync(join(folders, 'a.log'), '{"n":1}\n');
    const logger = await created(one, '/api/core/loggers', { ...form, node: 'n2' });
    const stored = await until(
      () => rowsOf(three, `table ${table} | stats count`),
      ([row]) => row?.count > 0,
    );
    expect(stored).toEqual([{ count: 1 }]);
    expect((await three.call('GET', `/api/core/loggers/${logger}`)).json.logger).toMatchObject({ node: 'n2' });
    expect((await three.call('POST', `/api/core/loggers/${logger}/disable`)).status).toBe(200);
    const status = async () => (await two.call('GET', `/api/core/loggers/${logger}`)).json.logger.status;
    expect(await until(status, (one) => one === 'stopped')).toBe('stopped');
  });

  it('is seen by a window on any of them: what arrives there, once, with its node', async () => {
    const { one, two, three } = nodes();
    const { table, logger } = await createStream(one);
    const send = async (node: ClusterNode, record: object) => {
      const answer = await node.call('POST', `/api/core/loggers/${logger}/logs`, { json: [record] });
      expect(answer.status, answer.text).toBe(200);
    };
    await send(one, { n: 'before' });
    const id = await openCursor(two, `table window=60s ${table} | fields n, _node, later | limit 6`);
    await until(
      () => statusOf(two, id),
      ({ commands }) => commands[0].status === 'Running',
    );
    for (const node of [one, two, three]) await send(node, { n: node.name });
    await send(three, { n: 'wide', later: 7 });
    await importRecords(one, table, [{ n: 'upload' }, { n: 'upload' }]);
    await until(
      () => statusOf(two, id),
      ({ is_finished }) => is_finished,
    );
    const { text } = await two.call('GET', `/api/core/cursors/${id}`);
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.toSorted((left, right) => (left.n < right.n ? -1 : 1))).toEqual([
      { n: 'n1', _node: 'n1' },
      { n: 'n2', _node: 'n2' },
      { n: 'n3', _node: 'n3' },
      { n: 'upload', _node: 'n1' },
      { n: 'upload', _node: 'n1' },
      { n: 'wide', _node: 'n3', later: 7 },
    ]);
  });

  it('is not called silent on the others while it sends to one of them', async () => {
    const { one, two } = nodes();
    const expected = async (name: string) => {
      const { table, logger, model } = await createStream(one);
      const form = { model_guid: model, name, table_name: table, enabled: 'true', expect_every: '8' };
      expect((await one.call('PUT', `/api/core/loggers/${logger}`, { form })).text).toBe('{}');
      return logger;
    };
    const send = async (logger: string) => {
      const answer = await two.call('POST', `/api/core/loggers/${logger}/logs`, { json: [{ n: 1 }] });
      expect(answer.status, answer.text).toBe(200);
    };
    const silentSince = async (logger: string) =>
      (await one.call('GET', `/api/core/loggers/${logger}`)).json.logger.silent_since;
    const quiet = await expected('quiet');
    const busy = await expected('busy');
    await send(quiet);
    // One that stops sending shows that there was time enough to call the other one silent.
    await until(async () => {
      await send(busy);
      return await silentSince(quiet);
    }, isTold);
    expect(await suite.cluster.sql("select guid from failing where kind = 'silent-logger'")).toEqual([{ guid: quiet }]);
    await until(() => silentSince(busy), isTold);
  });

  it('counts failed authentications of an address over all of them', async () => {
    const { one, two, three } = nodes();
    const refused = (node: ClusterNode) => node.call('GET', '/api/core/tables', { key: 'vgl_wrong' });
    const count = 40;
    for (const node of [one, two]) {
      const answers = await Promise.all(Array.from({ length: count }, () => refused(node)));
      expect(answers.some(({ status }) => status === 401)).toBe(true);
    }
    const last = await until(
      () => refused(three),
      ({ status }) => status === 429,
    );
    expect(last.status).toBe(429);
  });
};

describeCluster('A change on one of three nodes', defineChanges, { environment: { VIGIL_COLLECT_FOLDERS: folders } });
