// `read_only`: a text that changes something is refused before anything runs.

import { beforeAll, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { createLogger, push, rowsOf } from '#test/support/logs.ts';
import { ask, badQuery, CURSORS, linesOf, QUERIES } from '#test/support/queries.ts';
import { outcome, serviceFor } from '#test/support/suites.ts';

const subject = serviceFor({ flags: { 'outbound-hosts': 'api.example.com' } });
const { call } = subject;

const refusal = (name: string, column: number) =>
  badQuery(`(92004) ${name} changes something, and this run may only read at 1:${column}`);

beforeAll(async () => {
  const logger = await createLogger(subject, { table: 'web' });
  await push(subject, logger, { body: '{"n":1}' });
  await createLogger(subject, { table: 'copy' });
  const procedure = (name: string, query: string) => created(subject, '/api/core/procedures', { name, query });
  await procedure('reading', 'table web');
  await procedure('writing', 'table web | import copy');
  await procedure('calling', 'proc reading() | union [ proc writing() ]');
});

const REFUSED: readonly (readonly [string, string, number])[] = [
  ['table web | import copy', 'import', 13],
  ['table web | outputcsv a.csv n', 'outputcsv', 13],
  ['table web | outputlookup l key=n', 'outputlookup', 13],
  ['table web | memlookup op=build name=m key=n n', 'memlookup', 13],
  ['memlookup op=drop name=m', 'memlookup', 1],
  ['wget url="https://api.example.com/" method=post', 'wget', 1],
  ['table web | import copy | drop | table web', 'import', 13],
  ['table web | union [ table web | import copy ]', 'import', 33],
  ['proc writing()', 'import', 1],
  ['table web | union [ proc calling() ]', 'import', 21],
];

it.each(REFUSED)(
  'A run that may only read refuses %s at the command, before anything runs',
  async (q, name, column) => {
    await rowsOf(subject, 'table web | memlookup op=build name=m key=n n');
    const complaint = refusal(name, column);
    expect(outcome(await ask(subject, { q, read_only: 'true' }))).toMatchObject(complaint);
    expect(outcome(await call('POST', CURSORS, { json: { q, read_only: true } }))).toMatchObject(complaint);
    expect((await call('POST', `${QUERIES}/check`, { json: { q } })).json).toMatchObject({
      mistakes: [],
      changes: true,
    });
    expect(await rowsOf(subject, 'table copy')).toEqual([]);
  },
);

it.each([
  'table web | fields n',
  'memlookup',
  'memlookup name=m',
  'proc reading() | fields n',
  'wget url="https://api.example.com/" method=head | fields n',
])('A run that may only read gives the rows of %s', async (q) => {
  await rowsOf(subject, 'table web | memlookup op=build name=m key=n n');
  expect((await ask(subject, { q, read_only: 'true' })).status).toBe(200);
  expect((await call('POST', `${QUERIES}/check`, { json: { q } })).json).toMatchObject({
    mistakes: [],
    changes: false,
  });
});

it('A method that comes from the text itself is looked at when it is known', async () => {
  const q = 'setq [ json "{m:\'post\'}" ] | wget url="https://api.example.com/" method=$("m")';
  const answer = await call('POST', CURSORS, { json: { q, read_only: true, wait: 10 } });
  const status = (await call('GET', `${QUERIES}/${answer.json.id}`)).json;
  expect(status).toMatchObject({ is_finished: true, error_code: 92004, cancel_reason: 'CommandFailure' });
});

it('Whatever is not asked to read only runs as before, and the audit trail says which of both was asked', async () => {
  const q = 'table web | import copy | fields n';
  const entries = await entriesOf(subject, async () => {
    expect(linesOf(await ask(subject, { q }))).toEqual([{ n: 1 }]);
    await ask(subject, { q, read_only: 'true' });
  });
  expect(entries.filter(({ method }) => method === 'run')).toMatchObject([
    { params: { q } },
    { params: { q, read_only: 'true' }, error: expect.stringContaining('(92004)') },
  ]);
});
