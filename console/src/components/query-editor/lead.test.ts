// A text that continues a pipeline.

import { expect, it } from 'vitest';
import { behindLead, leadLength } from './lead.ts';

it.each([
  ['stats count', undefined, 'stats count'],
  ['stats count', 'table web', 'table web | stats count'],
  ['', 'table 웹', 'table 웹 | '],
])('The text %j behind %j is checked as %j', (text, lead, whole) => {
  expect(behindLead(text, lead)).toBe(whole);
  expect(whole.slice(leadLength(lead))).toBe(text);
});
