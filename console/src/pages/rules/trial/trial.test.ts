// A trial of a batch rule: what it runs, over which time, and how many events it would make.

import { describe, expect, it } from 'vitest';
import { toStamp } from '#console/time/moments.ts';
import { mergeMatches } from '#detection/events/matches.ts';
import { chance, seededDice, times } from '#kernel/dice.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { eventsOf, trialText, windowAt } from './trial.ts';

const at = (text: string): number => Date.parse(text);

describe('A trial', () => {
  it.each([
    ['table a', 'stats count', 'table a | stats count'],
    [undefined, 'table b', 'table b'],
    ['table a', undefined, 'table a'],
    ['table a', ' \n', 'table a'],
    [undefined, undefined, ''],
  ])('of the dataset %j and the query %j runs %j', (dataset, query, text) => {
    expect(trialText(dataset, query)).toBe(text);
  });

  it.each([
    [{ duration: 900 }, '2026-11-16T09:52:30Z', '2026-11-16T10:07:30Z'],
    [{ duration: 900, datetrunc: 3600 }, '2026-11-16T09:00:00Z', '2026-11-16T10:00:00Z'],
    [{ duration: 60, datetrunc: 0 }, '2026-11-16T10:06:30Z', '2026-11-16T10:07:30Z'],
  ])('with %j looks from %s to %s', (rule, from, to) => {
    const window = windowAt(rule, at('2026-11-16T10:07:30.400Z'));
    expect(window).toEqual({ interval: { from: at(from), to: at(to) }, isOwn: true });
  });

  it('without a duration leaves all time to the query', () => {
    const window = windowAt({}, at('2026-11-16T10:07:30.400Z'));
    expect(window).toEqual({ interval: { from: 0, to: at('2026-11-16T10:07:31Z') }, isOwn: false });
  });
});

describe('Events of a trial', () => {
  const subject = { dataset_guid: null, msg: '' };
  const row = (second: number, src = 'x') => ({ _time: toStamp(second * 1000), src });

  it('are as many as rows where none are joined', () => {
    expect(eventsOf([row(1), row(1)], subject)).toBe(2);
    expect(eventsOf([], { ...subject, event_suppress_interval: 10 })).toBe(0);
  });

  it('are joined by their key while the interval lasts', () => {
    const rule = { ...subject, suppress_key: '$src', event_suppress_interval: 10 };
    expect(eventsOf([row(1), row(5), row(11), row(1, 'y')], rule)).toBe(3);
    // A match within the interval makes it longer.
    expect(eventsOf([row(1), row(5), row(11)], { ...rule, keep_alive: true })).toBe(1);
    expect(eventsOf([{ src: 'x' }, { _time: 'soon', src: 'x' }], rule)).toBe(1);
    expect(eventsOf([row(1), row(2, 'y')], { ...rule, suppress_key: undefined })).toBe(1);
  });

  it('are those that the service would raise', () => {
    for (let seed = FUZZ_SEED; seed < FUZZ_SEED + 200; seed++) {
      const dice = seededDice(seed);
      const seconds = times(1 + dice.below(8), () => dice.below(60)).toSorted((one, other) => one - other);
      const isRenewed = chance(dice, 2);
      const interval = 1 + dice.below(20);
      const matches = seconds.map((second) => ({ fields: {}, time: second * 1000 }));
      const { fresh } = mergeMatches('x', matches, [], { intervalMs: interval * 1000, isRenewed });
      const rule = { ...subject, suppress_key: '$src', event_suppress_interval: interval, keep_alive: isRenewed };
      expect(
        eventsOf(
          seconds.map((second) => row(second)),
          rule,
        ),
      ).toBe(fresh.length);
    }
  });
});
