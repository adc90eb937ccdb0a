// Sends logs while the service runs: a few per second, with an attack every few minutes.

import { systemClock } from '#kernel/time/clock.ts';
import type { Client } from './connection.ts';
import { guess, probe } from './logs/attacks.ts';
import { firewallLine } from './logs/firewall-logs.ts';
import { AUTH, SOURCES, type Source, type SourceName } from './logs/sources.ts';
import { MINUTE_MS } from './logs/traffic.ts';
import { LOGGERS } from './objects/guids.ts';
import { Random } from './random.ts';
import { syslogTo } from './syslog.ts';

const PERIOD = Temporal.Duration.from({ seconds: 1 });
const TICKS_A_MINUTE = 60;

/** Sends until the signal is aborted. A logger that refuses logs gets no more; `failed` reports the reason. */
export async function feed(client: Client, signal: AbortSignal, failed: (reason: string) => void): Promise<void> {
  using syslog = await syslogTo(client, LOGGERS.syslog);
  const open = new Set(SOURCES);
  while (!signal.aborted && open.size > 0) {
    const now = systemClock.now().epochMilliseconds;
    for (const source of open) {
      const lines = [...usual(source, now), ...attack(source.name, now)];
      if (source === AUTH && syslog) {
        syslog.send(lines);
        continue;
      }
      const refusal = await push(client, source, lines);
      if (refusal === undefined || signal.aborted) continue;
      open.delete(source);
      failed(refusal);
    }
    await systemClock.sleep(PERIOD, signal);
  }
}

/** Resolves to the reason of a refusal. */
async function push(
  client: Client,
  { logger, contentType }: Source,
  lines: readonly string[],
): Promise<string | undefined> {
  if (lines.length === 0) return undefined;
  const headers = { 'content-type': contentType };
  try {
    const { status, text } = await client.ask('POST', `/loggers/${logger}/logs`, { headers, body: lines.join('\n') });
    return status === 200 ? undefined : `${status} ${text}`;
  } catch (error) {
    return String(error);
  }
}

const tickOf = (now: number): number => Math.floor(now / (MINUTE_MS / TICKS_A_MINUTE));

function usual({ name, one, aSecond }: Source, now: number): string[] {
  const random = new Random(`feed ${name} ${tickOf(now)}`);
  const mean = (aSecond * 60) / TICKS_A_MINUTE;
  const count = Math.floor(mean) + (random.chance(mean % 1) ? 1 : 0);
  return Array.from({ length: count }, () => one(random, now));
}

/** An attack lasts one minute of the clock, and each comes from another address. */
function attack(source: SourceName, now: number): string[] {
  const minute = Math.floor(now / MINUTE_MS);
  const tick = tickOf(now) % TICKS_A_MINUTE;
  if (source === 'auth' && minute % 4 === 1) return [guess(now, `203.0.113.${150 + (minute % 100)}`, tick)];
  if (source === 'web' && minute % 7 === 3) {
    return [0, 1, 2, 3].map((n) => probe(now, `198.51.100.${210 + (minute % 40)}`, 4 * tick + n));
  }
  if (source === 'firewall' && minute % 5 === 2 && tick === 0) {
    const blocked = `198.51.100.${192 + (minute % 16)}`;
    const to = { to: '10.0.2.11', toPort: 443, bytes: 5200, rule: 'web-in' };
    return [firewallLine({ time: now, isAllowed: true, from: blocked, fromPort: 40_100, ...to })];
  }
  return [];
}
