// Lookups of services that share a database: made on one node, read on every other.

import { expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { describeCluster } from '#test/support/cluster-suite.ts';
import { rowsOf } from '#test/support/logs.ts';

describeCluster('Lookups of several nodes', (suite) => {
  const FIND = 'json "{ip: \'10.0.0.1\'}" | lookup owners ip output owner';

  it('that are stored have the rows that any node has loaded', async () => {
    const [one, two, three] = suite.nodes;
    const guid = await created(one, '/api/core/lookups', { name: 'owners', key: 'ip', columns: 'ip,owner' });
    const rows = `/api/core/lookups/${guid}/rows`;
    const loaded = await two.call('PUT', rows, {
      body: 'ip,owner\n10.0.0.1,김\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect(loaded.status, loaded.text).toBe(200);
    for (const node of suite.nodes) expect(await rowsOf(node, FIND)).toEqual([{ ip: '10.0.0.1', owner: '김' }]);
    await rowsOf(three, "json \"[{ip: '10.0.0.1', owner: '이'}]\" | outputlookup owners");
    for (const node of suite.nodes) expect(await rowsOf(node, FIND)).toEqual([{ ip: '10.0.0.1', owner: '이' }]);
    expect((await one.call('GET', rows)).json.rows).toEqual([{ ip: '10.0.0.1', owner: '이' }]);
  });

  it('in memory are those of the account on every node, and stay when the node that built them dies', async () => {
    const [one, two, three] = suite.nodes;
    await rowsOf(one, "json \"[{u: 'kim', n: 1}, {u: 'lee', n: 2.5}]\" | memlookup op=build name=ages key=u n");
    expect(await rowsOf(two, 'memlookup name=ages')).toEqual([
      { u: 'kim', n: 1 },
      { u: 'lee', n: 2.5 },
    ]);
    await one.end('SIGKILL');
    expect(await rowsOf(three, 'json "{u: \'lee\'}" | lookup ages u output n')).toEqual([{ u: 'lee', n: 2.5 }]);
    await rowsOf(three, 'memlookup op=drop name=ages');
    expect(await rowsOf(two, 'memlookup')).toEqual([]);
    one.start();
    await one.ready();
  });
});
