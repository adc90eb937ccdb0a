// The grammar of pipelines: valid texts over any names and values, and every command and condition of which a store may do a share.

import { expect, it } from 'vitest';
import { seededDice } from '#kernel/dice.ts';
import type { Value } from '#query/model/values.ts';
import type { KnownTable } from '#query/planning/query-context.ts';
import { checkQuery } from '#query/query.ts';
import { FUZZ_SEED } from '#test/support/fuzz-seed.ts';
import { contextOf } from '#test/support/query-examples.ts';
import { STRINGS } from '#test/support/value-texts.ts';
import { drawPipeline } from './pipeline-grammar.ts';
import { sampledTable } from './sampled-table.ts';

const TIME = Temporal.Instant.from('2026-11-15T03:00:00Z');
const DRAWN = 4000;

const tableOf = (name: string): KnownTable => ({
  name,
  isOpen: true,
  columns: [
    { name: 's', type: 'string' },
    { name: '사용자 "이름"', type: 'string' },
    { name: 'by', type: 'long' },
    { name: '06', type: 'double' },
    { name: 'b', type: 'bool' },
    { name: 'mixed', type: 'any' },
  ],
});

/** Names that are words of the language, or none at all, and texts that are almost something else. */
const rowsOf = (texts: readonly string[]) =>
  texts.map(
    (text, index) =>
      new Map<string, Value>([
        ...([
          ['_time', TIME.add({ minutes: index * 7 })],
          ['s', text],
          ['사용자 "이름"', index % 2 === 0 ? '김' : null],
          ['by', BigInt(index) * 2n ** 58n - 2n ** 63n],
          ['06', index === 3 ? -0 : index / 3],
          ['b', index % 3 === 0],
          ['mixed', index % 2 === 0 ? text : BigInt(index)],
        ] as const),
      ]),
  );

const TABLES = ['web', 'auth'].map((name) => sampledTable(tableOf(name), rowsOf(STRINGS)));
const context = { ...contextOf({}), tables: new Map(['web', 'auth'].map((name) => [name, tableOf(name)])) };

const texts = (seed: number, count: number): string[] => {
  const dice = seededDice(seed);
  return Array.from({ length: count }, () => drawPipeline(dice, TABLES, 'Asia/Seoul'));
};

it('draws texts that are valid', () => {
  const refused = texts(FUZZ_SEED, DRAWN).flatMap((text) => {
    try {
      checkQuery(text, context);
      return [];
    } catch (error) {
      return [{ text, error: String(error) }];
    }
  });
  expect(refused).toEqual([]);
});

const drawn = texts(2, DRAWN);

it.each([
  ...['| stats ', '| top ', '| rare ', '| timechart ', '| pivot ', '| rollup ', '| cube ', '| dedup ', '| sort '],
  ...[
    '| limit ',
    '| eventstats ',
    'fulltext ',
    'tt=t',
    'limit=',
    'offset=',
    'order=asc',
    'from="',
    'to="',
    ' by _table',
  ],
  ...['contains(', 'in(', 'eqi(', 'match(', 'isnull(', 'isnotnull(', 'not(', ' and ', ' or ', '_time >= date("', '*"'],
  ...['sum(', 'avg(', 'min(', 'max(', 'dc(', 'values(', 'count', 'min(_time)', 'web, auth', 'cols ', 'useother=f'],
])('reaches %s', (part) => {
  expect(drawn.some((text) => text.includes(part))).toBe(true);
});

it('draws the same texts from the same seed', () => {
  expect(texts(3, 50)).toEqual(texts(3, 50));
  expect(texts(3, 50)).not.toEqual(texts(4, 50));
});
