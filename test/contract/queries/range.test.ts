// `from` and `to` of GET /query and POST /cursors: the time range of tables without a time of their own.

import { beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { ask, badQuery, CURSORS, linesOf, QUERIES, rowsFrom } from '#test/support/queries.ts';
import type { Reply } from '#test/support/service.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const FROM = '2024-03-01 01:00:00+0000';
const TO = '2024-03-01 03:00:00+0000';
const invalid = (message: string) => refused(400, 'invalid-argument', message);

describe('The time range of a query', () => {
  const subject = serviceFor();
  const numbers = (answer: Reply) => linesOf(answer).map(({ n }) => n);
  const cursor = (fields: object) => subject.call('POST', CURSORS, { json: { ...fields, wait: 60 } });

  beforeAll(async () => {
    const logger = await createLogger(subject, { table: 'web' });
    const lines = [0, 1, 2, 3, 4].map((n) =>
      JSON.stringify({ n, _time: `2024-03-01 0${n}:00:00+0000`, word: `w${n}` }),
    );
    await push(subject, logger, { body: lines.join('\n') });
    await created(subject, '/api/core/procedures', { name: 'all', query: 'table order=asc web' });
  });

  it.each([
    { it: 'includes from and excludes to', q: 'table order=asc web', gives: [1, 2] },
    { it: 'may have from alone', q: 'table order=asc web', to: '', gives: [1, 2, 3, 4] },
    { it: 'may have to alone', q: 'table order=asc web', from: '', gives: [0, 1, 2] },
    { it: 'is empty where both are equal', q: 'table order=asc web', to: FROM, gives: [] },
    { it: 'is read with a blank for the sign', q: 'table order=asc web', from: FROM.replace('+', ' '), gives: [1, 2] },
    { it: 'holds for fulltext', q: 'fulltext "w*" from web | sort n', gives: [1, 2] },
    { it: 'holds in subqueries', q: 'json "{n:9}" | union [ table order=asc web ]', gives: [9, 1, 2] },
    {
      it: 'holds in subqueries that have a time beside',
      q: 'table from=20240301040000 web | union [ table order=asc web ]',
      gives: [4, 1, 2],
    },
    { it: 'yields to a time in the text', q: 'table order=asc to=20240301010000 web', gives: [0] },
    { it: 'does not reach into procedures', q: 'proc all()', gives: [0, 1, 2, 3, 4] },
    {
      it: 'is read by the text',
      q: 'json "{}" | eval n = concat(string($("_from"), "HH"), string($("_to"), "HH"))',
      gives: ['0103'],
    },
  ])('$it', async ({ q, from = FROM, to = TO, gives }) => {
    expect(numbers(await ask(subject, { q, from, to }))).toEqual(gives);
    const { json } = await cursor({ q, from, to });
    expect(json).toEqual({ id: expect.any(Number), is_finished: true, rows: gives.length });
    expect(numbers(await rowsFrom(subject, json.id))).toEqual(gives);
  });

  it('may be given by params, and is among the constants of the run', async () => {
    const constants = { _from: FROM, _to: TO };
    for (const fields of [{ from: FROM, to: TO }, { params: constants }, { params: { _from: FROM }, to: TO }]) {
      const { json } = await cursor({ q: 'table order=asc web', ...fields });
      expect(numbers(await rowsFrom(subject, json.id))).toEqual([1, 2]);
      expect((await subject.call('GET', `${QUERIES}/${json.id}`)).json.constants).toEqual(constants);
    }
  });

  it.each([
    [{ from: 'yesterday' }, invalid('invalid date format')],
    [{ from: FROM, to: '2024-03-01' }, invalid('invalid date format')],
    [{ from: TO, to: FROM }, invalid('date range is unacceptable.')],
    [{ from: TO, to: FROM, q: 'nonsense' }, invalid('date range is unacceptable.')],
    [{ from: FROM, to: TO, q: 'nonsense' }, badQuery('(92000) there is no command nonsense at 1:1')],
  ])('%j is refused', async (fields, refusal) => {
    expect(outcome(await ask(subject, { q: 'table web', ...fields }))).toEqual(refusal);
    expect(outcome(await cursor({ q: 'table web', ...fields }))).toEqual(refusal);
  });

  it.each([
    [{ from: FROM, params: { _from: FROM } }, invalid("'from' is given twice.")],
    [{ to: TO, params: { _to: TO } }, invalid("'to' is given twice.")],
    [{ from: TO, to: FROM, params: { _to: TO } }, invalid("'to' is given twice.")],
  ])('is not given twice: %j', async (fields, refusal) => {
    expect(outcome(await cursor({ q: 'table web', ...fields }))).toEqual(refusal);
  });

  it('stands in the audit entry', async () => {
    const entries = await entriesOf(subject, async () => {
      await ask(subject, { q: 'table web', from: FROM, to: TO });
      await cursor({ q: 'table web', from: FROM });
      await cursor({ q: 'table web', from: TO, to: FROM });
    });
    expect(entries).toMatchObject([
      { module: 'query', method: 'run', params: { q: 'table web', from: FROM, to: TO } },
      { module: 'cursors', method: 'create', params: { q: 'table web', from: FROM } },
      { module: 'cursors', method: 'create', params: { from: TO, to: FROM }, error: 'date range is unacceptable.' },
    ]);
  });
});
