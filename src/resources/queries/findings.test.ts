// Errors, warnings and hints reach the client in every answer about a text.

import { expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { finished, openCursor } from '#test/support/queries.ts';
import { MINIMAL } from '#test/support/rules.ts';
import { onEachDatabase, outcome } from '#test/support/suites.ts';

/** A warning about the order of rows, and one about a repeated name. */
const UNORDERED = 'json "{a:1}" | union [ json "{a:2}" ] | limit 1';
const WARNING = {
  code: 90901,
  message: 'warning: the rows have no defined order before limit',
  begin: 40,
  end: 47,
  line: 1,
  column: 41,
  suggestion: null,
  suggestions: [],
};
const WRONG = 'json "{a:1}" | union [ json "{a:2}" ] | limit 1 | top a | serach b';

onEachDatabase('Findings about a text', (subject) => {
  const { call } = subject;

  it('are in the refusal of a text with errors, beside code and message', async () => {
    const { status, json } = await call('POST', '/api/core/cursors', { form: { q: WRONG } });
    expect(status).toBe(400);
    expect(json).toEqual({
      error_code: 'invalid-query',
      error_msg: '(22900) expected a whole number not below 1 at 1:55',
      mistakes: [
        { ...WARNING, code: 22900, message: 'expected a whole number not below 1', begin: 54, end: 55, column: 55 },
        {
          ...WARNING,
          code: 92000,
          message: 'there is no command serach',
          begin: 58,
          end: 64,
          column: 59,
          suggestion: 'search',
          suggestions: ['search'],
        },
      ],
      warnings: [WARNING],
      hints: [
        {
          code: 91016,
          of: 22900,
          message: 'the number of values is written first: top 10 a',
          begin: 54,
          end: 55,
          replacement: '10 a',
        },
      ],
    });
    const streamed = await call('GET', `/api/core/query?q=${encodeURIComponent(WRONG)}`);
    expect(streamed.json).toEqual(json);
  });

  it('are in the language of the account; code and message of the error are not', async () => {
    const { key } = await createAccount(subject, 'MEMBER', { login: 'reader', locale: 'ko' });
    const { json } = await call('POST', '/api/core/cursors', { key, form: { q: 'serach a' } });
    expect(json).toMatchObject({
      error_msg: '(92000) there is no command serach at 1:1',
      mistakes: [{ message: "'serach' 명령이 없습니다" }],
    });
  });

  it('accompany a cursor, its status and its events, and are absent where there are none', async () => {
    const { json } = await call('POST', '/api/core/cursors', { form: { q: UNORDERED } });
    expect(json).toEqual({ id: expect.any(Number), warnings: [WARNING] });
    const status = await finished(subject, json.id);
    expect(status).toMatchObject({ warnings: [WARNING.message], notices: [WARNING] });
    expect(status).not.toHaveProperty('hints');
    const { text } = await call('GET', `/api/core/queries/${json.id}/events`);
    expect(text).toContain('"notices":[{"code":90901,');
    const quiet = await openCursor(subject, 'json "{a:1}"');
    expect(Object.keys(await finished(subject, quiet))).not.toContain('warnings');
    expect(Object.keys(await finished(subject, quiet))).not.toContain('notices');
    expect((await call('POST', '/api/core/cursors', { form: { q: 'json "{}"' } })).json).toEqual({
      id: expect.any(Number),
    });
  });

  it('are counted in a header of rows', async () => {
    const header = async (q: string) =>
      (await call('GET', `/api/core/query?q=${encodeURIComponent(q)}`)).headers.get('x-query-warnings');
    expect(await header(UNORDERED)).toBe('1');
    expect(await header('json "{a:1}"')).toBe('0');
  });

  it('accompany the answer to the writing of a stored text', async () => {
    const named = { name: 'unordered', query: UNORDERED };
    const sharing = { shared_users: [], shared_groups: [] };
    const cron = { trigger_type: 'cron', cron_schedule: '0 * * * *' };
    const answers = [
      await call('POST', '/api/core/procedures', { form: named }),
      await call('POST', '/api/core/datasets', { json: { ...named, ...sharing } }),
      await call('POST', '/api/core/scheduled-queries', { form: { ...named, ...cron } }),
    ];
    for (const { json } of answers) expect(json).toEqual({ guid: expect.any(String), warnings: [WARNING] });
    const guids = answers.map(({ json }) => json.guid);
    const changed = await call('PUT', `/api/core/procedures/${guids[0]}`, { form: named });
    expect(outcome(changed)).toEqual([200, { warnings: [WARNING] }]);
    // The operation of the published contract keeps its answer.
    const update = await call('PUT', `/api/core/scheduled-queries/${guids[2]}`, { form: { ...named, ...cron } });
    expect(outcome(update)).toEqual([200, {}]);
    const quiet = await call('POST', '/api/core/procedures', { form: { name: 'quiet', query: 'json "{}"' } });
    expect(quiet.json).toEqual({ guid: expect.any(String) });
  });

  it('tell all errors of a new scheduled query, which is accepted', async () => {
    const form = { name: 'wrong', query: WRONG, trigger_type: 'cron', cron_schedule: '0 * * * *' };
    const { status, json } = await call('POST', '/api/core/scheduled-queries', { form });
    expect(status).toBe(200);
    expect(json).toMatchObject({ mistakes: [{ code: 22900 }, { code: 92000 }], warnings: [{ code: 90901 }] });
    expect(json.hints).toMatchObject([{ code: 91016 }]);
  });

  it('accompany the answer to the writing of a rule', async () => {
    const form = { ...MINIMAL.batch, name: 'unordered', query: UNORDERED };
    const batch = await call('POST', '/api/core/batch-rules', { form });
    expect(batch.json).toEqual({ guid: expect.any(String), warnings: [WARNING] });
    const again = await call('PUT', `/api/core/batch-rules/${batch.json.guid}`, { form });
    expect(outcome(again)).toEqual([200, { warnings: [WARNING] }]);
  });
});
