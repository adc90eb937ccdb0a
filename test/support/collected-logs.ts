// What loggers have collected, as the service tells it.

import { rowsOf, sent } from './logs.ts';
import type { Service, Wire } from './service.ts';
import { type Subject, until } from './suites.ts';

type Caller = Pick<Service, 'call'>;

/** Hundreds of files, or a busy machine, take their time. */
const COLLECTED_MS = 45_000;

/** The values of a field in the order of arrival, once there are so many. */
export async function valuesOf(service: Caller, table: string, count: number, field = 'line'): Promise<unknown[]> {
  const rows = await until(
    () => rowsOf(service, `table ${table} | sort _id`),
    (found) => found.length >= count,
    COLLECTED_MS,
  );
  return rows.map((row) => sent(row)[field]);
}

export const loggerRecord = async (service: Caller, guid: string): Promise<Wire> =>
  (await service.call('GET', `/api/core/loggers/${guid}`)).json.logger;

/** The value of a metric for a logger; undefined where it has none. */
export async function metricOf(service: Caller, name: string, logger: string): Promise<number | undefined> {
  const { text } = await service.call('GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(`${name}{logger="${logger}"}`));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

/** The lines of files in the order in which they were kept, after some looks, once there are so many. */
export async function lines(subject: Subject, table: string, least: number): Promise<string[]> {
  let looks = 0;
  const rows = await until(
    async () => {
      subject.clock.advance({ seconds: 5 });
      looks += 1;
      return await rowsOf(subject, `table ${table} | sort _id`);
    },
    (found) => found.length >= least && looks > 3,
  );
  return rows.map(({ line }) => line);
}
