import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, missing } from '#contract/errors.ts';
import { NumberText, type RawValue } from '#operations/requests/raw-params.ts';
import { array, grants, map, members } from './json-params.ts';
import { alongside, flag, int, orElse, type Reader, required, text } from './params.ts';
import { day } from './time-params.ts';

const CONTEXT = { now: Temporal.Instant.from('2024-03-01T00:00:00Z'), maxGuids: 1 };
const GUID = 'cccccccc-0000-4000-8000-00000000000c';

/** What a reader makes of `given`: its value, or the message of its complaint. Anything else it throws is a defect. */
function reading(reader: Reader<unknown>, raw: RawValue, earlier = {}): unknown {
  try {
    return reader.read([raw], 'p', CONTEXT, earlier);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

const NOT_JSON = 'p should be json type';

describe('A map', () => {
  it.each<[RawValue, unknown]>([
    ['{"a":[1,null]}', { a: [1, null] }],
    [{ a: 1 }, { a: 1 }],
    ['', undefined],
    ['[]', NOT_JSON],
    [[], NOT_JSON],
    ['null', NOT_JSON],
    [true, NOT_JSON],
    [new NumberText('1'), NOT_JSON],
    ['{"a":1', NOT_JSON],
    ['{"a":"\\ud800"}', NOT_JSON],
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`, NOT_JSON],
  ])('given as %j is %j', (raw, value) => expect(reading(map, raw)).toEqual(value));
});

describe('An array of objects', () => {
  const reader = array({}, members({ name: required(text(3)), size: int(1n), of: map }));

  it.each<[RawValue, unknown]>([
    ['[]', []],
    ['[{"name":"a","size":2,"of":{},"other":1}]', [{ name: 'a', size: 2, of: {} }]],
    [[{ name: 'a', size: null }], [{ name: 'a' }]],
    ['[{"size":1}]', 'p.name should be not null'],
    ['[{"name":"long"}]', "'p.name' must be shorter than or equal to 3 characters."],
    ['[{"name":"a","size":0}]', "'p.size' must be greater than or equal to 1."],
    ['[{"name":"a","of":[]}]', 'p.of should be json type'],
    ['[null]', NOT_JSON],
    ['{}', NOT_JSON],
  ])('given as %j is %j', (raw, value) => expect(reading(reader, raw)).toEqual(value));

  it('has no members but its own', () => {
    expect(reading(array({}, members({ constructor: text(3) })), '[{}]')).toEqual([{ constructor: undefined }]);
  });
});

describe('Grants', () => {
  const readOnly = { guid: GUID, readOnly: true };
  it.each<[RawValue, unknown]>([
    [GUID.toUpperCase(), [readOnly]],
    [`["${GUID}"]`, [readOnly]],
    [[GUID], [readOnly]],
    [[{ guid: GUID }], [readOnly]],
    [[{ guid: GUID, read_only: null }], [readOnly]],
    [[{ guid: GUID, read_only: false }], [{ guid: GUID, readOnly: false }]],
    [`[{"guid":"${GUID}","read_only":"false"}]`, [{ guid: GUID, readOnly: false }]],
    ['[]', []],
    ['', undefined],
    [`${GUID},${GUID}`, NOT_JSON],
    [{ guid: GUID }, NOT_JSON],
    [[[GUID]], NOT_JSON],
    [[''], 'p should be guid type.'],
    [[{ guid: 1 }], 'p should be guid type.'],
    [[{ guid: GUID, read_only: 1 }], 'p should be boolean type'],
  ])('given as %j are %j', (raw, value) => expect(reading(grants, raw)).toEqual(value));

  it('are read or refused, whatever is given', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (raw) => void reading(grants, raw)));
  });
});

describe('A day', () => {
  it.each(['2024-02-29', '0000-01-01', '9999-12-31'])('%s is one', (raw) => expect(reading(day, raw)).toBe(raw));

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '20240101',
    '2024-01-01T00:00',
    '+002024-01-01',
    ' 2024-01-01',
    'x',
  ])('%s is none', (raw) => expect(reading(day, raw)).toBe("'p' should be yyyy-MM-dd format."));
});

describe('A rule between parameters', () => {
  const reader = alongside(orElse(flag, false), (isWanted, { profile }) => {
    if (isWanted && profile === undefined) throw missing('profile');
  });

  it('sees what was read before', () => {
    expect(reading(reader, 'true')).toBe('profile should be not null');
    expect(reading(reader, 'true', { profile: 'x' })).toBe(true);
    expect(reading(reader, 'false')).toBe(false);
    expect(reading(reader, 'maybe')).toBe('p should be boolean type');
  });
});
