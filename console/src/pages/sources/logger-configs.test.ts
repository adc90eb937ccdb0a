// The configuration of a logger: its fields, and what is sent of it.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { configFields, configsOf, configValuesOf, NO_CONFIGS } from './logger-configs.ts';
import type { Logger } from './sources-search.ts';

const shownFor = (kind: string) =>
  configFields(en, () => kind)
    .filter(({ isShown }) => isShown?.(NO_CONFIGS))
    .map(({ name }) => name);

describe('The fields of a logger', () => {
  it.each([
    ['syslog-udp', ['port', 'bind']],
    ['syslog-tcp', ['port', 'bind', 'framing']],
    ['syslog-tls', ['port', 'bind', 'framing', 'cert', 'key', 'client_auth', 'client_ca']],
    ['file', ['path', 'pattern', 'from', 'charset', 'interval', 'cron_schedule']],
    ['unknown', []],
  ])('of the kind %s are %j', (kind, names) => expect(shownFor(kind)).toEqual(names));
});

describe('The configuration of a logger', () => {
  const values = { ...NO_CONFIGS, port: 514, bind: '', framing: 'octet', path: '/var/log', pattern: '*.log' };

  it.each([
    ['syslog-udp', { port: 514 }],
    ['syslog-tcp', { port: 514, framing: 'octet' }],
    ['file', { path: '/var/log', pattern: '*.log', from: 'end' }],
    ['unknown', {}],
  ])('of the kind %s is sent without what is empty or of another kind', (kind, configs) =>
    expect(configsOf(values, kind)).toEqual(configs),
  );

  it('keeps what no field shows', () => {
    const before = { own: { a: 1 }, bind: '127.0.0.1', pattern: 'x' };
    expect(configsOf(values, 'syslog-udp', before)).toEqual({ own: { a: 1 }, port: 514 });
  });

  it('is read into the form, with defaults for what is not set', () => {
    // The fields that are read.
    const logger = { configs: { port: 6514, client_auth: 'required', own: 1 }, interval: 9000 } as unknown as Logger;
    expect(configValuesOf(logger)).toEqual({ ...NO_CONFIGS, port: 6514, client_auth: 'required', interval: 9000 });
    const bare = { interval: undefined, cron_schedule: '* * * * *' } as unknown as Logger;
    expect(configValuesOf(bare)).toEqual({ ...NO_CONFIGS, interval: undefined, cron_schedule: '* * * * *' });
  });
});
