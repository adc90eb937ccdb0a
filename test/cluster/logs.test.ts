// Logs of one installation over three services: what one has acknowledged every other one sees, whatever is pushed, uploaded,
// removed and dropped where.

import { expect, it } from 'vitest';
import type { ClusterNode } from '#test/support/cluster.ts';
import { describeCluster } from '#test/support/cluster-suite.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import type { Wire } from '#test/support/service.ts';
import { createTable, upload } from '#test/support/uploads.ts';

const TABLES = '/api/core/tables';
const DAY = 86_400_000;

describeCluster('Logs over three services', (suite) => {
  const nodes = () => suite.nodes;
  const countOn = async (node: ClusterNode, table: string) => {
    const [row] = await rowsOf(node, `table ${table} | stats count`);
    return (row as Wire | undefined)?.count;
  };
  const pushed = async (node: ClusterNode, logger: string, records: readonly object[]) => {
    const answer = await push(node, logger, { body: records.map((record) => JSON.stringify(record)).join('\n') });
    expect(answer.status, answer.text).toBe(200);
  };

  it('are seen on every other one as soon as they are acknowledged, with columns that were learnt a moment ago', async () => {
    const logger = await createLogger(nodes()[0], { table: 'learnt' });
    for (let round = 0; round < 9; round += 1) {
      const at = round % 3;
      const record = { n: round, [`own_${at}_${round}`]: at === 0 ? round : `t${round}`, shared: round };
      await pushed(suite.cluster.node(at), logger, [record]);
      for (const node of nodes()) {
        const rows = await rowsOf(node, `table learnt | search n == ${round} | fields own_${at}_${round}, shared`);
        expect(rows).toEqual([{ [`own_${at}_${round}`]: at === 0 ? round : `t${round}`, shared: round }]);
        expect(await countOn(node, 'learnt')).toBe(round + 1);
      }
    }
  });

  it('get one type for each field, though all learn it at once, and keep every value', async () => {
    const logger = await createLogger(nodes()[0], { table: 'types' });
    const values = [7, 'seven', true, 7.5, { seven: 7 }, null];
    // All nodes have the table open, and none knows a field.
    for (const node of nodes()) expect(await countOn(node, 'types')).toBe(0);
    const pushes = Array.from({ length: 18 }, (_, n) => ({
      n,
      v: values[n % values.length],
      [`f${n % 7}`]: values[(n + 1) % 3],
    }));
    await Promise.all(pushes.map((record, n) => pushed(suite.cluster.node(n % 3), logger, [record])));
    for (const node of nodes()) {
      const rows = await rowsOf(node, 'table types | sort n');
      expect(rows.map(({ _id, _time, _table, ...fields }: Wire) => sortedNames(fields))).toEqual(
        pushes.map(sortedNames),
      );
    }
    const ids = (await rowsOf(nodes()[1], 'table types | fields _id')).map(({ _id }: Wire) => _id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are widened on one node while another one writes whole numbers', async () => {
    const logger = await createLogger(nodes()[0], { table: 'widened' });
    for (const at of [0, 1, 2]) await pushed(suite.cluster.node(at), logger, [{ v: at }]);
    await pushed(nodes()[1], logger, [{ v: 2.5 }]);
    for (const at of [0, 2]) await pushed(suite.cluster.node(at), logger, [{ v: at + 3 }]);
    for (const node of nodes()) {
      const rows = await rowsOf(node, 'table widened | sort v | fields v');
      expect(rows).toEqual([0, 1, 2, 2.5, 3, 5].map((v) => ({ v })));
    }
  });

  it('name the node that took them in, whichever is asked, and are read once with every prefix', async () => {
    const logger = await createLogger(nodes()[0], { table: 'taken' });
    for (const at of [0, 1, 2, 1]) await pushed(suite.cluster.node(at), logger, [{ n: at }]);
    const taken = [
      { n: 0, _node: 'n1' },
      { n: 1, _node: 'n2' },
      { n: 1, _node: 'n2' },
      { n: 2, _node: 'n3' },
    ];
    for (const node of nodes()) {
      for (const prefix of ['', 'n1:', 'n2:', '*:']) {
        expect(await rowsOf(node, `table ${prefix}taken | sort n | fields n, _node`)).toEqual(taken);
      }
      const groups = await rowsOf(node, 'table taken | stats count, max(n) as n by _node | sort _node');
      expect(groups).toEqual([1, 2, 1].map((count, n) => ({ _node: `n${n + 1}`, count, n })));
      expect(await rowsOf(node, 'table taken | search _node == "n2" | stats count')).toEqual([{ count: 2 }]);
      expect(await rowsOf(node, 'table taken | search n > 0 and _node != "n2" | fields n')).toEqual([{ n: 2 }]);
      expect(await rowsOf(node, 'table taken | dedup _node | sort _node | fields _node')).toEqual(
        ['n1', 'n2', 'n3'].map((_node) => ({ _node })),
      );
    }
    const unknown = await nodes()[0].call('GET', `/api/core/query?${new URLSearchParams({ q: 'table n9:taken' })}`);
    expect(unknown.json.mistakes[0].code).toBe(10500);
  });

  it('of uploads are seen whole or not at all, on every node', async () => {
    const logger = await createLogger(nodes()[0], { table: 'uploaded' });
    await pushed(nodes()[2], logger, [{ n: 0 }]);
    const lines = Array.from({ length: 500 }, (_, n) => JSON.stringify({ n, _time: Date.now() - (n % 4) * DAY }));
    const counts = new Set<number>();
    let isOver = false;
    const watching = (async () => {
      while (!isOver) for (const node of nodes()) counts.add(Number(await countOn(node, 'uploaded')));
    })();
    for (const node of nodes()) {
      const answer = await upload(node, `${lines.join('\n')}\n`, { metadata: { table: 'uploaded', format: 'ndjson' } });
      expect(answer.status, answer.text).toBe(200);
    }
    isOver = true;
    await watching;
    for (const node of nodes()) expect(await countOn(node, 'uploaded')).toBe(1501);
    expect([...counts].filter((count) => ![1, 501, 1001, 1501].includes(count))).toEqual([]);
  });

  it('that one removes are hidden on the others at once, and what is pushed afterwards stays', async () => {
    const logger = await createLogger(nodes()[0], { table: 'removed' });
    const today = new Date().toISOString().slice(0, 10);
    for (const at of [0, 1, 2]) await pushed(suite.cluster.node(at), logger, [{ n: at }, { n: at + 10 }]);
    const path = `${TABLES}/removed/partitions?start=${today}&end=${today}`;
    const answer = await nodes()[2].call('DELETE', path);
    expect(answer.status, answer.text).toBe(200);
    for (const node of nodes()) expect(await countOn(node, 'removed')).toBe(0);
    await pushed(nodes()[0], logger, [{ n: 99 }]);
    for (const node of nodes()) expect(await countOn(node, 'removed')).toBe(1);
    const pending = () => suite.cluster.sql('select count(*)::int as n from clickhouse_removals where is_pending > 0');
    await expect.poll(pending).toEqual([{ n: 0 }]);
    for (const node of nodes()) expect(await rowsOf(node, 'table removed | fields n')).toEqual([{ n: 99 }]);
  });

  it('of a dropped table are gone everywhere, and one of its name begins anew on any node', async () => {
    const [one, two, three] = nodes();
    const pushedTo = async (node: ClusterNode, record: object) => {
      const answer = await node.call('POST', `${TABLES}/dropped/logs`, {
        body: JSON.stringify(record),
        headers: { 'content-type': 'application/x-ndjson' },
      });
      expect(answer.status, answer.text).toBe(200);
    };
    await createTable(one, 'dropped');
    for (const at of [0, 1, 2]) await pushedTo(suite.cluster.node(at), { n: at });
    const removed = await two.call('DELETE', `${TABLES}/dropped`);
    expect(removed.status, removed.text).toBe(200);
    for (const node of nodes()) {
      const answer = await node.call('GET', `${TABLES}?table_name=dropped`);
      expect(answer.json.tables).toEqual([]);
    }
    await createTable(three, 'dropped');
    for (const at of [0, 1, 2]) await pushedTo(suite.cluster.node(at), { other: `v${at}` });
    for (const node of nodes()) {
      expect(await rowsOf(node, 'table dropped | sort other | fields other')).toEqual(
        [0, 1, 2].map((at) => ({ other: `v${at}` })),
      );
    }
  });
});

/** A field that is null in a record is one without a value. */
const sortedNames = (fields: Wire): Wire =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
