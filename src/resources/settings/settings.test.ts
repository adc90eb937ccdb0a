// GET /settings: what the running service was told, by which way, and no secret of it.

import { expect, it } from 'vitest';
import { readSettings } from '#settings/read-config.ts';
import { urlWithoutSecrets } from '#settings/setting.ts';
import { shownSettings } from '#settings/shown-settings.ts';
import { createAccount } from '#test/support/accounts.ts';
import { entriesOf } from '#test/support/audit.ts';
import { NO_PERMISSION, onEachDatabase, outcome } from '#test/support/suites.ts';

const SETTINGS = '/api/core/settings';
interface Listed {
  readonly name: string;
}

onEachDatabase(
  'The settings',
  (subject) => {
    const { call } = subject;
    const listed = async (key?: string) => {
      const { json } = await call('GET', SETTINGS, key === undefined ? {} : { key });
      return (name: string) => json.settings.find((one: Listed) => one.name === name);
    };

    it('are listed with value, source and meaning, without an entry in the audit trail', async () => {
      const entries = await entriesOf(subject, async () => {
        const setting = await listed();
        expect(setting('line-limit')).toEqual({
          name: 'line-limit',
          value: '4096',
          source: 'flag',
          about: expect.stringContaining('line'),
        });
        expect(setting('outbound-hosts')).toMatchObject({
          value: 'a.example.com, *.b.example.com:443',
          source: 'flag',
        });
        expect(setting('time-zone')).toMatchObject({ value: 'UTC', source: 'default' });
        expect(setting('demo')).toMatchObject({ value: 'false', source: 'default' });
        expect(setting('tls-cert')).toMatchObject({ value: null, source: 'default' });
        expect(setting('query-memory')).toMatchObject({ value: expect.stringMatching(/^\d+$/), source: 'default' });
        expect(setting('data').value).toBe(subject.service.config.data);
      });
      expect(entries).toEqual([]);
    });

    it('show no user and no password of the database', async () => {
      const database = (await listed())('database');
      if (subject.database === 'sqlite') expect(database).toMatchObject({ value: null, source: 'default' });
      else expect(database).toMatchObject({ value: expect.stringMatching(/^postgres(ql)?:\/\/(\*\*\*@)?[^@?]*$/) });
    });

    it('are explained in the language of the account, or in one that is asked for', async () => {
      const korean = await createAccount(subject, 'MASTER', { login: 'kim', locale: 'ko' });
      expect((await listed(korean.key))('host').about).toBe('수신할 주소');
      const { json } = await call('GET', `${SETTINGS}?locale=en`, { key: korean.key });
      expect(json.settings.find(({ name }: Listed) => name === 'host').about).toBe('address to listen on');
    });

    it.each(['ADMIN', 'MEMBER'] as const)('are not for %s, whose refusal is in the audit trail', async (role) => {
      const { key } = await createAccount(subject, role, { login: role.toLowerCase() });
      const [entry] = await entriesOf(subject, async () => {
        expect(outcome(await call('GET', SETTINGS, { key }))).toEqual(NO_PERMISSION);
      });
      expect(entry).toMatchObject({ module: 'settings', method: 'read', error: 'no-permission' });
    });
  },
  { flags: { 'line-limit': '4096', 'outbound-hosts': 'a.example.com, *.b.example.com:443' } },
);

it('A setting is told from its flag, its variable or its file, in this order', async () => {
  const { config, sources } = await readSettings({
    flags: { port: '1' },
    environment: { VIGIL_PORT: '2', VIGIL_HOST: '::1' },
    defaults: { 'log-level': 'warn' },
  });
  const shown = shownSettings(config, sources);
  const told = (name: string) => shown.find((one) => one.name === name);
  expect(told('port')).toMatchObject({ value: '1', source: 'flag' });
  expect(told('host')).toMatchObject({ value: '::1', source: 'environment' });
  expect(told('log-level')).toMatchObject({ value: 'warn', source: 'default' });
});

it.each([
  ['postgres://h/d', 'postgres://h/d'],
  ['postgres://u@h:5/d', 'postgres://***@h:5/d'],
  ['postgres://u:p%40@h/d', 'postgres://***@h/d'],
  ['postgres://h/d?password=p&user=u', 'postgres://h/d?***'],
  ['postgres://u:p@h1,h2:5/d', expect.not.stringContaining('p@')],
  ['postgres://[', '***'],
])('The url %s is shown as %s', (url, shown) => {
  expect(urlWithoutSecrets(url)).toEqual(shown);
});
