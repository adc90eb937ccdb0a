import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from './cron/cron.ts';
import { ScheduleIndex } from './schedule-index.ts';
import { jitterOf } from './settings.ts';

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const MIDNIGHT = ms('2024-03-01T00:00:00Z');
const MINUTE = 60_000;
const job = (guid: string, cron = '* * * * *') => ({ kind: 'test', guid, cron, since: MIDNIGHT });

describe('The schedule index', () => {
  it('has the nearest moment of all jobs, and gives those that are due by then', () => {
    const schedules = new ScheduleIndex('UTC');
    schedules.put(job('hourly', '0 * * * *'), MIDNIGHT);
    schedules.put(job('a'), MIDNIGHT);
    schedules.put(job('b'), MIDNIGHT);
    expect(schedules.nearest()).toBe(MIDNIGHT + MINUTE);
    expect(schedules.due(MIDNIGHT + MINUTE - 1, 10)).toEqual([]);
    expect(schedules.due(MIDNIGHT + MINUTE, 10).map(({ guid }) => guid)).toEqual(['a', 'b']);
    expect(schedules.due(MIDNIGHT + MINUTE, 1)).toHaveLength(1);
    for (const entry of schedules.due(MIDNIGHT + MINUTE, 10)) schedules.advance(entry, MIDNIGHT + MINUTE, undefined);
    expect(schedules.nearest()).toBe(MIDNIGHT + 2 * MINUTE);
    schedules.remove(job('a'));
    schedules.remove(job('b'));
    expect(schedules.nearest()).toBe(MIDNIGHT + 60 * MINUTE);
    expect(schedules.size).toBe(1);
  });

  it('leaves a job alone that was replaced while its slots were written', () => {
    const schedules = new ScheduleIndex('UTC');
    schedules.put(job('a'), MIDNIGHT);
    const [old] = schedules.due(MIDNIGHT + MINUTE, 1);
    if (!old) throw new Error('nothing is due');
    schedules.put(job('a', '0 0 1 1 *'), MIDNIGHT);
    schedules.advance(old, MIDNIGHT + MINUTE, undefined);
    expect(schedules.nearest()).toBe(ms('2025-01-01T00:00:00Z'));
  });

  it('holds jobs that will never be due, without waiting for them', () => {
    const schedules = new ScheduleIndex('UTC');
    schedules.put(job('never', '0 0 30 2 *'), MIDNIGHT);
    expect(schedules.nearest()).toBeUndefined();
    expect(schedules.size).toBe(1);
  });

  it('lets a job with missed slots come at once', () => {
    const schedules = new ScheduleIndex('UTC');
    schedules.put(job('a'), MIDNIGHT);
    schedules.noteMissed(job('a'), MIDNIGHT - MINUTE);
    schedules.noteMissed(job('a'), MIDNIGHT - 2 * MINUTE);
    expect(schedules.nearest()).toBe(0);
    expect(schedules.due(MIDNIGHT, 10).map(({ missedSince }) => missedSince)).toEqual([MIDNIGHT - 2 * MINUTE]);
  });

  it('says of equal schedules what each would say by itself, in whatever order it is asked', () => {
    const crons = ['* * * * *', '30 2 * * *', '*/20 2 * * *', '0 0 29 2 *', '15 10 * * 1-5', '0 0 30 2 *'];
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
    const moment = fc.integer({ min: ms('2024-03-01T00:00:00Z'), max: ms('2025-04-01T00:00:00Z') });
    const asked = fc.array(fc.tuple(fc.constantFrom(...crons), moment), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(zones, asked, (zone, questions) => {
        const schedules = new ScheduleIndex(zone);
        for (const [cron, after] of questions) {
          const alone = parseCron(cron)?.next(Temporal.Instant.fromEpochMilliseconds(after), zone);
          expect(schedules.nextOf(cron, after)).toBe(alone?.epochMilliseconds);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('The jitter of starts', () => {
  const span = Temporal.Duration.from({ seconds: 30 });

  it('is the same for a job every time, within its span, and spreads different jobs', () => {
    const guids = Array.from({ length: 1000 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
    const spread = guids.map((guid) => jitterOf(guid, span));
    expect(spread).toEqual(guids.map((guid) => jitterOf(guid, span)));
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spread)).toBeLessThan(30_000);
    const tenths = Map.groupBy(spread, (each) => Math.floor(each / 3000));
    expect(tenths.size).toBe(10);
    for (const tenth of tenths.values()) expect(tenth.length).toBeGreaterThan(30);
  });

  it('is nothing where nothing is to be spread', () => {
    expect(jitterOf('any', Temporal.Duration.from({ seconds: 0 }))).toBe(0);
  });
});
