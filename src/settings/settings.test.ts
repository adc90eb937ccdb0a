import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, readSettings } from './read-config.ts';
import { shownSettings } from './shown-settings.ts';

const file = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'vigil-config-')), 'vigil.toml');
  writeFileSync(path, text);
  return path;
};

describe('The settings', () => {
  it('have the documented defaults', async () => {
    const config = await readConfig({ flags: {}, environment: { XDG_CONFIG_HOME: '/etc/xdg' } });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8470,
      data: join(process.cwd(), 'data'),
      keys: '/etc/xdg/vigil',
      'trusted-proxies': [],
      'time-zone': 'UTC',
      'body-limit': 16_777_216,
      'guids-limit': 10_000,
      'failed-auth-limit': 60,
      'key-rate': 0,
    });
    expect(config.database).toBeUndefined();
  });

  it('are taken from the flag before the environment before the file', async () => {
    const sources = { flags: { port: '1' }, environment: { VIGIL_PORT: '2', VIGIL_HOST: '::1' } };
    const config = await readConfig({ ...sources, file: file('port = 3\nhost = "0.0.0.0"\ntime-zone = "Asia/Seoul"') });
    expect([config.port, config.host, config['time-zone']]).toEqual([1, '::1', 'Asia/Seoul']);
  });

  it.each(['VIGIL_PORT', 'VIGIL_DATA', 'VIGIL_KEYS', 'VIGIL_DATABASE', 'VIGIL_DEMO', 'VIGIL_TIME_ZONE', 'VIGIL_NODE'])(
    'name %s that is empty, and do not take it for a value',
    async (variable) => {
      const values = expect.objectContaining({ variable });
      const reading = readConfig({ flags: {}, environment: { [variable]: '' } });
      await expect(reading).rejects.toMatchObject({ code: 'variable-empty', values });
    },
  );

  it('that are lists are empty by an empty variable', async () => {
    const config = await readConfig({ flags: {}, environment: { VIGIL_TRUSTED_PROXIES: '' } });
    expect(config['trusted-proxies']).toEqual([]);
  });

  it('that are on or off are written as true or false', async () => {
    const demo = async (sources: object) => (await readConfig({ flags: {}, environment: {}, ...sources })).demo;
    expect(await demo({})).toBe(false);
    expect(await demo({ flags: { demo: 'true' } })).toBe(true);
    expect(await demo({ environment: { VIGIL_DEMO: 'true' }, file: file('demo = false') })).toBe(true);
    expect(await demo({ file: file('demo = true') })).toBe(true);
  });

  it('have other defaults where whoever reads them says so', async () => {
    const sources = { environment: {}, defaults: { 'log-level': 'warn', port: '7' } };
    const config = await readConfig({ ...sources, flags: { port: '8' } });
    expect([config['log-level'], config.port]).toEqual(['warn', 8]);
  });

  it('take a list in the file as an array or as text', async () => {
    for (const text of ['trusted-proxies = ["10.0.0.0/8", "::1"]', 'trusted-proxies = "10.0.0.0/8, ::1"']) {
      const config = await readConfig({ flags: {}, environment: {}, file: file(text) });
      expect(config['trusted-proxies']).toEqual(['10.0.0.0/8', '::1']);
    }
  });

  const mistakes = [
    {
      it: 'a key of the file that is nearly one',
      file: 'hots = "x"',
      code: 'unknown-key-near',
      values: { name: 'hots', suggestion: 'host' },
    },
    { it: 'a key of the file that is nothing like one', file: 'zzzzzz = 1', code: 'unknown-key' },
    { it: 'a file that is no TOML', file: 'port = = 1', code: 'bad-settings-file' },
    { it: 'a port that is no number', flags: { port: '80a' }, code: 'setting-not-a-number' },
    { it: 'a port beyond the range', flags: { port: '65536' }, code: 'setting-not-a-number' },
    { it: 'a zone that does not exist', flags: { 'time-zone': 'Mars/Olympus' }, code: 'setting-not-a-zone' },
    { it: 'a proxy that is no address', flags: { 'trusted-proxies': '10.0.0.0/99' }, code: 'setting-not-an-address' },
    { it: 'an origin that is no url', flags: { 'public-origins': 'vigil.example.com' }, code: 'setting-not-an-origin' },
    { it: 'a level that does not exist', flags: { 'log-level': 'loud' }, code: 'setting-not-one-of' },
    { it: 'what is neither on nor off', flags: { demo: 'yes' }, code: 'setting-not-one-of' },
    { it: 'a database of another make', flags: { database: 'mysql://x' }, code: 'setting-not-a-database' },
    { it: 'a log store of another make', flags: { logs: 'http://x/d' }, code: 'setting-not-a-log-store' },
    { it: 'a log store without a database', flags: { logs: 'clickhouse://u:p@h' }, code: 'setting-not-a-log-store' },
    {
      it: 'an option that no log store has',
      flags: { logs: 'clickhouse://h/d?ssl=1' },
      code: 'setting-not-a-log-store',
    },
    {
      it: 'a port of a log store beyond the range',
      flags: { logs: 'clickhouse://h:65536/d' },
      code: 'setting-not-a-log-store',
    },
    {
      it: 'a password that is not encoded',
      flags: { logs: 'clickhouse://u:%zz@h/d' },
      code: 'setting-not-a-log-store',
    },
    { it: 'a node with a blank in its name', flags: { node: 'n 1' }, code: 'setting-not-a-node' },
    { it: 'a node with a name of 51 letters', flags: { node: 'n'.repeat(51) }, code: 'setting-not-a-node' },
    { it: 'a type that no node has', flags: { 'node-types': 'control,disk' }, code: 'setting-not-one-of' },
    { it: 'a node without a type', flags: { 'node-types': ',' }, code: 'setting-not-one-of' },
    { it: 'a lease of less than three renewals', flags: { 'node-lease': '29' }, code: 'node-lease-too-short' },
    { it: 'an advertised url without TLS', flags: { advertise: 'http://n1:8470' }, code: 'advertise-not-https' },
    { it: 'an advertised url with a path', flags: { advertise: 'https://n1/x' }, code: 'setting-not-a-node-url' },
    { it: 'an advertised url with a key', flags: { advertise: 'https://k@n1' }, code: 'setting-not-a-node-url' },
    { it: 'a certificate without its key', flags: { 'tls-cert': 'c.pem' }, code: 'tls-half-given' },
  ];
  for (const { it: what, file: text, flags = {}, code, values } of mistakes) {
    it(`refuse ${what}`, async () => {
      const sources = { flags, environment: {}, ...(text === undefined ? {} : { file: file(text) }) };
      await expect(readConfig(sources)).rejects.toMatchObject({ code, ...(values ? { values } : {}) });
    });
  }

  it('name a log store by its hosts, and show neither its user nor its password', async () => {
    const text = 'clickhouse://kim:p%40%2Fss:x@a.example.com,[::1]:9000/vigil?cluster=main';
    const { config, sources } = await readSettings({ flags: { logs: text }, environment: {} });
    expect(config.logs).toEqual({
      hosts: [
        { host: 'a.example.com', port: 8443 },
        { host: '::1', port: 9000 },
      ],
      isTls: true,
      user: 'kim',
      password: 'p@/ss:x',
      database: 'vigil',
      cluster: 'main',
    });
    const shown = shownSettings(config, sources);
    expect(JSON.stringify(shown)).not.toMatch(/kim|p%40|p@/);
    expect(shown.find(({ name }) => name === 'logs')?.value).toBe(
      'clickhouse://***@a.example.com:8443,[::1]:9000/vigil?cluster=main',
    );
    const plain = await readConfig({ flags: {}, environment: { VIGIL_LOGS: 'clickhouse://h/d?tls=off' } });
    expect(plain.logs).toMatchObject({ hosts: [{ host: 'h', port: 8123 }], user: 'default', password: undefined });
    expect((await readConfig({ flags: {}, environment: {} })).logs).toBe('embedded');
  });

  it('take a url of a node without TLS only where that is allowed', async () => {
    const flags = { advertise: 'http://n1:8470', 'advertise-http': 'true' };
    expect((await readConfig({ flags, environment: {} })).advertise).toBe('http://n1:8470');
  });

  it('refuse a settings file that was named and is not there', async () => {
    const reading = readConfig({ flags: {}, environment: {}, file: '/nowhere/vigil.toml' });
    await expect(reading).rejects.toMatchObject({ code: 'no-settings-file' });
  });
});
