// GET /nodes and `system nodes`, and the node that records name.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, rowsOf } from '#test/support/logs.ts';
import { onEachDatabase } from '#test/support/suites.ts';

const NODES = '/api/core/nodes';
const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+0000$/);

onEachDatabase(
  'The nodes',
  (subject) => {
    const { call } = subject;

    it('are listed with their facts, without an entry in the audit trail', async () => {
      const entries = await entriesOf(subject, async () => {
        expect((await call('GET', NODES)).json).toEqual({
          total_count: 1,
          nodes: [
            {
              name: 'east-1',
              types: ['control'],
              state: 'alive',
              address: 'https://east-1.example.com:8470',
              version: expect.stringMatching(/^\d+\.\d+\.\d+/),
              keeps_logs: true,
              is_self: true,
              started: STAMP,
              last_seen: STAMP,
              public_key: expect.stringMatching(/^[A-Za-z0-9+/]{40,}={0,2}$/),
            },
          ],
        });
      });
      expect(entries).toEqual([]);
    });

    it('sign with the key that the proof of the audit trail names', async () => {
      const { public_key } = (await call('GET', '/api/core/audit-logs/proof')).json;
      expect((await call('GET', NODES)).json.nodes[0].public_key).toBe(public_key);
    });

    it('are found by a part of the name', async () => {
      expect((await call('GET', `${NODES}?keywords=EAST`)).json.total_count).toBe(1);
      expect((await call('GET', `${NODES}?keywords=west`)).json).toEqual({ total_count: 0, nodes: [] });
      expect((await call('GET', `${NODES}?offset=1`)).json).toEqual({ total_count: 1, nodes: [] });
    });

    it('show neither address nor key to a MEMBER', async () => {
      const { key } = await createAccount(subject, 'MEMBER', { login: 'kim' });
      const [node] = (await call('GET', NODES, { key })).json.nodes;
      expect(node).toMatchObject({ name: 'east-1', state: 'alive' });
      expect(Object.keys(node)).not.toContain('address');
      expect(Object.keys(node)).not.toContain('public_key');
      const [row] = await rowsOf(subject, 'system nodes', { key });
      expect(row).toMatchObject({ name: 'east-1', type: 'control', is_alive: true });
      expect(row).not.toHaveProperty('address');
    });

    it('are the rows of `system nodes`', async () => {
      expect(await rowsOf(subject, 'system nodes | fields name, type, types, state, keeps_logs, is_self')).toEqual([
        { name: 'east-1', type: 'control', types: ['control'], state: 'alive', keeps_logs: true, is_self: true },
      ]);
    });

    it('are named by queries, records and loggers', async () => {
      const guid = await createLogger(subject, { table: 'named' });
      await call('POST', `/api/core/loggers/${guid}/logs`, {
        body: '{"n":1}',
        headers: { 'content-type': 'application/json' },
      });
      expect(await rowsOf(subject, 'table east-1:named | fields n, _node')).toEqual([{ n: 1, _node: 'east-1' }]);
      expect((await call('GET', `/api/core/loggers/${guid}`)).json.logger.node).toBe('east-1');
      expect((await call('GET', '/api/core/queries')).json.queries[0].node).toBe('east-1');
      const { status, json } = await call('GET', `/api/core/query?q=${encodeURIComponent('table vigil:named')}`);
      expect([status, json.error_msg]).toEqual([400, expect.stringContaining('(10500)')]);
    });
  },
  {
    flags: { node: 'east-1', 'node-types': 'control', advertise: 'https://east-1.example.com:8470/' },
  },
);
