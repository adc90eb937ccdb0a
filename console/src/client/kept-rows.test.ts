// Which rows stay on the page while others are on their way.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportConnection } from './connection.ts';
import { keepRows } from './kept-rows.ts';

const ROWS = ['a'];
const keyOf = (params: unknown) => ({ queryKey: ['GET /api/core/events', params] });
const HIGH = { priorities: ['HIGH'], from: '10:00', to: '11:00' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  reportConnection('online');
  vi.useRealTimers();
});

describe('Rows of a list stay', () => {
  it('over a refresh, which moves the range alone', () => {
    expect(keepRows({ ...HIGH, from: '10:01', to: '11:01' })(ROWS, keyOf(HIGH))).toBe(ROWS);
  });

  it('not over another choice, unless the service does not answer', () => {
    const low = keepRows({ ...HIGH, priorities: ['LOW'] });
    expect(low(ROWS, keyOf(HIGH))).toBeUndefined();
    expect(low(ROWS, undefined)).toBeUndefined();
    reportConnection('offline');
    expect(low(ROWS, keyOf(HIGH))).toBe(ROWS);
  });
});
