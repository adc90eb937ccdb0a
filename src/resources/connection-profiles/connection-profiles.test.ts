import { describe, expect, it } from 'vitest';
import { newGuid } from '#kernel/guid.ts';
import { createAccount, created } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { onEachDatabase, outcome, refused, type Subject, serviceFor } from '#test/support/suites.ts';
import { everythingKept } from '#test/support/written-data.ts';

const PROFILES = '/api/core/connection-profiles';
const SECRET = 'hush-0123456789-nobody-reads-this';
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const flags = { 'database-hosts': 'db.example.com,10.0.0.0/8:5432', 'outbound-hosts': '*.example.com:443' };

const DATABASE = { kind: 'postgresql', host: 'db.example.com', database: 'crm', user: 'reader' };
const HTTP = { kind: 'http', url: 'https://api.example.com/v1/' };

describe('A connection profile is refused', () => {
  const { call } = serviceFor({ flags });

  it.each([
    [{ ...DATABASE, kind: '' }, missing('kind')],
    [{ ...DATABASE, kind: 'oracle' }, invalid("kind value must be one of 'postgresql', 'mysql', 'http'.")],
    [{ ...DATABASE, host: '', port: 'x' }, missing('host')],
    [{ ...DATABASE, database: '' }, missing('database')],
    [{ ...DATABASE, user: '' }, missing('user')],
    [{ kind: 'http' }, missing('url')],
    [{ ...DATABASE, port: '0' }, invalid("'port' must be greater than or equal to 1.")],
    [{ ...DATABASE, port: '65536' }, invalid("'port' must be less than or equal to 65535.")],
    [
      { ...DATABASE, password: 'p'.repeat(1001) },
      invalid("'password' must be shorter than or equal to 1000 characters."),
    ],
    [{ ...DATABASE, zone: 'Mars/Base' }, invalid('wrong zone: Mars/Base')],
    [{ ...DATABASE, tls: 'on' }, invalid("tls value must be one of 'verify', 'require', 'off'.")],
    [{ ...DATABASE, timeout: '3601' }, invalid("'timeout' must be less than or equal to 3600.")],
    [{ ...DATABASE, max_rows: '0' }, invalid("'max_rows' must be greater than or equal to 1.")],
    [{ ...DATABASE, max_connections: '17' }, invalid("'max_connections' must be less than or equal to 16.")],
    [{ ...DATABASE, host: 'evil.example.com' }, invalid('wrong host: evil.example.com')],
    [{ ...DATABASE, host: '127.0.0.1' }, invalid('wrong host: 127.0.0.1')],
    [{ ...DATABASE, kind: 'mysql', host: '10.0.0.1' }, invalid('wrong host: 10.0.0.1')],
    [{ kind: 'http', url: 'https://db.example.org/' }, invalid('wrong host: db.example.org')],
    [{ kind: 'http', url: 'http://api.example.com/' }, invalid('wrong host: api.example.com')],
    [{ kind: 'http', url: 'ftp://api.example.com/x' }, invalid('wrong url: ftp://api.example.com')],
    [{ kind: 'http', url: `https://u:${SECRET}@api.example.com/` }, invalid('wrong url: https://api.example.com')],
    [{ kind: 'http', url: `https://api.example.com/?k=${SECRET}` }, invalid('wrong url: https://api.example.com')],
    [{ kind: 'http', url: 'https://api.example.com/#x' }, invalid('wrong url: https://api.example.com')],
    [{ kind: 'http', url: SECRET }, invalid('wrong url: ***')],
    [{ ...HTTP, headers: '{"a b":"x"}' }, invalid('wrong header: ***')],
    [{ ...HTTP, headers: JSON.stringify({ ok: `${SECRET}\r\nb: c` }) }, invalid('wrong header: ok')],
    [{ ...HTTP, headers: '{"a":1}' }, refused(400, 'invalid-param-type', 'headers should be json type')],
  ])('on creation with %j', async (form, complaint) => {
    expect(outcome(await call('POST', PROFILES, { form: { name: 'x', ...form } }))).toEqual(complaint);
    expect((await call('GET', PROFILES)).json.total_count).toBe(0);
  });

  it('on update, too, where the stored kind decides what is needed', async () => {
    const subject = { call } as Subject;
    const database = await created(subject, PROFILES, { name: 'd', ...DATABASE });
    const http = await created(subject, PROFILES, { name: 'h', ...HTTP });
    const put = async (guid: string, form: Record<string, string>) =>
      outcome(await call('PUT', `${PROFILES}/${guid}`, { form: { name: 'x', ...form } }));
    expect(await put(database, { database: 'crm', user: 'u' })).toEqual(missing('host'));
    expect(await put(database, { ...HTTP })).toEqual(missing('host'));
    expect(await put(database, { ...DATABASE, host: '10.0.0.1', port: '9' })).toEqual(invalid('wrong host: 10.0.0.1'));
    expect(await put(database, { ...DATABASE, host: '10.0.0.1' })).toEqual([200, {}]);
    expect(await put(http, { ...DATABASE })).toEqual(missing('url'));
  });
});

describe('Without settings', () => {
  const { call } = serviceFor();

  it('no host is allowed', async () => {
    const database = await call('POST', PROFILES, { form: { name: 'x', ...DATABASE } });
    expect(outcome(database)).toEqual(invalid('wrong host: db.example.com'));
    const http = await call('POST', PROFILES, { form: { name: 'x', ...HTTP } });
    expect(outcome(http)).toEqual(invalid('wrong host: api.example.com'));
  });
});

onEachDatabase(
  'A connection profile',
  (subject) => {
    const { call } = subject;
    const read = async (guid: string, key?: string) =>
      (await call('GET', `${PROFILES}/${guid}`, key === undefined ? {} : { key })).json.connection_profile;

    it('keeps its password sealed and shows it nowhere', async () => {
      const form = { name: 'crm', ...DATABASE, password: SECRET };
      const [entry] = await entriesOf(subject, async () => {
        await created(subject, PROFILES, form);
      });
      expect(entry).toMatchObject({
        module: 'connection-profiles',
        category: 'Connection profiles',
        action: 'Create connection profile',
        params: { name: 'crm', password: '***' },
      });
      const { json } = await call('GET', PROFILES);
      expect(json.connection_profiles).toMatchObject([{ name: 'crm', has_password: true, port: 5432 }]);
      expect(JSON.stringify(json)).not.toContain(SECRET);
      const kept = await everythingKept(subject.service);
      expect(kept.filter((bytes) => bytes.includes(SECRET)).length).toBe(0);
    });

    it('keeps its headers sealed and shows their names alone', async () => {
      const headers = JSON.stringify({ 'X-Key': SECRET, Accept: 'text/plain' });
      const [entry] = await entriesOf(subject, async () => {
        await created(subject, PROFILES, { name: 'api', ...HTTP, headers });
      });
      expect(JSON.stringify(entry)).not.toContain(SECRET);
      const [shown] = (await call('GET', `${PROFILES}?keywords=api`)).json.connection_profiles;
      expect(shown).toMatchObject({ kind: 'http', url: HTTP.url, header_names: ['Accept', 'X-Key'] });
      for (const name of ['host', 'port', 'database', 'user', 'tls', 'has_password', 'headers']) {
        expect(shown).not.toHaveProperty(name);
      }
      const kept = await everythingKept(subject.service);
      expect(kept.filter((bytes) => bytes.includes(SECRET)).length).toBe(0);
    });

    it('keeps password and headers in an update that does not give them', async () => {
      const database = await created(subject, PROFILES, { name: 'a', ...DATABASE, password: SECRET });
      await call('PUT', `${PROFILES}/${database}`, { form: { name: 'a', ...DATABASE, kind: 'mysql' } });
      expect(await read(database)).toMatchObject({ kind: 'postgresql', has_password: true });
      const http = await created(subject, PROFILES, { name: 'b', ...HTTP, headers: '{"x-key":"1"}' });
      await call('PUT', `${PROFILES}/${http}`, { form: { name: 'b', ...HTTP } });
      expect(await read(http)).toMatchObject({ header_names: ['x-key'] });
      await call('PUT', `${PROFILES}/${http}`, { form: { name: 'b', ...HTTP, headers: '{}' } });
      expect(await read(http)).toMatchObject({ header_names: [] });
    });

    it.each([
      ['another host', { host: '10.0.0.1' }],
      ['another port', { host: '10.0.0.1', port: '5432' }],
      ['another user', { user: 'writer' }],
      ['other authorities', { ca: 'PEM' }],
      ['weaker TLS', { tls: 'require' }],
      ['no TLS', { tls: 'off' }],
    ])('loses its password with %s, unless it is given again', async (_, changed) => {
      const form = { name: newGuid(), ...DATABASE };
      const guid = await created(subject, PROFILES, { ...form, password: SECRET });
      const put = (more: object) => call('PUT', `${PROFILES}/${guid}`, { form: { ...form, ...more } });
      await put({ description: 'the same target', max_rows: '5', database: 'other', tls: 'verify', port: '5432' });
      expect(await read(guid)).toMatchObject({ has_password: true, max_rows: 5 });
      await put(changed);
      expect(await read(guid)).toMatchObject({ has_password: false, ...changed, port: 5432 });
      await put({ password: SECRET });
      await put({ ...changed, password: SECRET });
      expect(await read(guid)).toMatchObject({ has_password: true });
    });

    it('keeps its password with stronger TLS', async () => {
      const guid = await created(subject, PROFILES, { name: 'plain', ...DATABASE, tls: 'off', password: SECRET });
      for (const tls of ['require', 'verify']) {
        await call('PUT', `${PROFILES}/${guid}`, { form: { name: 'plain', ...DATABASE, tls } });
        expect(await read(guid)).toMatchObject({ tls, has_password: true });
      }
    });

    it.each([{ url: 'https://other.example.com/v1/' }, { url: `${HTTP.url}x/` }, { ca: 'PEM' }])(
      'loses its headers with %j, unless they are given again',
      async (changed) => {
        const form = { name: newGuid(), ...HTTP };
        const guid = await created(subject, PROFILES, { ...form, headers: '{"x-key":"1"}' });
        const put = (more: object) => call('PUT', `${PROFILES}/${guid}`, { form: { ...form, ...more } });
        await put(changed);
        expect(await read(guid)).toMatchObject({ header_names: [] });
        await put({ headers: '{"x-other":"2"}' });
        expect(await read(guid)).toMatchObject({ header_names: ['x-other'] });
      },
    );

    it('is seen by members with a grant alone, by name, kind and description', async () => {
      const member = await createAccount(subject, 'MEMBER', { login: 'member' });
      const stranger = await createAccount(subject, 'MEMBER', { login: 'stranger' });
      const shared_users = JSON.stringify([member.guid]);
      const form = { name: 'shared', description: 'of sales', ...DATABASE, password: SECRET, shared_users };
      const guid = await created(subject, PROFILES, form);
      const now = '2024-03-01 00:00:00+0000';
      const shown = { guid, name: 'shared', description: 'of sales', kind: 'postgresql', created: now, updated: now };
      expect(await read(guid, member.key)).toStrictEqual(shown);
      const listed = await call('GET', PROFILES, { key: member.key });
      expect(listed.json).toStrictEqual({ total_count: 1, connection_profiles: [shown] });
      expect(await read(guid, stranger.key)).toBeNull();
      expect((await call('GET', PROFILES, { key: stranger.key })).json.total_count).toBe(0);
    });
  },
  { flags },
);
