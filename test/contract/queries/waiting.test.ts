// `wait` of POST /cursors, GET /cursors/:id and GET /queries/:id: an answer that comes when there is something to say.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import {
  CURSORS,
  cancel,
  endAll,
  isRunning,
  linesOf,
  notYours,
  openCursor,
  pause,
  QUERIES,
  reached,
  rowsFrom,
} from '#test/support/queries.ts';
import { MASTER_KEY, type Reply } from '#test/support/service.ts';
import { outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

const TOO_MANY = refused(429, 'too-many-requests', 'too many requests');
/** Ends when it is cancelled, and has a row for each record that arrives. */
const ARRIVING = 'table window=1y web | fields n';

/** What tests of waiting do with a service. */
function waitsOf(subject: Subject) {
  const status = (id: number, parameters = '') => subject.call('GET', `${QUERIES}/${id}?${parameters}`);
  async function arriving(): Promise<number> {
    const id = await openCursor(subject, ARRIVING);
    await reached(subject, id, isRunning);
    return id;
  }
  return { status, arriving };
}

describe('A request that waits for a query', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  const { status, arriving } = waitsOf(subject);
  let logger = '';
  const send = (n: number) => push(subject, logger, { body: JSON.stringify({ n }) });
  const finishedIn = ({ headers }: Reply) => headers.get('x-query-finished');

  /** Whether an answer has come; it has every chance to. */
  async function hasCome(answer: Promise<unknown>): Promise<boolean> {
    let isThere = false;
    void answer.then(() => {
      isThere = true;
    });
    for (let round = 0; round < 5; round += 1) {
      await call('GET', '/healthz');
      await pause(5);
    }
    return isThere;
  }

  beforeAll(async () => {
    logger = await createLogger(subject, { table: 'web' });
  });
  beforeEach(() => endAll(subject));

  it('is answered at the end of the query, by all three operations', async () => {
    const opened = await call('POST', CURSORS, { form: { q: 'json "[{n:1},{n:2}]"', wait: '60' } });
    expect(outcome(opened)).toEqual([200, { id: expect.any(Number), is_finished: true, rows: 2 }]);
    const id = await arriving();
    const ended = status(id, 'wait=60');
    const rows = rowsFrom(subject, id, 'wait=60&wait_rows=5');
    expect(await hasCome(Promise.race([ended, rows]))).toBe(false);
    await cancel(subject, id);
    expect((await ended).json).toMatchObject({ is_finished: true, is_cancelled: true });
    expect([(await rows).text, finishedIn(await rows)]).toEqual(['', 'true']);
    expect(outcome(await status(id, 'wait=60'))).toEqual([200, expect.objectContaining({ is_finished: true })]);
  });

  it('is answered when the wait is over, and the query goes on', async () => {
    const id = await arriving();
    const answers = [
      call('POST', CURSORS, { form: { q: ARRIVING, wait: '20' } }),
      status(id, 'wait=20'),
      rowsFrom(subject, id, 'wait=20'),
    ] as const;
    await clock.asleep({ seconds: 20 }, answers.length);
    expect(await hasCome(Promise.race(answers))).toBe(false);
    clock.advance({ seconds: 19 });
    expect(await hasCome(Promise.race(answers))).toBe(false);
    clock.advance({ seconds: 1 });
    const [opened, known, rows] = await Promise.all(answers);
    expect(opened.json).toEqual({ id: expect.any(Number), is_finished: false, rows: 0 });
    expect(known.json).toMatchObject({ is_finished: false, rows: 0 });
    expect([rows.text, finishedIn(rows)]).toEqual(['', 'false']);
    expect((await status(opened.json.id)).json.is_finished).toBe(false);
  });

  it('is answered when its rows are there', async () => {
    const id = await arriving();
    const first = rowsFrom(subject, id, 'wait=60');
    const further = rowsFrom(subject, id, 'offset=1&wait=60&wait_rows=2');
    const page = rowsFrom(subject, id, 'offset=1&limit=1&wait=60&wait_rows=1000');
    expect(await hasCome(Promise.race([first, further, page]))).toBe(false);
    await send(1);
    expect([linesOf(await first), finishedIn(await first)]).toEqual([[{ n: 1 }], 'false']);
    expect(await hasCome(Promise.race([further, page]))).toBe(false);
    await send(2);
    expect(linesOf(await page)).toEqual([{ n: 2 }]);
    expect(await hasCome(further)).toBe(false);
    await send(3);
    expect(linesOf(await further)).toEqual([{ n: 2 }, { n: 3 }]);
    expect(linesOf(await rowsFrom(subject, id, 'wait=60&wait_rows=3'))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect((await rowsFrom(subject, id, 'offset=9&limit=0&wait=60')).text).toBe('');
  });

  it('says without waiting, too, whether the query has ended', async () => {
    const id = await arriving();
    expect(finishedIn(await rowsFrom(subject, id))).toBe('false');
    await cancel(subject, id);
    await status(id, 'wait=60');
    expect(finishedIn(await rowsFrom(subject, id))).toBe('true');
    const { json } = await call('POST', CURSORS, { form: { q: 'json "{}"' } });
    expect(json).toEqual({ id: expect.any(Number) });
  });

  it('finds no query that is removed meanwhile', async () => {
    const id = await arriving();
    const answers = [status(id, 'wait=60'), rowsFrom(subject, id, 'wait=60')];
    expect(await hasCome(Promise.race(answers))).toBe(false);
    await call('DELETE', `${CURSORS}/${id}`);
    for (const answer of answers) expect(outcome(await answer)).toEqual(notYours(id));
  });

  it.each([
    ['wait=61', "'wait' must be less than or equal to 60."],
    ['wait=-1', "'wait' must be greater than or equal to 0."],
    ['wait=soon', "'wait' parameter should be int type"],
    ['wait=99999999999999999999', "'wait' must be less than or equal to 60."],
  ])('is refused with %s', async (parameters, message) => {
    const id = await openCursor(subject, 'json "{}"');
    const refusal = refused(400, 'invalid-argument', message);
    expect(outcome(await status(id, parameters))).toEqual(refusal);
    expect(outcome(await rowsFrom(subject, id, parameters))).toEqual(refusal);
    const form = { q: 'json "{}"', ...Object.fromEntries(new URLSearchParams(parameters)) };
    expect(outcome(await call('POST', CURSORS, { form }))).toEqual(refusal);
  });

  it.each([
    ['wait_rows=0', "'wait_rows' must be greater than or equal to 1."],
    ['wait_rows=1000001', "'wait_rows' must be less than or equal to 1000000."],
    ['wait_rows=', undefined],
  ])('reads %s', async (parameters, message) => {
    const { id } = (await call('POST', CURSORS, { form: { q: 'json "{}"', wait: '60' } })).json;
    const answer = await rowsFrom(subject, id, `wait=60&${parameters}`);
    if (message) expect(outcome(answer)).toEqual(refused(400, 'invalid-argument', message));
    else expect(answer.text).toBe('{}\n');
  });

  it('waits only for a query of its own account', async () => {
    const { key } = await createAccount(subject, 'ADMIN', { login: 'curious' });
    const id = await arriving();
    expect(outcome(await call('GET', `${QUERIES}/${id}?wait=60`, { key }))).toEqual(notYours(id));
    expect(outcome(await rowsFrom(subject, id, 'wait=60', { key }))).toEqual(notYours(id));
  });

  it('is answered at once when the service stops', async () => {
    const id = await arriving();
    const answers = [status(id, 'wait=60'), rowsFrom(subject, id, 'wait=60')];
    expect(await hasCome(Promise.race(answers))).toBe(false);
    // The clock stands still: neither the wait nor the grace of a stop ends by time.
    await subject.service.restart();
    for (const answer of answers) expect((await answer).status).toBe(200);
  });
});

describe('Requests that wait for a query', () => {
  const subject = serviceFor({ alone: 'node', flags: { 'waits-per-account': '3' } });
  const { call } = subject;
  const { status, arriving } = waitsOf(subject);
  beforeAll(async () => void (await createLogger(subject, { table: 'web' })));

  it('take one of the places of their account until they are answered or their client has left', async () => {
    const other = await createAccount(subject, 'ADMIN', { login: 'other' });
    const id = await arriving();
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const left = fetch(`${subject.service.url}${QUERIES}/${id}?wait=60`, { headers, signal: leaving.signal });
    const waiting = [status(id, 'wait=60'), rowsFrom(subject, id, 'wait=60')];
    /** Needs a place for a moment. */
    const further = (key = MASTER_KEY) => call('POST', CURSORS, { key, form: { q: 'json "{}"', wait: '60' } });
    const refusal = await until(further, ({ status: code }) => code === 429);
    expect([...outcome(refusal), refusal.headers.get('retry-after')]).toEqual([...TOO_MANY, '1']);
    const entries = await entriesOf(subject, async () => {
      expect(outcome(await further())).toEqual(TOO_MANY);
      expect(outcome(await status(id, 'wait=1'))).toEqual(TOO_MANY);
      expect(outcome(await rowsFrom(subject, id, 'wait=1'))).toEqual(TOO_MANY);
      expect((await status(id)).status).toBe(200);
    });
    expect(entries).toEqual([]);
    expect((await further(other.key)).json.is_finished).toBe(true);
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect((await until(further, ({ status: code }) => code === 200)).json.is_finished).toBe(true);
    await cancel(subject, id);
    await Promise.all(waiting);
    expect((await further()).json.is_finished).toBe(true);
  });
});
