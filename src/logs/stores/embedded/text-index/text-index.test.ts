// Filters of words never deny a text that is there, and deny nearly all others.

import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phrasePattern } from '#query/functions/text-tests.ts';
import { lower } from '#query/values/text/strings.ts';
import { withSmallLast } from './build-filter.ts';
import { fuseFilter, mayContain } from './fuse-filter.ts';
import { isPlainIn, mayHold, soughtText } from './group-filter.ts';
import { GroupWords } from './group-words.ts';
import { decodeFilter, encodeFilter } from './segment-filter.ts';
import { collectorFor } from './word-collector.ts';
import { foldedCode, hasNoCase } from './words.ts';

const WHOLE = { openStart: false, openEnd: false };
const PART = { openStart: true, openEnd: true };

function groupOf(texts: readonly string[], maxBytes = 1_000_000) {
  const words = new GroupWords();
  words.add(Buffer.from(texts.join('\0')), 4);
  return words.filter(texts.length, maxBytes);
}

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('timeout', 'Time', 'out', 'ERROR', 'a', 'x9f3', 'deadbeef', '10', '255', 'e'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('접속', '실패', '접속실패했습니다', '김', 'İ', 'K', 'ß', 'É', 'ſ', 'Σ', 'ς', '😀', 'ａ'),
  },
  { weight: 4, arbitrary: fc.constantFrom(' ', '-', '/', '.', '=', '"', '\n', '…', '\u00a0', '“', '_', '*') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

describe('A binary fuse filter', () => {
  it.each([0, 1, 2, 3, 10, 100, 1000, 50_000])('has all of %i keys and few others', (count) => {
    const keys = Int32Array.from({ length: count }, (_, index) => Math.imul(index + 1, 0x9e3779b1) || 1);
    for (const bits of [8, 5]) {
      const filter = fuseFilter(keys, bits);
      if (!filter) throw new Error('no seed fits');
      expect(keys.every((key) => mayContain(filter, key))).toBe(true);
      const others = Array.from({ length: 20_000 }, (_, index) => Math.imul(index + count + 1, 0x9e3779b1));
      const claimed = others.filter((key) => mayContain(filter, key)).length / others.length;
      expect(claimed).toBeLessThan(1.5 / 2 ** bits);
    }
  });
});

describe('The filter of a row group', () => {
  it('never denies a part or a phrase of its texts, in any case', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        text,
        fc.nat(),
        fc.nat(),
        (texts, other, from, to) => {
          const group = groupOf(texts);
          const source = texts[from % texts.length] ?? '';
          const a = from % (source.length + 1);
          const b = to % (source.length + 1);
          for (const sought of [source.slice(Math.min(a, b), Math.max(a, b)).toWellFormed(), other]) {
            const holds = texts.some((one) => lower(one).includes(lower(sought)));
            if (holds)
              expect({ sought, texts, holds: mayHold(group, 4, soughtText(sought, PART)) }).toMatchObject({ holds });
            const words = lower(sought).match(/[\p{L}\p{Nd}]+/gu) ?? [];
            const phrase = soughtText(words.join(' '), WHOLE);
            const pattern = new RegExp(phrasePattern({ kind: 'term', words, ...WHOLE }), 'u');
            const found = texts.filter((one) => pattern.test(lower(one)));
            if (found.length > 0) expect({ words, texts, is: mayHold(group, 4, phrase) }).toMatchObject({ is: true });
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('says of no word that it has no capitals where a text has it with one', () => {
    let plain = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        const group = groupOf(texts);
        for (const word of new Set(texts.flatMap((one) => lower(one).match(/[\p{L}\p{Nd}]+/gu) ?? []))) {
          if (!isPlainIn(group, 4, soughtText(word, WHOLE))) continue;
          const pattern = new RegExp(phrasePattern({ kind: 'term', words: [word], ...WHOLE }), 'u');
          const holding = texts.filter((one) => pattern.test(lower(one)));
          plain += holding.length;
          expect({ word, texts, found: holding.filter((one) => one.includes(word)) }).toEqual({
            word,
            texts,
            found: holding,
          });
        }
      }),
      { numRuns: 300 },
    );
    expect(plain).toBeGreaterThan(100);
    const group = groupOf(['Connection reset by peer 42', 'connection RESET, 접속 İstanbul', 'straße ΣΑΣ']);
    const isPlain = (word: string) => isPlainIn(group, 4, soughtText(word, WHOLE));
    const words = ['by', 'peer', '42', '접속', 'connection', 'reset', 'istanbul', 'straße', 'σας'];
    expect(words.filter(isPlain)).toEqual(['by', 'peer', '42', '접속']);
  });

  it('denies words and parts that are not there, and words of other columns', () => {
    const group = groupOf(
      Array.from({ length: 3000 }, (_, n) => `Request id=${(n * 7919).toString(16).padStart(12, 'a')} done`),
    );
    const holds = (sought: string, ends: typeof PART) => mayHold(group, 4, soughtText(sought, ends));
    expect(holds('request', WHOLE)).toBe(true);
    expect(holds('eques', PART)).toBe(true);
    expect(holds('eques', WHOLE)).toBe(false);
    expect(holds('zqxrare', PART)).toBe(false);
    expect(holds('접속', PART)).toBe(false);
    expect(mayHold(group, 5, soughtText('request', WHOLE))).toBe(false);
  });

  it('leaves grams out, then bits, then the filter, where it would be too large', () => {
    const texts = Array.from({ length: 10_000 }, (_, n) => `${(n * 7919).toString(36)}abcdefgh`);
    const all = groupOf(texts);
    const some = groupOf(texts, 10_000);
    const none = groupOf(texts, 100);
    expect([all.hasGrams, some.hasGrams, some.fuse?.bits, none.fuse]).toEqual([true, false, 6, undefined]);
    expect(mayHold(none, 4, soughtText('nowhere', WHOLE))).toBe(true);
    expect(mayHold(some, 4, soughtText('nowhere', PART))).toBe(true);
  });

  it('is read back as it was written, and not at all once a byte differs', () => {
    const groups = [groupOf(['one two', '셋']), groupOf(['four'])];
    const file = encodeFilter(groups);
    expect(encodeFilter(decodeFilter(file)?.groups ?? [])).toEqual(file);
    expect(decodeFilter(file)?.groups.map((group) => mayHold(group, 4, soughtText('two', WHOLE)))).toEqual([
      true,
      false,
    ]);
    for (const at of [0, 9, file.length >> 1, file.length - 1]) {
      const altered = Buffer.from(file);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(decodeFilter(altered)).toBeUndefined();
    }
    expect(decodeFilter(file.subarray(0, -1))).toBeUndefined();
    expect(decodeFilter(Buffer.alloc(0))).toBeUndefined();
  });
});

describe('Row groups of a file', () => {
  const sizes = (...rows: number[]) =>
    withSmallLast(rows.map((one) => ({ rows: one }))).map((joined) => joined.map((one) => one.rows));

  it.each([
    { groups: [], filters: [] },
    { groups: [300], filters: [[300]] },
    { groups: [100, 100], filters: [[100], [100]] },
    { groups: [100, 50], filters: [[100], [50]] },
    { groups: [100, 49], filters: [[100, 49]] },
    { groups: [10, 100, 100, 20], filters: [[10], [100], [100, 20]] },
  ])('$groups have a filter each, but a small last one shares that before it', ({ groups, filters }) => {
    expect(sizes(...groups)).toEqual(filters);
  });
});

describe('Characters beyond ASCII', () => {
  it('are folded so that a lower case of DuckDB stays the same character', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const changed = await connection.runAndReadAll(
      `select code::int, unicode(lower(chr(code::int))) from range(128, 1114112) t(code)
       where code not between 55296 and 57343 and (lower(chr(code::int)) <> chr(code::int) or code < 12000)`,
    );
    const rows = changed.getRows().map((row) => row.map(Number));
    expect(rows.length).toBeGreaterThan(1000);
    const wrong = rows.filter(([code = 0, low = 0]) => low >= 0x80 && foldedCode(code) !== foldedCode(low));
    expect(wrong).toEqual([]);
    expect(rows.filter(([code, low = 0]) => code !== low && hasNoCase(low))).toEqual([]);
    expect(rows.filter(([, low = 0]) => low < 0x80)).toEqual([
      [0x130, 0x69],
      [0x212a, 0x6b],
    ]);
  });
});

it('A collector of many words gives up when it is told to', async () => {
  const gone = new AbortController();
  await using collector = collectorFor({ rows: 1_000_000, textBytes: 2 ** 30 }, gone.signal);
  const words = Array.from({ length: 200_000 }, (_, n) => `word${n}`).join('\0');
  const added = collector.add({ bytes: Buffer.from(words), column: 4, form: 'text' });
  gone.abort(new Error('closing'));
  await expect(added).rejects.toThrow('closing');
  await expect(collector.filter({ rows: 1_000_000, maxBytes: 2 ** 20 })).rejects.toThrow('closing');
});
