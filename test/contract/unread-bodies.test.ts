// A request that is answered before its body was read: what is left of the body runs out, and the next request on the same
// connection is answered.

import { beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { MASTER_KEY } from '#test/support/service.ts';
import { type Subject, serviceFor } from '#test/support/suites.ts';
import { connectTo } from '#test/support/tls.ts';
import { until } from '#test/support/until.ts';

const JSON_TYPE = 'application/json';

interface Asked {
  readonly line: string;
  readonly key?: 'master' | 'member' | 'none' | 'wrong';
  readonly host?: string;
  readonly type?: string;
  /** By its length; JSON of one long text where none is given. */
  readonly body?: (bytes: number) => string;
}

interface Answered extends Asked {
  /** By the length of the body, where that matters. */
  readonly status: number | ((bytes: number) => number);
}

const jsonOf = (bytes: number) => `{"x":"${'y'.repeat(bytes - 8)}"}`;

const orTooLarge = (status: number) => (bytes: number) => (bytes > 8192 ? 413 : status);

const ANSWERS: Readonly<Record<string, Answered>> = {
  '401, an audited operation': { status: 401, line: 'POST /api/core/users', key: 'wrong' },
  '401, a reading operation': { status: 401, line: 'GET /api/core/users', key: 'none' },
  'no-permission': { status: 500, line: 'POST /api/core/users', key: 'member' },
  'no-permission to delete': { status: 500, line: 'DELETE /api/core/companies', key: 'member' },
  '415': { status: 415, line: 'POST /api/core/companies', type: 'text/x' },
  '400, a body that is no JSON': { status: 400, line: 'POST /api/core/companies', body: (bytes) => '['.repeat(bytes) },
  '400, a path that does not decode': { status: 400, line: 'GET /api/core/users/%ff' },
  '400, the same with a body': { status: 400, line: 'PUT /api/core/users/%ff' },
  '404': { status: 404, line: 'POST /api/core/nothing' },
  '405': { status: 405, line: 'PATCH /api/core/companies' },
  '421': { status: 421, line: 'POST /api/core/companies', host: 'stranger.example' },
  'no such logger': { status: 500, line: 'POST /api/core/loggers/00000000-0000-4000-8000-000000000000/logs' },
  'a GET that succeeds': { status: 200, line: 'GET /api/core/companies' },
  'a GET of the service itself': { status: 200, line: 'GET /healthz', key: 'none' },
  'a logout, 413 beyond 8 KiB': { status: orTooLarge(200), line: 'DELETE /api/core/sessions', key: 'none' },
  'a login without a key, 413 beyond 8 KiB': { status: orTooLarge(400), line: 'POST /api/core/sessions', key: 'none' },
};

interface Sent {
  readonly bytes: number;
  readonly pieces?: number;
}

const SIZES: Readonly<Record<string, Sent>> = {
  '1 kB': { bytes: 1000 },
  '70 kB in two pieces': { bytes: 70_000, pieces: 2 },
  '200 kB': { bytes: 200_000 },
  '1 MB': { bytes: 1_000_000 },
};

interface Way {
  readonly isChunked: boolean;
  readonly isExpecting: boolean;
  /** The next request is sent right behind the body, or after the answer. */
  readonly isPipelined: boolean;
}

const WAYS: readonly Way[] = [false, true].flatMap((isChunked) =>
  [false, true].flatMap((isExpecting) => [false, true].map((isPipelined) => ({ isChunked, isExpecting, isPipelined }))),
);

/** One connection, on which several requests are sent. */
function connection(url: string) {
  const socket = connectTo(url);
  let text = '';
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  /** Of the answers that have come, without those that only tell to go on. */
  const statuses = () =>
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)).filter((status) => status !== 100);
  return {
    socket,
    write: (bytes: string) => void socket.write(bytes),
    answers: (count: number) =>
      until(
        async () => statuses(),
        ({ length }) => length >= count || socket.destroyed,
      ),
  };
}

const NEXT = 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

function keyed(subject: Subject) {
  let member = '';
  beforeAll(async () => {
    member = (await createAccount(subject, 'MEMBER', { login: 'member' })).key;
  });
  return ({ key = 'master' }: Asked): string[] => {
    if (key === 'none') return [];
    return [`authorization: Bearer ${{ master: MASTER_KEY, member, wrong: 'vgl_wrong' }[key]}`];
  };
}

describe('After an answer that did not wait for the body, the next request of the connection is answered', () => {
  const subject = serviceFor({ alone: 'connection', flags: { 'allowed-hosts': 'vigil.example' } });
  const credentials = keyed(subject);

  async function exchange(asked: Asked, { bytes, pieces = 1 }: Sent, way: Way): Promise<readonly number[]> {
    const { socket, write, answers } = connection(subject.service.url);
    const head = [
      `${asked.line} HTTP/1.1`,
      `host: ${asked.host ?? '127.0.0.1'}`,
      `content-type: ${asked.type ?? JSON_TYPE}`,
      way.isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`,
      ...(way.isExpecting ? ['expect: 100-continue'] : []),
      ...credentials(asked),
    ];
    const body = (asked.body ?? jsonOf)(bytes);
    const framed = way.isChunked ? `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    const first = pieces === 1 ? framed.length : 500;
    write(`${head.join('\r\n')}\r\n\r\n${framed.slice(0, first)}`);
    // By then the first piece has been looked at.
    if (pieces > 1) await subject.call('GET', '/healthz');
    write(framed.slice(first) + (way.isPipelined ? NEXT : ''));
    if (!way.isPipelined) {
      await answers(1);
      write(NEXT);
    }
    const statuses = await answers(2);
    socket.destroy();
    return statuses;
  }

  const rows = Object.keys(ANSWERS).flatMap((name) => Object.keys(SIZES).map((size) => [name, size] as const));
  it.each(rows)('%s, a body of %s', async (name, size) => {
    const asked = ANSWERS[name];
    const sent = SIZES[size];
    if (!asked || !sent) throw new Error('no such row');
    // Failed authentications are counted by the minute.
    subject.clock.advance({ minutes: 1 });
    const got = await Promise.all(WAYS.map(async (way) => [way, await exchange(asked, sent, way)]));
    const status = typeof asked.status === 'number' ? asked.status : asked.status(sent.bytes);
    expect(got).toEqual(WAYS.map((way) => [way, [status, 200]]));
  });

  it.each(WAYS)('413, a body of 17 MB, %j', async (way) => {
    const asked = { line: 'POST /api/core/companies' };
    expect(await exchange(asked, { bytes: 17_000_000 }, way)).toEqual([413, 200]);
  });
});

describe('A body that goes on after its refusal ends its connection', () => {
  const subject = serviceFor({ alone: 'connection' });
  const credentials = keyed(subject);
  const ENDLESS = 'content-length: 1000000000000';

  it.each<[string, string, Asked]>([
    ['of a stranger, announced', ENDLESS, { line: 'POST /api/core/users', key: 'wrong' }],
    ['of a stranger, without a length', 'transfer-encoding: chunked', { line: 'POST /api/core/users', key: 'none' }],
    ['to an operation that is none', ENDLESS, { line: 'POST /api/core/nothing', key: 'none' }],
    [
      'without permission, without a length',
      'transfer-encoding: chunked',
      { line: 'POST /api/core/users', key: 'member' },
    ],
  ])('%s, after 10 seconds', async (_, framing, asked) => {
    const { socket, write, answers } = connection(subject.service.url);
    const head = [`${asked.line} HTTP/1.1`, 'host: x', `content-type: ${JSON_TYPE}`, framing, ...credentials(asked)];
    const piece = framing === ENDLESS ? 'x'.repeat(65_536) : `10000\r\n${'x'.repeat(65_536)}\r\n`;
    write(`${head.join('\r\n')}\r\n\r\n${piece}`);
    expect(await answers(1)).toHaveLength(1);
    const goOn = setInterval(() => write(piece), 5);
    try {
      await subject.call('GET', '/healthz');
      subject.clock.advance({ seconds: 9 });
      await subject.call('GET', '/healthz');
      expect(socket.destroyed).toBe(false);
      subject.clock.advance({ seconds: 2 });
      const isClosed = async () => socket.destroyed;
      expect(await until(isClosed, (closed) => closed)).toBe(true);
    } finally {
      clearInterval(goOn);
      socket.destroy();
    }
  });
});

describe('A refusal that closes the connection', () => {
  const subject = serviceFor({ alone: 'connection' });
  const HEAD = [
    'POST /api/core/sessions HTTP/1.1',
    'host: x',
    `content-type: ${JSON_TYPE}`,
    'content-length: 999999999',
  ];

  /** Two seconds, after the service has noticed what was sent. */
  async function pass() {
    await subject.call('GET', '/healthz');
    subject.clock.advance({ seconds: 2 });
    await subject.call('GET', '/healthz');
  }

  it('waits for the rest of a body where the client has asked for the close', async () => {
    const { socket, write, answers } = connection(subject.service.url);
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    const head = [
      'POST /api/core/companies HTTP/1.1',
      'host: x',
      'connection: close',
      `authorization: Bearer ${MASTER_KEY}`,
      `content-type: ${JSON_TYPE}`,
      'content-length: 17000000',
    ];
    write(`${head.join('\r\n')}\r\n\r\n${'x'.repeat(65_536)}`);
    expect(await answers(1)).toEqual([413]);
    await subject.call('GET', '/healthz');
    expect(socket.destroyed).toBe(false);
    write('x'.repeat(17_000_000 - 65_536));
    const isClosed = async () => socket.destroyed;
    expect([await until(isClosed, (closed) => closed), errors]).toEqual([true, []]);
  });

  it.each([
    ['once the client has sent nothing for two seconds', { rounds: 2, goesOn: false }],
    ['after ten seconds, though the client goes on', { rounds: 4, goesOn: true }],
  ])('does so %s', async (_, { rounds, goesOn }) => {
    const { socket, write, answers } = connection(subject.service.url);
    write(`${HEAD.join('\r\n')}\r\n\r\n`);
    const sending = setInterval(() => write('x'.repeat(4096)), 2);
    try {
      expect(await answers(1)).toEqual([413]);
      for (let round = 0; round < rounds; round += 1) await pass();
      expect(socket.destroyed).toBe(false);
      if (!goesOn) clearInterval(sending);
      const isClosed = async () => {
        await pass();
        return socket.destroyed;
      };
      expect(await until(isClosed, (closed) => closed)).toBe(true);
    } finally {
      clearInterval(sending);
      socket.destroy();
    }
  });
});
