// Every row of the reference about pushes to a table: answer, effect and audit entry.

import { expect, it } from 'vitest';
import { entriesOf } from '#test/support/audit.ts';
import { rowsOf, sent } from '#test/support/logs.ts';
import { type PushScenario, pushScenarios, took } from '#test/support/pushes.ts';
import { NO_PERMISSION, onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const illegal = (message: string) => refused(500, 'illegal-state', message);
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const LONG_NAME = 'n'.repeat(51);
const MISSING_TABLE = illegal('table not found: none');
const REFUSED_PUSH = { module: 'tables', method: 'push', error: 'no-permission', params: { table: 'web' } };

const RIGHTS: readonly PushScenario[] = [
  { it: 'of an ADMIN is taken', to: 'web', body: '{"n":1}', answers: took(1), keeps: [{ n: 1 }] },
  { it: 'of a writing MEMBER is taken', by: 'writer', to: 'web', body: '{"n":1}', answers: took(1), keeps: [{ n: 1 }] },
  {
    it: 'of a reading MEMBER is refused',
    by: 'reader',
    to: 'web',
    body: '{"n":1}',
    answers: NO_PERMISSION,
    keeps: [],
    audits: [{ user_name: 'reader', ...REFUSED_PUSH }],
  },
  {
    it: 'of a MEMBER without a grant finds no table',
    by: 'member',
    to: 'web',
    body: '{"n":1}',
    answers: illegal('table not found: web'),
    keeps: [],
  },
  {
    it: 'without a key is refused',
    by: 'stranger',
    to: 'web?create=true',
    body: '{"n":1}',
    answers: refused(401, 'unauthorized', 'invalid api key'),
    keeps: [],
  },
  {
    it: 'of a key of scope push is taken',
    by: 'sender',
    to: 'web',
    body: '{"n":1}',
    answers: took(1),
    keeps: [{ n: 1 }],
  },
];

const CREATION: readonly PushScenario[] = [
  { it: 'to an absent table is refused', to: 'none', body: '{"n":1}', answers: MISSING_TABLE, keeps: undefined },
  { it: 'that does not create is refused', to: 'none?create=False', answers: MISSING_TABLE, keeps: undefined },
  {
    it: 'of an ADMIN creates the table, with an entry of its own',
    by: 'admin',
    to: 'made?create=TRUE',
    body: '{"n":1}',
    answers: took(1),
    keeps: [{ n: 1 }],
    audits: [
      {
        user_name: 'admin',
        module: 'tables',
        method: 'create',
        params: { table: 'made' },
        msg_params: { table: 'made', name: 'made' },
        msg: 'Creation of table made',
        result: 'Success',
      },
    ],
  },
  {
    it: 'creates a table once',
    by: 'admin',
    to: 'made?create=true',
    body: '{"n":2}',
    answers: took(1),
    keeps: [{ n: 2 }],
  },
  { it: 'of a MEMBER creates none', by: 'writer', to: 'none?create=true', answers: MISSING_TABLE, keeps: undefined },
  {
    it: 'of a key of scope push creates none',
    by: 'sender',
    to: 'none?create=true',
    body: '{"n":1}',
    answers: MISSING_TABLE,
    keeps: undefined,
  },
  {
    it: 'with a wrong create is refused',
    to: 'none?create=maybe',
    answers: refused(400, 'invalid-param-type', 'create should be boolean type'),
    keeps: undefined,
  },
  {
    it: 'creates no table of a wrong name',
    to: '1st?create=true',
    answers: invalid("'table' must begin with a letter and may contain alphanumeric and underscore characters: 1st"),
    keeps: undefined,
  },
  {
    it: 'creates no table of a long name',
    to: `${LONG_NAME}?create=true`,
    answers: invalid("'table' must be shorter than or equal to 50 characters."),
    keeps: undefined,
  },
  {
    it: 'creates nothing for a malformed body',
    to: 'none?create=true',
    type: 'application/json',
    body: '[{"n":1},',
    answers: invalid('malformed request body'),
    keeps: undefined,
  },
  {
    it: 'creates nothing for an unknown parser',
    to: 'none?create=true&parser=nope',
    type: 'text/plain',
    body: 'x',
    answers: illegal('parser not found: nope'),
    keeps: undefined,
  },
  {
    it: 'creates nothing for too many lines',
    to: 'none?create=true',
    body: '{}\n'.repeat(101),
    answers: refused(413, 'request-too-large', 'request body must be less than or equal to 100 lines.'),
    keeps: undefined,
  },
  {
    it: 'creates nothing for another content type',
    to: 'none?create=true',
    type: 'text/csv',
    body: 'a',
    answers: refused(415, 'unsupported-media-type', 'unsupported content type: text/csv'),
    keeps: undefined,
  },
  {
    it: 'creates nothing for another encoding',
    to: 'none?create=true',
    headers: { 'content-encoding': 'br' },
    body: 'a',
    answers: refused(415, 'unsupported-media-type', 'unsupported content type: br'),
    keeps: undefined,
  },
];

onEachDatabase(
  'A push to a table',
  (subject) => {
    const { call } = subject;
    pushScenarios(subject, [...RIGHTS, ...CREATION]);

    it('is one call for the first log, as curl sends it', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await call('POST', '/api/core/tables/first/logs?create=true', {
        headers,
        body: '{"msg":"hello"}',
      });
      expect(outcome(answer)).toEqual(took(1));
      expect((await rowsOf(subject, 'table first')).map(sent)).toEqual([{ msg: 'hello' }]);
      const { json } = await call('GET', '/api/core/tables/first');
      const defaults = { compression: 'snappy', layout: 'columnar', retention: 0, encrypted: false };
      expect(json.table).toMatchObject({ table_name: 'first', ...defaults, shared_users: [], shared_groups: [] });
    });

    it('creates one table for many at once', async () => {
      const path = '/api/core/tables/rush/logs?create=true';
      const entries = await entriesOf(subject, async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', path, { json: { n: 1 } })));
        expect(answers.map(outcome)).toEqual(answers.map(() => took(1)));
      });
      expect(entries).toMatchObject([{ module: 'tables', method: 'create' }]);
      expect(await rowsOf(subject, 'table rush | stats count')).toEqual([{ count: 8 }]);
    });

    it('is counted by table', async () => {
      const count = async (name: string) => {
        const { text } = await call('GET', '/metrics');
        return Number(new RegExp(`^${name}\\{protocol="push",table="counted"\\} (.+)$`, 'm').exec(text)?.[1] ?? 0);
      };
      await call('POST', '/api/core/tables/counted/logs?create=true', { body: Buffer.from('{"n":1}\nno') });
      expect(await count('vigil_ingested_records_total')).toBe(1);
      expect(await count('vigil_ingested_bytes_total')).toBe(7);
      expect(await count('vigil_rejected_records_total')).toBe(1);
      expect(await count('vigil_rejected_bytes_total')).toBe(2);
    });
  },
  { flags: { 'push-lines': '100', metrics: 'closed' } },
);
