// `_node` of stored rows: read by its name, shown where a command puts it into the result (6.1).

import { describe, expect, it } from 'vitest';
import { QueryRunner } from '#test/support/query-runner.ts';

const TABLES = {
  t: [
    { u: 'a', line: '{"x":1}' },
    { u: 'b', line: 'no json' },
  ],
  r: [{ u: 'a', d: 1 }],
};

describe('_node', () => {
  it.each([
    ['table t | fields u', ['u']],
    ['table t | search _node == "vigil" | fields u', ['u']],
    ['table t | fields u, _node', ['u', '_node']],
    ['table t | stats count by _node', ['_node', 'count']],
    ['table t | eval n = _node | fields - _table, _time, _id, line', ['u', 'n']],
    ['table t | rename _node as n | fields - _table, _time, _id, line', ['u', 'n']],
    ['table t | parsejson | search _node == "vigil" | eval n = _node | fields n, x', ['n', 'x']],
    ['table t | parsejson overlay=t | stats count by _node', ['_node', 'count']],
    ['table t | union [ table r ] | search _node == "vigil" | fields u', ['u']],
    ['table t | join type=left u [ table r ] | search _node == "vigil" | fields u', ['u']],
    ['table t | sort u | dedup u | eventstats count by _node | prev u | search _node == "vigil" | fields u', ['u']],
    ['table vigil:t | fields - _table, _time, _id, line, u', ['_node']],
    ['table t | evalc k = _node | eval n = $("k") | fields n', ['n']],
  ])('of %s', async (text, columns) => {
    const runner = await QueryRunner.open({ tables: TABLES });
    const result = await runner.run(text);
    expect(result.columns).toEqual(columns);
    expect(result.rows.length).toBeGreaterThan(0);
    const values = result.rows.flatMap((row) =>
      ['_node', 'n'].flatMap((name) => (row.has(name) ? [row.get(name)] : [])),
    );
    expect(new Set(values).difference(new Set(['vigil']))).toEqual(new Set());
    if (!text.includes('evalc')) expect(await runner.runLocally(text)).toEqual(result.rows);
  });

  it('is null behind commands that have left it out', async () => {
    const runner = await QueryRunner.open({ tables: TABLES });
    expect((await runner.run('table t | fields u | eval n = _node')).rows[0]?.get('n')).toBeNull();
    expect((await runner.run('table t | fields - _node | eval n = _node | fields n')).rows[0]?.get('n')).toBeNull();
  });
});
