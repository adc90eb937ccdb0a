// The service log: one JSON object per line on standard error. It never holds a path as sent, a header or a parameter, and
// fields named like secrets are masked.

import { pino } from 'pino';
import { maskDatabaseUser, maskSecrets } from '#contract/secret-names.ts';
import type { Json } from '#kernel/canonical-json.ts';
import { systemClock } from '#kernel/clock.ts';

const FLUSH_PERIOD = Temporal.Duration.from({ milliseconds: 100 });

export interface ServiceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  flush(): void;
}

export const silentLog: ServiceLog = { info() {}, warn() {}, error() {}, flush() {} };

export function openServiceLog(level: string): ServiceLog {
  // A write per line costs more than formatting it, so lines are buffered and flushed periodically.
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
  // After its terminal is closed, the service still stops in order.
  destination.on('error', () => undefined);
  systemClock.every(FLUSH_PERIOD, () => destination.flush());
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    info: (fields, message) => log.info(maskFields(fields), message),
    warn: (fields, message) => log.warn(maskFields(fields), message),
    error: (fields, message) => log.error(maskFields(fields), message),
    flush: () => destination.flushSync(),
  };
}

/** Fields are JSON: errors are described before they come here. */
const maskFields = (fields: object): object => maskSecrets(fields as { readonly [name: string]: Json }) as object;

/** Errors are not JSON: this is their form in the log, without the user of the database. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack = '', cause } = error;
  const texts = { message: maskDatabaseUser(message), stack: maskDatabaseUser(stack) };
  return { ...texts, ...(cause ? { cause: describeError(cause) } : {}) };
}
