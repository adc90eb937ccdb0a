// The list and map functions (9.7 of the reference).

import type { FunctionDeclaration } from '#query/model/function.ts';
import type { Value } from '#query/model/values.ts';
import { sum } from '#query/values/aggregates.ts';
import { numberOf, textOf, wholeOf } from '#query/values/conversions.ts';
import { distinct } from '#query/values/order.ts';
import { SizeMeter } from '#query/values/sizes.ts';
import { ELEMENT_WEIGHT } from '#query/values/steps.ts';
import { bounds } from '#query/values/text/strings.ts';
import { i, l, optional, several, x } from './arguments.ts';

export const lists: readonly FunctionDeclaration[] = [
  {
    name: 'valueof',
    group: 'lists',
    syntax: 'valueof(x, key)',
    summary: {
      en: 'An element of a list, counted from 0, or the value of a key of a map; null if there is none.',
      ko: '목록의 원소 또는 맵의 값입니다.',
    },
    args: [x, x],
    result: 'any',
    nulls: 'null',
    local: ([x = null, key = null], { zone }) => {
      if (x instanceof Map) return x.get(textOf(key, zone) ?? '') ?? null;
      const at = wholeOf(key);
      return Array.isArray(x) && at !== null && at >= 0n ? (x[Number(at)] ?? null) : null;
    },
    examples: [{ text: 'valueof(array("a", "b"), 1)', gives: 'b' }],
  },
  {
    name: 'flatten',
    group: 'lists',
    syntax: 'flatten(l)',
    summary: {
      en: 'The list with the elements of inner lists in their place, for one level.',
      ko: '안쪽 목록을 한 단계 펼칩니다.',
    },
    args: [l],
    result: 'list',
    nulls: 'null',
    // The cost of all elements is counted before the list is made.
    reads: 'all',
    weight: ELEMENT_WEIGHT,
    local: ([list = null]) => listOf(list).flat(),
    examples: [{ text: 'flatten(array(array(1), 2))', gives: [1, 2] }],
  },
  {
    name: 'unique',
    group: 'lists',
    syntax: 'unique(l)',
    summary: {
      en: 'The distinct elements in the order of their first occurrence; null counts as a value.',
      ko: '서로 다른 원소를 처음 나온 순서로 줍니다.',
    },
    args: [l],
    result: 'list',
    nulls: 'null',
    reads: 'all',
    weight: 12,
    local: ([list = null], { zone }) => distinct(listOf(list), zone),
    examples: [{ text: 'unique(array(2, 1, 2.0))', gives: [2, 1] }],
  },
  {
    name: 'subarray',
    parameters: ['l', 'begin', 'end'],
    group: 'lists',
    syntax: 'subarray(l, begin[, end])',
    summary: { en: 'The same as substr(), for the elements of a list.', ko: '목록의 일부입니다.' },
    args: [l, i, optional(i)],
    result: 'list',
    nulls: 'null',
    reads: 'elements',
    weight: ELEMENT_WEIGHT,
    local: ([list = null, begin, end]) => {
      const items = listOf(list);
      const found = bounds(items.length, position(begin), end === undefined ? undefined : position(end));
      return found ? items.slice(...found) : null;
    },
    examples: [{ text: 'subarray(array(1, 2, 3), 1)', gives: [2, 3] }],
  },
  {
    name: 'sumarray',
    group: 'lists',
    syntax: 'sumarray(l)',
    summary: {
      en: 'The sum of the numbers of a list; other elements are ignored. 0 for an empty list.',
      ko: '목록에 든 수의 합입니다.',
    },
    args: [l],
    result: 'any',
    nulls: 'null',
    reads: 'elements',
    weight: ELEMENT_WEIGHT,
    local: ([list = null]) =>
      sum(
        listOf(list)
          .map(numberOf)
          .filter((number) => number !== null),
      ),
    examples: [{ text: 'sumarray(array(1, "2", "x"))', gives: 3 }],
  },
  {
    name: 'foreach',
    group: 'lists',
    syntax: 'foreach(expr, l, ...)',
    summary: {
      en: 'A list of the values of the expression at each position, with the elements as `_1`, `_2`. A shorter list gives null elements, a value that is no list repeats. Null if the first list is null.',
      ko: '자리마다 식의 값을 모은 목록입니다.',
    },
    args: [x, several(x)],
    result: 'list',
    nulls: 'own',
    localLazy: ([body, ...lists], run) => {
      const values = lists.map((list) => list());
      if (!body || values[0] === null) return null;
      const counts = values.flatMap((value) => (Array.isArray(value) ? [value.length] : []));
      const count = counts.length === 0 ? 1 : Math.max(...counts);
      const sizeMeter = new SizeMeter(run);
      return Array.from({ length: count }, (_, at) => {
        const made = body(
          values.map((value) => (Array.isArray(value) ? (value[at] ?? null) : value)),
          count,
        );
        sizeMeter.add(made);
        return made;
      });
    },
    examples: [{ text: 'foreach(_1 * _2, array(1, 2), 10)', gives: [10, 20] }],
  },
  {
    name: 'zip',
    group: 'lists',
    syntax: 'zip(l, l, ...)',
    summary: {
      en: 'A list of the lists of elements at each position; shorter lists give null elements.',
      ko: '자리마다 원소를 묶은 목록입니다.',
    },
    args: [l, several(l)],
    result: 'list',
    nulls: 'null',
    reads: 'elements',
    baseSteps: 2,
    weight: ELEMENT_WEIGHT,
    local: (lists) => {
      const all = lists.map((list) => listOf(list));
      const count = Math.max(...all.map(({ length }) => length));
      return Array.from({ length: count }, (_, at) => all.map((list) => list[at] ?? null));
    },
    examples: [
      {
        text: 'zip(array(1, 2), array("a"))',
        gives: [
          [1, 'a'],
          [2, null],
        ],
      },
    ],
  },
];

const listOf = (value: Value): readonly Value[] => (Array.isArray(value) ? value : []);

const position = (value: Value | undefined): bigint => (typeof value === 'bigint' ? value : 0n);
