import { describe, expect, it } from 'vitest';
import { checkQuery } from '#query/query.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { constantsOf, knownConstants, shownConstants } from './constants.ts';

const SEOUL = 'Asia/Seoul';

describe('Constants of a run', () => {
  it.each([
    [{ n: 3 }, [['n', 3n]]],
    [{ n: 3.5 }, [['n', 3.5]]],
    [{ n: 1e300 }, [['n', 1e300]]],
    [{ n: -(2 ** 63) }, [['n', -(2n ** 63n)]]],
    [{ n: 2 ** 63 }, [['n', 2 ** 63]]],
    [
      { s: 'x', b: true, z: null },
      [
        ['s', 'x'],
        ['b', true],
        ['z', null],
      ],
    ],
    [
      { l: [1, 'x'], m: { a: 1 } },
      [
        ['l', [1n, 'x']],
        ['m', new Map([['a', 1n]])],
      ],
    ],
    [{ _from: '2024-03-01' }, [['_from', Temporal.Instant.from('2024-03-01T00:00:00+09:00')]]],
    [{ _to: '2024-03-01 12:00:00+0000' }, [['_to', Temporal.Instant.from('2024-03-01T12:00:00Z')]]],
  ])('come from %j', (params, constants) => {
    expect([...constantsOf(params, SEOUL)]).toEqual(constants);
  });

  it.each([[{ _x: 1 }], [{ _timezone: 'UTC' }], [{ _from: 'soon' }], [{ _to: 5 }]])('refuse %j', (params) => {
    expect(() => constantsOf(params, SEOUL)).toThrow(/is reserved or has a wrong value/);
  });

  it('are shown with what the text sets, long numbers with all their digits and dates as stamps', () => {
    const given = new Map([['big', 9_007_199_254_740_993n]]);
    const checked = checkQuery('set lo = "a", _timezone = "UTC" | json "{}"', contextOf({}));
    const shown = shownConstants(knownConstants(given, checked), SEOUL);
    expect(JSON.stringify(shown)).toBe('{"big":9007199254740993,"lo":"a","_timezone":"UTC"}');
  });

  it('are shown of a setq when it has run; without a row its columns are null', () => {
    const shown = (...setqResults: ReadonlyMap<string, Temporal.Instant>[]) => {
      const checked = checkQuery('setq [ json "{a:1,b:2}" ] | json "{}"', contextOf({}, { setqResults }));
      return shownConstants(knownConstants(new Map(), checked), SEOUL);
    };
    expect(shown()).toEqual({});
    expect(shown(new Map())).toEqual({ a: null, b: null });
    expect(shown(new Map([['a', Temporal.Instant.from('2024-03-01T00:00:00Z')]]))).toEqual({
      a: '2024-03-01 09:00:00+0900',
      b: null,
    });
  });
});
