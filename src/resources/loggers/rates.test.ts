import { describe, expect, it } from 'vitest';
import { createAccount } from '#test/support/accounts.ts';
import { createLogger, push } from '#test/support/logs.ts';
import { outcome, refused, serviceFor } from '#test/support/suites.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

interface Rate {
  readonly time: string;
  readonly log_count: number;
}

describe('Rates of a logger', () => {
  const subject = serviceFor();
  const { call, clock } = subject;
  const rates = async (guid: string, key?: string) =>
    await call('GET', `/api/core/loggers/${guid}/rates`, key ? { key } : {});
  const minuteOf = (time: string) => Date.parse(time.replace(' ', 'T').replace(/(\d{2})$/, ':$1')) / 60_000;
  let logger = '';

  it('are empty minutes since the start, then what each minute brought', async () => {
    logger = await createLogger(subject, { table: 'web' });
    const begun = (await rates(logger)).json;
    expect(begun.rates[0]).toEqual({ time: begun.since, log_count: 0, log_volume: 0, drop_count: 0, drop_volume: 0 });
    expect(begun.since).toMatch(/:00[+-]\d{4}$/);
    clock.advance({ minutes: 3 });
    await push(subject, logger, { body: '{"a":1}\n{"a":2}\nno JSON' });
    clock.advance({ minutes: 2 });
    const { since, rates: minutes } = (await rates(logger)).json;
    expect(since).toBe(begun.since);
    expect(minutes).toHaveLength(begun.rates.length + 5);
    expect(minutes.at(-3)).toEqual({
      time: expect.any(String),
      log_count: 2,
      log_volume: 14,
      drop_count: 1,
      drop_volume: 7,
    });
    expect(minutes.filter(({ log_count }: Rate) => log_count > 0)).toHaveLength(1);
    const times = minutes.map(({ time }: Rate) => minuteOf(time));
    expect(times).toEqual(times.map((_: number, index: number) => times[0] + index));
  });

  it('are refused where there is no such logger for the caller', async () => {
    const unknown = (guid: string) => refused(500, 'illegal-state', `logger not found: ${guid}`);
    expect(outcome(await rates(NOWHERE))).toEqual(unknown(NOWHERE));
    const { key } = await createAccount(subject, 'MEMBER', { login: 'member' });
    expect(outcome(await rates(logger, key))).toEqual(unknown(logger));
  });
});
