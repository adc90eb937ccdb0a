// The zones that the reader chooses from.

import { describe, expect, it } from 'vitest';
import { choiceOf, shownChoices } from './zone-choice.ts';

describe('The zones to choose from', () => {
  it.each([
    [{ account: 'Asia/Seoul', browser: 'Europe/Berlin', utc: 'UTC' }, 'account', ['account', 'browser', 'utc']],
    [{ account: 'Asia/Seoul', browser: 'Asia/Seoul', utc: 'UTC' }, 'account', ['account', 'utc']],
    [{ account: 'UTC', browser: 'UTC', utc: 'UTC' }, 'account', ['account']],
    // The chosen one is there even if another has the same name.
    [{ account: 'UTC', browser: 'UTC', utc: 'UTC' }, 'utc', ['account', 'utc']],
    [{ account: 'Asia/Seoul', browser: 'Asia/Seoul', utc: 'UTC' }, 'browser', ['account', 'browser', 'utc']],
  ] as const)('of %j, with %s chosen, are %j', (zones, chosen, shown) => {
    expect(shownChoices(zones, chosen)).toEqual(shown);
  });

  it.each([
    ['utc', 'utc'],
    ['browser', 'browser'],
    [undefined, 'account'],
    ['Asia/Seoul', 'account'],
  ])('stored as %j mean %s', (text, choice) => {
    expect(choiceOf(text)).toBe(choice);
  });
});
