// What holds for every protocol of existing senders, through the real service: each protocol only gives its requests.

import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { SENDER_NAMES } from '#senders/names.ts';
import { type Account, createAccount } from '#test/support/accounts.ts';
import { exportedEntries } from '#test/support/audit.ts';
import { rowsOf } from '#test/support/logs.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { slowRequest } from '#test/support/slow-request.ts';
import { type Subject, serviceFor } from '#test/support/suites.ts';
import {
  BODIES_LIMIT,
  LINE_LIMIT,
  LONG_LINE,
  PUSH_LIMIT,
  type SenderMaker,
  type SentRecord,
  type SentRequest,
} from './maker.ts';
import { makers } from './makers.ts';

const UNKNOWN_KEY = `vgl_${'x'.repeat(43)}`;

const flags = {
  senders: SENDER_NAMES.join(','),
  'senders-map': makers.map(({ protocol }) => `mapped-${protocol}-*=${protocol}_main`).join(','),
  'line-limit': String(LINE_LIMIT),
  'push-limit': String(PUSH_LIMIT),
  'bodies-limit': String(BODIES_LIMIT),
  metrics: 'closed',
};

describe('Every protocol of senders', () => {
  const subject = serviceFor({ flags });
  const accounts: Record<string, Account> = {};

  beforeAll(async () => {
    for (const login of ['writer', 'reader', 'stranger']) {
      accounts[login] = await createAccount(subject, 'MEMBER', { login });
    }
  });

  it('is in this suite', () => expect(makers.map(({ protocol }) => protocol)).toEqual(SENDER_NAMES));

  describe.each(makers)('$name', (maker) => definePromises(maker, subject, accounts));
});

function definePromises(maker: SenderMaker, subject: Subject, accounts: Readonly<Record<string, Account>>): void {
  const [main, other, seen] = ['main', 'other', 'seen'].map((name) => `${maker.protocol}_${name}`) as [
    string,
    string,
    string,
  ];
  const account = (login: string) => accounts[login]?.key ?? '';

  beforeAll(async () => {
    for (const table of [main, other, seen]) await subject.call('POST', '/api/core/tables', { form: { table } });
    const grant = (table: string, login: string, read_only: boolean) =>
      subject.call('PUT', `/api/core/tables/${table}`, {
        json: { shared_users: [{ guid: accounts[login]?.guid, read_only }] },
      });
    await grant(main, 'writer', false);
    await grant(seen, 'writer', true);
    await grant(other, 'reader', true);
  });

  const send = async ({ path, headers, body }: SentRequest, { key = MASTER_KEY, more = {} }: SendOptions = {}) => {
    const reply = await subject.call('POST', path, { body, headers: { ...headers, ...more }, key });
    return { said: maker.read(reply), reply };
  };
  const sendAll = async (records: readonly SentRecord[], options?: SendOptions) =>
    (await send(maker.request(records), options)).said;
  const heldBytes = async () =>
    Number(/^vigil_http_body_bytes (\d+)$/m.exec((await subject.call('GET', '/metrics')).text)?.[1]);
  const lastRefusal = async () => (await exportedEntries(subject)).findLast(({ module }) => module === 'senders');
  const linesOf = async (table: string): Promise<string[]> =>
    (await rowsOf(subject, `table order=asc ${table}`)).map(({ line }) => line);

  it('stores records before it answers, at the time that they bring', async () => {
    const records = ['하나', 'two'].map((line) => ({ line, table: main }));
    expect(await sendAll(records)).toEqual(maker.says.taken(2));
    const rows = await rowsOf(subject, `table order=asc ${main}`);
    expect(rows.map(({ line, _time }) => [line, _time])).toEqual([
      ['하나', '2024-03-01 08:00:00+0000'],
      ['two', '2024-03-01 08:00:00+0000'],
    ]);
    const { body, ...request } = maker.request([{ line: 'gzip', table: main }]);
    const { said } = await send({ ...request, body: gzipSync(body) }, { more: { 'content-encoding': 'gzip' } });
    expect(said).toEqual(maker.says.taken(1));
    expect((await linesOf(main)).at(-1)).toBe('gzip');
  });

  it('stores every record of large bodies, whichever table the one before has named', async () => {
    const counts = new Map<string, number>();
    for (const [round, table] of [main, main, main, other, main, main].entries()) {
      const lines = Array.from({ length: 400 }, (_, at) => `${round} ${at} "가\n" ${'x'.repeat(at % 150)}`);
      // An escape that the scanner of lines leaves to the parser, and in the last round alone.
      if (round === 5) lines.push('😀\u2028');
      const before = counts.get(table) ?? (await linesOf(table)).length;
      expect(await sendAll(lines.map((line) => ({ line, table })))).toEqual(maker.says.taken(lines.length));
      expect((await linesOf(table)).slice(before)).toEqual(lines);
      counts.set(table, before + lines.length);
    }
  });

  it('stores equal requests each time', async () => {
    const before = (await linesOf(main)).length;
    for (let round = 0; round < 2; round += 1) {
      expect(await sendAll([{ line: 'again', table: main }])).toEqual(maker.says.taken(1));
    }
    expect((await linesOf(main)).slice(before)).toEqual(['again', 'again']);
  });

  it('rejects a record that is too long, and the request where nothing else can be said', async () => {
    const before = (await linesOf(main)).length;
    const records = ['before', LONG_LINE, 'behind'].map((line) => ({ line, table: main }));
    expect(await sendAll(records)).toEqual(maker.says.tooLong);
    expect((await linesOf(main)).slice(before)).toEqual(['before', 'behind']);
  });

  it('refuses a body that is malformed or too large, and stores nothing of it', async () => {
    const before = (await linesOf(main)).length;
    expect((await send(maker.malformed)).said).toEqual(maker.says.malformed);
    const large = Array.from({ length: Math.ceil(PUSH_LIMIT / 1000) }, () => ({ line: 'x'.repeat(1000), table: main }));
    expect(await sendAll(large)).toEqual(maker.says.oversized);
    expect((await linesOf(main)).length).toBe(before);
  });

  it('takes the key of every scheme of senders, and names the reason where there is none', async () => {
    const request = maker.request([{ line: 'by key', table: main }]);
    const pair = Buffer.from(`any:${MASTER_KEY}`).toString('base64');
    const schemes = [
      { authorization: `ApiKey ${MASTER_KEY}` },
      { authorization: `ApiKey ${pair}` },
      { authorization: `Splunk ${MASTER_KEY}` },
      { authorization: `Basic ${pair}` },
      { 'x-api-key': MASTER_KEY },
    ];
    for (const more of schemes) expect((await send(request, { key: null, more })).said).toEqual(maker.says.taken(1));
    expect((await send(request, { key: null })).said).toEqual(maker.says.noKey);
    expect((await send(request, { key: UNKNOWN_KEY })).said).toEqual(maker.says.wrongKey);
  });

  it('refuses an account that may write nowhere before it reads the body', async () => {
    const { path, headers } = maker.request([]);
    for (const login of ['reader', 'stranger']) {
      const sending = slowRequest(`${subject.service.url}${path}`, 'POST', {
        headers: { ...headers, authorization: `Bearer ${account(login)}`, 'content-length': '1000' },
      });
      await sending.write('{');
      const { status } = await sending.answer;
      expect(status).toBe(maker.says.forbidden[0]);
      sending.destroy();
    }
    expect(await sendAll([{ line: 'x', table: other }], { key: account('reader') })).toEqual(maker.says.forbidden);
    expect(await lastRefusal()).toMatchObject({ user_name: 'reader', method: 'push', error: 'no-permission' });
  });

  it('checks the right on each table before it stores anything', async () => {
    const before = (await linesOf(main)).length;
    const records = [main, seen].map((table) => ({ line: 'right', table }));
    expect(await sendAll(records, { key: account('writer') })).toEqual(maker.says.readOnly);
    expect((await linesOf(main)).slice(before)).toEqual(maker.keepsOtherTables ? ['right'] : []);
    expect(await linesOf(seen)).toEqual([]);
    expect(await lastRefusal()).toMatchObject({ user_name: 'writer', method: 'push', error: 'no-permission' });
    expect(await sendAll([{ line: 'fine', table: main }], { key: account('writer') })).toEqual(maker.says.taken(1));
  });

  it('finds the tables that records name, and stores nothing where one is missing', async () => {
    const before = (await linesOf(main)).length;
    const records = [main, other, `mapped-${maker.protocol}-web`].map((table) => ({ line: `for ${table}`, table }));
    expect(await sendAll(records)).toEqual(maker.says.taken(3));
    expect((await linesOf(main)).slice(before)).toEqual([`for ${main}`, `for mapped-${maker.protocol}-web`]);
    expect((await linesOf(other)).at(-1)).toBe(`for ${other}`);
    const absent = [main, 'absent'].map((table) => ({ line: 'partly', table }));
    expect(await sendAll(absent)).toEqual(maker.says.noTable);
    expect((await linesOf(main)).includes('partly')).toBe(maker.keepsOtherTables);
    const { path, ...request } = maker.request(absent);
    expect((await send({ ...request, path: `${path}?table=${other}` })).said).toEqual(maker.says.taken(2));
    const header = { more: { 'x-vigil-table': other } };
    expect((await send({ ...request, path }, header)).said).toEqual(maker.says.taken(2));
    expect((await linesOf(other)).slice(-4)).toEqual(['partly', 'partly', 'partly', 'partly']);
  });

  it('tells its clients to send again while there is no room for bodies', async () => {
    const { path, headers, body } = maker.request([{ line: 'later', table: main }]);
    const authorization = `Bearer ${MASTER_KEY}`;
    const held = slowRequest(`${subject.service.url}${path}`, 'POST', {
      headers: { ...headers, authorization, 'content-length': String(PUSH_LIMIT) },
    });
    await held.write(Buffer.alloc(PUSH_LIMIT - 1, 0x20));
    await expect.poll(heldBytes).toBe(PUSH_LIMIT - 1);
    const { said, reply } = await send({ path, headers, body });
    expect(said).toEqual(maker.says.busy);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    held.destroy();
    await expect.poll(async () => (await send({ path, headers, body })).said).toEqual(maker.says.taken(1));
  });

  it('counts its records by table', async () => {
    const { text } = await subject.call('GET', '/metrics');
    const of = (name: string, table: string) =>
      Number(
        new RegExp(`^vigil_${name}\\{protocol="${maker.protocol}",table="${table}"\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    expect(of('ingested_records_total', main)).toBe((await linesOf(main)).length);
    expect(of('ingested_bytes_total', main)).toBeGreaterThan(0);
    expect(of('rejected_records_total', '')).toBeGreaterThan(0);
  });
}

interface SendOptions {
  readonly key?: string | null;
  readonly more?: Readonly<Record<string, string>>;
}
