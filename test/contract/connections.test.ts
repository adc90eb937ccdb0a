// Connections of profiles: what a test of them says, that no secret is shown, and servers that hang, drop the connection, send
// without end or do not have the certificate that is demanded.

import { createServer, type Server, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { databaseFor, KINDS, PASSWORD, profileOf } from '#test/support/outside-databases.ts';
import { finished, openCursor, ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const PROFILES = '/api/core/connection-profiles';

describe.each(KINDS)('A connection of the kind %s', (kind) => {
  const subject = serviceFor({ flags: { 'database-hosts': '127.0.0.1' } });
  const database = databaseFor(kind);
  const isPostgres = kind === 'postgresql';
  const failure = async (q: string): Promise<string> => (await ran(subject, q)).error_detail;

  beforeAll(async () => {
    await created(subject, PROFILES, { name: 'crm', ...profileOf(database()) });
  });

  it('is tested by an operation that says little', async () => {
    const test = async (form: Record<string, string>) => {
      const guid = await created(subject, PROFILES, { name: `t${Math.random()}`, ...profileOf(database()), ...form });
      return (await subject.call('POST', `${PROFILES}/${guid}/test`)).json;
    };
    expect(await test({})).toEqual({
      ok: true,
      elapsed: expect.any(Number),
      server_version: expect.stringMatching(/^\d+\./),
      error: null,
    });
    const failed = { ok: false, elapsed: expect.any(Number), server_version: null };
    expect(await test({ database: 'nowhere' })).toEqual({ ...failed, error: 'refused' });
    expect(await test({ port: '1' })).toEqual({ ...failed, error: 'unreachable' });
    expect(await test({ tls: 'verify' })).toEqual({ ...failed, error: 'tls' });
    if (!isPostgres) expect(await test({ password: 'wrong' })).toEqual({ ...failed, error: 'refused' });
  });

  it('shows no secret of its profile, whatever fails', async () => {
    await created(subject, PROFILES, { name: 'gone', ...profileOf(database()), port: '1' });
    const detail = await failure('dbquery gone select 1');
    expect(detail).toBe('database of the connection gone cannot be reached');
    const status = await ran(subject, 'dbquery crm select nothing');
    for (const text of [JSON.stringify(status), detail]) expect(text).not.toContain(PASSWORD);
    const { text } = await subject.call('GET', '/api/core/audit-logs?limit=1000');
    expect(text).not.toContain(PASSWORD);
  });

  it('ends with a server that drops it, says nothing or sends without end', async () => {
    for (const serve of [drop, flood]) {
      using server = await listening(serve);
      const name = `f${Math.random()}`.replace('.', '');
      await created(subject, PROFILES, { name, ...profileOf(database()), port: String(server.port) });
      expect(await failure(`dbquery ${name} select 1`)).toBe(`database of the connection ${name} cannot be reached`);
    }
    using silent = await listening(() => undefined);
    await created(subject, PROFILES, { name: 'silent', ...profileOf(database()), port: String(silent.port) });
    const id = await openCursor(subject, 'dbquery silent select 1');
    expect((await finished(subject, id)).error_detail).toContain('cannot be reached');
  });
});

type Serve = (socket: Socket) => void;

const drop: Serve = (socket) => socket.destroy();

/** More than a handshake ever has. */
const flood: Serve = (socket) => {
  const chunk = Buffer.alloc(1024 * 1024, 0x41);
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
};

async function listening(serve: Serve): Promise<{ readonly port: number } & Disposable> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: typeof address === 'object' && address ? address.port : 0, [Symbol.dispose]: close };
}
