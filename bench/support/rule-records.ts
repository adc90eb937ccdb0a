// Records of an access log as stream rules see them, the same at every run.

import type { MapValue, Value } from '#query/model/values.ts';
import { chance } from './numbers.ts';

export const GROUP = '11111111-1111-1111-1111-111111111111';
export const GROUP_ENTRIES = Array.from({ length: 500 }, (_, at) => `10.${at % 250}.${(at * 7) % 256}.0/24`);

const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT'] as const;
const PATHS = ['/api/users/login', '/api/tables/list', '/index.html', '/static/app.js', '/API/health'] as const;
const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'curl/8.9.1', 'GoogleBot/2.1', 'crawler/7'] as const;
const USERS = ['kim', 'lee', 'root', 'admin', 'park'] as const;
const STATUSES = [200n, 200n, 304n, 404n, 500n] as const;
const LEVELS = ['info', 'warn', 'error'] as const;

export function ruleRecords(count: number): MapValue[] {
  const dice = chance(20_261_115);
  const start = Temporal.Instant.from('2026-11-14T00:00:00Z').epochMilliseconds;
  return Array.from({ length: count }, (_, at) => {
    const level = dice.oneOf(LEVELS);
    return new Map<string, Value>([
      ['_time', Temporal.Instant.fromEpochMilliseconds(start + ((at * 7919) % 100_000) * 1000)],
      ['ip', `10.${dice.below(256)}.${dice.below(256)}.${dice.below(256)}`],
      ['method', dice.oneOf(METHODS)],
      ['path', dice.oneOf(PATHS)],
      ['status', dice.oneOf(STATUSES)],
      ['bytes', BigInt(dice.below(1_000_000))],
      ['seconds', dice.below(1000) / 1000],
      ['agent', dice.oneOf(AGENTS)],
      ['user', dice.oneOf(USERS)],
      ['json', JSON.stringify({ level, at, tags: ['a', 'b'], nested: { code: dice.below(100) } })],
      ['line', `level=${level} at=${at} code=${dice.below(100)} user=${dice.oneOf(USERS)}`],
    ]);
  });
}

/** The record as it was sent. */
export const recordText = (record: MapValue): string =>
  JSON.stringify(Object.fromEntries(record), (_, value) => (typeof value === 'bigint' ? Number(value) : value));
