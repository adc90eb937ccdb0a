// The log sources of the demo: for each a table, a logger, and a generator of its logs.

import { LOGGERS } from '#demo/objects/guids.ts';
import { Random } from '#demo/random.ts';
import { attackMinute } from './attacks.ts';
import { authMinute, login } from './auth-logs.ts';
import { firewallMinute, passage } from './firewall-logs.ts';
import { DAY_MINUTES, MINUTE_MS } from './traffic.ts';
import { visit, webMinute } from './web-logs.ts';

export type SourceName = 'web' | 'firewall' | 'auth';

export interface Source {
  /** Also the name of its table. */
  readonly name: SourceName;
  readonly logger: string;
  readonly contentType: string;
  /** The logs of the minute that begins at `start`, the same every day. */
  minute(random: Random, start: number): string[];
  /** One log of the given time. */
  one(random: Random, time: number): string;
  /** Logs per second while the service runs. */
  readonly aSecond: number;
}

const NDJSON = 'application/x-ndjson';

export const WEB: Source = {
  name: 'web',
  logger: LOGGERS.web,
  contentType: NDJSON,
  minute: webMinute,
  one: visit,
  aSecond: 2.5,
};

export const FIREWALL: Source = {
  name: 'firewall',
  logger: LOGGERS.firewall,
  contentType: NDJSON,
  minute: firewallMinute,
  one: passage,
  aSecond: 1.5,
};

export const AUTH: Source = {
  name: 'auth',
  logger: LOGGERS.auth,
  contentType: 'text/plain',
  minute: authMinute,
  one: login,
  aSecond: 0.4,
};

export const SOURCES: readonly Source[] = [WEB, FIREWALL, AUTH];

/**
 * The day before `end`, minute by minute, oldest first. A minute has the same records on every day, so a day has the same
 * records wherever it begins.
 */
export function* dayOf({ name, minute }: Source, end: number): Generator<string[]> {
  const last = Math.floor(end / MINUTE_MS);
  for (let ago = DAY_MINUTES; ago >= 1; ago -= 1) {
    const start = (last - ago) * MINUTE_MS;
    const random = new Random(`${name} ${(last - ago) % DAY_MINUTES}`);
    yield [...minute(random, start), ...attackMinute(name, ago, start)];
  }
}
