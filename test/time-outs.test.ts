// No test fails because the machine is busy: none has a time-out of its own, and none judges by elapsed time.

import { describe, expect, it } from 'vitest';
import { sourcesIn } from '#test/support/sources.ts';
import { timeJudgementsIn } from '#test/support/time-judgements.ts';

/** Files that may look at the time that passes. */
const MAY_MEASURE = [
  // The figures of a run that people read.
  'test/support/file-cost.ts',
  'test/support/summary-reporter.ts',
  // The one poll beside that of the test runner.
  'test/support/until.ts',
  'test/support/processor-time.ts',
  // Tests the clock itself: it never sleeps for too short a time.
  'src/kernel/time/clock.test.ts',
];

const adviceOn = (text: string): string[] =>
  timeJudgementsIn({ path: 'a.test.ts', text }).map((found) => found.replace(/^a\.test\.ts:1: /, '').slice(0, 20));

const TIME_OUT = 'leave the time-out o';

describe('Tests', () => {
  it('declare no time-out of their own, and do not judge by elapsed time', () => {
    const sources = sourcesIn('src/**/*.test.ts', 'test/**/*.ts').filter(({ path }) => !MAY_MEASURE.includes(path));
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap(timeJudgementsIn)).toEqual([]);
  });

  it.each([
    ["it('a', () => {}, 1000)", TIME_OUT],
    ["it('a', { timeout: 1000 }, () => {})", TIME_OUT],
    ["it('a', LONG, async () => {})", TIME_OUT],
    ["it('a', attack, 1000)", TIME_OUT],
    ["it.each([1])('a', { timeout: ROUNDS * 10 }, async (row: number) => {})", TIME_OUT],
    ["describe.skipIf(no)('a', { timeout: IS_LONG ? 1 : 2 }, () => {})", TIME_OUT],
    ['beforeAll(async () => {}, SETUP_MS)', TIME_OUT],
    ['vi.setConfig({ testTimeout: 1000 })', TIME_OUT],
    ['await expect.poll(state, { timeout: 1000 }).toBe(1)', TIME_OUT],
    ["await page.getByText('a').waitFor({ timeout: 1000 })", TIME_OUT],
    ['await vi.waitFor(() => expect(a).toBe(1))', 'vi.waitFor has a tim'],
    ['expect(performance.now() - begun).toBeLessThan(100)', 'assert the effect, o'],
    ['while (Date.now() < end) await pause()', 'a loop with a deadli'],
  ])('would be found with a fault: %s', (text, advice) => {
    expect(adviceOn(text)).toEqual([advice]);
  });

  it.each([
    "it('a', () => {})",
    "it('a', { retry: 1 }, async () => {})",
    "it.each([1])('a %d', async () => {})",
    "describe.each(databases)('a', ({ name }) => {})",
    'await expect.poll(state, { interval: 10 }).toBe(1)',
    "await created(subject, PROFILES, { name: 'a', timeout: '5' })",
    'chromium.launch({ timeout: POLL_TIME_OUT_MS })',
    'const record = { _time: Date.now() - DAY }',
  ])('are left alone without one: %s', (text) => {
    expect(adviceOn(text)).toEqual([]);
  });
});
