import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESERVED } from '#logs/log-store.ts';
import { RecordText } from './record-text.ts';

const PREFIX = 'attr.';
const LONG = 'n'.repeat(300);
const MANY = Array.from({ length: 1100 }, (_, at) => `field ${at}`);
const names = fc.array(
  fc.constantFrom('', 'a', 'b', 'c', 'ab', 'a"', 'a\\', 'a\\\\', '가', '_id', '_time', 'attr.a', 'attr.attr.a', LONG),
  { maxLength: 12 },
);
/** So many names that are met once, so that those of earlier records are replaced. */
const unlike = fc.constantFrom([], [], MANY);

/** The names of a record whose members are given in this order. */
function expected(shared: readonly string[], own: readonly string[]): string[] {
  const taken = new Set(['_time', ...shared]);
  for (const name of own) {
    if (name === '' || (name !== '_time' && RESERVED.some((own) => own === name))) continue;
    taken.add(taken.has(name) ? PREFIX + name : name);
  }
  return [...taken];
}

describe('The text of a record', () => {
  it('has each name once, whatever the records before it had', () => {
    const records = fc.array(fc.tuple(names, unlike, names), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(records, fc.constantFrom([], ['a'], ['b', LONG]), (given, shared) => {
        const record = new RecordText(1024 * 1024);
        record.beginShared(0);
        for (const name of shared) writeMember(record, name);
        for (const [first, others, last] of given) {
          record.begin();
          record.time(1);
          const own = [...first, ...others, ...last];
          for (const name of own) writeMember(record, name);
          record.end();
          const text = record.bytes.toString('utf8', 0, record.length);
          expect(namesIn(text).toSorted().join('\n')).toBe(expected(shared, own).toSorted().join('\n'));
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Name by name: V8 14.6 parses `{"a\"":1}` as `{"a\\":1}` where an object of the latter form was parsed before. */
const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/[{,]("(?:[^"\\]|\\.)*"):/g), ([, key = '']) => JSON.parse(key));

function writeMember(record: RecordText, name: string): void {
  const bytes = Buffer.from(name);
  if (record.name(bytes, 0, bytes.length, Buffer.from(PREFIX))) record.whole(name.length);
}
