// Requests of strangers, members and senders that once held the main thread, or took its memory. Each is answered clearly.

import { gzipSync } from 'node:zlib';
import { push } from '#test/support/logs.ts';
import { MASTER_KEY, type Reply, type Service } from '#test/support/service.ts';
import { type SlowRequest, slowRequest } from '#test/support/slow-request.ts';
import { until } from '#test/support/until.ts';

export interface World extends Pick<Service, 'call'> {
  readonly url: string;
  /** Of a logger for JSON, and of one for text. */
  readonly logger: string;
  readonly textLogger: string;
}

export interface HostileRequest {
  readonly it: string;
  /** What it is answered with: status, and how its message begins. */
  readonly answers: string;
  send(world: World): Promise<Reply | string>;
}

const MIB = 1024 * 1024;
const SIZE = 16 * MIB - 200;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const COMPANIES = '/api/core/companies';
const SESSIONS = '/api/core/sessions';
const USERS = '/api/core/users';
export const CURSORS = '/api/core/cursors';
/** Nearly as many as a body may have. */
export const VALUES = 249_000;

const upTo = (bytes: number, text: string) => text.repeat(Math.floor(bytes / text.length));
const zeros = (bytes: number) => `[${upTo(bytes - 3, '0,')}0]`;
export const listOf = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');
const TOO_MANY_VALUES = '413 request body must be less than or equal to 250000 values.';
const TOO_MANY_LINES = '413 request body must be less than or equal to 1000000 lines.';

export const json = (path: string, body: () => string, key?: null) => (world: World) =>
  world.call('POST', path, { body: body(), headers: JSON_TYPE, ...(key === null ? { key } : {}) });
export const form =
  (path: string, body: () => string, method = 'POST') =>
  (world: World) =>
    world.call(method, path, { body: body(), headers: FORM });
const gzipped =
  (type: string, body: () => string, isText = false) =>
  (world: World) =>
    push(world, isText ? world.textLogger : world.logger, {
      type,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(body()),
    });

const BODIES: readonly HostileRequest[] = [
  {
    it: '16 MB of zeros without a key',
    answers: '413 request body must be shorter than or equal to 8192 bytes.',
    send: json(SESSIONS, () => `{"x":${zeros(SIZE)}}`, null),
  },
  {
    it: '16 MB of zeros with a key',
    answers: TOO_MANY_VALUES,
    send: json(COMPANIES, () => `{"x":${zeros(SIZE)}}`),
  },
  {
    it: 'as many zeros as a body may have',
    answers: '200',
    send: json(COMPANIES, () => `{"name":"zeros","x":${zeros(2 * VALUES)}}`),
  },
  {
    it: 'as many members as a body may have, in objects of one',
    answers: '200',
    send: json(COMPANIES, () => `{"name":"members","x":[${listOf(VALUES / 2, (at) => `{"a${at}":1.5e300}`)}]}`),
  },
  {
    it: 'one text of 16 MB of escapes',
    answers: "400 'description' must be shorter than or equal to 2000 characters.",
    send: json(COMPANIES, () => `{"name":"escapes","description":"${upTo(SIZE, '\\"')}"}`),
  },
  {
    it: 'brackets that only open',
    answers: '400 malformed request body',
    send: json(COMPANIES, () => upTo(SIZE, '[')),
  },
  {
    it: 'blanks, and nothing else',
    answers: '400 malformed request body',
    send: json(COMPANIES, () => upTo(SIZE, ' ')),
  },
  {
    it: 'a number of 16 million digits',
    answers: "400 'idle_timeout' must be less than or equal to 86400.",
    send: json(USERS, () => `{"login":"digits","name":"x","role":"MEMBER","idle_timeout":${upTo(SIZE, '9')}}`),
  },
  {
    it: 'a form of four million names',
    answers: TOO_MANY_VALUES,
    send: form(COMPANIES, () => upTo(SIZE, 'a=1&')),
  },
  {
    it: 'a form of as many names as it may have, all of them unknown',
    answers: '400 name should be not null',
    send: form(COMPANIES, () =>
      Array.from({ length: VALUES }, (_, at) => `name%20of%20field%20${at}=%EC%95%88%EB%85%95`).join('&'),
    ),
  },
  {
    it: 'a form of one name as often as it may be there',
    answers: "400 'name' is given twice.",
    send: form(COMPANIES, () => upTo(7 * VALUES, 'name=x&')),
  },
  {
    it: 'a form of ampersands',
    answers: '400 name should be not null',
    send: form(COMPANIES, () => upTo(SIZE, '&')),
  },
  {
    it: 'a form value of 16 MB of escapes',
    answers: "400 'description' must be shorter than or equal to 2000 characters.",
    send: form(COMPANIES, () => `name=escapes&description=${upTo(SIZE, '%EC%95%88')}`),
  },
  {
    it: 'a name of 16 MB of letters in parts',
    answers: "400 'name' must be shorter than or equal to 200 characters.",
    send: json(COMPANIES, () => `{"name":"${upTo(SIZE / 3, '\u1112\u1161\u11ab')}"}`),
  },
];

const PARAMETERS: readonly HostileRequest[] = [
  {
    it: 'a list of 16 million commas',
    answers: '400 guids should be not null',
    send: form(USERS, () => `guids=${upTo(SIZE, ',')}`, 'DELETE'),
  },
  {
    it: 'a list of eight million items',
    answers: "400 'guids' must be less than or equal to 10000 items.",
    send: form(USERS, () => `guids=${upTo(SIZE, 'a,')}`, 'DELETE'),
  },
  {
    it: 'eight million addresses',
    answers: TOO_MANY_VALUES,
    send: form(USERS, () => `login=x&name=x&role=MEMBER&trust_hosts=${upTo(SIZE, '1,')}`),
  },
  {
    it: 'JSON of 16 MB of zeros as the text of a form',
    answers: TOO_MANY_VALUES,
    send: form(CURSORS, () => `q=json+%22%7B%7D%22&params={"x":${zeros(SIZE)}}`),
  },
  {
    it: 'as many parameters of a query as a body may have',
    answers: '',
    send: json(CURSORS, () => `{"q":"json \\"{}\\"","params":{${listOf(VALUES / 2, (at) => `"p${at}":${at}`)}}}`),
  },
  {
    it: 'an array of JSON that is longer than what is kept',
    answers: "400 'parameters' must be shorter than or equal to 1048576 bytes.",
    send: json('/api/core/procedures', () => {
      const parameters = listOf(80_000, (at) => `{"key":"k${at}","type":"long"}`);
      return `{"name":"p","query":"json \\"{}\\"","parameters":[${parameters}]}`;
    }),
  },
  {
    it: 'as many parameters of a procedure as are kept',
    answers: '',
    send: json('/api/core/procedures', () => {
      const parameters = listOf(35_000, (at) => `{"key":"k${at}","type":"long"}`);
      return `{"name":"p","query":"json \\"{}\\"","parameters":[${parameters}]}`;
    }),
  },
  {
    it: 'JSON in the texts of JSON',
    answers: '400 fields.display_name_trans should be json type',
    send: json('/api/core/log-schemas', () => {
      const inner = JSON.stringify(zeros(30_000));
      const fields = listOf(
        30,
        (at) => `{"code":"c${at}","name":"n${at}","type":"string","display_name_trans":${inner}}`,
      );
      return `{"code":"inner","name":"inner","fields":[${fields}]}`;
    }),
  },
  {
    it: 'grants to a hundred thousand accounts',
    answers: '400',
    send: json('/api/core/procedures', () => {
      const guids = listOf(100_000, (at) => `"00000000-0000-4000-8000-${String(at).padStart(12, '0')}"`);
      return `{"name":"g","query":"json \\"{}\\"","granted_user_guids":[${guids}]}`;
    }),
  },
  {
    it: 'a query string of a million characters',
    answers: '200',
    send: (world) => world.call('GET', `${COMPANIES}?${upTo(900_000, 'a%20b&')}`),
  },
];

const PUSHES: readonly HostileRequest[] = [
  {
    it: '39 kB of gzip that are forty million blank lines',
    answers: TOO_MANY_LINES,
    send: gzipped('application/x-ndjson', () => upTo(40_000_000, '\n')),
  },
  {
    it: 'blank lines of text, with carriage returns',
    answers: TOO_MANY_LINES,
    send: gzipped('text/plain', () => upTo(60_000_000, '\r\n'), true),
  },
  {
    it: 'thirty million elements that are no records',
    answers: TOO_MANY_LINES,
    send: gzipped('application/json', () => zeros(60 * MIB)),
  },
  {
    it: 'as many elements that are no records as a push may have',
    answers: '200',
    send: gzipped('application/json', () => zeros(1_999_990)),
  },
  {
    it: 'as many lines that are no JSON as a push may have',
    answers: '200',
    send: gzipped('application/x-ndjson', () => upTo(1_999_998, 'x\n')),
  },
  {
    it: 'one element of 60 MB',
    answers: '200',
    send: gzipped('application/json', () => `[{"a":${zeros(60_000_000)}}]`),
  },
  {
    it: 'one element of 60 MB of texts, which is no array to the end',
    answers: '400 malformed request body',
    send: gzipped('application/json', () => `[{"a":[${upTo(30_000_000, '"\uc548",')}`),
  },
  {
    it: 'brackets that only open',
    answers: '400 malformed request body',
    send: gzipped('application/json', () => upTo(60_000_000, '[')),
  },
];

const SILENT = 80;

const CONNECTIONS: readonly HostileRequest[] = [
  {
    it: '80 silent connections of nearly 16 MB without a key',
    answers: '413: 80',
    send: ({ url }) => silent(url, SESSIONS, { credentials: {}, refusals: SILENT }),
  },
  {
    it: '80 silent connections of nearly 16 MB with a key',
    // A quarter of the room for one account.
    answers: '429: 7',
    send: ({ url }) =>
      silent(url, COMPANIES, { credentials: { authorization: `Bearer ${MASTER_KEY}` }, refusals: SILENT - 10 }),
  },
];

interface Silent {
  readonly credentials: Readonly<Record<string, string>>;
  /** How many must be answered before the others are broken off. */
  readonly refusals: number;
}

/** How many got which answer, or lost their connection, and how many got none. */
async function silent(url: string, path: string, { credentials, refusals }: Silent): Promise<string> {
  const part = Buffer.alloc(MIB, 'x');
  const headers = { ...FORM, ...credentials, 'content-length': String(16 * MIB) };
  const sent = Array.from({ length: SILENT }, () => slowRequest(`${url}${path}`, 'POST', { headers }));
  const answers = new Map<SlowRequest, string>();
  await Promise.all(
    sent.map(async (one) => {
      const answered = one.answer.then(
        ({ status }) => answers.set(one, String(status)),
        (error: Error) => answers.set(one, error.message),
      );
      for (let written = 0; written < 15 && !answers.has(one); written += 1) {
        await Promise.race([one.write(part), answered]);
      }
    }),
  );
  await until(
    () => answers.size,
    (count) => count >= refusals,
  );
  const all = Map.groupBy(sent, (one) => answers.get(one) ?? 'silent');
  for (const one of sent) one.destroy();
  return [...all]
    .toSorted()
    .map(([answer, { length }]) => `${answer}: ${length}`)
    .join(', ');
}

export const hostileRequests: readonly HostileRequest[] = [...BODIES, ...PARAMETERS, ...PUSHES, ...CONNECTIONS];
