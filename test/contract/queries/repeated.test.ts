// Audit entries of queries that a session repeats: the first at once, further ones of an hour as one with their number.

import { expect, it } from 'vitest';
import { createAccount, created, createKey } from '#test/support/accounts.ts';
import { auditLogs, entriesOf, type WireEntry } from '#test/support/audit.ts';
import { ask, CURSORS, linesOf } from '#test/support/queries.ts';
import type { CallOptions } from '#test/support/service.ts';
import { countsWritten, onEachDatabase, pass } from '#test/support/suites.ts';
import { until } from '#test/support/until.ts';

let texts = 0;
/** A text that no other test runs. */
const newText = () => {
  texts += 1;
  return `json "{n:${texts}}"`;
};
const FROM = '2024-03-01 00:00:00+0000';
const TO = '2024-03-01 01:00:00+0000';

onEachDatabase('The audit trail of repeated queries', (subject) => {
  const { call, clock } = subject;
  const run = (q: string, more: Readonly<Record<string, string>> = {}, options: CallOptions = {}) =>
    ask(subject, { q, ...more }, options);
  const open = (q: string, more = {}, options: CallOptions = {}) =>
    call('POST', CURSORS, { json: { q, ...more }, ...options });
  const countsOf = (entries: readonly WireEntry[]) => entries.map(({ msg_params }) => msg_params.count);
  /** Entries of a text, oldest first. */
  const found = async (q: string) =>
    (await auditLogs(subject, 'locale=en')).filter(({ params }) => params?.q === q).reverse();
  /** The same, once there are so many. */
  const entriesFor = async (q: string, number: number) => {
    return await until(
      () => found(q),
      (entries) => entries.length >= number,
    );
  };

  it('has the first run at once, and the others of the hour at its end, with the range of all of them', async () => {
    const q = newText();
    const entries = await entriesOf(subject, async () => {
      for (const to of [TO, TO, FROM]) expect(linesOf(await run(q, { from: FROM, to }))).toHaveLength(1);
    });
    expect(entries).toMatchObject([{ module: 'query', method: 'run', params: { q, from: FROM, to: TO } }]);
    expect(entries).toHaveLength(1);
    expect(entries[0].msg_params).not.toHaveProperty('count');
    clock.advance({ minutes: 59 });
    expect((await entriesFor(q, 1)).length).toBe(1);
    await pass(subject, { minutes: 2 });
    const all = await entriesFor(q, 2);
    expect(all).toMatchObject([{}, { params: { q, from: FROM, to: TO }, msg_params: { count: 2 } }]);
    expect(all[1]).toMatchObject({
      user_name: 'master',
      remote_ip: '127.0.0.1',
      msg: `Run of query ${q}, 2 time(s)`,
    });
  });

  it('has no end of a range where one of the counted runs had none', async () => {
    const q = newText();
    for (const to of [TO, '', FROM]) expect(linesOf(await run(q, { from: FROM, to }))).toHaveLength(1);
    await pass(subject, { minutes: 61 });
    const [, counted] = await entriesFor(q, 2);
    expect(counted).toMatchObject({ msg_params: { count: 2 } });
    expect(counted?.params).toEqual({ q, from: FROM });
  });

  it('counts on in the hours that follow, and begins anew after an hour without a run', async () => {
    const q = newText();
    await open(q);
    await open(q);
    clock.advance({ minutes: 50 });
    await call('GET', '/api/core/sessions');
    clock.advance({ minutes: 9 });
    await pass(subject, { minutes: 2 });
    expect(countsOf(await entriesFor(q, 2))).toEqual([undefined, 1]);
    await open(q);
    // The run before it was 61 minutes ago: a first run.
    expect(countsOf(await entriesFor(q, 3))).toEqual([undefined, 1, undefined]);
    clock.advance({ minutes: 30 });
    await open(q);
    clock.advance({ minutes: 29 });
    await pass(subject, { minutes: 2 });
    expect(countsOf(await entriesFor(q, 4))).toEqual([undefined, 1, undefined, 1]);
    await open(q);
    expect((await entriesFor(q, 4)).length).toBe(4);
    clock.advance({ minutes: 30 });
    await call('GET', '/api/core/sessions');
    clock.advance({ minutes: 29 });
    await pass(subject, { minutes: 2 });
    expect(countsOf(await entriesFor(q, 5))).toEqual([undefined, 1, undefined, 1, 1]);
  });

  it('tells operations, texts, parameters and sessions apart', async () => {
    const q = newText();
    const { key, guid } = await createAccount(subject, 'MEMBER', { login: 'other' });
    const second = await createKey(subject, guid);
    const { headers } = await call('POST', '/api/core/sessions', { key: null, form: { api_key: key } });
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const runs = [
      () => run(q),
      () => open(q),
      () => run(`${q} `),
      () => run(q, { format: 'csv' }),
      () => run(q, { limit: '5' }),
      () => open(q, { params: { x: 1 } }),
      () => open(q, { params: { x: '1' } }),
      () => run(q, {}, { key }),
      () => run(q, {}, { key: second.key }),
      () => run(q, {}, { key: null, headers: { cookie } }),
    ];
    const entries = await entriesOf(subject, async () => {
      for (const once of runs) await once();
      for (const again of runs) await again();
    });
    expect(entries).toHaveLength(runs.length);
  });

  it('has an entry for each run that fails, and for texts that do more than read', async () => {
    await created(subject, '/api/core/procedures', { name: 'one', query: 'json "{}"' });
    const q = newText();
    const each = [
      'table missing',
      'proc one()',
      `${q} | union [ proc one() ]`,
      `${q} | memlookup op=build name=m key=n n`,
      'memlookup op=list',
    ];
    for (const text of each) {
      const entries = await entriesOf(subject, async () => {
        for (let count = 0; count < 2; count += 1) await run(text);
      });
      expect([text, entries.filter(({ method }) => method === 'run').length]).toEqual([text, 2]);
    }
    await run(q);
    const entries = await entriesOf(subject, async () => {
      await run(q, { offset: 'x' });
      await run(q, { offset: 'x' });
    });
    expect(entries).toMatchObject([{ error: expect.any(String) }, { error: expect.any(String) }]);
  });

  it('has the number at the end of the session, and a first run of the next one', async () => {
    const q = newText();
    const { key } = await createAccount(subject, 'MEMBER', { login: 'leaving' });
    for (let count = 0; count < 3; count += 1) await run(q, {}, { key });
    await call('DELETE', '/api/core/sessions', { key });
    clock.advance({ seconds: 10 });
    const written = async () => {
      await countsWritten(subject);
      return await found(q);
    };
    expect(countsOf(await until(written, ({ length }) => length > 1))).toEqual([undefined, 2]);
    await run(q, {}, { key });
    expect(countsOf(await entriesFor(q, 3))).toEqual([undefined, 2, undefined]);
  });

  it('has the number at the end of the service', async () => {
    const q = newText();
    for (let count = 0; count < 4; count += 1) await run(q);
    await subject.service.restart();
    expect(countsOf(await entriesFor(q, 2))).toEqual([undefined, 3]);
    await run(q);
    expect(countsOf(await entriesFor(q, 3))).toEqual([undefined, 3, undefined]);
  });
});
