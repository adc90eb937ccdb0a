import { expect, it } from 'vitest';
import { dependsOnTime } from './time-dependence.ts';

const OWN = [
  'table duration=1h web',
  'table from=20260101 to=20260102 web',
  'fulltext duration=1h "a" from web',
  'table window=1h web',
  'proc p()',
  'table web | nothing known',
  'table web | search _time > now()',
  'table web | join n [ table duration=1d mail | fields n ]',
];
const GIVEN = ['table web | stats count by host', 'table web | search status == 500 | stats count | search count > 5'];

it.each(OWN)('a text that decides which time it reads: %s', async (text) => {
  expect(await dependsOnTime(text)).toBe(true);
});

it.each(GIVEN)('a text that reads the time it is given: %s', async (text) => {
  expect(await dependsOnTime(text)).toBe(false);
});
