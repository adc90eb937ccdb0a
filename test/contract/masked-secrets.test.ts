// Values that are named like secrets, and where they must not be shown: the audit trail, slots and lists of queries. The
// account that has given them is shown its own query as it was given.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditLogs, entriesOf } from '#test/support/audit.ts';
import { ask, CURSORS, finished, linesOf, listed, openCursor, ran } from '#test/support/queries.ts';
import { createFollower, createSchedule, endedSlots, start } from '#test/support/scheduled-queries.ts';
import { onEachDatabase } from '#test/support/suites.ts';
import { opened } from '#test/support/uploads.ts';
import { everythingKept } from '#test/support/written-data.ts';

const HIDDEN = 'xyzzy-hidden-value';
const NAMES = ['password', 'User.Passwd', 'client-SECRET', 'api_key', 'Access_Token', 'c.r.e.d.e.n.t.i.a.l', 'TOKENS'];

/** Something with a secret in it, however deep. */
const secretive = fc
  .record({ name: fc.constantFrom(...NAMES), path: fc.array(fc.constantFrom('a', 'list', 'b'), { maxLength: 8 }) })
  .map(({ name, path }) =>
    path.reduceRight<object>((inner, step) => (step === 'list' ? { list: [1, inner] } : { [step]: inner }), {
      [name]: HIDDEN,
      open: 1,
    }),
  );

onEachDatabase('A value that is named like a secret', (subject) => {
  const { call } = subject;
  const q = 'json "{}" | eval x = 1';

  it('is shown neither in the trail nor in lists, at any depth and in any spelling', async () => {
    await fc.assert(
      fc.asyncProperty(secretive, fc.boolean(), async (params, isText) => {
        const id = isText
          ? (await call('POST', CURSORS, { form: { q, params: JSON.stringify(params) } })).json.id
          : await openCursor(subject, q, { params });
        const own = await finished(subject, id);
        expect(own.constants).toEqual(params);
        const shown = await listed(subject, id);
        expect(JSON.stringify(shown)).not.toContain(HIDDEN);
        expect(JSON.stringify(shown?.constants)).toContain('***');
      }),
      { numRuns: 20 },
    );
    const { id } = await ran(subject, q, { params: { password: 'p1' } });
    const events = await call('GET', `/api/core/queries/${id}/events`);
    expect(events.text).toContain('"constants":{"password":"p1"}');
    const rows = await ask(subject, { q: 'system queries' });
    expect(linesOf(rows).length).toBeGreaterThan(20);
    for (const text of [rows.text, JSON.stringify(await auditLogs(subject))]) expect(text).not.toContain(HIDDEN);
    const kept = await everythingKept(subject.service);
    expect(kept.filter((bytes) => bytes.includes(HIDDEN))).toEqual([]);
  });

  it('is masked in tags of a list, too', async () => {
    const { id } = await ran(subject, q);
    await call('PUT', `/api/core/queries/${id}/tags`, { form: { tags: '{"token":"t1","page":"1"}' } });
    expect((await listed(subject, id))?.tags).toEqual({ token: '***', page: '1' });
  });

  it('is masked in maps and arrays that objects are made of, as text and as JSON', async () => {
    const configs = { delimiter: ',', auth: { Password: HIDDEN } };
    const parameters = [{ key: 'a', name: 'a', type: 'string', secret: HIDDEN }];
    const entries = await entriesOf(subject, async () => {
      const model = { name: 'm', logger_factory_name: 'http', parser_code: 'json' };
      await call('POST', '/api/core/logger-models', { form: { ...model, parser_configs: JSON.stringify(configs) } });
      await call('POST', '/api/core/logger-models', { json: { ...model, parser_configs: configs } });
      await call('POST', '/api/core/logger-models', { form: { ...model, parser_configs: `{"a":"${HIDDEN}"` } });
      await call('POST', '/api/core/procedures', { json: { name: 'p', query: q, parameters } });
    });
    expect(entries.map(({ params }) => params.parser_configs ?? params.parameters)).toEqual([
      '{"delimiter":",","auth":{"Password":"***"}}',
      { delimiter: ',', auth: { Password: '***' } },
      '***',
      [{ key: 'a', name: 'a', type: 'string', secret: '***' }],
    ]);
  });

  it('is masked before a long value is cut', async () => {
    const params = { filler: 'f'.repeat(1990), password: HIDDEN };
    const [entry] = await entriesOf(subject, async () => {
      await call('POST', CURSORS, { form: { q, params: JSON.stringify(params) } });
    });
    expect(JSON.stringify(entry)).not.toContain('xyzzy');
  });

  it('is masked among the constants of a slot', async () => {
    const query = `json "{a:1}" | eval db_password = "${HIDDEN}", deep = dict("token", "${HIDDEN}")`;
    const first = await createSchedule(subject, { query, output_parameter: 'true' });
    const follower = await createFollower(subject, first, { query: q });
    await start(subject, first);
    const [slot] = await endedSlots(subject, follower, 1);
    expect(slot.constants).toMatchObject({ a: 1, db_password: '***', deep: { token: '***' } });
  });

  it('is shown where it is the token of an upload stream', async () => {
    await call('POST', '/api/core/tables', { form: { table: 'uploaded' } });
    const token = await opened(subject, { file_name: 'a.json', file_size: 1, metadata: { table: 'uploaded' } });
    const [entry] = await entriesOf(subject, () =>
      call('DELETE', `/api/core/upload-streams/${token}`, { key: null, headers: { 'tus-resumable': '1.0.0' } }),
    );
    expect(entry.params.token).toBe(token);
  });
});
