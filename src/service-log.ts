// The service log: one JSON object per line on standard error. It never holds a path as sent, a header or a parameter.

import { pino } from 'pino';

export interface ServiceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  flush(): void;
}

export const silentLog: ServiceLog = { info() {}, warn() {}, error() {}, flush() {} };

export function openServiceLog(level: string): ServiceLog {
  const destination = pino.destination({ dest: 2, sync: false });
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    flush: () => destination.flushSync(),
  };
}
