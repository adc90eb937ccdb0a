import { describe, expect, it } from 'vitest';
import * as errors from './errors.ts';

const CLASSES: readonly unknown[] = [errors.ApiError, errors.CountedApiError];

describe('Every row of the error vocabulary', () => {
  const rows = Object.entries(errors).flatMap(([name, row]) => {
    if (CLASSES.includes(row)) return [];
    // One set of arguments for all rows: each puts what it takes into its text, and a list where it joins one.
    const made: unknown = (row as (...args: unknown[]) => unknown)('a', ['b'], ['c']);
    return made instanceof errors.ApiError ? [{ name, kind: made.kind }] : [];
  });

  it('is called here', () => expect(rows.length).toBeGreaterThan(100));

  for (const { name, kind } of rows) {
    it(`${name} has its name as its kind`, () => expect(kind).toBe(name));
  }
});

it('A counted error keeps the row it was made of', () => {
  const counted = new errors.CountedApiError(errors.tooManyRequests(3), 'query 1', { id: 1 });
  expect({ ...counted, message: counted.message }).toEqual({
    kind: 'tooManyRequests',
    details: {},
    status: 429,
    code: 'too-many-requests',
    message: 'too many requests',
    headers: { 'retry-after': '3' },
    concerns: 'query 1',
    noted: { id: 1 },
  });
});
