// What a restore refuses, by the field of the rule.

import { expect, it } from 'vitest';
import { fieldOfFailure } from './restore-failures.ts';

it.each([
  [{ id: 'category', name: 'x', reason: 'not-found' }, 'category_guid', 'x'],
  [{ field: 'rule_category', value: 'x', reason: 'not-found' }, 'category_guid', 'x'],
  [{ field: 'logger', value: '웹', reason: 'not-found' }, 'logger_guids', '웹'],
  // A part that this console does not know is shown at the name of the rule.
  [{ id: 'newer', name: 'x', reason: 'not-found' }, 'name', 'x'],
] as const)('The failure %j is shown at %s', (failure, field, name) => {
  expect(fieldOfFailure(failure)).toEqual({ field, name, reason: 'not-found' });
});
