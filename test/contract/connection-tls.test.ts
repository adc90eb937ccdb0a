// Connections of profiles under TLS: to servers that have a certificate of their own, trusted or not, for this host or another.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { type Certificate, certificateFor } from '#test/support/certificates.ts';
import { startMariadb } from '#test/support/mariadb.ts';
import { KINDS } from '#test/support/outside-databases.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { ask, linesOf, ran } from '#test/support/queries.ts';
import { serviceFor } from '#test/support/suites.ts';

const PROFILES = '/api/core/connection-profiles';

const SERVERS = {
  postgresql: {
    database: 'postgres',
    user: 'postgres',
    encryption: 'select version as v from pg_stat_ssl where pid = pg_backend_pid()',
    start: async (certificate: Certificate) => {
      const server = await startPostgres({ certificate });
      if ('reason' in server) throw new Error(server.reason);
      return { port: Number(new URL(server.url).port), stop: async () => server.stop() };
    },
  },
  mysql: {
    database: 'mysql',
    user: 'root',
    encryption: "select variable_value as v from information_schema.session_status where variable_name = 'Ssl_version'",
    start: async (certificate: Certificate) => await startMariadb(certificate),
  },
};

describe.each(KINDS)('A connection under TLS of the kind %s', (kind) => {
  const subject = serviceFor({ flags: { 'database-hosts': '127.0.0.1, localhost' } });
  const { database, user, encryption, start } = SERVERS[kind];
  const own = certificateFor('IP:127.0.0.1');
  const foreign = certificateFor('IP:127.0.0.1');
  const named = certificateFor('DNS:localhost');
  /** One with a certificate for its address, one for its name. */
  const servers: { readonly port: number; stop(): Promise<void> }[] = [];
  const profile = async (name: string, form: Record<string, string>, server = servers[0]) =>
    await created(subject, PROFILES, {
      name,
      kind,
      host: '127.0.0.1',
      port: String(server?.port),
      database,
      user,
      password: '',
      ...form,
    });

  beforeAll(async () => {
    for (const certificate of [own, named]) servers.push(await start(certificate));
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  it('is encrypted, and to the server whose certificate is trusted', async () => {
    await profile('verified', { tls: 'verify', ca: own.cert });
    expect(linesOf(await ask(subject, { q: `dbquery verified "${encryption}"` }))).toEqual([
      { v: expect.stringMatching(/^TLSv1\.[23]$/) },
    ]);
    await profile('plain', { tls: 'off' });
    const lines = linesOf(await ask(subject, { q: `dbquery plain "${encryption}"` }));
    expect(lines.filter(({ v }: { v?: string }) => v)).toEqual([]);
  });

  it('is made by the name of the server, where the certificate has that', async () => {
    const form = { tls: 'verify', ca: named.cert };
    const guids = [
      await profile('by_name', { ...form, host: 'localhost' }, servers[1]),
      await profile('by_address', form, servers[1]),
    ];
    const tests = guids.map((guid) => subject.call('POST', `${PROFILES}/${guid}/test`));
    expect((await Promise.all(tests)).map(({ json }) => json.error)).toEqual([null, 'tls']);
  });

  it.each([
    ['is signed by another', { tls: 'verify', ca: foreign.cert }],
    ['the system does not know', { tls: 'verify' }],
    ['is for another host', { tls: 'verify', ca: own.cert, host: 'localhost' }],
  ])('is not made to a server whose certificate %s', async (why, form) => {
    const name = why.replaceAll(' ', '_');
    const guid = await profile(name, form);
    const { json } = await subject.call('POST', `${PROFILES}/${guid}/test`);
    expect(json).toMatchObject({ ok: false, server_version: null, error: 'tls' });
    expect((await ran(subject, `dbquery ${name} select 1`)).error_detail).toContain('cannot be reached');
  });
});
