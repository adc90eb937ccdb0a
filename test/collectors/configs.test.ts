// How loggers that collect by themselves are configured.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { created } from '#test/support/accounts.ts';
import { onEachDatabase, outcome, refused } from '#test/support/suites.ts';

const root = mkdtempSync(join(tmpdir(), 'vigil-collect-'));
const allowed = join(root, 'allowed');
mkdirSync(join(allowed, 'inner'), { recursive: true });
mkdirSync(join(root, 'other'));
symlinkSync(join(root, 'other'), join(allowed, 'out'));
symlinkSync(join(allowed, 'inner'), join(allowed, 'in'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const LOGGERS = '/api/core/loggers';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const invalid = (message: string) => refused(400, 'invalid-argument', message);
const missing = (name: string) => refused(400, 'null-argument', `${name} should be not null`);
const noText = (name: string) => refused(400, 'invalid-param-type', `${name} should be string type`);
const outside = (path: string) =>
  invalid(`'configs.path' should be below a folder that the setting collect-folders allows: ${path}`);
const path = allowed;

/** Patterns that lead elsewhere, or that stand for more patterns than anybody would write down. */
const WRONG_PATTERNS = [
  '../*',
  '/etc/*',
  '**/../../other/*',
  '{..,x}/other/*',
  '{x,{y,..}}/other/*',
  '{.,x}{.,y}/other/*',
  '.{.,}/other/*',
  '..{,x}/other/*',
  '{,x/}../other/*',
  '[.][.]/other/*',
  '\\.\\./other/*',
  '{/etc,x}/*',
  'app{1..900000000}.log',
  '{a,b}'.repeat(51),
];

const REFUSED: readonly (readonly [kind: string, configs: object, complaint: ReturnType<typeof refused>])[] = [
  ['syslog-udp', {}, missing('configs.port')],
  ['syslog-udp', { port: null }, missing('configs.port')],
  ['syslog-udp', { port: 'x' }, invalid("'configs.port' parameter should be int type")],
  ['syslog-udp', { port: 5.5 }, invalid("'configs.port' parameter should be int type")],
  ['syslog-udp', { port: 0 }, invalid("'configs.port' must be greater than or equal to 1.")],
  ['syslog-udp', { port: 65536 }, invalid("'configs.port' must be less than or equal to 65535.")],
  ['syslog-udp', { port: 514, bind: 'here' }, invalid('wrong address or network: here')],
  ['syslog-udp', { port: 514, bind: '10.0.0.0/8' }, invalid('wrong address or network: 10.0.0.0/8')],
  ['syslog-udp', { port: 514, bind: 7 }, noText('configs.bind')],
  ['syslog-tcp', { bind: '::' }, missing('configs.port')],
  [
    'syslog-tcp',
    { port: 514, framing: 'magic' },
    invalid("configs.framing value must be one of 'newline', 'octet-count'."),
  ],
  ['file', {}, missing('configs.path')],
  ['file', { path: '' }, missing('configs.path')],
  ['file', { path: 7 }, noText('configs.path')],
  ['file', { path, from: 'middle' }, invalid("configs.from value must be one of 'start', 'end'.")],
  ['file', { path, charset: 'klingon' }, invalid("'configs.charset' should be a known character set: klingon")],
  ...WRONG_PATTERNS.map(
    (pattern) =>
      [
        'file',
        { path, pattern },
        invalid(`'configs.pattern' should be a pattern of names below the path: ${pattern}`),
      ] as const,
  ),
  ['file', { path: '/etc/passwd' }, outside('/etc/passwd')],
  ['file', { path: 'relative' }, outside('relative')],
  ['file', { path: `${allowed}-not` }, outside(`${allowed}-not`)],
  ['file', { path: `${allowed}/../other` }, outside(`${allowed}/../other`)],
  ['file', { path: join(allowed, 'out') }, outside(join(allowed, 'out'))],
  ['file', { path: join(allowed, 'out', 'x.log') }, outside(join(allowed, 'out', 'x.log'))],
];

const TAKEN: readonly [kind: string, configs: object][] = [
  ['http', { anything: [1, 'x'] }],
  ['syslog-udp', { port: 10514, bind: '127.0.0.1', more: true }],
  ['syslog-udp', { port: '10514' }],
  ['syslog-tcp', { port: 10514, framing: 'octet-count' }],
  ['file', { path }],
  ['file', { path: join(allowed, 'in', 'not there yet.log') }],
  ['file', { path, pattern: '**/*.log', from: 'start', charset: 'euc-kr' }],
  ['file', { path, pattern: '{app,{web,db}[0-9]}/*..{log,txt}' }],
  ['file', { path, pattern: '{app}/a{b,c' }],
];

onEachDatabase(
  'The configuration of a logger',
  (subject) => {
    const { call } = subject;
    const models = new Map<string, string>();
    const modelOf = async (kind: string) => {
      const known = models.get(kind);
      if (known !== undefined) return known;
      if (models.size === 0) await call('POST', '/api/core/tables', { form: { table: 'logs' } });
      const form = { name: kind, logger_factory_name: kind, parser_code: 'text' };
      models.set(kind, await created(subject, '/api/core/logger-models', form));
      return await modelOf(kind);
    };

    it.each(REFUSED)('of kind %s is refused with %j', async (kind, configs, complaint) => {
      const json = { model_guid: await modelOf(kind), name: 'x', table_name: 'logs', configs };
      expect(outcome(await call('POST', LOGGERS, { json }))).toEqual(complaint);
      expect(outcome(await call('PUT', `${LOGGERS}/${NOWHERE}`, { json }))).toEqual(complaint);
    });

    it.each(TAKEN)('of kind %s is read back as it was written: %j', async (kind, configs) => {
      const json = { model_guid: await modelOf(kind), name: 'taken', table_name: 'logs', interval: 1500, configs };
      const guid = (await call('POST', LOGGERS, { json })).json.guid;
      const { logger } = (await call('GET', `${LOGGERS}/${guid}`)).json;
      expect(logger).toMatchObject({ configs, interval: 1500, status: 'stopped', failure: null });
      expect(logger).not.toHaveProperty('cron_schedule');
      const changed = { ...json, interval: undefined, cron_schedule: '*/5 * * * *' };
      expect(outcome(await call('PUT', `${LOGGERS}/${guid}`, { json: changed }))).toEqual([200, {}]);
      const again = (await call('GET', `${LOGGERS}/${guid}`)).json.logger;
      expect(again).toMatchObject({ configs, interval: 5000, cron_schedule: '*/5 * * * *' });
      await call('DELETE', LOGGERS, { form: { guids: guid } });
    });

    it('comes after the other parameters, and before the state of things', async () => {
      const model_guid = await modelOf('syslog-udp');
      const post = async (json: object) => outcome(await call('POST', LOGGERS, { json }));
      expect(await post({ model_guid, name: 'x', table_name: 'logs', interval: 1, configs: {} })).toEqual(
        invalid("'interval' must be greater than or equal to 1000."),
      );
      expect(await post({ model_guid, name: 'x', table_name: 'none' })).toEqual(missing('configs.port'));
      expect(await post({ model_guid: NOWHERE, name: 'x', table_name: 'none' })).toEqual(
        refused(500, 'illegal-state', `logger model not found: ${NOWHERE}`),
      );
    });
  },
  { flags: { 'collect-folders': ` ${allowed} , ${join(root, 'gone')}` } },
);
