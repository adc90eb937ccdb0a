// Errors in the language of the reader.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { ko } from '#console/labels/ko.ts';
import { failureText } from './failure-text.ts';
import { ServiceError, Unreachable } from './service-error.ts';

const refused = (error_code: string, error_msg: string) => new ServiceError(400, 'r7', { error_code, error_msg });

describe('A failure', () => {
  it.each([
    [new Unreachable('no answer'), { text: 'The service does not answer.' }],
    [new TypeError('x is undefined'), { text: en.failures['internal-error'], detail: 'TypeError: x is undefined' }],
    ['text', { text: en.failures['internal-error'], detail: 'text' }],
    [refused('illegal-state', 'no-permission'), { text: 'Your account may not do this.' }],
    [refused('internal-error', 'secret'), { text: en.failures['internal-error'], detail: 'Request r7' }],
    [refused('invalid-query', '90001'), { text: 'The query has a mistake.', detail: '90001' }],
    [refused('too-many-requests', 'wait'), { text: en.failures['too-many-requests'], detail: 'wait' }],
    [refused('illegal-state', 'table not found: 웹'), { text: 'It is not there any more: table 웹.' }],
    [refused('illegal-state', 'duplicated name: 웹'), { text: 'The name 웹 is taken.' }],
    [refused('illegal-state', 'something else'), { text: 'The service has refused: something else' }],
    [refused('illegal-state', ''), { text: 'The service has refused: ' }],
  ])('%s', (error, text) => {
    expect(failureText(error, en)).toEqual(text);
  });

  it('is told in Korean to a Korean reader', () => {
    expect(failureText(refused('not-found', 'x'), ko).text).toBe(ko.failures['not-found']);
  });
});
