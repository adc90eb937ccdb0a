// Where the logs of the demo come from: for each a table, a logger that takes them, and how a minute of them looks.

import { attackMinute } from './attacks.ts';
import { authMinute, login } from './auth-logs.ts';
import { Dice } from './dice.ts';
import { firewallMinute, passage } from './firewall-logs.ts';
import { LOGGERS } from './guids.ts';
import { DAY_MINUTES, MINUTE_MS } from './traffic.ts';
import { visit, webMinute } from './web-logs.ts';

export type SourceName = 'web' | 'firewall' | 'auth';

export interface Source {
  /** Also that of its table. */
  readonly name: SourceName;
  readonly logger: string;
  /** Of what is pushed. */
  readonly contentType: string;
  /** What happens every day in the minute that begins at `start`. */
  minute(dice: Dice, start: number): string[];
  /** Something that happens now. */
  one(dice: Dice, time: number): string;
  /** How many a second arrive while the service runs. */
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
 * The last whole day before `end`, a minute at a time, oldest first. A minute looks the same on every day, so a whole day has the
 * same records wherever it begins.
 */
export function* dayOf({ name, minute }: Source, end: number): Generator<string[]> {
  const last = Math.floor(end / MINUTE_MS);
  for (let ago = DAY_MINUTES; ago >= 1; ago -= 1) {
    const start = (last - ago) * MINUTE_MS;
    const dice = new Dice(`${name} ${(last - ago) % DAY_MINUTES}`);
    yield [...minute(dice, start), ...attackMinute(name, ago, start)];
  }
}
