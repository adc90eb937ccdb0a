import { describe, expect, it } from 'vitest';
import { LoggerRates } from './logger-rates.ts';

const HOUR_MS = 3_600_000;
const BEGUN = Date.UTC(2026, 10, 15, 9, 30, 20);
const counts = (logs: number) => ({ logs, volume: logs * 10, drops: 0, dropVolume: 0 });
const logsOf = (rates: LoggerRates, at: number) => rates.of('a', at).map(({ logs }) => logs);

describe('Rates of loggers', () => {
  it('are one entry for each minute since counting began, the present one included', () => {
    const rates = new LoggerRates(BEGUN);
    rates.add('a', counts(2), BEGUN);
    rates.add('a', counts(3), BEGUN + 60_000);
    rates.add('a', { logs: 1, volume: 7, drops: 4, dropVolume: 5 }, BEGUN + 65_000);
    rates.add('b', counts(9), BEGUN);
    expect(rates.of('a', BEGUN + 150_000)).toEqual([
      { atMs: BEGUN - 20_000, logs: 2, volume: 20, drops: 0, dropVolume: 0 },
      { atMs: BEGUN + 40_000, logs: 4, volume: 37, drops: 4, dropVolume: 5 },
      { atMs: BEGUN + 100_000, logs: 0, volume: 0, drops: 0, dropVolume: 0 },
    ]);
  });

  it('are those of the last day, also where older ones are not forgotten yet', () => {
    const rates = new LoggerRates(BEGUN);
    rates.add('a', counts(1), BEGUN);
    const dayLater = BEGUN + 24 * HOUR_MS;
    rates.add('a', counts(5), dayLater);
    for (const prune of [() => undefined, () => rates.prune(dayLater)]) {
      prune();
      expect(logsOf(rates, dayLater)).toHaveLength(1440);
      expect(logsOf(rates, dayLater).filter(Boolean)).toEqual([5]);
      expect(logsOf(rates, dayLater - 60_000).filter(Boolean)).toEqual([1]);
    }
    rates.prune(BEGUN + 50 * HOUR_MS);
    expect(logsOf(rates, dayLater).filter(Boolean)).toEqual([]);
  });

  it('of a logger that is gone are forgotten', () => {
    const rates = new LoggerRates(BEGUN);
    rates.add('a', counts(1), BEGUN);
    rates.forget('a');
    expect(logsOf(rates, BEGUN)).toEqual([0]);
  });
});
