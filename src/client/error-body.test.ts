import { describe, expect, it } from 'vitest';
import { errorBodyOf } from './error-body.ts';

describe('The body of an error answer', () => {
  it('has a code, a message and further fields', () => {
    const body = { error_code: 'invalid-query', error_msg: '90001', mistakes: [] };
    expect(errorBodyOf(body)).toEqual(body);
  });

  it.each([
    null,
    undefined,
    'text',
    [],
    {},
    { error_code: 'x' },
    { error_msg: 'x' },
    { error_code: 1, error_msg: 'x' },
    { error_code: 'x', error_msg: null },
  ])('is not %j', (body) => {
    expect(errorBodyOf(body)).toBeUndefined();
  });
});
