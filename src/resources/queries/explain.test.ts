// POST /queries/explain: what a query does where.

import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { serviceFor } from '#test/support/suites.ts';

describe('POST /queries/explain', () => {
  const subject = serviceFor();
  const { call } = subject;
  const explain = (json: object) => call('POST', '/api/core/queries/explain', { json });
  const NO_NUMBERS = { rows_read: null, bytes_read: null, rows_moved: null, bytes_moved: null, elapsed: null };

  it('shows the plan alone without run', async () => {
    const { status, json } = await explain({ q: 'system queries | stats count' });
    expect(status).toBe(200);
    expect(json).toEqual({
      stages: [
        { engine: 'node', commands: ['0'], statement: null, ...NO_NUMBERS },
        { engine: 'node', commands: ['1'], statement: expect.stringContaining('count'), ...NO_NUMBERS },
      ],
    });
  });

  it('runs the query with run, and drops its rows', async () => {
    const { status, json } = await explain({ q: 'system queries | stats count', run: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: expect.any(Number), rows: 1 });
    expect(json.stages[0]).toMatchObject({
      engine: 'node',
      commands: ['0'],
      rows_moved: 0,
      elapsed: expect.any(Number),
    });
    expect(Object.keys(json)).toEqual(['id', 'rows', 'stages']);
  });

  it('has commands of a subquery behind its position', async () => {
    const { json } = await explain({ q: 'system queries | join id [ system queries ]' });
    expect(json.stages.flatMap((stage: { commands: string[] }) => stage.commands)).toContain('0.0');
  });

  it('writes one entry with run, and none without', async () => {
    const q = 'system queries | fields id';
    expect(await entriesOf(subject, () => explain({ q }))).toEqual([]);
    expect(await entriesOf(subject, () => explain({ q, run: true }))).toMatchObject([
      { module: 'queries', method: 'explain', params: { q }, msg_params: { query_id: expect.any(Number) } },
    ]);
  });

  it('tells what the embedded engine reads and hands over', async () => {
    const storage = { layout: 'columnar', compression: 'snappy' } as const;
    await push(subject, await createLogger(subject, { table: 'web', storage }), { body: '{"n":1}\n{"n":2}\n' });
    const { json } = await explain({ q: 'table web | search n == 2', run: true });
    const read = { engine: 'embedded', commands: ['0', '1'], rows_read: 2, rows_moved: 1 };
    expect([json.rows, json.stages[0]]).toMatchObject([1, read]);
    expect(json.stages[0].statement).toContain('"web"');
    const planned = await explain({ q: 'table web | search n == 2' });
    expect(planned.json.stages).toMatchObject([{ engine: 'embedded', commands: ['0', '1'], rows_read: null }]);
    expect((await explain({ q: 'table web | import web', run: true })).json.error_msg).toContain('(92002)');
    expect((await explain({ q: 'table web | import web' })).status).toBe(200);
  });

  it('shows a member no statement, and no table without a grant', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'explainer' });
    const ask = (json: object) => call('POST', '/api/core/queries/explain', { json, key });
    for (const run of [false, true]) {
      const { json } = await ask({ q: 'system queries | stats count', run });
      expect(json.stages.map(({ statement }: { statement: unknown }) => statement)).toEqual([null, null]);
      expect((await ask({ q: 'table web | stats count', run })).json.error_code).toBe('invalid-query');
    }
  });

  it('refuses a text with an error', async () => {
    expect((await explain({ q: 'nonsense' })).json).toMatchObject({ error_code: 'invalid-query' });
  });
});
