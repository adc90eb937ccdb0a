// A driver behind rows begins a new phase (7.0): what the phases before it have written is in force, and only the rows of the
// last one are the result.

import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { ask, fillMany, finished, openCursor, ran, type Status, watch } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';
import { createTable } from '#test/support/uploads.ts';

const countsOf = ({ commands }: Status) => commands.map(({ push_count }: Status) => push_count);

describe('The phases of a query', () => {
  const subject = serviceFor();
  let tables = 0;
  const newTable = async () => {
    tables += 1;
    await createTable(subject, `dst${tables}`);
    return `dst${tables}`;
  };
  const rowsOf = async (q: string) => (await ask(subject, { q })).text.trimEnd();
  beforeAll(() => fillMany(subject, { count: 100 }));

  it('run one after the other; each reads what those before it have stored', async () => {
    const dst = await newTable();
    const q = `table many | search n < 7 | fields n | import ${dst} | table ${dst} | search n > 2 | import ${dst} | drop | table ${dst} | stats count, max(n) as m`;
    const last = await ran(subject, q);
    expect(last).toMatchObject({ is_finished: true, is_cancelled: false, rows: 1 });
    expect(countsOf(last)).toEqual([100, 7, 7, 7, 7, 4, 4, 0, 11, 1]);
    expect(await rowsOf(`table ${dst} | stats count, max(n) as m`)).toBe('{"count":11,"m":6}');
  });

  it('show their commands ended before one of the next phase leaves Waiting', async () => {
    const id = await openCursor(
      subject,
      'table many | repeat count=4000 | stats count by k | set x = 1 | json "{}" | eval y = $("x")',
    );
    const seen = await watch(subject, id, ({ is_finished }) => is_finished);
    for (const { commands } of seen) {
      const statuses = commands.map(({ status }: Status) => status);
      const isBegun = statuses.slice(3).some((status: string) => status !== 'Waiting');
      if (isBegun) expect(statuses.slice(0, 3)).toEqual(['End', 'End', 'End']);
    }
    expect(countsOf(seen.at(-1))).toEqual([100, 400_000, 10, 0, 1, 1]);
  });

  it('keep what they have stored when a later one fails, and write its audit entry', async () => {
    const dst = await newTable();
    const q = `json "[{a:1},{a:2}]" | import ${dst} | drop | table many | pivot count cols n | union [ table many | repeat count=200 | eval c = seq() | pivot count cols c ]`;
    const entries = await entriesOf(subject, async () => {
      const last = await finished(subject, await openCursor(subject, q));
      expect(last).toMatchObject({ is_cancelled: true, error_code: 22201 });
    });
    expect(entries).toMatchObject([
      { module: 'cursors' },
      { module: 'query', method: 'import', msg_params: { table: dst, rows: 2 } },
    ]);
    expect(await rowsOf(`table ${dst} | stats count`)).toBe('{"count":2}');
  });

  it('do not begin after one that fails', async () => {
    const dst = await newTable();
    const q = `table many | repeat count=200 | eval c = seq() | pivot count cols c | json "{}" | import ${dst}`;
    expect(await finished(subject, await openCursor(subject, q))).toMatchObject({
      is_cancelled: true,
      error_code: 22201,
    });
    expect(await rowsOf(`table ${dst} | stats count`)).toBe('{"count":0}');
  });

  it('are all checked before the first one runs', async () => {
    const dst = await newTable();
    const answer = await ask(subject, { q: `json "{}" | import ${dst} | drop | table ${dst} | limit -1` });
    expect(answer.json).toMatchObject({ error_code: 'invalid-query', error_msg: expect.stringContaining('(22400)') });
    expect(await rowsOf(`table ${dst} | stats count`)).toBe('{"count":0}');
  });

  it('evaluate their set and setq when they begin, and keep the parameters', async () => {
    const dst = await newTable();
    const q = `set a = 1 | json "[{n:5},{n:8}]" | import ${dst} | drop | setq [ table ${dst} | stats max(n) as m ] | set b = $("m") + $("a") | json "{}" | eval a = $("a"), m = $("m"), b = $("b")`;
    const last = await ran(subject, q);
    expect(last.constants).toEqual({ a: 1, m: 8, b: 9 });
    expect(countsOf(last)).toEqual([0, 2, 2, 0, 0, 0, 1, 1]);
    expect(last.sub_queries.map(countsOf)).toEqual([[2, 1]]);
  });

  it('end alone where a limit is satisfied', async () => {
    const last = await ran(subject, 'table many | limit 3 | table many | stats count');
    expect(countsOf(last).slice(1)).toEqual([3, 100, 1]);
  });

  it('hold in subqueries and procedures', async () => {
    const dst = await newTable();
    const q = `table many | search n == 1 | fields n | union [ json "[{n:7},{n:8}]" | import ${dst} | drop | table ${dst} | fields n ]`;
    const last = await ran(subject, q);
    expect(countsOf(last)).toEqual([100, 1, 1, 3]);
    expect(last.sub_queries.map(countsOf)).toEqual([[2, 2, 0, 2, 2]]);
    const created = await subject.call('POST', '/api/core/procedures', {
      form: {
        name: 'phased',
        query:
          'json "[{n:7}]" | memlookup op=build name=built key=n n | drop | json "[{n:7}]" | lookup built n output n as m',
      },
    });
    expect(created.status).toBe(200);
    expect(await rowsOf('proc phased()')).toBe('{"n":7,"m":7}');
  });

  it('of a caller store what a procedure writes, with the rights of its owner and in its name', async () => {
    const dst = await newTable();
    const form = { name: 'noting', query: `json "[{n:1},{n:2}]" | import ${dst}`, company_public: 'true' };
    expect((await subject.call('POST', '/api/core/procedures', { form })).status).toBe(200);
    const { key } = await createAccount(subject, 'MEMBER', { login: 'member' });
    const entries = await entriesOf(subject, async () => {
      await ask(subject, { q: 'proc noting() | drop | json "{}"' }, { key });
    });
    const entry = { method: 'import', user_name: 'master', msg_params: { table: dst, rows: 2 } };
    expect(entries.filter(({ method }) => method === 'import')).toMatchObject([entry]);
    expect(await rowsOf(`table ${dst} | stats count`)).toBe('{"count":2}');
    const answer = await ask(subject, { q: 'setq [ proc noting() ] | json "{}"' });
    expect(answer.json.error_msg).toContain('(92002)');
  });

  it('read the columns that an earlier one has made', async () => {
    const dst = await newTable();
    const q = `json "[{fresh:1},{fresh:2}]" | import ${dst} | drop | table ${dst} | stats sum(fresh) as s | json "{}" | drop | table ${dst} | timechart span=1d sum(fresh) by fresh | fields - _time`;
    expect(await rowsOf(q)).toBe('{"1":1,"2":2}');
  });
});
