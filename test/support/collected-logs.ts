// What loggers have collected, as the service tells it.

import { rowsOf, sent } from './logs.ts';
import { pause } from './queries.ts';
import type { Service, Wire } from './service.ts';
import type { Subject } from './suites.ts';
import { until } from './until.ts';

type Caller = Pick<Service, 'call'>;

/** Looks at files that pass before the first query, which takes far more time than a look. */
const LOOKS_UNASKED = 3;
const LOOK_MS = 15;

/** The values of a field in the order of arrival, once there are so many. */
export async function valuesOf(service: Caller, table: string, count: number, field = 'line'): Promise<unknown[]> {
  const rows = await until(
    () => rowsOf(service, `table ${table} | sort _id`),
    (found) => found.length >= count,
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

/** The lines of files in the order in which they were kept, after some looks at the files, once there are so many. */
export async function lines(subject: Subject, table: string, least: number): Promise<string[]> {
  const look = () => subject.clock.advance({ seconds: 5 });
  for (let looks = 0; looks < LOOKS_UNASKED; looks += 1) {
    look();
    await pause(LOOK_MS);
  }
  const rows = await until(
    async () => {
      look();
      return await rowsOf(subject, `table ${table} | sort _id`);
    },
    (found) => found.length >= least,
  );
  return rows.map(({ line }) => line);
}
