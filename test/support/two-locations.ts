// A service that has embedded tables and tables on ClickHouse, on the folders of one that had embedded tables alone.

import { expect } from 'vitest';
import { startApp } from '#app/app.ts';
import { readConfig } from '#settings/read-config.ts';
import { MASTER_KEY, type Service, send } from './service.ts';

type Caller = Pick<Service, 'call'>;

export const TABLES = '/api/core/tables';

/** Pushes records to a table, all of which must be accepted. */
export async function pushTo(service: Caller, table: string, records: readonly object[]): Promise<void> {
  const body = records.map((record) => JSON.stringify(record)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await service.call('POST', `${TABLES}/${table}/logs`, { body, headers });
  expect(answer.json, answer.text).toMatchObject({ accepted: records.length });
}

export const tableOf = async (service: Caller, name: string) =>
  (await service.call('GET', `${TABLES}/${name}`)).json.table;

/** With its new tables on ClickHouse. */
export async function startBeside(
  { config }: Pick<Service, 'config'>,
  logs: string,
  more: Readonly<Record<string, string>> = {},
) {
  const { data, keys } = config;
  const app = await startApp(await readConfig({ flags: { port: '0', data, keys, logs, ...more }, environment: {} }), {
    masterKey: MASTER_KEY,
  });
  return {
    url: app.url,
    call: (method: string, path: string, options?: Parameters<typeof send>[2]) =>
      send(`${app.url}${path}`, method, options),
    [Symbol.asyncDispose]: () => app.stop(),
  };
}

export const DAY = 86_400_000;

/** Ten records of each of so many days, numbered by `n`; the newest day is today. */
export const daysOf = (days: number): readonly object[] => {
  const now = Date.now();
  return Array.from({ length: 10 * days }, (_, n) => ({ n, _time: now - Math.floor(n / 10) * DAY - (n % 10) }));
};

export const moveTo = (service: Caller, table: string, to: string) =>
  service.call('POST', `${TABLES}/${table}/move`, { form: { to } });

export const moveOf = async (service: Caller, table: string) =>
  (await service.call('GET', `${TABLES}/${table}/move`)).json.move;

/** Resolves when the move has ended as it was to. */
export async function moveEnded(service: Caller, table: string, state = 'finished'): Promise<void> {
  await expect.poll(async () => (await moveOf(service, table)).state).not.toBe('running');
  expect(await moveOf(service, table)).toMatchObject({ state });
}
