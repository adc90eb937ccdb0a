import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { ENDLESS_JSON, finished, openCursor, ran, reached } from '#test/support/queries.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const CURSORS = '/api/core/cursors';
const forbidden = (id: number | string) => refused(403, 'invalid-query-id', `cannot access query ${id}`);
const NOT_AN_ID = refused(400, 'invalid-param-type', 'query id should be integer type');

onEachDatabase('A cursor', (subject) => {
  const { call } = subject;
  const read = (id: number, parameters: Readonly<Record<string, string>> = {}, key?: string) =>
    call('GET', `${CURSORS}/${id}?${new URLSearchParams(parameters)}`, key ? { key } : {});
  const numbers = async (id: number, parameters: Readonly<Record<string, string>> = {}) =>
    (await read(id, parameters)).text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).n]));

  it('keeps the rows of its query, for any page', async () => {
    const { id, rows } = await ran(subject, 'json "{a:1}" | repeat count=2500 | eval n = seq()');
    expect(rows).toBe(2500);
    const all = Array.from({ length: 2500 }, (_, index) => index + 1);
    expect(await numbers(id)).toEqual(all.slice(0, 1000));
    expect(await numbers(id, { limit: '9007199254740993' })).toEqual(all);
    expect(await numbers(id, { offset: '2499', limit: '5' })).toEqual([2500]);
    expect(await numbers(id, { offset: '2500' })).toEqual([]);
    expect(await numbers(id, { offset: '9223372036854775807', limit: '9223372036854775807' })).toEqual([]);
    expect(await numbers(id, { limit: '0' })).toEqual([]);
    const single = await read(id, { offset: '1', limit: '1', fields: 'n', format: 'json-single' });
    expect(single.json).toEqual({ rows: [{ n: 2 }], total: 2500, field_order: ['n'], field_types: { n: 'long' } });
  });

  it('answers at once, and gives the rows that are there while it runs', async () => {
    const id = await openCursor(subject, ENDLESS_JSON);
    const status = await reached(subject, id, ({ rows }) => rows >= 1000);
    expect(status).toMatchObject({ is_finished: false, background: true });
    expect((await read(id, { limit: '3' })).text).toBe('{"a":1}\n{"a":1}\n{"a":1}\n');
    await call('POST', `/api/core/queries/${id}/cancel`);
    const ended = await finished(subject, id);
    expect(ended).toMatchObject({ is_cancelled: true, cancel_reason: 'UserRequest', error_code: 93001 });
    const { json } = await read(id, { limit: '0', format: 'json-single' });
    expect(json.total).toBe(ended.rows);
    expect((await read(id, { offset: String(ended.rows - 1) })).text).toBe('{"a":1}\n');
    expect(ended.commands.at(-1).push_count).toBe(ended.rows);
  });

  it('shows its parameters as constants, and never takes them for text', async () => {
    const q = 'set lo = 1 + 1 | setq [ json "{m:9007199254740993}" ] | json "{}" | eval p = $("p"), m = $("m")';
    const params = { p: '"] | drop', n: 1, list: [1, 'x'], _from: '2024-03-01 09:00:00+0900' };
    const status = await ran(subject, q, { params, tags: { page: '1' } });
    expect(status.constants).toEqual({
      p: '"] | drop',
      n: 1,
      list: [1, 'x'],
      _from: '2024-03-01 00:00:00+0000',
      lo: 2,
      m: 9007199254740992,
    });
    expect(status.tags).toEqual({ page: '1' });
    expect((await read(status.id)).text).toContain('"p":"\\"] | drop"');
    expect((await call('GET', `/api/core/queries/${status.id}`)).text).toContain('"m":9007199254740993');
  });

  it.each([
    [{}, refused(400, 'null-argument', 'q should be not null')],
    [{ q: 'json "{}"', background: 'x' }, refused(400, 'invalid-param-type', 'background should be boolean type')],
    [{ q: 'json "{}"', params: '[]' }, refused(400, 'invalid-param-type', 'params should be json type')],
    [
      { q: 'json "{}"', params: JSON.stringify({ p: 'x'.repeat(2 ** 20 - 7) }) },
      refused(400, 'invalid-argument', "'params' must be shorter than or equal to 1048576 bytes."),
    ],
    [{ q: 'json "{}"', tags: '{"a":1}' }, refused(400, 'invalid-param-type', 'tags should be json type')],
    [
      { q: 'json "{}"', params: '{"_x":1}' },
      refused(400, 'invalid-query', '(90402) _x is reserved or has a wrong value at 1:1'),
    ],
    [{ q: 'table none' }, refused(400, 'invalid-query', '(10001) there is no table none at 1:7')],
  ])('complains about %j', async (form, complaint) => {
    expect(outcome(await call('POST', CURSORS, { form }))).toEqual(complaint);
  });

  it('takes parameters of one mebibyte', async () => {
    const { constants } = await ran(subject, 'json "{}"', { params: { p: 'x'.repeat(2 ** 20 - 8) } });
    expect(constants.p.length).toBe(2 ** 20 - 8);
  });

  it.each(['x', '1.5', '2147483648', '-2147483649', '99999999999999999999'])('is not called %s', async (id) => {
    for (const method of ['GET', 'DELETE']) {
      expect(outcome(await call(method, `${CURSORS}/${id}`))).toEqual(NOT_AN_ID);
    }
  });

  it('is its owner’s alone, and nobody’s when there is none', async () => {
    const admin = await createAccount(subject, 'ADMIN', { login: 'curious' });
    const { id } = await ran(subject, 'json "{}"');
    for (const key of [admin.key]) {
      expect(outcome(await read(id, {}, key))).toEqual(forbidden(id));
      expect(outcome(await call('DELETE', `${CURSORS}/${id}`, { key }))).toEqual(forbidden(id));
    }
    expect(outcome(await read(-1))).toEqual(forbidden(-1));
    expect(outcome(await read(2147483647))).toEqual(forbidden(2147483647));
    expect((await read(id)).text).toBe('{}\n');
  });

  it('is gone with its rows and its status when it is removed, running or not', async () => {
    for (const q of ['json "{}"', ENDLESS_JSON]) {
      const id = await openCursor(subject, q);
      expect(outcome(await call('DELETE', `${CURSORS}/${id}`))).toEqual([200, { status: 'ok' }]);
      expect(outcome(await read(id))).toEqual(forbidden(id));
      expect(outcome(await call('GET', `/api/core/queries/${id}`))).toEqual(forbidden(id));
    }
    expect(readdirSync(join(subject.service.config.data, 'results'))).toEqual([]);
  });

  it('is written to the audit trail with its text when it is opened, and when it is removed', async () => {
    let id = 0;
    const entries = await entriesOf(subject, async () => {
      id = (await ran(subject, 'json "{audited:1}"')).id;
      await call('POST', CURSORS, { form: { q: 'nonsense' } });
      await read(id);
      await call('DELETE', `${CURSORS}/${id}`);
    });
    expect(entries).toMatchObject([
      {
        module: 'cursors',
        method: 'create',
        params: { q: 'json "{audited:1}"' },
        msg: 'Run of query json "{audited:1}"',
      },
      {
        module: 'cursors',
        method: 'create',
        params: { q: 'nonsense' },
        error: '(92000) there is no command nonsense at 1:1',
      },
      { module: 'cursors', method: 'remove', msg: `Removal of the rows of query ${id}` },
    ]);
  });

  it('goes with the service, and its id is not given again', async () => {
    const { id } = await ran(subject, 'json "{}"');
    await subject.service.restart();
    expect(outcome(await read(id))).toEqual(forbidden(id));
    expect(await openCursor(subject, 'json "{}"')).toBeGreaterThan(id);
  });
});
