// Queries that the page runs beside that of the reader.

import { describe, expect, it } from 'vitest';
import { answerConsole, refusal, rowLines, unanswered } from '#test/support/console-answers.ts';
import { runToEnd } from './run-to-end.ts';

const REQUEST = { text: 'table web', interval: { from: 0, to: 60_000 } };
const BEGUN = { 'POST /api/core/cursors': () => ({ id: 7 }), 'DELETE /api/core/cursors/:id': () => ({}) };
const rows = [{ n: 1 }, { n: 2 }];

describe('A query of the page', () => {
  it('is waited for, its rows are read, and its cursor is removed', async () => {
    const states = [{ is_finished: false }, { is_finished: true }];
    const requests = answerConsole({
      ...BEGUN,
      'GET /api/core/queries/:id': () => states.shift() ?? {},
      'GET /api/core/cursors/:id': () => rowLines(rows),
    });
    expect(await runToEnd(REQUEST, new AbortController().signal)).toEqual(rows);
    expect(requests[0]?.params).toEqual({
      q: 'table web',
      from: '1970-01-01 00:00:00+0000',
      to: '1970-01-01 00:01:00+0000',
      background: false,
      read_only: true,
    });
    // The second wait is not an action of the reader.
    expect(requests.map(({ operation, isRefresh }) => [operation, isRefresh])).toEqual([
      ['POST /api/core/cursors', false],
      ['GET /api/core/queries/:id', false],
      ['GET /api/core/queries/:id', true],
      ['GET /api/core/cursors/:id', false],
      ['DELETE /api/core/cursors/:id', false],
    ]);
  });

  it('may change something only where the reader has said so', async () => {
    const requests = answerConsole({
      ...BEGUN,
      'GET /api/core/queries/:id': () => ({ is_finished: true }),
      'GET /api/core/cursors/:id': () => rowLines(rows),
    });
    await runToEnd({ ...REQUEST, mayChange: true }, new AbortController().signal);
    expect(requests[0]?.params).toMatchObject({ read_only: false });
  });

  it('that the page repeats by itself does not keep the session alive', async () => {
    const requests = answerConsole({
      ...BEGUN,
      'GET /api/core/queries/:id': () => ({ is_finished: true }),
      'GET /api/core/cursors/:id': () => rowLines(rows),
    });
    await runToEnd(REQUEST, new AbortController().signal, true);
    expect(requests.map(({ isRefresh }) => isRefresh)).toEqual([true, true, true, true]);
  });

  it.each([
    ['fails', { error_code: 93003, error_detail: 'out of memory', cancel_reason: 'LowDisk' }, 'out of memory'],
    ['is cancelled by another', { cancel_reason: 'UserRequest' }, 'UserRequest'],
  ])('that %s says why in place of its rows so far, and its cursor is removed, too', async (_, end, said) => {
    const requests = answerConsole({
      ...BEGUN,
      'GET /api/core/queries/:id': () => ({ is_finished: true, is_cancelled: true, ...end }),
      'DELETE /api/core/cursors/:id': () => refusal(404, 'not-found', 'gone with its session'),
    });
    await expect(runToEnd(REQUEST, new AbortController().signal)).rejects.toThrow(said);
    expect(requests.at(-1)?.operation).toBe('DELETE /api/core/cursors/:id');
  });

  it('ends when the page no longer needs it', async () => {
    const ending = new AbortController();
    const requests = answerConsole({ ...BEGUN, 'GET /api/core/queries/:id': unanswered });
    const run = runToEnd(REQUEST, ending.signal);
    await expect.poll(() => requests.length).toBe(2);
    ending.abort();
    await expect(run).rejects.toThrow();
    expect(requests.at(-1)?.operation).toBe('DELETE /api/core/cursors/:id');
  });
});
