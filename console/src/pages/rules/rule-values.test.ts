// Fields of a rule as texts, and what differs between two of them.

import { describe, expect, it } from 'vitest';
import { en } from '#console/labels/en.ts';
import { ko } from '#console/labels/ko.ts';
import { fillTemplate } from '#detection/events/matches.ts';
import { changedParts, fieldText, messageText, ruleFields } from './rule-values.ts';

describe('A field of a rule', () => {
  it.each([
    ['logger_guids', { logger_guids: ['1', '2'], logger_names: ['web', null] }, 'web\n2 (not there any more)'],
    ['category_guid', { category_guid: 'c', category_name: '인증' }, '인증'],
    ['category_guid', { category_guid: 'c' }, 'c (not there any more)'],
    ['duration', { duration: 900 }, '15 min'],
    ['event_suppress_interval', { event_suppress_interval: 0 }, '0'],
    ['keep_alive', { keep_alive: true }, 'Yes'],
    ['keep_alive', { keep_alive: false }, 'No'],
    ['msg', { msg: '로그인 "실패"' }, '로그인 "실패"'],
    ['msg', {}, ''],
    ['msg', { msg: null }, ''],
    ['logger_guids', { logger_guids: [] }, ''],
    ['mitre_techniques', { mitre_techniques: ['T1', { mitre_id: 'T2', name: null }] }, 'T1\nT2'],
    ['mitre_tactics', { mitre_tactics: [{ mitre_id: 'TA1', display_name: 'Access', name: 'a' }] }, 'TA1 Access'],
    ['commands', { commands: [{ query: 'search a' }, 'search b'] }, 'search a\nsearch b'],
    ['priority', { priority: 'HIGH' }, en.priority.HIGH],
    ['source_type', { source_type: 'LOGGER' }, en.rules.sourceTypes.LOGGER],
    // A word of a newer service.
    ['priority', { priority: 'URGENT' }, 'URGENT'],
    ['ticket_threshold', { ticket_threshold: 3 }, '3'],
  ] as const)('%s of %j is %j', (field, rule, text) => {
    expect(fieldText(field, rule, en)).toBe(text);
  });

  it('is named in the language of the reader', () => {
    expect(fieldText('keep_alive', { keep_alive: true }, ko)).toBe(ko.common.yes);
    expect(ruleFields(en)).toEqual(ruleFields(ko));
  });
});

describe('Two texts', () => {
  it.each([
    ['failures >= 50', 'failures >= 20', ['failures >= ', '5', '0'], ['failures >= ', '2', '0']],
    ['aa', 'aaa', ['aa', '', ''], ['aa', 'a', '']],
    ['', '한', ['', '', ''], ['', '한', '']],
    ['same', 'same', ['same', '', ''], ['same', '', '']],
    // Two characters with a common half.
    ['a😀b', 'a😁b', ['a', '😀', 'b'], ['a', '😁', 'b']],
    ['abc', '', ['', 'abc', ''], ['', '', '']],
  ])('%j and %j differ between their common beginning and their common end', (one, other, left, right) => {
    const parts = changedParts(one, other).map(({ before, changed, after }) => [before, changed, after]);
    expect(parts).toEqual([left, right]);
  });
});

describe('The message of an event', () => {
  const row = { a: 1, 'b.c': 'two', '@x': ['y'], 상태: '실패', n: null, m: { k: 1 }, t: true };

  it.each([
    ['$a. $b.c $missing $@x! $', '1. two  ["y"]! $'],
    ['$상태: $n $m $t', '실패:  {"k":1} true'],
    ['no field, $5', 'no field, $5'],
    ['', ''],
  ])('of %j is %j, as the service writes it', (template, text) => {
    expect(messageText(template, row)).toBe(text);
    expect(fillTemplate(template, { ...row, n: null })).toBe(text);
  });
});
