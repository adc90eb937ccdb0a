// POST /queries/explain: what a query does where.

import { describe, expect, it } from 'vitest';
import { serviceFor } from '#test/support/suites.ts';

describe('POST /queries/explain', () => {
  const { call } = serviceFor();
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

  it('refuses a text with an error', async () => {
    expect((await explain({ q: 'nonsense' })).json).toMatchObject({ error_code: 'invalid-query' });
  });
});
