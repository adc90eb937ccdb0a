// The service log: one JSON object per line on standard error. It never holds a path as sent, a header or a parameter, and
// fields named like secrets are masked.

import { pino } from 'pino';
import { maskDatabaseUser, maskSecrets } from '#contract/secret-names.ts';
import type { Json } from '#kernel/json/canonical-json.ts';
import { systemClock } from '#kernel/time/clock.ts';
import { Periodic } from '#runtime/periodic.ts';

const WRITE_PERIOD = Temporal.Duration.from({ milliseconds: 100 });
/** Characters that are gathered for one write: a write per line costs more than making it. */
const MAX_GATHERED = 64 * 1024;
/** Bytes, more than ever wait. */
const MANY = 2 ** 30;
/** As other programs number them. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY } as const;

export type LogLevel = keyof typeof LEVELS;

export interface ServiceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  flush(): void;
}

export const silentLog: ServiceLog = { info() {}, warn() {}, error() {}, flush() {} };

export function openServiceLog(lowest: LogLevel): ServiceLog {
  // It begins no write by itself: one that is under way when the process ends may be lost.
  const destination = pino.destination({ dest: 2, sync: false, minLength: MANY, maxWrite: MANY + 1 });
  // After its terminal is closed, the service still stops in order.
  destination.on('error', () => undefined);
  const timeText = timeTexts();
  let gathered = '';
  const handOver = () => {
    if (gathered === '') return;
    const lines = gathered;
    gathered = '';
    destination.write(lines);
  };
  const write = () => {
    handOver();
    destination.flush();
  };
  const writing = (level: LogLevel) => (fields: object, message: string) => {
    if (LEVELS[level] < LEVELS[lowest]) return;
    const line = { level: LEVELS[level], time: timeText(), ...maskFields(fields), msg: message };
    gathered += `${JSON.stringify(line)}\n`;
    if (gathered.length >= MAX_GATHERED) write();
  };
  new Periodic({ clock: systemClock, period: WRITE_PERIOD, work: write });
  // Ahead of the destination, which writes what it has at the end of the process, whatever ends it.
  for (const end of ['beforeExit', 'exit']) process.prependListener(end, handOver);
  return {
    info: writing('info'),
    warn: writing('warn'),
    error: writing('error'),
    flush() {
      handOver();
      destination.flushSync();
    },
  };
}

/** The time of a line. A busy service writes several within a millisecond. */
function timeTexts(): () => string {
  let atMs = Number.NaN;
  let text = '';
  return () => {
    const nowMs = systemClock.nowMs();
    if (nowMs !== atMs) {
      atMs = nowMs;
      text = Temporal.Instant.fromEpochMilliseconds(nowMs).toString({ fractionalSecondDigits: 3 });
    }
    return text;
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
